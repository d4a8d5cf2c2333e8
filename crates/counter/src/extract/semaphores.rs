//! Semaphores that are used as locks: `main` sets such a one to at most one, once, and whoever posts it has waited for it
//! before. That is found out like the same of locks, by what a thread has where it posts; if it is not so,
//! the semaphore is a counter and nothing else.

use std::collections::BTreeSet;

use exeunt_ir::{Callee, Pc};
use exeunt_model::{Label, Location};

use super::build::{Builder, Draft, meaning_of};
use super::calls::Here;
use super::cells::Objects;
use super::contexts::repeats;
use super::locks::lock_key;
use crate::address::{Object, Value};
use crate::library::{Meaning, SemOp};
use crate::{Hold, Lock, LockId, Mode, Role, System};

/// The bytes of a semaphore.
const BYTES: i64 = 32;

/// What a call does to a semaphore.
struct Use {
    op: SemOp,
    thread: usize,
    target: Value,
    /// It sets the semaphore to at most one, once.
    once_to_one: bool,
}

impl Builder<'_> {
    /// Makes locks of semaphores that may be used as such.
    pub(super) fn find_semaphores(&mut self, objects: &Objects<'_>) {
        // Without `main` nobody sees what they are set to, and a function without a body may post any of them.
        let unseen = self.request.wish.beside.is_some() || self.program.main.is_none();
        if unseen || self.calls_unknown() {
            return;
        }
        let uses = self.uses_of_semaphores();
        let keys = uses.iter().filter_map(|one| lock_key(&one.target, objects));
        let keys: BTreeSet<(Object, i64)> = keys.collect();
        for (object, offset) in keys {
            let address = Value::Address(object, offset);
            let own: Vec<&Use> = uses.iter().filter(|one| one.target == address).collect();
            let hidden = uses.iter().any(|one| {
                !matches!(one.target, Value::Address(..))
                    && self.pointers.targets(&one.target).contains(&object)
            });
            let threads = |op: fn(SemOp) -> bool| -> BTreeSet<usize> {
                own.iter().filter(|one| op(one.op)).map(|one| one.thread).collect()
            };
            let waits = threads(|op| matches!(op, SemOp::Wait | SemOp::Try));
            let posts = threads(|op| op == SemOp::Post);
            let set: Vec<&&Use> = own.iter().filter(|one| one.op == SemOp::Init).collect();
            let once = matches!(set.as_slice(), [one] if one.once_to_one);
            if hidden || !once || waits != posts || waits.is_empty() {
                continue;
            }
            let id = LockId(self.lock_list.len() as u32);
            let place = super::cells::Place { object, offset, bytes: BYTES };
            self.lock_list.push(Lock { name: self.place_name(place), distrusted: None });
            self.lock_sizes.insert(id, BYTES);
            self.locks.insert((object, offset), id);
            self.semaphores.insert(id);
        }
    }

    fn calls_unknown(&self) -> bool {
        self.all_calls().any(|(context, pc, callee)| {
            !self.calls.children.contains_key(&(context, pc)) && meaning_of(self, callee).is_none()
        })
    }

    fn uses_of_semaphores(&self) -> Vec<Use> {
        let mut uses = Vec::new();
        for (context, at) in self.calls.contexts.iter().enumerate() {
            let function = self.program.function(at.func);
            for (pc, inst) in function.code.iter().enumerate() {
                let Some(call) =
                    inst.call().filter(|_| self.pointers.is_reached(context, pc as Pc))
                else {
                    continue;
                };
                let site = &function.calls[call as usize];
                let Callee::Direct(callee) = site.callee else { continue };
                let Some(Meaning::Semaphore(op)) = meaning_of(self, callee) else { continue };
                let value = |index: usize| match site.args.get(index) {
                    Some(arg) => self.pointers.at(context, arg.slot),
                    None => Value::Unknown,
                };
                let by_main = self.roots[at.thread].role == Role::Main;
                let once = by_main && at.once && !repeats(function, pc as Pc);
                uses.push(Use {
                    op,
                    thread: at.thread,
                    target: value(0),
                    once_to_one: once && matches!(value(2), Value::Number(0 | 1)),
                });
            }
        }
        uses
    }

    /// What a thread has behind an operation on a semaphore.
    pub(super) fn holds_semaphore(&mut self, draft: &mut Draft, here: Here, op: SemOp) {
        let function = self.program.function(self.calls.contexts[here.context].func);
        let slot = function.calls[here.call as usize].args[0].slot;
        let target = self.pointers.at(here.context, slot);
        let found = self.lock_at(&target).filter(|id| self.semaphores.contains(id));
        let Some(id) = found else { return };
        let location = self.location(here.context, here.pc);
        let location = location.unwrap_or_else(|| Location::in_function(&function.name));
        let has = draft.held.iter().any(|hold| hold.lock == id);
        match (op, has) {
            (SemOp::Init, _) => {
                let text = "it is initialised while threads use it".to_string();
                let (thread, node) = self.current;
                self.lives.push((id, thread, node, Label { location, text }));
            }
            (SemOp::Wait | SemOp::Try, false) => {
                draft.held.push(Hold { lock: id, mode: Mode::Exclusive, count: 1 });
                draft.held.sort_unstable();
            }
            (SemOp::Wait | SemOp::Try, true) => {
                let lock = &mut self.lock_list[id.0 as usize];
                let text = format!("`{}` is waited for by a thread that has it", lock.name);
                lock.distrusted.get_or_insert(Label { location, text });
            }
            (SemOp::Post, true) => draft.held.retain(|hold| hold.lock != id),
            (SemOp::Post, false) => draft.wrong_unlock = Some(id),
        }
    }
}

/// What is no lock after all is a counter only.
pub(super) fn forget_counters(system: &mut System, semaphores: &BTreeSet<LockId>) {
    let locks = &system.locks;
    let is_counter =
        |id: LockId| semaphores.contains(&id) && locks[id.0 as usize].distrusted.is_some();
    for node in system.threads.iter_mut().flat_map(|thread| &mut thread.nodes) {
        node.held.retain(|hold| !is_counter(hold.lock));
    }
}
