//! Arrows of the diagram: from a step that lets another actor go on to the next step
//! of that actor.

use std::collections::BTreeMap;

use exeunt_model::{ActorId, Event, Nature, Trace};

/// Pairs of steps, by their indices.
pub(super) fn links(trace: &Trace) -> Vec<(usize, usize)> {
    let mut links = if trace.states.is_empty() { handed_over(trace) } else { released(trace) };
    links.sort_unstable();
    links.dedup();
    links
}

/// Steps after which an actor is there that was not, or can move that could not.
fn released(trace: &Trace) -> Vec<(usize, usize)> {
    let mut links = Vec::new();
    for (at, states) in trace.states.windows(2).enumerate().take(trace.steps.len()) {
        for after in &states[1].actors {
            if after.actor == trace.steps[at].actor || after.waits.is_some() || after.ended {
                continue;
            }
            let before = states[0].actors.iter().find(|one| one.actor == after.actor);
            if before.is_none_or(|before| before.waits.is_some() || before.ended) {
                links.extend(next(trace, at, after.actor).map(|to| (at, to)));
            }
        }
    }
    links
}

/// Without states: a lock that one actor gives back and another one takes next.
fn handed_over(trace: &Trace) -> Vec<(usize, usize)> {
    // Kinds are in the highest bits of a slot; what is locked is in the others.
    let resource = |slot: u64| slot & (u64::MAX >> 4);
    let mut given: BTreeMap<u64, (usize, ActorId)> = BTreeMap::new();
    let mut links = Vec::new();
    for (at, step) in trace.steps.iter().enumerate() {
        for event in &step.events {
            match event {
                Event::Closed { section, .. } if section.kind.nature() == Nature::Lock => {
                    given.insert(resource(section.slot), (at, step.actor));
                }
                Event::Opened { section, .. } if section.kind.nature() == Nature::Lock => {
                    if let Some((from, actor)) = given.remove(&resource(section.slot))
                        && actor != step.actor
                    {
                        links.push((from, at));
                    }
                }
                _ => {}
            }
        }
    }
    links
}

fn next(trace: &Trace, after: usize, actor: ActorId) -> Option<usize> {
    (after + 1..trace.steps.len()).find(|at| trace.steps[*at].actor == actor)
}
