//! Exceptions: calls that they may leave, and where they are received.
//!
//! LLVM has a terminator for such a call (`invoke`) and an instruction that begins
//! the block where an exception arrives (`landingpad`). Here the call has a *pad*:
//! the place to go on, and which exceptions it accepts. The unwinder of the virtual
//! machine writes the exception and the number of its clause into two slots of the
//! function; the copies for phis come next, and then `landingpad` takes them from
//! there.
//!
//! A type is known by the number of the variable that describes it, both in the
//! clause that accepts it and where the handler compares
//! (`llvm.eh.typeid.for`).

use std::ffi::CStr;

use exeunt_ir::{Arg, CallSite, Callee, Clause, Inst, Pad, Scalar, Slot, TrapKind, address};

use super::body::Body;
use super::{Lowered, unsupported};
use crate::llvm::{Block, Opcode, TypeKind, Value};

/// The function that goes on with an exception, which the link step has declared.
pub const RESUME: &CStr = c"_Unwind_Resume";

fn landing_pad_of(block: Block<'_>) -> Option<Value<'_>> {
    let mut instructions = block.instructions().into_iter();
    instructions.find(|instruction| instruction.opcode() == Opcode::LLVMLandingPad)
}

impl<'m> Body<'_, 'm> {
    pub fn invoke(&mut self, block: Block<'m>, invoke: Value<'m>) -> Lowered<()> {
        let [normal, unwind] = invoke.successors()[..] else {
            return unsupported("an invoke without two successors");
        };
        let mut stubs = Vec::new();
        let to = self.edge_label(unwind, &mut stubs);
        let Some(landing) = landing_pad_of(unwind) else {
            return unsupported("exception handling of another system");
        };
        let received = self.received();
        let clauses = landing.clauses().into_iter().map(|clause| self.clause(clause));
        let clauses = clauses.collect::<Lowered<Box<[Clause]>>>()?;
        let cleanup = landing.is_cleanup();
        self.out.pads.push(Pad { to, received, cleanup, clauses });
        self.pad = Some(self.out.pads.len() as u32 - 1);
        let called = self.call(invoke);
        // An intrinsic or assembly is no call, and throws nothing.
        self.pad = None;
        called?;
        self.jump(block, normal, stubs.is_empty())?;
        self.write_stubs(block, stubs);
        Ok(())
    }

    fn received(&mut self) -> Slot {
        if let Some(slot) = self.received {
            return slot;
        }
        let slot = self.fresh(2);
        self.received = Some(slot);
        slot
    }

    fn clause(&mut self, clause: Value<'m>) -> Lowered<Clause> {
        if clause.ty().kind() != TypeKind::LLVMArrayTypeKind {
            return Ok(Clause::Catch(self.scalar(clause)?));
        }
        let slots: Vec<Slot> = self.operand(clause)?.to_vec();
        Ok(Clause::Filter(slots.into()))
    }

    pub fn landing_pad(&mut self, landing: Value<'m>) -> Lowered<()> {
        let from = self.received();
        let results = self.result(landing)?;
        let [exception, selector] = results[..] else {
            return unsupported("an exception that is not a pointer and a number");
        };
        self.emit(Inst::Mov { dst: exception, src: from });
        self.emit(Inst::Mov { dst: selector, src: from + 1 });
        Ok(())
    }

    /// The exception goes on to the callers.
    pub fn resume(&mut self, resume: Value<'m>) -> Lowered<()> {
        let exception = self.operand(resume.operand(0))?;
        let Some(id) = self.unit.function_named(RESUME) else {
            return unsupported("an exception without the library that unwinds");
        };
        let signature = self.unit.program.functions[id.0 as usize].signature;
        let arg = Arg { slot: exception[0], ty: Scalar::Ptr, by_value: 0, place: None };
        self.out.calls.push(CallSite {
            callee: Callee::Direct(id),
            args: Box::new([arg]),
            result: None,
            result_slots: 0,
            signature,
            returns_twice: false,
            pad: None,
        });
        self.emit(Inst::Call { call: self.out.calls.len() as u32 - 1 });
        self.emit(Inst::Trap { kind: TrapKind::Unreachable });
        Ok(())
    }

    /// The number by which a handler knows a type.
    pub fn type_number(&mut self, call: Value<'m>, ty: Value<'m>) -> Lowered<()> {
        let slot = self.scalar(ty)?;
        let Some(known) = self.constant_at(slot) else {
            return unsupported("a type that is no constant");
        };
        let number = self.constant(u64::from(address::type_number(known)));
        self.alias(call, [number].into());
        Ok(())
    }
}
