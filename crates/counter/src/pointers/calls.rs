//! What calls do to pointers.

use std::collections::BTreeSet;

use exeunt_ir::{Callee, Pc, Scalar};

use super::Pointers;
use crate::address::{Object, Value};
use crate::formats;
use crate::library::{Again, ListOp, Meaning};

impl Pointers<'_> {
    pub(super) fn returned(&mut self, context: usize, values: &[Value]) {
        let Some((caller, pc)) = self.contexts[context].caller else {
            values.iter().for_each(|value| self.escape(value));
            return;
        };
        let function = self.program.function(self.contexts[caller].func);
        let Some(result) = function.call_at(pc).and_then(|site| site.result) else { return };
        let count = function.call_at(pc).map_or(0, |site| site.result_slots);
        let values = values.iter().cloned().chain(std::iter::repeat(Value::Unknown));
        for (slot, value) in (result..result + count).zip(values) {
            self.define(caller, slot, value);
        }
    }

    pub(super) fn call(&mut self, context: usize, pc: Pc, call: u32) {
        let function = self.program.function(self.contexts[context].func);
        let site = &function.calls[call as usize];
        let args: Vec<Value> = site.args.iter().map(|arg| self.at(context, arg.slot)).collect();
        if let Some(&child) = self.scene.children.get(&(context, pc)) {
            self.reach(child, 0);
            let params = self.program.function(self.contexts[child].func).params;
            let mut slot = 0;
            for (arg, value) in site.args.iter().zip(args) {
                if slot < params {
                    self.define(child, slot, value);
                } else {
                    // It is found by the address of the arguments, which is not followed.
                    self.escape(&value);
                }
                for more in slot + 1..(slot + arg.ty.slots()).min(params) {
                    self.define(child, more, Value::Unknown);
                }
                slot += arg.ty.slots();
            }
            (slot..params).for_each(|slot| self.define(child, slot, Value::Unknown));
            return;
        }
        let meaning = match site.callee {
            Callee::Direct(callee) => (self.scene.meaning)(callee),
            // Not yet expanded, or refused.
            Callee::Indirect(_) => return,
        };
        let result = match meaning {
            Some(Meaning::Create { argument, .. }) => {
                // The first is where the name of the thread goes, a number of 64 bits.
                args.iter().take(1).for_each(|value| self.store(value, Value::Unknown, 64));
                args.get(argument).into_iter().for_each(|value| self.escape(value));
                Value::Unknown
            }
            Some(Meaning::WritesArguments) => {
                let pointers = site.args.iter().zip(&args).filter(|(arg, _)| arg.ty == Scalar::Ptr);
                pointers.for_each(|(_, value)| self.store_anything(value));
                Value::Unknown
            }
            Some(Meaning::Joins) => {
                // Where the result goes: a pointer, or an `int`.
                let pointers = site.args.iter().zip(&args).filter(|(arg, _)| arg.ty == Scalar::Ptr);
                pointers.for_each(|(_, value)| self.store(value, Value::Unknown, 64));
                Value::Unknown
            }
            Some(Meaning::Pure { .. }) => {
                if let Callee::Direct(callee) = site.callee
                    && formats::may_write(self.program, callee, &args)
                {
                    args.iter().for_each(|value| self.store_anything(value));
                }
                Value::Unknown
            }
            Some(Meaning::Allocates { zeroed }) => {
                let made = Value::Address(Object::Heap(context, pc), 0);
                if zeroed {
                    self.store_null(&made, None);
                }
                made
            }
            Some(Meaning::List { op, list }) => self.listed(op, list, &args),
            Some(Meaning::Interlocked(_)) => {
                args.iter().take(1).for_each(|value| self.store_anything(value));
                args.iter().skip(1).for_each(|value| self.escape(value));
                Value::Unknown
            }
            Some(Meaning::Lock { again: Again::Unknown, .. }) => {
                args.iter().skip(1).for_each(|value| self.store_anything(value));
                Value::Unknown
            }
            Some(
                Meaning::Lock { again: Again::Waits | Again::Refused, .. }
                | Meaning::Unlock { .. }
                | Meaning::CondWait { .. }
                | Meaning::CondSignal
                | Meaning::LockLife { .. }
                | Meaning::Blocks { .. }
                | Meaning::Nondet
                | Meaning::Ends { .. }
                | Meaning::Assume
                | Meaning::Choose
                | Meaning::AtomicBlock
                | Meaning::GuardAcquire
                | Meaning::GuardRelease
                | Meaning::Semaphore(_)
                | Meaning::ChangesLocks { .. },
            ) => Value::Unknown,
            None => {
                args.iter().for_each(|value| self.escape(value));
                self.anything_happens();
                Value::Unknown
            }
        };
        let Some(slot) = site.result else { return };
        for slot in slot..slot + site.result_slots {
            self.define(context, slot, result.clone());
        }
    }

    /// What a list operation does to pointers: elements that are added come out again.
    fn listed(&mut self, op: ListOp, list: usize, args: &[Value]) -> Value {
        let added = match op {
            ListOp::Push => args.iter().enumerate().filter(|(index, _)| *index != list).collect(),
            ListOp::Move => args.iter().enumerate().take(1).collect(),
            ListOp::Init
            | ListOp::Pop
            | ListOp::PopAlways
            | ListOp::Drop
            | ListOp::Remove
            | ListOp::Append
            | ListOp::IsEmpty
            | ListOp::Length
            | ListOp::Version
            | ListOp::First
            | ListOp::Change => Vec::new(),
        };
        for (_, value) in added {
            // Somewhere in it: a list is threaded through its elements, which whoever finds them
            // may change.
            self.store_anything(value);
            self.escape(value);
            let within = match value {
                Value::Nothing | Value::Number(_) => continue,
                Value::Address(object, _) => Value::Somewhere(BTreeSet::from([*object])),
                Value::Member(..) => continue,
                Value::Somewhere(_) | Value::Unknown => value.clone(),
            };
            let joined = self.elements.joined(&within);
            if joined != self.elements {
                self.elements = joined;
                self.changed = true;
            }
        }
        match (op, args.get(list)) {
            (ListOp::Pop | ListOp::PopAlways | ListOp::First, Some(Value::Address(object, at))) => {
                Value::Member(*object, *at)
            }
            _ => Value::Unknown,
        }
    }
}
