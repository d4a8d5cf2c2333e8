//! The state graph as far as it is known, and the means to unfold it.

use std::ops::ControlFlow;

use exeunt_model::{
    ActorId, CompId, Detail, Edge, Fault, Move, Sink, StateStatus, Target, Unsupported, Worker,
};

use super::labels::{LabelId, Labels};
use crate::limits::Meter;
use crate::store::{ComponentPool, StateId, StateStore};

pub struct Graph<'a> {
    pub worker: Box<dyn Worker + 'a>,
    pub pool: &'a ComponentPool,
    pub store: StateStore,
    pub initial: Option<StateId>,
    /// Reached something the machine cannot execute.
    pub unsupported: Vec<Unsupported>,
    /// What has been seen on edges.
    pub seen: Seen,
    /// The labels of edges, if they are kept.
    pub labels: Option<Labels>,
    /// Whether moves may be put off that can come later as well.
    pub reduces: bool,
    vector: Vec<CompId>,
    actors: Vec<ActorId>,
}

/// Features that some edge had.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// An environment choice.
    pub chooses: bool,
    /// It closes and reopens a section.
    pub reopens: bool,
    /// It was dropped by an assumption, or could not be followed.
    pub drops: bool,
}

/// One edge of an expansion.
#[derive(Clone, Copy, Debug)]
pub struct Out {
    /// `None` leads to no state: a fault, a limit, a dropped path.
    pub target: Option<StateId>,
    /// The environment may withhold it for ever.
    pub withheld: bool,
    /// The target has not been seen before.
    pub new: bool,
    /// The environment chose something on it.
    pub chosen: bool,
    /// Meaningful if labels are kept.
    pub label: LabelId,
}

/// What one expansion gave.
#[derive(Default)]
pub struct Expansion {
    /// In the order of the model.
    pub edges: Vec<Out>,
    pub faults: Vec<(Move, Fault)>,
    /// Moves that a scheduler could make, whatever their outcome.
    pub moves: u32,
    /// Some path was dropped here or could not be followed.
    pub open_end: bool,
    pub ended: bool,
}

impl Expansion {
    /// Targets of the moves that the environment cannot withhold.
    pub fn successors(&self) -> impl Iterator<Item = StateId> + '_ {
        self.edges.iter().filter(|edge| !edge.withheld).filter_map(|edge| edge.target)
    }

    /// Targets of the moves that it may withhold for ever.
    pub fn withheld(&self) -> impl Iterator<Item = StateId> + '_ {
        self.edges.iter().filter(|edge| edge.withheld).filter_map(|edge| edge.target)
    }

    /// Whether nothing can move although the program has not ended.
    pub fn is_deadlock(&self) -> bool {
        self.moves == 0 && !self.ended && !self.open_end
    }
}

impl<'a> Graph<'a> {
    pub fn new(worker: Box<dyn Worker + 'a>, pool: &'a ComponentPool) -> Graph<'a> {
        Graph::on(worker, pool, StateStore::new())
    }

    /// A graph over states that others store too.
    pub fn on(
        worker: Box<dyn Worker + 'a>,
        pool: &'a ComponentPool,
        store: StateStore,
    ) -> Graph<'a> {
        Graph {
            worker,
            pool,
            store,
            initial: None,
            unsupported: Vec::new(),
            seen: Seen::default(),
            labels: None,
            reduces: false,
            vector: Vec::new(),
            actors: Vec::new(),
        }
    }

    /// Stores the initial state. `Err` is a fault before the first step.
    pub fn start(&mut self) -> Result<(), Fault> {
        let mut expansion = Expansion::default();
        self.collect(&mut expansion, |worker, collect| {
            worker.initial(collect);
            StateStatus::Running
        });
        self.initial = expansion.successors().next();
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
        let mut vector = std::mem::take(&mut self.vector);
        self.store.load_near(state, &mut vector);
        if !(self.reduces && self.expand_enough(&vector, expansion)) {
            self.collect(expansion, |worker, collect| {
                worker.expand(&vector, Detail::Targets, None, collect)
            });
        }
        self.vector = vector;
        let (mut transitions, mut new) = (0, 0);
        for edge in &expansion.edges {
            transitions += edge.target.is_some() as u64;
            new += edge.new as u64;
        }
        meter.transitions += transitions;
        meter.revisits += transitions - new;
    }

    /// Expands a state by the moves of some actors, if they are enough.
    ///
    /// One of the targets must be new. Then it will be expanded later than
    /// this state, and so on, until a state is expanded by all its moves: from
    /// every state such a state is reachable by moves that change nothing for
    /// those put off, so none is put off for ever.
    fn expand_enough(&mut self, vector: &[CompId], expansion: &mut Expansion) -> bool {
        let mut actors = std::mem::take(&mut self.actors);
        actors.clear();
        let reduced = self.worker.enough(vector, &mut actors);
        if reduced {
            self.collect(expansion, |worker, collect| worker.expand_some(vector, &actors, collect));
        }
        self.actors = actors;
        reduced && expansion.edges.iter().any(|edge| edge.new && !edge.withheld)
    }

    fn collect(
        &mut self,
        expansion: &mut Expansion,
        expand: impl FnOnce(&mut dyn Worker, &mut dyn Sink) -> StateStatus,
    ) {
        expansion.edges.clear();
        expansion.faults.clear();
        expansion.moves = 0;
        let limits = self.unsupported.len();
        let Graph { worker, store, unsupported, labels, .. } = self;
        let seen = Seen::default();
        let mut collect = Collect { store, expansion, unsupported, labels, seen };
        let status = expand(&mut **worker, &mut collect);
        let seen = collect.seen;
        let mut edges = expansion.edges.iter_mut().filter(|edge| edge.target.is_some());
        store.settle(|id, new| {
            let edge = edges.next().expect("one was staged for each target");
            edge.target = Some(id);
            edge.new = new;
        });
        expansion.open_end = seen.drops || unsupported.len() > limits;
        expansion.ended = status == StateStatus::Ended;
        self.seen.chooses |= seen.chooses;
        self.seen.reopens |= seen.reopens;
        self.seen.drops |= seen.drops;
    }
}

struct Collect<'c> {
    store: &'c mut StateStore,
    expansion: &'c mut Expansion,
    unsupported: &'c mut Vec<Unsupported>,
    labels: &'c mut Option<Labels>,
    seen: Seen,
}

/// Stands for a target whose number is not known yet.
const STAGED: StateId = StateId(0);

impl Sink for Collect<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let chosen = edge.has_environment_choice();
        self.seen.chooses |= chosen;
        self.seen.reopens |= edge.reopens;
        self.expansion.moves += !edge.withheld as u32;
        let target = match target {
            Target::State(vector) => {
                self.store.stage(vector);
                Some(STAGED)
            }
            Target::Fault(fault) => {
                let step = Move::new(edge.actor, edge.choices, edge.withheld);
                self.expansion.faults.push((step, fault.clone()));
                None
            }
            Target::Unsupported(limit) => {
                if !self.unsupported.contains(limit) {
                    self.unsupported.push(limit.clone());
                }
                self.seen.drops = true;
                None
            }
            Target::Dropped => {
                self.seen.drops = true;
                None
            }
        };
        let label = match self.labels {
            Some(labels) => labels.of(edge),
            None => LabelId::default(),
        };
        let out = Out { target, withheld: edge.withheld, new: false, chosen, label };
        self.expansion.edges.push(out);
        ControlFlow::Continue(())
    }
}
