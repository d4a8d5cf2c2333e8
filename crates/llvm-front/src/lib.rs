//! The front end for C, C++ and LLVM: runs clang, reads and links bitcode with
//! LLVM 22, and lowers it to our bytecode.
//!
//! The only crate that sees LLVM. Everything that can be wrong with the input
//! is a [`FrontError`]; what the input uses and we do not support is an
//! `Unsupported` instruction in the program, which matters only if it is
//! reached.
//!
//! When the user asks for no optimisation level, clang's own passes are off
//! and only `mem2reg` runs here. It turns local variables whose address
//! nobody takes into registers, which makes states small, and it touches no
//! other access. The obvious next candidates all hide faults that we are
//! asked to find: SROA deletes accesses outside of a local array, SimplifyCFG
//! turns accesses to null into `unreachable` and removes the branches that
//! lead there, InstSimplify folds a division by zero away, and EarlyCSE and
//! GVN merge loads of shared memory.

mod build;
mod clang;
mod cxx;
mod entry;
mod error;
mod framework;
mod kept;
mod library;
mod link;
mod llvm;
mod lower;
mod precompiled;

use std::ffi::CStr;
use std::path::{Path, PathBuf};

use exeunt_ir::Program;

pub use build::{CommandLine, Native, compile, is_built, is_native_only};
use clang::{Clang, Kind};
pub use cxx::cache;
pub use error::FrontError;
use link::Linker;
use llvm::{Context, Module};

/// What to load.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// C, C++, LLVM text or bitcode, by the ends of their names; or machine code that
    /// [`compile`] made.
    pub files: Vec<PathBuf>,
    /// Further arguments for clang.
    pub clang_args: Vec<String>,
    /// The same for single files, before the others.
    pub file_args: Vec<(PathBuf, Vec<String>)>,
    /// Check for undefined arithmetic (signed overflow, shifts…).
    pub undefined: bool,
    /// The directory with `exeunt.h`.
    pub include: PathBuf,
    /// The directory with the parts of the library that are compiled together
    /// with a program which needs them.
    pub library: Option<PathBuf>,
    /// Functions that an option names: the optimiser may not inline them or
    /// conclude anything from their bodies. `__VERIFIER_atomic_*` and annotated
    /// functions are so in any case.
    pub kept: Vec<String>,
    /// A program without `main` will do.
    pub without_main: bool,
    /// Code in headers of libraries has its own positions, in place of those of its callers.
    pub library_frames: bool,
    /// The function at which the program begins in place of `main`.
    pub entry: Option<String>,
    /// The test case of GoogleTest or Catch2 that is run.
    pub test: Option<String>,
    /// C++ is compiled without exceptions and without the library's own source. It is
    /// so in any case where that source is missing.
    pub plain_cxx: bool,
}

/// The passes that run when the user asks for no level.
const LIGHT_PASSES: &str = "function(mem2reg)";

/// The pass that runs on functions of the C++ library's headers besides: their
/// iterators and other small structs become registers. It would delete accesses outside of local
/// arrays, but these functions are not what is checked.
const LIBRARY_PASSES: &CStr = c"sroa";
const LIBRARY_HEADERS: [&str; 2] = ["/usr/include/c++/", "/usr/include/gtest/"];

/// Whether a function is defined in a header of the C++ library.
fn is_of_library(function: llvm::Value<'_>) -> bool {
    if function.is_declaration() {
        return false;
    }
    let Some(file) = function.subprogram().and_then(|subprogram| subprogram.file()) else {
        return false;
    };
    let name = file.file_name();
    let full = match name.starts_with('/') {
        true => name,
        false => format!("{}/{name}", file.file_directory()),
    };
    let full = lower::tidy(&full);
    LIBRARY_HEADERS.iter().any(|directory| full.starts_with(directory))
}

/// Coroutines become functions by these, before anything else.
const COROUTINE_PASSES: &str = "coro-early,cgscc(coro-split),coro-cleanup";

/// Compiles, links and lowers a program.
pub fn load(inputs: &Inputs) -> Result<Program, FrontError> {
    if inputs.files.is_empty() {
        return Err(FrontError::NoInput);
    }
    let clang = Clang::find()?;
    let cxx = cxx_library(&clang, inputs)?;
    let inputs = &Inputs { plain_cxx: cxx.is_none(), ..inputs.clone() };
    let scratch = tempfile::Builder::new()
        .prefix("exeunt-")
        .tempdir()
        .map_err(|error| FrontError::System(format!("no temporary directory: {error}")))?;
    let context = Context::new();
    let mut linker = Linker::new(&clang, &context, inputs, scratch.path());
    for file in &inputs.files {
        linker.add(file)?;
    }
    let (mut module, doubts) = linker.finish()?;
    if let Some(entry) = &inputs.entry {
        entry::start_at(&context, &mut module, entry)?;
    }
    if let Some(test) = &inputs.test {
        framework::select(&clang, &context, inputs, &mut module, test)?;
    }
    if let Some(library) = &cxx {
        library::link_cxx(&context, &mut module, library)?;
    }
    library::link(&clang, &context, inputs, &mut module, scratch.path())?;
    let directory = std::env::current_dir().unwrap_or_default();
    let include = inputs.include.to_string_lossy();
    let mut program =
        lower::module(&module, &directory.to_string_lossy(), &include, inputs.library_frames)?;
    if program.main.is_none() && !inputs.without_main {
        return Err(FrontError::NoMain);
    }
    program.caveats.extend(doubts);
    caveats(inputs, &mut program);
    Ok(program)
}

/// The C++ library, if a file may need it and its source is there.
fn cxx_library(clang: &Clang, inputs: &Inputs) -> Result<Option<PathBuf>, FrontError> {
    let wanted = !inputs.plain_cxx && inputs.files.iter().any(|file| clang::may_be_cxx(file));
    match &inputs.library {
        Some(runtime) if wanted => cxx::library(clang, runtime).map_err(FrontError::System),
        Some(_) | None => Ok(None),
    }
}

/// One input, compiled and read. Where the user asks for an optimisation level,
/// clang optimises what it has compiled in a second run, so that functions with
/// a meaning can be marked in between.
fn module<'c>(
    clang: &Clang,
    context: &'c Context,
    inputs: &Inputs,
    file: &Path,
    scratch: &Path,
) -> Result<Module<'c>, FrontError> {
    let own = inputs.file_args.iter().find(|(path, _)| path == file);
    if let Some((_, own)) = own {
        let clang_args = [&own[..], &inputs.clang_args].concat();
        let inputs = Inputs { clang_args, file_args: Vec::new(), ..inputs.clone() };
        return module(clang, context, &inputs, file, scratch);
    }
    let bytes = clang.module(inputs, file, scratch)?;
    let optimised =
        clang::kind_of(file)? == Kind::Source && clang::asks_for_level(&inputs.clang_args);
    if !optimised {
        return read(context, inputs, file, &bytes);
    }
    let mut plain = context
        .parse(&bytes)
        .map_err(|why| FrontError::BadModule { file: file.to_path_buf(), why })?;
    let hidden = kept::hide(&mut plain, &inputs.kept);
    let bytes = clang.optimise(inputs, file, &plain.bitcode(), scratch)?;
    let mut module = read(context, inputs, file, &bytes)?;
    kept::show(&mut module, &hidden);
    Ok(module)
}

fn read<'c>(
    context: &'c Context,
    inputs: &Inputs,
    file: &Path,
    bytes: &[u8],
) -> Result<Module<'c>, FrontError> {
    let light = clang::kind_of(file)? == Kind::Source && !clang::asks_for_level(&inputs.clang_args);
    read_module(context, file, bytes, light)
}

/// Bitcode that [`compile`] made of a source.
fn read_compiled<'c>(
    context: &'c Context,
    file: &Path,
    bytes: &[u8],
) -> Result<Module<'c>, FrontError> {
    read_module(context, file, bytes, true)
}

fn read_module<'c>(
    context: &'c Context,
    file: &Path,
    bytes: &[u8],
    light: bool,
) -> Result<Module<'c>, FrontError> {
    let bad = |why: String| FrontError::BadModule { file: file.to_path_buf(), why };
    let mut module = context.parse(bytes).map_err(bad)?;
    module.verify().map_err(bad)?;
    let target = module.triple();
    if module.pointer_size() != 8 || !(target.is_empty() || target.starts_with("x86_64")) {
        return Err(FrontError::WrongTarget { file: file.to_path_buf(), target });
    }
    if module.functions().any(|function| function.is_coroutine()) {
        module.run_passes(COROUTINE_PASSES).map_err(FrontError::System)?;
    }
    if light {
        module.run_passes(LIGHT_PASSES).map_err(FrontError::System)?;
        module.run_passes_on(LIBRARY_PASSES, is_of_library).map_err(FrontError::System)?;
    }
    Ok(module)
}

/// LLVM's linker says `Linking globals named 'x': symbol multiply defined!`.
fn link_error(file: &Path, message: &str) -> FrontError {
    let twice = message.strip_suffix(": symbol multiply defined!");
    let symbol = twice.and_then(|text| text.strip_prefix("Linking globals named "));
    let why = match symbol {
        Some(symbol) => {
            let name = exeunt_ir::readable_in_full(symbol.trim_matches('\''));
            format!("'{name}' is defined in more than one file")
        }
        None => message.to_string(),
    };
    FrontError::Link { file: file.to_path_buf(), why }
}

fn caveats(inputs: &Inputs, program: &mut Program) {
    let is_module = |file: &&PathBuf| clang::kind_of(file).is_ok_and(|kind| kind != Kind::Source);
    if inputs.undefined {
        for file in inputs.files.iter().filter(is_module) {
            program.caveats.push(format!(
                "{}: undefined arithmetic is only checked in sources, not in compiled code",
                file.display()
            ));
        }
    }
}
