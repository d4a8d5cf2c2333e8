//! The account in plain language: who waits for what, who could let whom go on, and
//! what that comes to.

use std::fmt::Write;

use exeunt_model::{ActorId, ActorState, Noun, StateView, TraceStep, Violation};

use super::STRONG;
use crate::words::printable;

pub(super) fn render(violation: &Violation) -> String {
    let Some(last) = violation.trace.states.last() else { return String::new() };
    let mut out = format!("\n{STRONG}what happened{STRONG:#}\n");
    story(&mut out, violation);
    let waiting: Vec<&ActorState> = last.actors.iter().filter(|one| one.waits.is_some()).collect();
    let who = |actor: ActorId| violation.trace.noun.call(actor);
    if !waiting.is_empty() {
        let _ = writeln!(out, "\n{STRONG}who waits for whom{STRONG:#}");
        for actor in &waiting {
            let Some(wait) = &actor.waits else { continue };
            let _ = writeln!(out, "  {}", printable(&in_full(violation, actor.actor, &wait.text)));
        }
        for cycle in cycles(last) {
            let names: Vec<String> = cycle.iter().map(|actor| who(*actor)).collect();
            let _ = writeln!(out, "  a circle: {} -> {}", names.join(" -> "), names[0]);
        }
    }
    for actor in last.actors.iter().filter(|one| one.waits.is_none()) {
        let state = if actor.ended { "has ended" } else { "can move" };
        let _ = writeln!(out, "  {} {state}", who(actor.actor));
    }
    advice(&mut out, violation, last);
    out
}

/// What an actor waits for, in the words of its section if they say more: why a signal was lost.
fn in_full(violation: &Violation, actor: ActorId, wait: &str) -> String {
    let text = format!("{} {wait}", violation.trace.noun.call(actor));
    let more = violation.sections.iter().find(|one| one.why.starts_with(&format!("{text} (")));
    more.map_or(text, |section| section.why.clone())
}

/// The steps up to where it is too late, a sentence for each turn of an actor.
fn story(out: &mut String, violation: &Violation) {
    let trace = &violation.trace;
    let end = trace.too_late.unwrap_or(trace.steps.len()).min(trace.steps.len());
    let mut turns: Vec<(ActorId, usize, usize)> = Vec::new();
    for (at, step) in trace.steps[..end].iter().enumerate() {
        match turns.last_mut() {
            Some(turn) if turn.0 == step.actor => turn.2 = at,
            _ => turns.push((step.actor, at, at)),
        }
    }
    for (actor, first, last) in &turns {
        let steps = match first == last {
            true => format!("step {}", first + 1),
            false => format!("steps {} to {}", first + 1, last + 1),
        };
        let action = printable(&last_deed(&trace.steps[*last]));
        let _ = writeln!(
            out,
            "  {steps}: {} runs; the last thing it does: {action}",
            name(violation, *actor)
        );
    }
    if let Some(at) = trace.too_late {
        let _ = writeln!(
            out,
            "  after step {at} it is too late: whatever is scheduled from here on, it does not end"
        );
    }
}

fn last_deed(step: &TraceStep) -> String {
    let deed = step.deeds().next_back().map(|(_, text)| text.to_string());
    deed.unwrap_or_else(|| step.action.clone())
}

fn name(violation: &Violation, actor: ActorId) -> String {
    let who = violation.trace.noun.call(actor);
    match violation.trace.actors.get(actor.0 as usize) {
        Some(name) if !name.is_empty() => format!("{who} ({})", printable(name)),
        _ => who,
    }
}

/// Circles of actors that wait for each other, each once.
fn cycles(state: &StateView) -> Vec<Vec<ActorId>> {
    let next = |actor: ActorId| -> Option<ActorId> {
        let one = state.actors.iter().find(|one| one.actor == actor)?;
        one.waits.as_ref()?.on.first().copied()
    };
    let mut found: Vec<Vec<ActorId>> = Vec::new();
    for actor in &state.actors {
        let mut path = vec![actor.actor];
        while let Some(to) = next(path[path.len() - 1]) {
            if to == actor.actor {
                if path.iter().min() == Some(&actor.actor) {
                    found.push(path);
                }
                break;
            }
            if path.contains(&to) {
                break;
            }
            path.push(to);
        }
    }
    found
}

/// Which order of locks would have been harmless, where that is plain to see: in a circle
/// of locks every lock was taken while the next one was wanted. (Which step would have been is looked for
/// by a search, and told as help.)
fn advice(out: &mut String, violation: &Violation, last: &StateView) {
    let Some(cycle) = cycles(last).into_iter().next() else { return };
    let noun: Noun = violation.trace.noun;
    let mut held: Vec<String> = Vec::new();
    for actor in &cycle {
        let locks = last.locks.iter().filter(|lock| lock.owners.contains(actor));
        let wanted = locks.filter(|lock| lock.waiters.iter().any(|other| cycle.contains(other)));
        held.extend(wanted.map(|lock| format!("`{}`", printable(&lock.name))));
    }
    if held.len() == cycle.len() && held.len() > 1 {
        let _ = writeln!(
            out,
            "\nIf every {} took {} in one fixed order, this circle could not close.",
            noun.name(),
            held.join(" and ")
        );
    }
}
