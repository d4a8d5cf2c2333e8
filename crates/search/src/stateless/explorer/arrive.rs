//! What threads arrived at by a step.

use exeunt_model::{Action, ActorId, Arrival, Operation, Standing};

use super::{Actor, Event, Explorer, RunEnd};

impl Explorer {
    /// These threads got somewhere by the last step.
    pub(super) fn absorb(&mut self, arrivals: &[Arrival]) {
        let last = self.position.checked_sub(1);
        for arrival in arrivals {
            let at = arrival.actor.0 as usize;
            if at == self.actors.len() {
                let birth = last.map(|i| self.events[i].clock.clone()).unwrap_or_default();
                if let Some(order) = &mut self.order {
                    order.begin(arrival.actor, last.map(|i| self.events[i].key.actor));
                }
                self.actors.push(Actor { next: None, birth, steps: 0 });
                if let Some(i) = last {
                    self.spawn(i, arrival.actor.0);
                }
            }
            let next = match &arrival.standing {
                Standing::Ended => None,
                Standing::Before(operation) => {
                    self.enter_futex(last, arrival.actor, operation);
                    Some(self.objects.refined(arrival.actor, operation))
                }
            };
            self.actors[at].next = next;
        }
    }

    /// Whether the step that was made last races with an earlier one.
    pub(super) fn race(&mut self, arrivals: &[Arrival]) -> Option<RunEnd> {
        let freed = std::mem::take(&mut self.freed);
        let second = self.position.checked_sub(1)?;
        let order = self.order.as_mut()?;
        let Event { key, operation, ordinal, .. } = &self.events[second];
        let failed = arrivals.iter().any(|one| one.actor == key.actor && one.failed);
        let first = order.observe(second, key.actor, *ordinal, operation, self.reply, failed);
        freed.into_iter().for_each(|words| order.forget(words));
        Some(RunEnd::Race { first: first?, second })
    }

    fn spawn(&mut self, event: usize, actor: u32) {
        let Event { spawned, traces, .. } = &mut self.events[event];
        // Every step of the new thread comes later.
        *traces = u64::MAX;
        *spawned = match spawned.start == spawned.end {
            true => actor..actor + 1,
            false => spawned.start..actor + 1,
        };
    }

    /// A thread that looked at a futex and now waits has become a waiter.
    fn enter_futex(&mut self, last: Option<usize>, actor: ActorId, next: &Operation) {
        let Some(last) = last else { return };
        let event = &mut self.events[last];
        let mut accesses = event.announced.accesses().iter().copied().enumerate();
        let Some((index, access)) = accesses.find(|(_, a)| a.action == Action::FutexEnter) else {
            return;
        };
        let waits = next.accesses().first().is_some_and(|next| {
            next.object == access.object && matches!(next.action, Action::Wake | Action::TimedWake)
        });
        if event.key.actor == actor && waits {
            self.objects.enqueue(actor, access.object);
            let enqueues = exeunt_model::Access { action: Action::Enqueue, ..access };
            event.operation = event.operation.with_access(index, enqueues);
        }
    }
}
