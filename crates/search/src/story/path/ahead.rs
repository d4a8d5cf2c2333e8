//! A bounded search ahead for a nearer way to a goal.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::super::back::walk_back;
use super::Goal;
use crate::explore::{Expansion, Graph};
use crate::store::StateId;

/// How many states are looked at between looks at the clock.
const STRIDE: usize = 64;

/// What makes a way near.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Steps,
    /// How often another actor takes over.
    Switches,
}

/// Where one is: with switches it matters who moved last.
type Place = (StateId, Option<u32>);

/// A path from a state to the goal, if one is found within so many states.
pub fn look(
    graph: &mut Graph<'_>,
    from: StateId,
    goal: &Goal,
    order: Order,
    patience: usize,
) -> Option<Vec<StateId>> {
    graph.aside(|graph| {
        Look { graph, expansion: Expansion::default(), order }.find(from, goal, patience)
    })
}

struct Look<'l, 'a> {
    graph: &'l mut Graph<'a>,
    expansion: Expansion,
    order: Order,
}

impl Look<'_, '_> {
    fn find(&mut self, from: StateId, goal: &Goal, patience: usize) -> Option<Vec<StateId>> {
        let start = (from, None);
        let mut came_from: FxHashMap<Place, Place> = FxHashMap::default();
        let mut queue: VecDeque<(Place, Place)> = VecDeque::from([(start, start)]);
        while let Some((place, from)) = queue.pop_front() {
            match came_from.entry(place) {
                Entry::Occupied(_) => continue,
                Entry::Vacant(vacant) => vacant.insert(from),
            };
            self.graph.expand(place.0, &mut self.expansion);
            if goal.is_reached(place.0, &self.expansion) {
                let way = walk_back(&came_from, place);
                return Some(way.into_iter().map(|(state, _)| state).collect());
            }
            let seen = came_from.len();
            // A look without patience must find it.
            let hurries = patience != usize::MAX && seen.is_multiple_of(STRIDE);
            if seen > patience || hurries && self.graph.bounds.is_late() {
                return None;
            }
            self.go_on(place, &mut queue);
        }
        None
    }

    fn go_on(&self, place: Place, queue: &mut VecDeque<(Place, Place)>) {
        for edge in &self.expansion.edges {
            let Some(target) = edge.target else { continue };
            match self.order {
                Order::Steps => queue.push_back(((target, None), place)),
                Order::Switches => {
                    let actor = Some(self.graph.label(edge.label).actor);
                    let next = ((target, actor), place);
                    if place.1 == actor { queue.push_front(next) } else { queue.push_back(next) }
                }
            }
        }
    }
}
