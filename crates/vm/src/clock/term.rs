//! Terms: numbers computed from what clocks showed.
//!
//! A term is interned, so equal computations from equal readings are the same word
//! and states are compared as ever. The word has a tag in its upper half that
//! no address has and hardly any number; one that was never handed out is a
//! number.

use exeunt_ir::{CastOp, FloatKind, FloatOp, FloatUnOp, IntOp};
use exeunt_mem::Bits;
use rustc_hash::FxHashMap;

use super::{CauseId, HORIZON, Instant, SECOND, Site};
use crate::ops::{float, int};

const TAG: u64 = 0x5a71_3e0d;
/// Computations that are longer are not followed.
const DEEPEST: u8 = 40;

/// Which part of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Seconds,
    Nanoseconds,
    Microseconds,
}

/// What a clock showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// Seconds that the clock showed when the program was started.
    pub base: i64,
    pub part: Part,
    pub instant: Instant,
    /// Who looked at it.
    pub site: Site,
    /// What made the clock show this.
    pub cause: CauseId,
}

impl Reading {
    /// The number that it showed.
    pub fn number(self) -> u64 {
        self.shown_at(self.instant)
    }

    fn shown_at(self, instant: Instant) -> u64 {
        let number = match self.part {
            Part::Seconds => self.base + instant.div_euclid(SECOND),
            Part::Nanoseconds => instant.rem_euclid(SECOND),
            Part::Microseconds => instant.rem_euclid(SECOND) / 1000,
        };
        number as u64
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Int(IntOp, u8),
    Trunc(u8),
    SExt(u8, u8),
    Float(FloatOp, FloatKind),
    FloatUn(FloatUnOp, FloatKind),
    Cast(CastOp, FloatKind, FloatKind, u8),
}

impl Op {
    /// Whether its second operand makes the result smaller.
    fn subtracts(self) -> bool {
        matches!(self, Op::Int(IntOp::Sub, _) | Op::Float(FloatOp::Sub, _))
    }

    fn apply(self, a: u64, b: u64) -> Option<u64> {
        let mut window = [Bits::defined(a), Bits::defined(b), Bits::default(), Bits::default()];
        let bits = match self {
            Op::Int(op, width) => int::binary(op, width, window[0], window[1]).ok()?,
            Op::Trunc(width) => Bits::defined(a & int::mask(width)),
            Op::SExt(from, to) => int::sign_extend(from, to, window[0]),
            Op::Float(op, kind) => {
                float::binary(op, kind, 2, 0, 1, &mut window).ok()?;
                window[2]
            }
            Op::FloatUn(op, kind) => {
                float::unary(op, kind, 2, 0, &mut window).ok()?;
                window[2]
            }
            Op::Cast(op, kind, to, width) => {
                float::cast(op, kind, to, width, 2, 0, &mut window);
                window[2]
            }
        };
        (bits.undefined == 0).then_some(bits.value)
    }
}

/// A computation; operands are words, of terms or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    Shown(Reading),
    Computed(Op, u64, u64),
}

/// Readings that are changed together: those of a place that showed this instant
/// and add to what is looked at, or those that are subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    pub site: Site,
    pub instant: Instant,
    pub cause: CauseId,
    pub added: bool,
}

impl Group {
    fn of(reading: Reading, added: bool) -> Group {
        let Reading { site, instant, cause, .. } = reading;
        Group { site, instant, cause, added }
    }
}

/// A reading that decides a comparison otherwise from some instant on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub who: Group,
    /// What it would have to show.
    pub to: Instant,
    /// The readings that it is compared with.
    pub against: Vec<Group>,
}

struct Entry {
    term: Term,
    value: u64,
    depth: u8,
}

/// All terms of a search.
#[derive(Default)]
pub struct Terms {
    entries: Vec<Entry>,
    words: FxHashMap<Term, u64>,
}

/// Whether a word may stand for a term.
#[inline]
pub fn is_term(word: u64) -> bool {
    word >> 32 == TAG
}

impl Terms {
    pub fn find(&self, term: &Term) -> Option<u64> {
        self.words.get(term).copied()
    }

    fn entry(&self, word: u64) -> Option<&Entry> {
        is_term(word).then(|| self.entries.get(word as u32 as usize))?
    }

    pub fn value(&self, word: u64) -> Option<u64> {
        self.entry(word).map(|entry| entry.value)
    }

    /// `None` if the computation has no result, or is too long.
    pub fn add(&mut self, term: Term) -> Option<u64> {
        if let Some(word) = self.find(&term) {
            return Some(word);
        }
        let depth = |word: u64| self.entry(word).map_or(0, |entry| entry.depth);
        let depth = match term {
            Term::Shown(_) => 0,
            Term::Computed(_, a, b) => 1 + depth(a).max(depth(b)),
        };
        let value = match term {
            Term::Shown(reading) => reading.number(),
            Term::Computed(op, a, b) => op.apply(self.number(a), self.number(b))?,
        };
        let index = u32::try_from(self.entries.len()).ok()?;
        if depth > DEEPEST {
            return None;
        }
        let word = TAG << 32 | index as u64;
        self.entries.push(Entry { term, value, depth });
        self.words.insert(term, word);
        Some(word)
    }

    fn number(&self, word: u64) -> u64 {
        self.value(word).unwrap_or(word)
    }

    /// What a word would be if the readings of a group had shown another instant.
    fn changed(&self, word: u64, added: bool, group: Group, to: Instant) -> Option<u64> {
        let Some(entry) = self.entry(word) else { return Some(word) };
        match entry.term {
            Term::Shown(reading) if Group::of(reading, added) == group => {
                Some(reading.shown_at(to))
            }
            Term::Shown(_) => Some(entry.value),
            Term::Computed(op, a, b) => {
                let a = self.changed(a, added, group, to)?;
                let b = self.changed(b, added != op.subtracts(), group, to)?;
                op.apply(a, b)
            }
        }
    }

    /// The readings that a word was computed from.
    pub fn groups(&self, word: u64, added: bool, found: &mut Vec<Group>) {
        let Some(entry) = self.entry(word) else { return };
        match entry.term {
            Term::Shown(reading) => {
                let group = Group::of(reading, added);
                if !found.contains(&group) {
                    found.push(group);
                }
            }
            Term::Computed(op, a, b) => {
                self.groups(a, added, found);
                self.groups(b, added != op.subtracts(), found);
            }
        }
    }

    /// The instants at which a comparison of two words would first come out
    /// otherwise. `compare` gives a number for what comes out.
    pub fn turning_points(
        &self,
        (a, b): (u64, u64),
        compare: &dyn Fn(u64, u64) -> i8,
    ) -> Vec<Turn> {
        let mut groups = Vec::new();
        self.groups(a, true, &mut groups);
        self.groups(b, false, &mut groups);
        let mut points = Vec::new();
        for &group in &groups {
            let other = |against: &&Group| against.added != group.added;
            let at = |to: Instant| {
                let a = self.changed(a, true, group, to)?;
                let b = self.changed(b, false, group, to)?;
                Some(compare(a, b))
            };
            let mut from = group.instant;
            // What is equal is so only for a while.
            for _ in 0..2 {
                let Some(point) = next_change(from, &at) else { break };
                let against = groups.iter().filter(other).copied().collect();
                points.push(Turn { who: group, to: point, against });
                from = point;
            }
        }
        points
    }
}

/// The first instant after `from` at which an answer changes, if it changes once:
/// steps are doubled until it has, and halved.
fn next_change<T: PartialEq>(from: Instant, at: &dyn Fn(Instant) -> Option<T>) -> Option<Instant> {
    let before = at(from)?;
    let mut step = 1;
    while from + step <= HORIZON {
        if at(from + step)? != before {
            let (mut same, mut other) = (from + step / 2, from + step);
            while other - same > 1 {
                let middle = same + (other - same) / 2;
                match at(middle)? == before {
                    true => same = middle,
                    false => other = middle,
                }
            }
            return Some(other);
        }
        step *= 2;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_instant_that_matters_is_found() {
        let mut terms = Terms::default();
        let part = Part::Seconds;
        let mut shown = |site| {
            let reading = Reading { base: 1000, part, instant: 0, site, cause: CauseId::NONE };
            terms.add(Term::Shown(reading)).unwrap()
        };
        let (start, now) = (shown(1), shown(2));
        assert_eq!(start, shown(1));
        let end = terms.add(Term::Computed(Op::Int(IntOp::Add, 64), start, 2)).unwrap();
        assert_eq!(terms.value(end), Some(1002));
        let later = |turns: Vec<Turn>| -> Vec<(Site, Instant)> {
            turns.iter().map(|turn| (turn.who.site, turn.to / SECOND)).collect()
        };
        // `now < end`: now is raised to the end and beyond it.
        let points = terms.turning_points((now, end), &|a, b| (a < b) as i8);
        assert_eq!(later(points), [(2, 2)]);
        // `now - start > 1`
        let elapsed = terms.add(Term::Computed(Op::Int(IntOp::Sub, 64), now, start)).unwrap();
        let signed = |a: u64, b: u64| (a as i64).cmp(&(b as i64)) as i8;
        assert_eq!(later(terms.turning_points((elapsed, 1), &signed)), [(2, 1), (2, 2)]);
        assert_eq!(terms.value(0x5a71_3e0d_0000_7777), None);
    }

    #[test]
    fn nanoseconds_turn_within_their_second() {
        let mut terms = Terms::default();
        let reading =
            Reading { base: 0, part: Part::Nanoseconds, instant: 0, site: 1, cause: CauseId::NONE };
        let shown = terms.add(Term::Shown(reading)).unwrap();
        let half = terms.add(Term::Computed(Op::Int(IntOp::Add, 64), shown, 500_000_000)).unwrap();
        let points = terms.turning_points((half, SECOND as u64), &|a, b| (a < b) as i8);
        assert_eq!(points[0].to, SECOND / 2);
    }
}
