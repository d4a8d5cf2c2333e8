//! `--processes` and `--workers`: several processes come to the verdict and the counts of one;
//! a process that is lost is told, and the search can go on from its checkpoints.

mod lost;
mod namespaces;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A check of some files, from the folder of the repository.
fn exeunt(arguments: &[&str]) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.arg("check").args(arguments).current_dir(root);
    command
}

fn read(output: &Output) -> (Value, i32) {
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let report = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{errors}"));
    (report, output.status.code().expect("an exit code"))
}

fn report(arguments: &[&str]) -> (Value, i32) {
    let all = [&["--format", "json"], arguments].concat();
    read(&exeunt(&all).output().expect("exeunt runs"))
}

fn numbers(report: &Value) -> Vec<&Value> {
    let statistics = &report["statistics"];
    ["states", "transitions", "revisits", "sections_opened", "section_sites"]
        .map(|name| &statistics[name])
        .to_vec()
}

/// Programs and a reduction that leaves out the same in one process as in several.
const PROGRAMS: &[(&str, &str)] = &[
    ("bench/models/peterson.pml", "none"),
    ("examples/05_bounded_buffer.c", "tau"),
    ("bench/programs/lottery.c", "tau"),
    // A table of 1 MiB, and one on the heap that is filled by `memset`.
    ("bench/objects/table.c", "tau"),
    ("bench/objects/heap.c", "tau"),
];

/// What is handed to clang: the large objects are really large, and few things happen to them.
const LARGE: &[&str] = &["--", "-DCELLS=262144", "-DROUNDS=2"];

#[test]
fn cluster_counts_what_one_process_counts() {
    for (program, reduction) in PROGRAMS {
        let plain = [*program, "--reduction", *reduction];
        let large = if program.contains("objects") { LARGE } else { &[] };
        let (alone, code) = report(&[&plain[..], &["--jobs", "1"], large].concat());
        for count in ["1", "2", "4"] {
            let (together, other) = report(&[&plain[..], &["--processes", count], large].concat());
            let context = format!("{program}, {count} processes: {together}");
            assert_eq!(other, code, "{context}");
            assert_eq!(together["verdict"], alone["verdict"], "{context}");
            if code == 0 {
                assert_eq!(numbers(&together), numbers(&alone), "{context}");
                assert_eq!(together["reason"], alone["reason"], "{context}");
            }
        }
    }
}

#[test]
fn cluster_tells_what_is_wrong_with_a_schedule_that_replays() {
    let folder = tempfile::tempdir().expect("a folder");
    for (program, property) in [
        ("examples/01_deadly_embrace.c", "deadlock"),
        ("examples/03_use_after_free.c", "memory"),
        ("examples/09_inverted_flag.c", "section"),
        ("examples/04_lost_wakeup.c", "deadlock"),
    ] {
        let trace = folder.path().join("trace");
        let name = trace.to_str().expect("UTF-8");
        let (found, code) = report(&[program, "--processes", "3", "--save", name]);
        assert_eq!(code, 1, "{program}: {found}");
        assert_eq!(found["violations"][0]["property"], property, "{program}: {found}");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut replay = Command::new(env!("CARGO_BIN_EXE_exeunt"));
        let again = replay.args(["replay", name]).current_dir(root).output().expect("it runs");
        assert_eq!(again.status.code(), Some(1), "{program} is not replayed");
    }
}

#[test]
fn cluster_keeps_to_its_limits() {
    let program = "bench/models/peterson.pml";
    let (cut, code) = report(&[program, "--processes", "2", "--max-states", "500"]);
    assert_eq!((cut["verdict"].as_str(), code), (Some("inconclusive"), 3), "{cut}");
    assert!(cut["limits_hit"][0].as_str().is_some_and(|hit| hit.contains("--max-states")), "{cut}");
    let (cut, code) = report(&[program, "--processes", "2", "--time", "1ms"]);
    assert_eq!((cut["verdict"].as_str(), code), (Some("inconclusive"), 3), "{cut}");
}

#[test]
fn cluster_goes_on_from_a_checkpoint() {
    let program = "bench/programs/lottery.c";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("search");
    let name = path.to_str().expect("UTF-8");
    let (whole, code) = report(&[program, "--reduction", "tau", "--jobs", "1"]);
    let half = (whole["statistics"]["states"].as_u64().expect("a number") / 2).to_string();
    let keeping = ["--checkpoint", name, "--checkpoint-every", "20ms", "--max-states", &half];
    let (cut, stopped) = report(&[&[program, "--processes", "2"], &keeping[..]].concat());
    assert_eq!(stopped, 3, "{cut}");
    let (resumed, other) = report(&[program, "--processes", "2", "--resume", name]);
    assert_eq!(other, code, "{resumed}");
    assert_eq!(numbers(&resumed), numbers(&whole), "{resumed}");
    let wrong = exeunt(&[program, "--processes", "3", "--resume", name]).output().expect("it runs");
    assert_ne!(wrong.status.code(), Some(0), "three processes went on with the parts of two");
}

#[test]
fn cluster_refuses_what_only_one_process_has() {
    for arguments in [
        &["--shortest"][..],
        &["--all"],
        &["--races"],
        &["--bitstate"],
        &["--jobs", "2"],
        &["--context-bound", "2"],
        &["--workers", "localhost:1"],
        &["--invariant", "x == 0"],
    ] {
        let all = [&["examples/01_deadly_embrace.c", "--processes", "2"], arguments].concat();
        let refused = exeunt(&all).output().expect("exeunt runs");
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
    }
}
