//! What functions without a body do to locks and threads.
//!
//! A function that is not here, and that the user did not name, may write to
//! every shared variable.

use crate::Mode;

/// What a call means to an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Takes the lock behind its first argument; may it fail to?
    Lock {
        mode: Mode,
        may_fail: bool,
        bytes: u32,
    },
    Unlock {
        bytes: u32,
    },
    /// Gives the lock behind its second argument back, waits, takes it again.
    CondWait,
    /// Makes or ends a lock: whoever holds it holds nothing afterwards.
    LockLife {
        bytes: u32,
    },
    /// Waits for others, and that is all; its answer is arbitrary or zero.
    Blocks {
        answers_zero: bool,
    },
    /// Has no effect on variables of the program; its answer is arbitrary.
    Pure {
        answers_zero: bool,
    },
    /// The answer is an object of its own.
    Allocates,
    /// Writes behind its pointer arguments, and nowhere else.
    WritesArguments,
    /// Starts its third argument as a thread; `thrd_create`: its second.
    Create {
        routine: usize,
        argument: usize,
    },
    /// The thread does not go on.
    Ends,
    /// Drops runs in which its argument is zero.
    Assume,
    /// One of 0 to n - 1.
    Choose,
    /// What is between two of these happens at once, which we do not use.
    AtomicBlock,
    /// Makes locks of another kind: recursive ones, robust ones.
    ChangesLocks,
}

const MUTEX: u32 = 40;
const RWLOCK: u32 = 56;
const SPIN: u32 = 4;

const fn lock(mode: Mode, may_fail: bool, bytes: u32) -> Meaning {
    Meaning::Lock { mode, may_fail, bytes }
}

const X: Mode = Mode::Exclusive;
const R: Mode = Mode::Shared;
const PURE: Meaning = Meaning::Pure { answers_zero: false };
const NOTHING: Meaning = Meaning::Pure { answers_zero: true };
const WAITS: Meaning = Meaning::Blocks { answers_zero: true };
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
    ("pthread_mutexattr_settype", Meaning::ChangesLocks),
    ("pthread_mutexattr_setrobust", Meaning::ChangesLocks),
    ("pthread_mutexattr_init", Meaning::WritesArguments),
    ("pthread_mutexattr_destroy", Meaning::WritesArguments),
    ("pthread_cond_wait", Meaning::CondWait),
    ("pthread_cond_timedwait", Meaning::CondWait),
    ("pthread_cond_clockwait", Meaning::CondWait),
    ("cnd_wait", Meaning::CondWait),
    ("cnd_timedwait", Meaning::CondWait),
    ("pthread_cond_signal", NOTHING),
    ("pthread_cond_broadcast", NOTHING),
    ("pthread_cond_init", NOTHING),
    ("pthread_cond_destroy", NOTHING),
    ("cnd_signal", NOTHING),
    ("cnd_broadcast", NOTHING),
    ("cnd_init", NOTHING),
    ("cnd_destroy", Meaning::Pure { answers_zero: false }),
    ("sem_wait", WAITS),
    ("sem_trywait", MAY_WAIT),
    ("sem_timedwait", MAY_WAIT),
    ("sem_post", WAITS),
    ("sem_init", WAITS),
    ("sem_destroy", WAITS),
    ("pthread_barrier_init", WAITS),
    ("pthread_barrier_wait", MAY_WAIT),
    ("pthread_barrier_destroy", WAITS),
    ("pthread_create", Meaning::Create { routine: 2, argument: 3 }),
    ("thrd_create", Meaning::Create { routine: 1, argument: 2 }),
    ("pthread_join", Meaning::WritesArguments),
    ("thrd_join", Meaning::WritesArguments),
    ("pthread_detach", NOTHING),
    ("pthread_self", PURE),
    ("pthread_exit", Meaning::Ends),
    ("thrd_exit", Meaning::Ends),
    ("exit", Meaning::Ends),
    ("_exit", Meaning::Ends),
    ("quick_exit", Meaning::Ends),
    ("abort", Meaning::Ends),
    ("__assert_fail", Meaning::Ends),
    ("sched_yield", PURE),
    ("thrd_yield", PURE),
    ("usleep", PURE),
    ("sleep", PURE),
    ("rand", PURE),
    ("puts", PURE),
    ("printf", PURE),
    ("putchar", PURE),
    ("fprintf", PURE),
    ("malloc", Meaning::Allocates),
    ("calloc", Meaning::Allocates),
    ("_Znwm", Meaning::Allocates),
    ("_Znam", Meaning::Allocates),
    ("free", PURE),
    ("_ZdlPv", PURE),
    ("_ZdlPvm", PURE),
    ("memset", Meaning::WritesArguments),
    ("memcpy", Meaning::WritesArguments),
    ("memmove", Meaning::WritesArguments),
    ("__VERIFIER_assume", Meaning::Assume),
    ("exeunt_assume", Meaning::Assume),
    ("exeunt_choose", Meaning::Choose),
    ("exeunt_assert", PURE),
    ("__VERIFIER_assert", PURE),
    ("__VERIFIER_error", Meaning::Ends),
    ("reach_error", Meaning::Ends),
    ("__VERIFIER_atomic_begin", Meaning::AtomicBlock),
    ("__VERIFIER_atomic_end", Meaning::AtomicBlock),
    ("exeunt_atomic_begin", Meaning::AtomicBlock),
    ("exeunt_atomic_end", Meaning::AtomicBlock),
];

/// Functions that only answer something arbitrary.
const ARBITRARY: &[&str] = &["__VERIFIER_nondet_", "nondet"];

pub(crate) fn meaning(name: &str) -> Option<Meaning> {
    if let Some((_, meaning)) = TABLE.iter().find(|(known, _)| *known == name) {
        return Some(*meaning);
    }
    ARBITRARY.iter().any(|prefix| name.starts_with(prefix)).then_some(PURE)
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
