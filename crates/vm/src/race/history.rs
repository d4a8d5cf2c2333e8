//! Accesses that may still race, and who knows of each of them.
//!
//! The happens-before relation of C11 is usually kept as vector clocks, whose
//! counters grow with every release: no two states would ever be the same. Here
//! each recorded access carries the set of those who know it: threads, locks,
//! semaphores, atomic variables… A release copies what a thread knows to an
//! object, an acquire copies it back. An access that does not know a conflicting
//! one races with it. The sets say exactly what the clocks say about the
//! recorded accesses, and are finite.
//!
//! An access is forgotten when it can decide nothing any more: when all living
//! threads know it (new ones inherit), when its memory is gone, or when a later
//! access knows it and conflicts with all that it conflicts with. The last rule is
//! that of FastTrack (Flanagan and Freund, "FastTrack: efficient and precise
//! dynamic race detection", 2009), extended to atomic accesses.
//!
//! Invariant: whoever knows an access knows all accesses that the thread of that
//! access knew when it made it, so what a later access replaces is not missed.

use std::cmp::Ordering;

use smallvec::SmallVec;

/// Someone who can know an access: a thread or a means of synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Knower(u64);

/// The highest four bits say what a knower is. In addresses they are those of
/// every `Space`.
const ROLE: u32 = 60;
const OBJECT: u64 = 5;
const THREAD: u64 = 1;
const READERS: u64 = 2;
const FENCE: u64 = 3;
const PENDING: u64 = 4;
const BLOCKS: u64 = 6;

impl Knower {
    /// All blocks that run without interruption: they are ordered as by a lock.
    pub const ATOMIC_BLOCKS: Knower = Knower(BLOCKS << ROLE);

    const fn new(role: u64, rest: u64) -> Knower {
        Knower(role << ROLE | rest & ((1 << ROLE) - 1))
    }

    pub fn thread(thread: u32) -> Knower {
        Knower::new(THREAD, u64::from(thread))
    }

    /// What was released to the object or atomic variable at an address.
    pub fn object(addr: u64) -> Knower {
        Knower::new(OBJECT, addr)
    }

    /// What readers released to a lock: only writers acquire it.
    pub fn readers(addr: u64) -> Knower {
        Knower::new(READERS, addr)
    }

    /// What a thread knew at its last release fence.
    pub fn fence(thread: u32) -> Knower {
        Knower::new(FENCE, u64::from(thread))
    }

    /// What a thread will know at its next acquire fence.
    pub fn pending(thread: u32) -> Knower {
        Knower::new(PENDING, u64::from(thread))
    }

    fn role(self) -> u64 {
        self.0 >> ROLE
    }

    /// The address behind `object` and `readers`.
    fn address(self) -> Option<u64> {
        matches!(self.role(), OBJECT | READERS).then_some(Knower::new(OBJECT, self.0).0)
    }

    /// The thread behind `thread`, `fence` and `pending`.
    fn owner(self) -> Option<u32> {
        matches!(self.role(), THREAD | FENCE | PENDING).then_some(self.0 as u32)
    }

    /// The thread behind `pending`.
    fn waits_for_fence(self) -> Option<u32> {
        (self.role() == PENDING).then_some(self.0 as u32)
    }
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct How {
    pub write: bool,
    pub atomic: bool,
}

impl How {
    fn conflicts(self, other: How) -> bool {
        (self.write || other.write) && !(self.atomic && other.atomic)
    }

    /// Whether all that conflicts with `other` conflicts with this.
    fn covers(self, other: How) -> bool {
        (self.write || !other.write) && (!self.atomic || other.atomic)
    }

    pub fn verb(self) -> &'static str {
        match (self.write, self.atomic) {
            (true, true) => "atomically writes",
            (true, false) => "writes",
            (false, true) => "atomically reads",
            (false, false) => "reads",
        }
    }
}

/// Where an access was made: a position, or a function without any, and the
/// positions of the calls around it.
pub type Stack = SmallVec<[u64; 4]>;

/// An access that later ones may race with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub start: u64,
    pub end: u64,
    pub thread: u32,
    pub how: How,
    pub stack: Stack,
    /// Sorted.
    known: SmallVec<[Knower; 4]>,
}

impl Record {
    fn overlaps(&self, start: u64, end: u64) -> bool {
        self.start < end && start < self.end
    }

    fn knows(&self, who: Knower) -> bool {
        self.known.binary_search(&who).is_ok()
    }

    fn tell(&mut self, who: Knower) {
        if let Err(at) = self.known.binary_search(&who) {
            self.known.insert(at, who);
        }
    }

    /// All but the bytes.
    fn same_kind(&self, other: &Record) -> Ordering {
        let key = |record: &Record| (record.thread, record.how);
        key(self)
            .cmp(&key(other))
            .then_with(|| self.stack.cmp(&other.stack))
            .then_with(|| self.known.cmp(&other.known))
    }
}

/// The accesses of a state that may still race.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    records: Vec<Record>,
}

impl History {
    /// A recorded access that one of `thread` would race with.
    pub fn conflict(&self, thread: u32, start: u64, end: u64, how: How) -> Option<&Record> {
        let me = Knower::thread(thread);
        let races = |r: &&Record| r.overlaps(start, end) && r.how.conflicts(how) && !r.knows(me);
        self.records.iter().find(races)
    }

    /// Records an access, in place of those that it makes superfluous.
    pub fn record(&mut self, thread: u32, start: u64, end: u64, how: How, stack: Stack) {
        let me = Knower::thread(thread);
        let mut kept = Vec::new();
        self.records.retain_mut(|r| {
            if !r.overlaps(start, end) || !how.covers(r.how) || !r.knows(me) {
                return true;
            }
            if end < r.end {
                kept.push(Record { start: end, ..r.clone() });
            }
            r.end = start;
            r.start < start
        });
        self.records.append(&mut kept);
        // Strings are read byte by byte.
        if let Some(last) = self.records.last_mut()
            && (last.end, last.thread, last.how) == (start, thread, how)
            && last.known[..] == [me]
            && last.stack == stack
        {
            last.end = end;
            return;
        }
        self.records.push(Record {
            start,
            end,
            thread,
            how,
            stack,
            known: [me].into_iter().collect(),
        });
    }

    /// Whatever `from` knows, `to` knows as well.
    pub fn pass(&mut self, from: Knower, to: Knower) {
        self.records.iter_mut().filter(|r| r.knows(from)).for_each(|r| r.tell(to));
    }

    /// `who` knows nothing any more.
    pub fn forget(&mut self, who: Knower) {
        for record in &mut self.records {
            if let Ok(at) = record.known.binary_search(&who) {
                record.known.remove(at);
            }
        }
    }

    /// What was released to objects within these bytes is lost.
    pub fn forget_objects(&mut self, start: u64, end: u64) {
        let within = |who: Knower| who.address().is_some_and(|addr| start <= addr && addr < end);
        self.records.iter_mut().for_each(|r| r.known.retain(|who| !within(*who)));
    }

    /// The accesses to memory that is gone cannot race any more.
    pub fn forget_memory(&mut self, start: u64, end: u64) {
        self.records.retain(|r| r.end <= start || end <= r.start);
        self.forget_objects(start, end);
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Makes histories that mean the same equal. `living` are the threads that
    /// have not ended; `exists` says which can still be joined or run.
    pub fn normalise(&mut self, living: &[u32], exists: impl Fn(u32) -> bool) {
        let all_know = |r: &Record| living.iter().all(|&t| r.knows(Knower::thread(t)));
        self.records.retain(|r| !all_know(r));
        for record in &mut self.records {
            let known = record.known.clone();
            let done = |thread| known.binary_search(&Knower::thread(thread)).is_ok();
            record.known.retain(|who| {
                who.owner().is_none_or(&exists) && !who.waits_for_fence().is_some_and(done)
            });
        }
        // Neighbouring bytes that were accessed alike are one access.
        self.records.sort_by(|a, b| a.same_kind(b).then(a.start.cmp(&b.start)));
        self.records.dedup_by(|next, one| {
            let joins = one.same_kind(next) == Ordering::Equal && next.start <= one.end;
            if joins {
                one.end = one.end.max(next.end);
            }
            joins
        });
    }

    pub fn encode(&self, out: &mut Vec<u64>) {
        out.push(self.records.len() as u64);
        for record in &self.records {
            let how = u64::from(record.how.write) | u64::from(record.how.atomic) << 1;
            let counts = (record.stack.len() as u64) << 16 | (record.known.len() as u64) << 32;
            out.extend([record.start, record.end, u64::from(record.thread) | how << 8 | counts]);
            out.extend(&record.stack);
            out.extend(record.known.iter().map(|who| who.0));
        }
    }

    pub fn decode(&mut self, words: &[u64]) {
        self.records.clear();
        let mut rest = &words[1..];
        for _ in 0..words[0] {
            let (start, end, word) = (rest[0], rest[1], rest[2]);
            let (stack, tail) = rest[3..].split_at((word >> 16 & 0xffff) as usize);
            let (known, tail) = tail.split_at((word >> 32) as usize);
            rest = tail;
            let bit = |at: u64| word >> (8 + at) & 1 != 0;
            self.records.push(Record {
                start,
                end,
                thread: (word & 0xff) as u32,
                how: How { write: bit(0), atomic: bit(1) },
                stack: stack.into(),
                known: known.iter().map(|&who| Knower(who)).collect(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use exeunt_ir::address::{ObjId, Space};

    use super::*;

    const READ: How = How { write: false, atomic: false };
    const WRITE: How = How { write: true, ..READ };
    const ATOMIC: How = How { atomic: true, ..WRITE };

    fn history(accesses: &[(u32, u64, u64, How)]) -> History {
        let mut history = History::default();
        for &(thread, start, end, how) in accesses {
            history.record(thread, start, end, how, Stack::default());
        }
        history
    }

    #[test]
    fn addresses_have_the_role_of_objects() {
        for space in [Space::Global, Space::Heap, Space::Stack, Space::ThreadLocal] {
            let addr = ObjId::new(space, 0x00ff_ffff).at(12);
            assert_eq!(addr >> ROLE, OBJECT);
            assert_eq!(Knower::readers(addr).address(), Some(addr));
            assert_eq!(Knower::object(addr).address(), Some(addr));
        }
    }

    #[test]
    fn a_release_and_an_acquire_order_two_accesses() {
        let mut history = history(&[(0, 8, 12, WRITE)]);
        assert!(history.conflict(1, 8, 12, READ).is_some());
        assert!(history.conflict(1, 12, 16, READ).is_none());
        assert!(history.conflict(0, 8, 12, WRITE).is_none());
        let lock = Knower::object(64);
        history.pass(Knower::thread(0), lock);
        assert!(history.conflict(1, 8, 12, READ).is_some());
        history.pass(lock, Knower::thread(1));
        assert!(history.conflict(1, 8, 12, READ).is_none());
        assert!(history.conflict(2, 11, 12, READ).is_some());
    }

    #[test]
    fn only_two_atomic_accesses_do_not_conflict() {
        let history = history(&[(0, 0, 4, ATOMIC)]);
        assert!(history.conflict(1, 0, 4, ATOMIC).is_none());
        assert!(history.conflict(1, 0, 4, READ).is_some());
    }

    #[test]
    fn later_accesses_replace_what_they_cover() {
        let mut both = history(&[(0, 0, 8, READ), (0, 0, 4, WRITE)]);
        both.normalise(&[0, 1], |_| true);
        assert_eq!(both.records.len(), 2);
        assert_eq!((both.records[0].start, both.records[0].end), (4, 8));
        // An atomic write is no match for a plain read: it does not
        // conflict with an atomic write of another thread.
        let kept = history(&[(0, 0, 4, READ), (0, 0, 4, ATOMIC)]);
        assert_eq!(kept.records.len(), 2);
        assert!(kept.conflict(1, 0, 4, ATOMIC).is_some());
        // A read of another thread that nobody told of stays.
        assert_eq!(history(&[(0, 0, 4, READ), (1, 0, 4, READ)]).records.len(), 2);
    }

    #[test]
    fn what_all_know_is_forgotten_and_neighbours_are_joined() {
        let mut history = history(&[(0, 4, 8, WRITE), (0, 0, 4, WRITE)]);
        history.normalise(&[0, 1], |_| true);
        assert_eq!(history.records.len(), 1);
        history.pass(Knower::thread(0), Knower::pending(1));
        history.normalise(&[0, 1], |_| true);
        assert!(history.records[0].knows(Knower::pending(1)));
        history.pass(Knower::pending(1), Knower::thread(1));
        history.normalise(&[0, 1, 2], |_| true);
        assert!(!history.records[0].knows(Knower::pending(1)));
        history.normalise(&[0, 1], |_| true);
        assert!(history.is_empty());
    }

    #[test]
    fn histories_survive_encoding() {
        let lock = ObjId::new(Space::Heap, 7).at(0);
        let mut before = history(&[(3, 4, 8, WRITE), (1, 0, 4, ATOMIC)]);
        before.pass(Knower::thread(3), Knower::readers(lock));
        let mut words = Vec::new();
        before.encode(&mut words);
        let mut after = History::default();
        after.decode(&words);
        assert_eq!(before, after);
        before.forget_objects(lock + 4, lock + 8);
        assert_eq!(before, after);
        before.forget_objects(lock, lock + 8);
        assert_ne!(before, after);
    }
}
