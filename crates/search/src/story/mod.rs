//! From paths through the graph to what people read.

mod path;
mod section;
mod trace;

pub use path::{reach, shorten};
pub use section::{deadlock_violation, section_violation, termination_violation};
pub use trace::{Outcome, build, build_by, fault_violation, take};
