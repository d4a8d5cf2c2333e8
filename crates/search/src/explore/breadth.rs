//! Breadth first: states in order of distance, so that the first violation
//! is a shortest one.

use std::collections::VecDeque;
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
    set_parent(parents, initial, initial);
    let mut queue = VecDeque::from([(initial, 0)]);
    let mut findings = Vec::new();
    let mut complete = true;
    while let Some((state, depth)) = queue.pop_front() {
        meter.extra =
            (parents.capacity() * 4 + queue.capacity() * 16) as u64 + graph.worker.bytes();
        if meter.must_stop(depth, &graph.store, graph.pool) || meter.too_deep(depth) {
            complete = false;
            break;
        }
        graph.expand(state, &mut expansion);
        meter.count(&expansion);
        for edge in expansion.edges.iter().filter(|edge| edge.new) {
            let Some(target) = edge.target else { continue };
            set_parent(parents, target, state);
            queue.push_back((target, depth + 1));
        }
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
    // Telling a story may store states that are then not new any more: all of
    // it is done at the end.
    for (state, finding) in findings {
        if observer.is_known(&finding, graph) {
            continue;
        }
        let path = path_along(state, parents);
        observer.found(finding, graph, &path)?;
    }
    ControlFlow::Continue(complete)
}

fn set_parent(parents: &mut Vec<u32>, state: StateId, parent: StateId) {
    let at = state.0 as usize;
    if parents.len() <= at {
        // The vector grows ahead by itself; what it has ahead is not touched yet.
        parents.resize(at + 1, u32::MAX);
    }
    parents[at] = parent.0;
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
