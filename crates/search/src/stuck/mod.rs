//! Sections that cannot end: bottom components, and the largest stuck sets
//! where the environment chooses.

mod answers;
mod component;
mod doomed;
mod edges;
mod fixpoint;
mod lasso;
mod onward;
#[cfg(test)]
mod reference;
mod too_late;

pub use answers::all_answered;
pub use component::sections_stuck_in;
pub use edges::Edges;
pub use fixpoint::{Stuck, StuckSet, shortest_into, stuck_sets};
pub use lasso::round_in;
pub use onward::{Answer, among, by_ways};
pub use too_late::first_too_late;
