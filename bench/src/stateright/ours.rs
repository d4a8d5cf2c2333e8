//! Models for our search by what a step reads and writes of the components.

use exeunt_model::{
    ActorId, CompId, Detail, Edge, Facts, Fault, FixedModel, LeftOut, Only, OpenSection, Pool,
    Property, SearchWorker, Sink, StateStatus, Target, Watcher, Worker,
};

/// What comes of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// There is none.
    None,
    Done,
    /// It breaks what must hold.
    Wrong,
}

pub trait Steps: Sync {
    fn components(&self) -> Vec<Vec<u64>>;

    fn actors(&self) -> u32;

    /// The step of an actor; whether nobody has one because all have ended is
    /// what `ended` says.
    fn step(&self, actor: u32, now: &Now<'_>, next: &mut Next<'_>) -> Outcome;

    fn ended(&self, now: &Now<'_>) -> bool;
}

/// The components of a state.
pub struct Now<'n> {
    pool: &'n dyn Pool,
    state: &'n [CompId],
}

impl<'n> Now<'n> {
    pub fn at(&self, component: usize) -> &'n [u64] {
        self.pool.get(self.state[component])
    }
}

/// The components of its successor.
pub struct Next<'n> {
    pool: &'n dyn Pool,
    state: &'n mut [CompId],
    changed: &'n mut Vec<usize>,
}

impl Next<'_> {
    pub fn set(&mut self, component: usize, words: &[u64]) {
        self.state[component] = self.pool.intern(words);
        self.changed.push(component);
    }
}

/// A model made of steps.
pub struct Stepwise<'s, S>(pub &'s S);

impl<S: Steps> FixedModel for Stepwise<'_, S> {
    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        Box::new(Hand { steps: self.0, pool, next: Vec::new(), changed: Vec::new() })
    }

    fn facts(&self) -> Facts {
        Facts {
            may_choose: false,
            has_sections: false,
            has_turns: false,
            left_out: LeftOut::None,
            abstraction: None,
        }
    }

    fn watcher<'a>(&'a self, _: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>> {
        None
    }
}

struct Hand<'a, S> {
    steps: &'a S,
    pool: &'a dyn Pool,
    next: Vec<CompId>,
    changed: Vec<usize>,
}

fn edge_of(actor: u32) -> Edge<'static> {
    Edge {
        actor: ActorId(actor),
        choices: &[],
        withheld: false,
        reopens: false,
        events: &[],
        turn: exeunt_model::Turn::default(),
    }
}

fn wrong() -> Fault {
    Fault::new(Property::Assertion, "what must hold does not")
}

exeunt_model::bare_worker!([S: Steps] Hand<'_, S>);

impl<S: Steps> Worker for Hand<'_, S> {
    fn initial(&mut self, sink: &mut dyn Sink) {
        let components = self.steps.components();
        let state: Vec<CompId> = components.iter().map(|words| self.pool.intern(words)).collect();
        let _ = sink.edge(&edge_of(0), Target::State(&state));
    }

    fn expand(
        &mut self,
        state: &[CompId],
        _: Detail,
        only: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> StateStatus {
        let now = Now { pool: self.pool, state };
        if self.steps.ended(&now) {
            return StateStatus::Ended;
        }
        self.next.clear();
        self.next.extend_from_slice(state);
        for actor in 0..self.steps.actors() {
            if only.is_some_and(|only| only.actor != ActorId(actor)) {
                continue;
            }
            let Hand { next, changed, pool, steps } = self;
            let mut after = Next { pool: *pool, state: next, changed };
            let flow = match steps.step(actor, &now, &mut after) {
                Outcome::None => continue,
                Outcome::Done => sink.edge(&edge_of(actor), Target::State(&self.next)),
                Outcome::Wrong => sink.edge(&edge_of(actor), Target::Fault(&wrong())),
            };
            for component in self.changed.drain(..) {
                self.next[component] = state[component];
            }
            if flow.is_break() {
                break;
            }
        }
        StateStatus::Running
    }

    fn open_sections(&mut self, _: &[CompId], _: &mut Vec<OpenSection>) {}
}
