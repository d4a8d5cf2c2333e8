//! The story of a run that a temporal property forbids.

use exeunt_model::{ActorId, Fault, Location, Move, Property, Trace, Violation};

use super::Ask;
use super::kripke::{Kripke, Node};
use super::lasso::{Run, Stride, starved};
use crate::explore::Graph;
use crate::store::StateId;
use crate::story;

/// A run against a formula or a claim.
pub fn violation(
    kripke: &mut Kripke<'_>,
    ask: &Ask,
    run: &Run,
    fair: bool,
) -> Result<Violation, Fault> {
    let stem = moves(&run.stem);
    let cycle = moves(&run.cycle);
    let trace = trace(&mut kripke.graph, run.first, &stem, &cycle);
    let mut help = Vec::new();
    if ask.is_completed_by_prefix() && run.cycle.is_empty() {
        help.push("whatever comes after this trace, it is already too late".to_string());
    } else if cycle.is_empty() {
        help.push(end(kripke, run)?);
    } else {
        let (from, to) = (stem.len() + 1, stem.len() + cycle.len());
        help.push(match from == to {
            true => format!("step {from} can repeat for ever"),
            false => format!("steps {from} to {to} can repeat for ever"),
        });
        help.extend(neglected(kripke, run, fair)?);
    }
    Ok(Violation {
        property: Property::Ltl,
        message: ask.complaint(),
        location: ask.location.clone(),
        callers: Vec::new(),
        labels: Vec::new(),
        help,
        sections: Vec::new(),
        trace,
        question: Some(ask.id.clone()),
    })
}

/// A state in which an invariant is false.
pub fn broken_invariant(graph: &mut Graph<'_>, path: &[StateId], ask: &Ask) -> Violation {
    let trace = story::build(graph, path, None);
    let when = match trace.steps.len() {
        0 => "before the first step".to_string(),
        1 => "after step 1".to_string(),
        steps => format!("after step {steps}"),
    };
    Violation {
        property: Property::Invariant,
        message: format!("{} {when}", ask.complaint()),
        location: last_place(&trace),
        callers: Vec::new(),
        labels: Vec::new(),
        help: Vec::new(),
        sections: Vec::new(),
        trace,
        question: Some(ask.id.clone()),
    }
}

/// A step that goes wrong, met while a temporal property was looked at.
pub fn fault(graph: &mut Graph<'_>, path: &[StateId], step: &Move, fault: Fault) -> Violation {
    let trace = story::build(graph, path, Some(step));
    story::fault_violation(trace, fault)
}

fn last_place(trace: &Trace) -> Option<Location> {
    trace.steps.last()?.location.clone()
}

/// The strides that are steps of an actor.
fn moves(strides: &[Stride]) -> Vec<(ActorId, StateId)> {
    let real = strides.iter().filter_map(|stride| Some((stride.actor?, stride.target)));
    real.map(|(actor, target)| (ActorId(u32::from(actor)), target.state())).collect()
}

fn trace(
    graph: &mut Graph<'_>,
    first: Node,
    stem: &[(ActorId, StateId)],
    cycle: &[(ActorId, StateId)],
) -> Trace {
    let steps = || stem.iter().chain(cycle);
    let mut path = vec![first.state()];
    path.extend(steps().map(|(_, state)| *state));
    let movers: Vec<ActorId> = steps().map(|(actor, _)| *actor).collect();
    let mut trace =
        story::build_by(graph, &path, None, &mut |step, edge| edge.actor == movers[step]);
    if !cycle.is_empty() {
        trace.cycle_start = Some(stem.len());
    }
    trace
}

/// How a finite run ends.
fn end(kripke: &mut Kripke<'_>, run: &Run) -> Result<String, Fault> {
    let last = run.stem.last().map_or(run.first, |stride| stride.target);
    let vector = kripke.load(last).to_vec();
    let views = kripke.graph.worker.view(&vector);
    Ok(match views.iter().all(|view| view.ended) {
        true => "the program ends here, and what holds at its end holds for ever".to_string(),
        false => "nothing can move any more, so what holds here holds for ever".to_string(),
    })
}

/// Who could move all the time on the cycle and never does.
fn neglected(kripke: &mut Kripke<'_>, run: &Run, fair: bool) -> Result<Option<String>, Fault> {
    if fair {
        return Ok(None);
    }
    let starved: Vec<ActorId> =
        starved(kripke, run)?.iter().map(|actor| ActorId(u32::from(actor))).collect();
    let noun = kripke.graph.worker.noun();
    Ok((!starved.is_empty()).then(|| {
        format!(
            "{} could move all the time and never get{} to; `--fair` leaves out such runs",
            noun.call_all(&starved),
            if starved.len() == 1 { "s" } else { "" }
        )
    }))
}
