//! What a visible operation touches: the basis for saying that two operations
//! of different threads are independent.
//!
//! Invariant: if the footprints of two operations of different threads do not
//! conflict, neither enables, disables or changes the other, and both orders
//! lead to the same state (up to the numbers of fresh objects). What is not
//! known to be small counts as everything.

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::{CallSite, Inst, Size, Touch};
use exeunt_mem::Flags;
use smallvec::SmallVec;

use crate::builtin::{Builtin, Effect, Kind, Object, Orders, Touches};
use crate::machine::{Machine, thread_object};
use crate::pthread::futex;
use crate::thread::frame::OnReturn;
use crate::thread::{Phase, Status};

/// A range of addresses; a thread's own pseudo-object stands for its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub start: u64,
    pub end: u64,
    pub write: bool,
    /// It is touched as a lock, a condition…, not as data.
    pub sync: bool,
}

impl Range {
    pub fn new(start: u64, len: u64, write: bool) -> Range {
        Range { start, end: start.saturating_add(len.max(1)), write, sync: false }
    }

    fn object(start: u64, object: Object) -> Range {
        Range { sync: true, ..Range::new(start, object.size(), true) }
    }

    /// All of an object: its life is touched, not only its contents.
    fn whole(id: ObjId) -> Range {
        let start = (id.0 as u64) << 32;
        Range { start, end: start.saturating_add(1 << 32), write: true, sync: false }
    }

    pub fn is_whole(&self) -> bool {
        self.end - self.start == 1 << 32
    }

    /// The life of a thread.
    fn life(thread: ObjId) -> Range {
        Range { sync: true, ..Range::whole(thread) }
    }

    pub fn conflicts(&self, other: &Range) -> bool {
        (self.write || other.write) && self.start < other.end && other.start < self.end
    }
}

/// What one operation touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Depends on every operation of every other thread.
    pub everything: bool,
    pub kind: Kind,
    /// The table of threads gets or loses an entry.
    pub threads: bool,
    /// Others notice a thread that waits for it.
    pub announced: bool,
    /// A proposition may depend on it: a step of its own.
    pub noticed: bool,
    pub ranges: SmallVec<[Range; 3]>,
}

impl Footprint {
    pub fn everything() -> Footprint {
        Footprint { everything: true, ..Footprint::default() }
    }

    fn of(ranges: impl IntoIterator<Item = Range>) -> Footprint {
        Footprint { ranges: ranges.into_iter().collect(), ..Footprint::default() }
    }

    fn sync(kind: Kind, ranges: impl IntoIterator<Item = Range>) -> Footprint {
        Footprint { kind, ..Footprint::of(ranges) }
    }

    /// Whoever looks at the propositions sees which of two such operations
    /// comes first.
    pub fn be_noticed(&mut self) {
        self.noticed = true;
        self.ranges.push(Range::new(WATCHED, 1, true));
    }

    /// Whether something on the heap ends that others can reach.
    pub fn ends_on_heap(&self) -> bool {
        let on_heap = |range: &Range| address::object(range.start).space() == Some(Space::Heap);
        self.ranges.iter().any(|range| range.write && range.is_whole() && on_heap(range))
    }

    /// Adds what another effect of the same instruction touches.
    fn join(&mut self, other: Footprint) {
        self.everything |= other.everything;
        self.threads |= other.threads;
        self.announced |= other.announced;
        self.noticed |= other.noticed;
        if self.kind == Kind::Data {
            self.kind = other.kind;
        }
        self.ranges.extend(other.ranges);
    }
}

impl Machine<'_> {
    /// What a thread that is inside a call waits for, if it is.
    pub fn waiting_footprint(&self) -> Option<Footprint> {
        let footprint = match self.thread.head.status {
            Status::CondWait { cond, .. } => Range::object(cond, Object::Condition),
            Status::CondRelock { mutex, .. } => Range::object(mutex, Object::Mutex),
            Status::BarrierWait { barrier } => Range::object(barrier, Object::Barrier),
            // The word is data, too: atomic operations change it.
            Status::FutexWait { addr, .. } => Range::new(addr, FUTEX, true),
            Status::Ready
            | Status::BarrierLeave { .. }
            | Status::FutexWoken
            | Status::Ended { .. }
            | Status::Free => {
                return None;
            }
        };
        let mut footprint = Footprint::sync(Kind::Sync, [footprint]);
        if self.vm.watch.calls {
            footprint.be_noticed();
        }
        Some(self.unless_cancelled(footprint))
    }

    /// A thread that is to be cancelled may leave instead of doing anything.
    fn unless_cancelled(&self, footprint: Footprint) -> Footprint {
        Footprint { everything: footprint.everything || self.thread.head.cancelled, ..footprint }
    }

    /// What the next instruction, which is a scheduling point, touches.
    pub fn footprint(&mut self, inst: &Inst) -> Footprint {
        let mut found: Option<Footprint> = None;
        inst.touches(|touch| {
            let part = self.footprint_of(touch);
            match &mut found {
                Some(whole) => whole.join(part),
                None => found = Some(part),
            }
        });
        found.unwrap_or_else(Footprint::everything)
    }

    #[inline(always)]
    fn footprint_of(&mut self, touch: Touch) -> Footprint {
        let base = self.top().base as usize;
        let value = |slot: u32| self.thread.registers[base + slot as usize].value;
        let bytes = |size: Size| match size {
            Size::Bytes(bytes) => bytes as u64,
            Size::Slot(slot) => value(slot),
        };
        match touch {
            Touch::Reads { addr, size, .. } => {
                Footprint::of([Range::new(value(addr), bytes(size), false)])
            }
            Touch::Writes { addr, size, .. } | Touch::Updates { addr, size, .. } => {
                Footprint::of([Range::new(value(addr), bytes(size), true)])
            }
            Touch::Lives { addr } => Footprint::of([Range::whole(address::object(value(addr)))]),
            Touch::Unwinds { keep: Some(keep) } => {
                let first = self.top().objects as usize + value(keep) as usize;
                Footprint::of(self.thread.objects[first..].iter().map(|&id| Range::whole(id)))
            }
            Touch::Unwinds { keep: None } => self.return_footprint(),
            Touch::Calls { call } => {
                let site = &self.function().calls[call as usize];
                self.call_footprint(site)
            }
            Touch::Allocates { .. } | Touch::Orders { .. } => Footprint::everything(),
        }
    }

    fn return_footprint(&mut self) -> Footprint {
        let frame = *self.top();
        if matches!(frame.on_return, OnReturn::Again | OnReturn::Exit) {
            return Footprint::everything();
        }
        if self.is_last_return() {
            return self.end_footprint();
        }
        let first = frame.objects as usize;
        Footprint::of(self.thread.objects[first..].iter().map(|&id| Range::whole(id)))
    }

    /// The end of the thread: who joins it may go on, and what it had on its
    /// stack and of thread-local variables is gone.
    fn end_footprint(&mut self) -> Footprint {
        let ends_program = match self.thread.head.phase {
            Phase::Running => self.thread.me == 0,
            Phase::ThreadExit => false,
            Phase::ProcessExit | Phase::BetweenHandlers => true,
        };
        let keys = self.vm.deletes_keys && !self.thread.head.keys.is_empty();
        let runs_more = !self.thread.head.cleanup.is_empty() || self.runs_routine();
        let robust = self.vm.robust && !self.thread.head.sections.is_empty();
        if ends_program || runs_more || keys || robust || self.vm.last_thread_exits {
            return Footprint::everything();
        }
        let shared = self.shared_of_thread();
        let mut ranges: SmallVec<[Range; 3]> = shared.into_iter().map(Range::whole).collect();
        ranges.push(Range::life(thread_object(self.thread.me)));
        // The end of a detached thread leaves no trace: others could not tell
        // afterwards that it was there.
        let kind = if self.thread.head.detached { Kind::Sync } else { Kind::Release };
        Footprint { threads: self.thread.head.detached, ..Footprint::sync(kind, ranges) }
    }

    /// What others can reach of the objects that end with this thread.
    pub fn shared_of_thread(&mut self) -> SmallVec<[ObjId; 4]> {
        let arena = self.thread.me as u8;
        let spaces = [Space::Stack, Space::ThreadLocal];
        let mut found: SmallVec<[ObjId; 4]> =
            spaces.into_iter().flat_map(|space| self.mem.objects_of(space, arena)).collect();
        found.retain(|id| {
            self.mem.header(*id).is_some_and(|header| header.flags.has(Flags::SHARED))
        });
        found
    }

    fn call_footprint(&mut self, site: &CallSite) -> Footprint {
        // Without a builtin the call begins an atomic block.
        let Some(builtin) = self.builtin_of(site) else { return Footprint::everything() };
        let base = self.top().base as usize;
        let words: SmallVec<[u64; 4]> = site
            .args
            .iter()
            .map(|arg| self.thread.registers[base + arg.slot as usize].value)
            .collect();
        let footprint = match builtin.effect {
            _ if self.is_visible_allocation(builtin) || self.is_on_file(site, builtin) => {
                Footprint::everything()
            }
            // Whoever looks at the clock, sleeps or may time out lets time pass.
            _ if self.passes_time(builtin) => Footprint::everything(),
            Effect::Memory | Effect::Clock => self.objects_behind(&words),
            // Creating and deleting a key touches everything.
            Effect::Specific => Footprint::sync(Kind::Sync, []),
            Effect::Local
            | Effect::Indirect
            | Effect::Unwinds
            | Effect::Visible
            | Effect::Wait(_) => self.synchronisation(builtin, &words),
        };
        let footprint = self.with_stream(footprint, builtin, &words);
        let footprint = with_time(footprint, builtin, &words);
        self.unless_cancelled(footprint)
    }

    fn passes_time(&self, builtin: &Builtin) -> bool {
        let takes = builtin.timed.is_some() || builtin.sleeps;
        let looks = builtin.effect == Effect::Clock;
        let moves = self.session.clock.moves();
        moves && (takes || looks) || self.vm.options.real_time && builtin.sleeps
    }

    /// A function of stdio may have to wait for its stream.
    fn with_stream(&self, mut footprint: Footprint, builtin: &Builtin, words: &[u64]) -> Footprint {
        if let Some(stream) = self.vm.stream_of_call(builtin, words) {
            footprint.kind = Kind::Sync;
            footprint.ranges.push(Range::object(stream, Object::Stream));
        }
        footprint
    }

    /// What a call touches that is a scheduling point by itself, as its row says.
    fn synchronisation(&mut self, builtin: &Builtin, words: &[u64]) -> Footprint {
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        // A post that comes earlier may come before a wait that did not need it, and then orders what
        // it did not order (docs/races.md). A lock cannot be taken before it is given back.
        let orders_more = self.vm.options.races && builtin.orders == Orders::Releases;
        let kind = if orders_more { Kind::Sync } else { builtin.kind };
        match builtin.touches {
            Touches::Everything => Footprint { everything: true, ..self.objects_behind(words) },
            Touches::Nothing => Footprint::sync(kind, []),
            Touches::Object(object) => {
                // Whoever waits to write is noticed by readers: an unlock that
                // comes earlier would leave it nothing to wait for.
                let announced =
                    object == Object::Rwlock && self.context().announces_writers(word(0));
                let kind = if announced { Kind::Sync } else { kind };
                Footprint { announced, ..Footprint::sync(kind, [Range::object(word(0), object)]) }
            }
            Touches::Both(first, second) => Footprint::sync(
                kind,
                [Range::object(word(0), first), Range::object(word(1), second)],
            ),
            Touches::Value(object) => Footprint::sync(
                kind,
                [Range::object(word(0), object), Range::new(word(1), 4, true)],
            ),
            Touches::Thread => {
                let life = Range::life(address::object(word(0)));
                let ranges = [life, Range::new(word(1), 8, true)];
                let ranges = ranges.into_iter().take(1 + usize::from(word(1) != 0));
                Footprint { threads: true, ..Footprint::sync(kind, ranges) }
            }
            Touches::Birth => self.birth(words),
            Touches::End => self.end_footprint(),
            Touches::Descriptor if matches!(word(0), 1 | 2) => self.objects_behind(words),
            Touches::Descriptor => Footprint { everything: true, ..self.objects_behind(words) },
            Touches::SystemCall => {
                let touched = futex::touched(words).into_iter();
                Footprint::sync(kind, touched.map(|(at, len, write)| Range::new(at, len, write)))
            }
        }
    }

    /// All of what pointers point to.
    fn objects_behind(&mut self, words: &[u64]) -> Footprint {
        let objects = words.iter().copied().filter(|&w| address::object(w).space().is_some());
        let shared: SmallVec<[u64; 4]> = objects.filter(|&w| self.is_shared(w)).collect();
        Footprint::of(shared.into_iter().map(|w| Range::whole(address::object(w))))
    }

    /// The creation of a thread. It touches little if its number is certain,
    /// whatever others do first: none below it is free, and nobody knows it.
    fn birth(&mut self, words: &[u64]) -> Footprint {
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        let handle = Range::new(word(0), 8, true);
        let attributes = Range::new(word(1), 16, false);
        let ranges = [handle, attributes].into_iter().take(1 + usize::from(word(1) != 0));
        let threads = true;
        let compared = self.vm.moves || self.superstep.asked;
        let everything = !compared || !self.next_thread_is_certain();
        Footprint { threads, everything, ..Footprint::of(ranges) }
    }
}

/// A function that waits for some time reads how long.
fn with_time(mut footprint: Footprint, builtin: &Builtin, words: &[u64]) -> Footprint {
    if let Some(&time) = words.last().filter(|_| builtin.timed.is_some()) {
        footprint.ranges.push(Range::new(time, TIMESPEC, false));
    }
    footprint
}

pub const TIMESPEC: u64 = 16;
/// Bytes of the word that a thread waits at.
pub const FUTEX: u64 = 4;
/// Stands for what propositions see. Nothing lies at this address.
pub const WATCHED: u64 = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_write_conflicts() {
        let read = Range::new(100, 4, false);
        let write = Range::new(103, 4, true);
        assert!(read.conflicts(&write) && write.conflicts(&read) && write.conflicts(&write));
        assert!(!read.conflicts(&read));
        assert!(!Range::new(100, 3, false).conflicts(&write));
        assert!(!Range::new(107, 1, true).conflicts(&write));
        let object = ObjId::in_arena(Space::Heap, 1, 5);
        assert!(Range::whole(object).conflicts(&Range::new(object.at(7), 1, false)));
        let next = ObjId::in_arena(Space::Heap, 1, 6);
        assert!(!Range::whole(object).conflicts(&Range::new(next.at(0), 1, true)));
    }
}
