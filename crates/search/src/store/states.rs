//! All states: vectors of components in, numbers out, and back.

use std::sync::Arc;

use crossbeam_epoch::Guard;
use exeunt_model::{Change, CompId};

use super::deltas::Deltas;
use super::layout::Layout;
use super::near::Near;
use super::numbers::Numbers;
use super::records::{Open, Records, Shape, hash_of_sum};

/// A stored state. Numbers are in order of discovery, but not all are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// A handle reports so many new states at a time.
const MOST_UNTOLD: u64 = 64;

/// Below so many states the table is in the cache, more or less.
const MANY: u64 = 1 << 15;

/// All states seen so far, for other hands on them.
pub struct States(Arc<Records>);

impl States {
    /// A handle for the thread that calls.
    pub fn handle(&self) -> StateStore {
        StateStore::on(Arc::clone(&self.0))
    }
}

/// A handle on all states seen so far, which belongs to one thread.
pub struct StateStore {
    records: Arc<Records>,
    guard: Guard,
    /// By length of vector.
    fingers: Vec<Option<Finger>>,
    /// Where components were found before.
    numbers: Numbers,
    near: Near,
    /// It is a successor of the state loaded last, and not that state any more.
    leans: bool,
    deltas: Deltas,
    /// States that this handle has stored and not reported yet.
    untold: u64,
    /// Whether there are so many that memory is asked early for what is looked up.
    many: bool,
    /// Vectors to be inserted, as records one behind the other.
    staged: Vec<Staged>,
    packed: Vec<u32>,
    scratch: Vec<u32>,
}

/// What a handle knows about the vectors of one length.
pub struct Finger {
    pub shape: Arc<Shape>,
    /// The block that this handle fills.
    open: Open,
    /// The format that this handle packs into.
    format: u32,
    pub layout: Layout,
    /// A state of this length, while the one loaded last has another.
    aside: Near,
}

/// Components that are compared at once.
const RUN: usize = 32;

#[derive(Clone, Copy)]
struct Staged {
    start: usize,
    words: usize,
    /// Of the vector.
    len: usize,
    format: u32,
    /// What the hash is made from.
    sum: u64,
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

    /// With room for so many states from the beginning.
    pub fn with_room(states: u32) -> StateStore {
        StateStore::on(Arc::new(Records::with_room(states)))
    }

    /// For other hands on the same states.
    pub fn states(&self) -> States {
        States(Arc::clone(&self.records))
    }

    fn on(records: Arc<Records>) -> StateStore {
        StateStore {
            records,
            guard: crossbeam_epoch::pin(),
            fingers: Vec::new(),
            numbers: Numbers::default(),
            near: Near::default(),
            leans: false,
            deltas: Deltas::default(),
            untold: 0,
            many: false,
            staged: Vec::new(),
            packed: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Frees what only this handle still refers to; to be called while
    /// it has nothing to do.
    pub fn rest(&mut self) {
        self.tell();
        self.guard.repin();
    }

    /// Tells the other hands how many states this one has stored.
    fn tell(&mut self) {
        self.many = self.records.count() > MANY;
        self.records.add_to_count(std::mem::take(&mut self.untold));
    }

    /// How many states there are. Other threads that are at work may have stored
    /// a few more.
    pub fn len(&self) -> usize {
        (self.records.count() + self.untold) as usize
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
        let result = self.insert_packed(staged);
        self.packed.clear();
        result
    }

    /// Notes a state that will be inserted by `settle`: memory is asked for
    /// what the insertions of several successors need, before it is needed.
    pub fn stage(&mut self, state: &[CompId]) {
        let staged = self.translate(state);
        if self.many {
            self.records.prefetch(staged.hash, &self.guard);
        }
        self.staged.push(staged);
    }

    /// The same for a successor by a change that may have been met before, of the state loaded last if it is `near`.
    #[inline]
    pub fn stage_again(&mut self, change: &mut Change<'_>, is_near: bool) {
        let StateStore { near, deltas, packed, leans, .. } = self;
        let leans = *leans;
        let known = near.format.and_then(|format| deltas.get(change.name, format));
        let Some(delta) = known.filter(|_| is_near && !leans) else {
            return self.stage_named(change);
        };
        let (start, len, format) = (packed.len(), near.components.len(), near.format.unwrap_or(0));
        packed.extend(near.packed.iter());
        let sum = delta.apply(&mut packed[start..], near.sum);
        let words = near.packed.len();
        let staged = Staged { start, words, len, format, sum, hash: hash_of_sum(sum, len) };
        #[cfg(debug_assertions)]
        self.compare(&staged, change);
        if self.many {
            self.records.prefetch(staged.hash, &self.guard);
        }
        self.staged.push(staged);
    }

    /// Stages a change that is not known, or not of the state loaded last.
    #[cold]
    fn stage_named(&mut self, change: &mut Change<'_>) {
        let here = self.near.components == change.state;
        self.stage(change.target());
        let StateStore { near, deltas, packed, staged, .. } = self;
        let staged = staged.last().expect("it was just staged");
        if here && near.format == Some(staged.format) {
            let after = &packed[staged.start..staged.start + staged.words];
            let sum = staged.sum.wrapping_sub(near.sum);
            deltas.learn(change.name, staged.format, &near.packed, after, sum);
        }
    }

    /// Asserts that a record made by a known change is that of the target.
    #[cfg(debug_assertions)]
    fn compare(&mut self, quick: &Staged, change: &mut Change<'_>) {
        let Staged { start, words, format, sum, .. } = *quick;
        let slow = self.translate(change.target());
        assert_eq!((slow.format, slow.sum), (format, sum), "another record by a change");
        let [quick, slow] = [start, slow.start].map(|start| &self.packed[start..start + words]);
        assert_eq!(quick, slow, "another record by a change");
        self.packed.truncate(start + words);
    }

    /// Inserts what was staged, in that order.
    pub fn settle(&mut self, mut each: impl FnMut(StateId, bool)) {
        match self.staged[..] {
            _ if !self.many => {}
            // It would only be waited for twice.
            [only] => self.lean_to(only),
            _ => {
                for staged in &self.staged {
                    self.records.prefetch_record(staged.hash, &self.guard);
                }
            }
        }
        for at in 0..self.staged.len() {
            let (id, new) = self.insert_packed(self.staged[at]);
            each(id, new);
        }
        self.staged.clear();
        self.packed.clear();
    }

    /// Goes to the only successor while the table is asked for it: most likely it is new, and loaded next.
    fn lean_to(&mut self, staged: Staged) {
        let StateStore { near, numbers, fingers, packed, .. } = self;
        let Staged { start, words, len, format, .. } = staged;
        if let Some(Some(finger)) = fingers.get(len)
            && near.components.len() == len
            && near.format == Some(format)
            && finger.format == format
        {
            near.step(finger, numbers, &packed[start..start + words]);
            self.leans = true;
        }
    }

    fn insert_packed(&mut self, staged: Staged) -> (StateId, bool) {
        let Staged { start, words, len, format, hash, .. } = staged;
        let open = &mut self.fingers[len].as_mut().expect("it was translated").open;
        let packed = &self.packed[start..start + words];
        let (id, new) = self.records.insert(format, packed, hash, open, &self.guard);
        self.untold += new as u64;
        if self.untold == MOST_UNTOLD {
            self.tell();
        }
        (StateId(id), new)
    }

    /// Appends the record of a vector to `packed`.
    fn translate(&mut self, state: &[CompId]) -> Staged {
        let len = state.len();
        if self.near.is_there(len) {
            return self.translate_near(state);
        }
        if let Some(Some(finger)) = self.fingers.get(len)
            && finger.aside.is_there(len)
        {
            self.swap_aside(len);
            let staged = self.translate_near(state);
            self.swap_aside(len);
            return staged;
        }
        let staged = self.translate_anew(state);
        let StateStore { fingers, packed, scratch, .. } = self;
        let finger = fingers[len].as_mut().expect("it was translated");
        finger.aside = Near {
            components: state.to_vec(),
            numbers: scratch.clone(),
            packed: packed[staged.start..].to_vec(),
            sum: staged.sum,
            format: Some(staged.format),
        };
        staged
    }

    /// Exchanges the state loaded last with the one of this length; the same once more undoes that.
    fn swap_aside(&mut self, len: usize) {
        let finger = self.fingers[len].as_mut().expect("one was put aside there");
        std::mem::swap(&mut finger.aside, &mut self.near);
    }

    /// Packs only what differs from the state nearby.
    fn translate_near(&mut self, state: &[CompId]) -> Staged {
        let StateStore { near, packed, numbers, guard, .. } = self;
        let len = state.len();
        let finger = self.fingers[len].as_ref().expect("it was loaded");
        let start = packed.len();
        packed.extend_from_slice(&near.packed);
        let words = &mut packed[start..];
        let mut sum = near.sum;
        let mut fits = true;
        // Long vectors differ in few places.
        for (piece, (new, old)) in state.chunks(RUN).zip(near.components.chunks(RUN)).enumerate() {
            if len > RUN && !CompId::differ(new, old) {
                continue;
            }
            let mut differing = CompId::differing(new, old);
            while differing != 0 {
                let within = differing.trailing_zeros() as usize;
                differing &= differing - 1;
                let at = piece * RUN + within;
                let number = numbers.number(&finger.shape, at, new[within], guard);
                let (old, field) = (near.numbers[at], finger.layout.column(at));
                fits &= field.holds(number);
                words[field.word as usize] ^= (old ^ number) << field.shift;
                sum = sum.wrapping_add(field.weigh(number)).wrapping_sub(field.weigh(old));
            }
        }
        if !fits {
            packed.truncate(start);
            return self.translate_anew(state);
        }
        let (words, format) = (words.len(), finger.format);
        Staged { start, words, len, format, sum, hash: hash_of_sum(sum, len) }
    }

    /// Packs a whole vector, if need be into a wider format.
    fn translate_anew(&mut self, state: &[CompId]) -> Staged {
        let StateStore { records, near, packed, numbers, guard, scratch, fingers, .. } = self;
        let len = state.len();
        let finger = finger(fingers, records, len);
        scratch.clear();
        let each = state.iter().enumerate();
        scratch.extend(each.map(|(at, &comp)| numbers.number(&finger.shape, at, comp, guard)));
        let wider = finger.make_room(records, scratch);
        if wider && near.numbers.len() == len {
            near.packed.clear();
            finger.layout.pack(&near.numbers, &mut near.packed);
            near.format = None;
        }
        let start = packed.len();
        finger.layout.pack(scratch, packed);
        let sum = finger.layout.sum(scratch);
        let (words, format, hash) = (packed.len() - start, finger.format, hash_of_sum(sum, len));
        Staged { start, words, len, format, sum, hash }
    }

    /// Like `load`, and prepares for the insertion of successors.
    pub fn load_near(&mut self, id: StateId, out: &mut Vec<CompId>) {
        self.guard.repin();
        self.leans = false;
        if !self.step_to(id) {
            let len = self.records.shape_of(self.records.format_of(id.0)).len();
            let turned = self.near.components.len() != len && self.turn_to(len);
            if !turned || !self.step_to(id) {
                self.load_anew(id);
            }
        }
        out.clear();
        out.extend_from_slice(&self.near.components);
    }

    /// Goes to a state from the one loaded last, if the record has the same format.
    #[inline]
    fn step_to(&mut self, id: StateId) -> bool {
        let StateStore { records, near, numbers, fingers, scratch, .. } = self;
        let Some(Some(finger)) = fingers.get(near.components.len()) else { return false };
        let steps = near.format == Some(finger.format)
            && records.read_as(id.0, finger.format, near.packed.len(), scratch);
        if steps {
            near.step(finger, numbers, scratch);
        }
        steps
    }

    /// Puts the state loaded last aside, and takes one of this length up; whether there is one.
    fn turn_to(&mut self, len: usize) -> bool {
        let before = std::mem::take(&mut self.near);
        if let Some(Some(finger)) = self.fingers.get_mut(before.components.len()) {
            finger.aside = before;
        }
        let Some(Some(finger)) = self.fingers.get_mut(len) else { return false };
        self.near = std::mem::take(&mut finger.aside);
        !self.near.packed.is_empty()
    }

    fn load_anew(&mut self, id: StateId) {
        let StateStore { records, near, numbers, fingers, scratch, .. } = self;
        near.packed.clear();
        let format = records.read(id.0, &mut near.packed);
        let finger = finger(fingers, records, records.shape_of(format).len());
        records.layout(format).unpack(&near.packed, scratch);
        if format != finger.format {
            finger.make_room(records, scratch);
            near.packed.clear();
            finger.layout.pack(scratch, &mut near.packed);
        }
        near.become_numbers(finger, numbers, scratch);
        near.format = Some(finger.format);
    }

    /// Writes the components of a state.
    pub fn load(&self, id: StateId, out: &mut Vec<CompId>) {
        let (mut words, mut numbers) = (Vec::new(), Vec::new());
        let format = self.records.read(id.0, &mut words);
        self.records.layout(format).unpack(&words, &mut numbers);
        let shape = self.records.shape_of(format);
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

    /// The same as it was not long ago: to count all of it takes long where states have many components.
    pub fn bytes_lately(&self) -> u64 {
        self.records.bytes_lately()
    }

    /// How much of the numbers of records, their words and formats is used up,
    /// from 0 to 1.
    pub fn fullness(&self) -> f64 {
        self.records.fullness()
    }
}

impl Drop for StateStore {
    fn drop(&mut self) {
        self.tell();
    }
}

impl Finger {
    /// Takes up a format that holds these numbers; whether it is another one.
    fn make_room(&mut self, records: &Records, numbers: &[u32]) -> bool {
        if self.layout.holds(numbers) {
            return false;
        }
        self.format = records.fitting(&self.shape, numbers);
        self.layout = records.layout(self.format).clone();
        true
    }
}

fn finger<'f>(
    fingers: &'f mut Vec<Option<Finger>>,
    records: &Records,
    len: usize,
) -> &'f mut Finger {
    if fingers.len() <= len {
        fingers.resize_with(len + 1, || None);
    }
    fingers[len].get_or_insert_with(|| {
        let shape = records.shape(len);
        let format = records.fitting(&shape, &vec![0; len]);
        let layout = records.layout(format).clone();
        Finger { shape, open: Open::default(), format, layout, aside: Near::default() }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

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

    /// Their records have more words than the entry of a block can say, and the
    /// longest have more columns than a handle remembers.
    #[test]
    fn very_long_vectors_come_back() {
        for len in [40_000u32, 70_000] {
            let mut store = StateStore::new();
            let vector = |seed: u32| -> Vec<CompId> {
                (0..len).map(|i| CompId((i ^ seed).wrapping_mul(seed) % 2)).collect()
            };
            let ids: Vec<StateId> = (1..5).map(|seed| store.insert(&vector(seed)).0).collect();
            let mut out = Vec::new();
            for (id, seed) in ids.iter().zip(1..5) {
                store.load_near(*id, &mut out);
                assert_eq!(out, vector(seed));
                let mut other = vector(seed);
                other[7] = CompId(9);
                let changed = store.insert(&other).0;
                store.load(changed, &mut out);
                assert_eq!(out, other);
                assert_eq!(store.insert(&vector(seed)), (*id, false));
            }
        }
    }

    /// States of several lengths in turns, while columns get more and more bits.
    #[test]
    fn lengths_and_widths_may_change() {
        let mut store = StateStore::new();
        let (mut known, mut all) = (HashMap::new(), Vec::new());
        let mut word = 1u64;
        let mut below = |bound: usize| {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (word >> 33) as usize % bound
        };
        let mut vector = vec![CompId(0); 3];
        for round in 0..30_000 {
            if round % 3 == 1 {
                let (id, stored): &(StateId, Vec<CompId>) = &all[below(all.len())];
                store.load_near(*id, &mut vector);
                assert_eq!(vector, *stored);
            }
            match below(8) {
                0 if vector.len() < 90 => vector.push(CompId(7)),
                1 if vector.len() > 1 => vector.truncate(vector.len() - 1),
                _ => {}
            }
            for _ in 0..below(3) {
                let at = below(vector.len());
                vector[at] = CompId(below(round / 16 + 2) as u32);
            }
            let (id, new) = store.insert(&vector);
            assert_eq!(new, known.insert(vector.clone(), id).is_none_or(|before| before != id));
            if new {
                all.push((id, vector.clone()));
            }
        }
        assert_eq!(known.len(), all.len());
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
            let threads: Vec<_> = (0..3)
                .map(|_| {
                    let states = store.states();
                    scope.spawn(move || {
                        let mut handle = states.handle();
                        (0..30_000).map(|n| handle.insert(&vector(n)).0).collect()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert!(numbers[0] == numbers[1] && numbers[1] == numbers[2]);
        let mut out = Vec::new();
        for (n, &id) in numbers[0].iter().enumerate() {
            store.load(id, &mut out);
            assert_eq!(out, vector(n as u32));
        }
    }
}
