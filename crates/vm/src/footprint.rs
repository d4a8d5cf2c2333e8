//! What a visible operation touches: the basis for saying that two operations
//! of different threads are independent.
//!
//! Invariant: if the footprints of two operations of different threads do not
//! conflict, neither enables, disables or changes the other, and both orders
//! lead to the same state (up to the numbers of fresh objects). What is not
//! known to be small counts as everything.

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::{CallSite, Inst};
use exeunt_mem::Flags;
use smallvec::SmallVec;

use crate::builtin::{Builtin, Effect};
use crate::frame::OnReturn;
use crate::machine::{Machine, thread_object};
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

/// What an operation is to those who could notice it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// An access to data.
    #[default]
    Data,
    /// It may have to wait, wakes or chooses.
    Sync,
    /// It gives something back that others wait for.
    Release,
    /// It tells whether it would have to wait.
    Observe,
}

impl Range {
    pub fn new(start: u64, len: u64, write: bool) -> Range {
        Range { start, end: start.saturating_add(len.max(1)), write, sync: false }
    }

    fn sync(start: u64, len: u64) -> Range {
        Range { sync: true, ..Range::new(start, len, true) }
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

    fn write(start: u64, len: u64) -> Footprint {
        Footprint::of([Range::new(start, len, true)])
    }
}

impl Machine<'_> {
    /// What a thread that is inside a call waits for, if it is.
    pub fn waiting_footprint(&self) -> Option<Footprint> {
        let footprint = match self.head.status {
            Status::CondWait { cond, .. } => Range::sync(cond, COND),
            Status::CondRelock { mutex, .. } => Range::sync(mutex, MUTEX),
            Status::BarrierWait { barrier } => Range::sync(barrier, BARRIER),
            _ => return None,
        };
        let mut footprint = Footprint::sync(Kind::Sync, [footprint]);
        if self.vm.watch.calls {
            footprint.be_noticed();
        }
        Some(self.unless_cancelled(footprint))
    }

    /// A thread that is to be cancelled may leave instead of doing anything.
    fn unless_cancelled(&self, footprint: Footprint) -> Footprint {
        Footprint { everything: footprint.everything || self.head.cancelled, ..footprint }
    }

    /// What the next instruction, which is a scheduling point, touches.
    pub fn footprint(&mut self, inst: &Inst) -> Footprint {
        let base = self.top().base as usize;
        let value = |slot: u32| self.registers[base + slot as usize].value;
        let bytes = |bits: u8| (bits as u64).div_ceil(8);
        match *inst {
            Inst::Load { bits, addr, .. } => {
                Footprint::of([Range::new(value(addr), bytes(bits), false)])
            }
            Inst::Store { bits, addr, .. }
            | Inst::Rmw { bits, addr, .. }
            | Inst::CmpXchg { bits, addr, .. } => Footprint::write(value(addr), bytes(bits)),
            Inst::MemCopy { dst, src, len, .. } => Footprint::of([
                Range::new(value(dst), value(len), true),
                Range::new(value(src), value(len), false),
            ]),
            Inst::MemSet { dst, len, .. } => Footprint::write(value(dst), value(len)),
            Inst::LifetimeStart { addr } | Inst::LifetimeEnd { addr } => {
                Footprint::of([Range::whole(address::object(value(addr)))])
            }
            Inst::StackRestore { src } => {
                let first = self.top().objects as usize + value(src) as usize;
                Footprint::of(self.objects[first..].iter().map(|&id| Range::whole(id)))
            }
            Inst::Return { .. } => self.return_footprint(),
            Inst::Call { call } => {
                let site = &self.function().calls[call as usize];
                self.call_footprint(site)
            }
            _ => Footprint::everything(),
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
        Footprint::of(self.objects[first..].iter().map(|&id| Range::whole(id)))
    }

    /// The end of the thread: who joins it may go on, and what it had on its
    /// stack and of thread-local variables is gone.
    fn end_footprint(&mut self) -> Footprint {
        let ends_program = match self.head.phase {
            Phase::Running => self.me == 0,
            Phase::ThreadExit => false,
            Phase::ProcessExit | Phase::BetweenHandlers => true,
        };
        let keys = self.vm.deletes_keys && !self.head.keys.is_empty();
        let runs_more = !self.head.cleanup.is_empty() || self.runs_routine();
        if ends_program || runs_more || keys || self.vm.last_thread_exits {
            return Footprint::everything();
        }
        let shared = self.shared_of_thread();
        let mut ranges: SmallVec<[Range; 3]> = shared.into_iter().map(Range::whole).collect();
        ranges.push(Range::life(thread_object(self.me)));
        // The end of a detached thread leaves no trace: others could not tell
        // afterwards that it was there.
        let kind = if self.head.detached { Kind::Sync } else { Kind::Release };
        Footprint { threads: self.head.detached, ..Footprint::sync(kind, ranges) }
    }

    /// What others can reach of the objects that end with this thread.
    pub fn shared_of_thread(&mut self) -> SmallVec<[ObjId; 4]> {
        let arena = self.me as u8;
        let of_thread = |id: &ObjId| {
            matches!(id.space(), Some(Space::Stack | Space::ThreadLocal)) && id.arena() == arena
        };
        let mut found: SmallVec<[ObjId; 4]> =
            self.mem.dynamic_objects().filter(of_thread).collect();
        found.retain(|id| {
            self.mem.header(*id).is_some_and(|header| header.flags.has(Flags::SHARED))
        });
        found
    }

    fn call_footprint(&mut self, site: &CallSite) -> Footprint {
        // Without a builtin the call begins an atomic block.
        let Some(builtin) = self.builtin_of(site) else { return Footprint::everything() };
        let base = self.top().base as usize;
        let words: SmallVec<[u64; 4]> =
            site.args.iter().map(|arg| self.registers[base + arg.slot as usize].value).collect();
        let footprint = match builtin.effect {
            _ if self.is_visible_allocation(builtin) => Footprint::everything(),
            Effect::Memory => self.objects_behind(&words),
            // Creating and deleting a key touches everything.
            Effect::Specific => Footprint::sync(Kind::Sync, []),
            Effect::Local | Effect::Indirect | Effect::Visible | Effect::Wait(_) => {
                self.synchronisation(builtin, &words)
            }
        };
        let footprint = self.with_stream(footprint, builtin, &words);
        let footprint = with_time(footprint, builtin, &words);
        self.unless_cancelled(footprint)
    }

    /// A function of stdio may have to wait for its stream.
    fn with_stream(&self, mut footprint: Footprint, builtin: &Builtin, words: &[u64]) -> Footprint {
        if let Some(stream) = self.stream_of_call(builtin, words) {
            footprint.kind = Kind::Sync;
            footprint.ranges.push(Range::sync(stream, STREAM));
        }
        footprint
    }

    fn synchronisation(&mut self, builtin: &Builtin, words: &[u64]) -> Footprint {
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        let Some((_, kind, touches)) =
            TOUCHES.iter().find(|(names, ..)| names.contains(&builtin.name))
        else {
            return Footprint { everything: true, ..self.objects_behind(words) };
        };
        match *touches {
            Touches::Nothing => Footprint::sync(*kind, []),
            Touches::First(len) => Footprint::sync(*kind, [Range::sync(word(0), len)]),
            Touches::Both(first, second) => {
                let ranges = [Range::sync(word(0), first), Range::sync(word(1), second)];
                Footprint::sync(*kind, ranges)
            }
            Touches::Value(len) => {
                let ranges = [Range::sync(word(0), len), Range::new(word(1), 4, true)];
                Footprint::sync(*kind, ranges)
            }
            Touches::Thread => {
                let life = Range::life(address::object(word(0)));
                let ranges = [life, Range::new(word(1), 8, true)];
                let ranges = ranges.into_iter().take(1 + usize::from(word(1) != 0));
                Footprint { threads: true, ..Footprint::sync(*kind, ranges) }
            }
            Touches::Rwlock => {
                // Whoever waits to write is noticed by readers: an unlock that
                // comes earlier would leave it nothing to wait for.
                let kind = if self.announces_writers(word(0)) { Kind::Sync } else { *kind };
                Footprint::sync(kind, [Range::sync(word(0), RWLOCK)])
            }
            Touches::Birth => self.birth(words),
            Touches::End => self.end_footprint(),
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
        let everything = !self.vm.moves || !self.next_thread_is_certain();
        Footprint { threads, everything, ..Footprint::of(ranges) }
    }
}

/// A function that waits for some time reads how long.
fn with_time(mut footprint: Footprint, builtin: &Builtin, words: &[u64]) -> Footprint {
    if let Some(&time) = words.last().filter(|_| builtin.timed) {
        footprint.ranges.push(Range::new(time, TIMESPEC, false));
    }
    footprint
}

const TIMESPEC: u64 = 16;
/// Stands for what propositions see. Nothing lies at this address.
const WATCHED: u64 = 8;
pub const MUTEX: u64 = 40;
const COND: u64 = 48;
const BARRIER: u64 = 32;
const RWLOCK: u64 = 56;
const SEMAPHORE: u64 = 32;
/// The lock of a stream is named by the first bytes of its `FILE`.
const STREAM: u64 = 8;

/// What a synchronisation function touches.
#[derive(Clone, Copy, Debug)]
enum Touches {
    /// Only its own thread.
    Nothing,
    /// So many bytes behind its first argument.
    First(u64),
    /// So many bytes behind its first and its second argument.
    Both(u64, u64),
    /// So many bytes behind its first argument, and a number behind the second.
    Value(u64),
    /// The thread that its first argument is, and a result behind the second.
    Thread,
    /// A readers-writer lock.
    Rwlock,
    /// A new thread.
    Birth,
    /// The life of its own thread.
    End,
}

/// All other visible functions touch everything. The waits among these are
/// cancellation points: `pthread_cancel` touches everything.
const TOUCHES: &[(&[&str], Kind, Touches)] = &[
    (&["pthread_mutex_lock", "mtx_lock"], Kind::Sync, Touches::First(MUTEX)),
    (&["pthread_mutex_unlock", "mtx_unlock"], Kind::Release, Touches::First(MUTEX)),
    (
        &[
            "pthread_mutex_trylock",
            "pthread_mutex_timedlock",
            "pthread_mutex_clocklock",
            "pthread_mutex_destroy",
            "mtx_trylock",
            "mtx_timedlock",
            "mtx_destroy",
        ],
        Kind::Observe,
        Touches::First(MUTEX),
    ),
    (
        &[
            "pthread_cond_signal",
            "pthread_cond_broadcast",
            "pthread_cond_destroy",
            "cnd_signal",
            "cnd_broadcast",
            "cnd_destroy",
        ],
        Kind::Sync,
        Touches::First(COND),
    ),
    (
        &[
            "pthread_cond_wait",
            "pthread_cond_timedwait",
            "pthread_cond_clockwait",
            "cnd_wait",
            "cnd_timedwait",
        ],
        Kind::Sync,
        Touches::Both(COND, MUTEX),
    ),
    (&["pthread_rwlock_rdlock", "pthread_rwlock_wrlock"], Kind::Sync, Touches::Rwlock),
    (&["pthread_rwlock_unlock"], Kind::Release, Touches::Rwlock),
    (
        &[
            "pthread_rwlock_tryrdlock",
            "pthread_rwlock_trywrlock",
            "pthread_rwlock_timedrdlock",
            "pthread_rwlock_timedwrlock",
            "pthread_rwlock_clockrdlock",
            "pthread_rwlock_clockwrlock",
            "pthread_rwlock_destroy",
        ],
        Kind::Observe,
        Touches::Rwlock,
    ),
    (&["pthread_spin_lock"], Kind::Sync, Touches::First(4)),
    (&["pthread_spin_unlock"], Kind::Release, Touches::First(4)),
    (&["pthread_spin_trylock", "pthread_spin_destroy"], Kind::Observe, Touches::First(4)),
    (&["sem_wait"], Kind::Sync, Touches::First(SEMAPHORE)),
    (&["sem_post"], Kind::Release, Touches::First(SEMAPHORE)),
    (
        &["sem_trywait", "sem_timedwait", "sem_clockwait", "sem_destroy"],
        Kind::Observe,
        Touches::First(SEMAPHORE),
    ),
    (&["flockfile"], Kind::Sync, Touches::First(STREAM)),
    (&["funlockfile"], Kind::Release, Touches::First(STREAM)),
    (&["ftrylockfile"], Kind::Observe, Touches::First(STREAM)),
    (&["sem_getvalue"], Kind::Observe, Touches::Value(SEMAPHORE)),
    (&["pthread_barrier_wait", "pthread_barrier_destroy"], Kind::Sync, Touches::First(BARRIER)),
    (&["pthread_once", "call_once"], Kind::Sync, Touches::First(4)),
    (&["pthread_join", "thrd_join"], Kind::Sync, Touches::Thread),
    (
        &[
            "pthread_tryjoin_np",
            "pthread_timedjoin_np",
            "pthread_clockjoin_np",
            "pthread_detach",
            "thrd_detach",
        ],
        Kind::Observe,
        Touches::Thread,
    ),
    (&["pthread_create"], Kind::Data, Touches::Birth),
    (&["pthread_exit", "thrd_exit"], Kind::Release, Touches::End),
    (
        &[
            "exeunt_choose",
            "exeunt_section_begin",
            "exeunt_section_end",
            "exeunt_wait_begin",
            "exeunt_wait_end",
            "sleep",
            "usleep",
        ],
        Kind::Sync,
        Touches::Nothing,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_visible_function_we_know() {
        for name in TOUCHES.iter().flat_map(|(names, ..)| *names) {
            let builtin = crate::builtin::find(name).unwrap_or_else(|| panic!("{name}"));
            assert!(matches!(builtin.effect, Effect::Visible | Effect::Wait(_)), "{name}");
        }
    }

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
