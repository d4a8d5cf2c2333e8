//! What threads may still do from a place on: assumed by a search, and learnt by it.
//!
//! Every step that is executed says what it touched between two places. All that a thread
//! may touch from a place on is the least solution of what was said. A search assumes the
//! solution of the searches before it; if a step does more, the assumption is wrong and
//! there is another search.
//!
//! Invariant: what is assumed changes only in `renew`; what was learnt only grows.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::deeds::Deeds;
use super::reach::Reach;

/// After so many searches, or with so many places, no thread is left out any more.
const MOST_ROUNDS: u32 = 40;
const MOST_PLACES: usize = 1 << 14;

/// A thread's number and where it is: its functions and positions, hashed. Places with the
/// same number are taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(pub u64);

/// What is known or assumed of one place.
#[derive(Clone, Debug, Default)]
pub struct Outlook {
    /// What operations that cannot be moved touch, in steps from here.
    pub next: Reach,
    /// What any operation touches, in steps from here; if assumed, in all steps behind, too.
    pub all: Reach,
    /// A step from here allocates memory.
    pub allocates: bool,
    /// The operation that the thread stands at does not tell all of what a step touches.
    pub hidden: bool,
}

/// One step, as far as it matters.
pub struct Step<'s> {
    pub from: Place,
    pub deeds: &'s Deeds,
    /// The operation that the thread stood at did not tell all of it.
    pub hidden: bool,
    /// Where threads are now that were at the first place, or nowhere.
    pub ways: &'s [(Place, Place)],
}

#[derive(Default)]
struct Learnt {
    places: FxHashMap<Place, Outlook>,
    ways: FxHashSet<(Place, Place)>,
}

#[derive(Default)]
pub struct Futures {
    on: bool,
    assumed: FxHashMap<Place, Outlook>,
    nothing: Outlook,
    learnt: Mutex<Learnt>,
    /// A step did more than is assumed.
    stale: AtomicBool,
    /// A search was called off for that.
    called_off: AtomicBool,
    rounds: u32,
}

impl Futures {
    pub fn new(on: bool) -> Futures {
        Futures { on, ..Futures::default() }
    }

    /// Forgets what was learnt: of runs with another bound.
    pub fn forget(&mut self) {
        *self = Futures::new(self.on);
    }

    /// Whether threads are left out.
    pub fn are_used(&self) -> bool {
        self.on
    }

    pub fn is_stale(&self) -> bool {
        self.stale.load(Ordering::Acquire)
    }

    /// The search need not go on.
    pub fn call_off(&self) {
        self.called_off.store(true, Ordering::Release);
    }

    /// What is assumed of a place.
    pub fn at(&self, place: Place) -> &Outlook {
        self.assumed.get(&place).unwrap_or(&self.nothing)
    }

    /// Learns what a step did.
    pub fn learn(&self, step: &Step<'_>) {
        let mut learnt = self.learnt.lock().unwrap_or_else(PoisonError::into_inner);
        let Learnt { places, ways } = &mut *learnt;
        let known = places.entry(step.from).or_default();
        let mut new = known.next.absorb(&step.deeds.fixed);
        new |= known.all.absorb(&step.deeds.all);
        new |= step.deeds.allocates && !known.allocates || step.hidden && !known.hidden;
        known.allocates |= step.deeds.allocates;
        known.hidden |= step.hidden;
        let mut wrong = new && !self.expects(step);
        for &(from, to) in step.ways {
            if from != to && ways.insert((from, to)) {
                places.entry(to).or_default();
                wrong |= !self.at(from).all.includes(&self.at(to).all);
            }
        }
        if wrong {
            self.stale.store(true, Ordering::Release);
        }
    }

    fn expects(&self, Step { from, deeds, hidden, .. }: &Step<'_>) -> bool {
        let assumed = self.at(*from);
        assumed.next.includes(&deeds.fixed)
            && assumed.all.includes(&deeds.all)
            && (assumed.allocates || !deeds.allocates)
            && (assumed.hidden || !hidden)
    }

    /// Assumes what is known by now. Returns whether the last search was called off only
    /// because of what was assumed here.
    pub fn renew(&mut self) -> bool {
        self.rounds += 1;
        let learnt = self.learnt.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.on &= self.rounds < MOST_ROUNDS && learnt.places.len() < MOST_PLACES;
        self.assumed = if self.on { solved(learnt) } else { FxHashMap::default() };
        *self.stale.get_mut() = false;
        std::mem::take(self.called_off.get_mut())
    }
}

/// All that may be touched from each place on: the least solution.
fn solved(Learnt { places, ways }: &Learnt) -> FxHashMap<Place, Outlook> {
    let mut solution = places.clone();
    for outlook in solution.values_mut() {
        let Outlook { next, all, allocates, .. } = outlook;
        all.absorb(next);
        if *allocates {
            all.allocate();
        }
    }
    let mut before: FxHashMap<Place, Vec<Place>> = FxHashMap::default();
    for &(from, to) in ways {
        before.entry(to).or_default().push(from);
    }
    let mut pending: Vec<Place> = places.keys().copied().collect();
    pending.sort_unstable();
    let mut waiting: FxHashSet<Place> = pending.iter().copied().collect();
    while let Some(place) = pending.pop() {
        waiting.remove(&place);
        let Some(sources) = before.get(&place) else { continue };
        let all = solution[&place].all.clone();
        for source in sources {
            let outlook = solution.get_mut(source).expect("both ends of a way are known");
            if outlook.all.absorb(&all) && waiting.insert(*source) {
                pending.push(*source);
            }
        }
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::footprint::{Footprint, Range};

    fn deeds(start: u64) -> Deeds {
        let ranges = [Range::new(start, 4, true)].into_iter().collect();
        let reach = Reach::of(&Footprint { ranges, ..Footprint::default() });
        Deeds { fixed: reach.clone(), all: reach, allocates: false }
    }

    fn learn(futures: &Futures, from: u64, to: u64, deeds: &Deeds) {
        let ways = [(Place(from), Place(to))];
        futures.learn(&Step { from: Place(from), deeds, hidden: false, ways: &ways });
    }

    #[test]
    fn what_comes_later_is_assumed_from_the_beginning_on() {
        let mut futures = Futures::new(true);
        let touched = [deeds(100), deeds(200), deeds(300)];
        // A loop of three places.
        (0..3).for_each(|at| learn(&futures, at, (at + 1) % 3, &touched[at as usize]));
        assert!(futures.is_stale());
        futures.renew();
        assert!(!futures.is_stale());
        for at in 0..3 {
            let outlook = futures.at(Place(at));
            assert!(touched.iter().all(|deeds| outlook.all.conflicts(&deeds.all)));
            let next = touched.iter().filter(|deeds| outlook.next.conflicts(&deeds.fixed));
            assert_eq!(next.count(), 1);
        }
        // The same again is nothing new; something else is.
        (0..3).for_each(|at| learn(&futures, at, (at + 1) % 3, &touched[at as usize]));
        assert!(!futures.is_stale());
        learn(&futures, 1, 7, &touched[1]);
        assert!(!futures.is_stale(), "nothing is known to happen there");
        learn(&futures, 7, 7, &deeds(400));
        assert!(futures.is_stale());
        futures.renew();
        assert!(futures.at(Place(0)).all.conflicts(&deeds(400).all));
        assert!(!futures.at(Place(7)).all.conflicts(&deeds(100).all));
    }
}
