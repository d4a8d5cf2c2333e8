//! What `exeunt live` says of a compiled program beside what `exeunt check` says of its source.
//!
//! "Inconclusive" contradicts nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::shop::report;

/// What only the virtual machine sees.
const UNSEEN: [&str; 5] = ["memory", "undefined", "leak", "exit", "race"];

pub struct Comparison {
    time: &'static str,
    wrong: Vec<String>,
    counts: BTreeMap<String, u64>,
}

impl Comparison {
    /// Both have so long for each program.
    pub fn new(time: &'static str) -> Self {
        Comparison { time, wrong: Vec::new(), counts: BTreeMap::new() }
    }

    /// Compares the verdicts on a program and on its source.
    pub fn add(&mut self, name: &str, program: &Path, source: &Path) {
        let reports = (
            report(&["--time", self.time, "--max-depth", "300"], program),
            check(source, self.time),
        );
        let (native, machine) = (told(&reports.0), told(&reports.1));
        let what = match (native.0.as_str(), machine.0.as_str()) {
            ("inconclusive", _) | (_, "inconclusive") => {
                println!("{name}: {} / {}", reports.0["reason"], reports.1["reason"]);
                "open"
            }
            (a, b) if a == b => {
                self.count(a);
                "same"
            }
            ("holds", _) if UNSEEN.contains(&machine.1.as_str()) => "unseen",
            _ => {
                self.wrong.push(format!("{name}: live says {native:?}, check {machine:?}"));
                "wrong"
            }
        };
        self.count(what);
    }

    fn count(&mut self, what: &str) {
        *self.counts.entry(what.to_string()).or_default() += 1;
    }

    /// How many programs were `same`, `open`, `unseen` or `wrong`; of the same ones, `holds` or `violated`.
    pub fn of(&self, what: &str) -> u64 {
        self.counts.get(what).copied().unwrap_or(0)
    }

    /// None may be contradictory, and more must agree than be open.
    pub fn conclude(&self) {
        println!("{:?}", self.counts);
        assert!(self.wrong.is_empty(), "{}\n{:?}", self.wrong.join("\n"), self.counts);
        assert!(self.of("same") > self.of("open"), "{:?}", self.counts);
    }
}

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
