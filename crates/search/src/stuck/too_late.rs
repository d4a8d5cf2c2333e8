//! The first point of a trace from which the end of a section cannot be
//! reached any more: walks back from the component as long as everything
//! that follows keeps the section open.

use std::collections::HashSet;
use std::ops::ControlFlow;

use exeunt_model::{Detail, Edge, Event, OpenSection, SectionKind, Sink, StateStatus, Target};

use crate::explore::Graph;
use crate::store::{StateId, StateStore};

/// How many states are looked at before the answer is "not earlier than
/// this": about as many as the search itself has seen.
fn patience(graph: &Graph<'_>) -> usize {
    graph.store.len().clamp(500, 50_000)
}

/// How many states are looked at between looks at the clock.
const STRIDE: usize = 64;

/// The index of the first state of `path` from which no run closes the
/// section, given that its last state is one.
pub fn first_too_late(graph: &mut Graph<'_>, path: &[StateId], section: OpenSection) -> usize {
    let mut safe: HashSet<StateId> = HashSet::new();
    let patience = patience(graph);
    let mut first = path.len() - 1;
    for at in (0..path.len()).rev() {
        if !never_closes(graph, path[at], section, &mut safe, patience) {
            break;
        }
        first = at;
    }
    first
}

/// Whether everything reachable from `state` keeps the section open; adds
/// what was visited to `safe` (only meaningful if the answer is yes).
fn never_closes(
    graph: &mut Graph<'_>,
    state: StateId,
    section: OpenSection,
    safe: &mut HashSet<StateId>,
    patience: usize,
) -> bool {
    let mut work = vec![state];
    let mut open = Vec::new();
    while let Some(state) = work.pop() {
        if !safe.insert(state) {
            continue;
        }
        let hurries = safe.len().is_multiple_of(STRIDE) && graph.bounds.is_late();
        if safe.len() > patience || hurries {
            return false;
        }
        let vector = graph.vector(state);
        open.clear();
        graph.worker.open_sections(&vector, &mut open);
        if open.binary_search(&section).is_err() {
            return false;
        }
        let told = graph.seen.reopens || section.kind == SectionKind::Await;
        let detail = if told { Detail::Story } else { Detail::Targets };
        let Graph { worker, store, .. } = &mut *graph;
        let mut sink = Follow { store, section, work: &mut work, closed: false };
        let status = worker.expand(&vector, detail, None, &mut sink);
        if sink.closed || status == StateStatus::Ended {
            return false;
        }
    }
    true
}

struct Follow<'f> {
    store: &'f mut StateStore,
    section: OpenSection,
    work: &'f mut Vec<StateId>,
    closed: bool,
}

impl Sink for Follow<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        // The environment may withhold this one for ever.
        if edge.withheld {
            return ControlFlow::Continue(());
        }
        let closing = |event: &Event| matches!(event, Event::Closed { section, .. } if *section == self.section);
        let telling = edge.reopens || self.section.kind == SectionKind::Await;
        if telling && edge.events.iter().any(closing) {
            self.closed = true;
            return ControlFlow::Break(());
        }
        match target {
            Target::State(vector) => self.work.push(self.store.insert(vector).0),
            // What comes after a fault or a limit is not known.
            _ => self.closed = true,
        }
        ControlFlow::Continue(())
    }
}
