//! What threads do and wait for, in words: the one vocabulary of all machines, so that the story of a program
//! reads the same whichever of them tells it.
//!
//! Names of objects come as they are shown: in quotes, or as a description. Actors are counted from one.

use crate::ActorId;

/// Something that a thread does with the thread library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing<'n> {
    Locks(&'n str),
    /// A recursive mutex that it holds already.
    LocksAgain(&'n str),
    Unlocks(&'n str),
    /// It tried to lock, and another thread holds it.
    FindsLocked(&'n str),
    /// It waited for a mutex until a time.
    GivesUp(&'n str),
    LocksFor(&'n str, Access),
    /// It tried to get a readers-writer lock, perhaps until a time.
    DoesNotGet(&'n str),
    WaitsToWrite(&'n str),
    /// The mutex is made usable after the death of its owner.
    MakesConsistent(&'n str),
    /// Of a condition, and its mutex.
    WaitsOn(&'n str, &'n str),
    /// It is back from the wait for a condition.
    WakesUp(&'n str),
    WakesUpUnasked(&'n str),
    TimesOut(&'n str),
    Signals(&'n str, Woken<'n>),
    Broadcasts(&'n str, Woken<'n>),
    /// A wait at a word of memory.
    WakesFutex(&'n str, Woken<'n>),
    ArrivesAt(&'n str),
    OpensBarrier(&'n str),
    LeavesBarrier(&'n str),
    /// A semaphore, and its value afterwards if that is known.
    Takes(&'n str, Option<i64>),
    Posts(&'n str, Option<i64>),
    BeginsOnce(&'n str),
    CompletesOnce(&'n str),
    AbandonsOnce(&'n str),
    /// A thread, and the function that it runs.
    Creates(ActorId, &'n str),
    Joins(ActorId),
    Cancels(ActorId),
    IsCancelled,
    Ends,
}

/// What a readers-writer lock is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Reading,
    Writing,
}

/// Who hears a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken<'n> {
    /// Who it is, perhaps nobody.
    Known(&'n [ActorId]),
    Unknown,
}

impl Doing<'_> {
    /// As a clause whose subject is the thread.
    pub fn words(self) -> String {
        match self {
            Doing::Locks(name) => format!("locks {name}"),
            Doing::LocksAgain(name) => format!("locks {name} again"),
            Doing::Unlocks(name) => format!("unlocks {name}"),
            Doing::FindsLocked(name) => format!("finds {name} locked"),
            Doing::GivesUp(name) => format!("gives up waiting for {name}"),
            Doing::LocksFor(name, access) => format!("locks {name} for {}", access.words()),
            Doing::DoesNotGet(name) => format!("does not get {name}"),
            Doing::WaitsToWrite(name) => format!("waits to lock {name} for writing"),
            Doing::MakesConsistent(name) => format!("makes {name} consistent"),
            Doing::WaitsOn(condition, mutex) => format!("waits on {condition}, releasing {mutex}"),
            Doing::WakesUp(name) => format!("wakes up from {name}"),
            Doing::WakesUpUnasked(name) => format!("wakes up from {name} without a signal"),
            Doing::TimesOut(name) => format!("times out waiting on {name}"),
            Doing::Signals(name, woken) => format!("signals {name}{}", woken.words()),
            Doing::Broadcasts(name, woken) => format!("broadcasts {name}{}", woken.words()),
            Doing::WakesFutex(name, woken) => format!("wakes {name}{}", woken.words()),
            Doing::ArrivesAt(name) => format!("arrives at barrier {name}"),
            Doing::OpensBarrier(name) => format!("opens barrier {name}"),
            Doing::LeavesBarrier(name) => format!("leaves barrier {name}"),
            Doing::Takes(name, value) => format!("takes semaphore {name}{}", now(value)),
            Doing::Posts(name, value) => format!("posts semaphore {name}{}", now(value)),
            Doing::BeginsOnce(name) => format!("runs the initialisation of {name}"),
            Doing::CompletesOnce(name) => format!("completes the initialisation of {name}"),
            Doing::AbandonsOnce(name) => format!("abandons the initialisation of {name}"),
            Doing::Creates(thread, "") => format!("creates thread {thread}"),
            Doing::Creates(thread, routine) => format!("creates thread {thread} ({routine})"),
            Doing::Joins(thread) => format!("joins thread {thread}"),
            Doing::Cancels(thread) => format!("cancels thread {thread}"),
            Doing::IsCancelled => "is cancelled".to_string(),
            Doing::Ends => "ends".to_string(),
        }
    }
}

impl Access {
    pub fn words(self) -> &'static str {
        match self {
            Access::Reading => "reading",
            Access::Writing => "writing",
        }
    }
}

impl Woken<'_> {
    /// What follows the name of what is signalled.
    pub fn words(self) -> String {
        match self {
            Woken::Unknown => String::new(),
            Woken::Known([]) => ": nobody waits".to_string(),
            Woken::Known([one]) => format!(", waking thread {one}"),
            Woken::Known(all) => format!(", waking {} threads", all.len()),
        }
    }
}

fn now(value: Option<i64>) -> String {
    value.map_or(String::new(), |value| format!(" (now {value})"))
}

/// Something that a thread waits for. `class` is what the object is called: "mutex", or what its type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait<'n> {
    Lock {
        class: &'n str,
        name: &'n str,
        holder: Holder,
    },
    /// A readers-writer lock, and a clause on who is in the way.
    ReadersWriter {
        class: &'n str,
        name: &'n str,
        access: Access,
        holders: &'n str,
    },
    Signal {
        class: &'n str,
        name: &'n str,
    },
    /// How many threads are missing, if that is known.
    Barrier {
        name: &'n str,
        missing: Option<u64>,
    },
    Semaphore(&'n str),
    /// A word of memory that another thread must announce a change of.
    Futex(&'n str),
    /// A function that nothing in the program ends.
    Forever(&'n str),
    /// The end of a thread.
    End(ActorId),
    /// An initialisation, and who runs it, if that is known.
    Once {
        name: &'n str,
        runner: Holder,
    },
}

/// Who has what a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    Unknown,
    /// The thread that waits.
    Itself,
    Other(ActorId),
    /// One that has ended.
    Ended(ActorId),
}

impl Wait<'_> {
    /// As a clause whose subject is the thread.
    pub fn words(self) -> String {
        match self {
            Wait::Lock { class, name, holder } => {
                format!("waits for {class} {name}{}", holder.words())
            }
            Wait::ReadersWriter { class, name, access, holders } => {
                let blank = if class.is_empty() { "" } else { " " };
                format!("waits to lock {class}{blank}{name} for {}{holders}", access.words())
            }
            Wait::Signal { class, name } => format!("waits on {class} {name} for a signal"),
            Wait::Barrier { name, missing: None } => format!("waits at barrier {name}"),
            Wait::Barrier { name, missing: Some(missing) } => {
                let plural = if missing == 1 { "" } else { "s" };
                format!("waits at barrier {name} for {missing} more thread{plural}")
            }
            Wait::Semaphore(name) => format!("waits for semaphore {name}, which is 0"),
            Wait::Futex(name) => format!("waits at futex {name} for a wake-up"),
            Wait::Forever(function) => format!("waits for ever in {function}"),
            Wait::End(thread) => format!("waits for thread {thread} to end"),
            Wait::Once { name, runner } => {
                let by = match runner {
                    Holder::Unknown => String::new(),
                    Holder::Itself => ", which it is inside of itself".to_string(),
                    Holder::Other(thread) | Holder::Ended(thread) => format!(" by thread {thread}"),
                };
                format!("waits for the initialisation of {name}{by}")
            }
        }
    }
}

impl Holder {
    fn words(self) -> String {
        match self {
            Holder::Unknown => String::new(),
            Holder::Itself => ", which it holds itself".to_string(),
            Holder::Other(thread) => format!(", held by thread {thread}"),
            Holder::Ended(thread) => format!(", held by thread {thread}, which has ended"),
        }
    }
}

pub const ONE_WAIT: &str = "a wait that can never end";
pub const SEVERAL_WAITS: &str = "waits that can never end";

/// Who holds a readers-writer lock: ", held for reading by threads 2 and 3".
pub fn held_for(access: Access, threads: &[ActorId]) -> String {
    format!(", held for {} by {}", access.words(), several(threads))
}

/// "thread 2", "threads 2 and 3", "threads 2, 3 and 4"
pub fn several(threads: &[ActorId]) -> String {
    let numbers: Vec<String> = threads.iter().map(ToString::to_string).collect();
    match numbers.as_slice() {
        [one] => format!("thread {one}"),
        [some @ .., last] => format!("threads {} and {last}", some.join(", ")),
        [] => "no thread".to_string(),
    }
}

/// The message about one or more waits: which threads wait for what.
pub fn endless_waits(clauses: &[String]) -> String {
    let what = if clauses.len() == 1 { ONE_WAIT } else { SEVERAL_WAITS };
    format!("{what}: {}", clauses.join("; "))
}

/// The message about a mutex that is never given back.
pub fn never_unlocked(thread: &str, mutex: &str) -> String {
    format!("{thread} never leaves its critical section: mutex {mutex} stays locked for ever")
}

/// Why a lock stays taken: its owner runs on.
pub fn never_released(thread: &str, line: u32, lock: &str) -> String {
    format!("thread {thread} keeps running (it is at line {line} now) but never releases {lock}")
}

/// Why a lock stays taken: its owner is gone.
pub fn ended_holding(thread: &str, lock: &str) -> String {
    format!("thread {thread} has ended without releasing {lock}")
}

/// The advice on what ends for no order of the threads.
pub const NO_WAY_OUT: &str = "there is no way out of this, whatever the scheduler does";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeds_read_as_clauses() {
        let one = [ActorId(1)];
        let heard = Doing::Signals("`c`", Woken::Known(&one)).words();
        assert_eq!(heard, "signals `c`, waking thread 2");
        assert_eq!(Doing::Signals("`c`", Woken::Known(&[])).words(), "signals `c`: nobody waits");
        assert_eq!(Doing::Takes("`s`", Some(0)).words(), "takes semaphore `s` (now 0)");
        assert_eq!(Doing::Creates(ActorId(2), "f").words(), "creates thread 3 (f)");
    }

    #[test]
    fn waits_name_who_is_in_the_way() {
        let lock = |holder| Wait::Lock { class: "mutex", name: "`m`", holder }.words();
        assert_eq!(lock(Holder::Itself), "waits for mutex `m`, which it holds itself");
        let ended = "waits for mutex `m`, held by thread 2, which has ended";
        assert_eq!(lock(Holder::Ended(ActorId(1))), ended);
        assert_eq!(Wait::End(ActorId(1)).words(), "waits for thread 2 to end");
        assert_eq!(
            endless_waits(&["a".to_string(), "b".to_string()]),
            "waits that can never end: a; b"
        );
    }
}
