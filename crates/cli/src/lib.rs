//! What the command `exeunt` does: arguments in, exit code out. `main.rs` only
//! calls [`work`]; the rest is public for fuzzing (`fuzz/`).
//!
//! Invariant: a verdict is only ever what an engine said. Bad usage and bad
//! input end with 2, our own bugs with 101, and neither prints a report.

#![forbid(unsafe_code)]

mod args;
mod baseline;
mod certify;
mod check;
mod checkpoint;
mod cluster;
mod compile_commands;
mod compiler;
mod contradictions;
mod draw;
mod endless;
mod explore;
mod failure;
mod flags;
mod front;
mod grade;
mod harmless;
mod inputs;
mod interrupt;
mod ir;
mod live;
mod live_states;
mod outcomes;
mod output;
mod panic;
mod progress;
mod prove;
mod questions;
mod reference;
mod remarks;
mod replay;
mod reproducer;
mod run;
mod runtime;
mod sections;
mod settings;
mod shell;
mod sim;
mod simplify;
mod spin;
mod svcomp;
mod temporal;
mod threads;
mod trace_file;
mod trail;
mod values;
mod watch;

use clap::Parser;

use args::{Arguments, Command};
use compiler::Language;
use failure::Failure;
pub use panic::BUG;

/// Runs the command that the arguments of the process name; its exit code.
pub fn work() -> u8 {
    panic::guarded(|| match Arguments::try_parse_from(flags::sorted(std::env::args_os())) {
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
        Command::Grade(arguments) => grade::run(&arguments),
        Command::Prove(arguments) => prove::run(&arguments),
        Command::Certify(arguments) => certify::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Test(arguments) => reproducer::run(&arguments),
        Command::Outcomes(arguments) => outcomes::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Ir(arguments) => ir::run(&arguments),
        Command::Sections(arguments) => sections::run(&arguments),
        Command::Sim(arguments) => sim::run(&arguments),
        Command::Spin(arguments) => spin::run(&arguments),
        Command::Explore(arguments) => explore::run(&arguments),
        Command::Draw(arguments) => draw::run(&arguments),
        Command::Completions(arguments) => shell::completions(&arguments),
        Command::Manual(arguments) => shell::manual(&arguments),
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

/// Reads the text of a trace file, and writes it again: what a fuzzer compares.
pub fn read_trace(text: &[u8]) -> Result<String, String> {
    let name = std::path::Path::new("trace");
    let trace = trace_file::TraceFile::parse(text, name).map_err(|wrong| format!("{wrong:?}"))?;
    trace.schedule().map_err(|wrong| format!("{wrong:?}"))?;
    Ok(trace.text())
}
