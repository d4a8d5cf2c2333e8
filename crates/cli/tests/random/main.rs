//! Random small programs: every reduction and both orders of search give the
//! verdict of the unreduced search, and the same violations.

mod apart;
mod memory;
mod program;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use exeunt_ir::Program;
use exeunt_llvm_front::Inputs;
use exeunt_model::{Basis, Model, Property, Report, Session, Verdict};
use exeunt_random::{number, seeds};
use exeunt_search::{GuidedWalk, Limits, Options, Order, Plan, Rule, TurnBounds, Turns};
use exeunt_vm::{Reduction, Vm, VmOptions};
use program::program;

/// How many programs are tried in an ordinary run of the tests.
const USUAL: u64 = 60;

/// How many whose threads have little in common.
const USUAL_APART: u64 = 120;

/// What is too large without reductions is compared with `tau`. Many small
/// programs show more than few large ones: EXEUNT_RANDOM_STATES.
fn most_states() -> u64 {
    number("EXEUNT_RANDOM_STATES").unwrap_or(20_000)
}

fn compile(file: &Path) -> Program {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let inputs = Inputs {
        files: vec![PathBuf::from(file)],
        include: runtime.clone(),
        library: Some(runtime.join("libc.c")),
        kept: Vec::new(),
        ..Inputs::default()
    };
    exeunt_llvm_front::load(&inputs).expect("random programs compile")
}

fn check(program: &Program, reduction: Reduction, order: Order, fails: bool) -> Report {
    let options = VmOptions { reduction, malloc_fails: fails, ..VmOptions::default() };
    let vm = Vm::new(program.clone(), options).expect("random programs can be executed");
    let limits = Limits { max_states: Some(most_states()), ..Limits::default() };
    let reduces = reduction == Reduction::Stubborn;
    let options = Options { order, all: true, limits, reduces, ..Options::default() };
    exeunt_search::check(&mut *vm.open(Basis::Learnt), &options, &mut |_| {})
}

/// The verdict and all that is violated. Breadth first, what a deadlock keeps
/// open may be told again as a section.
fn summary(report: &Report, order: Order) -> String {
    let mut violations = kinds(report);
    if order == Order::Shortest && violations.contains(Property::Deadlock.name()) {
        violations.remove(Property::Section.name());
    }
    format!("{} {violations:?}", report.verdict.name())
}

/// All that is violated.
fn kinds(report: &Report) -> BTreeSet<String> {
    let violations = report.violations.iter().map(|violation| {
        let line = violation.location.as_ref().map_or(0, |location| location.line);
        match violation.property {
            // Which of several stuck sections of one component is told depends
            // on where the search enters it; that one is stuck does not.
            Property::Section | Property::Deadlock => violation.property.name().to_string(),
            property => format!("{}@{line}", property.name()),
        }
    });
    violations.collect()
}

const WAYS: [(Reduction, Order); 9] = [
    (Reduction::Global, Order::Depth),
    (Reduction::Tau, Order::Depth),
    (Reduction::Tau, Order::Shortest),
    (Reduction::Superstep, Order::Depth),
    (Reduction::Superstep, Order::Shortest),
    (Reduction::Movers, Order::Depth),
    (Reduction::Full, Order::Depth),
    (Reduction::Full, Order::Shortest),
    (Reduction::Stubborn, Order::Depth),
];

/// What a search finds in which threads take turns; each violation is replayed by
/// the machine itself.
fn take_turns(program: &Program, reduction: Reduction, first: u8, fails: bool) -> Report {
    let bounds = TurnBounds { most: 2, first, credit: 1 << 20 };
    look_aside(program, reduction, fails, &|session, options| {
        exeunt_search::check(&mut Turns::new(session, bounds), options, &mut |_| {})
    })
}

/// Follows a guided walk, and replays what is found.
fn walk(program: &Program, reduction: Reduction, plan: Plan, fails: bool) -> Report {
    look_aside(program, reduction, fails, &|session, options| {
        exeunt_search::check(&mut GuidedWalk::new(session, plan), options, &mut |_| {})
    })
}

/// Looks at some runs of a program, and replays what is found without what they were chosen by.
fn look_aside(
    program: &Program,
    reduction: Reduction,
    fails: bool,
    look: &dyn Fn(&mut dyn Session, &Options) -> Report,
) -> Report {
    let options = VmOptions { reduction, malloc_fails: fails, ..VmOptions::default() };
    let vm = Vm::new(program.clone(), options).expect("random programs can be executed");
    let limits = Limits { max_states: Some(2_000), ..Limits::default() };
    let options = Options { all: true, limits, shortens: false, ..Options::default() };
    let mut session = vm.open(Basis::Learnt);
    let report = look(&mut *session, &options);
    for violation in &report.violations {
        let schedule = &violation.trace.schedule;
        let cycle = violation.trace.cycle_start;
        let again = exeunt_search::replay(&*session, &options, schedule, cycle)
            .unwrap_or_else(|why| panic!("{schedule}: {why}"));
        let same = again.violations.iter().any(|v| v.property == violation.property);
        assert!(same, "{schedule} does not show {:?} again", violation.property);
    }
    report
}

/// Nothing is found with turns that is not there.
fn compare_turns(
    seed: u64,
    text: &str,
    program: &Program,
    expected: &Report,
    differences: &mut Vec<String>,
) {
    let fails = seed % 7 == 3;
    let there = kinds(expected);
    for (reduction, first) in
        [(Reduction::Tau, 1), (Reduction::Movers, 1), (Reduction::Movers, 3), (Reduction::Full, 2)]
    {
        let found = kinds(&take_turns(program, reduction, first, fails));
        if !found.is_subset(&there) {
            differences.push(format!(
                "seed {seed} (malloc fails: {fails}): turns with {reduction:?} after {first} \
                 operations find\n{found:?}, without turns it is\n{there:?}:\n{text}"
            ));
        }
    }
}

/// Nothing is found on walks that is not there.
fn compare_walks(
    seed: u64,
    text: &str,
    program: &Program,
    expected: &Report,
    differences: &mut Vec<String>,
) {
    let fails = seed % 7 == 3;
    let there = kinds(expected);
    let rules = [Rule::Crowd, Rule::Priorities { changes: 2 }, Rule::Chance];
    for (number, rule) in rules.into_iter().enumerate() {
        let reduction = if seed.is_multiple_of(2) { Reduction::Tau } else { Reduction::Stubborn };
        let plan = Plan { rule, seed, length: 4 << ((seed as usize + number) % 4) };
        let found = kinds(&walk(program, reduction, plan, fails));
        if !found.is_subset(&there) {
            differences.push(format!(
                "seed {seed} (malloc fails: {fails}): {plan:?} with {reduction:?} finds\n{found:?}, \
                 without it is\n{there:?}:\n{text}"
            ));
        }
    }
}

/// Compares all ways; `None` if the program is too large for all of them.
/// What differs is added to a list.
fn compare(
    seed: u64,
    text: &str,
    program: &Program,
    differences: &mut Vec<String>,
) -> Option<Verdict> {
    let fails = seed % 7 == 3;
    let mut expected = check(program, Reduction::None, Order::Depth, fails);
    if !expected.limits_hit.is_empty() {
        expected = check(program, Reduction::Tau, Order::Depth, fails);
    }
    if !expected.limits_hit.is_empty() {
        return None;
    }
    for (reduction, order) in WAYS {
        let found = check(program, reduction, order, fails);
        // Threads that have ended count until they are joined, so movers may
        // have more states here and there; what is cut off says nothing.
        if !found.limits_hit.is_empty() {
            continue;
        }
        let (found, wanted) = (summary(&found, order), summary(&expected, order));
        if found != wanted {
            differences.push(format!(
                "seed {seed} (malloc fails: {fails}): {reduction:?} {order:?} gives\n{found}, \
                 without a reduction it is\n{wanted}:\n{text}"
            ));
            break;
        }
    }
    compare_turns(seed, text, program, &expected, differences);
    compare_walks(seed, text, program, &expected, differences);
    Some(expected.verdict)
}

#[test]
fn reductions_and_orders_agree_on_random_programs() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut verdicts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut differences = Vec::new();
    for seed in seeds(USUAL) {
        let file = directory.path().join(format!("random{seed}.c"));
        let text = program(seed);
        std::fs::write(&file, &text).expect("written");
        let verdict = compare(seed, &text, &compile(&file), &mut differences);
        *verdicts.entry(verdict.map_or("too large", Verdict::name)).or_insert(0) += 1;
    }
    println!("{verdicts:?}");
    assert!(
        differences.is_empty(),
        "{} differences\n{}",
        differences.len(),
        differences.join("\n")
    );
    if seeds(USUAL).count() < USUAL as usize {
        return;
    }
    for verdict in ["holds", "violated"] {
        assert!(verdicts.get(verdict).is_some_and(|&count| count >= 5), "{verdicts:?}");
    }
}

/// Threads that are left out are missed by nobody: all violations are found, and none that
/// is not there, with far fewer states.
#[test]
fn threads_that_have_little_in_common_are_left_out() {
    let directory = tempfile::tempdir().expect("a directory");
    let (mut compared, mut fewer, mut violated) = (0, 0, 0);
    let mut differences = Vec::new();
    for seed in seeds(USUAL_APART) {
        let file = directory.path().join(format!("apart{seed}.c"));
        let text = apart::program(seed);
        std::fs::write(&file, &text).expect("written");
        let program = compile(&file);
        let expected = check(&program, Reduction::Tau, Order::Depth, false);
        if !expected.limits_hit.is_empty() {
            continue;
        }
        let found = check(&program, Reduction::Stubborn, Order::Depth, false);
        let all = check(&program, Reduction::Movers, Order::Depth, false);
        if !found.limits_hit.is_empty() {
            continue;
        }
        compared += 1;
        violated += u64::from(expected.verdict == Verdict::Violated);
        fewer += u64::from(found.statistics.states < all.statistics.states);
        let (found, wanted) = (summary(&found, Order::Depth), summary(&expected, Order::Depth));
        if found != wanted {
            differences.push(format!("seed {seed}: {found} instead of {wanted}:\n{text}"));
        }
    }
    println!("{compared} programs, {violated} of them wrong; threads are left out in {fewer}");
    assert!(differences.is_empty(), "{}\n{}", differences.len(), differences.join("\n"));
    if seeds(USUAL_APART).count() >= USUAL_APART as usize {
        assert!(compared > 60 && fewer > 20 && violated > 10 && compared - violated > 10);
    }
}
