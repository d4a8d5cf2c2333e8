//! Waits for conditions: who waits makes no step until somebody signals the condition.
//!
//! Only the waits of the subject are followed, each condition by one number: it is below zero while the subject does not
//! wait for it, zero while it waits, and one when it was woken. So `ready >= c.woken` says that nobody signals before
//! there is something to be seen. Others wake up at any time. A signal wakes the subject for sure, because a run in which another one wakes up
//! instead is one in which the subject wakes up later.

use std::collections::BTreeMap;

use exeunt_ir::Callee;
use exeunt_smt::{Formula, Int, Term, Var};

use super::build::{Builder, Draft, meaning_of};
use super::calls::Here;
use super::cells::{self, Objects, Place};
use super::locks::lock_key;
use crate::address::{Object, Value};
use crate::library::Meaning;
use crate::{VarKind, Variable};

const IDLE: Int = -1;
const WAITS: Int = 0;
const WOKEN: Int = 1;

/// The numbers of conditions, by where those are.
pub(super) type Conditions = BTreeMap<(Object, i64), Var>;

impl Builder<'_> {
    /// A number for each condition that the subject waits for without a limit of time.
    pub(super) fn find_conditions(&mut self, objects: &Objects<'_>) {
        for (context, call) in self.calls.contexts.iter().enumerate() {
            let function = self.program.function(call.func);
            for site in function.code.iter().filter_map(|inst| inst.call()) {
                let site = &function.calls[site as usize];
                let Callee::Direct(callee) = site.callee else { continue };
                let waits = meaning_of(self, callee) == Some(Meaning::CondWait { timed: false });
                let Some(arg) = site.args.first().filter(|_| waits && call.thread == 0) else {
                    continue;
                };
                let key = lock_key(&self.pointers.at(context, arg.slot), objects);
                let Some(key) = key.filter(|key| !self.conditions.contains_key(key)) else {
                    continue;
                };
                let place = Place { object: key.0, offset: key.1, bytes: 48 };
                let name = cells::name(self.program, &self.calls.contexts, place);
                let var = Var(self.vars.len() as u32);
                self.vars.push(Variable {
                    name: format!("{}.woken", name.trim_end_matches("+0")),
                    kind: VarKind::Shared,
                    range: Some((IDLE, WOKEN)),
                    initial: Some(IDLE),
                });
                self.conditions.insert(key, var);
            }
        }
    }

    /// The number of the condition that a call waits for, if it is followed.
    pub(super) fn awaited(&self, here: Here, condition: &Value) -> Option<Var> {
        let Value::Address(object, offset) = condition else { return None };
        let of_subject = self.calls.contexts[here.context].thread == 0;
        self.conditions.get(&(*object, *offset)).copied().filter(|_| of_subject)
    }

    pub(super) fn begins_to_wait(draft: &mut Draft, condition: Var) {
        draft.sets.insert(condition, Term::number(WAITS));
    }

    /// The edge is one of a thread that was woken.
    pub(super) fn wakes(&mut self, draft: &mut Draft, condition: Var) {
        let woken = Formula::equal(&Term::var(condition), &Term::number(WOKEN));
        draft.guard = draft.guard.clone().both(woken);
        draft.sets.insert(condition, Term::number(IDLE));
        self.assumptions.insert(
            "a thread that waits for a condition wakes up only when that is signalled: there are no \
             spurious wake-ups"
                .into(),
        );
    }

    /// The guard of an edge; where the subject writes shared variables, with what is true because it does not wait there. Facts that
    /// all threads keep need it.
    pub(super) fn guarded(&self, thread: usize, draft: &Draft) -> Formula {
        let waits = |var: &Var| self.conditions.values().any(|condition| condition == var);
        let own = draft.sets.keys().all(|var| !waits(var));
        let writes = own && draft.sets.keys().any(|var| self.is_shared(*var));
        let idle = |var: &Var| Formula::equal(&Term::var(*var), &Term::number(IDLE));
        let known = self.conditions.values().filter(|_| thread == 0 && writes).map(idle);
        known.fold(draft.guard.clone(), Formula::both)
    }

    /// A signal of the condition at an address; of all that it may be, if that is not known.
    pub(super) fn signalled(&mut self, draft: Draft, here: Here, condition: &Value) -> Draft {
        let mut draft = self.answering(draft, here, Some(0));
        let known = match condition {
            Value::Address(object, offset) => Some((*object, *offset)),
            _ => None,
        };
        let concerned = |key: &(Object, i64)| known.is_none_or(|known| known == *key);
        let vars: Vec<Var> =
            self.conditions.iter().filter(|(key, _)| concerned(key)).map(|(_, var)| *var).collect();
        for var in vars {
            Self::signals(&mut draft, var);
        }
        if let Some(var) = known.and_then(|key| self.conditions.get(&key)) {
            let name = &self.vars[var.0 as usize].name;
            draft.text = format!("signals `{}`", name.trim_end_matches(".woken"));
        }
        draft
    }

    /// All conditions may be signalled.
    pub(super) fn signals_all(&self, draft: &mut Draft) {
        self.conditions.values().for_each(|var| Self::signals(draft, *var));
    }

    fn signals(draft: &mut Draft, var: Var) {
        let waits = Formula::equal(&Term::var(var), &Term::number(WAITS));
        draft.sets.insert(var, Term::choice(waits, Term::number(WOKEN), Term::var(var)));
        draft.visible = true;
    }
}
