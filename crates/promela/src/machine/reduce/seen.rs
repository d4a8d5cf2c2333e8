//! What propositions see of a state, and which steps change it: shared
//! variables, and of processes where they stand and what their variables are.
//!
//! A step may be said to change something that it does not, never the other
//! way round. Coming and going shows as soon as a proposition looks into
//! processes: a reference without a number means the first one of its type.

use std::collections::HashMap;

use crate::Marking;
use crate::code::{Place, ProcId, Program, Transition};
use crate::machine::Watched;

use super::facts::{Atom, BIRTHS, DEATHS, Facts, place_of, places, scalar_mask, written_locals};
use super::foot::Foot;

/// Something of processes that an expression looks at.
#[derive(Clone, Debug)]
pub(super) enum Sighting {
    /// Whether one stands in this state.
    Place(ProcId, u16),
    Variable(ProcId, Place),
    /// Whether one stands at such a label.
    Marking(Marking),
}

pub(super) struct Seen {
    /// By atom.
    atoms: Vec<bool>,
    /// By process type, state and transition; empty if nobody looks into
    /// processes.
    steps: Vec<Vec<Vec<bool>>>,
}

impl Seen {
    /// What is seen by propositions that touch `foot`, and by `markings`.
    /// `None` if that is something that any step may change.
    pub fn new(program: &Program, facts: &Facts, foot: &Foot, watched: &[Watched]) -> Option<Self> {
        if foot.asks || foot.waits {
            return None;
        }
        let markings = watched.iter().filter_map(|watched| match watched {
            Watched::Marking(marking) => Some(Sighting::Marking(*marking)),
            Watched::Condition(_) => None,
        });
        let sightings: Vec<Sighting> = foot.sightings.iter().cloned().chain(markings).collect();
        let mut atoms = vec![false; facts.count as usize];
        foot.reads.iter().for_each(|atom| atoms[*atom as usize] = true);
        if sightings.is_empty() {
            return Some(Seen { atoms, steps: Vec::new() });
        }
        atoms[BIRTHS as usize] = true;
        atoms[DEATHS as usize] = true;
        let numbers = 0..program.procs.len() as u16;
        let steps = numbers.map(|number| Views::new(program, ProcId(number), &sightings).steps());
        Some(Seen { atoms, steps: steps.collect() })
    }

    /// Whether a transition of a process in this state changes what is seen;
    /// `foot` is what it touches to the end of its atomic sequence.
    pub fn shows(&self, proc: ProcId, state: u16, transition: u16, foot: &Foot) -> bool {
        let shared = foot.writes.iter().any(|atom: &Atom| self.atoms[*atom as usize]);
        let Some(steps) = self.steps.get(proc.0 as usize) else { return shared };
        // A partner of a rendezvous, which may be any process, moves too.
        shared || foot.meets || steps[state as usize][transition as usize]
    }
}

/// One process type as propositions see it.
struct Views<'p> {
    program: &'p Program,
    proc: ProcId,
    /// States of one class look the same.
    classes: Vec<usize>,
    /// The bits of a process that are seen.
    variables: Vec<u64>,
}

impl<'p> Views<'p> {
    fn new(program: &'p Program, proc: ProcId, sightings: &[Sighting]) -> Self {
        let this = &program.procs[proc.0 as usize];
        let mut variables = vec![0; this.words as usize];
        let mut looks: Vec<Vec<bool>> = vec![Vec::new(); this.states.len()];
        for sighting in sightings {
            match sighting {
                Sighting::Place(of, _) | Sighting::Variable(of, _) if *of != proc => {}
                Sighting::Place(_, wanted) => {
                    let states = looks.iter_mut().enumerate();
                    states.for_each(|(state, look)| look.push(state == usize::from(*wanted)));
                }
                Sighting::Marking(marking) => {
                    let states = looks.iter_mut().zip(&this.states);
                    states.for_each(|(look, info)| look.push(info.is_marked(*marking)));
                }
                Sighting::Variable(_, place) => add_variable(&mut variables, place),
            }
        }
        let mut known: HashMap<Vec<bool>, usize> = HashMap::new();
        let class = |look: Vec<bool>| {
            let next = known.len();
            *known.entry(look).or_insert(next)
        };
        let classes = looks.into_iter().map(class).collect();
        Views { program, proc, classes, variables }
    }

    fn steps(&self) -> Vec<Vec<bool>> {
        let states = self.program.procs[self.proc.0 as usize].states.iter().enumerate();
        let shows = |from: usize, transition: &Transition| {
            let mut done = Vec::new();
            self.changes(from, transition, &mut done)
        };
        states
            .map(|(from, state)| state.transitions.iter().map(|step| shows(from, step)).collect())
            .collect()
    }

    /// Whether a transition, or one that may follow while control is kept,
    /// ends in another class than that of `from` or writes what is seen.
    fn changes(&self, from: usize, transition: &Transition, done: &mut Vec<u16>) -> bool {
        let target = transition.target;
        let written = written_locals(&transition.action, self.variables.len());
        let writes = written.iter().zip(&self.variables).any(|(own, seen)| own & seen != 0);
        if writes || self.classes[target as usize] != self.classes[from] {
            return true;
        }
        if !transition.atomic || done.contains(&target) {
            return false;
        }
        done.push(target);
        let states = &self.program.procs[self.proc.0 as usize].states;
        states[target as usize].transitions.iter().any(|next| self.changes(from, next, done))
    }
}

fn add_variable(bits: &mut [u64], place: &Place) {
    let mut add = |place: u32, width: u8| {
        if let Some(word) = bits.get_mut((place / 64) as usize) {
            *word |= scalar_mask(place, width);
        }
    };
    match place {
        Place::Cell(cell) => add(place_of(cell), cell.width.bits),
        Place::Element(element) => {
            let all = places(element, |_| None);
            all.into_iter().for_each(|place| add(place, element.width.bits));
        }
        Place::Nowhere => {}
    }
}
