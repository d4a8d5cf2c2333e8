//! The program that is to be run, and whether it can be.

use std::collections::HashMap;
use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use object::elf;
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};
use object::{Object, ObjectSection, ObjectSymbol};

use crate::atomics;
use crate::debug::Debug;

/// A program with its arguments.
#[derive(Clone, Debug)]
pub struct Program {
    pub path: PathBuf,
    pub arguments: Vec<String>,
    /// It synchronises by atomic instructions or system calls of its own, which
    /// are no scheduling points.
    pub(crate) atomics: bool,
    /// Its accesses to memory are scheduling points.
    pub(crate) instrumented: bool,
    /// Where the functions lie that must return.
    must_return: Option<(u64, u64)>,
    /// The debug information of it and its libraries, by their paths, once it was asked for.
    debug: Arc<Mutex<HashMap<String, Arc<Debug>>>>,
}

/// Why a program cannot be explored: one clause, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub message: String,
    pub help: Option<String>,
}

impl Refusal {
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Refusal { message: message.to_string(), help: None }
    }

    pub(crate) fn help(mut self, text: &str) -> Self {
        self.help = Some(text.to_string());
        self
    }
}

impl Program {
    /// Looks at the file. Nothing is run.
    pub fn new(path: &Path, arguments: Vec<String>) -> Result<Program, Refusal> {
        let name = path.display();
        let unreadable = |why: std::io::Error| {
            // Without Rust's "(os error 2)".
            let why = why.to_string().to_lowercase();
            let why = why.split(" (os error").next().unwrap_or_default();
            Refusal::new(format!("cannot read {name}: {why}"))
                .help("name a compiled program, as `gcc -g -pthread prog.c -o prog` makes it")
        };
        let metadata = std::fs::metadata(path).map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(Refusal::new(format!("{name} is a directory, not a program"))
                .help("name the program in it"));
        }
        let mode = metadata.permissions().mode();
        if mode & 0o6000 != 0 {
            let message = format!("{name} runs with the rights of another user (setuid)");
            return Err(Refusal::new(message)
                .help("the system does not let libraries be loaded into such programs; copy it"));
        }
        let data = std::fs::read(path).map_err(unreadable)?;
        check_kind(&name.to_string(), &data)?;
        if mode & 0o111 == 0 {
            return Err(Refusal::new(format!("{name} is not executable")));
        }
        let path = std::fs::canonicalize(path).map_err(unreadable)?;
        let instrumented = is_instrumented(&data);
        let atomics = !instrumented && atomics::has_any(&data);
        let must_return = must_return(&data);
        Ok(Program { path, arguments, atomics, instrumented, must_return, debug: Arc::default() })
    }

    /// What the debug information of it or of one of its libraries says about variables.
    pub(crate) fn debug_of(&self, path: &str) -> Arc<Debug> {
        let mut known = self.debug.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || std::fs::read(path).map(|data| Debug::read(&data)).unwrap_or_default();
        Arc::clone(known.entry(path.to_string()).or_insert_with(|| Arc::new(read())))
    }

    /// Where its atomic instructions are, a line for each.
    pub(crate) fn sites(&self) -> String {
        std::fs::read(&self.path).map(|data| atomics::sites(&data)).unwrap_or_default()
    }

    /// The part of the plan that says which functions must return.
    pub(crate) fn must_return(&self) -> String {
        let words = |(from, to): (u64, u64)| format!(" must-from={from} must-to={to}");
        self.must_return.map(words).unwrap_or_default()
    }

    /// Whether functions must return, and whether they do is not seen.
    pub(crate) fn hides_functions(&self) -> bool {
        self.must_return.is_some() && !self.instrumented
    }
}

impl Program {
    /// Whether it has atomic instructions that are no scheduling points: then
    /// more can follow a state than is seen.
    pub fn has_hidden_steps(&self) -> bool {
        self.atomics
    }

    /// Whether its accesses to memory are scheduling points.
    pub fn is_instrumented(&self) -> bool {
        self.instrumented
    }
}

/// The part of the file that `EXEUNT_MUST_RETURN` puts functions into.
fn must_return(data: &[u8]) -> Option<(u64, u64)> {
    let file = object::File::parse(data).ok()?;
    let section = file.section_by_name("exeunt_must_return")?;
    Some((section.address(), section.address() + section.size()))
}

/// Whether it was compiled with `-fsanitize=thread`.
fn is_instrumented(data: &[u8]) -> bool {
    let Ok(file) = object::File::parse(data) else { return false };
    file.dynamic_symbols().any(|symbol| symbol.name() == Ok("__tsan_init"))
}

fn check_kind(name: &str, data: &[u8]) -> Result<(), Refusal> {
    if data.starts_with(b"#!") {
        return Err(
            Refusal::new(format!("{name} is a script")).help("name the binary that it starts")
        );
    }
    if !data.starts_with(b"\x7fELF") {
        return Err(Refusal::new(format!("{name} is not a program for Linux (ELF)"))
            .help("compile it first, as with `gcc -g -pthread prog.c -o prog`"));
    }
    let foreign = || Refusal::new(format!("{name} is not a program for x86-64"));
    let file = ElfFile64::<object::Endianness>::parse(data).map_err(|_| foreign())?;
    let (header, endian) = (file.elf_header(), file.endian());
    if header.e_machine(endian) != elf::EM_X86_64 {
        return Err(foreign());
    }
    if header.e_type(endian) != elf::ET_EXEC && header.e_type(endian) != elf::ET_DYN {
        return Err(Refusal::new(format!("{name} is not linked to a program")));
    }
    let interpreted =
        |header: &elf::ProgramHeader64<object::Endianness>| header.p_type(endian) == elf::PT_INTERP;
    if !file.elf_program_headers().iter().any(interpreted) {
        return Err(Refusal::new(format!("{name} is statically linked")).help(
            "the runtime takes the place of the shared thread library; link without -static",
        ));
    }
    Ok(())
}
