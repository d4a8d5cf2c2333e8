//! Numbers of components in columns that were looked up lately.

use exeunt_model::CompId;

/// A power of two.
const SLOTS: usize = 1 << 10;

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    number: u32,
}

pub struct Recent(Box<[Slot]>);

impl Default for Recent {
    fn default() -> Recent {
        Recent(vec![Slot::default(); SLOTS].into())
    }
}

impl Recent {
    /// The number of a component in a column of vectors of this length, asked
    /// of `look_up` if it is not at hand.
    pub fn number(
        &mut self,
        (len, column): (usize, usize),
        comp: CompId,
        look_up: impl FnOnce() -> u32,
    ) -> u32 {
        // Columns of longer vectors have no key. None is zero: no vector with
        // a column is empty.
        if len >= 1 << 16 {
            return look_up();
        }
        let key = (comp.0 as u64) << 32 | (len as u64) << 16 | column as u64;
        let slot = &mut self.0[super::mix(key) as usize % SLOTS];
        if slot.key != key {
            *slot = Slot { key, number: look_up() };
        }
        slot.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_their_column() {
        let mut recent = Recent::default();
        for round in 0..2 {
            for at in 0..5000u32 {
                let place = (1 + at as usize % 7, at as usize % 3);
                let number = recent.number(place, CompId(at), || at + 1);
                assert_eq!(number, at + 1, "round {round}");
            }
        }
        assert_eq!(recent.number((2, 0), CompId(1), || 8), 8);
        assert_eq!(recent.number((2, 0), CompId(1), || 9), 8, "it is at hand");
        assert_eq!(recent.number((1 << 16, 0), CompId(1), || 7), 7);
    }
}
