//! Integers of up to 64 bits, in one slot.

use exeunt_ir::{CmpPred, IntOp, IntUnOp, OverflowOp};
use exeunt_mem::Bits;

use super::integers::{Spread, compares, integers, is_signed, spread};

pub use super::integers::Undefined;

integers!(u64, i64, Bits);

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
