//! Constants to slots.

use exeunt_ir::{Const, FuncId, address};

use super::huge::{decimal_limbs, huge_width};
use super::layout::{lane_type, mask};
use super::{Lowered, Unit, Unsupported, unsupported};
use crate::llvm::{Linkage, Opcode, Type, TypeKind, Value, ValueKind};

/// Why a constant has no slots yet.
pub(super) enum ConstError {
    Unsupported(Unsupported),
    /// It contains the address of a label, and functions are still moving.
    Label,
    /// It contains the address of a thread-local global.
    ThreadLocal,
}

impl From<Unsupported> for ConstError {
    fn from(why: Unsupported) -> ConstError {
        ConstError::Unsupported(why)
    }
}

/// A constant of a function that waits for the labels' addresses.
pub(super) struct PendingLabel<'m> {
    pub function: FuncId,
    /// The first of its constants.
    pub first: u32,
    pub value: Value<'m>,
}

fn fail<T>(what: impl Into<String>) -> Result<T, ConstError> {
    Err(ConstError::Unsupported(Unsupported(what.into())))
}

/// The slots of a number of `bits` bits.
fn number(value: u128, bits: u32) -> Vec<Const> {
    let low = Const::defined(value as u64 & mask(bits));
    if bits <= 64 {
        return vec![low];
    }
    vec![low, Const::defined((value >> 64) as u64 & mask(bits - 64))]
}

fn undefined(bits: u32) -> Vec<Const> {
    let slot = |bits| Const { value: 0, undefined: mask(bits) };
    if bits <= 64 { vec![slot(bits)] } else { vec![slot(64), slot(bits - 64)] }
}

impl<'m> Unit<'m> {
    /// The slots of a constant: one or two for each leaf of its type.
    pub(super) fn constant(&self, value: Value<'m>) -> Result<Vec<Const>, ConstError> {
        use ValueKind::*;
        match value.kind() {
            LLVMConstantIntValueKind if value.ty().int_width() != 0 => {
                let bits = value.ty().int_width();
                if huge_width(value.ty()).is_some() {
                    return self.huge_constant(value, bits);
                }
                match value.wide_int_bits() {
                    Some(int) => Ok(number(int, bits)),
                    None => fail(format!("an integer of {bits} bits")),
                }
            }
            LLVMConstantFPValueKind if value.ty().element().is_none() => {
                let bits = value.ty().bits(self.module).unwrap_or(0) as u32;
                match value.float_bits(self.module) {
                    Some(float) => Ok(number(float, bits)),
                    None => fail(format!("the constant {}", value.text())),
                }
            }
            LLVMConstantPointerNullValueKind => Ok(number(0, 64)),
            LLVMUndefValueValueKind | LLVMPoisonValueKind => {
                let leaves = self.leaves(value.ty())?;
                Ok(leaves.iter().flat_map(|leaf| undefined(leaf.ty.bits().into())).collect())
            }
            LLVMConstantAggregateZeroValueKind => {
                let leaves = self.leaves(value.ty())?;
                Ok(leaves.iter().flat_map(|leaf| number(0, leaf.ty.bits().into())).collect())
            }
            LLVMConstantArrayValueKind
            | LLVMConstantStructValueKind
            | LLVMConstantVectorValueKind
            | LLVMConstantDataArrayValueKind
            | LLVMConstantDataVectorValueKind
            | LLVMConstantIntValueKind
            | LLVMConstantFPValueKind => self.aggregate(value),
            LLVMFunctionValueKind
            | LLVMGlobalVariableValueKind
            | LLVMGlobalAliasValueKind
            | LLVMBlockAddressValueKind => Ok(number(self.symbol(value)?.into(), 64)),
            LLVMConstantExprValueKind => self.expression(value),
            _ => fail(format!("the constant {}", value.text())),
        }
    }

    fn huge_constant(&self, value: Value<'m>, bits: u32) -> Result<Vec<Const>, ConstError> {
        let text = value.text();
        let digits = text.rsplit(' ').next().unwrap_or_default();
        match decimal_limbs(digits, bits) {
            Some(limbs) => Ok(limbs.into_iter().map(Const::defined).collect()),
            None => fail(format!("the constant {text}")),
        }
    }

    /// The lowest limb of a huge constant that is a shift's amount.
    pub(super) fn constant_limb(&self, value: Value<'m>) -> Lowered<u64> {
        match self.constant(value) {
            Ok(limbs) if limbs[1..].iter().all(|limb| limb.value == 0) => Ok(limbs[0].value),
            Ok(_) => Ok(u64::MAX),
            Err(_) => unsupported("a shift by this constant"),
        }
    }

    fn aggregate(&self, value: Value<'m>) -> Result<Vec<Const>, ConstError> {
        // Also refuses what is too large to be held in registers.
        self.leaves(value.ty())?;
        let mut slots = Vec::new();
        for index in 0..value.ty().len() as u32 {
            match value.aggregate_element(index) {
                Some(element) => slots.extend(self.constant(element)?),
                None => return fail(format!("the constant {}", value.text())),
            }
        }
        Ok(slots)
    }

    /// The address of a function, global, alias or label.
    fn symbol(&self, value: Value<'m>) -> Result<u64, ConstError> {
        if let Some(aliasee) = value.aliasee() {
            return self.address(aliasee);
        }
        if let Some((_, block)) = value.block_address() {
            return match self.labels.get(&block) {
                Some(&(function, pc)) => Ok(address::label(function, pc)),
                None => Err(ConstError::Label),
            };
        }
        if value.is_declaration() && matches!(value.linkage(), Linkage::LLVMExternalWeakLinkage) {
            // It has no definition: a weak reference is null then.
            return Ok(0);
        }
        if value.is_thread_local() {
            return Err(ConstError::ThreadLocal);
        }
        if let Some(&id) = self.functions.get(&value) {
            Ok(address::function(id))
        } else if let Some(&id) = self.globals.get(&value) {
            Ok(address::global(id, 0))
        } else {
            fail(format!("the address of {}", value.name()))
        }
    }

    /// A constant of one slot as a number.
    fn address(&self, value: Value<'m>) -> Result<u64, ConstError> {
        match self.constant(value)?[..] {
            [Const { value, undefined: 0 }] => Ok(value),
            _ => fail(format!("the constant {}", value.text())),
        }
    }

    fn expression(&self, value: Value<'m>) -> Result<Vec<Const>, ConstError> {
        let bits = value.ty().bits(self.module).unwrap_or(64) as u32;
        let is_vector = lane_type(value.ty()) != value.ty();
        match value.constant_opcode() {
            Some(Opcode::LLVMGetElementPtr) if !is_vector => {
                let offset = self.constant_offset(value)?;
                Ok(number(address::add(self.address(value.operand(0))?, offset).into(), 64))
            }
            Some(Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMXor)
                if bits <= 64 && !is_vector =>
            {
                let (a, b) = (self.address(value.operand(0))?, self.address(value.operand(1))?);
                let result = match value.constant_opcode() {
                    Some(Opcode::LLVMAdd) => a.wrapping_add(b),
                    Some(Opcode::LLVMSub) => a.wrapping_sub(b),
                    _ => a ^ b,
                };
                Ok(number(result.into(), bits))
            }
            Some(
                Opcode::LLVMPtrToInt
                | Opcode::LLVMPtrToAddr
                | Opcode::LLVMIntToPtr
                | Opcode::LLVMTrunc,
            ) if !is_vector => Ok(number(self.address(value.operand(0))?.into(), bits)),
            Some(Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast)
                if self.scalars(value.ty())? == self.scalars(value.operand(0).ty())? =>
            {
                self.constant(value.operand(0))
            }
            _ => fail(format!("the constant {}", value.text())),
        }
    }

    /// The byte offset of a `getelementptr` whose indices are all constant.
    pub(super) fn constant_offset(&self, gep: Value<'m>) -> Result<i64, ConstError> {
        let mut offset = 0_i64;
        let mut at: Option<Type<'m>> = None;
        for index in gep.operands().skip(1) {
            let Some(raw) = index.int_bits() else {
                return fail(format!("the constant {}", gep.text()));
            };
            let Some(ty) = at else {
                let ty = gep.gep_source_type();
                offset = offset.wrapping_add(self.step(ty, index, raw));
                at = Some(ty);
                continue;
            };
            if ty.kind() == TypeKind::LLVMStructTypeKind && ty.size(self.module).is_some() {
                offset = offset.wrapping_add(ty.field_offset(self.module, raw as u32) as i64);
                at = Some(ty.field(raw as u32));
            } else if let Some(element) = ty.element() {
                offset = offset.wrapping_add(self.step(element, index, raw));
                at = Some(element);
            } else {
                return fail(format!("the constant {}", gep.text()));
            }
        }
        Ok(offset)
    }

    fn step(&self, ty: Type<'m>, index: Value<'m>, raw: u64) -> i64 {
        let size = ty.size(self.module).unwrap_or(0) as i64;
        sign_extend(raw, index.ty().int_width()).wrapping_mul(size)
    }

    /// Fills in the constants that waited for labels.
    pub(super) fn resolve_labels(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            // A block that is never reached has no label; its address is
            // then one that no jump accepts.
            let constants = self.constant(pending.value).unwrap_or_default();
            let function = &mut self.program.functions[pending.function.0 as usize];
            let first = pending.first as usize;
            for (slot, constant) in function.constants[first..].iter_mut().zip(constants) {
                *slot = constant;
            }
        }
    }
}

pub(super) fn sign_extend(value: u64, width: u32) -> i64 {
    match width {
        0 | 64.. => value as i64,
        _ => ((value << (64 - width)) as i64) >> (64 - width),
    }
}
