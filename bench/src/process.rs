//! A child process and what it used: its output, and its processor time in user mode
//! together with that of the children it waited for.

use std::io::Read;
use std::mem::MaybeUninit;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Result;

pub struct Finished {
    pub stdout: Vec<u8>,
    pub code: i32,
    pub seconds: f64,
    /// Processor time in the system, on behalf of it.
    pub system_seconds: f64,
    /// How long it took.
    pub elapsed: f64,
}

impl Finished {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }
}

/// Runs the command; one that was killed by a signal is an error.
pub fn run(command: &mut Command) -> Result<Finished> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let begun = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("{command:?}: {error}"))?;
    let mut stdout = Vec::new();
    let mut pipe = child.stdout.take().expect("stdout is piped");
    pipe.read_to_end(&mut stdout).map_err(|error| format!("{command:?}: {error}"))?;
    let (status, seconds, system_seconds) = wait(child.id())?;
    if !libc::WIFEXITED(status) {
        return Err(format!("{command:?} was killed by signal {}", libc::WTERMSIG(status)));
    }
    let (code, elapsed) = (libc::WEXITSTATUS(status), begun.elapsed().as_secs_f64());
    Ok(Finished { stdout, code, seconds, system_seconds, elapsed })
}

/// Processor time of this process so far.
pub fn own_seconds() -> f64 {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to a live local of the right type.
    unsafe { libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) };
    // SAFETY: zeroes are a valid `rusage`, and it cannot have failed.
    let usage = unsafe { usage.assume_init() };
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

fn seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}

fn wait(id: u32) -> Result<(i32, f64, f64)> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are to live locals of the right type; the child is ours and nobody
    // else waits for it, because `Child::wait` is never called.
    let result = unsafe { libc::wait4(id as i32, &mut status, 0, usage.as_mut_ptr()) };
    if result < 0 {
        return Err(format!("wait4: {}", std::io::Error::last_os_error()));
    }
    // SAFETY: zeroes are a valid `rusage`, and wait4 has filled it in.
    let usage = unsafe { usage.assume_init() };
    Ok((status, seconds(usage.ru_utime), seconds(usage.ru_stime)))
}
