//! `exeunt outcomes`: everything that a program can print, and how it ends,
//! over all schedules.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use exeunt_model::{Property, Schedule};
use exeunt_search::{End, Limits, Options, Outcome, Outcomes};
use serde::Serialize;

use crate::args::{CopyOrder, OutsideChoice, RunArgs, SignalsChoice};
use crate::failure::{Failure, INTERRUPTED};
use crate::front;
use crate::interrupt;
use crate::output;
use crate::progress::Display;
use crate::settings::{self, Settings};
use crate::values;

/// States that are looked at without `--max-states`.
const MOST_STATES: u64 = 1_000_000;

#[derive(Debug, Args)]
pub(crate) struct OutcomesArgs {
    #[command(flatten)]
    pub(crate) program: RunArgs,
    /// Which signals come from outside: none, so that their handlers run only when
    /// the program raises them itself
    #[arg(long, value_name = "WHICH")]
    pub(crate) signals: Option<SignalsChoice>,
    /// Take what we answer for the world outside for all that there is
    #[arg(long, value_name = "HOW")]
    pub(crate) outside: Option<OutsideChoice>,
    /// In which order blocks of memory are copied
    #[arg(long, value_enum, value_name = "ORDER")]
    pub(crate) copy_order: Option<CopyOrder>,
    /// Let condition variables wake a thread only if they are signalled
    #[arg(long)]
    pub(crate) no_spurious: bool,
    /// Let a weak compare-exchange fail only if the values differ
    #[arg(long)]
    pub(crate) no_weak_failures: bool,
    /// Give up after so many states (default: 1000000)
    #[arg(long, value_name = "STATES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_states: Option<u64>,
    /// Give up after this time: 500ms, 10s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub(crate) time: Option<Duration>,
    /// Give up beyond this memory: 512M, 4G (default: 70 % of the machine's)
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub(crate) memory: Option<u64>,
    /// The form of the list
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Form,
    /// Write the list to a file
    #[arg(short, value_name = "FILE")]
    pub(crate) o: Option<PathBuf>,
}

pub(crate) fn run(arguments: &OutcomesArgs) -> Result<u8, Failure> {
    output::writable(arguments.o.as_deref())?;
    let settings = Settings::of_outcomes(arguments)?;
    let limits = Limits {
        time: arguments.time,
        memory: arguments.memory.or_else(settings::most_of_memory),
        max_states: Some(arguments.max_states.unwrap_or(MOST_STATES)),
        ..Limits::default()
    };
    let options = Options { limits, interrupt: interrupt::listen(), ..Options::default() };
    let loaded = front::load(&settings)?;
    let display = Display::new();
    let mut session = settings.open(loaded.model());
    let found = exeunt_search::outcomes(&mut *session, &options, &mut |p| display.show(p));
    display.finish();
    let text = match arguments.format {
        Form::Human => human(&found),
        Form::Json => json(&found),
    };
    match &arguments.o {
        Some(path) => output::write(path, &text)?,
        None => output::print(&text),
    }
    Ok(match (found.interrupted, found.missing.is_empty()) {
        (true, _) => INTERRUPTED,
        (false, true) => 0,
        (false, false) => 3,
    })
}

/// How an outcome ends, for people, and the exit code if it has one.
fn ending(outcome: &Outcome) -> (String, Option<u8>) {
    match &outcome.end {
        End::Ended => ("exit code 0".to_string(), Some(0)),
        End::Fault(fault) if fault.property == Property::Exit => {
            let code = fault.message.rsplit(' ').next().and_then(|code| code.parse().ok());
            (format!("exit code {}", code.unwrap_or(1)), code.or(Some(1)))
        }
        End::Fault(fault) => {
            let place = fault.location.as_ref().map_or_else(String::new, |at| format!(" ({at})"));
            (format!("error[{}]: {}{place}", fault.property.name(), fault.message), None)
        }
        End::Deadlock => ("no thread can move: the program hangs".to_string(), None),
        End::Endless => ("runs for ever".to_string(), None),
    }
}

/// Which thread runs for how many steps, one after the other.
fn turns(schedule: &Schedule) -> String {
    let mut turns: Vec<(String, usize)> = Vec::new();
    for step in &schedule.moves {
        let step = step.to_string();
        match turns.last_mut() {
            Some((last, count)) if *last == step => *count += 1,
            _ => turns.push((step, 1)),
        }
    }
    let shown = turns.iter().map(|(step, count)| match count {
        1 => step.clone(),
        _ => format!("{step}*{count}"),
    });
    shown.collect::<Vec<String>>().join(" ")
}

fn human(found: &Outcomes) -> String {
    let mut text = String::new();
    let plural = if found.outcomes.len() == 1 { "" } else { "s" };
    let all = if found.missing.is_empty() { "all" } else { "some" };
    let _ = writeln!(text, "{} outcome{plural} ({all} of them)", found.outcomes.len());
    for (number, outcome) in found.outcomes.iter().enumerate() {
        let _ = writeln!(text, "\n{}. {}", number + 1, ending(outcome).0);
        for (name, bytes) in [("stdout", &outcome.out), ("stderr", &outcome.err)] {
            for line in String::from_utf8_lossy(bytes).lines() {
                let _ = writeln!(text, "   {name}: {line}");
            }
        }
        let _ = writeln!(text, "   schedule: {}", turns(&outcome.schedule));
    }
    let _ = writeln!(text, "\n{} states, told apart by what was printed as well", found.states);
    for why in &found.missing {
        let _ = writeln!(text, "there may be more: {why}");
    }
    text
}

#[derive(Serialize)]
struct Listed<'a> {
    tool: &'static str,
    version: &'static str,
    command: &'static str,
    complete: bool,
    limits_hit: &'a [String],
    states: u64,
    outcomes: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    /// `exit`, `error`, `deadlock` or `endless`.
    end: &'static str,
    exit_code: Option<u8>,
    message: String,
    stdout: String,
    stderr: String,
    schedule: String,
}

fn json(found: &Outcomes) -> String {
    let row = |outcome: &Outcome| {
        let (message, exit_code) = ending(outcome);
        Row {
            end: match &outcome.end {
                _ if exit_code.is_some() => "exit",
                End::Ended => "exit",
                End::Fault(_) => "error",
                End::Deadlock => "deadlock",
                End::Endless => "endless",
            },
            exit_code,
            message,
            stdout: String::from_utf8_lossy(&outcome.out).into_owned(),
            stderr: String::from_utf8_lossy(&outcome.err).into_owned(),
            schedule: outcome.schedule.to_string(),
        }
    };
    let listed = Listed {
        tool: "exeunt",
        version: env!("CARGO_PKG_VERSION"),
        command: "outcomes",
        complete: found.missing.is_empty(),
        limits_hit: &found.missing,
        states: found.states,
        outcomes: found.outcomes.iter().map(row).collect(),
    };
    let mut text = serde_json::to_string_pretty(&listed).expect("plain data has a JSON form");
    text.push('\n');
    text
}

/// The forms of a list of outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    Human,
    Json,
}
