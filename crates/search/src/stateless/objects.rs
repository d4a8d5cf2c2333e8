//! What the operations of threads mean: mutexes, semaphores, condition
//! variables, barriers… as POSIX defines them.
//!
//! This is the only place that knows when a thread can go on and what it is
//! told. A signal does not choose its waiter: it leaves a token that any of
//! those who waited then may take, so which waiter wakes is decided by the
//! order of their steps and needs no choice of its own.

mod locks;

use exeunt_model::{Access, Action, ActorId, ObjectId, Operation, Reply, SectionKind};
use locks::{Mutex, Rwlock};
use rustc_hash::FxHashMap;

/// A primitive used against its rules, as a clause.
pub type Misuse = &'static str;

const MISTAKEN: Misuse = "an object is used as something that it is not";

/// The state of one object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum State {
    Mutex(Mutex),
    Rwlock(Rwlock),
    Semaphore(u32),
    Waiters(Waiters),
    Barrier(Barrier),
    Once(Progress),
    /// Whether a thread was asked to end, or has ended.
    Flag(bool),
    /// Memory and threads have no state here.
    Plain,
}

/// Who waits for a signal. A token may be taken by the first so many waiters:
/// by those who waited when it was given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Waiters {
    waiting: Vec<ActorId>,
    tokens: Vec<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Barrier {
    needed: u32,
    round: u32,
    arrived: Vec<ActorId>,
    /// Who may leave, from which round, and whether as the serial thread.
    released: Vec<(ActorId, u32, bool)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Progress {
    Fresh,
    Running,
    Done,
}

impl State {
    /// Whether nothing was done to it that matters still. A semaphore may
    /// begin with any value.
    fn is_fresh(&self) -> bool {
        match self {
            State::Mutex(mutex) => mutex.is_fresh(),
            State::Rwlock(lock) => *lock == Rwlock::default(),
            State::Waiters(waiters) => waiters.waiting.is_empty(),
            State::Once(progress) => *progress == Progress::Fresh,
            State::Flag(flag) => !flag,
            State::Plain => true,
            State::Semaphore(_) | State::Barrier(_) => false,
        }
    }
}

impl Waiters {
    fn position(&self, actor: ActorId) -> Option<usize> {
        self.waiting.iter().position(|&other| other == actor)
    }

    fn has_token(&self, actor: ActorId) -> bool {
        let Some(position) = self.position(actor) else { return false };
        self.tokens.iter().any(|&reach| reach > position)
    }

    /// Removes a waiter, and the oldest token that it may take.
    fn leave(&mut self, actor: ActorId) -> bool {
        let Some(position) = self.position(actor) else { return false };
        let token = self.tokens.iter().position(|&reach| reach > position);
        if let Some(token) = token {
            self.tokens.remove(token);
        }
        self.waiting.remove(position);
        for reach in &mut self.tokens {
            *reach -= (*reach > position) as usize;
        }
        self.tokens.retain(|&reach| reach > 0);
        token.is_some()
    }

    /// Removes a waiter that takes no token; a token that only it could have
    /// taken is lost.
    fn abandon(&mut self, actor: ActorId) {
        let Some(position) = self.position(actor) else { return };
        self.waiting.remove(position);
        for reach in &mut self.tokens {
            *reach -= (*reach > position) as usize;
        }
        let late = self.tokens.iter().enumerate().position(|(index, &reach)| reach <= index);
        if let Some(late) = late {
            self.tokens.remove(late);
        }
    }

    /// Wakes up to `most` of those who wait and are not woken yet.
    fn signal(&mut self, most: usize) -> u32 {
        let woken = most.min(self.waiting.len() - self.tokens.len());
        self.tokens.extend(std::iter::repeat_n(self.waiting.len(), woken));
        woken as u32
    }

    fn broadcast(&mut self) {
        let all = self.waiting.len();
        self.tokens = vec![all; all];
    }
}

impl Barrier {
    fn arrive(&mut self, actor: ActorId) -> u32 {
        let round = self.round;
        self.arrived.push(actor);
        if self.arrived.len() as u32 >= self.needed {
            let last = self.arrived.len() - 1;
            let arrived = std::mem::take(&mut self.arrived);
            let leaving = arrived.into_iter().enumerate();
            self.released.extend(leaving.map(|(i, actor)| (actor, round, i == last)));
            self.round += 1;
        }
        round
    }

    fn leave(&mut self, actor: ActorId) -> Reply {
        let at = self.released.iter().position(|(other, _, _)| *other == actor);
        let (_, _, serial) = self.released.remove(at.expect("only who was released leaves"));
        if serial { Reply::First } else { Reply::Done }
    }
}

/// The state that an object begins in, by the first thing done to it.
fn fresh(action: Action, birth: u32) -> State {
    match action {
        Action::Lock(_)
        | Action::TryLock(_)
        | Action::Unlock(_)
        | Action::Desert
        | Action::Repair => State::Mutex(Mutex::default()),
        Action::ReadLock
        | Action::TryReadLock
        | Action::WriteWant
        | Action::WriteLock
        | Action::TryWriteLock
        | Action::ReadUnlock
        | Action::WriteUnlock => State::Rwlock(Rwlock::default()),
        Action::SemWait | Action::SemTryWait | Action::SemPost | Action::SemValue => {
            State::Semaphore(birth)
        }
        Action::Enqueue
        | Action::FutexEnter
        | Action::Wake
        | Action::TimedWake
        | Action::Abandon
        | Action::Signal
        | Action::Broadcast
        | Action::FutexWake(_) => State::Waiters(Waiters::default()),
        Action::Arrive | Action::Leave => {
            State::Barrier(Barrier { needed: birth, ..Barrier::default() })
        }
        Action::OnceEnter | Action::OnceDone | Action::OnceUndone => State::Once(Progress::Fresh),
        Action::TryJoin | Action::Finish | Action::Cancel | Action::CancelPoint => {
            State::Flag(false)
        }
        Action::Join
        | Action::Read
        | Action::Write
        | Action::AtomicRead(_)
        | Action::AtomicWrite(_)
        | Action::AtomicUpdate(_)
        | Action::Fence(_) => State::Plain,
    }
}

/// All objects that were ever touched.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    states: FxHashMap<ObjectId, State>,
    births: FxHashMap<ObjectId, u32>,
}

impl Objects {
    /// Everything as in the beginning; what objects begin with is kept.
    pub fn reset(&mut self) {
        self.states.clear();
    }

    /// The states of all objects that are not as in the beginning, in order.
    pub fn sorted(&self) -> impl std::fmt::Debug + '_ {
        self.states.iter().collect::<std::collections::BTreeMap<_, _>>()
    }

    /// The states of all objects in order, without those that are as in the
    /// beginning. Rounds of a barrier are counted for the reduction only.
    pub fn canonical(&self) -> Vec<(ObjectId, State)> {
        let used = self.states.iter().filter(|(_, state)| !state.is_fresh());
        let mut all: Vec<(ObjectId, State)> =
            used.map(|(object, state)| (*object, state.clone())).collect();
        for (_, state) in &mut all {
            if let State::Barrier(barrier) = state {
                barrier.round = 0;
                barrier.released.iter_mut().for_each(|(_, round, _)| *round = 0);
            }
        }
        all.sort_unstable_by_key(|(object, _)| *object);
        all
    }

    /// Who holds which lock now, and as what.
    pub fn held(&self) -> Vec<(ActorId, SectionKind, ObjectId)> {
        let kind = |object: ObjectId| match self.states.get(&object) {
            Some(State::Rwlock(_)) => SectionKind::RwlockHeld,
            _ => SectionKind::Critical,
        };
        let all = self.holdings().into_iter();
        all.map(|(actor, object)| (actor, kind(object), object)).collect()
    }

    /// The operation with what its thread's own state says about it.
    pub fn refined(&mut self, actor: ActorId, operation: &Operation) -> Operation {
        let mut refined = *operation;
        for (index, access) in operation.accesses().iter().enumerate() {
            if is_plain(access.action) {
                continue;
            }
            if has_birth(access.action) {
                self.births.entry(access.object).or_insert(access.birth);
            }
            if !matches!(access.action, Action::ReadUnlock | Action::Leave | Action::Arrive) {
                continue;
            }
            let mut known = *access;
            match self.states.get(&access.object) {
                Some(State::Rwlock(lock))
                    if access.action == Action::ReadUnlock && lock.writer == Some(actor) =>
                {
                    known.action = Action::WriteUnlock;
                }
                Some(State::Barrier(barrier)) if access.action == Action::Leave => {
                    known.birth = barrier.round_of(actor);
                }
                _ if access.action == Action::Arrive => known.birth = u32::MAX,
                _ => continue,
            }
            refined = refined.with_access(index, known);
        }
        refined
    }

    /// Whether the thread can go on now. Joins are judged elsewhere.
    pub fn enabled(&self, actor: ActorId, operation: &Operation) -> bool {
        self.cancelled(operation)
            || operation.accesses().iter().all(|access| self.permits(actor, access))
    }

    /// Whether the operation ends its thread, because that was asked for.
    pub fn cancelled(&self, operation: &Operation) -> bool {
        operation.accesses().iter().any(|access| {
            access.action == Action::CancelPoint
                && self.states.get(&access.object) == Some(&State::Flag(true))
        })
    }

    fn permits(&self, actor: ActorId, access: &Access) -> bool {
        let Some(state) = self.states.get(&access.object) else {
            return match access.action {
                Action::SemWait => self.birth(access.object) > 0,
                Action::Wake | Action::Leave => false,
                _ => true,
            };
        };
        match (access.action, state) {
            (Action::Lock(kind), State::Mutex(mutex)) => mutex.permits(actor, kind),
            (Action::ReadLock, State::Rwlock(lock)) => lock.permits_reader(actor),
            (Action::WriteLock, State::Rwlock(lock)) => lock.permits_writer(actor),
            (Action::SemWait, State::Semaphore(count)) => *count > 0,
            (Action::Wake, State::Waiters(waiters)) => waiters.has_token(actor),
            (Action::Leave, State::Barrier(barrier)) => barrier.lets(actor),
            (Action::OnceEnter, State::Once(progress)) => *progress != Progress::Running,
            _ => true,
        }
    }

    fn birth(&self, object: ObjectId) -> u32 {
        self.births.get(&object).copied().unwrap_or(0)
    }

    /// Does it. The operation comes back with what is only known now.
    pub fn apply(
        &mut self,
        actor: ActorId,
        operation: &Operation,
    ) -> Result<(Reply, Operation), Misuse> {
        if self.cancelled(operation) {
            return Ok((Reply::Cancelled, self.abandon(actor, operation)));
        }
        let (mut reply, mut done) = (Reply::Done, *operation);
        for (index, access) in operation.accesses().iter().enumerate() {
            if is_plain(access.action) {
                continue;
            }
            let Objects { states, births } = self;
            let birth = || births.get(&access.object).copied().unwrap_or(0);
            let state =
                states.entry(access.object).or_insert_with(|| fresh(access.action, birth()));
            if access.action == Action::Arrive {
                let State::Barrier(barrier) = state else { continue };
                let round = barrier.arrive(actor);
                done = done.with_access(index, Access { birth: round, ..*access });
                continue;
            }
            match act(state, actor, access.action)? {
                Reply::Done => {}
                other => reply = other,
            }
        }
        Ok((reply, done))
    }

    /// A thread ends instead of doing this: what it does to objects.
    fn abandon(&mut self, actor: ActorId, operation: &Operation) -> Operation {
        let mut done = match operation.everything {
            true => Operation::of_everything(),
            false => Operation::default(),
        };
        for access in operation.accesses() {
            if access.action == Action::CancelPoint {
                done = done.and(Some(*access));
            }
            // It would have taken from the semaphore, so what others take matters.
            if matches!(access.action, Action::SemWait | Action::SemTryWait) {
                done = done.and(Some(Access { action: Action::SemValue, ..*access }));
            }
            if let Some(State::Waiters(waiters)) = self.states.get_mut(&access.object) {
                waiters.abandon(actor);
                done = done.and(Some(Access { action: Action::Abandon, ..*access }));
            }
        }
        done
    }

    /// A thread that looked at a futex waits for it.
    pub fn enqueue(&mut self, actor: ActorId, object: ObjectId) {
        let state = self.states.entry(object).or_insert_with(|| fresh(Action::Enqueue, 0));
        if let State::Waiters(waiters) = state {
            waiters.waiting.push(actor);
        }
    }

    /// Who holds which mutex or lock now.
    pub fn holdings(&self) -> Vec<(ActorId, ObjectId)> {
        let mut all = Vec::new();
        for (object, state) in &self.states {
            match state {
                State::Mutex(mutex) => all.extend(mutex.owner.map(|owner| (owner, *object))),
                State::Rwlock(lock) => all.extend(lock.holders().map(|owner| (owner, *object))),
                State::Semaphore(_)
                | State::Waiters(_)
                | State::Barrier(_)
                | State::Once(_)
                | State::Flag(_)
                | State::Plain => {}
            }
        }
        all.sort_unstable();
        all
    }

    /// The thread that holds a mutex or holds a lock for writing, if there is one.
    pub fn owner(&self, object: ObjectId) -> Option<ActorId> {
        match self.states.get(&object)? {
            State::Mutex(mutex) => mutex.owner,
            State::Rwlock(lock) => lock.holders().next(),
            _ => None,
        }
    }

    /// The objects of an operation after some others, from the beginning.
    pub fn replayed<'e>(
        &self,
        before: impl Iterator<Item = (ActorId, &'e Operation)>,
        operation: &Operation,
    ) -> Objects {
        let wanted = operation.accesses();
        let mut world = Objects { states: FxHashMap::default(), births: FxHashMap::default() };
        for access in wanted {
            world.births.insert(access.object, self.birth(access.object));
        }
        for (actor, event) in before {
            for access in event.accesses() {
                if !wanted.iter().any(|other| other.object == access.object) {
                    continue;
                }
                if access.action == Action::Enqueue {
                    world.enqueue(actor, access.object);
                } else {
                    // Misuse ends a run, so nothing comes after it.
                    let _ = world.apply(actor, &Operation::on(&[*access]));
                }
            }
        }
        world
    }
}

impl Barrier {
    fn round_of(&self, actor: ActorId) -> u32 {
        let released = self.released.iter().find(|(other, _, _)| *other == actor);
        released.map_or(self.round, |(_, round, _)| *round)
    }

    fn lets(&self, actor: ActorId) -> bool {
        self.released.iter().any(|(other, _, _)| *other == actor)
    }
}

/// Whether the object of this begins with a value of its own.
fn has_birth(action: Action) -> bool {
    matches!(fresh(action, 0), State::Semaphore(_) | State::Barrier(_))
}

/// Whether the object of this has no state.
fn is_plain(action: Action) -> bool {
    action.is_memory() || matches!(action, Action::Join | Action::Fence(_))
}

/// One action on the state of its object.
fn act(state: &mut State, actor: ActorId, action: Action) -> Result<Reply, Misuse> {
    match (action, state) {
        (action, State::Mutex(mutex)) => mutex.act(actor, action),
        (action, State::Rwlock(lock)) => lock.act(actor, action),
        (Action::SemWait | Action::SemTryWait, State::Semaphore(count)) => {
            if *count == 0 {
                return Ok(Reply::Busy);
            }
            *count -= 1;
            Ok(Reply::Done)
        }
        (Action::SemPost, State::Semaphore(count)) => {
            *count =
                count.checked_add(1).ok_or("a semaphore is posted beyond its largest value")?;
            Ok(Reply::Done)
        }
        (Action::SemValue, State::Semaphore(count)) => Ok(Reply::Value(*count)),
        (Action::Enqueue, State::Waiters(waiters)) => {
            waiters.waiting.push(actor);
            Ok(Reply::Done)
        }
        (Action::Wake, State::Waiters(waiters)) => {
            waiters.leave(actor);
            Ok(Reply::Done)
        }
        (Action::Abandon, State::Waiters(waiters)) => {
            waiters.abandon(actor);
            Ok(Reply::Done)
        }
        (Action::TimedWake, State::Waiters(waiters)) => {
            Ok(if waiters.leave(actor) { Reply::Done } else { Reply::Busy })
        }
        (Action::Signal, State::Waiters(waiters)) => {
            waiters.signal(1);
            Ok(Reply::Done)
        }
        (Action::FutexWake(most), State::Waiters(waiters)) => {
            Ok(Reply::Value(waiters.signal(most as usize)))
        }
        (Action::Broadcast, State::Waiters(waiters)) => {
            waiters.broadcast();
            Ok(Reply::Done)
        }
        (Action::Leave, State::Barrier(barrier)) => Ok(barrier.leave(actor)),
        (Action::OnceEnter, State::Once(progress)) => Ok(match progress {
            Progress::Fresh => {
                *progress = Progress::Running;
                Reply::First
            }
            Progress::Running | Progress::Done => Reply::Done,
        }),
        (Action::OnceUndone, State::Once(progress)) => {
            *progress = Progress::Fresh;
            Ok(Reply::Done)
        }
        (Action::OnceDone, State::Once(progress)) => {
            *progress = Progress::Done;
            Ok(Reply::Done)
        }
        (Action::Finish | Action::Cancel, State::Flag(flag)) => {
            *flag = true;
            Ok(Reply::Done)
        }
        (Action::TryJoin, State::Flag(ended)) => Ok(if *ended { Reply::Done } else { Reply::Busy }),
        (Action::CancelPoint, State::Flag(_)) => Ok(Reply::Done),
        // A futex is looked at by its own thread; the rest has no state.
        (Action::FutexEnter, _) => Ok(Reply::Done),
        (action, _) if is_plain(action) => Ok(Reply::Done),
        _ => Err(MISTAKEN),
    }
}
