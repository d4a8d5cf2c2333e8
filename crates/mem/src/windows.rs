//! Pointers at any byte of an object.
//!
//! A pointer is eight bytes that look like an address, wherever they begin:
//! packed structs and copies into byte buffers put them at odd offsets, and
//! copies in pieces put them together or take them apart. A *window* is any
//! eight consecutive bytes of an object.
//!
//! Invariant: no window that looks like an address of a dynamic object is
//! missed (`reach::pointee_in` says what that means where a window is not aligned), so
//! the code that decides what other threads can reach may rely on it.

use exeunt_ir::address::{self, ObjId, Space};
use smallvec::SmallVec;

use crate::object::Flags;
use crate::reach::{is_pointer_tag, pointee_in};
use crate::{Memory, ObjectRef};

/// A window and what it would point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Where it begins.
    pub addr: u64,
    pub target: ObjId,
}

/// The windows that an access touches; hardly ever more than one.
pub type Windows = SmallVec<[Window; 2]>;

const ONES: u64 = 0x0101_0101_0101_0101;
const LOW_SEVEN: u64 = ONES * 0x7f;

/// Whether a byte of the word could be the top byte of an address.
///
/// Finds bytes strictly between two bounds in all eight lanes at once.
#[inline]
pub(crate) fn has_tag(word: u64) -> bool {
    const BELOW: u64 = Space::Heap as u64 - 1;
    const ABOVE: u64 = Space::Thread as u64 + 1;
    let low = word & LOW_SEVEN;
    let under = (ONES * (127 + ABOVE)).wrapping_sub(low);
    let over = low.wrapping_add(ONES * (127 - BELOW));
    under & !word & over & (ONES * 0x80) != 0
}

/// Whether a window that touches these bytes could be a pointer.
#[inline]
pub(crate) fn may_touch(words: &[u64], offset: usize, len: usize) -> bool {
    let last = ((offset + len + 6) / 8).min(words.len().saturating_sub(1));
    words[(offset / 8).min(last)..=last].iter().any(|&word| has_tag(word))
}

impl Memory<'_> {
    /// The windows with a byte among the `len` bytes at `addr` that look like
    /// addresses.
    pub fn windows(&mut self, addr: u64, len: u64) -> Windows {
        // A window that begins before these bytes, or ends behind them, has up to seven others.
        let before = (address::offset(addr) - 7).max(0) as usize;
        let Some(object) = self.object_part(address::object(addr), before, len as usize + 14)
        else {
            return Windows::new();
        };
        let base = addr.wrapping_sub(address::offset(addr) as u64);
        windows_of(object, base, address::offset(addr), len)
    }

    /// What the windows point to that an access to private memory takes apart:
    /// those with a byte in the range and another one outside.
    #[inline]
    pub fn taken_apart(&mut self, addr: u64, len: u64) -> Windows {
        let (id, offset) = (address::object(addr), address::offset(addr));
        let whole = len.is_multiple_of(8) && offset % 8 == 0;
        if matches!(id.space(), None | Some(Space::Global)) {
            return Windows::new();
        }
        let Some(header) = self.header(id) else { return Windows::new() };
        let aligned = whole && !header.flags.has(Flags::UNALIGNED);
        if aligned || header.flags.has(Flags::SHARED) {
            return Windows::new();
        }
        let mut found = self.windows(addr, len);
        found.retain(|window| window.addr < addr || window.addr + 8 > addr + len);
        found
    }
}

pub(crate) fn windows_of(object: ObjectRef<'_>, base: u64, offset: i64, len: u64) -> Windows {
    let mut found = Windows::new();
    let size = object.header().size as u64;
    let Ok(offset) = u64::try_from(offset) else { return found };
    if len == 0 || offset >= size {
        return found;
    }
    let len = len.min(size - offset);
    if !may_touch(object.data_words(), offset as usize, len as usize) {
        return found;
    }
    let (data, last) = (object.data(), (offset + len + 6).min(size - 1));
    for at in offset.max(7)..=last {
        if let Some(target) = ends_pointer(data, at as usize) {
            found.push(Window { addr: base.wrapping_add(at - 7), target });
        }
    }
    found
}

/// What the window points to that ends with a byte. (A window is found by its last byte, which has the tag.)
#[inline]
fn ends_pointer(data: &[u8], at: usize) -> Option<ObjId> {
    if !is_pointer_tag(data[at]) {
        return None;
    }
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&data[at - 7..=at]);
    pointee_in(u64::from_le_bytes(bytes), at - 7)
}

/// Whether a window may be an address that ends with a byte from `first` on. `data` are bytes of an object
/// up to the last one that counts, and begin at a multiple of eight. `true` also if a window would begin before them.
pub fn may_end_pointer(data: &[u8], first: usize) -> bool {
    (first..data.len()).any(|at| may_end_at(data, at))
}

/// What eight bytes are that begin at a multiple of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// No window with one of them is an address.
    Number,
    /// Only all of them together are one.
    Pointer(ObjId),
    /// Another window may be one.
    Unclear,
}

impl Word {
    /// Of the bytes from `first` on. `data` is as for [`may_end_pointer`].
    pub fn at(data: &[u8], first: usize) -> Word {
        let last = first + 7;
        let mut others = (first..last).chain(last + 1..data.len());
        match others.any(|at| may_end_at(data, at)) {
            true => Word::Unclear,
            false => ends_pointer(data, last).map_or(Word::Number, Word::Pointer),
        }
    }
}

fn may_end_at(data: &[u8], at: usize) -> bool {
    if at < 7 { is_pointer_tag(data[at]) } else { ends_pointer(data, at).is_some() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Header, build};

    #[test]
    fn tags_are_found_in_every_lane() {
        for byte in 0..=255u64 {
            for lane in 0..8 {
                let others = 0x0022_ff7f_8051_5781 & !(0xff << (8 * lane));
                let word = others | byte << (8 * lane);
                assert_eq!(has_tag(word), is_pointer_tag(byte as u8), "{byte:#x} in lane {lane}");
            }
        }
    }

    #[test]
    fn text_and_tables_are_no_pointers() {
        let mut table: Vec<u8> = (0x40..0x60u32).flat_map(u32::to_le_bytes).collect();
        table.extend(b"THE TEMPEST, a play: Exeunt all but Stephano, Trinculo and U, V");
        let mut words = Vec::new();
        let header = Header { size: table.len() as u32, flags: Flags::default(), site: 0 };
        build(header, &table, &[], &mut words);
        let found = windows_of(ObjectRef::new(&words), 1 << 40, 0, table.len() as u64);
        let unaligned: Vec<_> = found.iter().filter(|window| window.addr % 8 != 0).collect();
        assert!(unaligned.is_empty(), "{unaligned:?}");
    }

    #[test]
    fn a_pointer_alone_is_told_from_others() {
        let target = ObjId::in_arena(Space::Heap, 1, 2);
        let mut data = vec![0; 32];
        data[8..16].copy_from_slice(&target.at(4).to_le_bytes());
        assert_eq!(Word::at(&data, 8), Word::Pointer(target));
        assert_eq!(Word::at(&data, 16), Word::Number);
        assert_eq!(Word::at(&data[..15], 0), Word::Number, "its last byte is not among these");
        assert_eq!(Word::at(&data, 0), Word::Unclear, "one begins right behind");
        for start in 1..23 {
            let mut data = data.clone();
            data[start..start + 8].copy_from_slice(&target.at(4).to_le_bytes());
            let alone = start == 8;
            assert_eq!(Word::at(&data, 8) != Word::Unclear, alone, "another one at {start}");
        }
    }

    #[test]
    fn a_window_may_begin_anywhere() {
        let target = ObjId::in_arena(Space::Heap, 1, 2);
        for start in 0..=16usize {
            let mut data = vec![0; 24];
            data[start..start + 8].copy_from_slice(&target.at(4).to_le_bytes());
            let mut words = Vec::new();
            build(Header { size: 24, flags: Flags::default(), site: 0 }, &data, &[], &mut words);
            let object = ObjectRef::new(&words);
            for byte in 0..24usize {
                let found = windows_of(object, 1 << 40, byte as i64, 1);
                let touched = (start..start + 8).contains(&byte);
                let window = Window { addr: (1 << 40) + start as u64, target };
                let expected: &[Window] = if touched { &[window] } else { &[] };
                assert_eq!(found.as_slice(), expected, "byte {byte}, pointer at {start}");
            }
        }
    }
}
