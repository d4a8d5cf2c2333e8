//! Enumerations of the instruction table as words: their own names.

use crate::{
    Access, CastOp, CmpPred, FloatKind, FloatOp, FloatPred, FloatUnOp, IntOp, IntUnOp, Order,
    OverflowOp, RmwOp,
};

/// A type whose values are written as single words.
pub(super) trait Word: Copy + PartialEq + 'static {
    const TABLE: &'static [(&'static str, Self)];

    fn word(self) -> &'static str {
        let row = Self::TABLE.iter().find(|row| row.1 == self);
        row.expect("every variant is in its table").0
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::TABLE.iter().find(|row| row.0 == word).map(|row| row.1)
    }
}

/// The match makes the compiler name a variant that is missing here.
macro_rules! words {
    ($($ty:ident { $($variant:ident)* })*) => {$(
        impl Word for $ty {
            const TABLE: &'static [(&'static str, $ty)] =
                &[$((stringify!($variant), $ty::$variant)),*];
        }
        const _: fn($ty) = |value| match value {
            $($ty::$variant => {})*
        };
    )*};
}

words! {
    IntOp {
        Add Sub Mul UDiv SDiv URem SRem Shl LShr AShr And Or Xor UMin UMax SMin SMax
        USatAdd SSatAdd USatSub SSatSub USatShl SSatShl
    }
    IntUnOp { PopCount LeadingZeros TrailingZeros ByteSwap BitReverse Abs }
    OverflowOp { UAdd SAdd USub SSub UMul SMul }
    CmpPred { Eq Ne Ult Ule Ugt Uge Slt Sle Sgt Sge }
    FloatKind { F32 F64 F80 }
    FloatOp {
        Add Sub Mul Div Rem MinNum MaxNum Minimum Maximum CopySign Pow PowI LdExp Atan2
    }
    FloatUnOp {
        Neg Abs Sqrt Floor Ceil Trunc Round RoundEven Rint NearbyInt Sin Cos Tan Asin Acos Atan
        Sinh Cosh Tanh Exp Exp2 Exp10 Log Log2 Log10 Canonicalize
    }
    FloatPred { False Oeq Ogt Oge Olt Ole One Ord Ueq Ugt Uge Ult Ule Une Uno True }
    CastOp {
        FloatToSigned FloatToUnsigned FloatToSignedSat FloatToUnsignedSat SignedToFloat
        UnsignedToFloat FloatToFloat
    }
    RmwOp {
        Xchg Add Sub And Nand Or Xor Max Min UMax UMin FAdd FSub FMax FMin UIncWrap UDecWrap
        USubCond USubSat
    }
    Order { Relaxed Acquire Release AcqRel SeqCst }
}

impl Word for Access {
    const TABLE: &'static [(&'static str, Access)] = &[
        ("Plain", Access::Plain),
        ("Volatile", Access::Volatile),
        ("AtomicRelaxed", Access::Atomic(Order::Relaxed)),
        ("AtomicAcquire", Access::Atomic(Order::Acquire)),
        ("AtomicRelease", Access::Atomic(Order::Release)),
        ("AtomicAcqRel", Access::Atomic(Order::AcqRel)),
        ("AtomicSeqCst", Access::Atomic(Order::SeqCst)),
    ];
}
