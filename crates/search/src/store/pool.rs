//! Hash-consed components.
//!
//! Append-only and shared: looking a component up takes no lock, interning
//! locks one of many shards for the length of a probe.

use std::hash::Hasher;
use std::sync::atomic::{AtomicU64, Ordering};

use exeunt_model::{CompId, Pool};
use hashbrown::HashTable;
use parking_lot::Mutex;
use rustc_hash::FxHasher;

const SHARDS: usize = 64;

/// Part of the index: hash tag and number of each component.
type Shard = Mutex<HashTable<(u32, u32)>>;

#[derive(Default)]
pub struct ComponentPool {
    entries: boxcar::Vec<Box<[u64]>>,
    shards: Box<[Shard]>,
    words: AtomicU64,
}

impl ComponentPool {
    pub fn new() -> ComponentPool {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        ComponentPool { entries: boxcar::Vec::new(), shards, words: AtomicU64::new(0) }
    }

    pub fn len(&self) -> usize {
        self.entries.count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes used, with the overhead of table and allocation.
    pub fn bytes(&self) -> u64 {
        self.words.load(Ordering::Relaxed) * 8 + self.len() as u64 * (16 + 16 + 10)
    }
}

pub(super) fn mix(hash: u64) -> u64 {
    // FxHash leaves its entropy in the high bits.
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 29)
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
        let hash = hash(words);
        let tag = hash as u32;
        let mut shard = self.shards[(hash >> 58) as usize % SHARDS].lock();
        let equal =
            |&(other, id): &(u32, u32)| other == tag && *self.entries[id as usize] == *words;
        if let Some(&(_, id)) = shard.find(hash, equal) {
            return CompId(id);
        }
        let id =
            u32::try_from(self.entries.push(words.into())).expect("fewer than 2^32 components");
        self.words.fetch_add(words.len() as u64, Ordering::Relaxed);
        let rehash = |&(_, id): &(u32, u32)| self::hash(&self.entries[id as usize]);
        shard.insert_unique(hash, (tag, id), rehash);
        CompId(id)
    }

    fn get(&self, id: CompId) -> &[u64] {
        &self.entries[id.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
