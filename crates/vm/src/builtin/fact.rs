//! What a row says about its function, besides its name and signature.
//!
//! Each fact is said in the row and nowhere else: visibility, footprints,
//! races, sections and reports read it there.

use exeunt_model::SectionKind;

/// When a call is a scheduling point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Touches nothing that another thread could see.
    Local,
    /// Reads or writes memory behind its pointer arguments: visible if one of
    /// them points to shared memory.
    Memory,
    /// Reads or writes memory that its arguments lead to in more than one hop
    /// (a `va_list`): always visible (while there is more than one thread).
    Indirect,
    /// Looks up the key that is its first argument in the table of keys:
    /// visible if that entry may still change.
    Specific,
    /// Looks at a clock, and writes memory behind its pointer arguments: visible
    /// if one of them points to shared memory, or if time passes.
    Clock,
    /// Leaves calls of its own thread because of the exception that is its argument:
    /// visible if others can reach the exception, or notice the end of a call.
    Unwinds,
    /// Always visible (while there is more than one thread).
    Visible,
    /// Visible, and waits: the call is an instance of this section kind about
    /// its first argument for as long as it is pending.
    Wait(SectionKind),
}

/// Whether a thread that is to be cancelled ends in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancel {
    Never,
    /// A cancellation point.
    Always,
    /// It may be one: a function of stdio is if it has to write or read.
    Maybe,
}

/// Whether the answer of a call comes from the world outside of the program.
/// We give one fixed answer, so a search of all schedules establishes nothing
/// about the others.
#[derive(Clone, Copy)]
pub enum Outside {
    No,
    /// Says what was answered: a clause behind "the program calls f, and".
    Fixed(&'static str),
    /// Depends on the arguments, as far as they are constants.
    Depends(fn(&[Option<u64>]) -> Option<&'static str>),
}

impl std::fmt::Debug for Outside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Outside::No => "No",
            Outside::Fixed(_) => "Fixed",
            Outside::Depends(_) => "Depends",
        })
    }
}

/// Which stream of stdio a call locks while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locks {
    No,
    /// The `FILE *` that is this argument.
    Argument(u8),
    Input,
    Output,
    Error,
}

/// What a call is to those who could notice it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// An access to data.
    #[default]
    Data,
    /// It may have to wait, wakes or chooses.
    Sync,
    /// It gives something back that others wait for.
    Release,
    /// It tells whether it would have to wait.
    Observe,
}

/// A kind of synchronisation object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    Mutex,
    Condition,
    Rwlock,
    Spinlock,
    Semaphore,
    Barrier,
    Once,
    /// The lock of a stream is named by the first bytes of its `FILE`.
    Stream,
}

impl Object {
    /// Its bytes, with the types of glibc on x86-64.
    pub const fn size(self) -> u64 {
        match self {
            Object::Mutex => 40,
            Object::Condition => 48,
            Object::Rwlock => 56,
            Object::Spinlock | Object::Once => 4,
            Object::Semaphore | Object::Barrier => 32,
            Object::Stream => 8,
        }
    }
}

/// What a call touches that is a scheduling point by itself (`Effect::Visible`
/// and `Effect::Wait`). What `Effect::Memory` touches is what its arguments
/// point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touches {
    /// Unknown: it depends on every operation of every other thread.
    Everything,
    /// Only its own thread.
    Nothing,
    /// The object behind its first argument.
    Object(Object),
    /// The objects behind its first and its second argument.
    Both(Object, Object),
    /// The object behind its first argument, and an `int` behind the second.
    Value(Object),
    /// The thread that its first argument is, and a result behind the second.
    Thread,
    /// A new thread: its handle and its attributes.
    Birth,
    /// The life of its own thread.
    End,
    /// What the system call does whose number is its first argument.
    SystemCall,
    /// Output if its first argument is a descriptor for that, else everything.
    Descriptor,
}

/// How a call orders the accesses of threads (POSIX 4.12, memory
/// synchronisation, without locks: those are the sections that threads hold).
/// The object is the first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    Nothing,
    /// If it answers 0, it acquires what was released to the object.
    Acquires,
    /// Whatever it answers.
    AcquiresAlways,
    /// If it answers 0, it releases to the object.
    Releases,
    /// Those it wakes know what the caller knows.
    Wakes,
    /// The same with the second argument as the object.
    WakesSecond,
    /// All who wait there know what each of them knew.
    Meets,
    /// If it answers 0, it knows what the thread knew that has ended.
    Joins,
}

/// Whether the environment chooses what a call answers or leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chooses {
    Nothing,
    /// Everything that is possible is tried.
    All,
    /// Some of what is possible is tried.
    Sample,
}

/// What only few functions do to the whole program, and what has to be known
/// before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    None,
    /// It ends another thread.
    Cancels,
    /// It registers what runs when the program ends.
    AtExit,
    /// A key of thread-specific data goes away.
    DeletesKey,
    /// It leaves memory out of the comparison of states.
    Ignores,
    /// It ends the program as a failure.
    Fails,
    /// It gives a name to a variable, for propositions.
    Names,
    /// Mutexes may be given back by the end of their owner.
    Robust,
    /// It tells the name of a thread.
    TellsName,
}

pub const MUTEX: Touches = Touches::Object(Object::Mutex);
pub const CONDITION: Touches = Touches::Object(Object::Condition);
pub const CONDITION_AND_MUTEX: Touches = Touches::Both(Object::Condition, Object::Mutex);
pub const RWLOCK: Touches = Touches::Object(Object::Rwlock);
pub const SPINLOCK: Touches = Touches::Object(Object::Spinlock);
pub const SEMAPHORE: Touches = Touches::Object(Object::Semaphore);
pub const BARRIER: Touches = Touches::Object(Object::Barrier);
pub const ONCE: Touches = Touches::Object(Object::Once);
pub const STREAM: Touches = Touches::Object(Object::Stream);
