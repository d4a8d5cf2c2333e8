//! Calls, returns, locks and threads.

use std::collections::BTreeSet;

use exeunt_ir::address::{self, Space};
use exeunt_ir::{Callee, FuncId, Pc, Scalar, Slot};
use exeunt_model::Label;
use exeunt_smt::{Formula, Int, Term};

use super::arithmetic::Number;
use super::build::{Builder, Draft, meaning_of};
use super::cells::Place;
use super::cells::meet;
use super::shape::Shape;
use crate::address::{Object, Value};
use crate::library::Meaning;
use crate::{Hold, Lock, LockId, Mode, NodeId, System, Wait};

/// More than that is no lock that is taken again, but a mistake of ours.
const DEEPEST: u8 = 8;

/// Where a mutex of glibc has its kind, and the kind that may be taken again.
const KIND: usize = 16;
const RECURSIVE: u8 = 1;

/// Where a call is.
#[derive(Clone, Copy)]
pub(super) struct Here {
    pub context: usize,
    pub pc: Pc,
    pub call: u32,
}

impl Builder<'_> {
    /// The locks whose addresses are known, and those of them that something
    /// else than a lock function writes to.
    pub(super) fn find_locks(&mut self, accessed: &BTreeSet<Place>, main: Option<usize>) {
        for context in 0..self.calls.contexts.len() {
            let function = self.program.function(self.calls.contexts[context].func);
            for (pc, inst) in function.code.iter().enumerate() {
                let Some(call) = inst.call() else { continue };
                let site = &function.calls[call as usize];
                let Callee::Direct(callee) = site.callee else { continue };
                let (argument, bytes) = match meaning_of(self, callee) {
                    Some(Meaning::Lock { bytes, .. } | Meaning::Unlock { bytes }) => (0, bytes),
                    Some(Meaning::CondWait) => (1, 40),
                    Some(Meaning::ChangesLocks) => {
                        self.kinds_change = true;
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
                let Some(key) = self.lock_key(&value, main) else { continue };
                if self.locks.contains_key(&key) {
                    continue;
                }
                let place = Place { object: key.0, offset: key.1, bytes: i64::from(bytes) };
                let recursive = self.is_recursive(place);
                self.kinds_change |= self.has_initial_kind(place) && !recursive;
                let id = LockId(self.lock_list.len() as u32);
                let name = self.place_name(place);
                let touched = accessed.iter().any(|other| meet(&place, other));
                let distrusted = touched.then(|| Label {
                    location: self
                        .location(context, pc as Pc)
                        .unwrap_or_else(|| exeunt_model::Location::in_function(&function.name)),
                    text: format!("`{name}` is also accessed as data"),
                });
                if recursive {
                    self.recursive.insert(id);
                }
                self.locks.insert(key, id);
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

    /// Whether it is a mutex with nothing but the kind `recursive` in it.
    fn is_recursive(&self, place: Place) -> bool {
        let (Object::Global(id), 40) = (place.object, place.bytes) else { return false };
        let from = usize::try_from(place.offset).unwrap_or(usize::MAX);
        let data = self.program.global(id).data.get(from..).unwrap_or_default();
        let set = data.iter().take(40).enumerate().filter(|(_, byte)| **byte != 0);
        set.collect::<Vec<_>>() == [(KIND, &RECURSIVE)]
    }

    pub(super) fn place_name(&self, place: Place) -> String {
        super::cells::name(self.program, &self.calls.contexts, place)
    }

    pub(super) fn lock_key(&self, value: &Value, main: Option<usize>) -> Option<(Object, i64)> {
        match value {
            Value::Address(object @ Object::Global(_), offset) => Some((*object, *offset)),
            Value::Address(object @ Object::Frame(context, _), offset)
                if Some(*context) == main =>
            {
                Some((*object, *offset))
            }
            _ => None,
        }
    }

    fn lock_at(&self, value: &Value) -> Option<LockId> {
        let Value::Address(object, offset) = value else { return None };
        self.locks.get(&(*object, *offset)).copied()
    }

    /// Locks in these objects may be given back or overwritten.
    pub(super) fn distrust_in(
        &mut self,
        objects: &BTreeSet<Object>,
        context: usize,
        pc: Pc,
        what: &str,
    ) -> Vec<LockId> {
        let hit: Vec<LockId> =
            self.locks.iter().filter(|(k, _)| objects.contains(&k.0)).map(|(_, id)| *id).collect();
        let location = self.location(context, pc);
        for id in &hit {
            let lock = &mut self.lock_list[id.0 as usize];
            if let (None, Some(location)) = (&lock.distrusted, location.clone()) {
                let text = format!("{what} may change `{}`", lock.name);
                lock.distrusted = Some(Label { location, text });
            }
        }
        hit
    }

    pub(super) fn returned(&mut self, mut draft: Draft, context: usize, values: &[Slot]) -> Draft {
        let Some((caller, pc)) = self.calls.contexts[context].caller else {
            draft.to = None;
            return draft;
        };
        draft.to = Some((caller, pc + 1, 0));
        let function = self.program.function(self.calls.contexts[caller].func);
        let result = function.call_at(pc).and_then(|site| site.result);
        for (slot, value) in result.into_iter().flat_map(|first| first..).zip(values) {
            let width = self.shape(caller, slot).width;
            let value = self.number(context, *value, width);
            self.define(&mut draft, caller, slot, &value);
        }
        draft
    }

    pub(super) fn call(
        &mut self,
        draft: Draft,
        context: usize,
        pc: Pc,
        phase: u8,
        call: u32,
        node: NodeId,
    ) -> Result<Vec<Draft>, String> {
        let here = Here { context, pc, call };
        let handled = self.program.function(self.calls.contexts[context].func);
        if handled.calls[call as usize].pad.is_some() {
            let place = self.location(context, pc).map_or(String::new(), |l| format!(" ({l})"));
            return Err(format!("a handler of exceptions{place}"));
        }
        if let Some(&child) = self.calls.children.get(&(context, pc)) {
            return Ok(vec![self.entered(draft, here, child)]);
        }
        let function = self.program.function(self.calls.contexts[context].func);
        let site = &function.calls[call as usize];
        let Callee::Direct(callee) = site.callee else { return Ok(Vec::new()) };
        let name = &self.program.function(callee).name;
        if site.returns_twice || name.contains("_M_start_thread") {
            let place = self.location(context, pc).map_or(String::new(), |l| format!(" ({l})"));
            let name = exeunt_ir::readable(name);
            return Err(format!("the control flow of `{name}`{place}"));
        }
        let argument = |builder: &Self, index: usize| match site.args.get(index) {
            Some(arg) => builder.pointers.at(context, arg.slot),
            None => Value::Unknown,
        };
        Ok(match meaning_of(self, callee) {
            Some(Meaning::Lock { mode, may_fail, .. }) => {
                let lock = argument(self, 0);
                self.locked(draft, here, &lock, mode, may_fail)?
            }
            Some(Meaning::Unlock { .. }) => {
                let lock = argument(self, 0);
                vec![self.unlocked(draft, here, &lock)]
            }
            Some(Meaning::CondWait) => {
                let lock = argument(self, 1);
                self.waited(draft, here, phase, &lock)?
            }
            Some(Meaning::LockLife { .. }) => {
                let lock = argument(self, 0);
                if let (Some(id), Some(location)) =
                    (self.lock_at(&lock), self.location(context, pc))
                {
                    let text = "it is initialised while threads use it".to_string();
                    if !exeunt_ir::readable(&self.program.function(callee).name).contains("destroy")
                    {
                        self.lives.push((
                            id,
                            self.calls.contexts[context].thread,
                            node,
                            Label { location, text },
                        ));
                    }
                }
                vec![self.answering(draft, here, Some(0))]
            }
            Some(Meaning::Blocks { answers_zero }) => {
                let mut draft = self.answering(draft, here, answers_zero.then_some(0));
                draft.visible = true;
                draft.exact = false;
                draft.waits = Wait::Other;
                draft.text = format!("calls `{}`", self.program.function(callee).name);
                vec![draft]
            }
            Some(Meaning::Pure { answers_zero }) => {
                vec![self.answering(draft, here, answers_zero.then_some(0))]
            }
            Some(Meaning::Allocates) => {
                let mut draft = draft;
                if let Some(slot) = site.result {
                    let input = self.input(&mut draft, (0, 1 << 47));
                    let shape = Shape { width: 64, signed: false };
                    let value = Number { term: Term::var(input), shape };
                    self.define(&mut draft, context, slot, &value);
                }
                vec![draft]
            }
            Some(meaning @ (Meaning::WritesArguments | Meaning::Joins)) => {
                let mut draft = self.answering(draft, here, None);
                if meaning == Meaning::Joins {
                    draft.waits = Wait::Other;
                }
                for (index, arg) in site.args.iter().enumerate() {
                    if arg.ty == Scalar::Ptr {
                        let target = argument(self, index);
                        self.wild_write(&mut draft, context, pc, &target, "a call");
                    }
                }
                draft.exact = false;
                vec![draft]
            }
            Some(Meaning::Create { routine, argument: handed }) => {
                let routine = argument(self, routine);
                self.created(draft, here, &routine, handed)
            }
            Some(Meaning::Ends) => Vec::new(),
            Some(Meaning::Assume) => {
                let mut draft = draft;
                let value = self.number(context, site.args[0].slot, 32);
                draft.guard = Formula::zero(value.term).negated();
                vec![draft]
            }
            Some(Meaning::Choose) => vec![self.chosen(draft, here)],
            Some(Meaning::AtomicBlock) => {
                let mut draft = self.answering(draft, here, None);
                self.lose(context, pc, "an atomic block is treated as if it were none".into());
                draft.exact = false;
                vec![draft]
            }
            Some(Meaning::ChangesLocks) => vec![self.answering(draft, here, Some(0))],
            Some(Meaning::List { op, list }) => self.listed(draft, here, op, list),
            Some(Meaning::Semaphore(op)) => self.semaphore(draft, here, op),
            Some(Meaning::Interlocked(op)) => self.interlocked(draft, here, op),
            None => {
                let values = site.args.iter().map(|arg| self.pointers.at(context, arg.slot));
                if values.into_iter().any(|value| is_function(&value)) {
                    let name = exeunt_ir::readable(&self.program.function(callee).name);
                    let place =
                        self.location(context, pc).map_or(String::new(), |l| format!(" ({l})"));
                    return Err(format!(
                        "a function of the program as an argument of `{name}`{place}"
                    ));
                }
                vec![self.unknown(draft, here, callee)]
            }
        })
    }

    /// The parameters of an expanded call.
    fn entered(&mut self, mut draft: Draft, here: Here, child: usize) -> Draft {
        draft.to = Some((child, 0, 0));
        let function = self.program.function(self.calls.contexts[here.context].func);
        let params = self.program.function(self.calls.contexts[child].func).params;
        let mut slot = 0;
        for arg in &function.calls[here.call as usize].args {
            if slot < params {
                let width = self.shape(child, slot).width;
                let value = self.number(here.context, arg.slot, width);
                self.define(&mut draft, child, slot, &value);
            }
            slot += arg.ty.slots();
        }
        draft
    }

    /// The result of a call: a number or anything.
    pub(super) fn answering(&mut self, mut draft: Draft, here: Here, answer: Option<Int>) -> Draft {
        let function = self.program.function(self.calls.contexts[here.context].func);
        let site = &function.calls[here.call as usize];
        let Some(result) = site.result else { return draft };
        for slot in result..result + site.result_slots {
            match answer {
                Some(number) => {
                    let shape = self.shape(here.context, slot);
                    let value = Number { term: Term::number(number), shape };
                    self.define(&mut draft, here.context, slot, &value);
                }
                None => self.define_any(&mut draft, here.context, slot),
            }
        }
        draft
    }

    /// A result other than zero.
    pub(super) fn failing(&mut self, draft: Draft, here: Here) -> Draft {
        let known = draft.inputs.len();
        let mut draft = self.answering(draft, here, None);
        if let Some(input) = draft.inputs.get(known) {
            draft.guard = Formula::zero(Term::var(*input)).negated();
        }
        draft.exact = false;
        draft
    }

    fn locked(
        &mut self,
        draft: Draft,
        here: Here,
        lock: &Value,
        mode: Mode,
        may_fail: bool,
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
        draft.text = format!("locks `{name}`");
        if !may_fail {
            draft.waits = Wait::Lock(id);
        }
        let mut taken = self.answering(draft.clone(), here, Some(0));
        match taken.held.iter_mut().find(|hold| hold.lock == id) {
            None => {
                taken.held.push(Hold { lock: id, mode, count: 1 });
                taken.held.sort_unstable();
                drafts.push(taken);
            }
            // Whoever waits for a lock of its own waits for ever.
            Some(hold)
                if !self.kinds_change
                    && !self.recursive.contains(&id)
                    && hold.mode.max(mode) == Mode::Exclusive => {}
            Some(hold) => {
                hold.count += 1;
                hold.mode = hold.mode.max(mode);
                if hold.count > DEEPEST {
                    return Err(format!("a lock that is taken more than {DEEPEST} times"));
                }
                taken.exact = false;
                drafts.push(taken);
                if self.kinds_change {
                    drafts.push(self.failing(draft, here));
                }
            }
        }
        Ok(drafts)
    }

    fn unlocked(&mut self, draft: Draft, here: Here, lock: &Value) -> Draft {
        let mut draft = self.answering(draft, here, Some(0));
        draft.visible = true;
        let Some(id) = self.lock_at(lock) else {
            let objects = self.pointers.targets(lock);
            let gone = self.distrust_in(&objects, here.context, here.pc, "an unlock");
            self.lose(here.context, here.pc, "which lock is given back here is not known".into());
            draft.held.retain(|hold| !gone.contains(&hold.lock));
            draft.exact = false;
            return draft;
        };
        let name = self.lock_list[id.0 as usize].name.clone();
        draft.text = format!("unlocks `{name}`");
        match draft.held.iter_mut().find(|hold| hold.lock == id) {
            Some(hold) if hold.count > 1 => hold.count -= 1,
            Some(_) => draft.held.retain(|hold| hold.lock != id),
            None => draft.wrong_unlock = Some(id),
        }
        draft
    }

    /// Two steps: the lock is given back, and taken again after the wait.
    fn waited(
        &mut self,
        draft: Draft,
        here: Here,
        phase: u8,
        lock: &Value,
    ) -> Result<Vec<Draft>, String> {
        if phase == 0 {
            let mut draft = self.unlocked(draft, here, lock);
            draft.text = "waits on a condition".into();
            draft.to = Some((here.context, here.pc, 1));
            return Ok(vec![draft]);
        }
        let drafts = self.locked(draft, here, lock, Mode::Exclusive, false)?;
        let mut woken = Vec::new();
        for draft in drafts {
            // Whether it was signalled or the time had come is not followed.
            let mut draft = self.answering(draft, here, None);
            draft.text = "wakes up".into();
            draft.exact = false;
            draft.waits = Wait::Other;
            woken.push(draft);
        }
        Ok(woken)
    }

    /// The argument of a new thread becomes its parameter.
    fn hand_over(&mut self, draft: &mut Draft, here: Here, argument: usize, root: usize) {
        let function = self.program.function(self.calls.contexts[here.context].func);
        let context = self.calls.roots[root];
        let takes = self.program.function(self.calls.contexts[context].func).params > 0;
        let site = &function.calls[here.call as usize];
        if let Some(arg) = site.args.get(argument).filter(|_| takes) {
            let width = self.shape(context, 0).width;
            let value = self.number(here.context, arg.slot, width);
            self.define(draft, context, 0, &value);
        }
    }

    fn created(
        &mut self,
        draft: Draft,
        here: Here,
        routine: &Value,
        argument: usize,
    ) -> Vec<Draft> {
        let function = self.program.function(self.calls.contexts[here.context].func);
        let handle = function.calls[here.call as usize].args[0].slot;
        let handle = self.pointers.at(here.context, handle);
        let func = match routine {
            Value::Number(value) if is_function(routine) => {
                Some(FuncId(address::object(*value).index()))
            }
            _ => None,
        };
        let mut draft = draft;
        draft.visible = true;
        let objects = self.pointers.targets(&handle);
        self.havoc(&mut draft, &objects);
        draft.text = "starts a thread".into();
        let mut failed = self.failing(draft.clone(), here);
        failed.fails = true;
        let mut started = self.answering(draft, here, Some(0));
        started.starts = self.roots.iter().position(|root| Some(root.func) == func);
        if let Some(root) = started.starts {
            self.hand_over(&mut started, here, argument, root);
        }
        vec![started, failed]
    }

    fn chosen(&mut self, mut draft: Draft, here: Here) -> Draft {
        let function = self.program.function(self.calls.contexts[here.context].func);
        let site = &function.calls[here.call as usize];
        let Some(slot) = site.result else { return draft };
        let shape = Shape { width: 32, signed: true };
        let count = self.number(here.context, site.args[0].slot, 32);
        let count = self.arithmetic.read(&count, shape);
        let input = Term::var(self.input(&mut draft, shape.range()));
        let below = Formula::at_least(&count, &input.add(1));
        draft.guard = Formula::non_negative(input.clone()).both(below);
        self.define(&mut draft, here.context, slot, &Number { term: input, shape });
        draft
    }

    fn unknown(&mut self, draft: Draft, here: Here, callee: FuncId) -> Draft {
        let name = exeunt_ir::readable(&self.program.function(callee).name);
        let mut draft = self.answering(draft, here, None);
        let objects: BTreeSet<Object> = self.cells.known.keys().map(|place| place.object).collect();
        let objects = objects
            .into_iter()
            .filter(|object| match object {
                Object::Global(_) => true,
                Object::Frame(..) | Object::Heap(..) | Object::ThreadLocal(_) => {
                    self.pointers.escaped.contains(object)
                }
            })
            .collect();
        self.havoc(&mut draft, &objects);
        draft.visible = true;
        draft.exact = false;
        draft.text = format!("calls `{name}`");
        self.lose(here.context, here.pc, format!("`{name}` may change every shared variable"));
        self.assumptions.insert(format!(
            "`{name}` returns, gives back no lock of its caller, and has nothing run later"
        ));
        draft
    }
}

fn is_function(value: &Value) -> bool {
    match value {
        Value::Number(number) => address::object(*number).space() == Some(Space::Function),
        Value::Nothing
        | Value::Address(..)
        | Value::Somewhere(_)
        | Value::Member(..)
        | Value::Unknown => false,
    }
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
