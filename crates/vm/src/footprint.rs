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
    start: u64,
    end: u64,
    write: bool,
}

impl Range {
    pub fn new(start: u64, len: u64, write: bool) -> Range {
        Range { start, end: start.saturating_add(len.max(1)), write }
    }

    /// All of an object: its life is touched, not only its contents.
    fn whole(id: ObjId) -> Range {
        let start = (id.0 as u64) << 32;
        Range { start, end: start.saturating_add(1 << 32), write: true }
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
    pub ranges: SmallVec<[Range; 3]>,
}

impl Footprint {
    pub fn everything() -> Footprint {
        Footprint { everything: true, ..Footprint::default() }
    }

    fn of(ranges: impl IntoIterator<Item = Range>) -> Footprint {
        Footprint { everything: false, ranges: ranges.into_iter().collect() }
    }

    fn write(start: u64, len: u64) -> Footprint {
        Footprint::of([Range::new(start, len, true)])
    }
}

impl Machine<'_> {
    /// What a thread that is inside a call waits for, if it is.
    pub fn waiting_footprint(&self) -> Option<Footprint> {
        let footprint = match self.head.status {
            Status::CondWait { cond, .. } => Footprint::write(cond, COND),
            Status::CondRelock { mutex, .. } => Footprint::write(mutex, MUTEX),
            Status::BarrierWait { barrier } => Footprint::write(barrier, BARRIER),
            _ => return None,
        };
        Some(self.unless_cancelled(footprint))
    }

    /// A thread that is to be cancelled may leave instead of doing anything.
    fn unless_cancelled(&self, footprint: Footprint) -> Footprint {
        if self.head.cancelled { Footprint::everything() } else { footprint }
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
        if frame.on_return == OnReturn::Again {
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
            Phase::ProcessExit => true,
        };
        if ends_program || !self.head.cleanup.is_empty() {
            return Footprint::everything();
        }
        let shared = self.shared_of_thread();
        let mut ranges: SmallVec<[Range; 3]> = shared.into_iter().map(Range::whole).collect();
        ranges.push(Range::whole(thread_object(self.me)));
        Footprint { everything: false, ranges }
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
            Effect::Memory => {
                let objects = words.into_iter().filter(|&w| address::object(w).space().is_some());
                let shared: SmallVec<[u64; 4]> = objects.filter(|&w| self.is_shared(w)).collect();
                Footprint::of(shared.into_iter().map(|w| Range::whole(address::object(w))))
            }
            _ => self.synchronisation(builtin, &words),
        };
        self.unless_cancelled(footprint)
    }

    fn synchronisation(&mut self, builtin: &Builtin, words: &[u64]) -> Footprint {
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        let Some((_, touches)) = TOUCHES.iter().find(|(names, _)| names.contains(&builtin.name))
        else {
            return Footprint::everything();
        };
        match *touches {
            Touches::Nothing => Footprint::default(),
            Touches::First(len) => Footprint::write(word(0), len),
            Touches::Both(first, second) => {
                Footprint::of([Range::new(word(0), first, true), Range::new(word(1), second, true)])
            }
            Touches::Thread => Footprint::of([
                Range::whole(address::object(word(0))),
                Range::new(word(1), 8, true),
            ]),
            Touches::End => self.end_footprint(),
        }
    }
}

const MUTEX: u64 = 40;
const COND: u64 = 48;
const BARRIER: u64 = 32;
const RWLOCK: u64 = 56;
const SEMAPHORE: u64 = 32;

/// What a synchronisation function touches.
#[derive(Clone, Copy, Debug)]
enum Touches {
    /// Only its own thread.
    Nothing,
    /// So many bytes behind its first argument.
    First(u64),
    /// So many bytes behind its first and its second argument.
    Both(u64, u64),
    /// The thread that its first argument is, and a result behind the second.
    Thread,
    /// The life of its own thread.
    End,
}

/// All other visible functions touch everything. The waits among these are
/// cancellation points: `pthread_cancel` touches everything.
const TOUCHES: &[(&[&str], Touches)] = &[
    (
        &[
            "pthread_mutex_lock",
            "pthread_mutex_trylock",
            "pthread_mutex_timedlock",
            "pthread_mutex_clocklock",
            "pthread_mutex_unlock",
            "pthread_mutex_destroy",
            "mtx_lock",
            "mtx_trylock",
            "mtx_timedlock",
            "mtx_unlock",
            "mtx_destroy",
        ],
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
        Touches::Both(COND, MUTEX),
    ),
    (
        &[
            "pthread_rwlock_rdlock",
            "pthread_rwlock_wrlock",
            "pthread_rwlock_tryrdlock",
            "pthread_rwlock_trywrlock",
            "pthread_rwlock_timedrdlock",
            "pthread_rwlock_timedwrlock",
            "pthread_rwlock_unlock",
            "pthread_rwlock_destroy",
        ],
        Touches::First(RWLOCK),
    ),
    (
        &[
            "pthread_spin_lock",
            "pthread_spin_trylock",
            "pthread_spin_unlock",
            "pthread_spin_destroy",
        ],
        Touches::First(4),
    ),
    (
        &["sem_wait", "sem_trywait", "sem_timedwait", "sem_clockwait", "sem_post", "sem_destroy"],
        Touches::First(SEMAPHORE),
    ),
    (&["sem_getvalue"], Touches::Both(SEMAPHORE, 4)),
    (&["pthread_barrier_wait", "pthread_barrier_destroy"], Touches::First(BARRIER)),
    (&["pthread_once", "call_once"], Touches::First(4)),
    (
        &[
            "pthread_join",
            "pthread_tryjoin_np",
            "pthread_timedjoin_np",
            "pthread_detach",
            "thrd_join",
            "thrd_detach",
        ],
        Touches::Thread,
    ),
    (&["pthread_exit", "thrd_exit"], Touches::End),
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
        Touches::Nothing,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_visible_function_we_know() {
        for name in TOUCHES.iter().flat_map(|(names, _)| *names) {
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
