//! Integers of 65 to 128 bits, in slot pairs.
//!
//! Undefinedness is per bit for logic and shifts by known amounts, and
//! spreads to everything elsewhere.

use exeunt_ir::{CmpPred, IntOp, IntUnOp, OverflowOp};
use exeunt_mem::Bits;

use super::int::{Undefined, compares};

/// A value of two slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide {
    pub value: u128,
    pub undefined: u128,
}

impl Wide {
    pub fn defined(value: u128) -> Wide {
        Wide { value, undefined: 0 }
    }

    pub fn join(low: Bits, high: Bits) -> Wide {
        Wide {
            value: low.value as u128 | (high.value as u128) << 64,
            undefined: low.undefined as u128 | (high.undefined as u128) << 64,
        }
    }

    pub fn split(self) -> (Bits, Bits) {
        let low = Bits { value: self.value as u64, undefined: self.undefined as u64 };
        let high =
            Bits { value: (self.value >> 64) as u64, undefined: (self.undefined >> 64) as u64 };
        (low, high)
    }
}

pub fn mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

pub fn signed(value: u128, width: u8) -> i128 {
    let shift = 128 - width as u32;
    ((value << shift) as i128) >> shift
}

fn all_undefined(width: u8) -> Wide {
    Wide { value: 0, undefined: mask(width) }
}

fn clamp(exact: Option<i128>, negative: bool, width: u8) -> u128 {
    let max = (mask(width) >> 1) as i128;
    let value = exact.unwrap_or(if negative { i128::MIN } else { i128::MAX });
    value.clamp(-max - 1, max) as u128
}

fn compute(op: IntOp, width: u8, a: u128, b: u128) -> Result<Option<u128>, Undefined> {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let near = b < width as u128;
    let value = match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Shl if near => a << b,
        IntOp::LShr if near => a >> b,
        IntOp::AShr if near => (sa >> b) as u128,
        IntOp::UDiv => a.checked_div(b).ok_or(Undefined::DivisionByZero)?,
        IntOp::URem => a.checked_rem(b).ok_or(Undefined::DivisionByZero)?,
        IntOp::SDiv | IntOp::SRem if b == 0 => return Err(Undefined::DivisionByZero),
        IntOp::SDiv | IntOp::SRem if sb == -1 && sa == signed(1 << (width - 1), width) => {
            return Err(Undefined::DivisionOverflow);
        }
        IntOp::SDiv => (sa / sb) as u128,
        IntOp::SRem => (sa % sb) as u128,
        IntOp::UMin => a.min(b),
        IntOp::UMax => a.max(b),
        IntOp::SMin => sa.min(sb) as u128,
        IntOp::SMax => sa.max(sb) as u128,
        IntOp::USatAdd => a.saturating_add(b).min(mask(width)),
        IntOp::USatSub => a.saturating_sub(b),
        IntOp::SSatAdd => clamp(sa.checked_add(sb), sa < 0, width),
        IntOp::SSatSub => clamp(sa.checked_sub(sb), sa < 0, width),
        IntOp::USatShl if near => {
            if b != 0 && a >> (width as u128 - b) != 0 {
                mask(width)
            } else {
                a << b
            }
        }
        IntOp::SSatShl if near => {
            let shifted = sa << b;
            clamp((shifted >> b == sa).then_some(shifted), sa < 0, width)
        }
        IntOp::Shl | IntOp::LShr | IntOp::AShr | IntOp::USatShl | IntOp::SSatShl => {
            return Ok(None);
        }
    };
    Ok(Some(value & mask(width)))
}

pub fn binary(op: IntOp, width: u8, a: Wide, b: Wide) -> Result<Wide, Undefined> {
    let either = a.undefined | b.undefined;
    if either == 0 {
        let value = compute(op, width, a.value, b.value)?;
        return Ok(value.map_or(all_undefined(width), Wide::defined));
    }
    let near = b.undefined == 0 && b.value < width as u128;
    let undefined = match op {
        IntOp::And => {
            (a.undefined & b.undefined) | (a.undefined & b.value) | (b.undefined & a.value)
        }
        IntOp::Or => {
            (a.undefined & b.undefined) | (a.undefined & !b.value) | (b.undefined & !a.value)
        }
        IntOp::Xor => either,
        IntOp::Add | IntOp::Sub | IntOp::Mul => either | either.wrapping_neg(),
        IntOp::Shl if near => a.undefined << b.value,
        IntOp::LShr if near => a.undefined >> b.value,
        IntOp::AShr if near => (signed(a.undefined, width) >> b.value) as u128,
        _ => u128::MAX,
    } & mask(width);
    Ok(match compute(op, width, a.value, b.value) {
        Ok(Some(value)) => Wide { value: value & !undefined, undefined },
        _ => all_undefined(width),
    })
}

pub fn compare(pred: CmpPred, width: u8, a: Wide, b: Wide) -> Bits {
    let unknown = a.undefined | b.undefined;
    let differ = (a.value ^ b.value) & !unknown != 0;
    if unknown != 0 && !(differ && matches!(pred, CmpPred::Eq | CmpPred::Ne)) {
        return Bits { value: 0, undefined: 1 };
    }
    let (ua, ub) = (a.value, b.value);
    let holds = compares(pred, (ua, ub), (signed(ua, width), signed(ub, width)));
    Bits::defined(holds as u64)
}

pub fn unary(op: IntUnOp, width: u8, a: Wide) -> Wide {
    let spare = 128 - width as u32;
    let permute = |x: u128| match op {
        IntUnOp::ByteSwap => x.swap_bytes() >> spare,
        _ => x.reverse_bits() >> spare,
    };
    let value = match op {
        IntUnOp::ByteSwap | IntUnOp::BitReverse => {
            return Wide { value: permute(a.value), undefined: permute(a.undefined) };
        }
        IntUnOp::PopCount => a.value.count_ones() as u128,
        IntUnOp::LeadingZeros => (a.value.leading_zeros() - spare) as u128,
        IntUnOp::TrailingZeros => a.value.trailing_zeros().min(width as u32) as u128,
        IntUnOp::Abs => signed(a.value, width).wrapping_abs() as u128 & mask(width),
    };
    if a.undefined != 0 { all_undefined(width) } else { Wide::defined(value) }
}

pub fn overflow(op: OverflowOp, width: u8, a: Wide, b: Wide) -> (Wide, Bits) {
    if a.undefined | b.undefined != 0 {
        return (all_undefined(width), Bits { value: 0, undefined: 1 });
    }
    let (ua, ub) = (a.value, b.value);
    let (sa, sb) = (signed(ua, width), signed(ub, width));
    let unsigned = |x: Option<u128>| x.is_none_or(|x| x > mask(width));
    let in_range = |x: Option<i128>| x.is_none_or(|x| signed(x as u128, width) != x);
    let (wrapped, over) = match op {
        OverflowOp::UAdd => (ua.wrapping_add(ub), unsigned(ua.checked_add(ub))),
        OverflowOp::USub => (ua.wrapping_sub(ub), ua < ub),
        OverflowOp::UMul => (ua.wrapping_mul(ub), unsigned(ua.checked_mul(ub))),
        OverflowOp::SAdd => (ua.wrapping_add(ub), in_range(sa.checked_add(sb))),
        OverflowOp::SSub => (ua.wrapping_sub(ub), in_range(sa.checked_sub(sb))),
        OverflowOp::SMul => (ua.wrapping_mul(ub), in_range(sa.checked_mul(sb))),
    };
    (Wide::defined(wrapped & mask(width)), Bits::defined(over as u64))
}

pub fn funnel(left: bool, width: u8, a: Wide, b: Wide, amount: Wide) -> Wide {
    if amount.undefined != 0 {
        return all_undefined(width);
    }
    let width128 = width as u128;
    let by = amount.value % width128;
    let shift = |high: u128, low: u128| {
        let shifted = match (by, left) {
            (0, true) => high,
            (0, false) => low,
            (_, true) => high << by | low >> (width128 - by),
            (_, false) => low >> by | high << (width128 - by),
        };
        shifted & mask(width)
    };
    Wide { value: shift(a.value, b.value), undefined: shift(a.undefined, b.undefined) }
}

pub fn sign_extend(from: u8, to: u8, a: Wide) -> Wide {
    Wide {
        value: signed(a.value, from) as u128 & mask(to),
        undefined: signed(a.undefined, from) as u128 & mask(to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_join_and_split() {
        let x = Wide { value: 5 << 64 | 7, undefined: 1 << 100 };
        let (low, high) = x.split();
        assert_eq!(Wide::join(low, high), x);
    }

    #[test]
    fn signed_overflow_is_seen_at_the_edge() {
        let max = Wide::defined(i128::MAX as u128);
        let (sum, over) = overflow(OverflowOp::SAdd, 128, max, Wide::defined(1));
        assert_eq!((sum.value, over.value), (i128::MIN as u128, 1));
        assert_eq!(overflow(OverflowOp::UAdd, 128, max, Wide::defined(1)).1.value, 0);
        assert_eq!(funnel(true, 128, max, Wide::defined(0), Wide::defined(0)), max);
    }
}
