//! The debug information of the program (DWARF) as far as values are shown: its global variables, its functions with
//! their parameters and local variables, and the types of all of these.
//!
//! It is read once, into plain data (`entries`, `making`). Where a variable is in a running program says `place`, what it has
//! for a value `values`; objects of the C++ library are shown as `contents` reads them.
//!
//! Invariant: what is not understood is left out or shown as `?` or `…`, never as a value that it does not have.

mod contents;
mod entries;
mod making;
mod place;
mod types;
mod values;

use std::ops::Range;

pub(crate) use place::{Frame, Place};
pub(crate) use types::{Type, TypeId, Types};
pub(crate) use values::Reading;

use place::Where;

/// All that is known; addresses are those of the file.
#[derive(Debug, Default)]
pub(crate) struct Debug {
    pub(crate) types: Types,
    pub(crate) globals: Vec<Global>,
    /// Variables of which each thread has its own; addresses are offsets in its storage.
    pub(crate) own: Vec<Global>,
    functions: Vec<Function>,
}

/// A variable that is no local one.
#[derive(Debug)]
pub(crate) struct Global {
    pub(crate) name: String,
    pub(crate) address: u64,
    pub(crate) ty: TypeId,
}

#[derive(Debug, Default)]
struct Function {
    ranges: Vec<Range<u64>>,
    frame_base: Where,
    locals: Vec<Local>,
}

#[derive(Debug)]
struct Local {
    name: String,
    ty: TypeId,
    location: Where,
    /// The block that it is declared in; empty if that is the function.
    scope: Vec<Range<u64>>,
    /// Where it is declared; a parameter has its value from the beginning.
    line: Option<u64>,
}

/// A local variable or parameter, and where it is.
pub(crate) struct Shown<'d> {
    pub(crate) name: &'d str,
    pub(crate) ty: TypeId,
    /// `None` if the optimiser has left nothing of it at this place.
    pub(crate) place: Option<Place>,
}

impl Debug {
    /// Reads a file. Without debug information there is nothing to show.
    pub(crate) fn read(data: &[u8]) -> Debug {
        entries::read(data).unwrap_or_default()
    }

    fn function(&self, address: u64) -> Option<&Function> {
        let inside =
            |function: &&Function| function.ranges.iter().any(|range| range.contains(&address));
        self.functions.iter().find(inside)
    }

    /// The variables of a call that stands at an address, in a line. Those that are declared in this line or
    /// behind it have no value yet.
    pub(crate) fn locals(&self, address: u64, line: u32, frame: &Frame) -> Vec<Shown<'_>> {
        let Some(function) = self.function(address) else { return Vec::new() };
        let base = function.frame_base.at(address).and_then(|ops| place::base(ops, frame));
        let visible = |local: &&Local| {
            let inside =
                local.scope.is_empty() || local.scope.iter().any(|one| one.contains(&address));
            inside && local.line.is_none_or(|declared| declared < u64::from(line))
        };
        let mut shown: Vec<Shown<'_>> = Vec::new();
        for local in function.locals.iter().filter(visible) {
            let place = local.location.at(address).and_then(|ops| place::find(ops, frame, base));
            // A variable of an inner block hides those outside with its name.
            shown.retain(|other| other.name != local.name);
            shown.push(Shown { name: &local.name, ty: local.ty, place });
        }
        shown
    }
}
