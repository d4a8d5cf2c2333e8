//! Mutexes: normal, recursive, error-checking; robust ones.
//!
//! Layout: lock word at 0, recursion count at 4, owner + 1 at 8, what the death of an
//! owner left behind at 12, kind at 16, ceiling at 20. A robust mutex is given back by the
//! end of the thread that holds it, and says so to the next one.

use exeunt_mem::Bits;
use exeunt_model::SectionKind;
use exeunt_model::words::Doing;
use libc::{ENOTRECOVERABLE, EOWNERDEAD};

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
    row("pthread_mutex_consistent", "i:p", Effect::Visible, consistent).syncs(MUTEX),
    row("pthread_mutex_consistent_np", "i:p", Effect::Visible, consistent).syncs(MUTEX),
    row("pthread_mutex_getprioceiling", "i:pp", Effect::Visible, get_ceiling),
    row("pthread_mutex_setprioceiling", "i:pip", Effect::Wait(SectionKind::MutexWait), set_ceiling),
];

const SIZE: usize = 40;
pub const NORMAL: u32 = 0;
pub const RECURSIVE: u32 = 1;
pub const ERRORCHECK: u32 = 2;
/// Among the bits of a kind, as in glibc.
pub const ROBUST: u32 = 16;
pub const PROTECTED: u32 = 64;
const DESTROYED: u32 = u32::MAX;

/// Where a robust mutex keeps what is left of a dead owner.
const REMAINS: u64 = 12;
const CEILING: u64 = 20;
/// Its owner has died and nobody has it.
const ORPHANED: u32 = 1;
/// The same, and somebody has it and knows.
const INHERITED: u32 = 2;
/// It was given back as it was: nobody gets it any more.
const LOST: u32 = 3;

/// A mutex as it is in memory now.
pub struct Mutex {
    /// Without flags.
    pub kind: u32,
    pub robust: bool,
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
        Ok(Mutex { kind: kind & 3, robust: kind & ROBUST != 0, owner, count })
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

    /// Takes a mutex that nobody holds; `Ok` is the error number, which only robust ones have.
    pub fn acquire_mutex(&mut self, addr: u64) -> Result<i32, Stop> {
        let remains = self.remains(addr)?;
        if remains == LOST {
            return Ok(ENOTRECOVERABLE);
        }
        self.set_field(addr, 0, 1)?;
        self.set_field(addr, 4, 1)?;
        self.set_field(addr, 8, self.me() + 1)?;
        self.open(SectionKind::Critical, addr);
        self.tell(|m| Doing::Locks(&m.name_resource(addr)).words());
        if remains == ORPHANED {
            self.set_field(addr, REMAINS, INHERITED)?;
            self.tell(|_| "learns that its last owner has died".to_string());
            return Ok(EOWNERDEAD);
        }
        Ok(0)
    }

    /// What a dead owner left behind.
    fn remains(&mut self, addr: u64) -> Result<u32, Stop> {
        let robust = self.has_robust_mutexes() && self.field(addr, 16, "mutex")? & ROBUST != 0;
        if robust { self.field(addr, REMAINS, "mutex") } else { Ok(0) }
    }

    /// The running thread ends: robust mutexes that it holds are given back.
    pub fn leave_robust_mutexes(&mut self) -> Result<(), Stop> {
        for section in self.own().sections.clone() {
            if section.kind != SectionKind::Critical {
                continue;
            }
            let addr = section.resource;
            let kind = self.peek(addr.wrapping_add(16), 4);
            if kind
                .is_ok_and(|kind| kind.value as u32 != DESTROYED && kind.value as u32 & ROBUST != 0)
            {
                self.release_mutex(addr)?;
                self.set_field(addr, REMAINS, ORPHANED)?;
            }
        }
        Ok(())
    }

    /// Gives a mutex back completely; returns how often it was locked.
    pub fn release_mutex(&mut self, addr: u64) -> Result<u32, Stop> {
        let count = self.field(addr, 4, "mutex")?;
        if self.remains(addr)? == INHERITED {
            self.set_field(addr, REMAINS, LOST)?;
        }
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
            None => self.acquire_mutex(addr),
            Some(owner) if owner == self.me() && mutex.kind == RECURSIVE => {
                self.set_field(addr, 4, mutex.count + 1)?;
                self.tell(|m| Doing::LocksAgain(&m.name_resource(addr)).words());
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
                self.tell(|m| Doing::Unlocks(&m.name_resource(addr)).words());
                Ok(0)
            }
            _ if mutex.kind != NORMAL || mutex.robust => Ok(EPERM),
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
    let attribute = match args.ptr(1) {
        0 => 0,
        attr => context.field(attr, 0, "mutex attribute")?,
    };
    let kind = attr::kind_of_mutex(attribute);
    context.init_mutex(args.ptr(0), kind)?;
    if kind & PROTECTED != 0 {
        context.set_field(args.ptr(0), CEILING, attr::ceiling_of_mutex(attribute))?;
    }
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
            context.tell(|m| Doing::FindsLocked(&m.name_resource(addr)).words());
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
                self.tell(|m| Doing::GivesUp(&m.name_resource(addr)).words());
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

/// Only for one whose last owner has died, and who has it now.
fn consistent(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    context.mutex(addr)?;
    if context.remains(addr)? != INHERITED {
        return Ok(Flow::int(EINVAL));
    }
    context.set_field(addr, REMAINS, 0)?;
    context.tell(|m| Doing::MakesConsistent(&m.name_resource(addr)).words());
    Ok(OK)
}

/// Whether a mutex has a ceiling. Priorities have no effect.
fn is_protected(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<bool, Stop> {
    context.mutex(args.ptr(0))?;
    Ok(context.field(args.ptr(0), 16, "mutex")? & PROTECTED != 0)
}

fn get_ceiling(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if !is_protected(context, args)? {
        return Ok(Flow::int(EINVAL));
    }
    let ceiling = context.field(args.ptr(0), CEILING, "mutex")?;
    context.write(args.ptr(1), 4, Bits::defined(ceiling.into()))?;
    Ok(OK)
}

/// Locks the mutex for as long as the change takes.
fn set_ceiling(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let (addr, ceiling, old) = (args.ptr(0), args.i32(1), args.ptr(2));
    if !is_protected(context, args)? || !(1..=99).contains(&ceiling) {
        return Ok(Flow::int(EINVAL));
    }
    let mutex = context.mutex(addr)?;
    if let Some(owner) = mutex.owner {
        return match owner == context.me() && mutex.kind == ERRORCHECK {
            true => Ok(Flow::int(EDEADLK)),
            false => Err(Stop::Blocked(Waiting::Mutex { addr, owner: Some(owner) })),
        };
    }
    let before = context.field(addr, CEILING, "mutex")?;
    context.set_field(addr, CEILING, ceiling as u32)?;
    if old != 0 {
        context.write(old, 4, Bits::defined(before.into()))?;
    }
    Ok(OK)
}
