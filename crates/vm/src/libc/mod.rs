//! The C library, one file for each header.

mod assert;
mod ctype;
mod errno;
pub mod library;
mod locale;
mod math;
mod messages;
mod setjmp;
pub mod signal;
mod stdio;
pub mod stdlib;
mod string;
mod text;
mod time;
pub mod unistd;

use crate::builtin::Builtin;

pub const TABLES: &[&[Builtin]] = &[
    assert::TABLE,
    ctype::TABLE,
    errno::TABLE,
    locale::TABLE,
    math::BINARY,
    math::BINARY_FLOAT,
    math::LONG,
    math::TABLE,
    math::UNARY,
    math::UNARY_FLOAT,
    setjmp::TABLE,
    signal::TABLE,
    stdio::TABLE,
    stdlib::TABLE,
    string::TABLE,
    time::TABLE,
    unistd::TABLE,
];

/// Defines the variables of the library that a program declares (`stdout`).
pub use stdio::define;
