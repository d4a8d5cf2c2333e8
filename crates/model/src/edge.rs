//! One step of one actor: who moved, what was chosen, what happened, where to.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use crate::{CompId, Fault, Location, OpenSection, Unsupported};

/// A thread or process. Numbers are small and start at 0 (the main thread);
/// people see them counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActorId(pub u32);

impl fmt::Display for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// A block of memory, by the number that its machine has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockId(NonZeroU32);

impl BlockId {
    /// `None` for 0, which is no block.
    pub fn new(number: u32) -> Option<BlockId> {
        NonZeroU32::new(number).map(BlockId)
    }
}

/// What actors are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Noun {
    #[default]
    Thread,
    /// Known by its number in the model, which begins at 0.
    Process,
}

impl Noun {
    pub fn name(self) -> &'static str {
        match self {
            Noun::Thread => "thread",
            Noun::Process => "process",
        }
    }

    pub fn plural(self) -> &'static str {
        match self {
            Noun::Thread => "threads",
            Noun::Process => "processes",
        }
    }

    /// The number that people know the first actor by.
    pub fn first(self) -> u32 {
        match self {
            Noun::Thread => 1,
            Noun::Process => 0,
        }
    }

    /// For messages: "thread 2".
    pub fn call(self, actor: ActorId) -> String {
        self.call_all(&[actor])
    }

    /// For messages: "threads 2, 3".
    pub fn call_all(self, actors: &[ActorId]) -> String {
        let number = |actor: &ActorId| match self {
            Noun::Thread => actor.to_string(),
            Noun::Process => actor.0.to_string(),
        };
        let numbers: Vec<String> = actors.iter().map(number).collect();
        let plural = match self {
            _ if actors.len() == 1 => "",
            Noun::Thread => "s",
            Noun::Process => "es",
        };
        format!("{}{plural} {}", self.name(), numbers.join(", "))
    }
}

/// Who resolves a choice: the scheduler is fair, the
/// environment is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChoiceKind {
    /// Which waiter wakes, whether a timed wait times out…
    Scheduler,
    /// Inputs, `exeunt_choose`, weak compare-exchange failing…
    Environment,
}

/// One resolved choice on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    pub kind: ChoiceKind,
    /// How many alternatives there were.
    pub arity: u32,
    /// The one taken, below `arity`.
    pub value: u32,
}

/// Where program output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    Out,
    Err,
}

/// Something worth telling about an edge. Only produced for
/// [`Detail::Story`](crate::Detail).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The actor did something visible, in words ("lock(m)", "x = 1 (was 0)").
    Did {
        location: Location,
        text: Arc<str>,
    },
    /// What follows happens in a function that was called from here, called from
    /// there…: innermost first.
    Within {
        callers: Arc<[Location]>,
    },
    /// Shared memory was read or written; goes with a `Did`. Threads may have
    /// different names for one place: `at` tells places apart.
    Accessed {
        at: u64,
        place: Arc<str>,
        write: bool,
    },
    /// Those who wait in sections of this slot were told to go on; goes with a `Did`.
    Signalled {
        slot: u64,
        /// Who was woken: nobody, if nobody waited; `None` if it is not known who.
        woken: Option<Arc<[ActorId]>>,
    },
    Opened {
        section: OpenSection,
        name: Arc<str>,
        location: Location,
    },
    Closed {
        section: OpenSection,
        location: Location,
    },
    Output {
        stream: Stream,
        bytes: Vec<u8>,
    },
    /// A block of memory was given back: which, where, and where it was made.
    Freed {
        block: BlockId,
        location: Location,
        made: Option<Location>,
    },
    /// The environment did something that it need not do; the text says which
    /// option excludes it.
    Whim {
        text: &'static str,
    },
}

/// Several steps of one actor in one edge, with nobody between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// It ended before its visible operation of this number, counted from one; 0 if the
    /// edge is a step.
    pub until: u64,
    /// Where it ended before an operation of synchronisation, as a number that is not 0
    /// and that the machine knows.
    pub place: Option<u64>,
}

impl Turn {
    /// Whether it is one, and no step.
    pub fn is_taken(self) -> bool {
        self.until > 0
    }
}

/// How far a turn may go.
#[derive(Clone, Copy, Debug)]
pub struct Leash<'l> {
    /// It ends before its visible operation of this number, counted from one.
    pub until: u64,
    /// It ends before an operation of synchronisation at a place that is not among
    /// these; `None`: at no such place.
    pub known: Option<&'l [u64]>,
}

/// What an edge tells the engine besides its target.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'a> {
    pub actor: ActorId,
    /// All choices resolved on the way, in order.
    pub choices: &'a [Choice],
    /// The environment may withhold this move for ever (a spurious wake-up):
    /// explored, but never something a stuck set has to answer.
    pub withheld: bool,
    /// The step closed an instance and opened one of the same name again, so
    /// that comparing open sets of source and target would miss the end.
    pub reopens: bool,
    /// Of a turn: how it went.
    pub turn: Turn,
    /// Empty unless a story was asked for.
    pub events: &'a [Event],
}

impl<'a> Edge<'a> {
    /// The edge into the initial state, which no actor takes.
    pub fn initial() -> Edge<'a> {
        Edge {
            actor: ActorId(0),
            choices: &[],
            withheld: false,
            reopens: false,
            turn: Turn::default(),
            events: &[],
        }
    }

    /// Whether the environment resolved anything on this edge.
    pub fn has_environment_choice(&self) -> bool {
        self.choices.iter().any(|c| c.kind == ChoiceKind::Environment)
    }
}

/// Where an edge leads.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    State(&'a [CompId]),
    /// The program went wrong on this step.
    Fault(&'a Fault),
    /// The machine cannot execute this; nothing is known beyond it.
    Unsupported(&'a Unsupported),
    /// The path was dropped by an assumption: neither an end nor a deadlock.
    Dropped,
}
