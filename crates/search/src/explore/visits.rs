//! Which states a search in depth has visited.

use std::cell::Cell;

use super::bits::Bits;
use crate::store::{Segments, StateId};

/// What is known of the target of an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    New,
    /// In a component that is not finished, with its depth-first number.
    Open(u32),
    Done,
}

// There is one of it, and it is asked for every edge.
#[expect(clippy::large_enum_variant)]
pub enum Visits {
    /// By their depth-first numbers, from which components are found.
    Numbered(Segments<Cell<u32>>),
    /// No components are wanted.
    Noted(Bits),
}

/// Depth-first numbers: 0 is unvisited, `DONE` is in a finished component.
/// From `LOCAL` on they count the states of the component at hand.
pub const DONE: u32 = u32::MAX;
pub const LOCAL: u32 = 1 << 31;

impl Visits {
    pub fn new(components: bool) -> Visits {
        match components {
            true => Visits::Numbered(Segments::default()),
            false => Visits::Noted(Bits::default()),
        }
    }

    /// Whether numbers are kept.
    pub fn are_numbered(&self) -> bool {
        matches!(self, Visits::Numbered(_))
    }

    #[inline]
    pub fn visit(&self, state: StateId) -> Visit {
        match self {
            Visits::Numbered(numbers) => match numbers.at(state.0).get() {
                0 => Visit::New,
                DONE => Visit::Done,
                number => Visit::Open(number),
            },
            Visits::Noted(members) if members.contains(state.0) => Visit::Done,
            Visits::Noted(_) => Visit::New,
        }
    }

    pub fn set(&mut self, state: StateId, number: u32) {
        match self {
            Visits::Numbered(numbers) => numbers.at(state.0).set(number),
            Visits::Noted(members) => members.insert(state.0),
        }
    }

    /// The number of a state in the component at hand, if it is in it.
    pub fn local(&self, state: StateId) -> Option<u32> {
        match self.visit(state) {
            Visit::Open(number) => number.checked_sub(LOCAL),
            Visit::New | Visit::Done => None,
        }
    }

    /// Bytes used for so many states.
    pub fn bytes(&self, states: usize) -> usize {
        match self {
            Visits::Numbered(_) => states * size_of::<u32>(),
            Visits::Noted(members) => members.bytes(),
        }
    }
}
