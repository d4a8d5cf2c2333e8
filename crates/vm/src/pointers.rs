//! What is in an arena and who points into it, as something that can be compared.
//!
//! A new object gets the lowest number that is free and that nothing points to, so what an
//! allocation does depends on all threads and objects, but only on this: which
//! numbers of one arena are taken, and how many of them point to which. That is the same in nearly
//! all states, and what every component points to need be found once.

use exeunt_ir::address::{ObjId, Space};
use exeunt_mem::{ABSENT, Pointees, STALE, note_words};
use exeunt_model::{CompId, Pool};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::state::directory;
use crate::state::system::System;

/// Components with higher numbers are looked at each time.
const MOST: usize = 1 << 20;

#[derive(Default)]
pub struct Pointers {
    /// By component, as an object and as a thread.
    objects: Vec<Known>,
    threads: Vec<Known>,
    /// The pointees of all that are known.
    numbers: Vec<u32>,
    /// So many of `numbers` belong to components that are known.
    kept: usize,
    /// What there was for an arena, numbered.
    values: FxHashMap<Box<[u32]>, u32>,
    value_bytes: usize,
    /// Of the pieces of large objects.
    pointees: Pointees,
    scratch: Vec<u32>,
}

/// What a component points to.
#[derive(Clone, Copy, Default)]
struct Known {
    /// Where in `numbers` that is, plus one; zero: not known yet.
    start: u32,
    end: u32,
    /// A bit for each arena it is in; several arenas may share one. Most components point into few.
    arenas: u32,
}

/// The bit for all arenas of the heap.
const HEAP: u32 = 1 << 31;

/// The bits for the arena of an object.
fn bits_of(id: u32) -> u32 {
    let heap = if ObjId(id).space() == Some(Space::Heap) { HEAP } else { 0 };
    heap | bit_of(id & !0xffff)
}

fn bit_of(arena: u32) -> u32 {
    let (space, number) = (arena >> 24, arena >> 16 & 0xff);
    1 << ((space * 5 + number) % 31)
}

impl Pointers {
    /// A number for what is in an arena and who points into it; equal numbers, equal arenas.
    pub fn pointing_at(
        &mut self,
        (state, threads): (&[CompId], u32),
        arena: u32,
        pool: &dyn Pool,
    ) -> u32 {
        let mut found = std::mem::take(&mut self.scratch);
        found.clear();
        let (bits, space) = match arena {
            STALE => (HEAP, Some(Space::Heap)),
            arena => (bit_of(arena), None),
        };
        let wanted = |&&id: &&u32| match space {
            Some(space) => ObjId(id).space() == Some(space),
            None => id & !0xffff == arena,
        };
        let (of_threads, of_objects) = state[1..].split_at(threads as usize);
        for (thread, components) in [(true, of_threads), (false, of_objects)] {
            for &comp in components {
                if !self.points_elsewhere(comp, thread, bits) {
                    found.extend(self.of(comp, thread, pool).iter().filter(wanted));
                }
            }
        }
        found.sort_unstable();
        let directory = System::directory(pool.get(state[0]));
        let dynamic = &state[state.len() - directory::count(directory)..];
        let taken = |at: usize| pool.get(dynamic[at]) != ABSENT;
        match arena {
            STALE => {
                found.dedup();
                found.retain(|&id| !directory::place(directory, ObjId(id)).is_some_and(taken));
            }
            arena => {
                found.push(u32::MAX);
                let places = directory::places_of(directory, arena);
                found.extend(places.filter(|&(_, at)| taken(at)).map(|(id, _)| id));
            }
        }
        let value = match self.values.get(found.as_slice()) {
            Some(&value) => value,
            None => {
                let value = self.values.len() as u32;
                self.values.insert(found.as_slice().into(), value);
                self.value_bytes += found.len() * 4 + 48;
                value
            }
        };
        self.scratch = found;
        value
    }

    /// Whether a component is known to point to nothing in the arenas of these bits.
    #[inline]
    fn points_elsewhere(&self, comp: CompId, thread: bool, bits: u32) -> bool {
        let known = if thread { &self.threads } else { &self.objects };
        known.get(comp.0 as usize).is_some_and(|known| known.start > 0 && known.arenas & bits == 0)
    }

    /// The numbers that a component points to, each once.
    fn of(&mut self, comp: CompId, thread: bool, pool: &dyn Pool) -> &[u32] {
        let known = if thread { &mut self.threads } else { &mut self.objects };
        let at = comp.0 as usize;
        if known.len() <= at.min(MOST - 1) {
            known.resize((at + 1).next_power_of_two().min(MOST), Known::default());
        }
        let Known { start, end, .. } = known.get(at).copied().unwrap_or_default();
        if start > 0 {
            return &self.numbers[start as usize - 1..end as usize - 1];
        }
        self.numbers.truncate(self.kept);
        let mut found = FxHashSet::default();
        match thread {
            true => note_words(pool.get(comp), &mut found),
            false => self.pointees.note(pool, comp, &mut found),
        }
        let start = self.numbers.len();
        let arenas = found.iter().fold(0, |bits, &id| bits | bits_of(id));
        self.numbers.extend(found);
        if let Some(known) = known.get_mut(at) {
            *known = Known { start: start as u32 + 1, end: self.numbers.len() as u32 + 1, arenas };
            self.kept = self.numbers.len();
        }
        &self.numbers[start..]
    }

    /// Bytes used.
    pub fn bytes(&self) -> u64 {
        let places = self.objects.capacity() + self.threads.capacity();
        (places * size_of::<Known>() + self.numbers.capacity() * 4 + self.value_bytes) as u64
            + self.pointees.bytes()
    }
}
