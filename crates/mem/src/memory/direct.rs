//! Memory that can be accessed without us: where nothing but the bytes themselves would change.
//!
//! Compiled code reads and writes spans of objects directly, as long as that is all an access does: the bytes
//! exist, their object or piece was looked at (or is changed) already, all that is read is defined, and no pointer
//! is taken apart. Whoever was told of a span may use it until [`Memory::layout`] changes, or, to read other things
//! than pointers, until something that looks like a pointer is written.

use exeunt_ir::address::{self, ObjId, Space};

use super::{CLEAN, Memory};
use crate::ObjectRef;
use crate::object::{Flags, Header};
use crate::pieces::PIECE;
use crate::windows::windows_of;

/// Bytes of a span, which is a piece of a large object: it begins at a multiple of so many bytes.
const SPAN: usize = 8 * PIECE;
/// How far a pointer that has a byte reaches beyond it.
const REACH: usize = 7;

/// The bytes `low..end` of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direct {
    /// The address of the first byte of the span in our own memory.
    pub start: usize,
    pub low: u32,
    pub end: u32,
    /// The last byte of the object, or the last one behind `end` that a pointer with a byte before it may have.
    pub last: u32,
    /// How far behind a byte its shadow is; zero if there is none.
    pub shadow: u32,
}

/// What somebody wants to do with a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To read any bytes.
    Read,
    /// To read pointers that are aligned.
    ReadPointers,
    /// To write bytes; whether a pointer is there afterwards is for the writer to see.
    Write,
}

impl Memory<'_> {
    /// Changes whenever bytes get to another place or objects change in another way than by their bytes.
    pub fn layout(&self) -> u64 {
        self.layout
    }

    /// How the span of an address can be used, right after an access to it that was like that.
    pub fn direct(&self, addr: u64, purpose: Purpose) -> Option<Direct> {
        let id = address::object(addr);
        let offset = usize::try_from(address::offset(addr)).ok()?;
        let first = offset - offset % SPAN;
        let (words, in_pieces) = match self.constant(id) {
            Some(_) if purpose == Purpose::Write => return None,
            Some(words) => (words, false),
            None => self.present(id, purpose)?,
        };
        let header = Header::unpack(words[0]);
        let size = header.size as usize;
        let end = size.min(first + SPAN);
        let (data, shadow) = words[1..].split_at(header.words());
        if header.flags.has(Flags::OUT_OF_SCOPE) || offset >= size {
            return None;
        }
        let has_shadow = header.flags.has(Flags::SHADOW);
        let span = first / 8..end.div_ceil(8);
        if purpose != Purpose::Write && has_shadow && shadow[span.clone()].iter().any(|&w| w != 0) {
            return None;
        }
        let global = id.space() == Some(Space::Global);
        let beside = match purpose {
            Purpose::ReadPointers if !global && header.flags.has(Flags::UNALIGNED) => return None,
            Purpose::ReadPointers => false,
            Purpose::Read if global => false,
            Purpose::Read if holds_pointer(words, first, end - first) => return None,
            Purpose::Read | Purpose::Write => true,
        };
        let (mut low, mut end) = (first, end);
        // Neighbouring pieces are looked at, too.
        if beside && in_pieces {
            low = if first == 0 { 0 } else { first + REACH };
            end = if end == size { end } else { end - REACH };
        }
        Some(Direct {
            last: ((end + REACH - 1).min(8 * data.len() - 1) - first) as u32,
            start: data.as_ptr() as usize + first,
            low: (low - first) as u32,
            end: (end.max(low) - first) as u32,
            shadow: if has_shadow { 8 * header.words() as u32 } else { 0 },
        })
    }

    /// Whether some of these bytes, which were accessed, are a part of something that looks like a pointer.
    pub fn holds_pointer(&self, addr: u64, len: usize) -> bool {
        let present = self.present(address::object(addr), Purpose::Read);
        let offset = usize::try_from(address::offset(addr)).ok();
        present.zip(offset).is_none_or(|((words, _), offset)| holds_pointer(words, offset, len))
    }

    /// The words of an object as they are now, if they were looked at (or are changed, to be written), and whether
    /// it is in pieces.
    fn present(&self, id: ObjId, purpose: Purpose) -> Option<(&[u64], bool)> {
        let entry = &self.entries[self.seek(id)?];
        if purpose == Purpose::Write && entry.dirty == CLEAN {
            return None;
        }
        match (entry.dirty, entry.image) {
            (_, Some(image)) => Some((&self.images[image].words, true)),
            (CLEAN, None) => Some((entry.words?, false)),
            (dirty, None) => Some((&self.buffers[dirty as usize], false)),
        }
    }
}

fn holds_pointer(words: &[u64], offset: usize, len: usize) -> bool {
    !windows_of(ObjectRef::new(words), 0, offset as i64, len as u64).is_empty()
}
