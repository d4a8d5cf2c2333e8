//! The values that one position of the vectors has taken, numbered as they
//! come. Few positions have many, so that a number needs few bits.

use std::sync::atomic::{AtomicU32, Ordering};

use crossbeam_epoch::Guard;

use super::index::{Index, Keyed};
use super::mix;
use super::segments::Segments;

pub struct Column {
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

impl Default for Column {
    fn default() -> Column {
        let (values, taken) = (Segments::default(), AtomicU32::new(0));
        Column { values, index: Index::small(), taken }
    }
}

impl Column {
    /// The number of a value in this column.
    pub fn number(&self, value: u32, guard: &Guard) -> u32 {
        let equal = |id| self.values.at(id).load(Ordering::Relaxed) == value;
        let make = || {
            let id = self.taken.fetch_add(1, Ordering::Relaxed);
            self.values.at(id).store(value, Ordering::Relaxed);
            id
        };
        self.index.find_or_insert(hash_value(value), guard, &self.values, equal, make).0
    }

    pub fn value(&self, number: u32) -> u32 {
        self.values.at(number).load(Ordering::Relaxed)
    }

    pub fn bytes(&self) -> u64 {
        self.index.bytes() + self.taken.load(Ordering::Relaxed) as u64 * 4
    }
}

/// What a number in a column is multiplied with for the hash of a vector,
/// which is the sum: so it can be made from that of a vector nearby. The first
/// value of a column, zero, contributes nothing: most columns never have another.
pub fn factor(column: usize) -> u64 {
    mix(mix(column as u64 + 1).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)) | 1
}
