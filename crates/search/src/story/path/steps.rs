//! The moves of a state and where they lead.

use std::ops::ControlFlow;

use exeunt_model::{Detail, Edge, Move, Only, Sink, Target};

use crate::explore::Graph;
use crate::store::{StateId, StateStore};

/// The moves that lead to states.
pub fn steps(graph: &mut Graph<'_>, state: StateId) -> Vec<(Move, StateId)> {
    gather(graph, state, None)
}

/// The state that one move leads to, if it is possible and leads to one.
pub fn follow(graph: &mut Graph<'_>, state: StateId, step: &Move) -> Option<StateId> {
    let only = step.only();
    let steps = gather(graph, state, Some(only));
    steps.into_iter().find(|(taken, _)| taken == step).map(|(_, target)| target)
}

fn gather(graph: &mut Graph<'_>, state: StateId, only: Option<Only<'_>>) -> Vec<(Move, StateId)> {
    let vector = graph.vector(state);
    let mut sink = Gather { store: &mut graph.store, steps: Vec::new() };
    graph.worker.expand(&vector, Detail::Targets, only, &mut sink);
    sink.steps
}

struct Gather<'g> {
    store: &'g mut StateStore,
    steps: Vec<(Move, StateId)>,
}

impl Sink for Gather<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if let Target::State(vector) = target {
            let step = Move::of(edge);
            self.steps.push((step, self.store.insert(vector).0));
        }
        ControlFlow::Continue(())
    }
}
