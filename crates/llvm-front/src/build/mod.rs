//! Real builds: a compiler that keeps bitcode in what it makes, and reading it back.
//!
//! [`compile`] runs the user's compiler as it was called, and clang beside it. The
//! bitcode that clang makes of each source goes into the section `.exeunt` of the object.
//! Nothing loads that section. `ar` stores whole objects, and linkers put sections of one
//! name behind each other, so archives, shared libraries and programs have the bitcode of all
//! their objects; GNU `strip` leaves it where it is. [`read`] finds it.

mod bundle;
mod command;
mod compiler;
mod elf;

pub(crate) use bundle::Content;
pub use command::CommandLine;
pub use compiler::{Native, compile};
pub(crate) use elf::{Built, Object, read};
pub use elf::{is_built, is_native_only};

/// The section with the bitcode.
const SECTION: &str = ".exeunt";
