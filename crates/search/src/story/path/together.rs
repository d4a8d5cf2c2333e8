//! Lets actors go on: a turn of an actor is moved next to an earlier or later one of its own, and the
//! moves are replayed. What still comes to the goal has fewer switches between actors and reads better.
//!
//! This is a local search around one path (as Jalbert and Sen, "A Trace Simplification Technique for
//! Effective Debugging of Concurrent Programs", 2010, do it), bounded by a number of moves, so two runs
//! give the same path. It claims nothing about what is possible with other moves.

use exeunt_model::{ActorId, Move};

use super::omit::{moves_along, replay};
use super::{Goal, expanded, fault_like};
use crate::explore::Graph;
use crate::store::StateId;

/// Moves that may be replayed in all.
const PATIENCE: usize = 10_000;

/// Longer paths are left as they are.
const LONG: usize = 500;

/// The path with its moves in an order with fewer switches, if one is found.
pub fn turns(graph: &mut Graph<'_>, path: &[StateId], goal: &Goal) -> Vec<StateId> {
    let mut best = path.to_vec();
    // With two turns there is nothing to move.
    if path.len() > LONG || path.len() < 3 {
        return best;
    }
    let Some(mut moves) = moves_along(graph, path) else { return best };
    let last = last_actor(graph, path, goal);
    let mut patience = PATIENCE;
    let mut number = 0;
    while let Some(order) = order(&moves, last, number) {
        let simpler = switches(&order, last) < switches(&moves, last);
        let cost = if simpler { moves.len() } else { 1 };
        if patience < cost || graph.bounds.is_late() {
            return best;
        }
        patience -= cost;
        number += 1;
        let found = simpler.then(|| replay(graph, best[0], &order, goal)).flatten();
        // The same actor must go wrong at the end: its turn was counted.
        if let Some(found) = found
            && last == last_actor(graph, &found, goal)
        {
            (moves, best, number) = (order, found, 0);
        }
    }
    best
}

/// Who makes the step that goes wrong behind the path.
fn last_actor(graph: &mut Graph<'_>, path: &[StateId], goal: &Goal) -> Option<ActorId> {
    match goal {
        Goal::Fault(fault) => {
            let expansion = expanded(graph, *path.last()?);
            fault_like(&expansion, fault).map(|(step, _)| step.actor)
        }
        Goal::States(_) | Goal::Deadlock => None,
    }
}

/// The same moves with one turn next to another of the same actor, or before its own last step: the
/// order of this number, if there are so many. Each actor's own moves stay in their order.
fn order(moves: &[Move], last: Option<ActorId>, number: usize) -> Option<Vec<Move>> {
    let turns: Vec<&[Move]> = moves.chunk_by(|one, other| one.actor == other.actor).collect();
    let (earlier, comes_down) = (number / 2, number % 2 == 1);
    let actor = turns.get(earlier)?[0].actor;
    let again = (earlier + 1..turns.len()).find(|&later| turns[later][0].actor == actor);
    Some(match again {
        Some(later) if comes_down => moved(&turns, earlier, later),
        Some(later) => moved(&turns, later, earlier + 1),
        None if last == Some(actor) => moved(&turns, earlier, turns.len()),
        None => moves.to_vec(),
    })
}

/// All moves, with turn `from` before what was turn `to`.
fn moved(turns: &[&[Move]], from: usize, to: usize) -> Vec<Move> {
    let mut order: Vec<&[Move]> = turns.to_vec();
    let turn = order.remove(from);
    order.insert(if from < to { to - 1 } else { to }, turn);
    order.concat()
}

/// How often another actor takes over.
fn switches(moves: &[Move], last: Option<ActorId>) -> usize {
    let actors: Vec<ActorId> = moves.iter().map(|step| step.actor).chain(last).collect();
    actors.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(actors: &[u32]) -> Vec<Move> {
        actors.iter().map(|actor| Move::step(ActorId(*actor))).collect()
    }

    #[test]
    fn turns_move_next_to_others_of_the_same_actor() {
        let told = |actors: &[u32], last: Option<u32>| {
            let (moves, last) = (of(actors), last.map(ActorId));
            let orders = (0..).map_while(|number| order(&moves, last, number));
            let fewer = orders.filter(|order| switches(order, last) < switches(&moves, last));
            let mut numbers: Vec<Vec<u32>> =
                fewer.map(|order| order.iter().map(|step| step.actor.0).collect()).collect();
            numbers.dedup();
            numbers
        };
        assert_eq!(told(&[0, 1, 0], None), [vec![0, 0, 1], vec![1, 0, 0]]);
        assert_eq!(told(&[0, 1], None), Vec::<Vec<u32>>::new());
        assert_eq!(told(&[0, 1], Some(0)), [vec![1, 0]]);
        assert_eq!(told(&[0, 0, 1, 2, 1], None), [vec![0, 0, 1, 1, 2], vec![0, 0, 2, 1, 1]]);
    }
}
