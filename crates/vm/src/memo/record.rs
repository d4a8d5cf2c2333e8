//! Keeps the edges of a thread while they are told, in a form in which they can be
//! told again from other states.

use std::ops::ControlFlow;

use exeunt_ir::address::ObjId;
use exeunt_mem::{ABSENT, Look, Root};
use exeunt_model::{Choice, CompId, Edge, Pool, Sink, Target};

use super::{Asked, Known, Part, Pieced, place, range};
use crate::state::directory;
use crate::state::system::System;

/// Edges that were recorded, with ranges of their own.
#[derive(Default)]
pub struct Recorded {
    pub edges: Vec<Known>,
    pub changes: Vec<[u32; 2]>,
    pub pieced: Vec<Pieced>,
    /// With their numbers, for the changes of large objects.
    pub leaves: Vec<(u32, CompId)>,
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
    /// Which numbers of dynamic objects have a place.
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
        let Recorded { edges, changes, .. } = &mut recorded;
        for edge in edges {
            let seen = |&[at, _]: &[u32; 2]| is_seen(at as usize, asked, looks, self.pool);
            let changes = &changes[range(edge.changes)];
            edge.certain = edge.pieced.0 == edge.pieced.1 && changes.iter().all(seen);
        }
        for (edge, vector) in &self.others {
            let (start, first) = (recorded.parts.len() as u32, recorded.pieced.len() as u32);
            let parts = recorded.take_apart(asked, vector, looks, self.pool);
            recorded.parts.extend(parts);
            let pieced = (first, recorded.pieced.len() as u32);
            let edge = &mut recorded.edges[*edge];
            (edge.parts, edge.pieced) = ((start, recorded.parts.len() as u32), pieced);
            edge.certain = false;
        }
        Some(recorded)
    }

    fn has_same_shape(&self, vector: &[CompId]) -> bool {
        self.state[0] == vector[0]
            || Shape::of(self.state[0], self.pool) == Shape::of(vector[0], self.pool)
    }
}

impl Sink for Recorder<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        match target {
            Target::State(vector) => {
                let same = self.has_same_shape(vector);
                if let Some(recorded) = &mut self.recorded {
                    recorded.add(edge);
                    match same {
                        true => recorded.add_changes(self.state, vector, self.pool),
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
            pieced: (0, 0),
            parts: (0, 0),
            choices: (choices, self.choices.len() as u32),
            withheld: edge.withheld,
            reopens: edge.reopens,
            turn: edge.turn,
            certain: false,
        });
    }

    /// What the edge added last changes.
    fn add_changes(&mut self, state: &[CompId], vector: &[CompId], pool: &dyn Pool) {
        let (start, first) = (self.changes.len() as u32, self.pieced.len() as u32);
        let threads = System::thread_count(pool.get(state[0])) as usize;
        let pairs = state.iter().zip(vector).enumerate();
        for (at, (&old, &new)) in pairs.filter(|(_, (old, new))| old != new) {
            if at <= threads || !self.add_pieced(at, old, new, pool) {
                self.changes.push([at as u32, new.0]);
            }
        }
        let (end, last) = (self.changes.len() as u32, self.pieced.len() as u32);
        let edge = self.edges.last_mut().expect("added before");
        (edge.changes, edge.pieced) = ((start, end), (first, last));
    }

    /// Adds a change of a large object. `false` if it is none; then it depends on all of it.
    fn add_pieced(&mut self, at: usize, old: CompId, new: CompId, pool: &dyn Pool) -> bool {
        let roots = Root::of(pool.get(old)).zip(Root::of(pool.get(new)));
        let Some((header, leaves)) = roots.and_then(|(old, new)| old.change_to(pool, new)) else {
            return false;
        };
        let start = self.leaves.len() as u32;
        self.leaves.extend(leaves);
        let leaves = (start, self.leaves.len() as u32);
        self.pieced.push(Pieced { at: at as u32, header, leaves });
        true
    }

    /// What a vector of another shape is made of: what was not looked at is kept,
    /// all the rest depends on nothing but what was.
    fn take_apart(
        &mut self,
        asked: Asked<'_>,
        vector: &[CompId],
        looks: &[Look],
        pool: &dyn Pool,
    ) -> Vec<Part> {
        let Asked { state, threads, .. } = asked;
        let (old, new) = (Shape::of(state[0], pool), Shape::of(vector[0], pool));
        if new.ended {
            return vector.iter().map(|&comp| Part::Made(comp)).collect();
        }
        let globals = state.len() - 1 - threads as usize - directory::count(old.directory);
        let mut numbers = Vec::new();
        directory::decode(new.directory, &mut numbers);
        let origin = |at: usize| -> Option<usize> {
            let first_global = 1 + new.threads as usize;
            match at {
                0 => None,
                at if at < first_global => (at <= threads as usize).then_some(at),
                at if at < first_global + globals => Some(at - first_global + 1 + threads as usize),
                at => {
                    let number = ObjId(numbers[at - first_global - globals] as u32);
                    let place = directory::place(old.directory, number)?;
                    Some(1 + threads as usize + globals + place)
                }
            }
        };
        let looked = |at: usize| is_seen(at, asked, looks, pool);
        let first = self.pieced.len() as u32;
        let part = |(at, &comp): (usize, &CompId)| match origin(at).filter(|&old| !looked(old)) {
            Some(old) if state[old] == comp => Part::Kept { from: old as u32, count: 1 },
            // What ends is looked at, and where something begins nothing was.
            Some(old) if pool.get(state[old]) == ABSENT => Part::Made(comp),
            Some(old) => {
                let added = old > threads as usize && self.add_pieced(old, state[old], comp, pool);
                assert!(added, "what is changed is looked at");
                Part::Pieced(self.pieced.len() as u32 - 1 - first)
            }
            None => Part::Made(comp),
        };
        let mut parts = Vec::new();
        vector.iter().enumerate().map(part).for_each(|part| push(&mut parts, part));
        parts
    }
}

/// Adds a part; what is kept in a row is one.
fn push(parts: &mut Vec<Part>, part: Part) {
    if let Part::Kept { from, count } = part
        && let Some(Part::Kept { from: first, count: kept }) = parts.last_mut()
        && *first + *kept == from
    {
        *kept += count;
    } else {
        parts.push(part);
    }
}

/// Whether all of the component at a place was looked at.
fn is_seen(at: usize, asked: Asked<'_>, looks: &[Look], pool: &dyn Pool) -> bool {
    let Asked { state, thread, threads } = asked;
    let whole = |look: Look| match look {
        // Of a large object only its header.
        Look::Front(entry) => {
            1 + threads + entry == at as u32 && Root::of(pool.get(state[at])).is_none()
        }
        look => place(look, threads) == Some(at as u32),
    };
    at == 0 || at == 1 + thread as usize || looks.iter().any(|&look| whole(look))
}
