//! Integers of 65 to 128 bits, in slot pairs.

use exeunt_ir::{CmpPred, IntOp, IntUnOp, OverflowOp};
use exeunt_mem::Bits;

use super::integers::{Spread, Undefined, compares, integers, is_signed, spread};

integers!(u128, i128, Wide);

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::int;

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

    #[test]
    fn both_sizes_agree_where_both_can_be_asked() {
        let numbers = [0, 1, 2, 5, 0x7f, 0x80, 0xff];
        let masks = [0, 1, 0x80, 0xf0, 0xff];
        let ops = [
            IntOp::Add,
            IntOp::Sub,
            IntOp::Mul,
            IntOp::UDiv,
            IntOp::SDiv,
            IntOp::URem,
            IntOp::SRem,
            IntOp::Shl,
            IntOp::LShr,
            IntOp::AShr,
            IntOp::And,
            IntOp::Or,
            IntOp::Xor,
            IntOp::UMin,
            IntOp::UMax,
            IntOp::SMin,
            IntOp::SMax,
            IntOp::USatAdd,
            IntOp::SSatAdd,
            IntOp::USatSub,
            IntOp::SSatSub,
            IntOp::USatShl,
            IntOp::SSatShl,
        ];
        let wide = |x: Bits| Wide { value: x.value.into(), undefined: x.undefined.into() };
        let values = || {
            let pair = |value| masks.into_iter().map(move |undefined| Bits { value, undefined });
            numbers.into_iter().flat_map(pair)
        };
        for (op, a, b) in
            ops.iter().flat_map(|op| values().flat_map(move |a| values().map(move |b| (*op, a, b))))
        {
            let narrow = int::binary(op, 8, a, b).map(wide);
            assert_eq!(binary(op, 8, wide(a), wide(b)), narrow, "{op:?} {a:?} {b:?}");
        }
    }
}
