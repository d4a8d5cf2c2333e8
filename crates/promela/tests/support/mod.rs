//! A plain explorer for tests: every state, breadth first, nothing clever.

#![allow(dead_code)]

pub mod spin;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use exeunt_model::{
    Basis, CompId, Detail, Edge, Fault, Model, Move, Pool, Schedule, Sink, StateStatus, Target,
};
use exeunt_promela::{Diagnostic, PromelaModel, PromelaOptions, load};

/// Components in a map, each leaked once so that references stay valid.
#[derive(Default)]
pub struct MapPool {
    inner: std::sync::Mutex<Components>,
}

#[derive(Default)]
struct Components {
    ids: HashMap<&'static [u64], CompId>,
    words: Vec<&'static [u64]>,
}

impl Pool for MapPool {
    fn intern(&self, words: &[u64]) -> CompId {
        let mut inner = self.inner.lock().expect("no test panics while interning");
        if let Some(id) = inner.ids.get(words) {
            return *id;
        }
        let kept: &'static [u64] = Box::leak(words.to_vec().into_boxed_slice());
        let id = CompId(inner.words.len() as u32);
        inner.words.push(kept);
        inner.ids.insert(kept, id);
        id
    }

    fn get(&self, id: CompId) -> &[u64] {
        self.inner.lock().expect("no test panics while interning").words[id.0 as usize]
    }
}

/// What a full exploration found.
#[derive(Debug, Default)]
pub struct Found {
    pub states: u64,
    /// Counted as SPIN does: the initial state is one.
    pub transitions: u64,
    pub deadlocks: u64,
    pub faults: Vec<Fault>,
    pub unsupported: u64,
    /// The first way to each fault or deadlock, as a schedule.
    pub ways: Vec<Schedule>,
}

impl Found {
    pub fn is_violated(&self) -> bool {
        self.deadlocks > 0 || !self.faults.is_empty()
    }
}

#[derive(Default)]
struct Collect {
    edges: Vec<(Move, Option<Vec<CompId>>, Option<Fault>)>,
    unsupported: u64,
}

impl Sink for Collect {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let step = Move::of(edge);
        match target {
            Target::State(state) => self.edges.push((step, Some(state.to_vec()), None)),
            Target::Fault(fault) => self.edges.push((step, None, Some(fault.clone()))),
            Target::Unsupported(_) => self.unsupported += 1,
            Target::Dropped => {}
        }
        ControlFlow::Continue(())
    }
}

/// Explores all states; there must not be more than `limit`.
pub fn explore(model: &PromelaModel, limit: usize) -> Found {
    explore_within(model, limit).unwrap_or_else(|| panic!("more than {limit} states"))
}

/// Explores all states, or gives up at `limit`.
pub fn explore_within(model: &PromelaModel, limit: usize) -> Option<Found> {
    let pool = MapPool::default();
    let session = model.open(Basis::Learnt);
    let mut worker = session.worker(&pool);
    let mut found = Found::default();
    let mut known: HashMap<Vec<CompId>, usize> = HashMap::new();
    let mut states: Vec<Vec<CompId>> = Vec::new();
    let mut parents: Vec<Option<(usize, Move)>> = Vec::new();
    let mut first = Collect::default();
    worker.initial(&mut first);
    for (_, state, fault) in first.edges {
        found.faults.extend(fault);
        if let Some(state) = state {
            found.transitions += 1;
            known.insert(state.clone(), 0);
            states.push(state);
            parents.push(None);
        }
    }
    let mut next = 0;
    while next < states.len() {
        let state = states[next].clone();
        let mut out = Collect::default();
        let status = worker.expand(&state, Detail::Targets, None, &mut out);
        if out.edges.is_empty() && out.unsupported == 0 && status == StateStatus::Running {
            found.deadlocks += 1;
            found.ways.push(way(&parents, next, None));
        }
        found.unsupported += out.unsupported;
        for (step, target, fault) in out.edges {
            if let Some(fault) = fault
                && !found.faults.contains(&fault)
            {
                found.ways.push(way(&parents, next, Some(step.clone())));
                found.faults.push(fault);
            }
            let Some(target) = target else { continue };
            found.transitions += 1;
            if known.contains_key(&target) {
                continue;
            }
            known.insert(target.clone(), states.len());
            states.push(target);
            parents.push(Some((next, step)));
            if states.len() > limit {
                return None;
            }
        }
        next += 1;
    }
    found.states = states.len() as u64;
    Some(found)
}

fn way(parents: &[Option<(usize, Move)>], from: usize, last: Option<Move>) -> Schedule {
    let mut moves: Vec<Move> = last.into_iter().collect();
    let mut at = from;
    while let Some((before, step)) = &parents[at] {
        moves.push(step.clone());
        at = *before;
    }
    moves.reverse();
    Schedule { moves }
}

/// Follows a schedule; the text of each step, and the fault at its end.
pub fn replay(model: &PromelaModel, schedule: &Schedule) -> (Vec<String>, Option<Fault>) {
    struct Last {
        edges: usize,
        state: Option<Vec<CompId>>,
        fault: Option<Fault>,
        texts: Vec<String>,
    }
    impl Sink for Last {
        fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
            self.edges += 1;
            for event in edge.events {
                if let exeunt_model::Event::Did { location, text } = event {
                    self.texts.push(format!("{}:{} {text}", edge.actor, location.line));
                }
            }
            match target {
                Target::State(state) => self.state = Some(state.to_vec()),
                Target::Fault(fault) => self.fault = Some(fault.clone()),
                _ => {}
            }
            ControlFlow::Continue(())
        }
    }
    let pool = MapPool::default();
    let session = model.open(Basis::Learnt);
    let mut worker = session.worker(&pool);
    let mut last = Last { edges: 0, state: None, fault: None, texts: Vec::new() };
    worker.initial(&mut last);
    for step in &schedule.moves {
        let state = last.state.take().expect("a schedule goes on from a state");
        last.edges = 0;
        let only = step.only();
        worker.expand(&state, Detail::Story, Some(only), &mut last);
        assert_eq!(last.edges, 1, "move {step} names one edge");
    }
    (last.texts, last.fault)
}

pub fn load_text(name: &str, text: &str) -> Result<PromelaModel, Vec<Diagnostic>> {
    load_with(name, text, &PromelaOptions::default())
}

pub fn load_with(
    name: &str,
    text: &str,
    options: &PromelaOptions,
) -> Result<PromelaModel, Vec<Diagnostic>> {
    let folder = std::env::temp_dir().join(format!("exeunt-promela-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for test models");
    let path = folder.join(format!("{name}.pml"));
    std::fs::write(&path, text).expect("writing a test model");
    load(&path, options)
}

pub fn load_file(path: &Path, options: &PromelaOptions) -> PromelaModel {
    load(path, options).unwrap_or_else(|errors| {
        let texts: Vec<String> = errors.iter().map(Diagnostic::to_string).collect();
        panic!("{}: {}", path.display(), texts.join("\n"))
    })
}

/// Remembers the last state it was given.
#[derive(Default)]
pub struct States {
    pub last: Option<Vec<CompId>>,
}

impl Sink for States {
    fn edge(&mut self, _: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if let Target::State(state) = target {
            self.last = Some(state.to_vec());
        }
        ControlFlow::Continue(())
    }
}
