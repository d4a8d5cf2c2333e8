//! Integers of more than 128 bits.
//!
//! C has them as `_BitInt(N)`, and clang uses them to access long rows of
//! bit-fields. They are flattened into 64-bit limbs, lowest first, so that
//! memory, copies and constants need nothing special; arithmetic works on
//! rows of limbs. Division is not supported.

use exeunt_ir::{CmpPred, Inst, IntOp, OverflowOp, Scalar, Slot};

use super::body::{Body, Slots};
use super::ints::pieces;
use super::{Lowered, unsupported};
use crate::llvm::{Type, Value};

/// The width of an integer type of more than 128 bits.
pub(super) fn huge_width(ty: Type<'_>) -> Option<u32> {
    Some(ty.int_width()).filter(|&width| width > 128)
}

/// The limbs of an integer of `width` bits.
pub(super) fn limbs(width: u32) -> impl Iterator<Item = u8> {
    (0..width.div_ceil(64)).map(move |i| (width - 64 * i).min(64) as u8)
}

fn limb_types(width: u32) -> Vec<Scalar> {
    limbs(width).map(Scalar::Int).collect()
}

impl<'m> Body<'_, 'm> {
    fn row_of(&mut self, value: Value<'m>) -> Lowered<Vec<(Slot, u8)>> {
        let types = self.unit.scalars(value.ty())?;
        Ok(pieces(&self.operand(value)?, &types))
    }

    /// Zeros, or copies of a bit, as pieces.
    fn filling(&mut self, bits: u32, fill: Slot) -> Vec<(Slot, u8)> {
        limbs(bits).map(|bits| (fill, bits)).collect()
    }

    /// A slot of 64 copies of the highest bit of a row.
    fn sign_of(&mut self, row: &[(Slot, u8)]) -> Slot {
        let &(top, bits) = row.last().expect("integers have bits");
        let (dst, last) = (self.fresh(1), self.constant(63));
        self.emit(Inst::SExt { from: bits, to: 64, dst, a: top });
        self.int(IntOp::AShr, 64, dst, dst, last);
        dst
    }

    /// Truncation and extension where one side is huge.
    pub fn huge_resize(&mut self, value: Value<'m>, signed: bool) -> Lowered<()> {
        let mut row = self.row_of(value.operand(0))?;
        let to = self.unit.scalars(value.ty())?;
        let wanted: u32 = to.iter().map(|ty| u32::from(ty.bits())).sum();
        let given: u32 = row.iter().map(|piece| u32::from(piece.1)).sum();
        if wanted > given {
            let fill = if signed { self.sign_of(&row) } else { self.constant(0) };
            // Pieces carry no more bits than they say: a sign is cut to fit.
            for bits in limbs(wanted - given) {
                let piece = self.fresh(1);
                self.emit(Inst::Trunc { width: bits, dst: piece, a: fill });
                row.push((piece, bits));
            }
        }
        let slots = self.repack(&row, &to);
        self.alias(value, slots);
        Ok(())
    }

    pub fn huge_binary(&mut self, value: Value<'m>, op: IntOp) -> Lowered<()> {
        let (a, b) = (value.operand(0), value.operand(1));
        match op {
            IntOp::And | IntOp::Or | IntOp::Xor => self.limb_by_limb(value, op),
            IntOp::Add => self.carried(value, OverflowOp::UAdd),
            IntOp::Sub => self.carried(value, OverflowOp::USub),
            IntOp::Mul => self.multiplied(value),
            IntOp::Shl | IntOp::LShr | IntOp::AShr => {
                let width = value.ty().int_width();
                let row = self.row_of(a)?;
                let amount = self.row_of(b)?[0].0;
                let slots = match b.is_constant() {
                    true => self.shift_by(&row, op, self.unit.constant_limb(b)?, width),
                    false => self.shift_by_any(row, op, amount, width),
                };
                self.alias(value, slots);
                Ok(())
            }
            _ => unsupported(format!("this arithmetic on {}", value.ty())),
        }
    }

    fn limb_by_limb(&mut self, value: Value<'m>, op: IntOp) -> Lowered<()> {
        let (a, b) = (self.operand(value.operand(0))?, self.operand(value.operand(1))?);
        let dst = self.result(value)?;
        for (i, bits) in limbs(value.ty().int_width()).enumerate() {
            self.int(op, bits, dst[i], a[i], b[i]);
        }
        Ok(())
    }

    fn carried(&mut self, value: Value<'m>, op: OverflowOp) -> Lowered<()> {
        let (a, b) = (self.operand(value.operand(0))?, self.operand(value.operand(1))?);
        let dst = self.result(value)?;
        let mut carry = self.constant(0);
        for (i, width) in limbs(value.ty().int_width()).enumerate() {
            let [sum, first, second, out] = [0; 4].map(|_| self.fresh(1));
            let (a, b) = (a[i], b[i]);
            self.emit(Inst::Overflow { op, width, dst: sum, carry: first, a, b });
            let (a, b) = (sum, carry);
            self.emit(Inst::Overflow { op, width, dst: dst[i], carry: second, a, b });
            self.int(IntOp::Or, 1, out, first, second);
            carry = out;
        }
        Ok(())
    }

    /// As on paper: row by row, each with a carry. A limb times a limb plus
    /// two limbs fits into two.
    fn multiplied(&mut self, value: Value<'m>) -> Lowered<()> {
        let (a, b) = (self.operand(value.operand(0))?, self.operand(value.operand(1))?);
        let count = a.len();
        let zero = self.constant(0);
        let mut sum = vec![zero; count];
        for i in 0..count {
            let mut carry = zero;
            let factor = self.pair(a[i]);
            for j in 0..count - i {
                let product = self.pair(b[j]);
                self.int(IntOp::Mul, 128, product, product, factor);
                for summand in [sum[i + j], carry] {
                    let summand = self.pair(summand);
                    self.int(IntOp::Add, 128, product, product, summand);
                }
                (sum[i + j], carry) = (product, product + 1);
            }
        }
        let dst = self.result(value)?;
        for (i, width) in limbs(value.ty().int_width()).enumerate() {
            self.emit(Inst::Trunc { width, dst: dst[i], a: sum[i] });
        }
        Ok(())
    }

    /// A limb as an integer of 128 bits.
    fn pair(&mut self, limb: Slot) -> Slot {
        let (dst, zero) = (self.fresh(2), self.constant(0));
        self.emit(Inst::Mov { dst, src: limb });
        self.emit(Inst::Mov { dst: dst + 1, src: zero });
        dst
    }

    fn shift_by(&mut self, row: &[(Slot, u8)], op: IntOp, amount: u64, width: u32) -> Slots {
        let amount = amount.min(width.into()) as u32;
        let types = limb_types(width);
        let zero = self.constant(0);
        if op == IntOp::Shl {
            let mut shifted = self.filling(amount, zero);
            shifted.extend_from_slice(row);
            return self.repack_from(&shifted, 0, &types);
        }
        let mut shifted = row.to_vec();
        if op == IntOp::AShr {
            let sign = self.sign_of(row);
            for bits in limbs(amount) {
                let piece = self.fresh(1);
                self.emit(Inst::Trunc { width: bits, dst: piece, a: sign });
                shifted.push((piece, bits));
            }
        } else {
            shifted.extend(self.filling(amount, zero));
        }
        self.repack_from(&shifted, amount, &types)
    }

    /// One conditional shift for each bit of the amount.
    fn shift_by_any(
        &mut self,
        mut row: Vec<(Slot, u8)>,
        op: IntOp,
        amount: Slot,
        width: u32,
    ) -> Slots {
        let types = limb_types(width);
        for bit in 0..32 - (width - 1).leading_zeros() {
            let shifted = self.shift_by(&row, op, 1 << bit, width);
            let (cond, position) = (self.fresh(1), self.constant(bit.into()));
            self.int(IntOp::LShr, 64, cond, amount, position);
            self.emit(Inst::Trunc { width: 1, dst: cond, a: cond });
            for (piece, &a) in row.iter_mut().zip(shifted.iter()) {
                let dst = self.fresh(1);
                self.emit(Inst::Select { dst, cond, a, b: piece.0 });
                piece.0 = dst;
            }
        }
        let slots: Vec<Slot> = row.iter().map(|piece| piece.0).collect();
        debug_assert_eq!(slots.len(), types.len());
        slots.into()
    }

    /// From the lowest limb up: a limb decides, or leaves it to those below.
    pub fn huge_compare(&mut self, value: Value<'m>, pred: CmpPred) -> Lowered<()> {
        let width = value.operand(0).ty().int_width();
        let (a, b) = (self.operand(value.operand(0))?, self.operand(value.operand(1))?);
        let (strict_low, strict_top, on_equal) = orders(pred);
        let mut so_far = self.constant(on_equal.into());
        let last = a.len() - 1;
        for (i, bits) in limbs(width).enumerate() {
            let [equal, decides, next] = [0; 3].map(|_| self.fresh(1));
            self.compare(CmpPred::Eq, bits, equal, a[i], b[i]);
            let strict = if i == last { strict_top } else { strict_low };
            self.compare(strict, bits, decides, a[i], b[i]);
            self.emit(Inst::Select { dst: next, cond: equal, a: so_far, b: decides });
            so_far = next;
        }
        self.alias(value, [so_far].into());
        Ok(())
    }
}

/// How the lower limbs and the highest one compare if they differ, and the
/// answer if all are equal.
fn orders(pred: CmpPred) -> (CmpPred, CmpPred, bool) {
    match pred {
        CmpPred::Eq => (CmpPred::Eq, CmpPred::Eq, true),
        CmpPred::Ne => (CmpPred::Ne, CmpPred::Ne, false),
        CmpPred::Ult => (CmpPred::Ult, CmpPred::Ult, false),
        CmpPred::Ule => (CmpPred::Ult, CmpPred::Ult, true),
        CmpPred::Ugt => (CmpPred::Ugt, CmpPred::Ugt, false),
        CmpPred::Uge => (CmpPred::Ugt, CmpPred::Ugt, true),
        CmpPred::Slt => (CmpPred::Ult, CmpPred::Slt, false),
        CmpPred::Sle => (CmpPred::Ult, CmpPred::Slt, true),
        CmpPred::Sgt => (CmpPred::Ugt, CmpPred::Sgt, false),
        CmpPred::Sge => (CmpPred::Ugt, CmpPred::Sgt, true),
    }
}

/// The limbs of a decimal number, in two's complement of `width` bits.
pub(super) fn decimal_limbs(text: &str, width: u32) -> Option<Vec<u64>> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let mut row = vec![0_u64; width.div_ceil(64) as usize];
    for digit in digits.chars() {
        let mut carry = u128::from(digit.to_digit(10)?);
        for limb in &mut row {
            let next = u128::from(*limb) * 10 + carry;
            *limb = next as u64;
            carry = next >> 64;
        }
    }
    if negative {
        let mut carry = true;
        for limb in &mut row {
            (*limb, carry) = (!*limb).overflowing_add(carry.into());
        }
    }
    for (limb, bits) in row.iter_mut().zip(limbs(width)) {
        *limb &= super::layout::mask(bits.into());
    }
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_numbers_become_limbs() {
        let two_to_130 = "1361129467683753853853498429727072845824";
        assert_eq!(decimal_limbs(two_to_130, 136), Some(vec![0, 0, 4]));
        assert_eq!(decimal_limbs("-1", 136), Some(vec![u64::MAX, u64::MAX, 0xff]));
        assert_eq!(decimal_limbs("-256", 192), Some(vec![u64::MAX - 255, u64::MAX, u64::MAX]));
        assert_eq!(decimal_limbs("12x", 136), None);
    }
}
