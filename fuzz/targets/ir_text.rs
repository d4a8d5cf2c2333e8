//! The text form of the bytecode: what is read is printed so that it is read and
//! printed as the same again.

use exeunt_ir::text::{parse, print};

/// Whether the input is a program.
pub fn run(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let Ok(program) = parse(text) else { return false };
    let printed = print(&program);
    let again = parse(&printed).expect("what was printed is a program");
    assert_eq!(print(&again), printed);
    true
}
