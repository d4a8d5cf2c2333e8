//! `<threads.h>`: the same things under the names of C11.

use std::ffi::c_void;

use libc::{pthread_cond_t, pthread_key_t, pthread_mutex_t, pthread_t, timespec};

use super::{born, cond, mutex, thread};
use crate::machine::machine;
use crate::real;

const SUCCESS: i32 = 0;
const BUSY: i32 = 1;
const ERROR: i32 = 2;
const TIMED_OUT: i32 = 4;

fn answer(code: Option<i32>) -> i32 {
    match code {
        Some(0) => SUCCESS,
        Some(libc::EBUSY) => BUSY,
        Some(libc::ETIMEDOUT) => TIMED_OUT,
        _ => ERROR,
    }
}

#[unsafe(no_mangle)]
extern "C" fn thrd_create(
    handle: *mut pthread_t,
    routine: extern "C" fn(*mut c_void) -> i32,
    argument: *mut c_void,
) -> i32 {
    let Some(machine) = machine() else { return ERROR };
    crate::tell::place(machine, "create", &[routine as *const () as usize]);
    // Its result is an `int`: the lower half of the register, which `thrd_join`
    // takes out again.
    // SAFETY: both types pass one pointer and return in the same register.
    let routine: real::Routine = unsafe { std::mem::transmute(routine) };
    match machine.create(std::ptr::null(), routine, argument) {
        Ok(created) => {
            // SAFETY: the caller gave a place for it.
            unsafe { *handle = created };
            SUCCESS
        }
        Err(_) => ERROR,
    }
}

#[unsafe(no_mangle)]
extern "C" fn thrd_join(handle: pthread_t, result: *mut i32) -> i32 {
    match thread::join(handle) {
        Err(_) => ERROR,
        Ok(value) => {
            if !result.is_null() {
                // SAFETY: the caller gave a place for it.
                unsafe { *result = value as isize as i32 };
            }
            SUCCESS
        }
    }
}

#[unsafe(no_mangle)]
extern "C-unwind" fn thrd_exit(result: i32) -> ! {
    thread::pthread_exit(result as isize as *mut c_void)
}

#[unsafe(no_mangle)]
extern "C" fn thrd_detach(handle: pthread_t) -> i32 {
    if thread::pthread_detach(handle) == 0 { SUCCESS } else { ERROR }
}

#[unsafe(no_mangle)]
extern "C" fn thrd_yield() {
    super::process::sched_yield();
}

#[unsafe(no_mangle)]
extern "C" fn thrd_sleep(time: *const timespec, left: *mut timespec) -> i32 {
    super::process::nanosleep(time, left)
}

#[unsafe(no_mangle)]
extern "C" fn mtx_init(place: *mut pthread_mutex_t, kind: i32) -> i32 {
    born(place as usize, 0);
    // SAFETY: a mutex of the C library has its kind sixteen bytes in; bit 0 of
    // the C11 kind says whether it counts.
    unsafe {
        real::pthread_mutex_init()(place, std::ptr::null());
        *place.cast::<i32>().add(4) = kind & 1;
    }
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn mtx_lock(place: *mut pthread_mutex_t) -> i32 {
    // SAFETY: the real function with the caller's arguments.
    let real = || unsafe { real::pthread_mutex_lock()(place) };
    answer(mutex::lock(place, "lock").or_else(|| Some(real())))
}

#[unsafe(no_mangle)]
extern "C" fn mtx_trylock(place: *mut pthread_mutex_t) -> i32 {
    // SAFETY: the real function with the caller's arguments.
    let real = || unsafe { real::pthread_mutex_trylock()(place) };
    answer(mutex::try_lock(place, "trylock", libc::EBUSY).or_else(|| Some(real())))
}

#[unsafe(no_mangle)]
extern "C" fn mtx_timedlock(place: *mut pthread_mutex_t, until: *const timespec) -> i32 {
    // SAFETY: the real function with the caller's arguments.
    let real = || unsafe { real::pthread_mutex_timedlock()(place, until) };
    answer(mutex::try_lock(place, "timedlock", libc::ETIMEDOUT).or_else(|| Some(real())))
}

#[unsafe(no_mangle)]
extern "C" fn mtx_unlock(place: *mut pthread_mutex_t) -> i32 {
    // SAFETY: the real function with the caller's arguments.
    let real = || unsafe { real::pthread_mutex_unlock()(place) };
    answer(mutex::unlock(place, "unlock").or_else(|| Some(real())))
}

#[unsafe(no_mangle)]
extern "C" fn cnd_init(place: *mut pthread_cond_t) -> i32 {
    born(place as usize, 0);
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::pthread_cond_init()(place, std::ptr::null()) }
}

#[unsafe(no_mangle)]
extern "C" fn cnd_wait(place: *mut pthread_cond_t, held: *mut pthread_mutex_t) -> i32 {
    answer(cond::wait(place as usize, held))
}

#[unsafe(no_mangle)]
extern "C" fn cnd_timedwait(
    place: *mut pthread_cond_t,
    held: *mut pthread_mutex_t,
    _: *const timespec,
) -> i32 {
    answer(cond::timed_wait(place as usize, held))
}

#[unsafe(no_mangle)]
extern "C" fn cnd_signal(place: *mut pthread_cond_t) -> i32 {
    answer(cond::signal(place as usize))
}

#[unsafe(no_mangle)]
extern "C" fn cnd_broadcast(place: *mut pthread_cond_t) -> i32 {
    answer(cond::broadcast(place as usize))
}

#[unsafe(no_mangle)]
extern "C" fn call_once(control: *mut i32, routine: extern "C" fn()) {
    if cond::once(control, routine).is_none() {
        // SAFETY: the real function with the caller's arguments.
        unsafe { real::pthread_once()(control, routine) };
    }
}

#[unsafe(no_mangle)]
extern "C" fn tss_create(key: *mut pthread_key_t, destructor: real::Destructor) -> i32 {
    let code = thread::create_key(key, destructor);
    if code == 0 { SUCCESS } else { ERROR }
}
