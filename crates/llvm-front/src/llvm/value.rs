//! Values of any kind, and constants.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::{Block, Module, Opcode, Type, ValueKind, borrowed_text, owned_text};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'m> {
    pub(super) raw: LLVMValueRef,
    module: PhantomData<&'m ()>,
}

// ---- any value ----------------------------------------------------------------

impl<'m> Value<'m> {
    /// `None` for null, which LLVM uses for "there is none".
    pub(super) fn new(raw: LLVMValueRef) -> Option<Value<'m>> {
        (!raw.is_null()).then_some(Value { raw, module: PhantomData })
    }

    pub(super) fn must(raw: LLVMValueRef) -> Value<'m> {
        Value::new(raw).expect("LLVM gave no value")
    }

    pub fn kind(self) -> ValueKind {
        // SAFETY: a live value.
        unsafe { LLVMGetValueKind(self.raw) }
    }

    pub fn is_kind(self, kind: ValueKind) -> bool {
        self.kind() as u32 == kind as u32
    }

    pub fn is_function(self) -> bool {
        self.is_kind(ValueKind::LLVMFunctionValueKind)
    }

    pub fn is_global(self) -> bool {
        self.is_kind(ValueKind::LLVMGlobalVariableValueKind)
    }

    pub(super) fn is_global_object(self) -> bool {
        self.is_function()
            || self.is_global()
            || self.is_kind(ValueKind::LLVMGlobalAliasValueKind)
            || self.is_kind(ValueKind::LLVMGlobalIFuncValueKind)
    }

    pub fn is_instruction(self) -> bool {
        self.is_kind(ValueKind::LLVMInstructionValueKind)
    }

    /// Including functions and globals, whose addresses are constant.
    pub fn is_constant(self) -> bool {
        // SAFETY: a live value.
        unsafe { LLVMIsConstant(self.raw) != 0 }
    }

    pub fn ty(self) -> Type<'m> {
        // SAFETY: a live value.
        Type::new(unsafe { LLVMTypeOf(self.raw) })
    }

    pub fn name(self) -> String {
        let mut len = 0;
        // SAFETY: a live value owns its name.
        unsafe { borrowed_text(LLVMGetValueName2(self.raw, &mut len), len) }
    }

    pub fn has_one_use(self) -> bool {
        // SAFETY: a live value and its own list of uses.
        unsafe {
            let first = LLVMGetFirstUse(self.raw);
            !first.is_null() && LLVMGetNextUse(first).is_null()
        }
    }

    /// As LLVM writes it in text.
    pub fn text(self) -> String {
        // SAFETY: a live value; the message is ours.
        unsafe { owned_text(LLVMPrintValueToString(self.raw)) }
    }

    /// The text of a metadata string that is an argument.
    pub fn metadata_text(self) -> Option<String> {
        if !self.is_kind(ValueKind::LLVMMetadataAsValueValueKind) {
            return None;
        }
        let mut len = 0;
        // SAFETY: metadata; LLVM answers null if it is no string.
        unsafe {
            let text = LLVMGetMDString(self.raw, &mut len);
            (!text.is_null()).then(|| borrowed_text(text, len as usize))
        }
    }

    fn is_user(self) -> bool {
        use ValueKind::*;
        !matches!(
            self.kind(),
            LLVMArgumentValueKind
                | LLVMBasicBlockValueKind
                | LLVMMetadataAsValueValueKind
                | LLVMInlineAsmValueKind
                | LLVMMemoryUseValueKind
                | LLVMMemoryDefValueKind
                | LLVMMemoryPhiValueKind
        )
    }

    pub fn operand_count(self) -> u32 {
        if !self.is_user() {
            return 0;
        }
        // SAFETY: a user; the count is not negative for users.
        unsafe { LLVMGetNumOperands(self.raw) as u32 }
    }

    pub fn operand(self, index: u32) -> Value<'m> {
        assert!(index < self.operand_count(), "no operand {index} in {}", self.text());
        // SAFETY: a user that has this operand.
        Value::must(unsafe { LLVMGetOperand(self.raw, index) })
    }

    pub fn operands(self) -> impl Iterator<Item = Value<'m>> {
        (0..self.operand_count()).map(move |i| self.operand(i))
    }
}

// ---- constants ----------------------------------------------------------------

impl<'m> Value<'m> {
    /// The low 64 bits of an integer constant.
    pub fn int_bits(self) -> Option<u64> {
        let is_int =
            self.is_kind(ValueKind::LLVMConstantIntValueKind) && self.ty().int_width() != 0;
        // SAFETY: an integer constant. (For wide ones LLVM reads the low word.)
        is_int.then(|| unsafe { LLVMConstIntGetZExtValue(self.raw) })
    }

    /// All bits of an integer constant of up to 128 bits.
    pub fn wide_int_bits(self) -> Option<u128> {
        let width = self.ty().int_width();
        if width <= 64 {
            return self.int_bits().map(u128::from);
        }
        if width > 128 || !self.is_kind(ValueKind::LLVMConstantIntValueKind) {
            return None;
        }
        // The C API has no call for the high word: the text has it in decimal.
        let text = self.text();
        let digits = text.rsplit(' ').next()?;
        let value = match digits.strip_prefix('-') {
            Some(magnitude) => magnitude.parse::<u128>().ok()?.wrapping_neg(),
            None => digits.parse::<u128>().ok()?,
        };
        Some(if width == 128 { value } else { value & ((1 << width) - 1) })
    }

    /// The bits of a floating-point constant of up to 128 bits.
    pub fn float_bits(self, module: &'m Module<'_>) -> Option<u128> {
        if !self.is_kind(ValueKind::LLVMConstantFPValueKind) {
            return None;
        }
        let bits = self.ty().bits(module)?;
        // SAFETY: a bitcast between types of one size, folded to an integer.
        let folded = unsafe {
            let int = LLVMIntTypeInContext(module.context(), bits as u32);
            Value::must(LLVMConstBitCast(self.raw, int))
        };
        folded.wide_int_bits()
    }

    /// Element of a constant array, struct or vector.
    pub fn aggregate_element(self, index: u32) -> Option<Value<'m>> {
        if !self.is_constant() {
            return None;
        }
        // SAFETY: a constant; LLVM answers null for what is no aggregate or
        // has no such element.
        Value::new(unsafe { LLVMGetAggregateElement(self.raw, index) })
    }

    /// The bytes of a constant data array or vector.
    pub fn raw_data(self) -> Option<Vec<u8>> {
        let is_data = self.is_kind(ValueKind::LLVMConstantDataArrayValueKind);
        if !is_data {
            return None;
        }
        let mut len = 0_usize;
        // SAFETY: a data array owns its bytes. (llvm-sys declares the length,
        // which LLVM writes through a pointer, as a plain number.)
        unsafe {
            let data = LLVMGetRawDataValues(self.raw, (&raw mut len).expose_provenance());
            Some(std::slice::from_raw_parts(data.cast::<u8>(), len).to_vec())
        }
    }

    pub fn constant_opcode(self) -> Option<Opcode> {
        // SAFETY: a constant expression.
        self.is_kind(ValueKind::LLVMConstantExprValueKind)
            .then(|| unsafe { LLVMGetConstOpcode(self.raw) })
    }

    /// The function and block of a `blockaddress`.
    pub fn block_address(self) -> Option<(Value<'m>, Block<'m>)> {
        if !self.is_kind(ValueKind::LLVMBlockAddressValueKind) {
            return None;
        }
        // SAFETY: a block address.
        unsafe {
            let function = Value::new(LLVMGetBlockAddressFunction(self.raw))?;
            Some((function, Block::new(LLVMGetBlockAddressBasicBlock(self.raw))?))
        }
    }

    pub fn aliasee(self) -> Option<Value<'m>> {
        if !self.is_kind(ValueKind::LLVMGlobalAliasValueKind) {
            return None;
        }
        // SAFETY: an alias.
        Value::new(unsafe { LLVMAliasGetAliasee(self.raw) })
    }
}
