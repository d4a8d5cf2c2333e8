//! The report for reading: the sentence, the guilty line as rustc would show
//! it, the schedule in columns, the numbers, and how to see it again.

mod answers;
mod breaks;
mod diagnostic;
mod explain;
mod fold;
mod layout;
mod numbers;
mod rows;
mod schedule;
mod stacks;

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use exeunt_model::{Event, Report, Verdict, Violation};

pub(crate) use diagnostic::{complain, complain_about, reported};

pub(crate) use schedule::{Folded, folded, lines};

use crate::proof;
use crate::words::{about, count, printable};
use crate::{Options, Run, Sources};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const UNSURE: Style = AnsiColor::Yellow.on_default().bold();
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// How many lines of program output are shown unless all are asked for.
const OUTPUT_LINES: usize = 40;

pub(crate) fn render(report: &Report, run: &Run, sources: &Sources, options: &Options) -> String {
    let mut out = String::new();
    verdict(&mut out, report);
    answers::questions(&mut out, report);
    for (index, violation) in report.violations.iter().enumerate() {
        out.push('\n');
        if report.violations.len() > 1 {
            let _ = writeln!(
                out,
                "{STRONG}violation {} of {}{STRONG:#}\n",
                index + 1,
                report.violations.len()
            );
        }
        out.push_str(&diagnostic::render(violation, sources, options));
        if options.stacks {
            out.push_str(&stacks::render(violation));
        }
        if options.explain {
            out.push_str(&explain::render(violation, sources));
        }
        out.push_str(&schedule::render(violation, sources, options));
        if options.output {
            program_output(&mut out, violation, options);
        }
    }
    answers::unreached(&mut out, report);
    answers::notes(&mut out, report);
    answers::assumptions(&mut out, report);
    answers::remarks(&mut out, report);
    out.push('\n');
    out.push_str(&numbers::render(&report.statistics, options));
    if let Some(replay) = &run.replay {
        let _ = writeln!(out, "{replay}");
    }
    if let Some(proof) = &report.proof {
        let _ = write!(out, "\n{}", proof::text(proof, options.program));
    }
    if options.breaks { breaks::broken(&out, options.width) } else { out }
}

fn verdict(out: &mut String, report: &Report) {
    let style = match report.verdict {
        Verdict::Holds => GOOD,
        Verdict::Violated => BAD,
        Verdict::Inconclusive => UNSURE,
    };
    let _ = writeln!(out, "{style}{}{style:#}: {}", report.verdict.name(), sentence(report));
    let unsaid = report.limits_hit.iter().filter(|limit| !report.reason.contains(*limit));
    for limit in unsaid {
        let _ = writeln!(out, "limit reached: {}", printable(limit));
    }
}

/// The reason; where that is the message of the only violation, which follows
/// in full, what it means instead.
fn sentence(report: &Report) -> String {
    match report.violations.as_slice() {
        [violation] if violation.message == report.reason => {
            let steps = count(violation.trace.steps.len() as u64, "step");
            format!("{} (a schedule of {steps} shows it)", about(violation.property))
        }
        _ => printable(&report.reason),
    }
}

/// Everything the program printed along the schedule, both streams together.
fn program_output(out: &mut String, violation: &Violation, options: &Options) {
    let along = violation.trace.steps.iter().flat_map(|step| &step.events);
    let events = violation.trace.beginning.iter().chain(along);
    let bytes: Vec<u8> = events
        .filter_map(|event| match event {
            Event::Output { bytes, .. } => Some(bytes.as_slice()),
            _ => None,
        })
        .collect::<Vec<_>>()
        .concat();
    if bytes.is_empty() {
        let _ =
            writeln!(out, "\n{STRONG}output{STRONG:#}: nothing was printed along this schedule");
        return;
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let hidden = if options.full_trace { 0 } else { lines.len().saturating_sub(OUTPUT_LINES) };
    let _ = writeln!(out, "\n{STRONG}output{STRONG:#} along this schedule:");
    if hidden > 0 {
        let hidden = count(hidden as u64, "earlier line");
        let _ = writeln!(out, "  {FAINT}… {hidden}, `--full-trace` shows them{FAINT:#}");
    }
    for line in &lines[hidden..] {
        let _ = writeln!(out, "  | {}", printable(line));
    }
}

#[cfg(test)]
mod tests;
