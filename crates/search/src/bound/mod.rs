//! Models that leave something out of another model, and remember whether
//! they did.

mod context;

pub use context::{ContextBound, Engine, check_context_bound};
