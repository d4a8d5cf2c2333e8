//! Races of random programs: what `--races` says under every reduction and order
//! of search is what an independent oracle says.

mod oracle;
mod program;

use std::collections::BTreeMap;
use std::path::Path;

use exeunt_llvm_front::Inputs;
use exeunt_model::{Basis, Model, Property, Report, Verdict};
use exeunt_search::{Limits, Options, Order};
use exeunt_vm::{Reduction, Vm, VmOptions};
use oracle::Rule;
use program::Program;

/// How many programs are tried; EXEUNT_RANDOM asks for more.
fn programs() -> u64 {
    number("EXEUNT_RANDOM").unwrap_or(40)
}

/// The first of them; EXEUNT_RANDOM_FROM says otherwise.
fn first() -> u64 {
    number("EXEUNT_RANDOM_FROM").unwrap_or(0)
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Programs with more states are left out.
const MOST_STATES: u64 = 50_000;

/// As many states of the oracle.
const MOST: usize = 100_000;

/// How many programs are tried for each rule.
fn sharp_programs() -> u64 {
    programs() / 20
}

const WAYS: [(Reduction, Order); 8] = [
    (Reduction::None, Order::Depth),
    (Reduction::Global, Order::Depth),
    (Reduction::Tau, Order::Depth),
    (Reduction::Tau, Order::Shortest),
    (Reduction::Superstep, Order::Depth),
    (Reduction::Movers, Order::Depth),
    (Reduction::Full, Order::Depth),
    (Reduction::Stubborn, Order::Depth),
];

fn compile(file: &Path) -> exeunt_ir::Program {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let inputs = Inputs {
        files: vec![file.into()],
        include: runtime.clone(),
        library: Some(runtime.join("libc.c")),
        ..Inputs::default()
    };
    exeunt_llvm_front::load(&inputs).expect("random programs compile")
}

fn check(program: &exeunt_ir::Program, reduction: Reduction, order: Order) -> Report {
    let options = VmOptions { reduction, races: true, spurious: false, ..VmOptions::default() };
    let vm = Vm::new(program.clone(), options).expect("random programs can be executed");
    let limits = Limits { max_states: Some(MOST_STATES), ..Limits::default() };
    // Deadlocks may come first.
    let reduces = reduction == Reduction::Stubborn;
    let options = Options { order, all: true, limits, reduces, ..Options::default() };
    exeunt_search::check(&mut *vm.open(Basis::Learnt), &options, &mut |_| {})
}

/// What is said of the races of a program; `None` if it is too large.
fn has_race(report: &Report) -> Option<bool> {
    let found = report.violations.iter().any(|violation| violation.property == Property::Race);
    assert!(found || report.verdict != Verdict::Inconclusive || !report.limits_hit.is_empty());
    (found || report.limits_hit.is_empty()).then_some(found)
}

/// Compares all ways with the oracle.
fn compare(directory: &Path, seed: u64, random: &Program, expected: bool) {
    let file = directory.join(format!("race{seed}.c"));
    let text = random.text();
    std::fs::write(&file, &text).expect("written");
    let program = compile(&file);
    for (reduction, order) in WAYS {
        let found = has_race(&check(&program, reduction, order));
        assert!(
            found.is_none_or(|found| found == expected),
            "{reduction:?} {order:?} on seed {seed}: the oracle says {expected}\n{text}"
        );
    }
}

#[test]
fn races_are_those_of_the_oracle() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut answers: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in first()..first() + programs() {
        let random =
            if seed % 2 == 0 { Program::random(seed) } else { Program::handing_over(seed) };
        let Some(expected) = oracle::has_race(&random, None, MOST) else {
            *answers.entry("too large").or_default() += 1;
            continue;
        };
        compare(directory.path(), seed, &random, expected);
        *answers.entry(if expected { "races" } else { "none" }).or_default() += 1;
    }
    println!("{answers:?}");
    if programs() >= 40 {
        for answer in ["races", "none"] {
            assert!(answers.get(answer).is_some_and(|&count| count >= 8), "{answers:?}");
        }
    }
}

/// For every rule of happens-before there are programs that an oracle without
/// it is wrong about; those are the ones to try.
#[test]
fn every_rule_is_kept() {
    let directory = tempfile::tempdir().expect("a directory");
    for rule in Rule::ALL {
        let mut sharp = 0;
        for seed in first()..first() + 20_000 {
            let program = Program::handing_over(seed);
            let expected = oracle::has_race(&program, None, MOST);
            let wrong = oracle::has_race(&program, Some(rule), MOST);
            if let (Some(expected), Some(wrong)) = (expected, wrong)
                && expected != wrong
            {
                compare(directory.path(), seed, &program, expected);
                sharp += 1;
            }
            if sharp == sharp_programs() {
                break;
            }
        }
        println!("{rule:?}: {sharp}");
        assert!(sharp > 0, "no program depends on {rule:?}");
    }
}
