//! The largest stuck set of a section, by backward removal.
//!
//! A set C is stuck for r if r is open in all its states, none of them is a
//! terminated program, and for every thread that can step there the
//! environment can choose so that the step stays in C without closing r.
//! Start from all states in which r is open and remove what violates this,
//! until nothing does: a greatest fixpoint, linear in the edges.

use std::collections::{HashMap, VecDeque};

use exeunt_model::{ActorId, ChoiceKind, OpenSection};

use super::edges::{EdgeRecord, Edges, NOWHERE, Predecessors};
use crate::explore::Graph;
use crate::options::SectionFilter;
use crate::store::StateId;

/// What is stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stuck {
    Section(OpenSection),
    /// The program as a whole never ends.
    Program,
}

/// A stuck section and how to get to where its end can be prevented.
pub struct StuckSet {
    pub what: Stuck,
    /// A shortest path from the initial state into the set.
    pub path: Vec<StateId>,
    /// A run inside the set from the last state of `path` until it is where
    /// it has been before: who moves and where to; empty for a deadlock.
    pub round: Vec<(ActorId, StateId)>,
    /// How many steps of `round` come before the part that repeats.
    pub lead: usize,
}

/// All sections (and, if asked, the program) with a non-empty stuck set.
pub fn stuck_sets(
    graph: &mut Graph<'_>,
    filter: &SectionFilter,
    termination: bool,
) -> Vec<StuckSet> {
    let edges = Edges::build(graph);
    let predecessors = edges.predecessors();
    let everything = greatest(&edges, &predecessors, None, |s| !edges.ended[s as usize]);
    if everything.iter().all(|&inside| !inside) {
        return Vec::new();
    }
    let distances = distances(&edges, graph.initial.map_or(0, |s| s.0));
    let mut found = Vec::new();
    if termination {
        found.extend(describe(Stuck::Program, &everything, &edges, &distances));
    }
    for (section, open) in open_states(graph, &everything, filter) {
        let set = greatest(&edges, &predecessors, Some(section), |s| open[s as usize]);
        found.extend(describe(Stuck::Section(section), &set, &edges, &distances));
    }
    found.sort_by_key(|set: &StuckSet| (set.path.len(), set.what));
    found
}

/// In which of the given states each section is open.
fn open_states(
    graph: &mut Graph<'_>,
    within: &[bool],
    filter: &SectionFilter,
) -> Vec<(OpenSection, Vec<bool>)> {
    let mut states: HashMap<OpenSection, Vec<bool>> = HashMap::new();
    let mut open = Vec::new();
    for state in (0..within.len()).filter(|&s| within[s]) {
        let vector = graph.vector(StateId(state as u32));
        open.clear();
        graph.worker.open_sections(&vector, &mut open);
        for section in open.iter().filter(|section| filter.contains(section.kind)) {
            states.entry(*section).or_insert_with(|| vec![false; within.len()])[state] = true;
        }
    }
    let mut list: Vec<_> = states.into_iter().collect();
    list.sort_by_key(|(section, _)| *section);
    list
}

/// Removes states until the rest is stuck.
fn greatest(
    edges: &Edges,
    predecessors: &Predecessors,
    section: Option<OpenSection>,
    start: impl Fn(u32) -> bool,
) -> Vec<bool> {
    let mut inside: Vec<bool> = (0..edges.states()).map(&start).collect();
    let mut queue: VecDeque<u32> = (0..edges.states()).filter(|&s| inside[s as usize]).collect();
    let mut queued = inside.clone();
    while let Some(state) = queue.pop_front() {
        queued[state as usize] = false;
        if !inside[state as usize] || stays(edges, state, section, &inside) {
            continue;
        }
        inside[state as usize] = false;
        for &source in predecessors.of(state) {
            if inside[source as usize] && !queued[source as usize] {
                queued[source as usize] = true;
                queue.push_back(source);
            }
        }
    }
    inside
}

/// Whether every thread's step from here can be answered inside the set.
fn stays(edges: &Edges, state: u32, section: Option<OpenSection>, inside: &[bool]) -> bool {
    let records = edges.of(state);
    let base = edges.start(state);
    let keeps = |at: usize| {
        let record = &records[at];
        record.target != NOWHERE
            && inside[record.target as usize]
            && !closes(edges, base + at as u32, record, section)
    };
    let mut at = 0;
    while at < records.len() {
        let actor = records[at].actor;
        let mut end = at;
        while end < records.len() && records[end].actor == actor && !records[end].withheld {
            end += 1;
        }
        if end > at && !answered(edges, records, at, end, 0, &keeps) {
            return false;
        }
        at = end.max(at + 1);
    }
    true
}

fn closes(edges: &Edges, at: u32, record: &EdgeRecord, section: Option<OpenSection>) -> bool {
    match section {
        Some(section) if record.reopens => {
            edges.closes.get(&at).is_some_and(|closed| closed.contains(&section))
        }
        _ => false,
    }
}

/// Evaluates the tree of choices of one actor's edges `from..to`, which agree
/// on their first `depth` choices: all of the scheduler's alternatives must
/// stay, and one of the environment's.
fn answered(
    edges: &Edges,
    records: &[EdgeRecord],
    from: usize,
    to: usize,
    depth: usize,
    keeps: &dyn Fn(usize) -> bool,
) -> bool {
    let list = |at: usize| &edges.choice_lists[records[at].choices as usize];
    let Some(&(kind, _)) = list(from).get(depth) else {
        return (from..to).all(keeps);
    };
    let mut at = from;
    while at < to {
        let value = list(at).get(depth).map(|c| c.1);
        let mut end = at;
        while end < to && list(end).get(depth).map(|c| c.1) == value {
            end += 1;
        }
        let branch = answered(edges, records, at, end, depth + 1, keeps);
        match kind {
            ChoiceKind::Scheduler if !branch => return false,
            ChoiceKind::Environment if branch => return true,
            _ => {}
        }
        at = end;
    }
    kind == ChoiceKind::Scheduler
}

/// Distance and parent of every state.
struct Distances {
    parent: Vec<u32>,
    order: Vec<u32>,
}

fn distances(edges: &Edges, initial: u32) -> Distances {
    let mut parent = vec![u32::MAX; edges.states() as usize];
    parent[initial as usize] = initial;
    let mut order = vec![initial];
    let mut next = 0;
    while next < order.len() {
        let state = order[next];
        next += 1;
        for record in edges.of(state).iter().filter(|record| record.target != NOWHERE) {
            if parent[record.target as usize] == u32::MAX {
                parent[record.target as usize] = state;
                order.push(record.target);
            }
        }
    }
    Distances { parent, order }
}

fn describe(what: Stuck, set: &[bool], edges: &Edges, distances: &Distances) -> Option<StuckSet> {
    let entry = *distances.order.iter().find(|&&state| set[state as usize])?;
    let path = crate::explore::path_along(StateId(entry), &distances.parent);
    let section = match what {
        Stuck::Section(section) => Some(section),
        Stuck::Program => None,
    };
    let (round, lead) = run_inside(edges, entry, set, section);
    Some(StuckSet { what, path, round, lead })
}

/// A run inside the set in which the threads take turns, until it repeats,
/// and the number of steps before the part that does.
fn run_inside(
    edges: &Edges,
    entry: u32,
    set: &[bool],
    section: Option<OpenSection>,
) -> (Vec<(ActorId, StateId)>, usize) {
    let mut run = Vec::new();
    let mut seen = HashMap::from([((entry, 0), 0)]);
    let mut turn = 0;
    let mut state = entry;
    loop {
        let base = edges.start(state);
        let stays = |(at, record): &(usize, &EdgeRecord)| {
            !record.withheld
                && record.target != NOWHERE
                && set[record.target as usize]
                && !closes(edges, base + *at as u32, record, section)
        };
        let staying: Vec<&EdgeRecord> =
            edges.of(state).iter().enumerate().filter(stays).map(|(_, record)| record).collect();
        let next = staying.iter().find(|record| record.actor >= turn).or(staying.first());
        let Some(next) = next else { return (Vec::new(), 0) };
        turn = next.actor + 1;
        state = next.target;
        run.push((ActorId(next.actor), StateId(state)));
        if let Some(lead) = seen.insert((state, turn), run.len()) {
            return (run, lead);
        }
        if run.len() > 4096 {
            return (run, 0);
        }
    }
}
