//! Real threads that lend their stack and their thread-local storage, and
//! sleep for ever.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::carrier::{self, Carrier};
use crate::real;
use crate::switch;

/// What a sleeping thread lends.
#[derive(Clone, Copy, Debug)]
pub struct Lender {
    /// The end of the stack that may be used.
    pub top: usize,
    pub local: usize,
    pub handle: libc::pthread_t,
    /// Whether its stack is not the usual one.
    pub custom: bool,
    /// It carries the thread that uses its stack; zero if it only sleeps.
    pub carrier: usize,
}

/// Space between the frames of the sleeper and those of the borrower.
const GAP: usize = 4096;

static TOP: AtomicUsize = AtomicUsize::new(0);
static LOCAL: AtomicUsize = AtomicUsize::new(0);
static CARRIER: AtomicUsize = AtomicUsize::new(0);

/// Makes a thread that sleeps, with a stack as the attributes say. `Err` is
/// what the thread library answered.
pub fn lend(attributes: *const libc::pthread_attr_t) -> Result<Lender, i32> {
    TOP.store(0, Ordering::SeqCst);
    let mut handle: libc::pthread_t = 0;
    let create = real::pthread_create();
    // SAFETY: the real function, called as its manual says.
    let code = unsafe { create(&mut handle, attributes, sleeper, std::ptr::null_mut()) };
    if code != 0 {
        return Err(code);
    }
    let top = loop {
        match TOP.load(Ordering::SeqCst) {
            // SAFETY: a system call without arguments.
            0 => unsafe { libc::syscall(libc::SYS_sched_yield) },
            top => break top,
        };
    };
    let custom = !attributes.is_null();
    let carrier = CARRIER.swap(0, Ordering::SeqCst);
    Ok(Lender { top, local: LOCAL.load(Ordering::SeqCst), handle, custom, carrier })
}

extern "C" fn sleeper(_: *mut c_void) -> *mut c_void {
    let mut here = 0usize;
    let place = &raw mut here as usize;
    if carrier::WANTED.load(Ordering::Relaxed) {
        let carrier = Carrier::new();
        // Its thread goes on somewhere, as soon as there is one.
        carrier.aim(1);
        CARRIER.store(carrier.address(), Ordering::SeqCst);
        LOCAL.store(switch::local(), Ordering::SeqCst);
        TOP.store((place - GAP) & !63, Ordering::SeqCst);
        carrier.park();
    }
    // SAFETY: signals are for the thread that runs the program.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &all, 0usize, 8usize);
    }
    LOCAL.store(switch::local(), Ordering::SeqCst);
    TOP.store((place - GAP) & !63, Ordering::SeqCst);
    loop {
        // SAFETY: a system call without arguments. It writes nothing to the
        // stack that others may use by now.
        unsafe { libc::syscall(libc::SYS_pause) };
    }
}
