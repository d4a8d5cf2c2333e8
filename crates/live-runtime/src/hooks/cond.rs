//! Condition variables, barriers and once.
//!
//! A wait is two operations: becoming a waiter (and giving the mutex back),
//! and going on when woken (and taking the mutex again). With a deadline,
//! waking and taking the mutex are apart: the time may be over while another
//! thread has the mutex. So they are where a wake-up may come for nothing or
//! the thread may be asked to end.

use exeunt_model::{Action, Operation, Reply};
use libc::{
    clockid_t, pthread_barrier_t, pthread_barrierattr_t, pthread_cond_t, pthread_condattr_t,
    pthread_mutex_t, timespec,
};

use super::mutex::kind;
use super::{access, born, cancel, code, one};
use crate::machine::{Handler, Machine, watching};
use crate::{real, tell};

#[unsafe(no_mangle)]
extern "C" fn pthread_cond_init(
    cond: *mut pthread_cond_t,
    attributes: *const pthread_condattr_t,
) -> i32 {
    born(cond as usize, 0);
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::pthread_cond_init()(cond, attributes) }
}

/// A condition variable has no state of its own that destroying must wait for.
#[unsafe(no_mangle)]
extern "C" fn pthread_cond_destroy(cond: *mut pthread_cond_t) -> i32 {
    match watching(cond as usize) {
        Some(_) => 0,
        // SAFETY: the real function with the caller's arguments.
        None => unsafe { real::pthread_cond_destroy()(cond) },
    }
}

pub(super) fn wait(cond: usize, mutex: *mut pthread_mutex_t) -> Option<i32> {
    let machine = watching(cond)?;
    let kind = kind(mutex);
    let places = [cond, mutex as usize];
    tell::place(machine, "wait", &places);
    let enqueue = access(machine, cond, Action::Enqueue);
    let release = access(machine, mutex as usize, Action::Unlock(kind));
    if machine.reach(Operation::on(&[enqueue, release])) == Reply::NotHeld {
        return Some(libc::EPERM);
    }
    let point = cancel::point(machine);
    if point.is_some() || machine.may_wake() {
        return Some(long_wait(machine, cond, mutex));
    }
    tell::place(machine, "wake", &places);
    let wake = access(machine, cond, Action::Wake);
    let take = access(machine, mutex as usize, Action::Lock(kind));
    let reply = machine.reach(Operation::on(&[wake, take]));
    Some(code(reply, 0))
}

/// The second half of a wait, as two steps.
fn long_wait(machine: &mut Machine, cond: usize, mutex: *mut pthread_mutex_t) -> i32 {
    let action = if wakes_for_nothing(machine) { Action::TimedWake } else { Action::Wake };
    let woken = woken(machine, "wake-up", cond, action);
    let taken = one(machine, "relock", mutex as usize, Action::Lock(kind(mutex)));
    cancel::obey(woken);
    code(taken, 0)
}

/// Whether this wait may end without a signal: both are tried, so a wait that
/// only such a wake-up can end is still seen to last for ever.
fn wakes_for_nothing(machine: &mut Machine) -> bool {
    if !machine.may_wake() {
        return false;
    }
    tell::place(machine, "may-wake", &[]);
    let chosen = machine.reach(Operation::choice(2)) == Reply::Value(1);
    machine.current().woken += chosen as u32;
    chosen
}

/// Waits for a signal, or to be asked to end.
fn woken(machine: &mut Machine, verb: &str, cond: usize, action: Action) -> Reply {
    tell::place(machine, verb, &[cond]);
    let operation = Operation::on(&[access(machine, cond, action)]);
    let point = cancel::point(machine);
    machine.reach(operation.and(point))
}

pub(super) fn timed_wait(cond: usize, mutex: *mut pthread_mutex_t) -> Option<i32> {
    let machine = watching(cond)?;
    let kind = kind(mutex);
    tell::place(machine, "timedwait", &[cond, mutex as usize]);
    let enqueue = access(machine, cond, Action::Enqueue);
    let release = access(machine, mutex as usize, Action::Unlock(kind));
    machine.reach(Operation::on(&[enqueue, release]));
    let woken = woken(machine, "timed-wake", cond, Action::TimedWake);
    let taken = one(machine, "relock", mutex as usize, Action::Lock(kind));
    cancel::obey(woken);
    match code(taken, 0) {
        0 => Some(code(woken, libc::ETIMEDOUT)),
        code => Some(code),
    }
}

#[unsafe(no_mangle)]
extern "C" fn pthread_cond_wait(cond: *mut pthread_cond_t, mutex: *mut pthread_mutex_t) -> i32 {
    wait(cond as usize, mutex)
        // SAFETY: the real function with the caller's arguments.
        .unwrap_or_else(|| unsafe { real::pthread_cond_wait()(cond, mutex) })
}

#[unsafe(no_mangle)]
extern "C" fn pthread_cond_timedwait(
    cond: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    until: *const timespec,
) -> i32 {
    timed_wait(cond as usize, mutex)
        // SAFETY: the real function with the caller's arguments.
        .unwrap_or_else(|| unsafe { real::pthread_cond_timedwait()(cond, mutex, until) })
}

#[unsafe(no_mangle)]
extern "C" fn pthread_cond_clockwait(
    cond: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    until: *const timespec,
) -> i32 {
    timed_wait(cond as usize, mutex)
        // SAFETY: the real function with the caller's arguments.
        .unwrap_or_else(|| unsafe { real::pthread_cond_clockwait()(cond, mutex, clock, until) })
}

pub(super) fn signal(cond: usize) -> Option<i32> {
    Some(code(one(watching(cond)?, "signal", cond, Action::Signal), 0))
}

pub(super) fn broadcast(cond: usize) -> Option<i32> {
    Some(code(one(watching(cond)?, "broadcast", cond, Action::Broadcast), 0))
}

#[unsafe(no_mangle)]
extern "C" fn pthread_cond_signal(cond: *mut pthread_cond_t) -> i32 {
    // SAFETY: the real function with the caller's arguments.
    signal(cond as usize).unwrap_or_else(|| unsafe { real::pthread_cond_signal()(cond) })
}

#[unsafe(no_mangle)]
extern "C" fn pthread_cond_broadcast(cond: *mut pthread_cond_t) -> i32 {
    // SAFETY: the real function with the caller's arguments.
    broadcast(cond as usize).unwrap_or_else(|| unsafe { real::pthread_cond_broadcast()(cond) })
}

#[unsafe(no_mangle)]
extern "C" fn pthread_barrier_init(
    barrier: *mut pthread_barrier_t,
    attributes: *const pthread_barrierattr_t,
    count: u32,
) -> i32 {
    born(barrier as usize, count);
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::pthread_barrier_init()(barrier, attributes, count) }
}

#[unsafe(no_mangle)]
extern "C" fn pthread_barrier_wait(barrier: *mut pthread_barrier_t) -> i32 {
    let Some(machine) = watching(barrier as usize) else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::pthread_barrier_wait()(barrier) };
    };
    one(machine, "arrive", barrier as usize, Action::Arrive);
    match one(machine, "leave", barrier as usize, Action::Leave) {
        Reply::First => libc::PTHREAD_BARRIER_SERIAL_THREAD,
        _ => 0,
    }
}

pub(super) fn once(control: *mut i32, routine: extern "C" fn()) -> Option<i32> {
    let machine = watching(control as usize)?;
    let place = control as usize;
    if one(machine, "once", place, Action::OnceEnter) == Reply::First {
        machine.current().handlers.push(Handler::Once(place));
        routine();
        machine.current().handlers.pop();
        one(machine, "once_done", place, Action::OnceDone);
    }
    Some(0)
}

#[unsafe(no_mangle)]
extern "C" fn pthread_once(control: *mut i32, routine: extern "C" fn()) -> i32 {
    once(control, routine)
        // SAFETY: the real function with the caller's arguments.
        .unwrap_or_else(|| unsafe { real::pthread_once()(control, routine) })
}
