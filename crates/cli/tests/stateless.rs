//! `check --stateless`: no states are kept, and the verdicts are those of the
//! search that keeps them.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn check(file: &Path, arguments: &[&str], flags: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(["check", "--format", "json", "--reduction", "tau"])
        .args(arguments)
        .arg(file)
        .arg("--")
        .args(flags)
        .output()
        .expect("exeunt runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|why| {
        panic!("{}: {why} {}", file.display(), String::from_utf8_lossy(&output.stderr))
    })
}

/// Programs that end, and such as do not: these are inconclusive, or violated as
/// with states.
#[test]
fn verdicts_are_those_of_the_search_with_states() {
    let (mut same, mut open) = (0, 0);
    for topic in ["assert", "deadlock", "mutex", "cond", "thread", "rwlock", "misuse"] {
        let directory = root().join("tests/ui/c").join(topic);
        let entries = std::fs::read_dir(directory).expect("the topic").filter_map(Result::ok);
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "c"));
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a program");
            let plain = !text.contains("// exeunt:") && !text.contains("// error:");
            let mut verdict = text.lines().filter_map(|line| line.strip_prefix("// verdict: "));
            let Some(expected) = verdict.next().filter(|_| plain) else { continue };
            let report = check(&file, &["--stateless", "--time", "5s"], &[]);
            let found = report["verdict"].as_str().unwrap_or_default();
            match found {
                "inconclusive" => open += 1,
                found => {
                    let wanted = expected.split_whitespace().next().unwrap_or_default();
                    assert_eq!(found, wanted, "{}: {report:#}", file.display());
                    same += 1;
                }
            }
        }
    }
    println!("{same} the same, {open} inconclusive");
    assert!(same > 50 && open < same / 5, "{same} the same, {open} inconclusive");
}

/// Schedules are counted, and no class is run twice: with sleep sets only the
/// last steps of a schedule may turn out to be known.
#[test]
fn schedules_are_counted() {
    let rounds = root().join("tests/live/rounds.c");
    let runs = |flags: &[&str]| {
        let report = check(&rounds, &["--stateless"], flags);
        assert_eq!(report["verdict"], "holds", "{report:#}");
        report["statistics"]["runs"].as_u64().expect("a number")
    };
    // One thread after the other: at least one schedule for each order of the lock.
    for (threads, rounds, orders) in [(2, 1, 2), (3, 1, 6), (2, 3, 20)] {
        let flags = [format!("-DTHREADS={threads}"), format!("-DROUNDS={rounds}")];
        let seen = runs(&[&flags[0], &flags[1]]);
        assert!(seen >= orders, "{threads} threads, {rounds} rounds: {seen} schedules");
    }
    let endless = check(&root().join("examples/07_peterson.c"), &["--stateless"], &[]);
    assert_eq!(endless["verdict"], "inconclusive", "{endless:#}");
    let reason = endless["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("comes back to one of its states"), "{reason}");
}
