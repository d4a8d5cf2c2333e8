//! Looks for lassos in the control flow of a model, the cheapest first.
//!
//! Configurations are explored on plain numbers, with channels of any length.
//! A configuration costs its number of steps and the messages that lie
//! around in it, so that small ones come first. Whenever a configuration
//! stands where one on the way to it stood, the way between is a candidate.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::concrete::Concrete;
use crate::config::{Config, Control, Step};
use crate::forced::{self, Followed};
use crate::lasso::Lasso;
use crate::run::{Machine, Source};
use crate::stop::Stop;

/// A configuration that was reached.
struct Node {
    config: Rc<Config<i64>>,
    parent: u32,
    step: Option<Step>,
    depth: u32,
    control: u32,
}

/// A cycle that leads from one configuration down to another, and perhaps one
/// step further.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    start: u32,
    end: u32,
    last: Option<Step>,
}

/// What the search is doing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    pub states: u64,
    pub transitions: u64,
    /// The longest way to a configuration.
    pub depth: u32,
    /// Nothing was left out.
    pub complete: bool,
    /// Runs that go wrong, each kind once.
    pub faults: Vec<String>,
    /// What made us leave something out.
    pub gaps: Vec<String>,
    /// Configurations in which nothing can move and not all have ended.
    pub stuck: u64,
    /// Whether some configuration leads back to itself.
    pub cyclic: bool,
    /// Configurations of runs without a choice, which were followed to their ends and not stored.
    pub followed: u64,
}

pub(crate) struct Search<'p> {
    source: Source<'p>,
    nodes: Vec<Node>,
    known: HashMap<Rc<Config<i64>>, u32>,
    controls: HashMap<Control, u32>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// Edges between configurations, for cycles that come back exactly.
    edges: Vec<Vec<(Step, u32)>>,
    /// With so many configurations the next run is followed, if it is tried again.
    follows_at: u64,
    interrupt: Arc<AtomicBool>,
    pub progress: Progress,
}

/// How many of the configurations on the way a candidate may begin in.
const BEGINNINGS: usize = 12;
/// Runs are followed from here on, after twice as many configurations each time: before, they
/// are short or a cycle is found.
const FOLLOWS_FROM: u64 = 512;

impl<'p> Search<'p> {
    pub fn new(source: Source<'p>, interrupt: Arc<AtomicBool>) -> Result<Self, Stop> {
        let machine = Machine::initial(source, Concrete::search())?;
        let mut search = Search {
            source,
            nodes: Vec::new(),
            known: HashMap::new(),
            controls: HashMap::new(),
            queue: BinaryHeap::new(),
            edges: Vec::new(),
            follows_at: FOLLOWS_FROM,
            interrupt,
            progress: Progress { complete: true, ..Progress::default() },
        };
        search.add(machine.config, 0, None, 0);
        Ok(search)
    }

    /// Expands the cheapest configuration and gives the candidates that it
    /// leads to; `None` if there is nothing left.
    pub fn advance(&mut self) -> Option<Vec<Candidate>> {
        let Reverse((_, index)) = self.queue.pop()?;
        let config = self.nodes[index as usize].config.clone();
        let mut candidates = Vec::new();
        if self.progress.states >= self.follows_at && self.settle(index, &config) {
            return Some(candidates);
        }
        let mut machine = Machine::new(self.source, Concrete::search(), (*config).clone());
        let steps = match machine.steps() {
            Ok(steps) => steps,
            Err(stop) => {
                self.left_out(&stop);
                return Some(candidates);
            }
        };
        if steps.is_empty() && !self.has_ended(&config) {
            self.progress.stuck += 1;
        }
        for step in steps {
            self.progress.transitions += 1;
            let mut machine = Machine::new(self.source, Concrete::search(), (*config).clone());
            match machine.take_step(&step) {
                Ok(()) => self.reach(machine.config, index, step, &mut candidates),
                Err(stop) => self.left_out(&stop),
            }
        }
        Some(candidates)
    }

    /// Whether there is one run from a configuration, and it ends. Then nothing else is behind it.
    fn settle(&mut self, index: u32, config: &Config<i64>) -> bool {
        self.follows_at = self.follows_at.saturating_mul(2);
        match forced::follow(self.source, config, &self.interrupt) {
            Followed::Ends { steps, last } => {
                self.progress.stuck += u64::from(!self.has_ended(&last));
                self.progress.followed += steps;
                self.progress.transitions += steps;
                let depth = self.nodes[index as usize].depth + steps as u32;
                self.progress.depth = self.progress.depth.max(depth);
                true
            }
            Followed::Branches => false,
            Followed::Long => {
                self.follows_at = u64::MAX;
                false
            }
        }
    }

    fn left_out(&mut self, stop: &Stop) {
        self.progress.complete = false;
        let (list, text) = match stop {
            Stop::Fault(text) => (&mut self.progress.faults, text.clone()),
            other => (&mut self.progress.gaps, other.to_string()),
        };
        if !list.contains(&text) {
            list.push(text);
        }
    }

    fn has_ended(&self, config: &Config<i64>) -> bool {
        config.processes.iter().all(|process| {
            let proc = &self.source.program.procs[process.proc.0 as usize];
            proc.states[process.state as usize].valid_end
        })
    }

    fn reach(
        &mut self,
        config: Config<i64>,
        parent: u32,
        step: Step,
        candidates: &mut Vec<Candidate>,
    ) {
        if let Some(known) = self.known.get(&config) {
            let known = *known;
            self.edges[parent as usize].push((step, known));
            if self.is_above(known, parent) {
                candidates.push(Candidate { start: known, end: parent, last: Some(step) });
            }
            return;
        }
        let depth = self.nodes[parent as usize].depth + 1;
        let index = self.add(config, parent, Some(step), depth);
        self.edges[parent as usize].push((step, index));
        for start in self.same_control(index) {
            candidates.push(Candidate { start, end: index, last: None });
        }
    }

    fn add(&mut self, config: Config<i64>, parent: u32, step: Option<Step>, depth: u32) -> u32 {
        let next = self.controls.len() as u32;
        let control = *self.controls.entry(config.control()).or_insert(next);
        let index = self.nodes.len() as u32;
        let cost = depth + 2 * config.load() as u32;
        let config = Rc::new(config);
        self.known.insert(config.clone(), index);
        self.nodes.push(Node { config, parent, step, depth, control });
        self.edges.push(Vec::new());
        self.queue.push(Reverse((cost, index)));
        self.progress.states += 1;
        self.progress.depth = self.progress.depth.max(depth);
        index
    }

    fn is_above(&self, above: u32, mut below: u32) -> bool {
        let depth = self.nodes[above as usize].depth;
        while self.nodes[below as usize].depth > depth {
            below = self.nodes[below as usize].parent;
        }
        below == above
    }

    /// The configurations on the way that stand in the same place and could
    /// repeat, the nearest first.
    fn same_control(&self, index: u32) -> Vec<u32> {
        let own = &self.nodes[index as usize];
        let mut found = Vec::new();
        let mut at = index;
        while self.nodes[at as usize].step.is_some() && found.len() < BEGINNINGS {
            at = self.nodes[at as usize].parent;
            let above = &self.nodes[at as usize];
            if above.control == own.control && no_shorter(&above.config, &own.config) {
                found.push(at);
            }
        }
        found
    }

    pub fn cycle(&self, candidate: &Candidate) -> Vec<Step> {
        let mut cycle = self.way(candidate.start, candidate.end);
        cycle.extend(candidate.last);
        cycle
    }

    pub fn lasso(&self, candidate: &Candidate, cycle: Vec<Step>) -> Lasso {
        let stem = self.way(0, candidate.start);
        Lasso { stem, cycle, start: (*self.nodes[candidate.start as usize].config).clone() }
    }

    fn way(&self, from: u32, to: u32) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = to;
        while at != from {
            steps.extend(self.nodes[at as usize].step);
            at = self.nodes[at as usize].parent;
        }
        steps.reverse();
        steps
    }

    /// Cycles that come back to the very same configuration, one for each
    /// strongly connected part that has one and for each process that moves
    /// in it.
    pub fn exact_cycles(&self) -> Vec<Lasso> {
        let component = self.components();
        let mut wanted: BTreeMap<(u32, u32), (u32, Step, u32)> = BTreeMap::new();
        for (from, edges) in self.edges.iter().enumerate() {
            for (step, to) in edges {
                if component[from] == component[*to as usize] {
                    for pid in std::iter::once(step.pid).chain(step.partner.map(|(pid, _)| pid)) {
                        let edge = (from as u32, *step, *to);
                        wanted.entry((component[from], pid)).or_insert(edge);
                    }
                }
            }
        }
        let edges = wanted.into_values();
        let mut lassos: Vec<Lasso> =
            edges.filter_map(|edge| self.closed(edge, &component)).collect();
        lassos.sort_by_key(|lasso| (lasso.stem.len() + lasso.cycle.len(), lasso.cycle.len()));
        lassos
    }

    /// An edge and a shortest way back to where it begins.
    fn closed(&self, edge: (u32, Step, u32), component: &[u32]) -> Option<Lasso> {
        let (start, first, next) = edge;
        let mut before: HashMap<u32, (u32, Step)> = HashMap::new();
        let mut queue = std::collections::VecDeque::from([next]);
        while let Some(at) = queue.pop_front() {
            if at == start {
                break;
            }
            for (step, to) in &self.edges[at as usize] {
                if component[*to as usize] == component[start as usize]
                    && *to != next
                    && !before.contains_key(to)
                {
                    before.insert(*to, (at, *step));
                    queue.push_back(*to);
                }
            }
        }
        let mut cycle = Vec::new();
        let mut at = start;
        while at != next {
            let (from, step) = before.get(&at)?;
            cycle.push(*step);
            at = *from;
        }
        cycle.push(first);
        cycle.reverse();
        let config = (*self.nodes[start as usize].config).clone();
        Some(Lasso { stem: self.way(0, start), cycle, start: config })
    }

    /// The strongly connected component of every configuration with an edge: the
    /// number of the first configuration in it.
    fn components(&self) -> Vec<u32> {
        let list = |(from, edges): (usize, &Vec<(Step, u32)>)| {
            edges.iter().map(move |(_, to)| (from as u32, *to)).collect::<Vec<_>>()
        };
        let graph = DiGraph::<(), ()>::from_edges(self.edges.iter().enumerate().flat_map(list));
        let mut component = vec![u32::MAX; self.nodes.len()];
        for members in kosaraju_scc(&graph) {
            let first = members.iter().min().map_or(0, |member| member.index() as u32);
            members.iter().for_each(|member| component[member.index()] = first);
        }
        component
    }
}

/// No channel holds fewer messages: a cycle that drains one ends.
fn no_shorter(before: &Config<i64>, after: &Config<i64>) -> bool {
    let pairs = before.channels.iter().zip(&after.channels);
    pairs.into_iter().all(|(before, after)| before.messages.len() <= after.messages.len())
}
