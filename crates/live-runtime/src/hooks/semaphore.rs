//! Semaphores. They answer with -1 and `errno`.

use exeunt_model::{Action, Reply};
use libc::{clockid_t, sem_t, timespec};

use super::instrumented::touch;
use super::{born, one, one_or_end};
use crate::machine::{Machine, machine};
use crate::real;

fn failed(code: i32) -> i32 {
    // SAFETY: the place of `errno` of the present thread.
    unsafe { *libc::__errno_location() = code };
    -1
}

/// A semaphore that was not initialised here (`sem_open`) begins with the
/// value that it has when it is first used.
fn known(machine: &mut Machine, semaphore: *mut sem_t) {
    // SAFETY: glibc keeps the value in the first word.
    let value = || unsafe { *semaphore.cast::<u32>() };
    machine.world.births.entry(semaphore as usize).or_insert_with(|| (0, value()));
}

#[unsafe(no_mangle)]
extern "C" fn sem_init(semaphore: *mut sem_t, shared: i32, value: u32) -> i32 {
    born(semaphore as usize, value);
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::sem_init()(semaphore, shared, value) }
}

#[unsafe(no_mangle)]
extern "C" fn sem_wait(semaphore: *mut sem_t) -> i32 {
    let Some(machine) = machine() else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::sem_wait()(semaphore) };
    };
    known(machine, semaphore);
    one_or_end(machine, "sem_wait", semaphore as usize, Action::SemWait);
    0
}

#[unsafe(no_mangle)]
extern "C" fn sem_trywait(semaphore: *mut sem_t) -> i32 {
    let Some(machine) = machine() else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::sem_trywait()(semaphore) };
    };
    known(machine, semaphore);
    match one(machine, "sem_trywait", semaphore as usize, Action::SemTryWait) {
        Reply::Busy => failed(libc::EAGAIN),
        _ => 0,
    }
}

#[unsafe(no_mangle)]
extern "C" fn sem_timedwait(semaphore: *mut sem_t, until: *const timespec) -> i32 {
    timed_wait(semaphore)
        // SAFETY: the real function with the caller's arguments.
        .unwrap_or_else(|| unsafe { real::sem_timedwait()(semaphore, until) })
}

#[unsafe(no_mangle)]
extern "C" fn sem_clockwait(
    semaphore: *mut sem_t,
    clock: clockid_t,
    until: *const timespec,
) -> i32 {
    timed_wait(semaphore)
        // SAFETY: the real function with the caller's arguments.
        .unwrap_or_else(|| unsafe { real::sem_clockwait()(semaphore, clock, until) })
}

fn timed_wait(semaphore: *mut sem_t) -> Option<i32> {
    let machine = machine()?;
    known(machine, semaphore);
    Some(match one_or_end(machine, "sem_timedwait", semaphore as usize, Action::SemTryWait) {
        Reply::Busy => failed(libc::ETIMEDOUT),
        _ => 0,
    })
}

#[unsafe(no_mangle)]
extern "C" fn sem_post(semaphore: *mut sem_t) -> i32 {
    let Some(machine) = machine() else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::sem_post()(semaphore) };
    };
    known(machine, semaphore);
    one(machine, "sem_post", semaphore as usize, Action::SemPost);
    0
}

#[unsafe(no_mangle)]
extern "C" fn sem_getvalue(semaphore: *mut sem_t, value: *mut i32) -> i32 {
    let Some(machine) = machine() else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::sem_getvalue()(semaphore, value) };
    };
    known(machine, semaphore);
    if let Reply::Value(found) = one(machine, "sem_getvalue", semaphore as usize, Action::SemValue)
    {
        if machine.races {
            touch(value as usize, 4, Action::Write);
        }
        // SAFETY: the caller gave a place for it.
        unsafe { *value = found as i32 };
    }
    0
}
