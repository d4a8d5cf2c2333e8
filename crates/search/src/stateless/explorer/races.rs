//! Races: pairs of dependent steps of different actors with nothing in between
//! that orders them. For each, a run is asked for that has them the other way
//! round.

use exeunt_model::{ActorId, Operation};
use smallvec::SmallVec;

use super::super::clock::{Clock, Unknown};
use super::super::relation::dependent;
use super::super::tree::{self, Item, Key, Sequence};
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
            let (key, announced, effective) = (event.key, event.announced, *event.effective());
            self.reverse_races_of(index, key, &announced, &effective, &before);
        }
        let left: Vec<ActorId> = self.unfinished().collect();
        for actor in left {
            let state = &self.actors[actor.0 as usize];
            let Some(operation) = state.next else { continue };
            let before = state.clock.clone();
            let key = Key { actor, choice: 0 };
            self.reverse_races_of(self.events.len(), key, &operation, &operation, &before);
        }
    }

    /// `effective`: what the order with others depends on.
    fn reverse_races_of(
        &mut self,
        end: usize,
        key: Key,
        announced: &Operation,
        effective: &Operation,
        before: &Clock,
    ) {
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
            if apart || !dependent(&event.operation, effective) {
                continue;
            }
            let covered = |&later: &usize| self.events[later].clock.covers(actor, ordinal);
            if races.iter().any(covered) {
                continue;
            }
            if self.reverse(index, end, key, announced) {
                races.push(index);
            }
        }
    }

    /// Asks for a run in which the later step comes before the first one, unless
    /// that is explored anyway: all that does not depend on the first one, then the
    /// later step. `false` if the later step is not possible then.
    fn reverse(&mut self, first: usize, second: usize, key: Key, operation: &Operation) -> bool {
        let event = &self.events[first];
        let (actor, ordinal) = (event.key.actor, event.ordinal);
        let rest = self.events.iter().enumerate().skip(first + 1);
        let apart = rest
            .filter(|(index, later)| *index != second && !later.clock.covers(actor, ordinal))
            .map(|(_, later)| item(later));
        let mut sequence: Sequence<'_> = apart.collect();
        let late = |event: &Event| {
            tree::joins(operation, event.key.actor) && event.clock.covers(actor, ordinal)
        };
        let joins = || !self.events[first..].iter().any(late) && self.joins_ended(operation);
        if operation.accesses().iter().any(|access| access.action.can_wait()) {
            let before = self.events[..first].iter().map(item).chain(sequence.iter().copied());
            let steps = before.map(|item| (item.key.actor, item.operation));
            let world = self.objects.replayed(steps, operation);
            if !(world.cancelled(operation) || joins()) || !world.enabled(key.actor, operation) {
                return false;
            }
        }
        if self.is_shared(first) {
            return true;
        }
        sequence.push(Item { key, operation, spawned: &(0..0) });
        let node = &mut self.nodes[first];
        // Behind a state in which every step is explored there is no wake-up
        // tree, so only what does begin with a step is covered by it.
        let covered = |one: &Asleep| {
            let occurs = || sequence.iter().any(|item| item.key == one.key);
            tree::can_begin(one.key, &one.operation, &sequence) && (!one.shared || occurs())
        };
        if !node.sleep.iter().any(covered) {
            tree::insert(&mut node.tree, sequence);
        }
        true
    }
}
