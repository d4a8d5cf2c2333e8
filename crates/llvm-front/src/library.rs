//! Parts of the library that are compiled together with a program because
//! they call back into it, or are made of the library's own types.
//!
//! A part is added if the program declares one of its names without defining
//! it, and is compiled without debug information, so that positions are those
//! of the program.

use std::ffi::CStr;
use std::path::Path;

use crate::clang::Clang;
use crate::llvm::{Context, Module};
use crate::{FrontError, Inputs, link_error};

struct Part {
    file: &'static str,
    arguments: &'static [&'static str],
    names: &'static [&'static str],
}

const CXX: &[&str] = &["-O1", "-g0", "-std=c++17"];

/// In an order in which no part needs one before it.
const PARTS: [Part; 8] = [
    Part {
        file: "libc.c",
        arguments: &["-O1", "-g0", "-fno-builtin"],
        names: &["qsort", "qsort_r", "bsearch", "lfind", "lsearch"],
    },
    Part {
        file: "getopt.c",
        arguments: &["-O1", "-g0", "-fno-builtin"],
        names: &[
            "getopt",
            "getopt_long",
            "getopt_long_only",
            "optarg",
            "optind",
            "opterr",
            "optopt",
        ],
    },
    Part {
        file: "err.c",
        arguments: &["-O1", "-g0", "-fno-builtin"],
        names: &[
            "err",
            "errx",
            "verr",
            "verrx",
            "warn",
            "warnx",
            "vwarn",
            "vwarnx",
            "error",
            "error_message_count",
            "error_print_progname",
            "program_invocation_name",
            "program_invocation_short_name",
        ],
    },
    Part {
        file: "thread.cpp",
        arguments: CXX,
        names: &[
            "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
            "_ZNSt6thread4joinEv",
            "_ZNSt6thread6detachEv",
            "_ZNSt6thread6_StateD2Ev",
            "_ZNSt18condition_variableC1Ev",
            "_ZNSt18condition_variableD1Ev",
            "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
            "_ZNSt18condition_variable10notify_oneEv",
            "_ZNSt18condition_variable10notify_allEv",
            "__once_proxy",
            "_ZSt15__once_callable",
            "_ZSt11__once_call",
        ],
    },
    Part {
        file: "allocator.cpp",
        arguments: CXX,
        names: &["_ZNSaIcEC1Ev", "_ZNSaIcEC2Ev", "_ZNSaIwEC1Ev", "_ZNSaIwEC2Ev"],
    },
    Part {
        file: "clock.cpp",
        arguments: CXX,
        names: &["_ZNSt6chrono3_V212steady_clock3nowEv", "_ZNSt6chrono3_V212system_clock3nowEv"],
    },
    Part { file: "ios.cpp", arguments: CXX, names: &["_ZNSt8ios_base4InitC1Ev"] },
    Part {
        file: "rtti.cpp",
        arguments: CXX,
        names: &[
            "__dynamic_cast",
            "_ZTVN10__cxxabiv117__class_type_infoE",
            "_ZTVN10__cxxabiv120__si_class_type_infoE",
            "_ZTVN10__cxxabiv121__vmi_class_type_infoE",
        ],
    },
];

/// Adds the parts that the program needs.
pub(crate) fn link<'c>(
    clang: &Clang,
    context: &'c Context,
    inputs: &Inputs,
    module: &mut Module<'c>,
    scratch: &Path,
) -> Result<(), FrontError> {
    let Some(directory) = &inputs.library else { return Ok(()) };
    for part in PARTS.iter() {
        if !is_needed(part, module) {
            continue;
        }
        let file = directory.join(part.file);
        let clang_args = part.arguments.iter().map(|word| word.to_string()).collect();
        let inputs = Inputs { clang_args, undefined: false, ..inputs.clone() };
        let added = crate::module(clang, context, &inputs, &file, scratch)?;
        module.link(added).map_err(|why| link_error(&file, &why))?;
    }
    Ok(())
}

/// Functions that end a thread, and so unwind its stack.
const ENDING: [&str; 3] = ["pthread_exit", "pthread_cancel", "thrd_exit"];
/// Functions that the machine has throw `std::bad_alloc`.
const ALLOCATING: [&str; 4] = ["_Znwm", "_Znam", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"];

/// Functions that are in the library and that we do not follow: a program that calls one
/// finds no definition. A handler for exceptions that a function does not list may throw others, and we take
/// such an exception for the end of the program.
const REFUSED: [&CStr; 1] = [c"_ZSt14set_unexpectedPFvvE"];

/// Adds what the program needs of the C++ library.
pub(crate) fn link_cxx<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    library: &Path,
) -> Result<(), FrontError> {
    let missing = missing(module);
    if !missing.iter().any(|name| name.starts_with("_Z") || name.starts_with("__cxa_")) {
        return Ok(());
    }
    module.declare(crate::lower::RESUME);
    if missing.iter().any(|name| ENDING.contains(&name.as_str())) {
        module.declare_thread_local(c"__exeunt_forced");
    }
    if missing.iter().any(|name| ALLOCATING.contains(&name.as_str())) {
        module.declare(c"_ZSt17__throw_bad_allocv");
    }
    let unreadable =
        |why: String| FrontError::System(format!("cannot read {}: {why}", library.display()));
    let bytes = std::fs::read(library).map_err(|error| unreadable(error.to_string()))?;
    let added = context.open(&bytes).map_err(unreadable)?;
    for name in REFUSED {
        if let Some(function) = added.named_function(name) {
            function.rename(c"exeunt.refused");
        }
    }
    module.link(added).map_err(|why| link_error(library, &why))
}

/// The names that a module declares and does not define.
pub(crate) fn missing(module: &Module<'_>) -> Vec<String> {
    let values = module.functions().chain(module.globals());
    values.filter(|value| value.is_declaration()).map(|value| value.name().to_string()).collect()
}

fn is_needed(part: &Part, module: &Module<'_>) -> bool {
    let values = module.functions().chain(module.globals());
    let mut missing = values.filter(|value| value.is_declaration()).map(|value| value.name());
    missing.any(|name| part.names.contains(&&*name))
}
