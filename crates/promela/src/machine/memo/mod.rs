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
//! number of all components (its shape). Steps are functions of the state,
//! so the outcome is the same. Which components a statement touches may depend
//! on values, so the mask of a control state grows until it covers all that
//! was ever touched there; entries under a smaller mask are not found again.

mod draft;
mod shapes;

use exeunt_model::{ActorId, Choice, CompId, Pool, series_of_names};

use crate::code::Program;

pub(super) use draft::Draft;
use draft::{EDGE, Form};
use shapes::Shapes;

/// Masks have a bit for each component; the last one stands for all others.
pub(super) const MOST_COMPONENTS: usize = 63;
const FIRST_SLOTS: usize = 1 << 10;
const MOST_SLOTS: usize = 1 << 19;
/// Sixteen megabytes.
const MOST_WORDS: usize = 1 << 22;

/// Where the entry of a process is that is not remembered.
const HOPELESS: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    /// Where its entry begins in `words`; zero: none.
    start: u32,
}

pub(super) struct Memo {
    shapes: Shapes,
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
    /// Stands before the names of edges, which no other memo may give to its own.
    series: u64,
    /// The name of the next edge.
    next_name: u32,
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

impl Memo {
    pub fn new() -> Self {
        Memo::with_limit(MOST_WORDS)
    }

    /// Forgets everything after so many words.
    pub fn with_limit(limit: usize) -> Self {
        Memo {
            limit,
            shapes: Shapes::default(),
            found: Vec::new(),
            slots: vec![Slot { hash: 0, start: 0 }; FIRST_SLOTS],
            taken: 0,
            words: vec![0],
            choices: Vec::new(),
            series: series_of_names(),
            next_name: 0,
        }
    }

    /// Gets ready for a state; `false` if it is not of a kind that can be
    /// remembered.
    pub fn arrive(&mut self, state: &[CompId], program: &Program, pool: &dyn Pool) -> bool {
        self.shapes.arrive(state, program, pool)
    }

    /// Looks all processes of the state at hand up, or some. One after the
    /// other would wait for memory each time.
    pub fn look_up(&mut self, pids: Option<&[ActorId]>, state: &[CompId]) {
        self.found.clear();
        match pids {
            Some(pids) => pids.iter().for_each(|actor| self.note(actor.0, state)),
            None => (0..self.shapes.process_count()).for_each(|pid| self.note(pid, state)),
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
        let place = self.shapes.place(pid);
        if place.is_hopeless() {
            return self.found.push((pid, HOPELESS, Found::Hopeless));
        }
        let hash = hash(self.shapes.number(), pid, place.mask, state);
        let slot = self.slots[hash as usize & (self.slots.len() - 1)];
        let start = if slot.hash == hash { slot.start } else { 0 };
        self.found.push((pid, start, Found::Nothing));
    }

    /// Looks whether an entry is about this.
    fn read(&mut self, pid: u32, start: u32, state: &[CompId]) -> Found {
        let shape = self.shapes.number();
        let place = self.shapes.place_mut(pid);
        place.tries += 1;
        if start == 0 {
            return Found::Nothing;
        }
        let entry = &self.words[start as usize..];
        let [low, high] = halves(place.mask);
        if entry[..3] != [low, high, name(shape, pid)] {
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
        let shape = self.shapes.number();
        let place = self.shapes.place_mut(pid);
        place.mask |= own;
        let mask = place.mask;
        if self.next_name > u32::MAX - draft.edges {
            (self.series, self.next_name) = (series_of_names(), 0);
            self.forget();
        } else if self.words.len() + draft.words.len() > self.limit {
            self.forget();
        } else if self.taken * 2 > self.slots.len() && self.slots.len() < MOST_SLOTS {
            self.widen();
        }
        let hash = hash(shape, pid, mask, state);
        let start = self.words.len() as u32;
        self.words.extend(halves(mask));
        self.words.push(name(shape, pid));
        self.words.extend(ones(mask).map(|component| state[component].0));
        self.words.push(draft.edges);
        let first_choice = self.choices.len() as u32;
        draft.settle(first_choice, self.next_name);
        self.next_name += draft.edges;
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

    /// The next edge.
    #[inline]
    pub fn next_edge(&self, edges: &mut Edges) -> Option<Told<'_>> {
        edges.left = edges.left.checked_sub(1)?;
        let edge = &self.words[edges.next as usize..];
        let (head, rest) = edge.split_first_chunk::<EDGE>()?;
        let [form, length, first, name] = *head;
        let form = Form::from(form);
        let (pairs, _) = rest.as_chunks::<2>();
        edges.next += EDGE as u32 + 2 * form.changes;
        Some(Told {
            reopens: form.reopens,
            choices: &self.choices[first as usize..(first + form.choices) as usize],
            name: self.series | u64::from(name),
            length: length as usize,
            changes: &pairs[..form.changes as usize],
        })
    }
}

/// An edge that is remembered.
pub(super) struct Told<'m> {
    pub reopens: bool,
    /// What was chosen on it.
    pub choices: &'m [Choice],
    /// Components of its target.
    pub length: usize,
    /// See [`exeunt_model::Change`]: all changed components are under the mask of the entry.
    pub name: u64,
    pub changes: &'m [[u32; 2]],
}

impl Told<'_> {
    /// Makes `target` the state behind the edge, which may have another length.
    pub fn target(&self, state: &[CompId], target: &mut Vec<CompId>) {
        target.clear();
        target.extend_from_slice(&state[..state.len().min(self.length)]);
        target.resize(self.length, CompId(0));
        for [component, id] in self.changes {
            target[*component as usize] = CompId(*id);
        }
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
