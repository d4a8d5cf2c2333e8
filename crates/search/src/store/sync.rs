//! Everything by which threads communicate in the index, and the size of the
//! pieces of work that they share. `tests/loom` puts loom's versions of the same
//! names here and runs the index with them.

pub use crossbeam_epoch as epoch;
pub use parking_lot::Mutex;
pub use std::hint::spin_loop;
pub use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
pub use std::thread::yield_now;

/// Buckets that one thread copies at a time when a shard grows.
pub const PIECE: usize = 512;

/// Makes a struct of atomics one that may begin as zeros.
macro_rules! begins_as_zeros {
    ($item:item) => {
        #[derive(bytemuck::Zeroable)]
        $item
    };
}
pub(crate) use begins_as_zeros;
