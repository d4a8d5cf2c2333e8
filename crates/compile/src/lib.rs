//! Machine code for what a thread does on its own.
//!
//! The interpreter is the reference. Compiled code is a shortcut through the common case: all values are
//! defined, addresses lie in memory that nobody else can reach, shifts are short, nothing is divided by zero.
//! Whatever else comes up is handed to the [`Host`], which does it as the interpreter does, or the code is
//! left in front of the instruction, with all registers written back, and the interpreter goes on there. So
//! the code contains no error message and makes no decision about schedules.
//!
//! Invariants: a register that compiled code holds is defined in all bits. Code is entered, and left, with the
//! registers of the topmost frame in its window. Backward jumps, calls and returns are counted as the
//! interpreter counts them ([`Context::jumps`], [`Context::work`]), so a step ends where it would end there.
//!
//! Must not know: the virtual machine, states, threads.

#![deny(unsafe_code)]

mod code;
mod context;
mod emit;
mod facts;

pub use code::{Callee, Code, Compiler, Unit, Way};
pub use context::{Context, Host, Outcome, Table};

/// What a call or a return counts of [`Context::work`].
pub const CALL: i64 = 16;
