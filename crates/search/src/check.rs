//! The whole question: explore, judge, report.

use std::collections::HashSet;
use std::ops::ControlFlow;

use exeunt_model::{
    ActorId, Model, OpenSection, Property, Report, SectionKind, Statistics, Verdict, Violation,
};

use crate::explore::{self, Finding, Graph, Observer};
use crate::limits::{self, Meter};
use crate::options::{Options, Order, Progress};
use crate::store::{ComponentPool, StateId};
use crate::story;
use crate::stuck::{self, Stuck};

/// Explores a model and says what holds.
pub fn check(model: &dyn Model, options: &Options, progress: &mut dyn FnMut(&Progress)) -> Report {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(model.worker(&pool), &pool);
    let mut meter = Meter::new(options, progress);
    let mut judge = Judge::new(options);
    let complete = match graph.start() {
        Ok(()) => explore_all(&mut graph, &mut meter, &mut judge),
        Err(fault) => {
            judge.violations.push(story::fault_violation(Default::default(), fault));
            true
        }
    };
    conclude(model, graph, meter, judge, complete)
}

/// Runs the exploration and, if it was exhaustive and found nothing, the
/// stuck-set pass. Returns whether everything was seen.
pub fn explore_all(graph: &mut Graph<'_>, meter: &mut Meter<'_>, judge: &mut Judge<'_>) -> bool {
    let options = judge.options;
    let complete = match options.order {
        Order::Depth => explore::depth_first(graph, meter, judge),
        Order::Shortest => {
            let mut parents = Vec::new();
            explore::breadth_first(graph, meter, judge, &mut parents)
        }
    };
    judge.states.get_or_insert(graph.store.len() as u64);
    let ControlFlow::Continue(complete) = complete else { return true };
    let undecided = judge.violations.is_empty() || options.all;
    let components_are_enough = options.order == Order::Depth && !graph.chooses;
    if complete && options.liveness() && undecided && !components_are_enough {
        judge.stuck_sets(graph);
    }
    complete
}

/// Turns what was found into violations.
pub struct Judge<'o> {
    options: &'o Options,
    pub violations: Vec<Violation>,
    seen: HashSet<(Property, String)>,
    bottom_components: u64,
    /// How many states there were when the search stopped.
    pub states: Option<u64>,
    /// Put before every path (the states of a replayed schedule).
    pub prefix: Vec<StateId>,
}

impl<'o> Judge<'o> {
    pub fn new(options: &'o Options) -> Judge<'o> {
        Judge {
            options,
            violations: Vec::new(),
            seen: HashSet::new(),
            bottom_components: 0,
            states: None,
            prefix: Vec::new(),
        }
    }

    /// Keeps a violation unless one of its kind and place is there.
    fn keep(&mut self, violation: Violation) -> ControlFlow<()> {
        let place = match &violation.location {
            Some(location) => location.to_string(),
            None => violation.message.clone(),
        };
        if self.seen.insert((violation.property, place)) {
            self.violations.push(violation);
        }
        if self.options.all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// The path to tell: behind the prefix, to the end of `path` or another
    /// one of `goals` that is nearer.
    fn path(&self, graph: &mut Graph<'_>, path: &[StateId], goals: &[StateId]) -> Vec<StateId> {
        let path = match self.options.order {
            Order::Depth => story::shorten(graph, path, goals),
            Order::Shortest => path.to_vec(),
        };
        let skip = usize::from(!self.prefix.is_empty());
        self.prefix.iter().copied().chain(path.into_iter().skip(skip)).collect()
    }

    fn deadlock(
        &mut self,
        graph: &mut Graph<'_>,
        state: StateId,
        path: &[StateId],
    ) -> ControlFlow<()> {
        self.bottom_components += 1;
        if !self.options.deadlock && !self.options.liveness() {
            return ControlFlow::Continue(());
        }
        let path = self.path(graph, path, &[state]);
        let mut trace = story::build(graph, &path, None);
        trace.too_late = first_blocked(graph, &path);
        let violation = story::deadlock_violation(graph, state, trace);
        self.keep(violation)
    }

    fn component(
        &mut self,
        graph: &mut Graph<'_>,
        states: &[StateId],
        path: &[StateId],
    ) -> ControlFlow<()> {
        self.bottom_components += 1;
        let stuck = stuck::sections_stuck_in(graph, states, &self.options.sections);
        if stuck.is_empty() && !self.options.termination {
            return ControlFlow::Continue(());
        }
        let path = self.path(graph, path, states);
        let entry = *path.last().expect("a path to the component");
        let round = stuck::round_in(graph, states, entry);
        if stuck.is_empty() {
            let trace = with_round(graph, &path, &round);
            let violation = story::termination_violation(graph, entry, trace);
            return self.keep(violation);
        }
        for main in self.order(graph, entry, &stuck) {
            let mut trace = with_round(graph, &path, &round);
            trace.too_late = Some(stuck::first_too_late(graph, &path, main[0]));
            let violation = story::section_violation(graph, entry, &main, trace, false);
            self.keep(violation)?;
        }
        ControlFlow::Continue(())
    }

    /// The stuck sections with each in turn first, the likely cause at the
    /// very beginning: a thread that runs on without leaving before one that
    /// waits for it.
    fn order(
        &self,
        graph: &mut Graph<'_>,
        state: StateId,
        stuck: &[OpenSection],
    ) -> Vec<Vec<OpenSection>> {
        let vector = graph.vector(state);
        let views = graph.worker.view(&vector);
        let blocked = |section: &OpenSection| {
            views.iter().any(|view| view.actor == section.actor && view.blocked.is_some())
        };
        let holding = |kind: SectionKind| {
            use SectionKind::{Critical, Function, RwlockHeld, SpinHeld, User};
            matches!(kind, Critical | RwlockHeld | SpinHeld | Function | User)
        };
        let mut sorted = stuck.to_vec();
        sorted.sort_by_key(|section| {
            (blocked(section), holding(section.kind) == blocked(section), *section)
        });
        let rotations = if self.options.all { sorted.len() } else { 1 };
        (0..rotations)
            .map(|first| {
                let mut order = vec![sorted[first]];
                order.extend(
                    sorted.iter().enumerate().filter(|(i, _)| *i != first).map(|(_, s)| *s),
                );
                order
            })
            .collect()
    }

    fn stuck_sets(&mut self, graph: &mut Graph<'_>) {
        let sets = stuck::stuck_sets(graph, &self.options.sections, self.options.termination);
        let deadlocked = self.violations.iter().any(|v| v.property == Property::Deadlock);
        for set in sets {
            // What a deadlock keeps open is listed there.
            if deadlocked && set.round.is_empty() {
                continue;
            }
            let entry = *set.path.last().expect("a path into the set");
            let skip = usize::from(!self.prefix.is_empty());
            let path: Vec<StateId> =
                self.prefix.iter().copied().chain(set.path.iter().copied().skip(skip)).collect();
            let mut trace = with_round(graph, &path, &set.round);
            // The run may take some steps before it comes to what repeats.
            trace.cycle_start = trace.cycle_start.map(|start| start + set.lead);
            trace.too_late = Some(path.len() - 1);
            let violation = match set.what {
                Stuck::Section(section) => {
                    story::section_violation(graph, entry, &[section], trace, graph.chooses)
                }
                Stuck::Program => story::termination_violation(graph, entry, trace),
            };
            if self.keep(violation).is_break() {
                return;
            }
        }
    }
}

/// A path and then one round of what repeats.
fn with_round(
    graph: &mut Graph<'_>,
    path: &[StateId],
    round: &[(ActorId, StateId)],
) -> exeunt_model::Trace {
    let mut whole = path.to_vec();
    whole.extend(round.iter().map(|(_, state)| *state));
    let movers: Vec<ActorId> = round.iter().map(|(actor, _)| *actor).collect();
    let mut trace = story::build_by(graph, &whole, &movers, None);
    if !round.is_empty() {
        trace.cycle_start = Some(path.len() - 1);
    }
    trace
}

/// The first step after which the deadlock is inevitable.
fn first_blocked(graph: &mut Graph<'_>, path: &[StateId]) -> Option<usize> {
    let end = *path.last()?;
    let vector = graph.vector(end);
    let mut open = Vec::new();
    graph.worker.open_sections(&vector, &mut open);
    let starts = open.iter().map(|section| stuck::first_too_late(graph, path, *section));
    starts.min().filter(|&first| first + 1 < path.len())
}

impl Observer for Judge<'_> {
    fn found(
        &mut self,
        finding: Finding,
        graph: &mut Graph<'_>,
        path: &[StateId],
    ) -> ControlFlow<()> {
        let states = graph.store.len() as u64;
        let result = match finding {
            Finding::Fault { step, fault } => {
                let from = path.last().copied();
                let path = self.path(graph, path, from.as_slice());
                let trace = story::build(graph, &path, Some(&step));
                self.keep(story::fault_violation(trace, fault))
            }
            Finding::Deadlock { state } => self.deadlock(graph, state, path),
            Finding::Component { states } => self.component(graph, &states, path),
        };
        if result.is_break() {
            self.states = Some(states);
        }
        result
    }

    fn wants_components(&self) -> bool {
        self.options.liveness()
    }

    fn goes_on(&self) -> bool {
        self.options.all
    }
}

/// The verdict and the numbers.
pub fn conclude(
    model: &dyn Model,
    graph: Graph<'_>,
    meter: Meter<'_>,
    judge: Judge<'_>,
    complete: bool,
) -> Report {
    let mut limits_hit = meter.hit.clone();
    limits_hit.extend(graph.unsupported.iter().map(ToString::to_string));
    let states = judge.states.unwrap_or(graph.store.len() as u64);
    let bytes = graph.store.bytes() + graph.pool.bytes();
    let (opened, sites) = graph.worker.section_counts();
    let liveness = judge.options.liveness();
    let statistics = Statistics {
        states,
        transitions: meter.transitions,
        revisits: meter.revisits,
        max_depth: meter.max_depth,
        components: graph.pool.len() as u64,
        seconds: meter.seconds(),
        peak_memory_bytes: limits::peak_memory(),
        bytes_per_state: bytes as f64 / states.max(1) as f64,
        bottom_components: liveness.then_some(judge.bottom_components),
        sections_opened: liveness.then_some(opened),
        section_sites: liveness.then_some(sites),
    };
    let incomplete = model.incompleteness();
    let (verdict, reason) = if let Some(first) = judge.violations.first() {
        (Verdict::Violated, first.message.clone())
    } else if let Some(limit) = graph.unsupported.first() {
        (Verdict::Inconclusive, limit.to_string())
    } else if let Some(limit) = meter.hit.first() {
        (Verdict::Inconclusive, format!("not everything was explored ({limit})"))
    } else if !complete {
        (Verdict::Inconclusive, "not everything was explored".to_string())
    } else if let Some(why) = incomplete.first() {
        (Verdict::Inconclusive, why.clone())
    } else {
        (Verdict::Holds, holds(judge.options, states))
    };
    limits_hit.extend(incomplete);
    let (answers, unreached) = (Vec::new(), Vec::new());
    let violations = judge.violations;
    Report { verdict, reason, violations, statistics, limits_hit, answers, unreached }
}

fn holds(options: &Options, states: u64) -> String {
    let asked = options.sections.kinds.len();
    let what = match (options.termination, asked) {
        (true, _) => "no fault and no deadlock, and the program always can end",
        (false, 0) => "no fault and no deadlock",
        (false, kinds) if kinds < SectionKind::ALL.len() => {
            "no fault and no deadlock, and every section of the kinds asked for can be left"
        }
        (false, _) => "no fault and no deadlock, and every section that is entered can be left",
    };
    match states {
        1 => format!("{what}, in the only state"),
        _ => format!("{what}, in all {states} states"),
    }
}
