//! Floating point.

use exeunt_ir::{CastOp, Const, FloatKind, FloatOp, FloatPred, FloatUnOp, Inst, IntOp, Slot};

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
        self.float_comparison(value, value.operand(0), value.operand(1), pred)
    }

    pub fn float_comparison(
        &mut self,
        value: Value<'m>,
        a: Value<'m>,
        b: Value<'m>,
        pred: FloatPred,
    ) -> Lowered<()> {
        let kind = float_kind(a.ty())?;
        self.lanewise(value, &[a, b], |body, dst, src| {
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

    /// llvm.frexp: `{ mantissa in [0.5, 1), exponent }`; zeros, infinities and
    /// NaNs stay what they are, with exponent 0.
    pub fn split_exponent(&mut self, call: Value<'m>, a: Value<'m>) -> Lowered<()> {
        let format = Format::of(float_kind(a.ty())?);
        let width = int_width(call_field(call, 1)?)?;
        if width > 64 {
            return unsupported("llvm.frexp with a wide exponent");
        }
        let values = self.operand(a)?;
        let results = self.result(call)?;
        for (lane, &value) in values.iter().enumerate() {
            let (mantissa, exponent) = (results[lane], results[values.len() + lane]);
            self.split_lane(&format, width, value, mantissa, exponent);
        }
        Ok(())
    }

    fn split_lane(&mut self, format: &Format, width: u8, value: Slot, to: Slot, exponent: Slot) {
        let kind = format.kind;
        let slots = if kind == FloatKind::F80 { 2 } else { 1 };
        // Subnormal numbers are scaled up first.
        let (tiny, special) = (self.fresh(1), self.fresh(1));
        self.emit(Inst::FloatClass { mask: SUBNORMAL, kind, dst: tiny, a: value });
        self.emit(Inst::FloatClass { mask: ZERO_INF_NAN, kind, dst: special, a: value });
        let (normal, scale) = (self.fresh(slots), self.float_constant(format));
        self.emit(Inst::Float { op: FloatOp::Mul, kind, dst: normal, a: value, b: scale });
        self.choose(slots, normal, tiny, normal, value);
        // The exponent's field is in the highest slot.
        let top = normal + slots - 1;
        let (field, shift) = (self.fresh(1), self.constant(format.shift.into()));
        let (mask, bias) = (self.constant(format.mask), self.constant(format.bias));
        self.int(IntOp::LShr, 64, field, top, shift);
        self.int(IntOp::And, 64, field, field, mask);
        let (raised, plain) = (self.fresh(1), self.fresh(1));
        let lift = self.constant(format.bias + u64::from(format.lift));
        self.int(IntOp::Sub, 64, raised, field, lift);
        self.int(IntOp::Sub, 64, plain, field, bias);
        self.choose(1, plain, tiny, raised, plain);
        self.emit(Inst::Trunc { width, dst: exponent, a: plain });
        let zero = self.constant(0);
        self.choose(1, exponent, special, zero, exponent);
        // The mantissa gets the exponent of [0.5, 1).
        let (rest, half) = (!(format.mask << format.shift), format.bias << format.shift);
        let (rest, half) = (self.constant(rest), self.constant(half));
        self.int(IntOp::And, 64, top, top, rest);
        self.int(IntOp::Or, 64, top, top, half);
        self.choose(slots, to, special, value, normal);
    }

    fn choose(&mut self, slots: u32, dst: Slot, cond: Slot, a: Slot, b: Slot) {
        for half in 0..slots {
            self.emit(Inst::Select { dst: dst + half, cond, a: a + half, b: b + half });
        }
    }

    /// Two to the power of `format.lift`.
    fn float_constant(&mut self, format: &Format) -> Slot {
        let exponent = (format.bias + 1 + u64::from(format.lift)) << format.shift;
        match format.kind {
            FloatKind::F80 => {
                self.constant_slot(Const::defined(1 << 63), Some(Const::defined(exponent)))
            }
            FloatKind::F32 | FloatKind::F64 => self.constant(exponent),
        }
    }
}

const SUBNORMAL: u16 = 0x90;
const ZERO_INF_NAN: u16 = 0x267;

/// Where a format keeps its exponent (in its highest slot).
struct Format {
    kind: FloatKind,
    shift: u32,
    mask: u64,
    /// The exponent's field for numbers in [0.5, 1).
    bias: u64,
    /// Enough to make subnormal numbers normal.
    lift: u32,
}

impl Format {
    fn of(kind: FloatKind) -> Format {
        match kind {
            FloatKind::F32 => Format { kind, shift: 23, mask: 0xff, bias: 126, lift: 25 },
            FloatKind::F64 => Format { kind, shift: 52, mask: 0x7ff, bias: 1022, lift: 54 },
            FloatKind::F80 => Format { kind, shift: 0, mask: 0x7fff, bias: 16382, lift: 65 },
        }
    }
}

/// The type of a field of a call's result.
fn call_field<'m>(call: Value<'m>, index: u32) -> Lowered<Type<'m>> {
    if u64::from(index) < call.ty().len() && call.ty().element().is_none() {
        return Ok(call.ty().field(index));
    }
    unsupported(format!("a result of type {}", call.ty()))
}
