//! The functions that this library takes the place of.

use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

/// The next definition of a symbol after this library's.
pub fn find(name: &CStr) -> *mut c_void {
    // SAFETY: a name that ends with a zero byte.
    unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) }
}

/// Defines a function that gives the real function of that name.
macro_rules! real {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {$(
        pub fn $name() -> unsafe extern "C" fn($($argument),*) $(-> $result)? {
            static PLACE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
            let mut place = PLACE.load(Ordering::Relaxed);
            if place.is_null() {
                let name = concat!(stringify!($name), "\0");
                let name = CStr::from_bytes_with_nul(name.as_bytes()).expect("a name");
                place = find(name);
                assert!(!place.is_null(), "the C library has no {name:?}");
                PLACE.store(place, Ordering::Relaxed);
            }
            // SAFETY: the C library defines the function with this type.
            unsafe { std::mem::transmute(place) }
        }
    )*};
}

use libc::{
    clockid_t, pthread_attr_t, pthread_barrier_t, pthread_barrierattr_t, pthread_cond_t,
    pthread_condattr_t, pthread_key_t, pthread_mutex_t, pthread_mutexattr_t, pthread_rwlock_t,
    pthread_rwlockattr_t, pthread_spinlock_t, pthread_t, sem_t, timespec,
};

pub type Routine = extern "C" fn(*mut c_void) -> *mut c_void;
pub type Destructor = Option<unsafe extern "C" fn(*mut c_void)>;

real! {
    pthread_create: fn(*mut pthread_t, *const pthread_attr_t, Routine, *mut c_void) -> i32;
    pthread_join: fn(pthread_t, *mut *mut c_void) -> i32;
    pthread_detach: fn(pthread_t) -> i32;
    pthread_exit: fn(*mut c_void) -> !;
    pthread_mutex_init: fn(*mut pthread_mutex_t, *const pthread_mutexattr_t) -> i32;
    pthread_mutex_lock: fn(*mut pthread_mutex_t) -> i32;
    pthread_mutex_trylock: fn(*mut pthread_mutex_t) -> i32;
    pthread_mutex_timedlock: fn(*mut pthread_mutex_t, *const timespec) -> i32;
    pthread_mutex_clocklock: fn(*mut pthread_mutex_t, clockid_t, *const timespec) -> i32;
    pthread_mutex_consistent: fn(*mut pthread_mutex_t) -> i32;
    pthread_mutex_unlock: fn(*mut pthread_mutex_t) -> i32;
    pthread_cond_init: fn(*mut pthread_cond_t, *const pthread_condattr_t) -> i32;
    pthread_cond_destroy: fn(*mut pthread_cond_t) -> i32;
    pthread_cond_wait: fn(*mut pthread_cond_t, *mut pthread_mutex_t) -> i32;
    pthread_cond_timedwait: fn(*mut pthread_cond_t, *mut pthread_mutex_t, *const timespec) -> i32;
    pthread_cond_clockwait: fn(*mut pthread_cond_t, *mut pthread_mutex_t, clockid_t, *const timespec) -> i32;
    pthread_cond_signal: fn(*mut pthread_cond_t) -> i32;
    pthread_cond_broadcast: fn(*mut pthread_cond_t) -> i32;
    pthread_rwlock_init: fn(*mut pthread_rwlock_t, *const pthread_rwlockattr_t) -> i32;
    pthread_rwlock_rdlock: fn(*mut pthread_rwlock_t) -> i32;
    pthread_rwlock_tryrdlock: fn(*mut pthread_rwlock_t) -> i32;
    pthread_rwlock_timedrdlock: fn(*mut pthread_rwlock_t, *const timespec) -> i32;
    pthread_rwlock_wrlock: fn(*mut pthread_rwlock_t) -> i32;
    pthread_rwlock_trywrlock: fn(*mut pthread_rwlock_t) -> i32;
    pthread_rwlock_timedwrlock: fn(*mut pthread_rwlock_t, *const timespec) -> i32;
    pthread_rwlock_clockrdlock: fn(*mut pthread_rwlock_t, clockid_t, *const timespec) -> i32;
    pthread_rwlock_clockwrlock: fn(*mut pthread_rwlock_t, clockid_t, *const timespec) -> i32;
    pthread_rwlock_unlock: fn(*mut pthread_rwlock_t) -> i32;
    pthread_barrier_init: fn(*mut pthread_barrier_t, *const pthread_barrierattr_t, u32) -> i32;
    pthread_barrier_wait: fn(*mut pthread_barrier_t) -> i32;
    pthread_spin_init: fn(*mut pthread_spinlock_t, i32) -> i32;
    pthread_spin_lock: fn(*mut pthread_spinlock_t) -> i32;
    pthread_spin_trylock: fn(*mut pthread_spinlock_t) -> i32;
    pthread_spin_unlock: fn(*mut pthread_spinlock_t) -> i32;
    pthread_once: fn(*mut i32, extern "C" fn()) -> i32;
    pthread_key_create: fn(*mut pthread_key_t, Destructor) -> i32;
    pthread_key_delete: fn(pthread_key_t) -> i32;
    sem_init: fn(*mut sem_t, i32, u32) -> i32;
    sem_wait: fn(*mut sem_t) -> i32;
    sem_trywait: fn(*mut sem_t) -> i32;
    sem_timedwait: fn(*mut sem_t, *const timespec) -> i32;
    sem_clockwait: fn(*mut sem_t, clockid_t, *const timespec) -> i32;
    sem_post: fn(*mut sem_t) -> i32;
    sem_getvalue: fn(*mut sem_t, *mut i32) -> i32;
    sched_yield: fn() -> i32;
    usleep: fn(u32) -> i32;
    sleep: fn(u32) -> u32;
    nanosleep: fn(*const timespec, *mut timespec) -> i32;
    clock_nanosleep: fn(clockid_t, i32, *const timespec, *mut timespec) -> i32;
    exit: fn(i32) -> !;
    _exit: fn(i32) -> !;
    abort: fn() -> !;
    __cxa_guard_acquire: fn(*mut u8) -> i32;
    __cxa_guard_release: fn(*mut u8);
    __cxa_guard_abort: fn(*mut u8);
    open: fn(*const i8, i32, u32) -> i32;
    open64: fn(*const i8, i32, u32) -> i32;
    openat: fn(i32, *const i8, i32, u32) -> i32;
    openat64: fn(i32, *const i8, i32, u32) -> i32;
    fopen: fn(*const i8, *const i8) -> *mut c_void;
    fopen64: fn(*const i8, *const i8) -> *mut c_void;
    read: fn(i32, *mut c_void, usize) -> isize;
    write: fn(i32, *const c_void, usize) -> isize;
    pause: fn() -> i32;
    sigwait: fn(*const u64, *mut i32) -> i32;
    sigwaitinfo: fn(*const u64, *mut libc::siginfo_t) -> i32;
    sigtimedwait: fn(*const u64, *mut libc::siginfo_t, *const timespec) -> i32;
    sigsuspend: fn(*const u64) -> i32;
    pthread_sigmask: fn(i32, *const u64, *mut u64) -> i32;
    sigprocmask: fn(i32, *const u64, *mut u64) -> i32;
    sigpending: fn(*mut u64) -> i32;
    raise: fn(i32) -> i32;
    kill: fn(i32, i32) -> i32;
    pthread_kill: fn(pthread_t, i32) -> i32;
    pipe: fn(*mut i32) -> i32;
    pipe2: fn(*mut i32, i32) -> i32;
    eventfd: fn(u32, i32) -> i32;
    epoll_create: fn(i32) -> i32;
    epoll_create1: fn(i32) -> i32;
    timerfd_create: fn(i32, i32) -> i32;
    signalfd: fn(i32, *const u64, i32) -> i32;
    socket: fn(i32, i32, i32) -> i32;
    socketpair: fn(i32, i32, i32, *mut i32) -> i32;
    readv: fn(i32, *const libc::iovec, i32) -> isize;
    writev: fn(i32, *const libc::iovec, i32) -> isize;
    recv: fn(i32, *mut c_void, usize, i32) -> isize;
    send: fn(i32, *const c_void, usize, i32) -> isize;
    recvfrom: fn(i32, *mut c_void, usize, i32, *mut c_void, *mut u32) -> isize;
    sendto: fn(i32, *const c_void, usize, i32, *const c_void, u32) -> isize;
    recvmsg: fn(i32, *mut libc::msghdr, i32) -> isize;
    sendmsg: fn(i32, *const libc::msghdr, i32) -> isize;
    accept: fn(i32, *mut c_void, *mut u32) -> i32;
    accept4: fn(i32, *mut c_void, *mut u32, i32) -> i32;
    connect: fn(i32, *const c_void, u32) -> i32;
    close: fn(i32) -> i32;
    shutdown: fn(i32, i32) -> i32;
    epoll_ctl: fn(i32, i32, i32, *mut c_void) -> i32;
    epoll_wait: fn(i32, *mut c_void, i32, i32) -> i32;
    epoll_pwait: fn(i32, *mut c_void, i32, i32, *const u64) -> i32;
    poll: fn(*mut libc::pollfd, libc::nfds_t, i32) -> i32;
    ppoll: fn(*mut libc::pollfd, libc::nfds_t, *const timespec, *const u64) -> i32;
    select: fn(i32, *mut libc::fd_set, *mut libc::fd_set, *mut libc::fd_set, *mut libc::timeval) -> i32;
    eventfd_read: fn(i32, *mut u64) -> i32;
    eventfd_write: fn(i32, u64) -> i32;
    free: fn(*mut c_void);
    realloc: fn(*mut c_void, usize) -> *mut c_void;
    fork: fn() -> i32;
    gettid: fn() -> i32;
    sched_setaffinity: fn(i32, usize, *const c_void) -> i32;
    sched_setscheduler: fn(i32, i32, *const c_void) -> i32;
    sched_setparam: fn(i32, *const c_void) -> i32;
    setpriority: fn(i32, u32, i32) -> i32;
    unshare: fn(i32) -> i32;
    setns: fn(i32, i32) -> i32;
    pthread_setaffinity_np: fn(pthread_t, usize, *const c_void) -> i32;
    pthread_setschedparam: fn(pthread_t, i32, *const c_void) -> i32;
    pthread_setschedprio: fn(pthread_t, i32) -> i32;
    pthread_getcpuclockid: fn(pthread_t, *mut i32) -> i32;
    posix_spawn: fn(*mut i32, *const i8, *const c_void, *const c_void, *const *mut i8, *const *mut i8) -> i32;
    posix_spawnp: fn(*mut i32, *const i8, *const c_void, *const c_void, *const *mut i8, *const *mut i8) -> i32;
    system: fn(*const i8) -> i32;
    popen: fn(*const i8, *const i8) -> *mut c_void;
    execve: fn(*const i8, *const *const i8, *const *const i8) -> i32;
    execv: fn(*const i8, *const *const i8) -> i32;
    execvp: fn(*const i8, *const *const i8) -> i32;
    execvpe: fn(*const i8, *const *const i8, *const *const i8) -> i32;
    fexecve: fn(i32, *const *const i8, *const *const i8) -> i32;
    sigaction: fn(i32, *const libc::sigaction, *mut libc::sigaction) -> i32;
    signal: fn(i32, usize) -> usize;
    sigaltstack: fn(*const libc::stack_t, *mut libc::stack_t) -> i32;
    syscall: fn(i64, i64, i64, i64, i64, i64, i64) -> i64;
    __libc_start_main: fn(MainFunction, i32, *mut *mut i8, *mut c_void, *mut c_void, *mut c_void, *mut c_void) -> i32;
}

pub type MainFunction = extern "C" fn(i32, *mut *mut i8, *mut *mut i8) -> i32;
