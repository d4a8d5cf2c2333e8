//! Instructions and calls.

use llvm_sys::LLVMDbgRecordKind;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::LLVMDbgRecordRef;

use super::global::{ON_FUNCTION, attribute_kind};
use super::metadata::Metadata;
use super::{
    Block, IntPredicate, Opcode, Ordering, RealPredicate, RmwBinOp, Type, Value, ValueKind,
    borrowed_text, owned_text,
};

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
        self.records(LLVMDbgRecordKind::LLVMDbgRecordDeclare)
            .filter_map(|record| {
                // SAFETY: a record of a declared variable.
                let (address, variable) = unsafe {
                    (
                        LLVMDbgVariableRecordGetValue(record, 0),
                        LLVMDbgVariableRecordGetVariable(record),
                    )
                };
                Value::new(address).zip(Metadata::new(variable))
            })
            .collect()
    }

    /// `#dbg_value` records before this instruction: the value, the variable that
    /// has it, and the expression between them. No value: it is a list of them.
    pub fn valued_variables(self) -> Vec<(Option<Value<'m>>, Metadata<'m>, Option<Metadata<'m>>)> {
        self.records(LLVMDbgRecordKind::LLVMDbgRecordValue)
            .filter_map(|record| {
                // SAFETY: a record of a variable's value.
                let (value, variable, expression) = unsafe {
                    (
                        LLVMDbgVariableRecordGetValue(record, 0),
                        LLVMDbgVariableRecordGetVariable(record),
                        LLVMDbgVariableRecordGetExpression(record),
                    )
                };
                Some((Value::new(value), Metadata::new(variable)?, Metadata::new(expression)))
            })
            .collect()
    }

    /// `#dbg_label` records before this instruction, by the number of the
    /// label's node in the module's text: LLVM gives no other access to it.
    pub fn label_nodes(self) -> Vec<u32> {
        self.records(LLVMDbgRecordKind::LLVMDbgRecordLabel)
            // SAFETY: a live record; the text is ours.
            .map(|record| unsafe { owned_text(LLVMPrintDbgRecordToString(record)) })
            .filter_map(|text| {
                let (node, _) = text.split_once("(!")?.1.split_once(',')?;
                node.parse().ok()
            })
            .collect()
    }

    /// The debug records of a kind before this instruction.
    fn records(self, wanted: LLVMDbgRecordKind) -> impl Iterator<Item = LLVMDbgRecordRef> {
        assert!(self.is_instruction());
        let some = |record: LLVMDbgRecordRef| (!record.is_null()).then_some(record);
        // SAFETY: LLVM's own list of an instruction, which ends with null.
        let first = some(unsafe { LLVMGetFirstDbgRecord(self.raw) });
        // SAFETY: a record of this list.
        let next = move |record: &LLVMDbgRecordRef| some(unsafe { LLVMGetNextDbgRecord(*record) });
        std::iter::successors(first, next).filter(move |record| {
            // SAFETY: not null, so a record of the list.
            let kind = unsafe { LLVMDbgRecordGetKind(*record) };
            kind as u32 == wanted as u32
        })
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

    /// The memory order of a load, store, fence or read-modify-write.
    pub fn ordering(self) -> Ordering {
        self.assert_opcode(&[
            Opcode::LLVMLoad,
            Opcode::LLVMStore,
            Opcode::LLVMFence,
            Opcode::LLVMAtomicRMW,
        ]);
        // SAFETY: one of the instructions that have an order.
        unsafe { LLVMGetOrdering(self.raw) }
    }

    /// The memory orders of a compare-exchange that succeeds and that fails.
    pub fn exchange_orderings(self) -> (Ordering, Ordering) {
        self.assert_opcode(&[Opcode::LLVMAtomicCmpXchg]);
        // SAFETY: a compare-exchange.
        unsafe {
            (LLVMGetCmpXchgSuccessOrdering(self.raw), LLVMGetCmpXchgFailureOrdering(self.raw))
        }
    }

    /// Whether a fence is one for signal handlers of its own thread only.
    pub fn is_single_thread(self) -> bool {
        self.assert_opcode(&[Opcode::LLVMFence]);
        // SAFETY: a fence.
        unsafe { LLVMIsAtomicSingleThread(self.raw) != 0 }
    }

    /// What a landing pad accepts: an array is a filter, anything else a type.
    pub fn clauses(self) -> Vec<Value<'m>> {
        self.assert_opcode(&[Opcode::LLVMLandingPad]);
        // SAFETY: a landing pad and its own clauses.
        unsafe {
            let count = LLVMGetNumClauses(self.raw);
            (0..count).map(|i| Value::must(LLVMGetClause(self.raw, i))).collect()
        }
    }

    pub fn is_cleanup(self) -> bool {
        self.assert_opcode(&[Opcode::LLVMLandingPad]);
        // SAFETY: a landing pad.
        unsafe { LLVMIsCleanup(self.raw) != 0 }
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

    /// The alignment that an argument's attribute asks for; 1 without one.
    pub fn arg_alignment(self, index: u32) -> u32 {
        self.assert_call();
        // SAFETY: a call; `align` is a number.
        unsafe {
            let attribute =
                LLVMGetCallSiteEnumAttribute(self.raw, index + 1, attribute_kind("align"));
            if attribute.is_null() { 1 } else { LLVMGetEnumAttributeValue(attribute) as u32 }
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
