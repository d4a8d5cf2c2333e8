//! Programs that begin at another function than `main`: one that `--entry` names, or a test case
//! of a framework for unit tests.
//!
//! The program's own `main`, if there is one, gets another name, and a `main` of ours takes its
//! place. Constructors of global variables run before it, as always.

use std::ffi::CString;

use crate::FrontError;
use crate::llvm::{Context, Linkage, Module, Value};

/// The name of the program's own `main`.
const OWN_MAIN: &std::ffi::CStr = c"exeunt.main";

/// Whether a function is defined that the user means.
pub(crate) fn is_defined(module: &Module<'_>, entry: &str) -> bool {
    module.functions().any(|function| is_meant(function, entry))
}

fn is_meant(function: Value<'_>, entry: &str) -> bool {
    !function.is_declaration() && exeunt_ir::is_meant(&function.name(), entry)
}

/// Has the program begin at the function that `entry` names.
pub(crate) fn start_at<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    entry: &str,
) -> Result<(), FrontError> {
    let meant: Vec<Value<'_>> = module.functions().filter(|f| is_meant(*f, entry)).collect();
    let wrong = |why: String| FrontError::Entry { name: entry.to_string(), why };
    let function = match meant[..] {
        [function] => function,
        [] => return Err(wrong("the program defines no such function".into())),
        _ => {
            let names: Vec<String> = meant
                .iter()
                .map(|function| format!("`{}`", exeunt_ir::readable_in_full(&function.name())))
                .collect();
            return Err(wrong(format!("there are several: {}", names.join(", "))));
        }
    };
    if function.name() == "main" {
        return Ok(());
    }
    let ty = function.value_type();
    if !ty.params().is_empty() || ty.is_variadic() {
        let help = "it takes parameters; write a function without any that calls it";
        return Err(wrong(help.into()));
    }
    let name = function.name();
    if matches!(function.linkage(), Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage) {
        function.set_linkage(Linkage::LLVMExternalLinkage);
    }
    let result = ty.return_type().text();
    let call = match result.as_str() {
        "void" => format!("call void @\"{name}\"()\n  ret i32 0"),
        "i32" => format!("%r = call i32 @\"{name}\"()\n  ret i32 %r"),
        other => format!("call {other} @\"{name}\"()\n  ret i32 0"),
    };
    let text = format!("declare {result} @\"{name}\"()\ndefine i32 @main() {{\n  {call}\n}}\n");
    replace_main(context, module, &text)
}

/// Has the program's own `main` run with these arguments.
pub(crate) fn with_arguments<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    arguments: &[String],
) -> Result<(), FrontError> {
    let Some(main) = module.named_function(c"main").filter(|main| !main.is_declaration()) else {
        return Err(FrontError::NoMain);
    };
    let parameters = main.value_type().params().len();
    let mut text = String::new();
    for (i, argument) in arguments.iter().enumerate() {
        let bytes: String = argument.bytes().map(|byte| format!("\\{byte:02X}")).collect();
        let length = argument.len() + 1;
        text +=
            &format!("@exeunt.argument.{i} = internal global [{length} x i8] c\"{bytes}\\00\"\n");
    }
    let count = arguments.len();
    let pointers: Vec<String> = (0..count).map(|i| format!("ptr @exeunt.argument.{i}")).collect();
    text += &format!(
        "@exeunt.arguments = internal global [{} x ptr] [{}, ptr null]\n",
        count + 1,
        pointers.join(", ")
    );
    let given = [format!("i32 {count}"), "ptr @exeunt.arguments".into(), "ptr null".into()];
    let given = given[..parameters.min(given.len())].join(", ");
    let types = ["i32", "ptr", "ptr"][..parameters.min(3)].join(", ");
    let own = OWN_MAIN.to_str().expect("plain text");
    text += &format!("declare i32 @{own}({types})\n");
    text += &format!("define i32 @main() {{\n  %r = call i32 @{own}({given})\n  ret i32 %r\n}}\n");
    replace_main(context, module, &text)
}

/// Links a `main` that is written in LLVM's text form.
fn replace_main<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    text: &str,
) -> Result<(), FrontError> {
    if let Some(main) = module.named_function(c"main") {
        main.rename(OWN_MAIN);
    }
    let text = CString::new(format!("target triple = \"x86_64-pc-linux-gnu\"\n{text}"));
    let text = text.map_err(|error| FrontError::System(error.to_string()))?;
    let added = context.parse(text.as_bytes()).map_err(FrontError::System)?;
    module.link(added).map_err(FrontError::System)
}
