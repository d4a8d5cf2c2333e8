//! Operations in words: one row for each verb that the runtime says.

use exeunt_model::SectionKind;
use exeunt_model::words::Access;

/// What the runtime calls an operation, and what it is about.
pub(crate) struct Verb {
    /// As the runtime says it.
    pub(crate) name: &'static str,
    /// As people read it where no clause of the shared vocabulary fits.
    pub(crate) call: &'static str,
    /// Which clause of the shared vocabulary it is.
    pub(crate) said: Said,
    /// What is waited for, if it can block.
    pub(crate) waits: Option<SectionKind>,
    /// What the object is.
    pub(crate) noun: &'static str,
    /// The size of such an object, for naming elements of arrays.
    pub(crate) size: u64,
    pub(crate) effect: Effect,
}

/// How a step is told: a clause of `exeunt_model::words`, or in words of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Locks,
    Unlocks,
    LocksFor(Access),
    WaitsToWrite,
    MakesConsistent,
    WaitsOn,
    Wakes,
    WakesUnasked,
    Signals,
    Broadcasts,
    WakesFutex,
    ArrivesAt,
    LeavesBarrier,
    Takes,
    Posts,
    BeginsOnce,
    CompletesOnce,
    AbandonsOnce,
    Joins,
    Cancels,
    Ends,
    /// An access to memory: the verb, and the place.
    Memory,
    AsCalled,
}

/// What an operation is about, where several clauses are treated alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    /// Taking a lock that is taken in one way only.
    Lock,
    ReadersWriter(Access),
    Semaphore,
    Once,
    /// Coming back from a wait for a signal.
    Wake,
    Signal,
    Broadcast,
    Barrier,
    /// The object is a thread, by its number, and no place in memory.
    Thread,
    Rest,
}

impl Said {
    pub(crate) fn topic(self) -> Topic {
        match self {
            Said::Locks => Topic::Lock,
            Said::LocksFor(access) => Topic::ReadersWriter(access),
            Said::Takes => Topic::Semaphore,
            Said::BeginsOnce => Topic::Once,
            Said::Wakes | Said::WakesUnasked => Topic::Wake,
            Said::Signals => Topic::Signal,
            Said::Broadcasts => Topic::Broadcast,
            Said::LeavesBarrier => Topic::Barrier,
            Said::Joins | Said::Cancels => Topic::Thread,
            Said::Unlocks
            | Said::WaitsToWrite
            | Said::MakesConsistent
            | Said::WaitsOn
            | Said::WakesFutex
            | Said::ArrivesAt
            | Said::Posts
            | Said::CompletesOnce
            | Said::AbandonsOnce
            | Said::Ends
            | Said::Memory
            | Said::AsCalled => Topic::Rest,
        }
    }

    /// For what a lock is taken: only readers-writer locks can be taken for reading.
    pub(crate) fn access(self) -> Access {
        match self.topic() {
            Topic::ReadersWriter(access) => access,
            Topic::Lock
            | Topic::Semaphore
            | Topic::Once
            | Topic::Wake
            | Topic::Signal
            | Topic::Broadcast
            | Topic::Barrier
            | Topic::Thread
            | Topic::Rest => Access::Writing,
        }
    }
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
const CONDITION: (&str, u64) = ("condition", 48);
const BARRIER: (&str, u64) = ("barrier", 32);
const SPIN: (&str, u64) = ("spin lock", 4);
const ONCE: (&str, u64) = ("once control", 4);
const WORD: (&str, u64) = ("futex", 4);
const NOTHING: (&str, u64) = ("", 0);

const fn row(
    name: &'static str,
    call: &'static str,
    said: Said,
    waits: Option<SectionKind>,
    (noun, size): (&'static str, u64),
    effect: Effect,
) -> Verb {
    Verb { name, call, said, waits, noun, size, effect }
}

use Access::{Reading, Writing};
use Effect::{Gives, Takes};
use SectionKind as Kind;

pub(crate) const VERBS: [Verb; 86] = [
    row("lock", "lock", Said::Locks, Some(Kind::MutexWait), MUTEX, Takes),
    row("relock", "lock", Said::Locks, Some(Kind::MutexWait), MUTEX, Takes),
    row("trylock", "trylock", Said::Locks, None, MUTEX, Takes),
    row("timedlock", "timedlock", Said::Locks, None, MUTEX, Takes),
    row("unlock", "unlock", Said::Unlocks, None, MUTEX, Gives),
    row("spin_lock", "spin_lock", Said::Locks, Some(Kind::SpinWait), SPIN, Takes),
    row("spin_trylock", "spin_trylock", Said::Locks, None, SPIN, Takes),
    row("spin_unlock", "spin_unlock", Said::Unlocks, None, SPIN, Gives),
    row("rdlock", "rdlock", Said::LocksFor(Reading), Some(Kind::RwlockWait), RWLOCK, Takes),
    row("tryrdlock", "tryrdlock", Said::LocksFor(Reading), None, RWLOCK, Takes),
    row("timedrdlock", "timedrdlock", Said::LocksFor(Reading), None, RWLOCK, Takes),
    row("wrlock", "wrlock", Said::LocksFor(Writing), Some(Kind::RwlockWait), RWLOCK, Takes),
    row("trywrlock", "trywrlock", Said::LocksFor(Writing), None, RWLOCK, Takes),
    row("timedwrlock", "timedwrlock", Said::LocksFor(Writing), None, RWLOCK, Takes),
    row("rwunlock", "rwunlock", Said::Unlocks, None, RWLOCK, Gives),
    row("wait", "cond_wait", Said::WaitsOn, None, CONDITION, Effect::None),
    row("wake", "woken from cond_wait", Said::Wakes, Some(Kind::CondWait), CONDITION, Effect::None),
    row(
        "wake-up",
        "back from cond_wait",
        Said::WakesUnasked,
        Some(Kind::CondWait),
        CONDITION,
        Effect::None,
    ),
    row("may-wake", "may wake up without a signal", Said::AsCalled, None, NOTHING, Effect::None),
    row("timedwait", "cond_timedwait", Said::WaitsOn, None, CONDITION, Effect::None),
    row("timed-wake", "back from cond_timedwait", Said::Wakes, None, CONDITION, Effect::None),
    row("signal", "signal", Said::Signals, None, CONDITION, Effect::None),
    row("broadcast", "broadcast", Said::Broadcasts, None, CONDITION, Effect::None),
    row("arrive", "barrier_wait", Said::ArrivesAt, None, BARRIER, Effect::None),
    row(
        "leave",
        "back from barrier_wait",
        Said::LeavesBarrier,
        Some(Kind::BarrierWait),
        BARRIER,
        Effect::None,
    ),
    row("once", "once", Said::BeginsOnce, Some(Kind::Once), ONCE, Effect::None),
    row("once_done", "end of once", Said::CompletesOnce, None, ONCE, Effect::None),
    row("once_undone", "once left early", Said::AbandonsOnce, None, ONCE, Effect::None),
    row("sem_wait", "sem_wait", Said::Takes, Some(Kind::SemWait), SEMAPHORE, Effect::None),
    row("sem_trywait", "sem_trywait", Said::Takes, None, SEMAPHORE, Effect::None),
    row("sem_timedwait", "sem_timedwait", Said::Takes, None, SEMAPHORE, Effect::None),
    row("sem_post", "sem_post", Said::Posts, None, SEMAPHORE, Effect::None),
    row(
        "sem_getvalue",
        "asks for the value of semaphore",
        Said::AsCalled,
        None,
        SEMAPHORE,
        Effect::None,
    ),
    row("join", "join", Said::Joins, Some(Kind::Join), NOTHING, Effect::None),
    row("tryjoin", "tryjoin", Said::Joins, None, NOTHING, Effect::None),
    row("finish", "end of the thread", Said::Ends, None, NOTHING, Effect::None),
    row("cancel", "cancel", Said::Cancels, None, NOTHING, Effect::None),
    row("testcancel", "looks whether it is cancelled", Said::AsCalled, None, NOTHING, Effect::None),
    row("read_file", "reads a file", Said::AsCalled, None, NOTHING, Effect::None),
    row("write_file", "writes to a file", Said::AsCalled, None, NOTHING, Effect::None),
    row("pause", "pause", Said::AsCalled, None, NOTHING, Effect::None),
    row("enter", "enters", Said::AsCalled, None, NOTHING, Effect::None),
    row("create", "creates a thread", Said::AsCalled, None, NOTHING, Effect::None),
    row("yield", "yields", Said::AsCalled, None, NOTHING, Effect::None),
    row("sleep", "sleeps", Said::AsCalled, None, NOTHING, Effect::None),
    row("exit", "ends the program", Said::AsCalled, None, NOTHING, Effect::None),
    row("choose", "chooses", Said::AsCalled, None, NOTHING, Effect::None),
    row("futex_wait", "waits at futex", Said::AsCalled, None, WORD, Effect::None),
    row(
        "futex_wake",
        "woken from futex_wait",
        Said::Wakes,
        Some(Kind::CondWait),
        WORD,
        Effect::None,
    ),
    row("futex_signal", "futex_wake", Said::WakesFutex, None, WORD, Effect::None),
    row("read", "reads", Said::Memory, None, NOTHING, Effect::None),
    row("write", "writes", Said::Memory, None, NOTHING, Effect::None),
    row("atomic", "begins an atomic block", Said::AsCalled, None, NOTHING, Effect::None),
    row("atomic-end", "ends an atomic block", Said::AsCalled, None, NOTHING, Effect::None),
    row("load", "atomically reads", Said::Memory, None, NOTHING, Effect::None),
    row("store", "atomically writes", Said::Memory, None, NOTHING, Effect::None),
    row("update", "atomically updates", Said::Memory, None, NOTHING, Effect::None),
    row("fence", "makes a fence", Said::AsCalled, None, NOTHING, Effect::None),
    row("desert", "ends as the owner of", Said::AsCalled, None, MUTEX, Gives),
    row("repair", "mutex_consistent", Said::MakesConsistent, None, MUTEX, Effect::None),
    row("want", "wrlock", Said::WaitsToWrite, None, RWLOCK, Effect::None),
    row("begin", "begins", Said::AsCalled, None, NOTHING, Effect::None),
    row("kernel-wait", "the kernel", Said::AsCalled, Some(Kind::FutexWait), NOTHING, Effect::None),
    row("sigwait", "takes a signal to the program", Said::AsCalled, None, NOTHING, Effect::None),
    row("kill", "sends a signal to the program", Said::AsCalled, None, NOTHING, Effect::None),
    row("readv", "calls readv", Said::AsCalled, None, NOTHING, Effect::None),
    row("writev", "calls writev", Said::AsCalled, None, NOTHING, Effect::None),
    row("recv", "calls recv", Said::AsCalled, None, NOTHING, Effect::None),
    row("recvfrom", "calls recvfrom", Said::AsCalled, None, NOTHING, Effect::None),
    row("recvmsg", "calls recvmsg", Said::AsCalled, None, NOTHING, Effect::None),
    row("accept", "calls accept", Said::AsCalled, None, NOTHING, Effect::None),
    row("accept4", "calls accept4", Said::AsCalled, None, NOTHING, Effect::None),
    row("eventfd_read", "calls eventfd_read", Said::AsCalled, None, NOTHING, Effect::None),
    row("send", "calls send", Said::AsCalled, None, NOTHING, Effect::None),
    row("sendto", "calls sendto", Said::AsCalled, None, NOTHING, Effect::None),
    row("sendmsg", "calls sendmsg", Said::AsCalled, None, NOTHING, Effect::None),
    row("eventfd_write", "calls eventfd_write", Said::AsCalled, None, NOTHING, Effect::None),
    row("close", "calls close", Said::AsCalled, None, NOTHING, Effect::None),
    row("shutdown", "calls shutdown", Said::AsCalled, None, NOTHING, Effect::None),
    row("connect", "calls connect", Said::AsCalled, None, NOTHING, Effect::None),
    row("epoll_ctl", "calls epoll_ctl", Said::AsCalled, None, NOTHING, Effect::None),
    row("poll", "calls poll", Said::AsCalled, None, NOTHING, Effect::None),
    row("epoll_wait", "calls epoll_wait", Said::AsCalled, None, NOTHING, Effect::None),
    row("select", "calls select", Said::AsCalled, None, NOTHING, Effect::None),
    row("fault", "fault", Said::AsCalled, None, NOTHING, Effect::None),
    row("unsupported", "unsupported", Said::AsCalled, None, NOTHING, Effect::None),
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
