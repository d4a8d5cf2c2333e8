//! The largest stuck set of a section, by backward removal.
//!
//! A set C is stuck for r if r is open in all its states, none of them is a
//! terminated program, and for every thread that can step there the
//! environment can choose so that the step stays in C without closing r.
//! Start from all states in which r is open and remove what violates this,
//! until nothing does: a greatest fixpoint, linear in the edges.
//!
//! It may be done component by component. Let C be stuck for r, and K a
//! component that meets C from which no other one that meets C is reached.
//! What stays in C from there stays in K, so the common part of C and K is
//! stuck by itself: whatever is stuck is stuck within one component.

use std::collections::{HashMap, VecDeque};

use exeunt_model::{ActorId, ChoiceKind, OpenSection};

use super::edges::{EdgeRecord, Edges, NOWHERE, Predecessors, label};
use crate::explore::{Graph, Wanted};
use crate::options::SectionFilter;
use crate::store::StateId;

/// What is stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stuck {
    Section(OpenSection),
    /// The program as a whole never ends.
    Program,
}

impl Stuck {
    fn section(self) -> Option<OpenSection> {
        match self {
            Stuck::Section(section) => Some(section),
            Stuck::Program => None,
        }
    }
}

/// A part of the graph in which the environment can keep something open.
#[derive(Debug)]
pub struct StuckSet {
    pub what: Stuck,
    /// Which states of the part belong to it.
    inside: Vec<bool>,
}

/// All sections (and, if asked, the program) with a non-empty stuck set.
pub fn stuck_sets(graph: &mut Graph<'_>, edges: &Edges, wanted: Wanted<'_>) -> Vec<StuckSet> {
    let predecessors = edges.predecessors();
    let within = greatest(graph, edges, &predecessors, None, |s| !edges.has_ended(s));
    if within.iter().all(|&inside| !inside) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (section, open) in open_states(graph, edges, &within, wanted.sections) {
        let inside = greatest(graph, edges, &predecessors, Some(section), |s| open[s as usize]);
        found.push(StuckSet { what: Stuck::Section(section), inside });
    }
    if wanted.termination {
        found.push(StuckSet { what: Stuck::Program, inside: within });
    }
    found.retain(|set| set.inside.contains(&true));
    found
}

impl StuckSet {
    pub fn contains(&self, state: u32) -> bool {
        self.inside[state as usize]
    }

    /// The states of the set.
    pub fn states(&self, edges: &Edges) -> Vec<StateId> {
        let members = (0..edges.len()).filter(|&state| self.contains(state));
        members.map(|state| edges.state(state)).collect()
    }

    /// A run inside the set from `entry` in which the threads take turns,
    /// until it repeats (who moves and where to; empty for a deadlock), and
    /// the number of steps before the part that does.
    pub fn run_inside(
        &self,
        graph: &Graph<'_>,
        edges: &Edges,
        entry: u32,
    ) -> (Vec<(ActorId, StateId)>, usize) {
        let mut run = Vec::new();
        let mut seen = HashMap::from([((entry, 0), 0)]);
        let mut turn = 0;
        let mut state = entry;
        loop {
            let base = edges.start(state);
            let stays = |(at, record): &(usize, &EdgeRecord)| {
                record.target != NOWHERE
                    && !label(graph, record).withheld
                    && self.contains(record.target)
                    && !edges.closes(base + *at as u32, self.what.section())
            };
            let staying: Vec<(u32, u32)> = edges
                .of(state)
                .iter()
                .enumerate()
                .filter(stays)
                .map(|(_, record)| (label(graph, record).actor, record.target))
                .collect();
            let next = staying.iter().find(|(actor, _)| *actor >= turn).or(staying.first());
            let Some(&(actor, target)) = next else { return (Vec::new(), 0) };
            turn = actor + 1;
            state = target;
            run.push((ActorId(actor), edges.state(state)));
            if let Some(lead) = seen.insert((state, turn), run.len()) {
                return (run, lead);
            }
            if run.len() > 4096 {
                return (run, 0);
            }
        }
    }
}

/// In which of the given states each section is open.
fn open_states(
    graph: &mut Graph<'_>,
    edges: &Edges,
    within: &[bool],
    filter: &SectionFilter,
) -> Vec<(OpenSection, Vec<bool>)> {
    let mut states: HashMap<OpenSection, Vec<bool>> = HashMap::new();
    let mut open = Vec::new();
    for state in (0..within.len()).filter(|&s| within[s]) {
        let vector = graph.vector(edges.state(state as u32));
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
    graph: &Graph<'_>,
    edges: &Edges,
    predecessors: &Predecessors,
    section: Option<OpenSection>,
    start: impl Fn(u32) -> bool,
) -> Vec<bool> {
    let mut inside: Vec<bool> = (0..edges.len()).map(&start).collect();
    let mut queue: VecDeque<u32> = (0..edges.len()).filter(|&s| inside[s as usize]).collect();
    let mut queued = inside.clone();
    while let Some(state) = queue.pop_front() {
        queued[state as usize] = false;
        if !inside[state as usize] || stays(graph, edges, state, section, &inside) {
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
fn stays(
    graph: &Graph<'_>,
    edges: &Edges,
    state: u32,
    section: Option<OpenSection>,
    inside: &[bool],
) -> bool {
    let records = edges.of(state);
    let base = edges.start(state);
    let keeps = |at: usize| {
        let record = &records[at];
        record.target != NOWHERE
            && inside[record.target as usize]
            && !edges.closes(base + at as u32, section)
    };
    let mover = |at: usize| label(graph, &records[at]).actor;
    let mut at = 0;
    while at < records.len() {
        let actor = mover(at);
        let mut end = at;
        while end < records.len() && mover(end) == actor && !label(graph, &records[end]).withheld {
            end += 1;
        }
        if end > at && !answered(graph, records, at, end, 0, &keeps) {
            return false;
        }
        at = end.max(at + 1);
    }
    true
}

/// Evaluates the tree of choices of one actor's edges `from..to`, which agree
/// on their first `depth` choices: all of the scheduler's alternatives must
/// stay, and one of the environment's.
fn answered(
    graph: &Graph<'_>,
    records: &[EdgeRecord],
    from: usize,
    to: usize,
    depth: usize,
    keeps: &dyn Fn(usize) -> bool,
) -> bool {
    let choice = |at: usize| label(graph, &records[at]).choices.get(depth);
    let Some(&(kind, _)) = choice(from) else {
        return (from..to).all(keeps);
    };
    let mut at = from;
    while at < to {
        let value = choice(at).map(|c| c.1);
        let mut end = at;
        while end < to && choice(end).map(|c| c.1) == value {
            end += 1;
        }
        let branch = answered(graph, records, at, end, depth + 1, keeps);
        match kind {
            ChoiceKind::Scheduler if !branch => return false,
            ChoiceKind::Environment if branch => return true,
            _ => {}
        }
        at = end;
    }
    kind == ChoiceKind::Scheduler
}

/// A shortest path into the set from the first state of the part, which must
/// be the initial one, as states of the part.
pub fn shortest_into(set: &StuckSet, edges: &Edges) -> Option<Vec<u32>> {
    let mut parent = vec![u32::MAX; edges.len() as usize];
    *parent.first_mut()? = 0;
    let mut queue = VecDeque::from([0]);
    while let Some(state) = queue.pop_front() {
        if set.contains(state) {
            let along = crate::explore::path_along(StateId(state), &parent);
            return Some(along.into_iter().map(|state| state.0).collect());
        }
        for record in edges.of(state).iter().filter(|record| record.target != NOWHERE) {
            if parent[record.target as usize] == u32::MAX {
                parent[record.target as usize] = state;
                queue.push_back(record.target);
            }
        }
    }
    None
}
