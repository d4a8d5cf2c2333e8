//! Running what may crash in a copy of this process.
//!
//! LLVM's printer follows enumerations in debug information without checking
//! them. A damaged module that LLVM reads and verifies can still make it read
//! at wild addresses. In a forked child that ends the child only.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;

/// What `make` returns in a copy of this process; `None` if the copy died.
pub fn apart(make: impl FnOnce() -> String) -> Option<String> {
    let mut ends = [0; 2];
    // SAFETY: a place for two descriptors. Programs that we start do not
    // inherit them.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return None;
    }
    // SAFETY: both descriptors are new and have no other owner.
    let (mut reading, writing) =
        unsafe { (File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])) };
    // SAFETY: the child only runs `make`, which takes no lock that another
    // thread could hold (the C library's allocator works after a fork), and
    // leaves by `_exit`.
    match unsafe { libc::fork() } {
        -1 => None,
        0 => leave(make(), writing),
        child => {
            drop(writing);
            let mut text = Vec::new();
            let complete = reading.read_to_end(&mut text).is_ok();
            (ended_well(child) && complete).then(|| String::from_utf8_lossy(&text).into_owned())
        }
    }
}

/// The end of the child: no destructor and no exit handler runs twice.
fn leave(text: String, mut writing: File) -> ! {
    let code = i32::from(writing.write_all(text.as_bytes()).is_err());
    // SAFETY: does not return.
    unsafe { libc::_exit(code) }
}

fn ended_well(child: libc::pid_t) -> bool {
    let mut status = 0;
    loop {
        // SAFETY: our own child, and a place for its status.
        let waited = unsafe { libc::waitpid(child, &mut status, 0) };
        if waited == child {
            return status == 0;
        }
        if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_whole() {
        let long = "text ".repeat(100_000);
        assert_eq!(apart(|| long.clone()), Some(long));
    }

    #[test]
    fn a_crash_is_the_copy_s_alone() {
        // SAFETY: ends the copy of this process.
        let crash = || unsafe { libc::abort() };
        assert_eq!(apart(crash), None);
    }
}
