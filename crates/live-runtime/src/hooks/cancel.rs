//! Cancellation: threads that are asked to end, and the points where they do.
//!
//! Only the points of `sem_wait`, `pthread_join`, waits on condition variables,
//! sleeps, `read`, `write`, `pause` and `pthread_testcancel` are known. They
//! are scheduling points of their own in programs that call `pthread_cancel`
//! only: the first call has the exploration begin again.

use std::ffi::c_void;

use exeunt_model::{Access, Action, End, ObjectId, Operation, Property, Reply};
use libc::pthread_t;

use super::thread::leave;
use crate::machine::{Machine, fault, machine};
use crate::tell;

/// Whether a thread was asked to end is apart from the thread's number.
const REQUEST: u64 = 1 << 62;

const ENABLE: i32 = 0;
const DISABLE: i32 = 1;
const DEFERRED: i32 = 0;
const ASYNCHRONOUS: i32 = 1;

fn request(index: usize, action: Action) -> Access {
    Access { object: ObjectId(REQUEST | index as u64), action, birth: 0 }
}

/// What an operation of the present thread must also do if it is a
/// cancellation point.
pub(super) fn point(machine: &mut Machine) -> Option<Access> {
    let index = machine.world.current;
    let ends = machine.cancels && machine.current().cancellable;
    ends.then(|| request(index, Action::CancelPoint))
}

/// Ends the thread if that is what its operation came back with.
pub(super) fn obey(reply: Reply) {
    if reply == Reply::Cancelled {
        end();
    }
}

/// The present thread ends because it was asked to.
pub(super) fn end() -> ! {
    let thread = machine().expect("the machine was installed").current();
    thread.cancellable = false;
    thread.result = usize::MAX as *mut c_void;
    leave()
}

#[unsafe(no_mangle)]
extern "C" fn pthread_cancel(handle: pthread_t) -> i32 {
    let Some(machine) = machine() else { return libc::ENOSYS };
    if !machine.cancels {
        tell::needs("cancels");
    }
    let Some(index) = machine.find(handle) else { return libc::ESRCH };
    tell::place(machine, "cancel", &[index]);
    // After a join there is nothing to ask, so the order with joins matters.
    let thread = Access { object: ObjectId(index as u64), action: Action::Cancel, birth: 0 };
    machine.reach(Operation::on(&[request(index, Action::Cancel), thread]));
    if machine.world.threads[index].joined {
        fault(Property::Misuse, "pthread_cancel is called for a thread that was joined");
    }
    0
}

/// A point of its own, before something that does not wait here.
pub(super) fn test(verb: &str) {
    let Some(machine) = machine().filter(|machine| !machine.in_engine()) else { return };
    if let Some(point) = point(machine) {
        tell::place(machine, verb, &[]);
        obey(machine.reach(Operation::on(&[point])));
    }
}

#[unsafe(no_mangle)]
extern "C" fn pthread_testcancel() {
    test("testcancel");
}

#[unsafe(no_mangle)]
extern "C" fn pthread_setcancelstate(state: i32, old: *mut i32) -> i32 {
    if state != ENABLE && state != DISABLE {
        return libc::EINVAL;
    }
    let Some(machine) = machine() else { return 0 };
    let thread = machine.current();
    if !old.is_null() {
        // SAFETY: the caller gave a place for it.
        unsafe { *old = if thread.cancellable { ENABLE } else { DISABLE } };
    }
    thread.cancellable = state == ENABLE;
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_setcanceltype(kind: i32, old: *mut i32) -> i32 {
    let Some(machine) = machine() else { return 0 };
    match kind {
        DEFERRED => {}
        ASYNCHRONOUS => {
            tell::place(machine, "unsupported", &[]);
            machine.end(End::Unsupported("asynchronous cancellation".to_string()));
        }
        _ => return libc::EINVAL,
    }
    if !old.is_null() {
        // SAFETY: the caller gave a place for it.
        unsafe { *old = DEFERRED };
    }
    0
}
