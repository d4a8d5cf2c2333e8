//! Who touched which cell of memory, and how: a table that only grows, shared
//! by all workers.

use std::sync::atomic::{AtomicU64, Ordering};

/// What is known of a cell, in one word. 0: no thread has touched it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known(u64);

impl Known {
    /// Threads beyond the first have touched it.
    const SEVERAL: u64 = 1 << 8;
    const WRITTEN: u64 = 1 << 9;
    /// As data, not as a lock or alike.
    const DATA: u64 = 1 << 10;
    const SYNC: u64 = 1 << 11;
    /// A thread tries to take it without waiting (`trylock`).
    const OBSERVED: u64 = 1 << 12;
    /// By an operation on several words.
    const BLOCK: u64 = 1 << 13;
    /// Behind the number of the first thread, plus 1.
    const LOCKS: u32 = 32;

    pub fn locks(self) -> u32 {
        (self.0 >> Known::LOCKS) as u32
    }

    pub fn with_locks(self, locks: u32) -> Known {
        Known(self.0 & ((1 << Known::LOCKS) - 1) | (locks as u64) << Known::LOCKS)
    }

    fn has(self, bit: u64) -> bool {
        self.0 & bit != 0
    }

    /// Adds a touch; the locks are added by the caller.
    pub fn touched(self, thread: u32, touch: Touch) -> Known {
        let mine = thread as u64 + 1;
        let mut bits = if self.0 == 0 { mine } else { self.0 };
        if bits & 0xff != mine {
            bits |= Known::SEVERAL;
        }
        bits |= match touch {
            Touch::Read => Known::DATA,
            Touch::Write => Known::DATA | Known::WRITTEN,
            Touch::Sync => Known::SYNC,
            Touch::Observe => Known::SYNC | Known::OBSERVED,
        };
        Known(bits)
    }

    /// Adds that a touch was part of an operation on several words.
    pub fn in_block(self) -> Known {
        Known(self.0 | Known::BLOCK)
    }

    /// Whether such an operation may be seen half done here.
    pub fn is_torn(self, locked: bool) -> bool {
        self.has(Known::BLOCK) && self.meeting(locked).data
    }

    /// What threads that touch it have to know of each other. `locked`: all
    /// touches were under a common lock.
    pub fn meeting(self, locked: bool) -> Meeting {
        if !self.has(Known::SEVERAL) {
            return Meeting::default();
        }
        let mixed = self.has(Known::SYNC) && self.has(Known::DATA);
        let raced = self.has(Known::DATA) && !locked;
        Meeting {
            data: self.has(Known::WRITTEN) && (raced || mixed),
            observed: self.has(Known::OBSERVED),
        }
    }
}

/// How a cell is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    Read,
    Write,
    /// By an operation that waits, or lets those go on that wait.
    Sync,
    /// By one that tells whether it would have to wait.
    Observe,
}

/// Why threads meet at a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    /// One may see in its contents what the other did first.
    pub data: bool,
    /// One may see that another has not given it back yet.
    pub observed: bool,
}

/// Slots that a cell may be in.
const PROBES: usize = 64;

/// The first of them.
fn start_of(cell: u64) -> usize {
    (cell.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

/// An open hash table without deletion.
pub struct Cells {
    slots: Box<[(AtomicU64, AtomicU64)]>,
}

impl Cells {
    /// `2^bits` cells at most.
    pub fn new(bits: u32) -> Cells {
        Cells { slots: (0..1usize << bits).map(|_| Default::default()).collect() }
    }

    /// The number of cells, as a power of two.
    pub fn bits(&self) -> u32 {
        self.slots.len().ilog2()
    }

    /// The word of a cell; `None` if the table is full.
    pub fn of(&self, cell: u64) -> Option<&AtomicU64> {
        let mask = self.slots.len() - 1;
        let start = start_of(cell);
        for probe in 0..PROBES {
            let (key, word) = &self.slots[(start + probe) & mask];
            let found = key.load(Ordering::Acquire);
            let free = found == 0
                && key.compare_exchange(0, cell, Ordering::AcqRel, Ordering::Acquire).is_ok();
            if free || found == cell || key.load(Ordering::Acquire) == cell {
                return Some(word);
            }
        }
        None
    }

    /// What is known of a cell so far.
    pub fn known(&self, cell: u64) -> Known {
        let mask = self.slots.len() - 1;
        let start = start_of(cell);
        for probe in 0..PROBES {
            let (key, word) = &self.slots[(start + probe) & mask];
            match key.load(Ordering::Acquire) {
                found if found == cell => return Known(word.load(Ordering::Acquire)),
                0 => break,
                _ => {}
            }
        }
        Known(0)
    }

    /// Changes what is known of a cell; tells what it is now.
    pub fn update(word: &AtomicU64, mut change: impl FnMut(Known) -> Known) -> Known {
        let mut old = word.load(Ordering::Acquire);
        loop {
            let new = change(Known(old)).0;
            if new == old {
                return Known(old);
            }
            match word.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Known(new),
                Err(other) => old = other,
            }
        }
    }

    /// All cells that were touched.
    pub fn all(&self) -> impl Iterator<Item = (u64, &AtomicU64, Known)> {
        self.slots.iter().filter_map(|(key, word)| {
            let cell = key.load(Ordering::Acquire);
            (cell != 0).then(|| (cell, word, Known(word.load(Ordering::Acquire))))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(touches: &[(u32, Touch)]) -> Known {
        touches.iter().fold(Known(0), |known, &(thread, touch)| known.touched(thread, touch))
    }

    #[test]
    fn threads_meet_where_one_of_several_writes_without_a_common_lock() {
        let data = |touches: &[(u32, Touch)], locked| known(touches).meeting(locked).data;
        assert!(!data(&[(3, Touch::Write), (3, Touch::Read)], false));
        assert!(!data(&[(3, Touch::Read), (0, Touch::Read)], false));
        assert!(data(&[(3, Touch::Read), (0, Touch::Write)], false));
        assert!(!data(&[(3, Touch::Read), (0, Touch::Write)], true));
        assert!(data(&[(3, Touch::Sync), (0, Touch::Write)], true));
        assert!(!data(&[(3, Touch::Sync), (0, Touch::Sync)], false));
    }

    #[test]
    fn a_lock_is_observed_by_another_thread_only() {
        assert!(!known(&[(1, Touch::Observe), (1, Touch::Sync)]).meeting(false).observed);
        assert!(known(&[(1, Touch::Sync), (2, Touch::Observe)]).meeting(false).observed);
    }

    #[test]
    fn a_full_table_says_so() {
        let cells = Cells::new(3);
        let kept = (1..1000u64).filter(|&cell| cells.of(cell).is_some()).count();
        assert_eq!(kept, 8);
        assert!(cells.of(1).is_some());
        assert_eq!(cells.all().count(), 8);
    }

    #[test]
    fn looking_at_a_cell_does_not_make_it_known() {
        let cells = Cells::new(3);
        assert_eq!(cells.known(5), Known(0));
        assert_eq!(cells.all().count(), 0);
        let touched = Cells::update(cells.of(5).unwrap(), |known| known.touched(2, Touch::Read));
        assert_eq!(cells.known(5), touched);
        assert_eq!(cells.known(13), Known(0));
    }
}
