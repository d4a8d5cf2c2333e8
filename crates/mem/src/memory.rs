//! The working memory of one step: a view of a stored state that copies what
//! it changes.

mod direct;
mod load;
mod looks;

use rustc_hash::{FxHashMap, FxHashSet};

use exeunt_ir::address::{ObjId, Space};
use exeunt_model::{CompId, Pool};

use crate::guard::Guard;
use crate::image::{ImageId, Images};
use crate::object::{self, Flags, Header, ObjectRef};
use crate::pieces;
use crate::places::{self, ABSENT, Group};
use crate::reach::Pointees;
use direct::Layout;
pub use direct::{Direct, Purpose};
pub use looks::Look;

const CLEAN: u32 = u32::MAX;

/// One object of the current state.
#[derive(Clone, Copy)]
struct Entry<'p> {
    id: ObjId,
    comp: CompId,
    /// The stored words, once they were asked for; of a large object its root.
    words: Option<&'p [u64]>,
    /// Where the words of a stored large object are, once they were asked for.
    image: Option<ImageId>,
    /// Index of the changed copy, or `CLEAN`. That of an image is its header only.
    dirty: u32,
    live: bool,
}

impl Entry<'_> {
    /// What is stored in a place, not looked at yet.
    fn stored(id: ObjId, comp: CompId, live: bool) -> Self {
        Entry { id, comp, words: None, image: None, dirty: CLEAN, live }
    }
}

/// An object that can change, as others see it.
pub(crate) enum Contents<'m> {
    Whole(ObjectRef<'m>),
    /// A large one that has not changed.
    Stored(pieces::Root),
}

/// Memory while a step runs.
pub struct Memory<'p> {
    pool: &'p dyn Pool,
    /// The component in places without an object.
    absent: CompId,
    /// Contents of constant globals by `GlobalId`; `None` for variables.
    constants: &'p [Option<Vec<u64>>],
    /// Position of each variable global in `entries`, by `GlobalId`.
    global_entry: &'p [u32],
    entries: Vec<Entry<'p>>,
    globals: usize,
    /// Numbers and components of the places that `load` was given last, the latter behind those of
    /// the globals.
    places: Vec<u64>,
    comps: Vec<CompId>,
    /// Entry of each dynamic object, by arena and slot; 0 is none.
    arenas: Vec<Vec<u32>>,
    buffers: Vec<Vec<u64>>,
    images: Images,
    spare: Vec<Vec<u64>>,
    /// Entries that changed or ended since `load`.
    touched: Vec<u32>,
    /// Those of objects that were made since then and have ended: others may have them, and their buffers.
    vacant: Vec<u32>,
    /// Components made by `commit`, by entry.
    committed: Vec<(u32, CompId)>,
    /// What was looked at since `forget_looks`, each once, in order.
    looks: Vec<Look>,
    /// Those of them that may come again.
    noted: FxHashSet<Look>,
    /// How many entries `load` made.
    loaded: usize,
    /// Whether an object was made or ended since `load`.
    directory_changed: bool,
    /// Heap and stack numbers that something may still point to although
    /// the object is gone. Computed on the first allocation of a step.
    pub(crate) reserved: Option<FxHashSet<u32>>,
    /// Where the search for a free number begins, by arena: all below are taken.
    pub(crate) cursors: FxHashMap<u32, u16>,
    pub(crate) guard: Guard,
    /// What stored large objects point to.
    pub(crate) pointees: Pointees,
    layout: Layout,
}

fn arena_of(id: ObjId) -> Option<usize> {
    let family = match id.space()? {
        Space::Heap => 0,
        Space::Stack => 1,
        Space::ThreadLocal => 2,
        _ => return None,
    };
    Some(id.arena() as usize * 3 + family)
}

impl<'p> Memory<'p> {
    /// `global_entry[g]` is the position of variable global `g` among the
    /// global components of a state, `constants[g]` the words of a constant one.
    pub fn new(
        pool: &'p dyn Pool,
        constants: &'p [Option<Vec<u64>>],
        global_entry: &'p [u32],
    ) -> Memory<'p> {
        Memory {
            pool,
            absent: pool.intern(ABSENT),
            constants,
            global_entry,
            entries: Vec::new(),
            globals: 0,
            places: Vec::new(),
            comps: Vec::new(),
            arenas: Vec::new(),
            buffers: Vec::new(),
            images: Images::default(),
            spare: Vec::new(),
            touched: Vec::new(),
            vacant: Vec::new(),
            committed: Vec::new(),
            looks: Vec::new(),
            noted: FxHashSet::default(),
            loaded: 0,
            directory_changed: false,
            reserved: None,
            cursors: FxHashMap::default(),
            guard: Guard::default(),
            pointees: Pointees::default(),
            layout: Layout::new(),
        }
    }

    /// Bytes of the objects that changed: what interning them costs.
    pub fn changed_bytes(&self) -> u64 {
        let made = (self.loaded..self.entries.len()).map(|i| i as u32);
        let entries = self.touched.iter().copied().chain(made).map(|i| self.entries[i as usize]);
        let dirty = entries.filter(|entry| entry.dirty != CLEAN && entry.live);
        let bytes = |entry: Entry<'_>| match entry.image {
            Some(image) => self.images[image].written_bytes(),
            None => 8 * self.buffers[entry.dirty as usize].len() as u64,
        };
        dirty.map(bytes).sum()
    }

    /// Bytes that are kept to be quicker.
    pub fn bytes(&self) -> u64 {
        self.images.bytes() + self.pointees.bytes()
    }

    pub(crate) fn pool(&self) -> &'p dyn Pool {
        self.pool
    }

    /// Interns what changed. Appends the components of globals and of the places of dynamic
    /// objects to `out`. The sorted list of these, which has been `places`, is made anew if
    /// objects were made or ended, or if other groups are to be kept than before; `true` if
    /// it is another one then.
    pub fn commit(
        &mut self,
        out: &mut Vec<CompId>,
        places: &mut Vec<u64>,
        kept: Option<&[Group]>,
    ) -> bool {
        self.layout.forget();
        // What was made in this step comes behind what was loaded.
        let made = (self.loaded..self.entries.len()).map(|i| i as u32);
        for i in self.touched.iter().copied().chain(made) {
            let Entry { dirty, live, image, words, .. } = self.entries[i as usize];
            if dirty != CLEAN && live {
                let buffer = &mut self.buffers[dirty as usize];
                // What is again as it was loaded is known already.
                let is_old = (i as usize) < self.loaded && image.is_none();
                if is_old && words == Some(&buffer[..]) {
                    continue;
                }
                let comp = match image {
                    Some(image) => {
                        let image = &mut self.images[image];
                        let comp = image.commit(self.pool);
                        buffer[0] = image.words[0];
                        comp
                    }
                    None => pieces::intern(self.pool, buffer),
                };
                self.committed.push((i, comp));
            }
        }
        let start = out.len();
        out.extend_from_slice(&self.comps);
        out.extend(self.entries[self.loaded..].iter().map(|entry| entry.comp));
        for (i, comp) in self.committed.drain(..) {
            out[start + i as usize] = comp;
        }
        let Some(kept) = kept else { return false };
        self.note_company(kept);
        let comps = out.split_off(start + self.globals);
        let dynamic = &self.entries[self.globals..];
        let pairs = dynamic.iter().zip(comps).filter(|(entry, _)| entry.live);
        let mut live: Vec<(ObjId, CompId)> = pairs.map(|(entry, comp)| (entry.id, comp)).collect();
        live.sort_unstable_by_key(|(id, _)| *id);
        let now = places::places(&live, kept);
        let mut live = live.into_iter().peekable();
        let comp = |&id: &u64| live.next_if(|live| u64::from(live.0.0) == id);
        out.extend(now.iter().map(comp).map(|live| live.map_or(self.absent, |(_, comp)| comp)));
        let changed = *places != now;
        *places = now;
        changed
    }

    /// Whether an object was made or ended since `load`.
    pub fn has_other_objects(&self) -> bool {
        self.directory_changed
    }

    // ---- finding objects --------------------------------------------------

    /// The entry of an object that can change, if it exists now; that it does not is a look at
    /// its place. Whoever finds it looks at it.
    #[inline]
    pub(crate) fn find(&mut self, id: ObjId) -> Option<usize> {
        let found = self.seek(id);
        if found.is_none() {
            self.note_absence(id);
        }
        found
    }

    #[inline]
    fn seek(&self, id: ObjId) -> Option<usize> {
        match id.space()? {
            Space::Global => {
                let entry = *self.global_entry.get(id.index() as usize)?;
                (entry != u32::MAX).then_some(entry as usize)
            }
            _ => {
                let entry = *self.arenas.get(arena_of(id)?)?.get(id.slot() as usize)?;
                (entry != 0).then(|| entry as usize - 1)
            }
        }
    }

    pub(crate) fn constant(&self, id: ObjId) -> Option<&'p [u64]> {
        if id.space() != Some(Space::Global) {
            return None;
        }
        self.constants.get(id.index() as usize)?.as_deref()
    }

    /// The words of an object, or at least its header: a large one has only that here.
    #[inline]
    fn front(&mut self, entry: usize) -> &[u64] {
        let e = &self.entries[entry];
        if e.dirty != CLEAN {
            return &self.buffers[e.dirty as usize];
        }
        match e.words {
            Some(words) => words,
            None => self.first_look(entry),
        }
    }

    fn first_look(&mut self, entry: usize) -> &[u64] {
        let e = &mut self.entries[entry];
        let words = self.pool.get(e.comp);
        e.words = Some(words);
        if pieces::is_large(Header::unpack(words[0])) {
            let globals = 1 << 32 | entry as u64;
            let object = if e.id == ObjId::NULL { globals } else { e.id.0 as u64 };
            e.image = Some(self.images.of(object));
        }
        self.looks.push(Look::Front(entry as u32));
        words
    }

    /// All words of an object.
    fn whole(&mut self, entry: usize) -> &[u64] {
        self.front(entry);
        match self.entries[entry].image {
            None => self.front(entry),
            Some(image) => {
                self.look_at_all(entry, image);
                &self.images[image].words
            }
        }
    }

    fn look_at_all(&mut self, entry: usize, image: ImageId) {
        self.show(entry, image);
        if !std::mem::replace(&mut self.images[image].looked, true) {
            self.looks.push(Look::Object(entry as u32));
        }
    }

    /// Makes an image that of the object as it is now.
    fn show(&mut self, entry: usize, image: ImageId) {
        let e = &self.entries[entry];
        if e.dirty == CLEAN {
            self.images[image].show(self.pool, e.comp);
        }
    }

    /// The words of an object, of which only these bytes will be looked at.
    #[inline]
    pub(crate) fn part(&mut self, entry: usize, offset: usize, len: usize) -> &[u64] {
        self.front(entry);
        match self.entries[entry].image {
            None => self.front(entry),
            Some(image) => {
                self.look_at_part(entry, image, offset, len);
                &self.images[image].words
            }
        }
    }

    fn look_at_part(&mut self, entry: usize, image: ImageId, offset: usize, len: usize) {
        self.show(entry, image);
        let looks = &mut self.looks;
        self.images[image].look(offset, len, |piece| looks.push(Look::Piece(entry as u32, piece)));
    }

    /// Shows all objects that can change, without a look at any.
    pub(crate) fn for_each_object(&self, mut each: impl FnMut(Contents<'_>)) {
        for entry in (0..self.entries.len()).filter(|&entry| self.entries[entry].live) {
            each(self.contents(entry));
        }
    }

    /// The objects that were made or written since `load`.
    pub(crate) fn for_each_change(&self, mut each: impl FnMut(Contents<'_>)) {
        let made = (self.loaded..self.entries.len()).map(|entry| entry as u32);
        for entry in self.touched.iter().copied().chain(made).map(|entry| entry as usize) {
            if self.entries[entry].live && self.entries[entry].dirty != CLEAN {
                each(self.contents(entry));
            }
        }
    }

    fn contents(&self, entry: usize) -> Contents<'_> {
        let entry = &self.entries[entry];
        let stored = || entry.words.unwrap_or_else(|| self.pool.get(entry.comp));
        match (entry.dirty, entry.image) {
            (CLEAN, _) => match pieces::Root::of(stored()) {
                Some(root) => Contents::Stored(root),
                None => Contents::Whole(ObjectRef::new(stored())),
            },
            (_, Some(image)) => Contents::Whole(ObjectRef::new(&self.images[image].words)),
            (dirty, None) => Contents::Whole(ObjectRef::new(&self.buffers[dirty as usize])),
        }
    }

    /// The words of an object, of which these bytes are about to be written; `undefined` says
    /// whether some will be. What was there is looked at, up to seven bytes behind them.
    #[inline]
    pub(crate) fn part_mut(
        &mut self,
        entry: usize,
        offset: usize,
        len: usize,
        undefined: bool,
    ) -> &mut Vec<u64> {
        self.make_dirty(entry);
        let e = &self.entries[entry];
        let Some(image) = e.image else {
            let dirty = e.dirty as usize;
            if undefined {
                self.note_rearranged(entry);
                object::add_shadow(&mut self.buffers[dirty]);
            }
            return &mut self.buffers[dirty];
        };
        let dirty = e.dirty as usize;
        if undefined {
            self.note_rearranged(entry);
        }
        self.look_at_part(entry, image, offset, len + 7);
        if undefined && !Header::unpack(self.images[image].words[0]).flags.has(Flags::SHADOW) {
            // That there was no shadow is a fact about all of it.
            self.look_at_all(entry, image);
            self.images[image].add_shadow();
            self.buffers[dirty][0] = self.images[image].words[0];
        }
        let image = &mut self.images[image];
        image.write(offset, len);
        &mut image.words
    }

    fn make_dirty(&mut self, entry: usize) {
        if self.entries[entry].dirty != CLEAN {
            return;
        }
        self.front(entry);
        let mut buffer = self.spare.pop().unwrap_or_default();
        buffer.clear();
        match self.entries[entry].image {
            None => buffer.extend_from_slice(self.front(entry)),
            Some(image) => {
                self.show(entry, image);
                buffer.push(self.images[image].words[0]);
            }
        }
        self.entries[entry].dirty = self.buffers.len() as u32;
        self.buffers.push(buffer);
        self.note_rearranged(entry);
        if entry < self.loaded {
            self.touched.push(entry as u32);
        }
    }

    /// The object with this number, if it exists now.
    pub fn object(&mut self, id: ObjId) -> Option<ObjectRef<'_>> {
        if let Some(words) = self.constant(id) {
            return Some(ObjectRef::new(words));
        }
        let entry = self.find(id)?;
        Some(ObjectRef::new(self.whole(entry)))
    }

    /// The same, of which only these bytes will be looked at.
    pub(crate) fn object_part(
        &mut self,
        id: ObjId,
        offset: usize,
        len: usize,
    ) -> Option<ObjectRef<'_>> {
        if let Some(words) = self.constant(id) {
            return Some(ObjectRef::new(words));
        }
        let entry = self.find(id)?;
        Some(ObjectRef::new(self.part(entry, offset, len)))
    }

    /// The header of an object, if it exists now.
    #[inline]
    pub fn header(&mut self, id: ObjId) -> Option<Header> {
        match self.find(id) {
            Some(entry) => Some(self.header_of(entry)),
            None => self.constant(id).map(|words| Header::unpack(words[0])),
        }
    }

    #[inline]
    pub(crate) fn header_of(&mut self, entry: usize) -> Header {
        Header::unpack(self.front(entry)[0])
    }

    /// Whether the object can never change.
    pub fn is_constant(&self, id: ObjId) -> bool {
        self.constant(id).is_some()
    }

    /// Numbers of all dynamic objects that exist, in no particular order, without a look at them.
    pub fn dynamic_objects(&self) -> impl Iterator<Item = ObjId> + '_ {
        self.entries[self.globals..].iter().filter(|entry| entry.live).map(|entry| entry.id)
    }

    /// Numbers of all globals that can change.
    pub fn variable_globals(&self) -> Vec<ObjId> {
        let variable = |(id, &entry): (usize, &u32)| {
            (entry != u32::MAX).then(|| ObjId::new(Space::Global, id as u32))
        };
        self.global_entry.iter().enumerate().filter_map(variable).collect()
    }

    /// Adds sticky facts to an object.
    pub fn set_flags(&mut self, id: ObjId, flags: Flags) {
        self.change_flags(id, |old| Flags(old.0 | flags.0));
    }

    pub fn clear_flags(&mut self, id: ObjId, flags: Flags) {
        self.change_flags(id, |old| Flags(old.0 & !flags.0));
    }

    fn change_flags(&mut self, id: ObjId, change: impl Fn(Flags) -> Flags) {
        let Some(entry) = self.find(id) else { return };
        let header = self.header_of(entry);
        let flags = change(header.flags);
        if flags != header.flags {
            self.make_dirty(entry);
            let Entry { dirty, image, .. } = self.entries[entry];
            let word = Header { flags, ..header }.pack();
            self.note_rearranged(entry);
            self.buffers[dirty as usize][0] = word;
            if let Some(image) = image {
                self.images[image].words[0] = word;
            }
        }
    }

    // ---- making and ending objects ------------------------------------------

    /// Makes an object. `undefined` says whether its contents are, or zero.
    pub fn create(&mut self, id: ObjId, size: u32, site: u32, flags: Flags, undefined: bool) {
        let header = Header { size, flags, site: site & 0x00ff_ffff };
        let entry = self.vacant.pop().unwrap_or_else(|| self.add_entry());
        let place = &mut self.entries[entry as usize];
        *place = Entry { dirty: place.dirty, ..Entry::stored(id, CompId(0), true) };
        object::build_fresh(header, undefined, &mut self.buffers[place.dirty as usize]);
        self.index(id, entry + 1);
        self.directory_changed = true;
    }

    /// A place for an object that is made, with a buffer.
    fn add_entry(&mut self) -> u32 {
        let dirty = self.buffers.len() as u32;
        self.buffers.push(self.spare.pop().unwrap_or_default());
        self.entries.push(Entry { dirty, ..Entry::stored(ObjId::NULL, CompId(0), false) });
        self.entries.len() as u32 - 1
    }

    /// Ends an object. If something may still point to it, its number stays
    /// taken at least for the rest of the step.
    pub fn destroy(&mut self, id: ObjId, may_dangle: bool) {
        let Some(entry) = self.find(id) else { return };
        // Another may get its number: what becomes of it depends on it.
        self.whole(entry);
        self.entries[entry].live = false;
        let arena = arena_of(id).expect("only dynamic objects end");
        self.arenas[arena][id.slot() as usize] = 0;
        self.directory_changed = true;
        self.note_rearranged(entry);
        match entry < self.loaded {
            true => self.touched.push(entry as u32),
            false => self.vacant.push(entry as u32),
        }
        if may_dangle {
            if let Some(reserved) = &mut self.reserved {
                reserved.insert(id.0);
            }
        } else if let Some(cursor) = self.cursors.get_mut(&(id.0 & !0xffff)) {
            *cursor = (*cursor).min(id.slot());
        }
    }

    /// Whether an object with this number exists now, without a look at it or its place.
    pub fn exists(&self, id: ObjId) -> bool {
        self.seek(id).is_some()
    }
}
