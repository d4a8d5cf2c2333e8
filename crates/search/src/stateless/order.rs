//! Data races of a run: accesses to the same bytes by different threads, at
//! least one a write and at least one not atomic, of which neither happens
//! before the other (C11, 5.1.2.4).
//!
//! Vector clocks of happens-before, as in Flanagan and Freund (FastTrack:
//! Efficient and Precise Dynamic Race Detection, 2009), with the orders of C++20
//! for atomics: a release sequence is continued by read-modify-writes only.
//! These clocks say less than the clocks of the reduction: two steps that do
//! not commute need not be ordered.
//!
//! Invariant: whether a run has a race does not depend on the order of its
//! independent steps, so one run of each class is enough.

use exeunt_model::{Access, Action, ActorId, MemoryOrder, ObjectId, Operation, Reply};
use rustc_hash::FxHashMap;

use super::clock::Clock;

/// An access that may still race with a later one.
#[derive(Clone, Copy, Debug)]
struct Past {
    actor: ActorId,
    ordinal: u32,
    /// The bytes of the word.
    mask: u32,
    writes: bool,
    atomic: bool,
    /// The number of the step.
    step: usize,
}

/// What a thread knows.
#[derive(Clone, Debug, Default)]
struct Known {
    clock: Clock,
    /// What relaxed loads have read, for a later acquire fence.
    loaded: Clock,
    /// What the last release fence gave, for later relaxed stores.
    fenced: Clock,
}

/// What an object passes on.
#[derive(Clone, Debug, Default)]
struct Passed {
    /// What the threads that released it knew.
    clock: Clock,
    /// From readers of a readers-writer lock, for writers only.
    readers: Clock,
}

type Key = (ObjectId, u32);

#[derive(Clone, Debug, Default)]
pub struct Order {
    threads: Vec<Known>,
    /// By object, and by round for barriers.
    objects: FxHashMap<Key, Passed>,
    history: FxHashMap<ObjectId, Vec<Past>>,
}

impl Order {
    pub fn reset(&mut self) {
        self.threads.clear();
        self.objects.clear();
        self.history.clear();
    }

    /// A thread begins, with what its creator knows.
    pub fn begin(&mut self, actor: ActorId, creator: Option<ActorId>) {
        let clock = creator.map(|one| self.threads[one.0 as usize].clock.clone());
        let clock = clock.unwrap_or_default();
        debug_assert_eq!(actor.0 as usize, self.threads.len(), "threads begin in order");
        self.threads.push(Known { clock, ..Known::default() });
    }

    /// Memory is free: what is there next is something else.
    pub fn forget(&mut self, words: std::ops::Range<u64>) {
        if self.history.len() < (words.end - words.start) as usize {
            self.history.retain(|object, _| !words.contains(&object.0));
        } else {
            for word in words {
                self.history.remove(&ObjectId(word));
            }
        }
    }

    /// A step was made. Gives the earlier step that it races with, if any.
    pub fn observe(
        &mut self,
        step: usize,
        actor: ActorId,
        ordinal: u32,
        operation: &Operation,
        reply: Reply,
        failed: bool,
    ) -> Option<usize> {
        self.threads[actor.0 as usize].clock.set(actor, ordinal);
        let mut race = None;
        // What the kernel reads for a futex is no access of the program.
        let enters =
            |access: &Access| matches!(access.action, Action::FutexEnter | Action::Enqueue);
        let by_kernel = operation.accesses().first().is_some_and(enters);
        for access in operation.accesses() {
            let access = Access { action: weaken(access, failed), ..*access };
            if access.action.is_memory() && !by_kernel {
                race = race.or(self.access(step, actor, ordinal, &access));
            }
            self.synchronise(actor, &access, reply);
        }
        race
    }

    fn access(
        &mut self,
        step: usize,
        actor: ActorId,
        ordinal: u32,
        access: &Access,
    ) -> Option<usize> {
        let atomic = !matches!(access.action, Action::Read | Action::Write);
        let writes = access.action.writes();
        let known = &self.threads[actor.0 as usize].clock;
        let past = self.history.entry(access.object).or_default();
        let races = |other: &&Past| {
            other.actor != actor
                && other.mask & access.bytes() != 0
                && (other.writes || writes)
                && !(other.atomic && atomic)
                && !known.covers(other.actor, other.ordinal)
        };
        let found = past.iter().find(races).map(|other| other.step);
        let replaced = |other: &Past| {
            let same = (other.actor, other.writes, other.atomic) == (actor, writes, atomic);
            same && other.mask & !access.bytes() == 0
        };
        past.retain(|other| !replaced(other));
        past.push(Past { actor, ordinal, mask: access.bytes(), writes, atomic, step });
        found
    }

    /// What the access makes known to whom.
    fn synchronise(&mut self, actor: ActorId, access: &Access, reply: Reply) {
        let thread = actor.0 as usize;
        let round = match access.action {
            Action::Arrive | Action::Leave => access.birth,
            _ => 0,
        };
        let object = (access.object, round);
        match access.action {
            Action::Lock(_) | Action::TryLock(_) | Action::SemWait | Action::SemTryWait => {
                if matches!(reply, Reply::Done | Reply::Deserted) {
                    self.acquire(thread, object);
                }
            }
            Action::ReadLock | Action::TryReadLock if reply == Reply::Done => {
                self.acquire(thread, object);
            }
            Action::WriteLock | Action::TryWriteLock if reply == Reply::Done => {
                self.acquire(thread, object);
                let readers = self.objects.entry(object).or_default().readers.clone();
                self.threads[thread].clock.join(&readers);
            }
            Action::ReadLock | Action::TryReadLock | Action::WriteLock | Action::TryWriteLock => {}
            Action::ReadUnlock => {
                let passed = self.objects.entry(object).or_default();
                passed.readers.join(&self.threads[thread].clock);
            }
            Action::Unlock(_)
            | Action::Desert
            | Action::WriteUnlock
            | Action::SemPost
            | Action::Signal
            | Action::Broadcast
            | Action::FutexWake(_)
            | Action::Arrive
            | Action::OnceDone
            | Action::OnceUndone
            | Action::Finish
            | Action::Cancel => self.release(thread, object),
            Action::Wake | Action::Leave => self.acquire(thread, object),
            // Out of time, nothing is learnt.
            Action::TimedWake | Action::TryJoin if reply == Reply::Busy => {}
            Action::TimedWake | Action::TryJoin => self.acquire(thread, object),
            Action::OnceEnter => self.acquire(thread, object),
            Action::CancelPoint if reply == Reply::Cancelled => self.acquire(thread, object),
            Action::Join if reply != Reply::Cancelled => {
                if let Some(target) = self.threads.get(access.object.0 as usize) {
                    let clock = target.clock.clone();
                    self.threads[thread].clock.join(&clock);
                }
            }
            Action::Join
            | Action::CancelPoint
            | Action::Repair
            | Action::WriteWant
            | Action::SemValue
            | Action::Enqueue
            | Action::FutexEnter
            | Action::Abandon
            | Action::Read
            | Action::Write => {}
            Action::AtomicRead(order) => self.load(thread, object, order),
            Action::AtomicWrite(order) => {
                // A store that is no read-modify-write ends what was passed on.
                self.objects.entry(object).or_default().clock = Clock::default();
                self.store(thread, object, order);
            }
            Action::AtomicUpdate(order) => {
                self.load(thread, object, order);
                self.store(thread, object, order);
            }
            Action::Fence(order) => self.fence(thread, order),
        }
    }

    fn acquire(&mut self, thread: usize, object: Key) {
        if let Some(passed) = self.objects.get(&object) {
            self.threads[thread].clock.join(&passed.clock);
        }
    }

    fn release(&mut self, thread: usize, object: Key) {
        let clock = &self.threads[thread].clock;
        self.objects.entry(object).or_default().clock.join(clock);
    }

    fn load(&mut self, thread: usize, object: Key, order: MemoryOrder) {
        let Some(passed) = self.objects.get(&object) else { return };
        let known = &mut self.threads[thread];
        match order.acquires() {
            true => known.clock.join(&passed.clock),
            false => known.loaded.join(&passed.clock),
        }
    }

    fn store(&mut self, thread: usize, object: Key, order: MemoryOrder) {
        let known = &self.threads[thread];
        let given = if order.releases() { &known.clock } else { &known.fenced };
        self.objects.entry(object).or_default().clock.join(given);
    }

    fn fence(&mut self, thread: usize, order: MemoryOrder) {
        let known = &mut self.threads[thread];
        if order.acquires() {
            let loaded = known.loaded.clone();
            known.clock.join(&loaded);
        }
        if order.releases() {
            known.fenced = known.clock.clone();
        }
    }
}

/// A compare-exchange that found something else is a load.
fn weaken(access: &Access, failed: bool) -> Action {
    match access.action {
        Action::AtomicUpdate(_) if failed => Action::AtomicRead(match access.birth & 256 {
            0 => MemoryOrder::Relaxed,
            _ => MemoryOrder::Acquire,
        }),
        other => other,
    }
}
