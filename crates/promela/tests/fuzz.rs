//! Random models: the same tables, counts and verdict as SPIN.
//!
//! `EXEUNT_FUZZ_SEEDS=1000..3000` tries other seeds than the fixed ones.

mod support;

use exeunt_promela::PromelaOptions;
use exeunt_promela::code::Rules;
use exeunt_random::promela;
use support::{explore_within, load_with, spin};

const WANTED: usize = 200;
const MOST_STATES: usize = 20_000;

#[test]
fn random_models_agree_with_spin() {
    agree(promela::model, WANTED, Rules::default());
}

#[test]
fn models_that_look_at_each_other_agree_with_spin() {
    agree(promela::observing_model, WANTED / 5, Rules::default());
}

/// Where messages to full channels are lost (`spin -m`), and where models stop with empty channels only (`pan -q`).
#[test]
fn random_models_agree_with_spin_under_other_rules() {
    agree(promela::model, WANTED / 8, rules(true, false));
    agree(promela::model, WANTED / 8, rules(false, true));
    agree(promela::observing_model, WANTED / 20, rules(true, true));
}

fn rules(loses: bool, empty_at_end: bool) -> Rules {
    Rules { loses, empty_at_end, ..Rules::default() }
}

fn agree(make: fn(u64) -> String, wanted: usize, rules: Rules) {
    let (seeds, wanted) = match std::env::var("EXEUNT_FUZZ_SEEDS") {
        Ok(range) => {
            let (from, to) = range.split_once("..").expect("a range like 1..100");
            let number = |text: &str| text.parse::<u64>().expect("a number");
            (number(from)..number(to), usize::MAX)
        }
        Err(_) => (1..100_000, wanted),
    };
    let options = PromelaOptions { past_assertions: true, rules, ..Default::default() };
    let (spin, pan): (&[&str], &[&str]) = (&["-m"], &["-q"]);
    let spin = &spin[usize::from(!rules.loses)..];
    let pan = &pan[usize::from(!rules.empty_at_end)..];
    let (mut compared, mut violated, mut transitions) = (0, 0, 0);
    let mut wrong = Vec::new();
    for seed in seeds {
        if compared >= wanted || wrong.len() >= 10 {
            break;
        }
        let text = make(seed);
        let name = format!("random-{wanted}-{}{}-{seed}", rules.loses, rules.empty_at_end);
        let model = match load_with(&name, &text, &options) {
            Ok(model) => model,
            Err(errors) => {
                wrong.push(format!("seed {seed}: {}", errors[0]));
                continue;
            }
        };
        let Some(own) = explore_within(&model, MOST_STATES) else { continue };
        match spin::run_with(model.path(), spin, pan) {
            Ok(theirs) => {
                let text = spin::disagreement(&model, &own, &theirs);
                wrong.extend(text.map(|text| format!("seed {seed}: {text}")));
            }
            Err(why) if spin::is_whim(&why) => continue,
            Err(why) => wrong.push(format!("seed {seed}: {why}")),
        }
        compared += 1;
        violated += usize::from(own.is_violated());
        transitions += own.transitions;
        std::fs::remove_file(model.path()).expect("removing a test model");
    }
    println!("{compared} models, {violated} violated, {transitions} transitions");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= wanted.min(1) && violated > 0 && transitions > 1000);
}
