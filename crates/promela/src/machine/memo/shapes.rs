//! The kinds of states: which components they have, and where processes are.

use std::collections::HashMap;

use exeunt_model::{CompId, Pool};

use super::MOST_COMPONENTS;
use crate::code::{ProcId, Program, header};

/// More kinds of states than this are not remembered.
const MOST_SHAPES: usize = 1 << 12;
/// After so many tries a control state must have been found often enough.
const TRIAL: u32 = 1 << 11;

/// The kinds of the components of a state: what processes there are.
struct Shape {
    procs: Box<[ProcId]>,
    /// Components of such a state.
    length: usize,
    /// For each process, where its component is, and where its control states
    /// begin in `places`.
    processes: Box<[(u32, u32)]>,
    places: Vec<Place>,
}

/// A control state of one process.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    /// The components that were ever touched from here.
    pub mask: u64,
    pub tries: u32,
    pub hits: u32,
}

impl Place {
    /// Whether remembering does not pay here.
    pub fn is_hopeless(self) -> bool {
        self.tries >= TRIAL && self.hits < self.tries / 4
    }
}

/// All shapes, and that of the state at hand.
#[derive(Default)]
pub(super) struct Shapes {
    /// By component: the first word of it, as far as it is a header, plus one.
    headers: Vec<u32>,
    list: Vec<Shape>,
    known: HashMap<Box<[ProcId]>, u32>,
    now: u32,
    /// The places of the processes of the state at hand.
    at: Vec<u32>,
}

impl Shapes {
    /// The shape of the state at hand.
    pub fn number(&self) -> u32 {
        self.now
    }

    pub fn process_count(&self) -> u32 {
        self.at.len() as u32
    }

    pub fn place(&self, pid: u32) -> &Place {
        &self.list[self.now as usize].places[self.at[pid as usize] as usize]
    }

    pub fn place_mut(&mut self, pid: u32) -> &mut Place {
        &mut self.list[self.now as usize].places[self.at[pid as usize] as usize]
    }

    fn header(&mut self, id: CompId, pool: &dyn Pool) -> u32 {
        match self.headers.get(id.0 as usize) {
            Some(&header) if header > 0 => header - 1,
            _ => self.read_header(id, pool),
        }
    }

    #[cold]
    fn read_header(&mut self, id: CompId, pool: &dyn Pool) -> u32 {
        let at = id.0 as usize;
        if self.headers.len() <= at {
            self.headers.resize((at + 1).max(self.headers.len() * 2), 0);
        }
        let header = pool.get(id)[0] as u32 & ((1 << header::PRIORITY_SHIFT) - 1);
        self.headers[at] = header + 1;
        header
    }

    /// Gets ready for a state; `false` if it is not of a kind that can be
    /// remembered.
    pub fn arrive(&mut self, state: &[CompId], program: &Program, pool: &dyn Pool) -> bool {
        if state.len() > MOST_COMPONENTS {
            return false;
        }
        let holder = u64::from(self.header(state[0], pool)) & header::HOLDER_MASK;
        holder == 0 && (self.fits(state, pool) || self.change_shape(state, program, pool))
    }

    /// Whether the state has the same shape as the one before.
    fn fits(&mut self, state: &[CompId], pool: &dyn Pool) -> bool {
        let Shapes { headers, list, at, .. } = self;
        let Some(shape) = list.get(self.now as usize) else { return false };
        if shape.length != state.len() {
            return false;
        }
        at.clear();
        for (proc, (component, places)) in shape.procs.iter().zip(&shape.processes) {
            let id = state[*component as usize];
            let header = match headers.get(id.0 as usize) {
                Some(&header) if header > 0 => header - 1,
                _ => {
                    self.read_header(id, pool);
                    return self.fits(state, pool);
                }
            };
            if header & ((1 << header::TYPE_BITS) - 1) != u32::from(proc.0) {
                return false;
            }
            at.push(places + (header >> header::STATE_SHIFT));
        }
        true
    }

    /// Finds out the shape of a state.
    fn change_shape(&mut self, state: &[CompId], program: &Program, pool: &dyn Pool) -> bool {
        let buffered = |channels: &[crate::code::ChanDeclId]| {
            channels.iter().filter(|id| program.channels[id.0 as usize].capacity > 0).count()
        };
        let mut procs = Vec::new();
        let mut processes = Vec::new();
        let mut component = program.fixed_components();
        let mut places = 0;
        while component < state.len() {
            let header = self.header(state[component], pool);
            let proc = ProcId((header & ((1 << header::TYPE_BITS) - 1)) as u16);
            let code = &program.procs[proc.0 as usize];
            procs.push(proc);
            processes.push((component as u32, places));
            places += code.states.len() as u32;
            component += 1 + buffered(&code.channels);
        }
        let procs = procs.into_boxed_slice();
        if let Some(&known) = self.known.get(&procs) {
            self.now = known;
        } else {
            if self.list.len() == MOST_SHAPES {
                return false;
            }
            self.now = self.list.len() as u32;
            self.known.insert(procs.clone(), self.now);
            self.list.push(Shape {
                procs,
                length: state.len(),
                processes: processes.into_boxed_slice(),
                places: vec![Place::default(); places as usize],
            });
        }
        self.fits(state, pool)
    }
}
