//! A proof as text, the same for all formats that people read.

use std::fmt::Write;

use exeunt_model::{LoopRow, Proof};

/// Headings with indented lines below them.
pub(crate) fn text(proof: &Proof, with_program: bool) -> String {
    let mut out = String::new();
    for (heading, lines) in &proof.explained {
        part(&mut out, heading, lines.iter().map(String::as_str));
    }
    if !proof.loops.is_empty() {
        part(&mut out, "loops", table(&proof.loops).iter().map(String::as_str));
    }
    part(&mut out, "taken for granted", [proof.assumption.as_str()].into_iter());
    match proof.refinements {
        0 => {}
        1 => out.push_str("  (the invariant was strengthened once)\n"),
        times => {
            let _ = writeln!(out, "  (the invariant was strengthened {times} times)");
        }
    }
    if with_program {
        part(&mut out, "the same as a program with numbers for queues", proof.program.lines());
    }
    out
}

/// Loops with what each took, in columns.
fn table(loops: &[LoopRow]) -> Vec<String> {
    let place = |row: &LoopRow| match &row.location {
        Some(location) if location.is_known() => format!("{}:{}", location.file, location.line),
        _ => row.thread.clone(),
    };
    let width = loops.iter().map(|row| place(row).chars().count()).max().unwrap_or(0).max(4);
    let mut lines =
        vec![format!("{:width$}  result     time     strengthenings  weakenings", "loop")];
    for row in loops {
        lines.push(format!(
            "{:width$}  {:9}  {:5.2} s  {:14}  {:10}",
            place(row),
            row.result,
            row.seconds,
            row.strengthenings,
            row.weakenings
        ));
    }
    lines
}

fn part<'a>(out: &mut String, heading: &str, lines: impl Iterator<Item = &'a str>) {
    let _ = writeln!(out, "{heading}");
    for line in lines {
        let _ = writeln!(out, "  {line}");
    }
}

#[cfg(test)]
mod tests {
    use crate::{Format, Options, Run, Sources, fixture, render};

    /// A format that forgets the proof of a violation shows half an answer.
    #[test]
    fn every_format_shows_the_proof() {
        let mut report = fixture::holds();
        report.proof = Some(fixture::proof());
        let run = Run { command: "prove".into(), ..crate::fixture::run() };
        let run = Run { replay: None, ..run };
        for format in Format::ALL {
            let text = render(format, &report, &run, &Sources::new(), &Options::default());
            assert!(text.contains("what has no bound"), "{}: {text}", format.name());
            assert!(text.contains("weakenings"), "{}: {text}", format.name());
            assert!(text.contains("an int has no bounds"), "{}: {text}", format.name());
        }
    }
}
