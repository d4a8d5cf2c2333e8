//! Facts about the registers of a thread at its loop heads, and about shared variables that
//! nobody else can write there because of locks: all guesses of some simple forms, without
//! those that a path breaks (Flanagan, Leino,
//! "Houdini, an annotation assistant for ESC/Java", 2001).

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{NodeId, VarKind, lifted};
use exeunt_smt::{Answer, Formula, Int, Oracle, Solver, Term, Var};

use crate::common;
use crate::measure;
use crate::path::{Path, Walker};

pub(crate) type Invariants = BTreeMap<NodeId, Vec<Formula>>;

/// With more registers than that, only registers and constants are compared.
const MOST_PAIRED: usize = 9;
const MOST_CONSTANTS: usize = 6;
/// More bounds than about so many are not taken from guards.
const MOST_BOUNDS: usize = 16;
/// With more pairs of registers and shared variables than that, they are not compared.
const MOST_SEEN: usize = 24;

pub(crate) fn invariants(
    walker: &Walker<'_>,
    cuts: &BTreeSet<NodeId>,
    paths: &[Path],
    solver: &mut Oracle,
) -> Invariants {
    let guesses = guesses(walker, cuts);
    let mut known: Invariants = cuts.iter().map(|cut| (*cut, guesses.clone())).collect();
    if let Some(first) = known.get_mut(&walker.thread.entry) {
        // Anything may be in a register there.
        first.clear();
    }
    inductive(walker, paths, known, solver)
}

/// The largest part of these facts that all paths keep.
pub(crate) fn inductive(
    walker: &Walker<'_>,
    paths: &[Path],
    mut known: Invariants,
    solver: &mut Oracle,
) -> Invariants {
    loop {
        let mut changed = false;
        for path in paths {
            let wanted = known.get(&path.to).cloned().unwrap_or_default();
            let kept = kept(walker, known.get(&path.from), path, &wanted, solver);
            changed |= kept.len() < wanted.len();
            known.insert(path.to, kept);
        }
        if !changed {
            return known;
        }
    }
}

/// Those of the facts that hold at the end of a path.
fn kept(
    walker: &Walker<'_>,
    before: Option<&Vec<Formula>>,
    path: &Path,
    wanted: &[Formula],
    solver: &mut Oracle,
) -> Vec<Formula> {
    let mut known: Vec<Formula> = path.state.facts.clone();
    known.extend(before.into_iter().flatten().cloned());
    let mut kept: Vec<(Formula, Formula)> = wanted
        .iter()
        .map(|fact| (fact.clone(), lifted(&fact.replaced(&path.state.values))))
        .collect();
    let mut all = known.clone();
    all.extend(kept.iter().map(|(_, after)| after.clone()));
    known.extend(walker.bounds(&all));
    loop {
        let goal = Formula::all(kept.iter().map(|(_, after)| after.clone()));
        if goal == Formula::True {
            break;
        }
        let refuted = goal.negated();
        let mut asked: Vec<&Formula> = known.iter().collect();
        asked.push(&refuted);
        match solver.check(&asked) {
            Answer::Unsat => break,
            Answer::Sat(model) => {
                let count = kept.len();
                kept.retain(|(_, after)| after.holds(&model) == Some(true));
                if kept.len() == count {
                    return Vec::new();
                }
            }
            Answer::Unknown => return Vec::new(),
        }
    }
    kept.into_iter().map(|(fact, _)| fact).collect()
}

fn guesses(walker: &Walker<'_>, cuts: &BTreeSet<NodeId>) -> Vec<Formula> {
    let (system, thread) = (walker.system, walker.thread);
    let mut vars = BTreeSet::new();
    let mut constants = BTreeSet::from([0, 1]);
    for edge in &thread.edges {
        edge.guard.collect_vars(&mut vars);
        edge.sets.values().for_each(|term| term.collect_vars(&mut vars));
        constants_of(&edge.guard, &mut constants);
        constants.extend(edge.sets.values().filter_map(Term::as_number));
    }
    let is_local = |var: &Var| matches!(system.variable(*var).kind, VarKind::Local(_));
    let (mut vars, others): (Vec<Var>, Vec<Var>) = vars.into_iter().partition(is_local);
    // Under a lock, shared variables are as good as registers.
    let mut heads = cuts.iter().map(|cut| &thread.node(*cut).held).filter(|held| !held.is_empty());
    let heads: Vec<_> = heads.by_ref().collect();
    vars.extend(others.into_iter().filter(|var| {
        system.is_shared(*var)
            && heads.iter().any(|held| system.is_stable(walker.index, *var, held))
            && !system.is_stable(walker.index, *var, &[])
    }));
    let small = |number: &Int| number.abs() < 1 << 40;
    let mut constants: Vec<Int> = constants.into_iter().filter(small).collect();
    constants.sort_unstable_by_key(|number| number.abs());
    constants.truncate(MOST_CONSTANTS);
    let mut guesses = Vec::new();
    for var in &vars {
        let term = Term::var(*var);
        for constant in &constants {
            guesses.push(Formula::non_negative(term.add(-constant)));
            guesses.push(Formula::non_negative(term.times(-1).add(*constant)));
        }
        for other in vars.iter().filter(|other| *other != var && vars.len() <= MOST_PAIRED) {
            guesses.push(Formula::at_least(&term, &Term::var(*other)));
        }
    }
    let bounds = bounds(thread.edges.iter().map(|edge| &edge.guard), &vars);
    guesses.extend(bounds.into_iter().filter(|bound| !guesses.contains(bound)).collect::<Vec<_>>());
    if walker.common.further {
        guesses.extend(walker.conditions());
        guesses.extend(seen(walker, &vars));
        guesses.extend(measure::single_bits(system, thread));
    }
    guesses
}

/// What guards say of single variables, and what is left of that after one round of a counter.
fn bounds<'f>(guards: impl Iterator<Item = &'f Formula>, vars: &[Var]) -> BTreeSet<Formula> {
    let mut todo: Vec<&Formula> = guards.collect();
    let mut found = BTreeSet::new();
    while let Some(formula) = todo.pop() {
        match formula {
            Formula::And(parts) | Formula::Or(parts) => todo.extend(parts),
            Formula::NonNegative(term) => {
                let bound = common::bound(formula).filter(|((var, _), _)| vars.contains(var));
                if bound.is_some() && found.len() < MOST_BOUNDS {
                    found.extend([formula.clone(), Formula::non_negative(term.add(1))]);
                }
            }
            Formula::True | Formula::False | Formula::Zero(_) | Formula::NonZero(_) => {}
        }
    }
    found
}

/// What a thread has just seen: a register is as large as a shared variable, at least or at most. It is true
/// where the thread arrives; others act behind that.
fn seen(walker: &Walker<'_>, registers: &[Var]) -> Vec<Formula> {
    let mut read = BTreeSet::new();
    for edge in &walker.thread.edges {
        edge.sets.values().for_each(|term| term.collect_vars(&mut read));
    }
    let system = walker.system;
    let shared: Vec<Var> = read.into_iter().filter(|var| system.is_shared(*var)).collect();
    if shared.len() * registers.len() > MOST_SEEN {
        return Vec::new();
    }
    let mut guesses = Vec::new();
    for (one, other) in shared.iter().flat_map(|s| registers.iter().map(move |r| (s, r))) {
        let (one, other) = (Term::var(*one), Term::var(*other));
        guesses.push(Formula::at_least(&one, &other));
        guesses.push(Formula::at_least(&other, &one));
    }
    guesses.retain(|guess| *guess != Formula::True);
    guesses
}

pub(crate) fn constants_of(formula: &Formula, out: &mut BTreeSet<Int>) {
    match formula {
        Formula::True | Formula::False => {}
        Formula::NonNegative(term) | Formula::Zero(term) | Formula::NonZero(term) => {
            out.insert(term.constant());
            out.insert(-term.constant());
        }
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| constants_of(part, out));
        }
    }
}
