//! The library that is loaded into a native program (`LD_PRELOAD`): it takes
//! the place of the thread library and explores the schedules of the program.
//!
//! The program's threads are coroutines on one kernel thread, each with the
//! stack and the thread-local storage of a real thread that sleeps
//! (`pool`, `switch`). At every operation control goes to the engine
//! (`machine`), which is `exeunt_search`'s explorer and lives in this process
//! (`explore`). What is found goes to the controller as text (`tell`).
//!
//! The method is that of Cooperman and Quinson (Sthread: In-Vivo Model Checking
//! of Multithreaded Programs, 2020); the coroutines and the explorer inside
//! the process are ours.

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
compile_error!("the runtime knows x86-64 Linux only");

mod carrier;
mod closure;
mod contents;
mod debugger;
mod ends;
mod explore;
mod heap;
mod hooks;
mod jobs;
mod libraries;
mod log;
mod look;
mod machine;
mod pool;
mod raw;
mod real;
mod restart;
mod snapshot;
mod states;
mod switch;
mod tell;
mod watch;

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

use machine::Machine;

#[global_allocator]
static HEAP: heap::Heap = heap::Heap::new();

static MAIN: AtomicUsize = AtomicUsize::new(0);

/// Takes `main`'s place: everything is set up when it begins.
#[unsafe(no_mangle)]
extern "C" fn __libc_start_main(
    main: real::MainFunction,
    count: i32,
    arguments: *mut *mut i8,
    a: *mut c_void,
    b: *mut c_void,
    c: *mut c_void,
    d: *mut c_void,
) -> i32 {
    let start = real::__libc_start_main();
    if std::env::var_os(explore::VARIABLE).is_none() {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { start(main, count, arguments, a, b, c, d) };
    }
    MAIN.store(main as *const () as usize, Ordering::Relaxed);
    // The first handler registered is the last one that runs.
    // SAFETY: the function takes nothing and gives nothing.
    unsafe { libc::atexit(hooks::process::last_handler) };
    // SAFETY: the real function with our `main`.
    unsafe { start(begin, count, arguments, a, b, c, d) }
}

extern "C" fn begin(count: i32, arguments: *mut *mut i8, environment: *mut *mut i8) -> i32 {
    let plan = explore::Plan::read();
    tell::PIPE.store(plan.pipe, Ordering::Relaxed);
    // SAFETY: no other thread exists that could look at the environment.
    unsafe {
        std::env::remove_var(explore::VARIABLE);
        std::env::remove_var("LD_PRELOAD");
        if plan.pipe >= 0 {
            libc::fcntl(plan.pipe, libc::F_SETFD, libc::FD_CLOEXEC);
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        }
    }
    tell::line("begun");
    if plan.maps() {
        tell::maps();
    }
    carrier::WANTED.store(plan.has_kernel_threads(), Ordering::Relaxed);
    tell::FRAMES.store(plan.looks(), Ordering::Relaxed);
    Machine::install(plan.tells(), explore::body);
    if let Some(machine) = machine::machine() {
        plan.set_up(machine);
    }
    hooks::process::watch_signals();
    plan.sites().into_iter().for_each(hooks::atomic::install);
    let early = plan.begins_early();
    explore::keep(plan);
    // The heap of the program gets its first memory now, not during a run.
    // SAFETY: a block that is given back at once.
    unsafe { libc::free(libc::malloc(64)) };
    if let Some(machine) = machine::machine().filter(|_| early) {
        tell::place(machine, "begin", &[]);
        machine.reach(exeunt_model::Operation::default());
    }
    // SAFETY: `__libc_start_main` stored the program's function.
    let main: real::MainFunction = unsafe { std::mem::transmute(MAIN.load(Ordering::Relaxed)) };
    let code = main(count, arguments, environment);
    hooks::process::exit(code)
}
