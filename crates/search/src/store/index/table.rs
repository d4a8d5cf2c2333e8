//! A table of buckets, and how it is filled from a smaller one by several
//! threads.

use std::ops::Range;

use super::bucket::{Bucket, WAYS, tag_of};
use super::{Keyed, rest};
use crate::store::pages::Pages;
use crate::store::sync::{AtomicUsize, Ordering, PIECE};

/// A shard grows when it is fuller than this many of 100.
const FULL: usize = 90;
/// Buckets on a page of memory.
const PAGE: usize = 4096 / size_of::<Bucket>();

/// The buckets of a table that does not become too full with so many entries. Hashes spread them unevenly over shards.
pub fn buckets_for(entries: usize) -> usize {
    (entries + entries / 64) * 100 / (WAYS * FULL)
}

pub struct Table {
    pub buckets: Pages<Bucket>,
    /// The address of the table that this one is filled from.
    pub source: usize,
    /// The next piece of the source to be copied, and how many have been.
    next_piece: AtomicUsize,
    copied: AtomicUsize,
}

impl Table {
    pub fn new(buckets: usize, source: usize) -> Table {
        let (next_piece, copied) = Default::default();
        Table { buckets: Pages::zeroed(buckets), source, next_piece, copied }
    }

    /// As a name; nothing is ever read there.
    pub fn address(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }

    pub fn is_full(&self, entries: usize) -> bool {
        entries * 100 > self.buckets.len() * WAYS * FULL
    }

    /// Copies all of another table, together with the threads that help.
    pub fn fill_with_others(&self, old: &Table, keys: &impl Keyed) {
        self.fill_from(old, keys);
        while self.copied.load(Ordering::Acquire) < old.pieces() {
            rest();
        }
    }

    fn pieces(&self) -> usize {
        self.buckets.len().div_ceil(PIECE)
    }

    /// Copies the pieces that no other thread has taken.
    pub fn fill_from(&self, old: &Table, keys: &impl Keyed) {
        loop {
            let piece = self.next_piece.fetch_add(1, Ordering::Relaxed);
            if piece >= old.pieces() {
                return;
            }
            let end = old.buckets.len().min((piece + 1) * PIECE);
            let buckets = &old.buckets[piece * PIECE..end];
            self.touch(piece * PIECE..end, old.buckets.len());
            for (at, bucket) in buckets.iter().enumerate() {
                if let Some(next) = buckets.get(at + 2) {
                    next.prefetch(keys);
                }
                bucket.freeze();
                for id in bucket.entries() {
                    self.place(keys.hash_of(id), id);
                }
            }
            self.copied.fetch_add(1, Ordering::Release);
        }
    }

    /// Writes to every page that these buckets of a source with so many will be
    /// copied to. A page that is read first is mapped twice, and the second
    /// time all threads are interrupted.
    fn touch(&self, part: Range<usize>, of: usize) {
        let place = |at: usize| at * self.buckets.len() / of;
        let buckets = &self.buckets[place(part.start)..place(part.end)];
        for bucket in buckets.iter().step_by(PAGE) {
            bucket.touch();
        }
    }

    /// The first bucket to look in.
    #[inline]
    pub fn home(&self, hash: u64) -> usize {
        let fraction = (hash >> 8) & 0xffff_ffff;
        ((fraction * self.buckets.len() as u64) >> 32) as usize
    }

    /// Enters a number that is not there yet.
    fn place(&self, hash: u64, id: u32) {
        let mut at = self.home(hash);
        loop {
            let bucket = &self.buckets[at];
            if let Some(slot) = bucket.claim(tag_of(hash)) {
                bucket.fill(slot, id);
                return;
            }
            at = if at + 1 == self.buckets.len() { 0 } else { at + 1 };
        }
    }

    /// Whether there is no free place at all.
    pub fn is_packed(&self) -> bool {
        self.buckets.iter().all(Bucket::is_packed)
    }
}
