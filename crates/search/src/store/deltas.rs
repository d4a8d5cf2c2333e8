//! What named changes do to records. A machine that remembers its steps names their effects (see
//! [`Change`]); a column's number before and after such a change is always the same, so the bits of
//! the record that flip and the difference of the hash's sum are, too, as long as records have the
//! same format.
//!
//! [`Change`]: exeunt_model::Change

/// Changes of more words than this are not kept.
const WORDS: usize = 3;
/// At first, and at most.
const FEW: usize = 1 << 8;
const MOST: usize = 1 << 16;

/// What one change does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Delta {
    /// Plus one; zero: none.
    name: u64,
    /// To be added to the sum of the hash.
    sum: u64,
    /// The format of records it is about.
    format: u32,
    /// Words of the record; where fewer change, one is named again with nothing to flip.
    at: [u16; WORDS],
    /// Which of their bits change.
    flips: [u32; WORDS],
}

impl Delta {
    /// Makes the record of a state that of its successor; gives its sum.
    #[inline]
    pub fn apply(&self, words: &mut [u32], sum: u64) -> u64 {
        for (at, flips) in self.at.iter().zip(self.flips) {
            words[usize::from(*at)] ^= flips;
        }
        sum.wrapping_add(self.sum)
    }
}

/// The changes met last, by name.
pub struct Deltas {
    slots: Vec<Delta>,
}

impl Default for Deltas {
    fn default() -> Deltas {
        Deltas { slots: vec![Delta::default(); FEW] }
    }
}

impl Deltas {
    /// What this change does to records of a format, if that is known.
    #[inline]
    pub fn get(&self, name: u64, format: u32) -> Option<&Delta> {
        let delta = &self.slots[name as usize & (self.slots.len() - 1)];
        (delta.name == name + 1 && delta.format == format).then_some(delta)
    }

    /// Notes what a change did: records before and after, and the difference of the sums.
    pub fn learn(&mut self, name: u64, format: u32, before: &[u32], after: &[u32], sum: u64) {
        let mut delta = Delta { name: name + 1, sum, format, ..Delta::default() };
        let changed = before.iter().zip(after).enumerate().filter(|(_, (old, new))| old != new);
        for (number, (at, (old, new))) in changed.enumerate() {
            let Some(flips) = delta.flips.get_mut(number) else { return };
            let Ok(at) = u16::try_from(at) else { return };
            *flips = old ^ new;
            delta.at[number] = at;
        }
        // Names are given out in a row: while there are few, none takes the place of another.
        let low = name as usize & (MOST - 1);
        while low >= self.slots.len() {
            self.widen();
        }
        let at = name as usize & (self.slots.len() - 1);
        self.slots[at] = delta;
    }

    fn widen(&mut self) {
        let wider = vec![Delta::default(); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, wider);
        for delta in old.into_iter().filter(|delta| delta.name > 0) {
            let at = (delta.name - 1) as usize & (self.slots.len() - 1);
            self.slots[at] = delta;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_found_by_name_and_format() {
        let mut deltas = Deltas::default();
        for name in 0..100_000u64 {
            let after = [name as u32 | 1, 7, 0];
            deltas.learn(name, 5, &[0, 7, 9], &after, name * 3);
            let delta = deltas.get(name, 5).expect("it was learnt");
            let mut words = [0, 7, 9];
            assert_eq!((delta.apply(&mut words, 1), words), (name * 3 + 1, after));
            assert!(deltas.get(name, 4).is_none() && deltas.get(name + (1 << 32), 5).is_none());
        }
        deltas.learn(1 << 40, 5, &[0; 4], &[1; 4], 0);
        assert!(deltas.get(1 << 40, 5).is_none(), "four words are too many");
    }
}
