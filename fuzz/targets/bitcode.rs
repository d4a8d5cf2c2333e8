//! LLVM bitcode: whatever the bytes, there is a program or an error, and the
//! program has a text form that is read as the same again.

use exeunt_llvm_front::{Inputs, load};

/// Whether the input is bitcode that can be lowered.
pub fn run(data: &[u8]) -> bool {
    match lowered(data) {
        Some(text) => super::ir_text::run(text.as_bytes()),
        None => false,
    }
}

/// The text of the program that the bitcode is lowered to.
pub fn lowered(data: &[u8]) -> Option<String> {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("program.bc");
    std::fs::write(&file, data).expect("a file");
    let include = directory.path().to_path_buf();
    let inputs = Inputs { files: vec![file], include, ..Inputs::default() };
    load(&inputs).ok().map(|program| exeunt_ir::text::print(&program))
}
