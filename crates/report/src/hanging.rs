//! Who hangs at the end of a trace, on what and since when: shared by all formats for people.

use exeunt_model::{
    ActorId, ActorState, Event, Location, Lock, Nature, Property, SectionKind, SectionReport,
    StateView, Trace, Violation, Wait,
};

/// An actor that does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hanging {
    pub(crate) actor: ActorId,
    /// Without the actor: "waits for mutex `m`, held by thread 2".
    pub(crate) text: String,
    pub(crate) at: Option<Location>,
    /// The step since which it does, and the word for what it does since then.
    pub(crate) since: Option<usize>,
    pub(crate) verb: &'static str,
    /// Who would have to move for it to go on.
    pub(crate) on: Vec<ActorId>,
}

/// One for each actor that hangs, its wait before what it holds.
pub(crate) fn hanging(violation: &Violation) -> Vec<Hanging> {
    if violation.sections.is_empty() {
        return waiting(violation);
    }
    let mut sections: Vec<&SectionReport> = violation.sections.iter().collect();
    sections.sort_by_key(|section| (section.actor, section.kind.is_held(), !is_told_of(section)));
    sections.dedup_by_key(|section| section.actor);
    let noun = violation.trace.noun;
    let one = |section: &SectionReport| {
        let who = format!("{} ", noun.call(section.actor));
        let why = section.why.strip_prefix(&who).unwrap_or(&section.why);
        let mut text = match why.is_empty() {
            true => crate::words::inside(section),
            false => why.to_string(),
        };
        if let Some(found) = in_vain(&violation.trace, section) {
            // What it finds each time says more than that it does nothing.
            text = format!("{}{found}", text.strip_suffix(IDLE).unwrap_or(&text));
        }
        let (verb, since) = since(&violation.trace, section);
        let on = awaited(&violation.trace, section);
        Hanging { actor: section.actor, text, at: section.opened.clone(), since, verb, on }
    };
    sections.into_iter().map(one).collect()
}

/// How machines end the sentence about a loop in which a thread waits.
const IDLE: &str = " and does nothing";

/// Whether the words are about the loop that was entered there, and not about one inside of it.
fn is_told_of(section: &SectionReport) -> bool {
    let told = section.why.split_once(" at line ").map(|(_, rest)| rest);
    let digits = |rest: &str| {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse::<u32>().ok()
    };
    match (section.kind == SectionKind::Await, told.and_then(digits), &section.opened) {
        (true, Some(line), Some(opened)) => line == opened.line,
        _ => true,
    }
}

/// What a text is about: the first name in it that is no type of the C++ library.
pub(crate) fn name_in(text: &str) -> Option<&str> {
    let names: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    let own = names.iter().find(|name| !name.starts_with("std::"));
    own.or(names.first()).copied().filter(|name| !name.is_empty())
}

/// Who would have to move for the section to end, as far as the last state tells.
fn awaited(trace: &Trace, section: &SectionReport) -> Vec<ActorId> {
    let Some(state) = trace.states.last() else { return told_to_hold(trace, &section.why) };
    let own = state.actors.iter().find(|actor| actor.actor == section.actor);
    match own.and_then(|actor| actor.waits.as_ref()) {
        Some(wait) => wait.on.clone(),
        None if section.kind == SectionKind::Await => {
            let found = found_each_time(trace, section.actor);
            let owner = found.and_then(|found| owner_of_named(trace, &found, section.actor));
            owner.into_iter().collect()
        }
        None => Vec::new(),
    }
}

/// Where no states are recorded, as of native programs: those of whom the words say that they hold
/// what is waited for, or must end.
fn told_to_hold(trace: &Trace, why: &str) -> Vec<ActorId> {
    let names = |actor: &ActorId| {
        let who = trace.noun.call(*actor);
        ["held by ", "waits for "].iter().any(|before| {
            let behind = why.split_once(&format!("{before}{who}")).map(|(_, behind)| behind);
            behind.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    (0..trace.actors.len() as u32).map(ActorId).filter(names).collect()
}

/// What an actor that goes round a loop does last in each round.
fn found_each_time(trace: &Trace, actor: ActorId) -> Option<String> {
    let own = trace.steps.iter().rfind(|step| step.actor == actor)?;
    own.deeds().next_back().map(|(_, text)| text.to_string())
}

/// Another actor that holds a lock which the text names, at the end.
fn owner_of_named(trace: &Trace, text: &str, actor: ActorId) -> Option<ActorId> {
    let named = |lock: &&Lock| text.contains(&format!("`{}`", lock.name));
    let owner = *trace.states.last()?.locks.iter().find(named)?.owners.first()?;
    (owner != actor).then_some(owner)
}

/// What a loop finds each time.
fn in_vain(trace: &Trace, section: &SectionReport) -> Option<String> {
    if section.kind == SectionKind::Await {
        let found = found_each_time(trace, section.actor)?;
        let owner = owner_of_named(trace, &found, section.actor);
        let held = owner
            .map_or(String::new(), |owner| format!(", which {} holds", trace.noun.call(owner)));
        return Some(format!(": each time it {found}{held}"));
    }
    None
}

/// Where no sections are reported: who waits at the end of a run that goes no further.
fn waiting(violation: &Violation) -> Vec<Hanging> {
    let trace = &violation.trace;
    let hangs = matches!(violation.property, Property::Deadlock | Property::Termination);
    let Some(last) = trace.states.last().filter(|_| hangs) else { return Vec::new() };
    let waiting = last.actors.iter().filter_map(|actor| Some((actor, actor.waits.as_ref()?)));
    let one = |(actor, wait): (&ActorState, &Wait)| Hanging {
        actor: actor.actor,
        text: wait.text.clone(),
        at: actor.frames.first().and_then(|frame| frame.location.clone()),
        since: waits_since(trace, actor.actor),
        verb: WAITS,
        on: wait.on.clone(),
    };
    waiting.map(one).collect()
}

/// The word for hanging in a wait.
pub(crate) const WAITS: &str = "waits";

/// The word for hanging in a section that was entered.
pub(crate) const INSIDE: &str = "inside";

/// Since which step the actor hangs: of a wait, the step that made it wait; of a loop, the step since which it
/// goes round in vain; of other sections, the step that entered it; where none is known, the last step of the actor.
fn since(trace: &Trace, section: &SectionReport) -> (&'static str, Option<usize>) {
    let waits = section.kind.nature() == Nature::Wait;
    if let Some(since) = waits_since(trace, section.actor).filter(|_| waits) {
        return (WAITS, Some(since));
    }
    let entered = |event: &Event| match event {
        Event::Opened { section: opened, name, .. } => {
            opened.actor == section.actor && opened.kind == section.kind && **name == *section.name
        }
        Event::Did { .. }
        | Event::Closed { .. }
        | Event::Output { .. }
        | Event::Accessed { .. }
        | Event::Signalled { .. }
        | Event::Freed { .. }
        | Event::Whim { .. }
        | Event::Within { .. } => false,
    };
    let opened = trace.steps.iter().rposition(|step| step.events.iter().any(entered));
    match opened.filter(|_| !waits) {
        Some(at) => (INSIDE, Some(at + 1)),
        None if section.kind == SectionKind::Await => {
            // Before it was too late, it could still have found what it looks for.
            ("in this loop in vain", last_step(trace, section.actor).max(trace.too_late))
        }
        None => ("here", last_step(trace, section.actor)),
    }
}

/// The number of the step after which the actor cannot move any more, 0 if it never could; `None` if no
/// states are recorded or it can move in the last one.
fn waits_since(trace: &Trace, actor: ActorId) -> Option<usize> {
    let waits = |state: &StateView| {
        state.actors.iter().any(|one| one.actor == actor && one.waits.is_some())
    };
    let waiting = trace.states.iter().rev().take_while(|state| waits(state)).count();
    (waiting > 0).then(|| trace.states.len() - waiting)
}

/// The number of the last step of an actor before the run repeats or ends.
fn last_step(trace: &Trace, actor: ActorId) -> Option<usize> {
    let end = trace.cycle_start.unwrap_or(trace.steps.len()).min(trace.steps.len());
    (0..end).rev().find(|at| trace.steps[*at].actor == actor).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_in_a_text() {
        assert_eq!(name_in("waits for mutex `m`, held by thread 2"), Some("m"));
        let wait = "waits on `std::condition_variable` `more` for a signal";
        assert_eq!(name_in(wait), Some("more"));
        assert_eq!(name_in("waits for thread 2 to end"), None);
    }
}
