//! Searches that leave something out of a model, and remember whether
//! they did.

mod context;
mod guided;
mod simplest;
mod tail;
mod turns;

pub use context::{ContextBound, Engine, check_context_bound};
pub use guided::{GuidedWalk, Plan, Rule};
pub use simplest::{Simplest, simplest};
pub use turns::{TurnBounds, Turns};
