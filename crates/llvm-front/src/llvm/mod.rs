//! The part of LLVM's C API that lowering needs, as safe typed wrappers.
//!
//! Every `unsafe` of the crate is in here. Handles ([`Value`], [`Type`],
//! [`Block`], [`Metadata`]) borrow the [`Module`] they come from, and nothing
//! changes a module while handles exist: the calls that do take it by `&mut`.
//! LLVM's C functions cast without checking; each accessor that is only right
//! for some kinds of value therefore checks the kind first.

mod apart;
mod block;
mod global;
mod instruction;
mod metadata;
mod module;
mod types;
mod value;

pub use block::Block;
pub use llvm_sys::debuginfo::LLVMMetadataKind as MetadataKind;
pub use llvm_sys::{
    LLVMAtomicOrdering as Ordering, LLVMAtomicRMWBinOp as RmwBinOp,
    LLVMIntPredicate as IntPredicate, LLVMLinkage as Linkage, LLVMOpcode as Opcode,
    LLVMRealPredicate as RealPredicate, LLVMTypeKind as TypeKind, LLVMValueKind as ValueKind,
};
pub use metadata::Metadata;
pub use module::{Context, Module};
pub use types::Type;
pub use value::Value;

/// Copies a string that LLVM owns.
///
/// # Safety
/// `text` is null or points to `len` readable bytes.
unsafe fn borrowed_text(text: *const std::ffi::c_char, len: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Takes over a message that LLVM allocated for us.
///
/// # Safety
/// `text` is null or a message of LLVM's that has not been disposed of.
unsafe fn owned_text(text: *mut std::ffi::c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: messages are null-terminated, and this one is ours to free.
    unsafe {
        let copy = std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned();
        llvm_sys::core::LLVMDisposeMessage(text);
        copy
    }
}
