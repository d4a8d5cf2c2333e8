//! `check --stateless`: no states are kept, and the verdicts are those of the
//! search that keeps them.

#[path = "random/program.rs"]
mod program;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn check(file: &Path, arguments: &[&str], flags: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(["check", "--format", "json"])
        .args(if arguments.contains(&"--reduction") { &[][..] } else { &["--reduction", "tau"] })
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

/// Random programs; EXEUNT_STATELESS_ALL=1 takes 150 instead of a few.
#[test]
fn random_programs_have_the_verdicts_of_the_search_with_states() {
    let most = if std::env::var_os("EXEUNT_STATELESS_ALL").is_some() { 150 } else { 10 };
    let directory = tempfile::tempdir().expect("a directory");
    let (mut same, mut open, mut wrong) = (0, 0, Vec::new());
    for seed in 7000..7000 + most {
        let file = directory.path().join(format!("random{seed}.c"));
        std::fs::write(&file, program::program(seed)).expect("written");
        let told = |arguments: &[&str]| {
            let report = check(&file, arguments, &[]);
            report["verdict"].as_str().unwrap_or_default().to_string()
        };
        let [with, without] = [told(&["--time", "3s"]), told(&["--time", "3s", "--stateless"])];
        match (with.as_str(), without.as_str()) {
            (a, b) if a == b => same += 1,
            ("inconclusive", _) | (_, "inconclusive") => open += 1,
            // What is never left is only seen where states are stored.
            ("violated", "holds") if only_with_states(&check(&file, &["--time", "3s"], &[])) => {}
            _ => wrong.push(format!("seed {seed}: {with} with states, {without} without")),
        }
    }
    println!("{same} the same, {open} inconclusive");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn only_with_states(report: &Value) -> bool {
    let property = report["violations"][0]["property"].as_str().unwrap_or_default();
    ["section", "termination", "leak"].contains(&property)
}

fn runs(file: &Path, arguments: &[&str], flags: &[&str]) -> u64 {
    let report = check(file, &[&["--stateless"], arguments].concat(), flags);
    assert_eq!(report["verdict"], "holds", "{report:#}");
    if arguments.is_empty() {
        assert_eq!(report["statistics"]["revisits"], 0, "schedules were begun in vain");
    }
    report["statistics"]["runs"].as_u64().expect("a number")
}

/// The number of schedules is the least one there can be: one for each order of steps that
/// do not commute, and none is begun in vain. The same numbers as `exeunt live` has.
#[test]
fn the_number_of_schedules_is_optimal() {
    let rounds = root().join("tests/live/rounds.c");
    for (threads, rounds_each, orders) in [
        (2, 1, 2),
        (3, 1, 6),
        (4, 1, 24),
        (2, 2, 6),
        (2, 3, 20),
        (2, 6, 924),
        (3, 3, 1680),
        (4, 2, 2520),
    ] {
        let flags = [format!("-DTHREADS={threads}"), format!("-DROUNDS={rounds_each}")];
        let seen = runs(&rounds, &[], &[&flags[0], &flags[1]]);
        assert_eq!(seen, orders, "{threads} threads, {rounds_each} rounds");
    }
    assert_eq!(runs(&rounds, &[], &["-DTHREADS=5", "-DROUNDS=2", "-DOWN"]), 1);
    let table = root().join("tests/live/philosophers.c");
    for seats in 3..=6 {
        let expected = (1 << seats) - 2;
        assert_eq!(runs(&table, &[], &["-DORDERED", &format!("-DSEATS={seats}")]), expected);
    }
    // Sleep sets alone, where each instruction is a step of its own.
    let each = ["--reduction", "none"];
    assert_eq!(runs(&rounds, &each, &["-DTHREADS=2", "-DROUNDS=3"]), 20);
}

/// The moves out of each stored state, by what they do, and where they lead.
type Graph = BTreeMap<usize, Vec<(String, usize)>>;

/// Which threads took each lock, in order.
type Orders = BTreeMap<String, Vec<String>>;

/// The graph of the search with states.
fn stored(file: &Path, flags: &[&str]) -> Graph {
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .arg("draw")
        .arg(file)
        .arg("--")
        .args(flags)
        .output()
        .expect("exeunt runs");
    let mut graph = Graph::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Some((states, rest)) = line.split_once(" [label=\"") else { continue };
        let Some((from, to)) = states.trim().split_once(" -> ") else { continue };
        let number = |name: &str| name.trim_start_matches('s').parse::<usize>().expect("a state");
        let label = rest.split('"').next().unwrap_or_default().to_string();
        graph.entry(number(from)).or_default().push((label, number(to)));
    }
    graph
}

/// The orders in which locks are taken on the ways from a state to an end.
fn orders(
    graph: &Graph,
    state: usize,
    known: &mut BTreeMap<usize, BTreeSet<Orders>>,
) -> BTreeSet<Orders> {
    if let Some(found) = known.get(&state) {
        return found.clone();
    }
    let Some(moves) = graph.get(&state) else { return BTreeSet::from([Orders::new()]) };
    let mut all = BTreeSet::new();
    for (label, next) in moves {
        let actor = label.split(':').next().unwrap_or_default();
        assert!(!label.is_empty(), "a graph that is too large for labels");
        let lock = label.split_once(" locks `").and_then(|(_, rest)| rest.split_once('`'));
        for mut order in orders(graph, *next, known) {
            if let Some((lock, _)) = lock {
                order.entry(lock.to_string()).or_default().push(actor.to_string());
            }
            all.insert(order);
        }
    }
    known.insert(state, all.clone());
    all
}

/// Where threads meet only at locks, schedules are the orders in which each lock is taken,
/// on all ways through the states that are stored.
#[test]
fn schedules_are_the_orders_of_locks_of_the_search_with_states() {
    let rounds = root().join("tests/live/rounds.c");
    let table = root().join("tests/live/philosophers.c");
    for (file, flags) in [
        (&rounds, ["-DTHREADS=2", "-DROUNDS=1"].as_slice()),
        (&rounds, &["-DTHREADS=2", "-DROUNDS=2"]),
        (&rounds, &["-DTHREADS=2", "-DROUNDS=3"]),
        (&rounds, &["-DTHREADS=2", "-DROUNDS=1", "-DOWN"]),
        (&table, &["-DORDERED", "-DSEATS=2"]),
    ] {
        let expected = orders(&stored(file, flags), 0, &mut BTreeMap::new()).len() as u64;
        assert_eq!(runs(file, &[], flags), expected, "{} {flags:?}", file.display());
    }
}

#[test]
fn endless_schedules_are_not_said_to_hold() {
    let endless = check(&root().join("examples/07_peterson.c"), &["--stateless"], &[]);
    assert_eq!(endless["verdict"], "inconclusive", "{endless:#}");
    let reason = endless["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("comes back to one of its states"), "{reason}");
}
