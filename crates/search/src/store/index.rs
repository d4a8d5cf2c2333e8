//! A set of numbers found by the hash of what they stand for.
//!
//! Looking up and inserting take no lock. The table is cut into shards, and a
//! shard that is full is copied into a larger table by one thread while the
//! others work on in the other shards: there is no pause in which everything
//! is rebuilt. A bucket is one line of the cache: eight bits of hash and the
//! number of each of its twelve entries.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use bytemuck::Zeroable;
use crossbeam_epoch::{Atomic, Guard, Owned};
use parking_lot::Mutex;

use super::pages::Pages;

/// Entries in a bucket: 16 bytes of tags (four unused) and twelve numbers.
const WAYS: usize = 12;
/// Tag of a free place, and of one in a table that is being replaced.
const FREE: u8 = 0;
const FROZEN: u8 = 0xff;
/// The bytes of the second word of tags that are used.
const USED: [u64; 2] = [u64::MAX, 0xffff_ffff];
/// The words of tags of a bucket.
const WORDS: [usize; 2] = [0, 1];
/// A power of two. With more of them, each would be too small for large pages
/// when looking up is already bound by the translation of addresses.
const SHARDS: usize = 4;
/// A shard grows when it is fuller than this many of 100.
const FULL: usize = 85;

#[repr(align(64))]
#[derive(Zeroable)]
struct Bucket {
    tags: [AtomicU64; 2],
    /// Numbers plus one; zero while one is being written.
    ids: [AtomicU32; WAYS],
}

struct Table {
    buckets: Pages<Bucket>,
}

struct Shard {
    table: Atomic<Table>,
    count: AtomicU32,
    growing: Mutex<()>,
}

pub struct Index {
    shards: Box<[Shard]>,
    bytes: AtomicU64,
}

/// What the index must know about what its numbers stand for.
pub trait Keyed {
    fn hash_of(&self, id: u32) -> u64;

    /// Asks for what `hash_of` and comparisons will need soon.
    fn prefetch(&self, _id: u32) {}
}

/// The outcome of scanning one bucket.
enum Scan {
    Found(u32),
    Claimed(usize),
    Full,
    Frozen,
}

impl Default for Index {
    fn default() -> Index {
        Index::new(SHARDS)
    }
}

impl Index {
    /// An index of few entries, which rarely grows.
    pub fn small() -> Index {
        Index::new(1)
    }

    fn new(shards: usize) -> Index {
        // Different sizes, so that not all grow at the same time.
        let buckets = |shard: usize| 1 + shard % 2;
        let shard = |number: usize| Shard {
            table: Atomic::new(Table::new(buckets(number))),
            count: AtomicU32::new(0),
            growing: Mutex::default(),
        };
        let bytes: usize = (0..shards).map(|number| buckets(number) * size_of::<Bucket>()).sum();
        Index { shards: (0..shards).map(shard).collect(), bytes: AtomicU64::new(bytes as u64) }
    }

    fn shard(&self, hash: u64) -> &Shard {
        &self.shards[(hash >> 60) as usize & (self.shards.len() - 1)]
    }

    /// The number that `equal` recognises, or the one that `make` creates;
    /// and whether it is new. `make` is called at most once, and what it made
    /// is complete before anybody else sees its number.
    pub fn find_or_insert(
        &self,
        hash: u64,
        guard: &Guard,
        keys: &impl Keyed,
        equal: impl Fn(u32) -> bool,
        make: impl FnOnce() -> u32,
    ) -> (u32, bool) {
        let shard = self.shard(hash);
        let tag = tag_of(hash);
        'table: loop {
            let table = shard.table(guard);
            let mut at = table.home(hash);
            for _ in 0..table.buckets.len() {
                let bucket = &table.buckets[at];
                match bucket.scan(tag, &equal) {
                    Scan::Found(id) => return (id, false),
                    Scan::Claimed(slot) => {
                        let id = make();
                        bucket.ids[slot].store(id + 1, Ordering::Release);
                        let count = shard.count.fetch_add(1, Ordering::Relaxed) as usize + 1;
                        if count * 100 > table.buckets.len() * WAYS * FULL {
                            self.grow(shard, guard, keys);
                        }
                        return (id, true);
                    }
                    Scan::Full => at = if at + 1 == table.buckets.len() { 0 } else { at + 1 },
                    Scan::Frozen => {
                        shard.wait(table, guard);
                        continue 'table;
                    }
                }
            }
            self.grow(shard, guard, keys);
        }
    }

    /// Asks for the bucket of a hash that will be looked up soon.
    pub fn prefetch(&self, hash: u64, guard: &Guard) {
        let table = self.shard(hash).table(guard);
        let bucket = &table.buckets[table.home(hash)];
        ask_for(bucket);
    }

    /// Asks for the entries that this hash will be compared with.
    pub fn prefetch_entries(&self, hash: u64, guard: &Guard, keys: &impl Keyed) {
        let table = self.shard(hash).table(guard);
        let bucket = &table.buckets[table.home(hash)];
        let tag = tag_of(hash);
        for word in WORDS {
            let tags = bucket.tags[word].load(Ordering::Acquire);
            let hit = bytes_equal(tags, tag) & USED[word];
            if hit != 0 {
                let slot = word * 8 + (hit.trailing_zeros() / 8) as usize;
                let id = bucket.ids[slot].load(Ordering::Acquire);
                if id != 0 {
                    keys.prefetch(id - 1);
                }
                return;
            }
        }
    }

    /// Copies a full shard into a larger table, unless somebody else does.
    fn grow(&self, shard: &Shard, guard: &Guard, keys: &impl Keyed) {
        let Some(_alone) = shard.growing.try_lock() else { return };
        let old = shard.table(guard);
        let filled = shard.count.load(Ordering::Relaxed) as usize * 100;
        if filled <= old.buckets.len() * WAYS * FULL && !old.is_packed() {
            return;
        }
        let wider = Table::new(old.buckets.len() + old.buckets.len().div_ceil(2));
        for (at, bucket) in old.buckets.iter().enumerate() {
            if let Some(next) = old.buckets.get(at + 1) {
                next.prefetch(keys);
            }
            bucket.freeze();
            for id in bucket.entries() {
                wider.place(keys.hash_of(id), id);
            }
        }
        let more = (wider.buckets.len() - old.buckets.len()) * size_of::<Bucket>();
        self.bytes.fetch_add(more as u64, Ordering::Relaxed);
        let before = shard.table.swap(Owned::new(wider), Ordering::AcqRel, guard);
        // SAFETY: `before` was just unlinked, by the only thread that may
        // replace it (it holds `growing`); readers that still use it are
        // pinned, and it is freed after they are not.
        #[allow(unsafe_code)]
        unsafe {
            guard.defer_destroy(before);
        }
    }

    /// The part of the places that is taken.
    pub fn load(&self) -> f64 {
        let taken: u64 =
            self.shards.iter().map(|shard| shard.count.load(Ordering::Relaxed) as u64).sum();
        let places = self.bytes() / size_of::<Bucket>() as u64 * WAYS as u64;
        taken as f64 / places.max(1) as f64
    }

    /// Bytes used.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        for shard in &mut self.shards {
            let table = std::mem::take(&mut shard.table);
            // SAFETY: nobody else has the index any more, and every shard has
            // a table.
            #[allow(unsafe_code)]
            drop(unsafe { table.into_owned() });
        }
    }
}

impl Shard {
    fn table<'g>(&self, guard: &'g Guard) -> &'g Table {
        let table = self.table.load(Ordering::Acquire, guard);
        // SAFETY: the pointer is never null, and a table is freed only after
        // it was unlinked and every guard from before that is gone.
        #[allow(unsafe_code)]
        unsafe {
            table.deref()
        }
    }

    /// Until the table that is being replaced has been.
    fn wait(&self, old: &Table, guard: &Guard) {
        while std::ptr::eq(self.table(guard), old) {
            spin_loop();
            std::thread::yield_now();
        }
    }
}

impl Table {
    fn new(buckets: usize) -> Table {
        Table { buckets: Pages::zeroed(buckets) }
    }

    /// The first bucket to look in.
    fn home(&self, hash: u64) -> usize {
        let fraction = (hash >> 8) & 0xffff_ffff;
        ((fraction * self.buckets.len() as u64) >> 32) as usize
    }

    /// Enters a number into a table that nobody else sees.
    fn place(&self, hash: u64, id: u32) {
        let mut at = self.home(hash);
        loop {
            let bucket = &self.buckets[at];
            for word in WORDS {
                let tags = bucket.tags[word].load(Ordering::Relaxed);
                let free = free_in(word, tags);
                if free != 0 {
                    let byte = free.trailing_zeros() / 8;
                    let tags = tags | (tag_of(hash) as u64) << (8 * byte);
                    bucket.tags[word].store(tags, Ordering::Relaxed);
                    bucket.ids[word * 8 + byte as usize].store(id + 1, Ordering::Relaxed);
                    return;
                }
            }
            at = if at + 1 == self.buckets.len() { 0 } else { at + 1 };
        }
    }

    /// Whether there is no free place at all.
    fn is_packed(&self) -> bool {
        self.buckets.iter().all(|bucket| {
            (0..2).all(|word| free_in(word, bucket.tags[word].load(Ordering::Relaxed)) == 0)
        })
    }
}

impl Bucket {
    /// Looks for an equal entry, and claims the first free place if there is
    /// none. Places are claimed in order and never given back, so two threads
    /// that insert the same thing meet at the same word of tags.
    fn scan(&self, tag: u8, equal: &impl Fn(u32) -> bool) -> Scan {
        for word in WORDS {
            let mut tags = self.tags[word].load(Ordering::Acquire);
            loop {
                if let Some(id) = self.matching(word, tags, tag, equal) {
                    return Scan::Found(id);
                }
                let free = free_in(word, tags);
                if free == 0 {
                    break;
                }
                let byte = free.trailing_zeros() / 8;
                let claimed = tags | (tag as u64) << (8 * byte);
                match self.tags[word].compare_exchange_weak(
                    tags,
                    claimed,
                    Ordering::AcqRel,
                    Ordering::Acquire,
                ) {
                    Ok(_) => return Scan::Claimed(word * 8 + byte as usize),
                    Err(now) => tags = now,
                }
            }
            if bytes_equal(tags, FROZEN) & USED[word] != 0 {
                return Scan::Frozen;
            }
        }
        Scan::Full
    }

    fn matching(
        &self,
        word: usize,
        tags: u64,
        tag: u8,
        equal: &impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let mut hits = bytes_equal(tags, tag) & USED[word];
        while hits != 0 {
            let byte = (hits.trailing_zeros() / 8) as usize;
            let id = self.id(word * 8 + byte);
            if equal(id) {
                return Some(id);
            }
            hits &= hits - 1;
        }
        None
    }

    /// The number in a claimed place; waits for it to be written.
    fn id(&self, slot: usize) -> u32 {
        loop {
            match self.ids[slot].load(Ordering::Acquire) {
                0 => spin_loop(),
                id => return id - 1,
            }
        }
    }

    /// Fills the free places, so that nothing can be added any more.
    fn freeze(&self) {
        for word in WORDS {
            let mut tags = self.tags[word].load(Ordering::Acquire);
            loop {
                // Each free byte is marked by its high bit.
                let free = free_in(word, tags);
                let frozen = tags | ((free >> 7) * FROZEN as u64);
                match self.tags[word].compare_exchange(
                    tags,
                    frozen,
                    Ordering::AcqRel,
                    Ordering::Acquire,
                ) {
                    Ok(_) => break,
                    Err(now) => tags = now,
                }
            }
        }
    }

    /// Asks for what is known so far of the entries.
    fn prefetch(&self, keys: &impl Keyed) {
        let ids = self.ids.iter().map(|id| id.load(Ordering::Relaxed));
        ids.filter(|&id| id != 0).for_each(|id| keys.prefetch(id - 1));
    }

    fn entries(&self) -> impl Iterator<Item = u32> + '_ {
        (0..WAYS).filter_map(|slot| {
            let tags = self.tags[slot / 8].load(Ordering::Acquire);
            let tag = (tags >> (8 * (slot % 8))) as u8;
            (tag != FREE && tag != FROZEN).then(|| self.id(slot))
        })
    }
}

/// Asks the cache for a place that will be looked at soon.
pub fn ask_for<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect but on the cache.
    #[allow(unsafe_code)]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// The high bit of every free byte of a word of tags.
fn free_in(word: usize, tags: u64) -> u64 {
    bytes_equal(tags, FREE) & USED[word]
}

/// Eight bits of the hash, neither of the special values.
fn tag_of(hash: u64) -> u8 {
    match hash as u8 {
        FREE => 1,
        FROZEN => 0xfe,
        tag => tag,
    }
}

/// The high bit of every byte of `word` that equals `byte`.
fn bytes_equal(word: u64, byte: u8) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let x = word ^ (byte as u64 * 0x0101_0101_0101_0101);
    !(((x & LOW) + LOW) | x | LOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Numbers;

    fn hash(n: u32) -> u64 {
        super::super::mix(n as u64 + 1)
    }

    impl Keyed for Numbers {
        fn hash_of(&self, id: u32) -> u64 {
            hash(id)
        }
    }

    #[test]
    fn bytes_are_compared_one_by_one() {
        for (word, byte, expected) in [
            (0, 0, 0x8080_8080_8080_8080),
            (0x0100_0001_0000_0001, 1, 0x8000_0080_0000_0080),
            (0xff00_0000_0000_00fe, 0xff, 0x8000_0000_0000_0000),
            (0x0001_0001_0001_0001, 0, 0x8000_8000_8000_8000),
        ] {
            assert_eq!(bytes_equal(word, byte), expected, "{word:x} {byte:x}");
        }
    }

    #[test]
    fn what_is_inserted_is_found() {
        let index = Index::default();
        let guard = crossbeam_epoch::pin();
        for n in 0..50_000 {
            let insert = || index.find_or_insert(hash(n), &guard, &Numbers, |id| id == n, || n);
            assert_eq!(insert(), (n, true));
            assert_eq!(insert(), (n, false));
        }
        for n in 0..50_000 {
            let again = index.find_or_insert(hash(n), &guard, &Numbers, |id| id == n, || n);
            assert_eq!(again, (n, false));
        }
    }

    #[test]
    fn threads_that_insert_the_same_agree() {
        let index = Index::default();
        let made: Vec<AtomicU32> = (0..20_000).map(|_| AtomicU32::new(0)).collect();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (index, made) = (&index, &made);
                scope.spawn(move || {
                    for i in 0..20_000u32 {
                        let n = if thread % 2 == 0 { i } else { 19_999 - i };
                        let guard = crossbeam_epoch::pin();
                        let make = || {
                            made[n as usize].fetch_add(1, Ordering::Relaxed);
                            n
                        };
                        let found =
                            index.find_or_insert(hash(n), &guard, &Numbers, |id| id == n, make);
                        assert_eq!(found.0, n);
                    }
                });
            }
        });
        assert!(made.iter().all(|count| count.load(Ordering::Relaxed) == 1));
    }
}
