//! Integers of some number of bits, kept in a word with the mask of undefined
//! bits: written once, for one slot (`int.rs`) and for two (`wide.rs`).
//!
//! Every function takes and gives values zero-extended from `width` bits.
//! Undefinedness is tracked per bit where C programs need it (masking,
//! shifting, packing of bit-fields) and spreads to all bits elsewhere. A macro
//! and no trait, so that the loop of the interpreter is compiled as before.

use exeunt_ir::{CmpPred, IntOp};

/// What an integer operation can be wrong about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    DivisionByZero,
    /// The quotient of the minimum by -1.
    DivisionOverflow,
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

pub fn is_signed(pred: CmpPred) -> bool {
    match pred {
        CmpPred::Slt | CmpPred::Sle | CmpPred::Sgt | CmpPred::Sge => true,
        CmpPred::Eq | CmpPred::Ne | CmpPred::Ult | CmpPred::Ule | CmpPred::Ugt | CmpPred::Uge => {
            false
        }
    }
}

/// How undefined bits go through an operation.
pub enum Spread {
    /// Bit by bit.
    Logic,
    /// Upwards, with the carry.
    Up,
    /// As the bits are shifted, if the amount is known.
    Shift,
    /// Everywhere.
    All,
}

pub fn spread(op: IntOp) -> Spread {
    match op {
        IntOp::And | IntOp::Or | IntOp::Xor => Spread::Logic,
        IntOp::Add | IntOp::Sub | IntOp::Mul => Spread::Up,
        IntOp::Shl | IntOp::LShr | IntOp::AShr => Spread::Shift,
        IntOp::UDiv
        | IntOp::SDiv
        | IntOp::URem
        | IntOp::SRem
        | IntOp::UMin
        | IntOp::UMax
        | IntOp::SMin
        | IntOp::SMax
        | IntOp::USatAdd
        | IntOp::SSatAdd
        | IntOp::USatSub
        | IntOp::SSatSub
        | IntOp::USatShl
        | IntOp::SSatShl => Spread::All,
    }
}

/// The operations on `$value`, a pair of a word and its undefined bits.
macro_rules! integers {
    ($word:ident, $signed:ident, $value:ident) => {
        /// The low `width` bits set.
        #[inline]
        pub const fn mask(width: u8) -> $word {
            if width as u32 >= $word::BITS { $word::MAX } else { (1 << width) - 1 }
        }

        /// A value of `width` bits as a signed number.
        #[inline]
        pub const fn signed(value: $word, width: u8) -> $signed {
            let shift = $word::BITS - width as u32;
            ((value << shift) as $signed) >> shift
        }

        /// `None` is an undefined result (shift too far).
        #[inline]
        fn compute(op: IntOp, width: u8, a: $word, b: $word) -> Result<Option<$word>, Undefined> {
            let (sa, sb) = (signed(a, width), signed(b, width));
            let near = b < width as $word;
            let value = match op {
                IntOp::Add => a.wrapping_add(b),
                IntOp::Sub => a.wrapping_sub(b),
                IntOp::Mul => a.wrapping_mul(b),
                IntOp::And => a & b,
                IntOp::Or => a | b,
                IntOp::Xor => a ^ b,
                IntOp::Shl if near => a << b,
                IntOp::LShr if near => a >> b,
                IntOp::AShr if near => (sa >> b) as $word,
                IntOp::UDiv => a.checked_div(b).ok_or(Undefined::DivisionByZero)?,
                IntOp::URem => a.checked_rem(b).ok_or(Undefined::DivisionByZero)?,
                IntOp::SDiv => divide(width, sa, sb, $signed::wrapping_div)?,
                IntOp::SRem => divide(width, sa, sb, $signed::wrapping_rem)?,
                IntOp::UMin => a.min(b),
                IntOp::UMax => a.max(b),
                IntOp::SMin => sa.min(sb) as $word,
                IntOp::SMax => sa.max(sb) as $word,
                IntOp::USatAdd => a.saturating_add(b).min(mask(width)),
                IntOp::USatSub => a.saturating_sub(b),
                IntOp::SSatAdd => clamp(sa.checked_add(sb), sa < 0, width),
                IntOp::SSatSub => clamp(sa.checked_sub(sb), sa < 0, width),
                IntOp::USatShl if near => {
                    let lost = b != 0 && a >> (width as $word - b) != 0;
                    if lost { mask(width) } else { a << b }
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

        fn divide(
            width: u8,
            a: $signed,
            b: $signed,
            f: fn($signed, $signed) -> $signed,
        ) -> Result<$word, Undefined> {
            if b == 0 {
                Err(Undefined::DivisionByZero)
            } else if b == -1 && a == signed(1 << (width - 1), width) {
                Err(Undefined::DivisionOverflow)
            } else {
                Ok(f(a, b) as $word)
            }
        }

        /// The nearest number of `width` bits; `None` is one that no word holds.
        fn clamp(exact: Option<$signed>, negative: bool, width: u8) -> $word {
            let max = (mask(width) >> 1) as $signed;
            let value = exact.unwrap_or(if negative { $signed::MIN } else { $signed::MAX });
            value.clamp(-max - 1, max) as $word
        }

        #[inline]
        pub fn binary(op: IntOp, width: u8, a: $value, b: $value) -> Result<$value, Undefined> {
            if a.undefined | b.undefined == 0 {
                let value = compute(op, width, a.value, b.value)?;
                return Ok(value.map_or(all_undefined(width), $value::defined));
            }
            Ok(partly_undefined(op, width, a, b))
        }

        fn all_undefined(width: u8) -> $value {
            $value { value: 0, undefined: mask(width) }
        }

        #[cold]
        fn partly_undefined(op: IntOp, width: u8, a: $value, b: $value) -> $value {
            let either = a.undefined | b.undefined;
            let near = b.undefined == 0 && b.value < width as $word;
            let shifted = match op {
                IntOp::Shl => a.undefined.checked_shl(b.value as u32),
                IntOp::LShr => a.undefined.checked_shr(b.value as u32),
                _ => signed(a.undefined, width).checked_shr(b.value as u32).map(|x| x as $word),
            };
            let decided = match op {
                IntOp::And => !(a.undefined | a.value) | !(b.undefined | b.value),
                IntOp::Or => (a.value & !a.undefined) | (b.value & !b.undefined),
                _ => 0,
            };
            let undefined = match spread(op) {
                Spread::Logic => either & !decided,
                Spread::Up => either | either.wrapping_neg(),
                Spread::Shift => shifted.filter(|_| near).unwrap_or($word::MAX),
                Spread::All => $word::MAX,
            } & mask(width);
            match compute(op, width, a.value, b.value) {
                Ok(Some(value)) => $value { value: value & !undefined, undefined },
                Ok(None) | Err(_) => all_undefined(width),
            }
        }

        /// For a partly undefined comparison: decided only if every completion agrees.
        #[inline]
        pub fn compare(pred: CmpPred, width: u8, a: $value, b: $value) -> Bits {
            if a.undefined | b.undefined == 0 {
                return Bits::defined(holds(pred, width, a.value, b.value) as u64);
            }
            compare_undefined(pred, width, a, b)
        }

        #[cold]
        fn compare_undefined(pred: CmpPred, width: u8, a: $value, b: $value) -> Bits {
            let unknown = a.undefined | b.undefined;
            let decided = if pred == CmpPred::Eq || pred == CmpPred::Ne {
                (a.value ^ b.value) & !unknown & mask(width) != 0
            } else {
                let (alo, ahi) = range(pred, width, a);
                let (blo, bhi) = range(pred, width, b);
                holds(pred, width, alo, bhi) == holds(pred, width, ahi, blo)
            };
            if decided {
                Bits::defined(holds(pred, width, a.value, b.value) as u64)
            } else {
                Bits { value: 0, undefined: 1 }
            }
        }

        /// The least and greatest completion, in the order of the predicate.
        fn range(pred: CmpPred, width: u8, x: $value) -> ($word, $word) {
            let sign = 1 << (width - 1);
            let (low, high) = (x.value & !x.undefined, (x.value | x.undefined) & mask(width));
            let either_sign = is_signed(pred) && x.undefined & sign != 0;
            if either_sign { (low | sign, high & !sign) } else { (low, high) }
        }

        #[inline]
        fn holds(pred: CmpPred, width: u8, a: $word, b: $word) -> bool {
            compares(pred, (a, b), (signed(a, width), signed(b, width)))
        }

        pub fn unary(op: IntUnOp, width: u8, a: $value) -> $value {
            let spare = $word::BITS - width as u32;
            let permuted = |permute: fn($word) -> $word| $value {
                value: permute(a.value) >> spare,
                undefined: permute(a.undefined) >> spare,
            };
            let value = match op {
                IntUnOp::ByteSwap => return permuted($word::swap_bytes),
                IntUnOp::BitReverse => return permuted($word::reverse_bits),
                IntUnOp::PopCount => a.value.count_ones() as $word,
                IntUnOp::LeadingZeros => (a.value.leading_zeros() - spare) as $word,
                IntUnOp::TrailingZeros => a.value.trailing_zeros().min(width as u32) as $word,
                IntUnOp::Abs => signed(a.value, width).wrapping_abs() as $word & mask(width),
            };
            if a.undefined != 0 { all_undefined(width) } else { $value::defined(value) }
        }

        /// The wrapped result and whether it overflowed.
        pub fn overflow(op: OverflowOp, width: u8, a: $value, b: $value) -> ($value, Bits) {
            if a.undefined | b.undefined != 0 {
                return (all_undefined(width), Bits { value: 0, undefined: 1 });
            }
            let (ua, ub) = (a.value, b.value);
            let (sa, sb) = (signed(ua, width), signed(ub, width));
            let too_large = |x: Option<$word>| x.is_none_or(|x| x > mask(width));
            let outside = |x: Option<$signed>| x.is_none_or(|x| signed(x as $word, width) != x);
            let (wrapped, over) = match op {
                OverflowOp::UAdd => (ua.wrapping_add(ub), too_large(ua.checked_add(ub))),
                OverflowOp::USub => (ua.wrapping_sub(ub), ua < ub),
                OverflowOp::UMul => (ua.wrapping_mul(ub), too_large(ua.checked_mul(ub))),
                OverflowOp::SAdd => (ua.wrapping_add(ub), outside(sa.checked_add(sb))),
                OverflowOp::SSub => (ua.wrapping_sub(ub), outside(sa.checked_sub(sb))),
                OverflowOp::SMul => (ua.wrapping_mul(ub), outside(sa.checked_mul(sb))),
            };
            ($value::defined(wrapped & mask(width)), Bits::defined(over as u64))
        }

        /// llvm.fshl / llvm.fshr
        pub fn funnel(left: bool, width: u8, a: $value, b: $value, amount: $value) -> $value {
            if amount.undefined != 0 {
                return all_undefined(width);
            }
            let width_of = width as $word;
            let by = amount.value % width_of;
            let shift = |high: $word, low: $word| {
                let shifted = match (by, left) {
                    (0, true) => high,
                    (0, false) => low,
                    (_, true) => high << by | low >> (width_of - by),
                    (_, false) => low >> by | high << (width_of - by),
                };
                shifted & mask(width)
            };
            $value { value: shift(a.value, b.value), undefined: shift(a.undefined, b.undefined) }
        }

        pub fn sign_extend(from: u8, to: u8, a: $value) -> $value {
            $value {
                value: signed(a.value, from) as $word & mask(to),
                undefined: signed(a.undefined, from) as $word & mask(to),
            }
        }
    };
}

pub(super) use integers;
