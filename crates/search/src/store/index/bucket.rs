//! A line of the cache with twelve entries.

use super::Keyed;
use crate::store::sync::{AtomicU32, AtomicU64, Ordering, begins_as_zeros, spin_loop};

/// Entries in a bucket: 16 bytes of tags (four unused) and twelve numbers.
pub const WAYS: usize = 12;
/// Tag of a free place, and of one in a table that is being replaced.
const FREE: u8 = 0;
const FROZEN: u8 = 0xff;
/// The bytes of the second word of tags that are used.
const USED: [u64; 2] = [u64::MAX, 0xffff_ffff];
/// The words of tags of a bucket.
const WORDS: [usize; 2] = [0, 1];

begins_as_zeros! {
    #[repr(align(64))]
    pub struct Bucket {
        tags: [AtomicU64; 2],
        /// Numbers plus one; zero while one is being written.
        ids: [AtomicU32; WAYS],
    }
}

/// The outcome of scanning one bucket.
pub enum Scan {
    Found(u32),
    Claimed(usize),
    Full,
    Frozen,
}

impl Bucket {
    /// Looks for an equal entry, and claims the first free place if there is
    /// none. Places are claimed in order and never given back, so two threads
    /// that insert the same thing meet at the same word of tags.
    #[inline]
    pub fn scan(&self, tag: u8, equal: &impl Fn(u32) -> bool) -> Scan {
        loop {
            // In this order: a place of the second word is claimed only where the first has none left.
            let tags = self.tags();
            let mut hits = slots_equal(tags, tag);
            while hits != 0 {
                let id = self.id(hits.trailing_zeros() as usize);
                if equal(id) {
                    return Scan::Found(id);
                }
                hits &= hits - 1;
            }
            let free = slots_equal(tags, FREE);
            if free == 0 {
                return if slots_equal(tags, FROZEN) == 0 { Scan::Full } else { Scan::Frozen };
            }
            let (word, tags) = if free & 0xff != 0 { (0, tags.0) } else { (1, tags.1) };
            if let Ok(slot) = self.claim_in(word, tags, tag) {
                return Scan::Claimed(slot);
            }
        }
    }

    /// Both words of tags. Not as an array: that would be written to memory and read again.
    #[inline]
    fn tags(&self) -> (u64, u64) {
        let first = self.tags[0].load(Ordering::Acquire);
        (first, self.tags[1].load(Ordering::Acquire))
    }

    /// Writes the number of a claimed place, which is complete.
    #[inline]
    pub fn fill(&self, slot: usize, id: u32) {
        self.ids[slot].store(id + 1, Ordering::Release);
    }

    /// Makes its page one that is written to.
    pub fn touch(&self) {
        // A byte that is not used: writing what was there is no write.
        self.tags[1].fetch_or(!USED[1], Ordering::Relaxed);
    }

    /// Whether there is no free place.
    pub fn is_packed(&self) -> bool {
        WORDS.iter().all(|&word| free_in(word, self.tags[word].load(Ordering::Relaxed)) == 0)
    }

    /// The first number with this tag, if it is written already.
    #[inline]
    pub fn first_with(&self, tag: u8) -> Option<u32> {
        let hits = slots_equal(self.tags(), tag);
        let slot = (hits != 0).then(|| hits.trailing_zeros() as usize)?;
        self.ids[slot].load(Ordering::Acquire).checked_sub(1)
    }

    /// Claims the first free place, for what is not there yet.
    #[inline]
    pub fn claim(&self, tag: u8) -> Option<usize> {
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
    #[inline]
    fn claim_in(&self, word: usize, tags: u64, tag: u8) -> Result<usize, u64> {
        let byte = free_in(word, tags).trailing_zeros() / 8;
        let claimed = tags | (tag as u64) << (8 * byte);
        let (success, failure) = (Ordering::AcqRel, Ordering::Acquire);
        let exchanged = self.tags[word].compare_exchange_weak(tags, claimed, success, failure);
        exchanged.map(|_| word * 8 + byte as usize)
    }

    /// The number in a claimed place; waits for it to be written.
    #[inline]
    fn id(&self, slot: usize) -> u32 {
        loop {
            match self.ids[slot].load(Ordering::Acquire) {
                0 => spin_loop(),
                id => return id - 1,
            }
        }
    }

    /// Fills the free places, so that nothing can be added any more.
    pub fn freeze(&self) {
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
    pub fn prefetch(&self, keys: &impl Keyed) {
        let ids = self.ids.iter().map(|id| id.load(Ordering::Relaxed));
        ids.filter(|&id| id != 0).for_each(|id| keys.prefetch(id - 1));
    }

    pub fn entries(&self) -> impl Iterator<Item = u32> + '_ {
        (0..WAYS).filter_map(|slot| {
            let tags = self.tags[slot / 8].load(Ordering::Acquire);
            let tag = (tags >> (8 * (slot % 8))) as u8;
            (tag != FREE && tag != FROZEN).then(|| self.id(slot))
        })
    }
}

/// The places with this tag, as bits.
#[inline]
fn slots_equal(tags: (u64, u64), tag: u8) -> u32 {
    const ALL: u32 = (1 << WAYS) - 1;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this architecture has these instructions.
    #[allow(unsafe_code)]
    let slots = unsafe {
        use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8};
        let all = _mm_set_epi64x(tags.1 as i64, tags.0 as i64);
        _mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8(tag as i8))) as u32
    };
    #[cfg(not(target_arch = "x86_64"))]
    let slots = one_by_one(tags, tag);
    slots & ALL
}

/// The same without the instructions for it.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn one_by_one(tags: (u64, u64), tag: u8) -> u32 {
    let bytes = [tags.0, tags.1].into_iter().flat_map(|word| word.to_le_bytes()).enumerate();
    bytes.fold(0, |slots, (at, byte)| slots | u32::from(byte == tag) << at)
}

/// The high bit of every free byte of a word of tags.
#[inline]
fn free_in(word: usize, tags: u64) -> u64 {
    bytes_equal(tags, FREE) & USED[word]
}

/// Eight bits of the hash, neither of the special values.
#[inline]
pub fn tag_of(hash: u64) -> u8 {
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

    #[test]
    fn places_are_found_by_their_tags() {
        let mut word = 0x0123_4567_89ab_cdefu64;
        for round in 0..2000u64 {
            word = word.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ round;
            let tags = (word & 0x0300_ff01_0003_ff00, word.rotate_left(23) & 0x03ff_0300_01ff);
            for tag in [FREE, 1, 3, FROZEN] {
                assert_eq!(slots_equal(tags, tag), one_by_one(tags, tag) & 0xfff);
            }
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
}
