//! What can be read off a told trace, for all who make or show stories.

use crate::{ActorId, Event, Location, OpenSection, Trace, TraceStep};

impl TraceStep {
    /// What the actor did in this step, in words, and where.
    pub fn deeds(&self) -> impl DoubleEndedIterator<Item = (&Location, &str)> {
        deeds(&self.events)
    }

    /// Whom the step woke from sections of this slot, if it signalled at all and that is known.
    fn woken(&self, wanted: u64) -> Option<Option<&[ActorId]>> {
        self.events.iter().rev().find_map(|event| match event {
            Event::Signalled { slot, woken } if *slot == wanted => Some(woken.as_deref()),
            _ => None,
        })
    }

    fn opens(&self, wanted: OpenSection) -> bool {
        let opens =
            |event: &Event| matches!(event, Event::Opened { section, .. } if *section == wanted);
        self.events.iter().any(opens)
    }
}

/// What was done in these events, in words, and where.
pub fn deeds(events: &[Event]) -> impl DoubleEndedIterator<Item = (&Location, &str)> {
    events.iter().filter_map(|event| match event {
        Event::Did { location, text } => Some((location, &**text)),
        Event::Within { .. }
        | Event::Accessed { .. }
        | Event::Signalled { .. }
        | Event::Opened { .. }
        | Event::Closed { .. }
        | Event::Output { .. }
        | Event::Freed { .. }
        | Event::Whim { .. } => None,
    })
}

impl Trace {
    /// What the first actor did before the first step, in the form of a step; `None` if nothing is known of it.
    pub fn before_first(&self) -> Option<TraceStep> {
        let first = deeds(&self.beginning).next();
        let (location, action) = first.map_or((None, String::new()), |(location, text)| {
            (Some(location.clone()), text.to_string())
        });
        let (actor, callers, events) = (ActorId(0), Vec::new(), self.beginning.clone());
        let step = TraceStep { actor, location, action, callers, events };
        (!self.beginning.is_empty()).then_some(step)
    }

    /// Why a wait for a signal was in vain, as a clause: when the last signal came, and
    /// who heard it. `None` if there was none, if it is not known who heard it, or if operations behind it
    /// are left out.
    pub fn last_signal(&self, wait: OpenSection) -> Option<String> {
        let heard = |step: &TraceStep| step.woken(wait.slot).is_some();
        let at = self.steps.iter().rposition(heard)?;
        let left_out = |at: usize| self.schedule.moves.get(at).is_some_and(|step| step.turn > 0);
        if (at..self.steps.len()).any(left_out) {
            return None;
        }
        let before = self.steps[at + 1..].iter().any(|step| step.opens(wait));
        let how = match self.steps[at].woken(wait.slot)?? {
            [] => ", when nobody waited".to_string(),
            [one] if *one != wait.actor => format!(" and woke {}", self.noun.call(*one)),
            _ if before => ", before this wait began".to_string(),
            _ => return None,
        };
        Some(format!("the last one came in step {}{how}", at + 1))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Move, SectionKind};

    const SLOT: u64 = 7;

    fn wait(actor: u32) -> OpenSection {
        OpenSection { actor: ActorId(actor), slot: SLOT, kind: SectionKind::CondWait }
    }

    fn step(actor: u32, events: Vec<Event>) -> TraceStep {
        let (location, callers) = (None, Vec::new());
        TraceStep { actor: ActorId(actor), location, action: String::new(), callers, events }
    }

    fn waits(actor: u32) -> TraceStep {
        let location = Location::in_function("f");
        let opened = Event::Opened { section: wait(actor), name: Arc::from("c"), location };
        step(actor, vec![opened])
    }

    fn signals(slot: u64, woken: &[u32]) -> TraceStep {
        let woken = woken.iter().map(|&actor| ActorId(actor)).collect();
        step(1, vec![Event::Signalled { slot, woken: Some(woken) }])
    }

    fn last(steps: Vec<TraceStep>) -> Option<String> {
        Trace { steps, ..Trace::default() }.last_signal(wait(0))
    }

    #[test]
    fn a_signal_that_nobody_heard_is_named() {
        let steps = vec![signals(SLOT, &[]), signals(SLOT + 1, &[2]), waits(0)];
        assert_eq!(last(steps).as_deref(), Some("the last one came in step 1, when nobody waited"));
        assert_eq!(last(vec![waits(0)]), None);
    }

    /// The last signal counts, not the last one that was lost.
    #[test]
    fn a_signal_that_another_thread_heard_is_no_lost_one() {
        let steps = vec![signals(SLOT, &[]), waits(0), waits(2), signals(SLOT, &[2])];
        assert_eq!(last(steps).as_deref(), Some("the last one came in step 4 and woke thread 3"));
        let steps = vec![waits(0), signals(SLOT, &[0, 2]), waits(0)];
        let before = "the last one came in step 2, before this wait began";
        assert_eq!(last(steps).as_deref(), Some(before));
    }

    #[test]
    fn nothing_is_said_where_it_is_not_known_who_was_woken() {
        let unknown = step(1, vec![Event::Signalled { slot: SLOT, woken: None }]);
        assert_eq!(last(vec![signals(SLOT, &[]), waits(0), unknown]), None);
    }

    #[test]
    fn nothing_is_said_where_operations_are_left_out() {
        let steps = vec![signals(SLOT, &[]), waits(0)];
        let mut trace = Trace { steps, ..Trace::default() };
        let first = Move::step(ActorId(1));
        trace.schedule.moves = vec![first, Move { turn: 200, ..Move::step(ActorId(0)) }];
        assert_eq!(trace.last_signal(wait(0)), None);
    }
}
