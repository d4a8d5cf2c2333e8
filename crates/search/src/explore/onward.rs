//! One way on from every state that was expanded, four bytes each: what the
//! question for sections needs of the edges when they are explored in no
//! particular order (see `stuck/onward.rs`).

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;

use super::graph::{Expansion, Out};
use crate::store::{Segments, StateId};

/// What comes after a state, as far as it matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// It was not expanded (yet).
    Unknown,
    /// The program has ended, or what follows is not known.
    Out,
    /// The environment cannot prevent this step.
    To(StateId),
    /// The environment chooses on every step; these are all.
    Fork(Box<[StateId]>),
}

#[derive(Default)]
pub struct Onward {
    ways: Segments<AtomicU32>,
    forks: Mutex<HashMap<StateId, Box<[StateId]>>>,
}

const UNKNOWN: u32 = 0;
const OUT: u32 = 1;
const FORK: u32 = 2;
const FIRST: u32 = 3;

impl Onward {
    pub fn set(&self, state: StateId, expansion: &Expansion) {
        let unknown = |edge: &Out| edge.target.is_none() && !edge.chosen && !edge.withheld;
        let out = expansion.ended || expansion.moves == 0 || expansion.edges.iter().any(unknown);
        let code = match out {
            true => OUT,
            false => self.choose(state, &expansion.edges),
        };
        self.ways.at(state.0).store(code, Ordering::Release);
    }

    /// Prefers a state that is new, which leads away from cycles.
    fn choose(&self, state: StateId, edges: &[Out]) -> u32 {
        let moves = || edges.iter().filter(|edge| !edge.withheld);
        let forced = || moves().filter(|edge| !edge.chosen);
        let best = forced()
            .find(|edge| edge.new)
            .or_else(|| forced().find(|edge| edge.target != Some(state)))
            .or_else(|| forced().next());
        if let Some(target) = best.and_then(|edge| edge.target) {
            return target.0 + FIRST;
        }
        let targets = moves().filter_map(|edge| edge.target).collect();
        self.forks.lock().insert(state, targets);
        FORK
    }

    /// Sets what was known in an earlier run.
    pub fn restore(&self, state: StateId, way: Way) {
        let code = match way {
            Way::Unknown => UNKNOWN,
            Way::Out => OUT,
            Way::To(target) => target.0 + FIRST,
            Way::Fork(targets) => {
                self.forks.lock().insert(state, targets);
                FORK
            }
        };
        self.ways.at(state.0).store(code, Ordering::Release);
    }

    pub fn way(&self, state: StateId) -> Way {
        match self.ways.at(state.0).load(Ordering::Acquire) {
            UNKNOWN => Way::Unknown,
            OUT => Way::Out,
            FORK => Way::Fork(self.forks.lock()[&state].clone()),
            code => Way::To(StateId(code - FIRST)),
        }
    }

    /// Bytes used for so many states.
    pub fn bytes(&self, states: usize) -> u64 {
        let forks = self.forks.lock().capacity() * 40;
        (states * size_of::<u32>() + forks) as u64
    }
}
