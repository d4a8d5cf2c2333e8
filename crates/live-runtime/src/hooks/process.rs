//! What concerns the whole process: ends, faults, time, sleep, futexes.

use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::Ordering;

use exeunt_model::{Access, Action, End, MemoryOrder, Operation, Property, Reply};
use libc::{clockid_t, timespec, timeval};

use super::{access, atomic, cancel, instrumented, one};
use crate::machine::{Machine, fault, machine};
use crate::{real, snapshot, tell, watch};

// --- giving way ---------------------------------------------------------------

/// Gives others a turn; what follows may look at memory that they change.
fn give_way(machine: &mut Machine, verb: &str) {
    tell::place(machine, verb, &[]);
    let point = if verb == "sleep" { cancel::point(machine) } else { None };
    cancel::obey(machine.reach(Operation::of_everything().and(point)));
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn sched_yield() -> i32 {
    match machine() {
        Some(machine) => {
            give_way(machine, "yield");
            0
        }
        // SAFETY: the real function.
        None => unsafe { real::sched_yield()() },
    }
}

#[unsafe(no_mangle)]
extern "C" fn usleep(time: u32) -> i32 {
    match machine() {
        Some(machine) => {
            give_way(machine, "sleep");
            0
        }
        // SAFETY: the real function with the caller's arguments.
        None => unsafe { real::usleep()(time) },
    }
}

#[unsafe(no_mangle)]
extern "C" fn sleep(time: u32) -> u32 {
    match machine() {
        Some(machine) => {
            give_way(machine, "sleep");
            0
        }
        // SAFETY: the real function with the caller's arguments.
        None => unsafe { real::sleep()(time) },
    }
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn nanosleep(time: *const timespec, left: *mut timespec) -> i32 {
    match machine() {
        Some(machine) => {
            give_way(machine, "sleep");
            0
        }
        // SAFETY: the real function with the caller's arguments.
        None => unsafe { real::nanosleep()(time, left) },
    }
}

#[unsafe(no_mangle)]
extern "C" fn clock_nanosleep(
    clock: clockid_t,
    flags: i32,
    time: *const timespec,
    left: *mut timespec,
) -> i32 {
    match machine() {
        Some(machine) => {
            give_way(machine, "sleep");
            0
        }
        // SAFETY: the real function with the caller's arguments.
        None => unsafe { real::clock_nanosleep()(clock, flags, time, left) },
    }
}

// --- the end ------------------------------------------------------------------

/// Waits for its turn to end the program, if others still run.
fn about_to_exit(machine: &mut Machine, code: i32) {
    machine.world.exit_code = code;
    if machine.exploring && !machine.is_alone() {
        tell::place(machine, "exit", &[]);
        machine.reach(Operation::exit());
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn exit(code: i32) -> ! {
    if let Some(machine) = machine() {
        about_to_exit(machine, code);
    }
    // SAFETY: runs the handlers; the first one registered is `last_handler`.
    unsafe { real::exit()(code) }
}

/// Runs after all handlers and destructors of the program.
pub extern "C" fn last_handler() {
    if let Some(machine) = machine() {
        let code = machine.world.exit_code;
        machine.end(End::Exited { code });
    }
}

#[unsafe(no_mangle)]
extern "C" fn _exit(code: i32) -> ! {
    let Some(machine) = machine() else { tell::leave(code) };
    about_to_exit(machine, code);
    machine.end(End::Exited { code })
}

#[unsafe(no_mangle)]
extern "C" fn _Exit(code: i32) -> ! {
    _exit(code)
}

#[unsafe(no_mangle)]
extern "C" fn abort() -> ! {
    if machine().is_some() {
        fault(Property::Assertion, "the program aborts");
    }
    // SAFETY: the real function.
    unsafe { real::abort()() }
}

#[unsafe(no_mangle)]
extern "C" fn __assert_fail(text: *const c_char, _: *const c_char, _: u32, _: *const c_char) -> ! {
    // SAFETY: `assert` passes the text of the condition.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    if machine().is_some() {
        fault(Property::Assertion, format!("assertion failed: {text}"));
    }
    // SAFETY: the real function.
    unsafe { real::abort()() }
}

pub(super) fn unsupported(what: &str) {
    if let Some(machine) = machine() {
        tell::place(machine, "unsupported", &[]);
        machine.end(End::Unsupported(what.to_string()));
    }
}

#[unsafe(no_mangle)]
extern "C" fn fork() -> i32 {
    unsupported("fork");
    // SAFETY: the real function.
    unsafe { real::fork()() }
}

#[unsafe(no_mangle)]
extern "C" fn vfork() -> i32 {
    unsupported("vfork");
    // SAFETY: the real function; one that copies memory is as good.
    unsafe { real::fork()() }
}

/// Functions that start other programs. What these do is not known here.
macro_rules! starts_programs {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $kind),*) -> $result {
            unsupported(stringify!($name));
            // SAFETY: the real function with the caller's arguments.
            unsafe { real::$name()($($argument),*) }
        }
    )*};
}

starts_programs! {
    posix_spawn(id: *mut i32, path: *const i8, actions: *const c_void, attributes: *const c_void, arguments: *const *mut i8, environment: *const *mut i8) -> i32;
    posix_spawnp(id: *mut i32, path: *const i8, actions: *const c_void, attributes: *const c_void, arguments: *const *mut i8, environment: *const *mut i8) -> i32;
    system(command: *const i8) -> i32;
    popen(command: *const i8, mode: *const i8) -> *mut c_void;
    execve(path: *const i8, arguments: *const *const i8, environment: *const *const i8) -> i32;
    execv(path: *const i8, arguments: *const *const i8) -> i32;
    execvp(path: *const i8, arguments: *const *const i8) -> i32;
    execvpe(path: *const i8, arguments: *const *const i8, environment: *const *const i8) -> i32;
    fexecve(file: i32, arguments: *const *const i8, environment: *const *const i8) -> i32;
}

/// The same with any number of arguments, which cannot be passed on.
macro_rules! starts_with_lists {
    ($($name:ident)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(_: *const i8) -> i32 {
            unsupported(stringify!($name));
            failed(libc::ENOSYS) as i32
        }
    )*};
}

starts_with_lists! { execl execlp execle }

/// `exeunt_choose` of `exeunt.h`: one of 0 to n - 1, and every one is tried.
#[unsafe(no_mangle)]
extern "C" fn exeunt_live_choose(count: i32) -> i32 {
    let Some(machine) = machine().filter(|_| count > 1) else { return 0 };
    tell::place(machine, "choose", &[]);
    match machine.reach(Operation::choice(count as u32)) {
        Reply::Value(value) => value as i32,
        _ => 0,
    }
}

/// `exeunt_atomic_begin`: up to its end no other thread runs, unless this one
/// waits. What it accesses is not told apart, so the order of the whole with
/// every other step matters.
#[unsafe(no_mangle)]
extern "C" fn exeunt_live_atomic_begin() {
    let Some(machine) = machine() else { return };
    if machine.races {
        tell::once(machine, "coarse");
    }
    if machine.current().blocks == 0 && machine.world.threads.len() > 1 {
        give_way(machine, "atomic");
    }
    machine.current().blocks += 1;
}

#[unsafe(no_mangle)]
extern "C" fn exeunt_live_atomic_end() {
    let Some(machine) = machine() else { return };
    machine.current().blocks = machine.current().blocks.saturating_sub(1);
    if machine.current().blocks == 0 && machine.world.threads.len() > 1 {
        give_way(machine, "atomic-end");
    }
}

// --- signals ------------------------------------------------------------------

/// The signals that mean that the program went wrong.
pub(super) const FATAL: [i32; 7] = [
    libc::SIGSYS,
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGTRAP,
    libc::SIGABRT,
];

extern "C" fn crashed(signal: i32, info: *mut libc::siginfo_t, context: *mut c_void) {
    if signal == libc::SIGSYS {
        // SAFETY: the context of this handler.
        return unsafe { snapshot::stopped(context.cast()) };
    }
    // SAFETY: the context of this handler, which has a stack of its own.
    if signal == libc::SIGILL && unsafe { atomic::met(context.cast()) } {
        return;
    }
    // SAFETY: the kernel gives the information for these signals.
    let address = unsafe { (*info).si_addr() } as usize;
    if signal == libc::SIGSEGV
        && snapshot::snapshot().is_some_and(|snapshot| snapshot.write(address))
    {
        return;
    }
    if watch::ASKING.load(Ordering::Relaxed) {
        tell::line(&format!("wrong a function that a formula asks ends by signal {signal}"));
        tell::leave(0);
    }
    if let Some(machine) = machine().filter(|machine| machine.caught.contains(&signal)) {
        tell::place(machine, "unsupported", &[]);
        machine.end(End::Unsupported(format!("a program that catches signal {signal}")));
    }
    let near = if address < 4096 { "a null pointer is used" } else { "an invalid address is used" };
    let (property, message) = match signal {
        libc::SIGSEGV | libc::SIGBUS => {
            (Property::Memory, format!("{near} ({address:#x}, signal {signal})"))
        }
        libc::SIGFPE => (Property::Undefined, "an arithmetic error, as a division by zero".into()),
        libc::SIGABRT => (Property::Assertion, "the program aborts".to_string()),
        _ => (Property::Undefined, format!("the program is stopped by signal {signal}")),
    };
    fault(property, message)
}

/// Takes the fatal signals, on a stack of their own.
pub fn watch_signals() {
    let size = 1 << 16;
    let memory = Box::leak(vec![0u8; size].into_boxed_slice());
    let stack = libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: size };
    // SAFETY: the stack is fresh memory; the handler has the right type.
    unsafe {
        real::sigaltstack()(&stack, std::ptr::null_mut());
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = crashed as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
        for signal in FATAL {
            real::sigaction()(signal, &action, std::ptr::null_mut());
        }
    }
}

/// The program has a handler of its own for a fatal signal: what happens then
/// is not known here.
fn catches(signal: i32, handler: usize) {
    if let Some(machine) = machine().filter(|_| handler != libc::SIG_DFL) {
        machine.caught.push(signal);
    }
}

#[unsafe(no_mangle)]
extern "C" fn sigaction(
    signal: i32,
    action: *const libc::sigaction,
    old: *mut libc::sigaction,
) -> i32 {
    // A program that catches its own crashes would hide them from us.
    let mut action = action;
    if machine().is_some() && FATAL.contains(&signal) {
        // SAFETY: the caller's own structure.
        if let Some(action) = unsafe { action.as_ref() } {
            catches(signal, action.sa_sigaction);
        }
        action = std::ptr::null();
    }
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::sigaction()(signal, action, old) }
}

#[unsafe(no_mangle)]
extern "C" fn signal(signal: i32, handler: usize) -> usize {
    if machine().is_some() && FATAL.contains(&signal) {
        catches(signal, handler);
        return libc::SIG_DFL;
    }
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::signal()(signal, handler) }
}

/// Threads share one kernel thread here, so none may change its signal stack.
#[unsafe(no_mangle)]
extern "C" fn sigaltstack(stack: *const libc::stack_t, old: *mut libc::stack_t) -> i32 {
    if machine().is_some() {
        if !old.is_null() {
            // SAFETY: the caller gave a place for it.
            unsafe { *old = std::mem::zeroed() };
        }
        return 0;
    }
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::sigaltstack()(stack, old) }
}

// --- time: the same in every run ------------------------------------------------

/// When every run begins, in seconds since 1970.
const BEGINNING: i64 = 1_700_000_000;

/// Milliseconds since the beginning. Each question of a thread takes one.
fn tick(machine: &mut Machine) -> u64 {
    machine.current().ticks += 1;
    machine.current().ticks
}

#[unsafe(no_mangle)]
extern "C" fn clock_gettime(clock: clockid_t, place: *mut timespec) -> i32 {
    let Some(machine) = machine().filter(|machine| !machine.in_engine()) else {
        // SAFETY: the system call with the caller's arguments.
        return unsafe { libc::syscall(libc::SYS_clock_gettime, clock, place) as i32 };
    };
    let ticks = tick(machine);
    // SAFETY: the caller gave a place for it.
    unsafe {
        (*place).tv_sec = BEGINNING + (ticks / 1000) as i64;
        (*place).tv_nsec = (ticks % 1000) as i64 * 1_000_000;
    }
    0
}

#[unsafe(no_mangle)]
extern "C" fn gettimeofday(place: *mut timeval, _: *mut c_void) -> i32 {
    let mut time = timespec { tv_sec: 0, tv_nsec: 0 };
    let code = clock_gettime(libc::CLOCK_REALTIME, &mut time);
    // SAFETY: the caller gave a place for it.
    unsafe { *place = timeval { tv_sec: time.tv_sec, tv_usec: time.tv_nsec / 1000 } };
    code
}

#[unsafe(no_mangle)]
extern "C" fn time(place: *mut libc::time_t) -> libc::time_t {
    let mut time = timespec { tv_sec: 0, tv_nsec: 0 };
    clock_gettime(libc::CLOCK_REALTIME, &mut time);
    if !place.is_null() {
        // SAFETY: the caller gave a place for it.
        unsafe { *place = time.tv_sec };
    }
    time.tv_sec
}

/// Bytes that are the same in every run.
pub(super) fn fill(place: *mut u8, size: usize) {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    for index in 0..size {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        // SAFETY: the caller gave a place of that size.
        unsafe { *place.add(index) = (state >> 33) as u8 };
    }
}

#[unsafe(no_mangle)]
extern "C" fn getrandom(place: *mut u8, size: usize, flags: u32) -> isize {
    if machine().is_some() {
        fill(place, size);
        return size as isize;
    }
    // SAFETY: the system call with the caller's arguments.
    unsafe { libc::syscall(libc::SYS_getrandom, place, size, flags) as isize }
}

#[unsafe(no_mangle)]
extern "C" fn getentropy(place: *mut u8, size: usize) -> i32 {
    getrandom(place, size, 0);
    0
}

/// The runs are made by different processes; the program sees one.
#[unsafe(no_mangle)]
extern "C" fn getpid() -> i32 {
    match machine() {
        Some(machine) => machine.process,
        // SAFETY: a system call without arguments.
        None => unsafe { libc::syscall(libc::SYS_getpid) as i32 },
    }
}

// --- futexes ------------------------------------------------------------------

fn failed(code: i32) -> i64 {
    // SAFETY: the place of `errno` of the present thread.
    unsafe { *libc::__errno_location() = code };
    -1
}

/// The operations that are not known here, by their names.
const FUTEX_NAMES: [(i64, &str); 9] = [
    (3, "FUTEX_REQUEUE"),
    (4, "FUTEX_CMP_REQUEUE"),
    (5, "FUTEX_WAKE_OP"),
    (6, "FUTEX_LOCK_PI"),
    (7, "FUTEX_UNLOCK_PI"),
    (8, "FUTEX_TRYLOCK_PI"),
    (11, "FUTEX_WAIT_REQUEUE_PI"),
    (12, "FUTEX_CMP_REQUEUE_PI"),
    (13, "FUTEX_LOCK_PI2"),
];

fn futex(
    machine: &mut Machine,
    word: usize,
    operation: i64,
    value: i64,
    time: i64,
    bits: i64,
) -> i64 {
    if matches!(operation & 127, 9 | 10) && bits as u32 != u32::MAX {
        unsupported("a futex with a bit set");
    }
    match operation & 127 {
        // FUTEX_WAIT, FUTEX_WAIT_BITSET
        0 | 9 => {
            tell::place(machine, "futex_wait", &[word]);
            let enter = access(machine, word, Action::FutexEnter);
            // It also reads the word, which others may be about to write.
            let read = Access {
                object: instrumented::word(word >> 3),
                action: Action::AtomicRead(MemoryOrder::Relaxed),
                birth: 15 << (word & 7),
            };
            machine.reach(Operation::on(&[enter, read]));
            // SAFETY: the word is the caller's.
            if unsafe { *(word as *const u32) } != value as u32 {
                return failed(libc::EAGAIN);
            }
            let action = if time == 0 { Action::Wake } else { Action::TimedWake };
            match one(machine, "futex_wake", word, action) {
                Reply::Busy => failed(libc::ETIMEDOUT),
                _ => 0,
            }
        }
        // FUTEX_WAKE, FUTEX_WAKE_BITSET
        1 | 10 => {
            let most = u16::try_from(value as u32).unwrap_or(u16::MAX);
            match one(machine, "futex_signal", word, Action::FutexWake(most)) {
                Reply::Value(woken) => i64::from(woken),
                _ => 0,
            }
        }
        other => {
            let known = FUTEX_NAMES.iter().find(|(number, _)| *number == other);
            let name = known.map_or_else(|| other.to_string(), |(_, name)| name.to_string());
            tell::place(machine, "unsupported", &[]);
            machine.end(End::Unsupported(format!("futex operation {name}")));
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn syscall(number: i64, a: i64, b: i64, c: i64, d: i64, e: i64, f: i64) -> i64 {
    if number == libc::SYS_futex
        && let Some(machine) = machine().filter(|machine| !machine.in_engine())
    {
        return futex(machine, a as usize, b, c, d, f);
    }
    if number == libc::SYS_gettid {
        super::identity::needed();
    }
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::syscall()(number, a, b, c, d, e, f) }
}
