//! The command `exeunt`: arguments in, exit code out.
//!
//! Invariant: a verdict is only ever what an engine said. Bad usage and bad
//! input end with 2, our own bugs with 101, and neither prints a report.

#![forbid(unsafe_code)]

mod args;
mod certify;
mod check;
mod checkpoint;
mod contradictions;
mod draw;
mod failure;
mod front;
mod inputs;
mod interrupt;
mod ir;
mod live;
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
use failure::Failure;

fn main() -> ExitCode {
    let code = panic::guarded(|| match Arguments::try_parse() {
        Ok(arguments) => dispatch(arguments),
        Err(error) => usage(&error),
    });
    ExitCode::from(code)
}

fn dispatch(arguments: Arguments) -> u8 {
    let outcome = match arguments.command {
        Command::Check(arguments) => check::run(*arguments),
        Command::Live(arguments) => live::run(&arguments),
        Command::Prove(arguments) => prove::run(&arguments),
        Command::Certify(arguments) => certify::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
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
