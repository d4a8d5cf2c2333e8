//! The state graph as far as it is known, and the means to unfold it.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use exeunt_model::{
    ActorId, ActorView, Change, ChoiceKind, CompId, Detail, Edge, Fault, Move, Report,
    SearchWorker, Sink, StateStatus, Target, Unsupported,
};

use super::bits::Bits;
use super::labels::{Label, LabelId, Labels};
use crate::limits::Meter;
use crate::store::{ComponentPool, StateId, StateStore};
use crate::story::Bounds;

/// Moves are put off in one of so many states, or it is not worth the time.
const WORTH: u64 = 8;

/// Short searches beside a large one, and what they found.
pub type Aside<'a> = dyn Fn(&Meter<'_>) -> Option<Report> + 'a;

pub struct Graph<'a> {
    pub worker: Box<dyn SearchWorker + 'a>,
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
    /// Whether what the environment can keep open is asked for. Then the
    /// scheduler must have no choice among moves that put others off, and
    /// every way on from them must come to a state with all moves.
    pub strict: bool,
    /// Whether components that nothing leaves are looked at once more (`depth/mend.rs`): then
    /// it does not matter where moves lead that put others off.
    pub mends: bool,
    /// Sections that were opened on edges which were looked at but not explored.
    pub opened_aside: u64,
    /// Short searches that look broadly, where this one stops for them; what they found.
    pub aside: Option<&'a Aside<'a>>,
    /// Whether states are counted that were visited. More may be stored: telling what was found looks at others.
    /// Models are compared with other tools by their counts; programs keep the number of what is stored.
    pub counts_visits: bool,
    /// How many states a search that came to its end has visited, if they are counted.
    pub visited: Option<u64>,
    /// What a story may cost.
    pub bounds: Bounds,
    /// Turns that were taken from one state to another, which are no steps of the first.
    pub turns: Vec<(StateId, StateId, Move)>,
    /// The states that were expanded by some of their moves only.
    partial: Bits,
    /// How many there are of them, and of all that were expanded with that in mind.
    reduced: (u64, u64),
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
    /// The scheduler had a choice: actors, or what one of them meets.
    pub contested: bool,
    actor: Option<ActorId>,
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
    pub fn new(worker: Box<dyn SearchWorker + 'a>, pool: &'a ComponentPool) -> Graph<'a> {
        Graph::on(worker, pool, StateStore::new())
    }

    /// With room for so many states from the beginning.
    pub fn with_room(
        worker: Box<dyn SearchWorker + 'a>,
        pool: &'a ComponentPool,
        states: u32,
    ) -> Graph<'a> {
        Graph::on(worker, pool, StateStore::with_room(states))
    }

    /// A graph over states that others store too.
    pub fn on(
        worker: Box<dyn SearchWorker + 'a>,
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
            strict: false,
            mends: false,
            opened_aside: 0,
            aside: None,
            counts_visits: false,
            visited: None,
            bounds: Bounds::default(),
            partial: Bits::default(),
            reduced: (0, 0),
            vector: Vec::new(),
            actors: Vec::new(),
            turns: Vec::new(),
        }
    }

    /// Looks broadly if the search stopped for that. Whether the search can go on then: nothing was found, and
    /// what it relies on is not known to be wrong.
    pub fn goes_on(&self, meter: &mut Meter<'_>) -> bool {
        let crowded = meter.crowded.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        let Some(look) = self.aside.filter(|_| meter.turned_away && !crowded) else {
            return false;
        };
        meter.found = look(meter);
        let void = meter.refuted.load(Ordering::Acquire);
        let goes_on = meter.found.is_none() && !void && !meter.is_over();
        if goes_on {
            meter.turned_away = false;
            meter.lost_patience = false;
        }
        goes_on
    }

    /// Stores the initial state. `Err` is a fault before the first step.
    pub fn start(&mut self) -> Result<(), Fault> {
        let mut expansion = Expansion::default();
        self.collect(&mut expansion, &[], |worker, collect| {
            worker.initial(collect);
            StateStatus::Running
        });
        self.initial = expansion.successors().next();
        match expansion.faults.pop() {
            Some((_, fault)) => Err(fault),
            None => Ok(()),
        }
    }

    /// Where the actors of a state are, for people: the first few.
    pub fn place(&mut self, state: StateId) -> String {
        let vector = self.vector(state);
        let views = self.worker.view(&vector).into_iter().filter(|view| !view.ended);
        let place = |view: ActorView| {
            view.location.map(|location| format!("{}:{}", view.name, location.line))
        };
        views.filter_map(place).take(4).collect::<Vec<_>>().join(", ")
    }

    pub fn vector(&mut self, state: StateId) -> Vec<CompId> {
        let mut vector = Vec::new();
        self.store.load(state, &mut vector);
        vector
    }

    /// Expands a state by all its moves, storing its successors.
    pub fn expand(&mut self, state: StateId, expansion: &mut Expansion) {
        self.expand_by(state, expansion, None);
    }

    /// Expands a state by the moves it was expanded by before.
    pub fn expand_again(&mut self, state: StateId, expansion: &mut Expansion) {
        // One target of these was found not to be on the path, or none.
        let nowhere = |_: StateId| false;
        let on_path = self.partial.contains(state.0).then_some(&nowhere as &dyn Fn(_) -> _);
        self.expand_by(state, expansion, on_path);
    }

    /// Expands a state for a search in depth, if possible by some of its
    /// moves. `on_path` tells whether a state is on the way to this one, which
    /// is on it too.
    pub fn expand_enough(
        &mut self,
        state: StateId,
        expansion: &mut Expansion,
        on_path: &dyn Fn(StateId) -> bool,
    ) {
        self.expand_by(state, expansion, Some(on_path).filter(|_| self.reduces));
        self.reduced.0 += u64::from(self.reduces && self.partial.contains(state.0));
        self.reduced.1 += 1;
    }

    /// Whether so much is put off that a search which does not cannot be quicker.
    pub fn puts_off_much(&self) -> bool {
        let (partial, all) = self.reduced;
        partial * WORTH >= all
    }

    /// Looks around without leaving a trace of what is seen; edges are labelled.
    pub fn aside<R>(&mut self, look: impl FnOnce(&mut Self) -> R) -> R {
        let (seen, limits) = (self.seen, self.unsupported.len());
        let labels = self.labels.is_some();
        self.labels.get_or_insert_with(Labels::default);
        let result = look(self);
        self.labels.take_if(|_| !labels);
        self.unsupported.truncate(limits);
        self.seen = seen;
        result
    }

    /// What is written on an edge, if labels are kept.
    pub fn label(&self, id: LabelId) -> &Label {
        self.labels.as_ref().expect("labels are kept").get(id)
    }

    fn expand_by(
        &mut self,
        state: StateId,
        expansion: &mut Expansion,
        on_path: Option<&dyn Fn(StateId) -> bool>,
    ) {
        let mut vector = std::mem::take(&mut self.vector);
        self.store.load_near(state, &mut vector);
        let opened = self.worker.sections_opened();
        if on_path.is_some_and(|on_path| self.reduce(&vector, expansion, on_path)) {
            self.partial.insert(state.0);
        } else {
            // What a set that was not enough opened is opened again by all moves.
            self.opened_aside += self.worker.sections_opened() - opened;
            self.collect(expansion, &vector, |worker, collect| {
                worker.expand(&vector, Detail::Targets, None, collect)
            });
        }
        self.vector = vector;
    }

    /// Expands a state by the moves of some actors, if they are enough.
    ///
    /// One of the targets must not be on the path. Then the search leaves it
    /// before this state; and so on: from every state another one is reachable
    /// that is expanded by all its moves, by moves that change nothing for
    /// those put off, so none is put off for ever. That is enough for faults,
    /// deadlocks and whatever can be said as "from everywhere it can happen".
    ///
    /// Against an environment that chooses it is not: it could choose the
    /// targets on the path, or choose late what it must choose early where the
    /// scheduler races. So there (`strict`) no target may be on the path, and
    /// all moves must be those of one actor without a choice of the scheduler.
    /// Then a plan of the environment for the reduced graph is one for the
    /// whole graph: moves put off are answered as they will be where all moves
    /// are looked at, and the moves before that, already planned, commute with
    /// them.
    fn reduce(
        &mut self,
        vector: &[CompId],
        expansion: &mut Expansion,
        on_path: &dyn Fn(StateId) -> bool,
    ) -> bool {
        let mut actors = std::mem::take(&mut self.actors);
        actors.clear();
        let reduced = self.worker.enough(vector, false, &mut actors);
        if reduced {
            self.collect(expansion, vector, |worker, collect| {
                worker.expand_some(vector, &actors, collect)
            });
        }
        self.actors = actors;
        let leads_away = |edge: &Out| {
            !edge.withheld && edge.target.is_some_and(|target| edge.new || !on_path(target))
        };
        let leads_on = |edge: &Out| !edge.withheld && edge.target.is_some();
        reduced
            && match self.strict {
                false if self.mends => expansion.edges.iter().any(leads_on),
                false => expansion.edges.iter().any(leads_away),
                true => !expansion.contested && expansion.edges.iter().all(leads_away),
            }
    }

    /// Whether a state was expanded by some of its moves only.
    pub fn is_partial(&self, state: StateId) -> bool {
        self.partial.contains(state.0)
    }

    /// Adds the actors that move in a state, of all or of those it was expanded by.
    pub fn movers(&mut self, state: StateId, partial: bool, moved: &mut Movers) {
        let vector = self.vector(state);
        let mut actors = std::mem::take(&mut self.actors);
        actors.clear();
        match partial && self.worker.enough(&vector, false, &mut actors) {
            true => self.worker.expand_some(&vector, &actors, moved),
            false => self.worker.expand(&vector, Detail::Targets, None, moved),
        };
        self.actors = actors;
    }

    /// Expands a state by all its moves that was expanded by some of them before.
    pub fn expand_rest(&mut self, state: StateId, expansion: &mut Expansion) {
        self.partial.remove(state.0);
        self.expand(state, expansion);
    }

    fn collect(
        &mut self,
        expansion: &mut Expansion,
        near: &[CompId],
        expand: impl FnOnce(&mut dyn SearchWorker, &mut dyn Sink) -> StateStatus,
    ) {
        expansion.edges.clear();
        expansion.faults.clear();
        expansion.moves = 0;
        expansion.contested = false;
        expansion.actor = None;
        let limits = self.unsupported.len();
        let Graph { worker, store, unsupported, labels, .. } = self;
        let seen = Seen::default();
        let mut collect = Collect { store, expansion, unsupported, labels, seen, near };
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

/// Collects who moves.
#[derive(Default)]
pub struct Movers {
    pub actors: BTreeSet<ActorId>,
}

impl Sink for Movers {
    fn edge(&mut self, edge: &Edge<'_>, _: Target<'_>) -> ControlFlow<()> {
        if !edge.withheld {
            self.actors.insert(edge.actor);
        }
        ControlFlow::Continue(())
    }
}

struct Collect<'c> {
    store: &'c mut StateStore,
    expansion: &'c mut Expansion,
    unsupported: &'c mut Vec<Unsupported>,
    labels: &'c mut Option<Labels>,
    seen: Seen,
    /// The state that is expanded, which the store has loaded last.
    near: &'c [CompId],
}

/// Stands for a target whose number is not known yet.
const STAGED: StateId = StateId(0);

impl Collect<'_> {
    /// Notes an edge and where it leads.
    #[inline]
    fn note(&mut self, edge: &Edge<'_>, target: Option<StateId>) {
        let chosen = edge.has_environment_choice();
        self.seen.chooses |= chosen;
        self.seen.reopens |= edge.reopens;
        self.expansion.moves += !edge.withheld as u32;
        let other = self.expansion.actor.replace(edge.actor).is_some_and(|a| a != edge.actor);
        let raced = edge.choices.iter().any(|choice| choice.kind == ChoiceKind::Scheduler);
        self.expansion.contested |= other || raced;
        let label = match self.labels {
            Some(labels) => labels.of(edge),
            None => LabelId::default(),
        };
        let out = Out { target, withheld: edge.withheld, new: false, chosen, label };
        self.expansion.edges.push(out);
    }
}

impl Sink for Collect<'_> {
    fn again(&mut self, edge: &Edge<'_>, change: &mut Change<'_>) -> ControlFlow<()> {
        // A worker around another one may expand another state than the one that was loaded.
        let is_near = std::ptr::eq(change.state, self.near);
        self.store.stage_again(change, is_near);
        self.note(edge, Some(STAGED));
        ControlFlow::Continue(())
    }

    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let target = match target {
            Target::State(vector) => {
                self.store.stage(vector);
                Some(STAGED)
            }
            Target::Fault(fault) => {
                let step = Move::of(edge);
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
        self.note(edge, target);
        ControlFlow::Continue(())
    }
}
