//! The exercises of `examples/course`: the wrong version fails with what the
//! table says, the right one passes, and reports are short.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn course() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/course")
}

fn grade(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.arg("grade").arg(directory).args(arguments).output().expect("exeunt runs")
}

/// What the table says about each exercise: its directory, and what is found.
fn table() -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(course().join("README.md")).expect("the table");
    let rows = text.lines().filter(|line| line.starts_with("| ["));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let name = cells[0].split(['[', ']']).nth(1).expect("a name").to_string();
        (name, cells[2].split(" or ").map(str::to_string).collect())
    };
    rows.map(row).collect()
}

#[test]
fn every_exercise_tells_the_wrong_from_the_right() {
    let table = table();
    assert!(table.len() >= 20, "{} exercises", table.len());
    let directories = std::fs::read_dir(course()).expect("the course").filter_map(Result::ok);
    let count = directories.filter(|entry| entry.path().is_dir()).count();
    assert_eq!(count, table.len(), "every exercise is in the table");
    for (name, finds) in table {
        let output = grade(&course().join(&name), &["--hints"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{name}: {text}");
        assert!(text.contains("right.c: passes"), "{name}: {text}");
        assert!(text.contains("wrong.c: fails"), "{name}: {text}");
        let found = |property: &String| text.contains(&format!("    {property}, line "));
        assert!(finds.iter().any(found), "{name}: {text}");
        assert!(text.contains("  hint: "), "{name}: {text}");
        assert!(text.lines().count() < 15, "a short report: {text}");
    }
}

#[test]
fn solutions_are_graded_natively_and_odd_ones_do_not_stop_the_rest() {
    let scratch = tempfile::tempdir().expect("a directory");
    let from = course().join("02_deadly_embrace");
    for (name, to) in [("wrong.c", "ann.c"), ("right.c", "bob.c")] {
        std::fs::copy(from.join(name), scratch.path().join(to)).expect("copied");
    }
    let carl = scratch.path().join("carl");
    std::fs::create_dir(&carl).expect("made");
    std::fs::write(carl.join("main.c"), "int main(void) { return }\n").expect("written");
    let exercise = scratch.path().join("exercise.json");
    let text = r#"{"title": "native", "checks": [
        {"name": "no deadlock", "engine": "live"}]}"#;
    std::fs::write(&exercise, text).expect("written");
    let output = grade(scratch.path(), &[]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("ann.c: fails") && text.contains("deadlock, line "), "{text}");
    assert!(text.contains("bob.c: passes, 1 of 1 checks"), "{text}");
    assert!(text.contains("carl: fails") && text.contains("error"), "{text}");
}

#[test]
fn exercises_that_are_none_are_refused() {
    let scratch = tempfile::tempdir().expect("a directory");
    let refused = |words: &str| {
        let output = grade(scratch.path(), &[]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(words), "{text}");
    };
    refused("cannot read");
    let exercise = scratch.path().join("exercise.json");
    std::fs::write(&exercise, "{}").expect("written");
    refused("is not an exercise");
    std::fs::write(&exercise, r#"{"title": "x", "checks": []}"#).expect("written");
    refused("has no checks");
    let text = r#"{"title": "x", "checks": [{"name": "y"}]}"#;
    std::fs::write(&exercise, text).expect("written");
    refused("has no C or C++ files");
}
