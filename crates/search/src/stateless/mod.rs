//! Exploring programs whose states cannot be stored, by running them.
//!
//! One file decides what operations mean (`objects`), one which of them
//! commute (`relation`), one which runs are left to be made (`explorer`), and one
//! has states as values for machines that can go back to them (`standings`).
//! `model` runs models in the same way.

mod clock;
mod explorer;
mod model;
mod objects;
mod order;
mod pct;
mod relation;
mod standings;
#[cfg(test)]
mod tests;
mod tree;

pub use explorer::{Claim, Event as RunEvent, Explorer, RunEnd, Strategy};
pub use model::check_stateless;
pub use pct::Guarantee;
pub use standings::{Known, Standings};
