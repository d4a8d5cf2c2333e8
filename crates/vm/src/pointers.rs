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
    /// By component, as an object and as a thread: where in `numbers` its
    /// pointees are, plus one.
    objects: Vec<(u32, u32)>,
    threads: Vec<(u32, u32)>,
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
        for (at, &comp) in state.iter().enumerate().skip(1) {
            let pointees = self.of(comp, at <= threads as usize, pool);
            let wanted = |&&id: &&u32| match arena {
                STALE => ObjId(id).space() == Some(Space::Heap),
                arena => id & !0xffff == arena,
            };
            found.extend(pointees.iter().filter(wanted));
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

    /// The numbers that a component points to, each once.
    fn of(&mut self, comp: CompId, thread: bool, pool: &dyn Pool) -> &[u32] {
        let known = if thread { &mut self.threads } else { &mut self.objects };
        let at = comp.0 as usize;
        if known.len() <= at.min(MOST - 1) {
            known.resize((at + 1).next_power_of_two().min(MOST), (0, 0));
        }
        let (start, end) = known.get(at).copied().unwrap_or((0, 0));
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
        self.numbers.extend(found);
        if let Some(known) = known.get_mut(at) {
            *known = (start as u32 + 1, self.numbers.len() as u32 + 1);
            self.kept = self.numbers.len();
        }
        &self.numbers[start..]
    }

    /// Bytes used.
    pub fn bytes(&self) -> u64 {
        let places = self.objects.capacity() + self.threads.capacity();
        (places * 8 + self.numbers.capacity() * 4 + self.value_bytes) as u64 + self.pointees.bytes()
    }
}
