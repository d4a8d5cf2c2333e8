//! What of the loaded state was looked at: whoever remembers what came of a step must know
//! what it depended on.
//!
//! Invariant: where memory looks next depends only on what it has seen so far.

use exeunt_ir::address::{ObjId, Space};
use smallvec::SmallVec;

use super::{Entry, Memory};
use crate::places::Group;
use crate::reach::arena_key;

/// A part of the loaded state that what happened since may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Look {
    /// What is in this place, among the globals and dynamic objects loaded: all of an object, size and flags of
    /// a large one, or nothing. This is the first look at a place that an access needs.
    Front(u32),
    /// All of a large object.
    Object(u32),
    /// Whether there is an object in this place.
    Presence(u32),
    /// A piece of a large object, with its number.
    Piece(u32, u32),
    /// Something that is not in memory and that `note_look` was called with.
    Elsewhere(u32),
    /// Which objects an arena (`arena_key`) has and who points to its numbers: how many of the threads and
    /// objects point to which one.
    Pointers(u32),
}

impl Memory<'_> {
    /// Begins a new list of looks. Which numbers have places is never in it.
    pub fn forget_looks(&mut self) {
        self.layout.forget();
        if !self.noted.is_empty() {
            self.noted.clear();
        }
        for look in self.looks.drain(..) {
            match look {
                Look::Object(entry) | Look::Front(entry) => {
                    let entry = &mut self.entries[entry as usize];
                    entry.words = None;
                    if let Some(image) = entry.image {
                        self.images[image].looked = false;
                    }
                }
                Look::Piece(entry, piece) => {
                    if let Some(image) = self.entries[entry as usize].image {
                        self.images[image].forget_look(piece);
                    }
                }
                Look::Presence(_) | Look::Elsewhere(_) | Look::Pointers(_) => {}
            }
        }
    }

    /// Everything in the loaded state that was looked at since
    /// `forget_looks`, also by what was rolled back since.
    pub fn looks(&self) -> &[Look] {
        &self.looks
    }

    /// Notes a look at something that only the caller knows.
    pub fn note_look(&mut self, what: u32) {
        self.note(Look::Elsewhere(what));
    }

    pub(crate) fn note_pointers(&mut self, arena: u32) {
        self.note(Look::Pointers(arena));
    }

    fn note(&mut self, look: Look) {
        if self.noted.insert(look) {
            self.looks.push(look);
        }
    }

    /// Notes that no object is in any of the empty places.
    pub(crate) fn note_absences(&mut self) {
        let empty = |&at: &usize| self.entries[at].comp == self.absent;
        for at in (self.globals..self.loaded).filter(empty).collect::<Vec<usize>>() {
            self.note(Look::Presence(at as u32));
        }
    }

    #[cold]
    pub(super) fn note_absence(&mut self, id: ObjId) {
        if let Ok(at) = self.entries[self.globals..self.loaded].binary_search_by_key(&id, |e| e.id)
            && self.entries[self.globals + at].comp == self.absent
        {
            self.note(Look::Front((self.globals + at) as u32));
        }
    }

    /// Whether places go when an object ends depends on the other objects of its group.
    pub(super) fn note_company(&mut self, kept: &[Group]) {
        let mut groups = SmallVec::<[Group; 8]>::new();
        for &at in &self.touched {
            let entry = &self.entries[at as usize];
            let group = Group::of(entry.id);
            if !entry.live && !groups.contains(&group) && !kept.contains(&group) {
                groups.push(group);
            }
        }
        for group in groups {
            let made = &self.entries[self.loaded..];
            if made.iter().any(|entry| entry.live && Group::of(entry.id) == group) {
                continue;
            }
            let loaded = &self.entries[self.globals..self.loaded];
            let first = self.globals + loaded.partition_point(|entry| Group::of(entry.id) < group);
            // Where one looks next depends only on what was seen.
            for at in first..first + Group::SIZE {
                self.note(Look::Presence(at as u32));
                if self.entries[at].live {
                    break;
                }
            }
        }
    }

    /// Numbers of the objects of an arena that exist, in no particular order. That they exist is a look.
    pub fn objects_of(&mut self, space: Space, thread: u8) -> Vec<ObjId> {
        let key = ObjId::in_arena(space, thread, 0).0;
        let ours = (self.globals..self.entries.len())
            .filter(|&at| arena_key(self.entries[at].id) == key)
            .collect::<Vec<usize>>();
        let mut found = Vec::new();
        for at in ours {
            let Entry { id, live, comp, .. } = self.entries[at];
            if live {
                found.push(id);
            }
            if at < self.loaded && (live || comp == self.absent) {
                self.note(Look::Presence(at as u32));
            }
        }
        found
    }
}
