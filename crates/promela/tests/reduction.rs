//! The verdict does not depend on the reduction: models explored with and
//! without it have the same faults, deadlocks and processes that never end.
//!
//! `EXEUNT_FUZZ_SEEDS=1000..3000` tries other seeds than the fixed ones.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use exeunt_model::{Basis, Model, Property, Report, Verdict};
use exeunt_promela::{PromelaModel, PromelaOptions, load};
use exeunt_random::{meetings, promela};
use exeunt_search::{Limits, Options, check};
use support::load_with;

const MOST_STATES: u64 = 20_000;
/// Where all violations are wanted: each of them is told with a way to it.
const FEW_STATES: u64 = 400;

/// What was found, without the ways to it.
type Found = BTreeSet<(Property, String)>;

fn search(model: &PromelaModel, reduces: bool, all: bool) -> Option<(Report, Found)> {
    let most = if all { FEW_STATES } else { MOST_STATES };
    let limits = Limits { max_states: Some(most), ..Default::default() };
    let options = Options { reduces, all, limits, ..Default::default() };
    let report = check(&mut *model.open(Basis::Learnt), &options, &mut |_| {});
    if !report.limits_hit.is_empty() {
        return None;
    }
    let found = report.violations.iter().map(|violation| {
        let what = match (violation.property, &violation.location) {
            // Where it is stuck depends on the order too.
            (Property::Section, _) => violation.sections[0].name.clone(),
            // Which deadlock is told first depends on the order.
            (Property::Deadlock, _) | (_, None) => String::new(),
            (_, Some(location)) => location.to_string(),
        };
        (violation.property, what)
    });
    let found = found.collect();
    Some((report, found))
}

/// Compares; states without and with reduction if all were visited.
fn compare(name: &str, models: &Pair, wrong: &mut Vec<String>) -> Option<(u64, u64)> {
    let Pair { plain, merging } = models;
    let (full, _) = search(plain, false, false)?;
    let (reduced, _) = search(merging, true, false)?;
    if full.verdict != reduced.verdict {
        wrong.push(format!("{name}: {:?}, but reduced {:?}", full.verdict, reduced.verdict));
    }
    if let (Some((_, all)), Some((_, some))) =
        (search(plain, false, true), search(merging, true, true))
        && all != some
    {
        wrong.push(format!("{name}: {all:?}, but reduced {some:?}"));
    }
    if full.verdict == Verdict::Violated {
        return Some((0, 0));
    }
    if reduced.statistics.states > full.statistics.states {
        wrong.push(format!("{name}: reduced to more states"));
    }
    Some((full.statistics.states, reduced.statistics.states))
}

/// A model without and with steps that are merged.
struct Pair {
    plain: PromelaModel,
    merging: PromelaModel,
}

impl Pair {
    fn load(path: &Path, options: &PromelaOptions) -> Option<Pair> {
        let merging =
            load(path, &PromelaOptions { merges: true, forgets: true, ..options.clone() }).ok()?;
        Some(Pair { plain: load(path, options).ok()?, merging })
    }
}

/// Process types that a text declares.
fn types(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    let named = words.windows(2).filter(|pair| pair[0] == "proctype" || pair[0] == "D_proctype");
    named.map(|pair| pair[1].to_string()).collect()
}

fn ending(text: &str) -> PromelaOptions {
    PromelaOptions { must_end: types(text), ..Default::default() }
}

#[test]
fn models_have_the_same_verdict() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/promela/models");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of models")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pml"))
        .collect();
    paths.sort();
    let mut wrong = Vec::new();
    let mut smaller = 0;
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a model");
        for (suffix, options) in [("", PromelaOptions::default()), (" ends", ending(&text))] {
            let Some(model) = Pair::load(&path, &options) else { continue };
            let name = format!("{name}{suffix}");
            let Some((full, reduced)) = compare(&name, &model, &mut wrong) else { continue };
            println!("{name}: {full} -> {reduced}, {:.2}", full as f64 / reduced as f64);
            smaller += usize::from(reduced < full);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(smaller > 10, "only {smaller} models have become smaller");
}

fn random_models(kind: &str, make: fn(u64) -> String, wanted: u64) {
    let seeds = match std::env::var("EXEUNT_FUZZ_SEEDS") {
        Ok(range) => {
            let (from, to) = range.split_once("..").expect("a range like 1..100");
            let number = |text: &str| text.parse::<u64>().expect("a number");
            number(from)..number(to)
        }
        Err(_) => 1..wanted + 1,
    };
    let (mut wrong, mut compared, mut smaller) = (Vec::new(), 0, 0);
    let (mut full, mut reduced) = (0, 0);
    for seed in seeds {
        let text = make(seed);
        for (suffix, options) in [("", PromelaOptions::default()), ("-ends", ending(&text))] {
            let name = format!("{kind}-{seed}{suffix}");
            let Ok(model) = load_with(&name, &text, &options) else { continue };
            let path = model.path();
            let Some(model) = Pair::load(path, &options) else { continue };
            if let Some((all, some)) = compare(&name, &model, &mut wrong) {
                compared += 1;
                smaller += usize::from(some < all);
                full += all;
                reduced += some;
            }
            std::fs::remove_file(model.plain.path()).expect("removing a test model");
        }
        if wrong.len() > 10 {
            break;
        }
    }
    println!("{compared} models, {smaller} smaller, {full} -> {reduced} states");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 20 && smaller > 0, "{compared} models, {smaller} smaller");
}

/// States of a model with the reduction.
fn reduced_states(name: &str, text: &str, options: &PromelaOptions) -> (Verdict, u64) {
    let model = load_with(name, text, options).expect("a model");
    let (report, _) = search(&model, true, false).expect("it is small");
    std::fs::remove_file(model.path()).expect("removing a test model");
    (report.verdict, report.statistics.states)
}

#[test]
fn the_end_of_a_process_concerns_nobody_who_cannot_see_numbers() {
    let model = |child: &str, init: &str| {
        format!(
            "byte x; proctype a() {{ x++; {child} }} proctype b() {{ x--; {child} }}\n\
             init {{ {init} run b(); run a(); run b() }}"
        )
    };
    let states = |child: &str, init: &str| {
        let text = model(child, init);
        let (verdict, states) = reduced_states("numbers", &text, &PromelaOptions::default());
        assert_eq!(verdict, Verdict::Holds, "{text}");
        states
    };
    let quiet = states("skip", "run a();");
    // Whoever asks for a number sees who has ended, and so does who asks how many there are.
    for child in ["_pid >= 0", "_nr_pr > 0"] {
        assert!(states(child, "run a();") > quiet, "{child}");
    }
    assert!(states("skip", "byte n; n = run a(); n = 0;") > quiet);
    // A channel of a process has a number, too.
    assert_eq!(states("skip", "chan c = [1] of { byte }; c!1; run a();"), quiet + 1);
    assert!(states("skip", "chan c = [1] of { byte }; c > 0; run a();") > quiet + 1);
}

/// A process that is at its end waits for younger ones, but it has ended.
#[test]
fn a_process_that_must_end_need_not_be_gone() {
    let text = "byte x; proctype a() { x++ } proctype b() { do :: x == 9 -> break :: x < 9 od }
        init { run a(); run b() }";
    let options = PromelaOptions { must_end: vec!["a".to_string()], ..Default::default() };
    let model = load_with("waits", text, &options).expect("a model");
    for reduces in [false, true] {
        let (report, _) = search(&model, reduces, false).expect("it is small");
        assert_eq!(report.verdict, Verdict::Holds);
    }
    std::fs::remove_file(model.path()).expect("removing a test model");
}

#[test]
fn random_models_have_the_same_verdict() {
    random_models("reduced", promela::model, 150);
}

#[test]
fn models_that_look_at_each_other_have_the_same_verdict() {
    random_models("observing", promela::observing_model, 50);
}

#[test]
fn models_that_notice_what_is_not_there_yet_have_the_same_verdict() {
    random_models("impatient", meetings::impatient_model, 250);
}

/// Before footprints said when a statement becomes enabled, 5 of the first 400 of these held with the reduction and
/// were violated without it; of those above, none of 500.
#[test]
fn models_that_may_stop_where_they_wait_have_the_same_verdict() {
    random_models("stopping", meetings::impatient_model_that_may_stop, 400);
}

#[test]
fn families_with_channels_of_their_own_have_the_same_verdict() {
    random_models("family", meetings::family_model, 150);
}

/// Whoever has an `else` or an escape notices that a message is not there yet.
#[test]
fn what_is_not_enabled_yet_is_noticed() {
    let models = [
        (
            "chan c = [1] of { byte };",
            "active proctype P() { c!0; if :: c!1 :: else -> assert(false) fi }",
            "active proctype Q() { c?_; end: do :: c?_ od }",
        ),
        (
            "chan c = [2] of { byte };",
            "active proctype P() { c!0; end: c!1 }",
            "active proctype Q() { c?_; if :: c?_ :: else -> assert(false) fi }",
        ),
        (
            "chan r = [0] of { byte };",
            "active proctype P() { if :: r!1 :: else -> assert(false) fi }",
            "active proctype Q() { byte x; x = 1; end: r?x }",
        ),
        (
            "chan c = [1] of { byte }; bit x;",
            "active proctype P() { { x == 1; assert(false) } unless { c?_ } }",
            "active proctype Q() { x = 1; c!1 }",
        ),
        (
            "chan c = [1] of { byte };",
            "active proctype P() { byte k; { k = 1; assert(false) } unless { c?_ } }",
            "active proctype Q() { c!1 }",
        ),
    ];
    for (globals, one, other) in models {
        // The order of processes decides which of them are tried first.
        for text in [format!("{globals}\n{one}\n{other}"), format!("{globals}\n{other}\n{one}")] {
            let options = PromelaOptions { merges: true, forgets: true, ..Default::default() };
            assert_eq!(reduced_states("noticed", &text, &options).0, Verdict::Violated, "{text}");
        }
    }
}

/// Too many processes are found although those that have ended go at once.
#[test]
fn a_family_may_grow_too_large() {
    let family = |depth: u32| {
        format!(
            "proctype f(byte n; chan up) {{ chan own = [1] of {{ byte }};
                if
                :: n == 0 -> up!1
                :: n > 0 -> run f(n - 1, own); own?_; run f(n - 1, own); own?_; up!1
                fi }}
             init {{ chan own = [1] of {{ byte }}; run f({depth}, own); own?_ }}"
        )
    };
    let options = PromelaOptions::default();
    let (verdict, states) = reduced_states("family", &family(3), &options);
    assert_eq!(verdict, Verdict::Holds);
    assert!(states < 150, "{states} states");
    // As many as 257 processes, of which nine are at work at a time.
    assert_eq!(reduced_states("family", &family(7), &options).0, Verdict::Violated);
}

/// The order of messages is watched: senders on two channels, which hold no, one or two messages.
fn traced_model(seed: u64) -> String {
    const TRACES: [&str; 8] = [
        "trace { do :: a!_; b!_ od }",
        "trace { do :: a!1 :: b!_ od }",
        "trace { do :: a!_ od }",
        "trace { do :: b?_; b?_ od }",
        "trace { a!1; do :: a!_ :: a?_ od }",
        "notrace { a!1; b!_; a!2 }",
        "notrace { b?_; a?_ }",
        "notrace { a!2; a?2 }",
    ];
    let (capacity, rest) = (seed % 3, seed / 3);
    let trace = TRACES[(rest % 8) as usize];
    let silent = if rest / 8 % 2 == 0 { "c!n; c?n" } else { "n++" };
    format!(
        "chan a = [{capacity}] of {{ byte }}; chan b = [{capacity}] of {{ byte }};
         chan c = [1] of {{ byte }}; byte m;
         {trace}
         active proctype S() {{ byte x; a!1; x = 3; m = x; a!2 }}
         active proctype T() {{ byte y; y = m; b!y; y = 2; b!y }}
         active proctype R() {{ byte z; end: do :: a?z -> z = 0 :: b?_ od }}
         active proctype N() {{ byte n; n = 1; {silent}; n = 0 }}"
    )
}

#[test]
fn models_with_a_trace_have_the_same_verdict() {
    random_models("traced", |seed| traced_model(seed - 1), 48);
}

/// What a process does not need any more makes no difference between states.
#[test]
fn variables_that_are_not_needed_are_forgotten() {
    let text = "byte m;
        active proctype P() {
            byte v, k;
            do
            :: k < 5 -> if :: v = 1 :: v = 2 :: v = 3 fi; m = v / 4; k++
            :: else -> break
            od
        }
        active proctype Q() { byte n; do :: n < 3 -> n = n + 1 + m :: else -> break od }";
    let plain = load_with("forgotten", text, &PromelaOptions::default()).expect("a model");
    let kept = load_with("forgotten", text, &PromelaOptions { merges: true, ..Default::default() });
    let options = PromelaOptions { merges: true, forgets: true, ..Default::default() };
    let forgotten = load_with("forgotten", text, &options).expect("a model");
    let states = |model: &PromelaModel, reduces| {
        let (report, _) = search(model, reduces, false).expect("few states");
        assert_eq!(report.verdict, Verdict::Holds, "{}", report.reason);
        report.statistics.states
    };
    let (full, kept) = (states(&plain, false), states(&kept.expect("a model"), true));
    let few = states(&forgotten, true);
    assert!(few < kept && kept <= full, "{few} {kept} {full}");
}

/// Somebody else looks at a variable that its own process does not need.
#[test]
fn variables_that_others_look_at_are_kept() {
    for look in ["assert(P:v == 7)", "(P:v == 7)", "if :: P:v == 7 :: else -> assert(false) fi"] {
        let text = format!(
            "bit done; proctype P() {{ byte v; v = 7; done = 1; (done == 0); v = 1 }}
             init {{ run P(); done == 1; {look}; done = 0 }}"
        );
        let options = PromelaOptions { merges: true, forgets: true, ..Default::default() };
        let model = load_with("looked-at", &text, &options).expect("a model");
        let (report, _) = search(&model, true, false).expect("few states");
        assert_eq!(report.verdict, Verdict::Holds, "{look}: {}", report.reason);
    }
}
