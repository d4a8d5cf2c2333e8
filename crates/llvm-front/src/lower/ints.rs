//! Integers, pointers as integers, and what only moves bits.

use exeunt_ir::{CmpPred, Inst, IntOp, Scalar, Slot};

use super::body::{Body, Slots};
use super::huge::huge_width;
use super::layout::lane_type;
use super::{Lowered, unsupported};
use crate::llvm::{IntPredicate, Opcode, Type, TypeKind, Value};

/// The width of an integer or pointer lane.
pub(super) fn int_width(ty: Type<'_>) -> Lowered<u8> {
    let lane = lane_type(ty);
    match lane.kind() {
        TypeKind::LLVMPointerTypeKind => Ok(64),
        TypeKind::LLVMIntegerTypeKind if lane.int_width() <= 128 => Ok(lane.int_width() as u8),
        _ => unsupported(format!("integer arithmetic on {ty}")),
    }
}

fn int_op(opcode: Opcode) -> IntOp {
    match opcode {
        Opcode::LLVMAdd => IntOp::Add,
        Opcode::LLVMSub => IntOp::Sub,
        Opcode::LLVMMul => IntOp::Mul,
        Opcode::LLVMUDiv => IntOp::UDiv,
        Opcode::LLVMSDiv => IntOp::SDiv,
        Opcode::LLVMURem => IntOp::URem,
        Opcode::LLVMSRem => IntOp::SRem,
        Opcode::LLVMShl => IntOp::Shl,
        Opcode::LLVMLShr => IntOp::LShr,
        Opcode::LLVMAShr => IntOp::AShr,
        Opcode::LLVMAnd => IntOp::And,
        Opcode::LLVMOr => IntOp::Or,
        Opcode::LLVMXor => IntOp::Xor,
        _ => unreachable!("not an integer operation"),
    }
}

fn predicate(predicate: IntPredicate) -> CmpPred {
    use IntPredicate::*;
    match predicate {
        LLVMIntEQ => CmpPred::Eq,
        LLVMIntNE => CmpPred::Ne,
        LLVMIntUGT => CmpPred::Ugt,
        LLVMIntUGE => CmpPred::Uge,
        LLVMIntULT => CmpPred::Ult,
        LLVMIntULE => CmpPred::Ule,
        LLVMIntSGT => CmpPred::Sgt,
        LLVMIntSGE => CmpPred::Sge,
        LLVMIntSLT => CmpPred::Slt,
        LLVMIntSLE => CmpPred::Sle,
    }
}

impl<'m> Body<'_, 'm> {
    /// Applies an operation to each lane; scalar operands serve all lanes.
    pub fn lanewise(
        &mut self,
        value: Value<'m>,
        operands: &[Value<'m>],
        mut lane: impl FnMut(&mut Self, Slot, &[Slot]),
    ) -> Lowered<()> {
        let mut sources = Vec::new();
        for &operand in operands {
            sources.push(self.operand(operand)?);
        }
        let dst = self.result(value)?;
        for (i, &dst) in dst.iter().enumerate() {
            let of_lane: Option<Vec<Slot>> = sources
                .iter()
                .map(|slots| if slots.len() == 1 { Some(slots[0]) } else { slots.get(i).copied() })
                .collect();
            match of_lane {
                Some(slots) => lane(self, dst, &slots),
                None => return unsupported("vectors of different lengths"),
            }
        }
        Ok(())
    }

    pub fn int(&mut self, op: IntOp, width: u8, dst: Slot, a: Slot, b: Slot) {
        self.emit(match width {
            ..=64 => Inst::Int { op, width, dst, a, b },
            _ => Inst::WideInt { op, width, dst, a, b },
        });
    }

    pub fn compare(&mut self, pred: CmpPred, width: u8, dst: Slot, a: Slot, b: Slot) {
        self.emit(match width {
            ..=64 => Inst::Cmp { pred, width, dst, a, b },
            _ => Inst::WideCmp { pred, width, dst, a, b },
        });
    }

    /// Copies a leaf of some width.
    pub fn mov(&mut self, width: u8, dst: Slot, src: Slot) {
        self.emit(Inst::Mov { dst, src });
        if width > 64 {
            self.emit(Inst::Mov { dst: dst + 1, src: src + 1 });
        }
    }

    pub fn int_binary(&mut self, value: Value<'m>) -> Lowered<()> {
        let op = int_op(value.opcode());
        if huge_width(value.ty()).is_some() {
            return self.huge_binary(value, op);
        }
        let width = int_width(value.ty())?;
        self.lanewise(value, &[value.operand(0), value.operand(1)], |body, dst, src| {
            body.int(op, width, dst, src[0], src[1]);
        })
    }

    pub fn int_compare(&mut self, value: Value<'m>) -> Lowered<()> {
        let pred = predicate(value.int_predicate());
        if huge_width(value.operand(0).ty()).is_some() {
            return self.huge_compare(value, pred);
        }
        let width = int_width(value.operand(0).ty())?;
        self.lanewise(value, &[value.operand(0), value.operand(1)], |body, dst, src| {
            body.compare(pred, width, dst, src[0], src[1]);
        })
    }

    pub fn truncate(&mut self, value: Value<'m>) -> Lowered<()> {
        if huge_width(value.operand(0).ty()).is_some() {
            return self.huge_resize(value, false);
        }
        let (from, to) = (int_width(value.operand(0).ty())?, int_width(value.ty())?);
        if from > 64 && to == 64 {
            // The low halves.
            let slots = self.operand(value.operand(0))?;
            self.alias(value, slots);
            return Ok(());
        }
        self.lanewise(value, &[value.operand(0)], |body, dst, src| {
            body.truncate_lane(to, dst, src[0]);
        })
    }

    fn truncate_lane(&mut self, to: u8, dst: Slot, src: Slot) {
        if to <= 64 {
            self.emit(Inst::Trunc { width: to, dst, a: src });
        } else {
            self.emit(Inst::Mov { dst, src });
            self.emit(Inst::Trunc { width: to - 64, dst: dst + 1, a: src + 1 });
        }
    }

    pub fn zero_extend(&mut self, value: Value<'m>) -> Lowered<()> {
        if huge_width(value.ty()).is_some() {
            return self.huge_resize(value, false);
        }
        let (from, to) = (int_width(value.operand(0).ty())?, int_width(value.ty())?);
        if to <= 64 || from > 64 {
            // Slots are zero-extended already.
            let slots = self.operand(value.operand(0))?;
            self.alias(value, slots);
            return Ok(());
        }
        self.lanewise(value, &[value.operand(0)], |body, dst, src| {
            let zero = body.constant(0);
            body.emit(Inst::Mov { dst, src: src[0] });
            body.emit(Inst::Mov { dst: dst + 1, src: zero });
        })
    }

    pub fn sign_extend(&mut self, value: Value<'m>) -> Lowered<()> {
        if huge_width(value.ty()).is_some() {
            return self.huge_resize(value, true);
        }
        let (from, to) = (int_width(value.operand(0).ty())?, int_width(value.ty())?);
        self.lanewise(value, &[value.operand(0)], |body, dst, src| {
            body.emit(match to {
                ..=64 => Inst::SExt { from, to, dst, a: src[0] },
                _ => Inst::WideSExt { from, to, dst, a: src[0] },
            });
        })
    }

    pub fn pointer_to_int(&mut self, value: Value<'m>) -> Lowered<()> {
        let to = int_width(value.ty())?;
        self.lanewise(value, &[value.operand(0)], |body, dst, src| {
            body.emit(Inst::Expose { dst, src: src[0] });
            if to < 64 {
                body.emit(Inst::Trunc { width: to, dst, a: dst });
            } else if to > 64 {
                let zero = body.constant(0);
                body.emit(Inst::Mov { dst: dst + 1, src: zero });
            }
        })
    }

    /// Narrower integers are zero-extended, wider ones lose their high half.
    pub fn int_to_pointer(&mut self, value: Value<'m>) -> Lowered<()> {
        let slots = self.operand(value.operand(0))?;
        self.alias(value, slots);
        Ok(())
    }

    pub fn select(&mut self, value: Value<'m>) -> Lowered<()> {
        let leaves = self.unit.leaves(value.ty())?;
        let condition = self.operand(value.operand(0))?;
        let (a, b) = (self.operand(value.operand(1))?, self.operand(value.operand(2))?);
        let dst = self.result(value)?;
        for (i, leaf) in leaves.iter().enumerate() {
            let cond = if condition.len() == 1 { condition[0] } else { condition[i] };
            for half in 0..leaf.ty.slots() {
                let (a, b) = (a[i] + half, b[i] + half);
                self.emit(Inst::Select { dst: dst[i] + half, cond, a, b });
            }
        }
        Ok(())
    }

    pub fn freeze(&mut self, value: Value<'m>) -> Lowered<()> {
        let leaves = self.unit.leaves(value.ty())?;
        let src = self.operand(value.operand(0))?;
        let dst = self.result(value)?;
        for (i, leaf) in leaves.iter().enumerate() {
            for half in 0..leaf.ty.slots() {
                self.emit(Inst::Freeze { dst: dst[i] + half, src: src[i] + half });
            }
        }
        Ok(())
    }

    pub fn bitcast(&mut self, value: Value<'m>) -> Lowered<()> {
        let from = self.unit.scalars(value.operand(0).ty())?;
        let to = self.unit.scalars(value.ty())?;
        let src = self.operand(value.operand(0))?;
        let same = from.len() == to.len()
            && from.iter().zip(&to).all(|(from, to)| from.bits() == to.bits());
        let slots = if same { src } else { self.repack(&pieces(&src, &from), &to) };
        self.alias(value, slots);
        Ok(())
    }

    /// Cuts a row of bits into leaves of other widths, lowest bits first.
    pub fn repack(&mut self, pieces: &[(Slot, u8)], to: &[Scalar]) -> Slots {
        self.repack_from(pieces, 0, to)
    }

    /// The same, leaving out the lowest `offset` bits.
    pub fn repack_from(&mut self, pieces: &[(Slot, u8)], mut offset: u32, to: &[Scalar]) -> Slots {
        let mut slots = Vec::new();
        for leaf in to {
            let dst = self.fresh(leaf.slots());
            slots.push(dst);
            let mut rest = u32::from(leaf.bits());
            for half in 0..leaf.slots() {
                let width = rest.min(64);
                self.gather_bits(pieces, offset, width, dst + half);
                offset += width;
                rest -= width;
            }
        }
        slots.into()
    }

    /// `dst` = bits `offset..offset + width` of the row of pieces.
    fn gather_bits(&mut self, pieces: &[(Slot, u8)], offset: u32, width: u32, dst: Slot) {
        let mut start = 0;
        let mut first = true;
        for &(slot, bits) in pieces {
            let end = start + u32::from(bits);
            if start < offset + width && end > offset {
                let part = self.shifted_part(slot, bits, start, offset, width);
                match first {
                    true => self.emit(Inst::Mov { dst, src: part }),
                    false => self.int(IntOp::Or, 64, dst, dst, part),
                }
                first = false;
            }
            start = end;
        }
    }

    /// The bits of one piece that fall into the wanted range, in place.
    fn shifted_part(&mut self, slot: Slot, bits: u8, start: u32, offset: u32, width: u32) -> Slot {
        let mut part = slot;
        let lost = offset.saturating_sub(start);
        if lost > 0 {
            let (dst, amount) = (self.fresh(1), self.constant(lost.into()));
            self.int(IntOp::LShr, 64, dst, part, amount);
            part = dst;
        }
        let kept = (u32::from(bits) - lost).min(offset + width - start.max(offset));
        if kept < u32::from(bits) - lost {
            let dst = self.fresh(1);
            self.emit(Inst::Trunc { width: kept as u8, dst, a: part });
            part = dst;
        }
        if start > offset {
            let (dst, amount) = (self.fresh(1), self.constant((start - offset).into()));
            self.int(IntOp::Shl, 64, dst, part, amount);
            part = dst;
        }
        part
    }
}

/// Leaves as a row of pieces of at most 64 bits.
pub(super) fn pieces(slots: &[Slot], types: &[Scalar]) -> Vec<(Slot, u8)> {
    let mut row = Vec::new();
    for (&slot, ty) in slots.iter().zip(types) {
        if ty.bits() > 64 {
            row.extend([(slot, 64), (slot + 1, ty.bits() - 64)]);
        } else {
            row.push((slot, ty.bits()));
        }
    }
    row
}
