//! One round of a bottom component, so that people see what still moves.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;

use exeunt_model::{ActorId, Detail, Edge, Sink, Target};

use crate::explore::Graph;
use crate::store::StateId;

/// Components with more states than this get a shortest cycle only.
const LARGE: usize = 20_000;

/// A closed walk from `entry` through the component in which every actor
/// that moves there takes part: who moves and where to, the last time to
/// `entry` again. Empty if nothing moves.
pub fn round_in(
    graph: &mut Graph<'_>,
    states: &[StateId],
    entry: StateId,
) -> Vec<(ActorId, StateId)> {
    let members: HashSet<StateId> = states.iter().copied().collect();
    let mut walk = Walk { graph, members, edges: HashMap::new() };
    let mut actors: HashSet<ActorId> = HashSet::new();
    if states.len() <= LARGE {
        for &state in states {
            actors.extend(walk.edges(state).iter().map(|edge| edge.0));
        }
    }
    let mut wanted: Vec<ActorId> = actors.into_iter().collect();
    wanted.sort_unstable();
    let mut path = Vec::new();
    let mut at = entry;
    for actor in wanted {
        let Some(part) = walk.shortest(at, |edge_actor, _| edge_actor == actor) else { continue };
        at = part.last().expect("a step was taken").1;
        path.extend(part);
    }
    if at != entry || path.is_empty() {
        path.extend(walk.shortest(at, |_, target| target == entry).unwrap_or_default());
    }
    path
}

struct Walk<'w, 'a> {
    graph: &'w mut Graph<'a>,
    members: HashSet<StateId>,
    edges: HashMap<StateId, Vec<(ActorId, StateId)>>,
}

impl Walk<'_, '_> {
    fn edges(&mut self, state: StateId) -> Vec<(ActorId, StateId)> {
        if let Some(known) = self.edges.get(&state) {
            return known.clone();
        }
        let vector = self.graph.vector(state);
        let Graph { worker, store, .. } = &mut *self.graph;
        let mut list = Vec::new();
        struct List<'l> {
            store: &'l mut crate::store::StateStore,
            list: &'l mut Vec<(ActorId, StateId)>,
        }
        impl Sink for List<'_> {
            fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
                if let Target::State(vector) = target
                    && !edge.withheld
                {
                    self.list.push((edge.actor, self.store.insert(vector).0));
                }
                ControlFlow::Continue(())
            }
        }
        worker.expand(&vector, Detail::Targets, None, &mut List { store, list: &mut list });
        list.retain(|(_, target)| self.members.contains(target));
        self.edges.insert(state, list.clone());
        list
    }

    /// A shortest non-empty path whose last edge satisfies `goal`.
    fn shortest(
        &mut self,
        from: StateId,
        goal: impl Fn(ActorId, StateId) -> bool,
    ) -> Option<Vec<(ActorId, StateId)>> {
        let mut parent: HashMap<StateId, (ActorId, StateId)> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for (actor, target) in self.edges(state) {
                if goal(actor, target) {
                    let mut path = vec![(actor, target)];
                    let mut at = state;
                    while at != from {
                        let (mover, before) = parent[&at];
                        path.push((mover, at));
                        at = before;
                    }
                    path.reverse();
                    return Some(path);
                }
                if target != from && !parent.contains_key(&target) {
                    parent.insert(target, (actor, state));
                    queue.push_back(target);
                }
            }
        }
        None
    }
}
