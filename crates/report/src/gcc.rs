//! The report as gcc writes diagnostics, `file:line:column: error: …`: editors find the
//! places by themselves. A schedule is a list of notes.

use std::fmt::Write;

use exeunt_model::{Location, Report, TraceStep, Verdict, Violation};

use crate::proof;
use crate::story::Teller;
use crate::words::{printable, section_note};

/// Steps of a schedule that become notes.
const STEPS: usize = 200;

pub(crate) fn render(report: &Report) -> String {
    let mut out = String::new();
    for violation in &report.violations {
        diagnostic(&mut out, violation);
    }
    for note in &report.notes {
        line(&mut out, Some(&note.location), "warning", &note.text);
    }
    if report.verdict == Verdict::Inconclusive {
        line(&mut out, None, "warning", &format!("inconclusive: {}", report.reason));
    }
    let proof = report.proof.as_ref().map(|proof| proof::text(proof, false)).unwrap_or_default();
    for text in proof.lines().filter(|text| !text.trim().is_empty()) {
        line(&mut out, None, "note", text);
    }
    out
}

fn diagnostic(out: &mut String, violation: &Violation) {
    let message = format!("{} [{}]", violation.message, violation.property);
    line(out, violation.location.as_ref(), "error", &message);
    for label in &violation.labels {
        line(out, Some(&label.location), "note", &label.text);
    }
    let noun = violation.trace.noun;
    for section in violation.sections.iter().filter(|section| section.opened.is_some()) {
        line(out, section.opened.as_ref(), "note", &section_note(noun, section));
    }
    for caller in &violation.callers {
        line(out, Some(caller), "note", &format!("called from `{}`", caller.function));
    }
    let mut teller = Teller::new(false, false);
    let mut tell = |when: &str, step: &TraceStep| {
        let told = teller.tell(step);
        for one in told.iter().filter(|one| one.location.is_some()) {
            let text = format!("{when}: {} {}", noun.call(step.actor), one.text);
            line(out, one.location.as_ref(), "note", &text);
        }
    };
    if let Some(beginning) = violation.trace.before_first() {
        tell("before step 1", &beginning);
    }
    for (index, step) in violation.trace.steps.iter().enumerate().take(STEPS) {
        tell(&format!("step {}", index + 1), step);
    }
    for help in &violation.help {
        line(out, violation.location.as_ref(), "note", help);
    }
}

fn line(out: &mut String, location: Option<&Location>, level: &str, text: &str) {
    match location.filter(|location| location.is_known()) {
        Some(location) => {
            let column = location.column.max(1);
            let file = printable(&location.file);
            let _ = write!(out, "{file}:{}:{column}: ", location.line);
        }
        None => out.push_str("exeunt: "),
    }
    let _ = writeln!(out, "{level}: {}", printable(text));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_violation_is_an_error_with_notes() {
        let text = render(&fixture::embrace());
        assert!(
            text.starts_with("embrace.c:7:5: error: no thread can move [deadlock]\n"),
            "{text}"
        );
        assert!(text.contains("embrace.c:6:5: note: step 3: thread 2 lock(a)\n"), "{text}");
        assert_eq!(render(&fixture::holds()), "");
    }
}
