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

use crate::builtin::Table;

pub const TABLES: &[Table] = &[
    ("assert.h", assert::TABLE),
    ("ctype.h", ctype::TABLE),
    ("errno.h", errno::TABLE),
    ("fcntl.h and unistd.h", files::TABLES[0]),
    ("sys/eventfd.h", files::TABLES[1]),
    ("fcntl.h and unistd.h", files::TABLES[2]),
    ("poll.h and sys/select.h", files::TABLES[3]),
    ("locale.h", locale::TABLE),
    ("math.h", math::BINARY),
    ("math.h", math::BINARY_FLOAT),
    ("math.h", math::LONG),
    ("math.h", math::TABLE),
    ("math.h", math::UNARY),
    ("math.h", math::UNARY_FLOAT),
    ("sys/mman.h", mman::TABLE),
    ("sys/resource.h", resource::TABLE),
    ("setjmp.h", setjmp::TABLE),
    ("signal.h", signal::TABLE),
    ("stdio.h", stdio::TABLE),
    ("stdlib.h", stdlib::TABLE),
    ("string.h", string::TABLE),
    ("time.h", time::TABLE),
    ("unistd.h and sched.h", unistd::TABLE),
];

/// Defines the variables of the library that a program declares (`stdout`).
pub use stdio::define;
