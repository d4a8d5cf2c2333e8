//! A set of states, a bit each.

use crate::store::StateId;

#[derive(Debug, Default)]
pub struct Members {
    words: Vec<u64>,
}

fn place(state: StateId) -> (usize, u64) {
    (state.0 as usize / 64, 1 << (state.0 % 64))
}

impl Members {
    #[inline]
    pub fn contains(&self, state: StateId) -> bool {
        let (word, bit) = place(state);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    pub fn insert(&mut self, state: StateId) {
        let (word, bit) = place(state);
        if self.words.len() <= word {
            self.words.resize((word + 1).max(self.words.len() * 3 / 2), 0);
        }
        self.words[word] |= bit;
    }

    pub fn remove(&mut self, state: StateId) {
        let (word, bit) = place(state);
        if let Some(word) = self.words.get_mut(word) {
            *word &= !bit;
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
    fn members_come_and_go() {
        let mut members = Members::default();
        for state in (0..2000).step_by(3).map(StateId) {
            members.insert(state);
        }
        for state in (0..2000).step_by(2).map(StateId) {
            members.remove(state);
        }
        members.remove(StateId(1 << 20));
        for state in 0..2100 {
            let expected = state < 2000 && state % 3 == 0 && state % 2 == 1;
            assert_eq!(members.contains(StateId(state)), expected, "{state}");
        }
    }
}
