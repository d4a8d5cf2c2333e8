//! Joins: which thread has ended behind them.
//!
//! Behind a join in `main` the joined thread makes no more steps, so what `main` does there does not disturb it. Which
//! thread it is, is known if its handle is in a variable that only the call which starts it writes, and if that
//! call is made once. Nobody may detach threads: to join one of those may return at once.

use exeunt_ir::{Callee, Inst, Pc, Size, Slot, Touch};

use super::build::{Builder, meaning_of};
use super::calls::Here;
use super::cells::{Place, meet};
use crate::Role;
use crate::address::{Object, Value};
use crate::library::{Again, Meaning};

/// The bytes of a handle.
const HANDLE: i64 = 8;

/// Calls that let a thread go, or make such threads.
const DETACHES: &[&str] = &["pthread_detach", "thrd_detach", "pthread_attr_setdetachstate"];

impl Builder<'_> {
    /// The thread that has ended behind a join, if that is known.
    pub(super) fn ended_behind(&self, here: Here) -> Option<usize> {
        if !self.is_main(here.context) || self.threads_are_let_go() {
            return None;
        }
        let function = self.program.function(self.calls.contexts[here.context].func);
        let handle = function.calls[here.call as usize].args.first()?.slot;
        let place = self.place_of_handle(here.context, handle)?;
        let groups = self.plan.groups.iter().zip(&self.plan.starts);
        let mut found = groups.filter_map(|(group, starts)| {
            let (&[(thread, _)], true) = (starts.as_slice(), group.once) else { return None };
            let mut sites = group.sites.iter();
            let (Some(site), None) = (sites.next(), sites.next()) else { return None };
            (self.handle_of(*site)? == place).then_some((thread, *site))
        });
        let (thread, site) = found.next()?;
        let alone = found.next().is_none() && self.only_writer(place, site);
        let startable = |starts: &Vec<(usize, usize)>| starts.iter().any(|(at, _)| *at == thread);
        let ways = self.plan.starts.iter().filter(|starts| startable(starts)).count();
        (alone && ways == 1).then_some(thread)
    }

    fn is_main(&self, context: usize) -> bool {
        self.roots[self.calls.contexts[context].thread].role == Role::Main
    }

    /// Whether a join may return although its thread runs: one that was detached, or one of two that join each
    /// other.
    fn threads_are_let_go(&self) -> bool {
        self.all_calls().any(|(context, _, callee)| {
            let name = &*self.program.function(callee).name;
            let joins = meaning_of(self, callee) == Some(Meaning::Joins);
            DETACHES.contains(&name) || joins && !self.is_main(context)
        })
    }

    /// All direct calls that a run may come to: where they are, and of what.
    pub(super) fn all_calls(&self) -> impl Iterator<Item = (usize, Pc, exeunt_ir::FuncId)> {
        self.calls.contexts.iter().enumerate().flat_map(move |(context, at)| {
            let function = self.program.function(at.func);
            let code = function.code.iter().enumerate();
            code.filter_map(move |(pc, inst)| {
                let pc = pc as Pc;
                let Callee::Direct(callee) = function.calls[inst.call()? as usize].callee else {
                    return None;
                };
                self.pointers.is_reached(context, pc).then_some((context, pc, callee))
            })
        })
    }

    /// The variable that a register was read from, if nobody else knows its address.
    fn place_of_handle(&self, context: usize, slot: Slot) -> Option<Place> {
        let function = self.program.function(self.calls.contexts[context].func);
        let mut writers = function.code.iter().filter(|inst| {
            let mut writes = false;
            inst.operands(function, &mut |operand| {
                let mut slots = operand.slot..operand.slot + operand.count;
                writes |= operand.write && slots.any(|other| other == slot);
            });
            writes
        });
        let (Some(Inst::Load { bits: 64, addr, .. }), None) = (writers.next(), writers.next())
        else {
            return None;
        };
        let Value::Address(object, offset) = self.pointers.at(context, *addr) else { return None };
        let once = match object {
            Object::Frame(context, pc) | Object::Heap(context, pc) => {
                let at = &self.calls.contexts[context];
                at.once && !super::contexts::repeats(self.program.function(at.func), pc)
            }
            Object::Global(_) => true,
            Object::ThreadLocal(..) => false,
        };
        let known = once && !self.pointers.escaped.contains(&object);
        known.then_some(Place { object, offset, bytes: HANDLE })
    }

    /// Where a call that starts a thread puts its handle.
    fn handle_of(&self, (context, pc): (usize, Pc)) -> Option<Place> {
        let function = self.program.function(self.calls.contexts[context].func);
        let slot = function.call_at(pc)?.args.first()?.slot;
        let Value::Address(object, offset) = self.pointers.at(context, slot) else { return None };
        Some(Place { object, offset, bytes: HANDLE })
    }

    /// Whether nothing but this call writes a variable, but for zeros, which are no handle.
    fn only_writer(&self, place: Place, site: (usize, Pc)) -> bool {
        let hit = |value: &Value, bytes: Option<i64>| match value {
            Value::Address(object, offset) => match bytes {
                Some(bytes) => meet(&place, &Place { object: *object, offset: *offset, bytes }),
                None => *object == place.object,
            },
            other => self.pointers.targets(other).contains(&place.object),
        };
        for (context, at) in self.calls.contexts.iter().enumerate() {
            let function = self.program.function(at.func);
            for (pc, inst) in function.code.iter().enumerate() {
                if !self.pointers.is_reached(context, pc as Pc) {
                    continue;
                }
                if let Inst::Store { src, .. } = *inst
                    && self.pointers.at(context, src) == Value::Number(0)
                {
                    continue;
                }
                let mut written = false;
                inst.touches(|touch| {
                    let (Touch::Writes { addr, size, .. } | Touch::Updates { addr, size, .. }) =
                        touch
                    else {
                        return;
                    };
                    let bytes = match size {
                        Size::Bytes(bytes) => Some(i64::from(bytes)),
                        Size::Slot(_) => None,
                    };
                    written |= hit(&self.pointers.at(context, addr), bytes);
                });
                if let Some(call) = function.call_at(pc as Pc)
                    && self.may_write_arguments(context, pc as Pc, &call.callee)
                {
                    let starts = (context, pc as Pc) == site;
                    let mut args = call.args.iter().skip(usize::from(starts));
                    written |= args.any(|arg| hit(&self.pointers.at(context, arg.slot), None));
                }
                if written {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a call may change what its arguments point to, but for locks and conditions.
    fn may_write_arguments(&self, context: usize, pc: Pc, callee: &Callee) -> bool {
        let Callee::Direct(callee) = *callee else { return true };
        if self.calls.children.contains_key(&(context, pc)) {
            return false;
        }
        match meaning_of(self, callee) {
            Some(
                Meaning::Lock { again: Again::Waits | Again::Refused, .. }
                | Meaning::Unlock { .. }
                | Meaning::CondWait { .. }
                | Meaning::CondSignal
                | Meaning::LockLife { .. }
                | Meaning::Blocks { .. }
                | Meaning::Nondet
                | Meaning::Semaphore(_)
                | Meaning::Ends { .. }
                | Meaning::Assume
                | Meaning::Choose
                | Meaning::AtomicBlock
                | Meaning::GuardAcquire
                | Meaning::GuardRelease,
            ) => false,
            Some(
                Meaning::Lock { again: Again::Unknown, .. }
                | Meaning::Pure { .. }
                | Meaning::Allocates { .. }
                | Meaning::WritesArguments
                | Meaning::Joins
                | Meaning::Create { .. }
                | Meaning::ChangesLocks { .. }
                | Meaning::List { .. }
                | Meaning::Interlocked(_),
            )
            | None => true,
        }
    }
}
