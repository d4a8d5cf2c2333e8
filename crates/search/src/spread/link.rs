//! States on their way to another worker: component numbers of the sender, and the
//! words of each component once.
//!
//! A state is written as the difference to the one before it on the same link. Components may hold
//! numbers of others, which only the machine knows; so both sides let it carry
//! the state: the sender to see which components belong to it, the receiver to
//! give them its own numbers.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};

use exeunt_model::{CompId, Pool, SearchWorker};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::wire::{Reader, put};
use crate::store::ComponentPool;

/// What became of parts of large components in another pool, by number and level.
#[derive(Default)]
struct Carried(Mutex<FxHashMap<(CompId, u32), CompId>>);

impl Carried {
    fn bytes(&self) -> u64 {
        (self.0.lock().capacity() * size_of::<((CompId, u32), CompId)>()) as u64
    }
}

/// Lets a pool remember in a field what was carried into it.
macro_rules! remembered_by {
    ($($field:ident).+) => {
        fn carried(&self, part: CompId, level: u32) -> Option<CompId> {
            self.$($field).+.0.lock().get(&(part, level)).copied()
        }

        fn note_carried(&self, part: CompId, level: u32, here: CompId) {
            self.$($field).+.0.lock().insert((part, level), here);
        }
    };
}

/// Components of a state in their order, recognised by where their words are: a machine hands
/// over most of them as it got them.
struct Cursor<'c> {
    pool: &'c ComponentPool,
    state: &'c [CompId],
    at: AtomicUsize,
}

impl<'c> Cursor<'c> {
    fn new(pool: &'c ComponentPool, state: &'c [CompId]) -> Cursor<'c> {
        Cursor { pool, state, at: AtomicUsize::new(0) }
    }

    /// The component with these very words, if it is the next one or the one behind that.
    fn find(&self, words: &[u64]) -> Option<CompId> {
        let at = self.at.load(Ordering::Relaxed);
        let near = self.state.get(at..)?.iter().take(2).enumerate();
        let (ahead, &comp) =
            near.into_iter().find(|&(_, &comp)| std::ptr::eq(self.pool.get(comp), words))?;
        self.at.store(at + ahead + 1, Ordering::Relaxed);
        Some(comp)
    }
}

/// The sender's end.
#[derive(Default)]
pub struct Outgoing {
    /// What waits to be sent.
    pub letter: Vec<u8>,
    /// Components that the receiver knows.
    known: Vec<u64>,
    carried: Carried,
    last: Vec<CompId>,
}

impl Outgoing {
    /// Appends a state of the sender's pool.
    pub fn add(&mut self, state: &[CompId], worker: &dyn SearchWorker, pool: &ComponentPool) {
        let Outgoing { letter, known, carried, last } = self;
        let cursor = Cursor::new(pool, state);
        let news = News { pool, cursor, carried, fresh: Mutex::new((known, Vec::new())) };
        worker.carry(state, pool, &news);
        let (_, fresh) = news.fresh.into_inner();
        put(letter, fresh.len() as u64);
        for comp in fresh {
            let words = pool.get(comp);
            put(letter, u64::from(comp.0));
            put(letter, words.len() as u64);
            words.iter().for_each(|&word| put(letter, word));
        }
        put(letter, state.len() as u64);
        if last.len() != state.len() {
            last.clear();
            last.resize(state.len(), CompId(0));
        }
        for (old, new) in last.chunks_mut(GROUP).zip(state.chunks(GROUP)) {
            let pairs = || old.iter().zip(new).enumerate();
            let changed = pairs().filter(|(_, (old, new))| old != new);
            put(letter, changed.map(|(at, _)| 1u64 << at).sum());
            for (_, (_, new)) in pairs().filter(|(_, (old, new))| old != new) {
                put(letter, u64::from(new.0));
            }
            old.copy_from_slice(new);
        }
    }

    pub fn bytes(&self) -> u64 {
        (self.letter.capacity() + self.known.capacity() * 8) as u64 + self.carried.bytes()
    }
}

/// So many components have a bit in one number that says which have changed.
const GROUP: usize = 7 * 8;

/// Sees which components the receiver does not know yet.
struct News<'n> {
    pool: &'n ComponentPool,
    cursor: Cursor<'n>,
    /// Large parts that the receiver knows, and all that is in them.
    carried: &'n Carried,
    /// Uncontended: a pool may be asked by several threads, and this one is not.
    fresh: Mutex<(&'n mut Vec<u64>, Vec<CompId>)>,
}

impl Pool for News<'_> {
    fn intern(&self, words: &[u64]) -> CompId {
        let comp = self.cursor.find(words).unwrap_or_else(|| self.pool.intern(words));
        let (known, fresh) = &mut *self.fresh.lock();
        let (at, bit) = (comp.0 as usize / 64, 1 << (comp.0 % 64));
        if known.len() <= at {
            known.resize(at + 1, 0);
        }
        if known[at] & bit == 0 {
            known[at] |= bit;
            fresh.push(comp);
        }
        comp
    }

    fn get(&self, id: CompId) -> &[u64] {
        self.pool.get(id)
    }

    remembered_by!(carried);
}

/// The receiver's end.
#[derive(Default)]
pub struct Incoming {
    /// By the sender's number: these very words, in the receiver's pool.
    components: Vec<CompId>,
    last: Vec<CompId>,
    /// The same state by the words that were sent.
    as_sent: Vec<CompId>,
    /// What became of large parts, by the sender's numbers.
    carried: Carried,
    words: Vec<u64>,
}

impl Incoming {
    /// The next state of a letter, in the receiver's pool.
    pub fn take(
        &mut self,
        letter: &mut Reader<'_>,
        worker: &dyn SearchWorker,
        pool: &ComponentPool,
    ) -> Vec<CompId> {
        for _ in 0..letter.take() {
            let comp = letter.take() as usize;
            let len = letter.take();
            self.words.clear();
            self.words.extend((0..len).map(|_| letter.take()));
            if self.components.len() <= comp {
                self.components.resize(comp + 1, CompId(u32::MAX));
            }
            self.components[comp] = pool.intern(&self.words);
        }
        let len = letter.take() as usize;
        if self.last.len() != len {
            self.last.clear();
            self.last.resize(len, CompId(0));
        }
        for group in self.last.chunks_mut(GROUP) {
            let mut changed = letter.take();
            while changed != 0 {
                group[changed.trailing_zeros() as usize] = CompId(letter.take() as u32);
                changed &= changed - 1;
            }
        }
        self.as_sent.clear();
        self.as_sent.extend(self.last.iter().map(|comp| self.components[comp.0 as usize]));
        let theirs = Theirs { pool, components: &self.components };
        let cursor = Cursor::new(pool, &self.as_sent);
        let ours = Ours { pool, cursor, carried: &self.carried };
        worker.carry(&self.last, &theirs, &ours)
    }

    pub fn bytes(&self) -> u64 {
        (self.components.capacity() * 4) as u64 + self.carried.bytes()
    }
}

/// The sender's components, by its numbers.
struct Theirs<'t> {
    pool: &'t ComponentPool,
    components: &'t [CompId],
}

impl Pool for Theirs<'_> {
    fn intern(&self, _: &[u64]) -> CompId {
        unreachable!("nothing is carried into the pool of a sender")
    }

    fn get(&self, id: CompId) -> &[u64] {
        self.pool.get(self.components[id.0 as usize])
    }
}

/// The receiver's pool, while a state is carried into it.
struct Ours<'o> {
    pool: &'o ComponentPool,
    cursor: Cursor<'o>,
    carried: &'o Carried,
}

impl Pool for Ours<'_> {
    fn intern(&self, words: &[u64]) -> CompId {
        self.cursor.find(words).unwrap_or_else(|| self.pool.intern(words))
    }

    fn get(&self, id: CompId) -> &[u64] {
        self.pool.get(id)
    }

    remembered_by!(carried);
}

/// Hashes of components by their numbers, as far as they were needed.
#[derive(Default)]
pub struct Hashes {
    plain: Mutex<Vec<Option<NonZeroU32>>>,
    /// Of large parts.
    carried: Carried,
}

/// Numbers that depend only on what components hold: the same state has the same ones in all
/// workers.
struct Contents<'c> {
    cursor: Cursor<'c>,
    hashes: &'c Hashes,
}

fn hash(words: &[u64]) -> NonZeroU32 {
    let mix = |hash: u64, &word: &u64| (hash.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    let hash = words.iter().fold(words.len() as u64, mix);
    NonZeroU32::new((hash >> 32) as u32).unwrap_or(NonZeroU32::MIN)
}

impl Pool for Contents<'_> {
    fn intern(&self, words: &[u64]) -> CompId {
        let Some(comp) = self.cursor.find(words) else { return CompId(hash(words).get()) };
        let mut hashes = self.hashes.plain.lock();
        let at = comp.0 as usize;
        if hashes.len() <= at {
            hashes.resize(at + 1, None);
        }
        CompId(hashes[at].get_or_insert_with(|| hash(words)).get())
    }

    fn get(&self, _: CompId) -> &[u64] {
        unreachable!("nothing is carried from here")
    }

    remembered_by!(hashes.carried);
}

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The worker that a state belongs to, of so many.
pub fn owner(
    state: &[CompId],
    worker: &dyn SearchWorker,
    pool: &ComponentPool,
    hashes: &Hashes,
    peers: usize,
) -> usize {
    let contents = Contents { cursor: Cursor::new(pool, state), hashes };
    let contents = worker.carry(state, pool, &contents);
    let mix =
        |hash: u64, comp: &CompId| (hash ^ u64::from(comp.0)).wrapping_mul(FACTOR).rotate_left(29);
    let hash = contents.iter().fold(contents.len() as u64, mix).wrapping_mul(FACTOR);
    ((u128::from(hash) * peers as u128) >> 64) as usize
}
