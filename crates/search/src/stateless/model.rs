//! Running a model under one schedule after another, without keeping states:
//! `check --stateless`. It needs memory for one schedule only.
//!
//! Where the machine says what steps touch, one schedule of each class is run
//! (`optimal`). Otherwise:
//!
//! Sleep sets (Godefroid: Partial-Order Methods for the Verification of Concurrent
//! Systems, 1996) leave out schedules that differ only in the order of independent
//! steps, so each class is run to its end once. Two steps are independent in a state
//! if both orders are possible there and lead to the same state; that is looked up by
//! making them, so nothing is known here about what steps do (Katz and Peled:
//! Defining Conditional Independence Using Collapses, 1992).
//!
//! Invariant: a schedule is left out only behind a step that commuted with every
//! step since a state from which that step was run first. A schedule that comes back
//! to one of its own states is not followed any further, and then nothing is said to
//! hold: an endless run may do what finite ones do not.

mod optimal;

use std::ops::ControlFlow;

use exeunt_model::{
    ActorId, CompId, Detail, Edge, Move, Report, Schedule, SearchWorker, Session, Sink,
    StateStatus, Statistics, Target, Verdict,
};

use crate::check::is_refuted;
use crate::limits::{self, Meter};
use crate::options::{Options, Progress};
use crate::replay::replay;
use crate::store::{ComponentPool, StateStore};

/// Who moves, what is chosen, and whether the environment may withhold it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    actor: ActorId,
    choices: Vec<u32>,
    withheld: bool,
}

impl Key {
    fn step(&self) -> Move {
        let Key { actor, choices, withheld } = self.clone();
        Move { actor, choices, withheld, turn: 0 }
    }
}

#[derive(Clone, Debug)]
enum Goal {
    State(Vec<CompId>),
    Fault,
    Unsupported(String),
    Dropped,
}

impl Goal {
    /// Whether the step does something that others may wait for.
    fn leads_on(&self) -> bool {
        match self {
            Goal::State(_) | Goal::Fault => true,
            Goal::Unsupported(_) | Goal::Dropped => false,
        }
    }
}

/// A state of the present schedule.
struct Frame {
    state: Vec<CompId>,
    moves: Vec<(Key, Goal)>,
    /// The next of them.
    next: usize,
    sleep: Vec<Key>,
}

#[derive(Default)]
struct Edges(Vec<(Key, Goal)>);

impl Sink for Edges {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let choices = edge.choices.iter().map(|choice| choice.value).collect();
        let key = Key { actor: edge.actor, choices, withheld: edge.withheld };
        let goal = match target {
            Target::State(state) => Goal::State(state.to_vec()),
            Target::Fault(_) => Goal::Fault,
            Target::Unsupported(what) => Goal::Unsupported(what.to_string()),
            Target::Dropped => Goal::Dropped,
        };
        self.0.push((key, goal));
        ControlFlow::Continue(())
    }
}

/// What was seen.
#[derive(Default)]
struct Count {
    schedules: u64,
    vain: u64,
    steps: u64,
    deepest: u64,
    /// A schedule came back to one of its own states.
    endless: bool,
    unsupported: Vec<String>,
}

/// Explores a model without keeping its states.
pub fn check_stateless(
    session: &mut dyn Session,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Report {
    loop {
        let mut meter = Meter::new(options, progress);
        let mut count = Count::default();
        let found = match optimal::explore(session, &mut meter, &mut count) {
            Some(found) => found,
            None => explore(session, &mut meter, &mut count),
        };
        if is_refuted(session) && !meter.exhausted {
            session.renew();
            continue;
        }
        return conclude(session, options, &meter, &count, found);
    }
}

/// The schedule of the first violation.
fn explore(session: &dyn Session, meter: &mut Meter<'_>, count: &mut Count) -> Option<Schedule> {
    let (pool, store) = (ComponentPool::new(), StateStore::new());
    let mut worker = session.worker(&pool);
    let mut first = Edges::default();
    worker.initial(&mut first);
    let initial = match first.0.pop() {
        Some((_, Goal::State(state))) => state,
        Some((_, Goal::Unsupported(what))) => {
            count.unsupported.push(what);
            return None;
        }
        Some((_, Goal::Fault | Goal::Dropped)) | None => return Some(Schedule::default()),
    };
    let mut path: Vec<Frame> = Vec::new();
    if enter(&mut *worker, &mut path, initial, Vec::new(), count) {
        return Some(Schedule::default());
    }
    while let Some(frame) = path.last_mut() {
        let Some((key, goal)) = frame.moves.get(frame.next).cloned() else {
            path.pop();
            continue;
        };
        frame.next += 1;
        if frame.sleep.contains(&key) {
            continue;
        }
        count.steps += 1;
        let depth = path.len() as u64;
        count.deepest = count.deepest.max(depth);
        meter.transitions = count.steps;
        match goal {
            Goal::Fault => return Some(schedule(&path, Some(&key))),
            Goal::Dropped => {}
            Goal::Unsupported(what) => {
                if !count.unsupported.contains(&what) {
                    count.unsupported.push(what);
                }
            }
            Goal::State(state) => {
                if path.iter().any(|frame| frame.state == state) {
                    count.endless = true;
                    continue;
                }
                if meter.too_deep(depth) {
                    continue;
                }
                let sleep = asleep(&mut *worker, path.last().expect("it is not empty"), &key);
                if enter(&mut *worker, &mut path, state, sleep, count) {
                    return Some(schedule(&path, None));
                }
            }
        }
        if meter.must_stop(depth, &store, &pool) || is_refuted(session) {
            return None;
        }
    }
    None
}

/// Goes on to a state. `true` if it is a deadlock.
fn enter(
    worker: &mut dyn SearchWorker,
    path: &mut Vec<Frame>,
    state: Vec<CompId>,
    sleep: Vec<Key>,
    count: &mut Count,
) -> bool {
    let mut edges = Edges::default();
    let status = worker.expand(&state, Detail::Targets, None, &mut edges);
    let moves = edges.0;
    let real = |(key, goal): &(Key, Goal)| !key.withheld && !matches!(goal, Goal::Dropped);
    let dropped = moves.iter().any(|(_, goal)| matches!(goal, Goal::Dropped));
    let stuck = status == StateStatus::Running && !moves.iter().any(real) && !dropped;
    if moves.is_empty() && !stuck {
        count.schedules += 1;
    } else if !moves.is_empty() && moves.iter().all(|(key, _)| sleep.contains(key)) {
        count.vain += 1;
    }
    path.push(Frame { state, moves, next: 0, sleep });
    stuck
}

/// What need not be run behind this step: all that was run before it, or need
/// not be run here either, and commutes with it.
fn asleep(worker: &mut dyn SearchWorker, frame: &Frame, step: &Key) -> Vec<Key> {
    let before = frame.moves.iter().take_while(|(key, _)| key != step).map(|(key, _)| key);
    let inherited = frame.sleep.iter().filter(|key| !before.clone().any(|other| other == *key));
    let candidates: Vec<Key> = before.clone().chain(inherited).cloned().collect();
    candidates.into_iter().filter(|other| commute(worker, frame, other, step)).collect()
}

/// Whether two moves of a state can be made in both orders, to the same state.
fn commute(worker: &mut dyn SearchWorker, frame: &Frame, a: &Key, b: &Key) -> bool {
    let goal = |key: &Key| {
        let found = frame.moves.iter().find(|(other, _)| other == key)?;
        match &found.1 {
            Goal::State(state) => Some(state.clone()),
            Goal::Fault | Goal::Unsupported(_) | Goal::Dropped => None,
        }
    };
    let (Some(after_a), Some(after_b)) = (goal(a), goal(b)) else { return false };
    if a.actor == b.actor || a.withheld || b.withheld {
        return false;
    }
    let first = follow(worker, &after_a, b);
    first.is_some() && first == follow(worker, &after_b, a)
}

/// Where one move leads.
fn follow(worker: &mut dyn SearchWorker, state: &[CompId], key: &Key) -> Option<Vec<CompId>> {
    let mut edges = Edges::default();
    let step = key.step();
    let only = step.only();
    worker.expand(state, Detail::Targets, Some(only), &mut edges);
    let found = edges.0.into_iter().find(|(other, _)| other == key)?;
    match found.1 {
        Goal::State(state) => Some(state),
        Goal::Fault | Goal::Unsupported(_) | Goal::Dropped => None,
    }
}

fn schedule(path: &[Frame], last: Option<&Key>) -> Schedule {
    let made = path[..path.len() - 1].iter().map(|frame| frame.moves[frame.next - 1].0.step());
    Schedule { moves: made.chain(last.map(Key::step)).collect() }
}

fn conclude(
    session: &dyn Session,
    options: &Options,
    meter: &Meter<'_>,
    count: &Count,
    found: Option<Schedule>,
) -> Report {
    let mut limits_hit = meter.hit.clone();
    limits_hit.extend(count.unsupported.iter().cloned());
    if count.endless {
        limits_hit.push(ENDLESS.to_string());
    }
    let told = found.map(|schedule| replay(session, options, &schedule, None));
    let violations = match told {
        Some(Ok(report)) => report.violations,
        Some(Err(why)) => {
            limits_hit.push(format!("a violation could not be shown again: {why}"));
            Vec::new()
        }
        None => Vec::new(),
    };
    let incomplete = session.incompleteness();
    let (verdict, reason) = if let Some(first) = violations.first() {
        (Verdict::Violated, first.message.clone())
    } else if let Some(why) = limits_hit.first().or(incomplete.first()) {
        (Verdict::Inconclusive, format!("not everything was explored ({why})"))
    } else {
        (Verdict::Holds, holds(count.schedules))
    };
    limits_hit.extend(incomplete);
    let seconds = meter.seconds();
    Report {
        violations,
        statistics: Statistics {
            runs: Some(count.schedules),
            transitions: count.steps,
            revisits: count.vain,
            max_depth: Some(count.deepest),
            seconds,
            peak_memory_bytes: limits::peak_memory(),
            phases: vec![("exploring", seconds)],
            ..Statistics::default()
        },
        limits_hit,
        notes: session.notes(),
        assumptions: session.assumptions(),
        remarks: session.remarks(),
        ..Report::new(verdict, reason)
    }
}

const ENDLESS: &str = "a schedule comes back to one of its states, and what runs for ever is judged \
     only where states are stored";

fn holds(schedules: u64) -> String {
    match schedules {
        1 => "no fault and no deadlock, and the program ends, in the only schedule there is".into(),
        _ => format!(
            "no fault and no deadlock, and the program ends, in all {schedules} schedules that \
             differ"
        ),
    }
}
