//! Edges that no run takes, because registers have other values there: constants are followed along the edges of a
//! thread, node by node (G. A. Kildall, "A unified approach to global program optimization", 1973). Nodes tell apart which locks
//! are held, so it is seen that whoever did not get a lock does not give it back (`std::unique_lock`).

use std::collections::{BTreeMap, BTreeSet};

use exeunt_smt::{Assignment, Atom, Formula, Int, Term, Var};

use crate::{Edge, Thread, VarKind, Variable};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    Is(Int),
    NotZero,
}

/// What is known of registers, at a node that is reached.
type Known = BTreeMap<Var, Fact>;

/// Removes edges whose guards are false, whatever a run did before.
pub(crate) fn drop_impossible(vars: &[Variable], index: usize, thread: &mut Thread) {
    let own = |var: &Var| vars[var.0 as usize].kind == VarKind::Local(index);
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); thread.nodes.len()];
    for (number, edge) in thread.edges.iter().enumerate() {
        leaving[edge.from.0 as usize].push(number);
    }
    let mut known: Vec<Option<Known>> = vec![None; thread.nodes.len()];
    known[thread.entry.0 as usize] = Some(Known::new());
    let mut todo = BTreeSet::from([thread.entry.0 as usize]);
    while let Some(node) = todo.pop_first() {
        let Some(before) = known[node].clone() else { continue };
        for number in &leaving[node] {
            let edge = &thread.edges[*number];
            if is_impossible(edge, &before) {
                continue;
            }
            let after = behind(edge, &before, &own);
            let to = edge.to.0 as usize;
            let joined = match &known[to] {
                None => after,
                Some(old) => {
                    let same =
                        |(var, fact): (&Var, &Fact)| Some((*var, joined(*fact, *after.get(var)?)?));
                    old.iter().filter_map(same).collect()
                }
            };
            if known[to].as_ref() != Some(&joined) {
                known[to] = Some(joined);
                todo.insert(to);
            }
        }
    }
    thread.edges.retain(|edge| {
        let before = known[edge.from.0 as usize].as_ref();
        before.is_some_and(|before| !is_impossible(edge, before))
    });
}

/// What two facts have in common.
fn joined(one: Fact, other: Fact) -> Option<Fact> {
    match (one, other) {
        _ if one == other => Some(one),
        (Fact::Is(0), _) | (_, Fact::Is(0)) => None,
        (Fact::Is(_) | Fact::NotZero, Fact::Is(_) | Fact::NotZero) => Some(Fact::NotZero),
    }
}

fn is_impossible(edge: &Edge, known: &Known) -> bool {
    edge.guard.clone().conjuncts().iter().any(|part| decided(part, known) == Some(false))
}

/// Whether a formula is true, if that is known.
fn decided(formula: &Formula, known: &Known) -> Option<bool> {
    match formula {
        Formula::True => Some(true),
        Formula::False => Some(false),
        Formula::NonNegative(term) => value(term, known).map(|value| value >= 0),
        Formula::Zero(term) => is_zero(term, known),
        Formula::NonZero(term) => is_zero(term, known).map(|zero| !zero),
        Formula::And(parts) => {
            let all: Option<Vec<bool>> = parts.iter().map(|part| decided(part, known)).collect();
            all.map(|all| all.into_iter().all(|part| part))
        }
        Formula::Or(parts) => {
            let all: Option<Vec<bool>> = parts.iter().map(|part| decided(part, known)).collect();
            all.map(|all| all.into_iter().any(|part| part))
        }
    }
}

fn is_zero(term: &Term, known: &Known) -> Option<bool> {
    match (value(term, known), term.as_var().or(term.times(-1).as_var())) {
        (Some(value), _) => Some(value == 0),
        (None, Some(var)) if known.get(&var) == Some(&Fact::NotZero) => Some(false),
        (None, _) => None,
    }
}

/// The value of a term, if it is known.
fn value(term: &Term, known: &Known) -> Option<Int> {
    let mut used = BTreeSet::new();
    term.collect_vars(&mut used);
    let number = |var: &Var| match known.get(var)? {
        Fact::Is(number) => Some((*var, *number)),
        Fact::NotZero => None,
    };
    let at: Option<Assignment> = used.iter().map(number).collect();
    if let Some(at) = at {
        return term.value(&at);
    }
    // One of two terms.
    let mut parts = term.parts();
    let (Some((Atom::Choice(test, yes, no), 1)), None, 0) =
        (parts.next(), parts.next(), term.constant())
    else {
        return None;
    };
    value(if decided(test, known)? { yes } else { no }, known)
}

/// What is known behind an edge.
fn behind(edge: &Edge, known: &Known, own: &dyn Fn(&Var) -> bool) -> Known {
    let mut before = known.clone();
    let inputs: BTreeSet<Var> = edge.inputs.iter().copied().collect();
    // What is compared with a constant is known from there on.
    for part in edge.guard.clone().conjuncts() {
        let found = match &part {
            Formula::Zero(term) => solved(term).map(|(var, value)| (var, Fact::Is(value))),
            Formula::NonZero(term) => {
                term.as_var().or(term.times(-1).as_var()).map(|var| (var, Fact::NotZero))
            }
            Formula::True
            | Formula::False
            | Formula::NonNegative(_)
            | Formula::And(_)
            | Formula::Or(_) => None,
        };
        let found = found.filter(|(var, _)| own(var) || inputs.contains(var));
        if let Some((var, fact)) = found {
            before
                .entry(var)
                .and_modify(|old| {
                    if *old == Fact::NotZero {
                        *old = fact;
                    }
                })
                .or_insert(fact);
        }
    }
    let mut after = before.clone();
    for (var, term) in edge.sets.iter().filter(|(var, _)| own(var)) {
        let copied = term.as_var().and_then(|var| before.get(&var).copied());
        match value(term, &before).map(Fact::Is).or(copied) {
            Some(fact) => after.insert(*var, fact),
            None => after.remove(var),
        };
    }
    after.retain(|var, _| own(var));
    after
}

/// The only value of a variable for which a term is zero.
fn solved(term: &Term) -> Option<(Var, Int)> {
    let rest = term.add(-term.constant());
    let (var, sign) = match (rest.as_var(), rest.times(-1).as_var()) {
        (Some(var), _) => (var, -1),
        (None, Some(var)) => (var, 1),
        (None, None) => return None,
    };
    Some((var, sign * term.constant()))
}
