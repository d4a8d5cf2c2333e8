//! Running clang 22.
//!
//! C sources are compiled to bitcode. LLVM text and bitcode are shown to
//! clang, too: LLVM's readers may abort on damaged input, and a child process
//! is where that may happen. clang uses the same readers, so our own process
//! only ever reads modules that were seen to be read without dying.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::precompiled::Headers;
use crate::{FrontError, Inputs, build};

/// Names, and whether they alone tell the version: to ask takes as long as to
/// compile a small program.
const CANDIDATES: [(&str, bool); 3] =
    [("clang-22", true), ("/usr/lib/llvm-22/bin/clang", true), ("clang", false)];

/// The checks of `--undefined`. Alignment and null are left to the virtual
/// machine, which knows every object.
const UNDEFINED: &str = "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,\
    bounds,unreachable,return,vla-bound,float-cast-overflow,pointer-overflow,enum,bool,builtin";

/// What a file is, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Source,
    Module,
    /// Machine code with bitcode inside.
    Built,
}

/// A clang of version 22, by its name or by what it says.
pub struct Clang {
    program: PathBuf,
}

/// Whether a program would be found.
fn is_there(name: &str) -> bool {
    if name.contains('/') {
        return Path::new(name).is_file();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(name).is_file())
}

fn says_its_version(name: &str) -> bool {
    let output = Command::new(name).arg("--version").output();
    output.is_ok_and(|said| String::from_utf8_lossy(&said.stdout).contains("clang version 22."))
}

impl Clang {
    pub fn find() -> Result<Clang, FrontError> {
        let found = CANDIDATES.iter().find(|(name, tells)| match tells {
            true => is_there(name),
            false => says_its_version(name),
        });
        match found {
            Some((name, _)) => Ok(Clang { program: name.into() }),
            None => Err(FrontError::NoClang {
                tried: CANDIDATES.map(|(candidate, _)| candidate).join(", "),
            }),
        }
    }

    /// One input as an LLVM module (bitcode or text) that LLVM can read.
    pub fn module(
        &self,
        inputs: &Inputs,
        file: &Path,
        directory: &Path,
    ) -> Result<Vec<u8>, FrontError> {
        check_readable(file)?;
        let bytes = match kind_of(file)? {
            Kind::Source => return self.compile(inputs, file, None, directory),
            Kind::Module | Kind::Built => {
                fs::read(file).map_err(|error| unreadable(file, &error))?
            }
        };
        check_magic(file, &bytes)?;
        // A copy, so that what is checked is what will be read.
        let copy = directory.join("input");
        fs::write(&copy, &bytes).map_err(|error| FrontError::System(error.to_string()))?;
        let mut command = self.limited(bytes.len());
        command.args(MODULE_ARGUMENTS).arg("-o").arg(directory.join("checked.bc"));
        let result = run(command.args(["-x", "ir"]).arg(copy))?;
        if !result.status.success() {
            return Err(rejected(file, &result));
        }
        if !says(&result, "ignoring invalid debug info") {
            return Ok(bytes);
        }
        // LLVM would write what is wrong with it to our own standard error.
        // What clang wrote has no debug info, but it is for clang's target.
        if says(&result, "overriding the module target triple") {
            let target = "another machine".into();
            return Err(FrontError::WrongTarget { file: file.to_path_buf(), target });
        }
        fs::read(directory.join("checked.bc")).map_err(|error| unreadable(file, &error))
    }

    /// A source as bitcode that is not optimised; of a language that its name does not
    /// tell, perhaps.
    pub fn compile(
        &self,
        inputs: &Inputs,
        file: &Path,
        language: Option<&str>,
        directory: &Path,
    ) -> Result<Vec<u8>, FrontError> {
        let output = directory.join("module.bc");
        let cxx = language.map_or_else(|| is_cxx(file), |language| language.starts_with("c++"));
        let arguments = compile_arguments(inputs, cxx);
        let with = |headers: Option<&Path>| {
            let mut command = Command::new(&self.program);
            command.args(&arguments);
            command.args(language.map(|language| format!("-x{language}")));
            if let Some(headers) = headers {
                command.arg("-include-pch").arg(headers);
            }
            command.arg("-o").arg(&output).arg(protected(file));
            run(&mut command)
        };
        let headers = if cxx { self.headers(file, &arguments, inputs) } else { None };
        let early = headers.and_then(|(headers, ready)| {
            let result = with(Some(&ready)).ok().filter(|result| result.status.success());
            if result.is_none() {
                headers.forget();
            }
            result
        });
        let result = early.map_or_else(|| with(None), Ok)?;
        if !result.status.success() {
            return Err(compile_error(file, &result));
        }
        let bytes = fs::read(&output).map_err(|error| {
            FrontError::System(format!("clang wrote no bitcode for {}: {error}", file.display()))
        })?;
        let _ = fs::remove_file(&output);
        Ok(bytes)
    }

    /// The headers that a C++ file begins with, precompiled.
    fn headers(
        &self,
        file: &Path,
        arguments: &[OsString],
        inputs: &Inputs,
    ) -> Option<(Headers, PathBuf)> {
        let text = fs::read_to_string(file).ok()?;
        // Where `exeunt.h` is changes from run to run, and no header of the library is there.
        let own = include_argument(&inputs.include);
        let arguments: Vec<&OsString> = arguments.iter().filter(|arg| **arg != own).collect();
        let headers = Headers::of(&text, &self.program, &arguments)?;
        let mut command = Command::new(&self.program);
        command.args(&arguments);
        let ready = headers.ready(command, |command| {
            let result = quietly(command).output();
            result.is_ok_and(|result| result.status.success())
        })?;
        Some((headers, ready))
    }

    /// Compiles a file of the C++ library to bitcode.
    pub fn library_file(
        &self,
        file: &Path,
        standard: &str,
        arguments: &[&str],
        includes: &[PathBuf],
        output: &Path,
    ) -> Result<(), String> {
        let mut command = Command::new(&self.program);
        command.args(arguments).arg(format!("-std={standard}"));
        for include in includes {
            command.arg("-I").arg(include);
        }
        command.arg("-o").arg(output).args(["-x", "c++"]).arg(file);
        let result = run(&mut command).map_err(|error| error.to_string())?;
        match result.status.success() {
            true => Ok(()),
            false => {
                let text = String::from_utf8_lossy(&result.stderr);
                let line = text.lines().find(|line| line.contains("error:"));
                Err(line.unwrap_or("clang fails").to_string())
            }
        }
    }

    /// Optimises bitcode as the user asks.
    pub fn optimise(
        &self,
        inputs: &Inputs,
        file: &Path,
        bitcode: &[u8],
        directory: &Path,
    ) -> Result<Vec<u8>, FrontError> {
        let (input, output) = (directory.join("plain.bc"), directory.join("optimised.bc"));
        fs::write(&input, bitcode).map_err(|error| FrontError::System(error.to_string()))?;
        let mut command = Command::new(&self.program);
        command.args(source_arguments(inputs)).arg("-Wno-unused-command-line-argument");
        command.arg("-o").arg(&output).args(["-x", "ir"]).arg(&input);
        let result = run(&mut command)?;
        if !result.status.success() {
            return Err(compile_error(file, &result));
        }
        fs::read(&output).map_err(|error| unreadable(file, &error))
    }

    /// A clang that may use only so much time and memory: damaged bitcode can
    /// make LLVM allocate without end.
    fn limited(&self, bytes: usize) -> Command {
        let seconds = 20 + bytes / 100_000;
        let kilobytes = 2 * 1024 * 1024 + bytes / 10;
        let limits = format!("ulimit -t {seconds}; ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(limits).arg(&self.program);
        command
    }
}

fn run(command: &mut Command) -> Result<Output, FrontError> {
    let result = quietly(command.args(["-c", "-emit-llvm"])).output();
    result.map_err(|error| FrontError::System(format!("cannot run clang: {error}")))
}

fn quietly(command: &mut Command) -> &mut Command {
    command.args(["-fno-color-diagnostics", "-fno-crash-diagnostics"]);
    command.stdin(Stdio::null()).env("LC_ALL", "C")
}

/// Modules are only read and written again.
const MODULE_ARGUMENTS: [&str; 3] = ["-O1", "-Xclang", "-disable-llvm-passes"];

/// For bitcode of a source that is not optimised.
fn compile_arguments(inputs: &Inputs, cxx: bool) -> Vec<OsString> {
    let mut arguments = Vec::new();
    if cxx {
        arguments.extend(CXX_ARGUMENTS.map(OsString::from));
        arguments.extend(inputs.plain_cxx.then(|| "-fno-exceptions".into()));
    }
    arguments.extend(source_arguments(inputs));
    // Optimised, if at all, in a run of its own (`optimise`).
    arguments.extend(["-Xclang", "-disable-llvm-passes"].map(OsString::from));
    arguments
}

fn source_arguments(inputs: &Inputs) -> Vec<OsString> {
    let mut fixed = vec!["-g", "--target=x86_64-pc-linux-gnu", "-D__EXEUNT__=1"];
    fixed.extend(["-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"]);
    // Position-independent code turns tables of strings into differences of
    // addresses, which mean nothing where addresses are objects.
    fixed.extend(["-fno-stack-protector", "-fno-pie", "-fno-pic"]);
    // No optimisation by clang, but what it writes is ready for some.
    if !asks_for_level(&inputs.clang_args) {
        fixed.push("-O1");
    }
    if inputs.undefined {
        fixed.extend([UNDEFINED, "-fsanitize-trap=all"]);
    }
    let mut arguments: Vec<OsString> = fixed.into_iter().map(OsString::from).collect();
    if !inputs.include.as_os_str().is_empty() {
        arguments.push(include_argument(&inputs.include));
    }
    arguments.extend(inputs.clang_args.iter().map(OsString::from));
    arguments
}

fn include_argument(directory: &Path) -> OsString {
    let mut argument = OsString::from("-I");
    argument.push(directory);
    argument
}

/// The library's assertions say where its rules are broken, and have it compile
/// `std::string` together with the program.
const CXX_ARGUMENTS: [&str; 1] = ["-D_GLIBCXX_ASSERTIONS=1"];

/// Whether a file may be C++ or made of it.
pub fn may_be_cxx(file: &Path) -> bool {
    is_cxx(file) || kind_of(file).is_ok_and(|kind| kind != Kind::Source)
}

fn is_cxx(file: &Path) -> bool {
    let ending = file.extension().and_then(OsStr::to_str);
    matches!(ending, Some("cpp" | "cc" | "cxx" | "C" | "c++" | "cp" | "CPP" | "ii"))
}

/// Whether the user chose an optimisation level.
pub fn asks_for_level(arguments: &[String]) -> bool {
    let mut previous = "";
    for argument in arguments {
        if previous != "-o" && previous != "-Xclang" && argument.starts_with("-O") {
            return true;
        }
        previous = argument;
    }
    false
}

pub fn kind_of(file: &Path) -> Result<Kind, FrontError> {
    match file.extension().and_then(OsStr::to_str) {
        Some("c" | "i" | "cpp" | "cc" | "cxx" | "C" | "c++" | "ii") => Ok(Kind::Source),
        Some("ll" | "bc") => Ok(Kind::Module),
        _ if build::is_built(file) => Ok(Kind::Built),
        _ => Err(FrontError::UnknownKind(file.to_path_buf())),
    }
}

/// Clang's own words about files that are not there are good, but it accepts
/// some that it should not (an empty module, a directory).
fn check_readable(file: &Path) -> Result<(), FrontError> {
    let metadata = fs::metadata(file).map_err(|error| unreadable(file, &error))?;
    if metadata.is_dir() {
        let why = "it is a directory".into();
        return Err(FrontError::Unreadable { file: file.to_path_buf(), why });
    }
    fs::File::open(file).map_err(|error| unreadable(file, &error))?;
    Ok(())
}

/// Bitcode starts with one of two magic numbers.
fn check_magic(file: &Path, bytes: &[u8]) -> Result<(), FrontError> {
    let bitcode = bytes.starts_with(b"BC\xc0\xde") || bytes.starts_with(b"\xde\xc0\x17\x0b");
    let why = match (bytes.is_empty(), file.extension().is_some_and(|end| end == "bc")) {
        (true, _) => "it is empty",
        (false, true) if !bitcode => "it is not bitcode",
        _ => return Ok(()),
    };
    Err(FrontError::BadModule { file: file.to_path_buf(), why: why.into() })
}

fn unreadable(file: &Path, error: &std::io::Error) -> FrontError {
    FrontError::Unreadable { file: file.to_path_buf(), why: reason(error) }
}

/// An operating system's message without its number.
fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}

/// A file name that clang does not take for an option.
fn protected(file: &Path) -> PathBuf {
    match file.as_os_str().as_encoded_bytes().first() {
        Some(b'-') => Path::new(".").join(file),
        _ => file.to_path_buf(),
    }
}

fn says(output: &Output, text: &str) -> bool {
    String::from_utf8_lossy(&output.stderr).contains(text)
}

const SIGABRT: i32 = 6;
const SIGSEGV: i32 = 11;

fn compile_error(file: &Path, output: &Output) -> FrontError {
    let text = String::from_utf8_lossy(&output.stderr);
    use std::os::unix::process::ExitStatusExt;
    // Its stack overflows at expressions that are nested too deeply.
    let crashed = matches!(output.status.signal(), Some(SIGSEGV | SIGABRT));
    let mut message = match text.trim_end() {
        "" if crashed => format!(
            "clang crashed on {} ({}): is an expression nested thousands of times?",
            file.display(),
            output.status
        ),
        "" => format!("clang failed on {} without a word ({})", file.display(), output.status),
        text => text.to_string(),
    };
    for (complaint, help) in CXX_HELP {
        if is_cxx(file) && text.contains(complaint) {
            message.push_str("\nhelp: ");
            message.push_str(help);
        }
    }
    FrontError::Compile(message)
}

/// What to say about complaints that are about us rather than the program.
const CXX_HELP: [(&str, &str); 2] = [
    (
        "with exceptions disabled",
        "exceptions need the source of the C++ library, which is in the package gcc-12-source \
         (of the version whose headers are installed); `exeunt prove` knows none",
    ),
    (
        "file not found",
        "the headers of the C++ library are in the package libstdc++-dev, which g++ brings along",
    ),
];

fn rejected(file: &Path, output: &Output) -> FrontError {
    let text = String::from_utf8_lossy(&output.stderr);
    let why = module_complaint(&text).unwrap_or_else(|| "it is damaged".into());
    FrontError::BadModule { file: file.to_path_buf(), why }
}

/// The first thing clang says about a module; its crash reports say nothing
/// to a user.
fn module_complaint(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.contains("error: "))?;
    let (_, message) = line.split_once("error: ")?;
    let crash = ["unable to execute", "clang frontend command failed", "error in backend"];
    if crash.iter().any(|crash| message.contains(crash)) {
        return text.contains("Broken module").then(|| {
            let detail = text.lines().next().unwrap_or_default();
            format!("it breaks LLVM's own rules: {detail}")
        });
    }
    Some(message.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_recognised() {
        let list = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert!(asks_for_level(&list("-I x -O2")));
        assert!(asks_for_level(&list("-Os")));
        assert!(!asks_for_level(&list("-o -Ofoo -DO2 -I-O")));
    }

    #[test]
    fn names_that_look_like_options_are_protected() {
        assert_eq!(protected(Path::new("-x.c")), Path::new("./-x.c"));
        assert_eq!(protected(Path::new("a/-x.c")), Path::new("a/-x.c"));
    }
}
