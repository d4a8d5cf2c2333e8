//! Replays a path with an observer: the steps, events and names of a trace.

use std::ops::{ControlFlow, Range};

use exeunt_model::{
    BlockId, Detail, Edge, Event, Fault, Label, Move, Sink, Target, Trace, TraceStep, Violation,
    deeds,
};

use super::Bounds;
use crate::explore::Graph;
use crate::limits::BARE_STEP;
use crate::store::{StateId, StateStore};

/// Bytes that a step takes with all that happens in it, in memory and in the
/// forms of a report.
const TOLD: u64 = 1600;

/// What is said of a step that is not told in full.
pub(super) const LEFT_OUT: &str = "moves (left out: --memory)";

/// Names of actors are collected on traces up to this length only.
const NAMED: usize = 2000;

/// The trace along `path`, and one move more if it leads to no state.
pub fn build(graph: &mut Graph<'_>, path: &[StateId], last: Option<&Move>) -> Trace {
    build_by(graph, path, last, &mut |_, _| true)
}

/// Like `build`; where several edges lead from one state of the path to the
/// next, one is told that fits, given the number of the step.
pub fn build_by(
    graph: &mut Graph<'_>,
    path: &[StateId],
    last: Option<&Move>,
    fits: &mut dyn FnMut(usize, &Edge<'_>) -> bool,
) -> Trace {
    let mut trace = Trace { noun: graph.worker.noun(), ..Trace::default() };
    let left_out = left_out(&graph.bounds, path.len());
    for (i, pair) in path.windows(2).enumerate() {
        add_names(graph, pair[0], path.len(), &mut trace.actors);
        let turn = graph.turns.iter().find(|turn| (turn.0, turn.1) == (pair[0], pair[1]));
        let turn = turn.map(|(.., step)| step.clone());
        let step = find_step(graph, pair[0], turn.as_ref(), |store, edge, target| match target {
            Target::State(vector) => fits(i, edge) && store.insert(vector).0 == pair[1],
            _ => false,
        });
        match step {
            Some((step, told)) if left_out.contains(&i) => {
                push(&mut trace, Some((step, bare(told))))
            }
            step => push(&mut trace, step),
        }
    }
    if let Some(&end) = path.last() {
        add_names(graph, end, 0, &mut trace.actors);
        if let Some(last) = last {
            let step = find_step(graph, end, turn_of(last), |_, edge, _| Move::of(edge) == *last);
            push(&mut trace, step);
        }
    }
    trace
}

/// The move, if it is a turn.
fn turn_of(step: &Move) -> Option<&Move> {
    Some(step).filter(|step| step.turn > 0)
}

/// The steps in the middle of a long path that are not told in full, because
/// that would take more memory than there is.
fn left_out(bounds: &Bounds, steps: usize) -> Range<usize> {
    let room = bounds.room();
    if room >= steps as u64 * TOLD {
        return 0..0;
    }
    let told = room.saturating_sub(steps as u64 * BARE_STEP) / TOLD;
    // The beginning and the end are always told.
    let told = (told as usize).max(200).min(steps);
    told / 2..steps - told / 2
}

/// A step of which only the mover is told.
fn bare(step: TraceStep) -> TraceStep {
    TraceStep { location: None, action: LEFT_OUT.to_string(), events: Vec::new(), ..step }
}

/// The last step of the trace tells at its end which calls the fault is in.
pub fn fault_violation(trace: Trace, fault: Fault) -> Violation {
    let callers = match trace.steps.last().and_then(|step| step.events.last()) {
        Some(Event::Within { callers }) => callers.to_vec(),
        _ => Vec::new(),
    };
    Violation {
        property: fault.property,
        message: fault.message,
        location: fault.location,
        callers,
        labels: fault.labels.into_iter().chain(freed(&trace, fault.block)).collect(),
        help: fault.help,
        sections: Vec::new(),
        trace,
        question: None,
    }
}

/// Where a block that is used too late was given back and made.
fn freed(trace: &Trace, block: Option<BlockId>) -> Vec<Label> {
    let given_back = |(at, step): (usize, &TraceStep)| {
        step.events.iter().rev().find_map(|event| match event {
            Event::Freed { block: other, location, made } if Some(*other) == block => {
                let who = trace.noun.call(step.actor);
                let text = format!("{who} frees it here, in step {}", at + 1);
                let made = made.clone().map(|made| (made, "it is allocated here".to_string()));
                Some([Some((location.clone(), text)), made])
            }
            _ => None,
        })
    };
    let found = trace.steps.iter().enumerate().rev().find_map(given_back);
    let places = found.into_iter().flatten().flatten();
    let known = places.filter(|(location, _)| location.is_known());
    known.map(|(location, text)| Label { location, text }).collect()
}

fn push(trace: &mut Trace, step: Option<(Move, TraceStep)>) {
    let (step, text) = step.expect("the path was made of edges of the graph");
    trace.schedule.moves.push(step);
    trace.steps.push(text);
}

fn add_names(graph: &mut Graph<'_>, state: StateId, length: usize, names: &mut Vec<String>) {
    if length > NAMED && !names.is_empty() {
        return;
    }
    let vector = graph.vector(state);
    for view in graph.worker.view(&vector) {
        let at = view.actor.0 as usize;
        if names.len() <= at {
            names.resize(at + 1, String::new());
        }
        if names[at].is_empty() {
            names[at] = view.name;
        }
    }
}

type Wanted<'w> = dyn FnMut(&mut StateStore, &Edge<'_>, &Target<'_>) -> bool + 'w;

struct Find<'f, 'w> {
    store: &'f mut StateStore,
    wanted: &'f mut Wanted<'w>,
    found: Option<(Move, TraceStep)>,
}

impl Sink for Find<'_, '_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if !(self.wanted)(self.store, edge, &target) {
            return ControlFlow::Continue(());
        }
        let step = Move::of(edge);
        self.found = Some((step, tell(edge)));
        ControlFlow::Break(())
    }
}

/// The first wanted edge of a state; a turn is asked for.
fn find_step(
    graph: &mut Graph<'_>,
    from: StateId,
    turn: Option<&Move>,
    mut wanted: impl FnMut(&mut StateStore, &Edge<'_>, &Target<'_>) -> bool,
) -> Option<(Move, TraceStep)> {
    let vector = graph.vector(from);
    let Graph { worker, store, .. } = graph;
    let only = turn.map(Move::only);
    let mut find = Find { store, wanted: &mut wanted, found: None };
    worker.expand(&vector, Detail::Story, only, &mut find);
    find.found
}

pub fn tell(edge: &Edge<'_>) -> TraceStep {
    let did = deeds(edge.events).next();
    let (location, action) = match did {
        Some((location, text)) => (Some(location.clone()), text.to_string()),
        None => (None, "computes".to_string()),
    };
    let callers = edge.events.iter().find_map(|event| match event {
        Event::Within { callers } => Some(callers.to_vec()),
        _ => None,
    });
    let callers = callers.unwrap_or_default();
    TraceStep { actor: edge.actor, location, action, callers, events: edge.events.to_vec() }
}

/// What to say about things on a trace that the environment need not do.
pub fn whims(trace: &Trace) -> Vec<String> {
    let mut advice: Vec<String> = Vec::new();
    for event in trace.steps.iter().flat_map(|step| &step.events) {
        if let Event::Whim { text } = event
            && !advice.iter().any(|known| known == text)
        {
            advice.push(text.to_string());
        }
    }
    advice
}

/// What one move of a schedule leads to.
pub enum Outcome {
    State(StateId),
    Fault(Fault),
    /// A path dropped or a limit, in words.
    Other(String),
}

/// Takes one move of a schedule.
pub fn take(graph: &mut Graph<'_>, state: StateId, step: &Move) -> Option<(Outcome, TraceStep)> {
    struct Take<'t> {
        store: &'t mut StateStore,
        step: &'t Move,
        result: Option<(Outcome, TraceStep)>,
    }
    impl Sink for Take<'_> {
        fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
            if Move::of(edge) != *self.step {
                return ControlFlow::Continue(());
            }
            let outcome = match target {
                Target::State(vector) => Outcome::State(self.store.insert(vector).0),
                Target::Fault(fault) => Outcome::Fault(fault.clone()),
                Target::Unsupported(limit) => Outcome::Other(limit.to_string()),
                Target::Dropped => Outcome::Other("the path is dropped by an assumption".into()),
            };
            self.result = Some((outcome, tell(edge)));
            ControlFlow::Break(())
        }
    }
    let vector = graph.vector(state);
    let Graph { worker, store, .. } = graph;
    let only = step.only();
    let mut sink = Take { store, step, result: None };
    worker.expand(&vector, Detail::Story, Some(only), &mut sink);
    let result = sink.result;
    if let Some((Outcome::State(next), _)) = &result
        && step.turn > 0
    {
        graph.turns.push((state, *next, step.clone()));
    }
    result
}
