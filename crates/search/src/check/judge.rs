//! Turns what an exploration comes across into violations.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Instant;

use exeunt_model::{
    ActorId, Edge, Fault, Move, Nature, OpenSection, Property, SectionKind, Trace, Violation,
};

use super::conclusion::extent;
use super::elsewhere::Found;
use super::known::{Place, Told, place};
use crate::explore::{Coverage, Finding, Graph, Observer, Totals, Wanted};
use crate::options::{Memory, Options, Order};
use crate::store::StateId;
use crate::story::{self, Goal};
use crate::stuck::{self, Edges, Stuck, StuckSet};

/// Turns what was found into violations.
pub struct Judge<'o> {
    pub(super) options: &'o Options,
    pub violations: Vec<Violation>,
    pub(super) seen: HashSet<Place>,
    /// What is known without a path, of what was told: see `known.rs`.
    pub(super) told: Told,
    pub(super) bottom_components: u64,
    /// The program can get to where it cannot end any more.
    pub(super) endless: bool,
    /// How many states there were when the search stopped, and their bytes.
    pub states: Option<(u64, u64)>,
    /// How many places opened sections when the search stopped, and how many
    /// were opened by telling what was found.
    pub(super) sites: Option<u64>,
    pub(super) opened_again: u64,
    /// What was found stuck, to be looked at again for other places.
    pub(super) stuck: Vec<Found>,
    /// Put before every path (the states of a replayed schedule).
    pub prefix: Vec<StateId>,
    /// The numbers of a search in parallel.
    pub(super) totals: Option<Totals>,
    /// Seconds that went into judging and telling what was found.
    pub(super) telling: f64,
    /// What a search that forgets may have missed.
    pub(super) coverage: Option<Coverage>,
}

impl<'o> Judge<'o> {
    pub fn new(options: &'o Options) -> Judge<'o> {
        Judge {
            options,
            violations: Vec::new(),
            seen: HashSet::new(),
            told: Told::default(),
            bottom_components: 0,
            endless: false,
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

    /// Takes over what was counted and found elsewhere, in states of so many bytes.
    pub fn sum_up(&mut self, totals: Totals, bytes: u64, violations: Vec<Violation>) {
        self.states = Some((totals.states, bytes));
        self.endless = totals.endless;
        self.totals = Some(totals);
        self.violations = violations;
    }

    /// Keeps a violation unless one of its kind and place is there.
    pub fn keep(&mut self, mut violation: Violation) -> ControlFlow<()> {
        violation.help.extend(story::whims(&violation.trace));
        let place = place(violation.property, violation.location.as_ref(), &violation.message);
        if self.seen.insert(place) {
            self.violations.push(violation);
        }
        if self.options.all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// The path to tell: behind the prefix, to the goal that `path` comes to.
    fn path(&self, graph: &mut Graph<'_>, path: &[StateId], goal: &Goal) -> Vec<StateId> {
        let path = match self.options.order {
            Order::Depth if self.options.shortens => story::simplify(graph, path, goal),
            Order::Shortest if self.options.shortens => story::fewer_switches(graph, path, goal),
            Order::Depth | Order::Shortest => path.to_vec(),
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
        self.endless = true;
        let stuck = stuck::sections_stuck_in(graph, states, &self.options.sections);
        if stuck.is_empty() && !self.options.termination {
            return ControlFlow::Continue(());
        }
        let path = self.path(graph, path, &Goal::states(states));
        let entry = *path.last().expect("a path to the component");
        let round = stuck::round_in(graph, states, entry);
        if stuck.is_empty() {
            self.told.program(graph, states[0]);
            let trace = with_round(graph, &path, &round);
            let violation = story::termination_violation(graph, entry, trace);
            return self.keep(violation);
        }
        let stuck = without_inner_waits(stuck);
        let told = with_round(graph, &path, &round);
        for main in self.order(graph, entry, &stuck) {
            if !self.told.section(graph, states[0], main[0]) {
                continue;
            }
            let mut trace = told.clone();
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
        for set in telling(stuck::stuck_sets(graph, edges, options.wanted())) {
            if self.knows_set(graph, &set, edges) {
                self.note_set(edges, set);
                continue;
            }
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
    pub(super) fn shortest_stuck(&mut self, graph: &mut Graph<'_>, edges: &Rc<Edges>) {
        let options = self.options;
        let sets = telling(stuck::stuck_sets(graph, edges, options.wanted()));
        let with_path = |set: StuckSet| Some((stuck::shortest_into(&set, edges)?, set));
        let mut paths: Vec<(Vec<u32>, StuckSet)> = sets.into_iter().filter_map(with_path).collect();
        paths.sort_by_key(|(path, set)| (path.len(), set.what));
        let deadlocked = self.violations.iter().any(|v| v.property == Property::Deadlock);
        for (path, set) in paths {
            let entry = *path.last().expect("a path into the set");
            if self.knows_set(graph, &set, edges) {
                self.note_set(edges, set);
                continue;
            }
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
                self.note_set(edges, set);
                story::section_violation(graph, state, &[section], trace, chooses)
            }
            Stuck::Program => story::termination_violation(graph, state, trace),
        };
        self.keep(violation)
    }

    /// Keeps a stuck set, to look for other places where its section is opened.
    pub(super) fn note_set(&mut self, edges: &Rc<Edges>, set: StuckSet) {
        if let (Stuck::Section(section), true) = (set.what, self.options.all) {
            self.stuck.push(Found::Set { section, set, edges: edges.clone() });
        }
    }
}

/// Without the busy waits of threads that are also inside of a section which the
/// program names: that one says more.
pub(super) fn without_inner_waits(mut stuck: Vec<OpenSection>) -> Vec<OpenSection> {
    let all = stuck.clone();
    stuck.retain(|section| !is_inner_wait(*section, &all));
    stuck
}

/// The same of stuck sets.
pub(super) fn telling(mut sets: Vec<StuckSet>) -> Vec<StuckSet> {
    let section = |set: &StuckSet| match set.what {
        Stuck::Section(section) => Some(section),
        Stuck::Program => None,
    };
    let all: Vec<OpenSection> = sets.iter().filter_map(section).collect();
    sets.retain(|set| section(set).is_none_or(|section| !is_inner_wait(section, &all)));
    sets
}

fn is_inner_wait(section: OpenSection, all: &[OpenSection]) -> bool {
    let names = |s: &OpenSection| s.actor == section.actor && s.kind.nature() == Nature::Part;
    section.kind == SectionKind::Await && all.iter().any(names)
}

/// Where a state is in a part of the graph.
pub(super) fn position(edges: &Edges, wanted: StateId) -> Option<u32> {
    (0..edges.len()).find(|&state| edges.state(state) == wanted)
}

/// A path and then one round of what repeats.
fn with_round(graph: &mut Graph<'_>, path: &[StateId], round: &[(ActorId, StateId)]) -> Trace {
    with_round_by(graph, path, round, &mut |_, _| true)
}

/// The same, of edges that fit.
pub(super) fn with_round_by(
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
    open.retain(|section| section.kind != SectionKind::Await);
    let starts = open.iter().map(|section| stuck::first_too_late(graph, path, *section));
    starts.min().filter(|&first| first + 1 < path.len())
}

impl Judge<'_> {
    /// Looks at what was found, without counting what that opens again.
    fn look<R>(
        &mut self,
        graph: &mut Graph<'_>,
        look: impl FnOnce(&mut Self, &mut Graph<'_>) -> R,
    ) -> R {
        let (opened, aside) = (graph.worker.sections_opened(), graph.opened_aside);
        let start = Instant::now();
        let result = look(self, graph);
        self.opened_again += graph.worker.sections_opened() - opened;
        graph.opened_aside = aside;
        self.telling += start.elapsed().as_secs_f64();
        result
    }
}

impl Observer for Judge<'_> {
    fn is_known(&mut self, finding: &Finding, graph: &mut Graph<'_>) -> bool {
        self.look(graph, |judge, graph| judge.knows(finding, graph))
    }

    fn found(
        &mut self,
        finding: Finding,
        graph: &mut Graph<'_>,
        path: &[StateId],
    ) -> ControlFlow<()> {
        let extent = extent(graph);
        let sites = graph.worker.section_sites();
        let result = self.look(graph, |judge, graph| match finding {
            Finding::Fault { step, fault } => judge.fault(graph, step, fault, path),
            Finding::Deadlock { state } => judge.deadlock(graph, state, path),
            Finding::Component { states } => judge.component(graph, &states, path),
            Finding::Choosing { edges, bottom } => {
                judge.bottom_components += u64::from(bottom);
                match edges {
                    Some(edges) => judge.stuck_within(graph, &edges, path),
                    None => ControlFlow::Continue(()),
                }
            }
        });
        if result.is_break() {
            self.states = Some(extent);
            self.sites = Some(sites.len() as u64);
        }
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
