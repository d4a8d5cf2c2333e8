//! What the kernel keeps for one thread: its number, its processors, its priority, its
//! name spaces. Threads share one kernel thread, so a program that asks for any of
//! these is explored once more with a kernel thread for each.

use std::ffi::c_void;

use libc::pthread_t;

use crate::machine::machine;
use crate::{real, tell};

/// Threads need kernel threads of their own.
pub(super) fn needed() {
    if let Some(machine) = machine().filter(|machine| !machine.in_engine()) {
        tell::needs_of(machine, "kernel");
    }
}

macro_rules! of_one_thread {
    ($($name:ident($($argument:ident: $kind:ty),*);)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $kind),*) -> i32 {
            needed();
            // SAFETY: the real function with the caller's arguments.
            unsafe { real::$name()($($argument),*) }
        }
    )*};
}

of_one_thread! {
    gettid();
    sched_setaffinity(thread: i32, size: usize, set: *const c_void);
    sched_setscheduler(thread: i32, policy: i32, parameter: *const c_void);
    sched_setparam(thread: i32, parameter: *const c_void);
    setpriority(which: i32, who: u32, priority: i32);
    unshare(flags: i32);
    setns(file: i32, kind: i32);
    pthread_setaffinity_np(thread: pthread_t, size: usize, set: *const c_void);
    pthread_setschedparam(thread: pthread_t, policy: i32, parameter: *const c_void);
    pthread_setschedprio(thread: pthread_t, priority: i32);
    pthread_getcpuclockid(thread: pthread_t, clock: *mut i32);
}
