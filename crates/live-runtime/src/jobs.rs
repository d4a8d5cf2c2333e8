//! Several processes that explore the same program together.
//!
//! They share a few pages: how many runs were made, and for each beginning of
//! runs which job explores it. A beginning belongs to the job that asks for it
//! first; asking again gives the same answer, so that a process that makes a run
//! and the one that explores agree.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use exeunt_model::Run;
use exeunt_search::{Explorer, RunEnd, Strategy};

use crate::restart::Native;

/// Bytes that are shared; behind the counter each byte is for a beginning.
const SIZE: usize = 1 << 20;
const SLOTS: u64 = (SIZE - 8) as u64;

/// How many beginnings there should be for each job: some are much more work
/// than others.
const ENOUGH: u64 = 24;
/// Beginnings have at most so many steps.
const DEEPEST: usize = 24;

pub struct Jobs {
    number: u64,
    all: u64,
    place: usize,
    /// How many steps a beginning has.
    depth: usize,
}

impl Jobs {
    pub fn new(number: u64, all: u64, file: i32) -> Self {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let place = std::ptr::null_mut();
        // SAFETY: a new mapping overlaps nothing.
        let place = unsafe { libc::mmap(place, SIZE, protection, libc::MAP_SHARED, file, 0) };
        assert!(place != libc::MAP_FAILED, "the jobs have no memory to share");
        Jobs { number, all, place: place as usize, depth: 0 }
    }

    /// Gives the explorer its part; says how many runs it makes at most.
    pub fn divide(
        &mut self,
        native: &mut Native<'_>,
        explorer: &mut Explorer,
        strategy: Strategy,
        most: u64,
    ) -> u64 {
        if matches!(strategy, Strategy::Random { .. } | Strategy::Pct { .. }) {
            explorer.stride(self.number, self.all);
            return most.saturating_sub(self.number).div_ceil(self.all);
        }
        self.depth = self.beginnings(native, strategy).min(explorer.max_depth - 1);
        explorer.share(self.depth, self.number == 0, claim(self.place, self.number, self.all));
        most
    }

    /// How many steps beginnings must have for there to be enough of them.
    fn beginnings(&self, native: &mut Native<'_>, strategy: Strategy) -> usize {
        let strategy = match strategy {
            Strategy::Preemptions(_) => strategy,
            Strategy::Optimal
            | Strategy::Sleep
            | Strategy::Random { .. }
            | Strategy::Pct { .. } => Strategy::Sleep,
        };
        for depth in 1..DEEPEST {
            let (mut explorer, mut count) = (Explorer::new(strategy, depth), 0);
            loop {
                explorer.begin();
                if native.execute(&mut explorer).is_err() {
                    return depth;
                }
                let cut = matches!(explorer.outcome(), RunEnd::Bounded | RunEnd::Circle(_));
                count += cut as u64;
                if count >= ENOUGH * self.all {
                    return depth;
                }
                if !explorer.backtrack() {
                    break;
                }
            }
            if count == 0 {
                return depth;
            }
        }
        DEEPEST
    }

    /// Whether a run is left to the first job, because it ended before it was
    /// known whose it is.
    pub fn leaves(&self, explorer: &Explorer, outcome: &RunEnd) -> bool {
        let steps = explorer.events.len();
        let short = steps < self.depth || (steps == self.depth && *outcome != RunEnd::Redundant);
        short && self.number != 0
    }

    /// How many runs were made by all jobs, with one more.
    pub fn made(&self) -> u64 {
        // SAFETY: the first word of the shared memory.
        let runs = unsafe { AtomicU64::from_ptr(self.place as *mut u64) };
        runs.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// Asks for a beginning in the shared memory.
fn claim(place: usize, number: u64, all: u64) -> Box<dyn FnMut(u64) -> bool> {
    Box::new(move |beginning| {
        if beginning >= SLOTS || number >= 255 {
            return beginning % all == number;
        }
        // SAFETY: one of the bytes behind the counter.
        let slot = unsafe { AtomicU8::from_ptr((place + 8 + beginning as usize) as *mut u8) };
        let mine = number as u8 + 1;
        match slot.compare_exchange(0, mine, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => true,
            Err(owner) => owner == mine,
        }
    })
}
