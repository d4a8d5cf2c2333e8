//! Debug metadata.
//!
//! The C API has accessors for some fields only; the others are operands of
//! the node, in the order of LLVM's own classes, and two fields (encodings of
//! basic types and values of enumerators) are found only in the text form.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

use super::{MetadataKind, Module, Value, borrowed_text, owned_text};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Metadata<'m> {
    raw: LLVMMetadataRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Metadata<'m> {
    pub(super) fn new(raw: LLVMMetadataRef) -> Option<Metadata<'m>> {
        (!raw.is_null()).then_some(Metadata { raw, module: PhantomData })
    }

    pub fn kind(self) -> MetadataKind {
        // SAFETY: a live node.
        unsafe { LLVMGetMetadataKind(self.raw) }
    }

    pub fn is(self, kind: MetadataKind) -> bool {
        self.kind() as u32 == kind as u32
    }

    fn is_node(self) -> bool {
        use MetadataKind::*;
        !matches!(
            self.kind(),
            LLVMMDStringMetadataKind
                | LLVMConstantAsMetadataMetadataKind
                | LLVMLocalAsMetadataMetadataKind
                | LLVMDIArgListMetadataKind
                | LLVMDistinctMDOperandPlaceholderMetadataKind
        )
    }

    fn is_type(self) -> bool {
        use MetadataKind::*;
        matches!(
            self.kind(),
            LLVMDIBasicTypeMetadataKind
                | LLVMDIDerivedTypeMetadataKind
                | LLVMDICompositeTypeMetadataKind
                | LLVMDISubroutineTypeMetadataKind
                | LLVMDIStringTypeMetadataKind
        )
    }

    fn is_scope(self) -> bool {
        use MetadataKind::*;
        self.is_type()
            || matches!(
                self.kind(),
                LLVMDIFileMetadataKind
                    | LLVMDICompileUnitMetadataKind
                    | LLVMDISubprogramMetadataKind
                    | LLVMDILexicalBlockMetadataKind
                    | LLVMDILexicalBlockFileMetadataKind
                    | LLVMDINamespaceMetadataKind
                    | LLVMDIModuleMetadataKind
                    | LLVMDICommonBlockMetadataKind
            )
    }

    fn is_variable(self) -> bool {
        self.is(MetadataKind::LLVMDIGlobalVariableMetadataKind)
            || self.is(MetadataKind::LLVMDILocalVariableMetadataKind)
    }

    fn raw_operand(self, module: &'m Module<'_>, index: u32) -> LLVMValueRef {
        if !self.is_node() {
            return std::ptr::null_mut();
        }
        // SAFETY: a node; the buffer has room for all its operands.
        unsafe {
            let value = LLVMMetadataAsValue(module.context(), self.raw);
            let count = LLVMGetMDNodeNumOperands(value);
            if index >= count {
                return std::ptr::null_mut();
            }
            let mut operands = vec![std::ptr::null_mut(); count as usize];
            LLVMGetMDNodeOperands(value, operands.as_mut_ptr());
            operands[index as usize]
        }
    }

    pub fn operand_count(self, module: &'m Module<'_>) -> u32 {
        if !self.is_node() {
            return 0;
        }
        // SAFETY: a node.
        unsafe { LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(module.context(), self.raw)) }
    }

    /// The node that is operand `index`.
    pub fn operand(self, module: &'m Module<'_>, index: u32) -> Option<Metadata<'m>> {
        let raw = self.raw_operand(module, index);
        if raw.is_null() {
            return None;
        }
        // SAFETY: an operand of a live node.
        Metadata::new(unsafe { LLVMValueAsMetadata(raw) })
    }

    /// The constant that is operand `index`.
    pub fn constant_operand(self, module: &'m Module<'_>, index: u32) -> Option<Value<'m>> {
        Value::new(self.raw_operand(module, index)).filter(|value| value.is_constant())
    }

    /// The text that is operand `index`.
    pub fn string_operand(self, module: &'m Module<'_>, index: u32) -> Option<String> {
        let raw = self.raw_operand(module, index);
        if raw.is_null() {
            return None;
        }
        let mut len = 0;
        // SAFETY: LLVM answers null if the value is no string.
        unsafe {
            let text = LLVMGetMDString(raw, &mut len);
            (!text.is_null()).then(|| borrowed_text(text, len as usize))
        }
    }

    /// As LLVM writes it. Slow: LLVM numbers the whole module each time.
    pub fn text(self, module: &'m Module<'_>) -> String {
        // SAFETY: a live node.
        unsafe {
            owned_text(LLVMPrintValueToString(LLVMMetadataAsValue(module.context(), self.raw)))
        }
    }

    // ---- locations and scopes ---------------------------------------------------

    fn assert_location(self) {
        assert!(self.is(MetadataKind::LLVMDILocationMetadataKind), "not a location");
    }

    pub fn location_line(self) -> u32 {
        self.assert_location();
        // SAFETY: a location.
        unsafe { LLVMDILocationGetLine(self.raw) }
    }

    pub fn location_column(self) -> u32 {
        self.assert_location();
        // SAFETY: a location.
        unsafe { LLVMDILocationGetColumn(self.raw) }
    }

    pub fn location_scope(self) -> Option<Metadata<'m>> {
        self.assert_location();
        // SAFETY: a location.
        Metadata::new(unsafe { LLVMDILocationGetScope(self.raw) })
    }

    pub fn inlined_at(self) -> Option<Metadata<'m>> {
        self.assert_location();
        // SAFETY: a location.
        Metadata::new(unsafe { LLVMDILocationGetInlinedAt(self.raw) })
    }

    /// The file of a scope or a variable.
    pub fn file(self) -> Option<Metadata<'m>> {
        if self.is(MetadataKind::LLVMDIFileMetadataKind) {
            return Some(self);
        }
        // SAFETY: each call is made for the kind it is meant for.
        unsafe {
            if self.is_scope() {
                Metadata::new(LLVMDIScopeGetFile(self.raw))
            } else if self.is_variable() {
                Metadata::new(LLVMDIVariableGetFile(self.raw))
            } else {
                None
            }
        }
    }

    pub fn file_name(self) -> String {
        assert!(self.is(MetadataKind::LLVMDIFileMetadataKind), "not a file");
        let mut len = 0;
        // SAFETY: a file owns its name.
        unsafe { borrowed_text(LLVMDIFileGetFilename(self.raw, &mut len), len as usize) }
    }

    pub fn file_directory(self) -> String {
        assert!(self.is(MetadataKind::LLVMDIFileMetadataKind), "not a file");
        let mut len = 0;
        // SAFETY: a file owns its directory's name.
        unsafe { borrowed_text(LLVMDIFileGetDirectory(self.raw, &mut len), len as usize) }
    }

    pub fn subprogram_line(self) -> u32 {
        assert!(self.is(MetadataKind::LLVMDISubprogramMetadataKind), "not a function");
        // SAFETY: a subprogram.
        unsafe { LLVMDISubprogramGetLine(self.raw) }
    }

    pub fn variable_line(self) -> u32 {
        assert!(self.is_variable(), "not a variable");
        // SAFETY: a variable.
        unsafe { LLVMDIVariableGetLine(self.raw) }
    }

    /// The variable of a global variable expression.
    pub fn expression_variable(self) -> Option<Metadata<'m>> {
        if !self.is(MetadataKind::LLVMDIGlobalVariableExpressionMetadataKind) {
            return None;
        }
        // SAFETY: a global variable expression.
        Metadata::new(unsafe { LLVMDIGlobalVariableExpressionGetVariable(self.raw) })
    }

    // ---- types ------------------------------------------------------------------

    /// DWARF's tag of a type node; 0 if it is none.
    pub fn type_tag(self) -> u16 {
        // SAFETY: types are tagged nodes.
        if self.is_type() { unsafe { LLVMGetDINodeTag(self.raw) } } else { 0 }
    }

    pub fn type_name(self) -> String {
        if !self.is_type() {
            return String::new();
        }
        let mut len = 0;
        // SAFETY: a type owns its name.
        unsafe { borrowed_text(LLVMDITypeGetName(self.raw, &mut len), len) }
    }

    pub fn type_bits(self) -> u64 {
        // SAFETY: a type.
        if self.is_type() { unsafe { LLVMDITypeGetSizeInBits(self.raw) } } else { 0 }
    }

    pub fn type_bit_offset(self) -> u64 {
        // SAFETY: a type.
        if self.is_type() { unsafe { LLVMDITypeGetOffsetInBits(self.raw) } } else { 0 }
    }
}
