//! The values that one position of the vectors has taken, numbered as they
//! come. Few positions have many, so that a number needs few bits.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crossbeam_epoch::Guard;

use super::index::{Index, Keyed};
use super::mix;
use super::segments::Segments;

/// How many values a column has before they are looked up by their hash.
const FEW: usize = 8;

/// Most columns have one value for ever, so the first one is kept here; many have a few, which
/// are compared one after the other. The rest is made when there are more.
#[derive(Default)]
pub struct Column {
    first: Slot,
    few: OnceLock<Box<[Slot; FEW - 1]>>,
    rest: OnceLock<Box<Rest>>,
}

/// A value, plus one; zero while there is none. A value stays for ever, and slots are filled in
/// order, so two threads that look for the same value find or fill the same slot.
#[derive(Default)]
struct Slot(AtomicU64);

impl Slot {
    /// Whether the value is here, now at the latest.
    fn holds(&self, value: u32) -> bool {
        let word = value as u64 + 1;
        // The one word is all that others see of it, so no order is needed.
        let seen = match self.0.load(Ordering::Relaxed) {
            0 => self.0.compare_exchange(0, word, Ordering::Relaxed, Ordering::Relaxed),
            seen => Err(seen),
        };
        seen.map_or_else(|seen| seen == word, |_| true)
    }

    fn value(&self) -> u32 {
        (self.0.load(Ordering::Relaxed) - 1) as u32
    }
}

/// The values from number `FEW` on.
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
        // The entries of the first values stay empty.
        let (values, taken) = (Segments::default(), AtomicU32::new(FEW as u32));
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
        let values = self.taken.load(Ordering::Relaxed) as u64 * 4;
        size_of::<Rest>() as u64 + self.index.bytes() + values
    }
}

impl Column {
    /// The number of a value in this column.
    pub fn number(&self, value: u32, guard: &Guard) -> u32 {
        if self.first.holds(value) {
            return 0;
        }
        let few = self.few.get_or_init(Box::default);
        match few.iter().position(|slot| slot.holds(value)) {
            Some(at) => at as u32 + 1,
            None => self.rest.get_or_init(Box::default).number(value, guard),
        }
    }

    pub fn value(&self, number: u32) -> u32 {
        match (number as usize, self.few.get(), self.rest.get()) {
            (0, _, _) => self.first.value(),
            (number, Some(few), _) if number < FEW => few[number - 1].value(),
            (_, _, Some(rest)) => rest.values.at(number).load(Ordering::Relaxed),
            (_, _, None) => unreachable!("a number is given out with its value"),
        }
    }

    pub fn bytes(&self) -> u64 {
        let few = self.few.get().map_or(0, |few| size_of_val(&**few));
        (size_of::<Column>() + few) as u64 + self.rest.get().map_or(0, |rest| rest.bytes())
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
    fn threads_agree_on_the_numbers() {
        for round in 0..200 {
            let column = Column::default();
            let numbers = |shift: u32| {
                let guard = crossbeam_epoch::pin();
                let number = |at: u32| column.number((at + shift) % 20, &guard);
                let mut all: Vec<u32> = (0..20).map(number).collect();
                all.rotate_right(shift as usize);
                all
            };
            let all: Vec<Vec<u32>> = std::thread::scope(|scope| {
                let workers = [0, 3, round % 20].map(|shift| scope.spawn(move || numbers(shift)));
                workers.map(|worker| worker.join().expect("it does not fail")).into()
            });
            assert!(all.iter().all(|numbers| *numbers == all[0]));
            let mut sorted = all[0].clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..20).collect::<Vec<u32>>());
            let values = all[0].iter().map(|&number| column.value(number));
            assert_eq!(values.collect::<Vec<u32>>(), (0..20).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn a_column_with_one_value_takes_few_bytes() {
        let column = Column::default();
        let guard = crossbeam_epoch::pin();
        assert_eq!((column.number(u32::MAX, &guard), column.value(0)), (0, u32::MAX));
        assert!(column.bytes() <= 40);
    }
}
