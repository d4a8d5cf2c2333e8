//! Why execution of a thread does not simply go on.
//!
//! Three channels: the program's fault, a limit of ours, and the ordinary
//! reasons of concurrency.

use std::sync::Arc;

use exeunt_model::Fault;

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    Mutex {
        addr: u64,
        owner: Option<u32>,
    },
    Rwlock {
        addr: u64,
        write: bool,
    },
    Spin {
        addr: u64,
        owner: Option<u32>,
    },
    Condition {
        addr: u64,
    },
    Barrier {
        addr: u64,
        missing: u32,
    },
    Join {
        thread: u32,
    },
    Semaphore {
        addr: u64,
    },
    /// Another thread wakes up before (`--real-time`).
    Sleep,
    Futex {
        addr: u64,
    },
    Descriptor {
        descriptor: i32,
        what: &'static str,
    },
    /// `poll` waits for several.
    Descriptors {
        count: u64,
    },
    Once {
        addr: u64,
        /// The thread that runs the initialisation.
        runner: u32,
    },
    /// Something that never comes (`pause`, `while(1) sleep`).
    Forever(&'static str),
}

/// Ends a step early.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The thread cannot move in this state; nothing was changed.
    Blocked(Waiting),
    /// The thread has begun to wait: its status says for what. The call is
    /// not complete.
    Waits,
    /// The step ends before this operation, which has changed nothing.
    Pause,
    /// Control went elsewhere in the thread (cancellation, `longjmp`).
    Moved,
    /// The program went wrong.
    Fault(Box<Fault>),
    /// We cannot execute this.
    Unsupported(Arc<str>),
    /// The path was dropped by an assumption.
    Dropped,
    /// The operation, which has changed nothing, leads beyond a bound of the search.
    Beyond,
    /// The whole program has ended.
    Exit,
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(Box::new(fault))
    }
}

impl Stop {
    pub fn unsupported(what: impl Into<Arc<str>>) -> Stop {
        Stop::Unsupported(what.into())
    }
}
