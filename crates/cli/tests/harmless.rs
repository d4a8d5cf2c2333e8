//! What `--explain` calls harmless is: the simulator takes the named step instead, and the search from there
//! finds nothing wrong; the step of the schedule leads to the violation.

use std::path::Path;
use std::process::{Command, Output};

use regex_lite::Regex;

fn exeunt(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.args(arguments).current_dir(root).output().expect("exeunt runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_harmless_step_is_another_threads() {
    let claim =
        Regex::new(r"if in step (\d+) thread (\d+) goes on .* instead of thread (\d+), nothing")
            .expect("a pattern");
    for file in ["01_deadly_embrace", "04_lost_wakeup", "06_philosophers", "10_trylock"] {
        let file = format!("examples/{file}.c");
        let explained = text(&exeunt(&["check", &file, "--explain"]));
        let found = claim.captures(&explained).unwrap_or_else(|| panic!("{file}: {explained}"));
        let number = |at: usize| found[at].parse::<usize>().expect("a number");
        let json = text(&exeunt(&["check", &file, "--format", "json"]));
        let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let schedule = report["violations"][0]["schedule"].as_str().expect("a schedule");
        let moves: Vec<&str> = schedule.split(';').collect();
        assert_eq!(moves[number(1) - 1], found[3].to_string(), "{file}: {schedule}");
        // A run that follows the schedule, then the harmless step, then anyone: it ends well.
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("path");
        let mut other: Vec<&str> = moves[..number(1) - 1].to_vec();
        other.push(&found[2]);
        std::fs::write(&path, other.join(";")).expect("it is written");
        let script = folder.path().join("script");
        std::fs::write(&script, format!("load {}\nrun\n", path.display())).expect("it is written");
        let trace = folder.path().join("trace.json");
        let trace = trace.to_string_lossy();
        exeunt(&["check", &file, "--save", &trace]);
        let walked = text(&exeunt(&["sim", &trace, "--script", &script.to_string_lossy()]));
        assert!(walked.contains("the program has ended"), "{file}: {walked}");
    }
}

/// Where every order goes wrong, nothing is called harmless.
#[test]
fn nothing_is_harmless_where_all_goes_wrong() {
    let explained = text(&exeunt(&["check", "tests/ui/c/deadlock/self.c", "--explain"]));
    assert!(!explained.contains("a harmless order"), "{explained}");
}
