//! Mutexes and spin locks.

use exeunt_model::{Action, MutexKind, Property, Reply};
use libc::{clockid_t, pthread_mutex_t, pthread_mutexattr_t, pthread_spinlock_t, timespec};

use super::{born, code, one};
use crate::machine::{fault, machine, mutex_kind, watching};
use crate::real;

/// The bit of the kind that says that the next owner is told about the death
/// of the last one.
const ROBUST: i32 = 16;

fn is_robust(mutex: *mut pthread_mutex_t) -> bool {
    // SAFETY: glibc keeps the kind sixteen bytes into every mutex.
    let bits = unsafe { *mutex.cast::<i32>().add(4) };
    bits != -1 && bits & ROBUST != 0
}

/// Notes robust mutexes that the present thread holds, for the case that it ends.
fn note(mutex: *mut pthread_mutex_t, code: i32, takes: bool) -> i32 {
    if (code == 0 || code == libc::EOWNERDEAD)
        && is_robust(mutex)
        && let Some(machine) = machine()
    {
        let held = &mut machine.current().robust;
        match takes {
            true => held.push(mutex as usize),
            false => {
                let at = held.iter().rposition(|&place| place == mutex as usize);
                at.map(|at| held.remove(at));
            }
        }
    }
    code
}

/// The present thread ends: who waits for its robust mutexes gets them.
pub fn desert() {
    while let Some(place) = machine().and_then(|machine| machine.current().robust.pop()) {
        let machine = machine().expect("it was there just now");
        one(machine, "desert", place, Action::Desert);
        machine.current().robust.retain(|&other| other != place);
    }
}

#[unsafe(no_mangle)]
extern "C" fn pthread_mutex_consistent(mutex: *mut pthread_mutex_t) -> i32 {
    match watching(mutex as usize) {
        Some(_) if !is_robust(mutex) => libc::EINVAL,
        Some(machine) => match one(machine, "repair", mutex as usize, Action::Repair) {
            Reply::Done => 0,
            _ => libc::EINVAL,
        },
        // SAFETY: the real function with the caller's arguments.
        None => unsafe { real::pthread_mutex_consistent()(mutex) },
    }
}

/// The kind of a mutex; one that was destroyed must not be used.
pub(super) fn kind(mutex: *mut pthread_mutex_t) -> MutexKind {
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
    let code = code(one(machine, verb, mutex as usize, Action::Lock(kind(mutex))), 0);
    Some(note(mutex, code, true))
}

pub(super) fn try_lock(mutex: *mut pthread_mutex_t, verb: &str, busy: i32) -> Option<i32> {
    let machine = watching(mutex as usize)?;
    let code = code(one(machine, verb, mutex as usize, Action::TryLock(kind(mutex))), busy);
    Some(note(mutex, code, true))
}

pub(super) fn unlock(mutex: *mut pthread_mutex_t, verb: &str) -> Option<i32> {
    let machine = watching(mutex as usize)?;
    let code = code(one(machine, verb, mutex as usize, Action::Unlock(kind(mutex))), 0);
    Some(note(mutex, code, false))
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
