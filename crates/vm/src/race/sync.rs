//! What orders the accesses of different threads.
//!
//! Locks are the sections that threads hold, so whatever takes or gives back a lock
//! is seen where sections open and close. What other library functions order is said
//! in their rows ([`Orders`]); the creation of a thread is seen where threads are made,
//! and a `once` routine where it returns. Atomic operations and fences follow C11 with the
//! release sequences of C++20: only read-modify-writes continue one, and a later
//! relaxed store of the same thread does not.

use exeunt_ir::Order;
use exeunt_ir::address;
use exeunt_model::SectionKind;

use super::history::{How, Record};
use super::{Knower, Manner};
use crate::builtin::{Builtin, Flow, Orders, Value};
use crate::machine::Machine;
use crate::stop::Stop;
use crate::thread::Status;

/// What has to be known about a call before it is made.
pub struct Ordering {
    orders: Orders,
    object: u64,
    /// The threads that wait, with the object they wait at.
    waiting: Vec<(u32, u64)>,
}

impl Machine<'_> {
    // ---- library functions -------------------------------------------------------

    /// Before a library function runs; `None` if it orders nothing.
    pub fn ordering_of(&mut self, builtin: &Builtin, values: &[Value]) -> Option<Ordering> {
        self.history()?;
        let waiting = match builtin.orders {
            Orders::Nothing => return None,
            Orders::Wakes | Orders::WakesSecond | Orders::Meets => self.waiting(),
            Orders::Acquires | Orders::AcquiresAlways | Orders::Releases | Orders::Joins => {
                Vec::new()
            }
        };
        let at = usize::from(builtin.orders == Orders::WakesSecond);
        let object = values.get(at).map_or(0, |value| value.low.value);
        Some(Ordering { orders: builtin.orders, object, waiting })
    }

    fn waiting(&mut self) -> Vec<(u32, u64)> {
        let mut waiting = Vec::new();
        for thread in 0..self.known_threads() {
            match self.status(thread) {
                Status::CondWait { cond: object, .. }
                | Status::BarrierWait { barrier: object }
                | Status::FutexWait { addr: object, .. } => {
                    waiting.push((thread, object));
                }
                Status::Ready
                | Status::CondRelock { .. }
                | Status::BarrierLeave { .. }
                | Status::FutexWoken
                | Status::Ended { .. }
                | Status::Free => {}
            }
        }
        waiting
    }

    /// After it ran.
    pub fn note_order(&mut self, ordering: &Ordering, outcome: &Result<Flow, Stop>) {
        let returned = match outcome {
            Ok(Flow::Return(bits)) => Some(bits.value as u32),
            Ok(Flow::ReturnPair(..) | Flow::Moved) | Err(_) => None,
        };
        let (me, object) = (Knower::thread(self.thread.me), Knower::object(ordering.object));
        match ordering.orders {
            Orders::Acquires if returned == Some(0) => self.pass(object, me),
            Orders::AcquiresAlways if returned.is_some() => self.pass(object, me),
            Orders::Releases if returned == Some(0) => self.pass(me, object),
            Orders::Joins if returned == Some(0) => {
                let joined = address::object(ordering.object).index();
                self.pass(Knower::thread(joined), me);
            }
            Orders::Wakes | Orders::WakesSecond if returned.is_some() => {
                self.note_woken(ordering, me)
            }
            Orders::Meets if returned.is_some() => {
                self.pass(me, object);
                self.pass(object, me);
                self.note_woken(ordering, object);
                self.forget(object);
            }
            // It has arrived and waits for the others.
            Orders::Meets if matches!(outcome, Err(Stop::Waits)) => self.pass(me, object),
            Orders::Nothing
            | Orders::Acquires
            | Orders::AcquiresAlways
            | Orders::Releases
            | Orders::Joins
            | Orders::Wakes
            | Orders::WakesSecond
            | Orders::Meets => {}
        }
    }

    /// Those who waited there and do not any more know what `from` knows.
    fn note_woken(&mut self, ordering: &Ordering, from: Knower) {
        for &(thread, at) in &ordering.waiting {
            let waits = matches!(
                self.status(thread),
                Status::CondWait { .. } | Status::BarrierWait { .. } | Status::FutexWait { .. }
            );
            if at == ordering.object && !waits {
                self.pass(from, Knower::thread(thread));
            }
        }
    }

    /// The routine of a `pthread_once` has returned.
    pub fn note_done_once(&mut self, control: u64) {
        self.pass(Knower::thread(self.thread.me), Knower::object(control));
    }

    // ---- locks ---------------------------------------------------------------------

    /// A lock was taken.
    pub fn note_lock(&mut self, kind: SectionKind, addr: u64) {
        let Some(exclusive) = self.lock_mode(kind, addr) else { return };
        let me = Knower::thread(self.thread.me);
        self.pass(Knower::object(addr), me);
        if exclusive {
            self.pass(Knower::readers(addr), me);
        }
    }

    /// A lock is about to be given back.
    pub fn note_unlock(&mut self, kind: SectionKind, addr: u64) {
        let Some(exclusive) = self.lock_mode(kind, addr) else { return };
        let me = Knower::thread(self.thread.me);
        if exclusive {
            self.pass(me, Knower::object(addr));
            self.forget(Knower::readers(addr));
        } else {
            self.pass(me, Knower::readers(addr));
        }
    }

    /// Whether a section is a lock, and one that excludes all others.
    fn lock_mode(&mut self, kind: SectionKind, addr: u64) -> Option<bool> {
        self.history()?;
        let shared = kind == SectionKind::RwlockHeld;
        kind.is_held().then(|| !shared || self.context().writes_rwlock(addr))
    }

    /// The blocks that run without interruption are ordered among themselves, as
    /// if they took one lock. `before` is how deep in such blocks the thread was.
    pub fn note_blocks(&mut self, before: u16) {
        let me = Knower::thread(self.thread.me);
        match (before, self.thread.head.atomic) {
            (0, 0) => {}
            (0, _) => self.pass(Knower::ATOMIC_BLOCKS, me),
            (_, 0) => self.pass(me, Knower::ATOMIC_BLOCKS),
            (_, _) => {}
        }
    }

    // ---- threads -------------------------------------------------------------------

    /// A new thread knows what its creator knows.
    pub fn note_born(&mut self, thread: u32) {
        if let Some(races) = self.history() {
            races.change();
        }
        for stale in [Knower::thread(thread), Knower::fence(thread), Knower::pending(thread)] {
            self.forget(stale);
        }
        self.pass(Knower::thread(self.thread.me), Knower::thread(thread));
    }

    /// What only this thread did not know yet need not be kept for it.
    pub fn note_end(&mut self) {
        let me = self.thread.me;
        if let Some(races) = self.history() {
            races.change();
        }
        self.forget(Knower::fence(me));
        self.forget(Knower::pending(me));
    }

    // ---- atomic operations -----------------------------------------------------------

    /// Accesses memory as an atomic operation.
    pub fn atomically<R>(&mut self, access: impl FnOnce(&mut Self) -> R) -> R {
        self.in_manner(Manner::Atomic, access)
    }

    /// Accesses the inside of a lock, a semaphore…
    pub fn as_sync<R>(&mut self, access: impl FnOnce(&mut Self) -> R) -> R {
        self.in_manner(Manner::Sync, access)
    }

    fn in_manner<R>(&mut self, manner: Manner, access: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.manner, manner);
        let result = access(self);
        self.manner = before;
        result
    }

    /// An atomic operation has read the variable.
    pub fn note_atomic_read(&mut self, addr: u64, order: Order) {
        let Some(races) = self.history() else { return };
        let acquires_later = races.fences.0;
        let variable = Knower::object(addr);
        if order.acquires() {
            self.pass(variable, Knower::thread(self.thread.me));
        } else if acquires_later {
            self.pass(variable, Knower::pending(self.thread.me));
        }
    }

    /// An atomic operation has written the variable; `updates` if it has read
    /// it as well, and so continues a release sequence.
    pub fn note_atomic_write(&mut self, addr: u64, len: u64, order: Order, updates: bool) {
        let Some(races) = self.history() else { return };
        let released_before = races.fences.1;
        if !updates && !races.now.is_empty() {
            races.change().forget_objects(addr, addr.saturating_add(len));
        }
        let variable = Knower::object(addr);
        if order.releases() {
            self.pass(Knower::thread(self.thread.me), variable);
        } else if released_before {
            self.pass(Knower::fence(self.thread.me), variable);
        }
    }

    #[inline]
    pub fn note_fence(&mut self, order: Order) {
        if self.races.is_none() {
            return;
        }
        let me = self.thread.me;
        if order.acquires() {
            self.pass(Knower::pending(me), Knower::thread(me));
        }
        if order.releases() {
            self.pass(Knower::thread(me), Knower::fence(me));
        }
    }

    // ---- the rest ----------------------------------------------------------------------

    fn pass(&mut self, from: Knower, to: Knower) {
        if let Some(races) = self.history()
            && !races.now.is_empty()
        {
            races.change().pass(from, to);
        }
    }

    fn forget(&mut self, who: Knower) {
        if let Some(races) = self.history()
            && !races.now.is_empty()
        {
            races.change().forget(who);
        }
    }

    /// What the program could do about a race.
    pub(super) fn what_would_order(&mut self, how: How, other: &Record) -> Vec<String> {
        let (me, them) = (self.thread.me + 1, other.thread + 1);
        let mut help = Vec::new();
        if how.atomic != other.how.atomic {
            help.push(
                "only two atomic accesses do not race: make the other one atomic as well".into(),
            );
        }
        if self.thread.head.atomic > 0 {
            help.push(format!(
                "thread {me} is in an atomic block, which orders its accesses only with those \
                 in other atomic blocks"
            ));
        }
        let held = self.thread.head.sections.clone();
        for lock in held {
            if self.lock_mode(lock.kind, lock.resource).is_some() {
                let name = match self.name_section(lock) {
                    // A description of what has no name.
                    described if described.contains(' ') => described,
                    name => format!("`{name}`"),
                };
                help.push(format!(
                    "thread {me} holds {name} in its access: hold it in that of thread {them} too"
                ));
            }
        }
        if matches!(self.living_status(other.thread), Some(Status::Ended { .. })) {
            help.push(format!("thread {them} has ended: joining it would order the two"));
        }
        if self.races.as_ref().is_some_and(|races| races.relaxed) {
            help.push(
                "an atomic operation with memory_order_relaxed orders nothing: the writer of a \
                 flag must release, and its reader acquire"
                    .into(),
            );
        }
        help.push(format!(
            "one lock held in both accesses would order them, or a release of thread {them} \
             after its access that thread {me} acquires before its own"
        ));
        help
    }

    fn living_status(&mut self, thread: u32) -> Option<Status> {
        (thread < self.known_threads()).then(|| self.status(thread))
    }
}
