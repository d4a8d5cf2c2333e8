//! Operations in words: one row for each verb that the runtime says.

use exeunt_model::SectionKind;

/// What the runtime calls an operation, and what it is about.
pub(crate) struct Verb {
    /// As the runtime says it.
    pub(crate) name: &'static str,
    /// As people read it: the call, without its arguments.
    pub(crate) call: &'static str,
    /// What is waited for, if it can block.
    pub(crate) waits: Option<SectionKind>,
    /// What the object is.
    pub(crate) noun: &'static str,
    /// The size of such an object, for naming elements of arrays.
    pub(crate) size: u64,
    pub(crate) effect: Effect,
}

/// Whether the object is held afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    None,
    Takes,
    Gives,
}

const MUTEX: (&str, u64) = ("mutex", 40);
const RWLOCK: (&str, u64) = ("readers-writer lock", 56);
const SEMAPHORE: (&str, u64) = ("semaphore", 32);
const CONDITION: (&str, u64) = ("condition variable", 48);
const BARRIER: (&str, u64) = ("barrier", 32);
const SPIN: (&str, u64) = ("spin lock", 4);
const ONCE: (&str, u64) = ("once control", 4);
const WORD: (&str, u64) = ("futex", 4);
const NOTHING: (&str, u64) = ("", 0);

const fn row(
    name: &'static str,
    call: &'static str,
    waits: Option<SectionKind>,
    (noun, size): (&'static str, u64),
    effect: Effect,
) -> Verb {
    Verb { name, call, waits, noun, size, effect }
}

use Effect::{Gives, Takes};
use SectionKind as Kind;

pub(crate) const VERBS: [Verb; 86] = [
    row("lock", "lock", Some(Kind::MutexWait), MUTEX, Takes),
    row("relock", "lock", Some(Kind::MutexWait), MUTEX, Takes),
    row("trylock", "trylock", None, MUTEX, Takes),
    row("timedlock", "timedlock", None, MUTEX, Takes),
    row("unlock", "unlock", None, MUTEX, Gives),
    row("spin_lock", "spin_lock", Some(Kind::SpinWait), SPIN, Takes),
    row("spin_trylock", "spin_trylock", None, SPIN, Takes),
    row("spin_unlock", "spin_unlock", None, SPIN, Gives),
    row("rdlock", "rdlock", Some(Kind::RwlockWait), RWLOCK, Takes),
    row("tryrdlock", "tryrdlock", None, RWLOCK, Takes),
    row("timedrdlock", "timedrdlock", None, RWLOCK, Takes),
    row("wrlock", "wrlock", Some(Kind::RwlockWait), RWLOCK, Takes),
    row("trywrlock", "trywrlock", None, RWLOCK, Takes),
    row("timedwrlock", "timedwrlock", None, RWLOCK, Takes),
    row("rwunlock", "rwunlock", None, RWLOCK, Gives),
    row("wait", "cond_wait", None, CONDITION, Effect::None),
    row("wake", "woken from cond_wait", Some(Kind::CondWait), CONDITION, Effect::None),
    row("wake-up", "back from cond_wait", Some(Kind::CondWait), CONDITION, Effect::None),
    row("may-wake", "wake-up without a signal?", None, NOTHING, Effect::None),
    row("timedwait", "cond_timedwait", None, CONDITION, Effect::None),
    row("timed-wake", "back from cond_timedwait", None, CONDITION, Effect::None),
    row("signal", "signal", None, CONDITION, Effect::None),
    row("broadcast", "broadcast", None, CONDITION, Effect::None),
    row("arrive", "barrier_wait", None, BARRIER, Effect::None),
    row("leave", "back from barrier_wait", Some(Kind::BarrierWait), BARRIER, Effect::None),
    row("once", "once", Some(Kind::Once), ONCE, Effect::None),
    row("once_done", "end of once", None, ONCE, Effect::None),
    row("once_undone", "once left early", None, ONCE, Effect::None),
    row("sem_wait", "sem_wait", Some(Kind::SemWait), SEMAPHORE, Effect::None),
    row("sem_trywait", "sem_trywait", None, SEMAPHORE, Effect::None),
    row("sem_timedwait", "sem_timedwait", None, SEMAPHORE, Effect::None),
    row("sem_post", "sem_post", None, SEMAPHORE, Effect::None),
    row("sem_getvalue", "sem_getvalue", None, SEMAPHORE, Effect::None),
    row("join", "join", Some(Kind::Join), NOTHING, Effect::None),
    row("tryjoin", "tryjoin", None, NOTHING, Effect::None),
    row("finish", "end of the thread", None, NOTHING, Effect::None),
    row("cancel", "cancel", None, NOTHING, Effect::None),
    row("testcancel", "testcancel", None, NOTHING, Effect::None),
    row("read_file", "read", None, NOTHING, Effect::None),
    row("write_file", "write", None, NOTHING, Effect::None),
    row("pause", "pause", None, NOTHING, Effect::None),
    row("enter", "enter", None, NOTHING, Effect::None),
    row("create", "create", None, NOTHING, Effect::None),
    row("yield", "yield", None, NOTHING, Effect::None),
    row("sleep", "sleep", None, NOTHING, Effect::None),
    row("exit", "exit", None, NOTHING, Effect::None),
    row("choose", "choose", None, NOTHING, Effect::None),
    row("futex_wait", "futex_wait", None, WORD, Effect::None),
    row("futex_wake", "woken from futex_wait", Some(Kind::CondWait), WORD, Effect::None),
    row("futex_signal", "futex_wake", None, WORD, Effect::None),
    row("read", "read", None, NOTHING, Effect::None),
    row("write", "write", None, NOTHING, Effect::None),
    row("atomic", "begin of an atomic block", None, NOTHING, Effect::None),
    row("atomic-end", "end of an atomic block", None, NOTHING, Effect::None),
    row("load", "atomic load", None, NOTHING, Effect::None),
    row("store", "atomic store", None, NOTHING, Effect::None),
    row("update", "atomic update", None, NOTHING, Effect::None),
    row("fence", "fence", None, NOTHING, Effect::None),
    row("desert", "end of the owner", None, MUTEX, Gives),
    row("repair", "mutex_consistent", None, MUTEX, Effect::None),
    row("want", "wrlock", None, RWLOCK, Effect::None),
    row("begin", "begin of main", None, NOTHING, Effect::None),
    row("kernel-wait", "back in the kernel", Some(Kind::FutexWait), NOTHING, Effect::None),
    row("sigwait", "sigwait", None, NOTHING, Effect::None),
    row("kill", "signal to the program", None, NOTHING, Effect::None),
    row("readv", "readv", None, NOTHING, Effect::None),
    row("writev", "writev", None, NOTHING, Effect::None),
    row("recv", "recv", None, NOTHING, Effect::None),
    row("recvfrom", "recvfrom", None, NOTHING, Effect::None),
    row("recvmsg", "recvmsg", None, NOTHING, Effect::None),
    row("accept", "accept", None, NOTHING, Effect::None),
    row("accept4", "accept4", None, NOTHING, Effect::None),
    row("eventfd_read", "eventfd_read", None, NOTHING, Effect::None),
    row("send", "send", None, NOTHING, Effect::None),
    row("sendto", "sendto", None, NOTHING, Effect::None),
    row("sendmsg", "sendmsg", None, NOTHING, Effect::None),
    row("eventfd_write", "eventfd_write", None, NOTHING, Effect::None),
    row("close", "close", None, NOTHING, Effect::None),
    row("shutdown", "shutdown", None, NOTHING, Effect::None),
    row("connect", "connect", None, NOTHING, Effect::None),
    row("epoll_ctl", "epoll_ctl", None, NOTHING, Effect::None),
    row("poll", "poll", None, NOTHING, Effect::None),
    row("epoll_wait", "epoll_wait", None, NOTHING, Effect::None),
    row("select", "select", None, NOTHING, Effect::None),
    row("fault", "fault", None, NOTHING, Effect::None),
    row("unsupported", "unsupported", None, NOTHING, Effect::None),
];

pub(crate) fn verb(name: &str) -> Option<&'static Verb> {
    VERBS.iter().find(|verb| verb.name == name)
}

/// An operation that waits for this kind of section, or takes what is held in it.
pub(crate) fn of_section(kind: SectionKind) -> Option<&'static Verb> {
    let same = |verb: &&Verb| {
        verb.waits.is_some_and(|waits| {
            waits == kind || waits.thing().is_some() && waits.thing() == kind.thing()
        })
    };
    VERBS.iter().find(same)
}
