//! The guards of static variables in C++ functions: one thread initialises,
//! the others wait. Compilers look at the first byte of a guard before they
//! call anything, so setting it is an atomic store that releases.

use exeunt_model::{Access, Action, MemoryOrder, Operation, Reply};

use super::process::unsupported;
use super::{access, instrumented, one};
use crate::machine::{Machine, watching};
use crate::real;
use crate::tell;

/// The machine, if the guard is of the program and threads could meet there.
fn shared(guard: *mut u8) -> Option<&'static mut Machine> {
    watching(guard as usize).filter(|machine| machine.world.threads.len() > 1)
}

#[unsafe(no_mangle)]
extern "C" fn __cxa_guard_acquire(guard: *mut u8) -> i32 {
    let Some(machine) = shared(guard) else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::__cxa_guard_acquire()(guard) };
    };
    // SAFETY: the program's own guard.
    if unsafe { guard.read_volatile() } != 0 {
        return 0;
    }
    (one(machine, "once", guard as usize, Action::OnceEnter) == Reply::First) as i32
}

#[unsafe(no_mangle)]
extern "C" fn __cxa_guard_release(guard: *mut u8) {
    let Some(machine) = shared(guard) else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::__cxa_guard_release()(guard) };
    };
    tell::place(machine, "once_done", &[guard as usize]);
    let done = access(machine, guard as usize, Action::OnceDone);
    let object = instrumented::word(guard as usize >> 3);
    let action = Action::AtomicWrite(MemoryOrder::Release);
    let store = Access { object, action, birth: 1 << (guard as usize & 7) };
    machine.reach(Operation::on(&[done, store]));
    // SAFETY: the program's own guard; only one thread runs.
    unsafe { guard.write_volatile(1) };
}

#[unsafe(no_mangle)]
extern "C" fn __cxa_guard_abort(guard: *mut u8) {
    if shared(guard).is_some() {
        unsupported("an exception that leaves the initialisation of a static variable");
    }
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::__cxa_guard_abort()(guard) }
}
