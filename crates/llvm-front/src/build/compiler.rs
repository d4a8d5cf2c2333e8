//! A stand-in for a compiler: it does what it is asked to do, and keeps the bitcode.
//!
//! What the native compiler makes and says is what it would make and say alone. If clang does not
//! take a source that the native compiler takes, the build goes on, and what clang said is
//! kept in place of the bitcode: only `check` needs it.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use super::SECTION;
use super::bundle::{Content, Unit, encode};
use super::command::{CommandLine, Source, Stage};
use crate::clang::Clang;
use crate::{FrontError, Inputs, cxx};

/// A call of a compiler.
#[derive(Clone, Debug)]
pub struct Native<'a> {
    /// The command: a program and perhaps some arguments of its own.
    pub compiler: &'a [String],
    pub arguments: &'a [OsString],
    /// The same with the contents of response files (`@file`) in place of these.
    pub words: &'a [String],
    /// It compiles `.c` as C++, too.
    pub cxx: bool,
    /// The directory with `exeunt.h`, which stays when the build is over.
    pub include: &'a Path,
}

/// Runs the compiler, and keeps bitcode in the objects that it makes.
pub fn compile(native: &Native<'_>) -> Result<ExitStatus, FrontError> {
    let line = CommandLine::read(native.words, None);
    let keeps = match line.stage {
        Stage::Nothing => false,
        Stage::Compile => !line.sources.is_empty(),
        Stage::Link => !line.sources.is_empty() || !line.renames.is_empty(),
    };
    if !keeps {
        return wait(native.command(&[]).spawn(), native);
    }
    let clang = Clang::find()?;
    let scratch = tempfile::Builder::new()
        .prefix("exeunt-")
        .tempdir()
        .map_err(|error| FrontError::System(format!("no temporary directory: {error}")))?;
    match line.stage {
        Stage::Compile => objects(native, &line, &clang, scratch.path()),
        Stage::Link | Stage::Nothing => linked(native, &line, &clang, scratch.path()),
    }
}

fn wait(
    started: std::io::Result<std::process::Child>,
    native: &Native<'_>,
) -> Result<ExitStatus, FrontError> {
    started.and_then(|mut child| child.wait()).map_err(|error| {
        FrontError::System(format!(
            "cannot run the compiler {}: {error}",
            native.compiler.join(" ")
        ))
    })
}

/// `-c`: clang works beside the native compiler, and its bitcode is added to the objects.
fn objects(
    native: &Native<'_>,
    line: &CommandLine,
    clang: &Clang,
    scratch: &Path,
) -> Result<ExitStatus, FrontError> {
    let started = native.command(&[]).spawn();
    let units: Vec<Unit> =
        line.sources.iter().map(|source| unit(native, line, clang, source, scratch)).collect();
    let status = wait(started, native)?;
    if !status.success() {
        return Ok(status);
    }
    for (source, unit) in line.sources.iter().zip(&units) {
        let record = scratch.join("record");
        write(&record, &encode(unit))?;
        add_section(&line.object(source), &record)?;
    }
    Ok(status)
}

/// Compiled and linked at once: the bitcode is in an object of its own.
fn linked(
    native: &Native<'_>,
    line: &CommandLine,
    clang: &Clang,
    scratch: &Path,
) -> Result<ExitStatus, FrontError> {
    let mut units: Vec<Unit> =
        line.sources.iter().map(|source| unit(native, line, clang, source, scratch)).collect();
    units.extend(line.renames.iter().map(|option| Unit {
        file: "the linker".to_string(),
        content: Content::Refused(format!("its option `{option}` changes what a name means")),
    }));
    let (record, assembly) = (scratch.join("record"), scratch.join("bitcode.s"));
    write(&record, &units.iter().flat_map(encode).collect::<Vec<u8>>())?;
    // R: it is kept although nothing refers to it.
    let text = format!(
        ".section {SECTION},\"R\",@progbits\n.incbin \"{}\"\n\
         .section .note.GNU-stack,\"\",@progbits\n",
        record.display()
    );
    write(&assembly, text.as_bytes())?;
    let object = scratch.join("bitcode.o");
    let (program, own) = native.compiler.split_first().expect("a command has a program");
    let made = Command::new(program)
        .args(own)
        .args(line.flags.iter().filter(|flag| flag.starts_with("-m")))
        .args(["-w", "-x", "assembler", "-c", "-o"])
        .arg(&object)
        .arg(&assembly)
        .stdin(Stdio::null())
        .output();
    let made = made.is_ok_and(|output| output.status.success());
    let mut more: Vec<&OsStr> = Vec::new();
    if made {
        if line.language.is_some() {
            more.extend([OsStr::new("-x"), OsStr::new("none")]);
        }
        more.push(object.as_os_str());
    }
    wait(native.command(&more).spawn(), native)
}

impl Native<'_> {
    fn command(&self, more: &[&OsStr]) -> Command {
        let (program, own) = self.compiler.split_first().expect("a command has a program");
        let mut command = Command::new(program);
        // Objects for link-time optimisation are replaced when they are linked, and with them
        // whatever else is inside.
        let asked = self.arguments.iter().filter(|one| !starts_with(one, "-flto"));
        command.args(own).args(asked).args(more);
        // Where `exeunt.h` is; a flag would be unused, and said so, where nothing is compiled.
        if let Some(headers) = headers(self.include) {
            command.env("CPATH", headers);
        }
        command
    }
}

fn starts_with(argument: &OsStr, start: &str) -> bool {
    argument.as_encoded_bytes().starts_with(start.as_bytes())
}

/// The directories of headers by the environment, and one more.
pub fn headers(include: &Path) -> Option<OsString> {
    let path = std::env::var_os("CPATH").unwrap_or_default();
    let all = std::env::split_paths(&path).chain([include.to_path_buf()]);
    std::env::join_paths(all.filter(|one| !one.as_os_str().is_empty())).ok()
}

/// What clang makes of a source, as `check` would compile it.
fn unit(
    native: &Native<'_>,
    line: &CommandLine,
    clang: &Clang,
    source: &Source,
    scratch: &Path,
) -> Unit {
    let mut clang_args = line.flags.clone();
    // Checks that the library makes with some flags of optimisation.
    clang_args.push("-U_FORTIFY_SOURCE".to_string());
    let plain_c = source.file.extension().is_some_and(|end| end == "c" || end == "i");
    let language = match &source.language {
        Some(language) => Some(language.as_str()),
        None if native.cxx && plain_c => Some("c++"),
        None => None,
    };
    let inputs = Inputs {
        clang_args,
        include: native.include.to_path_buf(),
        plain_cxx: !cxx::is_available(),
        ..Inputs::default()
    };
    let content = match clang.compile(&inputs, &source.file, language, scratch) {
        Ok(bitcode) => Content::Bitcode(bitcode),
        Err(why) => Content::Refused(why.to_string()),
    };
    Unit { file: source.file.to_string_lossy().into_owned(), content }
}

const OBJCOPY: [&str; 3] = ["objcopy", "llvm-objcopy-22", "llvm-objcopy"];

fn add_section(object: &Path, record: &Path) -> Result<(), FrontError> {
    if !object.is_file() {
        return Ok(());
    }
    let mut section = OsString::from(format!("{SECTION}="));
    section.push(record);
    let mut last = String::new();
    for program in OBJCOPY {
        let output = Command::new(program).arg("--add-section").arg(&section).arg(object).output();
        match output {
            Ok(output) if output.status.success() => return Ok(()),
            Ok(output) => last = String::from_utf8_lossy(&output.stderr).trim_end().to_string(),
            Err(error) => last = format!("{program}: {error}"),
        }
    }
    Err(FrontError::System(format!("cannot keep bitcode in {}: {last}", object.display())))
}

fn write(path: &PathBuf, bytes: &[u8]) -> Result<(), FrontError> {
    std::fs::write(path, bytes)
        .map_err(|error| FrontError::System(format!("cannot write {}: {error}", path.display())))
}
