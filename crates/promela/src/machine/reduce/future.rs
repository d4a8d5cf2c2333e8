//! What each process may still touch from where it is on.

use std::collections::HashMap;

use crate::code::ProcId;
use crate::machine::{Frame, Machine};

use super::facts::{Atom, Facts};
use super::foot::{Foot, Look, Sight};

/// Number of a set of things that may still be touched.
pub(super) type FutureId = u32;

/// Everything that may still be touched, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Future {
    pub reads: Vec<Atom>,
    pub writes: Vec<Atom>,
    pub looks: bool,
}

#[derive(Default)]
pub(super) struct Futures {
    known: HashMap<Future, FutureId>,
    list: Vec<Future>,
    /// For a process with these values for life: its futures by state.
    lives: HashMap<Vec<u64>, Vec<FutureId>>,
}

impl Futures {
    pub fn get(&self, id: FutureId) -> &Future {
        &self.list[id as usize]
    }

    /// The future of a process in the loaded state.
    pub fn of(&mut self, machine: &Machine<'_>, facts: &Facts, pid: u32) -> FutureId {
        let process = machine.memory.process(pid);
        let state = machine.memory.state_of(pid) as usize;
        let words = machine.memory.words_of(pid);
        let mut key = vec![u64::from(pid)];
        key.extend(
            facts.fixed_bits(process.proc).iter().zip(words).map(|(mask, word)| mask & word),
        );
        if let Some(life) = self.lives.get(&key) {
            return life[state];
        }
        let life = self.life(machine, facts, process.proc, machine.frame(pid));
        let id = life[state];
        self.lives.insert(key, life);
        id
    }

    /// The futures of a process in each of its states.
    fn life(
        &mut self,
        machine: &Machine<'_>,
        facts: &Facts,
        proc: ProcId,
        frame: Frame,
    ) -> Vec<FutureId> {
        let mut sets = own_touches(machine, facts, proc, frame, Sight::Life);
        let states = &machine.program.procs[proc.0 as usize].states;
        let mut changed = true;
        while changed {
            changed = false;
            for (index, state) in states.iter().enumerate().rev() {
                for transition in &state.transitions {
                    let target = transition.target as usize;
                    if target != index {
                        let later = std::mem::take(&mut sets[target]);
                        changed |= sets[index].add(&later);
                        sets[target] = later;
                    }
                }
            }
        }
        sets.into_iter().map(|set| self.intern(set.future())).collect()
    }

    fn intern(&mut self, future: Future) -> FutureId {
        if let Some(id) = self.known.get(&future) {
            return *id;
        }
        let id = self.list.len() as FutureId;
        self.known.insert(future.clone(), id);
        self.list.push(future);
        id
    }
}

/// What the statements of each state touch, with the processes they start.
fn own_touches(
    machine: &Machine<'_>,
    facts: &Facts,
    proc: ProcId,
    frame: Frame,
    sight: Sight,
) -> Vec<Touched> {
    let states = &machine.program.procs[proc.0 as usize].states;
    let mut inner = vec![false; states.len()];
    for transition in states.iter().flat_map(|state| &state.transitions) {
        inner[transition.target as usize] |= transition.atomic;
    }
    let touched = states.iter().zip(inner).map(|(state, inner)| {
        let foot = Foot::default();
        let mut look = Look { machine, facts, proc, frame, sight, inner, foot };
        state.transitions.iter().for_each(|transition| look.transition(state, transition));
        let mut set = Touched::new(facts.count);
        set.note(&look.foot);
        for child in state.transitions.iter().flat_map(|transition| children(&transition.action)) {
            for kind in &facts.offspring[child.0 as usize] {
                set.add_type(machine, facts, *kind);
            }
        }
        set
    });
    touched.collect()
}

fn children(action: &crate::code::Action) -> Vec<ProcId> {
    let mut found = Vec::new();
    super::facts::started(action, &mut |child| found.push(child));
    found
}

/// Sets of atoms as bits.
#[derive(Clone, Default)]
struct Touched {
    reads: Vec<u64>,
    writes: Vec<u64>,
    looks: bool,
}

impl Touched {
    fn new(atoms: u32) -> Self {
        let words = atoms.div_ceil(64) as usize;
        Touched { reads: vec![0; words], writes: vec![0; words], looks: false }
    }

    fn note(&mut self, foot: &Foot) {
        for atom in &foot.reads {
            self.reads[*atom as usize / 64] |= 1 << (atom % 64);
        }
        for atom in &foot.writes {
            self.writes[*atom as usize / 64] |= 1 << (atom % 64);
        }
        // A `timeout` cannot come true as long as something put off can move.
        self.looks |= foot.looks;
    }

    /// All that a process of this type can do, independent of its parent.
    fn add_type(&mut self, machine: &Machine<'_>, facts: &Facts, proc: ProcId) {
        let nobody = Frame { pid: u32::MAX, base: 0 };
        for state in &machine.program.procs[proc.0 as usize].states {
            for transition in &state.transitions {
                let foot = Foot::default();
                let (sight, inner) = (Sight::Model, true);
                let frame = nobody;
                let mut look = Look { machine, facts, proc, frame, sight, inner, foot };
                look.transition(state, transition);
                self.note(&look.foot);
            }
        }
    }

    /// Whether anything was added.
    fn add(&mut self, other: &Touched) -> bool {
        let mut changed = other.looks && !self.looks;
        self.looks |= other.looks;
        let pairs = [(&mut self.reads, &other.reads), (&mut self.writes, &other.writes)];
        for (own, more) in pairs {
            for (own, more) in own.iter_mut().zip(more) {
                changed |= more & !*own != 0;
                *own |= more;
            }
        }
        changed
    }

    fn future(&self) -> Future {
        Future { reads: atoms(&self.reads), writes: atoms(&self.writes), looks: self.looks }
    }
}

fn atoms(bits: &[u64]) -> Vec<Atom> {
    let all = 0..bits.len() as u32 * 64;
    all.filter(|atom| bits[*atom as usize / 64] >> (atom % 64) & 1 == 1).collect()
}
