//! The first point of a trace from which it is too late: walks back from the component as
//! long as everything that follows keeps the section open, and of a wait that has not
//! begun there, as long as everything that follows comes to where it is open for ever.
//! (A signal that nobody hears is lost before the wait for it begins.)

use std::collections::HashSet;
use std::ops::ControlFlow;

use exeunt_model::{
    Detail, Edge, Event, Nature, OpenSection, SectionKind, Sink, StateStatus, Target,
};

use super::doomed::Doomed;
use crate::explore::Graph;
use crate::store::{StateId, StateStore};

/// How many states are looked at before the answer is "not earlier than
/// this": about as many as the search itself has seen.
pub(super) fn patience(graph: &Graph<'_>) -> usize {
    graph.store.len().clamp(500, 50_000)
}

/// How many states are looked at between looks at the clock.
const STRIDE: usize = 64;

/// The index of the first state of `path` from which no run closes the section, or
/// every run comes to where none does, given that its last state is one of the first kind.
pub fn first_too_late(graph: &mut Graph<'_>, path: &[StateId], section: OpenSection) -> usize {
    let mut safe: HashSet<StateId> = HashSet::new();
    let patience = patience(graph);
    let mut first = path.len() - 1;
    for at in (0..path.len()).rev() {
        let Some(more) = never_closes(graph, path[at], section, &safe, patience) else { break };
        safe.extend(more);
        first = at;
    }
    match section.kind.nature() == Nature::Wait && section.kind != SectionKind::Await {
        true => first_doomed(graph, &path[..=first], section, safe),
        false => first,
    }
}

/// The same of a wait that has not begun yet. Where every run of the program comes to it, no step
/// is to blame, and the answer is where it begins.
fn first_doomed(
    graph: &mut Graph<'_>,
    path: &[StateId],
    section: OpenSection,
    stuck: HashSet<StateId>,
) -> usize {
    let begins = path.len() - 1;
    let mut doomed = Doomed::new(section, stuck, patience(graph));
    let mut earlier = (0..begins).rev();
    let escapes = earlier.find(|&at| !doomed.has(graph, path[at]));
    escapes.map_or(begins, |at| at + 1)
}

/// The states reachable from `state` that are not known to be safe, if all of them keep the section open.
fn never_closes(
    graph: &mut Graph<'_>,
    state: StateId,
    section: OpenSection,
    safe: &HashSet<StateId>,
    patience: usize,
) -> Option<HashSet<StateId>> {
    let mut visited = HashSet::new();
    let mut work = vec![state];
    while let Some(state) = work.pop() {
        if safe.contains(&state) || !visited.insert(state) {
            continue;
        }
        if is_enough(graph, safe.len() + visited.len(), patience) || !is_open(graph, state, section)
        {
            return None;
        }
        let edges = follow(graph, state, section);
        if edges.closes || edges.ends {
            return None;
        }
        work.extend(edges.to);
    }
    Some(visited)
}

/// Whether no more states are looked at.
pub(super) fn is_enough(graph: &Graph<'_>, looked_at: usize, patience: usize) -> bool {
    looked_at > patience || (looked_at.is_multiple_of(STRIDE) && graph.bounds.is_late())
}

pub(super) fn is_open(graph: &mut Graph<'_>, state: StateId, section: OpenSection) -> bool {
    let vector = graph.vector(state);
    let mut open = Vec::new();
    graph.worker.open_sections(&vector, &mut open);
    open.binary_search(&section).is_ok()
}

/// Where a state leads, but for moves that the environment may withhold for ever.
#[derive(Default)]
pub(super) struct Onward {
    pub(super) to: Vec<StateId>,
    /// A step closes the section, perhaps to open it again.
    pub(super) closes: bool,
    /// The program ends here, or what follows is not known.
    pub(super) ends: bool,
}

pub(super) fn follow(graph: &mut Graph<'_>, state: StateId, section: OpenSection) -> Onward {
    let told = graph.seen.reopens || section.kind == SectionKind::Await;
    let detail = if told { Detail::Story } else { Detail::Targets };
    let vector = graph.vector(state);
    let Graph { worker, store, .. } = &mut *graph;
    let mut sink = Follow { store, section, edges: Onward::default() };
    let status = worker.expand(&vector, detail, None, &mut sink);
    let mut edges = sink.edges;
    edges.ends |= status == StateStatus::Ended;
    edges
}

struct Follow<'f> {
    store: &'f mut StateStore,
    section: OpenSection,
    edges: Onward,
}

impl Sink for Follow<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if edge.withheld {
            return ControlFlow::Continue(());
        }
        let closing = |event: &Event| matches!(event, Event::Closed { section, .. } if *section == self.section);
        let telling = edge.reopens || self.section.kind == SectionKind::Await;
        self.edges.closes |= telling && edge.events.iter().any(closing);
        match target {
            Target::State(vector) => self.edges.to.push(self.store.insert(vector).0),
            // What comes after a fault or a limit is not known.
            _ => self.edges.ends = true,
        }
        ControlFlow::Continue(())
    }
}
