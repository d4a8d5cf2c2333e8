//! Hash-consed components.
//!
//! Append-only and shared; neither interning nor looking up takes a lock.

use std::hash::Hasher;
use std::sync::atomic::{AtomicU64, Ordering};

use exeunt_model::{CompId, Pool};
use rustc_hash::FxHasher;

use super::index::{Index, Keyed};
use super::mix;

#[derive(Default)]
pub struct ComponentPool {
    entries: Entries,
    index: Index,
    words: AtomicU64,
}

#[derive(Default)]
struct Entries(boxcar::Vec<Box<[u64]>>);

impl Keyed for Entries {
    fn hash_of(&self, id: u32) -> u64 {
        hash(&self.0[id as usize])
    }
}

impl ComponentPool {
    pub fn new() -> ComponentPool {
        ComponentPool::default()
    }

    pub fn len(&self) -> usize {
        self.entries.0.count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Stores the words that had the number `id` in another pool, whose words are stored one after
    /// the other: they get the same number, because components may hold numbers of others.
    pub fn restore(&self, words: &[u64], id: u32) -> CompId {
        let known = self.intern(words);
        if known.0 < id && self.len() as u32 == id {
            // Two threads stored it at the same time, and one number was not used.
            self.entries.0.push(words.into());
        }
        known
    }

    /// Bytes used, with the overhead of table and allocation.
    pub fn bytes(&self) -> u64 {
        let words = self.words.load(Ordering::Relaxed) * 8;
        words + self.len() as u64 * (24 + 8) + self.index.bytes()
    }
}

fn hash(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    for &word in words {
        hasher.write_u64(word);
    }
    mix(hasher.finish() ^ words.len() as u64)
}

impl Pool for ComponentPool {
    fn intern(&self, words: &[u64]) -> CompId {
        let equal = |id: u32| *self.entries.0[id as usize] == *words;
        let make = || {
            let id = self.entries.0.push(words.into());
            self.words.fetch_add(words.len() as u64, Ordering::Relaxed);
            u32::try_from(id).expect("fewer than 2^32 components")
        };
        let guard = crossbeam_epoch::pin();
        let (id, _) = self.index.find_or_insert(hash(words), &guard, &self.entries, equal, make);
        CompId(id)
    }

    fn get(&self, id: CompId) -> &[u64] {
        &self.entries.0[id.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restored_words_keep_their_numbers() {
        let pool = ComponentPool::new();
        let words: [&[u64]; 4] = [&[1], &[2], &[1], &[3]];
        let numbers = (0..4).map(|id| pool.restore(words[id as usize], id).0);
        assert_eq!(numbers.collect::<Vec<_>>(), [0, 1, 0, 3]);
        assert_eq!(pool.get(CompId(2)), [1]);
    }

    #[test]
    fn equal_words_have_one_id() {
        let pool = ComponentPool::new();
        let ids: Vec<CompId> = (0..1000u64).map(|n| pool.intern(&[n, n * n])).collect();
        for n in 0..1000u64 {
            assert_eq!(pool.intern(&[n, n * n]), ids[n as usize]);
            assert_eq!(pool.get(ids[n as usize]), [n, n * n]);
        }
        assert_ne!(pool.intern(&[]), pool.intern(&[0]));
        assert_eq!(pool.len(), 1002);
    }
}
