//! Several jobs, each with an explorer of its own.
//!
//! The states of the first steps are expanded completely, but for sleep sets. So
//! no race has to be reversed there, and what follows each beginning can be
//! explored without knowing anything about the others. Sleep sets still see to it
//! that of each class one run is made to its end: jobs make the same runs as one
//! explorer, and more of them in vain.
//!
//! Invariant: the beginnings come in the same order, with the same numbers, in
//! every job.

use super::{Explorer, Strategy};
use crate::chance::random;

/// Says whether the beginning with this number is explored here.
pub type Claim = Box<dyn FnMut(u64) -> bool>;

pub(super) struct Share {
    /// How many steps a beginning has.
    depth: usize,
    /// How many beginnings were met.
    met: u64,
    /// The steps of beginnings are counted here.
    counts: bool,
    claim: Claim,
}

impl Explorer {
    /// Explores some of the beginnings of this many steps only. One job counts
    /// their steps.
    pub fn share(&mut self, depth: usize, counts: bool, claim: Claim) {
        self.share = Some(Share { depth, met: 0, counts, claim });
    }

    /// Whether the present step is counted by another job.
    pub(super) fn is_counted(&self) -> bool {
        let steps = self.events.len();
        self.share.as_ref().is_some_and(|share| steps <= share.depth && !share.counts)
    }

    /// Random runs: this is the run to begin with, and how many numbers the next
    /// one is away.
    pub fn stride(&mut self, first: u64, step: u64) {
        (self.run, self.step) = (first, step);
    }

    /// Whether every step of the state after so many events is explored.
    pub(super) fn is_shared(&self, events: usize) -> bool {
        self.share.as_ref().is_some_and(|share| events < share.depth)
    }

    /// Whether the present state, which was not met before, is behind a beginning
    /// that belongs to another job.
    pub(super) fn is_elsewhere(&mut self) -> bool {
        let events = self.events.len();
        let Some(share) = self.share.as_mut().filter(|share| share.depth == events) else {
            return false;
        };
        share.met += 1;
        !(share.claim)(share.met - 1)
    }

    /// Random numbers are a function of the seed and the number of the run, so
    /// that the same runs are made by any number of jobs.
    pub(super) fn seed(&mut self) {
        let mut state = self.first_seed ^ self.run.wrapping_mul(0xD134_2543_DE82_EF95);
        let fresh = random(&mut state);
        self.run += self.step;
        match &mut self.strategy {
            Strategy::Random { seed } => {
                *seed = fresh;
                self.prioritised = random(&mut state) & 1 == 1;
            }
            Strategy::Pct { .. } => self.prioritised = true,
            Strategy::Optimal | Strategy::Sleep | Strategy::Preemptions(_) => {}
        }
        if self.prioritised
            && let Some(pct) = &mut self.pct
        {
            pct.begin(fresh);
        }
    }
}
