//! Depth first, remembering of each state only some bits: for what does not
//! fit. States that look like seen ones are missed, so nothing is ever
//! established, but every fault found is real. Components are not known, so
//! sections are not judged.

mod bits;
mod fingerprints;

use std::ops::ControlFlow;

use exeunt_model::{CompId, Detail, Edge, Fault, Move, Sink, StateStatus, Target, Unsupported};

use super::{Finding, Graph, Observer};
use crate::limits::Meter;
use crate::options::Memory;
use crate::store::StateId;

use bits::Bits;
use fingerprints::Fingerprints;

/// What is remembered of states.
enum Seen {
    Bits(Bits),
    Fingerprints(Fingerprints),
}

impl Seen {
    fn new(memory: Memory) -> Seen {
        match memory {
            Memory::Bits { bytes } => Seen::Bits(Bits::new(bytes)),
            Memory::Fingerprints | Memory::Exact => Seen::Fingerprints(Fingerprints::default()),
        }
    }

    /// Whether a state with this hash has not been seen, as far as is known.
    fn insert(&mut self, hash: (u64, u64)) -> bool {
        match self {
            Seen::Bits(bits) => bits.insert(hash),
            Seen::Fingerprints(fingerprints) => fingerprints.insert(hash.0),
        }
    }

    /// Makes room for further states before it is needed, within what memory
    /// there is. Returns `false` if there is too little.
    fn make_room(&mut self, room: impl FnOnce() -> u64) -> bool {
        match self {
            Seen::Bits(_) => true,
            Seen::Fingerprints(prints) => !prints.is_nearly_full() || prints.grow(room()),
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Seen::Bits(bits) => bits.bytes(),
            Seen::Fingerprints(fingerprints) => fingerprints.bytes(),
        }
    }

    /// The number of states that were probably taken for others.
    fn missed(&self) -> f64 {
        match self {
            Seen::Bits(bits) => bits.missed(),
            Seen::Fingerprints(fingerprints) => fingerprints.missed(),
        }
    }
}

/// What a lossy search has to say about itself.
#[derive(Clone, Copy, Debug)]
pub struct Coverage {
    pub states: u64,
    /// Bytes used for remembering them.
    pub bytes: u64,
    /// The estimated part of the states met that were not taken for others.
    pub part: f64,
}

/// A state on the path, with what is left to visit from it.
struct Frame {
    /// Where its vector and those of its successors begin.
    start: usize,
    /// The length of its vector.
    len: usize,
    /// Where the next successor ends; they are taken from the back.
    end: usize,
}

struct Search<'g, 'a> {
    graph: &'g mut Graph<'a>,
    seen: Seen,
    frames: Vec<Frame>,
    /// For each frame its vector, then its new successors, each followed by
    /// its length.
    words: Vec<u32>,
    vector: Vec<CompId>,
    found: Found,
    states: u64,
}

/// What an expansion gave besides new states.
#[derive(Default)]
struct Found {
    faults: Vec<(Move, Fault)>,
    moves: u32,
    open_end: bool,
}

/// Explores from the initial state, as much as memory tells apart. Returns
/// whether it came to an end, and how much was probably missed.
pub fn lossy(
    graph: &mut Graph<'_>,
    memory: Memory,
    meter: &mut Meter<'_>,
    observer: &mut dyn Observer,
) -> (ControlFlow<(), bool>, Coverage) {
    let mut search = Search {
        graph,
        seen: Seen::new(memory),
        frames: Vec::new(),
        words: Vec::new(),
        vector: Vec::new(),
        found: Found::default(),
        states: 0,
    };
    let result = search.run(meter, observer);
    let coverage = Coverage {
        states: search.states,
        bytes: search.seen.bytes(),
        part: search.states as f64 / (search.states as f64 + search.seen.missed()),
    };
    (result, coverage)
}

impl Search<'_, '_> {
    fn run(&mut self, meter: &mut Meter<'_>, observer: &mut dyn Observer) -> ControlFlow<(), bool> {
        let Some(initial) = self.graph.initial else { return ControlFlow::Continue(true) };
        let vector = self.graph.vector(initial);
        self.seen.insert(hash(&vector));
        let mut complete = self.enter(vector, meter, observer)?;
        while let Some(frame) = self.frames.last_mut() {
            if frame.end == frame.start + frame.len {
                self.words.truncate(frame.start);
                self.frames.pop();
                continue;
            }
            let len = self.words[frame.end - 1] as usize;
            let from = frame.end - 1 - len;
            frame.end = from;
            let next = self.words[from..from + len].iter().map(|&word| CompId(word)).collect();
            let depth = self.frames.len() as u64 - 1;
            meter.extra = self.bytes();
            meter.states = self.states;
            if meter.must_stop(depth, &self.graph.store, self.graph.pool) {
                return ControlFlow::Continue(false);
            }
            let Search { graph, seen, .. } = self;
            if !seen.make_room(|| meter.room(&graph.store, graph.pool)) {
                meter.out_of_memory();
                return ControlFlow::Continue(false);
            }
            complete &= self.enter(next, meter, observer)?;
        }
        ControlFlow::Continue(complete)
    }

    fn bytes(&self) -> u64 {
        let stack = self.frames.capacity() * size_of::<Frame>() + self.words.capacity() * 4;
        self.seen.bytes() + stack as u64
    }

    /// Visits a new state. Returns `false` if it was too deep to expand.
    fn enter(
        &mut self,
        vector: Vec<CompId>,
        meter: &mut Meter<'_>,
        observer: &mut dyn Observer,
    ) -> ControlFlow<(), bool> {
        self.states += 1;
        let start = self.words.len();
        let len = vector.len();
        self.words.extend(vector.iter().map(|comp| comp.0));
        self.vector = vector;
        if meter.too_deep(self.frames.len() as u64) {
            self.frames.push(Frame { start, len, end: start + len });
            return ControlFlow::Continue(false);
        }
        let status = self.expand(meter);
        self.frames.push(Frame { start, len, end: self.words.len() });
        let found = std::mem::take(&mut self.found);
        let stuck = found.moves == 0 && status == StateStatus::Running && !found.open_end;
        for (step, fault) in found.faults {
            self.tell(Finding::Fault { step, fault }, observer)?;
        }
        if stuck {
            let state = self.stored(self.frames.len() - 1);
            self.tell(Finding::Deadlock { state }, observer)?;
        }
        ControlFlow::Continue(true)
    }

    fn tell(&mut self, finding: Finding, observer: &mut dyn Observer) -> ControlFlow<()> {
        if observer.is_known(&finding, self.graph) {
            return ControlFlow::Continue(());
        }
        let path = self.path();
        observer.found(finding, self.graph, &path)
    }

    fn expand(&mut self, meter: &mut Meter<'_>) -> StateStatus {
        let Search { graph, seen, words, vector, found, .. } = self;
        let unsupported = &mut graph.unsupported;
        let mut collect = Collect { seen, words, found, unsupported, transitions: 0, new: 0 };
        let status = graph.worker.expand(vector, Detail::Targets, None, &mut collect);
        meter.transitions += collect.transitions;
        meter.revisits += collect.transitions - collect.new;
        status
    }

    /// The states on the path, which are stored now, for the story.
    fn path(&mut self) -> Vec<StateId> {
        (0..self.frames.len()).map(|at| self.stored(at)).collect()
    }

    /// The state of a frame, stored.
    fn stored(&mut self, at: usize) -> StateId {
        let frame = &self.frames[at];
        let words = &self.words[frame.start..frame.start + frame.len];
        let vector: Vec<CompId> = words.iter().map(|&word| CompId(word)).collect();
        self.graph.store.insert(&vector).0
    }
}

struct Collect<'c> {
    seen: &'c mut Seen,
    words: &'c mut Vec<u32>,
    found: &'c mut Found,
    unsupported: &'c mut Vec<Unsupported>,
    transitions: u64,
    new: u64,
}

impl Sink for Collect<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        self.found.moves += !edge.withheld as u32;
        match target {
            Target::State(vector) => {
                self.transitions += 1;
                if self.seen.insert(hash(vector)) {
                    self.new += 1;
                    self.words.extend(vector.iter().map(|comp| comp.0));
                    self.words.push(vector.len() as u32);
                }
            }
            Target::Fault(fault) => {
                let step = Move::of(edge);
                self.found.faults.push((step, fault.clone()));
            }
            Target::Unsupported(limit) => {
                if !self.unsupported.contains(limit) {
                    self.unsupported.push(limit.clone());
                }
                self.found.open_end = true;
            }
            Target::Dropped => self.found.open_end = true,
        }
        ControlFlow::Continue(())
    }
}

/// Two independent hashes of a vector.
fn hash(vector: &[CompId]) -> (u64, u64) {
    const A: u64 = 0x9e37_79b9_7f4a_7c15;
    const B: u64 = 0xc2b2_ae3d_27d4_eb4f;
    let mut a = vector.len() as u64;
    let mut b = !a;
    for comp in vector {
        a = (a ^ comp.0 as u64).wrapping_mul(A);
        a ^= a >> 32;
        b = (b.rotate_left(23) ^ comp.0 as u64).wrapping_mul(B);
        b ^= b >> 29;
    }
    (a.wrapping_mul(B) ^ (a >> 31), b.wrapping_mul(A) ^ (b >> 33))
}
