//! Conditions of promises, and of going round again.
//!
//! Where others do not keep a promise at all times, and no lock excludes them, they may
//! keep it while a shared variable has certain values: a flag says that the thread owns something, a
//! counter that has overflowed stops everybody. The paper's agreements have locks only.

use std::collections::BTreeSet;

use exeunt_certify::Side;
use exeunt_counter::{Role, System, VarKind, lifted};
use exeunt_smt::{Formula, Int, Oracle, Solver, Term, Var};

use crate::agreement::{Agreement, Clause, Condition};
use crate::common::{Common, constants};
use crate::graph;
use crate::guarantee::Environment;
use crate::invariant::{self, Invariants};
use crate::path::{Path, Rely, Walker};

/// More conditions than that are not tried.
const MOST_CONDITIONS: usize = 16;
/// With more shared variables than that, none is tried.
const MOST_VARIABLES: usize = 8;

/// Conditions that others keep, or that they never make true.
pub(crate) fn conditions(
    system: &System,
    environment: &Environment<'_>,
    solver: &mut Oracle,
) -> Vec<Condition> {
    let shared: Vec<Var> = system.shared().collect();
    if shared.len() > MOST_VARIABLES {
        return Vec::new();
    }
    let mut guesses = Vec::new();
    for var in &shared {
        for number in written(system, 0, *var) {
            let [low, high] = bounds(*var, number);
            guesses.push(Condition { facts: vec![low, high], side: Side::Before });
        }
    }
    let numbers = constants(system, std::iter::empty());
    for side in [Side::Before, Side::After] {
        for (var, number) in shared.iter().flat_map(|v| numbers.iter().map(move |n| (v, n))) {
            let one = |fact| Condition { facts: vec![fact], side };
            guesses.extend(bounds(*var, *number).map(one));
        }
    }
    let is_kept = |when: &Condition, solver: &mut Oracle| {
        environment.breach(&steady(when.clone()), solver).is_none()
    };
    guesses.retain(|when| says_something(system, when));
    let mut kept = Vec::new();
    for when in guesses {
        if kept.len() < MOST_CONDITIONS && is_kept(&when, solver) {
            kept.push(when);
        }
    }
    kept
}

/// What each thread may rely on while others act: values of shared variables that the others keep, such as
/// that a thread which owns something still does. All of it is guessed, and dropped where an edge breaks
/// it, while every thread relies on what is left.
pub(crate) fn relied_on(
    system: &System,
    mut common: Common,
    solver: &mut Oracle,
    stop: &dyn Fn() -> bool,
) -> Common {
    common.relies = (0..system.threads.len()).map(|thread| guessed(system, thread)).collect();
    loop {
        let mut kept = common.relies.clone();
        for thread in 0..system.threads.len() {
            if stop() || !keeps(system, thread, &common, &mut kept, solver) {
                return Common { relies: Vec::new(), ..common };
            }
        }
        if kept == common.relies {
            return common;
        }
        common.relies = kept;
    }
}

fn guessed(system: &System, thread: usize) -> Agreement {
    let disturbed = |var: &Var| !system.is_stable(thread, *var, &[]);
    let shared: Vec<Var> = system.shared().filter(disturbed).collect();
    if shared.len() > MOST_VARIABLES {
        return Agreement::default();
    }
    let mut conditions = Vec::new();
    let numbers = constants(system, std::iter::empty());
    for var in &shared {
        for number in written(system, thread, *var) {
            conditions.push(bounds(*var, number).to_vec());
        }
        conditions.extend(numbers.iter().flat_map(|n| bounds(*var, *n).map(|fact| vec![fact])));
    }
    let conditions = conditions.into_iter().map(|facts| Condition { facts, side: Side::Before });
    let some = conditions.filter(|when| says_something(system, when));
    Agreement { clauses: some.map(steady).collect() }
}

/// A promise that a condition stays true, and no more.
fn steady(when: Condition) -> Clause {
    Clause { measure: Term::number(0), while_held: Vec::new(), when }
}

/// Drops what the edges of a thread break of the promises to others; `false` if that is not known.
fn keeps(
    system: &System,
    index: usize,
    common: &Common,
    kept: &mut [Agreement],
    solver: &mut Oracle,
) -> bool {
    let thread = &system.threads[index];
    let mut walker = Walker::new(system, index, Rely::Locks, common);
    let cuts = graph::cuts(thread);
    let writes = |edge: usize| thread.edges[edge].sets.keys().any(|var| system.is_shared(*var));
    let mut sites = Vec::new();
    let paths = walker.paths(&cuts, &mut |edge, from, before, after| {
        if writes(edge) {
            sites.push((edge, from, before.clone(), after.clone()));
        }
    });
    let Ok(paths) = paths else { return false };
    let invariants = invariant::invariants(&walker, &cuts, &paths, solver);
    for (edge, from, before, after) in sites {
        let mut known = after.facts.clone();
        known.extend(invariants.get(&from).into_iter().flatten().cloned());
        for (other, agreement) in kept.iter_mut().enumerate() {
            if other == index && thread.role != Role::Many {
                continue;
            }
            agreement.clauses.retain(|clause| {
                let vars = clause.vars();
                if !thread.edges[edge].sets.keys().any(|var| vars.contains(var)) {
                    return true;
                }
                let goal = clause.between(&before.values, &after.values);
                let goal = lifted(&goal.unfolded(&walker.ranges));
                let mut all = known.clone();
                all.push(goal.clone());
                let bounds = walker.bounds(&all);
                let asked: Vec<&Formula> = known.iter().chain(&bounds).collect();
                solver.proves(&asked, &goal)
            });
        }
    }
    true
}

/// Numbers that a thread writes to a variable.
fn written(system: &System, thread: usize, var: Var) -> BTreeSet<Int> {
    let edges = system.threads[thread].edges.iter();
    edges.filter_map(|edge| edge.sets.get(&var)?.as_number()).collect()
}

/// A variable is at least this number, or at most.
fn bounds(var: Var, number: Int) -> [Formula; 2] {
    let term = Term::var(var);
    let low = Formula::non_negative(term.add(-number));
    [low, Formula::non_negative(term.times(-1).add(number))]
}

/// Whether a condition is neither true of all values of its type nor of none.
fn says_something(system: &System, when: &Condition) -> bool {
    let ranges = system.shared().filter_map(|var| Some((var, system.variable(var).range?)));
    let ranges = ranges.collect();
    when.facts.iter().any(|fact| {
        let Formula::NonNegative(term) = fact else { return false };
        term.range(&ranges).is_none_or(|(low, high)| low < 0 && high >= 0)
    })
}

/// What is true of registers at loop heads from which the thread goes round again: what all paths
/// ask for.
pub(crate) fn goes_on(
    walker: &Walker<'_>,
    inside: &[&Path],
    invariants: &Invariants,
    solver: &mut Oracle,
) -> Invariants {
    let is_register = |var: &Var| {
        let variable = walker.system.vars.get(var.0 as usize);
        variable.is_some_and(|variable| variable.kind == VarKind::Local(walker.index))
    };
    let is_asked = |fact: &&Formula| {
        matches!(fact, Formula::NonNegative(_)) && fact.vars().iter().all(is_register)
    };
    let heads: BTreeSet<_> = inside.iter().map(|path| path.from).collect();
    let mut found = Invariants::new();
    for head in heads {
        let mut paths = inside.iter().filter(|path| path.from == head);
        let Some(first) = paths.next() else { continue };
        let mut facts: Vec<Formula> = first.state.facts.iter().filter(is_asked).cloned().collect();
        for path in paths {
            let mut known = path.state.facts.clone();
            known.extend(invariants.get(&head).into_iter().flatten().cloned());
            known.extend(walker.bounds(&known));
            let known: Vec<&Formula> = known.iter().collect();
            facts.retain(|fact| solver.proves(&known, fact));
        }
        found.insert(head, facts);
    }
    found
}
