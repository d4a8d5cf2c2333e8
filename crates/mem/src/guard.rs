//! Whether an operation touches only what it declared.
//!
//! What an operation will touch is said before it runs, and reductions rely on
//! it: a byte that other threads can reach and that was not declared is a
//! missing scheduling point, and so a missed schedule. Builds with debug
//! assertions check each access here; others have nothing of it.

use exeunt_ir::address::{ObjId, Space};

use crate::object::{Flags, Header};
use crate::{Access, Memory};

/// A range of addresses that an operation declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    pub start: u64,
    pub end: u64,
    pub write: bool,
}

impl Declared {
    fn covers(&self, addr: u64, len: u64, access: Access) -> bool {
        let inside = self.start <= addr && addr.saturating_add(len) <= self.end;
        inside && (self.write || access == Access::Read)
    }
}

/// What the running operation declared; `None`: anything goes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guard {
    declared: Option<Vec<Declared>>,
}

impl Memory<'_> {
    /// From here on only these bytes of shared memory are touched; `None`:
    /// nothing is checked.
    pub fn declare(&mut self, declared: Option<Vec<Declared>>) {
        self.guard.declared = declared;
    }

    /// Does something about which nothing was declared.
    pub fn unguarded<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let declared = self.declared();
        let result = work(self);
        self.declare(declared);
        result
    }

    /// What was declared; from here on anything goes.
    pub fn declared(&mut self) -> Option<Vec<Declared>> {
        self.guard.declared.take()
    }

    #[inline]
    pub(crate) fn check_declared(
        &self,
        (id, header): (ObjId, Header),
        addr: u64,
        len: u64,
        access: Access,
    ) {
        if !cfg!(debug_assertions) {
            return;
        }
        let Some(declared) = &self.guard.declared else { return };
        let shared = id.space() == Some(Space::Global) || header.flags.has(Flags::SHARED);
        assert!(
            !shared || declared.iter().any(|range| range.covers(addr, len, access)),
            "an operation did not declare its {access:?} of {len} bytes at {addr:#x}: {declared:x?}"
        );
    }
}
