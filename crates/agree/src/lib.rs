//! Proves that a thread makes only finitely many steps, whatever runs beside it.
//!
//! The environment is replaced by an *agreement*: a relation between the shared
//! variables before and after whatever the other threads do. The thread, with
//! steps of the agreement between its own, is a sequential program, and its
//! termination is proven by ranking functions. Each other thread is then
//! checked to keep the agreement. Ranking functions that are found without an
//! environment say what an agreement must promise; locks say when.
//!
//! The method is that of Cook, Podelski, Rybalchenko, "Proving thread
//! termination" (2007). We deviate: ranking functions are lexicographic and
//! belong to loop heads (Alias, Darte, Feautrier, Gonnord, "Multi-dimensional
//! rankings, program termination, and complexity bounds of flowchart programs",
//! 2010), found for all paths of a loop at once instead of one lasso after the
//! other; and the locks that a thread holds are part of its control state.
//!
//! A proof counts only after `certify` has checked it.

#![forbid(unsafe_code)]

mod agreement;
mod answer;
mod certificate;
mod common;
mod conditions;
mod cube;
mod fair;
mod graph;
mod guarantee;
mod infinite;
mod invariant;
mod measure;
mod negotiate;
mod path;
mod rank;
mod recurrent;
mod tell;

pub use answer::{Answer, EndlessRun, Options, prove, together};
