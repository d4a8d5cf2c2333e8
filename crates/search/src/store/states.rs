//! All states: vectors of components in, numbers out, and back.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crossbeam_epoch::Guard;
use exeunt_model::CompId;

use super::columns::contribution;
use super::records::{Draft, Format, Open, Records, Shape, hash_numbers};

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
    /// The format of new vectors of its length, and its record in that.
    near_format: Option<Format>,
    near_record: Vec<u32>,
    /// Numbers of components that were looked up lately.
    recent: Box<[Recent]>,
    /// Vectors to be inserted, and their records one behind the other.
    staged: Vec<Staged>,
    records_staged: Vec<u32>,
    numbers: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Staged {
    /// Length of the vector.
    len: usize,
    format: u32,
    /// Where its record is.
    start: usize,
    end: usize,
    hash: u64,
}

/// The number of a component in a column.
#[derive(Clone, Copy, Default)]
struct Recent {
    key: u64,
    number: u32,
}

/// A power of two.
const RECENT: usize = 1 << 10;

/// A key for columns of short vectors; never zero.
fn recent_key(len: usize, column: usize, comp: CompId) -> Option<u64> {
    let short = len < 1 << 16;
    short.then_some((comp.0 as u64) << 32 | (len as u64) << 16 | column as u64)
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
            near_format: None,
            near_record: Vec::new(),
            recent: vec![Recent::default(); RECENT].into(),
            staged: Vec::new(),
            records_staged: Vec::new(),
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
        let result = self.insert_staged(staged);
        self.records_staged.clear();
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
            let (id, new) = self.insert_staged(self.staged[at]);
            each(id, new);
        }
        self.staged.clear();
        self.records_staged.clear();
    }

    fn insert_staged(&mut self, staged: Staged) -> (StateId, bool) {
        let StateStore { records, guard, shapes, records_staged, .. } = self;
        let Staged { len, format, start, end, hash } = staged;
        let draft = Draft { format, words: &records_staged[start..end], hash };
        let (_, open) = shapes[len].as_mut().expect("it was translated");
        let (id, new) = records.insert(draft, open, guard);
        if new {
            records.count.fetch_add(1, Ordering::Relaxed);
        }
        (StateId(id), new)
    }

    /// Appends the record of a vector to `records_staged`.
    fn translate(&mut self, state: &[CompId]) -> Staged {
        let len = state.len();
        if !self.shapes.get(len).is_some_and(Option::is_some) {
            self.learn(len);
        }
        match self.near.len() == len {
            true => self.translate_near(state).unwrap_or_else(|| self.translate_far(state)),
            false => self.translate_far(state),
        }
    }

    /// From the record of the state loaded last; `None` if there is no room
    /// for some number in its format.
    fn translate_near(&mut self, state: &[CompId]) -> Option<Staged> {
        let len = state.len();
        let start = self.records_staged.len();
        self.records_staged.extend_from_slice(&self.near_record);
        let mut hash = self.near_hash;
        for (at, &comp) in state.iter().enumerate() {
            if comp == self.near[at] {
                continue;
            }
            let number = self.number(len, at, comp);
            hash ^= contribution(at, self.near_numbers[at]) ^ contribution(at, number);
            let record = &mut self.records_staged[start..];
            if !self.near_format.as_ref()?.layout.replace(record, at, number) {
                self.records_staged.truncate(start);
                return None;
            }
        }
        let (format, end) = (self.near_format.as_ref()?.number, self.records_staged.len());
        Some(Staged { len, format, start, end, hash })
    }

    fn translate_far(&mut self, state: &[CompId]) -> Staged {
        let len = state.len();
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.clear();
        numbers.extend(state.iter().enumerate().map(|(at, &comp)| self.number(len, at, comp)));
        let (shape, _) = self.shapes[len].as_ref().expect("it was learnt");
        let format = self.records.fitting(shape, &numbers);
        let start = self.records_staged.len();
        pack(format, &numbers, &mut self.records_staged);
        let hash = hash_numbers(&numbers);
        self.numbers = numbers;
        let end = self.records_staged.len();
        Staged { len, format: format.number, start, end, hash }
    }

    /// The number of a component in a column of vectors of this length.
    fn number(&mut self, len: usize, column: usize, comp: CompId) -> u32 {
        let key = recent_key(len, column, comp);
        let slot = key.map(|key| super::mix(key) as usize % RECENT);
        if let (Some(key), Some(slot)) = (key, slot)
            && self.recent[slot].key == key
        {
            return self.recent[slot].number;
        }
        let (shape, _) = self.shapes[len].as_ref().expect("it was learnt");
        let number = shape.column(column).number(comp.0, &self.guard);
        if let (Some(key), Some(slot)) = (key, slot) {
            self.recent[slot] = Recent { key, number };
        }
        number
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
        let format = self.records.fitting(shape, &self.near_numbers);
        if self.near_format.as_ref().is_none_or(|near| near.number != format.number) {
            self.near_format = Some(format.clone());
        }
        self.near_record.clear();
        pack(format, &self.near_numbers, &mut self.near_record);
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

/// Appends the record of a vector of numbers, for which there is room.
fn pack(format: &Format, numbers: &[u32], out: &mut Vec<u32>) {
    let start = out.len();
    out.resize(start + format.layout.words(), 0);
    for field in format.layout.fields() {
        out[start + field.word as usize] |= numbers[field.column as usize] << field.shift;
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
