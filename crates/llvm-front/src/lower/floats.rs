//! Floating point.

use exeunt_ir::{CastOp, FloatKind, FloatOp, FloatPred, FloatUnOp, Inst};

use super::body::Body;
use super::ints::int_width;
use super::layout::lane_type;
use super::{Lowered, unsupported};
use crate::llvm::{Opcode, RealPredicate, Type, TypeKind, Value};

pub(super) fn float_kind(ty: Type<'_>) -> Lowered<FloatKind> {
    match lane_type(ty).kind() {
        TypeKind::LLVMFloatTypeKind => Ok(FloatKind::F32),
        TypeKind::LLVMDoubleTypeKind => Ok(FloatKind::F64),
        TypeKind::LLVMX86_FP80TypeKind => Ok(FloatKind::F80),
        _ => unsupported(format!("arithmetic on {ty}")),
    }
}

fn predicate(predicate: RealPredicate) -> FloatPred {
    use RealPredicate::*;
    match predicate {
        LLVMRealPredicateFalse => FloatPred::False,
        LLVMRealOEQ => FloatPred::Oeq,
        LLVMRealOGT => FloatPred::Ogt,
        LLVMRealOGE => FloatPred::Oge,
        LLVMRealOLT => FloatPred::Olt,
        LLVMRealOLE => FloatPred::Ole,
        LLVMRealONE => FloatPred::One,
        LLVMRealORD => FloatPred::Ord,
        LLVMRealUNO => FloatPred::Uno,
        LLVMRealUEQ => FloatPred::Ueq,
        LLVMRealUGT => FloatPred::Ugt,
        LLVMRealUGE => FloatPred::Uge,
        LLVMRealULT => FloatPred::Ult,
        LLVMRealULE => FloatPred::Ule,
        LLVMRealUNE => FloatPred::Une,
        LLVMRealPredicateTrue => FloatPred::True,
    }
}

impl<'m> Body<'_, 'm> {
    pub fn float_arithmetic(&mut self, value: Value<'m>) -> Lowered<()> {
        match value.opcode() {
            Opcode::LLVMFNeg => self.float_unary(value, value.operand(0), FloatUnOp::Neg),
            opcode => {
                let op = match opcode {
                    Opcode::LLVMFAdd => FloatOp::Add,
                    Opcode::LLVMFSub => FloatOp::Sub,
                    Opcode::LLVMFMul => FloatOp::Mul,
                    Opcode::LLVMFDiv => FloatOp::Div,
                    _ => FloatOp::Rem,
                };
                self.float_binary(value, value.operand(0), value.operand(1), op)
            }
        }
    }

    pub fn float_unary(&mut self, value: Value<'m>, a: Value<'m>, op: FloatUnOp) -> Lowered<()> {
        let kind = float_kind(value.ty())?;
        self.lanewise(value, &[a], |body, dst, src| {
            body.emit(Inst::FloatUn { op, kind, dst, a: src[0] });
        })
    }

    pub fn float_binary(
        &mut self,
        value: Value<'m>,
        a: Value<'m>,
        b: Value<'m>,
        op: FloatOp,
    ) -> Lowered<()> {
        let kind = float_kind(value.ty())?;
        self.lanewise(value, &[a, b], |body, dst, src| {
            body.emit(Inst::Float { op, kind, dst, a: src[0], b: src[1] });
        })
    }

    /// `a * b + c`. Without a fused instruction, as on plain x86-64,
    /// `llvm.fmuladd` rounds twice; `llvm.fma` always rounds once.
    pub fn multiply_add(
        &mut self,
        value: Value<'m>,
        args: &[Value<'m>],
        fused: bool,
    ) -> Lowered<()> {
        let kind = float_kind(value.ty())?;
        self.lanewise(value, args, |body, dst, src| {
            let (a, b, c) = (src[0], src[1], src[2]);
            if fused {
                body.emit(Inst::FloatMulAdd { kind, dst, a, b, c });
            } else {
                let product = body.fresh(if kind == FloatKind::F80 { 2 } else { 1 });
                body.emit(Inst::Float { op: FloatOp::Mul, kind, dst: product, a, b });
                body.emit(Inst::Float { op: FloatOp::Add, kind, dst, a: product, b: c });
            }
        })
    }

    pub fn float_compare(&mut self, value: Value<'m>) -> Lowered<()> {
        let pred = predicate(value.float_predicate());
        let kind = float_kind(value.operand(0).ty())?;
        self.lanewise(value, &[value.operand(0), value.operand(1)], |body, dst, src| {
            body.emit(Inst::FloatCmp { pred, kind, dst, a: src[0], b: src[1] });
        })
    }

    pub fn float_cast(&mut self, value: Value<'m>) -> Lowered<()> {
        let op = match value.opcode() {
            Opcode::LLVMFPToUI => CastOp::FloatToUnsigned,
            Opcode::LLVMFPToSI => CastOp::FloatToSigned,
            Opcode::LLVMUIToFP => CastOp::UnsignedToFloat,
            Opcode::LLVMSIToFP => CastOp::SignedToFloat,
            _ => CastOp::FloatToFloat,
        };
        self.float_conversion(value, value.operand(0), op)
    }

    pub fn float_conversion(&mut self, value: Value<'m>, a: Value<'m>, op: CastOp) -> Lowered<()> {
        let (kind, to, width) = match op {
            CastOp::FloatToFloat => (float_kind(a.ty())?, float_kind(value.ty())?, 0),
            CastOp::SignedToFloat | CastOp::UnsignedToFloat => {
                let kind = float_kind(value.ty())?;
                (kind, kind, int_width(a.ty())?)
            }
            CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::FloatToSignedSat
            | CastOp::FloatToUnsignedSat => {
                let kind = float_kind(a.ty())?;
                (kind, kind, int_width(value.ty())?)
            }
        };
        self.lanewise(value, &[a], |body, dst, src| {
            body.emit(Inst::FloatCast { op, kind, to, width, dst, a: src[0] });
        })
    }

    pub fn float_class(&mut self, value: Value<'m>, a: Value<'m>, mask: u16) -> Lowered<()> {
        let kind = float_kind(a.ty())?;
        self.lanewise(value, &[a], |body, dst, src| {
            body.emit(Inst::FloatClass { mask, kind, dst, a: src[0] });
        })
    }
}
