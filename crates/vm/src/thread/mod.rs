//! Threads: their heads, frames, registers and stacks.

mod coding;
pub mod frame;
mod head;
mod place;
mod running;
pub mod stack;

pub use head::{Head, Phase, Section, Status, frames_of, peek_status};
pub use running::Running;

/// Frames that are still encoded, below those of the running thread.
#[derive(Clone, Copy, Default)]
pub struct Lower<'p>(&'p [u64]);
