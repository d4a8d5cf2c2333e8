//! What a counter automaton is made of.

use std::collections::BTreeMap;

use exeunt_model::{Label, Location};
use exeunt_smt::{Formula, Int, Term, Var};

/// All that a proof is about: the thread and whatever runs beside it.
#[derive(Clone, Debug)]
pub struct System {
    /// By number of their [`Var`].
    pub vars: Vec<Variable>,
    pub locks: Vec<Lock>,
    /// The first is the one that is asked about.
    pub threads: Vec<Thread>,
    /// Shared variables that say whether the subject was woken from a wait for a condition.
    pub wakes: Vec<Var>,
    /// Where precision was lost, once for each place.
    pub losses: Vec<Label>,
    /// What is taken for granted.
    pub assumptions: Vec<String>,
}

/// The name of inputs of which one value other than zero is as good as another: where an object lies, the handle of a thread, and
/// what is in memory before it is written.
pub const UNSET: &str = "unset";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub kind: VarKind,
    /// The values that its type has; `None` for mathematical integers.
    pub range: Option<(Int, Int)>,
    /// The value before any thread runs, if that is known.
    pub initial: Option<Int>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarKind {
    Shared,
    /// Of the thread with this index.
    Local(usize),
    /// An arbitrary value that one edge takes.
    Input,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LockId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    pub name: String,
    /// Why holding it excludes nobody, if so: a thread may unlock it that does not hold it.
    pub distrusted: Option<Label>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Several threads may hold it so.
    Shared,
    Exclusive,
}

/// A lock that is held for sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hold {
    pub lock: LockId,
    pub mode: Mode,
    pub count: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

#[derive(Clone, Debug)]
pub struct Node {
    pub held: Vec<Hold>,
    pub location: Option<Location>,
    /// The whole program ends here.
    pub exits: bool,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub from: NodeId,
    pub to: NodeId,
    pub guard: Formula,
    /// All at once; what is not named stays.
    pub sets: BTreeMap<Var, Term>,
    /// Arbitrary values within the ranges of these variables.
    pub inputs: Vec<Var>,
    /// It reads or writes shared variables or locks.
    pub visible: bool,
    /// The program can do just this; otherwise it can do this at most.
    pub exact: bool,
    /// It gives back a lock that the thread does not hold for sure.
    pub wrong_unlock: Option<LockId>,
    /// It starts the thread with this index.
    pub starts: Option<usize>,
    /// The thread with this index has ended before it can be taken.
    pub ends: Option<usize>,
    /// A thread could not be started.
    pub fails: bool,
    /// What can keep the thread from taking it, besides its guard.
    pub waits: Wait,
    pub location: Option<Location>,
    pub text: String,
}

/// What a thread may have to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Nothing.
    No,
    /// Others that hold this lock.
    Lock(LockId),
    /// Others, in a way that is not followed.
    Other,
}

impl Wait {
    /// What two edges in a row wait for.
    #[must_use]
    pub fn and(self, other: Wait) -> Wait {
        match (self, other) {
            (Wait::No, wait) | (wait, Wait::No) => wait,
            (a, b) if a == b => a,
            _ => Wait::Other,
        }
    }
}

/// Why a thread is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The one that is asked about: a single instance.
    Subject,
    /// One more thread.
    One,
    /// Any number of threads.
    Many,
    /// The thread that starts the program.
    Main,
}

#[derive(Clone, Debug)]
pub struct Thread {
    pub name: String,
    /// The function that the virtual machine knows it by: of a thread of the C++ library, one of
    /// the library.
    pub runs: String,
    pub role: Role,
    pub entry: NodeId,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// For each thread, the nodes of this one at which it cannot run: it has not been started yet, or has ended.
    pub early: Vec<Vec<bool>>,
}

impl System {
    pub fn variable(&self, var: Var) -> &Variable {
        &self.vars[var.0 as usize]
    }

    pub fn shared(&self) -> impl Iterator<Item = Var> {
        self.all_vars().filter(|var| self.variable(*var).kind == VarKind::Shared)
    }

    pub fn locals(&self, thread: usize) -> impl Iterator<Item = Var> {
        self.all_vars().filter(move |var| self.variable(*var).kind == VarKind::Local(thread))
    }

    fn all_vars(&self) -> impl Iterator<Item = Var> {
        (0..self.vars.len() as u32).map(Var)
    }

    pub fn is_shared(&self, var: Var) -> bool {
        self.variable(var).kind == VarKind::Shared
    }

    /// Whether two threads can be at nodes with these holds at the same time.
    pub fn compatible(&self, one: &[Hold], other: &[Hold]) -> bool {
        !one.iter().any(|a| other.iter().any(|b| self.exclude(*a, *b)))
    }

    /// Whether these holds exclude each other.
    pub fn exclude(&self, a: Hold, b: Hold) -> bool {
        a.lock == b.lock
            && (a.mode == Mode::Exclusive || b.mode == Mode::Exclusive)
            && self.locks[a.lock.0 as usize].distrusted.is_none()
    }

    /// Whether no other thread can write a variable while a thread holds these
    /// locks.
    pub fn is_stable(&self, thread: usize, var: Var, held: &[Hold]) -> bool {
        self.threads.iter().enumerate().all(|(index, other)| {
            let itself = index == thread && other.role != Role::Many;
            itself
                || other.edges.iter().all(|edge| {
                    let from = edge.from.0 as usize;
                    // What happens before a thread starts or behind its end does not disturb it.
                    !edge.sets.contains_key(&var)
                        || other.early[thread][from]
                        || !self.compatible(&other.nodes[from].held, held)
                })
        })
    }
}

impl Thread {
    /// Whether the subject cannot run when this thread is there: it was not started yet, or has ended.
    pub fn is_early(&self, id: NodeId) -> bool {
        self.early[0][id.0 as usize]
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn leaving(&self, id: NodeId) -> impl Iterator<Item = (usize, &Edge)> {
        self.edges.iter().enumerate().filter(move |(_, edge)| edge.from == id)
    }
}
