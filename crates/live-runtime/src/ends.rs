//! The end of a thread: destructors, what it leaves to others, and who ends the
//! program.

use std::ffi::c_void;

use crate::hooks;
use crate::machine::machine;
use crate::real::Destructor;

/// The present thread ends with this result.
pub fn finish(result: *mut c_void) -> ! {
    run_destructors();
    hooks::mutex::desert();
    let machine = machine().expect("the machine was installed");
    machine.current().result = result;
    if machine.asks_for_ends {
        hooks::announce_end(machine);
    }
    // The last thread ends the program, where that need not be the main one.
    if machine.main_left && machine.is_alone() {
        hooks::process::exit(0);
    }
    machine.end_thread()
}

/// C++ thread-local objects, then values with keys, as the C library does it.
fn run_destructors() {
    let place = crate::real::find(c"__call_tls_dtors");
    if !place.is_null() {
        // SAFETY: the C library's function, which takes nothing.
        let call: unsafe extern "C" fn() = unsafe { std::mem::transmute(place) };
        // SAFETY: called once, by the thread that ends.
        unsafe { call() };
    }
    for _ in 0..4 {
        // Destructors make steps, and a run may be resumed there: nothing of the
        // runtime's own memory may be held meanwhile.
        let (mut any, mut at) = (false, 0);
        while let Some((key, destructor)) =
            machine().and_then(|machine| machine.world.keys.get(at).copied())
        {
            at += 1;
            // SAFETY: the key exists; its destructor was given with it.
            unsafe {
                let value = libc::pthread_getspecific(key);
                if !value.is_null() && destructor != 0 {
                    libc::pthread_setspecific(key, std::ptr::null());
                    let call: Destructor = std::mem::transmute(destructor);
                    call.expect("it is not zero")(value);
                    any = true;
                }
            }
        }
        if !any {
            break;
        }
    }
}
