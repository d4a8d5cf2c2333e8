//! What the moves of a state lead to.

use std::ops::ControlFlow;

use exeunt_model::{Detail, Edge, Fault, Move, Only, Sink, StateStatus, Target};

use crate::explore::Graph;
use crate::store::{StateId, StateStore};

#[derive(Default)]
pub struct Outcomes {
    /// Moves that lead to states.
    pub steps: Vec<(Move, StateId)>,
    faults: Vec<(Move, Fault)>,
    pub deadlock: bool,
}

impl Outcomes {
    /// The fault of the same kind and place, if there is one.
    pub fn fault_like(&self, wanted: &Fault) -> Option<&(Move, Fault)> {
        let same = |fault: &Fault| {
            (fault.property, &fault.message, &fault.location)
                == (wanted.property, &wanted.message, &wanted.location)
        };
        self.faults.iter().find(|(_, fault)| same(fault))
    }
}

/// Expands a state; faults are kept only if they are asked for.
pub fn outcomes(graph: &mut Graph<'_>, state: StateId, faults: bool) -> Outcomes {
    let vector = graph.vector(state);
    let mut sink = Gather {
        store: &mut graph.store,
        outcomes: Outcomes::default(),
        wants_faults: faults,
        stands: true,
    };
    let status = graph.worker.expand(&vector, Detail::Targets, None, &mut sink);
    let Gather { mut outcomes, stands, .. } = sink;
    outcomes.deadlock = stands && status == StateStatus::Running;
    outcomes
}

/// The state that one move leads to, if it is possible and leads to one.
pub fn follow(graph: &mut Graph<'_>, state: StateId, step: &Move) -> Option<StateId> {
    let vector = graph.vector(state);
    let only = Only { actor: step.actor, choices: &step.choices, withheld: step.withheld };
    let outcomes = Outcomes::default();
    let mut sink = Gather { store: &mut graph.store, outcomes, wants_faults: false, stands: true };
    graph.worker.expand(&vector, Detail::Targets, Some(only), &mut sink);
    sink.outcomes.steps.into_iter().find(|(taken, _)| taken == step).map(|(_, target)| target)
}

struct Gather<'g> {
    store: &'g mut StateStore,
    outcomes: Outcomes,
    wants_faults: bool,
    /// No actor was seen to move.
    stands: bool,
}

impl Sink for Gather<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        self.stands &= edge.withheld;
        let step = || Move::new(edge.actor, edge.choices, edge.withheld);
        match target {
            Target::State(vector) => {
                let target = self.store.insert(vector).0;
                self.outcomes.steps.push((step(), target));
            }
            Target::Fault(fault) if self.wants_faults => {
                self.outcomes.faults.push((step(), fault.clone()));
            }
            Target::Fault(_) => {}
            // What is beyond is not known: certainly no deadlock.
            Target::Unsupported(_) | Target::Dropped => self.stands = false,
        }
        ControlFlow::Continue(())
    }
}
