//! The command `exeunt`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

/// Parsers and what walks over their results go as deep as their input is
/// nested. Only what is used of a stack takes memory.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    let deep = std::thread::Builder::new().name("main".to_string()).stack_size(STACK);
    let code = match deep.spawn(exeunt_cli::work) {
        Ok(thread) => thread.join().unwrap_or(exeunt_cli::BUG),
        // Address space is limited: an ordinary stack will mostly do.
        Err(_) => exeunt_cli::work(),
    };
    ExitCode::from(code)
}
