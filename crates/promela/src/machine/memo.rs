//! Steps that were taken before, by what they looked at.
//!
//! Most steps of a process depend on its own component and one or two others.
//! While a process is executed, the memory notes which components are read or
//! written. What came of it is kept under the ids of these components, and the
//! next state that has the same ones there need not be executed, or even be
//! loaded.
//!
//! Invariant: an entry is found only where everything that its execution
//! touched is the same: the components under its mask, and the kinds and
//! number of all components (the [`Shape`]). Steps are functions of the state,
//! so the outcome is the same. Which components a statement touches may depend
//! on values, so the mask of a control state grows until it covers all that
//! was ever touched there; entries under a smaller mask are not found again.

use std::collections::HashMap;

use exeunt_model::{ActorId, Choice, CompId, Pool};

use crate::code::{ProcId, Program, header};

/// Masks have a bit for each component; the last one stands for all others.
pub(super) const MOST_COMPONENTS: usize = 63;
/// More kinds of states than this are not remembered.
const MOST_SHAPES: usize = 1 << 12;
const FIRST_SLOTS: usize = 1 << 10;
const MOST_SLOTS: usize = 1 << 19;
/// Sixteen megabytes.
const MOST_WORDS: usize = 1 << 22;
/// After so many tries a control state must have been found often enough.
const TRIAL: u32 = 1 << 11;

/// Where the entry of a process is that is not remembered.
const HOPELESS: u32 = u32::MAX;

/// The kinds of the components of a state: what processes there are.
struct Shape {
    procs: Box<[ProcId]>,
    /// Components of such a state.
    length: usize,
    /// For each process, where its component is, and where its control states
    /// begin in `places`.
    processes: Box<[(u32, u32)]>,
    places: Vec<Place>,
}

/// A control state of one process.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The components that were ever touched from here.
    mask: u64,
    tries: u32,
    hits: u32,
}

impl Place {
    fn is_hopeless(self) -> bool {
        self.tries >= TRIAL && self.hits < self.tries / 4
    }
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    /// Where its entry begins in `words`; zero: none.
    start: u32,
}

pub(super) struct Memo {
    /// By component: the first word of it, as far as it is a header, plus one.
    headers: Vec<u32>,
    shapes: Vec<Shape>,
    known: HashMap<Box<[ProcId]>, u32>,
    /// The shape of the state at hand.
    shape: u32,
    /// The places of its processes.
    at: Vec<u32>,
    /// Processes with where their entries are and what was found there.
    found: Vec<(u32, u32, Found)>,
    slots: Vec<Slot>,
    taken: usize,
    /// Entries: mask, shape and process, the components under the mask, and
    /// the edges.
    words: Vec<u32>,
    choices: Vec<Choice>,
    /// Words after which everything is forgotten.
    limit: usize,
}

/// What is remembered of one process in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Where its edges are.
    Edges(Edges),
    /// It must be executed, and then remembered under this hash.
    Nothing,
    /// It must be executed; remembering does not pay.
    Hopeless,
}

/// The edges of an entry that are still to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edges {
    next: u32,
    left: u32,
}

/// Edges on their way into an entry.
#[derive(Default)]
pub(super) struct Draft {
    edges: u32,
    words: Vec<u32>,
    choices: Vec<Choice>,
}

impl Memo {
    pub fn new() -> Self {
        Memo::with_limit(MOST_WORDS)
    }

    /// Forgets everything after so many words.
    pub fn with_limit(limit: usize) -> Self {
        Memo {
            limit,
            headers: Vec::new(),
            shapes: Vec::new(),
            known: HashMap::new(),
            shape: u32::MAX,
            at: Vec::new(),
            found: Vec::new(),
            slots: vec![Slot { hash: 0, start: 0 }; FIRST_SLOTS],
            taken: 0,
            words: vec![0],
            choices: Vec::new(),
        }
    }

    fn header(&mut self, id: CompId, pool: &dyn Pool) -> u32 {
        match self.headers.get(id.0 as usize) {
            Some(&header) if header > 0 => header - 1,
            _ => self.read_header(id, pool),
        }
    }

    #[cold]
    fn read_header(&mut self, id: CompId, pool: &dyn Pool) -> u32 {
        let at = id.0 as usize;
        if self.headers.len() <= at {
            self.headers.resize((at + 1).max(self.headers.len() * 2), 0);
        }
        let header = pool.get(id)[0] as u32 & ((1 << header::PRIORITY_SHIFT) - 1);
        self.headers[at] = header + 1;
        header
    }

    /// Gets ready for a state; `false` if it is not of a kind that can be
    /// remembered.
    pub fn arrive(&mut self, state: &[CompId], program: &Program, pool: &dyn Pool) -> bool {
        if state.len() > MOST_COMPONENTS {
            return false;
        }
        let holder = u64::from(self.header(state[0], pool)) & header::HOLDER_MASK;
        holder == 0 && (self.fits(state, pool) || self.change_shape(state, program, pool))
    }

    /// Whether the state has the same shape as the one before.
    fn fits(&mut self, state: &[CompId], pool: &dyn Pool) -> bool {
        let Memo { headers, shapes, at, .. } = self;
        let Some(shape) = shapes.get(self.shape as usize) else { return false };
        if shape.length != state.len() {
            return false;
        }
        at.clear();
        for (proc, (component, places)) in shape.procs.iter().zip(&shape.processes) {
            let id = state[*component as usize];
            let header = match headers.get(id.0 as usize) {
                Some(&header) if header > 0 => header - 1,
                _ => {
                    self.read_header(id, pool);
                    return self.fits(state, pool);
                }
            };
            if header & ((1 << header::TYPE_BITS) - 1) != u32::from(proc.0) {
                return false;
            }
            at.push(places + (header >> header::STATE_SHIFT));
        }
        true
    }

    /// Finds out the shape of a state.
    fn change_shape(&mut self, state: &[CompId], program: &Program, pool: &dyn Pool) -> bool {
        let buffered = |channels: &[crate::code::ChanDeclId]| {
            channels.iter().filter(|id| program.channels[id.0 as usize].capacity > 0).count()
        };
        let mut procs = Vec::new();
        let mut processes = Vec::new();
        let mut component = program.fixed_components();
        let mut places = 0;
        while component < state.len() {
            let header = self.header(state[component], pool);
            let proc = ProcId((header & ((1 << header::TYPE_BITS) - 1)) as u16);
            let code = &program.procs[proc.0 as usize];
            procs.push(proc);
            processes.push((component as u32, places));
            places += code.states.len() as u32;
            component += 1 + buffered(&code.channels);
        }
        let procs = procs.into_boxed_slice();
        if let Some(&known) = self.known.get(&procs) {
            self.shape = known;
        } else {
            if self.shapes.len() == MOST_SHAPES {
                return false;
            }
            self.shape = self.shapes.len() as u32;
            self.known.insert(procs.clone(), self.shape);
            self.shapes.push(Shape {
                procs,
                length: state.len(),
                processes: processes.into_boxed_slice(),
                places: vec![Place::default(); places as usize],
            });
        }
        self.fits(state, pool)
    }

    /// Looks all processes of the state at hand up, or some. One after the
    /// other would wait for memory each time.
    pub fn look_up(&mut self, pids: Option<&[ActorId]>, state: &[CompId]) {
        self.found.clear();
        match pids {
            Some(pids) => pids.iter().for_each(|actor| self.note(actor.0, state)),
            None => (0..self.at.len() as u32).for_each(|pid| self.note(pid, state)),
        }
        for number in 0..self.found.len() {
            let (pid, start, _) = self.found[number];
            if start != HOPELESS {
                self.found[number].2 = self.read(pid, start, state);
            }
        }
    }

    /// Finds the entry that a process may have.
    fn note(&mut self, pid: u32, state: &[CompId]) {
        let place = &self.shapes[self.shape as usize].places[self.at[pid as usize] as usize];
        if place.is_hopeless() {
            return self.found.push((pid, HOPELESS, Found::Hopeless));
        }
        let hash = hash(self.shape, pid, place.mask, state);
        let slot = self.slots[hash as usize & (self.slots.len() - 1)];
        let start = if slot.hash == hash { slot.start } else { 0 };
        self.found.push((pid, start, Found::Nothing));
    }

    /// Looks whether an entry is about this.
    fn read(&mut self, pid: u32, start: u32, state: &[CompId]) -> Found {
        let place = &mut self.shapes[self.shape as usize].places[self.at[pid as usize] as usize];
        place.tries += 1;
        if start == 0 {
            return Found::Nothing;
        }
        let entry = &self.words[start as usize..];
        let [low, high] = halves(place.mask);
        if entry[..3] != [low, high, name(self.shape, pid)] {
            return Found::Nothing;
        }
        let mut next = 3;
        for component in ones(place.mask) {
            if entry[next] != state[component].0 {
                return Found::Nothing;
            }
            next += 1;
        }
        place.hits += 1;
        Found::Edges(Edges { next: start + next as u32 + 1, left: entry[next] })
    }

    /// What was found about the processes looked up, in order.
    pub fn found(&self, number: usize) -> Option<(u32, Found)> {
        self.found.get(number).map(|(pid, _, found)| (*pid, *found))
    }

    /// Remembers what came of a process of the state at hand, which touched
    /// these components.
    pub fn learn(&mut self, pid: u32, state: &[CompId], touched: u64, draft: &mut Draft) {
        let own = touched & (u64::MAX >> (64 - state.len()));
        let shape = &mut self.shapes[self.shape as usize];
        let place = &mut shape.places[self.at[pid as usize] as usize];
        place.mask |= own;
        let mask = place.mask;
        if self.words.len() + draft.words.len() > self.limit {
            self.forget();
        } else if self.taken * 2 > self.slots.len() && self.slots.len() < MOST_SLOTS {
            self.widen();
        }
        let hash = hash(self.shape, pid, mask, state);
        let start = self.words.len() as u32;
        self.words.extend(halves(mask));
        self.words.push(name(self.shape, pid));
        self.words.extend(ones(mask).map(|component| state[component].0));
        self.words.push(draft.edges);
        let first_choice = self.choices.len() as u32;
        draft.settle(first_choice);
        self.words.append(&mut draft.words);
        self.choices.append(&mut draft.choices);
        draft.edges = 0;
        let at = hash as usize & (self.slots.len() - 1);
        self.taken += usize::from(self.slots[at].start == 0);
        self.slots[at] = Slot { hash, start };
    }

    fn forget(&mut self) {
        self.slots.fill(Slot { hash: 0, start: 0 });
        self.taken = 0;
        self.words.truncate(1);
        self.choices.clear();
        // What was looked up is gone, too.
        for (_, _, found) in &mut self.found {
            if let Found::Edges(_) = found {
                *found = Found::Nothing;
            }
        }
    }

    fn widen(&mut self) {
        let wider = vec![Slot { hash: 0, start: 0 }; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, wider);
        self.taken = 0;
        for slot in old.into_iter().filter(|slot| slot.start > 0) {
            let at = slot.hash as usize & (self.slots.len() - 1);
            self.taken += usize::from(self.slots[at].start == 0);
            self.slots[at] = slot;
        }
    }

    /// The next edge: makes a copy of `state` its target. Gives whether it
    /// reopens something, and what was chosen on it.
    pub fn next_edge(
        &self,
        edges: &mut Edges,
        state: &[CompId],
        target: &mut Vec<CompId>,
    ) -> Option<(bool, &[Choice])> {
        edges.left = edges.left.checked_sub(1)?;
        let edge = &self.words[edges.next as usize..];
        let (form, length) = (Form::from(edge[0]), edge[1] as usize);
        target.clear();
        target.extend_from_slice(&state[..state.len().min(length)]);
        target.resize(length, CompId(0));
        let changes = edge[3..].chunks_exact(2).take(form.changes as usize);
        for change in changes {
            target[change[0] as usize] = CompId(change[1]);
        }
        edges.next += 3 + 2 * form.changes;
        let first = edge[2] as usize;
        Some((form.reopens, &self.choices[first..first + form.choices as usize]))
    }
}

impl Draft {
    pub fn clear(&mut self) {
        self.edges = 0;
        self.words.clear();
        self.choices.clear();
    }

    pub fn add(&mut self, state: &[CompId], target: &[CompId], reopens: bool, choices: &[Choice]) {
        let at = self.words.len();
        let first = self.choices.len() as u32;
        self.words.extend([0, target.len() as u32, first]);
        for (component, id) in target.iter().enumerate() {
            if state.get(component) != Some(id) {
                self.words.extend([component as u32, id.0]);
            }
        }
        let changes = (self.words.len() - at - 3) as u32 / 2;
        self.words[at] = Form { reopens, changes, choices: choices.len() as u32 }.into();
        self.choices.extend_from_slice(choices);
        self.edges += 1;
    }

    /// Makes the places of choices those that they will have.
    fn settle(&mut self, first_choice: u32) {
        let mut at = 0;
        for _ in 0..self.edges {
            self.words[at + 2] += first_choice;
            at += 3 + 2 * Form::from(self.words[at]).changes as usize;
        }
    }
}

/// What an edge consists of.
struct Form {
    reopens: bool,
    changes: u32,
    choices: u32,
}

impl From<u32> for Form {
    fn from(word: u32) -> Self {
        Form { reopens: word & 1 == 1, changes: word >> 1 & 0xff, choices: word >> 9 }
    }
}

impl From<Form> for u32 {
    fn from(form: Form) -> u32 {
        u32::from(form.reopens) | form.changes << 1 | form.choices << 9
    }
}

fn halves(mask: u64) -> [u32; 2] {
    [mask as u32, (mask >> 32) as u32]
}

fn name(shape: u32, pid: u32) -> u32 {
    shape << 8 | pid
}

fn hash(shape: u32, pid: u32, mask: u64, state: &[CompId]) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = (mask ^ u64::from(name(shape, pid)).rotate_left(40)).wrapping_mul(FACTOR);
    for component in ones(mask) {
        hash = (hash.rotate_left(25) ^ u64::from(state[component].0)).wrapping_mul(FACTOR);
    }
    (hash >> 32) as u32
}

/// The places of the bits that are set.
fn ones(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = mask.trailing_zeros();
        (mask != 0).then(|| {
            mask &= mask - 1;
            next as usize
        })
    })
}
