//! The command `exeunt`: arguments in, exit code out.
//!
//! Invariant: a verdict is only ever what an engine said. Bad usage and bad
//! input end with 2, our own bugs with 101, and neither prints a report.

#![forbid(unsafe_code)]

mod args;
mod certify;
mod check;
mod checkpoint;
mod compiler;
mod contradictions;
mod draw;
mod failure;
mod front;
mod inputs;
mod interrupt;
mod ir;
mod live;
mod outcomes;
mod output;
mod panic;
mod progress;
mod prove;
mod questions;
mod replay;
mod run;
mod runtime;
mod sections;
mod settings;
mod temporal;
mod trace_file;
mod trail;
mod values;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use compiler::Language;
use failure::Failure;

/// Parsers and what walks over their results go as deep as their input is
/// nested. Only what is used of a stack takes memory.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    let deep = std::thread::Builder::new().name("main".to_string()).stack_size(STACK);
    let code = match deep.spawn(work) {
        Ok(thread) => thread.join().unwrap_or(panic::BUG),
        // Address space is limited: an ordinary stack will mostly do.
        Err(_) => work(),
    };
    ExitCode::from(code)
}

fn work() -> u8 {
    panic::guarded(|| match Arguments::try_parse() {
        Ok(arguments) => dispatch(arguments),
        Err(error) => usage(&error),
    })
}

fn dispatch(arguments: Arguments) -> u8 {
    let outcome = match arguments.command {
        Command::Check(arguments) => check::run(*arguments),
        Command::Live(arguments) => live::run(&arguments),
        Command::Cc(arguments) => compiler::run(Language::C, &arguments),
        Command::Cxx(arguments) => compiler::run(Language::Cxx, &arguments),
        Command::Prove(arguments) => prove::run(&arguments),
        Command::Certify(arguments) => certify::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Outcomes(arguments) => outcomes::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Ir(arguments) => ir::run(&arguments),
        Command::Sections(arguments) => sections::run(&arguments),
        Command::Draw(arguments) => draw::run(&arguments),
    };
    outcome.unwrap_or_else(|failure: Failure| {
        failure.print();
        failure.exit_code()
    })
}

/// Help and version are answers; everything else clap says is bad usage.
fn usage(error: &clap::Error) -> u8 {
    let _ = error.print();
    if error.use_stderr() { failure::BAD_INPUT } else { 0 }
}
