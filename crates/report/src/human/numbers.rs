//! The numbers of a run: one line, or all of them with `--stats`.

use std::fmt::Write;

use exeunt_model::Statistics;

use super::STRONG;
use crate::Options;
use crate::words::{bytes, count};

pub(super) fn render(numbers: &Statistics, options: &Options) -> String {
    if options.stats { table(numbers) } else { line(numbers) }
}

fn line(numbers: &Statistics) -> String {
    let depth = numbers.max_depth.map(|depth| format!(", depth {depth}")).unwrap_or_default();
    if let Some(runs) = numbers.runs {
        let (runs, steps) = (count(runs, "schedule"), count(numbers.transitions, "step"));
        return format!("{runs}, {steps}{depth}, {:.2} s\n", numbers.seconds);
    }
    if numbers.states == 0 && numbers.transitions == 0 {
        // Nothing was explored: a proof about all states at once.
        return format!("{:.2} s; sequentially consistent memory\n", numbers.seconds);
    }
    format!(
        "{}, {}{depth}, {:.2} s, {} ({:.0} bytes per state); sequentially consistent memory\n",
        count(numbers.states, "state"),
        count(numbers.transitions, "transition"),
        numbers.seconds,
        bytes(numbers.peak_memory_bytes),
        numbers.bytes_per_state,
    )
}

fn table(numbers: &Statistics) -> String {
    if let Some(runs) = numbers.runs {
        return runs_table(numbers, runs);
    }
    let optional =
        |value: Option<u64>| value.map_or("not looked for".to_string(), |n| n.to_string());
    let speed = if numbers.seconds > 0.0 { numbers.states as f64 / numbers.seconds } else { 0.0 };
    let branching = numbers.transitions as f64 / numbers.states.max(1) as f64;
    let phases: Vec<String> =
        numbers.phases.iter().map(|(name, seconds)| format!("{name} {seconds:.2} s")).collect();
    let rows = [
        ("states", numbers.states.to_string()),
        ("transitions", numbers.transitions.to_string()),
        ("transitions to known states", numbers.revisits.to_string()),
        ("transitions from a state", format!("{branching:.2}")),
        ("depth", optional(numbers.max_depth)),
        ("stored components", numbers.components.to_string()),
        ("time", format!("{:.2} s", numbers.seconds)),
        ("of that", phases.join(", ")),
        ("speed", format!("{speed:.0} states/s")),
        ("memory at its peak", bytes(numbers.peak_memory_bytes)),
        ("storage", format!("{:.1} bytes per state", numbers.bytes_per_state)),
        ("table of states", format!("{:.0} % full", numbers.table_load * 100.0)),
        ("bottom components", optional(numbers.bottom_components)),
        ("sections opened", optional(numbers.sections_opened)),
        ("section sites", optional(numbers.section_sites)),
        ("memory model", "sequential consistency".to_string()),
    ];
    let (searches, states) = numbers.discarded;
    let discarded = ("discarded before", format!("{searches} searches with {states} states"));
    let mut out = format!("{STRONG}statistics{STRONG:#}\n");
    for (name, value) in rows.into_iter().chain((searches > 0).then_some(discarded)) {
        let _ = writeln!(out, "  {name:<28} {value}");
    }
    out
}

/// The numbers of an exploration that runs a program again and again.
fn runs_table(numbers: &Statistics, runs: u64) -> String {
    let speed = if numbers.seconds > 0.0 { runs as f64 / numbers.seconds } else { 0.0 };
    let rows = [
        ("schedules", runs.to_string()),
        ("schedules begun in vain", numbers.revisits.to_string()),
        ("steps", numbers.transitions.to_string()),
        ("longest schedule", numbers.max_depth.unwrap_or(0).to_string()),
        ("time", format!("{:.2} s", numbers.seconds)),
        ("speed", format!("{speed:.0} schedules/s")),
    ];
    let mut out = format!("{STRONG}statistics{STRONG:#}\n");
    for (name, value) in rows {
        let _ = writeln!(out, "  {name:<28} {value}");
    }
    out
}
