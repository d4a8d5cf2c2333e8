//! Stubborn sets: which threads are enough to look at in a state.
//!
//! A set of threads is enough if nothing that the others may still do, from where they are
//! now, conflicts with the next operation of a thread of the set, and one of the set can
//! move. What "may still do" means is learnt (`learnt.rs`). Only operations that cannot be
//! moved count for the next step of a thread: a release commutes with whatever others do
//! before it. Why sections, deadlocks and faults are kept, and why a search notices that it
//! assumed too little, is argued in docs/reductions.md.
//!
//! Invariant: within one search the set is a function of the state.

mod deeds;
mod learnt;
mod reach;

use std::ops::ControlFlow;

use exeunt_model::{CompId, Edge, Sink, Target};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

use crate::machine::Machine;
use crate::meets::Mobility;
use crate::step::footprint::Footprint;
use crate::thread::{Status, frame, frames_of, peek_status};
pub use deeds::Deeds;
pub use learnt::Futures;
use learnt::{Place, Step};
use reach::Reach;

/// A search whose assumption is wrong goes on to learn more: for as many states as it had,
/// and so many.
const PATIENCE: u64 = 1 << 9;
/// The same where every step is interpreted, and none is remembered.
const LITTLE_PATIENCE: u64 = 1 << 4;

/// Where a thread is and what it does next.
struct Standing {
    place: Place,
    /// What the next operation touches; `None` if it does not stand at one.
    exact: Option<Reach>,
    alive: bool,
}

/// A set of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Set([u64; 4]);

impl Set {
    fn has(self, thread: usize) -> bool {
        self.0[thread / 64] >> (thread % 64) & 1 != 0
    }

    fn insert(&mut self, thread: usize) {
        self.0[thread / 64] |= 1 << (thread % 64);
    }

    fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

/// Chooses the threads; part of a worker.
#[derive(Default)]
pub struct Chooser {
    /// By thread and component.
    known: FxHashMap<(u32, CompId), u32>,
    standings: Vec<Standing>,
    bytes: usize,
    /// The standings of the state's threads.
    now: Vec<u32>,
    /// Candidates: whom one begins with, and who belongs to it.
    candidates: Vec<(u32, usize, Set)>,
    pending: Vec<usize>,
    /// States that were asked for.
    asked: u64,
    /// After how many the search is called off, once its assumption is wrong.
    until: Option<u64>,
    ways: Vec<(Place, Place)>,
}

impl Chooser {
    pub fn bytes(&self) -> u64 {
        let tables = self.known.capacity() * (size_of::<((u32, CompId), u32)>() + 1)
            + self.standings.capacity() * size_of::<Standing>();
        (tables + self.bytes) as u64
    }

    /// Whether a search whose assumption is wrong has learnt enough.
    pub fn is_done(&mut self, futures: &Futures, remembers: bool) -> bool {
        self.asked += 1;
        if self.until.is_none() && futures.is_stale() {
            let patience = if remembers { PATIENCE } else { LITTLE_PATIENCE };
            self.until = Some(2 * self.asked + patience);
        }
        self.until.is_some_and(|until| self.asked > until)
    }

    /// Looks where the threads of a state are.
    pub fn look(&mut self, machine: &mut Machine<'_>, threads: &[CompId]) {
        self.now.clear();
        for (thread, &comp) in threads.iter().enumerate() {
            let thread = thread as u32;
            let standing = match self.known.get(&(thread, comp)) {
                Some(&known) => known,
                None => {
                    let standing = machine.standing(thread, comp);
                    self.bytes += standing.exact.as_ref().map_or(0, Reach::bytes);
                    let number = self.standings.len() as u32;
                    self.standings.push(standing);
                    self.known.insert((thread, comp), number);
                    number
                }
            };
            self.now.push(standing);
        }
    }

    /// Whether steps of a thread from here on are learnt from.
    pub fn knows(&self, thread: (u32, CompId)) -> bool {
        self.known.contains_key(&thread)
    }

    fn standing(&self, thread: usize) -> &Standing {
        &self.standings[self.now[thread] as usize]
    }

    /// Finds sets that are closed: the smallest first. Each begins with a thread of which it
    /// is not known whether it can move.
    pub fn close(&mut self, futures: &Futures) {
        self.candidates.clear();
        let alive = (0..self.now.len()).filter(|&t| self.standing(t).alive).count() as u32;
        for first in 0..self.now.len() {
            if !self.standing(first).alive {
                continue;
            }
            let set = self.closure(first, futures);
            if set.len() < alive {
                self.candidates.push((set.len(), first, set));
            }
        }
        self.candidates.sort_unstable_by_key(|&(size, first, _)| (size, first));
    }

    fn closure(&mut self, first: usize, futures: &Futures) -> Set {
        let mut set = Set::default();
        set.insert(first);
        let mut pending = std::mem::take(&mut self.pending);
        pending.push(first);
        while let Some(thread) = pending.pop() {
            let standing = self.standing(thread);
            let outlook = futures.at(standing.place);
            let exact = standing.exact.as_ref().filter(|_| !outlook.hidden);
            let next = exact.unwrap_or(&outlook.next);
            let mut allocation = Reach::default();
            if outlook.allocates {
                allocation.allocate();
            }
            for other in 0..self.now.len() {
                let there = self.standing(other);
                if set.has(other) || !there.alive {
                    continue;
                }
                let future = &futures.at(there.place).all;
                let meets = |mine: &Reach| {
                    mine.conflicts(future)
                        || there.exact.as_ref().is_some_and(|o| mine.conflicts(o))
                };
                if meets(next) || outlook.allocates && meets(&allocation) {
                    set.insert(other);
                    pending.push(other);
                }
            }
        }
        self.pending = pending;
        set
    }

    /// Leaves only candidates in which no thread may change a proposition with its next step.
    pub fn keep_unseen(&mut self, futures: &Futures) {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.retain(|&(.., set)| {
            let mut threads = (0..self.now.len()).filter(|&thread| set.has(thread));
            !threads.any(|thread| self.is_seen(thread, futures))
        });
        self.candidates = candidates;
    }

    /// Whether the next step of a thread may change a proposition.
    fn is_seen(&self, thread: usize, futures: &Futures) -> bool {
        let standing = self.standing(thread);
        let next = &futures.at(standing.place).next;
        next.is_noticed() || standing.exact.as_ref().is_some_and(Reach::is_noticed)
    }

    /// The candidate of this rank: whom it begins with, and all of its threads.
    pub fn candidate(&self, rank: usize) -> Option<(u32, impl Iterator<Item = u32> + use<>)> {
        let &(_, first, set) = self.candidates.get(rank)?;
        let threads = self.now.len();
        Some((first as u32, (0..threads).filter(move |&t| set.has(t)).map(|t| t as u32)))
    }

    /// Learns what a thread did in a step from one state to another, if there is one.
    pub fn learn(
        &mut self,
        machine: &Machine<'_>,
        futures: &Futures,
        thread: u32,
        (before, after): (&[CompId], &[CompId]),
    ) {
        let Some(&known) = self.known.get(&(thread, before[thread as usize])) else { return };
        let Standing { place, exact, .. } = &self.standings[known as usize];
        let (place, deeds) = (*place, &machine.deeds);
        let hidden = exact.as_ref().is_some_and(|exact| !exact.includes(&deeds.fixed));
        let mut ways = std::mem::take(&mut self.ways);
        ways.clear();
        for (other, &comp) in after.iter().enumerate() {
            let old = before.get(other).copied();
            if old == Some(comp) {
                continue;
            }
            let Some(now) = place_of(other as u32, machine.pool.get(comp)) else { continue };
            // Whoever makes a thread go on elsewhere does what it does there.
            ways.push((place, now));
            if let Some(then) = old.and_then(|old| place_of(other as u32, machine.pool.get(old))) {
                ways.push((then, now));
            }
        }
        futures.learn(&Step { from: place, deeds, hidden, ways: &ways });
        self.ways = ways;
    }
}

/// Where an encoded thread is, if it is alive.
fn place_of(thread: u32, words: &[u64]) -> Option<Place> {
    if matches!(peek_status(words), Status::Ended { .. } | Status::Free) {
        return None;
    }
    let mut hasher = FxHasher::default();
    hasher.write_u32(thread);
    let mut frames = frames_of(words);
    while let Some((lower, top)) = frame::split_top(frames) {
        let (func, pc) = frame::peek(top);
        hasher.write_u32(func);
        hasher.write_u32(pc);
        frames = lower;
    }
    Some(Place(hasher.finish()))
}

impl Machine<'_> {
    /// Notes an operation of the step that runs.
    #[inline]
    pub fn note_deed(&mut self, footprint: &Footprint, mobility: Mobility) {
        if self.vm.leaves_out {
            self.deeds.note(footprint, mobility);
        }
    }

    /// Notes what a step does that goes on with something: a wait, an atomic block, the
    /// handlers at the end.
    pub fn note_resumption(&mut self) {
        if self.thread.head.atomic > 0 || self.is_between_handlers() {
            self.deeds.note(&Footprint::everything(), Mobility::Fixed);
        }
        if let Some(footprint) = self.waiting_footprint() {
            self.deeds.note(&footprint, Mobility::Fixed);
        }
    }

    /// Where a thread of the loaded state is.
    fn standing(&mut self, thread: u32, comp: CompId) -> Standing {
        let Some(place) = place_of(thread, self.pool.get(comp)) else {
            return Standing { place: Place(0), exact: None, alive: false };
        };
        self.reload();
        self.load_thread(thread);
        let exact = self.next_operation();
        Standing { place, exact, alive: true }
    }

    /// What the operation that the loaded thread stands at touches, if it stands at one and
    /// that is all that cannot be moved in its next step.
    fn next_operation(&mut self) -> Option<Reach> {
        if self.thread.head.atomic > 0 || self.is_between_handlers() {
            return Some(Reach::everything());
        }
        if let Some(footprint) = self.waiting_footprint() {
            return Some(Reach::of(&footprint));
        }
        if self.thread.head.status != Status::Ready {
            return None;
        }
        let inst = &self.function().code[self.top().pc as usize];
        if !self.is_operation(inst) {
            return None;
        }
        match self.operation(inst) {
            (footprint, Mobility::Fixed) => Some(Reach::of(&footprint)),
            (_, Mobility::Left) => Some(Reach::default()),
            (_, Mobility::Both) => None,
        }
    }
}

/// Notices whether there is a move that nobody can withhold, and where it leads. All moves
/// are listened to, because they are remembered.
#[derive(Default)]
pub struct Moves {
    pub any: bool,
    /// One leads to a state.
    pub onward: bool,
    /// One is a fault.
    pub fails: bool,
}

impl Sink for Moves {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if !edge.withheld {
            self.any = true;
            self.onward |= matches!(target, Target::State(_));
            self.fails |= matches!(target, Target::Fault(_));
        }
        ControlFlow::Continue(())
    }
}
