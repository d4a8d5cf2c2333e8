//! `// native`: the program must print what it prints when it is compiled
//! natively, at -O0 and at -O2, in both worlds.

use std::path::Path;
use std::process::Command;

use crate::directives::Directives;
use crate::tool::{self, Ran, Scratch};

pub(crate) fn compare(
    directory: &Path,
    files: &[String],
    directives: &Directives,
) -> Result<(), String> {
    for level in ["-O0", "-O2"] {
        let native = natively(directory, files, directives, level)?;
        let ours = in_our_machine(directory, files, directives, level)?;
        if native.stdout != ours.stdout || ours.code != Some(0) {
            return Err(format!(
                "at {level} the native program does something else\n{}\n{}",
                native.story(),
                ours.story()
            ));
        }
    }
    Ok(())
}

fn natively(
    directory: &Path,
    files: &[String],
    directives: &Directives,
    level: &str,
) -> Result<Ran, String> {
    let scratch = Scratch::new()?;
    let binary = scratch.path("program");
    let cxx = files.iter().any(|file| file.ends_with(".cpp"));
    let mut compiler = Command::new(if cxx { "clang++-22" } else { "clang-22" });
    compiler.args([level, "-w", "-pthread", "-o"]).arg(&binary).args(files);
    compiler.arg("-I").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime"));
    compiler.args(&directives.clang_args).arg("-lm");
    let compiled = tool::run(compiler, directory)?;
    if compiled.code != Some(0) {
        return Err(format!("the native program does not compile\n{}", compiled.story()));
    }
    tool::run(Command::new(&binary), directory)
}

fn in_our_machine(
    directory: &Path,
    files: &[String],
    directives: &Directives,
    level: &str,
) -> Result<Ran, String> {
    let mut command = tool::exeunt();
    command.arg("run").args(files).arg("--").arg(level).args(&directives.clang_args);
    tool::run(command, directory)
}
