//! What the threads of a run arrived at, written by the process that makes the
//! run and read by the one that explores.
//!
//! Both have the same program at the same addresses, so values are copied as
//! they are in memory.

use std::ops::Range;

use exeunt_model::{Arrival, End, Property};

use crate::machine::{Machine, Recorder};

/// Bytes for one run.
const SIZE: usize = 64 << 20;

/// What was written at once: arrivals, the end, and words that were freed.
pub type Entry = (Vec<Arrival>, Option<End>, Vec<Range<u64>>);

pub struct Log {
    place: *mut u8,
    /// Where the reader is.
    at: usize,
}

impl Log {
    /// Memory that is shared with the processes that are made later.
    pub fn new() -> Log {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping overlaps nothing.
        let place = unsafe { libc::mmap(std::ptr::null_mut(), SIZE, protection, flags, -1, 0) };
        assert!(place != libc::MAP_FAILED, "no memory for the log");
        Log { place: place.cast(), at: 8 }
    }

    pub fn clear(&mut self) {
        self.at = 8;
        self.set_length(8);
    }

    fn length(&self) -> usize {
        // SAFETY: the first word holds the length; the writer has ended.
        unsafe { self.place.cast::<usize>().read_volatile() }
    }

    fn set_length(&mut self, length: usize) {
        // SAFETY: as above.
        unsafe { self.place.cast::<usize>().write_volatile(length) };
    }

    fn put(&mut self, at: usize, bytes: &[u8]) -> usize {
        let end = at + bytes.len().next_multiple_of(8);
        assert!(end < SIZE, "a run is too long for its log");
        // SAFETY: there is room, and the reader does not look yet.
        unsafe { self.place.add(at).copy_from(bytes.as_ptr(), bytes.len()) };
        end
    }

    fn put_word(&mut self, at: usize, word: u64) -> usize {
        self.put(at, &word.to_ne_bytes())
    }

    fn word(&mut self) -> u64 {
        // SAFETY: entries are written in multiples of eight bytes.
        let word = unsafe { self.place.add(self.at).cast::<u64>().read() };
        self.at += 8;
        word
    }

    fn write(&mut self, arrivals: &[Arrival], end: Option<&End>, freed: &[Range<u64>]) {
        let mut at = self.length();
        at = self.put_word(at, arrivals.len() as u64);
        for arrival in arrivals {
            let start = (&raw const *arrival).cast::<u8>();
            // SAFETY: the bytes of a plain value, which are only copied back.
            let bytes = unsafe { std::slice::from_raw_parts(start, size_of::<Arrival>()) };
            at = self.put(at, bytes);
        }
        let (kind, number, text) = match end {
            None => (0, 0, ""),
            Some(End::Exited { code }) => (1, *code as u32 as u64, ""),
            Some(End::Fault { property, message }) => (2, number(*property), message.as_str()),
            Some(End::Unsupported(what)) => (3, 0, what.as_str()),
        };
        at = self.put_word(at, kind);
        at = self.put_word(at, number);
        at = self.put_word(at, text.len() as u64);
        at = self.put(at, text.as_bytes());
        at = self.put_word(at, freed.len() as u64);
        for words in freed {
            at = self.put_word(at, words.start);
            at = self.put_word(at, words.end);
        }
        self.set_length(at);
    }

    /// The next entry, if there is one.
    pub fn read(&mut self) -> Option<Entry> {
        if self.at >= self.length() {
            return None;
        }
        let count = self.word() as usize;
        let mut arrivals = Vec::with_capacity(count);
        for _ in 0..count {
            // SAFETY: written by `write` from a value of this type.
            arrivals.push(unsafe { self.place.add(self.at).cast::<Arrival>().read_unaligned() });
            self.at += size_of::<Arrival>().next_multiple_of(8);
        }
        let (kind, number, length) = (self.word(), self.word(), self.word() as usize);
        // SAFETY: `write` put so many bytes of text there.
        let bytes = unsafe { std::slice::from_raw_parts(self.place.add(self.at), length) };
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.at += length.next_multiple_of(8);
        let end = match kind {
            0 => None,
            1 => Some(End::Exited { code: number as u32 as i32 }),
            2 => Some(End::Fault { property: Property::ALL[number as usize], message: text }),
            _ => Some(End::Unsupported(text)),
        };
        let count = self.word() as usize;
        let freed = (0..count).map(|_| self.word()..self.word()).collect();
        Some((arrivals, end, freed))
    }
}

/// A process that makes a run keeps no states: it ends with its run.
impl Recorder for Log {
    fn hear(&mut self, arrivals: &[Arrival], end: Option<&End>, freed: &[Range<u64>]) {
        self.write(arrivals, end, freed);
    }

    fn cost(&self) -> Option<usize> {
        None
    }

    fn keep(&mut self, _: &Machine, _: &[Arrival]) {}
}

fn number(property: Property) -> u64 {
    Property::ALL.iter().position(|other| *other == property).unwrap_or(0) as u64
}
