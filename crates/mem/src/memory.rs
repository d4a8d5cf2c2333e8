//! The working memory of one step: a view of a stored state that copies what
//! it changes.

use rustc_hash::{FxHashMap, FxHashSet};

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_model::{CompId, Pool};

use crate::guard::Guard;
use crate::object::{self, Flags, Header, ObjectRef};
use crate::reach::Large;
use crate::{Access, Bits, MemError};

const CLEAN: u32 = u32::MAX;

/// One object of the current state.
#[derive(Clone, Copy)]
struct Entry<'p> {
    id: ObjId,
    comp: CompId,
    /// The stored words, once they were asked for.
    words: Option<&'p [u64]>,
    /// Index of the changed copy, or `CLEAN`.
    dirty: u32,
    live: bool,
}

/// A part of the loaded state that what happened since may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// An object, by its place among the globals and dynamic objects loaded.
    Object(u32),
    /// Something that is not in memory and that `note_look` was called with.
    Elsewhere(u32),
    /// Who points into an arena (`arena_key`): how many of the threads and
    /// objects point to which number.
    Pointers(u32),
}

/// Memory while a step runs.
pub struct Memory<'p> {
    pool: &'p dyn Pool,
    /// Contents of constant globals by `GlobalId`; `None` for variables.
    constants: &'p [Option<Vec<u64>>],
    /// Position of each variable global in `entries`, by `GlobalId`.
    global_entry: &'p [u32],
    entries: Vec<Entry<'p>>,
    globals: usize,
    /// Entry of each dynamic object, by arena and slot; 0 is none.
    arenas: Vec<Vec<u32>>,
    buffers: Vec<Vec<u64>>,
    spare: Vec<Vec<u64>>,
    /// Entries that changed or ended since `load`.
    touched: Vec<u32>,
    /// Components made by `commit`, by entry.
    committed: Vec<(u32, CompId)>,
    /// What was looked at since `forget_looks`, each once, in order.
    looks: Vec<Look>,
    /// How many entries `load` made.
    loaded: usize,
    /// Whether an object was made or ended since `load`.
    pub(crate) directory_changed: bool,
    /// Heap and stack numbers that something may still point to although
    /// the object is gone. Computed on the first allocation of a step.
    pub(crate) reserved: Option<FxHashSet<u32>>,
    /// Where the search for a free number begins, by arena: all below are taken.
    pub(crate) cursors: FxHashMap<u32, u16>,
    pub(crate) guard: Guard,
    /// What large components point to.
    pub(crate) large: Large,
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
            constants,
            global_entry,
            entries: Vec::new(),
            globals: 0,
            arenas: Vec::new(),
            buffers: Vec::new(),
            spare: Vec::new(),
            touched: Vec::new(),
            committed: Vec::new(),
            looks: Vec::new(),
            loaded: 0,
            directory_changed: false,
            reserved: None,
            cursors: FxHashMap::default(),
            guard: Guard::default(),
            large: Large::default(),
        }
    }

    /// Starts from a stored state: its variable globals and its dynamic
    /// objects, whose numbers are `directory`.
    pub fn load(&mut self, globals: &[CompId], directory: &[u64], dynamic: &[CompId]) {
        debug_assert_eq!(directory.len(), dynamic.len());
        self.clear();
        self.globals = globals.len();
        let fresh = |id, comp| Entry { id, comp, words: None, dirty: CLEAN, live: true };
        self.entries.extend(globals.iter().map(|&comp| fresh(ObjId::NULL, comp)));
        for (&id, &comp) in directory.iter().zip(dynamic) {
            let id = ObjId(id as u32);
            self.index(id, self.entries.len() as u32 + 1);
            self.entries.push(fresh(id, comp));
        }
        self.loaded = self.entries.len();
    }

    /// Goes back to the state that was loaded.
    pub fn rollback(&mut self) {
        for entry in self.entries.drain(self.loaded..) {
            if let Some(arena) = arena_of(entry.id) {
                self.arenas[arena][entry.id.slot() as usize] = 0;
            }
        }
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
        self.directory_changed = false;
        self.reserved = None;
        self.cursors.clear();
    }

    fn clear(&mut self) {
        for entry in self.entries.drain(self.globals.min(self.entries.len())..) {
            if let Some(arena) = arena_of(entry.id) {
                self.arenas[arena][entry.id.slot() as usize] = 0;
            }
        }
        self.entries.clear();
        self.looks.clear();
        self.recycle();
    }

    /// Begins a new list of looks. Which objects there are is never in it.
    pub fn forget_looks(&mut self) {
        for look in self.looks.drain(..) {
            if let Look::Object(entry) = look {
                self.entries[entry as usize].words = None;
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
        if !self.looks.contains(&look) {
            self.looks.push(look);
        }
    }

    fn index(&mut self, id: ObjId, entry: u32) {
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

    /// Bytes of the objects that changed: what interning them costs.
    pub fn changed_bytes(&self) -> u64 {
        let made = (self.loaded..self.entries.len()).map(|i| i as u32);
        let entries = self.touched.iter().copied().chain(made).map(|i| self.entries[i as usize]);
        let dirty = entries.filter(|entry| entry.dirty != CLEAN && entry.live);
        dirty.map(|entry| 8 * self.buffers[entry.dirty as usize].len() as u64).sum()
    }

    /// Interns what changed. Appends the components of globals and dynamic
    /// objects to `out`; if the set of objects changed, `directory` becomes
    /// the new sorted list of their numbers.
    pub fn commit(&mut self, out: &mut Vec<CompId>, directory: &mut Vec<u64>) -> bool {
        // What was made in this step comes behind what was loaded.
        let made = (self.loaded..self.entries.len()).map(|i| i as u32);
        for i in self.touched.iter().copied().chain(made) {
            let Entry { dirty, live, .. } = self.entries[i as usize];
            if dirty != CLEAN && live {
                let buffer = &mut self.buffers[dirty as usize];
                object::normalise(buffer);
                let comp = self.pool.intern(buffer);
                self.committed.push((i, comp));
            }
        }
        let (globals, dynamic) = self.entries.split_at(self.globals);
        let start = out.len();
        out.extend(globals.iter().map(|entry| entry.comp));
        out.extend(dynamic.iter().map(|entry| entry.comp));
        for (i, comp) in self.committed.drain(..) {
            out[start + i as usize] = comp;
        }
        if !self.directory_changed {
            return false;
        }
        let comps = out.split_off(start + self.globals);
        let pairs = dynamic.iter().zip(comps).filter(|(entry, _)| entry.live);
        let mut live: Vec<(ObjId, CompId)> = pairs.map(|(entry, comp)| (entry.id, comp)).collect();
        live.sort_unstable_by_key(|(id, _)| *id);
        directory.clear();
        directory.extend(live.iter().map(|(id, _)| id.0 as u64));
        out.extend(live.iter().map(|(_, comp)| *comp));
        true
    }

    // ---- finding objects --------------------------------------------------

    #[inline]
    fn find(&self, id: ObjId) -> Option<usize> {
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

    fn constant(&self, id: ObjId) -> Option<&'p [u64]> {
        if id.space() != Some(Space::Global) {
            return None;
        }
        self.constants.get(id.index() as usize)?.as_deref()
    }

    #[inline]
    fn words(&mut self, entry: usize) -> &[u64] {
        let e = &mut self.entries[entry];
        if e.dirty != CLEAN {
            return &self.buffers[e.dirty as usize];
        }
        match e.words {
            Some(words) => words,
            None => {
                self.looks.push(Look::Object(entry as u32));
                e.words.insert(self.pool.get(e.comp))
            }
        }
    }

    /// Shows all objects that can change, without a look at any, each with the
    /// component that it is if it has not changed.
    pub(crate) fn for_each_object(&self, mut each: impl FnMut(ObjectRef<'_>, Option<CompId>)) {
        for entry in self.entries.iter().filter(|entry| entry.live) {
            let (words, comp) = match (entry.dirty, entry.words) {
                (CLEAN, Some(words)) => (words, Some(entry.comp)),
                (CLEAN, None) => (self.pool.get(entry.comp), Some(entry.comp)),
                (dirty, _) => (&self.buffers[dirty as usize][..], None),
            };
            each(ObjectRef::new(words), comp);
        }
    }

    fn words_mut(&mut self, entry: usize) -> &mut Vec<u64> {
        if self.entries[entry].dirty == CLEAN {
            let mut buffer = self.spare.pop().unwrap_or_default();
            buffer.clear();
            buffer.extend_from_slice(self.words(entry));
            self.entries[entry].dirty = self.buffers.len() as u32;
            self.buffers.push(buffer);
            if entry < self.loaded {
                self.touched.push(entry as u32);
            }
        }
        &mut self.buffers[self.entries[entry].dirty as usize]
    }

    /// The object with this number, if it exists now.
    pub fn object(&mut self, id: ObjId) -> Option<ObjectRef<'_>> {
        if let Some(words) = self.constant(id) {
            return Some(ObjectRef::new(words));
        }
        let entry = self.find(id)?;
        Some(ObjectRef::new(self.words(entry)))
    }

    /// The header of an object, if it exists now.
    #[inline]
    pub fn header(&mut self, id: ObjId) -> Option<Header> {
        match self.find(id) {
            Some(entry) => Some(Header::unpack(self.words(entry)[0])),
            None => self.constant(id).map(|words| Header::unpack(words[0])),
        }
    }

    /// Whether the object can never change.
    pub fn is_constant(&self, id: ObjId) -> bool {
        self.constant(id).is_some()
    }

    /// Numbers of all dynamic objects that exist, in no particular order.
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
        let header = Header::unpack(self.words(entry)[0]);
        let flags = change(header.flags);
        if flags != header.flags {
            self.words_mut(entry)[0] = Header { flags, ..header }.pack();
        }
    }

    // ---- making and ending objects ------------------------------------------

    /// Makes an object. `undefined` says whether its contents are, or zero.
    pub fn create(&mut self, id: ObjId, size: u32, site: u32, flags: Flags, undefined: bool) {
        let header = Header { size, flags, site: site & 0x00ff_ffff };
        let mut buffer = self.spare.pop().unwrap_or_default();
        let shadow = if undefined { vec![0xff; size as usize] } else { Vec::new() };
        object::build(header, &[], &shadow, &mut buffer);
        self.index(id, self.entries.len() as u32 + 1);
        let dirty = self.buffers.len() as u32;
        self.buffers.push(buffer);
        self.entries.push(Entry { id, comp: CompId(0), words: None, dirty, live: true });
        self.directory_changed = true;
    }

    /// Ends an object. If something may still point to it, its number stays
    /// taken at least for the rest of the step.
    pub fn destroy(&mut self, id: ObjId, may_dangle: bool) {
        let Some(entry) = self.find(id) else { return };
        // Another may get its number: what becomes of it depends on it.
        self.words(entry);
        self.entries[entry].live = false;
        if entry < self.loaded {
            self.touched.push(entry as u32);
        }
        let arena = arena_of(id).expect("only dynamic objects end");
        self.arenas[arena][id.slot() as usize] = 0;
        self.directory_changed = true;
        if may_dangle {
            if let Some(reserved) = &mut self.reserved {
                reserved.insert(id.0);
            }
        } else if let Some(cursor) = self.cursors.get_mut(&(id.0 & !0xffff)) {
            *cursor = (*cursor).min(id.slot());
        }
    }

    pub(crate) fn exists(&self, id: ObjId) -> bool {
        self.find(id).is_some()
    }

    /// Whether an object with this number exists now, without a look at it.
    pub fn has(&self, id: ObjId) -> bool {
        self.exists(id)
    }

    // ---- reading and writing ------------------------------------------------

    /// Finds the bytes behind an address or says what is wrong with it.
    #[inline]
    fn locate(&mut self, addr: u64, len: u64, access: Access) -> Result<(usize, usize), MemError> {
        let id = address::object(addr);
        let offset = address::offset(addr);
        let Some(entry) = self.find(id) else {
            return Err(self.missing(addr, len, access));
        };
        let header = Header::unpack(self.words(entry)[0]);
        if offset < 0 || (offset as u64).saturating_add(len) > header.size as u64 {
            let size = header.size as u64;
            return Err(MemError::OutOfBounds { object: id, offset, len, size });
        }
        if header.flags.has(Flags::OUT_OF_SCOPE) {
            return Err(MemError::OutOfScope { object: id });
        }
        self.check_declared((id, header), addr, len, access);
        Ok((entry, offset as usize))
    }

    #[cold]
    fn missing(&self, addr: u64, len: u64, access: Access) -> MemError {
        let (object, offset) = (address::object(addr), address::offset(addr));
        if let Some(words) = self.constant(object) {
            let size = Header::unpack(words[0]).size as u64;
            if offset < 0 || (offset as u64).saturating_add(len) > size {
                return MemError::OutOfBounds { object, offset, len, size };
            }
            debug_assert_eq!(access, Access::Write);
            return MemError::ReadOnly { object, offset };
        }
        match object.space() {
            None if addr < 1 << 20 || (addr as i64) < 0 && (addr as i64) > -(1 << 20) => {
                MemError::Null { offset: addr as i64 }
            }
            None => MemError::Wild { address: addr },
            Some(Space::Heap | Space::Stack | Space::ThreadLocal) => {
                MemError::Dead { object, offset }
            }
            Some(Space::Function | Space::Thread | Space::Opaque) => MemError::NotData { object },
            Some(Space::Global) => MemError::Wild { address: addr },
        }
    }

    /// The object words and byte offset for reading `len` bytes.
    #[inline]
    fn source(&mut self, addr: u64, len: u64) -> Result<(ObjectRef<'_>, usize), MemError> {
        let id = address::object(addr);
        if self.find(id).is_none()
            && let Some(words) = self.constant(id)
        {
            let offset = address::offset(addr);
            let size = Header::unpack(words[0]).size as u64;
            if offset < 0 || (offset as u64).saturating_add(len) > size {
                return Err(MemError::OutOfBounds { object: id, offset, len, size });
            }
            return Ok((ObjectRef::new(words), offset as usize));
        }
        let (entry, offset) = self.locate(addr, len, Access::Read)?;
        Ok((ObjectRef::new(self.words(entry)), offset))
    }

    /// Reads up to 8 bytes, little end first.
    #[inline]
    pub fn read(&mut self, addr: u64, len: usize) -> Result<Bits, MemError> {
        let (object, offset) = self.source(addr, len as u64)?;
        let value = gather(object.data(), offset, len);
        let undefined = object.shadow().map_or(0, |shadow| gather(shadow, offset, len));
        Ok(Bits { value, undefined })
    }

    /// Writes the low `len` (up to 8) bytes. Says whether eight bytes, some of
    /// them among these, could be a pointer now.
    #[inline]
    pub fn write(&mut self, addr: u64, len: usize, bits: Bits) -> Result<bool, MemError> {
        let (entry, offset) = self.locate(addr, len as u64, Access::Write)?;
        let mask = if len == 8 { u64::MAX } else { (1 << (len * 8)) - 1 };
        let undefined = bits.undefined & mask;
        let words = self.words_mut(entry);
        if undefined != 0 {
            object::add_shadow(words);
        }
        let header = Header::unpack(words[0]);
        let data = header.words();
        let value = (bits.value & !bits.undefined).to_le_bytes();
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words[1..]);
        bytes[offset..offset + len].copy_from_slice(&value[..len]);
        if header.flags.has(Flags::SHADOW) {
            let offset = offset + data * 8;
            bytes[offset..offset + len].copy_from_slice(&undefined.to_le_bytes()[..len]);
        }
        Ok(crate::windows::may_touch(&words[1..1 + data], offset, len))
    }

    /// Checks that `len` bytes could be accessed.
    pub fn check(&mut self, addr: u64, len: u64, access: Access) -> Result<(), MemError> {
        match access {
            Access::Read => self.source(addr, len).map(|_| ()),
            Access::Write => self.locate(addr, len, access).map(|_| ()),
        }
    }

    /// Copies bytes out, with their shadow (empty if all are defined).
    pub fn read_bytes(&mut self, addr: u64, len: u64) -> Result<(Vec<u8>, Vec<u8>), MemError> {
        let (object, offset) = self.source(addr, len)?;
        let range = offset..offset + len as usize;
        let data = object.data()[range.clone()].to_vec();
        let shadow = object.shadow().map_or_else(Vec::new, |s| s[range].to_vec());
        let shadow = if shadow.iter().all(|&b| b == 0) { Vec::new() } else { shadow };
        Ok((data, shadow))
    }

    /// Writes bytes; an empty shadow means that all are defined.
    pub fn write_bytes(&mut self, addr: u64, data: &[u8], shadow: &[u8]) -> Result<(), MemError> {
        let (entry, offset) = self.locate(addr, data.len() as u64, Access::Write)?;
        let words = self.words_mut(entry);
        if !shadow.is_empty() {
            object::add_shadow(words);
        }
        let header = Header::unpack(words[0]);
        let behind = header.words() * 8 + offset;
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words[1..]);
        bytes[offset..offset + data.len()].copy_from_slice(data);
        if header.flags.has(Flags::SHADOW) {
            let target = &mut bytes[behind..behind + data.len()];
            if shadow.is_empty() {
                target.fill(0);
            } else {
                target.copy_from_slice(shadow);
                for (byte, &undefined) in bytes[offset..offset + data.len()].iter_mut().zip(shadow)
                {
                    *byte &= !undefined;
                }
            }
        }
        Ok(())
    }

    /// Makes part of an object's contents zero and defined, as far as it is
    /// there.
    pub fn mask(&mut self, id: ObjId, offset: u64, len: u64) {
        let Some(entry) = self.find(id) else { return };
        let words = self.words_mut(entry);
        let header = Header::unpack(words[0]);
        let size = header.size as u64;
        let (start, end) = (offset.min(size), offset.saturating_add(len).min(size));
        let shadow = header.words() as u64 * 8;
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words[1..]);
        bytes[start as usize..end as usize].fill(0);
        if header.flags.has(Flags::SHADOW) {
            bytes[(shadow + start) as usize..(shadow + end) as usize].fill(0);
        }
    }

    /// Makes all of an object's contents undefined.
    pub fn undefine(&mut self, id: ObjId) {
        let Some(entry) = self.find(id) else { return };
        let words = self.words_mut(entry);
        object::add_shadow(words);
        let header = Header::unpack(words[0]);
        let (data, size) = (header.words(), header.size as usize);
        words[1..1 + data].fill(0);
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words[1 + data..]);
        bytes[..size].fill(0xff);
    }
}

#[inline]
fn gather(bytes: &[u8], offset: usize, len: usize) -> u64 {
    // Data is padded to whole words, so an aligned access never overruns.
    if len == 4 {
        let mut word = [0; 4];
        word.copy_from_slice(&bytes[offset..offset + 4]);
        return u32::from_le_bytes(word) as u64;
    }
    let mut word = [0; 8];
    word[..len].copy_from_slice(&bytes[offset..offset + len]);
    u64::from_le_bytes(word)
}
