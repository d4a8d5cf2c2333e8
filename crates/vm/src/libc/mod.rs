//! The C library, one file for each header.

mod assert;
mod ctype;
mod errno;
mod library;
mod math;
mod messages;
mod setjmp;
mod signal;
mod stdio;
mod stdlib;
mod string;
mod text;
mod unistd;

use crate::builtin::Builtin;

pub const TABLES: &[&[Builtin]] = &[
    assert::TABLE,
    ctype::TABLE,
    errno::TABLE,
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
    unistd::TABLE,
];

/// Gives variables that the library defines (`stdout`) their values.
pub use stdio::define;
