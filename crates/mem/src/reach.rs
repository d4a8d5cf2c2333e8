//! Who can still point to what.
//!
//! Pointers are plain numbers, so this is conservative: any word that looks
//! like an address of an object counts as a pointer to it. Too many pointers
//! only cost states or reduction; a missed one would be unsound. What a scan
//! cannot see (an address hidden by arithmetic) is covered by `Expose`: such
//! an object is shared from then on.

use rustc_hash::{FxHashMap, FxHashSet};

use exeunt_ir::address::{self, ObjId, Space};

use exeunt_model::{CompId, Pool};

use crate::memory::Contents;
use crate::pieces::{self, Root};
use crate::{Flags, Memory, ObjectRef};

/// The dynamic object (or thread) a word would mean, if it looks like an address.
#[inline]
pub fn pointee(word: u64) -> Option<ObjId> {
    // Neighbouring tags: one compare rejects almost every word. Handles of
    // threads count too, so that their numbers are not used again too early.
    is_pointer_tag((word >> 56) as u8).then(|| address::object(word))
}

/// The same for eight bytes that begin at any byte of an object. Text and tables of small
/// numbers often look like addresses there (the letters S to V are tags), but then like
/// addresses far before the beginning of an object. So only those count that are at most
/// [`FARTHEST`] bytes before it.
#[inline]
pub fn pointee_in(word: u64, offset: usize) -> Option<ObjId> {
    let near = offset.is_multiple_of(8) || address::offset(word) >= -FARTHEST;
    pointee(word).filter(|_| near)
}

/// How far before its object a pointer that is not aligned may point: all bytes of
/// text are smaller than what is left of it as the top byte of an offset.
const FARTHEST: i64 = 1 << 24;

/// Whether a word with this top byte looks like an address.
#[inline]
pub fn is_pointer_tag(tag: u8) -> bool {
    (Space::Heap as u8..=Space::Thread as u8).contains(&tag)
}

/// Collects the numbers of dynamic objects and threads that words point to.
pub fn note_words(words: &[u64], found: &mut FxHashSet<u32>) {
    for &word in words {
        if let Some(id) = pointee(word) {
            found.insert(id.0);
        }
    }
}

/// The same for the contents of an object.
fn note_contents(object: ObjectRef<'_>, found: &mut FxHashSet<u32>) {
    note_words(object.data_words(), found);
    if object.header().flags.has(Flags::UNALIGNED) {
        note_windows(object.data(), found);
    }
}

/// The same for bytes that may be pointers wherever they begin.
fn note_windows(data: &[u8], found: &mut FxHashSet<u32>) {
    for start in 0..data.len().saturating_sub(7) {
        let mut word = [0; 8];
        word.copy_from_slice(&data[start..start + 8]);
        if let Some(id) = pointee_in(u64::from_le_bytes(word), start) {
            found.insert(id.0);
        }
    }
}

/// Stands for all numbers of the heap that are pointed to and not taken, in a
/// [`Look::Pointers`](crate::Look::Pointers).
pub const STALE: u32 = u32::MAX;

fn is_of(id: ObjId, space: Space, thread: u8) -> bool {
    id.space() == Some(space) && (space == Space::Heap || id.arena() == thread)
}

/// Whether the bytes of a number are characters. It is text then, not what is left of an
/// object: the 33rd thread would have had thousands of objects at a time.
fn is_text(id: ObjId) -> bool {
    id.0.to_le_bytes().iter().all(|byte| (0x20..0x7f).contains(byte))
}

/// The part of memory that a number belongs to: those it competes with for it.
pub fn arena_key(id: ObjId) -> u32 {
    id.0 & !0xffff
}

/// Nodes and pieces of which it is remembered what they point to.
const MOST_KNOWN: usize = 1 << 16;

/// What stored objects point to. What is known of the pieces of large ones is remembered:
/// a buffer that nobody touches must not cost every allocation a look at all of it.
#[derive(Default)]
pub struct Pointees {
    /// By component and how far it is above the pieces.
    known: FxHashMap<(CompId, u32), Box<[u32]>>,
}

impl Pointees {
    /// Collects what an object points to.
    pub fn note(&mut self, pool: &dyn Pool, comp: CompId, found: &mut FxHashSet<u32>) {
        let words = pool.get(comp);
        match Root::of(words) {
            Some(root) => self.note_large(pool, root, found),
            None => note_contents(ObjectRef::new(words), found),
        }
    }

    fn note_large(&mut self, pool: &dyn Pool, root: Root, found: &mut FxHashSet<u32>) {
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        let height = pieces::height(root.pieces());
        self.note_node(pool, root.data, height, found);
        if root.header.flags.has(Flags::UNALIGNED) {
            let mut data = Vec::new();
            collect(pool, root.data, height, &mut data);
            note_windows(bytemuck::cast_slice(&data), found);
        }
    }

    fn note_node(
        &mut self,
        pool: &dyn Pool,
        node: CompId,
        height: u32,
        found: &mut FxHashSet<u32>,
    ) {
        if let Some(known) = self.known.get(&(node, height)) {
            return found.extend(known.iter());
        }
        let mut own = FxHashSet::default();
        match height {
            0 => note_words(pool.get(node), &mut own),
            _ => {
                for child in pieces::children(pool.get(node)) {
                    self.note_node(pool, child, height - 1, &mut own);
                }
            }
        }
        found.extend(own.iter());
        self.known.insert((node, height), own.into_iter().collect());
    }

    /// Bytes used, about.
    pub fn bytes(&self) -> u64 {
        (self.known.capacity() * (size_of::<(CompId, u32)>() + size_of::<Box<[u32]>>() + 1)) as u64
    }
}

/// The words below a node.
fn collect(pool: &dyn Pool, node: CompId, height: u32, out: &mut Vec<u64>) {
    match height {
        0 => out.extend_from_slice(pool.get(node)),
        _ => {
            pieces::children(pool.get(node)).for_each(|child| collect(pool, child, height - 1, out))
        }
    }
}

impl Memory<'_> {
    fn note_object(&mut self, id: ObjId, found: &mut FxHashSet<u32>) {
        if let Some(object) = self.object(id) {
            note_contents(object, found);
        }
    }

    /// Every object number of the state, existing or not, that some word
    /// points to. `roots` are the words of all threads.
    ///
    /// This is not a look at each of them: what is made of it is noted as a
    /// look at the pointers into one arena.
    fn pointed_to(&mut self, roots: &[&[u64]]) -> FxHashSet<u32> {
        let mut found = FxHashSet::default();
        roots.iter().for_each(|words| note_words(words, &mut found));
        let mut pointees = std::mem::take(&mut self.pointees);
        self.for_each_object(|contents| match contents {
            Contents::Stored(root) => pointees.note_large(self.pool(), root, &mut found),
            Contents::Whole(object) => note_contents(object, &mut found),
        });
        self.pointees = pointees;
        found
    }

    /// Whether one of the objects that were made or written since `load` points to one of these.
    pub fn came_to_point_to(&self, targets: &[ObjId]) -> bool {
        let points = |words: &[u64]| words.iter().any(|&w| targets.contains(&address::object(w)));
        let mut found = false;
        self.for_each_change(|contents| match contents {
            Contents::Whole(object) => found |= points(object.data_words()),
            Contents::Stored(root) => {
                let mut data = Vec::new();
                collect(self.pool(), root.data, pieces::height(root.pieces()), &mut data);
                found |= points(&data);
            }
        });
        found
    }

    /// The lowest number of the arena that no object has and no word of the
    /// state could mean. `None` if the arena is full.
    /// `roots` are the words of all threads; they are only looked at if
    /// [`Memory::needs_roots`].
    pub fn free_slot(&mut self, space: Space, thread: u8, roots: &[&[u64]]) -> Option<ObjId> {
        if self.needs_roots() {
            self.reserved = Some(self.pointed_to(roots));
        }
        self.lowest_free(space, thread)
    }

    /// Whether the next [`Memory::free_slot`] will scan the state.
    pub fn needs_roots(&self) -> bool {
        self.reserved.is_none()
    }

    /// What ended during this step is reserved without a closer look; this
    /// makes the next [`Memory::free_slot`] look again.
    pub fn forget_reserved(&mut self) {
        self.reserved = None;
        self.cursors.clear();
    }

    /// Whether some word of the state could mean this number.
    pub fn is_reserved(&mut self, id: ObjId, roots: &[&[u64]]) -> bool {
        if self.reserved.is_none() {
            self.reserved = Some(self.pointed_to(roots));
        }
        self.note_pointers(arena_key(id));
        self.reserved.as_ref().is_some_and(|set| set.contains(&id.0))
    }

    fn lowest_free(&mut self, space: Space, thread: u8) -> Option<ObjId> {
        let key = arena_key(ObjId::in_arena(space, thread, 0));
        self.note_pointers(key);
        let start = self.cursors.get(&key).copied().unwrap_or(0);
        let found =
            (start..=u16::MAX).map(|slot| ObjId::in_arena(space, thread, slot)).find(|&id| {
                !self.exists(id) && !self.reserved.as_ref().is_some_and(|set| set.contains(&id.0))
            })?;
        self.cursors.insert(key, found.slot());
        Some(found)
    }

    /// Whether, without a closer look, [`Memory::stale`] could find something.
    /// Only after a [`Memory::free_slot`] or [`Memory::reserve`].
    pub fn may_be_stale(&self, space: Space, thread: u8) -> bool {
        let reserved = self.reserved.iter().flatten();
        reserved.copied().map(ObjId).any(|id| is_of(id, space, thread) && !self.exists(id))
    }

    /// Numbers of objects that are gone and that something still points to:
    /// on the heap all, on the stack those of one thread. Sorted.
    ///
    /// The caller notes that it looked (`note_stale`).
    pub fn stale(&mut self, space: Space, thread: u8, roots: &[&[u64]]) -> Vec<ObjId> {
        let pointed = self.pointed_to(roots).into_iter().map(ObjId);
        let mut stale: Vec<ObjId> =
            pointed.filter(|&id| is_of(id, space, thread) && !self.exists(id)).collect();
        stale.retain(|id| !is_text(*id));
        stale.sort_unstable();
        stale
    }

    /// Notes a look at what [`Memory::stale`] finds.
    pub fn note_stale(&mut self, space: Space, thread: u8) {
        match space {
            Space::Heap => self.note_pointers(STALE),
            _ => self.note_pointers(arena_key(ObjId::in_arena(space, thread, 0))),
        }
    }

    /// Whether some word still points to an object. The caller knows which
    /// threads there are; who points into the arena is noted as a look.
    pub fn is_pointed_to(&mut self, id: ObjId, roots: &[&[u64]]) -> bool {
        self.note_pointers(arena_key(id));
        self.pointed_to(roots).contains(&id.0)
    }

    /// Finds out which numbers are pointed to, for the rest of the step.
    pub fn reserve(&mut self, roots: &[&[u64]]) {
        self.reserved = Some(self.pointed_to(roots));
    }

    /// Marks an object and everything reachable from it as shared.
    pub fn share(&mut self, root: ObjId) {
        // Globals always are, and nothing else but dynamic objects can be.
        if pointee(root.at(0)).is_none() {
            return;
        }
        if self.is_constant(root) || self.header(root).is_none_or(|h| h.flags.has(Flags::SHARED)) {
            return;
        }
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            let Some(header) = self.header(id) else { continue };
            if header.flags.has(Flags::SHARED) || self.is_constant(id) {
                continue;
            }
            self.set_flags(id, Flags::SHARED);
            let mut found = FxHashSet::default();
            self.note_object(id, &mut found);
            let mut found: Vec<u32> = found.into_iter().collect();
            found.sort_unstable();
            work.extend(found.into_iter().map(ObjId));
        }
    }

    /// Heap objects that no chain of pointers from the globals, the stacks,
    /// thread-local variables or `roots` leads to.
    pub fn unreachable_heap(&mut self, roots: &[&[u64]]) -> Vec<ObjId> {
        let mut seen = FxHashSet::default();
        roots.iter().for_each(|words| note_words(words, &mut seen));
        self.note_absences();
        let dynamic: Vec<ObjId> =
            self.dynamic_objects().filter(|id| id.space() != Some(Space::Heap)).collect();
        for id in self.variable_globals().into_iter().chain(dynamic) {
            self.note_object(id, &mut seen);
        }
        let mut work: Vec<u32> = seen.iter().copied().collect();
        while let Some(id) = work.pop() {
            let mut found = FxHashSet::default();
            self.note_object(ObjId(id), &mut found);
            work.extend(found.into_iter().filter(|&next| seen.insert(next)));
        }
        let mut lost: Vec<ObjId> = self
            .dynamic_objects()
            .filter(|id| id.space() == Some(Space::Heap) && !seen.contains(&id.0))
            .collect();
        lost.sort_unstable();
        lost
    }
}
