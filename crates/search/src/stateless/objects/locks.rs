//! Mutexes of all kinds, and readers-writer locks.

use exeunt_model::{Action, ActorId, MutexKind, Reply};

use super::{MISTAKEN, Misuse};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mutex {
    pub owner: Option<ActorId>,
    depth: u32,
    health: Health,
}

/// What became of a robust mutex whose owner ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Health {
    #[default]
    Sound,
    /// Its last owner ended.
    Deserted,
    /// It was given back like that.
    Broken,
}

impl Mutex {
    /// Whether nothing was done to it that matters still.
    pub fn is_fresh(&self) -> bool {
        self.owner.is_none() && self.health == Health::Sound
    }

    pub fn permits(&self, actor: ActorId, kind: MutexKind) -> bool {
        self.owner.is_none_or(|owner| owner == actor && kind != MutexKind::Normal)
    }

    pub fn act(&mut self, actor: ActorId, action: Action) -> Result<Reply, Misuse> {
        match action {
            Action::Lock(kind) => Ok(self.lock(actor, kind, false)),
            Action::TryLock(kind) => Ok(self.lock(actor, kind, true)),
            Action::Unlock(kind) => self.unlock(actor, kind),
            Action::Desert => {
                if self.owner == Some(actor) {
                    *self = Mutex { owner: None, depth: 0, health: Health::Deserted };
                }
                Ok(Reply::Done)
            }
            Action::Repair if self.owner == Some(actor) && self.health == Health::Deserted => {
                self.health = Health::Sound;
                Ok(Reply::Done)
            }
            Action::Repair => Ok(Reply::NotHeld),
            _ => Err(MISTAKEN),
        }
    }

    fn lock(&mut self, actor: ActorId, kind: MutexKind, tries: bool) -> Reply {
        match self.owner {
            None if self.health == Health::Broken => Reply::Broken,
            None => {
                (self.owner, self.depth) = (Some(actor), 1);
                if self.health == Health::Deserted { Reply::Deserted } else { Reply::Done }
            }
            Some(holder) if holder == actor && kind == MutexKind::Recursive => {
                self.depth += 1;
                Reply::Done
            }
            Some(holder) if holder == actor && kind == MutexKind::ErrorCheck && !tries => {
                Reply::Held
            }
            Some(_) => Reply::Busy,
        }
    }

    fn unlock(&mut self, actor: ActorId, kind: MutexKind) -> Result<Reply, Misuse> {
        if self.owner != Some(actor) {
            return match (kind, &self.owner) {
                (MutexKind::Normal, None) => Err("a mutex is unlocked that is not locked"),
                (MutexKind::Normal, Some(_)) => {
                    Err("a mutex is unlocked by a thread that did not lock it")
                }
                (MutexKind::Recursive | MutexKind::ErrorCheck, _) => Ok(Reply::NotHeld),
            };
        }
        self.depth -= 1;
        if self.depth == 0 {
            self.owner = None;
            if self.health == Health::Deserted {
                self.health = Health::Broken;
            }
        }
        Ok(Reply::Done)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rwlock {
    pub writer: Option<ActorId>,
    readers: Vec<ActorId>,
    /// Writers that wait, if these come before readers.
    wanting: Vec<ActorId>,
}

impl Rwlock {
    pub fn permits_reader(&self, actor: ActorId) -> bool {
        self.writer == Some(actor) || (self.writer.is_none() && self.wanting.is_empty())
    }

    pub fn permits_writer(&self, actor: ActorId) -> bool {
        self.writer == Some(actor) || (self.writer.is_none() && self.readers.is_empty())
    }

    /// Who holds it, the writer first.
    pub fn holders(&self) -> impl Iterator<Item = ActorId> + '_ {
        self.writer.into_iter().chain(self.readers.iter().copied())
    }

    pub fn act(&mut self, actor: ActorId, action: Action) -> Result<Reply, Misuse> {
        match action {
            Action::ReadLock | Action::TryReadLock => Ok(self.read(actor, action)),
            Action::WriteLock | Action::TryWriteLock => Ok(self.write(actor, action)),
            Action::WriteWant => {
                self.wanting.push(actor);
                Ok(Reply::Done)
            }
            Action::ReadUnlock => {
                let held = self.readers.iter().position(|&reader| reader == actor);
                let held = held
                    .ok_or("a readers-writer lock is unlocked by a thread that does not hold it")?;
                self.readers.remove(held);
                Ok(Reply::Done)
            }
            Action::WriteUnlock => {
                self.writer = None;
                Ok(Reply::Done)
            }
            _ => Err(MISTAKEN),
        }
    }

    fn read(&mut self, actor: ActorId, action: Action) -> Reply {
        if self.writer == Some(actor) && action == Action::ReadLock {
            return Reply::Held;
        }
        if self.writer.is_some() || !self.wanting.is_empty() {
            return Reply::Busy;
        }
        self.readers.push(actor);
        Reply::Done
    }

    fn write(&mut self, actor: ActorId, action: Action) -> Reply {
        self.wanting.retain(|&other| other != actor || action != Action::WriteLock);
        if self.writer == Some(actor) && action == Action::WriteLock {
            return Reply::Held;
        }
        if self.writer.is_some() || !self.readers.is_empty() {
            return Reply::Busy;
        }
        self.writer = Some(actor);
        Reply::Done
    }
}
