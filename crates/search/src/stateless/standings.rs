//! One state of a native program, as far as it decides which steps are
//! possible: what each thread stands before, and the states of all objects.
//!
//! The explorer of runs has the same knowledge along one run. Here it is a
//! value, so that a machine that can take its memory back can visit states in
//! any order.
//!
//! Invariant: equal [`Known`]s of equal memories have the same future.

use exeunt_model::{
    Access, Action, ActorId, Arrival, ObjectId, Operation, Reply, SectionKind, Standing,
};

use super::objects::{Misuse, Objects, State};

/// What a state is compared by, besides its memory and its threads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Known {
    objects: Vec<(ObjectId, State)>,
    exiting: Option<ActorId>,
}

#[derive(Clone, Debug, Default)]
pub struct Standings {
    objects: Objects,
    /// What each thread does next; `None` once it has ended.
    next: Vec<Option<Operation>>,
    /// The thread that ends the program: only that one still moves.
    exiting: Option<ActorId>,
}

impl Standings {
    /// These threads got somewhere, after the last step was made.
    pub fn absorb(&mut self, last: Option<(ActorId, Operation)>, arrivals: &[Arrival]) {
        for arrival in arrivals {
            let at = arrival.actor.0 as usize;
            if at >= self.next.len() {
                self.next.resize(at + 1, None);
            }
            self.next[at] = match &arrival.standing {
                Standing::Ended => None,
                Standing::Before(operation) => {
                    self.enter_futex(last, arrival.actor, operation);
                    Some(self.objects.refined(arrival.actor, operation))
                }
            };
        }
    }

    /// A thread that looked at a futex and now waits has become a waiter.
    fn enter_futex(
        &mut self,
        last: Option<(ActorId, Operation)>,
        actor: ActorId,
        next: &Operation,
    ) {
        let Some((_, made)) = last.filter(|(who, _)| *who == actor) else { return };
        let entered = made.accesses().iter().find(|access| access.action == Action::FutexEnter);
        let Some(object) = entered.map(|access| access.object) else { return };
        let waits = next.accesses().first().is_some_and(|next| {
            next.object == object && matches!(next.action, Action::Wake | Action::TimedWake)
        });
        if waits {
            self.objects.enqueue(actor, object);
        }
    }

    /// The threads that can move, and how many values the environment may
    /// choose from for each.
    pub fn enabled(&self) -> Vec<(ActorId, u32)> {
        let all = self.next.iter().enumerate();
        let able = all.filter_map(|(at, next)| {
            let (actor, operation) = (ActorId(at as u32), next.as_ref()?);
            self.is_enabled(actor, operation).then_some((actor, operation.arity))
        });
        able.collect()
    }

    fn is_enabled(&self, actor: ActorId, operation: &Operation) -> bool {
        let ends = self.exiting.is_none_or(|exiting| exiting == actor);
        ends && (self.joins_ended(operation) || self.objects.cancelled(operation))
            && self.objects.enabled(actor, operation)
    }

    fn joins_ended(&self, operation: &Operation) -> bool {
        let joined = operation.accesses().iter().filter(|access| access.action == Action::Join);
        let mut targets = joined.map(|access| access.object.0 as usize);
        targets.all(|target| self.next.get(target).is_some_and(Option::is_none))
    }

    /// Makes the step that a thread stands before. Gives the operation, and
    /// what the thread is told.
    pub fn make(&mut self, actor: ActorId, choice: u32) -> Result<(Operation, Reply), Misuse> {
        let operation = self.next[actor.0 as usize].expect("only enabled steps are made");
        let (reply, _) = self.objects.apply(actor, &operation)?;
        if operation.exits {
            self.exiting = self.exiting.or(Some(actor));
        }
        let reply = if operation.arity > 1 { Reply::Value(choice) } else { reply };
        Ok((operation, reply))
    }

    /// What each thread waits for, whether it could go on now or not.
    pub fn waits(&self) -> Vec<(ActorId, SectionKind, ObjectId)> {
        let all = self.next.iter().enumerate();
        let waits = all.filter_map(|(at, next)| {
            let (kind, object) = next.as_ref()?.accesses().iter().find_map(wait)?;
            Some((ActorId(at as u32), kind, object))
        });
        waits.collect()
    }

    /// Which locks are held, and by whom.
    pub fn holdings(&self) -> Vec<(ActorId, SectionKind, ObjectId)> {
        self.objects.held()
    }

    /// Whether every thread has ended.
    pub fn is_over(&self) -> bool {
        self.next.iter().all(Option::is_none)
    }

    pub fn known(&self) -> Known {
        Known { objects: self.objects.canonical(), exiting: self.exiting }
    }
}

/// What the access waits for, if it can be made to wait.
fn wait(access: &Access) -> Option<(SectionKind, ObjectId)> {
    let kind = match access.action {
        Action::Lock(_) => SectionKind::MutexWait,
        Action::ReadLock | Action::WriteLock => SectionKind::RwlockWait,
        Action::SemWait => SectionKind::SemWait,
        Action::Wake => SectionKind::CondWait,
        Action::Leave => SectionKind::BarrierWait,
        Action::OnceEnter => SectionKind::Once,
        Action::Join => SectionKind::Join,
        Action::TryLock(_)
        | Action::Unlock(_)
        | Action::Desert
        | Action::Repair
        | Action::WriteWant
        | Action::TryReadLock
        | Action::TryWriteLock
        | Action::ReadUnlock
        | Action::WriteUnlock
        | Action::SemTryWait
        | Action::SemPost
        | Action::SemValue
        | Action::Enqueue
        | Action::FutexEnter
        | Action::TimedWake
        | Action::Abandon
        | Action::Signal
        | Action::Broadcast
        | Action::FutexWake(_)
        | Action::Arrive
        | Action::OnceDone
        | Action::OnceUndone
        | Action::TryJoin
        | Action::Finish
        | Action::Cancel
        | Action::CancelPoint
        | Action::Read
        | Action::Write
        | Action::AtomicRead(_)
        | Action::AtomicWrite(_)
        | Action::AtomicUpdate(_)
        | Action::Fence(_) => return None,
    };
    Some((kind, access.object))
}
