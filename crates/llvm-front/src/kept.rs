//! Functions that must stay what they are when a program is optimised.
//!
//! That a call of `__VERIFIER_atomic_f` is atomic, that a function must
//! return, and that a formula asks where a thread is: all this is about calls.
//! An optimiser that inlines a function, or finds out what it does and drops
//! the call, takes the meaning away. While clang optimises, such a function is
//! one that another definition might replace (weak), so that nothing can be
//! concluded from its body; the body itself is optimised like any other.

use std::ffi::CString;

use crate::llvm::{Linkage, Module, Value};

/// What their linkage was.
pub(crate) struct Hidden(Vec<(CString, Linkage)>);

/// Hides the bodies of functions with a meaning from their callers.
pub(crate) fn hide(module: &mut Module<'_>, kept: &[String]) -> Hidden {
    let annotated = annotated(module);
    let mut hidden = Vec::new();
    for function in module.functions().filter(|function| !function.is_declaration()) {
        let name = function.name();
        let meant = exeunt_ir::runs_atomically(&name)
            || annotated.contains(&function)
            || kept.iter().any(|kept| exeunt_ir::is_meant(&name, kept));
        let Ok(name) = CString::new(&*name) else { continue };
        if meant && name.as_bytes() != b"main" {
            hidden.push((name, function.linkage()));
            function.remove_function_attribute("alwaysinline");
            function.add_function_attribute("noinline");
            function.set_linkage(Linkage::LLVMWeakAnyLinkage);
        }
    }
    Hidden(hidden)
}

/// Gives them their linkage back.
pub(crate) fn show(module: &mut Module<'_>, hidden: &Hidden) {
    for (name, linkage) in &hidden.0 {
        if let Some(function) = module.named_function(name) {
            function.set_linkage(*linkage);
        }
    }
}

fn annotated<'m>(module: &'m Module<'_>) -> Vec<Value<'m>> {
    let rows = crate::lower::rows_of(module, c"llvm.global.annotations");
    rows.into_iter().filter_map(|row| row.aggregate_element(0)).collect()
}
