//! A bounded search ahead for a nearer way to a goal.

use std::collections::{HashMap, VecDeque};

use exeunt_model::ActorId;

use super::super::back::walk_back;
use super::{Goal, outcomes};
use crate::explore::Graph;
use crate::store::StateId;

/// What makes a way near.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Steps,
    /// How often another actor takes over.
    Switches,
}

/// Where one is: with switches it matters who moved last.
type Place = (StateId, Option<ActorId>);

/// A path from a state to the goal, if one is found within so many states.
pub fn look(
    graph: &mut Graph<'_>,
    from: StateId,
    goal: &Goal,
    order: Order,
    patience: usize,
) -> Option<Vec<StateId>> {
    let start = (from, None);
    let mut came_from: HashMap<Place, Place> = HashMap::new();
    let mut queue: VecDeque<(Place, Place)> = VecDeque::from([(start, start)]);
    while let Some((place, from)) = queue.pop_front() {
        if came_from.contains_key(&place) {
            continue;
        }
        came_from.insert(place, from);
        let outcomes = outcomes(graph, place.0, matches!(goal, Goal::Fault(_)));
        if goal.is_reached(place.0, &outcomes) {
            let way = walk_back(&came_from, place);
            return Some(way.into_iter().map(|(state, _)| state).collect());
        }
        if came_from.len() > patience {
            return None;
        }
        for (step, target) in outcomes.steps {
            match order {
                Order::Steps => queue.push_back(((target, None), place)),
                Order::Switches => {
                    let next = ((target, Some(step.actor)), place);
                    let stays = place.1 == Some(step.actor);
                    if stays { queue.push_front(next) } else { queue.push_back(next) }
                }
            }
        }
    }
    None
}
