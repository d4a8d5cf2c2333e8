//! Promela, the language of SPIN 6.5: reading, checking and running models.
//!
//! A model goes through the stages `preprocess`, `lexer`, `parser` (syntax
//! tree), `check` (names and types), `flow` (control flow as SPIN builds it)
//! and `table` (transition tables); `machine` runs the tables and implements
//! [`exeunt_model::Worker`]. Counts of states and transitions are those of
//! SPIN without reductions.

#![forbid(unsafe_code)]

mod check;
mod claim;
pub mod code;
mod coverage;
mod diagnostic;
mod embedded;
mod expansion;
mod flow;
mod layout;
mod lexer;
mod machine;
mod model;
mod obligation;
mod parser;
mod preprocess;
mod print;
mod separators;
mod session;
mod show;
mod simulation;
mod source;
mod stutter;
mod syntax;
mod table;
mod trail;
mod uses;

pub use claim::{Claim, ClaimKind, Condition};
pub use code::{ProcId, Site};
pub use diagnostic::Diagnostic;
pub use embedded::{Call, Called, Embedded, EmbeddedSource, Hands, Host, PROCESS, VALUES, Wrong};
pub use machine::{Observer, Passed};
pub use model::{Marking, PlaceInFormula, PromelaModel, PromelaOptions, load, place_in_formula};
pub use print::{print, reached};
pub use simulation::{Simulation, Standing, Statement, Step};
pub use trail::{Trail, TrailError, read_trail, write_trail};
pub use uses::{How, Statement as Use, Symbol, Variable};
