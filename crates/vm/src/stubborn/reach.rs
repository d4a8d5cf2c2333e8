//! Sets of addresses, read and written: what a step touches, or all that a thread
//! may still touch.

use crate::step::footprint::{Footprint, Range, WATCHED};

/// More spans than so many, and objects are not divided any more.
const MOST_SPANS: usize = 1 << 10;
/// The addresses of one object.
const OBJECT: u64 = 1 << 32;

/// Stands for which addresses of the heap are free: whoever frees what others can reach
/// writes it, whoever allocates reads it. No memory is there.
const HEAP: u64 = 1;
/// Stands for the table of threads.
const THREADS: u64 = 2;

/// Ranges of addresses, sorted, neither overlapping nor adjacent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Spans(Vec<(u64, u64)>);

impl Spans {
    /// The first span that ends behind an address.
    fn from(&self, address: u64) -> usize {
        self.0.partition_point(|&(_, end)| end <= address)
    }

    fn overlap(&self, start: u64, end: u64) -> bool {
        self.0.get(self.from(start)).is_some_and(|&(first, _)| first < end)
    }

    fn cover(&self, start: u64, end: u64) -> bool {
        let span = self.0.get(self.from(start));
        span.is_some_and(|&(first, last)| first <= start && end <= last)
    }

    fn insert(&mut self, start: u64, end: u64) {
        let first = self.0.partition_point(|&(_, before)| before < start);
        let last = self.0.partition_point(|&(behind, _)| behind <= end);
        let start = self.0.get(first).map_or(start, |&(known, _)| known.min(start));
        let end = last.checked_sub(1).map_or(end, |at| self.0[at].1.max(end));
        self.0.splice(first..last.max(first), [(start, end)]);
        if self.0.len() > MOST_SPANS {
            self.coarsen();
        }
    }

    /// Whole objects instead of parts of them.
    fn coarsen(&mut self) {
        let spans = std::mem::take(&mut self.0);
        for (start, end) in spans {
            let end = (end - 1) / OBJECT * OBJECT + OBJECT;
            let start = start / OBJECT * OBJECT;
            match self.0.last_mut() {
                Some(last) if last.1 >= start => last.1 = last.1.max(end),
                _ => self.0.push((start, end)),
            }
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    everything: bool,
    reads: Spans,
    writes: Spans,
}

impl Reach {
    pub fn everything() -> Reach {
        Reach { everything: true, ..Reach::default() }
    }

    pub fn of(footprint: &Footprint) -> Reach {
        let mut reach = Reach::default();
        reach.add(footprint);
        reach
    }

    /// Adds what an operation touches.
    pub fn add(&mut self, footprint: &Footprint) {
        self.everything |= footprint.everything;
        footprint.ranges.iter().for_each(|range| self.touch(range));
        if footprint.threads {
            self.touch(&Range::new(THREADS, 1, true));
        }
        if footprint.ends_on_heap() {
            self.touch(&Range::new(HEAP, 1, true));
        }
    }

    /// Whether a proposition may depend on it.
    pub fn is_noticed(&self) -> bool {
        self.everything || self.writes.overlap(WATCHED, WATCHED + 1)
    }

    /// Something is allocated.
    pub fn allocate(&mut self) {
        self.touch(&Range::new(HEAP, 1, false));
    }

    fn touch(&mut self, range: &Range) {
        if !self.covers(range.start, range.end, range.write) {
            let spans = if range.write { &mut self.writes } else { &mut self.reads };
            spans.insert(range.start, range.end);
        }
    }

    fn covers(&self, start: u64, end: u64, write: bool) -> bool {
        self.everything || self.writes.cover(start, end) || !write && self.reads.cover(start, end)
    }

    /// Whether all of another one is in this one.
    pub fn includes(&self, other: &Reach) -> bool {
        let all = |spans: &Spans, write| {
            spans.0.iter().all(|&(start, end)| self.covers(start, end, write))
        };
        self.everything || !other.everything && all(&other.writes, true) && all(&other.reads, false)
    }

    /// Adds another one. Returns whether that is new.
    pub fn absorb(&mut self, other: &Reach) -> bool {
        if self.includes(other) {
            return false;
        }
        self.everything |= other.everything;
        for &(start, end) in &other.writes.0 {
            self.touch(&Range::new(start, end - start, true));
        }
        for &(start, end) in &other.reads.0 {
            self.touch(&Range::new(start, end - start, false));
        }
        true
    }

    /// Whether the order of the two can matter.
    pub fn conflicts(&self, other: &Reach) -> bool {
        let meet = |a: &Spans, b: &Spans| {
            let (few, many) = if a.0.len() < b.0.len() { (a, b) } else { (b, a) };
            few.0.iter().any(|&(start, end)| many.overlap(start, end))
        };
        self.everything
            || other.everything
            || meet(&self.writes, &other.writes)
            || meet(&self.writes, &other.reads)
            || meet(&self.reads, &other.writes)
    }

    /// Bytes used beside the value itself.
    pub fn bytes(&self) -> usize {
        (self.reads.0.capacity() + self.writes.0.capacity()) * size_of::<(u64, u64)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(ranges: &[(u64, u64, bool)]) -> Reach {
        let mut reach = Reach::default();
        ranges.iter().for_each(|&(start, len, write)| reach.touch(&Range::new(start, len, write)));
        reach
    }

    #[test]
    fn spans_grow_together() {
        let mut random = exeunt_random::Random::new(7);
        for _ in 0..2000 {
            let (mut spans, mut naive) = (Spans::default(), [false; 64]);
            for _ in 0..12 {
                let start = random.below(60);
                let end = start + 1 + random.below(4);
                spans.insert(start, end);
                (start..end).for_each(|at| naive[at as usize] = true);
            }
            assert!(spans.0.windows(2).all(|pair| pair[0].1 < pair[1].0), "{spans:?}");
            for at in 0..64 {
                assert_eq!(spans.overlap(at, at + 1), naive[at as usize], "{at} in {spans:?}");
                assert_eq!(spans.cover(at, at + 1), naive[at as usize], "{at} in {spans:?}");
            }
        }
    }

    #[test]
    fn only_a_write_matters() {
        let read = reach(&[(100, 4, false)]);
        let write = reach(&[(102, 4, true)]);
        assert!(read.conflicts(&write) && write.conflicts(&read) && write.conflicts(&write));
        assert!(!read.conflicts(&read));
        assert!(!reach(&[(106, 4, true)]).conflicts(&write));
        assert!(Reach::everything().conflicts(&Reach::default()));
        assert!(write.includes(&reach(&[(103, 2, false)])));
        assert!(!read.includes(&reach(&[(101, 1, true)])));
    }

    #[test]
    fn many_spans_become_whole_objects() {
        let mut large = Reach::default();
        for at in 0..2 * MOST_SPANS as u64 {
            large.touch(&Range::new(OBJECT + at * 8, 4, true));
        }
        assert!(large.conflicts(&reach(&[(OBJECT + 4, 1, false)])));
        assert!(!large.conflicts(&reach(&[(2 * OBJECT, 1, true)])));
    }
}
