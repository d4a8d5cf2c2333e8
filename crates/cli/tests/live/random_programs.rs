//! Random small programs natively and in the virtual machine: `exeunt live` on
//! the instrumented program and `exeunt check --reduction tau` do not contradict
//! each other. EXEUNT_LIVE_ALL=1 takes 200 programs instead of a few.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::program::program;
use crate::shop::{Shop, report, root};

const USUAL: u64 = 14;
const ALL: u64 = 200;
/// Programs from here on have a topic each.
const FIRST: u64 = 5000;

/// What only the virtual machine sees.
const UNSEEN: [&str; 5] = ["memory", "undefined", "leak", "exit", "race"];

fn check(file: &Path, time: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(["check", "--format", "json", "--reduction", "tau", "--time", time])
        // Natively copies ascend.
        .args(["--copy-order", "ascending"])
        .arg(file)
        .output()
        .expect("exeunt runs");
    serde_json::from_slice(&output.stdout).expect("a report")
}

fn told(report: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    (text(&report["verdict"]), text(&report["violations"][0]["property"]))
}

#[test]
fn random_programs_have_the_same_verdicts() {
    let thorough = std::env::var_os("EXEUNT_LIVE_ALL").is_some();
    let shop = Shop::new();
    let header = format!("-I{}", root().join("runtime").display());
    let (mut wrong, mut counts) = (Vec::new(), BTreeMap::<&str, u64>::new());
    let mut count = |what: &'static str| *counts.entry(what).or_default() += 1;
    let (mut left, time) = if thorough { (ALL, "20s") } else { (USUAL, "5s") };
    for seed in FIRST.. {
        let text = program(seed);
        let body = text.split("static void *t0").nth(1).unwrap_or_default();
        // Natively these functions are not atomic, a signal is not watched, and which
        // address comes again is glibc's choice.
        if body.contains("== stale")
            || body.contains("__VERIFIER_atomic")
            || body.contains("atomics[")
            || body.contains("raise(")
        {
            continue;
        }
        if left == 0 {
            break;
        }
        left -= 1;
        let file = shop.directory.path().join(format!("random{seed}.c"));
        std::fs::write(&file, &text).expect("written");
        let native = shop.live("cc", "gcc", &file, &["-g", "-w", &header]);
        let live = report(&["--time", time, "--max-depth", "300"], &native);
        let reports = (live, check(&file, time));
        let (native, machine) = (told(&reports.0), told(&reports.1));
        let verdicts = (native.0.as_str(), machine.0.as_str());
        match verdicts {
            ("inconclusive", _) | (_, "inconclusive") => {
                println!("seed {seed}: {} / {}", reports.0["reason"], reports.1["reason"]);
                count("open");
            }
            (a, b) if a == b => count("same"),
            ("holds", _) if UNSEEN.contains(&machine.1.as_str()) => count("unseen"),
            _ => wrong.push(format!("seed {seed}: live says {native:?}, check {machine:?}")),
        }
    }
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{}\n{counts:?}", wrong.join("\n"));
    let of = |what: &str| counts.get(what).copied().unwrap_or(0);
    assert!(of("same") > of("open"), "{counts:?}");
}
