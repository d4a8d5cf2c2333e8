//! Native programs whose states are stored and compared: sections of
//! `exeunt.h`, functions that must return, formulas, invariants, endless loops.

use std::path::PathBuf;
use std::process::Command;

use crate::shop::{Shop, exeunt, report, root, violation};

fn header() -> String {
    format!("-I{}", root().join("runtime").display())
}

fn part(shop: &Shop, number: u32) -> PathBuf {
    let source = root().join("tests/live/sections.c");
    shop.live("cc", "gcc", &source, &["-g", &header(), &format!("-DPART={number}")])
}

#[test]
fn sections_that_are_never_left_are_found() {
    let shop = Shop::new();
    let first = part(&shop, 1);
    let (property, line, _) = violation(&["--states"], &first);
    assert_eq!((property.as_str(), line), ("section", 21), "the section is entered there");
    let text = report(&["--states"], &first).to_string();
    assert!(text.contains("request"), "{text}");
    // Schedules are cut off, and then states are compared without being asked for.
    assert_eq!(violation(&["--max-depth", "60"], &first).0, "section");
    for fine in [2, 5] {
        let report = report(&["--states"], &part(&shop, fine));
        assert_eq!(report["verdict"], "holds", "part {fine}: {report:#}");
    }
    assert_eq!(violation(&["--states"], &part(&shop, 6)).0, "misuse");
}

#[test]
fn functions_that_must_return() {
    let shop = Shop::new();
    let (property, _, _) = violation(&["--states"], &part(&shop, 3));
    assert_eq!(property, "section");
    let text = report(&["--states"], &part(&shop, 3)).to_string();
    assert!(text.contains("drain"), "{text}");
    assert_eq!(report(&["--states"], &part(&shop, 4))["verdict"], "holds");
    // Without instrumentation nobody sees where functions begin and end.
    let source = root().join("tests/live/must_return.c");
    let plain = shop.compile_file(&source, &[&header()]);
    let report = report(&["--states"], &plain);
    assert_eq!(report["verdict"], "inconclusive", "{report:#}");
    assert!(report["reason"].as_str().is_some_and(|why| why.contains("must return")));
}

#[test]
fn formulas_and_invariants() {
    let shop = Shop::new();
    let never = part(&shop, 3);
    assert_eq!(violation(&["--ltl", "F awake"], &never).0, "ltl");
    assert_eq!(report(&["--ltl", "G !awake"], &part(&shop, 5))["verdict"], "holds");
    let wakes = part(&shop, 4);
    assert_eq!(report(&["--fair", "--ltl", "F awake"], &wakes)["verdict"], "holds");
    assert_eq!(violation(&["--ltl", "F awake"], &wakes).0, "ltl", "the other one need not run");
    assert_eq!(violation(&["--invariant", "ready == 0"], &wakes).0, "invariant");
    assert_eq!(violation(&["--invariant", "quiet()"], &wakes).0, "invariant");
    // The last letter counts: it is true when the program ends, and later never.
    assert_eq!(violation(&["--ltl", "F G !awake"], &wakes).0, "ltl");
}

#[test]
fn questions_that_mean_nothing_are_refused() {
    let shop = Shop::new();
    let program = part(&shop, 4);
    let refused = |arguments: &[&str], words: &str| {
        let output = exeunt(arguments, &program);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(words), "{arguments:?}: {text}");
    };
    refused(&["--ltl", "F nothing"], "no variable or function `nothing`");
    refused(&["--ltl", "F (ready > 1)"], "no proposition of a native program");
    refused(&["--ltl", "F ("], "-->");
    refused(&["--ltl", "F mutex"], "40 bytes");
    refused(&["--ltl", "F X ready"], "next");
    refused(&["--invariant", "crashes()"], "signal 11");
    refused(&["--ltl", "F ready", "--random", "5"], "--random");
    let plain = shop.compile("embrace", &[]);
    let output = exeunt(&["--ltl", "F mutex1"], &plain);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("exeunt cc --live"));
}

/// An endless program that is right is said to hold: schedules alone could not.
#[test]
fn endless_programs_can_hold() {
    let shop = Shop::new();
    let endless = report(&["--max-depth", "50"], &shop.compile("endless", &[]));
    assert_eq!(endless["verdict"], "holds", "{endless:#}");
    // What cannot be taken back cannot be compared either.
    let reads = shop.compile("urandom", &["-DFILE_NAME=\"/dev/zero\""]);
    let reads = report(&["--states"], &reads);
    assert_eq!(reads["verdict"], "inconclusive", "{reads:#}");
}

#[test]
fn what_states_showed_is_replayed() {
    let shop = Shop::new();
    for (number, arguments) in [(1, ["--states"].as_slice()), (3, &["--ltl", "F awake"])] {
        let trace = shop.directory.path().join(format!("trace{number}.json"));
        let name = trace.to_string_lossy().into_owned();
        let saved = exeunt(&[arguments, &["--save", &name]].concat(), &part(&shop, number));
        assert_eq!(saved.status.code(), Some(1));
        let mut replay = Command::new(env!("CARGO_BIN_EXE_exeunt"));
        let again = replay.arg("replay").arg(&trace).output().expect("exeunt runs");
        let text = String::from_utf8_lossy(&again.stderr).into_owned();
        assert_eq!(again.status.code(), Some(1), "{text}");
    }
}

/// Nothing is said about all runs of a program with steps that are not seen, nor of one that never comes to a step.
#[test]
fn steps_that_are_not_seen_forbid_holds() {
    let shop = Shop::new();
    let lost = shop.compile("lost_update", &[]);
    assert_eq!(report(&["--states"], &lost)["verdict"], "inconclusive");
    let silent = shop.compile_file(&root().join("examples/11_partial_deadlock.c"), &[]);
    assert_eq!(report(&["--states"], &silent)["verdict"], "inconclusive");
}
