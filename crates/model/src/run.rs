//! Programs whose states cannot be stored: what a machine of this kind offers
//! to an engine.
//!
//! A native program can be run, and run again, and a run can be resumed, but its
//! states are the memory of a process. So it implements [`Run`] and not [`Model`](crate::Model): the
//! engine runs it as often as it likes and directs each run. Before each
//! [`Operation`] a thread stops and says what it is about to do to which
//! objects. Whether it may go on, and with which [`Reply`], is decided by the
//! engine, which knows the meaning of the operations.
//!
//! Invariant: a run is a function of the steps it is given. The same steps
//! lead to the same arrivals, in the same order.

use std::hash::{Hash, Hasher};

use crate::{ActorId, Property};

/// A synchronisation object, or a word of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u64);

/// What a mutex does when its owner locks it again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MutexKind {
    /// Waits for ever.
    #[default]
    Normal,
    /// Counts.
    Recursive,
    /// Says so.
    ErrorCheck,
}

/// What an operation does to one object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Action {
    Lock(MutexKind),
    /// Also a lock with a deadline: one that is not free times out.
    TryLock(MutexKind),
    Unlock(MutexKind),
    /// The owner of a robust mutex has ended: the next owner is told.
    Desert,
    /// The owner of a deserted mutex says that what it protects is right again.
    Repair,
    ReadLock,
    TryReadLock,
    /// Begins to wait for a lock that lets no reader in behind a waiting writer.
    WriteWant,
    WriteLock,
    TryWriteLock,
    ReadUnlock,
    WriteUnlock,
    SemWait,
    SemTryWait,
    SemPost,
    SemValue,
    /// Becomes a waiter of a condition variable or a futex.
    Enqueue,
    /// Looks at a futex word; becomes a waiter if the next operation of the
    /// thread is to be woken.
    FutexEnter,
    /// A waiter goes on because it was signalled.
    Wake,
    /// The same with a deadline: without a signal it times out.
    TimedWake,
    /// A waiter gives up waiting and leaves a signal to the others.
    Abandon,
    /// Wakes a waiter if there is one.
    Signal,
    Broadcast,
    /// Wakes up to so many waiters and learns how many there were. There are never
    /// more threads than this type can count.
    FutexWake(u16),
    Arrive,
    Leave,
    OnceEnter,
    OnceDone,
    /// The function of a `once` was left before its end: somebody else runs it.
    OnceUndone,
    /// Waits for the end of a thread, whose number is the object.
    Join,
    /// Asks whether a thread has ended.
    TryJoin,
    /// A thread ends, and others may ask for that.
    Finish,
    /// Asks a thread to end at its next cancellation point.
    Cancel,
    /// Ends its thread if that was asked for: then the rest of the operation
    /// is not done, and need not be possible.
    CancelPoint,
    /// Plain accesses to memory. `birth` has a bit for each byte of the word;
    /// of an update, bit 8 says that it acquires even if it changes nothing.
    #[default]
    Read,
    Write,
    AtomicRead(MemoryOrder),
    AtomicWrite(MemoryOrder),
    AtomicUpdate(MemoryOrder),
    /// Touches nothing, but orders what its thread does.
    Fence(MemoryOrder),
}

/// What an atomic operation orders. Sequentially consistent ones are `Both`:
/// all operations have one order here anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryOrder {
    Relaxed,
    Acquire,
    Release,
    Both,
}

impl MemoryOrder {
    pub fn acquires(self) -> bool {
        matches!(self, MemoryOrder::Acquire | MemoryOrder::Both)
    }

    pub fn releases(self) -> bool {
        matches!(self, MemoryOrder::Release | MemoryOrder::Both)
    }
}

impl Access {
    /// The bytes of the word that an access to memory touches, a bit for each.
    pub fn bytes(&self) -> u32 {
        self.birth & 255
    }
}

impl Action {
    /// Whether it is an access to memory.
    pub fn is_memory(self) -> bool {
        let reads = matches!(self, Action::Read | Action::AtomicRead(_));
        reads || self.writes()
    }

    /// Whether its thread may have to wait, or end instead.
    pub fn can_wait(self) -> bool {
        match self {
            Action::Lock(_)
            | Action::ReadLock
            | Action::WriteLock
            | Action::SemWait
            | Action::Wake
            | Action::Leave
            | Action::OnceEnter
            | Action::Join
            | Action::CancelPoint => true,
            Action::TryLock(_)
            | Action::Unlock(_)
            | Action::Desert
            | Action::Repair
            | Action::TryReadLock
            | Action::WriteWant
            | Action::TryWriteLock
            | Action::ReadUnlock
            | Action::WriteUnlock
            | Action::SemTryWait
            | Action::SemPost
            | Action::SemValue
            | Action::Enqueue
            | Action::FutexEnter
            | Action::TimedWake
            | Action::Abandon
            | Action::Signal
            | Action::Broadcast
            | Action::FutexWake(_)
            | Action::Arrive
            | Action::OnceDone
            | Action::OnceUndone
            | Action::TryJoin
            | Action::Finish
            | Action::Cancel
            | Action::Read
            | Action::Write
            | Action::AtomicRead(_)
            | Action::AtomicWrite(_)
            | Action::AtomicUpdate(_)
            | Action::Fence(_) => false,
        }
    }

    /// Whether it may write to memory.
    pub fn writes(self) -> bool {
        matches!(self, Action::Write | Action::AtomicWrite(_) | Action::AtomicUpdate(_))
    }
}

/// An action on an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Access {
    pub object: ObjectId,
    pub action: Action,
    /// What the object begins with: the value of a semaphore, the number of
    /// threads of a barrier.
    pub birth: u32,
}

/// How many objects one operation can touch.
pub const MOST_ACCESSES: usize = 3;

/// What a thread does next, as one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    accesses: [Access; MOST_ACCESSES],
    count: u8,
    /// It may touch anything, so its order with every other step matters: a
    /// `sched_yield` that announces accesses to memory that is not watched.
    pub everything: bool,
    /// It ends the program.
    pub exits: bool,
    /// How many values the environment may choose from; 1 if it has no say.
    pub arity: u32,
}

/// An odd number that spreads addresses over the high bits of a product (2^64 divided by
/// the golden ratio).
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Hash for Operation {
    /// Accesses that are not there are all the same.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.accesses().hash(state);
        (self.everything, self.exits, self.arity).hash(state);
    }
}

impl Default for Operation {
    fn default() -> Self {
        let accesses = [Access::default(); MOST_ACCESSES];
        Operation { accesses, count: 0, everything: false, exits: false, arity: 1 }
    }
}

impl Operation {
    /// An operation on some objects, at most [`MOST_ACCESSES`].
    pub fn on(accesses: &[Access]) -> Self {
        let mut operation = Operation { count: accesses.len() as u8, ..Operation::default() };
        operation.accesses[..accesses.len()].copy_from_slice(accesses);
        operation
    }

    /// An operation on one object that begins as nothing.
    pub fn of(object: ObjectId, action: Action) -> Self {
        Operation::on(&[Access { object, action, birth: 0 }])
    }

    /// An operation whose order with every other step matters.
    pub fn of_everything() -> Self {
        Operation { everything: true, ..Operation::default() }
    }

    /// The end of the program.
    pub fn exit() -> Self {
        Operation { everything: true, exits: true, ..Operation::default() }
    }

    /// A choice of the environment.
    pub fn choice(arity: u32) -> Self {
        Operation { arity: arity.max(1), ..Operation::default() }
    }

    /// A set of bits that two operations have in common if they touch the same object.
    /// They may also have bits in common if they do not.
    pub fn traces(&self) -> u64 {
        let bit = |access: &Access| 1 << (access.object.0.wrapping_mul(SPREAD) >> 58);
        self.accesses().iter().map(bit).fold(0, |all: u64, one: u64| all | one)
    }

    pub fn accesses(&self) -> &[Access] {
        &self.accesses[..self.count as usize]
    }

    /// The same operation with one more access, if there is any.
    pub fn and(mut self, access: Option<Access>) -> Self {
        if let Some(access) = access {
            self.accesses[self.count as usize] = access;
            self.count += 1;
        }
        self
    }

    /// The same operation with an access replaced, once more is known.
    pub fn with_access(mut self, index: usize, access: Access) -> Self {
        self.accesses[index] = access;
        self
    }
}

/// What the operation comes back with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    Done,
    /// It was not free, or the time was over.
    Busy,
    /// The caller holds it already and the object says so.
    Held,
    /// The caller does not hold it and the object says so.
    NotHeld,
    /// The caller is the one of its kind: it runs the function of a `once`,
    /// or is the serial thread of a barrier.
    First,
    /// The caller has the mutex now, and its last owner ended without giving it
    /// back.
    Deserted,
    /// It was given back deserted: nobody gets it any more.
    Broken,
    /// The thread was asked to end, and nothing else was done.
    Cancelled,
    /// A value that was read or chosen.
    Value(u32),
}

/// Where a thread is after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It stopped before its next operation.
    Before(Operation),
    /// It has ended.
    Ended,
}

/// A thread that got somewhere during a step: the one that was let go, and
/// those that it created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arrival {
    pub actor: ActorId,
    pub standing: Standing,
    /// Its last operation was a compare-exchange that changed nothing.
    pub failed: bool,
}

/// How a run ended before the engine was through with it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The program called `exit` or returned from `main`.
    Exited { code: i32 },
    /// It went wrong.
    Fault { property: Property, message: String },
    /// It did something that the machine cannot follow.
    Unsupported(String),
}

/// The decision of the engine: whom to let go, with which answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub actor: ActorId,
    pub reply: Reply,
}

/// The engine's side of a run.
pub trait Director {
    /// Called when all threads stand still: who got where since the last
    /// call, and the end of the program if that was reached. `None` gives the
    /// run up.
    fn next(&mut self, arrivals: &[Arrival], end: Option<&End>) -> Option<Step>;

    /// Called before that: these words of memory were freed since the last call.
    fn freed(&mut self, _words: std::ops::Range<u64>) {}

    /// Called before each run by a machine that can go back to former states:
    /// how many of the states that it was asked to keep are still wanted. The
    /// run begins in the last of these, or at the beginning of the program if
    /// there is none. States behind it are never asked for again.
    fn resumes(&mut self) -> usize {
        0
    }

    /// Called by such a machine where `next` is about to be called: whether it
    /// should keep this state. `cost` is the number of pages to copy for that.
    fn keeps(&mut self, _cost: usize) -> bool {
        false
    }
}

/// A program that can be run again and again: from its beginning, or, if the
/// machine can keep states, from where the director wants it to go on.
pub trait Run {
    /// Runs it once. `Err` says why it could not be run.
    fn execute(&mut self, director: &mut dyn Director) -> Result<(), String>;
}
