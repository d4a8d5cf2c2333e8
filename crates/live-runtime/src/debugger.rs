//! What a debugger that runs the program along a schedule can hold on to:
//! functions to stop at, and the contexts of threads that do not run.
//!
//! Threads share one kernel thread, so the debugger sees the stack of the one
//! that runs. The others are found by their saved contexts.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::machine::Machine;

/// A debugger is there.
pub static ATTACHED: AtomicBool = AtomicBool::new(false);

const MOST: usize = 256;

/// How many threads there are, and which one runs.
#[unsafe(no_mangle)]
static EXEUNT_LIVE_THREADS: AtomicUsize = AtomicUsize::new(0);
#[unsafe(no_mangle)]
static EXEUNT_LIVE_CURRENT: AtomicUsize = AtomicUsize::new(0);
/// Where the saved registers of each thread lie: eight bytes of modes, then
/// r15, r14, r13, r12, rbx, rbp and the place to go on at.
#[unsafe(no_mangle)]
static EXEUNT_LIVE_CONTEXTS: [AtomicUsize; MOST] = [const { AtomicUsize::new(0) }; MOST];
/// The step that is being made, from one.
static STEP: AtomicUsize = AtomicUsize::new(0);

/// Called on the stack of the thread whose step begins.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn exeunt_live_step(step: usize) {
    std::hint::black_box(step);
}

/// Called where the program goes wrong: on the stack of the thread that does, or
/// by the engine if no thread can move.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn exeunt_live_stop(engine: usize) {
    // The compiler makes one of two equal functions.
    std::hint::black_box((engine, STEP.load(Ordering::Relaxed)));
}

fn note(machine: &Machine) {
    EXEUNT_LIVE_THREADS.store(machine.world.threads.len().min(MOST), Ordering::Relaxed);
    EXEUNT_LIVE_CURRENT.store(machine.world.current, Ordering::Relaxed);
    for (at, thread) in machine.world.threads.iter().take(MOST).enumerate() {
        EXEUNT_LIVE_CONTEXTS[at].store(thread.saved_stack(), Ordering::Relaxed);
    }
}

/// A thread goes on.
pub fn goes_on(machine: &Machine) {
    if ATTACHED.load(Ordering::Relaxed) {
        note(machine);
        exeunt_live_step(STEP.fetch_add(1, Ordering::Relaxed) + 1);
    }
}

/// The run is over.
pub fn stops(machine: &Machine, engine: bool) {
    if ATTACHED.load(Ordering::Relaxed) {
        note(machine);
        exeunt_live_stop(engine as usize);
    }
}
