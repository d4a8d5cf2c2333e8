//! What a story may cost: telling is bounded as the search is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::limits::{Resident, most};
use crate::options::Options;

/// Without limits nothing is bounded.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    memory: Option<u64>,
    deadline: Option<Instant>,
    interrupt: Arc<AtomicBool>,
}

impl Bounds {
    /// Those of a search that began at some time.
    pub fn of(options: &Options, start: Instant) -> Bounds {
        Bounds {
            memory: options.limits.memory,
            deadline: options
                .limits
                .time
                .and_then(|time| start.checked_add(time.saturating_sub(options.limits.spent))),
            interrupt: options.interrupt.clone(),
        }
    }

    /// How many bytes more the process may have.
    pub fn room(&self) -> u64 {
        let left = |limit| most(limit).saturating_sub(Resident::new().bytes());
        self.memory.map_or(u64::MAX, left)
    }

    /// Whether what is not needed had better be left out.
    pub fn is_late(&self) -> bool {
        let passed = self.deadline.is_some_and(|deadline| Instant::now() > deadline);
        passed || self.interrupt.load(Ordering::Relaxed)
    }
}
