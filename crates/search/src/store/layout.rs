//! Where in a record the number of each column is.

/// Columns that have taken only one value have no bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    fields: Vec<Field>,
    /// The same by column; without bits where a column has none.
    columns: Vec<Field>,
    /// Words of a record.
    words: usize,
}

/// The bits of one column: within one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub column: u32,
    pub word: u32,
    pub shift: u8,
    pub bits: u8,
}

impl Field {
    pub fn holds(self, number: u32) -> bool {
        self.bits == 32 || number >> self.bits == 0
    }

    /// The number in a word of a record.
    pub fn extract(self, word: u32) -> u32 {
        (word >> self.shift) & self.mask()
    }

    fn mask(self) -> u32 {
        ((1u64 << self.bits) - 1) as u32
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
            fields.push(Field { column: column as u32, word: word as u32, shift, bits });
            used[word] += bits;
        }
        fields.sort_by_key(|field| field.column);
        let none = |column| Field { column, word: 0, shift: 0, bits: 0 };
        let mut columns: Vec<Field> = (0..widths.len() as u32).map(none).collect();
        for field in &fields {
            columns[field.column as usize] = *field;
        }
        Layout { fields, columns, words: used.len() }
    }

    /// Writes a number over that of a column in a record; `false` if there is
    /// no room for it.
    pub fn replace(&self, record: &mut [u32], column: usize, number: u32) -> bool {
        let field = self.columns[column];
        if !field.holds(number) {
            return false;
        }
        if field.bits > 0 {
            let word = &mut record[field.word as usize];
            *word = *word & !(field.mask() << field.shift) | number << field.shift;
        }
        true
    }

    /// The number of a column in a record, whose words are given one by one.
    pub fn number(&self, column: usize, word: impl Fn(u32) -> u32) -> u32 {
        let field = self.columns[column];
        match field.bits {
            0 => 0,
            _ => field.extract(word(field.word)),
        }
    }

    /// The first column of a vector of numbers that has no room for its own.
    pub fn wanting(&self, numbers: &[u32]) -> Option<usize> {
        let mut pairs = self.columns.iter().zip(numbers);
        pairs.position(|(field, &number)| !field.holds(number))
    }

    /// In the order of columns.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The bits of a column, which may be none.
    pub fn field(&self, column: usize) -> Field {
        self.columns[column]
    }

    pub fn words(&self) -> usize {
        self.words
    }

    /// The widths that also have room for a number in a column.
    pub fn widened(&self, columns: usize, column: usize, number: u32) -> Vec<u8> {
        let mut widths = vec![0; columns];
        for field in &self.fields {
            widths[field.column as usize] = field.bits;
        }
        let needed = 32 - number.leading_zeros() as u8;
        widths[column] = widths[column].max(needed);
        widths
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
        for field in layout.fields() {
            assert_eq!(field.extract(words[field.word as usize]), 0, "{field:?}");
            words[field.word as usize] |= number(field) << field.shift;
        }
        for field in layout.fields() {
            assert_eq!(field.extract(words[field.word as usize]), number(field), "{field:?}");
        }
    }

    #[test]
    fn a_number_replaces_another() {
        let layout = Layout::new(&[3, 0, 32, 17]);
        let mut record = vec![0; layout.words()];
        for (column, number) in [(0, 5), (2, u32::MAX), (3, 0x1ffff), (0, 2), (2, 7), (1, 0)] {
            assert!(layout.replace(&mut record, column, number));
            assert_eq!(layout.number(column, |word| record[word as usize]), number);
        }
        assert_eq!(layout.number(3, |word| record[word as usize]), 0x1ffff);
        let before = record.clone();
        assert!(!layout.replace(&mut record, 0, 8) && !layout.replace(&mut record, 1, 1));
        assert_eq!(record, before);
        assert_eq!(layout.wanting(&[7, 0, 9, 9]), None);
        assert_eq!(layout.wanting(&[7, 1, 9, 0x20000]), Some(1));
    }

    #[test]
    fn widening_keeps_what_there_is() {
        let layout = Layout::new(&[0, 2, 5]);
        let wider = Layout::new(&layout.widened(3, 0, 4));
        assert!(wider.field(0).holds(4) && !wider.field(0).holds(8));
        assert!(wider.field(2).holds(31));
        assert!(Layout::new(&layout.widened(3, 1, 2)) == layout);
    }
}
