//! The layout of one object as a component.
//!
//! Word 0 is the header, then the data padded to whole words, then (if the
//! header says so) the shadow of the same length.

use std::ops::{BitOr, BitOrAssign};

/// Sticky facts about an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u8);

impl Flags {
    /// Another thread could get hold of its address.
    pub const SHARED: Flags = Flags(1);
    /// Its address was stored in memory.
    pub const STORED: Flags = Flags(2);
    /// Part of the data may be pointers at odd places.
    pub const UNALIGNED: Flags = Flags(4);
    /// Between lifetime end and the return of its function.
    pub const OUT_OF_SCOPE: Flags = Flags(8);
    /// Has a shadow; kept by this crate.
    pub const SHADOW: Flags = Flags(16);
    /// Made by `new` or `new[]` and not by `malloc`.
    pub const NEW: Flags = Flags(32);
    pub const NEW_ARRAY: Flags = Flags(64);
    /// Its address went into arithmetic that hides it from a scan.
    pub const HIDDEN: Flags = Flags(128);

    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Flags {
    type Output = Flags;

    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}

/// Size, flags and where the object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub size: u32,
    pub flags: Flags,
    /// A number that tells where the object was made (at most 24 bits);
    /// what it means is the machine's business.
    pub site: u32,
}

impl Header {
    pub fn pack(self) -> u64 {
        self.size as u64 | (self.flags.0 as u64) << 32 | (self.site as u64) << 40
    }

    pub fn unpack(word: u64) -> Header {
        Header { size: word as u32, flags: Flags((word >> 32) as u8), site: (word >> 40) as u32 }
    }

    /// Words of data (and of shadow, if there is one).
    pub fn words(self) -> usize {
        (self.size as usize).div_ceil(8)
    }
}

/// An object, wherever its words are.
#[derive(Clone, Copy, Debug)]
pub struct ObjectRef<'a> {
    words: &'a [u64],
}

impl<'a> ObjectRef<'a> {
    pub fn new(words: &'a [u64]) -> ObjectRef<'a> {
        ObjectRef { words }
    }

    pub fn header(self) -> Header {
        Header::unpack(self.words[0])
    }

    /// The data, padded with zeros to whole words.
    pub fn data(self) -> &'a [u8] {
        bytemuck::cast_slice(&self.words[1..1 + self.header().words()])
    }

    pub fn shadow(self) -> Option<&'a [u8]> {
        let header = self.header();
        header
            .flags
            .has(Flags::SHADOW)
            .then(|| bytemuck::cast_slice(&self.words[1 + header.words()..]))
    }

    /// The data as words, for scanning.
    pub fn data_words(self) -> &'a [u64] {
        &self.words[1..1 + self.header().words()]
    }
}

/// The buffer of an object that was just made: all of it is zero, or undefined.
pub fn build_fresh(header: Header, undefined: bool, out: &mut Vec<u64>) {
    let (words, size) = (header.words(), header.size as usize);
    let undefined = undefined && size > 0;
    let flags = if undefined { header.flags | Flags::SHADOW } else { header.flags };
    out.clear();
    out.push(Header { flags, ..header }.pack());
    out.resize(1 + words, 0);
    if undefined {
        out.resize(1 + words + size / 8, u64::MAX);
        if !size.is_multiple_of(8) {
            out.push((1 << (8 * (size % 8))) - 1);
        }
    }
}

/// An object as a fresh component buffer.
pub fn build(header: Header, data: &[u8], shadow: &[u8], out: &mut Vec<u64>) {
    let words = header.words();
    let undefined = !shadow.is_empty();
    let mut header = header;
    if undefined {
        header.flags |= Flags::SHADOW;
    }
    out.clear();
    out.push(header.pack());
    out.resize(1 + words * if undefined { 2 } else { 1 }, 0);
    bytemuck::cast_slice_mut::<u64, u8>(&mut out[1..])[..data.len()].copy_from_slice(data);
    if undefined {
        bytemuck::cast_slice_mut::<u64, u8>(&mut out[1 + words..])[..shadow.len()]
            .copy_from_slice(shadow);
    }
}

/// Gives an object a shadow (all defined), if it has none.
pub fn add_shadow(words: &mut Vec<u64>) {
    let mut header = Header::unpack(words[0]);
    if !header.flags.has(Flags::SHADOW) {
        header.flags |= Flags::SHADOW;
        words[0] = header.pack();
        words.resize(1 + 2 * header.words(), 0);
    }
}

/// Brings an object into canonical form.
pub fn normalise(words: &mut Vec<u64>) {
    let mut header = Header::unpack(words[0]);
    let data = header.words();
    if header.flags.has(Flags::SHADOW) && words[1 + data..].iter().all(|&w| w == 0) {
        words.truncate(1 + data);
        header.flags.0 &= !Flags::SHADOW.0;
        words[0] = header.pack();
    }
}
