//! The states that one worker stores, numbered in the order in which they came, and
//! where each was reached from.

use std::collections::HashMap;

use exeunt_model::{ChoiceKind, CompId};

use super::wire::{Reader, put, put_all};
use crate::explore::{Label, LabelId, Labels};
use crate::store::{ComponentPool, StateId, StateStore};

/// The number of a state among those of its worker.
pub type Number = u32;

/// How a transition matters to whether what follows can be kept open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The scheduler can make it, and the environment cannot prevent it.
    Forced,
    /// The environment chose something on it.
    Chosen,
    /// The environment may withhold it for ever.
    Withheld,
    /// Leads into the initial state.
    Initial,
}

impl Kind {
    pub fn code(self) -> u64 {
        match self {
            Kind::Forced => 0,
            Kind::Chosen => 1,
            Kind::Withheld => 2,
            Kind::Initial => 3,
        }
    }

    pub fn of_code(code: u64) -> Kind {
        match code {
            0 => Kind::Forced,
            1 => Kind::Chosen,
            2 => Kind::Withheld,
            _ => Kind::Initial,
        }
    }
}

/// A transition into a state: which one, of which state of which worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    pub worker: usize,
    pub state: Number,
    /// Its place among the transitions of that state.
    pub place: u16,
    pub kind: Kind,
}

/// As many workers and transitions of one state can be told apart.
pub const MOST_WORKERS: usize = 1 << 14;
pub const MOST_PLACES: usize = u16::MAX as usize;

impl Origin {
    pub fn initial() -> Origin {
        Origin { worker: 0, state: 0, place: 0, kind: Kind::Initial }
    }

    pub fn pack(self) -> u64 {
        let (state, place) = (u64::from(self.state), u64::from(self.place));
        state << 32 | place << 16 | (self.worker as u64) << 2 | self.kind.code()
    }

    pub fn unpack(word: u64) -> Origin {
        Origin {
            worker: (word >> 2) as usize & (MOST_WORKERS - 1),
            state: (word >> 32) as u32,
            place: (word >> 16) as u16,
            kind: Kind::of_code(word & 3),
        }
    }
}

/// What was seen when a state was expanded.
pub const OUT: u8 = 1;
pub const REOPENS: u8 = 2;
/// In no stuck set of the program.
pub const REMOVED: u8 = 4;

const END: u32 = u32::MAX;

pub struct Part<'a> {
    pub pool: &'a ComponentPool,
    pub store: StateStore,
    /// By number of the state.
    stored: Vec<StateId>,
    /// The number of each stored state.
    numbers: Vec<Number>,
    /// The first state that is not expanded; those after it are not either.
    pub next: Number,
    /// Whether all transitions into a state are kept, or only the first.
    keeps_all: bool,
    /// Lists of transitions into each state, the newest first.
    newest: Vec<u32>,
    origins: Vec<u64>,
    older: Vec<u32>,
    pub flags: Vec<u8>,
    /// States in which the environment chooses, and what is written on their transitions.
    choosing: HashMap<Number, u32>,
    /// Transitions of these that lead to no state.
    nowhere: HashMap<Number, Box<[u16]>>,
    shapes: Vec<Box<[LabelId]>>,
    shape_numbers: HashMap<Box<[LabelId]>, u32>,
    pub labels: Labels,
}

impl<'a> Part<'a> {
    pub fn new(pool: &'a ComponentPool, keeps_all: bool) -> Part<'a> {
        Part {
            pool,
            store: StateStore::new(),
            stored: Vec::new(),
            numbers: Vec::new(),
            next: 0,
            keeps_all,
            newest: Vec::new(),
            origins: Vec::new(),
            older: Vec::new(),
            flags: Vec::new(),
            choosing: HashMap::new(),
            nowhere: HashMap::new(),
            shapes: Vec::new(),
            shape_numbers: HashMap::new(),
            labels: Labels::default(),
        }
    }

    pub fn len(&self) -> u32 {
        self.stored.len() as u32
    }

    /// A transition leads to this state; whether the state is new.
    pub fn arrive(&mut self, state: &[CompId], origin: u64) -> bool {
        let (id, new) = self.store.insert(state);
        let at = id.0 as usize;
        if new {
            if self.numbers.len() <= at {
                self.numbers.resize((at + 1).max(self.numbers.len() * 3 / 2), END);
            }
            self.numbers[at] = self.len();
            self.stored.push(id);
            self.newest.push(END);
            self.flags.push(0);
        }
        if new || self.keeps_all {
            let number = self.numbers[at] as usize;
            let last = u32::try_from(self.origins.len()).expect("fewer than 2^32 transitions");
            self.older.push(std::mem::replace(&mut self.newest[number], last));
            self.origins.push(origin);
        }
        new
    }

    /// Stores a state that an earlier run had, in the order of that run.
    pub fn restore(&mut self, state: &[CompId]) {
        let all = std::mem::replace(&mut self.keeps_all, false);
        let new = self.arrive(state, 0);
        debug_assert!(new, "states are stored once");
        self.keeps_all = all;
    }

    /// Writes the components of a state.
    pub fn load_again(&self, state: Number, out: &mut Vec<CompId>) {
        self.store.load(self.stored[state as usize], out);
    }

    /// Writes the components of a state, and prepares for its successors.
    pub fn load(&mut self, state: Number, out: &mut Vec<CompId>) {
        self.store.load_near(self.stored[state as usize], out);
    }

    /// The transitions into a state, the newest first.
    pub fn origins(&self, state: Number) -> impl Iterator<Item = Origin> + '_ {
        let some = |at: u32| Some(at).filter(|&at| at != END);
        let first = some(self.newest[state as usize]);
        let list = std::iter::successors(first, move |&at| some(self.older[at as usize]));
        list.map(|at| Origin::unpack(self.origins[at as usize]))
    }

    /// The transition by which a state was found.
    pub fn first_origin(&self, state: Number) -> Origin {
        self.origins(state).last().expect("every state was found somehow")
    }

    /// Notes what is written on the transitions of a state in which the environment chooses, and
    /// which of them lead to no state.
    pub fn set_shape(&mut self, state: Number, labels: &[LabelId], nowhere: &[u16]) {
        if !nowhere.is_empty() {
            self.nowhere.insert(state, nowhere.into());
        }
        let number = match self.shape_numbers.get(labels) {
            Some(&number) => number,
            None => {
                let number = self.shapes.len() as u32;
                self.shapes.push(labels.into());
                self.shape_numbers.insert(labels.into(), number);
                number
            }
        };
        self.choosing.insert(state, number);
    }

    /// What is written on the transitions of a state, if the environment chooses there.
    pub fn shape(&self, state: Number) -> Option<Vec<&Label>> {
        let labels = &self.shapes[*self.choosing.get(&state)? as usize];
        Some(labels.iter().map(|&label| self.labels.get(label)).collect())
    }

    /// The places of transitions that lead to no state, where the environment chooses.
    pub fn nowhere(&self, state: Number) -> &[u16] {
        self.nowhere.get(&state).map_or(&[], |places| places)
    }

    /// The first state that is not removed.
    pub fn first_left(&self) -> Option<Number> {
        let left = self.flags.iter().position(|flags| flags & REMOVED == 0);
        left.map(|number| number as Number)
    }

    /// Bytes besides those of the store.
    pub fn bytes(&self) -> u64 {
        let lists = self.origins.capacity() * 8 + self.older.capacity() * 4;
        let states =
            (self.stored.capacity() + self.numbers.capacity() + self.newest.capacity()) * 4;
        let choosing = self.choosing.capacity() * 16;
        (lists + states + self.flags.capacity() + choosing) as u64
    }

    /// Whether there is no room for more transitions.
    pub fn is_full(&self) -> bool {
        self.origins.len() >= (u32::MAX - (1 << 24)) as usize
    }
}

/// What is kept of a part in a checkpoint besides its states.
impl Part<'_> {
    pub fn write_rest(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.next));
        out.extend_from_slice(&self.flags);
        put_all(out, &self.newest, |out, &at| put(out, u64::from(at)));
        put_all(out, &self.origins, |out, &origin| put(out, origin));
        put_all(out, &self.older, |out, &at| put(out, u64::from(at)));
        put_all(out, self.labels.all(), write_label);
        put_all(out, &self.shapes, |out, shape| {
            put_all(out, shape, |out, label| put(out, u64::from(label.0)));
        });
        let choosing: Vec<(Number, u32)> = self.choosing.iter().map(|(&s, &n)| (s, n)).collect();
        put_all(out, &choosing, |out, &(state, shape)| {
            put(out, u64::from(state));
            put(out, u64::from(shape));
        });
        let nowhere: Vec<_> = self.nowhere.iter().collect();
        put_all(out, &nowhere, |out, (state, places)| {
            put(out, u64::from(**state));
            put_all(out, places, |out, &place| put(out, u64::from(place)));
        });
    }

    /// Reads it into a part that has the states.
    pub fn read_rest(&mut self, letter: &mut Reader<'_>) {
        self.next = letter.take() as Number;
        let (flags, rest) = letter.0.split_at(self.stored.len());
        self.flags = flags.to_vec();
        letter.0 = rest;
        self.newest = letter.all(|letter| letter.take() as u32);
        self.origins = letter.all(Reader::take);
        self.older = letter.all(|letter| letter.take() as u32);
        self.labels = Labels::default();
        let labels = letter.all(read_label);
        let labels: Vec<LabelId> =
            labels.into_iter().map(|label| self.labels.intern(label)).collect();
        let shape = |letter: &mut Reader<'_>| letter.all(|letter| labels[letter.take() as usize]);
        let shapes = letter.all(shape);
        for (state, shape) in letter.all(|letter| (letter.take() as Number, letter.take())) {
            self.set_shape(state, &shapes[shape as usize], &[]);
        }
        let places = |letter: &mut Reader<'_>| letter.all(|letter| letter.take() as u16);
        for (state, places) in letter.all(|letter| (letter.take() as Number, places(letter))) {
            self.nowhere.insert(state, places.into());
        }
    }
}

fn write_label(out: &mut Vec<u8>, label: &Label) {
    let flags = u64::from(label.withheld) | u64::from(label.reopens) << 1;
    put(out, u64::from(label.actor));
    put(out, flags);
    put_all(out, &label.choices, |out, &(kind, value)| {
        put(out, u64::from(value) << 1 | u64::from(kind == ChoiceKind::Environment));
    });
}

fn read_label(letter: &mut Reader<'_>) -> Label {
    let (actor, flags) = (letter.take() as u32, letter.take());
    let choices = letter.all(|letter| {
        let code = letter.take();
        let kind = match code & 1 {
            1 => ChoiceKind::Environment,
            _ => ChoiceKind::Scheduler,
        };
        (kind, (code >> 1) as u32)
    });
    Label { actor, choices, withheld: flags & 1 != 0, reopens: flags & 2 != 0 }
}
