//! A part of the graph with its edges written out: who moved, what was
//! chosen. States are numbered from zero within the part.

use std::collections::HashMap;
use std::ops::ControlFlow;

use exeunt_model::{Detail, Edge, Event, OpenSection, Sink, Target};

use crate::explore::{Expansion, Graph, Label, LabelId, Labels};
use crate::limits::Meter;
use crate::store::StateId;

/// Leads to no state of the part.
pub const NOWHERE: u32 = u32::MAX;

/// Positions of edges are numbers of 32 bits; a state may add many.
const MOST_EDGES: usize = (u32::MAX - (1 << 24)) as usize;

#[derive(Clone, Copy, Debug)]
pub struct EdgeRecord {
    pub target: u32,
    label: LabelId,
}

/// Edges grouped by source; those that may be withheld are only there if the
/// part is the whole graph.
#[derive(Debug)]
pub struct Edges {
    states: Vec<StateId>,
    /// Where each state's edges begin, and where the last ones end.
    starts: Vec<u32>,
    records: Vec<EdgeRecord>,
    ended: Vec<bool>,
    /// What an edge that reopens something closes, by position.
    closes: HashMap<u32, Vec<OpenSection>>,
}

impl Edges {
    pub fn of(&self, state: u32) -> &[EdgeRecord] {
        let range = self.starts[state as usize]..self.starts[state as usize + 1];
        &self.records[range.start as usize..range.end as usize]
    }

    /// The position of a state's first edge.
    pub fn start(&self, state: u32) -> u32 {
        self.starts[state as usize]
    }

    /// How many states there are.
    pub fn len(&self) -> u32 {
        self.states.len() as u32
    }

    /// The number in the store of a state of this part.
    pub fn state(&self, state: u32) -> StateId {
        self.states[state as usize]
    }

    pub fn has_ended(&self, state: u32) -> bool {
        self.ended[state as usize]
    }

    /// Whether the edge at a position closes a section.
    pub fn closes(&self, position: u32, section: Option<OpenSection>) -> bool {
        let closed = self.closes.get(&position);
        section.is_some_and(|section| closed.is_some_and(|list| list.contains(&section)))
    }

    /// The edges among the states of a component; expands them once more,
    /// unless a limit stops it. `local` says which number a state has in the
    /// component.
    pub fn of_component(
        graph: &mut Graph<'_>,
        states: &[StateId],
        local: impl Fn(StateId) -> Option<u32>,
        meter: &mut Meter<'_>,
    ) -> Option<Edges> {
        graph.labels.get_or_insert_with(Labels::default);
        let mut edges = Edges::empty();
        let mut expansion = Expansion::default();
        for &state in states {
            if !edges.may_grow(graph, meter) {
                return None;
            }
            graph.expand_again(state, &mut expansion);
            let moves = expansion.edges.iter().filter(|edge| !edge.withheld);
            edges.records.extend(moves.map(|edge| EdgeRecord {
                target: edge.target.and_then(&local).unwrap_or(NOWHERE),
                label: edge.label,
            }));
            edges.finish(graph, state, false);
        }
        Some(edges)
    }

    /// Whether there is room for another state, and for what is made of the
    /// edges later: predecessors, and what is kept of each state.
    fn may_grow(&self, graph: &Graph<'_>, meter: &mut Meter<'_>) -> bool {
        let later = 4 * self.records.len() as u64 + 24 * self.states.len() as u64;
        let most = meter.capacity().map_or(MOST_EDGES, |most| MOST_EDGES.min(most as usize));
        let fits = self.records.len() < most;
        if !fits {
            meter.note("a search has room for no more transitions".to_string());
        }
        fits && !meter.must_stop(0, &graph.store, graph.pool)
            && meter.has_room(later, &graph.store, graph.pool)
    }

    /// The edges of everything reachable; expands every state once more.
    pub fn of_everything(graph: &mut Graph<'_>) -> Edges {
        let all = Edges::of_everything_while(graph, &mut |_, _| true);
        all.expect("nobody stops it")
    }

    /// The same, unless a limit stops it, or what is looked for in the edges
    /// would go beyond the memory that there is.
    pub fn of_everything_within(graph: &mut Graph<'_>, meter: &mut Meter<'_>) -> Option<Edges> {
        Edges::of_everything_while(graph, &mut |graph, edges| edges.may_grow(graph, meter))
    }

    fn of_everything_while(
        graph: &mut Graph<'_>,
        goes_on: &mut dyn FnMut(&Graph<'_>, &Edges) -> bool,
    ) -> Option<Edges> {
        graph.labels.get_or_insert_with(Labels::default);
        let mut edges = Edges::empty();
        let mut local: HashMap<StateId, u32> = HashMap::new();
        let mut order: Vec<StateId> = graph.initial.into_iter().collect();
        local.extend(order.iter().map(|&state| (state, 0)));
        let mut expansion = Expansion::default();
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            if !goes_on(graph, &edges) {
                return None;
            }
            graph.expand(state, &mut expansion);
            for edge in &expansion.edges {
                let target = edge.target.map_or(NOWHERE, |target| {
                    *local.entry(target).or_insert_with(|| {
                        order.push(target);
                        order.len() as u32 - 1
                    })
                });
                edges.records.push(EdgeRecord { target, label: edge.label });
            }
            edges.finish(graph, state, expansion.ended);
        }
        Some(edges)
    }

    fn empty() -> Edges {
        Edges {
            states: Vec::new(),
            starts: vec![0],
            records: Vec::new(),
            ended: Vec::new(),
            closes: HashMap::new(),
        }
    }

    /// All edges of a state have been added.
    fn finish(&mut self, graph: &mut Graph<'_>, state: StateId, ended: bool) {
        let start = *self.starts.last().expect("one more than states");
        let reopens = |record: &EdgeRecord| label(graph, record).reopens;
        if self.records[start as usize..].iter().any(reopens) {
            let vector = graph.vector(state);
            // Those of a component leave out what may be withheld.
            let skip = !self.records[start as usize..].iter().any(|r| label(graph, r).withheld);
            let mut sink = Closes { at: start, skip, all: false, closes: &mut self.closes };
            graph.worker.expand(&vector, Detail::Story, None, &mut sink);
        }
        let end = u32::try_from(self.records.len()).expect("fewer than 2^32 edges");
        self.starts.push(end);
        self.states.push(state);
        self.ended.push(ended);
    }

    /// Which edges from these states end a busy wait, by position. Only the events
    /// of a step tell that.
    pub fn ends_of_awaits(
        &self,
        graph: &mut Graph<'_>,
        states: impl Iterator<Item = u32>,
    ) -> HashMap<u32, Vec<OpenSection>> {
        let mut closes = HashMap::new();
        for state in states {
            let records = self.of(state);
            let skip = !records.iter().any(|record| label(graph, record).withheld);
            let vector = graph.vector(self.state(state));
            let (at, all) = (self.start(state), true);
            let mut sink = Closes { at, skip, all, closes: &mut closes };
            graph.worker.expand(&vector, Detail::Story, None, &mut sink);
        }
        closes
    }

    /// Sources of the edges into each state.
    pub fn predecessors(&self) -> Predecessors {
        let states = self.len() as usize;
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

/// What is written on an edge of a graph that keeps labels.
pub fn label<'g>(graph: &'g Graph<'_>, record: &EdgeRecord) -> &'g Label {
    graph.label(record.label)
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

struct Closes<'c> {
    at: u32,
    /// Whether moves that may be withheld have no position.
    skip: bool,
    /// Whether also edges are of interest that reopen nothing.
    all: bool,
    closes: &'c mut HashMap<u32, Vec<OpenSection>>,
}

impl Sink for Closes<'_> {
    fn edge(&mut self, edge: &Edge<'_>, _: Target<'_>) -> ControlFlow<()> {
        if edge.withheld && self.skip {
            return ControlFlow::Continue(());
        }
        let closed = edge.events.iter().filter_map(|event| match event {
            Event::Closed { section, .. } => Some(*section),
            _ => None,
        });
        if edge.reopens || self.all {
            self.closes.insert(self.at, closed.collect());
        }
        self.at += 1;
        ControlFlow::Continue(())
    }
}
