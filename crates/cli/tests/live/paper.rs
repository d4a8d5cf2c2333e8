//! The examples of Cooperman and Quinson (Sthread: In-Vivo Model Checking of
//! Multithreaded Programs, 2020), each by `live` and by `check`, with the same verdict
//! and the same property.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::shop::{Shop, report, root, violation};

fn check(source: &Path, arguments: &[&str], flags: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(["check", "--format", "json"])
        .arg(source)
        .args(arguments)
        .arg("--")
        .args(flags)
        .output()
        .expect("exeunt runs");
    serde_json::from_slice(&output.stdout).expect("a report")
}

/// The verdict and the property, the same in both.
fn both(file: &str, flags: &[&str], live: &[&str], checked: &[&str]) -> (String, String) {
    let shop = Shop::new();
    let source = root().join(file);
    let header = format!("-I{}", root().join("runtime").display());
    let program = shop.live("cc", "gcc", &source, &[&["-g", &header], flags].concat());
    let told = |report: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        (text(&report["verdict"]), text(&report["violations"][0]["property"]))
    };
    let natively = told(&report(live, &program));
    assert_eq!(natively, told(&check(&source, checked, flags)), "{file} {flags:?}");
    natively
}

fn violated(property: &str) -> (String, String) {
    ("violated".to_string(), property.to_string())
}

fn holds() -> (String, String) {
    ("holds".to_string(), String::new())
}

#[test]
fn naive_leader_election() {
    assert_eq!(both("examples/02_leader_election.c", &[], &[], &[]), violated("assertion"));
    // With the yields of the paper no instrumentation is needed, and its path
    // `1;2;1`, then thread 2, shows it.
    let shop = Shop::new();
    let (property, _, schedule) = violation(&["--minimal"], &shop.compile("election", &[]));
    assert_eq!((property.as_str(), schedule.split(';').count()), ("assertion", 4));
}

#[test]
fn deadly_embrace() {
    assert_eq!(both("tests/live/embrace.c", &[], &[], &[]), violated("deadlock"));
    let shop = Shop::new();
    let (_, _, schedule) = violation(&["--minimal"], &shop.compile("embrace", &[]));
    assert_eq!(schedule, "1;2", "depth two");
}

#[test]
fn priority_inversion() {
    let file = "tests/live/paper/inversion.c";
    let formula = ["--fair", "--ltl", "G (request -> F granted)"];
    let checked = [&["--property", "temporal"], formula.as_slice()].concat();
    assert_eq!(both(file, &[], &formula, &checked), violated("ltl"));
    assert_eq!(both(file, &["-DFIXED"], &formula, &checked), holds());
    // Without a formula it is a wait that never ends.
    assert_eq!(both(file, &[], &["--states"], &[]), violated("section"));
}

/// The allocator of DMTCP: the ABA problem, from source without any mark.
#[test]
fn allocator_without_locks() {
    let file = "tests/live/paper/allocator.c";
    assert_eq!(both(file, &[], &[], &[]), violated("assertion"));
    assert_eq!(both(file, &["-DREPAIRED"], &[], &[]), holds());
}
