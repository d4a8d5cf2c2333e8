//! Rounds that can be gone for ever, although values change.
//!
//! A *closed recurrent set* is a set of states in which the round can be gone and which
//! the round does not leave (Chen, Cook, Fuhs, Nimkar, O'Hearn, "Proving nontermination via
//! safety", 2014; the open ones are of Gupta, Henzinger, Majumdar, Rybalchenko, Xu, "Proving
//! non-termination", 2008). It is looked for as the FIFO prover looks for the invariant of a
//! cycle: facts that hold where the round begins, without those that the round may break.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{System, VarKind};
use exeunt_smt::{Answer, Assignment, Atom, Formula, Oracle, Solver, Term, Var};

use crate::infinite::Step;

/// With more variables than that, they are not compared with each other.
const MOST_PAIRED: usize = 8;
/// How often conditions are asked for one round earlier.
const REFINEMENTS: usize = 3;
/// Rounds with larger terms are left alone.
const LARGEST: usize = 120;

/// A round as a formula: when it can be gone, and values after it.
struct Round {
    conditions: Vec<Formula>,
    after: BTreeMap<Var, Term>,
}

/// Facts that hold with these values, are kept by the round, and imply that it can be gone.
pub(crate) fn closed(system: &System, steps: &[Step], first: &Assignment) -> Option<Vec<Formula>> {
    let relevant = first.keys().copied().collect();
    let round = composed(system, steps, &relevant)?;
    let mut solver = Oracle::new();
    let vars: Vec<Var> =
        first.keys().copied().filter(|var| system.variable(*var).kind != VarKind::Input).collect();
    let bounds = bounds(system, &vars);
    let mut pool = candidates(&round, &vars, first);
    for _ in 0..=REFINEMENTS {
        let kept = inductive(&round, pool.clone(), &bounds, &mut solver);
        let known: Vec<&Formula> = kept.iter().chain(&bounds).collect();
        let failed: Vec<&Formula> =
            round.conditions.iter().filter(|goal| !solver.proves(&known, goal)).collect();
        if failed.is_empty() {
            return Some(fewest(&round, kept, &bounds, &mut solver));
        }
        let earlier: Vec<Formula> = failed.iter().map(|goal| goal.replaced(&round.after)).collect();
        let count = pool.len();
        for formula in earlier.into_iter().flat_map(Formula::conjuncts) {
            if formula.holds(first) == Some(true) && !pool.contains(&formula) {
                pool.push(formula);
            }
        }
        if pool.len() == count {
            return None;
        }
    }
    None
}

/// `None` if it becomes too large.
fn composed(system: &System, steps: &[Step], relevant: &BTreeSet<Var>) -> Option<Round> {
    let mut after: BTreeMap<Var, Term> = BTreeMap::new();
    let mut conditions = Vec::new();
    for step in steps {
        // Where one more thread begins, its registers may be anything: what they were, too.
        let Some(edge) = step.edge else { continue };
        let edge = &system.threads[step.thread].edges[edge];
        let mut values = after.clone();
        let inputs = step.inputs.iter().map(|(var, value)| (*var, Term::number(*value)));
        values.extend(inputs);
        let guard = edge.guard.replaced(&values);
        let mut sets = Vec::new();
        for (var, term) in edge.sets.iter().filter(|(var, _)| relevant.contains(var)) {
            let term = term.replaced(&values);
            if size(&term) > LARGEST {
                return None;
            }
            sets.push((*var, term));
        }
        if formula_size(&guard) > LARGEST {
            return None;
        }
        conditions.extend(guard.conjuncts());
        after.extend(sets);
    }
    conditions.dedup();
    Some(Round { conditions, after })
}

/// How much there is to a term, if it is written out.
fn size(term: &Term) -> usize {
    let part = |atom: &Atom| match atom {
        Atom::Var(_) => 1,
        Atom::Product(a, b) | Atom::Bits(_, _, a, b) => size(a) + size(b),
        Atom::Quotient(a, _) | Atom::Remainder(a, _) => 1 + size(a),
        Atom::Choice(test, yes, no) => formula_size(test) + size(yes) + size(no),
    };
    1 + term.parts().map(|(atom, _)| part(atom)).sum::<usize>()
}

fn formula_size(formula: &Formula) -> usize {
    match formula {
        Formula::True | Formula::False => 1,
        Formula::NonNegative(term) | Formula::Zero(term) | Formula::NonZero(term) => size(term),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().map(formula_size).sum(),
    }
}

fn bounds(system: &System, vars: &[Var]) -> Vec<Formula> {
    let ranges = vars.iter().filter_map(|var| Some((*var, system.variable(*var).range?)));
    ranges
        .flat_map(|(var, (low, high))| {
            let term = Term::var(var);
            [Formula::non_negative(term.add(-low)), Formula::non_negative(term.times(-1).add(high))]
        })
        .collect()
}

/// Facts that hold before the first round.
fn candidates(round: &Round, vars: &[Var], first: &Assignment) -> Vec<Formula> {
    let mut pool: Vec<Formula> = Vec::new();
    let mut add = |formula: Formula| {
        let true_now = formula.holds(first) == Some(true) && formula != Formula::True;
        if true_now && !pool.contains(&formula) {
            pool.push(formula);
        }
    };
    round.conditions.iter().cloned().for_each(&mut add);
    let mut around = |term: &Term| {
        let Some(value) = term.value(first) else { return };
        add(Formula::non_negative(term.add(-value)));
        add(Formula::non_negative(term.times(-1).add(value)));
    };
    for (index, var) in vars.iter().enumerate() {
        around(&Term::var(*var));
        for other in vars[index + 1..].iter().filter(|_| vars.len() <= MOST_PAIRED) {
            around(&Term::var(*var).minus(&Term::var(*other)));
            around(&Term::var(*var).plus(&Term::var(*other)));
        }
    }
    pool
}

/// The largest part of the facts that a round keeps.
fn inductive(
    round: &Round,
    mut facts: Vec<Formula>,
    bounds: &[Formula],
    solver: &mut Oracle,
) -> Vec<Formula> {
    loop {
        let after: Vec<Formula> = facts.iter().map(|fact| fact.replaced(&round.after)).collect();
        let goal = Formula::all(after.iter().cloned());
        if goal == Formula::True {
            return facts;
        }
        let refuted = goal.negated();
        let mut asked: Vec<&Formula> = facts.iter().chain(bounds).collect();
        asked.push(&refuted);
        let model = match solver.check(&asked) {
            Answer::Unsat => return facts,
            Answer::Unknown => return Vec::new(),
            Answer::Sat(model) => model,
        };
        let kept = facts.iter().zip(&after).filter(|(_, a)| a.holds(&model) == Some(true));
        let kept: Vec<Formula> = kept.map(|(fact, _)| fact.clone()).collect();
        if kept.len() == facts.len() {
            return Vec::new();
        }
        facts = kept;
    }
}

/// Leaves out facts that the others make unnecessary.
fn fewest(
    round: &Round,
    mut facts: Vec<Formula>,
    bounds: &[Formula],
    solver: &mut Oracle,
) -> Vec<Formula> {
    let mut index = facts.len();
    while index > 0 {
        index -= 1;
        let mut fewer = facts.clone();
        fewer.remove(index);
        let known: Vec<&Formula> = fewer.iter().chain(bounds).collect();
        let after = fewer.iter().map(|fact| fact.replaced(&round.after));
        let mut goals = after.chain(round.conditions.iter().cloned());
        if goals.all(|goal| solver.proves(&known, &goal)) {
            facts = fewer;
        }
    }
    facts
}
