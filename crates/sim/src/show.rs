//! States and steps as text.

use std::fmt::Write;

use exeunt_model::{ActorState, Location, Noun, StateView, TraceStep, Variable};
use exeunt_search::{CanEnd, Leads, Successor};

use crate::{Part, count};

/// A step in a line.
pub fn step(step: &TraceStep, noun: Noun) -> String {
    format!("{}  {}", noun.call(step.actor), deeds(step))
}

fn deeds(step: &TraceStep) -> String {
    let did: Vec<String> = step
        .deeds()
        .map(|(location, text)| match location.line {
            0 => text.to_string(),
            line => format!("{line}: {text}"),
        })
        .collect();
    match did.as_slice() {
        [] => step.action.clone(),
        [first, .., last] if did.len() > 3 => {
            format!("{first}; … {} more; {last}", did.len() - 2)
        }
        all => all.join("; "),
    }
}

/// A step that is possible, and where it leads.
pub fn successor(successor: &Successor, noun: Noun) -> String {
    let mut text = step(&successor.told, noun);
    if !successor.step.choices.is_empty() {
        let choices: Vec<String> = successor.step.choices.iter().map(u32::to_string).collect();
        let _ = write!(text, " [choice {}]", choices.join(", "));
    }
    if successor.step.withheld {
        text.push_str(" (may never come)");
    }
    match &successor.leads {
        Leads::State { visited: None, .. } => {}
        Leads::State { visited: Some(step), .. } => {
            let _ = write!(text, " -> the state after step {step}");
        }
        Leads::Fault(fault) => {
            let _ = write!(text, " -> error[{}]: {}", fault.property, fault.message);
        }
        Leads::Nowhere(why) => {
            let _ = write!(text, " -> {why}");
        }
    }
    text
}

pub fn can_end(answer: CanEnd) -> String {
    match answer {
        CanEnd::After(1) => "it can end with the next step".to_string(),
        CanEnd::After(steps) => format!("it can end, after {steps} steps at the earliest"),
        CanEnd::Withheld(steps) => {
            let steps = count(steps, "step");
            format!("it ends only by what may never come, as a spurious wake-up ({steps} away)")
        }
        CanEnd::Never(1) => "it can never end: no step leads out of this state".to_string(),
        CanEnd::Never(states) => {
            format!("it can never end: none of the {states} states that can be reached leaves it")
        }
        CanEnd::Unknown(states) => {
            format!("not known: it does not end in the first {states} states")
        }
    }
}

pub fn place(location: &Location) -> String {
    match location.is_known() {
        true => {
            let file = location.file.rsplit('/').next().unwrap_or_default();
            format!("{file}:{}", location.line)
        }
        false => location.to_string(),
    }
}

/// A part of a state, line by line.
pub fn state(view: &StateView, part: Part) -> String {
    let mut out = String::new();
    let wanted = |one: Part| part == Part::All || part == one;
    if wanted(Part::Threads) {
        view.actors.iter().for_each(|actor| thread(&mut out, actor, view.noun));
    }
    if wanted(Part::Locks) {
        locks(&mut out, view);
    }
    if wanted(Part::Channels) {
        for channel in &view.channels {
            let messages = channel.messages.join(" | ");
            let _ = writeln!(out, "channel {}: [{messages}] of {}", channel.name, channel.capacity);
        }
    }
    if wanted(Part::Globals) {
        variables(&mut out, "", &view.globals);
    }
    if wanted(Part::Sections) {
        for section in &view.sections {
            let who = view.noun.call(section.actor);
            let _ = writeln!(out, "{who} is inside {} {}", section.kind, section.name);
        }
    }
    if wanted(Part::Heap) {
        for object in &view.objects {
            let _ = writeln!(out, "{}", object.name);
            variables(&mut out, "  ", &object.parts);
        }
    }
    match out.trim_end() {
        "" => "nothing".to_string(),
        text => text.to_string(),
    }
}

fn thread(out: &mut String, actor: &ActorState, noun: Noun) {
    let status = match (&actor.waits, actor.ended) {
        (_, true) => "has ended",
        (Some(wait), false) => wait.text.as_str(),
        (None, false) => "can move",
    };
    let name = match actor.name.as_str() {
        "" => String::new(),
        name => format!(" ({name})"),
    };
    let _ = writeln!(out, "{}{name}: {status}", noun.call(actor.actor));
    for frame in &actor.frames {
        let at = frame.location.as_ref().map(place).unwrap_or_default();
        let _ = writeln!(out, "  {} {at}", frame.function);
        variables(out, "    ", &frame.locals);
    }
    if !actor.own.is_empty() {
        let _ = writeln!(out, "  thread-local variables");
        variables(out, "    ", &actor.own);
    }
}

fn locks(out: &mut String, view: &StateView) {
    for lock in &view.locks {
        let _ = write!(out, "{} {}", lock.kind, lock.name);
        if !lock.owners.is_empty() {
            let _ = write!(out, ", held by {}", view.noun.call_all(&lock.owners));
        }
        if !lock.waiters.is_empty() {
            let _ = write!(out, ", {} waiting", view.noun.call_all(&lock.waiters));
        }
        out.push('\n');
    }
}

fn variables(out: &mut String, indent: &str, variables: &[Variable]) {
    for variable in variables {
        let _ = writeln!(out, "{indent}{} = {}", variable.name, variable.value);
    }
}
