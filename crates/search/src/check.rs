//! The whole question: explore, judge, report.

mod elsewhere;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Instant;

use exeunt_model::{
    ActorId, Edge, Fault, Model, Move, OpenSection, Property, Report, SectionKind, Statistics,
    Trace, Verdict, Violation,
};

use crate::explore::{self, Coverage, Finding, Graph, Observer, Outcome, Totals, Wanted};
use crate::limits::{self, Meter};
use crate::options::{Memory, Options, Order, Progress};
use crate::store::{ComponentPool, StateId};
use crate::story::{self, Goal};
use crate::stuck::{self, Edges, Stuck, StuckSet};
use elsewhere::Found;

/// With several jobs, the search begins with one: so many states are explored
/// sooner than threads are started, and most violations are found there.
const ALONE: u64 = 20_000;

/// Explores a model and says what holds.
///
/// Whatever is found is told by a search in order, so that a report does not
/// depend on how many threads there were.
pub fn check(model: &dyn Model, options: &Options, progress: &mut dyn FnMut(&Progress)) -> Report {
    let options = &options.fitted(model);
    let mut meter = Meter::new(options, progress);
    meter.model = Some(model);
    loop {
        let report = search(model, options, &mut meter);
        match report {
            Some(report) if !model.is_outdated() => return report,
            // There is no time for another search, and this one claims nothing.
            Some(report) if meter.exhausted && report.verdict == Verdict::Inconclusive => {
                return report;
            }
            _ => model.renew(),
        }
        meter.start_again();
    }
}

/// `None` if the model called it off.
fn search(model: &dyn Model, options: &Options, meter: &mut Meter<'_>) -> Option<Report> {
    if options.memory != Memory::Exact {
        return Some(check_lossy(model, options, meter));
    }
    if options.checkpoints.are_wanted() {
        let report = check_in_parallel(model, options, meter);
        if report.is_some() || model.is_outdated() {
            return report;
        }
        meter.start_again();
    } else if options.jobs > 1 && options.can_be_shared() {
        meter.patience = Some(ALONE);
        for step in [check_in_order, check_in_parallel] {
            let report = step(model, options, meter);
            if report.is_some() || model.is_outdated() {
                return report;
            }
            meter.start_again();
        }
    }
    check_in_order(model, options, meter)
}

/// `None` if it ran out of patience, or the model called it off.
fn check_in_order(model: &dyn Model, options: &Options, meter: &mut Meter<'_>) -> Option<Report> {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(model.worker(&pool), &pool);
    graph.reduces = options.reduces;
    graph.strict = options.liveness() && model.may_choose();
    let mut judge = Judge::new(options);
    let complete = match graph.start() {
        Ok(()) => explore_all(&mut graph, model.may_choose(), meter, &mut judge),
        Err(fault) => {
            judge.violations.push(story::fault_violation(Default::default(), fault));
            true
        }
    };
    if meter.lost_patience && judge.violations.is_empty() {
        return None;
    }
    Some(conclude(model, graph, meter, judge, complete))
}

/// A search could not be taken up again.
fn unreadable(why: &std::io::Error) -> Report {
    let reason = format!("the search could not be taken up again: {why}");
    Report {
        verdict: Verdict::Inconclusive,
        limits_hit: vec![reason.clone()],
        reason,
        violations: Vec::new(),
        statistics: Statistics::default(),
        answers: Vec::new(),
        unreached: Vec::new(),
    }
}

/// Remembers only some bits of each state.
fn check_lossy(model: &dyn Model, options: &Options, meter: &mut Meter<'_>) -> Report {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(model.worker(&pool), &pool);
    let mut judge = Judge::new(options);
    let complete = match graph.start() {
        Ok(()) => {
            let (result, coverage) = explore::lossy(&mut graph, options.memory, meter, &mut judge);
            judge.states = Some((coverage.states, extent(&graph).1));
            judge.coverage = Some(coverage);
            result != ControlFlow::Continue(false)
        }
        Err(fault) => {
            judge.violations.push(story::fault_violation(Default::default(), fault));
            true
        }
    };
    conclude(model, graph, meter, judge, complete)
}

/// `None` if something was found that a search in order must tell.
fn check_in_parallel(
    model: &dyn Model,
    options: &Options,
    meter: &mut Meter<'_>,
) -> Option<Report> {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(model.worker(&pool), &pool);
    graph.start().ok()?;
    let explored = explore::explore_parallel(model, &mut graph, meter, options);
    let (outcome, totals) = match explored {
        Ok(explored) => explored,
        Err(why) => return Some(unreadable(&why)),
    };
    let complete = match outcome {
        Outcome::Suspicious => return None,
        Outcome::Clean => true,
        Outcome::Incomplete => false,
    };
    let mut judge = Judge::new(options);
    judge.totals = Some(totals);
    Some(conclude(model, graph, meter, judge, complete))
}

/// Runs the exploration and, if it was exhaustive and found nothing, the
/// stuck-set pass. Returns whether everything was seen.
pub fn explore_all(
    graph: &mut Graph<'_>,
    may_choose: bool,
    meter: &mut Meter<'_>,
    judge: &mut Judge<'_>,
) -> bool {
    let options = judge.options;
    let complete = match options.order {
        Order::Depth => explore::depth_first(graph, may_choose, meter, judge),
        Order::Shortest => {
            let mut parents = Vec::new();
            explore::breadth_first(graph, meter, judge, &mut parents)
        }
    };
    judge.states.get_or_insert_with(|| extent(graph));
    let ControlFlow::Continue(complete) = complete else { return true };
    let undecided = judge.violations.is_empty() || options.all;
    if complete && options.liveness() && undecided && options.order == Order::Shortest {
        let edges = Rc::new(Edges::of_everything(graph));
        judge.shortest_stuck(graph, &edges);
    }
    if options.all {
        let opened = graph.worker.section_sites().0;
        judge.other_openings(graph);
        judge.opened_again += graph.worker.section_sites().0 - opened;
    }
    complete
}

/// Turns what was found into violations.
pub struct Judge<'o> {
    options: &'o Options,
    pub violations: Vec<Violation>,
    seen: HashSet<(Property, String)>,
    bottom_components: u64,
    /// How many states there were when the search stopped, and their bytes.
    pub states: Option<(u64, u64)>,
    /// How many places opened sections when the search stopped, and how many
    /// were opened by telling what was found.
    sites: Option<u64>,
    opened_again: u64,
    /// What was found stuck, to be looked at again for other places.
    stuck: Vec<Found>,
    /// Put before every path (the states of a replayed schedule).
    pub prefix: Vec<StateId>,
    /// The numbers of a search in parallel.
    totals: Option<Totals>,
    /// Seconds that went into judging and telling what was found.
    telling: f64,
    /// What a search that forgets may have missed.
    coverage: Option<Coverage>,
}

impl<'o> Judge<'o> {
    pub fn new(options: &'o Options) -> Judge<'o> {
        Judge {
            options,
            violations: Vec::new(),
            seen: HashSet::new(),
            bottom_components: 0,
            states: None,
            sites: None,
            opened_again: 0,
            stuck: Vec::new(),
            prefix: Vec::new(),
            totals: None,
            telling: 0.0,
            coverage: None,
        }
    }

    /// Keeps a violation unless one of its kind and place is there.
    fn keep(&mut self, mut violation: Violation) -> ControlFlow<()> {
        violation.help.extend(story::whims(&violation.trace));
        let place = match &violation.location {
            Some(location) => location.to_string(),
            None => violation.message.clone(),
        };
        if self.seen.insert((violation.property, place)) {
            self.violations.push(violation);
        }
        if self.options.all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// The path to tell: behind the prefix, to the goal that `path` comes to.
    fn path(&self, graph: &mut Graph<'_>, path: &[StateId], goal: &Goal) -> Vec<StateId> {
        let path = match self.options.order {
            Order::Depth => story::shorten(graph, path, goal),
            Order::Shortest => path.to_vec(),
        };
        let skip = usize::from(!self.prefix.is_empty());
        self.prefix.iter().copied().chain(path.into_iter().skip(skip)).collect()
    }

    fn fault(
        &mut self,
        graph: &mut Graph<'_>,
        step: Move,
        fault: Fault,
        path: &[StateId],
    ) -> ControlFlow<()> {
        let path = self.path(graph, path, &Goal::Fault(fault.clone()));
        let found = path.last().and_then(|&last| story::fault_at(graph, last, &fault));
        let (step, fault) = found.unwrap_or((step, fault));
        let trace = story::build(graph, &path, Some(&step));
        self.keep(story::fault_violation(trace, fault))
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
        // Any deadlock will do, unless all are to be told apart.
        let goal = if self.options.all { Goal::states(&[state]) } else { Goal::Deadlock };
        let path = self.path(graph, path, &goal);
        let state = path.last().copied().unwrap_or(state);
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
        let path = self.path(graph, path, &Goal::states(states));
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
        self.stuck.push(Found::Component { sections: stuck, states: states.to_vec() });
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

    /// What the environment can keep open within a component that it chooses in.
    fn stuck_within(
        &mut self,
        graph: &mut Graph<'_>,
        edges: &Rc<Edges>,
        path: &[StateId],
    ) -> ControlFlow<()> {
        let options = self.options;
        for set in stuck::stuck_sets(graph, edges, &options.sections, options.termination) {
            let goal = Goal::states(&set.states(edges));
            let path = story::reach(graph, path, &goal);
            let path = self.path(graph, &path, &goal);
            let last = *path.last().expect("a path into the set");
            let entry = position(edges, last).expect("the path leads into the set");
            self.stuck_set(graph, edges, set, &path, entry)?;
        }
        ControlFlow::Continue(())
    }

    /// What the environment can keep open anywhere, the nearest first.
    fn shortest_stuck(&mut self, graph: &mut Graph<'_>, edges: &Rc<Edges>) {
        let options = self.options;
        let sets = stuck::stuck_sets(graph, edges, &options.sections, options.termination);
        let with_path = |set: StuckSet| Some((stuck::shortest_into(&set, edges)?, set));
        let mut paths: Vec<(Vec<u32>, StuckSet)> = sets.into_iter().filter_map(with_path).collect();
        paths.sort_by_key(|(path, set)| (path.len(), set.what));
        let deadlocked = self.violations.iter().any(|v| v.property == Property::Deadlock);
        for (path, set) in paths {
            let entry = *path.last().expect("a path into the set");
            // What a deadlock keeps open is listed there.
            if deadlocked && set.run_inside(graph, edges, entry).0.is_empty() {
                continue;
            }
            let skip = usize::from(!self.prefix.is_empty());
            let path = path.into_iter().skip(skip).map(|state| edges.state(state));
            let path: Vec<StateId> = self.prefix.iter().copied().chain(path).collect();
            if self.stuck_set(graph, edges, set, &path, entry).is_break() {
                return;
            }
        }
    }

    fn stuck_set(
        &mut self,
        graph: &mut Graph<'_>,
        edges: &Rc<Edges>,
        set: StuckSet,
        path: &[StateId],
        entry: u32,
    ) -> ControlFlow<()> {
        let (round, lead) = set.run_inside(graph, edges, entry);
        let mut trace = with_round(graph, path, &round);
        // The run may take some steps before it comes to what repeats.
        trace.cycle_start = trace.cycle_start.map(|start| start + lead);
        trace.too_late = Some(path.len() - 1);
        let state = edges.state(entry);
        let violation = match set.what {
            Stuck::Section(section) => {
                let chooses = graph.seen.chooses;
                if self.options.all {
                    self.stuck.push(Found::Set { section, set, edges: edges.clone() });
                }
                story::section_violation(graph, state, &[section], trace, chooses)
            }
            Stuck::Program => story::termination_violation(graph, state, trace),
        };
        self.keep(violation)
    }
}

/// Where a state is in a part of the graph.
fn position(edges: &Edges, wanted: StateId) -> Option<u32> {
    (0..edges.len()).find(|&state| edges.state(state) == wanted)
}

/// A path and then one round of what repeats.
fn with_round(graph: &mut Graph<'_>, path: &[StateId], round: &[(ActorId, StateId)]) -> Trace {
    with_round_by(graph, path, round, &mut |_, _| true)
}

/// The same, of edges that fit.
fn with_round_by(
    graph: &mut Graph<'_>,
    path: &[StateId],
    round: &[(ActorId, StateId)],
    fits: &mut dyn FnMut(usize, &Edge<'_>) -> bool,
) -> Trace {
    let mut whole = path.to_vec();
    whole.extend(round.iter().map(|(_, state)| *state));
    let start = path.len() - 1;
    let mut trace = story::build_by(graph, &whole, None, &mut |step, edge| {
        let mover = step.checked_sub(start).map(|at| round[at].0);
        mover.is_none_or(|mover| mover == edge.actor) && fits(step, edge)
    });
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
        let extent = extent(graph);
        let (opened, sites) = graph.worker.section_sites();
        let start = Instant::now();
        let result = match finding {
            Finding::Fault { step, fault } => self.fault(graph, step, fault, path),
            Finding::Deadlock { state } => self.deadlock(graph, state, path),
            Finding::Component { states } => self.component(graph, &states, path),
            Finding::Choosing { edges, bottom } => {
                self.bottom_components += bottom as u64;
                match edges {
                    Some(edges) => self.stuck_within(graph, &Rc::new(edges), path),
                    None => ControlFlow::Continue(()),
                }
            }
        };
        if result.is_break() {
            self.states = Some(extent);
            self.sites = Some(sites.len() as u64);
        }
        // To tell a story, sections are opened again.
        self.opened_again += graph.worker.section_sites().0 - opened;
        self.telling += start.elapsed().as_secs_f64();
        result
    }

    fn wanted(&self) -> Option<Wanted<'_>> {
        let wanted = self.options.liveness() && self.options.memory == Memory::Exact;
        wanted.then(|| self.options.wanted())
    }

    fn goes_on(&self) -> bool {
        self.options.all
    }
}

/// How many states are stored, in how many bytes.
fn extent(graph: &Graph<'_>) -> (u64, u64) {
    (graph.store.len() as u64, graph.store.bytes() + graph.pool.bytes())
}

/// The verdict and the numbers.
pub fn conclude(
    model: &dyn Model,
    graph: Graph<'_>,
    meter: &mut Meter<'_>,
    judge: Judge<'_>,
    complete: bool,
) -> Report {
    let unsupported = match &judge.totals {
        Some(totals) => &totals.unsupported,
        None => &graph.unsupported,
    };
    let mut limits_hit = meter.hit.clone();
    limits_hit.extend(unsupported.iter().map(ToString::to_string));
    let (states, bytes) = judge.states.unwrap_or_else(|| extent(&graph));
    let states = judge.totals.as_ref().map_or(states, |totals| totals.states);
    let bytes = bytes + judge.coverage.map_or(0, |coverage| coverage.bytes);
    let (opened, sites) = match &judge.totals {
        Some(totals) => (totals.opened, totals.sites.len() as u64),
        None => {
            let (opened, sites) = graph.worker.section_sites();
            (opened - judge.opened_again, judge.sites.unwrap_or(sites.len() as u64))
        }
    };
    let liveness = judge.options.liveness();
    let in_order = judge.totals.is_none();
    let statistics = Statistics {
        states,
        transitions: meter.transitions,
        revisits: meter.revisits,
        max_depth: in_order.then_some(meter.max_depth),
        components: graph.pool.len() as u64,
        seconds: meter.seconds(),
        peak_memory_bytes: limits::peak_memory(),
        bytes_per_state: bytes as f64 / states.max(1) as f64,
        phases: phases(meter, &judge),
        table_load: graph.store.table_load(),
        bottom_components: (liveness && in_order).then_some(judge.bottom_components),
        sections_opened: liveness.then_some(opened),
        section_sites: liveness.then_some(sites),
    };
    let mut incomplete = model.incompleteness();
    incomplete.extend(judge.coverage.map(|coverage| forgetful(judge.options, coverage)));
    let (verdict, reason) = if let Some(first) = judge.violations.first() {
        (Verdict::Violated, first.message.clone())
    } else if let Some(limit) = unsupported.first() {
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

/// What the time went into.
fn phases(meter: &Meter<'_>, judge: &Judge<'_>) -> Vec<(&'static str, f64)> {
    let sections = judge.totals.as_ref().map_or(0.0, |totals| totals.judging);
    let exploring = meter.seconds() - sections - judge.telling;
    let all = [("exploring", exploring), ("sections", sections), ("telling", judge.telling)];
    all.into_iter().filter(|(_, seconds)| *seconds > 0.0).collect()
}

/// What is not known after a search that did not remember its states.
fn forgetful(options: &Options, coverage: Coverage) -> String {
    let how = match options.memory {
        Memory::Bits { .. } => "by three bits each (--bitstate)",
        Memory::Fingerprints | Memory::Exact => "by 32 bits and a place each (--hash-compact)",
    };
    let sections = match options.liveness() {
        true => ", and sections were not looked at",
        false => "",
    };
    let part = coverage.part * 100.0;
    format!("states were told apart {how}, an estimated {part:.4} % of them{sections}")
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
