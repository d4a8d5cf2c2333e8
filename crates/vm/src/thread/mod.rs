//! Threads: their heads, frames, registers and stacks.

mod coding;
pub mod frame;
mod head;
mod place;
pub mod stack;

pub use head::{Head, Phase, Section, Status, peek_status};

/// Frames that are still encoded, below those of the running thread.
#[derive(Clone, Copy, Default)]
pub struct Lower<'p>(&'p [u64]);
