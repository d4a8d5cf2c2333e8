//! `exeunt live`: processor time for each schedule and each step, in the program
//! and in the controller together.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::options::Options;
use crate::process;
use crate::table::{Table, progress, remark};

/// A program, the macros it is compiled with, whether every access to memory is
/// a scheduling point, and how it is explored.
struct Row {
    name: &'static str,
    file: &'static str,
    macros: &'static [&'static str],
    instrumented: bool,
    arguments: &'static [&'static str],
}

const fn plain(name: &'static str, file: &'static str, macros: &'static [&'static str]) -> Row {
    Row { name, file, macros, instrumented: false, arguments: &[] }
}

const SEATS_4: &[&str] = &["SEATS=4", "ROUNDS=2"];
const TABLE: &str = "live/philosophers.c";
/// Cooperman and Quinson's example of the ABA problem, repaired.
const ABA: &str = "../tests/live/paper/allocator.c";

const ROWS: &[Row] = &[
    plain("deadly embrace, 8 rounds", "live/embrace.c", &["ROUNDS=8"]),
    plain("philosophers, 3 seats, 3 rounds", TABLE, &["SEATS=3", "ROUNDS=3"]),
    plain("philosophers, 4 seats, 2 rounds", TABLE, SEATS_4),
    plain("philosophers, 4 seats, 3 rounds", TABLE, &["SEATS=4", "ROUNDS=3"]),
    plain("philosophers, 5 seats, 2 rounds", TABLE, &["SEATS=5", "ROUNDS=2"]),
    plain("philosophers, 6 seats, 2 rounds", TABLE, &["SEATS=6", "ROUNDS=2"]),
    plain("bounded buffer, 8 items", "live/buffer.c", &["ITEMS=8"]),
    Row {
        name: "allocator without ABA, instrumented",
        file: ABA,
        macros: &["REPAIRED", "ROUNDS=3"],
        instrumented: true,
        arguments: &[],
    },
    // Nothing is remembered between random runs: this is the price of a restart.
    Row {
        name: "deadly embrace, at random",
        file: "live/embrace.c",
        macros: &["ROUNDS=1"],
        instrumented: false,
        arguments: &["--random", "200000"],
    },
    // One long schedule: the price of a step, with and without an access to memory.
    Row {
        name: "context switch",
        file: "live/yield.c",
        macros: &["TIMES=200000"],
        instrumented: false,
        arguments: &["--random", "1", "--max-depth", "1000000"],
    },
    Row {
        name: "instrumented access",
        file: "live/access.c",
        macros: &["TIMES=200000"],
        instrumented: true,
        arguments: &["--random", "1", "--max-depth", "1000000"],
    },
    // Where a run begins: in a state of the run before (above), at the beginning, or
    // in a process of its own.
    Row {
        name: "deadly embrace, 8 rounds, from the beginning",
        file: "live/embrace.c",
        macros: &["ROUNDS=8"],
        instrumented: false,
        arguments: &["--restart", "beginning"],
    },
    Row {
        name: "philosophers, 4 seats, 2 rounds, from the beginning",
        file: "live/philosophers.c",
        macros: SEATS_4,
        instrumented: false,
        arguments: &["--restart", "beginning"],
    },
    Row {
        name: "philosophers, 4 seats, 2 rounds, by processes",
        file: "live/philosophers.c",
        macros: SEATS_4,
        instrumented: false,
        arguments: &["--restart", "process"],
    },
    // The same schedules by two processes.
    Row {
        name: "philosophers, 4 seats, 3 rounds, two jobs",
        file: TABLE,
        macros: &["SEATS=4", "ROUNDS=3"],
        instrumented: false,
        arguments: &["--jobs", "2"],
    },
    // A kernel thread for each thread.
    Row {
        name: "context switch of kernel threads",
        file: "live/yield.c",
        macros: &["TIMES=20000"],
        instrumented: false,
        arguments: &["--random", "1", "--max-depth", "1000000", "--kernel-threads"],
    },
    // States instead of schedules.
    Row {
        name: "philosophers, 5 seats, states",
        file: "live/philosophers.c",
        macros: &["SEATS=5", "ROUNDS=1"],
        instrumented: false,
        arguments: &["--states"],
    },
];

pub fn measure(options: &Options) -> Result<()> {
    let scratch = std::env::temp_dir().join(format!("exeunt-bench-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let measured = rows(options, &scratch);
    let _ = std::fs::remove_dir_all(&scratch);
    measured
}

fn rows(options: &Options, scratch: &Path) -> Result<()> {
    let head = [
        "program",
        "schedules",
        "steps",
        "CPU s",
        "start",
        "elapsed s",
        "us/schedule",
        "schedules/s",
        "steps/s",
        "ns/step",
    ];
    let mut table = Table::new(&head);
    for row in ROWS.iter().filter(|row| options.wants_row(row.name)) {
        progress(row.name);
        let program = compile(options, row, scratch)?;
        let mut best: Option<Measured> = None;
        for _ in 0..options.repeat {
            let now = once(options, row, &program)?;
            best = Some(best.filter(|best| best.seconds <= now.seconds).unwrap_or(now));
        }
        let Some(Measured { seconds, elapsed, schedules, steps }) = best else { continue };
        let start = start(options, row, &program)?;
        let seconds = (seconds - start).max(0.0);
        table.row(vec![
            row.name.to_string(),
            schedules.to_string(),
            steps.to_string(),
            format!("{:.3}", seconds + start),
            format!("{start:.3}"),
            format!("{elapsed:.2}"),
            format!("{:.1}", seconds * 1e6 / schedules),
            format!("{:.0}", schedules / seconds),
            format!("{:.0}", steps / seconds),
            format!("{:.0}", seconds * 1e9 / steps),
        ]);
    }
    table.print("native programs", options);
    remark(
        "steps are those that were explored first; what is repeated of a schedule is not counted",
    );
    remark(
        "\"start\" is the processor time of a run of one step, which the other columns leave out",
    );
    Ok(())
}

/// What it takes to begin and to end: the program and the runtime are loaded, and
/// one step is made.
fn start(options: &Options, row: &Row, program: &Path) -> Result<f64> {
    let mut least = f64::INFINITY;
    for _ in 0..options.repeat {
        let mut command = Command::new(&options.exeunt);
        command.args(["live", "--random", "1", "--max-depth", "1"]).arg(program);
        let finished = process::run(&mut command).map_err(|why| format!("{}: {why}", row.name))?;
        least = least.min(finished.seconds + finished.system_seconds);
    }
    Ok(least)
}

fn compile(options: &Options, row: &Row, scratch: &Path) -> Result<PathBuf> {
    let target = scratch.join("program");
    let mut command = match row.instrumented {
        false => Command::new("gcc"),
        true => {
            let mut command = Command::new(&options.exeunt);
            command.args(["cc", "--live"]);
            command
        }
    };
    command.args(["-O1", "-pthread"]).args(row.macros.iter().map(|name| format!("-D{name}")));
    command.arg(options.root.join(row.file)).arg("-o").arg(&target);
    match process::run(&mut command)?.code {
        0 => Ok(target),
        _ => Err(format!("{} does not compile", row.file)),
    }
}

struct Measured {
    seconds: f64,
    elapsed: f64,
    schedules: f64,
    steps: f64,
}

fn once(options: &Options, row: &Row, program: &Path) -> Result<Measured> {
    let mut command = Command::new(&options.exeunt);
    command.args(["live", "--format", "json"]).args(row.arguments);
    if !row.arguments.contains(&"--jobs") {
        command.args(["--jobs", "1"]);
    }
    command.arg(program);
    let finished = process::run(&mut command)?;
    let report: serde_json::Value = serde_json::from_slice(&finished.stdout)
        .map_err(|error| format!("{}: {error}", row.name))?;
    if !report["violations"].as_array().is_some_and(Vec::is_empty) {
        return Err(format!("{} is violated", row.name));
    }
    let number = |key: &str| report["statistics"][key].as_f64().unwrap_or(f64::NAN);
    let seconds = finished.seconds + finished.system_seconds;
    // Where states are stored there is no number of schedules.
    let schedules = report["statistics"]["runs"].as_f64().unwrap_or(1.0);
    let (steps, elapsed) = (number("transitions"), finished.elapsed);
    Ok(Measured { seconds, elapsed, schedules, steps })
}
