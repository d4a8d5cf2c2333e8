//! All ways in which a program can end: what it has printed by then, and how.
//!
//! States are told apart by what was printed on the way to them as well, so a
//! program that prints without end has no end of outcomes: a limit cuts that
//! off. States are visited breadth first: the schedule of an outcome is one
//! with the fewest steps.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use exeunt_model::{
    CompId, Detail, Edge, Event, Fault, Move, Schedule, Session, Sink, StateStatus, Stream, Target,
};

use crate::check::is_refuted;
use crate::limits::Meter;
use crate::options::{Options, Progress};
use crate::store::{ComponentPool, StateStore};

/// How a run comes to its end.
#[derive(Clone, Debug)]
pub enum End {
    /// The program has ended.
    Ended,
    Fault(Fault),
    /// No thread can move.
    Deadlock,
    /// It runs on for ever and prints nothing more.
    Endless,
}

impl End {
    /// Two ends with the same key are the same.
    fn key(&self) -> String {
        match self {
            End::Ended => "ended".to_string(),
            End::Fault(fault) => format!("{} {:?}", fault.message, fault.location),
            End::Deadlock => "deadlock".to_string(),
            End::Endless => "endless".to_string(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub end: End,
    pub out: Vec<u8>,
    pub err: Vec<u8>,
    pub schedule: Schedule,
}

#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    pub outcomes: Vec<Outcome>,
    /// Why there may be more; empty if these are all.
    pub missing: Vec<String>,
    /// States, told apart by what was printed as well.
    pub states: u64,
    pub interrupted: bool,
}

/// Lists all outcomes of a model, in the order in which they are found.
pub fn outcomes(
    session: &mut dyn Session,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Outcomes {
    loop {
        let found = attempt(session, options, progress);
        let stopped = found.interrupted || !found.limits.is_empty();
        if !is_refuted(session) || stopped {
            return found.outcomes;
        }
        session.renew();
    }
}

/// What one search found, and the limits it reached.
struct Attempt {
    outcomes: Outcomes,
    limits: Vec<String>,
    interrupted: bool,
}

fn attempt(
    session: &dyn Session,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Attempt {
    let pool = ComponentPool::new();
    let mut search = Search::default();
    let mut worker = session.worker(&pool);
    let mut start = Gathered::default();
    worker.initial(&mut start);
    search.add_all(None, start);
    let mut meter = Meter::new(options, progress);
    let store = StateStore::new();
    let mut next = 0;
    while let Some(node) = search.nodes.get(next) {
        meter.states = search.nodes.len() as u64;
        meter.extra = search.nodes.len() as u64 * NODE_BYTES;
        if meter.must_stop(0, &store, &pool) {
            break;
        }
        let state = node.state.clone();
        let mut gathered = Gathered::default();
        let status = worker.expand(&state, Detail::Story, None, &mut gathered);
        search.expanded(next as u32, status, gathered);
        next += 1;
    }
    if next == search.nodes.len() {
        search.find_endless();
    }
    let mut missing = meter.hit.clone();
    missing.extend(search.unsupported);
    missing.extend(session.incompleteness());
    let states = search.nodes.len() as u64;
    let interrupted = meter.interrupted;
    let outcomes = Outcomes { outcomes: search.found, missing, states, interrupted };
    Attempt { outcomes, limits: meter.hit.clone(), interrupted }
}

/// About what a state takes here, with its entry in the table.
const NODE_BYTES: u64 = 160;

/// What was printed, on both streams.
type Text = (Vec<u8>, Vec<u8>);

struct Node {
    state: Box<[CompId]>,
    text: u32,
    /// Where it was found first, and by which step.
    from: Option<(u32, Move)>,
}

#[derive(Default)]
struct Search {
    nodes: Vec<Node>,
    known: HashMap<(Box<[CompId]>, u32), u32>,
    texts: Vec<Text>,
    text_numbers: HashMap<Text, u32>,
    /// Pairs of a node and one that it leads to.
    edges: Vec<(u32, u32)>,
    /// Nodes with a step that ends the run.
    ending: HashSet<u32>,
    found: Vec<Outcome>,
    seen: HashSet<(u32, String)>,
    unsupported: Vec<String>,
}

/// One step of a state.
struct Step {
    step: Move,
    text: Text,
    target: Leads,
}

enum Leads {
    To(Box<[CompId]>),
    Fault(Fault),
    Unsupported(String),
    Nowhere,
}

#[derive(Default)]
struct Gathered {
    steps: Vec<Step>,
}

impl Sink for Gathered {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let mut text = Text::default();
        for event in edge.events {
            match event {
                Event::Output { stream: Stream::Out, bytes } => text.0.extend(bytes),
                Event::Output { stream: Stream::Err, bytes } => text.1.extend(bytes),
                Event::Did { .. }
                | Event::Accessed { .. }
                | Event::Signalled { .. }
                | Event::Within { .. }
                | Event::Opened { .. }
                | Event::Closed { .. }
                | Event::Freed { .. }
                | Event::Whim { .. } => {}
            }
        }
        let target = match target {
            Target::State(state) => Leads::To(state.into()),
            Target::Fault(fault) => Leads::Fault(fault.clone()),
            Target::Unsupported(limit) => Leads::Unsupported(limit.to_string()),
            Target::Dropped => Leads::Nowhere,
        };
        let step = Move::of(edge);
        self.steps.push(Step { step, text, target });
        ControlFlow::Continue(())
    }
}

impl Search {
    fn text_of(&mut self, from: Option<u32>, more: &Text) -> u32 {
        let before = from.map(|node| self.nodes[node as usize].text);
        if let Some(before) = before.filter(|_| more.0.is_empty() && more.1.is_empty()) {
            return before;
        }
        let mut text = before.map_or_else(Text::default, |at| self.texts[at as usize].clone());
        text.0.extend(&more.0);
        text.1.extend(&more.1);
        let next = self.texts.len() as u32;
        let number = *self.text_numbers.entry(text.clone()).or_insert(next);
        if number == next {
            self.texts.push(text);
        }
        number
    }

    fn expanded(&mut self, node: u32, status: StateStatus, gathered: Gathered) {
        let moves = gathered.steps.iter().any(|step| !step.step.withheld);
        match status {
            StateStatus::Ended => self.end(node, None, End::Ended),
            StateStatus::Running if !moves => self.end(node, None, End::Deadlock),
            StateStatus::Running => {}
        }
        self.add_all(Some(node), gathered);
    }

    fn add_all(&mut self, from: Option<u32>, gathered: Gathered) {
        for Step { step, text, target } in gathered.steps {
            let text = self.text_of(from, &text);
            match target {
                Leads::To(state) => self.add(from, step, state, text),
                Leads::Fault(fault) => match from {
                    Some(node) => self.end(node, Some((step, text)), End::Fault(fault)),
                    None => self.keep(text, End::Fault(fault), Schedule::default()),
                },
                Leads::Unsupported(what) => {
                    self.ending.extend(from);
                    if !self.unsupported.contains(&what) {
                        self.unsupported.push(what);
                    }
                }
                // A path that the program itself does not want to be seen.
                Leads::Nowhere => self.ending.extend(from),
            }
        }
    }

    fn add(&mut self, from: Option<u32>, step: Move, state: Box<[CompId]>, text: u32) {
        let next = self.nodes.len() as u32;
        let node = *self.known.entry((state.clone(), text)).or_insert(next);
        if node == next {
            let from = from.map(|from| (from, step));
            self.nodes.push(Node { state, text, from });
        }
        self.edges.extend(from.map(|from| (from, node)));
    }

    /// A run ends in a node, or by a last step from there.
    fn end(&mut self, node: u32, last: Option<(Move, u32)>, end: End) {
        self.ending.insert(node);
        let text = last.as_ref().map_or(self.nodes[node as usize].text, |(_, text)| *text);
        if self.seen.contains(&(text, end.key())) {
            return;
        }
        let mut schedule = self.schedule(node);
        schedule.moves.extend(last.map(|(step, _)| step));
        self.keep(text, end, schedule);
    }

    fn keep(&mut self, text: u32, end: End, schedule: Schedule) {
        if self.seen.insert((text, end.key())) {
            let (out, err) = self.texts[text as usize].clone();
            self.found.push(Outcome { end, out, err, schedule });
        }
    }

    fn schedule(&self, node: u32) -> Schedule {
        let mut moves = Vec::new();
        let mut at = &self.nodes[node as usize];
        while let Some((from, step)) = &at.from {
            moves.push(step.clone());
            at = &self.nodes[*from as usize];
        }
        moves.reverse();
        Schedule { moves }
    }

    /// A run that can neither end nor print any more is an outcome, too.
    fn find_endless(&mut self) {
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for &(from, to) in &self.edges {
            sources[to as usize].push(from);
        }
        let text = |node: u32| self.nodes[node as usize].text;
        let prints = self.edges.iter().filter(|(from, to)| text(*from) != text(*to));
        let mut waiting: Vec<u32> = prints.map(|(from, _)| *from).collect();
        waiting.extend(&self.ending);
        // What leads to an end or to more output is on its way somewhere.
        let mut leads_on = vec![false; self.nodes.len()];
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut leads_on[node as usize], true) {
                waiting.extend(&sources[node as usize]);
            }
        }
        for node in (0..self.nodes.len() as u32).filter(|&node| !leads_on[node as usize]) {
            self.end(node, None, End::Endless);
        }
    }
}
