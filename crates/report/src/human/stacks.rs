//! The calls around the places of a violation: a line for each thread, and all
//! of them where that is asked for.

use std::fmt::Write;

use exeunt_model::{ActorId, Location, Violation};

use super::{FAINT, STRONG};
use crate::words::{count, printable};

/// Calls that a folded stack shows.
const SHOWN: usize = 2;

/// A place that a thread is at, with the calls around it.
#[derive(PartialEq)]
struct Stack<'a> {
    actor: ActorId,
    place: &'a Location,
    callers: &'a [Location],
}

/// The stacks of a violation, each once; places outside of any call are left out.
fn stacks(violation: &Violation) -> Vec<Stack<'_>> {
    let sections = violation.sections.iter().filter_map(|section| {
        let place = section.opened.as_ref()?;
        let stack = Stack { actor: section.actor, place, callers: &section.callers };
        Some((stack, section.kind.is_held()))
    });
    let mut stacks: Vec<Stack<'_>> = Vec::new();
    // Where a thread waits says more than where it took what it holds.
    let waits = violation.sections.iter().filter(|section| !section.kind.is_held());
    let waiting: Vec<ActorId> = waits.map(|section| section.actor).collect();
    for (stack, held) in sections {
        let told = held && waiting.contains(&stack.actor);
        if !stack.callers.is_empty() && !told && !stacks.contains(&stack) {
            stacks.push(stack);
        }
    }
    let last = violation.trace.steps.last().map(|step| step.actor);
    if let (true, Some(actor), Some(place)) =
        (violation.sections.is_empty(), last, &violation.location)
        && !violation.callers.is_empty()
    {
        stacks.push(Stack { actor, place, callers: &violation.callers });
    }
    stacks
}

/// A line for each stack; none if all calls are shown elsewhere.
pub(super) fn notes(violation: &Violation, all: bool) -> Vec<String> {
    if all {
        return Vec::new();
    }
    let noun = violation.trace.noun;
    let line = |stack: Stack<'_>| {
        let mut text = format!("{} is in `{}`", noun.call(stack.actor), name(stack.place));
        for caller in stack.callers.iter().take(SHOWN) {
            let at = match caller.file == stack.place.file {
                true => format!("line {}", caller.line),
                false => place(caller),
            };
            let _ = write!(text, ", called by `{}` at {at}", name(caller));
        }
        if stack.callers.len() > SHOWN {
            let more = count((stack.callers.len() - SHOWN) as u64, "more call");
            let _ = write!(text, ", and {more} (`--stacks` shows them)");
        }
        text
    };
    // Two loops of one function are two places, and one line.
    let mut lines: Vec<String> = stacks(violation).into_iter().map(line).collect();
    lines.dedup();
    lines
}

/// All calls, a line each.
pub(super) fn render(violation: &Violation) -> String {
    let mut out = String::new();
    for stack in stacks(violation) {
        let who = violation.trace.noun.call(stack.actor);
        let _ = writeln!(out, "\n{STRONG}calls{STRONG:#} of {who}, innermost first:");
        let places = std::iter::once(stack.place).chain(stack.callers);
        let widest = places.clone().map(|place| name(place).chars().count()).max().unwrap_or(0);
        for (index, at) in places.enumerate() {
            let _ =
                writeln!(out, "  {FAINT}{index:>3}{FAINT:#}  {:widest$}  {}", name(at), place(at));
        }
    }
    out
}

fn name(location: &Location) -> String {
    match location.function.is_empty() {
        true => "?".to_string(),
        false => printable(&location.function),
    }
}

fn place(location: &Location) -> String {
    printable(&location.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_deep_stack_is_folded_unless_all_is_asked_for() {
        let mut report = fixture::embrace();
        let violation = &mut report.violations[0];
        violation.sections[0].callers =
            vec![fixture::at(30, 3, "wrap"), fixture::at(40, 3, "work"), fixture::at(50, 1, "run")];
        let folded = "thread 2 is in `left`, called by `wrap` at line 30, called by `work` at \
                      line 40, and 1 more call (`--stacks` shows them)";
        assert_eq!(notes(violation, false), [folded]);
        assert!(notes(violation, true).is_empty());
        let all = render(violation);
        assert!(all.contains("calls") && all.contains("run   embrace.c:50:1"), "{all}");
    }
}
