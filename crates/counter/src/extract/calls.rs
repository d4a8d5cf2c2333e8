//! Calls, returns and switches.

use std::collections::BTreeSet;

use exeunt_ir::{Callee, FuncId, Pc, Scalar, Slot};
use exeunt_model::Label;
use exeunt_smt::{Formula, Int, Term, Var};

use super::arithmetic::Number;
use super::beginnings::address;
use super::build::{Builder, Draft, meaning_of};
use super::cells::Place;
use super::shape::Shape;
use super::starts::handed_to;
use crate::address::{Object, Value};
use crate::formats;
use crate::library::{self, Again, Meaning};
use crate::{NodeId, Role, VarKind, Wait};

/// Where a call is.
#[derive(Clone, Copy)]
pub(super) struct Here {
    pub context: usize,
    pub pc: Pc,
    pub call: u32,
}

impl Builder<'_> {
    pub(super) fn place_name(&self, place: Place) -> String {
        super::cells::name(self.program, &self.calls.contexts, place)
    }

    pub(super) fn is_shared(&self, var: Var) -> bool {
        self.vars[var.0 as usize].kind == VarKind::Shared
    }

    pub(super) fn unsupported(&self, context: usize, pc: Pc, what: &str) -> String {
        let place = self.location(context, pc).map_or(String::new(), |l| format!(" ({l})"));
        format!("{what}{place}")
    }

    pub(super) fn switch(
        &mut self,
        next: &Draft,
        context: usize,
        value: Slot,
        table: u32,
    ) -> Vec<Draft> {
        let function = self.program.function(self.calls.contexts[context].func);
        let table = function.switches[table as usize].clone();
        let shape = self.shape(context, value);
        let number = self.number(context, value, shape.width);
        let mut drafts = Vec::new();
        let mut others = Formula::True;
        for (case, to) in &table.cases {
            let case = self.arithmetic.constant(*case, shape.width, number.shape.signed);
            let equal = Formula::equal(&number.term, &case);
            others = others.both(equal.negated());
            let guard = equal;
            drafts.push(Draft { guard, to: Some((context, *to, 0)), ..next.clone() });
        }
        let to = Some((context, table.default, 0));
        drafts.push(Draft { guard: others, to, ..next.clone() });
        drafts
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
        let leaps = library::leaps(name) && self.program.function(callee).is_declaration();
        if site.returns_twice || leaps || name.contains("_M_start_thread") {
            let place = self.location(context, pc).map_or(String::new(), |l| format!(" ({l})"));
            let name = exeunt_ir::readable(name);
            return Err(format!("the control flow of `{name}`{place}"));
        }
        if &**name == "__cxa_atexit" && self.request.wish.beside.is_some() {
            return Err(self.unsupported(context, pc, "what runs when the program ends"));
        }
        let argument = |builder: &Self, index: usize| match site.args.get(index) {
            Some(arg) => builder.pointers.at(context, arg.slot),
            None => Value::Unknown,
        };
        Ok(match meaning_of(self, callee) {
            Some(Meaning::Lock { mode, may_fail, again, .. }) => {
                let lock = argument(self, 0);
                let mut draft = draft;
                let more = if again == Again::Unknown { site.args.len() } else { 0 };
                for index in 1..more {
                    let target = argument(self, index);
                    if self.is_only_handed_on(&target) {
                        let objects = self.pointers.targets(&target);
                        self.havoc(&mut draft, &objects);
                    } else {
                        self.wild_write(&mut draft, context, pc, &target, "taking a lock");
                    }
                }
                self.locked(draft, here, &lock, mode, may_fail, again)?
            }
            Some(Meaning::Unlock { .. }) => {
                let lock = argument(self, 0);
                vec![self.unlocked(draft, here, &lock)]
            }
            Some(Meaning::CondWait { timed }) => {
                let (condition, lock) = (argument(self, 0), argument(self, 1));
                let condition = self.awaited(here, &condition).filter(|_| !timed);
                self.waited(draft, here, phase, (condition, &lock))?
            }
            Some(Meaning::CondSignal) => {
                let condition = argument(self, 0);
                vec![self.signalled(draft, here, &condition)]
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
                let mut draft = self.answering(draft, here, answers_zero.then_some(0));
                let args: Vec<Value> =
                    (0..site.args.len()).map(|index| argument(self, index)).collect();
                if formats::may_write(self.program, callee, &args) {
                    for target in &args {
                        self.wild_write(&mut draft, context, pc, target, "a format");
                    }
                }
                draft.exact &= answers_zero || !self.is_read(here);
                vec![draft]
            }
            Some(Meaning::Nondet) => vec![self.answering(draft, here, None)],
            Some(Meaning::Allocates { zeroed }) => self.allocated(draft, here, zeroed),
            Some(meaning @ (Meaning::WritesArguments | Meaning::Joins)) => {
                let mut draft = self.answering(draft, here, None);
                if meaning == Meaning::Joins {
                    draft.waits = Wait::Other;
                    draft.exact = false;
                    draft.ends = self.ended_behind(here);
                }
                for (index, arg) in site.args.iter().enumerate() {
                    if arg.ty == Scalar::Ptr {
                        let target = argument(self, index);
                        self.wild_write(&mut draft, context, pc, &target, "a call");
                    }
                }
                draft.exact &= !self.is_read(here);
                vec![draft]
            }
            Some(Meaning::Create { routine, argument: handed }) => {
                let routine = argument(self, routine);
                self.created(draft, here, &routine, handed)
            }
            Some(Meaning::Ends { program }) => {
                if !program && self.program.functions.iter().any(|f| f.name.starts_with("_Z")) {
                    self.leaves_cxx(context, pc)?;
                }
                Vec::new()
            }
            Some(Meaning::GuardAcquire) => match self.first_of_all(&draft, here) {
                Some(drafts) => drafts,
                None => vec![self.unknown(draft, here, callee)],
            },
            Some(Meaning::GuardRelease) => match self.made(draft.clone(), here) {
                Some(draft) => vec![draft],
                None => vec![self.unknown(draft, here, callee)],
            },
            Some(Meaning::Assume) => {
                let mut draft = draft;
                let value = self.number(context, site.args[0].slot, 32);
                draft.guard = Formula::zero(value.term).negated();
                // Others see what was done before a run ends here.
                draft.visible = true;
                vec![draft]
            }
            Some(Meaning::Choose) => vec![self.chosen(draft, here)],
            Some(Meaning::AtomicBlock) => {
                let mut draft = self.answering(draft, here, None);
                self.lose(context, pc, "an atomic block is treated as if it were none".into());
                draft.exact = false;
                vec![draft]
            }
            Some(Meaning::ChangesLocks { .. }) => vec![self.answering(draft, here, Some(0))],
            Some(Meaning::List { op, list }) => self.listed(draft, here, op, list),
            Some(Meaning::Semaphore(op)) => self.semaphore(draft, here, op),
            Some(Meaning::Interlocked(op)) => self.interlocked(draft, here, op),
            None => {
                let values = site.args.iter().map(|arg| self.pointers.at(context, arg.slot));
                if values.into_iter().any(|value| value.function().is_some()) {
                    let place =
                        self.location(context, pc).map_or(String::new(), |l| format!(" ({l})"));
                    return Err(handed_to(&self.program.function(callee).name, &place));
                }
                vec![self.unknown(draft, here, callee)]
            }
        })
    }

    /// `pthread_exit` runs destructors of objects that are there, which are not in the bytecode of proofs. Those
    /// of `main` are taken for granted.
    fn leaves_cxx(&mut self, context: usize, pc: Pc) -> Result<(), String> {
        if self.roots[self.calls.contexts[context].thread].role != Role::Main {
            return Err(self.unsupported(context, pc, "`pthread_exit` in a thread of C++"));
        }
        let text = "destructors that `pthread_exit` runs in `main` change nothing that others see";
        self.assumptions.insert(text.to_string());
        Ok(())
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

    /// Memory of its own; `null` if there is none, which runs that are shown do not rely on.
    fn allocated(&mut self, draft: Draft, here: Here, zeroed: bool) -> Vec<Draft> {
        let function = self.program.function(self.calls.contexts[here.context].func);
        let Some(slot) = function.calls[here.call as usize].result else { return vec![draft] };
        let mut failed = draft.clone();
        failed.exact = false;
        let none = address(Term::number(0));
        self.define(&mut failed, here.context, slot, &none);
        let mut made = draft;
        self.renew(&mut made, Object::Heap(here.context, here.pc), zeroed);
        let input = self.input(&mut made, (4096, 1 << 47));
        self.leave_open(&made, made.inputs.len() - 1);
        self.define(&mut made, here.context, slot, &address(Term::var(input)));
        vec![made, failed]
    }

    /// Whether the program ends at an instruction.
    pub(super) fn exits(&self, context: usize, pc: Pc) -> bool {
        let function = self.program.function(self.calls.contexts[context].func);
        let site = function.call_at(pc);
        match site.map(|site| &site.callee) {
            Some(Callee::Direct(callee)) => {
                meaning_of(self, *callee) == Some(Meaning::Ends { program: true })
            }
            Some(Callee::Indirect(_)) | None => false,
        }
    }

    /// Whether anything depends on the result of a call.
    pub(super) fn is_read(&self, here: Here) -> bool {
        let function = self.program.function(self.calls.contexts[here.context].func);
        let site = &function.calls[here.call as usize];
        let Some(result) = site.result else { return false };
        let own = result..result + site.result_slots;
        let mut read = false;
        for inst in &function.code {
            inst.operands(function, &mut |operand| {
                let mut slots = operand.slot..operand.slot + operand.count;
                read |= !operand.write && slots.any(|slot| own.contains(&slot));
            });
        }
        read
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
                Object::Frame(..) | Object::Heap(..) | Object::ThreadLocal(..) => {
                    self.pointers.escaped.contains(object)
                }
            })
            .collect();
        self.havoc(&mut draft, &objects);
        self.signals_all(&mut draft);
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
