//! Never claims under the reduction: random models and random claims have the same answers with it and without,
//! also claims that can tell how often a state is repeated, which are not reduced.
//!
//! `EXEUNT_FUZZ_SEEDS=1000..3000` tries other seeds than the fixed ones.

mod support;

use exeunt_model::{Basis, Model, Report, Verdict};
use exeunt_promela::{ClaimKind, PromelaModel};
use exeunt_random::{Random, meetings, promela};
use exeunt_search::{Ask, AskKind, Limits, Options, Temporal, check_temporal};
use support::load_with;

fn answer(model: &PromelaModel, claim: usize, reduces: bool) -> Option<Report> {
    answer_of(model, claim, reduces, Temporal::default())
}

fn answer_of(
    model: &PromelaModel,
    claim: usize,
    reduces: bool,
    temporal: Temporal,
) -> Option<Report> {
    let forgets_repetition = model.forgets_repetition(&model.claims()[claim]);
    let kind = AskKind::Claim { number: claim as u32, forgets_repetition };
    let asks = [Ask { id: String::new(), text: String::new(), kind, location: None }];
    let limits = Limits { max_states: Some(3_000), ..Default::default() };
    let options = Options { reduces, limits, ..Default::default() };
    let mut session = model.open(Basis::Learnt);
    let report = check_temporal(&mut *session, &options, temporal, &asks, &mut |_| {});
    let report = report.expect("conditions have values");
    report.limits_hit.is_empty().then_some(report)
}

/// A model with a claim; the number of the claim.
fn asked(name: &str, text: &str) -> (PromelaModel, usize) {
    let mut model = load_with(name, text, &Default::default()).expect("a model");
    std::fs::remove_file(model.path()).expect("removing a test model");
    let mut claims = model.claims().iter();
    let claim = claims.position(|claim| matches!(claim.kind, ClaimKind::Never(_))).expect("one");
    model.settle(claim);
    (model, claim)
}

/// Two or three states with random guards.
fn claim(random: &mut Random, conditions: &[&str]) -> String {
    let guards: Vec<String> = conditions
        .iter()
        .flat_map(|condition| [format!("({condition})"), format!("!({condition})")])
        .chain(["(1)".to_string(), "(1)".to_string()])
        .collect();
    let states = 1 + random.below(3u32);
    let label = |state: u32| match state {
        1 => "accept_1".to_string(),
        _ => format!("S{state}"),
    };
    let mut text = "never {\n".to_string();
    for state in 0..states {
        text.push_str(&format!("{}:\n\tif\n", label(state)));
        for _ in 0..1 + random.below(3u32) {
            let guard = &guards[random.below(guards.len())];
            let target = match random.chance(45) {
                true => label(state),
                false if random.one_in(6) => "done".to_string(),
                false => label(random.below(states)),
            };
            text.push_str(&format!("\t:: {guard} -> goto {target}\n"));
        }
        text.push_str("\tfi;\n");
    }
    text.push_str("done:\n\tskip\n}\n");
    text
}

fn compare(kind: &str, make: fn(u64) -> String, conditions: &[&str], seeds: std::ops::Range<u64>) {
    let seeds = match std::env::var("EXEUNT_FUZZ_SEEDS") {
        Ok(range) => {
            let (from, to) = range.split_once("..").expect("a range like 1..100");
            let number = |text: &str| text.parse::<u64>().expect("a number");
            number(from)..number(to)
        }
        Err(_) => seeds,
    };
    let (mut compared, mut closed, mut violated, mut smaller) = (0, 0, 0, 0);
    for seed in seeds {
        let mut random = Random::new(seed ^ 0xc1a1);
        for number in 0..4 {
            let text = format!("{}{}", make(seed), claim(&mut random, conditions));
            let (model, claim) = asked(&format!("claims-{kind}-{seed}-{number}"), &text);
            let Some(full) = answer(&model, claim, false) else { break };
            let reduced = answer(&model, claim, true).expect("not larger");
            assert_eq!(full.verdict, reduced.verdict, "{kind}, seed {seed}:\n{text}");
            compared += 1;
            closed += usize::from(model.forgets_repetition(&model.claims()[claim]));
            violated += usize::from(full.verdict == Verdict::Violated);
            let fewer = reduced.statistics.states < full.statistics.states;
            smaller += usize::from(full.verdict == Verdict::Holds && fewer);
        }
    }
    println!(
        "{compared} claims, {closed} closed, {violated} violated, {smaller} with fewer states"
    );
    assert!(compared > 200 && closed > 40 && violated > 40, "{compared} {closed} {violated}");
    assert!(smaller > 5, "{smaller} smaller");
}

#[test]
fn answers_to_claims_do_not_depend_on_the_reduction() {
    compare("any", promela::model, &["x == 1", "y > x", "len(c) > 0"], 1..100);
}

#[test]
fn answers_about_impatient_models_do_not_either() {
    compare("impatient", meetings::impatient_model, &["x == 1", "y > x", "len(c) > 0"], 1..100);
}

/// A claim that `spin -f` wrote is reduced, one that counts steps is not.
#[test]
fn claims_of_formulas_are_reduced() {
    let model = "byte x, y, z; bit done;
        active proctype p() { x = 1; x = 2; x = 3; done = 1 }
        active proctype q() { y = 1; y = 2; y = 3 }
        active proctype r() { z = 1; z = 2; z = 3 }
        ";
    let again = "never { T0_init: do :: (! (done)) -> goto accept_S4 :: (1) -> goto T0_init od;
        accept_S4: do :: (! (done)) -> goto accept_S4 od; }";
    let counting = "never { (! done); (done); skip }";
    for (claim, closed) in [(again, true), (counting, false)] {
        let (model, number) = asked("claims-own", &format!("{model}{claim}"));
        assert_eq!(model.forgets_repetition(&model.claims()[number]), closed, "{claim}");
        let [full, reduced] =
            [false, true].map(|reduces| answer(&model, number, reduces).expect("small"));
        assert_eq!((full.verdict, reduced.verdict), (Verdict::Holds, Verdict::Holds), "{claim}");
        let fewer = reduced.statistics.states < full.statistics.states;
        assert_eq!(fewer, closed, "{} of {}", reduced.statistics.states, full.statistics.states);
    }
}

/// Whether a run is fair depends on the order of steps that do not depend on each other (docs/promela.md).
#[test]
fn fairness_depends_on_the_order_of_independent_steps() {
    let text = "bit x, y = 1, seen;
        active proctype P() { do :: x = 1 - x od }
        active proctype Q() { do :: y = 1 - y od }
        active proctype R() { x == 1 || y == 1; seen = 1 }
        never { T0_init: do :: !seen -> goto accept_S4 :: (1) -> goto T0_init od;
            accept_S4: do :: !seen -> goto accept_S4 od; }";
    let (model, number) = asked("claims-fair", text);
    assert!(model.forgets_repetition(&model.claims()[number]));
    let fair = Temporal { fair: true, ..Default::default() };
    for reduces in [false, true] {
        let report = answer_of(&model, number, reduces, fair).expect("small");
        assert_eq!(report.verdict, Verdict::Violated);
    }
    // Without these moments it holds: `R` is never kept from moving.
    let (always, number) = asked("claims-fair", &text.replace("x == 1 || y == 1;", "x <= 1;"));
    let report = answer_of(&always, number, true, fair).expect("small");
    assert_eq!(report.verdict, Verdict::Holds);
}
