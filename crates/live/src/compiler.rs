//! Compiling for `exeunt live`: every access to memory becomes a call of the
//! runtime.
//!
//! Compilers insert these calls for their thread sanitizer. The program is
//! linked with a library of the same functions in place of the sanitizer's. At
//! run time the loader asks for it by the name of the runtime, which
//! `exeunt live` has loaded already.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitStatus};

use object::{Object, ObjectSymbol};

use crate::process::RUNTIME;
use crate::program::Refusal;

/// The name that the runtime has for the loader.
const NAME: &str = "libexeunt-live.so";

/// Arguments after which a compiler does not link.
const NO_LINKING: [&str; 6] = ["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"];

/// What the linker calls functions that stand for others.
const WRAP: &str = "__wrap_";

/// Runs a compiler so that accesses to memory are scheduling points.
/// `directory` is for files that are needed while it runs.
pub fn compile(
    compiler: &[String],
    arguments: &[OsString],
    directory: &Path,
) -> Result<ExitStatus, Refusal> {
    let cannot = |why: std::io::Error| cannot_run(compiler, &why);
    let mut command = start(compiler);
    command.args(["-g", "-fsanitize=thread"]);
    let links = !arguments.iter().any(|one| NO_LINKING.iter().any(|name| one == *name));
    if links {
        stand_in(compiler, directory)?;
        command.arg("-L").arg(directory);
        command
            .args(["memcpy", "memmove", "memset", "free"].map(|name| format!("-Wl,--wrap={name}")));
    }
    command.args(arguments);
    // Where `exeunt.h` is; a flag would be unused, and said so, where nothing is compiled.
    let path = std::env::var_os("CPATH").unwrap_or_default();
    let headers = std::env::split_paths(&path).chain([directory.to_path_buf()]);
    if let Ok(headers) = std::env::join_paths(headers.filter(|one| !one.as_os_str().is_empty())) {
        command.env("CPATH", headers);
    }
    if links && is_clang(compiler).map_err(cannot)? {
        command.args(["-fno-sanitize-link-runtime", "-Wl,--no-as-needed", "-ltsan"]);
    }
    command.status().map_err(cannot)
}

/// A command is a program and perhaps some arguments of its own.
fn start(compiler: &[String]) -> Command {
    let (program, own) = compiler.split_first().expect("a command has a program");
    let mut command = Command::new(program);
    command.args(own);
    command
}

fn cannot_run(compiler: &[String], why: &std::io::Error) -> Refusal {
    Refusal::new(format!("cannot run the compiler {}: {why}", compiler.join(" ")))
}

/// Clang links its sanitizer by path, and leaves it out if it is told to.
fn is_clang(compiler: &[String]) -> std::io::Result<bool> {
    let output = start(compiler).arg("--version").output()?;
    Ok(String::from_utf8_lossy(&output.stdout).contains("clang"))
}

/// Makes a library with the functions of the runtime that compilers call.
fn stand_in(compiler: &[String], directory: &Path) -> Result<(), Refusal> {
    let cannot = |why: std::io::Error| Refusal::new(format!("cannot prepare linking: {why}"));
    let file = object::File::parse(RUNTIME).expect("the runtime is a library");
    let names = file.dynamic_symbols().filter(|symbol| symbol.is_definition());
    let mut names: Vec<&str> = names.filter_map(|symbol| symbol.name().ok()).collect();
    names.retain(|name| name.starts_with("__tsan_") || name.starts_with(WRAP));
    let lines = names.iter().map(|name| format!("void {name}(void) {{}}\n"));
    let source = directory.join("stand_in.c");
    std::fs::write(&source, lines.collect::<String>()).map_err(cannot)?;
    let status = start(compiler)
        .args(["-shared", "-fPIC", "-nostdlib", "-w", "-x", "c"])
        .arg(&source)
        .arg(format!("-Wl,-soname,{NAME}"))
        .arg("-o")
        .arg(directory.join("libtsan.so"))
        .status()
        .map_err(|why| cannot_run(compiler, &why))?;
    match status.success() {
        true => Ok(()),
        false => Err(Refusal::new(format!("{} cannot make shared libraries", compiler.join(" ")))),
    }
}
