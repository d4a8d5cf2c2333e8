//! Readers-writer locks.

use exeunt_model::Action;
use libc::{clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

use super::process::unsupported;
use super::{born, code, one};
use crate::machine::{Machine, watching};
use crate::real;

#[unsafe(no_mangle)]
extern "C" fn pthread_rwlock_init(
    lock: *mut pthread_rwlock_t,
    attributes: *const pthread_rwlockattr_t,
) -> i32 {
    born(lock as usize, 0);
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::pthread_rwlock_init()(lock, attributes) }
}

/// Where glibc keeps what a lock prefers, and the kind that lets no reader in
/// behind a waiting writer.
const KIND_AT: usize = 12;
const WRITERS_FIRST: i32 = 2;

fn prefers_writers(lock: *mut pthread_rwlock_t) -> bool {
    // SAFETY: the program's own lock.
    unsafe { *lock.cast::<i32>().add(KIND_AT) == WRITERS_FIRST }
}

/// The machine, for a lock that is taken with a deadline.
fn timed(lock: *mut pthread_rwlock_t) -> Option<&'static mut Machine> {
    let machine = watching(lock as usize)?;
    // A writer that gives up keeps readers out for a while.
    if prefers_writers(lock) {
        unsupported("a deadline of a readers-writer lock that prefers writers");
    }
    Some(machine)
}

/// Behind a writer that waits for such a lock no reader gets it.
fn want(machine: &mut Machine, lock: *mut pthread_rwlock_t, action: Action) {
    if action == Action::WriteLock && prefers_writers(lock) {
        one(machine, "want", lock as usize, Action::WriteWant);
    }
}

/// A function with one argument that is one action.
macro_rules! action {
    ($($name:ident $verb:literal $action:ident $busy:ident;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(lock: *mut pthread_rwlock_t) -> i32 {
            let Some(machine) = watching(lock as usize) else {
                // SAFETY: the real function with the caller's arguments.
                return unsafe { real::$name()(lock) };
            };
            want(machine, lock, Action::$action);
            code(one(machine, $verb, lock as usize, Action::$action), libc::$busy)
        }
    )*};
}

action! {
    pthread_rwlock_rdlock "rdlock" ReadLock EBUSY;
    pthread_rwlock_tryrdlock "tryrdlock" TryReadLock EBUSY;
    pthread_rwlock_wrlock "wrlock" WriteLock EBUSY;
    pthread_rwlock_trywrlock "trywrlock" TryWriteLock EBUSY;
    pthread_rwlock_unlock "rwunlock" ReadUnlock EPERM;
}

#[unsafe(no_mangle)]
extern "C" fn pthread_rwlock_timedrdlock(
    lock: *mut pthread_rwlock_t,
    until: *const timespec,
) -> i32 {
    let Some(machine) = timed(lock) else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::pthread_rwlock_timedrdlock()(lock, until) };
    };
    code(one(machine, "timedrdlock", lock as usize, Action::TryReadLock), libc::ETIMEDOUT)
}

#[unsafe(no_mangle)]
extern "C" fn pthread_rwlock_timedwrlock(
    lock: *mut pthread_rwlock_t,
    until: *const timespec,
) -> i32 {
    let Some(machine) = timed(lock) else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::pthread_rwlock_timedwrlock()(lock, until) };
    };
    code(one(machine, "timedwrlock", lock as usize, Action::TryWriteLock), libc::ETIMEDOUT)
}

#[unsafe(no_mangle)]
extern "C" fn pthread_rwlock_clockrdlock(
    lock: *mut pthread_rwlock_t,
    clock: clockid_t,
    until: *const timespec,
) -> i32 {
    let Some(machine) = timed(lock) else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::pthread_rwlock_clockrdlock()(lock, clock, until) };
    };
    code(one(machine, "timedrdlock", lock as usize, Action::TryReadLock), libc::ETIMEDOUT)
}

#[unsafe(no_mangle)]
extern "C" fn pthread_rwlock_clockwrlock(
    lock: *mut pthread_rwlock_t,
    clock: clockid_t,
    until: *const timespec,
) -> i32 {
    let Some(machine) = timed(lock) else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::pthread_rwlock_clockwrlock()(lock, clock, until) };
    };
    code(one(machine, "timedwrlock", lock as usize, Action::TryWriteLock), libc::ETIMEDOUT)
}
