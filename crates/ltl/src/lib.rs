//! Linear temporal logic: formulas, and automata that accept what they say.
//!
//! Text becomes a [`Formula`] ([`parse()`]), a formula becomes a generalised
//! automaton with acceptance on its edges ([`Automaton::of`]), and that one a
//! Büchi automaton with accepting states ([`Buchi::of`]). All of it is pure
//! functions; propositions are opaque texts whose meaning a machine gives. An
//! engine evaluates the propositions of a state into a [`Letter`] and asks
//! each edge's [`Guard`] whether it lets the letter pass.

#![forbid(unsafe_code)]

mod alternating;
mod automaton;
mod buchi;
mod component;
mod formula;
mod graph;
mod guard;
mod hoa;
mod never;
mod normal;
mod parse;
mod print;
mod reduce;
mod simulation;
mod token;
mod word;

pub use automaton::{Automaton, Edge, StateId, TooLarge};
pub use buchi::{Buchi, Step};
pub use formula::{Binary, Formula, Unary};
pub use guard::{Cube, Guard, Letter};
pub use parse::{ParseError, parse};
pub use word::Lasso;
