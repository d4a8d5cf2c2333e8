//! Rules that SPIN has options for: messages to full channels are lost (`spin -m`), channels must be empty
//! at the end (`pan -q`), a process type is one scope (`spin -O`), priorities mean nothing (`spin -o6`). States, transitions and verdicts are SPIN's.

mod support;

use std::path::{Path, PathBuf};

use exeunt_promela::PromelaOptions;
use exeunt_promela::code::Rules;
use support::{explore, load_file, load_with, spin};

const LOSES: Rules = rules(true, false);
const EMPTY_AT_END: Rules = rules(false, true);

const fn rules(loses: bool, empty_at_end: bool) -> Rules {
    Rules { loses, empty_at_end, one_scope: false, no_priorities: false }
}

/// The options of SPIN and of its verifier for a rule.
fn options(rules: Rules) -> (&'static [&'static str], &'static [&'static str]) {
    match rules {
        Rules { loses: true, .. } => (&["-m"], &[]),
        Rules { one_scope: true, .. } => (&["-O"], &[]),
        Rules { no_priorities: true, .. } => (&["-o6"], &[]),
        _ => (&[], &["-q"]),
    }
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

/// As before version 5.3 of SPIN: a variable of a block can be seen behind it, and its name is taken.
#[test]
fn a_process_type_can_be_one_scope() {
    let one_scope = Rules { one_scope: true, ..Rules::default() };
    let old = PromelaOptions { past_assertions: true, rules: one_scope, ..Default::default() };
    let behind = "byte x = 1; chan c = [1] of { byte };
        active [2] proctype P() { if :: x > 0 -> byte y = 3; x = y :: else -> y = 4; c!y fi;
            { byte z = 2; x = z }; z = 5; atomic { byte w; w = z }; x = x + w + y; c!x }";
    let model = load_with("one-scope", behind, &old).expect("a model");
    let theirs = spin::run_with(model.path(), &["-O"], &[]).expect("spin takes the model");
    assert_eq!(spin::disagreement(&model, &explore(&model, 10_000), &theirs), None);
    assert!(load_with("one-scope", behind, &PromelaOptions::default()).is_err());
    let twice = "byte x; active proctype P() { { byte t = 1; x = t }; { byte t; x = t } }";
    assert!(load_with("one-scope", twice, &PromelaOptions::default()).is_ok());
    let refused = load_with("one-scope", twice, &old).expect_err("one `t` only");
    assert!(refused[0].message.contains("`t` is declared twice"), "{}", refused[0]);
    std::fs::remove_file(model.path()).expect("removing a test model");
}

/// As before version 6.2 of SPIN.
#[test]
fn priorities_can_mean_nothing() {
    let ignored = Rules { no_priorities: true, ..Rules::default() };
    let ordered = "byte x; proctype R() { x = 7; x = 8 }
        active proctype A() priority 5 { x = 1; x = 2; assert(x == 2) }
        active proctype B() priority 3 { run R() priority 9; x = 4; x = 5 }";
    let model = load_with("ordered", ordered, &PromelaOptions::default()).expect("a model");
    let mut wrong = Vec::new();
    assert!(compare(model.path(), ignored, &mut wrong), "the rule makes a difference");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let options = PromelaOptions { rules: ignored, ..Default::default() };
    for looks in ["x = _priority", "x = get_priority(0)", "set_priority(0, 2)", "_priority = 2"] {
        let text = format!("byte x; active proctype A() priority 5 {{ {looks} }}");
        let refused = load_with("ordered", &text, &options).expect_err("it looks at priorities");
        assert!(refused[0].message.contains("priorities mean nothing"), "{}", refused[0]);
    }
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
