//! Mutexes: normal, recursive, error-checking.
//!
//! Layout: lock word at 0, recursion count at 4, owner + 1 at 8, kind at 16.

use exeunt_model::SectionKind;

use super::{EBUSY, EDEADLK, EINVAL, EPERM, ETIMEDOUT, OK, attr, is_clock};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, MUTEX, row};
use crate::stop::{Stop, Waiting};

/// What is entered with a lock.
const HELD: &[SectionKind] = &[SectionKind::Critical];

pub const TABLE: &[Builtin] = &[
    row("pthread_mutex_init", "i:pp", Effect::Memory, init),
    row("pthread_mutex_destroy", "i:p", Effect::Visible, destroy).observes(MUTEX),
    row("pthread_mutex_lock", "i:p", Effect::Wait(SectionKind::MutexWait), lock)
        .syncs(MUTEX)
        .opens(HELD),
    row("pthread_mutex_trylock", "i:p", Effect::Visible, try_lock).observes(MUTEX).opens(HELD),
    row("pthread_mutex_timedlock", "i:pp", Effect::Wait(SectionKind::MutexWait), timed_lock)
        .observes(MUTEX)
        .opens(HELD)
        .until(ETIMEDOUT),
    row("pthread_mutex_clocklock", "i:pip", Effect::Wait(SectionKind::MutexWait), clock_lock)
        .observes(MUTEX)
        .opens(HELD)
        .until(ETIMEDOUT),
    row("pthread_mutex_unlock", "i:p", Effect::Visible, unlock).releases(MUTEX).closes(HELD),
    row("pthread_mutex_consistent", "i:p", Effect::Visible, consistent),
];

const SIZE: usize = 40;
pub const NORMAL: u32 = 0;
pub const RECURSIVE: u32 = 1;
pub const ERRORCHECK: u32 = 2;
const DESTROYED: u32 = u32::MAX;

/// A mutex as it is in memory now.
pub struct Mutex {
    pub kind: u32,
    pub owner: Option<u32>,
    pub count: u32,
}

impl Context<'_, '_> {
    pub fn mutex(&mut self, addr: u64) -> Result<Mutex, Stop> {
        let kind = self.field(addr, 16, "mutex")?;
        if kind == DESTROYED {
            let name = self.name_resource(addr);
            let message = format!("mutex {name} is used after it was destroyed");
            return Err(self.misuse(message, "destroy it only when no thread can use it any more"));
        }
        let locked = self.field(addr, 0, "mutex")? != 0;
        let count = self.field(addr, 4, "mutex")?;
        let owner = self.field(addr, 8, "mutex")?;
        let owner = (locked && owner > 0).then(|| owner - 1);
        Ok(Mutex { kind, owner, count })
    }

    pub fn init_mutex(&mut self, addr: u64, kind: u32) -> Result<(), Stop> {
        self.reset(addr, SIZE)?;
        self.set_field(addr, 16, kind)
    }

    pub fn destroy_mutex(&mut self, addr: u64) -> Result<(), Stop> {
        let mutex = self.mutex(addr)?;
        if let Some(owner) = mutex.owner {
            let name = self.name_resource(addr);
            let message = format!("mutex {name} is destroyed while thread {} holds it", owner + 1);
            return Err(self.misuse(message, "unlock it first, and join whoever may still lock it"));
        }
        self.set_field(addr, 16, DESTROYED)?;
        self.tell(|m| format!("destroys mutex {}", m.name_resource(addr)));
        Ok(())
    }

    /// Takes a mutex that is free.
    pub fn acquire_mutex(&mut self, addr: u64) -> Result<(), Stop> {
        self.set_field(addr, 0, 1)?;
        self.set_field(addr, 4, 1)?;
        self.set_field(addr, 8, self.me() + 1)?;
        self.open(SectionKind::Critical, addr);
        self.tell(|m| format!("locks {}", m.name_resource(addr)));
        Ok(())
    }

    /// Gives a mutex back completely; returns how often it was locked.
    pub fn release_mutex(&mut self, addr: u64) -> Result<u32, Stop> {
        let count = self.field(addr, 4, "mutex")?;
        self.set_field(addr, 0, 0)?;
        self.set_field(addr, 4, 0)?;
        self.set_field(addr, 8, 0)?;
        self.close(SectionKind::Critical, addr);
        Ok(count)
    }

    /// Locks, or says who is in the way. `Ok` is the error number.
    pub fn lock_mutex(&mut self, addr: u64) -> Result<i32, Stop> {
        let mutex = self.mutex(addr)?;
        match mutex.owner {
            None => {
                self.acquire_mutex(addr)?;
                Ok(0)
            }
            Some(owner) if owner == self.me() && mutex.kind == RECURSIVE => {
                self.set_field(addr, 4, mutex.count + 1)?;
                self.tell(|m| format!("locks {} again", m.name_resource(addr)));
                Ok(0)
            }
            Some(owner) if owner == self.me() && mutex.kind == ERRORCHECK => Ok(EDEADLK),
            owner => Err(Stop::Blocked(Waiting::Mutex { addr, owner })),
        }
    }

    pub fn unlock_mutex(&mut self, addr: u64) -> Result<i32, Stop> {
        let mutex = self.mutex(addr)?;
        match mutex.owner {
            Some(owner) if owner == self.me() => {
                if mutex.count > 1 {
                    self.set_field(addr, 4, mutex.count - 1)?;
                } else {
                    self.release_mutex(addr)?;
                }
                self.tell(|m| format!("unlocks {}", m.name_resource(addr)));
                Ok(0)
            }
            _ if mutex.kind != NORMAL => Ok(EPERM),
            Some(owner) => {
                let name = self.name_resource(addr);
                let message = format!(
                    "mutex {name} is unlocked by a thread that does not own it (thread {} does)",
                    owner + 1
                );
                Err(self.misuse(
                    message,
                    "only the thread that locked a mutex may unlock it; use a semaphore to signal",
                ))
            }
            None => {
                let name = self.name_resource(addr);
                let message = format!("mutex {name} is unlocked although it is not locked");
                Err(self.misuse(message, "an unlock is repeated, or its lock is on another path"))
            }
        }
    }
}

fn init(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let kind = match args.ptr(1) {
        0 => NORMAL,
        attr => attr::kind_of_mutex(context.field(attr, 0, "mutex attribute")?),
    };
    context.init_mutex(args.ptr(0), kind)?;
    Ok(OK)
}

fn destroy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.destroy_mutex(args.ptr(0))?;
    Ok(OK)
}

fn lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::int(context.lock_mutex(args.ptr(0))?))
}

fn try_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    match context.lock_mutex(addr) {
        Ok(code) => Ok(Flow::int(if code == EDEADLK { EBUSY } else { code })),
        Err(Stop::Blocked(_)) => {
            context.tell(|m| format!("finds {} locked", m.name_resource(addr)));
            Ok(Flow::int(EBUSY))
        }
        Err(stop) => Err(stop),
    }
}

/// Time passes as it likes: a wait may time out whenever the lock is taken.
fn timed_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::int(context.lock_mutex_until(args.ptr(0), args.ptr(1))?))
}

fn clock_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if !is_clock(args.i32(1)) {
        return Ok(Flow::int(EINVAL));
    }
    Ok(Flow::int(context.lock_mutex_until(args.ptr(0), args.ptr(2))?))
}

impl Context<'_, '_> {
    /// Locks, or gives up. The time is only looked at if there is a wait.
    pub fn lock_mutex_until(&mut self, addr: u64, time: u64) -> Result<i32, Stop> {
        match self.lock_mutex(addr) {
            Err(Stop::Blocked(_)) if !self.is_time(time)? => Ok(EINVAL),
            Err(Stop::Blocked(_)) => {
                self.tell(|m| format!("gives up waiting for {}", m.name_resource(addr)));
                self.time_out(time)?;
                Ok(ETIMEDOUT)
            }
            result => result,
        }
    }
}

fn unlock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::int(context.unlock_mutex(args.ptr(0))?))
}

fn consistent(_: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Err(Stop::unsupported("a robust mutex"))
}
