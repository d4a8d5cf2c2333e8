//! Where variables lie: bit offsets in components, without crossing words.
//!
//! Widths follow SPIN: arrays of `bit` and `bool` hold whole bytes, `pid`,
//! `mtype` and channel names are bytes.

use crate::code::Width;

pub const BIT: Width = Width { bits: 1, signed: false };
pub const BYTE: Width = Width { bits: 8, signed: false };
pub const SHORT: Width = Width { bits: 16, signed: true };
pub const INT: Width = Width { bits: 32, signed: true };

const WORD: u32 = 64;
/// Bits of a word for variables that have nothing to do with each other.
const FEW: u32 = 24;

/// Hands out bit offsets in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Packer {
    /// The first free bit.
    pub end: u32,
}

impl Packer {
    pub fn from(end: u32) -> Self {
        Packer { end }
    }

    /// Room for `count` things of `size` bits that start at multiples of
    /// `align`, a power of two.
    pub fn place(&mut self, size: u32, align: u32, count: u32) -> u32 {
        let start = self.end.next_multiple_of(align);
        self.end = start + size * count;
        start
    }

    /// The same in words of their own: what lies in different words is stored,
    /// compared and remembered apart, and the elements of an array often change
    /// without anything else.
    pub fn place_apart(&mut self, size: u32, count: u32) -> u32 {
        let start = self.place(size, WORD, count);
        self.end = self.end.next_multiple_of(WORD);
        start
    }

    /// The same in a word that has room only for few: otherwise there would be
    /// many different ones.
    pub fn place_among_few(&mut self, size: u32, align: u32, count: u32) -> u32 {
        let used = self.end % WORD;
        if used > 0 && used + size * count > FEW {
            self.end = self.end.next_multiple_of(WORD);
        }
        self.place(size, align, count)
    }

    pub fn words(&self) -> u32 {
        self.end.div_ceil(64)
    }
}

/// The room a scalar takes: a power of two, so that it never crosses a word.
pub fn room(width: Width) -> u32 {
    u32::from(width.bits).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_scalar_crosses_a_word() {
        let mut packer = Packer::from(8);
        for bits in [1, 8, 3, 32, 16, 5, 32, 1, 32] {
            let size = room(Width { bits, signed: false });
            let start = packer.place(size, size, 1);
            assert_eq!(start / 64, (start + u32::from(bits) - 1) / 64);
        }
    }

    #[test]
    fn truncation_is_that_of_c() {
        assert_eq!(BYTE.truncate(257), 1);
        assert_eq!(BYTE.truncate(-1), 255);
        assert_eq!(SHORT.truncate(32768), -32768);
        assert_eq!(BIT.truncate(2), 0);
        assert_eq!(INT.truncate(i32::MIN), i32::MIN);
        assert_eq!(Width { bits: 5, signed: false }.truncate(33), 1);
    }
}
