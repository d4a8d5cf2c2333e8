//! State vectors as records of bits. Every position of the vectors of one
//! length numbers the values it takes; a record holds these numbers, each in
//! as many bits as its column needs at the time. When a column outgrows its
//! bits, later records get a wider layout; those before stay as they are.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crossbeam_epoch::Guard;
use crossbeam_utils::CachePadded;
use parking_lot::Mutex;

use super::columns::Column;
use super::index::{Index, Keyed, ask_for};
use super::layout::Layout;
use super::segments::Segments;

/// All vectors of one length.
pub struct Shape {
    columns: Box<[Column]>,
    /// The layout of new records.
    layout: AtomicU32,
    widening: Mutex<()>,
}

/// A layout with the shape it belongs to.
pub struct Format {
    pub shape: Arc<Shape>,
    pub layout: Layout,
}

/// Stands for a layout that is not made yet.
const NONE: u32 = u32::MAX;

/// Records in a block, which all have the same format.
const BLOCK: u32 = 64;

/// Bits for the words of a record in the entry of its block; longer records
/// have [`LARGE`] there.
const SIZE_BITS: u32 = 10;
const LARGE: u32 = (1 << SIZE_BITS) - 1;

/// All records, shared by all threads.
#[derive(Default)]
pub struct Records {
    shapes: Mutex<Vec<Option<Arc<Shape>>>>,
    formats: boxcar::Vec<Format>,
    index: Index,
    /// Format, words of a record, and first word (in blocks of `BLOCK` words) of
    /// each block of records.
    blocks: Segments<AtomicU64>,
    words: Segments<AtomicU32>,
    taken: CachePadded<Taken>,
    columns: Counted,
}

/// The bytes of all columns when they were counted last, and how often they were asked for.
#[derive(Default)]
struct Counted {
    bytes: AtomicU64,
    asked: AtomicU32,
}

/// Columns are counted anew when they were asked for so often.
const STALE: u32 = 16;

/// What is handed out, on a line of its own: it changes while all look at the
/// rest.
#[derive(Default)]
struct Taken {
    next_block: AtomicU32,
    next_words: AtomicU32,
    /// Records that hands have told of.
    count: AtomicU64,
}

/// The block that one thread fills.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open {
    format: u32,
    next: u32,
    end: u32,
}

/// The hash of a vector of column numbers, from the sum of its parts.
#[inline]
pub fn hash_of_sum(sum: u64, len: usize) -> u64 {
    super::mix(super::mix(sum).wrapping_add(len as u64))
}

impl Shape {
    pub fn column(&self, at: usize) -> &Column {
        &self.columns[at]
    }

    pub fn len(&self) -> usize {
        self.columns.len()
    }
}

impl Records {
    /// An index that need not grow for so many records.
    pub fn with_room(records: u32) -> Records {
        Records { index: Index::with_room(records), ..Records::default() }
    }

    /// The shape of vectors of this length.
    pub fn shape(&self, len: usize) -> Arc<Shape> {
        let mut shapes = self.shapes.lock();
        if shapes.len() <= len {
            shapes.resize(len + 1, None);
        }
        let shape = shapes[len].get_or_insert_with(|| {
            let columns = (0..len).map(|_| Column::default()).collect();
            Arc::new(Shape { columns, layout: AtomicU32::new(NONE), widening: Mutex::default() })
        });
        if shape.layout.load(Ordering::Relaxed) == NONE {
            self.publish(shape, Layout::new(&vec![0; len]));
        }
        Arc::clone(shape)
    }

    fn publish(&self, shape: &Arc<Shape>, layout: Layout) {
        let format = self.formats.push(Format { shape: Arc::clone(shape), layout });
        shape.layout.store(format as u32, Ordering::Release);
    }

    /// The format of new records, which has room for these numbers.
    pub fn fitting(&self, shape: &Arc<Shape>, numbers: &[u32]) -> u32 {
        let now = shape.layout.load(Ordering::Acquire);
        if self.layout(now).holds(numbers) {
            return now;
        }
        let _alone = shape.widening.lock();
        let now = self.layout(shape.layout.load(Ordering::Acquire));
        if !now.holds(numbers) {
            self.publish(shape, Layout::new(&now.widened(numbers)));
        }
        shape.layout.load(Ordering::Acquire)
    }

    pub fn layout(&self, format: u32) -> &Layout {
        &self.formats[format as usize].layout
    }

    /// The number of the record with these words, and whether it is new.
    pub fn insert(
        &self,
        format: u32,
        packed: &[u32],
        hash: u64,
        open: &mut Open,
        guard: &Guard,
    ) -> (u32, bool) {
        let equal = |id| self.equals(id, format, packed);
        let make = || self.append(format, packed, open);
        self.index.find_or_insert(hash, guard, self, equal, make)
    }

    fn append(&self, format: u32, packed: &[u32], open: &mut Open) -> u32 {
        if open.next == open.end || open.format != format {
            let block = self.taken.next_block.fetch_add(1, Ordering::Relaxed);
            assert!(block < u32::MAX / BLOCK, "fewer than 2^32 states");
            let start = self.taken.next_words.fetch_add(packed.len() as u32, Ordering::Relaxed);
            assert!(start < u32::MAX / BLOCK, "fewer than 2^32 words of states");
            assert!(format < u32::MAX >> SIZE_BITS, "fewer than 2^22 formats");
            let size = (packed.len() as u32).min(LARGE);
            let entry = u64::from(format << SIZE_BITS | size) << 32 | start as u64;
            self.blocks.at(block).store(entry, Ordering::Release);
            *open = Open { format, next: block * BLOCK, end: block * BLOCK + BLOCK };
        }
        let id = open.next;
        open.next += 1;
        let (_, first) = self.place(id);
        match self.words.run(first, packed.len()) {
            Some(places) => {
                let each = places.iter().zip(packed);
                each.for_each(|(place, &word)| place.store(word, Ordering::Relaxed));
            }
            None => (first..)
                .zip(packed)
                .for_each(|(at, &word)| self.words.at(at).store(word, Ordering::Relaxed)),
        }
        id
    }

    /// The format of a record and its first word.
    #[inline]
    fn place(&self, id: u32) -> (u32, u32) {
        let entry = self.blocks.at(id / BLOCK).load(Ordering::Acquire);
        let format = (entry >> 32) as u32 >> SIZE_BITS;
        let words = match (entry >> 32) as u32 & LARGE {
            LARGE => self.layout(format).words() as u32,
            words => words,
        };
        (format, entry as u32 * BLOCK + id % BLOCK * words)
    }

    #[inline]
    fn equals(&self, id: u32, format: u32, packed: &[u32]) -> bool {
        let (other, first) = self.place(id);
        if other != format {
            return self.equals_elsewhere(other, first, format, packed);
        }
        match self.words.run(first, packed.len()) {
            Some(words) => words
                .iter()
                .zip(packed)
                .all(|(word, packed)| word.load(Ordering::Relaxed) == *packed),
            None => packed.iter().zip(first..).all(|(&packed, at)| packed == self.word(at)),
        }
    }

    /// Compares with a record of another format.
    fn equals_elsewhere(&self, other: u32, first: u32, format: u32, packed: &[u32]) -> bool {
        let [other, format] = [other, format].map(|format| &self.formats[format as usize]);
        let agree = |column: u32| {
            let [theirs, ours] =
                [other, format].map(|format| format.layout.column(column as usize));
            let word = self.word(first + theirs.word);
            theirs.extract(word) == ours.extract(packed[ours.word as usize])
        };
        // A column without bits in both has its first value in both.
        let mut fields = format.layout.fields().iter().chain(other.layout.fields());
        Arc::ptr_eq(&other.shape, &format.shape) && fields.all(|field| agree(field.column))
    }

    fn word(&self, at: u32) -> u32 {
        self.words.at(at).load(Ordering::Relaxed)
    }

    /// Appends the words of a record to `out`; its format.
    pub fn read(&self, id: u32, out: &mut Vec<u32>) -> u32 {
        let (format, first) = self.place(id);
        let len = self.layout(format).words();
        match self.words.run(first, len) {
            Some(words) => out.extend(words.iter().map(|word| word.load(Ordering::Relaxed))),
            None => out.extend((first..first + len as u32).map(|at| self.word(at))),
        }
        format
    }

    /// Makes `out` the words of a record, of which there are so many, if it has this format.
    #[inline]
    pub fn read_as(&self, id: u32, format: u32, words: usize, out: &mut Vec<u32>) -> bool {
        let (other, first) = self.place(id);
        if other != format {
            return false;
        }
        out.clear();
        match self.words.run(first, words) {
            Some(words) => out.extend(words.iter().map(|word| word.load(Ordering::Relaxed))),
            None => out.extend((first..).take(words).map(|at| self.word(at))),
        }
        true
    }

    pub fn format_of(&self, id: u32) -> u32 {
        self.place(id).0
    }

    pub fn shape_of(&self, format: u32) -> &Arc<Shape> {
        &self.formats[format as usize].shape
    }

    /// Asks for where a vector with this hash would be found.
    pub fn prefetch(&self, hash: u64, guard: &Guard) {
        self.index.prefetch(hash, guard);
    }

    /// Asks for the record it will be compared with.
    pub fn prefetch_record(&self, hash: u64, guard: &Guard) {
        self.index.prefetch_entries(hash, guard, self);
    }

    /// How many records there are, as far as threads have reported.
    pub fn count(&self) -> u64 {
        self.taken.count.load(Ordering::Relaxed)
    }

    /// Tells of more records.
    pub fn add_to_count(&self, more: u64) {
        self.taken.count.fetch_add(more, Ordering::Relaxed);
    }

    /// All numbers of records are below this.
    pub fn limit(&self) -> u32 {
        self.taken.next_block.load(Ordering::Relaxed) * BLOCK
    }

    /// The part of the places of the index that is taken.
    pub fn load(&self) -> f64 {
        self.index.load()
    }

    /// How much of the scarcest numbers is used up, from 0 to 1.
    pub fn fullness(&self) -> f64 {
        let part = |used: u64, all: u32| used as f64 / f64::from(all);
        let words = part(self.taken.next_words.load(Ordering::Relaxed).into(), u32::MAX / BLOCK);
        let formats = part(self.formats.count() as u64, u32::MAX >> SIZE_BITS);
        words.max(formats)
    }

    pub fn bytes(&self) -> u64 {
        self.column_bytes() + self.other_bytes()
    }

    /// The same with columns as they were not long ago.
    pub fn bytes_lately(&self) -> u64 {
        let Counted { bytes, asked } = &self.columns;
        if asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(STALE) {
            bytes.store(self.column_bytes(), Ordering::Relaxed);
        }
        bytes.load(Ordering::Relaxed) + self.other_bytes()
    }

    fn column_bytes(&self) -> u64 {
        let shapes = self.shapes.lock();
        shapes.iter().flatten().flat_map(|shape| shape.columns.iter()).map(Column::bytes).sum()
    }

    fn other_bytes(&self) -> u64 {
        let words = self.taken.next_words.load(Ordering::Relaxed) as u64 * BLOCK as u64 * 4;
        let blocks = self.taken.next_block.load(Ordering::Relaxed) as u64 * 8;
        words + blocks + self.index.bytes()
    }
}

impl Keyed for Records {
    fn hash_of(&self, id: u32) -> u64 {
        let (format, first) = self.place(id);
        let Format { shape, layout } = &self.formats[format as usize];
        let sum = match self.words.run(first, layout.words()) {
            Some(words) => layout.sum_of(words.iter().map(|word| word.load(Ordering::Relaxed))),
            None => layout.sum_of((first..).take(layout.words()).map(|at| self.word(at))),
        };
        hash_of_sum(sum, shape.len())
    }

    fn prefetch(&self, id: u32) {
        let (_, first) = self.place(id);
        ask_for(self.words.at(first));
    }
}
