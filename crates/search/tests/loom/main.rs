//! The lock-free index under loom: every schedule, and every value that a load
//! may return under the memory orders that the code names, for a few threads and
//! within a bound on preemptions (Norris, Demsky: CDSChecker, 2013).
//!
//! The sources of the index are compiled a second time, here, with loom's atomics
//! in `store::sync`. What a number stands for lies in a cell of loom's, which
//! reports a reader that is not ordered after the writer. Memory is not reclaimed:
//! that is crossbeam's part.

pub mod epoch;
mod store;

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use store::index::{Index, Keyed};

/// Entries at which a table of one bucket, or two, is not full yet.
const NEARLY_FULL: u32 = 10;
const NEARLY_FULL_OF_TWO: u32 = 20;

/// An index over keys that are written when their number is made.
struct Keys {
    index: Index,
    cells: Vec<UnsafeCell<u32>>,
    next: AtomicU32,
}

impl Keyed for Keys {
    fn hash_of(&self, id: u32) -> u64 {
        hash(self.key(id))
    }
}

/// Different tags; of a table with two buckets, odd keys are in the second one.
fn hash(key: u32) -> u64 {
    u64::from(key) + 1 + (u64::from(key % 2) << 39)
}

impl Keys {
    fn new(capacity: usize) -> Keys {
        let cells = (0..capacity).map(|_| UnsafeCell::new(u32::MAX)).collect();
        Keys { index: Index::small(), cells, next: AtomicU32::new(0) }
    }

    fn key(&self, id: u32) -> u32 {
        // SAFETY: written once, before the number was known to anybody else;
        // loom checks just that.
        self.cells[id as usize].with(|cell| unsafe { *cell })
    }

    fn insert(&self, key: u32) -> (u32, bool) {
        let guard = epoch::Guard;
        let make = || {
            let id = self.next.fetch_add(1, Ordering::Relaxed);
            // SAFETY: the number is fresh, so nobody else has it.
            self.cells[id as usize].with_mut(|cell| unsafe { *cell = key });
            id
        };
        self.index.find_or_insert(hash(key), &guard, self, |id| self.key(id) == key, make)
    }
}

/// Runs the insertions of each thread under every schedule with at most so many
/// preemptions; each key must get one number, made once, and be found.
fn explore(preemptions: usize, before: u32, threads: &'static [&'static [u32]]) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.max_branches = 20_000;
    builder.check(move || {
        let all: Vec<u32> = (0..before).chain(threads.concat()).collect();
        let keys = Arc::new(Keys::new(all.len()));
        let mut new: Vec<u32> = (0..before).filter(|&key| keys.insert(key).1).collect();
        let spawned = threads[1..].iter().map(|list| {
            let keys = keys.clone();
            loom::thread::spawn(move || inserted(&keys, list))
        });
        let spawned: Vec<_> = spawned.collect();
        new.extend(inserted(&keys, threads[0]));
        for thread in spawned {
            new.extend(thread.join().expect("no panic"));
        }
        let mut distinct = all;
        distinct.sort_unstable();
        distinct.dedup();
        new.sort_unstable();
        assert_eq!(new, distinct, "each key is new exactly once");
        for key in distinct {
            let (id, fresh) = keys.insert(key);
            assert!(!fresh, "{key} was lost");
            assert_eq!(keys.key(id), key);
        }
    });
}

/// Inserts the keys in order; those that were new.
fn inserted(keys: &Keys, list: &[u32]) -> Vec<u32> {
    list.iter().copied().filter(|&key| keys.insert(key).1).collect()
}

#[test]
fn two_threads_that_insert_the_same_agree() {
    explore(3, 0, &[&[7, 8], &[8, 7]]);
}

#[test]
fn three_threads_share_a_bucket() {
    explore(3, 0, &[&[1], &[1], &[2]]);
}

/// The insertion that fills the bucket makes its thread copy the table while the
/// other one inserts the same or another key.
#[test]
fn insertions_while_the_table_grows_are_kept() {
    explore(3, NEARLY_FULL, &[&[100], &[100, 101]]);
}

#[test]
fn two_threads_that_fill_the_table_grow_it_once() {
    explore(3, NEARLY_FULL, &[&[100, 3], &[101]]);
}

/// A table of two buckets is copied in two pieces, and a thread that waits for
/// the new table copies one of them.
#[test]
fn a_table_that_is_copied_by_two_threads_is_complete() {
    explore(2, NEARLY_FULL_OF_TWO, &[&[100, 1], &[102]]);
}
