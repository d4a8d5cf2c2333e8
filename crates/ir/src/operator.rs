//! What instructions compute: operators, predicates, conversions, and the ways
//! in which memory is accessed.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    /// Shifts by the width or more give an undefined value.
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    UMin,
    UMax,
    SMin,
    SMax,
    USatAdd,
    SSatAdd,
    USatSub,
    SSatSub,
    USatShl,
    SSatShl,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntUnOp {
    PopCount,
    /// Zero gives the width.
    LeadingZeros,
    TrailingZeros,
    ByteSwap,
    BitReverse,
    /// The minimum stays what it is.
    Abs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OverflowOp {
    UAdd,
    SAdd,
    USub,
    SSub,
    UMul,
    SMul,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CmpPred {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatKind {
    F32,
    F64,
    F80,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// llvm.minnum / maxnum: a NaN operand is ignored.
    MinNum,
    MaxNum,
    /// llvm.minimum / maximum: a NaN operand wins.
    Minimum,
    Maximum,
    CopySign,
    Pow,
    /// The second operand is an i32.
    PowI,
    LdExp,
    Atan2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatUnOp {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    RoundEven,
    Rint,
    NearbyInt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Exp2,
    Exp10,
    Log,
    Log2,
    Log10,
    Canonicalize,
}

/// LLVM's floating-point predicates: O = ordered, U = unordered or.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatPred {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
    True,
}

/// Conversions that involve floating point. Integer sides take their width
/// from the instruction and may be wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastOp {
    FloatToSigned,
    FloatToUnsigned,
    /// llvm.fptosi.sat / fptoui.sat
    FloatToSignedSat,
    FloatToUnsignedSat,
    SignedToFloat,
    UnsignedToFloat,
    /// `from` to `to`, both floats.
    FloatToFloat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RmwOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
    FMax,
    FMin,
    UIncWrap,
    UDecWrap,
    USubCond,
    USubSat,
}

/// The memory order of an atomic operation. LLVM's `unordered` counts as
/// `Relaxed`, and C's `memory_order_consume` is `Acquire`, as compilers have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    /// Whether a read of this order, or a fence, acquires.
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Whether a write of this order, or a fence, releases.
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

/// How memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    Plain,
    Volatile,
    Atomic(Order),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrapKind {
    /// llvm.trap / __builtin_trap
    Trap,
    /// llvm.ubsantrap with clang's check number
    Undefined(u8),
    /// Control reached `unreachable`.
    Unreachable,
    /// llvm.debugtrap
    Debug,
}
