//! Integers of up to 64 bits.
//!
//! Every function takes and gives values zero-extended from `width` bits,
//! with the mask of undefined bits. Undefinedness is tracked per bit where C
//! programs need it (masking, shifting, packing of bit-fields) and spreads to
//! all bits elsewhere.

use exeunt_ir::{CmpPred, IntOp, IntUnOp, OverflowOp};
use exeunt_mem::Bits;

/// The low `width` bits set.
#[inline]
pub const fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// A value of `width` bits as a signed number.
#[inline]
pub const fn signed(value: u64, width: u8) -> i64 {
    let shift = 64 - width as u32;
    ((value << shift) as i64) >> shift
}

/// What an integer operation can be wrong about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    DivisionByZero,
    /// The quotient of the minimum by -1.
    DivisionOverflow,
}

/// `None` is an undefined result (shift too far).
#[inline]
fn compute(op: IntOp, width: u8, a: u64, b: u64) -> Result<Option<u64>, Undefined> {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let value = match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Shl if b < width as u64 => a << b,
        IntOp::LShr if b < width as u64 => a >> b,
        IntOp::AShr if b < width as u64 => (sa >> b) as u64,
        IntOp::Shl | IntOp::LShr | IntOp::AShr => return Ok(None),
        IntOp::UDiv => a.checked_div(b).ok_or(Undefined::DivisionByZero)?,
        IntOp::URem => a.checked_rem(b).ok_or(Undefined::DivisionByZero)?,
        IntOp::SDiv => divide(width, sa, sb, i64::wrapping_div)?,
        IntOp::SRem => divide(width, sa, sb, i64::wrapping_rem)?,
        IntOp::UMin => a.min(b),
        IntOp::UMax => a.max(b),
        IntOp::SMin => sa.min(sb) as u64,
        IntOp::SMax => sa.max(sb) as u64,
        IntOp::USatAdd => (a as u128 + b as u128).min(mask(width) as u128) as u64,
        IntOp::USatSub => a.saturating_sub(b),
        IntOp::SSatAdd => clamp(sa as i128 + sb as i128, width),
        IntOp::SSatSub => clamp(sa as i128 - sb as i128, width),
        IntOp::USatShl | IntOp::SSatShl if b >= width as u64 => return Ok(None),
        IntOp::USatShl => ((a as u128) << b).min(mask(width) as u128) as u64,
        IntOp::SSatShl => clamp((sa as i128) << b, width),
    };
    Ok(Some(value & mask(width)))
}

fn divide(width: u8, a: i64, b: i64, f: fn(i64, i64) -> i64) -> Result<u64, Undefined> {
    if b == 0 {
        Err(Undefined::DivisionByZero)
    } else if b == -1 && a == signed(1 << (width - 1), width) {
        Err(Undefined::DivisionOverflow)
    } else {
        Ok(f(a, b) as u64)
    }
}

fn clamp(value: i128, width: u8) -> u64 {
    let max = (mask(width) >> 1) as i128;
    value.clamp(-max - 1, max) as u64
}

#[inline]
pub fn binary(op: IntOp, width: u8, a: Bits, b: Bits) -> Result<Bits, Undefined> {
    if a.undefined | b.undefined == 0 {
        let value = compute(op, width, a.value, b.value)?;
        return Ok(value.map_or(all_undefined(width), Bits::defined));
    }
    Ok(partly_undefined(op, width, a, b))
}

fn all_undefined(width: u8) -> Bits {
    Bits { value: 0, undefined: mask(width) }
}

#[cold]
fn partly_undefined(op: IntOp, width: u8, a: Bits, b: Bits) -> Bits {
    let either = a.undefined | b.undefined;
    let undefined = match op {
        IntOp::And => {
            (a.undefined & b.undefined) | (a.undefined & b.value) | (b.undefined & a.value)
        }
        IntOp::Or => {
            (a.undefined & b.undefined) | (a.undefined & !b.value) | (b.undefined & !a.value)
        }
        IntOp::Xor => either,
        // A carry only travels upwards.
        IntOp::Add | IntOp::Sub | IntOp::Mul => either | either.wrapping_neg(),
        IntOp::Shl if b.undefined == 0 && b.value < width as u64 => a.undefined << b.value,
        IntOp::LShr if b.undefined == 0 && b.value < width as u64 => a.undefined >> b.value,
        IntOp::AShr if b.undefined == 0 && b.value < width as u64 => {
            (signed(a.undefined, width) >> b.value) as u64
        }
        _ => u64::MAX,
    } & mask(width);
    match compute(op, width, a.value, b.value) {
        Ok(Some(value)) => Bits { value: value & !undefined, undefined },
        _ => all_undefined(width),
    }
}

/// For a partly undefined comparison: decided only if every completion agrees.
#[inline]
pub fn compare(pred: CmpPred, width: u8, a: Bits, b: Bits) -> Bits {
    if a.undefined | b.undefined == 0 {
        return Bits::defined(holds(pred, width, a.value, b.value) as u64);
    }
    compare_undefined(pred, width, a, b)
}

#[cold]
fn compare_undefined(pred: CmpPred, width: u8, a: Bits, b: Bits) -> Bits {
    let unknown = a.undefined | b.undefined;
    let decided = match pred {
        CmpPred::Eq | CmpPred::Ne => (a.value ^ b.value) & !unknown & mask(width) != 0,
        _ => {
            let (alo, ahi) = range(pred, width, a);
            let (blo, bhi) = range(pred, width, b);
            holds(pred, width, alo, bhi) == holds(pred, width, ahi, blo)
        }
    };
    if decided {
        Bits::defined(holds(pred, width, a.value, b.value) as u64)
    } else {
        Bits { value: 0, undefined: 1 }
    }
}

/// The least and greatest completion, in the order of the predicate.
fn range(pred: CmpPred, width: u8, x: Bits) -> (u64, u64) {
    let is_signed = matches!(pred, CmpPred::Slt | CmpPred::Sle | CmpPred::Sgt | CmpPred::Sge);
    let sign = 1 << (width - 1);
    let (low, high) = (x.value & !x.undefined, (x.value | x.undefined) & mask(width));
    if is_signed && x.undefined & sign != 0 { (low | sign, high & !sign) } else { (low, high) }
}

#[inline]
fn holds(pred: CmpPred, width: u8, a: u64, b: u64) -> bool {
    compares(pred, (a, b), (signed(a, width), signed(b, width)))
}

/// Compares two numbers, given as unsigned and as signed ones.
#[inline]
pub fn compares<U: Ord, S: Ord>(pred: CmpPred, (a, b): (U, U), (sa, sb): (S, S)) -> bool {
    match pred {
        CmpPred::Eq => a == b,
        CmpPred::Ne => a != b,
        CmpPred::Ult => a < b,
        CmpPred::Ule => a <= b,
        CmpPred::Ugt => a > b,
        CmpPred::Uge => a >= b,
        CmpPred::Slt => sa < sb,
        CmpPred::Sle => sa <= sb,
        CmpPred::Sgt => sa > sb,
        CmpPred::Sge => sa >= sb,
    }
}

pub fn unary(op: IntUnOp, width: u8, a: Bits) -> Bits {
    let spare = 64 - width as u32;
    let permute = |x: u64| match op {
        IntUnOp::ByteSwap => x.swap_bytes() >> spare,
        _ => x.reverse_bits() >> spare,
    };
    let value = match op {
        IntUnOp::ByteSwap | IntUnOp::BitReverse => {
            return Bits { value: permute(a.value), undefined: permute(a.undefined) };
        }
        IntUnOp::PopCount => a.value.count_ones() as u64,
        IntUnOp::LeadingZeros => (a.value.leading_zeros() - spare) as u64,
        IntUnOp::TrailingZeros => a.value.trailing_zeros().min(width as u32) as u64,
        IntUnOp::Abs => (signed(a.value, width).wrapping_abs() as u64) & mask(width),
    };
    if a.undefined != 0 { all_undefined(width) } else { Bits::defined(value) }
}

/// The wrapped result and whether it overflowed.
pub fn overflow(op: OverflowOp, width: u8, a: Bits, b: Bits) -> (Bits, Bits) {
    if a.undefined | b.undefined != 0 {
        return (all_undefined(width), Bits { value: 0, undefined: 1 });
    }
    let (ua, ub) = (a.value as i128, b.value as i128);
    let (sa, sb) = (signed(a.value, width) as i128, signed(b.value, width) as i128);
    let (exact, is_signed) = match op {
        OverflowOp::UAdd => (ua + ub, false),
        OverflowOp::USub => (ua - ub, false),
        OverflowOp::UMul => return overflowing_multiply(width, a.value, b.value),
        OverflowOp::SAdd => (sa + sb, true),
        OverflowOp::SSub => (sa - sb, true),
        OverflowOp::SMul => (sa * sb, true),
    };
    let wrapped = exact as u64 & mask(width);
    let back = if is_signed { signed(wrapped, width) as i128 } else { wrapped as i128 };
    (Bits::defined(wrapped), Bits::defined((back != exact) as u64))
}

fn overflowing_multiply(width: u8, a: u64, b: u64) -> (Bits, Bits) {
    let exact = a as u128 * b as u128;
    (Bits::defined(exact as u64 & mask(width)), Bits::defined((exact > mask(width) as u128) as u64))
}

/// llvm.fshl / llvm.fshr
pub fn funnel(left: bool, width: u8, a: Bits, b: Bits, amount: Bits) -> Bits {
    if amount.undefined != 0 {
        return all_undefined(width);
    }
    let by = (amount.value % width as u64) as u32;
    let shift = |high: u64, low: u64| {
        let joined = (high as u128) << width | low as u128;
        let shifted = if left { joined << by >> width } else { joined >> by };
        shifted as u64 & mask(width)
    };
    Bits { value: shift(a.value, b.value), undefined: shift(a.undefined, b.undefined) }
}

pub fn sign_extend(from: u8, to: u8, a: Bits) -> Bits {
    Bits {
        value: signed(a.value, from) as u64 & mask(to),
        undefined: signed(a.undefined, from) as u64 & mask(to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(op: IntOp, width: u8, a: u64, b: u64) -> u64 {
        binary(op, width, Bits::defined(a), Bits::defined(b)).unwrap().value
    }

    #[test]
    fn results_wrap_at_the_width() {
        assert_eq!(bin(IntOp::Add, 8, 250, 10), 4);
        assert_eq!(bin(IntOp::Sub, 8, 3, 5), 254);
        assert_eq!(bin(IntOp::SDiv, 8, 0xf6, 3), 0xfd);
        assert_eq!(bin(IntOp::AShr, 16, 0x8000, 15), 0xffff);
        assert_eq!(bin(IntOp::SSatAdd, 8, 100, 100), 127);
        assert_eq!(bin(IntOp::SSatSub, 8, 0x80, 1), 0x80);
        assert_eq!(bin(IntOp::USatSub, 8, 3, 5), 0);
    }

    #[test]
    fn division_that_c_leaves_undefined_is_named() {
        let divide = |a, b| binary(IntOp::SDiv, 32, Bits::defined(a), Bits::defined(b));
        assert_eq!(divide(1, 0), Err(Undefined::DivisionByZero));
        assert_eq!(divide(0x8000_0000, 0xffff_ffff), Err(Undefined::DivisionOverflow));
    }

    #[test]
    fn masking_makes_undefined_bits_defined() {
        let x = Bits { value: 0b0101, undefined: 0xf0 };
        let low = binary(IntOp::And, 8, x, Bits::defined(0x0f)).unwrap();
        assert_eq!(low, Bits::defined(5));
        let set = binary(IntOp::Or, 8, x, Bits::defined(0xf0)).unwrap();
        assert_eq!(set, Bits::defined(0xf5));
        let sum = binary(IntOp::Add, 8, x, Bits::defined(1)).unwrap();
        assert_eq!(sum, Bits { value: 6, undefined: 0xf0 });
    }

    #[test]
    fn comparisons_are_decided_where_all_completions_agree() {
        let x = Bits { value: 0x10, undefined: 0x0f };
        assert_eq!(compare(CmpPred::Ult, 8, x, Bits::defined(0x20)), Bits::defined(1));
        assert_eq!(compare(CmpPred::Ult, 8, x, Bits::defined(0x18)).undefined, 1);
        assert_eq!(compare(CmpPred::Eq, 8, x, Bits::defined(0x25)), Bits::defined(0));
        let any = Bits { value: 0, undefined: 0xff };
        assert_eq!(compare(CmpPred::Sge, 8, any, Bits::defined(0x80)), Bits::defined(1));
    }

    #[test]
    fn funnel_shifts_take_bits_from_both() {
        let b = Bits::defined;
        assert_eq!(funnel(true, 8, b(0x12), b(0x34), b(4)).value, 0x23);
        assert_eq!(funnel(false, 8, b(0x12), b(0x34), b(4)).value, 0x23);
        assert_eq!(funnel(true, 64, b(1), b(1 << 63), b(1)).value, 3);
        assert_eq!(funnel(true, 32, b(7), b(9), b(32)).value, 7);
    }

    #[test]
    fn bit_counts_respect_the_width() {
        assert_eq!(unary(IntUnOp::LeadingZeros, 16, Bits::defined(1)).value, 15);
        assert_eq!(unary(IntUnOp::TrailingZeros, 16, Bits::defined(0)).value, 16);
        assert_eq!(unary(IntUnOp::ByteSwap, 32, Bits::defined(0x11223344)).value, 0x44332211);
        assert_eq!(unary(IntUnOp::Abs, 8, Bits::defined(0x80)).value, 0x80);
        let (v, c) = overflow(OverflowOp::SMul, 64, Bits::defined(1 << 62), Bits::defined(2));
        assert_eq!((v.value, c.value), (1 << 63, 1));
        let (v, c) =
            overflow(OverflowOp::UMul, 64, Bits::defined(u64::MAX), Bits::defined(u64::MAX));
        assert_eq!((v.value, c.value), (1, 1));
    }
}
