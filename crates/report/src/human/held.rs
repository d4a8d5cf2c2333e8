//! What each actor holds along a trace, and the text of the lines that a step is in: what a reader of every step
//! wants beside what was done.
//!
//! Recorded states say who owns what; where there are none, the sections of locks that were entered and not left.

use std::collections::BTreeMap;

use exeunt_model::{ActorId, Event, Location, OpenSection, Trace, TraceStep};

use crate::Sources;
use crate::words::printable;

/// A line of source longer than this is cut.
const LONGEST: usize = 90;

/// Follows the locks of a trace, step by step.
pub(super) struct Holding<'t> {
    trace: &'t Trace,
    open: BTreeMap<OpenSection, &'t str>,
}

impl<'t> Holding<'t> {
    pub(super) fn new(trace: &'t Trace) -> Self {
        let mut holding = Holding { trace, open: BTreeMap::new() };
        holding.pass(&trace.beginning);
        holding
    }

    /// What the actor of the step with this index holds behind it: "holds `a` and `b`". The steps before must have been asked about.
    pub(super) fn after(&mut self, index: usize) -> Option<String> {
        let trace = self.trace;
        let step = &trace.steps[index];
        let before = self.names(index, step.actor);
        self.pass(&step.events);
        let names = self.names(index + 1, step.actor);
        match (names.as_slice(), before.is_empty()) {
            ([], true) => None,
            ([], false) => Some("holds no lock any more".to_string()),
            ([one], _) => Some(format!("holds {one}")),
            ([first @ .., last], _) => Some(format!("holds {} and {last}", first.join(", "))),
        }
    }

    fn pass(&mut self, events: &'t [Event]) {
        for event in events {
            match event {
                Event::Opened { section, name, .. } if section.kind.is_held() => {
                    self.open.insert(*section, name);
                }
                Event::Closed { section, .. } => {
                    self.open.remove(section);
                }
                Event::Opened { .. }
                | Event::Did { .. }
                | Event::Within { .. }
                | Event::Accessed { .. }
                | Event::Signalled { .. }
                | Event::Output { .. }
                | Event::Freed { .. }
                | Event::Whim { .. } => {}
            }
        }
    }

    /// The locks of an actor in the state with this index.
    fn names(&self, state: usize, actor: ActorId) -> Vec<String> {
        let called = |name: &str| crate::words::called(name);
        match self.trace.states.get(state) {
            Some(state) => {
                let own = state.locks.iter().filter(|lock| lock.owners.contains(&actor));
                own.map(|lock| called(&lock.name)).collect()
            }
            None => {
                let own = self.open.iter().filter(|(section, _)| section.actor == actor);
                own.map(|(_, name)| called(name)).collect()
            }
        }
    }
}

/// The text of a line of the source, without what is left and right of it.
pub(super) fn source(sources: &Sources, location: &Location) -> Option<String> {
    let line = usize::try_from(location.line).ok()?.checked_sub(1)?;
    let text = sources.text(&location.file)?;
    let text = printable(text.lines().nth(line)?.trim());
    let cut = text.chars().count() > LONGEST;
    let start: String = text.chars().take(LONGEST).collect();
    (!text.is_empty()).then(|| if cut { start + "…" } else { start })
}

/// Where the last thing was done that a step is told by.
pub(super) fn last_place(step: &TraceStep) -> Option<&Location> {
    let done = step.deeds().next_back().map(|(location, _)| location);
    done.or(step.location.as_ref()).filter(|location| location.is_known())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use exeunt_model::SectionKind;

    #[test]
    fn locks_are_held_from_when_they_are_taken_to_when_they_are_given_back() {
        let at = || fixture::at(6, 5, "left");
        let section = OpenSection { actor: ActorId(0), slot: 1, kind: SectionKind::Critical };
        let other = OpenSection { actor: ActorId(0), slot: 2, kind: SectionKind::SpinHeld };
        let wait = OpenSection { actor: ActorId(0), slot: 3, kind: SectionKind::MutexWait };
        let opened =
            |section, name: &str| Event::Opened { section, name: name.into(), location: at() };
        let events = [
            opened(wait, "a"),
            opened(section, "a"),
            opened(other, "s"),
            Event::Closed { section, location: at() },
            Event::Closed { section: other, location: at() },
            Event::Closed { section: wait, location: at() },
        ];
        let step =
            |event: &Event| TraceStep { events: vec![event.clone()], ..fixture::step(0, 6, "x") };
        let trace = Trace { steps: events.iter().map(step).collect(), ..Trace::default() };
        let mut holding = Holding::new(&trace);
        let told: Vec<Option<String>> = (0..6).map(|at| holding.after(at)).collect();
        let told: Vec<&str> = told.iter().map(|text| text.as_deref().unwrap_or("")).collect();
        let expected =
            ["", "holds `a`", "holds `a` and `s`", "holds `s`", "holds no lock any more", ""];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_line_of_the_source_is_cut_to_what_is_read() {
        let sources = fixture::sources();
        let line = source(&sources, &fixture::at(6, 5, "left"));
        assert_eq!(line.as_deref(), Some("pthread_mutex_lock(&a);"));
        assert_eq!(source(&sources, &fixture::at(4, 1, "left")), None);
        sources.insert("embrace.c", &"x".repeat(1000));
        let long = source(&sources, &fixture::at(1, 1, "left")).expect("a line");
        assert_eq!(long.chars().count(), LONGEST + 1);
    }
}
