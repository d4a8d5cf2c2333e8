//! Threads: creation, ends, joins, and values with keys.

use std::ffi::c_void;

use exeunt_model::{Access, Action, ObjectId, Operation, Property, Reply};
use libc::{pthread_attr_t, pthread_key_t, pthread_t};

use super::cancel;
use super::instrumented::touch;
use crate::machine::{Handler, fault, finish, machine};
use crate::real::{self, Destructor, Routine};
use crate::tell;

#[unsafe(no_mangle)]
extern "C" fn pthread_create(
    handle: *mut pthread_t,
    attributes: *const pthread_attr_t,
    routine: Routine,
    argument: *mut c_void,
) -> i32 {
    let Some(machine) = machine() else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::pthread_create()(handle, attributes, routine, argument) };
    };
    tell::place(machine, "create", &[routine as *const () as usize]);
    let created = match machine.create(attributes, routine, argument) {
        Ok(created) => created,
        Err(code) => return code,
    };
    let mut state = 0;
    if !attributes.is_null() {
        // SAFETY: the attributes are the caller's.
        unsafe { libc_attr_getdetachstate(attributes, &mut state) };
    }
    machine.world.threads.last_mut().expect("it was just made").detached = state != 0;
    // SAFETY: the caller gave a place for it.
    unsafe { *handle = created };
    note_write(handle.cast());
    0
}

/// A word that a function writes for its caller.
fn note_write(place: *mut c_void) {
    if machine().is_some_and(|machine| machine.races) {
        touch(place as usize, 8, Action::Write);
    }
}

unsafe extern "C" {
    #[link_name = "pthread_attr_getdetachstate"]
    fn libc_attr_getdetachstate(attributes: *const pthread_attr_t, state: *mut i32) -> i32;
    fn _Unwind_ForcedUnwind(exception: *mut c_void, stop: Stop, data: *mut c_void) -> i32;
    fn longjmp(place: *mut c_void, value: i32) -> !;
}

/// Waits for the end of a thread and gives its result.
pub(super) fn join(handle: pthread_t) -> Result<*mut c_void, i32> {
    let machine = machine().expect("the machine was installed");
    let index = machine.find(handle).ok_or(libc::ESRCH)?;
    let thread = &machine.world.threads[index];
    if thread.detached {
        fault(Property::Misuse, "a thread is joined that was detached");
    }
    if thread.joined {
        fault(Property::Misuse, "a thread is joined twice");
    }
    if index == machine.world.current {
        fault(Property::Misuse, "a thread joins itself");
    }
    tell::place(machine, "join", &[index]);
    let point = cancel::point(machine);
    let operation = Operation::of(ObjectId(index as u64), Action::Join);
    cancel::obey(machine.reach(operation.and(point)));
    let thread = &mut machine.world.threads[index];
    thread.joined = true;
    Ok(thread.result)
}

#[unsafe(no_mangle)]
extern "C" fn pthread_join(handle: pthread_t, result: *mut *mut c_void) -> i32 {
    if machine().is_none() {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::pthread_join()(handle, result) };
    }
    match join(handle) {
        Err(code) => code,
        Ok(value) => {
            if !result.is_null() {
                note_write(result.cast());
                // SAFETY: the caller gave a place for it.
                unsafe { *result = value };
            }
            0
        }
    }
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn pthread_detach(handle: pthread_t) -> i32 {
    let Some(machine) = machine() else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::pthread_detach()(handle) };
    };
    let Some(index) = machine.find(handle) else { return libc::ESRCH };
    let thread = &mut machine.world.threads[index];
    if thread.detached {
        return libc::EINVAL;
    }
    thread.detached = true;
    0
}

/// Joins a thread that has ended, without waiting for it.
fn try_join(handle: pthread_t, result: *mut *mut c_void, busy: i32, ends: bool) -> i32 {
    let machine = machine().expect("the program runs");
    if !machine.asks_for_ends {
        tell::needs("ends");
    }
    let Some(index) = machine.find(handle) else { return libc::ESRCH };
    let thread = &machine.world.threads[index];
    if thread.detached || thread.joined {
        return libc::EINVAL;
    }
    tell::place(machine, "tryjoin", &[index]);
    let point = if ends { cancel::point(machine) } else { None };
    let reply = machine.reach(Operation::on(&[end_of(index, Action::TryJoin)]).and(point));
    cancel::obey(reply);
    if reply == Reply::Busy {
        return busy;
    }
    let thread = &mut machine.world.threads[index];
    thread.joined = true;
    if !result.is_null() {
        // SAFETY: the caller gave a place for it.
        unsafe { *result = thread.result };
    }
    0
}

/// The end of a thread, where others ask for it, is apart from its number.
pub(super) fn end_of(index: usize, action: Action) -> Access {
    Access { object: ObjectId(1 << 61 | index as u64), action, birth: 0 }
}

#[unsafe(no_mangle)]
extern "C" fn pthread_tryjoin_np(handle: pthread_t, result: *mut *mut c_void) -> i32 {
    try_join(handle, result, libc::EBUSY, false)
}

#[unsafe(no_mangle)]
extern "C" fn pthread_timedjoin_np(
    handle: pthread_t,
    result: *mut *mut c_void,
    _: *const libc::timespec,
) -> i32 {
    try_join(handle, result, libc::ETIMEDOUT, true)
}

#[unsafe(no_mangle)]
extern "C" fn pthread_clockjoin_np(
    handle: pthread_t,
    result: *mut *mut c_void,
    _: libc::clockid_t,
    _: *const libc::timespec,
) -> i32 {
    try_join(handle, result, libc::ETIMEDOUT, true)
}

// --- pthread_exit: handlers of C, then those of C++, then the end ------------

type Stop = extern "C-unwind" fn(i32, i32, u64, *mut c_void, *mut c_void, *mut c_void) -> i32;

/// The unwinder has reached the outermost frame.
const END_OF_STACK: i32 = 16;

extern "C-unwind" fn stop(
    _: i32,
    actions: i32,
    _: u64,
    _: *mut c_void,
    _: *mut c_void,
    result: *mut c_void,
) -> i32 {
    if actions & END_OF_STACK != 0 {
        finish(result);
    }
    0
}

#[unsafe(no_mangle)]
pub(super) extern "C-unwind" fn pthread_exit(result: *mut c_void) -> ! {
    let Some(machine) = machine() else {
        // SAFETY: the real function with the caller's arguments.
        unsafe { real::pthread_exit()(result) }
    };
    if machine.world.current == 0 && !machine.main_left {
        tell::needs("main-left");
    }
    machine.current().result = result;
    leave()
}

/// Runs the handlers that are left, then ends the thread.
pub(super) fn leave() -> ! {
    let thread = machine().expect("the machine was installed").current();
    let result = thread.result;
    while let Some(handler) = machine().and_then(|machine| machine.current().handlers.pop()) {
        match handler {
            // SAFETY: the frame that registered the buffer has not returned.
            Handler::Jump(buffer) => unsafe { longjmp(buffer as *mut c_void, 1) },
            Handler::Once(place) => undo_once(place),
        }
    }
    // What the unwinder keeps there belongs to the state of the program, so it lies in
    // the program's memory.
    // SAFETY: a zeroed exception object of a foreign class, as the unwinder's
    // interface allows, that is never freed.
    unsafe { _Unwind_ForcedUnwind(libc::calloc(8, 8), stop, result) };
    finish(result)
}

/// Another thread must run the function of a `once` that this thread leaves.
fn undo_once(place: usize) {
    let machine = machine().expect("the machine was installed");
    super::one(machine, "once_undone", place, Action::OnceUndone);
}

#[unsafe(no_mangle)]
extern "C" fn __pthread_register_cancel(buffer: *mut c_void) {
    if let Some(machine) = machine() {
        machine.current().handlers.push(Handler::Jump(buffer as usize));
    }
}

#[unsafe(no_mangle)]
extern "C" fn __pthread_unregister_cancel(_: *mut c_void) {
    if let Some(machine) = machine() {
        machine.current().handlers.pop();
    }
}

#[unsafe(no_mangle)]
extern "C" fn __pthread_register_cancel_defer(buffer: *mut c_void) {
    __pthread_register_cancel(buffer);
}

#[unsafe(no_mangle)]
extern "C" fn __pthread_unregister_cancel_restore(buffer: *mut c_void) {
    __pthread_unregister_cancel(buffer);
}

#[unsafe(no_mangle)]
extern "C-unwind" fn __pthread_unwind_next(_: *mut c_void) -> ! {
    leave()
}

// --- keys -------------------------------------------------------------------

#[unsafe(no_mangle)]
extern "C" fn pthread_key_create(key: *mut pthread_key_t, destructor: Destructor) -> i32 {
    create_key(key, destructor)
}

pub(super) fn create_key(key: *mut pthread_key_t, destructor: Destructor) -> i32 {
    // SAFETY: the real function with the caller's arguments.
    let code = unsafe { real::pthread_key_create()(key, destructor) };
    if let (0, Some(machine)) = (code, machine()) {
        let place = destructor.map_or(0, |function| function as *const () as usize);
        // SAFETY: the real function has just written it.
        machine.world.keys.push((unsafe { *key }, place));
    }
    code
}

#[unsafe(no_mangle)]
extern "C" fn pthread_key_delete(key: pthread_key_t) -> i32 {
    if let Some(machine) = machine() {
        machine.world.keys.retain(|(other, _)| *other != key);
    }
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::pthread_key_delete()(key) }
}
