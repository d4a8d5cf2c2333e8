//! State vectors as trees: neighbouring components are paired, pairs are
//! paired again, and every pair is stored once. A state costs one root pair;
//! inner pairs are shared by all states that agree on that part.

use exeunt_model::CompId;
use hashbrown::HashTable;

use super::pool::mix;

/// A stored state; numbers are dense, in order of discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// A set of pairs with dense numbers.
#[derive(Default)]
struct Pairs {
    pairs: Vec<(u32, u32)>,
    index: HashTable<u32>,
}

fn hash_pair(pair: (u32, u32)) -> u64 {
    mix((pair.0 as u64 | (pair.1 as u64) << 32).wrapping_mul(0xff51_afd7_ed55_8ccd))
}

impl Pairs {
    fn insert(&mut self, pair: (u32, u32), salt: u64) -> (u32, bool) {
        let hash = hash_pair(pair) ^ salt;
        let Pairs { pairs, index } = self;
        if let Some(&id) = index.find(hash, |&id| pairs[id as usize] == pair) {
            return (id, false);
        }
        let id = u32::try_from(pairs.len()).expect("fewer than 2^32 pairs");
        pairs.push(pair);
        index.insert_unique(hash, id, |&id| hash_pair(pairs[id as usize]) ^ salt);
        (id, true)
    }

    fn bytes(&self) -> u64 {
        (self.pairs.capacity() * 8 + self.index.allocation_size()) as u64
    }
}

/// All states seen so far.
#[derive(Default)]
pub struct StateStore {
    inner: Pairs,
    /// Root pairs, one set for each length of vector.
    roots: Vec<Option<Roots>>,
    /// Length and number within it of every state.
    states: Vec<(u16, u32)>,
    scratch: Vec<u32>,
    /// The levels of the tree of the state loaded last, leaves first.
    near: Vec<Vec<u32>>,
}

#[derive(Default)]
struct Roots {
    pairs: Pairs,
    states: Vec<u32>,
}

impl StateStore {
    pub fn new() -> StateStore {
        StateStore::default()
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The number of a state, and whether it is new.
    ///
    /// Most insertions are successors of the state loaded last: pairs that
    /// are the same as there need no look-up.
    pub fn insert(&mut self, state: &[CompId]) -> (StateId, bool) {
        let mut level = std::mem::take(&mut self.scratch);
        level.clear();
        level.extend(state.iter().map(|comp| comp.0));
        let near = self.near.first().is_some_and(|leaves| leaves.len() == level.len());
        let mut depth = 0;
        while level.len() > 2 {
            let half = level.len() / 2;
            let known = if near { self.near[depth].as_slice() } else { &[] };
            for i in 0..half {
                let pair = (level[2 * i], level[2 * i + 1]);
                level[i] = match known.get(2 * i..2 * i + 2) {
                    Some(&[a, b]) if (a, b) == pair => self.near[depth + 1][i],
                    _ => self.inner.insert(pair, 0).0,
                };
            }
            if level.len() % 2 == 1 {
                level[half] = level[level.len() - 1];
                level.truncate(half + 1);
            } else {
                level.truncate(half);
            }
            depth += 1;
        }
        let root = (level.first().copied().unwrap_or(0), level.get(1).copied().unwrap_or(0));
        self.scratch = level;
        if self.roots.len() <= state.len() {
            self.roots.resize_with(state.len() + 1, || None);
        }
        let roots = self.roots[state.len()].get_or_insert_default();
        let (number, new) = roots.pairs.insert(root, 0);
        if new {
            let id = u32::try_from(self.states.len()).expect("fewer than 2^32 states");
            roots.states.push(id);
            self.states.push((u16::try_from(state.len()).expect("short vectors"), number));
        }
        (StateId(roots.states[number as usize]), new)
    }

    /// Like `load`, and prepares for the insertion of successors.
    pub fn load_near(&mut self, id: StateId, out: &mut Vec<CompId>) {
        self.load(id, out);
        let mut depth = 0;
        let mut len = out.len();
        loop {
            if self.near.len() <= depth {
                self.near.push(Vec::new());
            }
            self.near[depth].clear();
            self.near[depth].resize(len, 0);
            if len <= 2 {
                break;
            }
            len = len.div_ceil(2);
            depth += 1;
        }
        self.near.truncate(depth + 1);
        for (leaf, comp) in self.near[0].iter_mut().zip(out.iter()) {
            *leaf = comp.0;
        }
        let (_, number) = self.states[id.0 as usize];
        let roots = self.roots[out.len()].as_ref().expect("states of this length exist");
        let (left, right) = roots.pairs.pairs[number as usize];
        let top = self.near.len() - 1;
        if top == 0 {
            return;
        }
        self.near[top][0] = left;
        self.near[top][1] = right;
        for depth in (1..top).rev() {
            for i in 0..self.near[depth].len() / 2 {
                let (a, b) = self.inner.pairs[self.near[depth + 1][i] as usize];
                self.near[depth][2 * i] = a;
                self.near[depth][2 * i + 1] = b;
            }
            if self.near[depth].len() % 2 == 1 {
                let last = *self.near[depth + 1].last().expect("not empty");
                *self.near[depth].last_mut().expect("not empty") = last;
            }
        }
    }

    /// Writes the components of a state.
    pub fn load(&self, id: StateId, out: &mut Vec<CompId>) {
        let (len, number) = self.states[id.0 as usize];
        let roots = self.roots[len as usize].as_ref().expect("states of this length exist");
        let (left, right) = roots.pairs.pairs[number as usize];
        out.clear();
        out.resize(len as usize, CompId(0));
        match len {
            0 => {}
            1 => out[0] = CompId(left),
            _ => self.unfold(len as usize, left, right, out),
        }
    }

    /// Undoes the folding level by level: `lens` are the level lengths.
    fn unfold(&self, len: usize, left: u32, right: u32, out: &mut [CompId]) {
        out[0] = CompId(left);
        out[1] = CompId(right);
        let mut lens = [0usize; 20];
        let mut depth = 0;
        let mut n = len;
        while n > 2 {
            lens[depth] = n;
            depth += 1;
            n = n.div_ceil(2);
        }
        for &wider in lens[..depth].iter().rev() {
            let half = wider / 2;
            if wider % 2 == 1 {
                out[wider - 1] = out[half];
            }
            for i in (0..half).rev() {
                let (a, b) = self.inner.pairs[out[i].0 as usize];
                out[2 * i] = CompId(a);
                out[2 * i + 1] = CompId(b);
            }
        }
    }

    /// Bytes used.
    pub fn bytes(&self) -> u64 {
        let roots: u64 = self
            .roots
            .iter()
            .flatten()
            .map(|roots| roots.pairs.bytes() + roots.states.capacity() as u64 * 4)
            .sum();
        self.inner.bytes() + roots + self.states.capacity() as u64 * 8
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
}
