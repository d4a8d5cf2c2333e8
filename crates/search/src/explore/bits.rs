//! A set of states, one bit each.

#[derive(Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
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
