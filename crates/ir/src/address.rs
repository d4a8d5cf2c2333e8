//! How a pointer is packed: `(object << 32) + 2^31 + offset`.
//!
//! An address is a plain 64-bit number, so `ptrtoint`, arithmetic on the
//! integer and `inttoptr` work as in C. The offset is biased by 2^31: small
//! negative offsets do not borrow from the object number, and every object
//! starts at a highly aligned address. The top byte of the object number is a
//! space tag; 0 is never a valid space, so null and small integers are not
//! addresses.

use crate::{FuncId, GlobalId};

/// The largest object, in bytes.
pub const MAX_OBJECT: u64 = 1 << 31;
const BIAS: u64 = 1 << 31;

/// Which family an object number belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Space {
    Global = 0x51,
    Function = 0x52,
    Heap = 0x53,
    Stack = 0x54,
    ThreadLocal = 0x55,
    /// Handles of threads (`pthread_t`).
    Thread = 0x56,
    /// Things the runtime hands out that the program must not dereference (`FILE *`…).
    Opaque = 0x57,
}

impl Space {
    fn from_tag(tag: u8) -> Option<Space> {
        Some(match tag {
            0x51 => Space::Global,
            0x52 => Space::Function,
            0x53 => Space::Heap,
            0x54 => Space::Stack,
            0x55 => Space::ThreadLocal,
            0x56 => Space::Thread,
            0x57 => Space::Opaque,
            _ => return None,
        })
    }
}

/// The number of a memory object: 8 bits of space, 24 bits within it. For
/// heap, stack and thread-local objects the 24 bits are the owning thread
/// (8 bits) and a slot of its arena (16 bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjId(pub u32);

impl ObjId {
    pub const NULL: ObjId = ObjId(0);

    pub const fn new(space: Space, index: u32) -> ObjId {
        ObjId(((space as u32) << 24) | (index & 0x00ff_ffff))
    }

    /// An object in a thread's arena.
    pub const fn in_arena(space: Space, thread: u8, slot: u16) -> ObjId {
        ObjId::new(space, ((thread as u32) << 16) | slot as u32)
    }

    pub fn space(self) -> Option<Space> {
        Space::from_tag((self.0 >> 24) as u8)
    }

    /// The 24 bits within the space.
    pub const fn index(self) -> u32 {
        self.0 & 0x00ff_ffff
    }

    pub const fn arena(self) -> u8 {
        (self.0 >> 16) as u8
    }

    pub const fn slot(self) -> u16 {
        self.0 as u16
    }

    /// The address of byte `offset`.
    pub const fn at(self, offset: i64) -> u64 {
        ((self.0 as u64) << 32).wrapping_add(BIAS).wrapping_add(offset as u64)
    }
}

/// The number of a type of exceptions, which its handler compares: that of the
/// variable which describes it, from 1. Any other address, such as null for all
/// types, has a number that no type has.
pub fn type_number(described_at: u64) -> u32 {
    let object = object(described_at);
    if object.space() == Some(Space::Global) { object.index() + 1 } else { ANY_TYPE }
}

const ANY_TYPE: u32 = i32::MAX as u32;

/// The object an address points into (or near).
#[inline]
pub const fn object(address: u64) -> ObjId {
    ObjId((address >> 32) as u32)
}

/// The offset of an address within its object; negative if before it.
#[inline]
pub const fn offset(address: u64) -> i64 {
    (address & 0xffff_ffff) as i64 - BIAS as i64
}

/// The address of a global (not a thread-local one).
pub const fn global(id: GlobalId, offset: i64) -> u64 {
    ObjId::new(Space::Global, id.0).at(offset)
}

/// The address of a function.
pub const fn function(id: FuncId) -> u64 {
    ObjId::new(Space::Function, id.0).at(0)
}

/// The address of an instruction, for computed `goto`.
pub const fn label(id: FuncId, pc: u32) -> u64 {
    ObjId::new(Space::Function, id.0).at(16 + pc as i64)
}

/// Adds to a pointer without ever leaving its object's number: what would
/// wrap becomes an address of no object.
#[inline]
pub const fn add(address: u64, delta: i64) -> u64 {
    let low = (address & 0xffff_ffff) as i64;
    match low.checked_add(delta) {
        Some(sum) if sum >= 0 && sum <= 0xffff_ffff => (address & !0xffff_ffff) | sum as u64,
        // Null-based and wild arithmetic stays plain arithmetic.
        _ if address >> 56 == 0 => address.wrapping_add(delta as u64),
        _ => (address & 0x00ff_ffff_ffff_ffff).wrapping_add(delta as u64) & 0x00ff_ffff_ffff_ffff,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_survive_in_both_directions() {
        let id = ObjId::in_arena(Space::Heap, 3, 7);
        for off in [-9i64, 0, 1, 4096, (1 << 31) - 1] {
            let address = id.at(off);
            assert_eq!(object(address), id);
            assert_eq!(offset(address), off);
            assert_eq!(add(id.at(0), off), address);
        }
        assert_eq!((id.arena(), id.slot(), id.space()), (3, 7, Some(Space::Heap)));
        assert_eq!(id.at(40).wrapping_sub(id.at(-8)), 48);
    }

    #[test]
    fn arithmetic_never_reaches_a_neighbouring_object() {
        let id = ObjId::in_arena(Space::Heap, 0, 1);
        let wild = add(id.at(0), 1 << 32);
        assert_eq!(object(wild).space(), None);
        assert_eq!(object(0).space(), None);
        assert_eq!(add(0, 24), 24);
    }
}
