//! Single and double precision. A result that is no number is left to the interpreter: which bits it has is not
//! the same on all machines.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, MemFlags, Type, Value, types};
use exeunt_ir::{CastOp, FloatKind, FloatOp, FloatPred, Pc, Slot};

use super::{Emitted, Emitter};

pub(super) fn is_short(kind: FloatKind) -> bool {
    match kind {
        FloatKind::F32 | FloatKind::F64 => true,
        FloatKind::F80 => false,
    }
}

pub(super) fn is_plain(op: FloatOp, kind: FloatKind) -> bool {
    is_short(kind) && matches!(op, FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div)
}

pub(super) fn is_plain_cast(op: CastOp, kind: FloatKind, to: FloatKind, width: u8) -> bool {
    match op {
        CastOp::SignedToFloat | CastOp::UnsignedToFloat => is_short(kind) && width <= 64,
        CastOp::FloatToFloat => is_short(kind) && is_short(to) && kind != to,
        CastOp::FloatToSigned
        | CastOp::FloatToUnsigned
        | CastOp::FloatToSignedSat
        | CastOp::FloatToUnsignedSat => false,
    }
}

fn type_of(kind: FloatKind) -> Type {
    match kind {
        FloatKind::F32 => types::F32,
        FloatKind::F64 => types::F64,
        FloatKind::F80 => unreachable!("long doubles are not compiled"),
    }
}

impl Emitter<'_, '_> {
    pub(super) fn float(
        &mut self,
        pc: Pc,
        op: FloatOp,
        kind: FloatKind,
        dst: Slot,
        a: Slot,
        b: Slot,
    ) -> Emitted<()> {
        let (x, y) = (self.float_in(kind, a)?, self.float_in(kind, b)?);
        let value = match op {
            FloatOp::Add => self.b.ins().fadd(x, y),
            FloatOp::Sub => self.b.ins().fsub(x, y),
            FloatOp::Mul => self.b.ins().fmul(x, y),
            FloatOp::Div => self.b.ins().fdiv(x, y),
            FloatOp::Rem
            | FloatOp::MinNum
            | FloatOp::MaxNum
            | FloatOp::Minimum
            | FloatOp::Maximum
            | FloatOp::CopySign
            | FloatOp::Pow
            | FloatOp::PowI
            | FloatOp::LdExp
            | FloatOp::Atan2 => unreachable!("not plain"),
        };
        self.set_float(pc, kind, dst, value);
        Ok(())
    }

    pub(super) fn compare_floats(
        &mut self,
        pred: FloatPred,
        kind: FloatKind,
        dst: Slot,
        a: Slot,
        b: Slot,
    ) -> Emitted<()> {
        let (x, y) = (self.float_in(kind, a)?, self.float_in(kind, b)?);
        let code = match pred {
            FloatPred::False | FloatPred::True => {
                let value = self.number((pred == FloatPred::True).into());
                self.set(dst, value);
                return Ok(());
            }
            FloatPred::Oeq => FloatCC::Equal,
            FloatPred::Ogt => FloatCC::GreaterThan,
            FloatPred::Oge => FloatCC::GreaterThanOrEqual,
            FloatPred::Olt => FloatCC::LessThan,
            FloatPred::Ole => FloatCC::LessThanOrEqual,
            FloatPred::One => FloatCC::OrderedNotEqual,
            FloatPred::Ord => FloatCC::Ordered,
            FloatPred::Ueq => FloatCC::UnorderedOrEqual,
            FloatPred::Ugt => FloatCC::UnorderedOrGreaterThan,
            FloatPred::Uge => FloatCC::UnorderedOrGreaterThanOrEqual,
            FloatPred::Ult => FloatCC::UnorderedOrLessThan,
            FloatPred::Ule => FloatCC::UnorderedOrLessThanOrEqual,
            FloatPred::Une => FloatCC::NotEqual,
            FloatPred::Uno => FloatCC::Unordered,
        };
        let bit = self.b.ins().fcmp(code, x, y);
        let value = self.b.ins().uextend(types::I64, bit);
        self.set(dst, value);
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn cast(
        &mut self,
        pc: Pc,
        op: CastOp,
        kind: FloatKind,
        to: FloatKind,
        width: u8,
        dst: Slot,
        a: Slot,
    ) -> Emitted<()> {
        match op {
            CastOp::SignedToFloat => {
                let value = self.get(a)?;
                let value = self.signed(value, width);
                let value = self.b.ins().fcvt_from_sint(type_of(kind), value);
                self.set_float(pc, kind, dst, value);
            }
            CastOp::UnsignedToFloat => {
                let value = self.get(a)?;
                let value = self.b.ins().fcvt_from_uint(type_of(kind), value);
                self.set_float(pc, kind, dst, value);
            }
            CastOp::FloatToFloat => {
                let value = self.float_in(kind, a)?;
                let value = match to {
                    FloatKind::F64 => self.b.ins().fpromote(types::F64, value),
                    FloatKind::F32 | FloatKind::F80 => self.b.ins().fdemote(types::F32, value),
                };
                self.set_float(pc, to, dst, value);
            }
            CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::FloatToSignedSat
            | CastOp::FloatToUnsignedSat => unreachable!("not plain"),
        }
        Ok(())
    }

    fn float_in(&mut self, kind: FloatKind, slot: Slot) -> Emitted<Value> {
        let bits = self.get(slot)?;
        let bits = match kind {
            FloatKind::F32 => self.b.ins().ireduce(types::I32, bits),
            FloatKind::F64 | FloatKind::F80 => bits,
        };
        Ok(self.b.ins().bitcast(type_of(kind), MemFlags::new(), bits))
    }

    fn set_float(&mut self, pc: Pc, kind: FloatKind, dst: Slot, value: Value) {
        let nan = self.b.ins().fcmp(FloatCC::Unordered, value, value);
        self.leave_if(pc, nan);
        let value = match kind {
            FloatKind::F32 => {
                let bits = self.b.ins().bitcast(types::I32, MemFlags::new(), value);
                self.b.ins().uextend(types::I64, bits)
            }
            FloatKind::F64 | FloatKind::F80 => {
                self.b.ins().bitcast(types::I64, MemFlags::new(), value)
            }
        };
        self.set(dst, value);
    }
}
