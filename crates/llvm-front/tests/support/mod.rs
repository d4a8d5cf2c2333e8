//! Loading small programs and looking at what became of them.

#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};

use exeunt_ir::{Function, Inst, Program, text, verify};
use exeunt_llvm_front::{FrontError, Inputs, load};

/// A directory with files that is gone after the test.
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    pub fn new() -> Scratch {
        Scratch(tempfile::tempdir().expect("a temporary directory"))
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, contents).expect("a file in the temporary directory");
        path
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

pub fn inputs(files: &[&Path], clang_args: &[&str]) -> Inputs {
    Inputs {
        files: files.iter().map(|file| file.to_path_buf()).collect(),
        clang_args: clang_args.iter().map(|arg| arg.to_string()).collect(),
        file_args: Vec::new(),
        undefined: false,
        include: PathBuf::new(),
        library: None,
        kept: Vec::new(),
        without_main: false,
        plain_cxx: false,
        ..Inputs::default()
    }
}

/// Loads a program and checks what holds for all of them: the bytecode's
/// invariants, and that its text form says everything.
pub fn checked(inputs: &Inputs) -> Result<Program, FrontError> {
    let program = load(inputs)?;
    assert_eq!(verify::program(&program), Vec::<String>::new(), "{program}");
    let printed = text::print(&program);
    let again = text::parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert!(again == program, "the text form loses something:\n{printed}");
    Ok(program)
}

pub fn load_c(source: &str, clang_args: &[&str]) -> Program {
    let scratch = Scratch::new();
    let file = scratch.write("test.c", source);
    checked(&inputs(&[&file], clang_args)).unwrap_or_else(|error| panic!("{error}"))
}

/// A program in LLVM's text form, with a `main` added.
pub fn load_ll(source: &str) -> Program {
    let scratch = Scratch::new();
    let main = "\ndefine i32 @main() {\n  ret i32 0\n}\n";
    let file = scratch.write("test.ll", format!("{source}{main}"));
    checked(&inputs(&[&file], &[])).unwrap_or_else(|error| panic!("{error}"))
}

pub fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    let id = program.find_function(name).unwrap_or_else(|| panic!("no function {name}"));
    program.function(id)
}

/// The code of a function as text, without numbers and positions.
pub fn code(program: &Program, name: &str) -> Vec<String> {
    let printed = text::print(program);
    let mut lines = printed.lines();
    let head = format!("\"{name}\" signature");
    lines.find(|line| line.starts_with("function ") && line.contains(&head));
    lines
        .take_while(|line| *line != "}")
        .filter_map(|line| line.trim().split_once(": "))
        .filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()))
        .map(|(_, text)| text.split("  ").next().unwrap_or_default().to_string())
        .collect()
}

/// How many instructions of a function satisfy a condition.
pub fn count(program: &Program, name: &str, is: impl Fn(&Inst) -> bool) -> usize {
    function(program, name).code.iter().filter(|inst| is(inst)).count()
}

pub fn unsupported(program: &Program) -> Vec<String> {
    let all = program.functions.iter().flat_map(|f| f.unsupported.iter());
    all.map(|what| what.to_string()).collect()
}
