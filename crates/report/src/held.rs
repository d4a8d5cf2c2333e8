//! What each actor holds along a trace and at its end, and the text of the lines that a step is in: what a reader
//! wants beside what was done.
//!
//! Recorded states say who owns what; where there are none, the sections of locks that were entered and not left.

use std::collections::BTreeMap;

use exeunt_model::{ActorId, Event, Location, OpenSection, StateView, Trace, TraceStep};

use crate::Sources;
use crate::words::printable;

/// A line of source longer than this is cut.
const LONGEST: usize = 90;

/// Follows the locks of a trace, step by step.
pub(crate) struct Holding<'t> {
    trace: &'t Trace,
    open: BTreeMap<OpenSection, Taken<'t>>,
    /// How many steps were passed.
    passed: usize,
}

/// A lock that was taken.
struct Taken<'t> {
    name: &'t str,
    step: usize,
    at: &'t Location,
}

/// A lock that an actor keeps from a step on, 0 if from the beginning.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Held<'t> {
    /// In quotes, unless it is a description.
    pub(crate) name: String,
    pub(crate) since: usize,
    /// Where it was taken.
    pub(crate) at: Option<&'t Location>,
}

/// What an actor holds at the end of a trace; in a run that repeats for ever, what it holds all the time then.
pub(crate) fn held(trace: &Trace, actor: ActorId) -> Vec<Held<'_>> {
    let mut holding = Holding::new(trace);
    for step in &trace.steps {
        holding.pass_step(step);
    }
    let taken = |name: &str| {
        let own = holding.open.iter().filter(|(section, _)| section.actor == actor);
        own.map(|(_, taken)| taken).find(|taken| crate::words::called(taken.name) == name)
    };
    let mut names = holding.names(trace.states.len().saturating_sub(1), actor);
    names.dedup();
    let one = |name: String| {
        let taken = taken(&name);
        // A lock that is given back and taken again within a step is held in all states around it.
        let since = owned_since(trace, &name, actor).max(taken.map(|taken| taken.step))?;
        let at = taken.filter(|taken| taken.step == since).map(|taken| taken.at);
        let at = at.or_else(|| told_at(trace, since, &name, actor));
        Some(Held { name, since, at })
    };
    let kept = |held: &Held<'_>| trace.cycle_start.is_none_or(|start| held.since <= start);
    names.into_iter().filter_map(one).filter(kept).collect()
}

/// Where the step did what is told of a lock, if no event says where it was taken.
fn told_at<'t>(trace: &'t Trace, step: usize, name: &str, actor: ActorId) -> Option<&'t Location> {
    let step = trace.steps.get(step.checked_sub(1)?).filter(|step| step.actor == actor)?;
    step.deeds().rfind(|(_, text)| text.contains(name)).map(|(location, _)| location)
}

/// The index of the first state from which on the actor owns what it owns of this name at the end.
fn owned_since(trace: &Trace, name: &str, actor: ActorId) -> Option<usize> {
    let owned = |state: &StateView| {
        let own = state.locks.iter().filter(|lock| lock.owners.contains(&actor));
        own.filter(|lock| crate::words::called(&lock.name) == name).count()
    };
    let last = trace.states.last().map(owned)?;
    let owning = trace.states.iter().rev().take_while(|state| owned(state) >= last).count();
    Some(trace.states.len() - owning)
}

impl<'t> Holding<'t> {
    pub(crate) fn new(trace: &'t Trace) -> Self {
        let mut holding = Holding { trace, open: BTreeMap::new(), passed: 0 };
        holding.pass(&trace.beginning);
        holding
    }

    /// What the actor of the step with this index holds behind it: "holds `a` and `b`". The steps before must have been asked about.
    pub(crate) fn after(&mut self, index: usize) -> Option<String> {
        let trace = self.trace;
        let step = &trace.steps[index];
        let before = self.names(index, step.actor);
        self.pass_step(step);
        let names = self.names(index + 1, step.actor);
        match (names.as_slice(), before.is_empty()) {
            ([], true) => None,
            ([], false) => Some("holds no lock any more".to_string()),
            ([one], _) => Some(format!("holds {one}")),
            ([first @ .., last], _) => Some(format!("holds {} and {last}", first.join(", "))),
        }
    }

    fn pass_step(&mut self, step: &'t TraceStep) {
        self.passed += 1;
        self.pass(&step.events);
    }

    fn pass(&mut self, events: &'t [Event]) {
        for event in events {
            match event {
                Event::Opened { section, name, location } if section.kind.is_held() => {
                    let taken = Taken { name, step: self.passed, at: location };
                    self.open.entry(*section).or_insert(taken);
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
                own.map(|(_, taken)| called(taken.name)).collect()
            }
        }
    }
}

/// The text of a line of the source, without what is left and right of it.
pub(crate) fn source(sources: &Sources, location: &Location) -> Option<String> {
    let line = usize::try_from(location.line).ok()?.checked_sub(1)?;
    let text = sources.text(&location.file)?;
    let text = printable(text.lines().nth(line)?.trim());
    let cut = text.chars().count() > LONGEST;
    let start: String = text.chars().take(LONGEST).collect();
    (!text.is_empty()).then(|| if cut { start + "…" } else { start })
}

/// Where the last thing was done that a step is told by.
pub(crate) fn last_place(step: &TraceStep) -> Option<&Location> {
    let done = step.deeds().next_back().map(|(location, _)| location);
    done.or(step.location.as_ref()).filter(|location| location.is_known())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use exeunt_model::{Lock, SectionKind};

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
    fn what_is_held_at_the_end_has_its_step_and_line() {
        let actor = ActorId(0);
        let section = |slot| OpenSection { actor, slot, kind: SectionKind::Critical };
        let locks = |line: u32, slot, name: &str| {
            let opened = Event::Opened {
                section: section(slot),
                name: name.into(),
                location: fixture::at(line, 5, "left"),
            };
            TraceStep { events: vec![opened], ..fixture::step(0, line, "locks") }
        };
        let steps = vec![locks(6, 1, "a"), fixture::step(0, 7, "computes"), locks(8, 2, "b")];
        let mut trace = Trace { steps, ..Trace::default() };
        let told = |trace: &Trace| -> Vec<(String, usize, u32)> {
            let line = |held: &Held<'_>| held.at.expect("a place").line;
            let all = held(trace, actor);
            all.iter().map(|held| (held.name.clone(), held.since, line(held))).collect()
        };
        let both = [("`a`".to_string(), 1, 6), ("`b`".to_string(), 3, 8)];
        assert_eq!(told(&trace), both);
        assert_eq!(held(&trace, ActorId(1)), []);
        // What is taken in a round may be given back in the next one.
        trace.cycle_start = Some(2);
        assert_eq!(told(&trace), both[..1]);
    }

    #[test]
    fn states_say_what_is_held_where_they_are_recorded() {
        let actor = ActorId(0);
        let state = |owned: &[&str]| StateView {
            locks: owned
                .iter()
                .map(|name| Lock {
                    kind: "mutex",
                    name: name.to_string(),
                    owners: vec![actor],
                    waiters: Vec::new(),
                })
                .collect(),
            ..StateView::default()
        };
        let steps = (0..3).map(|_| fixture::step(0, 6, "computes")).collect();
        let states = vec![state(&["c"]), state(&["c", "a"]), state(&["c"]), state(&["c", "a"])];
        let trace = Trace { steps, states, ..Trace::default() };
        let one = |name: &str, since| Held { name: format!("`{name}`"), since, at: None };
        assert_eq!(held(&trace, actor), [one("c", 0), one("a", 3)]);
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
