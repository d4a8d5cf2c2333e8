//! Steps that were taken before need not be executed again.
//!
//! What a thread can do next is a function of the few components of the state
//! that it looks at: the first one, its own, the objects it accesses, now and
//! then another thread. Which one it looks at next depends only on what it has
//! seen so far, so what is known forms a tree: a node names the component to
//! look at, a link leads on for each value that it had, and a leaf holds the
//! edges, as the components that change. A state in which a thread has been
//! before, as far as it can tell, then costs a few look-ups, and neither
//! loading nor interning.
//!
//! Invariant: a leaf is reached only if all components that its edges depend on
//! are the same as when it was made. Which numbers of objects have places is written in the
//! first component, so places in the vector mean the same. Whether there is an object is
//! seen in its place.
//!
//! The idea is that of the transition caches of LTSmin, with dependencies that
//! are observed instead of declared.

mod record;

use std::ops::{ControlFlow, Range};

use exeunt_mem::{ABSENT, Header, Look, Root};
use exeunt_model::{
    ActorId, Change, Choice, CompId, Edge, Pool, Sink, Target, Turn, series_of_names,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::pointers::Pointers;
use crate::thread::{Status, peek_status};
use record::Recorded;
pub use record::Recorder;

/// A step that looks at more is not remembered: it would hardly be met again.
const MOST_LOOKS: usize = 16;
/// Links kept before all is forgotten.
const MOST_LINKS: usize = 1 << 20;
/// Balance of hits and misses at which remembering does not pay, and for how
/// many questions it then rests.
const LOW: i32 = -(1 << 14);
const HIGH: i32 = 1 << 16;
const REST: u32 = 1 << 20;

/// A look at the status of a thread is noted as that at a thread with a number
/// which is higher by this.
pub const STATUS: u32 = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    /// Nothing is known here yet.
    Fresh,
    /// Look at this place of the vector.
    Look(u32),
    /// Look whether there is an object.
    Presence(u32),
    /// Look at the object there, or at the header of a large one.
    Front(u32),
    /// Look at a piece of the large object there.
    Piece(u32, u32),
    /// Look at the status of this thread, and no more of it.
    Status(u32),
    /// Look at what is in this arena and who points into it.
    Pointers(u32),
    /// What the thread can do.
    Known(u32),
    /// It must be executed: it has an outcome of another kind.
    Execute,
}

/// All edges of one thread.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    first: u32,
    end: u32,
    /// Sections opened on them.
    opened: u32,
}

/// An edge, as what it changes in the vector, or if the places of the new one
/// mean something else, as what it is made of.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    changes: (u32, u32),
    /// Changes of large objects.
    pieced: (u32, u32),
    parts: (u32, u32),
    choices: (u32, u32),
    withheld: bool,
    reopens: bool,
    turn: Turn,
    /// All that it changes was looked at as a whole, and nothing else happens: its effect has a
    /// name (see [`Change`]).
    certain: bool,
}

/// Components of a new state.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// So many of the old one, from this place on.
    Kept {
        from: u32,
        count: u32,
    },
    Made(CompId),
    /// A large object of the old one, with this change.
    Pieced(u32),
}

/// A change of a large object that was not looked at as a whole.
#[derive(Clone, Copy, Debug)]
pub struct Pieced {
    /// Its place in the vector.
    at: u32,
    header: Header,
    leaves: (u32, u32),
}

/// What is known about a thread's moves.
pub enum Answer {
    Known(Remembered),
    /// Execute it, and do not tell.
    Execute,
    /// Execute it, and tell.
    Learn,
}

/// A leaf.
#[derive(Clone, Copy)]
pub struct Remembered(u32);

/// Room for what is told again.
#[derive(Default)]
pub struct Room {
    /// Equal to the state that is asked about, if it was needed.
    again: Vec<CompId>,
    is_entered: bool,
    target: Vec<CompId>,
}

impl Room {
    /// Another state is asked about.
    pub fn leave(&mut self) {
        self.is_entered = false;
    }

    fn enter(&mut self, state: &[CompId]) -> &mut [CompId] {
        if !std::mem::replace(&mut self.is_entered, true) {
            self.again.clear();
            self.again.extend_from_slice(state);
        }
        &mut self.again
    }
}

/// Whose moves are asked for: those of one of the threads of a state.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub state: &'a [CompId],
    pub thread: u32,
    pub threads: u32,
}

pub struct Memo {
    /// Stands before the names of edges, which are their numbers.
    series: u64,
    /// From a node and a component to a node.
    links: FxHashMap<u64, u32>,
    nodes: Vec<Node>,
    outcomes: Vec<Outcome>,
    edges: Vec<Known>,
    /// Places and what they become.
    changes: Vec<[u32; 2]>,
    pieced: Vec<Pieced>,
    leaves: Vec<(u32, CompId)>,
    parts: Vec<Part>,
    choices: Vec<Choice>,
    pointers: Pointers,
    /// Numbers of the headers that large objects had.
    headers: FxHashMap<u64, u32>,
    /// Numbers of the statuses that threads had.
    statuses: FxHashMap<Status, u32>,
    /// For the first component of a state, a node for each of its threads.
    systems: FxHashMap<CompId, u32>,
    system: Option<(CompId, u32)>,
    balance: i32,
    resting: u32,
    bytes: u64,
}

impl Default for Memo {
    fn default() -> Memo {
        Memo {
            series: series_of_names(),
            links: FxHashMap::default(),
            nodes: Vec::new(),
            outcomes: Vec::new(),
            edges: Vec::new(),
            changes: Vec::new(),
            pieced: Vec::new(),
            leaves: Vec::new(),
            parts: Vec::new(),
            choices: Vec::new(),
            pointers: Pointers::default(),
            headers: FxHashMap::default(),
            statuses: FxHashMap::default(),
            systems: FxHashMap::default(),
            system: None,
            balance: 0,
            resting: 0,
            bytes: 0,
        }
    }
}

fn key(node: u32, comp: CompId) -> u64 {
    (node as u64) << 32 | comp.0 as u64
}

impl Memo {
    /// What is known about the moves of a thread.
    pub fn ask(&mut self, asked: Asked<'_>, pool: &dyn Pool) -> Answer {
        if self.resting > 0 {
            self.resting -= 1;
            return Answer::Execute;
        }
        let answer = self.follow(asked, pool);
        match answer {
            Answer::Known(_) => self.balance = (self.balance + 1).min(HIGH),
            _ => self.balance -= 1,
        }
        if self.balance < LOW {
            *self = Memo { resting: REST, ..Memo::default() };
            return Answer::Execute;
        }
        answer
    }

    fn follow(&mut self, asked: Asked<'_>, pool: &dyn Pool) -> Answer {
        let Asked { state, thread, threads } = asked;
        let start = self.start(asked);
        let mut link = self.links.get(&key(start, state[1 + thread as usize]));
        while let Some(&node) = link {
            let seen = match self.nodes[node as usize] {
                Node::Fresh => break,
                Node::Look(at) => state[at as usize],
                Node::Presence(at) => presence(state[at as usize], pool),
                Node::Front(at) => {
                    let object = state[at as usize];
                    // Most are small, and to know that one need not look at them.
                    match self.links.contains_key(&key(node, object)) {
                        true => object,
                        false => self.front(object, pool),
                    }
                }
                Node::Piece(at, piece) => piece_of(state[at as usize], piece, pool),
                Node::Status(thread) => self.status(state[1 + thread as usize], pool),
                Node::Pointers(arena) => {
                    CompId(self.pointers.pointing_at((state, threads), arena, pool))
                }
                Node::Known(outcome) => return Answer::Known(Remembered(outcome)),
                Node::Execute => return Answer::Execute,
            };
            link = self.links.get(&key(node, seen));
        }
        Answer::Learn
    }

    /// Where what is known of a thread in such states begins.
    fn start(&mut self, Asked { state, thread, threads }: Asked<'_>) -> u32 {
        if let Some((known, start)) = self.system
            && known == state[0]
        {
            return start + thread;
        }
        let fresh = self.nodes.len() as u32;
        let start = *self.systems.entry(state[0]).or_insert(fresh);
        if start == fresh {
            self.nodes.resize((fresh + threads) as usize, Node::Fresh);
        }
        self.system = Some((state[0], start));
        start + thread
    }

    /// Tells the edges of a thread again. Returns how many sections they open.
    pub fn tell(
        &self,
        Remembered(outcome): Remembered,
        asked: Asked<'_>,
        room: &mut Room,
        pool: &dyn Pool,
        sink: &mut dyn Sink,
    ) -> (u64, ControlFlow<()>) {
        let state = asked.state;
        let Outcome { first, end, opened } = self.outcomes[outcome as usize];
        for number in first..end {
            let known = &self.edges[number as usize];
            let edge = Edge {
                actor: ActorId(asked.thread),
                choices: &self.choices[range(known.choices)],
                withheld: known.withheld,
                reopens: known.reopens,
                turn: known.turn,
                events: &[],
            };
            let changes = &self.changes[range(known.changes)];
            let parts = &self.parts[range(known.parts)];
            let pieced = &self.pieced[range(known.pieced)];
            let flow = if known.certain {
                let name = self.series | u64::from(number);
                sink.again(&edge, &mut Change { name, state, changes, room: &mut room.target })
            } else if parts.is_empty() {
                let scratch = room.enter(state);
                changes.iter().for_each(|&[at, comp]| scratch[at as usize] = CompId(comp));
                for change in pieced {
                    scratch[change.at as usize] = self.apply(change, state, pool);
                }
                let flow = sink.edge(&edge, Target::State(scratch));
                let places = changes.iter().map(|&[at, _]| at);
                for at in places.chain(pieced.iter().map(|change| change.at)) {
                    scratch[at as usize] = state[at as usize];
                }
                flow
            } else {
                let mut target = SmallVec::<[CompId; 64]>::new();
                for part in parts {
                    match *part {
                        Part::Kept { from, count } => {
                            target.extend_from_slice(&state[range((from, from + count))]);
                        }
                        Part::Made(comp) => target.push(comp),
                        Part::Pieced(change) => {
                            target.push(self.apply(&pieced[change as usize], state, pool));
                        }
                    }
                }
                sink.edge(&edge, Target::State(&target))
            };
            if flow.is_break() {
                return (opened as u64, flow);
            }
        }
        (opened as u64, ControlFlow::Continue(()))
    }

    /// Remembers what a thread did in a state, and what that depended on.
    pub fn learn(&mut self, asked: Asked<'_>, looks: &[Look], opened: u64, recorder: Recorder<'_>) {
        let Asked { state, thread, threads } = asked;
        if self.links.len() > MOST_LINKS {
            *self = Memo::default();
        }
        let start = self.start(asked);
        let mut node = self.link(start, state[1 + thread as usize]);
        let own = [Look::Elsewhere(thread), Look::Elsewhere(STATUS + thread)];
        let others = looks.iter().filter(|look| !own.contains(look));
        if others.clone().count() > MOST_LOOKS {
            self.nodes[node as usize] = Node::Execute;
            return;
        }
        for look in others {
            let (next, seen) = match *look {
                Look::Pointers(arena) => {
                    let seen = self.pointers.pointing_at((state, threads), arena, recorder.pool);
                    (Node::Pointers(arena), CompId(seen))
                }
                Look::Elsewhere(other) if other >= STATUS => {
                    let other = other - STATUS;
                    let seen = self.status(state[1 + other as usize], recorder.pool);
                    (Node::Status(other), seen)
                }
                Look::Presence(entry) => {
                    let at = 1 + threads + entry;
                    (Node::Presence(at), presence(state[at as usize], recorder.pool))
                }
                Look::Front(entry) => {
                    let at = 1 + threads + entry;
                    (Node::Front(at), self.front(state[at as usize], recorder.pool))
                }
                Look::Piece(entry, piece) => {
                    let at = 1 + threads + entry;
                    (Node::Piece(at, piece), piece_of(state[at as usize], piece, recorder.pool))
                }
                Look::Object(_) | Look::Elsewhere(_) => {
                    let at = place(*look, threads).expect("it has one");
                    (Node::Look(at), state[at as usize])
                }
            };
            match self.nodes[node as usize] {
                Node::Fresh => self.nodes[node as usize] = next,
                known if known == next => {}
                known => {
                    debug_assert_eq!(known, next, "steps are deterministic");
                    self.nodes[node as usize] = Node::Execute;
                    return;
                }
            }
            node = self.link(node, seen);
        }
        debug_assert_eq!(self.nodes[node as usize], Node::Fresh, "it was not known");
        self.nodes[node as usize] = match recorder.finish(asked, looks) {
            Some(recorded) => Node::Known(self.keep(recorded, opened)),
            None => Node::Execute,
        };
        self.bytes = self.count_bytes();
    }

    /// A large object of the state with a change.
    fn apply(&self, change: &Pieced, state: &[CompId], pool: &dyn Pool) -> CompId {
        let root = Root::of(pool.get(state[change.at as usize])).expect("its header was seen");
        root.changed(pool, change.header, &self.leaves[range(change.leaves)])
    }

    /// The object, or a number for the header of a large one; no object has such a number.
    fn front(&mut self, object: CompId, pool: &dyn Pool) -> CompId {
        let words = pool.get(object);
        if Root::of(words).is_none() {
            return object;
        }
        let next = u32::MAX - self.headers.len() as u32;
        CompId(*self.headers.entry(words[0]).or_insert(next))
    }

    /// A number for the status of a thread.
    fn status(&mut self, thread: CompId, pool: &dyn Pool) -> CompId {
        let next = self.statuses.len() as u32;
        CompId(*self.statuses.entry(peek_status(pool.get(thread))).or_insert(next))
    }

    fn link(&mut self, node: u32, comp: CompId) -> u32 {
        let fresh = self.nodes.len() as u32;
        let next = *self.links.entry(key(node, comp)).or_insert(fresh);
        if next == fresh {
            self.nodes.push(Node::Fresh);
        }
        next
    }

    fn keep(&mut self, recorded: Recorded, opened: u64) -> u32 {
        let first = self.edges.len() as u32;
        let moved = |(start, end): (u32, u32), by: usize| (start + by as u32, end + by as u32);
        self.edges.extend(recorded.edges.iter().map(|known| Known {
            changes: moved(known.changes, self.changes.len()),
            pieced: moved(known.pieced, self.pieced.len()),
            parts: moved(known.parts, self.parts.len()),
            choices: moved(known.choices, self.choices.len()),
            ..*known
        }));
        let leaves = self.leaves.len();
        let pieced = recorded.pieced.into_iter();
        self.pieced.extend(pieced.map(|one| Pieced { leaves: moved(one.leaves, leaves), ..one }));
        self.leaves.extend(recorded.leaves);
        self.changes.extend(recorded.changes);
        self.parts.extend(recorded.parts);
        self.choices.extend(recorded.choices);
        let end = self.edges.len() as u32;
        self.outcomes.push(Outcome { first, end, opened: opened as u32 });
        self.outcomes.len() as u32 - 1
    }

    /// Bytes used.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn count_bytes(&self) -> u64 {
        let bytes = self.links.capacity() * (size_of::<(u64, u32)>() + 1)
            + self.statuses.capacity() * (size_of::<(Status, u32)>() + 1)
            + self.systems.capacity() * (size_of::<(CompId, u32)>() + 1)
            + self.nodes.capacity() * size_of::<Node>()
            + self.outcomes.capacity() * size_of::<Outcome>()
            + self.edges.capacity() * size_of::<Known>()
            + self.changes.capacity() * size_of::<[u32; 2]>()
            + self.leaves.capacity() * size_of::<(u32, CompId)>()
            + self.pieced.capacity() * size_of::<Pieced>()
            + self.headers.capacity() * (size_of::<(u64, u32)>() + 1)
            + self.parts.capacity() * size_of::<Part>()
            + self.choices.capacity() * size_of::<Choice>();
        bytes as u64 + self.pointers.bytes()
    }
}

fn range((start, end): (u32, u32)) -> Range<usize> {
    start as usize..end as usize
}

/// A number for whether there is an object.
fn presence(object: CompId, pool: &dyn Pool) -> CompId {
    CompId(u32::from(pool.get(object) != ABSENT))
}

/// A piece of a large object.
fn piece_of(object: CompId, piece: u32, pool: &dyn Pool) -> CompId {
    let root = Root::of(pool.get(object)).expect("its header was seen");
    root.piece(pool, piece).expect("its header was seen")
}

/// The place in the vector of a state with so many threads, if it is all of it
/// that was looked at.
fn place(look: Look, threads: u32) -> Option<u32> {
    match look {
        Look::Elsewhere(thread) if thread < STATUS => Some(1 + thread),
        Look::Object(entry) => Some(1 + threads + entry),
        Look::Elsewhere(_) | Look::Pointers(_) => None,
        Look::Presence(_) | Look::Front(_) | Look::Piece(..) => None,
    }
}
