//! C, C++ and LLVM: compiled to bitcode, lowered, and run by the virtual machine.

use std::path::PathBuf;

use exeunt_ir::Program;
use exeunt_llvm_front::{FrontError, Inputs};
use exeunt_model::Model;
use exeunt_promela::PromelaModel;
use exeunt_vm::Vm;

use super::{FrontEnd, Loaded, Machine, front_end, is};
use crate::failure::{self, Failure};
use crate::interrupt;
use crate::runtime::Runtime;
use crate::settings::Settings;
use crate::temporal;

pub(super) static FRONT_END: FrontEnd = FrontEnd {
    noun: "a C program",
    endings: &["c", "cpp", "cc", "cxx", "C", "i", "ii", "ll", "bc"],
    explained: "C ends in .c, C++ in .cpp, .cc, .cxx or .C, preprocessed sources in .i or .ii, LLVM text in .ll, LLVM bitcode in .bc",
    meaningless,
    load,
};

/// The runtime directory lives as long as the machine, because source lines may
/// be in there.
struct Compiled {
    vm: Vm,
    _runtime: Runtime,
}

impl Machine for Compiled {
    fn model(&self) -> &dyn Model {
        &self.vm
    }

    fn text(&self) -> String {
        exeunt_ir::text::print(&self.vm.program)
    }

    fn promela(&self) -> Option<&PromelaModel> {
        None
    }
}

fn meaningless(settings: &Settings) -> Vec<(&'static str, bool)> {
    let questions = &settings.questions;
    vec![
        ("--language promela", settings.language.is_some()),
        ("--past-assertions", settings.demands.past_assertions),
        ("--lose-messages", settings.demands.lose_messages),
        ("--empty-channels", settings.demands.empty_channels),
        ("--one-scope", settings.demands.one_scope),
        ("--no-priorities", settings.demands.no_priorities),
        ("--never", settings.demands.never.is_some()),
        ("--ltl-name", !questions.names.is_empty()),
        ("--non-progress", questions.non_progress),
        ("--acceptance", questions.acceptance),
    ]
}

fn load(settings: &Settings) -> Result<Loaded, Failure> {
    let runtime = Runtime::new()?;
    let program = compiled(
        &settings.files,
        Inputs {
            clang_args: settings.clang_args.clone(),
            file_args: settings.file_args.clone(),
            undefined: settings.demands.undefined,
            kept: settings.kept_functions(),
            library_frames: settings.library_frames,
            entry: settings.program.entry.clone(),
            test: settings.program.test.clone(),
            ..Inputs::default()
        },
        &runtime,
    )?;
    let (asks, texts) = temporal::of_c(settings)?;
    let mut options = settings.vm_options()?;
    options.watched = temporal::propositions(&program, settings, &texts)?;
    options.fair = settings.questions.fair;
    let vm = Vm::new(program, options).map_err(Failure::bad)?;
    tell_undefined(&vm.program, settings.program.strict)?;
    Ok(Loaded { machine: Box::new(Compiled { vm, _runtime: runtime }), asks })
}

/// Functions without a definition are named before a long search. A run that
/// reaches one goes no further, and the answer is inconclusive then.
pub(super) fn tell_undefined(program: &Program, strict: bool) -> Result<(), Failure> {
    let undefined = exeunt_vm::undefined_calls(program);
    if undefined.is_empty() {
        return Ok(());
    }
    let places: Vec<String> =
        undefined.iter().map(|(name, place)| format!("{name} ({place})")).collect();
    let noun = if places.len() == 1 { "function is" } else { "functions are" };
    let message = format!("{noun} called but not defined: {}", places.join(", "));
    let help =
        "add the files that define them; what the C library does beyond our own is not known";
    if strict {
        return Err(Failure::bad(message).help(help));
    }
    failure::warning(&message, "a run that calls one of them is not followed further");
    Ok(())
}

/// The bytecode of a program that comes through LLVM.
pub(crate) fn bytecode(
    files: &[PathBuf],
    clang_args: &[String],
    undefined: bool,
    kept: Vec<String>,
    runtime: &Runtime,
) -> Result<Program, Failure> {
    compiled(
        files,
        Inputs { clang_args: clang_args.to_vec(), undefined, kept, ..Inputs::default() },
        runtime,
    )
}

/// The same of files that need not have a `main`.
pub(crate) fn bytecode_without_main(
    files: &[PathBuf],
    clang_args: &[String],
    kept: Vec<String>,
    runtime: &Runtime,
) -> Result<Program, Failure> {
    // Headers that tell the prover what their macros do to lists come first.
    let headers = format!("-isystem{}", runtime.directory().join("prove").display());
    let clang_args = [headers].into_iter().chain(clang_args.iter().cloned()).collect();
    // Proofs know no exceptions.
    let (without_main, plain_cxx) = (true, true);
    let inputs = Inputs { clang_args, kept, without_main, plain_cxx, ..Inputs::default() };
    compiled(files, inputs, runtime)
}

pub(super) fn compiled(
    files: &[PathBuf],
    inputs: Inputs,
    runtime: &Runtime,
) -> Result<Program, Failure> {
    if !is(front_end(files, None)?, &FRONT_END) {
        return Err(Failure::bad(
            "only C, C++ and LLVM have this bytecode; a Promela model has none",
        ));
    }
    let inputs = Inputs {
        files: files.to_vec(),
        include: runtime.directory().to_path_buf(),
        library: Some(runtime.directory().to_path_buf()),
        ..inputs
    };
    exeunt_llvm_front::load(&inputs).map_err(|error| match error {
        _ if interrupt::requested() => Failure::Interrupted,
        FrontError::Compile(text) => Failure::Compiler(text),
        other => Failure::bad(other),
    })
}
