//! `exeunt-bench`: runs the binary `exeunt` beside its peers and prints what was
//! measured as tables. Times are the processor time of the child in user mode, the
//! least of several runs, so that a busy machine disturbs them little.

mod check;
mod cluster;
mod cores;
mod evaluation;
mod first;
mod growth;
mod independent;
mod interpreter;
mod live;
mod objects;
mod options;
mod pairs;
mod pan;
mod plot;
mod process;
mod promela;
mod scatter;
mod sections;
mod spin;
mod stateright;
mod states;
mod supersteps;
mod table;
mod threads;
mod versions;

use std::process::ExitCode;

use options::Options;

type Result<T> = std::result::Result<T, String>;

type Bench = fn(&Options) -> Result<()>;

/// The benches by name, in the order in which they run.
const BENCHES: &[(&str, Bench)] = &[
    ("interpreter", interpreter::measure),
    ("states", states::measure),
    ("sections", sections::measure),
    ("supersteps", supersteps::measure),
    ("promela", promela::measure),
    ("spin", spin::measure),
    ("stateright", stateright::measure),
    ("growth", growth::measure),
    ("independent", independent::measure),
    ("objects", objects::measure),
    ("first", first::measure),
    ("cores", cores::measure),
    ("cluster", cluster::measure),
    ("live", live::measure),
    ("threads", threads::measure),
    ("pairs", pairs::measure),
    ("evaluation", evaluation::measure),
    ("versions", versions::measure),
];

fn main() -> ExitCode {
    match Options::from_command_line().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<()> {
    for (name, measure) in BENCHES {
        if options.wants(name) {
            measure(options)?;
        }
    }
    Ok(())
}
