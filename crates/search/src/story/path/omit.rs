//! Leaves moves out of a path and replays the rest: what still comes to the
//! goal did not need them.

use exeunt_model::{ActorId, Move};

use super::steps::{follow, steps};
use super::{Goal, expanded};
use crate::explore::Graph;
use crate::store::StateId;

/// Moves that may be replayed in all.
const PATIENCE: usize = 200_000;

/// The path without moves that are not needed. First whole runs of one
/// actor's moves are left out, then ever smaller parts.
pub fn moves(graph: &mut Graph<'_>, path: &[StateId], goal: &Goal) -> Vec<StateId> {
    let Some(mut moves) = moves_along(graph, path) else { return path.to_vec() };
    let mut best = path.to_vec();
    let mut patience = PATIENCE;
    let mut size = moves.len();
    while size > 0 {
        let mut part = 0;
        while let Some(without) = leave_out(&moves, size, part) {
            if patience < without.len() || graph.bounds.is_late() {
                return best;
            }
            patience -= without.len();
            match replay(graph, best[0], &without, goal) {
                // What follows has moved up: the same part is another one now.
                Some(shorter) => (moves, best) = (without, shorter),
                None => part += 1,
            }
        }
        size /= 2;
    }
    best
}

/// The moves without the `part`-th group of `size` moves of one actor; `None`
/// after the last group.
fn leave_out(moves: &[Move], size: usize, part: usize) -> Option<Vec<Move>> {
    let mut actors: Vec<ActorId> = moves.iter().map(|step| step.actor).collect();
    actors.sort_unstable();
    actors.dedup();
    let mut before = 0;
    for actor in actors {
        let count = moves.iter().filter(|step| step.actor == actor).count();
        let groups = count.div_ceil(size);
        if part - before < groups {
            let group = part - before;
            let mut number = 0;
            let mut left = moves.to_vec();
            left.retain(|step| {
                let mine = step.actor == actor;
                number += mine as usize;
                !mine || (number - 1) / size != group
            });
            return Some(left);
        }
        before += groups;
    }
    None
}

/// Which moves a path is made of.
pub(super) fn moves_along(graph: &mut Graph<'_>, path: &[StateId]) -> Option<Vec<Move>> {
    path.windows(2)
        .map(|pair| {
            let steps = steps(graph, pair[0]);
            steps.into_iter().find(|(_, target)| *target == pair[1]).map(|(step, _)| step)
        })
        .collect()
}

/// The states along the moves, if they are possible and come to the goal.
pub(super) fn replay(
    graph: &mut Graph<'_>,
    first: StateId,
    moves: &[Move],
    goal: &Goal,
) -> Option<Vec<StateId>> {
    let mut path = vec![first];
    let mut at = first;
    for step in moves {
        if graph.bounds.is_late() {
            return None;
        }
        at = follow(graph, at, step)?;
        path.push(at);
    }
    goal.is_reached(at, &expanded(graph, at)).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_every_actor_are_left_out_in_turn() {
        let step = |actor: u32| Move::step(ActorId(actor));
        let moves = [0, 1, 0, 1, 0].map(step);
        let actors = |part| {
            let left = leave_out(&moves, 2, part)?;
            Some(left.iter().map(|step| step.actor.0).collect::<Vec<_>>())
        };
        assert_eq!(actors(0), Some(vec![1, 1, 0]));
        assert_eq!(actors(1), Some(vec![0, 1, 0, 1]));
        assert_eq!(actors(2), Some(vec![0, 0, 0]));
        assert_eq!(actors(3), None);
    }
}
