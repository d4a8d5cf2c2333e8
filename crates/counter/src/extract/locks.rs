//! Locks: which there are, who takes them, and what taking one answers.

use std::collections::BTreeSet;

use exeunt_ir::{Callee, Pc, Scalar};
use exeunt_model::Label;
use exeunt_model::words::Doing;
use exeunt_smt::{Int, Var};

use super::build::{Builder, Draft, meaning_of};
use super::calls::Here;
use super::cells::{Objects, Place, meet};
use crate::address::{Object, Value};
use crate::library::{Again, Meaning};
use crate::{Hold, Lock, LockId, Mode, System, VarKind, Wait};

/// More than that is no lock that is taken again, but a mistake of ours.
const DEEPEST: u8 = 8;

/// What taking a lock again answers.
const EDEADLK: Int = 35;

/// Where a mutex of glibc has its kind, and the kind that may be taken again.
const KIND: usize = 16;
const RECURSIVE: u8 = 1;
/// The kind that is told of mistakes.
const CHECKED: u8 = 2;

impl Builder<'_> {
    /// The locks whose addresses are known, and those of them that something
    /// else than a lock function writes to.
    pub(super) fn find_locks(&mut self, updated: &BTreeSet<Place>, objects: &Objects<'_>) {
        for context in 0..self.calls.contexts.len() {
            let function = self.program.function(self.calls.contexts[context].func);
            for (pc, inst) in function.code.iter().enumerate() {
                let Some(call) = inst.call() else { continue };
                let site = &function.calls[call as usize];
                let Callee::Direct(callee) = site.callee else { continue };
                let (argument, bytes) = match meaning_of(self, callee) {
                    Some(Meaning::Lock { bytes, .. } | Meaning::Unlock { bytes }) => (0, bytes),
                    Some(Meaning::CondWait { .. }) => (1, 40),
                    Some(Meaning::GuardAcquire | Meaning::GuardRelease) => (0, 8),
                    Some(Meaning::ChangesLocks { robust }) => {
                        self.kinds_change = true;
                        self.robust |= robust;
                        continue;
                    }
                    Some(Meaning::LockLife { .. }) => {
                        // `mtx_init` has the kind as its second argument.
                        self.kinds_change |= site.args.get(1).is_some_and(|arg| {
                            arg.ty != Scalar::Ptr
                                && self.pointers.at(context, arg.slot) != Value::Number(0)
                        });
                        continue;
                    }
                    _ => continue,
                };
                let value = match site.args.get(argument) {
                    Some(arg) => self.pointers.at(context, arg.slot),
                    // Functions without arguments take one lock.
                    None => Value::Nothing,
                };
                let Some(key) = lock_key(&value, objects) else { continue };
                if self.locks.contains_key(&key) {
                    continue;
                }
                let place = Place { object: key.0, offset: key.1, bytes: i64::from(bytes) };
                let recursive = self.is_of_kind(place, RECURSIVE);
                let checked = self.is_of_kind(place, CHECKED);
                self.kinds_change |= self.has_initial_kind(place) && !recursive && !checked;
                let id = LockId(self.lock_list.len() as u32);
                let name = self.place_name(place);
                let touched = updated.iter().any(|other| meet(&place, other));
                let distrusted = touched.then(|| Label {
                    location: self
                        .location(context, pc as Pc)
                        .unwrap_or_else(|| exeunt_model::Location::in_function(&function.name)),
                    text: format!("`{name}` is also accessed as data"),
                });
                if recursive {
                    self.recursive.insert(id);
                }
                if checked {
                    self.checked.insert(id);
                }
                self.locks.insert(key, id);
                self.lock_sizes.insert(id, i64::from(bytes));
                self.lock_list.push(Lock { name, distrusted });
            }
        }
    }

    /// Whether a lock is not just zeros initially: a recursive one, perhaps.
    fn has_initial_kind(&self, place: Place) -> bool {
        let Object::Global(id) = place.object else { return false };
        let data = &self.program.global(id).data;
        let from = usize::try_from(place.offset).unwrap_or(0);
        data.iter().skip(from).take(place.bytes as usize).any(|byte| *byte != 0)
    }

    /// Whether it is a mutex with nothing but this kind in it.
    fn is_of_kind(&self, place: Place, kind: u8) -> bool {
        let (Object::Global(id), 40) = (place.object, place.bytes) else { return false };
        let from = usize::try_from(place.offset).unwrap_or(usize::MAX);
        let data = self.program.global(id).data.get(from..).unwrap_or_default();
        let set = data.iter().take(40).enumerate().filter(|(_, byte)| **byte != 0);
        set.collect::<Vec<_>>() == [(KIND, &kind)]
    }

    pub(super) fn lock_at(&self, value: &Value) -> Option<LockId> {
        let Value::Address(object, offset) = value else { return None };
        self.locks.get(&(*object, *offset)).copied()
    }

    /// Locks in these objects may be overwritten: they are not trusted, unless nobody has used them.
    pub(super) fn may_change(&mut self, objects: &BTreeSet<Object>, at: (usize, Pc), what: &str) {
        let Some(location) = self.location(at.0, at.1) else { return };
        for id in self.locks_in(objects) {
            let text = format!("{what} may change `{}`", self.lock_list[id.0 as usize].name);
            let (thread, node) = self.current;
            self.lives.push((id, thread, node, Label { location: location.clone(), text }));
        }
    }

    /// The same of the locks in a piece of memory.
    pub(super) fn may_change_at(&mut self, place: Place, at: (usize, Pc), what: &str) {
        let Some(location) = self.location(at.0, at.1) else { return };
        let is_there = |((object, offset), id): &(&(Object, i64), &LockId)| {
            let bytes = self.lock_sizes.get(id).copied().unwrap_or(0);
            meet(&Place { object: *object, offset: *offset, bytes }, &place)
        };
        let hit: Vec<LockId> = self.locks.iter().filter(is_there).map(|(_, id)| *id).collect();
        for id in hit {
            let text = format!("{what} may change `{}`", self.lock_list[id.0 as usize].name);
            let (thread, node) = self.current;
            self.lives.push((id, thread, node, Label { location: location.clone(), text }));
        }
    }

    fn locks_in(&self, objects: &BTreeSet<Object>) -> Vec<LockId> {
        self.locks.iter().filter(|(k, _)| objects.contains(&k.0)).map(|(_, id)| *id).collect()
    }

    /// Locks in these objects may be given back by who does not have them.
    fn distrust_in(&mut self, objects: &BTreeSet<Object>, context: usize, pc: Pc) -> Vec<LockId> {
        let hit = self.locks_in(objects);
        let location = self.location(context, pc);
        for id in &hit {
            let lock = &mut self.lock_list[id.0 as usize];
            if let (None, Some(location)) = (&lock.distrusted, location.clone()) {
                let text = format!("an unlock may change `{}`", lock.name);
                lock.distrusted = Some(Label { location, text });
            }
        }
        hit
    }

    pub(super) fn locked(
        &mut self,
        draft: Draft,
        here: Here,
        lock: &Value,
        mode: Mode,
        may_fail: bool,
        again: Again,
    ) -> Result<Vec<Draft>, String> {
        let mut draft = draft;
        draft.visible = true;
        let mut drafts = Vec::new();
        if may_fail {
            let mut failed = self.failing(draft.clone(), here);
            failed.text = "fails to take a lock".into();
            drafts.push(failed);
        }
        let Some(id) = self.lock_at(lock) else {
            self.lose(here.context, here.pc, "which lock is taken here is not known".into());
            draft.exact = false;
            draft.waits = Wait::Other;
            drafts.push(self.answering(draft, here, Some(0)));
            return Ok(drafts);
        };
        let name = self.lock_list[id.0 as usize].name.clone();
        draft.text = Doing::Locks(&format!("`{name}`")).words();
        if !may_fail {
            draft.waits = Wait::Lock(id);
        }
        let mut taken = self.answering(draft.clone(), here, Some(0));
        if self.robust {
            // Who had it may have ended: it is taken and says so, or is lost for good.
            drafts.push(self.failing(draft.clone(), here));
            taken = self.answering(draft.clone(), here, None);
            taken.exact = false;
        }
        let again = if self.checked.contains(&id) { Again::Refused } else { again };
        let free = self.kinds_change || self.recursive.contains(&id) || again == Again::Unknown;
        match taken.held.iter_mut().find(|hold| hold.lock == id) {
            None => {
                taken.held.push(Hold { lock: id, mode, count: 1 });
                taken.held.sort_unstable();
                drafts.push(taken);
            }
            Some(hold) if again == Again::Refused && hold.mode.max(mode) == Mode::Exclusive => {
                let mut refused = self.answering(draft.clone(), here, Some(EDEADLK));
                refused.waits = Wait::No;
                refused.text = format!("may not lock `{name}` again");
                refused.exact = hold.mode == Mode::Exclusive && !may_fail;
                drafts.push(refused);
            }
            // Whoever waits for a lock of its own waits for ever.
            Some(hold) if !free && hold.mode.max(mode) == Mode::Exclusive => {}
            Some(hold) => {
                hold.count += 1;
                hold.mode = hold.mode.max(mode);
                if hold.count > DEEPEST {
                    let at = self.location(here.context, here.pc);
                    let at = at.map_or(String::new(), |l| format!(" ({l})"));
                    return Err(format!(
                        "a lock that is taken more than {DEEPEST} times, or not given back on \
                         every way through a loop{at}"
                    ));
                }
                taken.exact = false;
                drafts.push(taken);
                if self.kinds_change || again == Again::Unknown {
                    drafts.push(self.failing(draft, here));
                }
            }
        }
        Ok(drafts)
    }

    pub(super) fn unlocked(&mut self, draft: Draft, here: Here, lock: &Value) -> Draft {
        let mut draft = self.answering(draft, here, Some(0));
        draft.visible = true;
        let Some(id) = self.lock_at(lock) else {
            let objects = self.pointers.targets(lock);
            let gone = self.distrust_in(&objects, here.context, here.pc);
            self.lose(here.context, here.pc, "which lock is given back here is not known".into());
            draft.held.retain(|hold| !gone.contains(&hold.lock));
            draft.exact = false;
            return draft;
        };
        let name = self.lock_list[id.0 as usize].name.clone();
        draft.text = Doing::Unlocks(&format!("`{name}`")).words();
        match draft.held.iter_mut().find(|hold| hold.lock == id) {
            Some(hold) if hold.count > 1 => hold.count -= 1,
            Some(_) => draft.held.retain(|hold| hold.lock != id),
            None => {
                draft.wrong_unlock = Some(id);
                let says = self.recursive.contains(&id) || self.checked.contains(&id);
                if self.kinds_change || says {
                    // Such a mutex may say that it is not held.
                    draft = self.answering(draft, here, None);
                    draft.exact = false;
                }
            }
        }
        draft
    }

    /// Two steps: the lock is given back, and taken again after the wait, in the second phase or, if it is known who
    /// wakes the thread up, in the third one.
    pub(super) fn waited(
        &mut self,
        draft: Draft,
        here: Here,
        phase: u8,
        (condition, lock): (Option<Var>, &Value),
    ) -> Result<Vec<Draft>, String> {
        if phase == 0 {
            let mut draft = self.unlocked(draft, here, lock);
            draft.text = "waits on a condition".into();
            // Who does not hold the lock may be told so at once.
            let refuses = draft.wrong_unlock.is_some() || self.kinds_change || self.robust;
            let condition = condition.filter(|_| !refuses && self.lock_at(lock).is_some());
            if let Some(condition) = condition {
                Self::begins_to_wait(&mut draft, condition);
            }
            let phase = if condition.is_some() { 2 } else { 1 };
            draft.to = Some((here.context, here.pc, phase));
            return Ok(vec![draft]);
        }
        let drafts = self.locked(draft, here, lock, Mode::Exclusive, false, Again::Waits)?;
        let mut woken = Vec::new();
        for draft in drafts {
            let mut draft = self.answering(draft, here, None);
            draft.text = "wakes up".into();
            draft.waits = Wait::Other;
            match condition.filter(|_| phase == 2) {
                Some(condition) => {
                    self.wakes(&mut draft, condition);
                    draft.exact &= !self.is_read(here);
                }
                // Whether it was signalled or the time had come is not followed.
                None => draft.exact = false,
            }
            woken.push(draft);
        }
        Ok(woken)
    }
}

/// Where a lock is that all threads know as one.
pub(super) fn lock_key(value: &Value, objects: &Objects<'_>) -> Option<(Object, i64)> {
    let Value::Address(object, offset) = value else { return None };
    let constant = matches!(object, Object::Global(_));
    (constant || objects.kind(*object) == Some(VarKind::Shared)).then_some((*object, *offset))
}

/// A lock that a thread gives back without holding it excludes nobody.
pub(super) fn distrust(system: &mut System) {
    for edge in system.threads.iter().flat_map(|thread| &thread.edges) {
        let (Some(id), Some(location)) = (edge.wrong_unlock, edge.location.clone()) else {
            continue;
        };
        let lock = &mut system.locks[id.0 as usize];
        if lock.distrusted.is_none() {
            let text = format!("`{}` is unlocked by a thread that may not hold it", lock.name);
            lock.distrusted = Some(Label { location, text });
        }
    }
}
