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
pub struct Format {
    pub shape: Arc<Shape>,
    pub layout: Layout,
}

/// Stands for a layout that is not made yet.
const NONE: u32 = u32::MAX;

/// Records in a block, which all have the same format.
const BLOCK: u32 = 64;

/// All records, shared by all hands.
#[derive(Default)]
pub struct Records {
    shapes: Mutex<Vec<Option<Arc<Shape>>>>,
    formats: boxcar::Vec<Format>,
    index: Index,
    /// Format (upper half) and first word (in blocks of `BLOCK` words) of each
    /// block of records.
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
        let format = self.formats.push(Format { shape: Arc::clone(shape), layout });
        shape.layout.store(format as u32, Ordering::Release);
    }

    /// Makes room for a number in a column of new records.
    fn widen(&self, shape: &Arc<Shape>, column: usize, number: u32) {
        let _alone = shape.widening.lock();
        let now = &self.formats[shape.layout.load(Ordering::Acquire) as usize].layout;
        if now.field(column).is_some_and(|field| field.holds(number)) {
            return;
        }
        let widths = now.widened(shape.len(), column, number);
        self.publish(shape, Layout::new(&widths));
    }

    /// The number of the record with these numbers, and whether it is new.
    pub fn insert(
        &self,
        shape: &Arc<Shape>,
        numbers: &[u32],
        hash: u64,
        open: &mut Open,
        guard: &Guard,
    ) -> (u32, bool) {
        let (format, layout) = self.fitting(shape, numbers);
        let mut packed = [0u32; 16];
        let mut spill = Vec::new();
        let packed = match layout.words() {
            words if words <= packed.len() => &mut packed[..words],
            words => {
                spill.resize(words, 0);
                &mut spill[..]
            }
        };
        for field in layout.fields() {
            packed[field.word as usize] |= numbers[field.column as usize] << field.shift;
        }
        let equal = |id| self.equals(id, format, packed, shape, numbers);
        let make = || self.append(format, packed, open);
        self.index.find_or_insert(hash, guard, self, equal, make)
    }

    /// The format of new records, which has room for all numbers.
    fn fitting(&self, shape: &Arc<Shape>, numbers: &[u32]) -> (u32, &Layout) {
        loop {
            let format = shape.layout.load(Ordering::Acquire);
            let layout = &self.formats[format as usize].layout;
            let mut fields = layout.fields().iter().peekable();
            let mut wanting = None;
            for (column, &number) in numbers.iter().enumerate() {
                let field = fields.next_if(|field| field.column as usize == column);
                let fits = field.map_or(number == 0, |field| field.holds(number));
                if !fits {
                    wanting = Some((column, number));
                    break;
                }
            }
            match wanting {
                None => return (format, layout),
                Some((column, number)) => self.widen(shape, column, number),
            }
        }
    }

    fn append(&self, format: u32, packed: &[u32], open: &mut Open) -> u32 {
        if open.next == open.end || open.format != format {
            let block = self.next_block.fetch_add(1, Ordering::Relaxed);
            assert!(block < u32::MAX / BLOCK, "fewer than 2^32 states");
            let start = self.next_words.fetch_add(packed.len() as u32, Ordering::Relaxed);
            assert!(start < u32::MAX / BLOCK, "fewer than 2^32 words of states");
            let entry = (format as u64 + 1) << 32 | start as u64;
            self.blocks.at(block).store(entry, Ordering::Release);
            *open = Open { format, next: block * BLOCK, end: block * BLOCK + BLOCK };
        }
        let id = open.next;
        open.next += 1;
        let (_, first) = self.place(id);
        for (i, &word) in packed.iter().enumerate() {
            self.words.at(first + i as u32).store(word, Ordering::Relaxed);
        }
        id
    }

    /// The format of a record and its first word.
    fn place(&self, id: u32) -> (u32, u32) {
        let entry = self.blocks.at(id / BLOCK).load(Ordering::Acquire);
        let format = (entry >> 32) as u32 - 1;
        let words = self.formats[format as usize].layout.words() as u32;
        (format, entry as u32 * BLOCK + id % BLOCK * words)
    }

    fn equals(
        &self,
        id: u32,
        format: u32,
        packed: &[u32],
        shape: &Arc<Shape>,
        numbers: &[u32],
    ) -> bool {
        let (other, first) = self.place(id);
        if other == format {
            let word = |i: usize| self.words.at(first + i as u32).load(Ordering::Relaxed);
            return packed.iter().enumerate().all(|(i, &packed)| packed == word(i));
        }
        let other = &self.formats[other as usize];
        if !Arc::ptr_eq(&other.shape, shape) {
            return false;
        }
        let mut different = numbers.iter().filter(|&&number| number != 0).count();
        for (column, number) in self.fields(other, first) {
            if numbers[column] != number {
                return false;
            }
            different -= (number != 0) as usize;
        }
        // Columns without bits have their first value.
        different == 0
    }

    /// The columns of a record that have bits, with their numbers.
    fn fields<'f>(
        &'f self,
        format: &'f Format,
        first: u32,
    ) -> impl Iterator<Item = (usize, u32)> + 'f {
        format.layout.fields().iter().map(move |field| {
            let word = self.words.at(first + field.word).load(Ordering::Relaxed);
            (field.column as usize, field.extract(word))
        })
    }

    /// The shape of a record; its numbers are written to `out`.
    pub fn read(&self, id: u32, out: &mut Vec<u32>) -> &Arc<Shape> {
        let (format, first) = self.place(id);
        let format = &self.formats[format as usize];
        out.clear();
        out.resize(format.shape.len(), 0);
        for (column, number) in self.fields(format, first) {
            out[column] = number;
        }
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
        let start = seed(format.shape.len());
        self.fields(format, first)
            .fold(start, |hash, (column, number)| hash ^ contribution(column, number))
    }
    fn prefetch(&self, id: u32) {
        let (_, first) = self.place(id);
        ask_for(self.words.at(first));
    }
}
