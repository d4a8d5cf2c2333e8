//! The conventions of the competition on software verification (SV-COMP): property files, what
//! they ask of a program, and the words of the answer.
//!
//! Invariant: `true` and `false(…)` are said only where the engine said `holds`, or found a
//! violation of the very property that was asked for. Another violation ends runs that
//! the property speaks of, so the answer is `unknown` then.

mod width;
mod witness;

use std::path::{Path, PathBuf};

use exeunt_model::{Property, Report, Verdict, Violation};
use exeunt_report::Format;

use crate::args::{CheckArgs, PropertyChoice};
use crate::failure::Failure;
use crate::output;

/// The data models of C that tasks are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum DataModel {
    /// `long` and pointers have 32 bits
    #[value(name = "ILP32")]
    Ilp32,
    /// `long` and pointers have 64 bits
    #[value(name = "LP64")]
    Lp64,
}

impl DataModel {
    fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

/// Functions whose call is the violation, whatever their bodies do.
pub(crate) const ERROR_FUNCTIONS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// What one line of a property file asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    UnreachCall,
    NoDataRace,
    NoOverflow,
    ValidFree,
    ValidDeref,
    ValidMemtrack,
    Termination,
}

impl Asked {
    /// The formula in the file, without spaces, and the name in the answer.
    const ALL: [(Asked, &'static str, &'static str); 8] = [
        (Asked::UnreachCall, "G!call(reach_error())", "unreach-call"),
        (Asked::UnreachCall, "G!call(__VERIFIER_error())", "unreach-call"),
        (Asked::NoDataRace, "G!data-race", "no-data-race"),
        (Asked::NoOverflow, "G!overflow", "no-overflow"),
        (Asked::ValidFree, "Gvalid-free", "valid-free"),
        (Asked::ValidDeref, "Gvalid-deref", "valid-deref"),
        (Asked::ValidMemtrack, "Gvalid-memtrack", "valid-memtrack"),
        (Asked::Termination, "Fend", "termination"),
    ];

    fn name(self) -> &'static str {
        Asked::ALL.iter().find(|(asked, ..)| *asked == self).map_or("", |(.., name)| name)
    }

    /// Whether a violation is one of this property.
    fn is_broken_by(self, violation: &Violation) -> bool {
        let property = violation.property;
        let message = violation.message.as_str();
        match self {
            Asked::UnreachCall => {
                property == Property::Assertion && message == exeunt_vm::ERROR_REACHED
            }
            Asked::NoDataRace => property == Property::Race,
            Asked::NoOverflow => {
                property == Property::Undefined
                    && message.contains("signed ")
                    && message.ends_with(" overflow")
            }
            Asked::ValidFree => property == Property::Memory && frees(message),
            Asked::ValidDeref => property == Property::Memory && !frees(message),
            Asked::ValidMemtrack => property == Property::Leak,
            Asked::Termination => [Property::Ltl, Property::Termination].contains(&property),
        }
    }
}

/// Whether a memory fault is about giving memory back.
fn frees(message: &str) -> bool {
    ["free of", "double free", "resize of"].iter().any(|start| message.starts_with(start))
}

/// A property file that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    asked: Vec<Asked>,
    /// The formulas as they are in the file.
    specification: String,
    pub(crate) data_model: DataModel,
    files: Vec<PathBuf>,
}

/// Takes a property file out of the arguments and asks what it asks.
pub(crate) fn task(arguments: &mut CheckArgs) -> Result<Option<Task>, Failure> {
    let Some(file) = arguments.property_file.take() else {
        return match arguments.witness.is_some() || arguments.data_model.is_some() {
            true => Err(Failure::bad("--witness and --data-model need `--property FILE.prp`")),
            false => Ok(None),
        };
    };
    let task = Task {
        data_model: arguments.data_model.unwrap_or(DataModel::Lp64),
        files: arguments.files.clone(),
        ..read(&file)?
    };
    if arguments
        .files
        .iter()
        .any(|file| crate::front::is_promela(file, arguments.compiling.language))
    {
        return Err(Failure::bad("property files are for C programs"));
    }
    let has = |asked| task.asked.contains(&asked);
    arguments.property = Some(PropertyChoice::Safety);
    arguments.program.abort_ends = true;
    arguments.demands.races |= has(Asked::NoDataRace);
    arguments.demands.undefined |= has(Asked::NoOverflow);
    arguments.demands.leaks |= has(Asked::ValidMemtrack);
    if has(Asked::Termination) {
        arguments.property = Some(PropertyChoice::Temporal);
        arguments.ltl.push("F !at(main)".to_string());
    }
    Ok(Some(task))
}

fn read(file: &Path) -> Result<Task, Failure> {
    let text = std::fs::read_to_string(file).map_err(|why| Failure::file("read", file, &why))?;
    parse(&text).map_err(|why| {
        Failure::bad(format!("{}: {why}", file.display())).help(
            "known are call(reach_error()), data-race, overflow, valid-free, valid-deref, \
             valid-memtrack and `F end`",
        )
    })
}

/// Lines such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`; others may be comments.
fn parse(text: &str) -> Result<Task, String> {
    let mut asked = Vec::new();
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        let plain: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let formula = plain
            .strip_prefix("CHECK(init(main()),LTL(")
            .and_then(|rest| rest.strip_suffix("))"))
            .ok_or_else(|| format!("`{line}` is not `CHECK( init(main()), LTL(…) )`"))?;
        let found = Asked::ALL.iter().find(|(_, text, _)| *text == formula);
        let (known, ..) = found.ok_or_else(|| format!("we cannot check `{line}`"))?;
        asked.push(*known);
        lines.push(line);
    }
    if asked.is_empty() {
        return Err("no property is asked for".to_string());
    }
    if asked.contains(&Asked::Termination) && asked.len() > 1 {
        return Err("`F end` is asked for together with others".to_string());
    }
    let specification = lines.join("\n");
    Ok(Task { asked, specification, data_model: DataModel::Lp64, files: Vec::new() })
}

impl Task {
    /// Whether calls of the error function are what is asked about, so that its body does not
    /// matter.
    pub(crate) fn names_error(&self) -> bool {
        self.asked.contains(&Asked::UnreachCall)
    }

    /// Whether only violations were found that are none of the property.
    pub(crate) fn is_open(&self, report: &Report) -> bool {
        report.verdict == Verdict::Violated && self.broken(report).is_none()
    }

    fn broken(&self, report: &Report) -> Option<Asked> {
        let breaks = |violation| self.asked.iter().find(|asked| asked.is_broken_by(violation));
        report.violations.iter().find_map(breaks).copied()
    }

    /// Leaves what the property is about. What else was found makes the answer open, because it ended
    /// runs that the property speaks of.
    pub(crate) fn judge(&self, report: &mut Report) {
        let open = match report.verdict {
            Verdict::Inconclusive => None,
            Verdict::Violated => self.is_open(report).then(|| {
                let other = report.reason.clone();
                format!("this is found, which ends runs that the property speaks of: {other}")
            }),
            Verdict::Holds => self.says_too_little(),
        };
        let open = open.or_else(|| match report.verdict {
            Verdict::Inconclusive => None,
            Verdict::Holds | Verdict::Violated => self.needs_other_widths(),
        });
        match open {
            Some(why) => {
                report.verdict = Verdict::Inconclusive;
                report.reason = why;
                report.violations.clear();
            }
            None => {
                let broken = |violation: &Violation| {
                    self.asked.iter().any(|asked| asked.is_broken_by(violation))
                };
                report.violations.retain(broken);
                if let Some(first) = report.violations.first() {
                    report.reason = first.message.clone();
                }
            }
        }
    }

    /// The end of `main` is the end of the program unless threads go on after it.
    fn says_too_little(&self) -> Option<String> {
        let goes_on = |file: &PathBuf| {
            let text = std::fs::read_to_string(file).unwrap_or_default();
            ["pthread_exit", "thrd_exit"].iter().any(|name| width::calls(&text, name))
        };
        let open = self.asked.contains(&Asked::Termination) && self.files.iter().any(goes_on);
        open.then(|| "main ends, but other threads may go on after it".to_string())
    }

    /// The machine has 64-bit pointers. A program that names no type of another width in ILP32
    /// means the same in both.
    fn needs_other_widths(&self) -> Option<String> {
        if self.data_model == DataModel::Lp64 {
            return None;
        }
        // Memory for a pointer may be large enough there and too small here.
        let memory = [Asked::ValidFree, Asked::ValidDeref, Asked::ValidMemtrack];
        if memory.iter().any(|asked| self.asked.contains(asked)) {
            let why = "the task is for ILP32, where pointers take less memory, and we execute LP64";
            return Some(why.to_string());
        }
        let (file, word) = self.files.iter().find_map(|file| {
            let text = std::fs::read_to_string(file).ok()?;
            width::word(&text).map(|word| (file, word))
        })?;
        Some(format!(
            "the task is for ILP32, `{word}` in {} may mean something else there, and we \
             execute LP64",
            file.display()
        ))
    }

    /// The answer as the competition reads it.
    pub(crate) fn answer(&self, report: &Report) -> String {
        match report.verdict {
            Verdict::Holds => "true".to_string(),
            Verdict::Inconclusive => "unknown".to_string(),
            Verdict::Violated => match self.broken(report) {
                Some(asked) => format!("false({})", asked.name()),
                None => "unknown".to_string(),
            },
        }
    }
}

/// Writes the witness if one is wanted, and the word of the answer on a line of its own
/// unless a report for programs is printed there.
pub(crate) fn answer(task: &Task, report: &Report, arguments: &CheckArgs) -> Result<(), Failure> {
    if let Some(path) = &arguments.witness {
        witness::write(task, report, path)?;
    }
    if arguments.show.o.is_some() || arguments.show.format == Format::Human {
        output::print(&format!("{}\n", task.answer(report)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_competition_are_read() {
        let asked = |text: &str| parse(text).map(|task| task.asked);
        assert_eq!(
            asked("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n"),
            Ok(vec![Asked::UnreachCall])
        );
        let memory = "CHECK( init(main()), LTL(G valid-free) )\n\
                      CHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        let all = vec![Asked::ValidFree, Asked::ValidDeref, Asked::ValidMemtrack];
        assert_eq!(asked(memory), Ok(all));
        assert_eq!(asked("CHECK( init(main()), LTL(F end) )"), Ok(vec![Asked::Termination]));
        for wrong in ["", "CHECK( init(main()), LTL(G valid-memcleanup) )", "G ! overflow"] {
            assert!(asked(wrong).is_err(), "{wrong}");
        }
    }
}
