//! The program that is to be run, and whether it can be.

use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use object::elf;
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind};

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
        let unreadable = |why: std::io::Error| Refusal::new(format!("cannot read {name}: {why}"));
        let metadata = std::fs::metadata(path).map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(Refusal::new(format!("{name} is a directory, not a program")));
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
        let atomics = !instrumented && has_atomics(&data);
        Ok(Program { path, arguments, atomics, instrumented })
    }
}

impl Program {
    /// Whether its accesses to memory are scheduling points.
    pub fn is_instrumented(&self) -> bool {
        self.instrumented
    }
}

/// Whether it was compiled with `-fsanitize=thread`.
fn is_instrumented(data: &[u8]) -> bool {
    let Ok(file) = object::File::parse(data) else { return false };
    file.dynamic_symbols().any(|symbol| symbol.name() == Ok("__tsan_init"))
}

/// Whether the code has instructions that only programs with atomics need, or
/// the program makes system calls itself, as Rust's mutexes do to wait. Plain
/// loads and stores of atomics cannot be told from others.
fn has_atomics(data: &[u8]) -> bool {
    let Ok(file) = object::File::parse(data) else { return true };
    let calls =
        |symbol: object::Symbol<'_, '_>| symbol.is_undefined() && symbol.name() == Ok("syscall");
    if file.dynamic_symbols().any(calls) {
        return true;
    }
    let code = file.sections().filter(|section| section.kind() == SectionKind::Text);
    code.filter_map(|section| section.data().ok()).any(|bytes| {
        Decoder::new(64, bytes, DecoderOptions::NONE).iter().any(|one| is_atomic(&one))
    })
}

/// Locked instructions, exchanges with memory (which are always locked), and
/// full fences.
fn is_atomic(instruction: &Instruction) -> bool {
    let memory = |operand| instruction.op_kind(operand) == OpKind::Memory;
    match instruction.mnemonic() {
        Mnemonic::Mfence => true,
        Mnemonic::Xchg => memory(0) || memory(1),
        _ => instruction.has_lock_prefix(),
    }
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
