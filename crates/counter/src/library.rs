//! What functions without a body do to locks and threads.
//!
//! A function that is not here, and that the user did not name, may write to
//! every shared variable.

use crate::Mode;

/// What a call means to an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Takes the lock behind its first argument; may it fail to? `again` says what happens
    /// if the thread has it already.
    Lock {
        mode: Mode,
        may_fail: bool,
        bytes: u32,
        again: Again,
    },
    Unlock {
        bytes: u32,
    },
    /// Gives the lock behind its second argument back, waits for the condition behind the first one, perhaps
    /// for some time only, and takes the lock again.
    CondWait {
        timed: bool,
    },
    /// Wakes those that wait for the condition behind its argument.
    CondSignal,
    /// Makes or ends a lock: whoever holds it holds nothing afterwards.
    LockLife {
        bytes: u32,
    },
    /// Waits for others, and that is all; its answer is arbitrary or zero.
    Blocks {
        answers_zero: bool,
    },
    /// Has no effect on variables of the program; its answer is zero, or one that is not known.
    Pure {
        answers_zero: bool,
    },
    /// The same; every answer is possible.
    Nondet,
    /// The answer is an object of its own, full of zeros perhaps.
    Allocates {
        zeroed: bool,
    },
    /// Writes behind its pointer arguments, and nowhere else.
    WritesArguments,
    /// The same, after another thread has ended.
    Joins,
    /// Starts its third argument as a thread; `thrd_create`: its second.
    Create {
        routine: usize,
        argument: usize,
    },
    /// The thread does not go on; with it the whole program, perhaps.
    Ends {
        program: bool,
    },
    /// Runs in which its argument is zero end there.
    Assume,
    /// One of 0 to n - 1.
    Choose,
    /// Asks whether the variable behind its argument has to be made, or waits until it was.
    GuardAcquire,
    /// Says that it was made.
    GuardRelease,
    /// What is between two of these happens at once, which we do not use.
    AtomicBlock,
    /// Makes locks of another kind: recursive ones, robust ones.
    ChangesLocks {
        robust: bool,
    },
    /// Does something to the list behind the argument with this number.
    List {
        op: ListOp,
        list: usize,
    },
    /// The semaphore behind its first argument.
    Semaphore(SemOp),
    /// Changes the variable behind its first argument at once, and returns the new value or
    /// the old one.
    Interlocked(Interlocked),
}

/// What happens to the length of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListOp {
    /// It is empty afterwards.
    Init,
    /// One more; the element is the other argument.
    Push,
    /// One less, if there is one: the answer is the element, or null.
    Pop,
    /// The same, but the answer is never null.
    PopAlways,
    /// One less, if there is one.
    Drop,
    /// The argument is an element, which leaves its list.
    Remove,
    /// The argument is an element, which goes from its list to that of the second one.
    Move,
    /// All elements go to the list of the second argument.
    Append,
    IsEmpty,
    Length,
    /// A number that is another one after something was added.
    Version,
    /// An element, or null if there is none.
    First,
    /// Anything.
    Change,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SemOp {
    Init,
    Post,
    Wait,
    /// Does not wait, or not for ever.
    Try,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interlocked {
    /// Adds this number and returns the sum.
    Add(i8),
    /// Adds its second argument and returns the old value.
    ExchangeAdd,
    Exchange,
    /// Second argument: the new value; third: the expected one.
    CompareExchange,
}

/// What happens to a thread that takes a lock which it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    /// It waits for ever, or whatever the kind of the mutex says.
    Waits,
    /// It is told so.
    Refused,
    /// Nobody knows. The function may also write behind its further arguments.
    Unknown,
}

const MUTEX: u32 = 40;
const RWLOCK: u32 = 56;
const SPIN: u32 = 4;

const fn lock(mode: Mode, may_fail: bool, bytes: u32) -> Meaning {
    let again = if bytes == RWLOCK { Again::Refused } else { Again::Waits };
    Meaning::Lock { mode, may_fail, bytes, again }
}

/// A function that also writes something of the caller's.
const KERNEL_LOCK: Meaning =
    Meaning::Lock { mode: X, may_fail: false, bytes: SPIN, again: Again::Unknown };
const ENDS_PROGRAM: Meaning = Meaning::Ends { program: true };
const ENDS_THREAD: Meaning = Meaning::Ends { program: false };

const X: Mode = Mode::Exclusive;
const R: Mode = Mode::Shared;
const PURE: Meaning = Meaning::Pure { answers_zero: false };
const NOTHING: Meaning = Meaning::Pure { answers_zero: true };
const ALLOCATES: Meaning = Meaning::Allocates { zeroed: false };
const MAY_WAIT: Meaning = Meaning::Blocks { answers_zero: false };

const TABLE: &[(&str, Meaning)] = &[
    ("pthread_mutex_lock", lock(X, false, MUTEX)),
    ("pthread_mutex_trylock", lock(X, true, MUTEX)),
    ("pthread_mutex_timedlock", lock(X, true, MUTEX)),
    ("pthread_mutex_clocklock", lock(X, true, MUTEX)),
    ("pthread_mutex_unlock", Meaning::Unlock { bytes: MUTEX }),
    ("pthread_mutex_init", Meaning::LockLife { bytes: MUTEX }),
    ("pthread_mutex_destroy", Meaning::LockLife { bytes: MUTEX }),
    ("mtx_lock", lock(X, false, MUTEX)),
    ("mtx_trylock", lock(X, true, MUTEX)),
    ("mtx_timedlock", lock(X, true, MUTEX)),
    ("mtx_unlock", Meaning::Unlock { bytes: MUTEX }),
    ("mtx_init", Meaning::LockLife { bytes: MUTEX }),
    ("mtx_destroy", Meaning::LockLife { bytes: MUTEX }),
    ("pthread_spin_lock", lock(X, false, SPIN)),
    ("pthread_spin_trylock", lock(X, true, SPIN)),
    ("pthread_spin_unlock", Meaning::Unlock { bytes: SPIN }),
    ("pthread_spin_init", Meaning::LockLife { bytes: SPIN }),
    ("pthread_spin_destroy", Meaning::LockLife { bytes: SPIN }),
    ("pthread_rwlock_rdlock", lock(R, false, RWLOCK)),
    ("pthread_rwlock_tryrdlock", lock(R, true, RWLOCK)),
    ("pthread_rwlock_timedrdlock", lock(R, true, RWLOCK)),
    ("pthread_rwlock_wrlock", lock(X, false, RWLOCK)),
    ("pthread_rwlock_trywrlock", lock(X, true, RWLOCK)),
    ("pthread_rwlock_timedwrlock", lock(X, true, RWLOCK)),
    ("pthread_rwlock_unlock", Meaning::Unlock { bytes: RWLOCK }),
    ("pthread_rwlock_init", Meaning::LockLife { bytes: RWLOCK }),
    ("pthread_rwlock_destroy", Meaning::LockLife { bytes: RWLOCK }),
    ("pthread_mutexattr_settype", Meaning::ChangesLocks { robust: false }),
    ("pthread_mutexattr_setrobust", Meaning::ChangesLocks { robust: true }),
    ("pthread_mutexattr_init", Meaning::WritesArguments),
    ("pthread_mutexattr_destroy", Meaning::WritesArguments),
    ("pthread_cond_wait", Meaning::CondWait { timed: false }),
    ("pthread_cond_timedwait", Meaning::CondWait { timed: true }),
    ("pthread_cond_clockwait", Meaning::CondWait { timed: true }),
    ("cnd_wait", Meaning::CondWait { timed: false }),
    ("cnd_timedwait", Meaning::CondWait { timed: true }),
    ("pthread_cond_signal", Meaning::CondSignal),
    ("pthread_cond_broadcast", Meaning::CondSignal),
    ("pthread_cond_init", NOTHING),
    ("pthread_cond_destroy", NOTHING),
    ("cnd_signal", Meaning::CondSignal),
    ("cnd_broadcast", Meaning::CondSignal),
    ("cnd_init", NOTHING),
    ("cnd_destroy", Meaning::Pure { answers_zero: false }),
    ("sem_wait", Meaning::Semaphore(SemOp::Wait)),
    ("sem_trywait", Meaning::Semaphore(SemOp::Try)),
    ("sem_timedwait", Meaning::Semaphore(SemOp::Try)),
    ("sem_clockwait", Meaning::Semaphore(SemOp::Try)),
    ("sem_post", Meaning::Semaphore(SemOp::Post)),
    ("sem_init", Meaning::Semaphore(SemOp::Init)),
    ("sem_destroy", NOTHING),
    ("pthread_barrier_init", NOTHING),
    ("pthread_barrier_wait", MAY_WAIT),
    ("pthread_barrier_destroy", NOTHING),
    ("pthread_create", Meaning::Create { routine: 2, argument: 3 }),
    ("thrd_create", Meaning::Create { routine: 1, argument: 2 }),
    ("pthread_join", Meaning::Joins),
    ("thrd_join", Meaning::Joins),
    ("pthread_detach", NOTHING),
    ("pthread_self", PURE),
    ("pthread_exit", ENDS_THREAD),
    ("thrd_exit", ENDS_THREAD),
    ("exit", ENDS_PROGRAM),
    ("_exit", ENDS_PROGRAM),
    ("_Exit", ENDS_PROGRAM),
    ("quick_exit", ENDS_PROGRAM),
    ("abort", ENDS_PROGRAM),
    ("__cxa_guard_acquire", Meaning::GuardAcquire),
    ("__cxa_guard_release", Meaning::GuardRelease),
    // What it has run at the end is looked at elsewhere.
    ("__cxa_atexit", NOTHING),
    ("_ZSt9terminatev", ENDS_PROGRAM),
    ("_ZSt21__glibcxx_assert_failPKciS0_S0_", ENDS_PROGRAM),
    ("__assert_fail", ENDS_PROGRAM),
    ("sched_yield", PURE),
    ("thrd_yield", PURE),
    ("usleep", PURE),
    ("sleep", PURE),
    ("rand", PURE),
    ("random", PURE),
    ("getchar", PURE),
    ("getpid", PURE),
    ("gettid", PURE),
    ("clock", PURE),
    ("pthread_equal", PURE),
    ("strlen", PURE),
    ("strcmp", PURE),
    ("strncmp", PURE),
    ("memcmp", PURE),
    ("atoi", PURE),
    ("atol", PURE),
    ("write", PURE),
    ("fflush", PURE),
    ("perror", PURE),
    ("fputs", PURE),
    ("fputc", PURE),
    ("time", Meaning::WritesArguments),
    ("nanosleep", Meaning::WritesArguments),
    ("clock_gettime", Meaning::WritesArguments),
    ("gettimeofday", Meaning::WritesArguments),
    ("sprintf", Meaning::WritesArguments),
    ("snprintf", Meaning::WritesArguments),
    ("strcpy", Meaning::WritesArguments),
    ("strncpy", Meaning::WritesArguments),
    ("puts", PURE),
    ("printf", PURE),
    ("putchar", PURE),
    ("fprintf", PURE),
    ("malloc", ALLOCATES),
    ("calloc", Meaning::Allocates { zeroed: true }),
    ("_Znwm", ALLOCATES),
    ("_Znam", ALLOCATES),
    ("_ZnwmSt11align_val_t", ALLOCATES),
    // The streams of the library, which no proof is about.
    ("_ZNSt8ios_base4InitC1Ev", PURE),
    ("_ZNSt8ios_base4InitD1Ev", PURE),
    ("free", PURE),
    ("_ZdlPv", PURE),
    ("_ZdlPvm", PURE),
    ("memset", Meaning::WritesArguments),
    ("memcpy", Meaning::WritesArguments),
    ("memmove", Meaning::WritesArguments),
    // Kernels: only where they are declared without a body.
    ("spin_lock", lock(X, false, SPIN)),
    ("spin_unlock", Meaning::Unlock { bytes: SPIN }),
    ("spin_lock_irq", lock(X, false, SPIN)),
    ("spin_unlock_irq", Meaning::Unlock { bytes: SPIN }),
    ("spin_lock_bh", lock(X, false, SPIN)),
    ("spin_unlock_bh", Meaning::Unlock { bytes: SPIN }),
    ("mutex_lock", lock(X, false, SPIN)),
    ("mutex_unlock", Meaning::Unlock { bytes: SPIN }),
    ("KeAcquireSpinLock", KERNEL_LOCK),
    ("KeReleaseSpinLock", Meaning::Unlock { bytes: SPIN }),
    ("KeAcquireSpinLockAtDpcLevel", lock(X, false, SPIN)),
    ("KeReleaseSpinLockFromDpcLevel", Meaning::Unlock { bytes: SPIN }),
    ("InterlockedIncrement", Meaning::Interlocked(Interlocked::Add(1))),
    ("InterlockedDecrement", Meaning::Interlocked(Interlocked::Add(-1))),
    ("InterlockedExchangeAdd", Meaning::Interlocked(Interlocked::ExchangeAdd)),
    ("InterlockedExchange", Meaning::Interlocked(Interlocked::Exchange)),
    ("InterlockedCompareExchange", Meaning::Interlocked(Interlocked::CompareExchange)),
    ("__VERIFIER_assume", Meaning::Assume),
    ("exeunt_assume", Meaning::Assume),
    ("exeunt_choose", Meaning::Choose),
    // An assertion that fails ends the program.
    ("exeunt_assert", Meaning::Assume),
    ("__VERIFIER_assert", Meaning::Assume),
    ("__VERIFIER_error", ENDS_PROGRAM),
    ("reach_error", ENDS_PROGRAM),
    ("__VERIFIER_atomic_begin", Meaning::AtomicBlock),
    ("__VERIFIER_atomic_end", Meaning::AtomicBlock),
    ("exeunt_atomic_begin", Meaning::AtomicBlock),
    ("exeunt_atomic_end", Meaning::AtomicBlock),
];

/// Functions that jump, or that have functions of the program run later which a structure names.
const LEAPS: &[&str] = &[
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "getcontext",
    "setcontext",
    "makecontext",
    "swapcontext",
    "vfork",
    "sigaction",
    "timer_create",
    "mq_notify",
    "lio_listio",
    "aio_read",
    "aio_write",
    "aio_fsync",
    "getaddrinfo_a",
];

/// Whether control comes and goes in ways that automata do not have.
pub(crate) fn leaps(name: &str) -> bool {
    LEAPS.contains(&name)
}

/// Functions that only answer something arbitrary.
const ARBITRARY: &[&str] = &["__VERIFIER_nondet_", "nondet"];

pub(crate) fn meaning(name: &str) -> Option<Meaning> {
    if let Some((_, meaning)) = TABLE.iter().find(|(known, _)| *known == name) {
        return Some(*meaning);
    }
    // C++ is compiled without exceptions for proofs.
    if name.starts_with("_ZSt") && name.contains("__throw_") {
        return Some(ENDS_PROGRAM);
    }
    ARBITRARY.iter().any(|prefix| name.starts_with(prefix)).then_some(Meaning::Nondet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_row() {
        for (index, (name, _)) in TABLE.iter().enumerate() {
            assert!(!TABLE[..index].iter().any(|(other, _)| other == name), "{name}");
        }
    }
}
