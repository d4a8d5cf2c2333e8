//! From paths through the graph to what people read.

mod back;
mod bounds;
mod openings;
mod path;
mod section;
mod trace;

pub use bounds::Bounds;
pub use openings::{Opening, Openings};
pub use path::{Goal, fault_at, fewer_switches, reach, simplify};
pub use section::{
    deadlock_place, deadlock_violation, section_violation, termination_place, termination_violation,
};
pub use trace::{Outcome, build, build_by, fault_violation, take, tell, whims};
