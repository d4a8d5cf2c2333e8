//! Rules that SPIN has options for: messages to full channels are lost (`spin -m`), channels must be empty
//! at the end (`pan -q`). States, transitions and verdicts are SPIN's.

mod support;

use std::path::{Path, PathBuf};

use exeunt_promela::PromelaOptions;
use exeunt_promela::code::Rules;
use support::{explore, load_file, load_with, spin};

const LOSES: Rules = Rules { loses: true, empty_at_end: false };
const EMPTY_AT_END: Rules = Rules { loses: false, empty_at_end: true };

/// The options of SPIN and of its verifier for a rule.
fn options(rules: Rules) -> (&'static [&'static str], &'static [&'static str]) {
    if rules.loses { (&["-m"], &[]) } else { (&[], &["-q"]) }
}

/// Where a model differs from SPIN under a rule, and whether the rule makes a difference.
fn compare(path: &Path, rules: Rules, wrong: &mut Vec<String>) -> bool {
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let load = |rules: Rules| {
        let options = PromelaOptions { past_assertions: true, rules, ..Default::default() };
        load_file(path, &options)
    };
    let (model, usual) = (load(rules), load(Rules::default()));
    let (own, usual) = (explore(&model, 1_000_000), explore(&usual, 1_000_000));
    let (spin, pan) = options(rules);
    match spin::run_with(path, spin, pan) {
        Ok(theirs) => {
            let differs = spin::disagreement(&model, &own, &theirs);
            wrong.extend(differs.map(|text| format!("{name} with {rules:?}: {text}")));
        }
        Err(why) => wrong.push(format!("{name}: {why}")),
    }
    (own.states, own.transitions, own.deadlocks)
        != (usual.states, usual.transitions, usual.deadlocks)
}

/// Compares every fourth model of the folder, and some more; for at least so many the rule matters.
fn all_models(rules: Rules, first: usize, least: usize, more: &[(&str, &str)]) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/promela/models");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of models")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pml"))
        .collect();
    paths.sort();
    let mut paths: Vec<PathBuf> = paths.into_iter().skip(first).step_by(4).collect();
    for (name, text) in more {
        let model = load_with(name, text, &PromelaOptions::default()).expect("a model");
        paths.push(model.path().to_path_buf());
    }
    let mut wrong = Vec::new();
    let matters = paths.iter().filter(|path| compare(path, rules, &mut wrong)).count();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(matters >= least, "the rule matters for {matters} models only");
    for path in paths.iter().rev().take(more.len()) {
        std::fs::remove_file(path).expect("removing a test model");
    }
}

#[test]
fn messages_to_full_channels_are_lost() {
    let lossy = "chan c = [2] of { byte, bit };
        active proctype S() { byte n; do :: n < 4 -> c!n, 1; n++ :: n == 4 -> c!!0, 0; break od }
        active proctype R() { byte got, last; bit b; end: do :: c?got, b -> assert(got >= last || !b); last = got od }";
    let in_step = "chan c = [1] of { byte }; byte n;
        active proctype S() { do :: d_step { n < 3 -> n++; c!n; c!n } :: full(c) -> n = 0 od }
        active proctype R() { do :: c?_ :: atomic { nfull(c); c!7; c!8 } od }";
    // Nobody sees a message that is lost, and neither does a `notrace`.
    let unseen = "mtype = { one, two }; chan c = [1] of { mtype };
        notrace { c!one; c!two }
        active proctype S() { c!one; c!two }";
    let more = [("lossy", lossy), ("lossy-step", in_step), ("lossy-unseen", unseen)];
    all_models(LOSES, 0, 3, &more);
}

/// The option that should turn the order of nested escapes around changes nothing in SPIN 6.5.2, and so it
/// changes nothing here. If this fails, SPIN was repaired.
#[test]
fn the_order_of_escapes_is_always_the_same() {
    let nested = "byte y; bit a, b;
        active proctype P() { { { do :: y < 3 -> y++ od } unless { a -> y = 1 } } unless { b -> y = 2 }; y = y + 10 }
        active proctype Q() { a = 1; b = 1; if :: a = 0 :: b = 0 :: skip fi }";
    let model = load_with("nested", nested, &PromelaOptions::default()).expect("a model");
    let theirs = spin::run_with(model.path(), &["-J"], &[]).expect("spin takes the model");
    assert_eq!(spin::disagreement(&model, &explore(&model, 10_000), &theirs), None);
    std::fs::remove_file(model.path()).expect("removing a test model");
}

#[test]
fn channels_must_be_empty_at_the_end() {
    let left = "chan c = [2] of { byte };
        active proctype S() { c!1; if :: c!2 :: skip fi }
        active proctype R() { end: do :: c?1 :: c?2 -> break od }";
    let own = "chan d = [1] of { byte };
        proctype W() { chan c = [1] of { byte }; c!3; if :: c?_ :: skip fi; d!1 }
        init { run W(); if :: d?_ :: skip fi }";
    all_models(EMPTY_AT_END, 1, 2, &[("left", left), ("own", own)]);
}
