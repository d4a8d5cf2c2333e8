//! The explored graph with its edges written out: who moved, what was chosen.

use std::collections::HashMap;
use std::ops::ControlFlow;

use exeunt_model::{ChoiceKind, Detail, Edge, Event, OpenSection, Sink, StateStatus, Target};

use crate::explore::Graph;
use crate::store::StateId;

/// Leads to no state (a fault, a dropped path, a limit).
pub const NOWHERE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub struct EdgeRecord {
    pub target: u32,
    pub actor: u32,
    /// Index into `choice_lists`.
    pub choices: u32,
    pub withheld: bool,
    pub reopens: bool,
}

/// All edges of the states reachable from the initial one, grouped by source.
/// Other stored states have no edges and count as ended.
pub struct Edges {
    /// Where each state's edges begin and end.
    ranges: Vec<(u32, u32)>,
    records: Vec<EdgeRecord>,
    pub choice_lists: Vec<Vec<(ChoiceKind, u32)>>,
    pub ended: Vec<bool>,
    /// What an edge that reopens something closes, by position.
    pub closes: HashMap<u32, Vec<OpenSection>>,
}

impl Edges {
    pub fn of(&self, state: u32) -> &[EdgeRecord] {
        let (start, end) = self.ranges[state as usize];
        &self.records[start as usize..end as usize]
    }

    /// The position of a state's first edge, the key of `closes`.
    pub fn start(&self, state: u32) -> u32 {
        self.ranges[state as usize].0
    }

    pub fn states(&self) -> u32 {
        self.ranges.len() as u32
    }

    /// Expands every state once more and writes its edges down.
    pub fn build(graph: &mut Graph<'_>) -> Edges {
        let mut edges = Edges {
            ranges: Vec::new(),
            records: Vec::new(),
            choice_lists: vec![Vec::new()],
            ended: Vec::new(),
            closes: HashMap::new(),
        };
        let mut known = HashMap::from([(Vec::new(), 0)]);
        let mut work: Vec<StateId> = graph.initial.into_iter().collect();
        let mut seen = vec![false; graph.store.len()];
        while let Some(state) = work.pop() {
            if std::mem::replace(&mut seen[state.0 as usize], true) {
                continue;
            }
            let start = edges.add(graph, state, &mut known);
            seen.resize(graph.store.len(), false);
            let targets = edges.records[start..].iter().filter(|record| record.target != NOWHERE);
            work.extend(targets.map(|record| StateId(record.target)));
        }
        edges.fit(graph.store.len());
        edges
    }

    /// Room for so many states; unknown ones have no edges.
    fn fit(&mut self, states: usize) {
        self.ranges.resize(states.max(self.ranges.len()), (0, 0));
        self.ended.resize(self.ranges.len(), true);
    }

    /// Writes the edges of one state down; returns where they begin.
    fn add(
        &mut self,
        graph: &mut Graph<'_>,
        state: StateId,
        known: &mut HashMap<ChoiceList, u32>,
    ) -> usize {
        let vector = graph.vector(state);
        let start = self.records.len();
        let status = {
            let Graph { worker, store, .. } = &mut *graph;
            let mut sink = Recorder { store, edges: self, known };
            worker.expand(&vector, Detail::Targets, None, &mut sink)
        };
        if self.records[start..].iter().any(|record| record.reopens) {
            let mut sink = Closes { at: start as u32, closes: &mut self.closes };
            graph.worker.expand(&vector, Detail::Story, None, &mut sink);
        }
        let end = u32::try_from(self.records.len()).expect("fewer than 2^32 edges");
        self.fit(state.0 as usize + 1);
        self.ranges[state.0 as usize] = (start as u32, end);
        self.ended[state.0 as usize] = status == StateStatus::Ended;
        start
    }

    /// Sources of the edges into each state.
    pub fn predecessors(&self) -> Predecessors {
        let states = self.states() as usize;
        let mut offsets = vec![0u32; states + 1];
        for record in self.records.iter().filter(|record| record.target != NOWHERE) {
            offsets[record.target as usize + 1] += 1;
        }
        for i in 0..states {
            offsets[i + 1] += offsets[i];
        }
        let mut fill = offsets.clone();
        let mut sources = vec![0; offsets[states] as usize];
        for state in 0..states as u32 {
            for record in self.of(state).iter().filter(|record| record.target != NOWHERE) {
                let at = &mut fill[record.target as usize];
                sources[*at as usize] = state;
                *at += 1;
            }
        }
        Predecessors { offsets, sources }
    }
}

pub struct Predecessors {
    offsets: Vec<u32>,
    sources: Vec<u32>,
}

impl Predecessors {
    pub fn of(&self, state: u32) -> &[u32] {
        let range =
            self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize;
        &self.sources[range]
    }
}

type ChoiceList = Vec<(ChoiceKind, u32)>;

struct Recorder<'r> {
    store: &'r mut crate::store::StateStore,
    edges: &'r mut Edges,
    known: &'r mut HashMap<ChoiceList, u32>,
}

impl Sink for Recorder<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let target = match target {
            Target::State(vector) => self.store.insert(vector).0.0,
            Target::Fault(_) | Target::Unsupported(_) | Target::Dropped => NOWHERE,
        };
        let list: ChoiceList = edge.choices.iter().map(|c| (c.kind, c.value)).collect();
        let lists = &mut self.edges.choice_lists;
        let choices = *self.known.entry(list).or_insert_with_key(|list| {
            lists.push(list.clone());
            lists.len() as u32 - 1
        });
        self.edges.records.push(EdgeRecord {
            target,
            actor: edge.actor.0,
            choices,
            withheld: edge.withheld,
            reopens: edge.reopens,
        });
        ControlFlow::Continue(())
    }
}

struct Closes<'c> {
    at: u32,
    closes: &'c mut HashMap<u32, Vec<OpenSection>>,
}

impl Sink for Closes<'_> {
    fn edge(&mut self, edge: &Edge<'_>, _: Target<'_>) -> ControlFlow<()> {
        let closed = edge.events.iter().filter_map(|event| match event {
            Event::Closed { section, .. } => Some(*section),
            _ => None,
        });
        if edge.reopens {
            self.closes.insert(self.at, closed.collect());
        }
        self.at += 1;
        ControlFlow::Continue(())
    }
}
