//! Stored states come in. From one state to the next few components change, so only their entries
//! are made anew.
//!
//! Invariant: `comps` are the components of the entries that `load` made, and `arenas` says where each object
//! is that exists now.

use exeunt_ir::address::ObjId;
use exeunt_model::CompId;

use super::{CLEAN, Entry, Memory, arena_of};

/// Components that are compared at once.
const RUN: usize = 32;

impl Memory<'_> {
    /// Starts from a stored state: its variable globals and the places of its dynamic
    /// objects, with their numbers.
    pub fn load(&mut self, globals: &[CompId], places: &[u64], dynamic: &[CompId]) {
        debug_assert_eq!(places.len(), dynamic.len());
        self.forget_looks();
        self.rollback();
        let has_images = self.images.make_room();
        if has_images && self.globals == globals.len() && self.places == places {
            self.replace(0, globals);
            self.replace(globals.len(), dynamic);
        } else {
            self.load_anew(globals, places, dynamic);
        }
    }

    fn load_anew(&mut self, globals: &[CompId], places: &[u64], dynamic: &[CompId]) {
        self.unindex(self.globals.min(self.entries.len()));
        self.entries.clear();
        self.globals = globals.len();
        self.entries.extend(globals.iter().map(|&comp| Entry::stored(ObjId::NULL, comp, true)));
        for (&id, &comp) in places.iter().zip(dynamic) {
            let (id, live) = (ObjId(id as u32), comp != self.absent);
            if live {
                self.index(id, self.entries.len() as u32 + 1);
            }
            self.entries.push(Entry::stored(id, comp, live));
        }
        self.loaded = self.entries.len();
        self.places.clear();
        self.places.extend_from_slice(places);
        self.comps.clear();
        self.comps.extend_from_slice(globals);
        self.comps.extend_from_slice(dynamic);
    }

    /// Loads components into the places from this one on.
    fn replace(&mut self, first: usize, comps: &[CompId]) {
        let runs = (first..).step_by(RUN).zip(comps.chunks(RUN));
        for (start, new) in runs {
            if CompId::differ(&self.comps[start..start + new.len()], new) {
                for (at, &comp) in (start..).zip(new) {
                    self.replace_one(at, comp);
                }
            }
        }
    }

    fn replace_one(&mut self, at: usize, comp: CompId) {
        if std::mem::replace(&mut self.comps[at], comp) == comp {
            return;
        }
        let Entry { id, live: before, .. } = self.entries[at];
        let live = at < self.globals || comp != self.absent;
        self.entries[at] = Entry::stored(id, comp, live);
        if live != before {
            self.index(id, if live { at as u32 + 1 } else { 0 });
        }
    }

    /// Goes back to the state that was loaded.
    pub fn rollback(&mut self) {
        self.layout.forget();
        self.unindex(self.loaded);
        let mut touched = std::mem::take(&mut self.touched);
        for &i in &touched {
            let Some(entry) = self.entries.get_mut(i as usize) else { continue };
            entry.dirty = CLEAN;
            if !entry.live {
                entry.live = true;
                let id = entry.id;
                self.index(id, i + 1);
            }
        }
        touched.clear();
        self.touched = touched;
        self.recycle();
    }

    fn recycle(&mut self) {
        self.spare.append(&mut self.buffers);
        self.touched.clear();
        self.vacant.clear();
        self.directory_changed = false;
        self.reserved = None;
        self.cursors.clear();
    }

    /// Drops the entries from this one on.
    fn unindex(&mut self, first: usize) {
        for entry in self.entries.drain(first..).filter(|entry| entry.live) {
            if let Some(arena) = arena_of(entry.id) {
                self.arenas[arena][entry.id.slot() as usize] = 0;
            }
        }
    }

    /// Says where an object is, by the number of its entry plus one; zero: it does not exist.
    pub(super) fn index(&mut self, id: ObjId, entry: u32) {
        let arena = arena_of(id).expect("dynamic objects live in arenas");
        if self.arenas.len() <= arena {
            self.arenas.resize_with(arena + 1, Vec::new);
        }
        let slots = &mut self.arenas[arena];
        if slots.len() <= id.slot() as usize {
            slots.resize(id.slot() as usize + 1, 0);
        }
        slots[id.slot() as usize] = entry;
    }
}
