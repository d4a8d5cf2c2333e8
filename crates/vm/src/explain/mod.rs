//! What people are told: names, values, faults, waits, and the events of a story.

mod container;
mod containers;
mod entry;
mod fault;
mod frames;
mod library;
mod naming;

mod paths;
mod snapshot;
mod tale;
mod telling;
mod values;
mod waits;
mod wrappers;

pub use tale::Tale;
pub use wrappers::wrappers;
