//! `exeunt cc` and `exeunt c++` in place of a compiler. What they build can be checked, because
//! it keeps its bitcode; with `--live` it can be switched at every access to memory instead.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use clap::Args;
use exeunt_llvm_front::Native;

use crate::failure::Failure;
use crate::live::refused;
use crate::runtime::Runtime;

#[derive(Debug, Args)]
pub(crate) struct CompilerArgs {
    /// Instrument for `exeunt live`, which such a program needs to run, in place of
    /// keeping bitcode for `exeunt check`
    #[arg(long)]
    live: bool,
    /// The compiler: gcc or clang [default: $CC or cc; $CXX or c++]
    #[arg(long, value_name = "COMMAND")]
    pub(crate) compiler: Option<String>,
    /// Arguments for the compiler, as usual
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
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
    let compiler = compiler(language, arguments)?;
    let status = match arguments.live {
        true => live(&compiler, &arguments.arguments)?,
        false => with_bitcode(language, &compiler, &arguments.arguments)?,
    };
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

/// The command that compiles natively. A variable that names ourselves, as it does during a
/// build, is not meant.
fn compiler(language: Language, arguments: &CompilerArgs) -> Result<Vec<String>, Failure> {
    let (variable, usual) = language.compiler();
    let words = |text: &str| shlex::split(text).filter(|words| !words.is_empty());
    if let Some(given) = &arguments.compiler {
        return words(given).ok_or_else(|| Failure::bad("--compiler names no command"));
    }
    let set = std::env::var(variable).ok().and_then(|text| words(&text));
    Ok(set.filter(|words| !is_exeunt(&words[0])).unwrap_or_else(|| vec![usual.to_string()]))
}

fn is_exeunt(program: &str) -> bool {
    let name = |path: &Path| path.file_name().map(OsString::from);
    let own = std::env::current_exe().ok().and_then(|path| name(&path));
    let program = name(Path::new(program));
    program.is_some() && (program == own || program == Some("exeunt".into()))
}

fn live(compiler: &[String], arguments: &[OsString]) -> Result<ExitStatus, Failure> {
    if arguments.is_empty() {
        return Err(Failure::bad("there is nothing to compile"));
    }
    // `exeunt.h` is found there, behind the user's own headers.
    let runtime = Runtime::new()?;
    exeunt_live::compile(compiler, arguments, runtime.directory()).map_err(refused)
}

fn with_bitcode(
    language: Language,
    compiler: &[String],
    arguments: &[OsString],
) -> Result<ExitStatus, Failure> {
    let include = include()?;
    let mut words = Vec::new();
    for argument in arguments {
        let word = argument.to_string_lossy().into_owned();
        words.extend(response(&word).unwrap_or_else(|| vec![word]));
    }
    let cxx = language == Language::Cxx;
    let native = Native { compiler, arguments, words: &words, cxx, include: &include };
    exeunt_llvm_front::compile(&native).map_err(Failure::bad)
}

/// `@file` stands for the words in the file.
fn response(word: &str) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(word.strip_prefix('@')?).ok()?;
    shlex::split(&text)
}

/// A directory with `exeunt.h` that stays: what a file depends on is written down by compilers.
fn include() -> Result<PathBuf, Failure> {
    let directory = exeunt_llvm_front::cache().map_err(Failure::bad)?;
    let directory = directory.join(concat!("include-", env!("CARGO_PKG_VERSION")));
    Runtime::write_header(&directory)?;
    Ok(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_name_is_no_compiler() {
        assert!(is_exeunt("exeunt") && is_exeunt("/opt/bin/exeunt"));
        assert!(!is_exeunt("gcc") && !is_exeunt("exeunt-cc/gcc"));
    }
}
