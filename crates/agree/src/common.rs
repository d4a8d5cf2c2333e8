//! What all threads keep, so that every thread may rely on it: facts about shared variables
//! that hold at all times, and *laws*, sums of shared variables that no step of any thread
//! increases.
//!
//! Both are guesses without those that an edge of a thread breaks, while all others
//! keep what is left (Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java", 2001). Facts
//! are true of the initial values. That each thread relies on what the others keep is an induction over
//! steps: the first step that breaks something would be one before which nothing was broken.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{System, lifted};
use exeunt_smt::{Answer, Assignment, Atom, Formula, Int, Oracle, Solver, Term, Var};

use crate::agreement::{Agreement, not_grown};
use crate::conditions;
use crate::graph;
use crate::invariant::constants_of;
use crate::path::{Rely, State, Walker};

/// With more variables than that, nothing is guessed.
const MOST_VARIABLES: usize = 12;
/// With more than that, variables are not compared with each other.
const MOST_PAIRED: usize = 5;
const MOST_CONSTANTS: usize = 8;

/// What is known of every step of every thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Common {
    /// Facts about shared variables that hold at all times.
    pub facts: Vec<Formula>,
    /// Sums of shared variables that no step increases.
    pub laws: Vec<Term>,
    /// For each thread, what the others promise to it; empty if nothing was looked for.
    pub relies: Vec<Agreement>,
    /// Proofs look further: registers are compared with shared variables, and promises may
    /// have conditions.
    pub further: bool,
}

/// Facts alone, as far as they are found.
pub(crate) fn facts(system: &System, solver: &mut Oracle, stop: &dyn Fn() -> bool) -> Common {
    let guess = Common { facts: guesses(system), ..Common::default() };
    kept_by_all(system, guess, solver, stop).unwrap_or_default()
}

/// Facts, laws and what threads promise to each other, for proofs that look further.
pub(crate) fn further(system: &System, solver: &mut Oracle, stop: &dyn Fn() -> bool) -> Common {
    let (facts, laws) = (guesses(system), guessed_laws(system));
    let guess = Common { facts, laws, ..Common::default() };
    let found = kept_by_all(system, guess, solver, stop).unwrap_or_default();
    conditions::relied_on(system, Common { further: true, ..found }, solver, stop)
}

/// The largest part of a guess that all threads keep; `None` if that is not known.
fn kept_by_all(
    system: &System,
    mut guess: Common,
    solver: &mut Oracle,
    stop: &dyn Fn() -> bool,
) -> Option<Common> {
    loop {
        if stop() {
            return None;
        }
        let mut kept = guess.clone();
        for thread in 0..system.threads.len() {
            kept = preserved(system, thread, &guess, kept, solver)?;
        }
        if kept.facts.len() == guess.facts.len() && kept.laws.len() == guess.laws.len() {
            return Some(Common { facts: tightest(guess.facts), ..kept });
        }
        guess = kept;
    }
}

/// That part of a guess that no edge of a thread breaks.
fn preserved(
    system: &System,
    index: usize,
    known: &Common,
    mut kept: Common,
    solver: &mut Oracle,
) -> Option<Common> {
    let thread = &system.threads[index];
    let mut sites: Vec<(usize, State, State)> = Vec::new();
    let mut walker = Walker::new(system, index, Rely::Locks, known);
    let cuts = graph::cuts(thread);
    let writes = |edge: usize| thread.edges[edge].sets.keys().any(|var| system.is_shared(*var));
    walker
        .paths(&cuts, &mut |edge, _, before, after| {
            if writes(edge) {
                sites.push((edge, before.clone(), after.clone()));
            }
        })
        .ok()?;
    for (edge, before, state) in sites {
        let written: BTreeSet<Var> = thread.edges[edge].sets.keys().copied().collect();
        kept.laws.retain(|law| {
            let mut vars = BTreeSet::new();
            law.collect_vars(&mut vars);
            if vars.is_disjoint(&written) {
                return true;
            }
            let goal = not_grown(law, &before.values, &state.values);
            let goal = lifted(&goal.unfolded(&walker.ranges));
            let mut all = state.facts.clone();
            all.push(goal.clone());
            let bounds = walker.bounds(&all);
            let asked: Vec<&Formula> = state.facts.iter().chain(&bounds).collect();
            solver.proves(&asked, &goal)
        });
        let concerned = |fact: &Formula| !fact.vars().is_disjoint(&written);
        loop {
            let after =
                |fact: &Formula| lifted(&fact.replaced(&state.values).unfolded(&walker.ranges));
            let goal = Formula::all(kept.facts.iter().filter(|fact| concerned(fact)).map(after));
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
                    let count = kept.facts.len();
                    let holds = |fact: &Formula| after(fact).holds(&model) == Some(true);
                    kept.facts.retain(|fact| !concerned(fact) || holds(fact));
                    if kept.facts.len() == count {
                        return None;
                    }
                }
                Answer::Unknown => kept.facts.retain(|fact| !concerned(fact)),
            }
        }
    }
    Some(kept)
}

/// Shared variables that somebody writes, up and down, and differences of a few.
fn guessed_laws(system: &System) -> Vec<Term> {
    let edges = || system.threads.iter().flat_map(|thread| &thread.edges);
    let is_written = |var: &Var| edges().any(|edge| edge.sets.contains_key(var));
    let vars: Vec<Var> = system.shared().filter(is_written).collect();
    if vars.len() > MOST_VARIABLES {
        return Vec::new();
    }
    let mut laws = Vec::new();
    for var in &vars {
        let term = Term::var(*var);
        laws.extend([term.clone(), term.times(-1)]);
        let others = vars.iter().filter(|other| *other != var && vars.len() <= MOST_PAIRED);
        laws.extend(others.map(|other| term.minus(&Term::var(*other))));
    }
    laws
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
    let constants = constants(system, initial.values().copied());
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
    guesses.extend(reasons_to_wake(system, &vars));
    guesses.retain(|guess| guess.holds(&initial) == Some(true));
    guesses
}

/// One who waits for a condition is woken only if a variable is positive, or the sum of two.
fn reasons_to_wake(system: &System, vars: &[Var]) -> Vec<Formula> {
    let mut guesses = Vec::new();
    let is_other = |var: &&Var| !system.wakes.contains(var);
    for woken in &system.wakes {
        for one in vars.iter().filter(is_other) {
            guesses.push(Formula::at_least(&Term::var(*one), &Term::var(*woken)));
            for other in vars.iter().filter(|other| is_other(other) && *other > one) {
                let sum = Term::var(*one).plus(&Term::var(*other));
                guesses.push(Formula::at_least(&sum, &Term::var(*woken)));
            }
        }
    }
    guesses
}

/// Small numbers that shared variables may be compared with.
pub(crate) fn constants(system: &System, more: impl Iterator<Item = Int>) -> Vec<Int> {
    let mut found: BTreeSet<Int> = BTreeSet::from([0, 1]);
    found.extend(more);
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
        match bound(&fact) {
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

/// The variable of `x + c >= 0` or `-x + c >= 0`, with whether it is the first, and `c`.
pub(crate) fn bound(fact: &Formula) -> Option<((Var, bool), Int)> {
    let Formula::NonNegative(term) = fact else { return None };
    let mut parts = term.parts();
    let (Some((Atom::Var(var), factor)), None) = (parts.next(), parts.next()) else { return None };
    Some(((*var, factor > 0), term.constant()))
}
