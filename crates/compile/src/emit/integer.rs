//! Integers of up to 64 bits, and addresses, which are such.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use exeunt_ir::address::Space;
use exeunt_ir::{CmpPred, IntOp, Pc, Slot};

use super::{Emitted, Emitter};

fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

impl Emitter<'_, '_> {
    pub(super) fn int(
        &mut self,
        pc: Pc,
        op: IntOp,
        width: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    ) -> Emitted<()> {
        let (x, y) = (self.get(a)?, self.get(b)?);
        // An address that is hidden from those who look for it is the interpreter's business.
        if let IntOp::Xor | IntOp::Or | IntOp::Shl | IntOp::LShr | IntOp::AShr | IntOp::Mul = op {
            self.leave_if_on_heap(pc, a, x);
            self.leave_if_on_heap(pc, b, y);
        }
        let value = match op {
            IntOp::Add => self.b.ins().iadd(x, y),
            IntOp::Sub => self.b.ins().isub(x, y),
            IntOp::Mul => self.b.ins().imul(x, y),
            IntOp::And => self.b.ins().band(x, y),
            IntOp::Or => self.b.ins().bor(x, y),
            IntOp::Xor => self.b.ins().bxor(x, y),
            IntOp::Shl => {
                self.leave_if_far(pc, width, b, y);
                self.b.ins().ishl(x, y)
            }
            IntOp::LShr => {
                self.leave_if_far(pc, width, b, y);
                self.b.ins().ushr(x, y)
            }
            IntOp::AShr => {
                self.leave_if_far(pc, width, b, y);
                let x = self.signed(x, width);
                self.b.ins().sshr(x, y)
            }
            IntOp::UDiv | IntOp::URem => {
                self.leave_if_zero(pc, b, y);
                match op {
                    IntOp::UDiv => self.b.ins().udiv(x, y),
                    _ => self.b.ins().urem(x, y),
                }
            }
            IntOp::SDiv | IntOp::SRem => {
                self.leave_if_zero(pc, b, y);
                let (x, y) = (self.signed(x, width), self.signed(y, width));
                if self.constant(b).is_none_or(|divisor| divisor == mask(width)) {
                    // Only the least number cannot be divided by it, but the interpreter knows.
                    let minus_one = self.b.ins().icmp_imm(IntCC::Equal, y, -1);
                    self.leave_if(pc, minus_one);
                }
                match op {
                    IntOp::SDiv => self.b.ins().sdiv(x, y),
                    _ => self.b.ins().srem(x, y),
                }
            }
            IntOp::UMin => self.b.ins().umin(x, y),
            IntOp::UMax => self.b.ins().umax(x, y),
            IntOp::SMin | IntOp::SMax => {
                let (x, y) = (self.signed(x, width), self.signed(y, width));
                match op {
                    IntOp::SMin => self.b.ins().smin(x, y),
                    _ => self.b.ins().smax(x, y),
                }
            }
            IntOp::USatAdd
            | IntOp::SSatAdd
            | IntOp::USatSub
            | IntOp::SSatSub
            | IntOp::USatShl
            | IntOp::SSatShl => {
                let inst = self.unit.function.code[pc as usize];
                return self.compute(pc, &inst);
            }
        };
        let value = match op {
            IntOp::And | IntOp::Or | IntOp::Xor | IntOp::LShr | IntOp::UDiv | IntOp::URem => value,
            IntOp::UMin | IntOp::UMax => value,
            IntOp::Add
            | IntOp::Sub
            | IntOp::Mul
            | IntOp::Shl
            | IntOp::AShr
            | IntOp::SDiv
            | IntOp::SRem
            | IntOp::SMin
            | IntOp::SMax
            | IntOp::USatAdd
            | IntOp::SSatAdd
            | IntOp::USatSub
            | IntOp::SSatSub
            | IntOp::USatShl
            | IntOp::SSatShl => self.keep(value, width),
        };
        self.set(dst, value);
        Ok(())
    }

    pub(super) fn compare(
        &mut self,
        pred: CmpPred,
        width: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    ) -> Emitted<()> {
        let (x, y) = (self.get(a)?, self.get(b)?);
        let (code, signed) = match pred {
            CmpPred::Eq => (IntCC::Equal, false),
            CmpPred::Ne => (IntCC::NotEqual, false),
            CmpPred::Ult => (IntCC::UnsignedLessThan, false),
            CmpPred::Ule => (IntCC::UnsignedLessThanOrEqual, false),
            CmpPred::Ugt => (IntCC::UnsignedGreaterThan, false),
            CmpPred::Uge => (IntCC::UnsignedGreaterThanOrEqual, false),
            CmpPred::Slt => (IntCC::SignedLessThan, true),
            CmpPred::Sle => (IntCC::SignedLessThanOrEqual, true),
            CmpPred::Sgt => (IntCC::SignedGreaterThan, true),
            CmpPred::Sge => (IntCC::SignedGreaterThanOrEqual, true),
        };
        let (x, y) = match signed {
            true => (self.signed(x, width), self.signed(y, width)),
            false => (x, y),
        };
        let bit = self.b.ins().icmp(code, x, y);
        let value = self.b.ins().uextend(types::I64, bit);
        self.set(dst, value);
        Ok(())
    }

    pub(super) fn truncate(&mut self, pc: Pc, width: u8, dst: Slot, a: Slot) -> Emitted<()> {
        let value = self.get(a)?;
        self.leave_if_on_heap(pc, a, value);
        let value = self.keep(value, width);
        self.set(dst, value);
        Ok(())
    }

    pub(super) fn sign_extend(&mut self, from: u8, to: u8, dst: Slot, a: Slot) -> Emitted<()> {
        let value = self.get(a)?;
        let value = self.signed(value, from);
        let value = self.keep(value, to);
        self.set(dst, value);
        Ok(())
    }

    pub(super) fn add_to_pointer(
        &mut self,
        pc: Pc,
        dst: Slot,
        base: Slot,
        offset: i32,
    ) -> Emitted<()> {
        let (pointer, delta) = (self.get(base)?, self.number(offset as i64 as u64));
        let sum = self.advance(pc, pointer, delta);
        self.set(dst, sum);
        Ok(())
    }

    pub(super) fn index_pointer(
        &mut self,
        pc: Pc,
        dst: Slot,
        base: Slot,
        index: Slot,
        width: u8,
        scale: i32,
    ) -> Emitted<()> {
        let (pointer, index) = (self.get(base)?, self.get(index)?);
        let index = self.signed(index, width);
        let delta = self.b.ins().imul_imm(index, i64::from(scale));
        let sum = self.advance(pc, pointer, delta);
        self.set(dst, sum);
        Ok(())
    }

    /// Adds to a pointer, as `address::add` does where the result is near the object.
    fn advance(&mut self, pc: Pc, pointer: Value, delta: Value) -> Value {
        let low = self.keep(pointer, 32);
        let sum = self.b.ins().iadd(low, delta);
        let outside = self.is_above(sum, u64::from(u32::MAX));
        self.leave_if(pc, outside);
        let high = self.b.ins().band_imm(pointer, !0xffff_ffff);
        self.b.ins().bor(high, sum)
    }

    /// The low bits of a value.
    pub(super) fn keep(&mut self, value: Value, width: u8) -> Value {
        match width {
            64.. => value,
            32 => {
                let low = self.b.ins().ireduce(types::I32, value);
                self.b.ins().uextend(types::I64, low)
            }
            _ => self.b.ins().band_imm(value, mask(width) as i64),
        }
    }

    /// A value of some bits as a signed number.
    pub(super) fn signed(&mut self, value: Value, width: u8) -> Value {
        match width {
            64.. => value,
            32 => {
                let low = self.b.ins().ireduce(types::I32, value);
                self.b.ins().sextend(types::I64, low)
            }
            _ => {
                let shift = i64::from(64 - width);
                let up = self.b.ins().ishl_imm(value, shift);
                self.b.ins().sshr_imm(up, shift)
            }
        }
    }

    /// Leaves if the amount of a shift is not less than the width.
    fn leave_if_far(&mut self, pc: Pc, width: u8, slot: Slot, amount: Value) {
        if self.constant(slot).is_none_or(|amount| amount >= width.into()) {
            let far = self.is_above(amount, u64::from(width) - 1);
            self.leave_if(pc, far);
        }
    }

    fn leave_if_zero(&mut self, pc: Pc, slot: Slot, divisor: Value) {
        if self.constant(slot).is_none_or(|divisor| divisor == 0) {
            let zero = self.b.ins().icmp_imm(IntCC::Equal, divisor, 0);
            self.leave_if(pc, zero);
        }
    }

    /// Leaves if a value may be the address of memory on the heap.
    fn leave_if_on_heap(&mut self, pc: Pc, slot: Slot, value: Value) {
        if self.facts.bits[slot as usize] <= 56 {
            return;
        }
        let top = self.b.ins().ushr_imm(value, 56);
        let heap = self.b.ins().icmp_imm(IntCC::Equal, top, Space::Heap as i64);
        self.leave_if(pc, heap);
    }
}
