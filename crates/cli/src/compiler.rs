//! `exeunt cc --live` and `exeunt c++ --live`: compilers whose programs can be
//! switched at every access to memory.

use clap::Args;

use crate::failure::Failure;
use crate::live::refused;
use crate::runtime::Runtime;

#[derive(Debug, Args)]
pub(crate) struct CompilerArgs {
    /// Instrument for `exeunt live`, which such a program needs to run
    #[arg(long, required = true)]
    live: bool,
    /// The compiler: gcc or clang [default: $CC or cc; $CXX or c++]
    #[arg(long, value_name = "COMMAND")]
    pub(crate) compiler: Option<String>,
    /// Arguments for the compiler, as usual
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<std::ffi::OsString>,
}

/// Which language the command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    Cxx,
}

impl Language {
    /// The environment variable with the user's compiler, and the usual one.
    fn compiler(self) -> (&'static str, &'static str) {
        match self {
            Language::C => ("CC", "cc"),
            Language::Cxx => ("CXX", "c++"),
        }
    }
}

/// Ends as the compiler does.
pub(crate) fn run(language: Language, arguments: &CompilerArgs) -> Result<u8, Failure> {
    let (variable, usual) = language.compiler();
    let set = std::env::var(variable).ok().filter(|name| !name.is_empty());
    let compiler = arguments.compiler.clone().or(set).unwrap_or_else(|| usual.to_string());
    // `exeunt.h` is found there, behind the user's own headers.
    let runtime = Runtime::new()?;
    let status = exeunt_live::compile(&compiler, &arguments.arguments, runtime.directory());
    let code = status.map_err(refused)?.code();
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
