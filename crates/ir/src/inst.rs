//! The instruction table.
//!
//! Every instruction fits in 24 bytes; what does not (call arguments, switch
//! cases) is in side tables of the function. Operands called `a`, `b`, `src`,
//! `addr`… are slots that are read, `dst` and `carry` are slots that are
//! written. `width` is the number of bits of an integer operation.
//!
//! Instructions named `Wide…` work on integers of 65 to 128 bits in slot
//! pairs `(x, x + 1)`.

/// A slot of the register window.
pub type Slot = u32;
/// An instruction's index in its function.
pub type Pc = u32;

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

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inst {
    // ---- values -------------------------------------------------------
    Mov {
        dst: Slot,
        src: Slot,
    },
    /// `cond` is one bit.
    Select {
        dst: Slot,
        cond: Slot,
        a: Slot,
        b: Slot,
    },
    /// An undefined value becomes some fixed defined one.
    Freeze {
        dst: Slot,
        src: Slot,
    },
    /// `ptrtoint`: like `Mov`, but from here on anyone may know the address.
    Expose {
        dst: Slot,
        src: Slot,
    },

    // ---- integers of up to 64 bits --------------------------------------
    Int {
        op: IntOp,
        width: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    IntUn {
        op: IntUnOp,
        width: u8,
        dst: Slot,
        a: Slot,
    },
    Overflow {
        op: OverflowOp,
        width: u8,
        dst: Slot,
        carry: Slot,
        a: Slot,
        b: Slot,
    },
    /// The high (`left`) or low `width` bits of `a:b` shifted by `amount`.
    Funnel {
        left: bool,
        width: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
        amount: Slot,
    },
    Cmp {
        pred: CmpPred,
        width: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// Keeps the low `width` bits (also of the low half of a wide value).
    Trunc {
        width: u8,
        dst: Slot,
        a: Slot,
    },
    /// Sign-extends from `from` to `to` bits (`to` up to 64).
    SExt {
        from: u8,
        to: u8,
        dst: Slot,
        a: Slot,
    },

    // ---- integers of 65 to 128 bits ---------------------------------------
    WideInt {
        op: IntOp,
        width: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    WideIntUn {
        op: IntUnOp,
        width: u8,
        dst: Slot,
        a: Slot,
    },
    WideOverflow {
        op: OverflowOp,
        width: u8,
        dst: Slot,
        carry: Slot,
        a: Slot,
        b: Slot,
    },
    WideFunnel {
        left: bool,
        width: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
        amount: Slot,
    },
    WideCmp {
        pred: CmpPred,
        width: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// Sign-extends one slot (or a narrower wide value) to `to` bits.
    WideSExt {
        from: u8,
        to: u8,
        dst: Slot,
        a: Slot,
    },

    // ---- floating point (F80 in slot pairs) --------------------------------
    Float {
        op: FloatOp,
        kind: FloatKind,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    FloatUn {
        op: FloatUnOp,
        kind: FloatKind,
        dst: Slot,
        a: Slot,
    },
    /// `a * b + c`, rounded once.
    FloatMulAdd {
        kind: FloatKind,
        dst: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    FloatCmp {
        pred: FloatPred,
        kind: FloatKind,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// Integer to float: from `width` bits to `kind`. Float to integer: from
    /// `kind` to `width` bits. Float to float: from `kind` to `to`.
    FloatCast {
        op: CastOp,
        kind: FloatKind,
        to: FloatKind,
        width: u8,
        dst: Slot,
        a: Slot,
    },
    /// llvm.is.fpclass
    FloatClass {
        mask: u16,
        kind: FloatKind,
        dst: Slot,
        a: Slot,
    },

    // ---- memory -----------------------------------------------------------
    /// `size * count` bytes on the stack; freed when the function returns.
    Alloca {
        dst: Slot,
        size: u32,
        count: Slot,
    },
    /// The current top of the stack, for `StackRestore`.
    StackSave {
        dst: Slot,
    },
    StackRestore {
        src: Slot,
    },
    /// The object's contents become undefined; it is alive from here.
    LifetimeStart {
        addr: Slot,
    },
    /// Using the object afterwards is an error.
    LifetimeEnd {
        addr: Slot,
    },
    /// Reads `bits` bits (in `ceil(bits / 8)` bytes); more than 64 into a pair.
    Load {
        bits: u8,
        pointer: bool,
        access: Access,
        dst: Slot,
        addr: Slot,
    },
    Store {
        bits: u8,
        pointer: bool,
        access: Access,
        src: Slot,
        addr: Slot,
    },
    /// `base + sign_extend(index, width) * scale`
    PtrIndex {
        dst: Slot,
        base: Slot,
        index: Slot,
        width: u8,
        scale: i32,
    },
    PtrAdd {
        dst: Slot,
        base: Slot,
        offset: i32,
    },
    MemCopy {
        dst: Slot,
        src: Slot,
        len: Slot,
        may_overlap: bool,
        volatile: bool,
    },
    MemSet {
        dst: Slot,
        byte: Slot,
        len: Slot,
        volatile: bool,
    },
    Rmw {
        op: RmwOp,
        bits: u8,
        order: Order,
        dst: Slot,
        addr: Slot,
        src: Slot,
    },
    /// `dst` gets the old value, `ok` one bit; `list` (a row of
    /// `Function::lists`) holds the slots of the expected and the new value.
    CmpXchg {
        bits: u8,
        weak: bool,
        /// The orders if it succeeds and if it fails.
        order: Order,
        failure: Order,
        dst: Slot,
        ok: Slot,
        addr: Slot,
        list: u32,
    },
    /// One of order `Relaxed` concerns only the compiler.
    Fence {
        order: Order,
    },
    /// The current thread's copy of a thread-local global (by `GlobalId`).
    TlsAddr {
        dst: Slot,
        global: u32,
    },
    /// The address of the area with this call's variadic arguments, which
    /// lie there as the caller's `Arg::place` says.
    VaArea {
        dst: Slot,
    },
    VaEnd {
        list: Slot,
    },

    // ---- control ------------------------------------------------------------
    Jump {
        to: Pc,
    },
    /// `cond` is one bit.
    Branch {
        cond: Slot,
        yes: Pc,
        no: Pc,
    },
    Switch {
        value: Slot,
        table: u32,
    },
    /// To a label address (see `address::label`).
    IndirectJump {
        addr: Slot,
    },
    /// Returns the slots of a list.
    Return {
        list: u32,
    },
    /// Row of `Function::calls`.
    Call {
        call: u32,
    },
    /// A hint that this is a spin loop (`pause`, `sched_yield`-like).
    SpinHint,
    Trap {
        kind: TrapKind,
    },
    /// What could not be lowered; row of `Function::unsupported`.
    Unsupported {
        what: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_stay_small() {
        assert!(std::mem::size_of::<Inst>() <= 24, "{}", std::mem::size_of::<Inst>());
    }
}
