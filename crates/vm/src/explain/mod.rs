//! What people are told: names, values, faults, waits, and the events of a story.

mod entry;
mod fault;
mod naming;
mod tale;
mod telling;
mod values;
mod waits;

pub use tale::Tale;
