//! The report as workflow commands, which GitHub and compatible forges show beside the
//! lines of a change.

use std::fmt::Write;

use exeunt_model::{Location, Report, Verdict};

use crate::proof;

pub(crate) fn render(report: &Report) -> String {
    let mut out = String::new();
    for violation in &report.violations {
        let title = format!("exeunt: {}", violation.property);
        let mut text = violation.message.clone();
        for help in &violation.help {
            text.push('\n');
            text.push_str(help);
        }
        let schedule = &violation.trace.schedule;
        if !schedule.moves.is_empty() {
            let _ = write!(text, "\nschedule: {schedule}");
        }
        command(&mut out, "error", violation.location.as_ref(), &title, &text);
    }
    for note in &report.notes {
        command(&mut out, "notice", Some(&note.location), "exeunt: undefined", &note.text);
    }
    if report.verdict == Verdict::Inconclusive {
        command(&mut out, "warning", None, "exeunt: inconclusive", &report.reason);
    }
    if let Some(proof) = &report.proof {
        command(&mut out, "notice", None, "exeunt: proof", &proof::text(proof, false));
    }
    out
}

fn command(out: &mut String, level: &str, location: Option<&Location>, title: &str, text: &str) {
    // In the order in which the forge's own library writes them.
    let mut properties = vec![format!("title={}", property(title))];
    if let Some(location) = location.filter(|location| location.is_known()) {
        properties.push(format!("file={}", property(&location.file)));
        properties.push(format!("line={}", location.line));
        if location.column != 0 {
            properties.push(format!("col={}", location.column));
        }
    }
    let _ = writeln!(out, "::{level} {}::{}", properties.join(","), data(text));
}

/// Text that ends at the end of the line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text that ends at a comma or colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_violation_is_an_annotation_of_its_line() {
        let mut report = fixture::embrace();
        report.violations[0].message = "50% of\nall: stuck".to_string();
        let text = render(&report);
        let start = "::error title=exeunt%3A deadlock,file=embrace.c,line=7,col=5::50%25 of%0Aall: stuck%0A";
        assert!(text.starts_with(start), "{text}");
        assert_eq!(text.lines().count(), 1);
        assert_eq!(render(&fixture::holds()), "");
    }
}
