//! Memory as a set of objects, precise to the bit.
//!
//! An object is bytes plus a *shadow* that has a 1 for every undefined bit;
//! the shadow exists only while something is undefined. Objects of a stored
//! state are components of the pool and are read in place; the first write
//! copies one. Large objects are kept in pieces (`pieces.rs`, `image.rs`). [`Memory::commit`] turns what changed back into components.
//!
//! Invariant (canonical form): undefined bits are zero in the data, and a
//! shadow without a one is dropped before an object is interned. So equal
//! memories have equal components.
//!
//! Object numbers are stable for the life of an object: a thread allocates
//! from its own arena, lowest free slot first, so the order in which other
//! threads allocate does not show. [`Memory::free_slot`] finds a number that no
//! word of the state could mean, [`Memory::stale`] those that are free although
//! something still points to them. Objects are not renumbered: that would
//! rewrite, and so store again, every object and stack that points to a moved
//! one.

#![forbid(unsafe_code)]

mod access;
mod bits;
mod error;
mod guard;
mod image;
mod memory;
mod object;
mod pieces;
mod places;
mod reach;
mod windows;

pub use bits::Bits;
pub use error::{Access, MemError};
pub use guard::Declared;
pub use memory::{Direct, Look, Memory, Purpose};
pub use object::{Flags, Header, ObjectRef, build};
pub use pieces::{Root, carry, intern};
pub use places::{ABSENT, Group};
pub use reach::{Pointees, STALE, note_words, pointee};
pub use windows::{Window, Windows, Word, may_end_pointer};
