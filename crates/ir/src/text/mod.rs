//! The text form of programs: what `exeunt ir` prints and tests can start
//! from. Printing and reading are inverse: `parse(&print(p)) == p`.
//!
//! A program is a list of items (`file`, `loc`, `type`, `signature`,
//! `global`, `function`…), each with its number so that a reader can follow
//! references. In code, `%3` is a register, `#2=7` the third constant (whose
//! value is repeated only for the reader), `@5` an instruction, `!8` a source
//! position. Everything from `;` to the end of the line is a comment.

mod insts;
mod lexer;
mod printer;
mod reader;
mod words;

use std::fmt;
use std::str::FromStr;

use crate::Program;

pub use lexer::ParseError;

/// The program as text.
pub fn print(program: &Program) -> String {
    printer::program(program)
}

/// Reads a program. Only the form is checked; see [`crate::verify`].
pub fn parse(text: &str) -> Result<Program, ParseError> {
    reader::program(text)
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self))
    }
}

impl FromStr for Program {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Program, ParseError> {
        parse(text)
    }
}

#[cfg(test)]
mod tests;
