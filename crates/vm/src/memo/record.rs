//! Keeps the edges of a thread while they are told, in a form in which they can be
//! told again from other states.

use std::ops::ControlFlow;

use exeunt_mem::Look;
use exeunt_model::{Choice, CompId, Edge, Pool, Sink, Target};

use super::{Asked, Known, Part, place};
use crate::state::system::System;

/// Edges that were recorded, with ranges of their own.
#[derive(Default)]
pub struct Recorded {
    pub edges: Vec<Known>,
    pub changes: Vec<(u32, CompId)>,
    pub parts: Vec<Part>,
    pub choices: Vec<Choice>,
}

/// Passes edges on and keeps what they lead to.
pub struct Recorder<'r> {
    state: &'r [CompId],
    pub pool: &'r dyn Pool,
    sink: &'r mut dyn Sink,
    /// `None` once there was one that cannot be told again.
    recorded: Option<Recorded>,
    /// Vectors of another shape, with the numbers of their edges.
    others: Vec<(usize, Vec<CompId>)>,
}

/// What the places of a vector mean.
#[derive(PartialEq, Eq)]
struct Shape<'s> {
    ended: bool,
    threads: u32,
    /// Numbers of the dynamic objects, in order.
    directory: &'s [u64],
}

impl<'s> Shape<'s> {
    fn of(system: CompId, pool: &'s dyn Pool) -> Shape<'s> {
        let words = pool.get(system);
        let mut system = System::default();
        system.decode(words);
        let System { ended, threads, .. } = system;
        Shape { ended, threads, directory: &words[system.directory_start()..] }
    }
}

impl<'r> Recorder<'r> {
    pub fn new(state: &'r [CompId], pool: &'r dyn Pool, sink: &'r mut dyn Sink) -> Recorder<'r> {
        Recorder { state, pool, sink, recorded: Some(Recorded::default()), others: Vec::new() }
    }

    /// What was recorded by a thread that looked at no more than `looks`.
    pub fn finish(self, asked: Asked<'_>, looks: &[Look]) -> Option<Recorded> {
        let mut recorded = self.recorded?;
        for (edge, vector) in &self.others {
            let start = recorded.parts.len() as u32;
            let parts = take_apart(asked, vector, looks, self.pool);
            recorded.parts.extend(parts);
            recorded.edges[*edge].parts = (start, recorded.parts.len() as u32);
        }
        Some(recorded)
    }

    fn has_same_shape(&self, vector: &[CompId]) -> bool {
        self.state[0] == vector[0]
            || Shape::of(self.state[0], self.pool) == Shape::of(vector[0], self.pool)
    }
}

/// What a vector of another shape is made of: what was not looked at is kept,
/// all the rest depends on nothing but what was.
fn take_apart(asked: Asked<'_>, vector: &[CompId], looks: &[Look], pool: &dyn Pool) -> Vec<Part> {
    let Asked { state, thread, threads } = asked;
    let (old, new) = (Shape::of(state[0], pool), Shape::of(vector[0], pool));
    if new.ended {
        return vector.iter().map(|&comp| Part::Made(comp)).collect();
    }
    let globals = state.len() - 1 - threads as usize - old.directory.len();
    let origin = |at: usize| -> Option<usize> {
        let first_global = 1 + new.threads as usize;
        match at {
            0 => None,
            at if at < first_global => (at <= threads as usize).then_some(at),
            at if at < first_global + globals => Some(at - first_global + 1 + threads as usize),
            at => {
                let number = new.directory[at - first_global - globals];
                let place = old.directory.binary_search(&number).ok()?;
                Some(1 + threads as usize + globals + place)
            }
        }
    };
    let looked = |at: usize| {
        at == 1 + thread as usize
            || looks.iter().any(|&look| place(look, threads) == Some(at as u32))
    };
    let part = |(at, &comp): (usize, &CompId)| match origin(at).filter(|&old| !looked(old)) {
        Some(old) => {
            debug_assert_eq!(state[old], comp, "what is changed is looked at");
            Part::Kept(old as u32)
        }
        None => Part::Made(comp),
    };
    vector.iter().enumerate().map(part).collect()
}

impl Sink for Recorder<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        match target {
            Target::State(vector) => {
                let same = self.has_same_shape(vector);
                if let Some(recorded) = &mut self.recorded {
                    recorded.add(edge);
                    match same {
                        true => recorded.add_changes(self.state, vector),
                        false => self.others.push((recorded.edges.len() - 1, vector.to_vec())),
                    }
                }
            }
            _ => self.recorded = None,
        }
        let flow = self.sink.edge(edge, target);
        if flow.is_break() {
            self.recorded = None;
        }
        flow
    }
}

impl Recorded {
    fn add(&mut self, edge: &Edge<'_>) {
        let choices = self.choices.len() as u32;
        self.choices.extend_from_slice(edge.choices);
        self.edges.push(Known {
            changes: (0, 0),
            parts: (0, 0),
            choices: (choices, self.choices.len() as u32),
            withheld: edge.withheld,
            reopens: edge.reopens,
            turn: edge.turn,
        });
    }

    /// What the edge added last changes.
    fn add_changes(&mut self, state: &[CompId], vector: &[CompId]) {
        let start = self.changes.len() as u32;
        let pairs = state.iter().zip(vector).enumerate();
        let changed = pairs.filter(|(_, (old, new))| old != new);
        self.changes.extend(changed.map(|(at, (_, &new))| (at as u32, new)));
        let edge = self.edges.last_mut().expect("added before");
        edge.changes = (start, self.changes.len() as u32);
    }
}
