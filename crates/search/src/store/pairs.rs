//! Pairs of numbers, each stored once and numbered.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crossbeam_epoch::Guard;

use super::index::{Index, Keyed};
use super::mix;
use super::segments::Segments;

/// Numbers start at one: no pair is numbered zero.
#[derive(Default)]
pub struct Pairs {
    pairs: Segments<AtomicU64>,
    index: Index,
    taken: AtomicU32,
}

/// Numbers that one thread has reserved.
#[derive(Default)]
pub struct Reserve {
    next: u32,
    end: u32,
}

fn word(pair: (u32, u32)) -> u64 {
    pair.0 as u64 | (pair.1 as u64) << 32
}

fn hash_pair(pair: u64) -> u64 {
    mix(pair.wrapping_mul(0xff51_afd7_ed55_8ccd))
}

impl Keyed for Segments<AtomicU64> {
    fn hash_of(&self, id: u32) -> u64 {
        hash_pair(self.at(id).load(Ordering::Relaxed))
    }
}

impl Pairs {
    /// The number of a pair, and whether it is new. Numbers are taken from
    /// the reserve, which is filled with `batch` of them at a time.
    pub fn insert(
        &self,
        pair: (u32, u32),
        reserve: &mut Reserve,
        batch: u32,
        guard: &Guard,
    ) -> (u32, bool) {
        let pair = word(pair);
        let equal = |id| self.pairs.at(id).load(Ordering::Relaxed) == pair;
        let make = || {
            let id = self.take(reserve, batch);
            self.pairs.at(id).store(pair, Ordering::Relaxed);
            id
        };
        self.index.find_or_insert(hash_pair(pair), guard, &self.pairs, equal, make)
    }

    /// Asks for where a pair is that will be inserted soon.
    pub fn prefetch(&self, pair: (u32, u32), guard: &Guard) {
        self.index.prefetch(hash_pair(word(pair)), guard);
    }

    fn take(&self, reserve: &mut Reserve, batch: u32) -> u32 {
        if reserve.next == reserve.end {
            let start = self.taken.fetch_add(batch, Ordering::Relaxed);
            assert!(start < u32::MAX - batch - 1, "fewer than 2^32 pairs");
            *reserve = Reserve { next: start + 1, end: start + 1 + batch };
        }
        reserve.next += 1;
        reserve.next - 1
    }

    pub fn get(&self, id: u32) -> (u32, u32) {
        let pair = self.pairs.at(id).load(Ordering::Relaxed);
        (pair as u32, (pair >> 32) as u32)
    }

    /// The largest number taken; some below it may still be unused.
    pub fn last(&self) -> u32 {
        self.taken.load(Ordering::Relaxed)
    }

    pub fn bytes(&self) -> u64 {
        self.index.bytes() + self.last() as u64 * 8
    }
}
