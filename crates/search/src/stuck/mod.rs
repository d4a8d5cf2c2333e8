//! Sections that cannot end: bottom components, and the largest stuck sets
//! where the environment chooses (DESIGN section 2).

mod component;
mod edges;
mod fixpoint;
mod lasso;
#[cfg(test)]
mod reference;
mod too_late;

pub use component::sections_stuck_in;
pub use fixpoint::{Stuck, stuck_sets};
pub use lasso::round_in;
pub use too_late::first_too_late;
