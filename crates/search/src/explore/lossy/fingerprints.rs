//! 32 bits of a hash for each state (hash compaction). The place in the table
//! is made of other bits of it, so that about fifty tell states apart.

use crate::store::Pages;

/// Fingerprints in a bucket: one line of the cache.
const WAYS: usize = 16;
/// Buckets of the first table; each further one has four times as many.
const FIRST: usize = 1 << 10;
/// A table is full when so many of 100 places are taken.
const FULL: usize = 85;
/// So many states may be new in one expansion, or a few.
const NEARLY: usize = 2048;
/// A further table that is smaller is not worth looking through.
const SMALLEST: u64 = 1 << 20;

struct Table {
    /// Zero is free.
    places: Pages<u32>,
    taken: usize,
}

/// Tables never move; when one is full, a larger one is added.
#[derive(Default)]
pub struct Fingerprints {
    tables: Vec<Table>,
    missed: f64,
}

impl Table {
    fn new(buckets: usize) -> Table {
        Table { places: Pages::zeroed(buckets * WAYS), taken: 0 }
    }

    /// How many more places may be taken.
    fn left(&self) -> usize {
        (self.places.len() * FULL / 100).saturating_sub(self.taken)
    }

    fn bucket(&self, hash: u64) -> usize {
        let buckets = (self.places.len() / WAYS) as u64;
        (((hash >> 32) * buckets) >> 32) as usize * WAYS
    }

    /// Looks through buckets from the home on until one has a free place.
    fn find(&self, hash: u64, print: u32) -> Place {
        let mut at = self.bucket(hash);
        let mut compared = 0;
        loop {
            for place in at..at + WAYS {
                match self.places[place] {
                    0 => return Place::Free { place, compared },
                    known if known == print => return Place::Known,
                    _ => compared += 1,
                }
            }
            at = if at + WAYS == self.places.len() { 0 } else { at + WAYS };
        }
    }
}

enum Place {
    Known,
    Free { place: usize, compared: u32 },
}

impl Fingerprints {
    /// How many buckets the next table is to have.
    fn next(&self) -> usize {
        FIRST << (2 * self.tables.len())
    }

    /// Whether a further table is needed soon.
    pub fn is_nearly_full(&self) -> bool {
        self.tables.last().is_some_and(|table| table.left() < NEARLY.min(table.places.len() / 8))
    }

    /// Adds a table that takes no more than so many bytes. Returns `false` if
    /// that is too little.
    pub fn grow(&mut self, room: u64) -> bool {
        let buckets = (room / (WAYS as u64 * 4)).min(self.next() as u64);
        let fits = buckets * WAYS as u64 * 4 >= SMALLEST.min(self.bytes());
        if fits {
            self.tables.push(Table::new(buckets as usize));
        }
        fits
    }

    pub fn insert(&mut self, hash: u64) -> bool {
        let print = (hash as u32).max(1);
        if self.tables.last().is_none_or(|table| table.left() == 0) {
            self.tables.push(Table::new(self.next()));
        }
        let mut total = 0;
        let mut free = 0;
        for table in self.tables.iter().rev() {
            match table.find(hash, print) {
                Place::Known => return false,
                Place::Free { place, compared } => {
                    total += compared;
                    if std::ptr::eq(table, &self.tables[self.tables.len() - 1]) {
                        free = place;
                    }
                }
            }
        }
        let table = self.tables.last_mut().expect("one was made");
        table.places.as_mut_slice()[free] = print;
        table.taken += 1;
        // Had it been another state, it would have met one of these.
        self.missed += total as f64 / 2f64.powi(32);
        true
    }

    pub fn missed(&self) -> f64 {
        self.missed
    }

    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(|table| table.places.len() as u64 * 4).sum()
    }
}

#[cfg(test)]
mod tests {
    use exeunt_random::Random;

    use super::*;

    #[test]
    fn different_hashes_are_different_states() {
        let mut prints = Fingerprints::default();
        let mut random = Random::new(0);
        let hashes: Vec<u64> = (0..200_000).map(|_| random.bits()).collect();
        for hash in &hashes {
            assert!(prints.insert(*hash), "{hash}");
        }
        for hash in &hashes {
            assert!(!prints.insert(*hash), "{hash}");
        }
        assert!(prints.missed() < 0.01);
        assert!(!prints.grow(1 << 16) && prints.grow(1 << 20));
        assert!(!prints.insert(hashes[17]) && prints.insert(random.bits()));
        assert!(prints.bytes() < 200_000 * 40);
    }
}
