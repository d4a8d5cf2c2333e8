//! A set of numbers found by the hash of what they stand for.
//!
//! Looking up and inserting take no lock. The table is cut into shards, and a
//! shard that is full is copied into a larger table, piece by piece, by every
//! thread that comes across a copied bucket: no thread waits while there is a
//! piece left. A bucket is one line of the cache: eight bits of hash and the number
//! of each of its twelve entries.
//!
//! What others may see when:
//! - A place is claimed by its tag (compare and exchange); its number is stored
//!   (release) when what it stands for is complete, and read (acquire) by all
//!   who find the tag. Until then they wait for it.
//! - A piece is copied by the one who took its number from `next_piece`. It
//!   freezes each bucket before it reads it: afterwards no place there is free,
//!   so a thread that does not find its entry in the old table waits for the new one.
//! - `copied` is added to (release) behind each piece. The thread that has
//!   `growing` swaps the tables (release) when it has read (acquire) that all
//!   pieces are there, so a thread that sees the new table sees all of it.
//! - A table that is being filled names the one it is filled from. A helper has
//!   that one pinned, so the address stands for no other.
//!
//! `tests/loom` runs this file and its two parts under every schedule and every
//! result of a load that the memory orders allow, within bounds.

mod bucket;
mod table;

use crossbeam_utils::CachePadded;

use crate::store::sync::epoch::{Atomic, Guard, Owned, Shared};
use crate::store::sync::{AtomicU32, AtomicU64, Mutex, Ordering, spin_loop, yield_now};
use bucket::{Bucket, Scan, WAYS, tag_of};
use table::Table;

/// A power of two. With more of them, each would be too small for large pages
/// when looking up is already bound by the translation of addresses.
const SHARDS: usize = 4;
/// Only one in so many insertions into a large table is counted, for all, so
/// that those who insert do not meet at the counter.
const SAMPLE: u32 = 16;
/// Tables with fewer buckets count every insertion.
const LARGE: usize = 512;

/// A full table is followed by one of so many times its buckets. With less, entries are moved more often, and for
/// every move the record behind an entry is read and hashed again.
const GROWTH: usize = 2;
/// The same while a table is small, so that the room does not matter.
const GROWTH_OF_SMALL: usize = 4;
/// Buckets of a small table: one that is still in the cache.
const SMALL: usize = 1 << 12;

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

impl Default for Index {
    fn default() -> Index {
        Index::new(SHARDS, 0)
    }
}

impl Index {
    /// An index of few entries, which rarely grows.
    pub fn small() -> Index {
        Index::new(1, 0)
    }

    /// One that does not grow before it has more entries than these.
    pub fn with_room(entries: u32) -> Index {
        Index::new(SHARDS, table::buckets_for(entries as usize / SHARDS))
    }

    /// With tables of so many buckets, and a few more.
    fn new(shards: usize, room: usize) -> Index {
        // Different sizes, so that not all grow at the same time.
        let buckets = |shard: usize| room + 1 + shard % 2;
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
                        bucket.fill(slot, id);
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
        if let Some(id) = bucket.first_with(tag_of(hash)) {
            keys.prefetch(id);
        }
    }

    /// Copies a full shard into a larger table, unless another thread does.
    fn grow(&self, shard: &Shard, guard: &Guard, keys: &impl Keyed) {
        let Some(_alone) = shard.growing.try_lock() else { return };
        let old = shard.table(guard);
        let filled = shard.count.load(Ordering::Relaxed) as usize;
        if !old.is_full(filled) && !old.is_packed() {
            return;
        }
        let growth = if old.buckets.len() < SMALL { GROWTH_OF_SMALL } else { GROWTH };
        let buckets = old.buckets.len() * growth;
        let wider = Owned::new(Table::new(buckets, old.address())).into_shared(guard);
        shard.wider.store(wider, Ordering::Release);
        // SAFETY: made above, and freed only after it was unlinked, for which
        // `growing` is needed.
        #[allow(unsafe_code)]
        let table = unsafe { wider.deref() };
        table.fill_with_others(old, keys);
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
            // SAFETY: no other thread has the index any more, and every shard has
            // a table. (A wider one exists only while a thread copies.)
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
        let stands_for = match table.buckets.len() < LARGE {
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

/// Lets others work.
fn rest() {
    spin_loop();
    yield_now();
}
