//! The values that one position of the vectors has taken, numbered as they
//! come. Few positions have many, so that a number needs few bits.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crossbeam_epoch::Guard;

use super::index::{Index, Keyed};
use super::mix;
use super::segments::Segments;

/// Most columns have one value for ever, so the first one is kept here, and the rest is made
/// when there is a second.
#[derive(Default)]
pub struct Column {
    /// The value with number 0, plus one; zero while there is none.
    first: AtomicU64,
    rest: OnceLock<Box<Rest>>,
}

/// The values from number 1 on.
struct Rest {
    values: Segments<AtomicU32>,
    index: Index,
    taken: AtomicU32,
}

fn hash_value(value: u32) -> u64 {
    mix((value as u64 + 1).wrapping_mul(0xff51_afd7_ed55_8ccd))
}

impl Keyed for Segments<AtomicU32> {
    fn hash_of(&self, id: u32) -> u64 {
        hash_value(self.at(id).load(Ordering::Relaxed))
    }
}

impl Default for Rest {
    fn default() -> Rest {
        // The entry 0 of `values` stays empty.
        let (values, taken) = (Segments::default(), AtomicU32::new(1));
        Rest { values, index: Index::small(), taken }
    }
}

impl Rest {
    fn number(&self, value: u32, guard: &Guard) -> u32 {
        let equal = |id| self.values.at(id).load(Ordering::Relaxed) == value;
        let make = || {
            let id = self.taken.fetch_add(1, Ordering::Relaxed);
            self.values.at(id).store(value, Ordering::Relaxed);
            id
        };
        self.index.find_or_insert(hash_value(value), guard, &self.values, equal, make).0
    }

    fn bytes(&self) -> u64 {
        self.index.bytes() + self.taken.load(Ordering::Relaxed) as u64 * 4
    }
}

impl Column {
    /// The number of a value in this column.
    pub fn number(&self, value: u32, guard: &Guard) -> u32 {
        let word = value as u64 + 1;
        // The one word is all that others see of it, so no order is needed.
        let first = match self.first.load(Ordering::Relaxed) {
            0 => self.first.compare_exchange(0, word, Ordering::Relaxed, Ordering::Relaxed),
            first => Err(first),
        };
        match first {
            Ok(_) => 0,
            Err(first) if first == word => 0,
            Err(_) => self.rest.get_or_init(Box::default).number(value, guard),
        }
    }

    pub fn value(&self, number: u32) -> u32 {
        match (number, self.rest.get()) {
            (0, _) => (self.first.load(Ordering::Relaxed) - 1) as u32,
            (_, Some(rest)) => rest.values.at(number).load(Ordering::Relaxed),
            (_, None) => unreachable!("a number is given out with its value"),
        }
    }

    pub fn bytes(&self) -> u64 {
        size_of::<Column>() as u64 + self.rest.get().map_or(0, |rest| rest.bytes())
    }
}

/// What a number in a column is multiplied with for the hash of a vector,
/// which is the sum: so it can be made from that of a vector nearby. The first
/// value of a column, zero, contributes nothing: most columns never have another.
pub fn factor(column: usize) -> u64 {
    mix(mix(column as u64 + 1).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)) | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbered_as_they_come() {
        let column = Column::default();
        let guard = crossbeam_epoch::pin();
        for round in 0..2 {
            for value in 0..5000u32 {
                assert_eq!(column.number(value * 7, &guard), value, "round {round}");
            }
        }
        assert!((0..5000).all(|number| column.value(number) == number * 7));
    }

    #[test]
    fn a_column_with_one_value_takes_few_bytes() {
        let column = Column::default();
        let guard = crossbeam_epoch::pin();
        assert_eq!((column.number(u32::MAX, &guard), column.value(0)), (0, u32::MAX));
        assert!(column.bytes() <= 32);
    }
}
