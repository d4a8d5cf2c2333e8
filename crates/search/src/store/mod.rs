//! Where states are kept: components once each, vectors as trees of pairs.

mod pool;
mod tree;

pub use pool::ComponentPool;
pub use tree::{StateId, StateStore};
