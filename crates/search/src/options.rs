//! What a search is asked to do.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use exeunt_model::{LeftOut, SectionKind, Session};

use crate::explore::Wanted;
use crate::snapshot::Keeper;

/// In which order states are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Depth first: stops at the first violation it meets.
    Depth,
    /// Breadth first: finds a shortest violation.
    Shortest,
}

/// How often a schedule may switch away from an actor that could go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextLimit {
    AtMost(u32),
    /// None, then one, then two… until something shows or nothing is cut off.
    Growing,
}

/// What is remembered of the states that were visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// Everything.
    #[default]
    Exact,
    /// A fingerprint: some states may be taken for others.
    Fingerprints,
    /// A few bits in an array of this size: many may.
    Bits { bytes: u64 },
}

/// Which kinds of sections are checked. Empty means none.
#[derive(Clone, Debug, Default)]
pub struct SectionFilter {
    pub kinds: Vec<SectionKind>,
}

impl SectionFilter {
    pub fn all() -> SectionFilter {
        SectionFilter { kinds: SectionKind::ALL.to_vec() }
    }

    pub fn contains(&self, kind: SectionKind) -> bool {
        self.kinds.contains(&kind)
    }
}

/// Where a search gives up. Reaching a limit forbids the verdict "holds".
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub time: Option<Duration>,
    /// How much of it was spent before, by another part of the same check.
    pub spent: Duration,
    /// Bytes of the whole process.
    pub memory: Option<u64>,
    /// How many states, components of states and pairs of a product get
    /// numbers; by default as many as fit.
    pub capacity: Option<u64>,
    pub max_depth: Option<u64>,
    pub max_states: Option<u64>,
}

/// Putting a long search aside and taking it up again.
#[derive(Clone, Default)]
pub struct Checkpoints {
    pub keeper: Option<Arc<dyn Keeper>>,
    /// Opens what was kept before.
    #[allow(clippy::type_complexity)]
    pub resume: Option<Arc<dyn Fn() -> io::Result<Box<dyn Read>> + Send + Sync>>,
}

impl Checkpoints {
    pub fn are_wanted(&self) -> bool {
        self.keeper.is_some() || self.resume.is_some()
    }
}

impl fmt::Debug for Checkpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Checkpoints({}, {})", self.keeper.is_some(), self.resume.is_some())
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    pub order: Order,
    pub memory: Memory,
    pub sections: SectionFilter,
    /// The whole program is a section.
    pub termination: bool,
    pub deadlock: bool,
    /// Go on after a violation; each source location is reported once.
    pub all: bool,
    pub limits: Limits,
    /// How many states there will be, if somebody knows: there is room for them from the beginning.
    pub expected: u32,
    /// How many threads explore.
    pub jobs: usize,
    /// Whether moves may be put off that can come later as well (partial-order
    /// reduction, as far as the model supports it).
    pub reduces: bool,
    pub checkpoints: Checkpoints,
    /// A search in depth may dive: nothing is tried before it that looks broadly.
    pub dives: bool,
    /// Beside another search: what that one relies on stays, and where it is wrong this one ends.
    pub beside: bool,
    /// Paths to what is found in depth are shortened before they are told.
    pub shortens: bool,
    /// Somebody watches: progress says where in the program the search is.
    pub watched: bool,
    /// Set from outside to end the search with what is known.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            order: Order::Depth,
            memory: Memory::Exact,
            sections: SectionFilter::all(),
            termination: false,
            deadlock: true,
            all: false,
            limits: Limits::default(),
            expected: 0,
            jobs: 1,
            reduces: false,
            checkpoints: Checkpoints::default(),
            dives: false,
            beside: false,
            shortens: true,
            watched: false,
            interrupt: Arc::default(),
        }
    }
}

impl Options {
    /// Whether several threads can do it: not where an order is asked for.
    pub fn can_be_shared(&self) -> bool {
        let anyhow = self.order == Order::Depth && !self.all && self.limits.max_depth.is_none();
        // Which moves are put off depends on the order.
        anyhow && !self.reduces
    }

    /// Whether it would help to look elsewhere when a search dives.
    pub(crate) fn may_turn_away(&self) -> bool {
        let limited = self.limits.max_states.is_some() || self.limits.max_depth.is_some();
        let anyhow = self.order == Order::Depth && self.memory == Memory::Exact && !self.all;
        anyhow && !self.dives && !limited && !self.checkpoints.are_wanted()
    }

    /// Without what makes no difference for this model.
    pub(crate) fn fitted(&self, session: &dyn Session) -> Options {
        let (mut options, facts) = (self.clone(), session.facts());
        options.reduces &= facts.left_out != LeftOut::None;
        if !facts.has_sections {
            options.sections.kinds.clear();
        }
        options
    }

    /// What may not be stuck.
    pub(crate) fn wanted(&self) -> Wanted<'_> {
        Wanted { sections: &self.sections, termination: self.termination }
    }

    /// Whether anything beyond safety and deadlock is asked.
    pub fn liveness(&self) -> bool {
        self.termination || !self.sections.kinds.is_empty()
    }
}

/// How far a search has come.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    pub states: u64,
    /// Of these, how many were found but not looked at yet: what is left as
    /// far as is known. Each may lead to new ones.
    pub waiting: u64,
    pub transitions: u64,
    pub depth: u64,
    /// An estimate of how much of all states was seen, between 0 and 1 (`outlook.rs`).
    pub share: Option<f64>,
    /// Where the actors are in the state that is looked at.
    pub place: String,
    /// Bytes of state storage.
    pub memory: u64,
    /// The bytes that the process may use.
    pub memory_limit: Option<u64>,
    pub seconds: f64,
    /// Searches that were discarded before this one.
    pub discarded: u64,
}
