//! Calls.

use exeunt_ir::{Arg, CallSite, Callee, Inst, Slot};

use super::body::Body;
use super::varargs::Places;
use super::{Lowered, unsupported};
use crate::llvm::{Type, Value};

/// Follows aliases to the function behind a called value.
fn called_function(mut value: Value<'_>) -> Value<'_> {
    while let Some(aliasee) = value.aliasee() {
        value = aliasee;
    }
    value
}

/// Whether a `longjmp` may come back to a call.
pub(super) fn returns_twice(call: Value<'_>) -> bool {
    let callee = called_function(call.called_value());
    call.has_call_attribute("returns_twice")
        || (callee.is_function() && callee.has_function_attribute("returns_twice"))
}

impl<'m> Body<'_, 'm> {
    pub fn call(&mut self, call: Value<'m>) -> Lowered<()> {
        let callee = called_function(call.called_value());
        if let Some((text, constraints)) = callee.inline_asm() {
            return self.inline_asm(call, &text, &constraints);
        }
        if let Some(name) = callee.intrinsic_name() {
            return self.intrinsic(call, &name);
        }
        self.plain_call(call, callee)
    }

    fn plain_call(&mut self, call: Value<'m>, callee: Value<'m>) -> Lowered<()> {
        let mut args = self.arguments(call, callee)?;
        let target = match self.unit.functions.get(&callee) {
            Some(&id) => Callee::Direct(id),
            None => Callee::Indirect(self.scalar(call.called_value())?),
        };
        let returns_twice = returns_twice(call);
        let copied = self.copy_by_value(&mut args)?;
        let before = self.fresh(0);
        let results = self.result(call)?;
        let result_slots = self.fresh(0) - before;
        let signature = self.unit.signature_of(call.called_type());
        let row = self.out.calls.len() as u32;
        self.out.calls.push(CallSite {
            callee: target,
            args: args.into(),
            result: results.first().copied(),
            result_slots,
            signature,
            returns_twice,
            pad: self.pad.take(),
        });
        self.emit(Inst::Call { call: row });
        if let Some(src) = copied {
            self.emit(Inst::StackRestore { src });
        }
        Ok(())
    }

    fn arguments(&mut self, call: Value<'m>, callee: Value<'m>) -> Lowered<Vec<Arg>> {
        let ty = call.called_type();
        let fixed = ty.params().len();
        let known = callee.is_function() && callee.value_type() == ty;
        let mut places = (ty.is_variadic() || !known).then(Places::default);
        let mut args = Vec::new();
        for (index, value) in call.args().into_iter().enumerate() {
            let copied = call.arg_by_value(index as u32);
            let by_value = match copied {
                Some(ty) if index >= fixed => self.argument_size(ty)?,
                _ => 0,
            };
            let places = match (&mut places, copied) {
                (None, _) => Vec::new(),
                (Some(places), Some(ty)) => {
                    let align = call.arg_alignment(index as u32);
                    vec![Some(places.on_stack(self.argument_size(ty)?, align))]
                }
                (Some(places), None) => self.unit.places(places, value.ty())?,
            };
            let leaves = self.unit.leaves(value.ty())?;
            let slots = self.operand(value)?;
            for (i, (leaf, &slot)) in leaves.iter().zip(slots.iter()).enumerate() {
                let place = places.get(i).copied().flatten();
                args.push(Arg { slot, ty: leaf.ty, by_value, place });
            }
        }
        Ok(args)
    }

    fn argument_size(&self, ty: Type<'m>) -> Lowered<u32> {
        let size = ty.size(self.unit.module).unwrap_or(u64::MAX);
        match u32::try_from(size) {
            Ok(size) => Ok(size),
            Err(_) => unsupported("a huge argument passed by value"),
        }
    }

    /// Copies what is passed by value among variadic arguments to objects that
    /// nobody else knows: reading it is then an access like any other, and the
    /// call itself reads nothing shared. Gives what restores the stack.
    fn copy_by_value(&mut self, args: &mut [Arg]) -> Lowered<Option<Slot>> {
        if args.iter().all(|arg| arg.by_value == 0) {
            return Ok(None);
        }
        let saved = self.fresh(1);
        self.emit(Inst::StackSave { dst: saved });
        for arg in args.iter_mut().filter(|arg| arg.by_value != 0) {
            let (count, len) = (self.constant(1), self.constant(arg.by_value.into()));
            let (dst, src) = (self.fresh(1), arg.slot);
            self.emit(Inst::Alloca { dst, size: arg.by_value, count });
            self.emit(Inst::MemCopy { dst, src, len, may_overlap: false, volatile: false });
            arg.slot = dst;
        }
        Ok(Some(saved))
    }
}
