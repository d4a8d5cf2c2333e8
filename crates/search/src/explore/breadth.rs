//! Breadth first: states in order of distance, so that the first violation
//! is a shortest one. Numbers of states are in order of discovery, which here
//! is the order of visits: the queue is the store itself.

use std::ops::ControlFlow;

use super::{Expansion, Finding, Graph, Observer};
use crate::limits::Meter;
use crate::store::StateId;

/// Explores everything reachable. Returns whether it was complete, and the
/// parent of each state.
pub fn breadth_first(
    graph: &mut Graph<'_>,
    meter: &mut Meter<'_>,
    observer: &mut dyn Observer,
    parents: &mut Vec<u32>,
) -> ControlFlow<(), bool> {
    let Some(initial) = graph.initial else { return ControlFlow::Continue(true) };
    let mut expansion = Expansion::default();
    parents.clear();
    parents.push(initial.0);
    let mut depth = 0;
    let mut level_end = 1;
    let mut findings = Vec::new();
    let mut complete = true;
    let mut next = 0;
    while next < graph.store.len() {
        if next == level_end {
            depth += 1;
            level_end = graph.store.len();
        }
        let state = StateId(next as u32);
        next += 1;
        if meter.must_stop(depth, &graph.store, graph.pool) || meter.too_deep(depth) {
            complete = false;
            break;
        }
        graph.expand(state, &mut expansion, meter);
        parents.resize(graph.store.len(), state.0);
        let deadlock = expansion.is_deadlock();
        if expansion.faults.is_empty() && !deadlock {
            continue;
        }
        let faults = std::mem::take(&mut expansion.faults).into_iter();
        let faults = faults.map(|(step, fault)| Finding::Fault { step, fault });
        let all = faults.chain(deadlock.then_some(Finding::Deadlock { state }));
        findings.extend(all.map(|finding| (state, finding)));
        if !observer.goes_on() {
            break;
        }
    }
    // Telling a story may store states out of order, which would spoil the
    // queue: all of it is done at the end.
    for (state, finding) in findings {
        let path = path_along(state, parents);
        observer.found(finding, graph, &path)?;
    }
    ControlFlow::Continue(complete)
}

/// The path along parents, from the initial state.
pub fn path_along(state: StateId, parents: &[u32]) -> Vec<StateId> {
    let mut path = vec![state];
    let mut at = state.0;
    while parents[at as usize] != at {
        at = parents[at as usize];
        path.push(StateId(at));
    }
    path.reverse();
    path
}
