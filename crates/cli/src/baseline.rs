//! `exeunt check --baseline REPORT`: only violations that an earlier report does not have.
//!
//! Two violations are the same if they break the same property in the same function of the same file
//! in the same words. Lines do not count, because they move with every edit. A section that was open for ever in an
//! earlier violation is known, too: a report without `--all` tells only the first of those that hang together.

use std::path::Path;

use exeunt_model::{Property, Report, SectionReport, Verdict, Violation};
use serde_json::Value;

use crate::failure::Failure;

/// What is known, each as often as the earlier report has it.
pub(crate) struct Baseline {
    known: Vec<Key>,
    sections: Vec<Stuck>,
    name: String,
}

/// A section that stays open.
#[derive(Debug, PartialEq, Eq)]
struct Stuck {
    kind: String,
    name: String,
    file: String,
    function: String,
}

#[derive(Debug, PartialEq, Eq)]
struct Key {
    property: String,
    file: String,
    function: String,
    message: String,
}

impl Baseline {
    /// Reads a report that `--format json` wrote.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = std::fs::read(path).map_err(|why| Failure::file("read", path, &why))?;
        let not_ours = |why: &str| {
            Failure::bad(format!("{} is not a report: {why}", path.display()))
                .help("reports are written by `exeunt check FILE --all --format json -o REPORT`")
        };
        let value: Value =
            serde_json::from_slice(&text).map_err(|why| not_ours(&why.to_string()))?;
        if value["tool"] != "exeunt" {
            return Err(not_ours("it does not say so"));
        }
        let violations = value["violations"].as_array().ok_or_else(|| not_ours("no violations"))?;
        let known = violations.iter().map(key_of_json).collect();
        let sections = violations.iter().filter_map(|one| one["sections"].as_array()).flatten();
        let sections = sections.map(stuck_of_json).collect();
        Ok(Baseline { known, sections, name: path.display().to_string() })
    }

    /// Leaves what is new. Gives whether nothing is, in a report that had something.
    pub(crate) fn apply(mut self, report: &mut Report) -> bool {
        let before = report.violations.len();
        report.violations.retain(|violation| {
            let key = key(violation);
            match self.known.iter().position(|known| *known == key) {
                Some(at) => {
                    self.known.swap_remove(at);
                    false
                }
                None => !self.has_stuck(violation),
            }
        });
        let left_out = before - report.violations.len();
        let gone = self.known.len();
        self.tell(report, left_out, gone);
        left_out > 0 && report.violations.is_empty() && report.verdict == Verdict::Violated
    }

    /// Whether the section that the violation is about was open for ever before.
    fn has_stuck(&self, violation: &Violation) -> bool {
        let first = violation.sections.first().filter(|_| violation.property == Property::Section);
        first.is_some_and(|section| self.sections.contains(&stuck(section)))
    }

    fn tell(&self, report: &mut Report, left_out: usize, gone: usize) {
        if left_out > 0 {
            let noun = if left_out == 1 { "violation is" } else { "violations are" };
            let told = format!("{left_out} known {noun} left out (--baseline {})", self.name);
            report.reason = match report.violations.as_slice() {
                [] => format!("nothing new: {told}"),
                [only] => format!("{}; {told}", only.message),
                several => format!("{} new violations; {told}", several.len()),
            };
            report.remarks.push(told);
        }
        // A search that was cut off, or that found the first violation only, need not meet all.
        if gone > 0 && report.limits_hit.is_empty() {
            let (noun, verb) =
                if gone == 1 { ("violation", "was") } else { ("violations", "were") };
            report.remarks.push(format!(
                "{gone} {noun} of the baseline {verb} not found any more (--baseline {})",
                self.name
            ));
        }
    }
}

fn key(violation: &Violation) -> Key {
    let location = violation.location.as_ref();
    Key {
        property: violation.property.name().to_string(),
        file: location.map_or(String::new(), |location| location.file.to_string()),
        function: location.map_or(String::new(), |location| location.function.to_string()),
        message: violation.message.clone(),
    }
}

fn stuck(section: &SectionReport) -> Stuck {
    let opened = section.opened.as_ref();
    Stuck {
        kind: section.kind.name().to_string(),
        name: section.name.clone(),
        file: opened.map_or(String::new(), |location| location.file.to_string()),
        function: opened.map_or(String::new(), |location| location.function.to_string()),
    }
}

fn stuck_of_json(section: &Value) -> Stuck {
    let text = |value: &Value| value.as_str().unwrap_or("").to_string();
    Stuck {
        kind: text(&section["kind"]),
        name: text(&section["name"]),
        file: text(&section["opened"]["file"]),
        function: text(&section["opened"]["function"]),
    }
}

fn key_of_json(violation: &Value) -> Key {
    let text = |value: &Value| value.as_str().unwrap_or("").to_string();
    Key {
        property: text(&violation["property"]),
        file: text(&violation["location"]["file"]),
        function: text(&violation["location"]["function"]),
        message: text(&violation["message"]),
    }
}
