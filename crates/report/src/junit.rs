//! The report as JUnit's XML, which build servers collect: one test case for the
//! program, or one for each violation and each temporal question.

use std::fmt::Write;

use exeunt_model::{Report, Verdict};

use crate::markup::{escape, plain};
use crate::{Options, Run, Sources, human};

pub(crate) fn render(report: &Report, run: &Run, sources: &Sources, options: &Options) -> String {
    let text = plain(&human::render(report, run, sources, options));
    let mut cases = String::new();
    let (mut tests, mut failures, mut errors) = (0, 0, 0);
    for violation in &report.violations {
        (tests, failures) = (tests + 1, failures + 1);
        let name = match &violation.location {
            Some(location) => format!("{} at {location}", violation.property),
            None => violation.property.to_string(),
        };
        let _ = write!(
            cases,
            "    <testcase classname=\"exeunt\" name=\"{}\">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
            escape(&name),
            violation.property,
            escape(&violation.message),
            escape(&text)
        );
    }
    let answered = report.answers.iter().filter(|answer| answer.verdict == Verdict::Holds);
    for answer in answered {
        tests += 1;
        let name = escape(&answer.text);
        let _ = writeln!(cases, "    <testcase classname=\"exeunt\" name=\"{name}\"/>");
    }
    match report.verdict {
        Verdict::Holds => {
            tests += 1;
            cases.push_str("    <testcase classname=\"exeunt\" name=\"everything asked for\"/>\n");
        }
        Verdict::Inconclusive => {
            (tests, errors) = (tests + 1, errors + 1);
            let _ = write!(
                cases,
                "    <testcase classname=\"exeunt\" name=\"everything asked for\">\n      <error type=\"inconclusive\" message=\"{}\"/>\n    </testcase>\n",
                escape(&report.reason)
            );
        }
        Verdict::Violated => {}
    }
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    let seconds = report.statistics.seconds;
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  <testsuite name=\"exeunt {}\" {counts} time=\"{seconds:.3}\">\n{cases}    <system-out>{}</system-out>\n  </testsuite>\n</testsuites>\n",
        escape(&run.command),
        escape(&text)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn xml(report: &Report) -> String {
        render(report, &fixture::run(), &fixture::sources(), &Options::default())
    }

    #[test]
    fn violations_are_failures() {
        let text = xml(&fixture::embrace());
        assert!(text.contains("<testsuites tests=\"1\" failures=\"1\" errors=\"0\">"), "{text}");
        assert!(text.contains("<failure type=\"deadlock\" message=\"no thread can move\">"));
        assert!(!text.contains('\u{1b}'));
        assert!(xml(&fixture::holds()).contains("tests=\"1\" failures=\"0\" errors=\"0\""));
    }

    #[test]
    fn text_of_the_program_stays_text() {
        let mut report = fixture::embrace();
        report.violations[0].message = "<&\"\u{1}".to_string();
        assert!(xml(&report).contains("message=\"&lt;&amp;&quot;\\u{1}\""));
    }
}
