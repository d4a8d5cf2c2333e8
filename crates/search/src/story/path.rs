//! Depth-first paths wander; a breadth-first look at the same states often
//! finds a much shorter way to the same place.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::explore::{Expansion, Graph};
use crate::limits::Meter;
use crate::options::Options;
use crate::store::StateId;

/// Paths up to this length are left as they are.
const SHORT: usize = 8;

/// A path from the same state to one of `goals` (the end of `path` among
/// them), as short as a bounded look finds.
pub fn shorten(graph: &mut Graph<'_>, path: &[StateId], goals: &[StateId]) -> Vec<StateId> {
    let Some(&first) = path.first() else { return path.to_vec() };
    let goals: HashSet<StateId> = goals.iter().copied().collect();
    if path.len() <= SHORT {
        return path.to_vec();
    }
    // Not more states than the search itself has seen.
    let patience = graph.store.len().clamp(500, 100_000);
    let short =
        nearest(graph, first, &goals, |seen, depth| seen <= patience && depth + 1 < path.len());
    short.unwrap_or_else(|| path.to_vec())
}

/// Goes on from the end of `path` to one of `goals`, which must be reachable
/// from there.
pub fn reach(graph: &mut Graph<'_>, path: &[StateId], goals: &[StateId]) -> Vec<StateId> {
    let Some(&from) = path.last() else { return Vec::new() };
    let goals: HashSet<StateId> = goals.iter().copied().collect();
    let more = nearest(graph, from, &goals, |_, _| true).expect("a goal is reachable");
    path.iter().copied().chain(more.into_iter().skip(1)).collect()
}

/// A shortest path to one of `goals`. The look ends, without one, where `go_on`
/// says so of the number of states seen and of the length of the path.
fn nearest(
    graph: &mut Graph<'_>,
    from: StateId,
    goals: &HashSet<StateId>,
    go_on: impl Fn(usize, usize) -> bool,
) -> Option<Vec<StateId>> {
    let options = Options::default();
    let mut ignore = |_: &crate::options::Progress| {};
    let mut meter = Meter::new(&options, &mut ignore);
    let mut parent: HashMap<StateId, StateId> = HashMap::from([(from, from)]);
    let mut queue = VecDeque::from([(from, 0usize)]);
    let mut expansion = Expansion::default();
    while let Some((state, depth)) = queue.pop_front() {
        if goals.contains(&state) {
            return Some(walk_back(&parent, state));
        }
        if !go_on(parent.len(), depth) {
            return None;
        }
        graph.expand(state, &mut expansion, &mut meter);
        for target in expansion.edges.iter().filter_map(|edge| edge.target) {
            parent.entry(target).or_insert_with(|| {
                queue.push_back((target, depth + 1));
                state
            });
        }
    }
    None
}

fn walk_back(parent: &HashMap<StateId, StateId>, last: StateId) -> Vec<StateId> {
    let mut path = vec![last];
    let mut at = last;
    while parent[&at] != at {
        at = parent[&at];
        path.push(at);
    }
    path.reverse();
    path
}
