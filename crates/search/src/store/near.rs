//! A vector with its record and its hash: most vectors are made from, or compared with, one that differs in few places.

use exeunt_model::CompId;

use super::numbers::Numbers;
use super::states::Finger;

/// A state: its components, their numbers, its record and the sum
/// of its hash. Most insertions are successors of the one loaded last, with few other components.
#[derive(Default)]
pub struct Near {
    pub components: Vec<CompId>,
    pub numbers: Vec<u32>,
    pub packed: Vec<u32>,
    pub sum: u64,
    /// The format of new records, if `packed` has it and the rest belongs to it.
    pub format: Option<u32>,
}

impl Near {
    /// Whether there is a state of this length.
    #[inline]
    pub fn is_there(&self, len: usize) -> bool {
        self.components.len() == len && !self.packed.is_empty()
    }

    /// Takes up the numbers of another state; its record is there already.
    pub fn become_numbers(&mut self, finger: &Finger, known: &mut Numbers, numbers: &[u32]) {
        let Near { components, numbers: own, sum, .. } = self;
        if own.len() != numbers.len() {
            own.clear();
            own.extend_from_slice(numbers);
            components.clear();
            let each = numbers.iter().enumerate();
            components.extend(each.map(|(at, &number)| known.component(&finger.shape, at, number)));
            *sum = finger.layout.sum(numbers);
            return;
        }
        for (at, (old, &number)) in own.iter_mut().zip(numbers).enumerate() {
            if *old != number {
                let field = finger.layout.column(at);
                *sum = sum.wrapping_add(field.weigh(number)).wrapping_sub(field.weigh(*old));
                components[at] = known.component(&finger.shape, at, number);
                *old = number;
            }
        }
    }

    /// From one state to another, with a record of the same format: columns without bits have
    /// the same value in both, and so have those in words that are equal.
    pub fn step(&mut self, finger: &Finger, numbers: &mut Numbers, packed: &[u32]) {
        for (word, (old, &new)) in self.packed.iter_mut().zip(packed).enumerate() {
            if *old == new {
                continue;
            }
            for field in finger.layout.in_word(word) {
                if field.extract(*old ^ new) != 0 {
                    let (before, number) = (field.extract(*old), field.extract(new));
                    let at = field.column as usize;
                    self.numbers[at] = number;
                    self.components[at] = numbers.component(&finger.shape, at, number);
                    let less = field.weigh(before);
                    self.sum = self.sum.wrapping_add(field.weigh(number)).wrapping_sub(less);
                }
            }
            *old = new;
        }
    }
}
