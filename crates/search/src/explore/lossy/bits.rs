//! Three bits for each state in an array that does not grow (Holzmann's
//! bitstate hashing).

use crate::store::Pages;

/// Bits set for each state.
const BITS: u64 = 3;

pub struct Bits {
    words: Pages<u64>,
    mask: u64,
    set: u64,
    /// Sum over all states met of the chance to be taken for others.
    missed: f64,
}

impl Bits {
    /// An array of at most so many bytes, rounded down to a power of two.
    pub fn new(bytes: u64) -> Bits {
        let words = 1u64 << (bytes / 8).max(8).ilog2();
        Bits { words: Pages::zeroed(words as usize), mask: words * 64 - 1, set: 0, missed: 0.0 }
    }

    pub fn insert(&mut self, (first, step): (u64, u64)) -> bool {
        let mut added = 0;
        let words = self.words.as_mut_slice();
        for i in 0..BITS {
            let bit = first.wrapping_add(i.wrapping_mul(step | 1)) & self.mask;
            let word = &mut words[(bit / 64) as usize];
            added += u64::from(*word & (1 << (bit % 64)) == 0);
            *word |= 1 << (bit % 64);
        }
        if added == 0 {
            return false;
        }
        // Had it been another state, all its bits would have been set with
        // this chance: as many are missed for each one that is not.
        let full = self.set as f64 / (self.mask + 1) as f64;
        let chance = full.powi(BITS as i32);
        self.missed += chance / (1.0 - chance).max(1e-9);
        self.set += added;
        true
    }

    pub fn missed(&self) -> f64 {
        self.missed
    }

    pub fn bytes(&self) -> u64 {
        (self.mask + 1) / 8
    }
}

#[cfg(test)]
mod tests {
    use exeunt_random::Random;

    use super::*;

    fn hashes(seed: u64) -> impl Iterator<Item = (u64, u64)> {
        let mut random = Random::new(seed);
        std::iter::from_fn(move || Some((random.bits(), random.bits())))
    }

    #[test]
    fn the_estimate_is_near_what_is_missed() {
        for states in [2_000, 10_000, 30_000] {
            let mut bits = Bits::new(1 << 13);
            let missed = hashes(7).take(states).filter(|&hash| !bits.insert(hash)).count() as f64;
            let estimate = bits.missed();
            assert!(
                (missed - estimate).abs() < 0.1 * states as f64 * 0.5 + 30.0,
                "{states}: {missed} missed, {estimate} estimated"
            );
        }
    }

    #[test]
    fn what_was_inserted_is_seen() {
        let mut bits = Bits::new(1 << 20);
        for hash in hashes(3).take(1000) {
            bits.insert(hash);
            assert!(!bits.insert(hash));
        }
    }
}
