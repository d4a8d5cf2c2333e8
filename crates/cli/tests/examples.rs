//! The tour in `examples/` ends as its table says.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn every_command_of_the_tour_gives_the_verdict_in_its_table() {
    let root = root();
    let text = std::fs::read_to_string(root.join("examples/README.md")).expect("the tour");
    let rows: Vec<(String, String)> = text.lines().filter_map(row).collect();
    assert!(rows.len() >= 12, "the table has only {} commands", rows.len());
    for (command, verdict) in rows {
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        let (words, rest) = match words.iter().position(|&word| word == "--") {
            Some(at) => words.split_at(at),
            None => (words.as_slice(), [].as_slice()),
        };
        let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
            .current_dir(&root)
            .args(words)
            .args(["--format", "json"])
            .args(rest)
            .output()
            .expect("exeunt runs");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|why| panic!("{command}: no report ({why}): {output:?}"));
        let found = match report["violations"][0]["property"].as_str() {
            Some(property) => format!("{}: {property}", report["verdict"].as_str().unwrap_or("")),
            None => report["verdict"].as_str().unwrap_or("").to_string(),
        };
        assert_eq!(found, verdict, "{command}");
    }
}

/// What repeats for ever is counted once, by both.
#[test]
fn a_replay_has_as_many_steps_as_the_check() {
    let directory = tempfile::tempdir().expect("a directory");
    let trace = directory.path().join("trace.json");
    for example in ["01_deadly_embrace.c", "11_partial_deadlock.c"] {
        let example = root().join("examples").join(example);
        let check = [Path::new("check"), &example, Path::new("--save"), &trace];
        let found = schedule(&check);
        assert_eq!(schedule(&[Path::new("replay"), &trace]), found, "{}", example.display());
    }
}

/// The lines of a report from "schedule: … steps" on, without the numbers.
fn schedule(arguments: &[&Path]) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt")).args(arguments).output();
    let text = String::from_utf8(output.expect("exeunt runs").stdout).expect("text");
    let lines = text.lines().skip_while(|line| !line.starts_with("schedule: "));
    let lines: Vec<String> =
        lines.take_while(|line| !line.contains(" states, ")).map(String::from).collect();
    assert!(lines.len() > 2, "{text}");
    lines
}

/// The last two cells of a row whose third cell is a command.
fn row(line: &str) -> Option<(String, String)> {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [.., command, verdict] = cells.as_slice() else { return None };
    let command = command.trim_matches('`');
    command.starts_with("exeunt ").then(|| (command.to_string(), verdict.to_string()))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
