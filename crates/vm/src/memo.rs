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
//! are the same as when it was made. Which objects there are is written in the
//! first component, so places in the vector mean the same.
//!
//! The idea is that of the transition caches of LTSmin, with dependencies that
//! are observed instead of declared.

use std::ops::{ControlFlow, Range};

use exeunt_mem::Look;
use exeunt_model::{ActorId, Choice, CompId, Edge, Pool, Sink, Target};
use rustc_hash::FxHashMap;

use crate::system::System;

/// A step that looks at more is not remembered: it would hardly be met again.
const MOST_LOOKS: usize = 16;
/// Links kept before all is forgotten.
const MOST_LINKS: usize = 1 << 20;
/// Balance of hits and misses at which remembering does not pay, and for how
/// many questions it then rests.
const LOW: i32 = -(1 << 14);
const HIGH: i32 = 1 << 16;
const REST: u32 = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    /// Nothing is known here yet.
    Fresh,
    /// Look at this place of the vector.
    Look(u32),
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

/// An edge to a state of the same shape.
#[derive(Clone, Copy, Debug)]
struct Known {
    changes: (u32, u32),
    choices: (u32, u32),
    withheld: bool,
    reopens: bool,
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

#[derive(Default)]
pub struct Memo {
    /// From a node and a component to a node.
    links: FxHashMap<u64, u32>,
    nodes: Vec<Node>,
    outcomes: Vec<Outcome>,
    edges: Vec<Known>,
    changes: Vec<(u32, CompId)>,
    choices: Vec<Choice>,
    /// For the first component of a state, a node for each of its threads.
    systems: FxHashMap<CompId, u32>,
    system: Option<(CompId, u32)>,
    balance: i32,
    resting: u32,
}

fn key(node: u32, comp: CompId) -> u64 {
    (node as u64) << 32 | comp.0 as u64
}

impl Memo {
    /// What is known about the moves of `thread`, one of `threads`.
    pub fn ask(&mut self, state: &[CompId], thread: u32, threads: u32) -> Answer {
        if self.resting > 0 {
            self.resting -= 1;
            return Answer::Execute;
        }
        let start = self.start(state[0], threads) + thread;
        let answer = self.follow(start, state, thread);
        match answer {
            Answer::Known(_) => self.balance = (self.balance + 1).min(HIGH),
            _ => self.balance -= 1,
        }
        if self.balance < LOW {
            *self = Memo { resting: REST, ..Memo::default() };
        }
        answer
    }

    fn follow(&self, start: u32, state: &[CompId], thread: u32) -> Answer {
        let mut link = self.links.get(&key(start, state[1 + thread as usize]));
        while let Some(&node) = link {
            match self.nodes[node as usize] {
                Node::Fresh => break,
                Node::Look(at) => link = self.links.get(&key(node, state[at as usize])),
                Node::Known(outcome) => return Answer::Known(Remembered(outcome)),
                Node::Execute => return Answer::Execute,
            }
        }
        Answer::Learn
    }

    fn start(&mut self, system: CompId, threads: u32) -> u32 {
        if let Some((known, start)) = self.system
            && known == system
        {
            return start;
        }
        let fresh = self.nodes.len() as u32;
        let start = *self.systems.entry(system).or_insert(fresh);
        if start == fresh {
            self.nodes.resize((fresh + threads) as usize, Node::Fresh);
        }
        self.system = Some((system, start));
        start
    }

    /// Tells the edges of a thread again; `scratch` and `state` are equal.
    /// Returns how many sections they open.
    pub fn tell(
        &self,
        Remembered(outcome): Remembered,
        thread: u32,
        (state, scratch): (&[CompId], &mut [CompId]),
        sink: &mut dyn Sink,
    ) -> (u64, ControlFlow<()>) {
        let Outcome { first, end, opened } = self.outcomes[outcome as usize];
        for known in &self.edges[first as usize..end as usize] {
            let changes = &self.changes[range(known.changes)];
            for &(at, comp) in changes {
                scratch[at as usize] = comp;
            }
            let edge = Edge {
                actor: ActorId(thread),
                choices: &self.choices[range(known.choices)],
                withheld: known.withheld,
                reopens: known.reopens,
                events: &[],
            };
            let flow = sink.edge(&edge, Target::State(scratch));
            for &(at, _) in changes {
                scratch[at as usize] = state[at as usize];
            }
            if flow.is_break() {
                return (opened as u64, flow);
            }
        }
        (opened as u64, ControlFlow::Continue(()))
    }

    /// Remembers what a thread did in `state`, and what that depended on.
    pub fn learn(
        &mut self,
        (state, thread, threads): (&[CompId], u32, u32),
        looks: &[Look],
        opened: u64,
        recorded: Option<Recorded>,
    ) {
        if self.links.len() > MOST_LINKS {
            *self = Memo::default();
        }
        let start = self.start(state[0], threads) + thread;
        let mut node = self.link(start, state[1 + thread as usize]);
        let others = looks.iter().filter(|look| **look != Look::Elsewhere(thread));
        if others.clone().count() > MOST_LOOKS {
            self.nodes[node as usize] = Node::Execute;
            return;
        }
        for look in others {
            let at = match *look {
                Look::Elsewhere(other) => 1 + other,
                Look::Object(entry) => 1 + threads + entry,
            };
            match self.nodes[node as usize] {
                Node::Fresh => self.nodes[node as usize] = Node::Look(at),
                known => debug_assert_eq!(known, Node::Look(at), "steps are deterministic"),
            }
            node = self.link(node, state[at as usize]);
        }
        debug_assert_eq!(self.nodes[node as usize], Node::Fresh, "it was not known");
        self.nodes[node as usize] = match recorded {
            Some(recorded) => Node::Known(self.keep(recorded, opened)),
            None => Node::Execute,
        };
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
        let (changes, choices) = (self.changes.len() as u32, self.choices.len() as u32);
        let first = self.edges.len() as u32;
        self.edges.extend(recorded.edges.iter().map(|known| Known {
            changes: (known.changes.0 + changes, known.changes.1 + changes),
            choices: (known.choices.0 + choices, known.choices.1 + choices),
            ..*known
        }));
        self.changes.extend(recorded.changes);
        self.choices.extend(recorded.choices);
        let end = self.edges.len() as u32;
        self.outcomes.push(Outcome { first, end, opened: opened as u32 });
        self.outcomes.len() as u32 - 1
    }

    /// Bytes used.
    pub fn bytes(&self) -> u64 {
        let bytes = self.links.capacity() * (size_of::<(u64, u32)>() + 1)
            + self.systems.capacity() * (size_of::<(CompId, u32)>() + 1)
            + self.nodes.capacity() * size_of::<Node>()
            + self.outcomes.capacity() * size_of::<Outcome>()
            + self.edges.capacity() * size_of::<Known>()
            + self.changes.capacity() * size_of::<(u32, CompId)>()
            + self.choices.capacity() * size_of::<Choice>();
        bytes as u64
    }
}

fn range((start, end): (u32, u32)) -> Range<usize> {
    start as usize..end as usize
}

/// Edges that were recorded, with ranges of their own.
#[derive(Default)]
pub struct Recorded {
    edges: Vec<Known>,
    changes: Vec<(u32, CompId)>,
    choices: Vec<Choice>,
}

/// Passes edges on and keeps what they change.
pub struct Recorder<'r> {
    state: &'r [CompId],
    pool: &'r dyn Pool,
    sink: &'r mut dyn Sink,
    /// `None` once there was one that cannot be told again.
    recorded: Option<Recorded>,
}

impl<'r> Recorder<'r> {
    pub fn new(state: &'r [CompId], pool: &'r dyn Pool, sink: &'r mut dyn Sink) -> Recorder<'r> {
        Recorder { state, pool, sink, recorded: Some(Recorded::default()) }
    }

    pub fn finish(self) -> Option<Recorded> {
        self.recorded
    }

    /// Whether places mean the same in the vector of another state.
    fn has_shape(&self, other: &[CompId]) -> bool {
        if self.state.len() != other.len() {
            return false;
        }
        self.state[0] == other[0] || self.shape(self.state[0]) == self.shape(other[0])
    }

    fn shape(&self, system: CompId) -> (bool, u32, &[u64]) {
        let words = self.pool.get(system);
        let mut system = System::default();
        system.decode(words);
        (system.ended, system.threads, &words[system.directory_start()..])
    }
}

impl Sink for Recorder<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        match target {
            Target::State(vector) if self.has_shape(vector) => {
                if let Some(recorded) = &mut self.recorded {
                    recorded.add(edge, self.state, vector);
                }
            }
            _ => self.recorded = None,
        }
        let flow = self.sink.edge(edge, target);
        if flow.is_break() {
            self.recorded = None;
        }
        flow
    }
}

impl Recorded {
    fn add(&mut self, edge: &Edge<'_>, state: &[CompId], vector: &[CompId]) {
        let (changes, choices) = (self.changes.len() as u32, self.choices.len() as u32);
        let pairs = state.iter().zip(vector).enumerate();
        let changed = pairs.filter(|(_, (old, new))| old != new);
        self.changes.extend(changed.map(|(at, (_, &new))| (at as u32, new)));
        self.choices.extend_from_slice(edge.choices);
        self.edges.push(Known {
            changes: (changes, self.changes.len() as u32),
            choices: (choices, self.choices.len() as u32),
            withheld: edge.withheld,
            reopens: edge.reopens,
        });
    }
}
