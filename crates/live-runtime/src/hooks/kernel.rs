//! System calls through which threads wait for each other: pipes, sockets,
//! events, and waiting for several of them.
//!
//! Threads share one kernel thread, so none may wait in the kernel. A call that
//! could wait is made only if it does not; otherwise its thread waits here until
//! another thread has made a call that may change that, and looks again. All these
//! calls are dependent on each other. What comes from outside of the program is
//! not waited for: where no thread can move and one waits here, nothing is said
//! about the program.
//!
//! What was created before the first run would be shared by all runs, so the
//! exploration begins at the beginning of `main` in such programs.

use std::ffi::c_void;

use exeunt_model::{Access, Action, MemoryOrder, ObjectId, Operation, Reply};
use libc::{fd_set, iovec, msghdr, nfds_t, pollfd, timespec, timeval};

use super::{cancel, files};
use crate::machine::{Machine, machine};
use crate::{real, tell};

/// Objects of ours begin here; those of the program are addresses.
pub const FIRST: u64 = 1 << 60;
const KERNEL: u64 = FIRST;

fn access(object: u64, action: Action, birth: u32) -> Access {
    Access { object: ObjectId(object), action, birth }
}

/// What is behind an object, in order for all threads.
fn content(object: u64) -> Access {
    access(object + 1, Action::AtomicUpdate(MemoryOrder::Both), 255)
}

/// How long a call waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    None,
    Some,
    Endless,
}

/// A step that may end waits.
pub(super) fn stir(machine: &mut Machine, verb: &str, object: u64) {
    tell::place(machine, verb, &[]);
    let wake = access(object, Action::FutexWake(u16::MAX), 0);
    machine.reach(Operation::on(&[wake, content(object)]));
}

/// Looks, and waits for the next step that may change what is seen, until it is
/// there or the time is over.
pub(super) fn wait<T>(
    machine: &mut Machine,
    verb: &str,
    object: u64,
    patience: Patience,
    mut look: impl FnMut(&mut Machine) -> Option<T>,
) -> Option<T> {
    loop {
        tell::place(machine, verb, &[]);
        let enter = access(object, Action::FutexEnter, 0);
        machine.reach(Operation::on(&[enter, content(object)]));
        if let Some(seen) = look(machine) {
            return Some(seen);
        }
        let action = match patience {
            Patience::None => return None,
            Patience::Some => Action::TimedWake,
            Patience::Endless => Action::Wake,
        };
        tell::place(machine, "kernel-wait", &[]);
        let point = cancel::point(machine);
        let reply = machine.reach(Operation::on(&[access(object, action, 0)]).and(point));
        cancel::obey(reply);
        if reply == Reply::Busy {
            return None;
        }
    }
}

/// The machine, if what a thread asks the kernel for concerns others.
fn watching() -> Option<&'static mut Machine> {
    machine().filter(|machine| machine.exploring && !machine.in_engine() && !machine.is_alone())
}

/// The same for a file through which threads can wait for each other.
fn channel(file: i32) -> Option<&'static mut Machine> {
    let machine = watching().filter(|_| file > 2)?;
    // SAFETY: asks for the kind of a file.
    let kind = unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        if libc::fstat(file, &mut stat) != 0 {
            return None;
        }
        stat.st_mode & libc::S_IFMT
    };
    // Events, timers and the like have no kind at all.
    matches!(kind, libc::S_IFIFO | libc::S_IFSOCK | 0).then_some(machine)
}

/// Whether a call on this file would not wait.
fn is_ready(file: i32, events: i16) -> bool {
    let mut one = pollfd { fd: file, events, revents: 0 };
    // SAFETY: one valid entry, and no time.
    unsafe { real::poll()(&mut one, 1, 0) != 0 }
}

fn is_patient(file: i32) -> bool {
    // SAFETY: asks for the flags of a file.
    unsafe { libc::fcntl(file, libc::F_GETFL) & libc::O_NONBLOCK == 0 }
}

/// Waits until something can be read.
fn before_reading(file: i32, verb: &str) {
    let Some(machine) = channel(file) else { return };
    if !is_patient(file) {
        return stir(machine, verb, KERNEL);
    }
    wait(machine, verb, KERNEL, Patience::Endless, |_| is_ready(file, libc::POLLIN).then_some(()));
    // A writer may wait for the room that reading makes.
    if let Some(machine) = channel(file) {
        stir(machine, verb, KERNEL);
    }
}

/// Waits until something can be written, which others may wait for.
fn before_writing(file: i32, verb: &str) {
    let Some(machine) = channel(file) else { return };
    stir(machine, verb, KERNEL);
    if is_patient(file) && !is_ready(file, libc::POLLOUT) {
        let look = |_: &mut Machine| is_ready(file, libc::POLLOUT).then_some(());
        wait(machine, verb, KERNEL, Patience::Endless, look);
    }
}

/// The exploration has to begin before this is created.
fn creates() {
    if let Some(machine) = machine().filter(|machine| !machine.exploring) {
        tell::needs_of(machine, "early");
    }
}

macro_rules! creating {
    ($($name:ident($($argument:ident: $kind:ty),*);)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $kind),*) -> i32 {
            creates();
            // SAFETY: the real function with the caller's arguments.
            unsafe { real::$name()($($argument),*) }
        }
    )*};
}

creating! {
    pipe(files: *mut i32);
    pipe2(files: *mut i32, flags: i32);
    eventfd(value: u32, flags: i32);
    epoll_create(size: i32);
    epoll_create1(flags: i32);
    timerfd_create(clock: i32, flags: i32);
    socket(domain: i32, kind: i32, protocol: i32);
    socketpair(domain: i32, kind: i32, protocol: i32, files: *mut i32);
}

macro_rules! reading {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(file: i32, $($argument: $kind),*) -> $result {
            before_reading(file, stringify!($name));
            // SAFETY: the real function with the caller's arguments.
            unsafe { real::$name()(file, $($argument),*) }
        }
    )*};
}

reading! {
    readv(parts: *const iovec, count: i32) -> isize;
    recv(place: *mut c_void, size: usize, flags: i32) -> isize;
    recvfrom(place: *mut c_void, size: usize, flags: i32, from: *mut c_void, length: *mut u32) -> isize;
    recvmsg(message: *mut msghdr, flags: i32) -> isize;
    accept(address: *mut c_void, length: *mut u32) -> i32;
    accept4(address: *mut c_void, length: *mut u32, flags: i32) -> i32;
    eventfd_read(value: *mut u64) -> i32;
}

macro_rules! writing {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(file: i32, $($argument: $kind),*) -> $result {
            before_writing(file, stringify!($name));
            // SAFETY: the real function with the caller's arguments.
            unsafe { real::$name()(file, $($argument),*) }
        }
    )*};
}

writing! {
    writev(parts: *const iovec, count: i32) -> isize;
    send(place: *const c_void, size: usize, flags: i32) -> isize;
    sendto(place: *const c_void, size: usize, flags: i32, to: *const c_void, length: u32) -> isize;
    sendmsg(message: *const msghdr, flags: i32) -> isize;
    eventfd_write(value: u64) -> i32;
}

/// Calls that others may wait for and that never wait.
macro_rules! stirring {
    ($($name:ident($($argument:ident: $kind:ty),*);)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(file: i32, $($argument: $kind),*) -> i32 {
            if let Some(machine) = channel(file) {
                stir(machine, stringify!($name), KERNEL);
            }
            // SAFETY: the real function with the caller's arguments.
            unsafe { real::$name()(file, $($argument),*) }
        }
    )*};
}

stirring! {
    close();
    shutdown(how: i32);
    connect(address: *const c_void, length: u32);
    epoll_ctl(operation: i32, other: i32, event: *mut c_void);
}

#[unsafe(no_mangle)]
extern "C" fn read(file: i32, place: *mut c_void, size: usize) -> isize {
    cancel::test("read_file");
    files::reads(file);
    before_reading(file, "read_file");
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::read()(file, place, size) }
}

#[unsafe(no_mangle)]
extern "C" fn write(file: i32, place: *const c_void, size: usize) -> isize {
    cancel::test("write_file");
    before_writing(file, "write_file");
    // SAFETY: the real function with the caller's arguments.
    unsafe { real::write()(file, place, size) }
}

// --- waiting for one of several ---------------------------------------------------

fn patience(milliseconds: i32) -> Patience {
    match milliseconds {
        0 => Patience::None,
        1.. => Patience::Some,
        _ => Patience::Endless,
    }
}

/// Asks without waiting, until there is an answer other than "nothing".
fn several(verb: &str, patience: Patience, mut ask: impl FnMut() -> i32) -> Option<i32> {
    let machine = watching()?;
    let look = |_: &mut Machine| Some(ask()).filter(|count| *count != 0);
    Some(wait(machine, verb, KERNEL, patience, look).unwrap_or(0))
}

#[unsafe(no_mangle)]
extern "C" fn poll(files: *mut pollfd, count: nfds_t, time: i32) -> i32 {
    // SAFETY: the real function with the caller's arguments, but without waiting.
    let ask = || unsafe { real::poll()(files, count, 0) };
    // SAFETY: the real function with the caller's arguments.
    several("poll", patience(time), ask)
        .unwrap_or_else(|| unsafe { real::poll()(files, count, time) })
}

#[unsafe(no_mangle)]
extern "C" fn ppoll(
    files: *mut pollfd,
    count: nfds_t,
    time: *const timespec,
    mask: *const u64,
) -> i32 {
    // SAFETY: the real function with the caller's arguments, but without waiting.
    let ask = || unsafe { real::poll()(files, count, 0) };
    // SAFETY: a time of the caller, if there is one.
    let patience = match unsafe { time.as_ref() } {
        None => Patience::Endless,
        Some(time) if time.tv_sec == 0 && time.tv_nsec == 0 => Patience::None,
        Some(_) => Patience::Some,
    };
    // SAFETY: the real function with the caller's arguments.
    several("poll", patience, ask)
        .unwrap_or_else(|| unsafe { real::ppoll()(files, count, time, mask) })
}

#[unsafe(no_mangle)]
extern "C" fn epoll_wait(file: i32, events: *mut c_void, count: i32, time: i32) -> i32 {
    // SAFETY: the real function with the caller's arguments, but without waiting.
    let ask = || unsafe { real::epoll_wait()(file, events, count, 0) };
    // SAFETY: the real function with the caller's arguments.
    several("epoll_wait", patience(time), ask)
        .unwrap_or_else(|| unsafe { real::epoll_wait()(file, events, count, time) })
}

#[unsafe(no_mangle)]
extern "C" fn epoll_pwait(
    file: i32,
    events: *mut c_void,
    count: i32,
    time: i32,
    mask: *const u64,
) -> i32 {
    // SAFETY: the real function with the caller's arguments, but without waiting.
    let ask = || unsafe { real::epoll_wait()(file, events, count, 0) };
    // SAFETY: the real function with the caller's arguments.
    several("epoll_wait", patience(time), ask)
        .unwrap_or_else(|| unsafe { real::epoll_pwait()(file, events, count, time, mask) })
}

#[unsafe(no_mangle)]
extern "C" fn select(
    count: i32,
    reads: *mut fd_set,
    writes: *mut fd_set,
    errors: *mut fd_set,
    time: *mut timeval,
) -> i32 {
    let places = [reads, writes, errors];
    // SAFETY: sets of the caller; the real function clears what is not ready.
    let kept = places.map(|place| unsafe { place.as_ref() }.copied());
    let ask = || {
        for (place, set) in places.iter().zip(&kept) {
            if let Some(set) = set {
                // SAFETY: as above.
                unsafe { **place = *set };
            }
        }
        let mut now = timeval { tv_sec: 0, tv_usec: 0 };
        // SAFETY: the real function with the caller's sets and no time.
        unsafe { real::select()(count, reads, writes, errors, &mut now) }
    };
    // SAFETY: a time of the caller, if there is one.
    let patience = match unsafe { time.as_ref() } {
        None => Patience::Endless,
        Some(time) if time.tv_sec == 0 && time.tv_usec == 0 => Patience::None,
        Some(_) => Patience::Some,
    };
    // SAFETY: the real function with the caller's arguments.
    several("select", patience, ask)
        .unwrap_or_else(|| unsafe { real::select()(count, reads, writes, errors, time) })
}
