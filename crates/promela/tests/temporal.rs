//! Formulas under the reduction: random models and random formulas without
//! `X` have the same answers with it and without. (`temporal_spin` compares
//! the answers with SPIN's.)
//!
//! `EXEUNT_FUZZ_SEEDS=1000..3000` tries other seeds than the fixed ones.

mod support;

use std::path::Path;

use exeunt_ltl::{Binary, Formula, Unary};
use exeunt_model::{Basis, Model, Report, Verdict};
use exeunt_promela::{ClaimKind, Marking, PromelaModel, PromelaOptions, load};
use exeunt_random::{Random, promela};
use exeunt_search::{Ask, AskKind, Limits, Options, Temporal, check_temporal};
use support::load_with;

const CONDITIONS: &[&str] = &[
    "x == 1",
    "y > x",
    "t",
    "len(c) > 0",
    "a[x % 2] == 1",
    "st.f == 1",
    "_nr_pr > 1",
    "b == 0",
    "full(d)",
];

/// A formula over propositions `c0` to `c2`.
fn formula(random: &mut Random, depth: u32) -> Formula {
    let leaf = depth == 0 || random.below(5) == 0;
    if leaf {
        return Formula::proposition(&format!("c{}", random.below(3)));
    }
    let unary = [Unary::Not, Unary::Always, Unary::Eventually];
    let binary = [Binary::And, Binary::Or, Binary::Implies, Binary::Until, Binary::Release];
    match random.below(7) {
        kind @ 0..3 => Formula::unary(unary[kind as usize], formula(random, depth - 1)),
        _ => {
            let op = random.one_of(&binary);
            Formula::binary(op, formula(random, depth - 1), formula(random, depth - 1))
        }
    }
}

/// Makes the model watch these conditions, as `c0`, `c1`…
fn watch(model: &mut PromelaModel) -> Vec<u32> {
    let claims = model.claims().to_vec();
    let ClaimKind::Ltl { conditions, .. } = &claims[0].kind else { panic!("a formula") };
    let watched = conditions.iter().map(|condition| model.watch(condition).expect("few"));
    let watched = watched.collect();
    model.settle(0);
    watched
}

fn ask(model: &PromelaModel, formula: &Formula, watched: &[u32], reduces: bool) -> Option<Report> {
    let number = |name: &str| watched[name[1..].parse::<usize>().expect("a number")];
    let bits = formula.propositions().iter().map(|name| number(name)).collect();
    answer(model, AskKind::Formula(formula.clone(), bits), reduces)
}

fn answer(model: &PromelaModel, kind: AskKind, reduces: bool) -> Option<Report> {
    let asks = [Ask { id: String::new(), text: String::new(), kind, location: None }];
    let limits = Limits { max_states: Some(20_000), ..Default::default() };
    let options = Options { reduces, limits, ..Default::default() };
    let report = check_temporal(
        &mut *model.open(Basis::Learnt),
        &options,
        Temporal::default(),
        &asks,
        &mut |_| {},
    );
    let report = report.expect("conditions have values");
    report.limits_hit.is_empty().then_some(report)
}

fn options(conditions: &[&str]) -> PromelaOptions {
    let always = |text: &&str| Formula::unary(Unary::Always, Formula::proposition(text));
    let all = conditions.iter().map(always);
    let all = all.reduce(|all, more| Formula::binary(Binary::And, all, more));
    let formulas = vec![("all".to_string(), all.expect("conditions"))];
    PromelaOptions { formulas, ..Default::default() }
}

/// Processes that mostly keep to variables of their own, which others rarely
/// look at: nearly all their steps can be put off.
fn loose_model(seed: u64) -> String {
    let mut random = promela::numbers(seed ^ 0x1234);
    let mut text = "byte x, y, z, s; chan c = [1] of { byte };\n".to_string();
    for own in ["x", "y", "z"] {
        text.push_str("active proctype p_");
        text.push_str(own);
        text.push_str("() { byte k;\n");
        let loops = random.below(2) == 0;
        text.push_str(if loops { "do :: " } else { "" });
        for number in 0..2 + random.below(3) {
            text.push_str(if number == 1 { "mid: " } else { "" });
            text.push_str(["", "", "progress: ", "accept: "].get(number as usize).unwrap_or(&""));
            let statement = match random.below(9) {
                0..3 => format!("{own} = 1 - {own}; "),
                3 => format!("{own} = ({own} + 1) % 3; "),
                4 => "k = 1 - k; ".to_string(),
                5 => "s = 1 - s; ".to_string(),
                6 => format!("(s == 0 || {own} == 0); "),
                7 => format!("if :: c!{own} :: c?k :: {own} = 0 fi; "),
                _ => format!("if :: {own} > 0 -> k = 0 :: {own} = 2 fi; "),
            };
            text.push_str(&statement);
        }
        text.push_str(if loops { "k = 0 od }\n" } else { "k = 0 }\n" });
    }
    text
}

/// Asks a few formulas of each model, with and without the reduction.
fn compare(kind: &str, make: fn(u64) -> String, conditions: &[&str], seeds: std::ops::Range<u64>) {
    let seeds = match std::env::var("EXEUNT_FUZZ_SEEDS") {
        Ok(range) => {
            let (from, to) = range.split_once("..").expect("a range like 1..100");
            let number = |text: &str| text.parse::<u64>().expect("a number");
            number(from)..number(to)
        }
        Err(_) => seeds,
    };
    let (mut compared, mut violated, mut smaller) = (0, 0, 0);
    let mut wrong = Vec::new();
    for seed in seeds {
        let mut random = promela::numbers(seed ^ 0x77);
        let pick = |_| random.one_of(conditions);
        let conditions: Vec<&str> = (0..3).map(pick).collect();
        let name = format!("temporal-{kind}-{seed}");
        let mut model = load_with(&name, &make(seed), &options(&conditions)).expect("a model");
        std::fs::remove_file(model.path()).expect("removing a test model");
        let watched = watch(&mut model);
        // The same condition twice is one.
        let watched: Vec<u32> = (0..3).map(|at| watched[at.min(watched.len() - 1)]).collect();
        for _ in 0..6 {
            let formula = formula(&mut random, 3);
            let Some(full) = ask(&model, &formula, &watched, false) else { break };
            let Some(reduced) = ask(&model, &formula, &watched, true) else { break };
            if full.verdict != reduced.verdict {
                let verdicts = (full.verdict, reduced.verdict);
                wrong.push(format!("seed {seed}: {formula} {conditions:?}: {verdicts:?}"));
            }
            compared += 1;
            violated += usize::from(full.verdict == Verdict::Violated);
            let fewer = reduced.statistics.states < full.statistics.states;
            smaller += usize::from(full.verdict == Verdict::Holds && fewer);
        }
    }
    println!("{compared} formulas, {violated} violated, {smaller} with fewer states");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 500 && violated > 100 && smaller > 20, "{compared} {violated} {smaller}");
}

#[test]
fn answers_do_not_depend_on_the_reduction() {
    compare("any", promela::model, CONDITIONS, 1..200);
}

#[test]
fn answers_about_loose_processes_do_not_either() {
    compare("loose", loose_model, &["x == 1", "y == 0", "x > y", "s == 1", "len(c) == 1"], 1..400);
}

/// Where processes stand and what their variables are.
#[test]
fn answers_about_places_and_locals_do_not_either() {
    let conditions = &[
        "p_x@mid",
        "p_z[2]@mid",
        "p_y:k == 1",
        "p_x[0]:k > 0",
        "np_",
        "x == 1",
        "p_x@mid && p_y@mid",
        "p_z[s]:k == 1",
    ];
    compare("places", loose_model, conditions, 1000..1200);
}

/// Cycles through accept labels, and cycles without progress.
#[test]
fn answers_about_labels_of_a_kind_do_not_either() {
    let formula = exeunt_ltl::parse("F G ! accept").expect("a formula");
    let accepts = |number| AskKind::Formula(formula.clone(), vec![number]);
    compare_labels(Marking::Accept, &accepts);
    compare_labels(Marking::Progress, &AskKind::Progress);
}

fn compare_labels(marking: Marking, ask: &dyn Fn(u32) -> AskKind) {
    let (mut violated, mut smaller) = (0, 0);
    for seed in 2000..2200 {
        let text = loose_model(seed);
        let mut model = load_with("temporal-labels", &text, &Default::default()).expect("a model");
        let number = model.watch_marking(marking).expect("few");
        // One that is too large is no good.
        let Some(full) = answer(&model, ask(number), false) else { continue };
        let reduced = answer(&model, ask(number), true).expect("smaller");
        assert_eq!(full.verdict, reduced.verdict, "{marking:?}, seed {seed}:\n{text}");
        violated += usize::from(full.verdict == Verdict::Violated);
        let fewer = reduced.statistics.states < full.statistics.states;
        smaller += usize::from(full.verdict == Verdict::Holds && fewer);
    }
    assert!(violated > 10 && smaller > 10, "{marking:?}: {violated} violated, {smaller} smaller");
}

/// Atomic sequences, rendezvous and processes that come and go.
#[test]
fn answers_about_locals_of_any_model_do_not_either() {
    compare("locals", promela::model, &["p0:i == 1", "p0:z == 0", "p0:j > p0:i", "x == 1"], 1..120);
}

fn answers(text: &str, condition: [&str; 2], formula: &str) -> [Verdict; 2] {
    let mut model = load_with("temporal-own", text, &options(&condition)).expect("a model");
    let watched = watch(&mut model);
    let formula = exeunt_ltl::parse(formula).expect("a formula");
    [false, true].map(|reduces| ask(&model, &formula, &watched, reduces).expect("small").verdict)
}

/// Steps that commute are seen in both orders if a formula can tell them apart.
#[test]
fn what_is_watched_is_not_put_off() {
    let text = "byte x, y; active proctype p() { x = 1 } active proctype q() { y = 1 }";
    for formula in ["(! c0) U c1", "(! c1) U c0"] {
        let found = answers(text, ["x == 1", "y == 1"], formula);
        assert_eq!(found, [Verdict::Violated; 2], "{formula}");
    }
}

/// A process that goes round for ever does not keep others from being seen.
#[test]
fn nothing_is_put_off_for_ever() {
    for (first, second) in [("p", "q"), ("q", "p")] {
        let body = |name: &str| match name {
            "p" => "active proctype p() { do :: z = 1 - z od }",
            _ => "active proctype q() { y = 1 }",
        };
        let text = format!("byte x, y, z; {} {}", body(first), body(second));
        assert_eq!(answers(&text, ["x == 0", "y == 0"], "G c1"), [Verdict::Violated; 2], "{text}");
    }
}

/// What is watched decides how much can be put off.
#[test]
fn formulas_about_little_leave_much_out() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/models/leader.pml");
    let mut options = options(&["leaders <= 1"]);
    options.defines = vec!["N=3".into()];
    let mut model = load(&path, &options).expect("a model");
    let watched = watch(&mut model);
    let formula = exeunt_ltl::parse("G c0").expect("a formula");
    let [full, reduced] =
        [false, true].map(|reduces| ask(&model, &formula, &watched, reduces).expect("small"));
    assert_eq!((full.verdict, reduced.verdict), (Verdict::Holds, Verdict::Holds));
    assert!(reduced.statistics.states * 3 < full.statistics.states, "{reduced:?}");
}
