//! Exploring programs whose states cannot be stored, by running them.
//!
//! One file decides what operations mean (`objects`), one which of them
//! commute (`relation`), one which runs are left to be made (`explorer`).

mod clock;
mod explorer;
mod objects;
mod order;
mod pct;
mod relation;
#[cfg(test)]
mod tests;
mod tree;

pub use explorer::{Event as RunEvent, Explorer, RunEnd, Strategy};
pub use pct::Guarantee;
