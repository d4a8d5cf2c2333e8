//! Depth-first paths wander. Before a path is told, three bounded looks try
//! to find a shorter one to the same place: breadth first; if that is too
//! far, by the number of times another actor takes over (few of those reach
//! deep places soon, and read well); and at last by leaving moves out of what
//! there is and replaying the rest. The moves that are left are then put in an
//! order in which actors take over from each other less often.

mod ahead;
mod omit;
mod steps;
mod together;

use exeunt_model::{Fault, Move};
use rustc_hash::FxHashSet;

use crate::explore::{Expansion, Graph};
use crate::store::StateId;
use ahead::Order;
pub use together::turns as fewer_switches;

/// Paths up to this length are left as they are.
const SHORT: usize = 8;

/// Fewer states than this are always looked at, and never more than that:
/// what a search itself has seen tells what it can afford.
const PATIENCE: (usize, usize) = (5_000, 100_000);

/// Bytes that a state takes which a look sees, and how many looks there are.
const SEEN: u64 = 600;
const LOOKS: u64 = 3;

/// What a path is about.
pub enum Goal {
    /// Comes to one of these states.
    States(FxHashSet<StateId>),
    /// Comes to where no actor can move.
    Deadlock,
    /// Comes to where a step goes wrong like this.
    Fault(Fault),
}

impl Goal {
    pub fn states(states: &[StateId]) -> Goal {
        Goal::States(states.iter().copied().collect())
    }

    /// Whether a state from which this comes is one to come to.
    fn is_reached(&self, state: StateId, expansion: &Expansion) -> bool {
        match self {
            Goal::States(states) => states.contains(&state),
            Goal::Deadlock => expansion.is_deadlock(),
            Goal::Fault(fault) => fault_like(expansion, fault).is_some(),
        }
    }
}

/// The fault of the same kind and place, if there is one.
fn fault_like<'e>(expansion: &'e Expansion, wanted: &Fault) -> Option<&'e (Move, Fault)> {
    let same = |fault: &Fault| {
        (fault.property, &fault.message, &fault.location)
            == (wanted.property, &wanted.message, &wanted.location)
    };
    expansion.faults.iter().find(|(_, fault)| same(fault))
}

/// All that comes from a state.
fn expanded(graph: &mut Graph<'_>, state: StateId) -> Expansion {
    let mut expansion = Expansion::default();
    graph.aside(|graph| graph.expand(state, &mut expansion));
    expansion
}

/// A path from the same state to the goal, as short as a bounded look finds, and with few switches.
pub fn simplify(graph: &mut Graph<'_>, path: &[StateId], goal: &Goal) -> Vec<StateId> {
    let path = shorten(graph, path, goal);
    together::turns(graph, &path, goal)
}

fn shorten(graph: &mut Graph<'_>, path: &[StateId], goal: &Goal) -> Vec<StateId> {
    if path.len() <= SHORT {
        return path.to_vec();
    }
    let Some(patience) = patience(graph) else { return path.to_vec() };
    if let Some(found) = ahead::look(graph, path[0], goal, Order::Steps, patience) {
        return found;
    }
    let found = ahead::look(graph, path[0], goal, Order::Switches, patience);
    let found = found.filter(|found| found.len() < path.len());
    omit::moves(graph, found.as_deref().unwrap_or(path), goal)
}

/// How many states each look may see; `None` if time or memory is so short that
/// there had better be none.
fn patience(graph: &Graph<'_>) -> Option<usize> {
    let patience = graph.store.len().clamp(PATIENCE.0, PATIENCE.1);
    let room = graph.bounds.room() / LOOKS / SEEN;
    (!graph.bounds.is_late() && room as usize >= PATIENCE.0).then_some(patience.min(room as usize))
}

/// Goes on from the end of `path` to the goal, which must be reachable from
/// there.
pub fn reach(graph: &mut Graph<'_>, path: &[StateId], goal: &Goal) -> Vec<StateId> {
    let Some(&from) = path.last() else { return Vec::new() };
    let more = ahead::look(graph, from, goal, Order::Steps, usize::MAX);
    let more = more.expect("a goal is reachable");
    path.iter().copied().chain(more.into_iter().skip(1)).collect()
}

/// The step that goes wrong in the last state of a path that was shortened
/// for a fault, and how.
pub fn fault_at(graph: &mut Graph<'_>, state: StateId, like: &Fault) -> Option<(Move, Fault)> {
    fault_like(&expanded(graph, state), like).cloned()
}
