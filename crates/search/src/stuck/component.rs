//! The bottom-SCC rule: what is open in all states of a bottom component and
//! closed by none of its edges never ends.

use std::ops::ControlFlow;

use exeunt_model::{Detail, Edge, Event, OpenSection, Sink, Target};

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
    if graph.seen.reopens {
        remove_closed(graph, states, &mut candidates);
    }
    candidates
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
