//! Races: pairs of dependent steps of different actors with nothing in between
//! that orders them. For each, a run is asked for that has them the other way
//! round.

use exeunt_model::{ActorId, Operation};
use smallvec::SmallVec;

use super::super::clock::{Clock, Unknown};
use super::super::relation::dependent;
use super::super::tree::{self, Item, Key};
use super::{Asleep, Event, Explorer, item};

impl Explorer {
    /// Asks for a run in which each race of this one goes the other way.
    pub(super) fn reverse_races(&mut self) {
        for index in self.known..self.events.len() {
            let event = &self.events[index];
            let before = match event.previous {
                Some(previous) => self.events[previous].clock.clone(),
                None => self.actors[event.key.actor.0 as usize].birth.clone(),
            };
            let (key, operation) = (event.key, event.announced);
            self.reverse_races_of(index, key, &operation, &before);
        }
        let left: Vec<ActorId> = self.unfinished().collect();
        for actor in left {
            let state = &self.actors[actor.0 as usize];
            let Some(operation) = state.next else { continue };
            let before = state.clock.clone();
            let key = Key { actor, choice: 0 };
            self.reverse_races_of(self.events.len(), key, &operation, &before);
        }
    }

    fn reverse_races_of(&mut self, end: usize, key: Key, operation: &Operation, before: &Clock) {
        let mut races: SmallVec<[usize; 8]> = SmallVec::new();
        // Steps of the actor itself count as known.
        let mut known = before.clone();
        known.set(key.actor, u32::MAX);
        let steps = self.actors.iter().map(|actor| actor.steps);
        let mut left = Unknown::new(steps, &known);
        for index in (0..end).rev() {
            if left.is_none() {
                break;
            }
            let event = &self.events[index];
            let (actor, ordinal) = (event.key.actor, event.ordinal);
            left.pass(actor, ordinal, &known);
            let apart = actor == key.actor || before.covers(actor, ordinal);
            if apart || !dependent(&event.operation, operation) {
                continue;
            }
            let covered = |&later: &usize| self.events[later].clock.covers(actor, ordinal);
            if races.iter().any(covered) {
                continue;
            }
            if let Some(sequence) = self.reversed(index, end, key, operation) {
                races.push(index);
                let shared = self.is_shared(index);
                let node = &mut self.nodes[index];
                // Behind a state in which every step is explored there is no wake-up
                // tree, so only what does begin with a step is covered by it.
                let covered = |one: &Asleep| {
                    let occurs = || sequence.iter().any(|item| item.key == one.key);
                    tree::can_begin(one.key, &one.operation, &sequence) && (!one.shared || occurs())
                };
                if !shared && !node.sleep.iter().any(covered) {
                    tree::insert(&mut node.tree, sequence);
                }
            }
        }
    }

    /// What follows the state before `first` if the later step comes before
    /// it: all that does not depend on it, then the later step. `None` if the
    /// later step is not possible then.
    fn reversed(
        &self,
        first: usize,
        second: usize,
        key: Key,
        operation: &Operation,
    ) -> Option<Vec<Item>> {
        let event = &self.events[first];
        let (actor, ordinal) = (event.key.actor, event.ordinal);
        let rest = self.events.iter().enumerate().skip(first + 1);
        let apart: Vec<&Event> = rest
            .filter(|(index, later)| *index != second && !later.clock.covers(actor, ordinal))
            .map(|(_, later)| later)
            .collect();
        let late = |event: &Event| {
            tree::joins(operation, event.key.actor) && event.clock.covers(actor, ordinal)
        };
        let joins = || !self.events[first..].iter().any(late) && self.joins_ended(operation);
        if operation.accesses().iter().any(|access| access.action.can_wait()) {
            let before = self.events[..first].iter().chain(apart.iter().copied());
            let steps = before.map(|event| (event.key.actor, &event.operation));
            let world = self.objects.replayed(steps, operation);
            if !(world.cancelled(operation) || joins()) || !world.enabled(key.actor, operation) {
                return None;
            }
        }
        let mut sequence: Vec<Item> = apart.into_iter().map(item).collect();
        sequence.push(Item { key, operation: *operation, spawned: 0..0 });
        Some(sequence)
    }
}
