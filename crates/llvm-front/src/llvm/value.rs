//! Values, instructions and basic blocks.

use std::ffi::CStr;
use std::marker::PhantomData;

use llvm_sys::LLVMAtomicOrdering;
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMGetSubprogram, LLVMInstructionGetDebugLoc};
use llvm_sys::prelude::*;

use super::metadata::Metadata;
use super::{
    IntPredicate, Linkage, Module, Opcode, RealPredicate, RmwBinOp, Type, ValueKind, borrowed_text,
    owned_text,
};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'m> {
    pub(super) raw: LLVMValueRef,
    module: PhantomData<&'m ()>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'m> {
    raw: LLVMBasicBlockRef,
    module: PhantomData<&'m ()>,
}

/// Where attributes sit: 0 is the result, then the parameters from 1.
const ON_FUNCTION: LLVMAttributeIndexRaw = LLVMAttributeIndexRaw::MAX;
type LLVMAttributeIndexRaw = u32;

// ---- any value ----------------------------------------------------------------

impl<'m> Value<'m> {
    /// `None` for null, which LLVM uses for "there is none".
    pub(super) fn new(raw: LLVMValueRef) -> Option<Value<'m>> {
        (!raw.is_null()).then_some(Value { raw, module: PhantomData })
    }

    fn must(raw: LLVMValueRef) -> Value<'m> {
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

    fn is_global_object(self) -> bool {
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

// ---- functions and globals --------------------------------------------------------

impl<'m> Value<'m> {
    /// The type of what a global or function holds (not of its address).
    pub fn value_type(self) -> Type<'m> {
        assert!(self.is_global_object(), "{} is no global", self.text());
        // SAFETY: a global object.
        Type::new(unsafe { LLVMGlobalGetValueType(self.raw) })
    }

    pub fn is_declaration(self) -> bool {
        assert!(self.is_global_object());
        // SAFETY: a global object.
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    pub fn linkage(self) -> Linkage {
        assert!(self.is_global_object());
        // SAFETY: a global object.
        unsafe { LLVMGetLinkage(self.raw) }
    }

    pub fn is_thread_local(self) -> bool {
        // SAFETY: a global variable.
        self.is_global() && unsafe { LLVMIsThreadLocal(self.raw) != 0 }
    }

    pub fn is_constant_global(self) -> bool {
        // SAFETY: a global variable.
        self.is_global() && unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    pub fn initializer(self) -> Option<Value<'m>> {
        assert!(self.is_global());
        // SAFETY: a global variable.
        Value::new(unsafe { LLVMGetInitializer(self.raw) })
    }

    pub fn section(self) -> String {
        assert!(self.is_global());
        // SAFETY: a global variable; the section is null or null-terminated.
        unsafe {
            let section = LLVMGetSection(self.raw);
            if section.is_null() {
                return String::new();
            }
            CStr::from_ptr(section).to_string_lossy().into_owned()
        }
    }

    /// The metadata nodes of some kind (`dbg`…) that a global carries.
    pub fn global_metadata(self, kind: u32) -> Vec<Metadata<'m>> {
        assert!(self.is_global_object());
        let mut found = Vec::new();
        // SAFETY: the entries are ours until disposed of.
        unsafe {
            let mut len = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.raw, &mut len);
            for i in 0..len as u32 {
                if LLVMValueMetadataEntriesGetKind(entries, i) == kind {
                    let node = LLVMValueMetadataEntriesGetMetadata(entries, i);
                    found.extend(Metadata::new(node));
                }
            }
            LLVMDisposeValueMetadataEntries(entries);
        }
        found
    }

    pub fn subprogram(self) -> Option<Metadata<'m>> {
        assert!(self.is_function());
        // SAFETY: a function.
        Metadata::new(unsafe { LLVMGetSubprogram(self.raw) })
    }

    pub fn params(self) -> Vec<Value<'m>> {
        assert!(self.is_function());
        // SAFETY: a function and its own parameters.
        unsafe {
            (0..LLVMCountParams(self.raw)).map(|i| Value::must(LLVMGetParam(self.raw, i))).collect()
        }
    }

    /// LLVM's number for an intrinsic function; 0 if it is none.
    pub fn intrinsic_id(self) -> u32 {
        // SAFETY: a function.
        if self.is_function() { unsafe { LLVMGetIntrinsicID(self.raw) } } else { 0 }
    }

    /// The name of an intrinsic without its type suffixes.
    pub fn intrinsic_name(self) -> Option<String> {
        let id = self.intrinsic_id();
        if id == 0 {
            return None;
        }
        let mut len = 0;
        // SAFETY: a valid intrinsic number; the name is static.
        Some(unsafe { borrowed_text(LLVMIntrinsicGetName(id, &mut len), len) })
    }

    pub fn blocks(self) -> Vec<Block<'m>> {
        assert!(self.is_function());
        let mut blocks = Vec::new();
        // SAFETY: LLVM's own list of a live function.
        let mut at = unsafe { LLVMGetFirstBasicBlock(self.raw) };
        while let Some(block) = Block::new(at) {
            blocks.push(block);
            // SAFETY: `at` is in the list.
            at = unsafe { LLVMGetNextBasicBlock(at) };
        }
        blocks
    }

    pub fn has_function_attribute(self, name: &str) -> bool {
        assert!(self.is_function());
        let kind = attribute_kind(name);
        // SAFETY: a function and a known attribute kind.
        unsafe { !LLVMGetEnumAttributeAtIndex(self.raw, ON_FUNCTION, kind).is_null() }
    }

    /// The type of a parameter's `byval` attribute; parameters count from 0.
    pub fn param_by_value(self, index: u32) -> Option<Type<'m>> {
        assert!(self.is_function());
        let kind = attribute_kind("byval");
        // SAFETY: a function; `byval` is a type attribute.
        unsafe {
            let attribute = LLVMGetEnumAttributeAtIndex(self.raw, index + 1, kind);
            (!attribute.is_null()).then(|| Type::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }
}

fn attribute_kind(name: &str) -> u32 {
    // SAFETY: LLVM only reads the name.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

// ---- instructions -------------------------------------------------------------------

impl<'m> Value<'m> {
    pub fn opcode(self) -> Opcode {
        assert!(self.is_instruction(), "{} is no instruction", self.text());
        // SAFETY: an instruction.
        unsafe { LLVMGetInstructionOpcode(self.raw) }
    }

    fn assert_opcode(self, allowed: &[Opcode]) {
        let opcode = self.opcode() as u32;
        assert!(allowed.iter().any(|op| *op as u32 == opcode), "wrong accessor: {}", self.text());
    }

    pub fn debug_location(self) -> Option<Metadata<'m>> {
        assert!(self.is_instruction());
        // SAFETY: an instruction.
        Metadata::new(unsafe { LLVMInstructionGetDebugLoc(self.raw) })
    }

    /// `#dbg_declare` records before this instruction: the address and the
    /// variable that lives there.
    pub fn declared_variables(self) -> Vec<(Value<'m>, Metadata<'m>)> {
        assert!(self.is_instruction());
        let mut found = Vec::new();
        // SAFETY: LLVM's own list; variable accessors only on declare records.
        unsafe {
            let mut record = LLVMGetFirstDbgRecord(self.raw);
            while !record.is_null() {
                let kind = LLVMDbgRecordGetKind(record) as u32;
                if kind == llvm_sys::LLVMDbgRecordKind::LLVMDbgRecordDeclare as u32 {
                    let address = Value::new(LLVMDbgVariableRecordGetValue(record, 0));
                    let variable = Metadata::new(LLVMDbgVariableRecordGetVariable(record));
                    found.extend(address.zip(variable));
                }
                record = LLVMGetNextDbgRecord(record);
            }
        }
        found
    }

    pub fn successors(self) -> Vec<Block<'m>> {
        assert!(self.is_instruction());
        // SAFETY: only terminators are asked for successors.
        unsafe {
            if LLVMIsATerminatorInst(self.raw).is_null() {
                return Vec::new();
            }
            let count = LLVMGetNumSuccessors(self.raw);
            (0..count).filter_map(|i| Block::new(LLVMGetSuccessor(self.raw, i))).collect()
        }
    }

    pub fn int_predicate(self) -> IntPredicate {
        self.assert_opcode(&[Opcode::LLVMICmp]);
        // SAFETY: an integer comparison.
        unsafe { LLVMGetICmpPredicate(self.raw) }
    }

    pub fn float_predicate(self) -> RealPredicate {
        self.assert_opcode(&[Opcode::LLVMFCmp]);
        // SAFETY: a floating-point comparison.
        unsafe { LLVMGetFCmpPredicate(self.raw) }
    }

    pub fn is_conditional(self) -> bool {
        self.assert_opcode(&[Opcode::LLVMBr]);
        // SAFETY: a branch.
        unsafe { LLVMIsConditional(self.raw) != 0 }
    }

    /// The value that selects successor `index` (from 1) of a switch.
    pub fn case_value(self, index: u32) -> Value<'m> {
        self.assert_opcode(&[Opcode::LLVMSwitch]);
        assert!(index >= 1 && (index as usize) < self.successors().len());
        // SAFETY: a switch that has this case.
        Value::must(unsafe { LLVMGetSwitchCaseValue(self.raw, index) })
    }

    /// The incoming blocks and values of a phi.
    pub fn incoming(self) -> Vec<(Block<'m>, Value<'m>)> {
        self.assert_opcode(&[Opcode::LLVMPHI]);
        // SAFETY: a phi and its own incoming edges.
        unsafe {
            (0..LLVMCountIncoming(self.raw))
                .filter_map(|i| {
                    let block = Block::new(LLVMGetIncomingBlock(self.raw, i))?;
                    Some((block, Value::must(LLVMGetIncomingValue(self.raw, i))))
                })
                .collect()
        }
    }

    pub fn allocated_type(self) -> Type<'m> {
        self.assert_opcode(&[Opcode::LLVMAlloca]);
        // SAFETY: an alloca.
        Type::new(unsafe { LLVMGetAllocatedType(self.raw) })
    }

    /// The type a `getelementptr` (instruction or constant) walks through.
    pub fn gep_source_type(self) -> Type<'m> {
        let opcode = self.constant_opcode().unwrap_or_else(|| self.opcode());
        assert!(opcode == Opcode::LLVMGetElementPtr);
        // SAFETY: a getelementptr.
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.raw) })
    }

    /// The indices of `extractvalue` and `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        self.assert_opcode(&[Opcode::LLVMExtractValue, Opcode::LLVMInsertValue]);
        // SAFETY: the instruction owns its indices.
        unsafe {
            let count = LLVMGetNumIndices(self.raw) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw), count).to_vec()
        }
    }

    /// The mask of a `shufflevector` (instruction or constant); `None` is poison.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        let opcode = self.constant_opcode().unwrap_or_else(|| self.opcode());
        assert!(opcode == Opcode::LLVMShuffleVector);
        // SAFETY: a shuffle and its own mask.
        unsafe {
            (0..LLVMGetNumMaskElements(self.raw))
                .map(|i| u32::try_from(LLVMGetMaskValue(self.raw, i)).ok())
                .collect()
        }
    }

    pub fn is_volatile(self) -> bool {
        self.assert_opcode(&[
            Opcode::LLVMLoad,
            Opcode::LLVMStore,
            Opcode::LLVMAtomicRMW,
            Opcode::LLVMAtomicCmpXchg,
        ]);
        // SAFETY: a memory access.
        unsafe { LLVMGetVolatile(self.raw) != 0 }
    }

    pub fn is_atomic(self) -> bool {
        self.assert_opcode(&[Opcode::LLVMLoad, Opcode::LLVMStore]);
        // SAFETY: a load or store.
        let ordering = unsafe { LLVMGetOrdering(self.raw) };
        !matches!(ordering, LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic)
    }

    pub fn is_weak(self) -> bool {
        self.assert_opcode(&[Opcode::LLVMAtomicCmpXchg]);
        // SAFETY: a compare-exchange.
        unsafe { LLVMGetWeak(self.raw) != 0 }
    }

    pub fn rmw_operation(self) -> RmwBinOp {
        self.assert_opcode(&[Opcode::LLVMAtomicRMW]);
        // SAFETY: an atomic read-modify-write.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw) }
    }
}

// ---- calls ------------------------------------------------------------------------

impl<'m> Value<'m> {
    fn assert_call(self) {
        self.assert_opcode(&[Opcode::LLVMCall, Opcode::LLVMInvoke, Opcode::LLVMCallBr]);
    }

    pub fn called_value(self) -> Value<'m> {
        self.assert_call();
        // SAFETY: a call.
        Value::must(unsafe { LLVMGetCalledValue(self.raw) })
    }

    pub fn called_type(self) -> Type<'m> {
        self.assert_call();
        // SAFETY: a call.
        Type::new(unsafe { LLVMGetCalledFunctionType(self.raw) })
    }

    pub fn args(self) -> Vec<Value<'m>> {
        self.assert_call();
        // SAFETY: a call; arguments are its first operands.
        let count = unsafe { LLVMGetNumArgOperands(self.raw) };
        (0..count).map(|i| self.operand(i)).collect()
    }

    pub fn arg_by_value(self, index: u32) -> Option<Type<'m>> {
        self.assert_call();
        let kind = attribute_kind("byval");
        // SAFETY: a call; `byval` is a type attribute.
        unsafe {
            let attribute = LLVMGetCallSiteEnumAttribute(self.raw, index + 1, kind);
            (!attribute.is_null()).then(|| Type::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    pub fn has_call_attribute(self, name: &str) -> bool {
        self.assert_call();
        let kind = attribute_kind(name);
        // SAFETY: a call and a known attribute kind.
        unsafe { !LLVMGetCallSiteEnumAttribute(self.raw, ON_FUNCTION, kind).is_null() }
    }

    /// The text and the constraints of inline assembly.
    pub fn inline_asm(self) -> Option<(String, String)> {
        if !self.is_kind(ValueKind::LLVMInlineAsmValueKind) {
            return None;
        }
        let (mut text_len, mut constraints_len) = (0, 0);
        // SAFETY: inline assembly owns its strings.
        unsafe {
            let text = LLVMGetInlineAsmAsmString(self.raw, &mut text_len);
            let constraints = LLVMGetInlineAsmConstraintString(self.raw, &mut constraints_len);
            Some((borrowed_text(text, text_len), borrowed_text(constraints, constraints_len)))
        }
    }
}

impl<'m> Block<'m> {
    fn new(raw: LLVMBasicBlockRef) -> Option<Block<'m>> {
        (!raw.is_null()).then_some(Block { raw, module: PhantomData })
    }

    pub fn instructions(self) -> Vec<Value<'m>> {
        let mut instructions = Vec::new();
        // SAFETY: LLVM's own list of a live block.
        let mut at = unsafe { LLVMGetFirstInstruction(self.raw) };
        while let Some(instruction) = Value::new(at) {
            instructions.push(instruction);
            // SAFETY: `at` is in the list.
            at = unsafe { LLVMGetNextInstruction(at) };
        }
        instructions
    }

    pub fn terminator(self) -> Option<Value<'m>> {
        // SAFETY: a live block.
        Value::new(unsafe { LLVMGetBasicBlockTerminator(self.raw) })
    }
}
