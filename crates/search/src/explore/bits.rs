//! A set of states, one bit each. It grows with what is inserted and knows its
//! capacity, which `--memory` counts; `fixedbitset` tells neither.

#[derive(Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    #[inline]
    pub fn contains(&self, state: u32) -> bool {
        let word = self.words.get(state as usize / 64);
        word.is_some_and(|word| word >> (state % 64) & 1 == 1)
    }

    pub fn insert(&mut self, state: u32) {
        let word = state as usize / 64;
        if self.words.len() <= word {
            self.words.resize((word + 1).max(self.words.len() * 3 / 2), 0);
        }
        self.words[word] |= 1 << (state % 64);
    }

    pub fn remove(&mut self, state: u32) {
        if let Some(word) = self.words.get_mut(state as usize / 64) {
            *word &= !(1 << (state % 64));
        }
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_and_go() {
        let mut bits = Bits::default();
        (0..2000).step_by(3).for_each(|state| bits.insert(state));
        (0..2000).step_by(2).for_each(|state| bits.remove(state));
        bits.remove(1 << 20);
        for state in 0..2100 {
            let expected = state < 2000 && state % 3 == 0 && state % 2 == 1;
            assert_eq!(bits.contains(state), expected, "{state}");
        }
    }
}
