//! Parts of the C++ library that are refused, known by the functions that a program of theirs calls. A run that
//! calls one of these is not followed further.

use exeunt_ir::{Function, Program, readable, readable_in_full, short};

/// How the readable names of the functions begin, and what the part is to the user.
const PARTS: [(&str, &str); 6] = [
    ("std::__basic_file", "a file stream (`std::fstream`)"),
    ("std::basic_filebuf", "a file stream (`std::fstream`)"),
    ("std::filesystem", "`std::filesystem`"),
    ("tbb::", "a parallel algorithm (`std::execution::par`)"),
    (SERIAL, "a parallel algorithm (`std::execution::par`)"),
    ("__gnu_parallel", "a parallel algorithm (`__gnu_parallel`)"),
];

/// What parallel algorithms call where no library for them is installed. They then run one after the other,
/// which says nothing about a machine that has one.
const SERIAL: &str = "__pstl::__serial_backend::";

/// Longer names of functions are told without their parameters and the arguments of templates.
const LONG: usize = 100;

/// The part of the library that this function belongs to, if that is refused.
pub fn part(symbol: &str) -> Option<&'static str> {
    let name = readable(symbol);
    PARTS.iter().find(|(start, _)| name.starts_with(start)).map(|(_, what)| *what)
}

/// What a call of a function without code is to the user.
pub fn undefined(symbol: &str) -> String {
    let name = name_of(symbol);
    match part(symbol) {
        Some(what) => format!("{what}, which needs `{name}`,"),
        None => format!("function `{name}`, which is declared but not defined,"),
    }
}

/// The name of a function, with its parameters unless that is long.
pub fn name_of(symbol: &str) -> String {
    let full = readable_in_full(symbol);
    if full.chars().count() > LONG { short(symbol) } else { full }
}

/// Takes the code of refused functions out of a program.
pub fn take_out(program: &mut Program) {
    for function in &mut program.functions {
        if function.name.contains("__serial_backend")
            && readable(&function.name).starts_with(SERIAL)
        {
            *function = Function::declaration(function.name.clone(), function.signature);
        }
    }
}
