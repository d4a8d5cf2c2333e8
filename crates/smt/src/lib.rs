//! Integer terms, formulas over them, and solvers.
//!
//! A term is a sum of products of a number and an *atom*; atoms are variables
//! and whatever is not linear. Terms are canonical: equal sums are equal
//! values. One file for each solver back end; nothing outside this crate sees
//! one.

#![forbid(unsafe_code)]

mod answers;
pub mod bits;
mod blast;
mod formula;
pub mod horn;
mod oracle;
mod process;
pub mod rational;
pub mod settings;
mod solver;
mod term;
mod text;
mod z3;

pub use bits::BitOp;
pub use formula::Formula;
pub use solver::{Answer, Solver};
pub use term::{Assignment, Atom, Int, Ranges, Term, Var};

pub use crate::z3::{Patience, Z3};
pub use oracle::Oracle;
pub use process::try_solver;
pub use settings::Settings;
