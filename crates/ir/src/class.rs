//! What an instruction is to those who follow values: a copy, a computation, or a deed.

use crate::{CastOp, CmpPred, FloatKind, FloatOp, FloatPred, FloatUnOp, Inst, IntOp, Slot};

/// What an instruction does with values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Words get to other slots as they are.
    Copies,
    /// A value of one slot is computed from values of one slot.
    Computes(Computation),
    /// Another computation, which cannot fail and has no effect.
    ComputesOtherwise,
    /// A value of this many bits is stored at this address.
    Stores { bits: u8, addr: Slot },
    /// Words are handed on as they are, to another function or place.
    HandsOn,
    /// It has an effect, or may fail.
    Acts,
}

/// A computation on values of one slot each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Computation {
    Int { op: IntOp, width: u8, dst: Slot, a: Slot, b: Slot },
    Cmp { pred: CmpPred, width: u8, dst: Slot, a: Slot, b: Slot },
    Trunc { width: u8, dst: Slot, a: Slot },
    SExt { from: u8, to: u8, dst: Slot, a: Slot },
    Float { op: FloatOp, kind: FloatKind, dst: Slot, a: Slot, b: Slot },
    FloatUn { op: FloatUnOp, kind: FloatKind, dst: Slot, a: Slot },
    FloatCmp { pred: FloatPred, kind: FloatKind, dst: Slot, a: Slot, b: Slot },
    FloatCast { op: CastOp, kind: FloatKind, to: FloatKind, width: u8, dst: Slot, a: Slot },
}

impl Inst {
    pub fn class(&self) -> Class {
        use Computation as C;
        let wide = |kind: FloatKind| kind.slots() > 1;
        match *self {
            Inst::Mov { .. } | Inst::Select { .. } | Inst::Freeze { .. } => Class::Copies,
            Inst::Int { op, width, dst, a, b } => Class::Computes(C::Int { op, width, dst, a, b }),
            Inst::Cmp { pred, width, dst, a, b } => {
                Class::Computes(C::Cmp { pred, width, dst, a, b })
            }
            Inst::Trunc { width, dst, a } => Class::Computes(C::Trunc { width, dst, a }),
            Inst::SExt { from, to, dst, a } => Class::Computes(C::SExt { from, to, dst, a }),
            Inst::Float { kind, .. } | Inst::FloatUn { kind, .. } if wide(kind) => {
                Class::ComputesOtherwise
            }
            Inst::Float { op, kind, dst, a, b } => {
                Class::Computes(C::Float { op, kind, dst, a, b })
            }
            Inst::FloatUn { op, kind, dst, a } => Class::Computes(C::FloatUn { op, kind, dst, a }),
            Inst::FloatCmp { kind, .. } if wide(kind) => Class::ComputesOtherwise,
            Inst::FloatCmp { pred, kind, dst, a, b } => {
                Class::Computes(C::FloatCmp { pred, kind, dst, a, b })
            }
            Inst::FloatCast { kind, to, width, .. } if wide(kind) || wide(to) || width > 64 => {
                Class::ComputesOtherwise
            }
            Inst::FloatCast { op, kind, to, width, dst, a } => {
                Class::Computes(C::FloatCast { op, kind, to, width, dst, a })
            }
            Inst::WideInt { op, .. } if op.divides() => Class::Acts,
            Inst::IntUn { .. }
            | Inst::Overflow { .. }
            | Inst::Funnel { .. }
            | Inst::WideInt { .. }
            | Inst::WideIntUn { .. }
            | Inst::WideOverflow { .. }
            | Inst::WideFunnel { .. }
            | Inst::WideCmp { .. }
            | Inst::WideSExt { .. }
            | Inst::FloatMulAdd { .. }
            | Inst::FloatClass { .. }
            | Inst::PtrIndex { .. }
            | Inst::PtrAdd { .. }
            | Inst::StackSave { .. }
            | Inst::VaArea { .. } => Class::ComputesOtherwise,
            Inst::Store { bits, addr, .. } => Class::Stores { bits, addr },
            Inst::Jump { .. } | Inst::Return { .. } | Inst::Call { .. } => Class::HandsOn,
            Inst::Expose { .. }
            | Inst::Alloca { .. }
            | Inst::StackRestore { .. }
            | Inst::LifetimeStart { .. }
            | Inst::LifetimeEnd { .. }
            | Inst::Load { .. }
            | Inst::MemCopy { .. }
            | Inst::MemSet { .. }
            | Inst::Rmw { .. }
            | Inst::CmpXchg { .. }
            | Inst::Fence { .. }
            | Inst::TlsAddr { .. }
            | Inst::VaEnd { .. }
            | Inst::Branch { .. }
            | Inst::Switch { .. }
            | Inst::IndirectJump { .. }
            | Inst::SpinHint {}
            | Inst::Trap { .. }
            | Inst::Unsupported { .. } => Class::Acts,
        }
    }

    /// Whether it does nothing but to compute values, and cannot fail.
    pub fn only_computes(&self) -> bool {
        match self.class() {
            Class::Computes(Computation::Int { op, .. }) => !op.divides(),
            Class::Copies | Class::Computes(_) | Class::ComputesOtherwise => true,
            Class::Stores { .. } | Class::HandsOn | Class::Acts => false,
        }
    }
}

impl IntOp {
    /// Whether it fails if its second operand is zero.
    pub fn divides(self) -> bool {
        matches!(self, IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem)
    }
}
