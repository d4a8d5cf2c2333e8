//! `exeunt grade DIR`: checks the solutions of an exercise, and prints a short
//! report for each.
//!
//! An exercise is a JSON file: its title, the checks that every solution must
//! pass (arguments of `exeunt check`, or of `exeunt live` for the compiled
//! solution), and hints. Each check is a run of this binary, so that a check
//! that fails in an odd way harms no other one.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use clap::Args;
use exeunt_model::Verdict;
use serde::Deserialize;
use serde_json::Value;

use crate::failure::Failure;
use crate::interrupt;
use crate::values;

#[derive(Debug, Args)]
pub(crate) struct GradeArgs {
    /// A directory with solutions: C and C++ files, or a directory for each
    #[arg(value_name = "DIRECTORY")]
    pub(crate) directory: PathBuf,
    /// The exercise: which checks a solution must pass
    /// [default: exercise.json in the directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) exercise: Option<PathBuf>,
    /// Give up a check after this time: 500ms, 10s, 5m, 1h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = values::duration)]
    pub(crate) time: Duration,
    /// Show the hints of the exercise with each solution that fails
    #[arg(long)]
    pub(crate) hints: bool,
}

/// The property file of an exercise.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exercise {
    title: String,
    /// What is asked for; for people.
    #[serde(default)]
    #[expect(dead_code, reason = "part of the format, and read by people only")]
    task: String,
    #[serde(default)]
    hints: Vec<String>,
    checks: Vec<Check>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    /// What passing it shows, as a clause.
    name: String,
    #[serde(default)]
    engine: Engine,
    #[serde(default)]
    arguments: Vec<String>,
}

/// How a solution is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Engine {
    #[default]
    Check,
    /// Compiled so that every access to memory is a scheduling point.
    Live,
}

/// What a solution did in a check.
struct Outcome {
    verdict: Verdict,
    /// Why it did not pass, and where.
    why: String,
}

/// The file that says what is checked.
const EXERCISE: &str = "exercise.json";

pub(crate) fn run(arguments: &GradeArgs) -> Result<u8, Failure> {
    let default = arguments.directory.join(EXERCISE);
    let exercise = read(arguments.exercise.as_ref().unwrap_or(&default))?;
    let solutions = solutions(&arguments.directory)?;
    let interrupt = interrupt::listen();
    println!("{}", exercise.title);
    let mut worst = Verdict::Holds;
    for (name, files) in solutions {
        if interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            return Ok(crate::failure::INTERRUPTED);
        }
        let verdict = grade(arguments, &exercise, &name, &files)?;
        worst = match (worst, verdict) {
            (Verdict::Violated, _) | (_, Verdict::Violated) => Verdict::Violated,
            (Verdict::Inconclusive, _) | (_, Verdict::Inconclusive) => Verdict::Inconclusive,
            (Verdict::Holds, Verdict::Holds) => Verdict::Holds,
        };
    }
    Ok(worst.exit_code())
}

fn read(path: &Path) -> Result<Exercise, Failure> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|why| {
        Failure::bad(format!("cannot read {name}: {why}")).help(
            "an exercise is a JSON file with `title` and `checks`; see examples/course/README.md",
        )
    })?;
    let exercise: Exercise = serde_json::from_str(&text)
        .map_err(|why| Failure::bad(format!("{name} is not an exercise: {why}")))?;
    match exercise.checks.is_empty() {
        true => Err(Failure::bad(format!("{name} has no checks"))),
        false => Ok(exercise),
    }
}

fn is_source(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("c" | "cc" | "cpp" | "cxx"))
}

fn listed(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |why: std::io::Error| {
        Failure::bad(format!("cannot read the directory {}: {why}", directory.display()))
    };
    let entries = std::fs::read_dir(directory).map_err(unreadable)?;
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| Ok(entry.map_err(unreadable)?.path()))
        .collect::<Result<_, Failure>>()?;
    paths.sort();
    Ok(paths)
}

/// The solutions by name: a source file each, or a directory with some.
fn solutions(directory: &Path) -> Result<Vec<(String, Vec<PathBuf>)>, Failure> {
    let mut all = Vec::new();
    for path in listed(directory)? {
        let files = match path.is_dir() {
            true => listed(&path)?.into_iter().filter(|file| is_source(file)).collect(),
            false if is_source(&path) => vec![path.clone()],
            false => Vec::new(),
        };
        if !files.is_empty() {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            all.push((name, files));
        }
    }
    match all.is_empty() {
        true => Err(Failure::bad(format!("{} has no C or C++ files", directory.display()))),
        false => Ok(all),
    }
}

/// All checks of one solution, and their report.
fn grade(
    arguments: &GradeArgs,
    exercise: &Exercise,
    name: &str,
    files: &[PathBuf],
) -> Result<Verdict, Failure> {
    let mut lines = Vec::new();
    let (mut passed, mut worst) = (0, Verdict::Holds);
    for check in &exercise.checks {
        let outcome = execute(arguments, check, files)?;
        match outcome.verdict {
            Verdict::Holds => {
                passed += 1;
                continue;
            }
            Verdict::Violated => worst = Verdict::Violated,
            Verdict::Inconclusive if worst == Verdict::Holds => worst = Verdict::Inconclusive,
            Verdict::Inconclusive => {}
        }
        lines.push(format!("  not shown: {}\n    {}", check.name, outcome.why));
    }
    let word = match worst {
        Verdict::Holds => "passes",
        Verdict::Violated => "fails",
        Verdict::Inconclusive => "undecided",
    };
    println!("{name}: {word}, {passed} of {} checks", exercise.checks.len());
    lines.iter().for_each(|line| println!("{line}"));
    if arguments.hints && worst != Verdict::Holds {
        exercise.hints.iter().for_each(|hint| println!("  hint: {hint}"));
    }
    Ok(worst)
}

fn execute(arguments: &GradeArgs, check: &Check, files: &[PathBuf]) -> Result<Outcome, Failure> {
    let unable = |why: std::io::Error| Failure::bad(format!("cannot run a check: {why}"));
    let own = std::env::current_exe().map_err(unable)?;
    let time = format!("{}ms", arguments.time.as_millis());
    let common = ["--format", "json", "--time", &time];
    let output = match check.engine {
        Engine::Check => {
            let mut command = Command::new(own);
            command.arg("check").args(common).args(files).args(&check.arguments).output()
        }
        Engine::Live => {
            let scratch = tempfile::tempdir().map_err(unable)?;
            let program = scratch.path().join("solution");
            let mut compile = Command::new(&own);
            compile.args(["cc", "--live", "-pthread"]).args(files).arg("-o").arg(&program);
            let compiled = compile.output().map_err(unable)?;
            if !compiled.status.success() {
                return Ok(not_run(&compiled));
            }
            let mut command = Command::new(&own);
            command.arg("live").args(common).args(&check.arguments).arg(&program).output()
        }
    };
    Ok(judge(&output.map_err(unable)?))
}

/// A solution that is no program fails.
fn not_run(output: &Output) -> Outcome {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let said = text.lines().find(|line| line.contains("error")).unwrap_or("it does not compile");
    Outcome { verdict: Verdict::Violated, why: said.to_string() }
}

fn judge(output: &Output) -> Outcome {
    let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
        return not_run(output);
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let verdict = match report["verdict"].as_str() {
        Some("holds") => Verdict::Holds,
        Some("violated") => Verdict::Violated,
        _ => Verdict::Inconclusive,
    };
    let first = &report["violations"][0];
    let why = match first["location"]["line"].as_u64() {
        Some(line) => {
            format!("{}, line {line}: {}", text(&first["property"]), text(&first["message"]))
        }
        None => text(&report["reason"]),
    };
    Outcome { verdict, why }
}
