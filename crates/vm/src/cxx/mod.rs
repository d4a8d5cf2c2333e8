//! What a C++ program expects of its run-time library and the machine does
//! itself, one file for each part. What calls back into the program, or needs
//! the library's own types, is C++ (`runtime/cxx/`).

mod exit;
mod guard;
mod new;
pub mod primitive;
pub mod refused;
mod throw;
mod unwind;

use exeunt_ir::Program;

use crate::builtin::Table;
pub use new::mismatch;
pub use throw::BAD_ALLOC;

pub const TABLES: &[Table] = &[
    ("The C++ runtime", exit::TABLE),
    ("The C++ runtime", guard::TABLE),
    ("New and delete", new::TABLE),
    ("The C++ runtime", throw::TABLE),
    ("The C++ runtime", unwind::TABLE),
];

/// Variables of the library that hold 0 for good: the handle of the program
/// itself, whether there will only ever be one thread, and `std::nothrow`.
const ZEROES: [&str; 3] = ["__dso_handle", "__libc_single_threaded", "_ZSt7nothrow"];

/// Defines those of them that a program declares, and takes out what is refused.
pub fn define(program: &mut Program) {
    refused::take_out(program);
    for global in &mut program.globals {
        if global.external && ZEROES.contains(&&*global.name) {
            global.external = false;
            global.constant = true;
        }
    }
}
