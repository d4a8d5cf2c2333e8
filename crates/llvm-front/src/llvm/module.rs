//! Contexts and modules: reading, linking, verifying, light passes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_void};
use std::marker::PhantomData;
use std::ptr;

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::ir_reader::LLVMParseIRInContext2;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMGetModuleDataLayout, LLVMPointerSize, LLVMTargetDataRef};
use llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
    LLVMRunPassesOnFunction,
};

use super::apart::apart;
use super::value::Value;
use super::{Linkage, borrowed_text, owned_text};

/// An LLVM context that keeps the diagnostics LLVM reports.
pub struct Context {
    raw: LLVMContextRef,
    /// Boxed: LLVM holds its address.
    messages: Box<RefCell<Vec<String>>>,
}

extern "C" fn keep_diagnostic(info: LLVMDiagnosticInfoRef, messages: *mut c_void) {
    // SAFETY: `messages` is the box of the context that calls us, alive as
    // long as the context; `info` is valid during the call.
    unsafe {
        if !matches!(LLVMGetDiagInfoSeverity(info), llvm_sys::LLVMDiagnosticSeverity::LLVMDSError) {
            return;
        }
        let text = owned_text(LLVMGetDiagInfoDescription(info));
        (*messages.cast::<RefCell<Vec<String>>>()).borrow_mut().push(text);
    }
}

impl Context {
    pub fn new() -> Context {
        let messages: Box<RefCell<Vec<String>>> = Box::default();
        let address = ptr::from_ref(&*messages).cast_mut().cast();
        // SAFETY: a fresh context; the handler's argument outlives it.
        let raw = unsafe {
            let raw = LLVMContextCreate();
            LLVMContextSetDiagnosticHandler(raw, Some(keep_diagnostic), address);
            raw
        };
        Context { raw, messages }
    }

    /// What LLVM complained about since the last call.
    fn take_messages(&self) -> String {
        self.messages.take().join("\n")
    }

    /// Reads bitcode that we have written: bodies of functions are read when they are
    /// needed.
    pub fn open(&self, bytes: &[u8]) -> Result<Module<'_>, String> {
        let mut module = ptr::null_mut();
        // SAFETY: the buffer is a copy, and belongs to the module from here on.
        let failed = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast(),
                bytes.len(),
                c"library".as_ptr(),
            );
            LLVMGetBitcodeModuleInContext2(self.raw, buffer, &mut module)
        };
        if failed != 0 || module.is_null() {
            return Err(self.take_messages());
        }
        Ok(Module { raw: module, context: self })
    }

    /// Parses bitcode or text. LLVM's readers may abort on damaged input, so
    /// another process must have read the same bytes before.
    pub fn parse(&self, bytes: &[u8]) -> Result<Module<'_>, String> {
        let (mut module, mut message) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the buffer is a copy; the reader does not keep it.
        let (failed, message) = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast(),
                bytes.len(),
                c"module".as_ptr(),
            );
            let failed = LLVMParseIRInContext2(self.raw, buffer, &mut module, &mut message);
            LLVMDisposeMemoryBuffer(buffer);
            (failed, owned_text(message))
        };
        if failed != 0 || module.is_null() {
            return Err(format!("{}{}", message.trim_end(), self.take_messages()));
        }
        Ok(Module { raw: module, context: self })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: modules borrow the context, so none is left.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// An LLVM module.
pub struct Module<'c> {
    raw: LLVMModuleRef,
    context: &'c Context,
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: handles borrow the module, so none is left.
        unsafe { LLVMDisposeModule(self.raw) }
    }
}

impl<'c> Module<'c> {
    pub(super) fn context(&self) -> LLVMContextRef {
        self.context.raw
    }

    /// Links another module into this one.
    pub fn link(&mut self, other: Module<'c>) -> Result<(), String> {
        let source = other.raw;
        // The linker frees the source whatever happens.
        std::mem::forget(other);
        // SAFETY: both modules are of the same context ('c is not enough to
        // know, so it is compared), and `source` is used no more.
        let failed = unsafe {
            assert!(LLVMGetModuleContext(source) == self.context.raw, "modules of two contexts");
            LLVMLinkModules2(self.raw, source)
        };
        if failed == 0 { Ok(()) } else { Err(self.context.take_messages()) }
    }

    /// The names of the labels of the source, by the numbers that the
    /// module's text gives their nodes. There are none if LLVM cannot print
    /// the module, because its debug information is damaged.
    pub fn label_names(&self) -> HashMap<u32, String> {
        // SAFETY: a live module; the text is ours.
        let print = || unsafe { owned_text(LLVMPrintModuleToString(self.raw)) };
        let text = apart(print).unwrap_or_default();
        text.lines().filter_map(label_node).collect()
    }

    /// Another module may define the same names.
    pub fn allow_duplicates(&mut self) {
        self.relink(|linkage| match linkage {
            Linkage::LLVMExternalLinkage => Some(Linkage::LLVMWeakODRLinkage),
            _ => None,
        });
    }

    /// Another module may define functions of these names, and then they are meant.
    pub fn weaken(&mut self, names: &[String]) {
        for function in self.functions() {
            if !function.is_declaration() && names.contains(&function.name()) {
                function.set_linkage(Linkage::LLVMWeakAnyLinkage);
            }
        }
    }

    /// What is hidden in a shared library is meant only there.
    pub fn keep_hidden_names(&mut self) {
        for value in self.functions().chain(self.globals()) {
            // SAFETY: a function or variable of a live module.
            unsafe {
                let hidden = LLVMGetVisibility(value.raw) as u32
                    == llvm_sys::LLVMVisibility::LLVMHiddenVisibility as u32;
                if hidden && LLVMIsDeclaration(value.raw) == 0 {
                    LLVMSetVisibility(value.raw, llvm_sys::LLVMVisibility::LLVMDefaultVisibility);
                    LLVMSetLinkage(value.raw, Linkage::LLVMInternalLinkage);
                }
            }
        }
    }

    /// A module that this one is linked into takes only what it needs: nothing is
    /// defined for its own sake, and nothing runs before `main`.
    pub fn make_optional(&mut self) {
        self.relink(|linkage| match linkage {
            Linkage::LLVMExternalLinkage
            | Linkage::LLVMWeakODRLinkage
            | Linkage::LLVMWeakAnyLinkage
            | Linkage::LLVMLinkOnceAnyLinkage => Some(Linkage::LLVMLinkOnceODRLinkage),
            _ => None,
        });
        for name in
            [c"llvm.global_ctors", c"llvm.global_dtors", c"llvm.used", c"llvm.compiler.used"]
        {
            // SAFETY: a list of LLVM's own, which nothing refers to.
            unsafe {
                let list = LLVMGetNamedGlobal(self.raw, name.as_ptr());
                if !list.is_null() {
                    LLVMDeleteGlobal(list);
                }
            }
        }
        // SAFETY: an empty text for a live module.
        unsafe { LLVMSetModuleInlineAsm2(self.raw, c"".as_ptr(), 0) };
    }

    /// Changes the linkage of definitions.
    fn relink(&mut self, change: impl Fn(Linkage) -> Option<Linkage>) {
        // SAFETY: LLVM's own lists of a live module.
        let aliases = chain(unsafe { LLVMGetFirstGlobalAlias(self.raw) }, |alias| {
            // SAFETY: an alias of the list.
            unsafe { LLVMGetNextGlobalAlias(alias) }
        });
        for value in self.functions().chain(self.globals()).chain(aliases) {
            // SAFETY: a function, variable or alias of a live module.
            unsafe {
                if LLVMIsDeclaration(value.raw) == 0
                    && let Some(linkage) = change(LLVMGetLinkage(value.raw))
                {
                    LLVMSetLinkage(value.raw, linkage);
                }
            }
        }
    }

    /// Gives every function that has a body and is wanted a text attribute.
    pub fn mark_functions(&mut self, name: &str, wanted: impl Fn(&str) -> bool) {
        for function in self.functions() {
            if !function.is_declaration() && wanted(&function.name()) {
                function.add_text_attribute(self.context.raw, name);
            }
        }
    }

    /// Declares a function without parameters or results, if there is none of this name.
    pub fn declare(&mut self, name: &CStr) {
        // SAFETY: a live module and its context; the name is null-terminated.
        unsafe {
            if LLVMGetNamedFunction(self.raw, name.as_ptr()).is_null() {
                let void = LLVMVoidTypeInContext(self.context.raw);
                let pointer = LLVMPointerTypeInContext(self.context.raw, 0);
                let ty = LLVMFunctionType(void, [pointer].as_mut_ptr(), 1, 0);
                LLVMAddFunction(self.raw, name.as_ptr(), ty);
            }
        }
    }

    /// Declares a variable of each thread, if there is none of this name.
    pub fn declare_thread_local(&mut self, name: &CStr) {
        // SAFETY: as in `declare`.
        unsafe {
            if LLVMGetNamedGlobal(self.raw, name.as_ptr()).is_null() {
                let byte = LLVMInt8TypeInContext(self.context.raw);
                let global = LLVMAddGlobal(self.raw, byte, name.as_ptr());
                LLVMSetThreadLocal(global, 1);
            }
        }
    }

    pub fn verify(&self) -> Result<(), String> {
        let mut message = ptr::null_mut();
        // SAFETY: the module is alive; the message becomes ours.
        let (failed, text) = unsafe {
            let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
            let failed = LLVMVerifyModule(self.raw, action, &mut message);
            (failed, owned_text(message))
        };
        if failed == 0 { Ok(()) } else { Err(text.trim_end().to_string()) }
    }

    /// Runs a pipeline of the new pass manager, such as `function(mem2reg)`.
    pub fn run_passes(&mut self, pipeline: &str) -> Result<(), String> {
        let pipeline = CString::new(pipeline).map_err(|error| error.to_string())?;
        // SAFETY: all arguments live through the call; errors are consumed.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.raw, pipeline.as_ptr(), ptr::null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            if error.is_null() {
                return Ok(());
            }
            let message = LLVMGetErrorMessage(error);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(message);
            Err(text)
        }
    }

    /// The same for single functions.
    pub fn run_passes_on(
        &mut self,
        pipeline: &CStr,
        wanted: impl Fn(Value<'_>) -> bool,
    ) -> Result<(), String> {
        let functions: Vec<LLVMValueRef> =
            self.functions().filter(|function| wanted(*function)).map(|one| one.raw).collect();
        // SAFETY: functions of a live module, which such passes do not remove; errors are
        // consumed.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let mut failed = None;
            for function in functions {
                let machine = ptr::null_mut();
                let error = LLVMRunPassesOnFunction(function, pipeline.as_ptr(), machine, options);
                if !error.is_null() {
                    let message = LLVMGetErrorMessage(error);
                    failed = Some(CStr::from_ptr(message).to_string_lossy().into_owned());
                    LLVMDisposeErrorMessage(message);
                }
            }
            LLVMDisposePassBuilderOptions(options);
            failed.map_or(Ok(()), Err)
        }
    }

    /// The module as bitcode.
    pub fn bitcode(&self) -> Vec<u8> {
        // SAFETY: a live module; the buffer is copied and then disposed of.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.raw);
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    pub fn triple(&self) -> String {
        // SAFETY: the string belongs to the module and is null-terminated.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.raw)).to_string_lossy().into_owned() }
    }

    pub(super) fn layout(&self) -> LLVMTargetDataRef {
        // SAFETY: the module is alive and so is its layout.
        unsafe { LLVMGetModuleDataLayout(self.raw) }
    }

    /// In bytes.
    pub fn pointer_size(&self) -> u32 {
        // SAFETY: as in `layout`.
        unsafe { LLVMPointerSize(self.layout()) }
    }

    /// Assembly written at file level (`asm("…");` outside functions).
    pub fn inline_asm(&self) -> String {
        let mut len = 0;
        // SAFETY: the module owns the text.
        unsafe { borrowed_text(LLVMGetModuleInlineAsm(self.raw, &mut len), len) }
    }

    pub fn functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: LLVM's own list of a live module.
        let first = unsafe { LLVMGetFirstFunction(self.raw) };
        // SAFETY: `f` is a function of the list.
        chain(first, |f| unsafe { LLVMGetNextFunction(f) })
    }

    pub fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: LLVM's own list of a live module.
        let first = unsafe { LLVMGetFirstGlobal(self.raw) };
        // SAFETY: `g` is a global of the list.
        chain(first, |g| unsafe { LLVMGetNextGlobal(g) })
    }

    pub fn named_global(&self, name: &CStr) -> Option<Value<'_>> {
        // SAFETY: the module is alive, the name null-terminated.
        Value::new(unsafe { LLVMGetNamedGlobal(self.raw, name.as_ptr()) })
    }

    pub fn named_function(&self, name: &CStr) -> Option<Value<'_>> {
        // SAFETY: the module is alive, the name null-terminated.
        Value::new(unsafe { LLVMGetNamedFunction(self.raw, name.as_ptr()) })
    }
}

fn chain<'m>(
    first: LLVMValueRef,
    next: impl Fn(LLVMValueRef) -> LLVMValueRef,
) -> impl Iterator<Item = Value<'m>> {
    let mut at = first;
    let _: PhantomData<&'m ()>;
    std::iter::from_fn(move || {
        let value = Value::new(at)?;
        at = next(at);
        Some(value)
    })
}

/// `!22 = !DILabel(scope: !15, name: "again", …)`.
fn label_node(line: &str) -> Option<(u32, String)> {
    let (number, node) = line.strip_prefix('!')?.split_once(" = !DILabel(")?;
    let (name, _) = node.split_once("name: \"")?.1.split_once('"')?;
    Some((number.parse().ok()?, name.to_string()))
}
