//! Agreements: what a thread may rely on.
//!
//! An agreement is a conjunction of clauses. Each clause is reflexive and
//! transitive, so many steps of an environment that keeps it are one.

use exeunt_counter::{Hold, LockId, Mode, System};
use exeunt_smt::{Formula, Term, Var};
use std::collections::BTreeMap;

/// `measure' <= measure`, while the subject holds these locks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    /// Over shared variables.
    pub measure: Term,
    /// Each lock with the weakest mode in which the subject must hold it.
    pub while_held: Vec<(LockId, Mode)>,
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
        Formula::at_least(&self.measure.replaced(before), &self.measure.replaced(after))
    }
}
