//! The C library, one file for each header.

mod assert;
mod ctype;
mod errno;
pub mod files;
pub mod library;
mod locale;
mod math;
mod messages;
pub mod mman;
mod resource;
mod setjmp;
pub mod signal;
pub mod stdio;
pub mod stdlib;
mod string;
mod text;
pub mod time;
pub mod unistd;

use crate::builtin::Builtin;

pub const TABLES: &[&[Builtin]] = &[
    assert::TABLE,
    ctype::TABLE,
    errno::TABLE,
    files::TABLES[0],
    files::TABLES[1],
    files::TABLES[2],
    files::TABLES[3],
    locale::TABLE,
    math::BINARY,
    math::BINARY_FLOAT,
    math::LONG,
    math::TABLE,
    math::UNARY,
    math::UNARY_FLOAT,
    mman::TABLE,
    resource::TABLE,
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
