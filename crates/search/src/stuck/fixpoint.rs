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
use std::rc::Rc;

use exeunt_model::{ActorId, OpenSection, SectionKind};

use super::answers::all_answered;
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
    /// Edges that end busy waits, by position.
    ends: Rc<HashMap<u32, Vec<OpenSection>>>,
}

/// All sections (and, if asked, the program) with a non-empty stuck set.
pub fn stuck_sets(graph: &mut Graph<'_>, edges: &Edges, wanted: Wanted<'_>) -> Vec<StuckSet> {
    let predecessors = edges.predecessors();
    let program = Keeping { edges, section: None, ends: Rc::default() };
    let within = greatest(graph, &program, &predecessors, |s| !edges.has_ended(s));
    if within.iter().all(|&inside| !inside) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let sections = open_states(graph, edges, &within, wanted.sections);
    let awaits = sections.iter().any(|(section, _)| section.kind == SectionKind::Await);
    let ends = match awaits {
        true => {
            let members = (0..edges.len()).filter(|&state| within[state as usize]);
            Rc::new(edges.ends_of_awaits(graph, members))
        }
        false => Rc::default(),
    };
    for (section, open) in sections {
        let keeping = Keeping { edges, section: Some(section), ends: ends.clone() };
        let inside = greatest(graph, &keeping, &predecessors, |s| open[s as usize]);
        let set = StuckSet { what: Stuck::Section(section), inside, ends: ends.clone() };
        if section.kind != SectionKind::Await || set.has_move_of(graph, edges, section.actor) {
            found.push(set);
        }
    }
    if wanted.termination {
        found.push(StuckSet { what: Stuck::Program, inside: within, ends: Rc::default() });
    }
    found.retain(|set| set.inside.contains(&true));
    found
}

impl StuckSet {
    pub fn contains(&self, state: u32) -> bool {
        self.inside[state as usize]
    }

    fn keeping<'e>(&self, edges: &'e Edges) -> Keeping<'e> {
        Keeping { edges, section: self.what.section(), ends: self.ends.clone() }
    }

    /// Whether a thread makes a step inside of the set.
    fn has_move_of(&self, graph: &Graph<'_>, edges: &Edges, actor: ActorId) -> bool {
        (0..edges.len()).filter(|&state| self.contains(state)).any(|state| {
            let records = edges.of(state).iter().map(|record| label(graph, record));
            records.into_iter().any(|label| label.actor == actor.0 && !label.withheld)
        })
    }

    /// One state of the set, always the same.
    pub fn first(&self, edges: &Edges) -> StateId {
        let first = (0..edges.len()).find(|&state| self.contains(state));
        edges.state(first.expect("a stuck set is not empty"))
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
                    && !self.keeping(edges).closes(base + *at as u32)
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

/// The question which edges keep something open.
struct Keeping<'e> {
    edges: &'e Edges,
    section: Option<OpenSection>,
    ends: Rc<HashMap<u32, Vec<OpenSection>>>,
}

impl Keeping<'_> {
    fn closes(&self, position: u32) -> bool {
        let ended = self.ends.get(&position);
        self.edges.closes(position, self.section)
            || self.section.is_some_and(|s| ended.is_some_and(|list| list.contains(&s)))
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
    keeping: &Keeping<'_>,
    predecessors: &Predecessors,
    start: impl Fn(u32) -> bool,
) -> Vec<bool> {
    let edges = keeping.edges;
    let mut inside: Vec<bool> = (0..edges.len()).map(&start).collect();
    let mut queue: VecDeque<u32> = (0..edges.len()).filter(|&s| inside[s as usize]).collect();
    let mut queued = inside.clone();
    while let Some(state) = queue.pop_front() {
        queued[state as usize] = false;
        if !inside[state as usize] || stays(graph, keeping, state, &inside) {
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
fn stays(graph: &Graph<'_>, keeping: &Keeping<'_>, state: u32, inside: &[bool]) -> bool {
    let edges = keeping.edges;
    let records = edges.of(state);
    let base = edges.start(state);
    let keeps = |at: usize| {
        let record = &records[at];
        record.target != NOWHERE
            && inside[record.target as usize]
            && !keeping.closes(base + at as u32)
    };
    all_answered(records.len(), &|at| label(graph, &records[at]), &keeps)
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
