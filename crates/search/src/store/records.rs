//! State vectors as records of bits. Every position of the vectors of one
//! length numbers the values it takes; a record holds these numbers, each in
//! as many bits as its column needs at the time. When a column outgrows its
//! bits, later records get a wider layout; those before stay as they are.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crossbeam_epoch::Guard;
use parking_lot::Mutex;

use super::columns::{Column, contribution};
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
#[derive(Clone)]
pub struct Format {
    pub number: u32,
    pub shape: Arc<Shape>,
    pub layout: Arc<Layout>,
}

/// A record that may be stored already.
#[derive(Clone, Copy)]
pub struct Draft<'d> {
    pub format: u32,
    pub words: &'d [u32],
    pub hash: u64,
}

/// Stands for a layout that is not made yet.
const NONE: u32 = u32::MAX;

/// Stands for more words of a record than a block can say.
const MANY: usize = 0xff;

/// Records in a block, which all have the same format.
const BLOCK: u32 = 64;

/// All records, shared by all hands.
#[derive(Default)]
pub struct Records {
    shapes: Mutex<Vec<Option<Arc<Shape>>>>,
    formats: boxcar::Vec<Format>,
    index: Index,
    /// Of each block of records: its format and one (upper 24 bits), how many
    /// words a record has (8 bits), its first word (in blocks of `BLOCK` words).
    blocks: Segments<AtomicU64>,
    words: Segments<AtomicU32>,
    next_block: AtomicU32,
    next_words: AtomicU32,
    pub count: AtomicU64,
}

/// The block that one hand fills.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open {
    format: u32,
    next: u32,
    end: u32,
}

/// The hash of a vector of column numbers.
pub fn hash_numbers(numbers: &[u32]) -> u64 {
    let each = numbers.iter().enumerate();
    each.fold(seed(numbers.len()), |hash, (column, &number)| hash ^ contribution(column, number))
}

fn seed(len: usize) -> u64 {
    super::mix(len as u64 + 1)
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
        let (shape, layout) = (Arc::clone(shape), Arc::new(layout));
        let format = self.formats.push_with(|number| Format {
            number: number as u32,
            shape: Arc::clone(&shape),
            layout,
        });
        assert!(format < (1 << 24) - 1, "fewer than 2^24 layouts");
        shape.layout.store(format as u32, Ordering::Release);
    }

    /// Makes room for a number in a column of new records.
    fn widen(&self, shape: &Arc<Shape>, column: usize, number: u32) {
        let _alone = shape.widening.lock();
        let now = &self.formats[shape.layout.load(Ordering::Acquire) as usize].layout;
        if now.field(column).holds(number) {
            return;
        }
        let widths = now.widened(shape.len(), column, number);
        self.publish(shape, Layout::new(&widths));
    }

    /// The number of the record, and whether it is new.
    pub fn insert(&self, draft: Draft<'_>, open: &mut Open, guard: &Guard) -> (u32, bool) {
        let equal = |id| self.equals(id, draft);
        let make = || self.append(draft, open);
        self.index.find_or_insert(draft.hash, guard, self, equal, make)
    }

    /// The format of new records, which has room for all numbers.
    pub fn fitting(&self, shape: &Arc<Shape>, numbers: &[u32]) -> &Format {
        loop {
            let format = &self.formats[shape.layout.load(Ordering::Acquire) as usize];
            match format.layout.wanting(numbers) {
                None => return format,
                Some(column) => self.widen(shape, column, numbers[column]),
            }
        }
    }

    fn append(&self, draft: Draft<'_>, open: &mut Open) -> u32 {
        let Draft { format, words, .. } = draft;
        if open.next == open.end || open.format != format {
            let block = self.next_block.fetch_add(1, Ordering::Relaxed);
            assert!(block < u32::MAX / BLOCK, "fewer than 2^32 states");
            let start = self.next_words.fetch_add(words.len() as u32, Ordering::Relaxed);
            assert!(start < u32::MAX / BLOCK, "fewer than 2^32 words of states");
            let length = words.len().min(MANY) as u64;
            let entry = (format as u64 + 1) << 40 | length << 32 | start as u64;
            self.blocks.at(block).store(entry, Ordering::Release);
            *open = Open { format, next: block * BLOCK, end: block * BLOCK + BLOCK };
        }
        let id = open.next;
        open.next += 1;
        let (_, first) = self.place(id);
        for (i, &word) in words.iter().enumerate() {
            self.words.at(first + i as u32).store(word, Ordering::Relaxed);
        }
        id
    }

    /// The format of a record and its first word.
    fn place(&self, id: u32) -> (u32, u32) {
        let entry = self.blocks.at(id / BLOCK).load(Ordering::Acquire);
        let format = (entry >> 40) as u32 - 1;
        let words = match (entry >> 32) as usize & MANY {
            MANY => self.formats[format as usize].layout.words(),
            words => words,
        };
        (format, entry as u32 * BLOCK + id % BLOCK * words as u32)
    }

    fn word(&self, at: u32) -> u32 {
        self.words.at(at).load(Ordering::Relaxed)
    }

    fn equals(&self, id: u32, draft: Draft<'_>) -> bool {
        let (format, first) = self.place(id);
        if format == draft.format {
            return match self.words.run(first, draft.words.len()) {
                Some(run) => {
                    let mut pairs = run.iter().zip(draft.words);
                    pairs.all(|(word, &other)| word.load(Ordering::Relaxed) == other)
                }
                None => (first..).zip(draft.words).all(|(at, &other)| self.word(at) == other),
            };
        }
        let (ours, other) = (&self.formats[draft.format as usize], &self.formats[format as usize]);
        Arc::ptr_eq(&ours.shape, &other.shape)
            && (0..ours.shape.len()).all(|column| {
                ours.layout.number(column, |word| draft.words[word as usize])
                    == other.layout.number(column, |word| self.word(first + word))
            })
    }

    /// Shows the columns of a record that have bits, with their numbers.
    fn for_each_field(&self, layout: &Layout, first: u32, mut each: impl FnMut(usize, u32)) {
        match self.words.run(first, layout.words()) {
            Some(run) => layout.fields().iter().for_each(|field| {
                let word = run[field.word as usize].load(Ordering::Relaxed);
                each(field.column as usize, field.extract(word));
            }),
            None => layout.fields().iter().for_each(|field| {
                each(field.column as usize, field.extract(self.word(first + field.word)));
            }),
        }
    }

    /// The shape of a record; its numbers are written to `out`.
    pub fn read(&self, id: u32, out: &mut Vec<u32>) -> &Arc<Shape> {
        let (format, first) = self.place(id);
        let format = &self.formats[format as usize];
        out.clear();
        out.resize(format.shape.len(), 0);
        self.for_each_field(&format.layout, first, |column, number| out[column] = number);
        &format.shape
    }

    /// Asks for where a vector with this hash would be found.
    pub fn prefetch(&self, hash: u64, guard: &Guard) {
        self.index.prefetch(hash, guard);
    }

    /// Asks for the record it will be compared with.
    pub fn prefetch_record(&self, hash: u64, guard: &Guard) {
        self.index.prefetch_entries(hash, guard, self);
    }

    /// All numbers of records are below this.
    pub fn limit(&self) -> u32 {
        self.next_block.load(Ordering::Relaxed) * BLOCK
    }

    /// The part of the places of the index that is taken.
    pub fn load(&self) -> f64 {
        self.index.load()
    }

    pub fn bytes(&self) -> u64 {
        let shapes = self.shapes.lock();
        let columns: u64 =
            shapes.iter().flatten().flat_map(|shape| shape.columns.iter()).map(Column::bytes).sum();
        let words = self.next_words.load(Ordering::Relaxed) as u64 * BLOCK as u64 * 4;
        let blocks = self.next_block.load(Ordering::Relaxed) as u64 * 8;
        columns + words + blocks + self.index.bytes()
    }
}

impl Keyed for Records {
    fn hash_of(&self, id: u32) -> u64 {
        let (format, first) = self.place(id);
        let format = &self.formats[format as usize];
        let mut hash = seed(format.shape.len());
        self.for_each_field(&format.layout, first, |column, number| {
            hash ^= contribution(column, number);
        });
        hash
    }

    fn prefetch(&self, id: u32) {
        let (_, first) = self.place(id);
        ask_for(self.words.at(first));
    }
}
