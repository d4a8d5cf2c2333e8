//! The stories of violations that an engine found in the graph of a native
//! program: the program is run along each schedule once more, and lines and names
//! take the place of numbers.

use exeunt_model::{ActorId, Nature, Property, Report, Verdict, Violation};

use crate::graph::Graph;
use crate::program::{Program, Refusal};
use crate::report::{deadlock, fault, never_given_back};
use crate::story::{self, Story};
use crate::{Options, report};

/// Puts the places of the source into what an engine reported.
pub fn explain(
    program: &Program,
    options: &Options,
    graph: &Graph,
    mut report: Report,
) -> Result<Report, Refusal> {
    let found = std::mem::take(&mut report.violations);
    let mut unsure = None;
    for violation in found {
        let mut story = story::tell(program, &violation.trace.schedule, options)?;
        let cycle = violation.trace.cycle_start;
        let too_late = violation.trace.too_late;
        let question = violation.question.clone();
        let mut told = retell(&mut story, violation, graph);
        told.trace.cycle_start = cycle;
        told.trace.too_late = too_late;
        told.question = question;
        if program.has_hidden_steps() {
            // Steps that were not seen may lead elsewhere, but not out of a circle of mutexes.
            let waits = |actor: &ActorId| told.sections.iter().any(|one| one.actor == *actor);
            let circle = story.circle.take().filter(|(_, actors)| actors.iter().all(waits));
            if circle.is_none() && is_about_all_that_follows(told.property) {
                unsure = Some(format!("{} (suspected, not proven: {HIDDEN})", told.message));
                continue;
            }
            told.trace.too_late = circle.map(|(steps, _)| steps);
        }
        report.violations.push(told);
    }
    if let Some(why) = unsure.filter(|_| report.violations.is_empty()) {
        let statistics = report.statistics;
        return Ok(Report { statistics, ..Report::inconclusive(why) });
    }
    if let Some(first) = report.violations.first() {
        report.reason = first.message.clone();
    }
    let hidden = report::hidden(program);
    let hidden = hidden.or_else(|| program.has_hidden_steps().then(|| HIDDEN.to_string()));
    if let Some(why) = hidden.filter(|_| report.verdict == Verdict::Holds) {
        (report.verdict, report.reason) = (Verdict::Inconclusive, why.clone());
        report.limits_hit.push(why);
    }
    Ok(report)
}

/// Why nothing is established about all runs of such a program.
const HIDDEN: &str = "the program uses atomic instructions, which are no steps where states are compared; compile it \
     with `exeunt cc --live` if it is C or C++";

/// Whether a violation says something about every run that goes on from its end.
fn is_about_all_that_follows(property: Property) -> bool {
    match property {
        Property::Section | Property::Termination | Property::Ltl => true,
        Property::Deadlock
        | Property::Invariant
        | Property::Assertion
        | Property::Memory
        | Property::Race
        | Property::Undefined
        | Property::Leak
        | Property::Misuse
        | Property::Exception
        | Property::Exit => false,
    }
}

fn retell(story: &mut Story, violation: Violation, graph: &Graph) -> Violation {
    let natures = || violation.sections.iter().map(|section| section.kind.nature());
    // Who waits says more than who holds what the others wait for.
    let waits = natures().any(|nature| nature == Nature::Wait).then_some(Nature::Wait);
    let main = natures().next().filter(|nature| *nature == Nature::Part).or(waits);
    let main = main.or_else(|| natures().next());
    match (violation.property, main) {
        (Property::Deadlock, _) => deadlock(story, &waiting(&violation), Property::Deadlock),
        (Property::Section, Some(Nature::Wait)) => {
            deadlock(story, &waiting(&violation), Property::Section)
        }
        (Property::Section, Some(Nature::Lock)) => {
            let locks = violation.sections.iter().filter(|section| section.kind.is_held());
            let words = locks.map(|section| format!("{}:{}", section.actor.0, section.name));
            never_given_back(story, &words.collect::<Vec<_>>().join(" "))
        }
        (Property::Section, Some(Nature::Part)) => part(story, violation, graph),
        (Property::Ltl | Property::Invariant | Property::Termination | Property::Section, _) => {
            placed(story, violation)
        }
        (
            Property::Assertion
            | Property::Memory
            | Property::Race
            | Property::Undefined
            | Property::Leak
            | Property::Misuse
            | Property::Exception
            | Property::Exit,
            _,
        ) => fault(story, violation.property.name(), &violation.message),
    }
}

/// The threads that wait in what is stuck.
fn waiting(violation: &Violation) -> Vec<ActorId> {
    let waits = violation.sections.iter().filter(|one| one.kind.nature() == Nature::Wait);
    let mut actors: Vec<ActorId> = waits.map(|section| section.actor).collect();
    actors.sort_unstable();
    actors.dedup();
    actors
}

/// A section of the program's own, or a function that must return.
fn part(story: &mut Story, mut violation: Violation, graph: &Graph) -> Violation {
    let names = graph.names();
    for section in &mut violation.sections {
        let same = names.iter().filter(|(_, name)| ***name == *section.name);
        let slots: Vec<u64> = same.map(|(slot, _)| *slot).collect();
        section.opened = story.entered(section.actor, &slots);
    }
    violation.location = violation.sections.first().and_then(|one| one.opened.clone());
    let location = violation.location.clone();
    let mut violation = placed(story, violation);
    violation.location = location.or(violation.location);
    violation
}

fn placed(story: &mut Story, mut violation: Violation) -> Violation {
    violation.location = story.last();
    violation.trace = std::mem::take(&mut story.trace);
    violation
}
