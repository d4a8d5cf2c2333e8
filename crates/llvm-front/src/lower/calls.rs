//! Calls.

use exeunt_ir::{Arg, CallSite, Callee, Inst};

use super::body::Body;
use super::{Lowered, unsupported};
use crate::llvm::Value;

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
        let args = self.arguments(call)?;
        let target = match self.unit.functions.get(&callee) {
            Some(&id) => Callee::Direct(id),
            None => Callee::Indirect(self.scalar(call.called_value())?),
        };
        let returns_twice = returns_twice(call);
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
        });
        self.emit(Inst::Call { call: row });
        Ok(())
    }

    fn arguments(&mut self, call: Value<'m>) -> Lowered<Vec<Arg>> {
        let fixed = call.called_type().params().len();
        let mut args = Vec::new();
        for (index, value) in call.args().into_iter().enumerate() {
            let by_value = match call.arg_by_value(index as u32) {
                Some(ty) if index >= fixed => {
                    let size = ty.size(self.unit.module).unwrap_or(u64::MAX);
                    match u32::try_from(size) {
                        Ok(size) => size,
                        Err(_) => return unsupported("a huge argument passed by value"),
                    }
                }
                _ => 0,
            };
            let leaves = self.unit.leaves(value.ty())?;
            let slots = self.operand(value)?;
            for (leaf, &slot) in leaves.iter().zip(slots.iter()) {
                args.push(Arg { slot, ty: leaf.ty, by_value });
            }
        }
        Ok(args)
    }
}
