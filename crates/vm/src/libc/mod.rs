//! The C library, one file for each header.

mod assert;
mod errno;
mod library;
mod messages;
mod setjmp;
mod signal;
mod stdlib;
mod string;
mod text;
mod unistd;

use crate::builtin::Builtin;

pub const TABLES: &[&[Builtin]] =
    &[assert::TABLE, errno::TABLE, setjmp::TABLE, signal::TABLE, stdlib::TABLE, string::TABLE, unistd::TABLE];
