//! A set of numbers found by the hash of what they stand for.
//!
//! Looking up and inserting take no lock. The table is cut into shards, and a
//! shard that is full is copied into a larger table, piece by piece, by whoever
//! comes across what was copied already: nobody waits while there is a piece
//! left. A bucket is one line of the cache: eight bits of hash and the number
//! of each of its twelve entries.
//!
//! What others may see when:
//! - A place is claimed by its tag (compare and exchange); its number is stored
//!   (release) when what it stands for is complete, and read (acquire) by all
//!   who find the tag. Until then they wait for it.
//! - A piece is copied by the one who took its number from `next_piece`. It
//!   freezes each bucket before it reads it: afterwards no place there is free,
//!   so whoever is not found in the old table waits for the new one.
//! - `copied` is added to (release) behind each piece. The thread that has
//!   `growing` swaps the tables (release) when it has read (acquire) that all
//!   pieces are there, so whoever sees the new table sees all of it.
//! - A table that is being filled names the one it is filled from. A helper has
//!   that one pinned, so the address stands for no other.

use std::hint::spin_loop;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use bytemuck::Zeroable;
use crossbeam_epoch::{Atomic, Guard, Owned, Shared};
use crossbeam_utils::CachePadded;
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
/// Buckets that one thread copies at a time when a shard grows.
const PIECE: usize = 512;
/// Buckets on a page of memory.
const PAGE: usize = 4096 / size_of::<Bucket>();
/// Only one in so many insertions into a large table is counted, for all, so
/// that those who insert do not meet at the counter.
const SAMPLE: u32 = 16;

#[repr(align(64))]
#[derive(Zeroable)]
struct Bucket {
    tags: [AtomicU64; 2],
    /// Numbers plus one; zero while one is being written.
    ids: [AtomicU32; WAYS],
}

struct Table {
    buckets: Pages<Bucket>,
    /// The address of the table that this one is filled from.
    source: usize,
    /// The next piece of the source to be copied, and how many have been.
    next_piece: AtomicUsize,
    copied: AtomicUsize,
}

struct Shard {
    table: Atomic<Table>,
    /// The table that the next one is being made of; null if it is not full.
    wider: Atomic<Table>,
    /// How many entries there are, on a line of its own: all look up the table.
    count: CachePadded<AtomicU32>,
    growing: Mutex<()>,
}

pub struct Index {
    shards: Box<[CachePadded<Shard>]>,
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
        let shard = |number: usize| {
            CachePadded::new(Shard {
                table: Atomic::new(Table::new(buckets(number), 0)),
                wider: Atomic::null(),
                count: CachePadded::default(),
                growing: Mutex::default(),
            })
        };
        let bytes: usize = (0..shards).map(|number| buckets(number) * size_of::<Bucket>()).sum();
        Index { shards: (0..shards).map(shard).collect(), bytes: AtomicU64::new(bytes as u64) }
    }

    #[inline]
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
                        if shard.count(hash, table) {
                            self.grow(shard, guard, keys);
                        }
                        return (id, true);
                    }
                    Scan::Full => at = if at + 1 == table.buckets.len() { 0 } else { at + 1 },
                    Scan::Frozen => {
                        shard.wait(table, guard, keys);
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
        let filled = shard.count.load(Ordering::Relaxed) as usize;
        if !old.is_full(filled) && !old.is_packed() {
            return;
        }
        let buckets = old.buckets.len() + old.buckets.len().div_ceil(2);
        let wider = Owned::new(Table::new(buckets, old.address())).into_shared(guard);
        shard.wider.store(wider, Ordering::Release);
        // SAFETY: made above, and freed only after it was unlinked, for which
        // `growing` is needed.
        #[allow(unsafe_code)]
        let table = unsafe { wider.deref() };
        table.fill_from(old, keys);
        while table.copied.load(Ordering::Acquire) < old.pieces() {
            rest();
        }
        let more = (buckets - old.buckets.len()) * size_of::<Bucket>();
        self.bytes.fetch_add(more as u64, Ordering::Relaxed);
        let before = shard.table.swap(wider, Ordering::AcqRel, guard);
        shard.wider.store(Shared::null(), Ordering::Release);
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
            // a table. (A wider one is there only while somebody has.)
            #[allow(unsafe_code)]
            drop(unsafe { table.into_owned() });
        }
    }
}

impl Shard {
    #[inline]
    fn table<'g>(&self, guard: &'g Guard) -> &'g Table {
        let table = self.table.load(Ordering::Acquire, guard);
        // SAFETY: the pointer is never null, and a table is freed only after
        // it was unlinked and every guard from before that is gone.
        #[allow(unsafe_code)]
        unsafe {
            table.deref()
        }
    }

    /// Counts an entry; whether that makes its table too full.
    fn count(&self, hash: u64, table: &Table) -> bool {
        let stands_for = match table.buckets.len() < PIECE {
            true => 1,
            // Bits that choose neither shard nor bucket nor tag.
            false if ((hash >> 40) as u32).is_multiple_of(SAMPLE) => SAMPLE,
            false => return false,
        };
        let before = self.count.fetch_add(stands_for, Ordering::Relaxed);
        table.is_full((before + stands_for) as usize)
    }

    /// Until the table that is being replaced has been; helps with that.
    fn wait(&self, old: &Table, guard: &Guard, keys: &impl Keyed) {
        while std::ptr::eq(self.table(guard), old) {
            let wider = self.wider.load(Ordering::Acquire, guard);
            // SAFETY: a table that was here is freed only after it was
            // unlinked as the table of the shard, when no guard is left.
            #[allow(unsafe_code)]
            if let Some(wider) = unsafe { wider.as_ref() }
                && wider.source == old.address()
            {
                wider.fill_from(old, keys);
            }
            rest();
        }
    }
}

/// Lets others work.
fn rest() {
    spin_loop();
    std::thread::yield_now();
}

impl Table {
    fn new(buckets: usize, source: usize) -> Table {
        let (next_piece, copied) = Default::default();
        Table { buckets: Pages::zeroed(buckets), source, next_piece, copied }
    }

    /// As a name; nothing is ever read there.
    fn address(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }

    fn is_full(&self, entries: usize) -> bool {
        entries * 100 > self.buckets.len() * WAYS * FULL
    }

    fn pieces(&self) -> usize {
        self.buckets.len().div_ceil(PIECE)
    }

    /// Copies the pieces that nobody else has taken.
    fn fill_from(&self, old: &Table, keys: &impl Keyed) {
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
            // To a byte that is not used: writing what was there is no write.
            bucket.tags[1].fetch_or(!USED[1], Ordering::Relaxed);
        }
    }

    /// The first bucket to look in.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        let fraction = (hash >> 8) & 0xffff_ffff;
        ((fraction * self.buckets.len() as u64) >> 32) as usize
    }

    /// Enters a number that is not there yet.
    fn place(&self, hash: u64, id: u32) {
        let mut at = self.home(hash);
        loop {
            let bucket = &self.buckets[at];
            if let Some(slot) = bucket.claim(tag_of(hash)) {
                bucket.ids[slot].store(id + 1, Ordering::Relaxed);
                return;
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
                if free_in(word, tags) == 0 {
                    break;
                }
                match self.claim_in(word, tags, tag) {
                    Ok(slot) => return Scan::Claimed(slot),
                    Err(now) => tags = now,
                }
            }
            if bytes_equal(tags, FROZEN) & USED[word] != 0 {
                return Scan::Frozen;
            }
        }
        Scan::Full
    }

    /// Claims the first free place, for what is not there yet.
    fn claim(&self, tag: u8) -> Option<usize> {
        for word in WORDS {
            let mut tags = self.tags[word].load(Ordering::Relaxed);
            while free_in(word, tags) != 0 {
                match self.claim_in(word, tags, tag) {
                    Ok(slot) => return Some(slot),
                    Err(now) => tags = now,
                }
            }
        }
        None
    }

    /// Claims the first free place of a word with these tags; `Err` are the
    /// tags that it has meanwhile.
    fn claim_in(&self, word: usize, tags: u64, tag: u8) -> Result<usize, u64> {
        let byte = free_in(word, tags).trailing_zeros() / 8;
        let claimed = tags | (tag as u64) << (8 * byte);
        let (success, failure) = (Ordering::AcqRel, Ordering::Acquire);
        let exchanged = self.tags[word].compare_exchange_weak(tags, claimed, success, failure);
        exchanged.map(|_| word * 8 + byte as usize)
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
#[inline]
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
#[inline]
fn free_in(word: usize, tags: u64) -> u64 {
    bytes_equal(tags, FREE) & USED[word]
}

/// Eight bits of the hash, neither of the special values.
#[inline]
fn tag_of(hash: u64) -> u8 {
    match hash as u8 {
        FREE => 1,
        FROZEN => 0xfe,
        tag => tag,
    }
}

/// The high bit of every byte of `word` that equals `byte`.
#[inline]
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
        let made: Vec<AtomicU32> = (0..200_000).map(|_| AtomicU32::new(0)).collect();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (index, made) = (&index, &made);
                scope.spawn(move || {
                    for i in 0..200_000u32 {
                        let n = if thread % 2 == 0 { i } else { 199_999 - i };
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
