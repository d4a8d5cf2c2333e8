//! Memory that can be accessed without us: where nothing but the bytes themselves would change.
//!
//! Compiled code reads and writes spans of objects directly, as long as that is all an access does: the bytes
//! exist, their object or piece was looked at (or is changed) already, all that is read is defined, and no pointer
//! is taken apart. Whoever was told of a span may use it until [`Memory::layout`] changes, or, to read other things
//! than pointers, until something that looks like a pointer is written.

use std::ops::Range;

use exeunt_ir::address::{self, ObjId, Space};

use super::{CLEAN, Memory};
use crate::ObjectRef;
use crate::image::Image;
use crate::object::{Flags, Header};
use crate::pieces::PIECE;
use crate::windows::windows_of;

/// Bytes of a span, which is a piece of a large object: it begins at a multiple of so many bytes.
const SPAN: usize = 8 * PIECE;
/// How far a pointer that has a byte reaches beyond it.
const REACH: usize = 7;

/// Changes of the layout that are kept.
const KEPT: u64 = 8;

/// How objects lie in our own memory.
pub(super) struct Layout {
    /// How often an object got to another place, or what can be done with it has changed.
    changes: u64,
    /// The objects of the last ones, by the number of the change, and their sizes; globals have no number.
    recent: [(ObjId, u32); KEPT as usize],
}

impl Layout {
    pub fn new() -> Layout {
        Layout { changes: 0, recent: [(ObjId::NULL, 0); KEPT as usize] }
    }

    /// Everything may be elsewhere.
    pub fn forget(&mut self) {
        self.changes += KEPT + 1;
    }
}

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
    /// No other thread can get hold of the object.
    pub private: bool,
}

impl Direct {
    /// The addresses of its bytes, given one in its span.
    pub fn addresses(&self, addr: u64) -> Range<u64> {
        let first = addr - addr % SPAN as u64;
        first + u64::from(self.low)..first + u64::from(self.end)
    }

    /// The same for some of its bytes only.
    pub fn narrowed(self, addr: u64, to: Range<u64>) -> Direct {
        let own = self.addresses(addr);
        let first = addr - addr % SPAN as u64;
        let low = to.start.clamp(own.start, own.end) - first;
        let end = to.end.clamp(own.start, own.end) - first;
        Direct { low: low as u32, end: end.max(low) as u32, ..self }
    }
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
        self.layout.changes
    }

    /// The objects that have changed in such a way since the layout was this one, and their sizes; `None` if
    /// they are too many or not known.
    pub fn rearranged_since(&self, layout: u64) -> Option<impl Iterator<Item = (ObjId, u32)>> {
        let Layout { changes, recent } = &self.layout;
        let since = (layout..*changes).map(|at| recent[(at % KEPT) as usize]);
        let known = changes - layout <= KEPT && since.clone().all(|(id, _)| id != ObjId::NULL);
        known.then_some(since)
    }

    /// The bytes of an object get to another place, or can be accessed in another way from now on.
    pub(super) fn note_rearranged(&mut self, entry: usize) {
        let (id, size) = (self.entries[entry].id, self.header_of(entry).size);
        let Layout { changes, recent } = &mut self.layout;
        recent[(*changes % KEPT) as usize] = (id, size);
        *changes += 1;
    }

    /// How the span of an address can be used, right after an access to it that was like that.
    pub fn direct(&self, addr: u64, purpose: Purpose) -> Option<Direct> {
        let id = address::object(addr);
        let offset = usize::try_from(address::offset(addr)).ok()?;
        let first = offset - offset % SPAN;
        let (words, image) = match self.constant(id) {
            Some(_) if purpose == Purpose::Write => return None,
            Some(words) => (words, None),
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
        let (mut low, mut end) = (first, end);
        if purpose != Purpose::Write && has_shadow {
            let shadow: &[u8] = bytemuck::cast_slice(shadow);
            let known = defined_around(&shadow[first..end], offset - first);
            (low, end) = (first + known.start, first + known.end);
        }
        let global = id.space() == Some(Space::Global);
        let beside = match purpose {
            Purpose::ReadPointers if !global && header.flags.has(Flags::UNALIGNED) => return None,
            Purpose::ReadPointers => false,
            Purpose::Read if global => false,
            Purpose::Read => {
                // No pointer is to be taken apart.
                for window in windows_of(ObjectRef::new(words), 0, low as i64, (end - low) as u64) {
                    let pointer = window.addr as usize..window.addr as usize + 8;
                    match pointer.end <= offset {
                        true => low = low.max(pointer.end),
                        false => end = end.min(pointer.start),
                    }
                }
                true
            }
            Purpose::Write => true,
        };
        // Neighbouring pieces are looked at, too: to do so for the first time is more than an access.
        if let Some(image) = image.filter(|_| beside) {
            let (before, behind) = (first, size.min(first + SPAN));
            let looked = before == 0 || image.has_looked(before - 1);
            low = if looked { low } else { low.max(before + REACH) };
            let looked = behind == size || image.has_looked(behind);
            end = if looked { end } else { end.min(behind - REACH) };
        }
        if offset < low || end <= offset {
            return None;
        }
        Some(Direct {
            last: ((end + REACH - 1).min(8 * data.len() - 1) - first) as u32,
            start: data.as_ptr() as usize + first,
            low: (low - first) as u32,
            end: (end - first) as u32,
            shadow: if has_shadow { 8 * header.words() as u32 } else { 0 },
            private: !header.flags.has(Flags::SHARED),
        })
    }

    /// Whether some of these bytes, which were accessed, are a part of something that looks like a pointer.
    pub fn holds_pointer(&self, addr: u64, len: usize) -> bool {
        let present = self.present(address::object(addr), Purpose::Read);
        let offset = usize::try_from(address::offset(addr)).ok();
        present.zip(offset).is_none_or(|((words, _), offset)| holds_pointer(words, offset, len))
    }

    /// The words of an object as they are now, if they were looked at (or are changed, to be written), and the
    /// image that they are in if it is in pieces.
    fn present(&self, id: ObjId, purpose: Purpose) -> Option<(&[u64], Option<&Image>)> {
        let entry = &self.entries[self.seek(id)?];
        if purpose == Purpose::Write && entry.dirty == CLEAN {
            return None;
        }
        match (entry.dirty, entry.image) {
            (_, Some(image)) => Some((&self.images[image].words, Some(&self.images[image]))),
            (CLEAN, None) => Some((entry.words?, None)),
            (dirty, None) => Some((&self.buffers[dirty as usize], None)),
        }
    }
}

/// The bytes around one of them, which was read, that are defined.
fn defined_around(shadow: &[u8], at: usize) -> Range<usize> {
    let before = shadow[..at].iter().rposition(|&mask| mask != 0);
    let behind = shadow[at..].iter().position(|&mask| mask != 0);
    before.map_or(0, |last| last + 1)..behind.map_or(shadow.len(), |first| at + first)
}

fn holds_pointer(words: &[u64], offset: usize, len: usize) -> bool {
    !windows_of(ObjectRef::new(words), 0, offset as i64, len as u64).is_empty()
}
