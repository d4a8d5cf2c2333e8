//! Orders of exploration. Each file owns only its order; storing, error
//! handling and counting are shared here.

mod breadth;
mod depth;

use std::ops::ControlFlow;

use exeunt_model::{
    CompId, Detail, Edge, Fault, Move, Sink, StateStatus, Target, Unsupported, Worker,
};

use crate::limits::Meter;
use crate::store::{ComponentPool, StateId, StateStore};

pub use breadth::{breadth_first, path_along};
pub use depth::depth_first;

/// Something an exploration came across, with the state it left from.
#[derive(Clone, Debug)]
pub enum Finding {
    Fault {
        step: Move,
        fault: Fault,
    },
    Deadlock {
        state: StateId,
    },
    /// A bottom component of a program that has not ended.
    Component {
        states: Vec<StateId>,
    },
}

/// What an explorer tells while it runs. `Break` ends the exploration.
pub trait Observer {
    /// `path` are the states from the initial one to where it was found.
    fn found(
        &mut self,
        finding: Finding,
        graph: &mut Graph<'_>,
        path: &[StateId],
    ) -> ControlFlow<()>;

    /// Whether bottom components are wanted at all.
    fn wants_components(&self) -> bool;

    /// Whether the exploration goes on after the first finding.
    fn goes_on(&self) -> bool;
}

/// The state graph as far as it is known, and the means to unfold it.
pub struct Graph<'a> {
    pub worker: Box<dyn Worker + 'a>,
    pub pool: &'a ComponentPool,
    pub store: StateStore,
    pub initial: Option<StateId>,
    /// Reached something the machine cannot execute.
    pub unsupported: Vec<Unsupported>,
    /// An edge with an environment choice was seen.
    pub chooses: bool,
    /// A move that the environment may withhold was seen.
    pub withholds: bool,
    /// An edge that closes and reopens a section was seen.
    pub reopens: bool,
    /// A path was dropped by an assumption.
    pub drops: bool,
    vector: Vec<CompId>,
}

/// What one expansion gave.
#[derive(Default)]
pub struct Expansion {
    pub successors: Vec<StateId>,
    /// Targets of moves that the environment may withhold for ever.
    pub withheld: Vec<StateId>,
    pub faults: Vec<(Move, Fault)>,
    /// Moves that a scheduler could make, whatever their outcome.
    pub moves: u32,
    /// Some path was dropped here or could not be followed.
    pub open_end: bool,
    pub ended: bool,
}

impl<'a> Graph<'a> {
    pub fn new(worker: Box<dyn Worker + 'a>, pool: &'a ComponentPool) -> Graph<'a> {
        Graph {
            worker,
            pool,
            store: StateStore::new(),
            initial: None,
            unsupported: Vec::new(),
            chooses: false,
            withholds: false,
            reopens: false,
            drops: false,
            vector: Vec::new(),
        }
    }

    /// Stores the initial state. `Err` is a fault before the first step.
    pub fn start(&mut self) -> Result<(), Fault> {
        let mut expansion = Expansion::default();
        let Graph { worker, store, unsupported, .. } = self;
        let mut flags = Flags::default();
        worker.initial(&mut Collect {
            store,
            expansion: &mut expansion,
            unsupported,
            flags: &mut flags,
        });
        self.initial = expansion.successors.first().copied();
        match expansion.faults.pop() {
            Some((_, fault)) => Err(fault),
            None => Ok(()),
        }
    }

    pub fn vector(&mut self, state: StateId) -> Vec<CompId> {
        let mut vector = Vec::new();
        self.store.load(state, &mut vector);
        vector
    }

    /// Expands a state, storing its successors.
    pub fn expand(&mut self, state: StateId, expansion: &mut Expansion, meter: &mut Meter<'_>) {
        expansion.successors.clear();
        expansion.withheld.clear();
        expansion.faults.clear();
        expansion.moves = 0;
        expansion.open_end = false;
        let mut vector = std::mem::take(&mut self.vector);
        self.store.load_near(state, &mut vector);
        let before = self.store.len();
        let limits = self.unsupported.len();
        let mut flags = Flags::default();
        let status = {
            let Graph { worker, store, unsupported, .. } = self;
            let mut collect = Collect { store, expansion, unsupported, flags: &mut flags };
            worker.expand(&vector, Detail::Targets, None, &mut collect)
        };
        self.vector = vector;
        self.chooses |= flags.chooses;
        self.withholds |= !expansion.withheld.is_empty();
        self.reopens |= flags.reopens;
        self.drops |= flags.drops;
        expansion.open_end |= flags.drops || self.unsupported.len() > limits;
        expansion.ended = status == StateStatus::Ended;
        let transitions = (expansion.successors.len() + expansion.withheld.len()) as u64;
        meter.transitions += transitions;
        meter.revisits += transitions - (self.store.len() - before) as u64;
    }
}

#[derive(Default)]
struct Flags {
    chooses: bool,
    reopens: bool,
    drops: bool,
}

struct Collect<'c> {
    store: &'c mut StateStore,
    expansion: &'c mut Expansion,
    unsupported: &'c mut Vec<Unsupported>,
    flags: &'c mut Flags,
}

impl Sink for Collect<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        self.flags.chooses |= edge.has_environment_choice();
        self.flags.reopens |= edge.reopens;
        self.expansion.moves += !edge.withheld as u32;
        match target {
            Target::State(vector) => {
                let target = self.store.insert(vector).0;
                if edge.withheld {
                    self.expansion.withheld.push(target);
                } else {
                    self.expansion.successors.push(target);
                }
            }
            Target::Fault(fault) => {
                let step = Move::new(edge.actor, edge.choices, edge.withheld);
                self.expansion.faults.push((step, fault.clone()));
            }
            Target::Unsupported(limit) => {
                if !self.unsupported.contains(limit) {
                    self.unsupported.push(limit.clone());
                }
                self.flags.drops = true;
            }
            Target::Dropped => self.flags.drops = true,
        }
        ControlFlow::Continue(())
    }
}
