//! What came of each temporal question, the statements that no run executes,
//! and notes.

use std::fmt::Write;

use exeunt_model::{Report, Verdict};

use super::{BAD, GOOD, STRONG, UNSURE};
use crate::words::{count, printable};

/// One line for each question; a single one that the verdict names needs none.
pub(super) fn questions(out: &mut String, report: &Report) {
    for answer in &report.answers {
        let style = match answer.verdict {
            Verdict::Holds => GOOD,
            Verdict::Violated => BAD,
            Verdict::Inconclusive => UNSURE,
        };
        let _ = writeln!(
            out,
            "  {style}{}{style:#} {} ({}, {})",
            answer.verdict.name(),
            printable(&answer.text),
            count(answer.states, "state"),
            count(answer.transitions, "transition"),
        );
    }
}

/// What the answer is relative to.
pub(super) fn assumptions(out: &mut String, report: &Report) {
    // A violation is one whatever was assumed besides.
    if report.assumptions.is_empty() || report.verdict == Verdict::Violated {
        return;
    }
    let _ = writeln!(out, "\n{STRONG}assumed{STRONG:#}:");
    for assumption in &report.assumptions {
        let _ = writeln!(out, "  {}", printable(assumption));
    }
}

/// What the verdict does not say.
pub(super) fn remarks(out: &mut String, report: &Report) {
    if report.verdict == Verdict::Violated {
        return;
    }
    for remark in &report.remarks {
        let _ = writeln!(out, "{STRONG}note{STRONG:#}: {}", printable(remark));
    }
}

/// What is undefined but harmless.
pub(super) fn notes(out: &mut String, report: &Report) {
    if report.notes.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "\n{STRONG}undefined but harmless{STRONG:#} (`--undefined` makes violations of it):"
    );
    for note in &report.notes {
        let _ = writeln!(out, "  {}: {}", note.location, printable(&note.text));
    }
}

pub(super) fn unreached(out: &mut String, report: &Report) {
    if report.unreached.is_empty() {
        return;
    }
    let total = count(report.unreached.len() as u64, "statement");
    let _ = writeln!(out, "\n{STRONG}never executed{STRONG:#}: {total}");
    for label in &report.unreached {
        let function = &label.location.function;
        let _ = writeln!(out, "  {} {}: {}", label.location, function, printable(&label.text));
    }
}
