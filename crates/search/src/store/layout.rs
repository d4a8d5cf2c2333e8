//! Where in a record the number of each column is.

use super::columns::factor;

/// Columns that have taken only one value have no bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    fields: Vec<Field>,
    /// For every column, also those without bits.
    columns: Vec<Field>,
    /// The fields in the order of words, and where those of each word begin.
    by_word: Vec<Field>,
    begins: Vec<u32>,
    /// Words of a record.
    words: usize,
}

/// The bits of one column: within one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// For the hash.
    pub factor: u64,
    pub column: u32,
    pub word: u32,
    /// As many bits as it has.
    mask: u32,
    pub shift: u8,
    pub bits: u8,
}

impl Field {
    fn without_bits(column: usize) -> Field {
        Field { factor: factor(column), column: column as u32, word: 0, mask: 0, shift: 0, bits: 0 }
    }

    #[inline]
    pub fn holds(self, number: u32) -> bool {
        self.bits == 32 || number >> self.bits == 0
    }

    /// The number in a word of a record.
    #[inline]
    pub fn extract(self, word: u32) -> u32 {
        (word >> self.shift) & self.mask
    }

    /// Its part of the hash of a vector.
    #[inline]
    pub fn weigh(self, number: u32) -> u64 {
        u64::from(number).wrapping_mul(self.factor)
    }
}

impl Layout {
    /// Fields of the given widths, packed so that none crosses a word: the
    /// widest first, each into the first word with room.
    pub fn new(widths: &[u8]) -> Layout {
        let mut order: Vec<usize> = (0..widths.len()).filter(|&c| widths[c] > 0).collect();
        order.sort_by_key(|&column| std::cmp::Reverse(widths[column]));
        let mut used: Vec<u8> = Vec::new();
        let mut fields = Vec::with_capacity(order.len());
        for column in order {
            let bits = widths[column];
            let word = match used.iter().position(|&taken| taken + bits <= 32) {
                Some(word) => word,
                None => {
                    used.push(0);
                    used.len() - 1
                }
            };
            let shift = used[word];
            let mask = u32::MAX >> (32 - bits);
            let none = Field::without_bits(column);
            fields.push(Field { shift, bits, mask, word: word as u32, ..none });
            used[word] += bits;
        }
        fields.sort_by_key(|field| field.column);
        let mut columns: Vec<Field> = (0..widths.len()).map(Field::without_bits).collect();
        for field in &fields {
            columns[field.column as usize] = *field;
        }
        let words = used.len().max(1);
        let mut by_word = fields.clone();
        by_word.sort_by_key(|field| field.word);
        let begin = |word: usize| by_word.partition_point(|field| (field.word as usize) < word);
        let begins = (0..=words).map(|word| begin(word) as u32).collect();
        Layout { fields, columns, by_word, begins, words }
    }

    /// The fields in one word of a record.
    #[inline]
    pub fn in_word(&self, word: usize) -> &[Field] {
        &self.by_word[self.begins[word] as usize..self.begins[word + 1] as usize]
    }

    /// The bits of a column, which may be none.
    #[inline]
    pub fn column(&self, column: usize) -> Field {
        self.columns[column]
    }

    /// Those with bits.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Whether all numbers have room.
    pub fn holds(&self, numbers: &[u32]) -> bool {
        self.columns.iter().zip(numbers).all(|(field, &number)| field.holds(number))
    }

    /// The record of these numbers, which have room.
    pub fn pack(&self, numbers: &[u32], out: &mut Vec<u32>) {
        let start = out.len();
        out.resize(start + self.words, 0);
        for field in &self.fields {
            out[start + field.word as usize] |= numbers[field.column as usize] << field.shift;
        }
    }

    pub fn words(&self) -> usize {
        self.words
    }

    /// The numbers of a record.
    pub fn unpack(&self, words: &[u32], out: &mut Vec<u32>) {
        out.clear();
        out.extend(self.columns.iter().map(|field| field.extract(words[field.word as usize])));
    }

    /// What the hash of a vector is made from.
    pub fn sum(&self, numbers: &[u32]) -> u64 {
        let parts = self.columns.iter().zip(numbers).map(|(field, &number)| field.weigh(number));
        parts.fold(0, u64::wrapping_add)
    }

    /// The same from the words of a record.
    #[inline]
    pub fn sum_of(&self, words: impl Iterator<Item = u32>) -> u64 {
        let mut sum = 0u64;
        for (at, word) in words.enumerate() {
            for field in self.in_word(at) {
                sum = sum.wrapping_add(field.weigh(field.extract(word)));
            }
        }
        sum
    }

    /// The widths that also have room for these numbers.
    pub fn widened(&self, numbers: &[u32]) -> Vec<u8> {
        let needed = numbers.iter().map(|number| 32 - number.leading_zeros() as u8);
        self.columns.iter().zip(needed).map(|(field, needed)| field.bits.max(needed)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_touch_each_other() {
        let widths = [3, 0, 32, 17, 17, 1, 0, 15, 9, 31];
        let layout = Layout::new(&widths);
        assert_eq!(layout.words(), 4);
        let mut words = vec![0; layout.words()];
        let number = |field: &Field| (0x9abc_def1u64 & ((1 << field.bits) - 1)) as u32;
        for field in &layout.fields {
            assert_eq!(field.extract(words[field.word as usize]), 0, "{field:?}");
            words[field.word as usize] |= number(field) << field.shift;
        }
        for field in &layout.fields {
            assert_eq!(field.extract(words[field.word as usize]), number(field), "{field:?}");
        }
    }

    #[test]
    fn widening_keeps_what_there_is() {
        let layout = Layout::new(&[0, 2, 5]);
        let wider = Layout::new(&layout.widened(&[4, 0, 0]));
        assert!(wider.column(0).holds(4) && !wider.column(0).holds(8));
        assert!(wider.column(2).holds(31));
        assert!(Layout::new(&layout.widened(&[0, 2, 0])) == layout);
        assert!(layout.holds(&[0, 3, 31]) && !layout.holds(&[1, 3, 31]));
    }
}
