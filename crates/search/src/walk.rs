//! A walk through the states of a model, step by step, forwards and backwards: what
//! simulators and pictures of a run are made of.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;

use exeunt_model::{
    Detail, Edge, Event, Fault, Move, OpenSection, Schedule, SectionView, Session, Sink,
    StateStatus, StateView, Target, TraceStep,
};

use crate::explore::Graph;
use crate::store::{ComponentPool, StateId, StateStore};
use crate::story::{self, Outcome};

/// Where a walk is: a state, or an error that its last step led to.
pub struct Walk<'w> {
    graph: Graph<'w>,
    path: Vec<StateId>,
    steps: Vec<(Move, TraceStep)>,
    fault: Option<Fault>,
}

/// A step that can be taken.
#[derive(Clone, Debug)]
pub struct Successor {
    pub step: Move,
    pub told: TraceStep,
    pub leads: Leads,
}

/// Where a step leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leads {
    /// To a state of this number; `Some` number of steps of this walk after which it was there.
    State {
        visited: Option<usize>,
        number: u32,
    },
    Fault(Fault),
    /// Nowhere: the path is dropped, or something is not supported.
    Nowhere(String),
}

/// Whether something that is open can still end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanEnd {
    /// After so many steps at the earliest.
    After(usize),
    /// The same, but only by steps that the environment may withhold for ever.
    Withheld(usize),
    /// In none of so many states, which are all that can be reached.
    Never(usize),
    /// Not in the first so many states.
    Unknown(usize),
}

/// Walks through a model. `Err` says why it cannot even start.
pub fn walk<R>(session: &dyn Session, with: impl FnOnce(&mut Walk<'_>) -> R) -> Result<R, String> {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(session.worker(&pool), &pool);
    graph.start().map_err(|fault| fault.message)?;
    let Some(state) = graph.initial else {
        return Err("the program has no initial state".to_string());
    };
    let mut walk = Walk { graph, path: vec![state], steps: Vec::new(), fault: None };
    Ok(with(&mut walk))
}

/// The states along a schedule: one before each step, and the last. Fewer if the
/// schedule ends in an error or cannot be followed.
pub fn states_along(session: &dyn Session, schedule: &Schedule) -> Vec<StateView> {
    let states = walk(session, |walk| {
        let mut states = vec![walk.view()];
        for step in &schedule.moves {
            if walk.take(step).is_err() || walk.fault().is_some() {
                break;
            }
            states.push(walk.view());
        }
        states
    });
    states.unwrap_or_default()
}

impl Walk<'_> {
    fn state(&self) -> StateId {
        *self.path.last().expect("a walk is somewhere")
    }

    /// The state it is in; the one before the error if it is in none.
    pub fn view(&mut self) -> StateView {
        let vector = self.graph.vector(self.state());
        self.graph.worker.snapshot(&vector)
    }

    /// The state before the last step; `None` at the beginning.
    pub fn view_before(&mut self) -> Option<StateView> {
        let at = self.steps.len().checked_sub(1)?;
        let vector = self.graph.vector(self.path[at]);
        Some(self.graph.worker.snapshot(&vector))
    }

    /// The number of the state it is in; states have numbers in the order in which they are met.
    pub fn number(&self) -> u32 {
        self.state().0
    }

    /// A shortest schedule to a state that is looked for, among so many states.
    pub fn find(&mut self, most: usize, fits: &mut dyn FnMut(&StateView) -> bool) -> Found {
        let Some(&start) = self.path.first() else { return Found::No { states: 0, all: true } };
        let mut came_from: HashMap<StateId, Option<(StateId, Move)>> =
            HashMap::from([(start, None)]);
        let mut waiting = VecDeque::from([start]);
        while let Some(state) = waiting.pop_front() {
            let vector = self.graph.vector(state);
            if fits(&self.graph.worker.snapshot(&vector)) {
                return Found::At(way(&came_from, state));
            }
            let Graph { worker, store, .. } = &mut self.graph;
            let mut all = Targets { store, found: Vec::new() };
            worker.expand(&vector, Detail::Targets, None, &mut all);
            for (step, target) in all.found {
                if let Entry::Vacant(new) = came_from.entry(target) {
                    new.insert(Some((state, step)));
                    waiting.push_back(target);
                }
            }
            if came_from.len() > most {
                return Found::No { states: came_from.len(), all: false };
            }
        }
        Found::No { states: came_from.len(), all: true }
    }

    /// The error that the last step led to.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    pub fn steps(&self) -> impl Iterator<Item = &TraceStep> {
        self.steps.iter().map(|(_, told)| told)
    }

    pub fn schedule(&self) -> Schedule {
        Schedule { moves: self.steps.iter().map(|(step, _)| step.clone()).collect() }
    }

    /// How many steps were taken.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether the program has ended.
    pub fn has_ended(&mut self) -> bool {
        let vector = self.graph.vector(self.state());
        let status = self.graph.worker.expand(&vector, Detail::Targets, None, &mut Nothing);
        status == StateStatus::Ended
    }

    /// All steps that can be taken now, in a fixed order.
    pub fn successors(&mut self) -> Vec<Successor> {
        if self.fault.is_some() {
            return Vec::new();
        }
        let vector = self.graph.vector(self.state());
        let Graph { worker, store, .. } = &mut self.graph;
        let mut all = All { store, path: &self.path, found: Vec::new() };
        worker.expand(&vector, Detail::Story, None, &mut all);
        all.found
    }

    /// Takes a step. `Err` says why that is not possible.
    pub fn take(&mut self, step: &Move) -> Result<(), String> {
        if self.fault.is_some() {
            return Err("the run has ended in an error".to_string());
        }
        let state = self.state();
        let Some((outcome, told)) = story::take(&mut self.graph, state, step) else {
            return Err(format!("the step `{step}` is not possible here"));
        };
        match outcome {
            Outcome::State(next) => self.path.push(next),
            Outcome::Fault(fault) => self.fault = Some(fault),
            Outcome::Other(what) => return Err(what),
        }
        self.steps.push((step.clone(), told));
        Ok(())
    }

    /// Takes the last step back; `false` at the beginning.
    pub fn back(&mut self) -> bool {
        if self.steps.pop().is_none() {
            return false;
        }
        if self.fault.take().is_none() {
            self.path.pop();
        }
        true
    }

    /// The sections that are open now.
    pub fn open_sections(&mut self) -> Vec<OpenSection> {
        let vector = self.graph.vector(self.state());
        let mut open = Vec::new();
        self.graph.worker.open_sections(&vector, &mut open);
        open
    }

    /// A section that is open now, in words.
    pub fn describe(&mut self, section: &OpenSection) -> SectionView {
        let vector = self.graph.vector(self.state());
        self.graph.worker.describe_section(&vector, section)
    }

    /// Whether a run from here leaves a section, looked for in so many states. Steps that the
    /// environment may withhold for ever are taken only if nothing else leaves it.
    pub fn can_end(&mut self, section: &OpenSection, most: usize) -> CanEnd {
        match self.leaves(section, most, false) {
            CanEnd::Never(states) => match self.leaves(section, most, true) {
                CanEnd::After(steps) => CanEnd::Withheld(steps),
                CanEnd::Never(_) | CanEnd::Withheld(_) | CanEnd::Unknown(_) => {
                    CanEnd::Never(states)
                }
            },
            known => known,
        }
    }

    fn leaves(&mut self, section: &OpenSection, most: usize, withheld: bool) -> CanEnd {
        let mut seen: HashSet<StateId> = HashSet::from([self.state()]);
        let mut waiting = VecDeque::from([(self.state(), 0)]);
        while let Some((state, depth)) = waiting.pop_front() {
            let vector = self.graph.vector(state);
            let Graph { worker, store, .. } = &mut self.graph;
            let mut ends = Ends { store, section, withheld, ended: false, targets: Vec::new() };
            worker.expand(&vector, Detail::Story, None, &mut ends);
            let Ends { mut ended, targets, .. } = ends;
            for target in targets {
                if !seen.insert(target) {
                    continue;
                }
                let vector = self.graph.vector(target);
                let mut open = Vec::new();
                self.graph.worker.open_sections(&vector, &mut open);
                ended |= !open.contains(section);
                waiting.push_back((target, depth + 1));
            }
            if ended {
                return CanEnd::After(depth + 1);
            }
            if seen.len() > most {
                return CanEnd::Unknown(seen.len());
            }
        }
        CanEnd::Never(seen.len())
    }
}

/// What came of looking for a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    At(Schedule),
    /// In none of so many states, which may be all.
    No {
        states: usize,
        all: bool,
    },
}

fn way(came_from: &HashMap<StateId, Option<(StateId, Move)>>, last: StateId) -> Schedule {
    let mut moves = Vec::new();
    let mut at = last;
    while let Some(Some((before, step))) = came_from.get(&at) {
        moves.push(step.clone());
        at = *before;
    }
    moves.reverse();
    Schedule { moves }
}

/// Collects the states that steps lead to.
struct Targets<'a> {
    store: &'a mut StateStore,
    found: Vec<(Move, StateId)>,
}

impl Sink for Targets<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if let Target::State(vector) = target {
            self.found.push((Move::of(edge), self.store.insert(vector).0));
        }
        ControlFlow::Continue(())
    }
}

struct Nothing;

impl Sink for Nothing {
    fn edge(&mut self, _: &Edge<'_>, _: Target<'_>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// Collects all steps.
struct All<'a> {
    store: &'a mut StateStore,
    path: &'a [StateId],
    found: Vec<Successor>,
}

impl Sink for All<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let leads = match target {
            Target::State(vector) => {
                let state = self.store.insert(vector).0;
                let visited = self.path.iter().position(|old| *old == state);
                Leads::State { visited, number: state.0 }
            }
            Target::Fault(fault) => Leads::Fault(fault.clone()),
            Target::Unsupported(limit) => Leads::Nowhere(limit.to_string()),
            Target::Dropped => Leads::Nowhere("the path is dropped by an assumption".to_string()),
        };
        let step = Move::of(edge);
        self.found.push(Successor { step, told: story::tell(edge), leads });
        ControlFlow::Continue(())
    }
}

/// Collects targets, and whether an edge closes a section.
struct Ends<'a> {
    store: &'a mut StateStore,
    section: &'a OpenSection,
    /// Steps that may be withheld are looked at, too.
    withheld: bool,
    ended: bool,
    targets: Vec<StateId>,
}

impl Sink for Ends<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if edge.withheld && !self.withheld {
            return ControlFlow::Continue(());
        }
        let closes = |event: &Event| match event {
            Event::Closed { section, .. } => section == self.section,
            _ => false,
        };
        // One that the step opens again is closed by an event only.
        self.ended |= edge.reopens && edge.events.iter().any(closes);
        if let Target::State(vector) = target {
            self.targets.push(self.store.insert(vector).0);
        }
        ControlFlow::Continue(())
    }
}
