//! Images: the words of large objects in one place, for one worker.
//!
//! A large object is stored in pieces, and read and written as if it were whole. So a
//! worker keeps an image of each that it has accessed. When another state is loaded, only the pieces
//! in which its object differs are copied, and only pieces that were written are interned.
//!
//! Invariant: an image without written pieces is equal to the object that `comp` stands for.

use exeunt_model::{CompId, Pool};
use rustc_hash::FxHashMap;

use crate::object::{self, Flags, Header};
use crate::pieces::{self, PIECE, Root};

/// Images are given up when there are so many words of them, and twice those of the largest.
const MOST_WORDS: usize = 1 << 23;

/// The number of an image in a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageId(u32);

const LOOKED: u8 = 1;
const WRITTEN: u8 = 2;

#[derive(Default)]
pub struct Image {
    comp: Option<CompId>,
    /// Header, data and shadow, as those of a small object.
    pub words: Vec<u64>,
    /// By piece, those of the shadow behind those of the data: what was done to it.
    marks: Vec<u8>,
    written: Vec<u32>,
    /// All of it was looked at.
    pub looked: bool,
}

impl Image {
    /// Makes it the image of an object.
    pub fn show(&mut self, pool: &dyn Pool, comp: CompId) {
        if self.comp == Some(comp) && self.written.is_empty() && self.header_is_stored(pool) {
            return;
        }
        let new = root(pool, comp);
        let old = self.comp.map(|old| root(pool, old));
        match old.filter(|old| old.header.size == new.header.size) {
            Some(old) => {
                self.undo(pool, old);
                self.follow(pool, old, new);
            }
            None => self.fill(pool, new),
        }
        self.comp = Some(comp);
    }

    fn header_is_stored(&self, pool: &dyn Pool) -> bool {
        self.comp.is_some_and(|comp| pool.get(comp)[0] == self.words[0])
    }

    fn header(&self) -> Header {
        Header::unpack(self.words[0])
    }

    fn fill(&mut self, pool: &dyn Pool, root: Root) {
        let words = root.header.words();
        self.words.clear();
        self.words.push(root.header.pack());
        self.words.resize(1 + words * (1 + usize::from(root.shadow.is_some())), 0);
        self.written.clear();
        self.marks.clear();
        self.marks.resize(2 * root.pieces() as usize, 0);
        let zeros = pieces::zeros(pool, words);
        let nothing = Root { data: zeros, shadow: root.shadow.map(|_| zeros), ..root };
        self.copy(pool, &nothing.differences(pool, root));
    }

    /// Takes back what was written.
    fn undo(&mut self, pool: &dyn Pool, old: Root) {
        self.words[0] = old.header.pack();
        let shadow = usize::from(old.shadow.is_some());
        debug_assert!(
            self.words.len() > old.header.words() * (1 + shadow),
            "only commit drops one"
        );
        self.words.truncate(1 + old.header.words() * (1 + shadow));
        for piece in std::mem::take(&mut self.written) {
            self.marks[piece as usize] &= !WRITTEN;
            if let Some(leaf) = old.piece(pool, piece) {
                self.copy(pool, &[(piece, leaf)]);
            }
        }
    }

    /// Goes from one object to another of the same size.
    fn follow(&mut self, pool: &dyn Pool, old: Root, new: Root) {
        let words = new.header.words();
        self.words[0] = new.header.pack();
        let before = match (old.shadow, new.shadow) {
            (None, Some(_)) => {
                self.words.resize(1 + 2 * words, 0);
                Root { shadow: Some(pieces::zeros(pool, words)), ..old }
            }
            (Some(_), None) => {
                self.words.truncate(1 + words);
                Root { shadow: None, ..old }
            }
            (None, None) | (Some(_), Some(_)) => old,
        };
        self.copy(pool, &before.differences(pool, new));
    }

    fn copy(&mut self, pool: &dyn Pool, changed: &[(u32, CompId)]) {
        for &(piece, leaf) in changed {
            let start = self.place(piece);
            let words = pool.get(leaf);
            self.words[start..start + words.len()].copy_from_slice(words);
        }
    }

    fn count(&self) -> u32 {
        pieces::count(self.header().words())
    }

    /// Where the words of a piece begin.
    fn place(&self, piece: u32) -> usize {
        match piece.checked_sub(self.count()) {
            None => 1 + piece as usize * PIECE,
            Some(piece) => 1 + self.header().words() + piece as usize * PIECE,
        }
    }

    /// The pieces with some of these bytes, of data and shadow.
    fn covering(&self, offset: usize, len: usize) -> impl Iterator<Item = u32> + use<> {
        let count = self.count();
        let end = (offset + len).min(self.header().size as usize);
        let data = (offset / 8 / PIECE) as u32..pieces::count(end.div_ceil(8));
        let shadow = self.header().flags.has(Flags::SHADOW).then(|| data.clone());
        data.chain(shadow.into_iter().flatten().map(move |piece| count + piece))
    }

    /// Notes a look at these bytes; `each` is told the pieces that were not looked at before.
    #[inline]
    pub fn look(&mut self, offset: usize, len: usize, mut each: impl FnMut(u32)) {
        if self.looked {
            return;
        }
        for piece in self.covering(offset, len) {
            let mark = &mut self.marks[piece as usize];
            if *mark & LOOKED == 0 {
                *mark |= LOOKED;
                each(piece);
            }
        }
    }

    /// Whether the pieces with this byte were looked at.
    pub fn has_looked(&self, offset: usize) -> bool {
        let mut pieces = self.covering(offset, 1);
        self.looked || pieces.all(|piece| self.marks[piece as usize] & LOOKED != 0)
    }

    pub fn forget_look(&mut self, piece: u32) {
        if let Some(mark) = self.marks.get_mut(piece as usize) {
            *mark &= !LOOKED;
        }
    }

    /// Notes that these bytes are about to be written.
    pub fn write(&mut self, offset: usize, len: usize) {
        for piece in self.covering(offset, len) {
            let mark = &mut self.marks[piece as usize];
            if *mark & WRITTEN == 0 {
                *mark |= WRITTEN;
                self.written.push(piece);
            }
        }
    }

    pub fn add_shadow(&mut self) {
        object::add_shadow(&mut self.words);
    }

    /// What interning it would cost, in bytes.
    pub fn written_bytes(&self) -> u64 {
        (self.written.len() * PIECE * 8) as u64
    }

    /// Interns what was written. The image is in canonical form then.
    pub fn commit(&mut self, pool: &dyn Pool) -> CompId {
        let old = root(pool, self.comp.expect("it was shown before it was written"));
        let words = self.header().words();
        let shadow = self.header().flags.has(Flags::SHADOW);
        let shadow = shadow.then(|| old.shadow.unwrap_or_else(|| pieces::zeros(pool, words)));
        let old = Root { shadow, ..old };
        self.written.sort_unstable();
        let mut changed = Vec::with_capacity(self.written.len());
        for piece in std::mem::take(&mut self.written) {
            self.marks[piece as usize] &= !WRITTEN;
            let start = self.place(piece);
            let behind = match piece < self.count() {
                true => 1 + words,
                false => 1 + 2 * words,
            };
            let end = (start + PIECE).min(behind);
            changed.push((piece, pool.intern(&self.words[start..end])));
        }
        let new = old.with(pool, self.header(), &changed).canonical(pool);
        if new.shadow.is_none() {
            self.words.truncate(1 + words);
            self.words[0] = new.header.pack();
        }
        let comp = new.intern(pool);
        self.comp = Some(comp);
        comp
    }
}

fn root(pool: &dyn Pool, comp: CompId) -> Root {
    Root::of(pool.get(comp)).expect("only large objects have images")
}

/// The images of one worker.
#[derive(Default)]
pub struct Images {
    all: Vec<Image>,
    /// By a number of the object that is its own for its life.
    known: FxHashMap<u64, ImageId>,
    /// There are more than when room was made last.
    grown: bool,
}

impl Images {
    pub fn of(&mut self, object: u64) -> ImageId {
        let fresh = ImageId(self.all.len() as u32);
        let id = *self.known.entry(object).or_insert(fresh);
        if id == fresh {
            self.all.push(Image::default());
            self.grown = true;
        }
        id
    }

    /// Gives images up if there are too many; whether they are still there. Nobody may have the number of
    /// one otherwise.
    pub fn make_room(&mut self) -> bool {
        if !std::mem::take(&mut self.grown) {
            return true;
        }
        let largest = self.all.iter().map(|image| image.words.len()).max().unwrap_or(0);
        let kept = self.words() <= MOST_WORDS + 2 * largest;
        if !kept {
            *self = Images::default();
        }
        kept
    }

    fn words(&self) -> usize {
        self.all.iter().map(|image| image.words.capacity()).sum()
    }

    pub fn bytes(&self) -> u64 {
        8 * self.words() as u64
    }
}

impl std::ops::Index<ImageId> for Images {
    type Output = Image;

    fn index(&self, id: ImageId) -> &Image {
        &self.all[id.0 as usize]
    }
}

impl std::ops::IndexMut<ImageId> for Images {
    fn index_mut(&mut self, id: ImageId) -> &mut Image {
        &mut self.all[id.0 as usize]
    }
}
