//! The plain graph of a model, in lists.

use std::collections::HashMap;
use std::ops::ControlFlow;

use exeunt_model::{
    ActorId, Basis, CompId, Detail, Edge, Event, Model, OpenSection, Pool, SearchWorker,
    SectionKind, Sink, StateStatus, Target,
};

pub(crate) struct State {
    pub(crate) ended: bool,
    pub(crate) open: Vec<OpenSection>,
    pub(crate) edges: Vec<Arc>,
}

pub(crate) struct Arc {
    pub(crate) target: usize,
    pub(crate) actor: ActorId,
    /// Sections that are left on it, even if they are entered again.
    closed: Vec<OpenSection>,
}

impl Arc {
    /// Whether a section is left. A thread that waits does nothing else, so
    /// whatever it does is the end of its wait; only in `pthread_once` it may
    /// run the initialisation meanwhile.
    pub(crate) fn closes(&self, section: &OpenSection) -> bool {
        use SectionKind::{Critical, Function, Once, RwlockHeld, SpinHeld, User};
        let held =
            matches!(section.kind, Critical | RwlockHeld | SpinHeld | User | Function | Once);
        self.closed.contains(section) || !held && self.actor == section.actor
    }
}

pub(crate) struct Graph {
    pub(crate) states: Vec<State>,
}

struct Collect {
    found: Vec<(Vec<CompId>, ActorId, Vec<OpenSection>)>,
    /// A fault, or something that cannot be followed.
    other: bool,
}

impl Sink for Collect {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let closed = edge.events.iter().filter_map(|event| match event {
            Event::Closed { section, .. } => Some(*section),
            _ => None,
        });
        match target {
            Target::State(vector) => {
                self.found.push((vector.to_vec(), edge.actor, closed.collect()));
            }
            _ => self.other = true,
        }
        ControlFlow::Continue(())
    }
}

impl Graph {
    /// `None` if it is too large, or has something else in it than states.
    pub(crate) fn explore(model: &dyn Model, pool: &dyn Pool, most: usize) -> Option<Graph> {
        let session = model.open(Basis::Learnt);
        let mut worker = session.worker(pool);
        let mut collect = Collect { found: Vec::new(), other: false };
        worker.initial(&mut collect);
        let mut vectors = vec![collect.found.pop()?.0];
        let mut numbers = HashMap::from([(vectors[0].clone(), 0)]);
        let mut states = Vec::new();
        while states.len() < vectors.len() {
            if vectors.len() > most {
                return None;
            }
            let vector = vectors[states.len()].clone();
            let state = Graph::state(&mut *worker, &vector, |target| {
                let fresh = vectors.len();
                *numbers.entry(target).or_insert_with_key(|target| {
                    vectors.push(target.clone());
                    fresh
                })
            })?;
            states.push(state);
        }
        Some(Graph { states })
    }

    fn state(
        worker: &mut dyn SearchWorker,
        vector: &[CompId],
        mut number: impl FnMut(Vec<CompId>) -> usize,
    ) -> Option<State> {
        let mut collect = Collect { found: Vec::new(), other: false };
        let status = worker.expand(vector, Detail::Story, None, &mut collect);
        if collect.other {
            return None;
        }
        let mut open = Vec::new();
        worker.open_sections(vector, &mut open);
        let found = collect.found.into_iter();
        let arc = |(target, actor, closed)| Arc { target: number(target), actor, closed };
        let edges = found.map(arc).collect();
        Some(State { ended: status == StateStatus::Ended, open, edges })
    }
}
