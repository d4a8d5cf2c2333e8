//! Races: pairs of dependent steps of different actors with nothing in between
//! that orders them. For each, a run is asked for that has them the other way
//! round.

use exeunt_model::{Action, ActorId, MutexKind, Operation, Reply};
use smallvec::SmallVec;

use super::super::clock::Clock;
use super::super::relation::{are_apart, dependent, traces};
use super::super::tree::{self, Item, Key, Sequence};
use super::{Asleep, Event, Explorer, item};

impl Explorer {
    /// Asks for a run in which each race of this one goes the other way.
    pub(super) fn reverse_races(&mut self) {
        for index in self.known..self.events.len() {
            let event = &self.events[index];
            let at = event.key.actor.0 as usize;
            let before = match event.ordinal.checked_sub(2) {
                Some(previous) => &self.events[self.places[at][previous as usize]].clock,
                None => &self.actors[at].birth,
            };
            let before = before.clone();
            let (key, announced, effective) = (event.key, event.announced, *event.effective());
            self.reverse_races_of(index, key, &announced, &effective, &before);
        }
        let left: Vec<ActorId> = self.unfinished().collect();
        for actor in left {
            let state = &self.actors[actor.0 as usize];
            let Some(operation) = state.next else { continue };
            let before = self.clock_at(actor).clone();
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
        let traces = traces(effective);
        for index in (self.first_unknown(before)..end).rev() {
            let event = &self.events[index];
            if are_apart(event.traces, traces) {
                continue;
            }
            let (actor, ordinal) = (event.key.actor, event.ordinal);
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
        let quickly = lockable(event, operation);
        if quickly == Some(false) {
            return false;
        }
        let rest = self.events.iter().enumerate().skip(first + 1);
        let apart = rest
            .filter(|(index, later)| *index != second && !later.clock.covers(actor, ordinal))
            .map(|(_, later)| item(later));
        let mut sequence: Sequence<'_> = apart.collect();
        let late = |event: &Event| {
            tree::joins(operation, event.key.actor) && event.clock.covers(actor, ordinal)
        };
        let joins = || !self.events[first..].iter().any(late) && self.joins_ended(operation);
        let waits = || operation.accesses().iter().any(|access| access.action.can_wait());
        if quickly.is_none() && waits() {
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

/// Whether a normal mutex can be locked in the state before a step of another thread on
/// it, which is what most races are about. All that is done to the mutex depends on
/// that step, so whatever else is moved before it makes no difference.
fn lockable(first: &Event, operation: &Operation) -> Option<bool> {
    let ([theirs], [mine]) = (first.operation.accesses(), operation.accesses()) else {
        return None;
    };
    let normal = MutexKind::Normal;
    if theirs.object != mine.object || mine.action != Action::Lock(normal) {
        return None;
    }
    match theirs.action {
        Action::Lock(MutexKind::Normal) => Some(true),
        Action::TryLock(MutexKind::Normal) => Some(first.reply != Reply::Busy),
        Action::Unlock(MutexKind::Normal) => Some(false),
        _ => None,
    }
}
