//! Files that give something else in every run: random numbers are made the
//! same, other sources are noted, to be named if runs turn out to differ.

use std::ffi::{CStr, c_char, c_void};

use super::process::fill;
use crate::machine::machine;
use crate::{real, tell};

/// Bytes that a file of random numbers has here.
const SIZE: usize = 1 << 20;

/// What a path means for determinism.
enum Kind {
    Random,
    /// The kernel makes it up when it is read.
    Made,
    Usual,
}

fn kind(path: *const c_char) -> Kind {
    if path.is_null() || machine().is_none_or(|machine| machine.in_engine()) {
        return Kind::Usual;
    }
    // SAFETY: a path ends with a zero byte.
    let path = unsafe { CStr::from_ptr(path) }.to_bytes();
    match path {
        b"/dev/urandom" | b"/dev/random" => Kind::Random,
        _ if path.starts_with(b"/proc/") || path.starts_with(b"/sys/") => Kind::Made,
        _ => Kind::Usual,
    }
}

/// A file with the same random numbers in every run.
fn random() -> i32 {
    let mut bytes = vec![0u8; SIZE];
    fill(bytes.as_mut_ptr(), SIZE);
    // SAFETY: a name that ends with a zero byte; the bytes are ours.
    unsafe {
        let file = libc::memfd_create(c"random".as_ptr(), libc::MFD_CLOEXEC);
        if file >= 0 {
            real::write()(file, bytes.as_ptr().cast(), SIZE);
            libc::lseek(file, 0, libc::SEEK_SET);
        }
        file
    }
}

fn note(path: *const c_char) {
    if let Some(machine) = machine() {
        // SAFETY: a path ends with a zero byte.
        let path = unsafe { CStr::from_ptr(path) }.to_string_lossy().into_owned();
        tell::source(machine, &format!("the file {path}"));
    }
}

/// Reading from something that is no file is input.
pub(super) fn reads(file: i32) {
    let Some(machine) = machine().filter(|machine| !machine.in_engine()) else { return };
    // SAFETY: asks for the kind of a file.
    let regular = unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        libc::fstat(file, &mut stat) == 0 && stat.st_mode & libc::S_IFMT == libc::S_IFREG
    };
    if !regular {
        tell::source(machine, "input");
    }
}

/// Functions that open a file by its path.
macro_rules! opens {
    ($($name:ident)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(path: *const c_char, flags: i32, mode: u32) -> i32 {
            match kind(path) {
                Kind::Random => return random(),
                Kind::Made => note(path),
                Kind::Usual => {}
            }
            // SAFETY: the real function with the caller's arguments.
            unsafe { real::$name()(path, flags, mode) }
        }
    )*};
}

opens! { open open64 }

macro_rules! opens_at {
    ($($name:ident)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(directory: i32, path: *const c_char, flags: i32, mode: u32) -> i32 {
            match kind(path) {
                Kind::Random => return random(),
                Kind::Made => note(path),
                Kind::Usual => {}
            }
            // SAFETY: the real function with the caller's arguments.
            unsafe { real::$name()(directory, path, flags, mode) }
        }
    )*};
}

opens_at! { openat openat64 }

macro_rules! streams {
    ($($name:ident)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(path: *const c_char, mode: *const c_char) -> *mut c_void {
            match kind(path) {
                // SAFETY: a descriptor of ours and the caller's mode.
                Kind::Random => return unsafe { libc::fdopen(random(), mode).cast() },
                Kind::Made => note(path),
                Kind::Usual => {}
            }
            // SAFETY: the real function with the caller's arguments.
            unsafe { real::$name()(path, mode) }
        }
    )*};
}

streams! { fopen fopen64 }
