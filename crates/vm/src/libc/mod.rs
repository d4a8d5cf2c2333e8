//! The C library, one file for each header.

mod assert;
mod errno;
mod setjmp;

use crate::builtin::Builtin;

pub const TABLES: &[&[Builtin]] = &[assert::TABLE, errno::TABLE, setjmp::TABLE];
