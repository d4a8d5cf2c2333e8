//! The account in plain language: who waits for what, who could let whom go on, and
//! what that comes to.

use std::fmt::Write;

use exeunt_model::words::Doing;
use exeunt_model::{ActorId, Location, Noun, StateView, Trace, TraceStep, Violation};

use super::{STRONG, reported};
use crate::Sources;
use crate::hanging::{Hanging, WAITS, hanging, name_in};
use crate::held::{Holding, last_place, source};
use crate::words::printable;

pub(super) fn render(violation: &Violation, sources: &Sources) -> String {
    let Some(last) = violation.trace.states.last() else { return String::new() };
    let mut out = format!("\n{STRONG}what happened{STRONG:#}\n");
    story(&mut out, &violation.trace, sources);
    let hanging = all_hanging(violation, last);
    // Where nobody hangs, the run ends with the error, whoever could still move.
    if hanging.is_empty() {
        // An access of memory that fails is the last thing that was told.
        let last = violation.trace.steps.last().and_then(|step| step.deeds().next_back());
        if last.is_none_or(|(_, text)| text != violation.message) {
            let _ = writeln!(out, "  then: {}", reported(violation));
        }
        return out;
    }
    let who = |actor: ActorId| violation.trace.noun.call(actor);
    let _ = writeln!(out, "\n{STRONG}who waits for whom{STRONG:#}");
    for one in &hanging {
        let text = printable(&one.text);
        let _ = writeln!(out, "  {} {text}{}", who(one.actor), since(one));
    }
    // Where nobody waits for another, the sentences say it all.
    let chains = match hanging.iter().any(|one| !one.on.is_empty()) {
        true => chains(&hanging),
        false => Vec::new(),
    };
    for line in chains.iter().filter_map(|chain| drawn(chain, &hanging, &who)) {
        let _ = writeln!(out, "  {line}");
    }
    let others = last.actors.iter().filter(|actor| !hangs(&hanging, actor.actor));
    for actor in others {
        let state = if actor.ended { "has ended" } else { "can move" };
        let _ = writeln!(out, "  {} {state}", who(actor.actor));
    }
    advice(&mut out, violation.trace.noun, &hanging, last);
    out
}

/// Who hangs, and who else waits at the end.
fn all_hanging(violation: &Violation, last: &StateView) -> Vec<Hanging> {
    let mut all = hanging(violation);
    for actor in &last.actors {
        if let Some(wait) = actor.waits.as_ref().filter(|_| !hangs(&all, actor.actor)) {
            let (text, on) = (wait.text.clone(), wait.on.clone());
            all.push(Hanging { actor: actor.actor, text, at: None, since: None, verb: "", on });
        }
    }
    all.sort_by_key(|one| one.actor);
    all
}

fn hangs(hanging: &[Hanging], actor: ActorId) -> bool {
    hanging.iter().any(|one| one.actor == actor)
}

fn since(one: &Hanging) -> String {
    // Its text says already that it waits.
    let verb = if one.verb == WAITS { String::new() } else { format!("{} ", one.verb) };
    match one.since {
        None => String::new(),
        Some(0) => format!("; {verb}from the beginning"),
        Some(step) => format!("; {verb}since step {step}"),
    }
}

/// Turns that are told: so many at each end of a long story.
const ENDS: usize = 12;

/// The steps, a sentence for each turn of an actor, with the marks of the schedule between them.
fn story(out: &mut String, trace: &Trace, sources: &Sources) {
    let steps = trace.steps.len();
    let late = trace.too_late.filter(|at| *at <= steps).map(|at| {
        let what = "whatever the scheduler does from here on, it comes to this";
        (at, format!("after step {at} it is too late: {what}"))
    });
    let cycle = trace.cycle_start.filter(|at| *at < steps);
    let cycle = cycle.map(|at| (at, "from here on this repeats for ever:".to_string()));
    let mut marks: Vec<(usize, String)> = late.into_iter().chain(cycle).collect();
    marks.sort_by_key(|(at, _)| *at);
    let before =
        trace.before_first().map(|step| format!("before step 1: {}", does(trace, &step, false)));
    let mut holding = Holding::new(trace);
    let held: Vec<Option<String>> = (0..steps).map(|at| holding.after(at)).collect();
    let turns = |range| turns(trace, range, sources, &held);
    let (mut lines, mut from): (Vec<String>, usize) = (before.into_iter().collect(), 0);
    for (at, mark) in marks {
        lines.extend(turns(from..at));
        lines.push(mark);
        from = at;
    }
    lines.extend(turns(from..steps));
    let left_out = lines.len().saturating_sub(2 * ENDS);
    for (at, line) in lines.iter().enumerate() {
        if left_out > 1 && at == ENDS {
            let _ = writeln!(out, "  … {left_out} turns");
        }
        if left_out <= 1 || at < ENDS || at >= lines.len() - ENDS {
            for line in line.lines() {
                let _ = writeln!(out, "  {line}");
            }
        }
    }
}

/// A sentence for each turn within some steps, with the line of the source in which it ends, and what is held then.
fn turns(
    trace: &Trace,
    range: std::ops::Range<usize>,
    sources: &Sources,
    held: &[Option<String>],
) -> Vec<String> {
    let mut turns: Vec<(ActorId, usize, usize)> = Vec::new();
    for at in range {
        let actor = trace.steps[at].actor;
        match turns.last_mut() {
            Some(turn) if turn.0 == actor => turn.2 = at,
            _ => turns.push((actor, at, at)),
        }
    }
    let told = |turn: &(ActorId, usize, usize)| {
        let mut text = sentence(trace, *turn);
        let place = last_place(&trace.steps[turn.2]);
        if let Some(line) = place.and_then(|place| source(sources, place)) {
            text += &format!("\n        | {line}");
        }
        if let Some(held) = &held[turn.2] {
            text += &format!("\n        = {held}");
        }
        text
    };
    turns.iter().map(told).collect()
}

fn sentence(trace: &Trace, (actor, first, last): (ActorId, usize, usize)) -> String {
    let steps = match first == last {
        true => format!("step {}", first + 1),
        false => format!("steps {} to {}", first + 1, last + 1),
    };
    debug_assert_eq!(trace.steps[last].actor, actor, "a turn has one actor");
    format!("{steps}: {}", does(trace, &trace.steps[last], first < last))
}

/// What an actor does in a turn: how far it runs, and the last thing that it does there. `more`: the turn has other
/// steps before this one.
fn does(trace: &Trace, step: &TraceStep, more: bool) -> String {
    let who = name(trace, step.actor);
    let deeds: Vec<(&Location, &str)> = step.deeds().collect();
    let last = deeds.last();
    let text = printable(last.map_or(&step.action, |(_, text)| text));
    let line = last.map(|(location, _)| location).filter(|location| location.is_known());
    if text == Doing::Ends.words() {
        return format!("{who} runs to its end");
    }
    let runs = if more || deeds.len() > 1 { " runs to" } else { "," };
    match line {
        Some(location) => format!("{who}{runs} line {}: {text}", location.line),
        None if more || deeds.len() > 1 => format!("{who} runs, and last: {text}"),
        None => format!("{who}: {text}"),
    }
}

fn name(trace: &Trace, actor: ActorId) -> String {
    let who = trace.noun.call(actor);
    match trace.actors.get(actor.0 as usize) {
        Some(name) if !name.is_empty() => format!("{who} ({})", printable(name)),
        _ => who,
    }
}

/// Actors of which each waits for the next one: circles, which end where they begin, and what leads to nobody or into
/// a chain that is there already.
fn chains(hanging: &[Hanging]) -> Vec<Vec<ActorId>> {
    let mut chains = cycles(hanging);
    let awaited: Vec<ActorId> = hanging.iter().flat_map(|one| &one.on).copied().collect();
    // Those whom nobody waits for come first, so that chains are as long as can be.
    let mut order: Vec<&Hanging> = hanging.iter().collect();
    order.sort_by_key(|one| awaited.contains(&one.actor));
    for one in order {
        if chains.iter().any(|chain| chain.contains(&one.actor)) {
            continue;
        }
        let mut chain = vec![one.actor];
        while let Some(to) = next(hanging, chain[chain.len() - 1]) {
            let known = chain.contains(&to) || chains.iter().any(|other| other.contains(&to));
            chain.push(to);
            if known {
                break;
            }
        }
        chains.push(chain);
    }
    chains
}

/// "thread 2 --journal--> thread 3 --accounts--> thread 2", "thread 1 --> thread 2 --> `more`"; `None` if there is
/// nothing to draw.
fn drawn(
    chain: &[ActorId],
    hanging: &[Hanging],
    who: &dyn Fn(ActorId) -> String,
) -> Option<String> {
    let about = |actor: ActorId| {
        let wait = hanging.iter().find(|one| one.actor == actor);
        wait.and_then(|one| name_in(&one.text)).map(printable)
    };
    let mut out = who(chain[0]);
    for pair in chain.windows(2) {
        let label = about(pair[0]).map_or(String::new(), |about| format!("--{about}"));
        let _ = write!(out, " {label}--> {}", who(pair[1]));
    }
    let last = *chain.last()?;
    if chain.len() > 2 && chain[0] == last {
        return Some(out + " (a circle)");
    }
    let nobody = next(hanging, last).is_none();
    let thing = about(last).filter(|_| nobody).map(|about| format!(" --> `{about}`"));
    (chain.len() > 1 || thing.is_some()).then(|| out + &thing.unwrap_or_default())
}

/// Whom an actor waits for.
fn next(hanging: &[Hanging], actor: ActorId) -> Option<ActorId> {
    hanging.iter().find(|one| one.actor == actor)?.on.first().copied()
}

/// Circles of actors that wait for each other, each once; they end with their first actor.
fn cycles(hanging: &[Hanging]) -> Vec<Vec<ActorId>> {
    let mut found: Vec<Vec<ActorId>> = Vec::new();
    for one in hanging {
        let mut path = vec![one.actor];
        while let Some(to) = next(hanging, path[path.len() - 1]) {
            if to == one.actor {
                if path.iter().min() == Some(&one.actor) {
                    path.push(to);
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
fn advice(out: &mut String, noun: Noun, hanging: &[Hanging], last: &StateView) {
    let Some(cycle) = cycles(hanging).into_iter().next() else { return };
    // Without its first actor again at the end.
    let cycle = &cycle[..cycle.len() - 1];
    let mut held: Vec<String> = Vec::new();
    for actor in cycle {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(actor: u32, text: &str, on: &[u32]) -> Hanging {
        let on = on.iter().copied().map(ActorId).collect();
        let (actor, text) = (ActorId(actor), text.to_string());
        Hanging { actor, text, at: None, since: None, verb: WAITS, on }
    }

    fn picture(hanging: &[Hanging]) -> Vec<String> {
        let who = |actor: ActorId| Noun::Thread.call(actor);
        chains(hanging).iter().filter_map(|chain| drawn(chain, hanging, &who)).collect()
    }

    #[test]
    fn circles_chains_and_things_are_drawn() {
        let circle = [waits(1, "waits for `b`", &[2]), waits(2, "waits for `a`", &[1])];
        assert_eq!(picture(&circle), ["thread 2 --b--> thread 3 --a--> thread 2 (a circle)"]);
        let mut joined = circle.to_vec();
        joined.insert(0, waits(0, "waits for thread 2 to end", &[1]));
        assert_eq!(picture(&joined)[1..], ["thread 1 --> thread 2"]);
        let chain = [waits(1, "waits on `more`", &[]), waits(0, "waits for thread 2 to end", &[1])];
        assert_eq!(picture(&chain), ["thread 1 --> thread 2 --> `more`"]);
        assert_eq!(picture(&[waits(0, "sleeps", &[])]), Vec::<String>::new());
        // One that waits for itself.
        assert_eq!(picture(&[waits(0, "waits for `m`", &[0])]), ["thread 1 --m--> thread 1"]);
    }
}
