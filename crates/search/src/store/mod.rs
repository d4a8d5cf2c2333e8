//! Where states are kept: components once each, vectors as records of
//! few bits.

mod columns;
mod deltas;
mod index;
#[cfg(test)]
mod index_tests;
mod layout;
mod near;
mod numbers;
mod pages;
mod pool;
mod records;
mod segments;
mod states;
mod sync;

pub use index::ask_for;
pub use pages::Pages;
pub use pool::ComponentPool;
pub use segments::Segments;
pub use states::{StateId, StateStore};

/// Spreads a hash over all bits: FxHash leaves its entropy in the high ones.
#[inline]
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 29)
}
