//! `check --stateless`: no states are kept, and the verdicts are those of the
//! search that keeps them.

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

fn runs(file: &Path, arguments: &[&str], flags: &[&str]) -> u64 {
    let report = check(file, &[&["--stateless"], arguments].concat(), flags);
    assert_eq!(report["verdict"], "holds", "{report:#}");
    report["statistics"]["runs"].as_u64().expect("a number")
}

/// Where each instruction is a step of its own, the number of schedules is the least
/// one there can be: one for each order of steps that do not commute.
#[test]
fn the_number_of_schedules_is_optimal() {
    let rounds = root().join("tests/live/rounds.c");
    let each = ["--reduction", "none"];
    for (threads, rounds_each, orders) in [(2, 1, 2), (3, 1, 6), (2, 2, 6), (2, 3, 20)] {
        let flags = [format!("-DTHREADS={threads}"), format!("-DROUNDS={rounds_each}")];
        let seen = runs(&rounds, &each, &[&flags[0], &flags[1]]);
        assert_eq!(seen, orders, "{threads} threads, {rounds_each} rounds");
    }
    assert_eq!(runs(&rounds, &each, &["-DTHREADS=2", "-DROUNDS=2", "-DOWN"]), 1);
    let table = root().join("tests/live/philosophers.c");
    assert_eq!(runs(&table, &each, &["-DORDERED", "-DSEATS=3"]), 6);
}

/// The moves out of each stored state, by what they do, and where they lead.
type Graph = BTreeMap<usize, Vec<(String, usize)>>;

/// A path through the stored states, from the first one to an end.
type Way = Vec<(usize, String, usize)>;

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

fn paths(graph: &Graph, state: usize, path: &mut Way, all: &mut Vec<Way>) {
    let Some(moves) = graph.get(&state) else {
        all.push(path.clone());
        return;
    };
    for (label, next) in moves {
        path.push((state, label.clone(), *next));
        paths(graph, *next, path, all);
        path.pop();
    }
}

/// The path with two neighbours in the other order, if that leads to the same state.
fn swapped(graph: &Graph, path: &Way, at: usize) -> Option<Way> {
    let (before, first, _) = &path[at];
    let (_, second, after) = &path[at + 1];
    let actor = |label: &str| label.split(':').next().unwrap_or_default().to_string();
    let step = |from: usize, label: &str| {
        let moves = graph.get(&from)?;
        moves.iter().find(|(other, _)| other == label).map(|(_, to)| *to)
    };
    let between = step(*before, second)?;
    let same = actor(first) != actor(second) && step(between, first)? == *after;
    same.then(|| {
        let mut other = path.clone();
        other[at] = (*before, second.clone(), between);
        other[at + 1] = (between, first.clone(), *after);
        other
    })
}

/// How many classes of paths there are, if paths are the same that differ in the order
/// of neighbours that commute.
fn classes(graph: &Graph) -> u64 {
    let mut all = Vec::new();
    paths(graph, 0, &mut Way::new(), &mut all);
    let mut left: BTreeSet<Way> = all.into_iter().collect();
    let mut count = 0;
    while let Some(path) = left.pop_first() {
        count += 1;
        let mut class = vec![path];
        while let Some(path) = class.pop() {
            let others = (0..path.len() - 1).filter_map(|at| swapped(graph, &path, at));
            let new: Vec<Way> = others.filter(|other| left.contains(other)).collect();
            for other in new {
                if left.remove(&other) {
                    class.push(other);
                }
            }
        }
    }
    count
}

/// Schedules are counted as classes of paths through the states that are stored.
#[test]
fn schedules_are_the_classes_of_paths_of_the_search_with_states() {
    let rounds = root().join("tests/live/rounds.c");
    let table = root().join("tests/live/philosophers.c");
    for (file, flags) in [
        (&rounds, ["-DTHREADS=2", "-DROUNDS=1"].as_slice()),
        (&rounds, &["-DTHREADS=2", "-DROUNDS=2"]),
        (&rounds, &["-DTHREADS=2", "-DROUNDS=2", "-DOWN"]),
        (&table, &["-DORDERED", "-DSEATS=2"]),
    ] {
        let expected = classes(&stored(file, flags));
        assert!(expected > 1, "{flags:?}");
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
