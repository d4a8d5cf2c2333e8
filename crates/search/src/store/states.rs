//! All states: vectors of components in, numbers out, and back.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crossbeam_epoch::Guard;
use exeunt_model::CompId;

use super::columns::contribution;
use super::records::{Open, Records, Shape, hash_numbers};

/// A stored state. Numbers are in order of discovery, but not all are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// All states seen so far, for other hands on them.
pub struct States(Arc<Records>);

impl States {
    /// A hand for the thread that calls.
    pub fn hand(&self) -> StateStore {
        StateStore::on(Arc::clone(&self.0))
    }
}

/// A hand on all states seen so far, which belongs to one thread.
pub struct StateStore {
    records: Arc<Records>,
    guard: Guard,
    /// By length of vector: its shape, and the block that this hand fills.
    shapes: Vec<Option<(Arc<Shape>, Open)>>,
    /// The state loaded last: its components, their numbers and their hash.
    /// Most insertions are successors of it, with few other components.
    near: Vec<CompId>,
    near_numbers: Vec<u32>,
    near_hash: u64,
    /// Vectors to be inserted, as numbers one behind the other.
    staged: Vec<Staged>,
    numbers: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Staged {
    start: usize,
    len: usize,
    hash: u64,
}

impl Default for StateStore {
    fn default() -> StateStore {
        StateStore::new()
    }
}

impl StateStore {
    pub fn new() -> StateStore {
        StateStore::on(Arc::default())
    }

    /// For other hands on the same states.
    pub fn states(&self) -> States {
        States(Arc::clone(&self.records))
    }

    fn on(records: Arc<Records>) -> StateStore {
        StateStore {
            records,
            guard: crossbeam_epoch::pin(),
            shapes: Vec::new(),
            near: Vec::new(),
            near_numbers: Vec::new(),
            near_hash: hash_numbers(&[]),
            staged: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// Lets go of what only this hand still holds on to; to be called while
    /// it has nothing to do.
    pub fn rest(&mut self) {
        self.guard.repin();
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.records.count.load(Ordering::Relaxed) as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All numbers of states are below this.
    pub fn limit(&self) -> usize {
        self.records.limit() as usize
    }

    /// The number of a state, and whether it is new.
    pub fn insert(&mut self, state: &[CompId]) -> (StateId, bool) {
        debug_assert!(self.staged.is_empty());
        let staged = self.translate(state);
        let result = self.insert_numbers(staged);
        self.numbers.clear();
        result
    }

    /// Notes a state that will be inserted by `settle`: memory is asked for
    /// what the insertions of several successors need, before it is needed.
    pub fn stage(&mut self, state: &[CompId]) {
        let staged = self.translate(state);
        self.records.prefetch(staged.hash, &self.guard);
        self.staged.push(staged);
    }

    /// Inserts what was staged, in that order.
    pub fn settle(&mut self, mut each: impl FnMut(StateId, bool)) {
        for staged in &self.staged {
            self.records.prefetch_record(staged.hash, &self.guard);
        }
        for at in 0..self.staged.len() {
            let (id, new) = self.insert_numbers(self.staged[at]);
            each(id, new);
        }
        self.staged.clear();
        self.numbers.clear();
    }

    fn insert_numbers(&mut self, staged: Staged) -> (StateId, bool) {
        let StateStore { records, guard, shapes, numbers, .. } = self;
        let numbers = &numbers[staged.start..staged.start + staged.len];
        let (shape, open) = shapes[staged.len].as_mut().expect("it was translated");
        let (id, new) = records.insert(shape, numbers, staged.hash, open, guard);
        if new {
            records.count.fetch_add(1, Ordering::Relaxed);
        }
        (StateId(id), new)
    }

    /// Appends the numbers of a vector to `numbers`.
    fn translate(&mut self, state: &[CompId]) -> Staged {
        let start = self.numbers.len();
        let len = state.len();
        let known = self.shapes.get(len).is_some_and(Option::is_some);
        if !known {
            self.learn(len);
        }
        let (shape, _) = self.shapes[len].as_ref().expect("it was learnt");
        let mut hash;
        if self.near.len() == len {
            self.numbers.extend_from_slice(&self.near_numbers);
            hash = self.near_hash;
            let numbers = &mut self.numbers[start..];
            for (at, (&comp, &near)) in state.iter().zip(&self.near).enumerate() {
                if comp != near {
                    let number = shape.column(at).number(comp.0, &self.guard);
                    hash ^= contribution(at, numbers[at]) ^ contribution(at, number);
                    numbers[at] = number;
                }
            }
        } else {
            let numbers = state.iter().enumerate();
            let numbers = numbers.map(|(at, comp)| shape.column(at).number(comp.0, &self.guard));
            self.numbers.extend(numbers);
            hash = hash_numbers(&self.numbers[start..]);
        }
        Staged { start, len, hash }
    }

    fn learn(&mut self, len: usize) {
        if self.shapes.len() <= len {
            self.shapes.resize_with(len + 1, || None);
        }
        self.shapes[len] = Some((self.records.shape(len), Open::default()));
    }

    /// Like `load`, and prepares for the insertion of successors.
    pub fn load_near(&mut self, id: StateId, out: &mut Vec<CompId>) {
        self.guard.repin();
        let shape = self.records.read(id.0, &mut self.near_numbers);
        self.near_hash = hash_numbers(&self.near_numbers);
        self.near.clear();
        let values = self.near_numbers.iter().enumerate();
        self.near.extend(values.map(|(at, &number)| CompId(shape.column(at).value(number))));
        out.clear();
        out.extend_from_slice(&self.near);
    }

    /// Writes the components of a state.
    pub fn load(&self, id: StateId, out: &mut Vec<CompId>) {
        let mut numbers = Vec::new();
        let shape = self.records.read(id.0, &mut numbers);
        out.clear();
        let values = numbers.iter().enumerate();
        out.extend(values.map(|(at, &number)| CompId(shape.column(at).value(number))));
    }

    /// The part of the places of the table that is taken.
    pub fn table_load(&self) -> f64 {
        self.records.load()
    }

    /// Bytes used.
    pub fn bytes(&self) -> u64 {
        self.records.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_every_length_come_back() {
        let mut store = StateStore::new();
        let mut vectors = Vec::new();
        for len in 0..40u32 {
            for seed in 0..5u32 {
                let vector: Vec<CompId> = (0..len).map(|i| CompId(i * 7 % (seed + 2))).collect();
                vectors.push((store.insert(&vector).0, vector));
            }
        }
        let mut out = Vec::new();
        for (id, vector) in vectors {
            store.load(id, &mut out);
            assert_eq!(out, vector);
            assert_eq!(store.insert(&vector), (id, false));
            store.load_near(id, &mut out);
            assert_eq!(out, vector);
            assert_eq!(store.insert(&vector), (id, false));
            for at in 0..vector.len() {
                let mut other = vector.clone();
                other[at] = CompId(99);
                let changed = store.insert(&other).0;
                store.load(changed, &mut out);
                assert_eq!(out, other);
            }
        }
    }

    #[test]
    fn different_vectors_have_different_numbers() {
        let mut store = StateStore::new();
        let a = store.insert(&[CompId(1), CompId(2), CompId(3)]).0;
        let b = store.insert(&[CompId(1), CompId(3), CompId(2)]).0;
        let c = store.insert(&[CompId(1), CompId(2)]).0;
        assert!(a != b && b != c && a != c);
        assert_eq!(store.len(), 3);
    }

    #[test]
    fn hands_on_the_same_states_agree() {
        let store = StateStore::new();
        let vector = |n: u32| [CompId(n % 7), CompId(n / 7), CompId(n % 3), CompId(n)];
        let numbers: Vec<Vec<StateId>> = std::thread::scope(|scope| {
            let hands: Vec<_> = (0..3)
                .map(|_| {
                    let states = store.states();
                    scope.spawn(move || {
                        let mut hand = states.hand();
                        (0..30_000).map(|n| hand.insert(&vector(n)).0).collect()
                    })
                })
                .collect();
            hands.into_iter().map(|hand| hand.join().expect("no panic")).collect()
        });
        assert!(numbers[0] == numbers[1] && numbers[1] == numbers[2]);
        let mut out = Vec::new();
        for (n, &id) in numbers[0].iter().enumerate() {
            store.load(id, &mut out);
            assert_eq!(out, vector(n as u32));
        }
    }
}
