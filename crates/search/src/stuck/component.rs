//! The bottom-SCC rule: what is open in all states of a bottom component and
//! closed by none of its edges never ends.

use std::ops::ControlFlow;

use exeunt_model::{ActorId, Detail, Edge, Event, OpenSection, SectionKind, Sink, Target};

use crate::explore::Graph;
use crate::options::SectionFilter;
use crate::store::StateId;

/// The sections that can never end in this bottom component.
pub fn sections_stuck_in(
    graph: &mut Graph<'_>,
    states: &[StateId],
    filter: &SectionFilter,
) -> Vec<OpenSection> {
    let mut candidates: Option<Vec<OpenSection>> = None;
    let mut open = Vec::new();
    for &state in states {
        let vector = graph.vector(state);
        open.clear();
        graph.worker.open_sections(&vector, &mut open);
        match &mut candidates {
            None => {
                let wanted = open.iter().filter(|section| filter.contains(section.kind));
                candidates = Some(wanted.copied().collect());
            }
            Some(candidates) => candidates.retain(|c| open.binary_search(c).is_ok()),
        }
        if candidates.as_ref().is_some_and(Vec::is_empty) {
            return Vec::new();
        }
    }
    let mut candidates = candidates.unwrap_or_default();
    if graph.seen.reopens || has_await(&candidates) {
        remove_closed(graph, states, &mut candidates);
    }
    remove_idle(graph, states, &mut candidates);
    candidates
}

/// Whether a busy wait is among these. That it ends is only told by the events
/// of a step, also where nothing is reopened.
pub fn has_await(sections: &[OpenSection]) -> bool {
    sections.iter().any(|section| section.kind == SectionKind::Await)
}

/// Removes the busy waits of threads that do not move at all: these wait for
/// something else, which is a section of its own.
fn remove_idle(graph: &mut Graph<'_>, states: &[StateId], candidates: &mut Vec<OpenSection>) {
    if !has_await(candidates) {
        return;
    }
    let mut moving = Moving::default();
    for &state in states {
        let vector = graph.vector(state);
        graph.worker.expand(&vector, Detail::Targets, None, &mut moving);
    }
    let moves = |section: &OpenSection| moving.actors.contains(&section.actor);
    candidates.retain(|section| section.kind != SectionKind::Await || moves(section));
}

/// Who moves.
#[derive(Default)]
struct Moving {
    actors: Vec<ActorId>,
}

impl Sink for Moving {
    fn edge(&mut self, edge: &Edge<'_>, _: Target<'_>) -> ControlFlow<()> {
        if !edge.withheld && !self.actors.contains(&edge.actor) {
            self.actors.push(edge.actor);
        }
        ControlFlow::Continue(())
    }
}

/// Removes what an edge closes although it is open again behind it.
pub fn remove_closed(graph: &mut Graph<'_>, states: &[StateId], candidates: &mut Vec<OpenSection>) {
    for &state in states {
        if candidates.is_empty() {
            return;
        }
        let vector = graph.vector(state);
        let mut sink = Closing { candidates };
        graph.worker.expand(&vector, Detail::Story, None, &mut sink);
    }
}

struct Closing<'c> {
    candidates: &'c mut Vec<OpenSection>,
}

impl Sink for Closing<'_> {
    fn edge(&mut self, edge: &Edge<'_>, _: Target<'_>) -> ControlFlow<()> {
        // What the environment can prevent need not happen.
        if edge.withheld || edge.has_environment_choice() {
            return ControlFlow::Continue(());
        }
        for event in edge.events {
            if let Event::Closed { section, .. } = event {
                self.candidates.retain(|candidate| candidate != section);
            }
        }
        ControlFlow::Continue(())
    }
}
