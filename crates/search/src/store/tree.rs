//! State vectors as trees: neighbouring components are paired, pairs are
//! paired again, and every pair is stored once. A state costs one root pair;
//! inner pairs are shared by all states that agree on that part. The length
//! of the vector is paired with the left half.

use std::sync::Arc;

use crossbeam_epoch::Guard;
use exeunt_model::CompId;

use super::pairs::{Pairs, Reserve};

/// A stored state. Numbers are in order of discovery; with one hand they are
/// dense, with several some may be skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

#[derive(Default)]
struct Shared {
    inner: Pairs,
    roots: Pairs,
}

/// All states seen so far, for other hands on them.
pub struct States(Arc<Shared>);

impl States {
    /// A hand for the thread that calls.
    pub fn hand(&self) -> StateStore {
        StateStore::on(Arc::clone(&self.0), BATCH)
    }
}

/// A hand on all states seen so far, which belongs to one thread.
pub struct StateStore {
    shared: Arc<Shared>,
    guard: Guard,
    /// How many numbers are reserved at a time.
    batch: u32,
    inner: Reserve,
    roots: Reserve,
    scratch: Vec<u32>,
    /// Root pairs to be inserted.
    staged: Vec<(u32, u32)>,
    /// The levels of the tree of the state loaded last, leaves first.
    near: Vec<Vec<u32>>,
    /// The number of its length paired with its left half.
    near_left: u32,
}

/// Numbers reserved at a time where several hands work.
const BATCH: u32 = 64;

impl Default for StateStore {
    fn default() -> StateStore {
        StateStore::new()
    }
}

impl StateStore {
    pub fn new() -> StateStore {
        StateStore::on(Arc::default(), 1)
    }

    /// For other hands on the same states.
    pub fn states(&self) -> States {
        States(Arc::clone(&self.shared))
    }

    fn on(shared: Arc<Shared>, batch: u32) -> StateStore {
        StateStore {
            shared,
            guard: crossbeam_epoch::pin(),
            batch,
            inner: Reserve::default(),
            roots: Reserve::default(),
            scratch: Vec::new(),
            staged: Vec::new(),
            near: Vec::new(),
            near_left: 0,
        }
    }

    /// Lets go of what only this hand still holds on to; to be called while
    /// it has nothing to do.
    pub fn rest(&mut self) {
        self.guard.repin();
    }

    /// How many numbers have been given to states. With several hands some
    /// of them may be unused.
    pub fn len(&self) -> usize {
        self.shared.roots.last() as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a state, and whether it is new.
    pub fn insert(&mut self, state: &[CompId]) -> (StateId, bool) {
        let root = self.fold(state);
        self.insert_root(root)
    }

    /// Notes a state that will be inserted by `settle`: memory is asked for
    /// what the insertions of several successors need, before it is needed.
    pub fn stage(&mut self, state: &[CompId]) {
        let root = self.fold(state);
        self.shared.roots.prefetch(root, &self.guard);
        self.staged.push(root);
    }

    /// Inserts what was staged, in that order.
    pub fn settle(&mut self, mut each: impl FnMut(StateId, bool)) {
        for at in 0..self.staged.len() {
            let (id, new) = self.insert_root(self.staged[at]);
            each(id, new);
        }
        self.staged.clear();
    }

    fn insert_root(&mut self, root: (u32, u32)) -> (StateId, bool) {
        let StateStore { shared, guard, batch, roots, .. } = self;
        let (id, new) = shared.roots.insert(root, roots, *batch, guard);
        (StateId(id - 1), new)
    }

    /// The root pair of a vector.
    ///
    /// Most insertions are successors of the state loaded last: pairs that
    /// are the same as there need no look-up.
    fn fold(&mut self, state: &[CompId]) -> (u32, u32) {
        let StateStore { shared, guard, batch, inner, scratch, near, near_left, .. } = self;
        let level = scratch;
        level.clear();
        level.extend(state.iter().map(|comp| comp.0));
        let is_near = near.first().is_some_and(|leaves| leaves.len() == level.len());
        let mut pair = |pair| shared.inner.insert(pair, inner, *batch, guard).0;
        let mut depth = 0;
        while level.len() > 2 {
            let half = level.len() / 2;
            let known = if is_near { near[depth].as_slice() } else { &[] };
            for i in 0..half {
                let both = (level[2 * i], level[2 * i + 1]);
                level[i] = match known.get(2 * i..2 * i + 2) {
                    Some(&[a, b]) if (a, b) == both => near[depth + 1][i],
                    _ => pair(both),
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
        let left = level.first().copied().unwrap_or(0);
        let right = level.get(1).copied().unwrap_or(0);
        let left = match near.get(depth).and_then(|top| top.first()) {
            Some(&known) if is_near && known == left => *near_left,
            _ => pair((state.len() as u32, left)),
        };
        (left, right)
    }

    /// Like `load`, and prepares for the insertion of successors.
    pub fn load_near(&mut self, id: StateId, out: &mut Vec<CompId>) {
        self.guard.repin();
        let (named, right) = self.shared.roots.get(id.0 + 1);
        let (len, left) = self.shared.inner.get(named);
        self.near_left = named;
        let top = self.shape_near(len as usize);
        if let Some(entry) = self.near[top].first_mut() {
            *entry = left;
        }
        if let Some(entry) = self.near[top].get_mut(1) {
            *entry = right;
        }
        for depth in (0..top).rev() {
            let (below, above) = self.near.split_at_mut(depth + 1);
            let (level, above) = (&mut below[depth], &above[0]);
            let half = level.len() / 2;
            for i in 0..half {
                let (a, b) = self.shared.inner.get(above[i]);
                level[2 * i] = a;
                level[2 * i + 1] = b;
            }
            if level.len() % 2 == 1 {
                level[2 * half] = above[half];
            }
        }
        out.clear();
        out.extend(self.near[0].iter().map(|&comp| CompId(comp)));
    }

    /// Gives the levels the lengths that belong to vectors of this length;
    /// returns the number of the topmost.
    fn shape_near(&mut self, len: usize) -> usize {
        let mut depth = 0;
        let mut len = len;
        loop {
            if self.near.len() <= depth {
                self.near.push(Vec::new());
            }
            self.near[depth].resize(len, 0);
            if len <= 2 {
                break;
            }
            len = len.div_ceil(2);
            depth += 1;
        }
        self.near.truncate(depth + 1);
        depth
    }

    /// Writes the components of a state.
    pub fn load(&self, id: StateId, out: &mut Vec<CompId>) {
        let (named, right) = self.shared.roots.get(id.0 + 1);
        let (len, left) = self.shared.inner.get(named);
        out.clear();
        out.resize(len as usize, CompId(0));
        if let Some(entry) = out.first_mut() {
            *entry = CompId(left);
        }
        if let Some(entry) = out.get_mut(1) {
            *entry = CompId(right);
        }
        self.unfold(len as usize, out);
    }

    /// Undoes the folding level by level.
    fn unfold(&self, len: usize, out: &mut [CompId]) {
        let mut lens = [0usize; 32];
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
                let (a, b) = self.shared.inner.get(out[i].0);
                out[2 * i] = CompId(a);
                out[2 * i + 1] = CompId(b);
            }
        }
    }

    /// Bytes used.
    pub fn bytes(&self) -> u64 {
        self.shared.inner.bytes() + self.shared.roots.bytes()
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
