//! The edges of states that are not done with, as few bytes as possible: the
//! difference of target and source, and the label, in groups of seven bits.

use super::graph::Out;
use super::labels::LabelId;
use crate::store::StateId;

#[derive(Debug, Default)]
pub struct Ledger {
    bytes: Vec<u8>,
}

/// One edge as it was written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub target: Option<StateId>,
    pub label: LabelId,
}

impl Ledger {
    /// Where the next entry will be.
    pub fn end(&self) -> usize {
        self.bytes.len()
    }

    /// Forgets everything from `start` on.
    pub fn truncate(&mut self, start: usize) {
        self.bytes.truncate(start);
    }

    /// Writes the edges of a state down, without those that may be withheld.
    pub fn add(&mut self, source: StateId, edges: &[Out]) {
        let count = edges.iter().filter(|edge| !edge.withheld).count();
        self.put(count as u64);
        for edge in edges.iter().filter(|edge| !edge.withheld) {
            self.put(edge.label.0 as u64);
            let target = match edge.target {
                None => 0,
                Some(target) => 1 + zigzag(target.0 as i64 - source.0 as i64),
            };
            self.put(target);
        }
    }

    fn put(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Reads the edges of a state; `at` moves on to those of the next.
    pub fn read(&self, source: StateId, at: &mut usize, out: &mut Vec<Entry>) {
        for _ in 0..self.take(at) {
            let label = LabelId(self.take(at) as u32);
            let target = match self.take(at) {
                0 => None,
                coded => Some(StateId((source.0 as i64 + unzigzag(coded - 1)) as u32)),
            };
            out.push(Entry { target, label });
        }
    }

    fn take(&self, at: &mut usize) -> u64 {
        let mut value = 0;
        let mut shift = 0;
        loop {
            let byte = self.bytes[*at];
            *at += 1;
            value |= ((byte & 0x7f) as u64) << shift;
            if byte < 0x80 {
                return value;
            }
            shift += 7;
        }
    }

    pub fn bytes(&self) -> u64 {
        self.bytes.capacity() as u64
    }
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let out = |target: Option<u32>, label| Out {
            target: target.map(StateId),
            withheld: false,
            new: false,
            chosen: false,
            label: LabelId(label),
        };
        let lists = [
            (7, vec![out(Some(7), 0), out(None, 300), out(Some(0), 1)]),
            (u32::MAX - 9, vec![out(Some(0), 2), out(Some(u32::MAX - 1), 70_000)]),
            (0, vec![]),
            (1, vec![out(Some(u32::MAX - 1), 5)]),
        ];
        let mut ledger = Ledger::default();
        for (source, edges) in &lists {
            ledger.add(StateId(*source), edges);
        }
        let mut at = 0;
        for (source, edges) in &lists {
            let mut read = Vec::new();
            ledger.read(StateId(*source), &mut at, &mut read);
            let written: Vec<Entry> =
                edges.iter().map(|e| Entry { target: e.target, label: e.label }).collect();
            assert_eq!(read, written);
        }
        assert_eq!(at, ledger.end());
    }
}
