//! Mutexes and spin locks.

use exeunt_model::{Action, MutexKind, Property};
use libc::{clockid_t, pthread_mutex_t, pthread_mutexattr_t, pthread_spinlock_t, timespec};

use super::process::unsupported;
use super::{born, code, one};
use crate::machine::{fault, mutex_kind, watching};
use crate::real;

/// The bit of the kind that says that the next owner is told about the death
/// of the last one.
const ROBUST: i32 = 16;

/// The kind of a mutex; one that was destroyed must not be used.
pub(super) fn kind(mutex: *mut pthread_mutex_t) -> MutexKind {
    // SAFETY: glibc keeps the kind sixteen bytes into every mutex.
    let bits = unsafe { *mutex.cast::<i32>().add(4) };
    if bits != -1 && bits & ROBUST != 0 {
        unsupported("a robust mutex");
    }
    match mutex_kind(mutex) {
        Some(kind) => kind,
        None => fault(Property::Misuse, "a mutex is used after it was destroyed"),
    }
}

#[unsafe(no_mangle)]
extern "C" fn pthread_mutex_init(
    mutex: *mut pthread_mutex_t,
    attributes: *const pthread_mutexattr_t,
) -> i32 {
    born(mutex as usize, 0);
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::pthread_mutex_init()(mutex, attributes) }
}

pub(super) fn lock(mutex: *mut pthread_mutex_t, verb: &str) -> Option<i32> {
    let machine = watching(mutex as usize)?;
    Some(code(one(machine, verb, mutex as usize, Action::Lock(kind(mutex))), 0))
}

pub(super) fn try_lock(mutex: *mut pthread_mutex_t, verb: &str, busy: i32) -> Option<i32> {
    let machine = watching(mutex as usize)?;
    Some(code(one(machine, verb, mutex as usize, Action::TryLock(kind(mutex))), busy))
}

pub(super) fn unlock(mutex: *mut pthread_mutex_t, verb: &str) -> Option<i32> {
    let machine = watching(mutex as usize)?;
    Some(code(one(machine, verb, mutex as usize, Action::Unlock(kind(mutex))), 0))
}

#[unsafe(no_mangle)]
extern "C" fn pthread_mutex_lock(mutex: *mut pthread_mutex_t) -> i32 {
    // SAFETY: the real function with the caller's arguments.
    lock(mutex, "lock").unwrap_or_else(|| unsafe { real::pthread_mutex_lock()(mutex) })
}

#[unsafe(no_mangle)]
extern "C" fn pthread_mutex_trylock(mutex: *mut pthread_mutex_t) -> i32 {
    try_lock(mutex, "trylock", libc::EBUSY)
        // SAFETY: the real function with the caller's arguments.
        .unwrap_or_else(|| unsafe { real::pthread_mutex_trylock()(mutex) })
}

#[unsafe(no_mangle)]
extern "C" fn pthread_mutex_timedlock(mutex: *mut pthread_mutex_t, until: *const timespec) -> i32 {
    try_lock(mutex, "timedlock", libc::ETIMEDOUT)
        // SAFETY: the real function with the caller's arguments.
        .unwrap_or_else(|| unsafe { real::pthread_mutex_timedlock()(mutex, until) })
}

#[unsafe(no_mangle)]
extern "C" fn pthread_mutex_clocklock(
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    until: *const timespec,
) -> i32 {
    try_lock(mutex, "timedlock", libc::ETIMEDOUT)
        // SAFETY: the real function with the caller's arguments.
        .unwrap_or_else(|| unsafe { real::pthread_mutex_clocklock()(mutex, clock, until) })
}

#[unsafe(no_mangle)]
extern "C" fn pthread_mutex_unlock(mutex: *mut pthread_mutex_t) -> i32 {
    // SAFETY: the real function with the caller's arguments.
    unlock(mutex, "unlock").unwrap_or_else(|| unsafe { real::pthread_mutex_unlock()(mutex) })
}

#[unsafe(no_mangle)]
extern "C" fn pthread_spin_init(spin: *mut pthread_spinlock_t, shared: i32) -> i32 {
    born(spin as usize, 0);
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::pthread_spin_init()(spin, shared) }
}

#[unsafe(no_mangle)]
extern "C" fn pthread_spin_lock(spin: *mut pthread_spinlock_t) -> i32 {
    let Some(machine) = watching(spin as usize) else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::pthread_spin_lock()(spin) };
    };
    code(one(machine, "spin_lock", spin as usize, Action::Lock(MutexKind::Normal)), 0)
}

#[unsafe(no_mangle)]
extern "C" fn pthread_spin_trylock(spin: *mut pthread_spinlock_t) -> i32 {
    let Some(machine) = watching(spin as usize) else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::pthread_spin_trylock()(spin) };
    };
    let action = Action::TryLock(MutexKind::Normal);
    code(one(machine, "spin_trylock", spin as usize, action), libc::EBUSY)
}

#[unsafe(no_mangle)]
extern "C" fn pthread_spin_unlock(spin: *mut pthread_spinlock_t) -> i32 {
    let Some(machine) = watching(spin as usize) else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::pthread_spin_unlock()(spin) };
    };
    code(one(machine, "spin_unlock", spin as usize, Action::Unlock(MutexKind::Normal)), 0)
}
