//! The meaning of instructions, one file for each family.

pub mod atomic;
pub mod call;
pub mod convention;
pub mod f80;
pub mod float;
pub mod int;
mod integers;
pub mod memory;
pub mod wide;
