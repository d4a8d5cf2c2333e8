//! Components seen not long ago, with their ids: a small table in front of
//! the pool. Most steps lead to contents that were there moments before, and
//! the pool is shared and far away.

use exeunt_model::CompId;

/// Longer components go straight to the pool.
const WORDS: usize = 3;
const SLOTS: usize = 1 << 12;

#[derive(Clone, Copy)]
struct Slot {
    words: [u64; WORDS],
    /// Zero: the slot is empty.
    length: u32,
    id: CompId,
}

pub(crate) struct Recent {
    slots: Box<[Slot]>,
}

impl Recent {
    pub fn new() -> Self {
        let empty = Slot { words: [0; WORDS], length: 0, id: CompId(0) };
        Recent { slots: vec![empty; SLOTS].into_boxed_slice() }
    }

    /// The id of these words; `find` asks the pool.
    #[inline]
    pub fn id(&mut self, words: &[u64], find: impl FnOnce() -> CompId) -> CompId {
        if words.len() > WORDS {
            return find();
        }
        let mut key = [0; WORDS];
        key[..words.len()].copy_from_slice(words);
        let slot = &mut self.slots[place(&key)];
        if slot.length == words.len() as u32 && slot.words == key {
            return slot.id;
        }
        let id = find();
        *slot = Slot { words: key, length: words.len() as u32, id };
        id
    }
}

fn place(key: &[u64; WORDS]) -> usize {
    let mixed = key
        .iter()
        .fold(0u64, |sum, word| (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (mixed >> 52) as usize & (SLOTS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_words_have_one_id_and_lengths_count() {
        let mut recent = Recent::new();
        assert_eq!(recent.id(&[7], || CompId(1)), CompId(1));
        assert_eq!(recent.id(&[7], || unreachable!("it is known")), CompId(1));
        assert_eq!(recent.id(&[7, 0], || CompId(2)), CompId(2));
        for number in 0..100_000 {
            let id = recent.id(&[number, number ^ 5], || CompId(number as u32));
            assert_eq!(id, CompId(number as u32));
        }
        assert_eq!(recent.id(&[1, 2, 3, 4], || CompId(9)), CompId(9));
    }
}
