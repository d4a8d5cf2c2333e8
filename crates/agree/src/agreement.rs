//! Agreements: what a thread may rely on.
//!
//! An agreement is a conjunction of clauses. Each clause is reflexive and
//! transitive, so many steps of an environment that keeps it are one.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_certify::Side;
use exeunt_counter::{Hold, LockId, Mode, System};
use exeunt_smt::{Formula, Term, Var};

/// `measure' <= measure`, while the subject holds these locks and a condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    /// Over shared variables.
    pub measure: Term,
    /// Each lock with the weakest mode in which the subject must hold it.
    pub while_held: Vec<(LockId, Mode)>,
    pub when: Condition,
}

/// When a clause promises something: shared variables have certain values.
///
/// A condition is part of the promise, so that many steps are still one: where it is looked at before a
/// step, the step keeps it; where it is looked at behind one, the step did not make it true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    /// All of these, each a sum that is at least zero; none: always.
    pub facts: Vec<Formula>,
    pub side: Side,
}

impl Condition {
    pub const ALWAYS: Condition = Condition { facts: Vec::new(), side: Side::Before };

    fn holds(&self, at: &BTreeMap<Var, Term>) -> Formula {
        Formula::all(self.facts.iter().map(|fact| fact.replaced(at)))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Agreement {
    pub clauses: Vec<Clause>,
}

impl Clause {
    /// Whether the subject can rely on it where it holds these locks.
    pub fn is_active(&self, system: &System, held: &[Hold]) -> bool {
        self.while_held.iter().all(|(lock, mode)| {
            system.locks[lock.0 as usize].distrusted.is_none()
                && held.iter().any(|hold| hold.lock == *lock && hold.mode >= *mode)
        })
    }

    /// Whether a thread with these locks excludes that the subject relies on it.
    pub fn is_excluded(&self, system: &System, held: &[Hold]) -> bool {
        self.while_held.iter().any(|(lock, mode)| {
            let subject = Hold { lock: *lock, mode: *mode, count: 1 };
            held.iter().any(|hold| system.exclude(*hold, subject))
        })
    }

    /// The clause between two states.
    pub fn between(&self, before: &BTreeMap<Var, Term>, after: &BTreeMap<Var, Term>) -> Formula {
        let falls = not_grown(&self.measure, before, after);
        let (first, second) = (self.when.holds(before), self.when.holds(after));
        match self.when.side {
            Side::Before => first.negated().either(second.both(falls)),
            Side::After => second.negated().either(first.both(falls)),
        }
    }

    /// How often it was made weaker.
    pub fn weakenings(&self) -> usize {
        self.while_held.len() + usize::from(!self.when.facts.is_empty())
    }

    /// The variables that it is about.
    pub fn vars(&self) -> BTreeSet<Var> {
        let mut vars = BTreeSet::new();
        self.measure.collect_vars(&mut vars);
        self.when.facts.iter().for_each(|fact| fact.collect_vars(&mut vars));
        vars
    }
}

/// A sum is not larger in the second state.
pub(crate) fn not_grown(
    measure: &Term,
    before: &BTreeMap<Var, Term>,
    after: &BTreeMap<Var, Term>,
) -> Formula {
    Formula::at_least(&measure.replaced(before), &measure.replaced(after))
}
