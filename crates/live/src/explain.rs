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
    for violation in found {
        let mut story = story::tell(program, &violation.trace.schedule, options)?;
        let cycle = violation.trace.cycle_start;
        let too_late = violation.trace.too_late;
        let question = violation.question.clone();
        let mut told = retell(&mut story, violation, graph);
        told.trace.cycle_start = cycle;
        told.trace.too_late = too_late;
        told.question = question;
        report.violations.push(told);
    }
    if let Some(first) = report.violations.first() {
        report.reason = first.message.clone();
    }
    if let Some(why) = report::hidden(program).filter(|_| report.verdict == Verdict::Holds) {
        (report.verdict, report.reason) = (Verdict::Inconclusive, why.clone());
        report.limits_hit.push(why);
    }
    Ok(report)
}

fn retell(story: &mut Story, violation: Violation, graph: &Graph) -> Violation {
    let main = violation.sections.first().map(|section| section.kind.nature());
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
