//! Functions and global variables.

use std::ffi::CStr;

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMGetSubprogram;
use llvm_sys::prelude::LLVMContextRef;

use super::metadata::Metadata;
use super::{Block, Linkage, Type, Value, borrowed_text};

/// Where attributes sit: 0 is the result, then the parameters from 1, and
/// this is the function itself.
pub(super) const ON_FUNCTION: u32 = u32::MAX;

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

    /// Whether it is the definition of its name, whatever others say.
    pub fn is_strong(self) -> bool {
        self.linkage() as u32 == Linkage::LLVMExternalLinkage as u32
    }

    pub fn rename(self, name: &CStr) {
        assert!(self.is_global_object());
        // SAFETY: a global object; the text is copied.
        unsafe { LLVMSetValueName2(self.raw, name.as_ptr(), name.to_bytes().len()) }
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

    /// Whether a function is a coroutine that is not yet split into its parts.
    pub fn is_coroutine(self) -> bool {
        self.has_function_attribute("presplitcoroutine")
    }

    /// Whether a function has an attribute of no meaning to LLVM.
    pub fn has_text_attribute(self, name: &str) -> bool {
        assert!(self.is_function());
        let text = name.as_ptr().cast();
        // SAFETY: a function; the name is a text of this length.
        unsafe {
            let found =
                LLVMGetStringAttributeAtIndex(self.raw, ON_FUNCTION, text, name.len() as u32);
            !found.is_null()
        }
    }

    pub(super) fn add_text_attribute(self, context: LLVMContextRef, name: &str) {
        assert!(self.is_function());
        let (text, len) = (name.as_ptr().cast(), name.len() as u32);
        // SAFETY: a function of this context; name and value are texts of these lengths.
        unsafe {
            let attribute = LLVMCreateStringAttribute(context, text, len, text, 0);
            LLVMAddAttributeAtIndex(self.raw, ON_FUNCTION, attribute);
        }
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

    pub fn set_linkage(self, linkage: Linkage) {
        assert!(self.is_global_object());
        // SAFETY: a global object.
        unsafe { LLVMSetLinkage(self.raw, linkage) }
    }

    pub fn add_function_attribute(self, name: &str) {
        assert!(self.is_function());
        // SAFETY: a function, and an attribute without a value of its context.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.raw));
            let attribute = LLVMCreateEnumAttribute(context, attribute_kind(name), 0);
            LLVMAddAttributeAtIndex(self.raw, ON_FUNCTION, attribute);
        }
    }

    pub fn remove_function_attribute(self, name: &str) {
        assert!(self.is_function());
        // SAFETY: a function; removing what is not there does nothing.
        unsafe { LLVMRemoveEnumAttributeAtIndex(self.raw, ON_FUNCTION, attribute_kind(name)) }
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

    /// The alignment that a parameter's attribute asks for; 1 without one.
    pub fn param_alignment(self, index: u32) -> u32 {
        assert!(self.is_function());
        // SAFETY: a function; `align` is a number.
        unsafe {
            let attribute =
                LLVMGetEnumAttributeAtIndex(self.raw, index + 1, attribute_kind("align"));
            if attribute.is_null() { 1 } else { LLVMGetEnumAttributeValue(attribute) as u32 }
        }
    }
}

pub(super) fn attribute_kind(name: &str) -> u32 {
    // SAFETY: LLVM only reads the name.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}
