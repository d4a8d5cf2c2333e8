//! Signals that the program sends to itself, and waiting for them.
//!
//! Which signals a thread has blocked is kept here, because threads share one
//! kernel thread. A signal that is blocked is pending until a thread waits for it
//! or lets it through. A signal that a thread sends to itself and has not blocked
//! is given to the kernel. A handler that would interrupt another thread is not
//! supported, and signals from outside do not come.

use exeunt_model::End;
use libc::{pthread_t, siginfo_t, timespec};

use super::kernel::{self, FIRST, Patience, stir};
use super::process::{FATAL, unsupported};
use crate::machine::{Machine, machine};
use crate::{real, tell};

/// Signals that are pending.
const SIGNALS: u64 = FIRST + 2;

fn bit(signal: i32) -> u64 {
    1u64.checked_shl(signal as u32 - 1).unwrap_or(0)
}

/// The machine, if a thread of the program calls.
fn watching() -> Option<&'static mut Machine> {
    machine().filter(|machine| !machine.in_engine())
}

/// Changes what the present thread has blocked.
fn mask(machine: &mut Machine, how: i32, set: *const u64, old: *mut u64) -> i32 {
    let before = machine.current().blocked;
    if !old.is_null() {
        // SAFETY: the caller gave a place for a set.
        unsafe { old.cast::<libc::sigset_t>().write(std::mem::zeroed()) };
        // SAFETY: signals are the first word of a set.
        unsafe { *old = before };
    }
    // SAFETY: a set of the caller, if there is one.
    let Some(&set) = (unsafe { set.as_ref() }) else { return 0 };
    let after = match how {
        libc::SIG_BLOCK => before | set,
        libc::SIG_UNBLOCK => before & !set,
        libc::SIG_SETMASK => set,
        _ => return libc::EINVAL,
    };
    let after = after & !(bit(libc::SIGKILL) | bit(libc::SIGSTOP));
    machine.current().blocked = after;
    let thread = machine.current();
    let through = (thread.pending & !after, machine.world.pending & !after);
    machine.current().pending &= after;
    machine.world.pending &= after;
    for signal in 1..=64 {
        if (through.0 | through.1) & bit(signal) != 0 {
            deliver(signal);
        }
    }
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_sigmask(how: i32, set: *const u64, old: *mut u64) -> i32 {
    match watching() {
        Some(machine) => mask(machine, how, set, old),
        // SAFETY: the real function with the caller's arguments.
        None => unsafe { real::pthread_sigmask()(how, set, old) },
    }
}

#[unsafe(no_mangle)]
extern "C" fn sigprocmask(how: i32, set: *const u64, old: *mut u64) -> i32 {
    let Some(machine) = watching() else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::sigprocmask()(how, set, old) };
    };
    match mask(machine, how, set, old) {
        0 => 0,
        code => failed(code),
    }
}

fn failed(code: i32) -> i32 {
    // SAFETY: the place of `errno` of the present thread.
    unsafe { *libc::__errno_location() = code };
    -1
}

#[unsafe(no_mangle)]
extern "C" fn sigpending(set: *mut u64) -> i32 {
    let Some(machine) = watching() else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::sigpending()(set) };
    };
    let pending = machine.current().pending | machine.world.pending;
    // SAFETY: the caller gave a place for a set; signals are its first word.
    unsafe {
        set.cast::<libc::sigset_t>().write(std::mem::zeroed());
        *set = pending;
    }
    0
}

// --- sending ----------------------------------------------------------------------

/// What the program does about a signal.
enum Action {
    Ignores,
    Ends,
    Handles,
}

fn action(signal: i32) -> Action {
    // SAFETY: asks what the program does about a signal.
    let handler = unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        real::sigaction()(signal, std::ptr::null(), &mut now);
        now.sa_sigaction
    };
    let harmless = [libc::SIGCHLD, libc::SIGURG, libc::SIGWINCH, libc::SIGCONT];
    match handler {
        libc::SIG_IGN => Action::Ignores,
        libc::SIG_DFL if harmless.contains(&signal) => Action::Ignores,
        libc::SIG_DFL => Action::Ends,
        _ => Action::Handles,
    }
}

/// The kernel writes the frame of a handler on the stack, which takes several kilobytes where registers are wide, and
/// gives up where pages may not be written to yet. So these pages are written to before.
fn make_room() {
    // SAFETY: getauxval has no preconditions.
    let frame = unsafe { libc::getauxval(AT_MINSIGSTKSZ) } as usize;
    let here = 0u8;
    let top = &raw const here as usize;
    for below in (0..frame + CALLS).step_by(PAGE).chain([frame + CALLS]) {
        let place = (top - below) as *mut u8;
        // SAFETY: the stack goes on there, and what is there stays.
        unsafe { place.write_volatile(place.read_volatile()) };
    }
}

/// What a frame of a handler needs at least, as the kernel says.
const AT_MINSIGSTKSZ: libc::c_ulong = 51;
/// More than the calls until then take.
const CALLS: usize = 1 << 11;
const PAGE: usize = 4096;

/// The present thread gets a signal.
fn deliver(signal: i32) {
    if FATAL.contains(&signal) {
        // SAFETY: the real function; our handler is called.
        unsafe { real::raise()(signal) };
        return;
    }
    match action(signal) {
        Action::Ignores => {}
        Action::Handles => {
            make_room();
            // SAFETY: the real function; the handler is called at once.
            unsafe { real::raise()(signal) };
        }
        Action::Ends => {
            if let Some(machine) = machine() {
                machine.end(End::Exited { code: 128 + signal });
            }
        }
    }
}

/// A signal for one thread, or for any.
fn send(machine: &mut Machine, target: Option<usize>, signal: i32) -> i32 {
    if !(0..=64).contains(&signal) {
        return libc::EINVAL;
    }
    if signal == 0 {
        return 0;
    }
    if machine.exploring && !machine.is_alone() {
        stir(machine, "kill", SIGNALS);
    }
    let blocks = |index: usize| machine.world.threads[index].blocked & bit(signal) != 0;
    let waits = |index: &usize| machine.world.threads[*index].suspended && !blocks(*index);
    let me = machine.world.current;
    let waiter = match target {
        Some(target) => Some(target).filter(waits),
        None => (0..machine.world.threads.len()).find(waits),
    };
    if let Some(waiter) = waiter.filter(|_| !matches!(action(signal), Action::Ignores)) {
        machine.world.threads[waiter].pending |= bit(signal);
        return 0;
    }
    match target {
        Some(target) if blocks(target) => machine.world.threads[target].pending |= bit(signal),
        None if (0..machine.world.threads.len()).filter(|&at| machine.lives(at)).all(blocks) => {
            machine.world.pending |= bit(signal);
        }
        _ if target.unwrap_or(me) == me && !blocks(me) => deliver(signal),
        _ if matches!(action(signal), Action::Ignores) => {}
        _ if matches!(action(signal), Action::Ends) => deliver(signal),
        _ => unsupported("a signal whose handler interrupts another thread"),
    }
    0
}

#[unsafe(no_mangle)]
extern "C" fn raise(signal: i32) -> i32 {
    match watching() {
        Some(machine) if !FATAL.contains(&signal) => {
            match send(machine, Some(machine.world.current), signal) {
                0 => 0,
                code => failed(code),
            }
        }
        // SAFETY: the real function with the caller's arguments.
        _ => unsafe { real::raise()(signal) },
    }
}

#[unsafe(no_mangle)]
extern "C" fn kill(process: i32, signal: i32) -> i32 {
    match watching() {
        Some(machine) if process == machine.process || process == 0 => {
            match send(machine, None, signal) {
                0 => 0,
                code => failed(code),
            }
        }
        // SAFETY: the real function with the caller's arguments.
        _ => unsafe { real::kill()(process, signal) },
    }
}

#[unsafe(no_mangle)]
extern "C" fn pthread_kill(handle: pthread_t, signal: i32) -> i32 {
    let Some(machine) = watching() else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::pthread_kill()(handle, signal) };
    };
    match machine.find(handle) {
        Some(target) => send(machine, Some(target), signal),
        None => libc::ESRCH,
    }
}

// --- waiting ----------------------------------------------------------------------

/// Takes the least signal of a set that is pending for the present thread.
fn take(machine: &mut Machine, set: u64) -> Option<i32> {
    let mine = machine.current().pending & set;
    let all = machine.world.pending & set;
    let signal = (mine | all).trailing_zeros() as i32 + 1;
    if mine | all == 0 {
        return None;
    }
    match mine & bit(signal) != 0 {
        true => machine.current().pending &= !bit(signal),
        false => machine.world.pending &= !bit(signal),
    }
    Some(signal)
}

fn wait(machine: &mut Machine, set: *const u64, patience: Patience) -> Option<i32> {
    // SAFETY: a set of the caller; signals are its first word.
    let set = unsafe { *set };
    kernel::wait(machine, "sigwait", SIGNALS, patience, |machine| take(machine, set))
}

fn note(signal: i32, info: *mut siginfo_t) {
    if !info.is_null() {
        // SAFETY: the caller gave a place for it.
        unsafe {
            *info = std::mem::zeroed();
            (*info).si_signo = signal;
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn sigwait(set: *const u64, signal: *mut i32) -> i32 {
    let Some(machine) = watching() else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::sigwait()(set, signal) };
    };
    if let Some(taken) = wait(machine, set, Patience::Endless) {
        // SAFETY: the caller gave a place for it.
        unsafe { *signal = taken };
    }
    0
}

#[unsafe(no_mangle)]
extern "C" fn sigwaitinfo(set: *const u64, info: *mut siginfo_t) -> i32 {
    let Some(machine) = watching() else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::sigwaitinfo()(set, info) };
    };
    let taken = wait(machine, set, Patience::Endless).unwrap_or(0);
    note(taken, info);
    taken
}

#[unsafe(no_mangle)]
extern "C" fn sigtimedwait(set: *const u64, info: *mut siginfo_t, time: *const timespec) -> i32 {
    let Some(machine) = watching() else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::sigtimedwait()(set, info, time) };
    };
    match wait(machine, set, Patience::Some) {
        Some(taken) => {
            note(taken, info);
            taken
        }
        None => failed(libc::EAGAIN),
    }
}

/// Lets some signals through until one of them has been handled.
#[unsafe(no_mangle)]
extern "C" fn sigsuspend(set: *const u64) -> i32 {
    let Some(machine) = watching() else {
        // SAFETY: the real function with the caller's arguments.
        return unsafe { real::sigsuspend()(set) };
    };
    // SAFETY: a set of the caller; signals are its first word.
    suspend(machine, unsafe { *set })
}

#[unsafe(no_mangle)]
extern "C" fn pause() -> i32 {
    let Some(machine) = watching() else {
        // SAFETY: the real function.
        return unsafe { real::pause()() };
    };
    let blocked = machine.current().blocked;
    suspend(machine, blocked)
}

/// Waits until a signal was handled that is not in this set.
fn suspend(machine: &mut Machine, set: u64) -> i32 {
    let thread = machine.current();
    let before = std::mem::replace(&mut thread.blocked, set);
    thread.suspended = true;
    let look = |machine: &mut Machine| take(machine, !set);
    let taken = kernel::wait(machine, "pause", SIGNALS, Patience::Endless, look);
    machine.current().suspended = false;
    deliver(taken.unwrap_or(0));
    machine.current().blocked = before;
    failed(libc::EINTR)
}

#[unsafe(no_mangle)]
extern "C" fn signalfd(file: i32, set: *const u64, flags: i32) -> i32 {
    if let Some(machine) = watching() {
        tell::place(machine, "unsupported", &[]);
        machine.end(End::Unsupported("signalfd".to_string()));
    }
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::signalfd()(file, set, flags) }
}
