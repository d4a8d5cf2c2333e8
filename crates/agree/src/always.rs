//! Facts about shared variables that hold at all times: guesses that are true
//! of the initial values and that no edge of any thread breaks.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{System, lifted};
use exeunt_smt::{Answer, Assignment, Atom, Formula, Int, Oracle, Solver, Term, Var};

use crate::graph;
use crate::invariant::constants_of;
use crate::path::{Rely, State, Walker};

/// With more variables than that, nothing is guessed.
const MOST_VARIABLES: usize = 12;
/// With more than that, variables are not compared with each other.
const MOST_PAIRED: usize = 5;
const MOST_CONSTANTS: usize = 8;

pub(crate) fn always(
    system: &System,
    solver: &mut Oracle,
    stop: &dyn Fn() -> bool,
) -> Vec<Formula> {
    let mut facts = guesses(system);
    while !facts.is_empty() {
        if stop() {
            return Vec::new();
        }
        let mut kept = facts.clone();
        for thread in 0..system.threads.len() {
            match preserved(system, thread, &facts, kept, solver) {
                Some(fewer) => kept = fewer,
                None => return Vec::new(),
            }
        }
        if kept.len() == facts.len() {
            return tightest(facts);
        }
        facts = kept;
    }
    facts
}

/// Those of the facts that no edge of a thread breaks.
fn preserved(
    system: &System,
    index: usize,
    known: &[Formula],
    mut kept: Vec<Formula>,
    solver: &mut Oracle,
) -> Option<Vec<Formula>> {
    let thread = &system.threads[index];
    let mut sites: Vec<(usize, State)> = Vec::new();
    let mut walker = Walker::new(system, index, Rely::Locks, known);
    let cuts = graph::cuts(thread);
    let writes = |edge: usize| thread.edges[edge].sets.keys().any(|var| system.is_shared(*var));
    walker
        .paths(&cuts, &mut |edge, _, _, after| {
            if writes(edge) {
                sites.push((edge, after.clone()));
            }
        })
        .ok()?;
    for (edge, state) in sites {
        let written: BTreeSet<Var> = thread.edges[edge].sets.keys().copied().collect();
        let concerned = |fact: &Formula| !fact.vars().is_disjoint(&written);
        loop {
            let after =
                |fact: &Formula| lifted(&fact.replaced(&state.values).unfolded(&walker.ranges));
            let goal = Formula::all(kept.iter().filter(|fact| concerned(fact)).map(after));
            if goal == Formula::True {
                break;
            }
            let refuted = goal.negated();
            let mut asked = state.facts.clone();
            asked.push(refuted);
            asked.extend(walker.bounds(&asked));
            match solver.check(&asked.iter().collect::<Vec<_>>()) {
                Answer::Unsat => break,
                Answer::Sat(model) => {
                    let count = kept.len();
                    let holds = |fact: &Formula| after(fact).holds(&model) == Some(true);
                    kept.retain(|fact| !concerned(fact) || holds(fact));
                    if kept.len() == count {
                        return None;
                    }
                }
                Answer::Unknown => kept.retain(|fact| !concerned(fact)),
            }
        }
    }
    Some(kept)
}

fn guesses(system: &System) -> Vec<Formula> {
    let vars: Vec<Var> =
        system.shared().filter(|var| system.variable(*var).initial.is_some()).collect();
    if vars.len() > MOST_VARIABLES {
        return Vec::new();
    }
    let initial: Assignment =
        vars.iter().filter_map(|var| Some((*var, system.variable(*var).initial?))).collect();
    let mut guesses = Vec::new();
    let constants = constants(system, &initial);
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
    guesses.retain(|guess| guess.holds(&initial) == Some(true));
    guesses
}

fn constants(system: &System, initial: &Assignment) -> Vec<Int> {
    let mut found: BTreeSet<Int> = BTreeSet::from([0, 1]);
    found.extend(initial.values());
    for edge in system.threads.iter().flat_map(|thread| &thread.edges) {
        constants_of(&edge.guard, &mut found);
        found.extend(edge.sets.values().filter_map(Term::as_number));
    }
    let mut found: Vec<Int> = found.into_iter().filter(|number| number.abs() < 1 << 33).collect();
    found.sort_by_key(|number| (number.abs(), *number < 0));
    found.truncate(MOST_CONSTANTS);
    found
}

/// Of several bounds of one variable, the best.
fn tightest(facts: Vec<Formula>) -> Vec<Formula> {
    let mut best: BTreeMap<(Var, bool), Int> = BTreeMap::new();
    let mut others = Vec::new();
    for fact in facts {
        let bound = match &fact {
            Formula::NonNegative(term) => bound(term),
            _ => None,
        };
        match bound {
            Some((key, constant)) => {
                let entry = best.entry(key).or_insert(constant);
                *entry = constant.min(*entry);
            }
            None => others.push(fact),
        }
    }
    let bounds = best.into_iter().map(|((var, lower), constant)| {
        let sign = if lower { 1 } else { -1 };
        Formula::non_negative(Term::var(var).times(sign).add(constant))
    });
    bounds.chain(others).collect()
}

/// The variable of `x + c` or `-x + c`, with whether it is the first, and `c`.
fn bound(term: &Term) -> Option<((Var, bool), Int)> {
    let mut parts = term.parts();
    let (Some((Atom::Var(var), factor)), None) = (parts.next(), parts.next()) else { return None };
    Some(((*var, factor > 0), term.constant()))
}
