//! Readers-writer locks. Layout: writer + 1 at 0, number of read locks at 4,
//! a mark of destruction at 8, a bit for each reading thread at 16, a bit for
//! each thread that has announced that it waits to write at 32, and the kind at
//! 48, where glibc and its static initialisers have it.
//!
//! Kinds are as in glibc: the first two let a reader in whenever no writer is
//! inside (`PTHREAD_RWLOCK_PREFER_WRITER_NP` is accepted and changes nothing).
//! With `PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP` no reader gets in while a
//! writer waits, not even one that is inside already. So there a writer that has
//! to wait says so first, which is a step of its own.

use exeunt_mem::Bits;
use exeunt_model::words::{Access, Doing, held_for, several};
use exeunt_model::{ActorId, SectionKind};

use super::{EBUSY, EDEADLK, EINVAL, ETIMEDOUT, OK, is_clock};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, RWLOCK, row};
use crate::stop::{Stop, Waiting};

const WAIT: Effect = Effect::Wait(SectionKind::RwlockWait);
const M: Effect = Effect::Memory;

/// What is entered with a lock.
const HELD: &[SectionKind] = &[SectionKind::RwlockHeld];

pub const TABLE: &[Builtin] = &[
    row("pthread_rwlock_init", "i:pp", M, init),
    row("pthread_rwlock_destroy", "i:p", Effect::Visible, destroy).observes(RWLOCK),
    row("pthread_rwlock_rdlock", "i:p", WAIT, read_lock).syncs(RWLOCK).opens(HELD),
    row("pthread_rwlock_wrlock", "i:p", WAIT, write_lock).syncs(RWLOCK).opens(HELD),
    row("pthread_rwlock_tryrdlock", "i:p", Effect::Visible, try_read_lock)
        .observes(RWLOCK)
        .opens(HELD),
    row("pthread_rwlock_trywrlock", "i:p", Effect::Visible, try_write_lock)
        .observes(RWLOCK)
        .opens(HELD),
    row("pthread_rwlock_timedrdlock", "i:pp", WAIT, timed_read_lock)
        .observes(RWLOCK)
        .opens(HELD)
        .until(ETIMEDOUT),
    row("pthread_rwlock_timedwrlock", "i:pp", WAIT, timed_write_lock)
        .observes(RWLOCK)
        .opens(HELD)
        .until(ETIMEDOUT),
    row("pthread_rwlock_clockrdlock", "i:pip", WAIT, clock_read_lock)
        .observes(RWLOCK)
        .opens(HELD)
        .until(ETIMEDOUT),
    row("pthread_rwlock_clockwrlock", "i:pip", WAIT, clock_write_lock)
        .observes(RWLOCK)
        .opens(HELD)
        .until(ETIMEDOUT),
    row("pthread_rwlock_unlock", "i:p", Effect::Visible, unlock).releases(RWLOCK).closes(HELD),
    row("pthread_rwlockattr_init", "i:p", M, init_attr),
    row("pthread_rwlockattr_destroy", "i:p", M, destroy_attr),
    row("pthread_rwlockattr_setkind_np", "i:pi", M, set_kind),
    row("pthread_rwlockattr_getkind_np", "i:pp", M, get_kind),
    row("pthread_rwlockattr_setpshared", "i:pi", M, set_shared),
    row("pthread_rwlockattr_getpshared", "i:pp", M, get_shared),
];

const SIZE: usize = 56;
const DESTROYED: u32 = 0xdead_4a10;
const WAITING: u64 = 32;
const KIND: u64 = 48;
/// PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
const WRITERS_FIRST: u32 = 2;

struct Rwlock {
    writer: Option<u32>,
    readers: u32,
    /// Which threads (of the first 64) hold it for reading.
    who: u64,
    /// Which threads have announced that they wait to write.
    waiting: u64,
    writers_first: bool,
}

impl Context<'_, '_> {
    fn rwlock(&mut self, addr: u64) -> Result<Rwlock, Stop> {
        let writer = self.field(addr, 0, "readers-writer lock")?;
        let readers = self.field(addr, 4, "readers-writer lock")?;
        if self.field(addr, 8, "readers-writer lock")? == DESTROYED {
            let name = self.name_resource(addr);
            let message = format!("readers-writer lock {name} is used after it was destroyed");
            return Err(self.misuse(message, "destroy it only when no thread can use it any more"));
        }
        let writers_first = self.field(addr, KIND, "readers-writer lock")? == WRITERS_FIRST;
        let who = self.as_sync(|context| context.read(addr + 16, 8))?.value;
        let waiting = match writers_first {
            true => self.as_sync(|context| context.read(addr + WAITING, 8))?.value,
            false => 0,
        };
        Ok(Rwlock { writer: writer.checked_sub(1), readers, who, waiting, writers_first })
    }

    /// Whether waiting to write a lock is something that others notice.
    pub fn announces_writers(&mut self, addr: u64) -> bool {
        self.check(addr.wrapping_add(KIND), 4, exeunt_mem::Access::Read).is_ok_and(|()| {
            let kind = self.peek(addr.wrapping_add(KIND), 4);
            kind.is_ok_and(|kind| kind.value as u32 == WRITERS_FIRST)
        })
    }

    /// This thread's bit among readers or writers.
    fn bit(&self) -> u64 {
        1 << self.me().min(63)
    }

    fn lock_rwlock(&mut self, addr: u64, write: bool) -> Result<i32, Stop> {
        let lock = self.rwlock(addr)?;
        if lock.writer == Some(self.me()) {
            return Ok(EDEADLK);
        }
        let behind = !write && lock.waiting != 0;
        if lock.writer.is_some() || write && lock.readers > 0 || behind {
            return Err(Stop::Blocked(Waiting::Rwlock { addr, write }));
        }
        if write {
            self.set_field(addr, 0, self.me() + 1)?;
            self.withdraw(addr, &lock)?;
        } else {
            self.set_field(addr, 4, lock.readers + 1)?;
            let who = lock.who | self.bit();
            self.as_sync(|context| context.write(addr + 16, 8, Bits::defined(who)))?;
        }
        self.open(SectionKind::RwlockHeld, addr);
        let access = if write { Access::Writing } else { Access::Reading };
        self.tell(|m| Doing::LocksFor(&m.name_resource(addr), access).words());
        Ok(0)
    }

    /// Locks for writing; before waiting it says that it waits, where readers
    /// care. `Ok` is the error number.
    fn lock_for_writing(&mut self, addr: u64) -> Result<i32, Stop> {
        let blocked = match self.lock_rwlock(addr, true) {
            Err(Stop::Blocked(waiting)) => Stop::Blocked(waiting),
            done => return done,
        };
        let lock = self.rwlock(addr)?;
        if !lock.writers_first || lock.waiting & self.bit() != 0 {
            return Err(blocked);
        }
        if self.me() >= 64 {
            return Err(Stop::unsupported("a lock that prefers writers with more than 64 threads"));
        }
        self.write(addr + WAITING, 8, Bits::defined(lock.waiting | self.bit()))?;
        self.tell(|m| Doing::WaitsToWrite(&m.name_resource(addr)).words());
        Err(Stop::Waits)
    }

    /// A writer no longer waits.
    fn withdraw(&mut self, addr: u64, lock: &Rwlock) -> Result<(), Stop> {
        match lock.waiting & self.bit() {
            0 => Ok(()),
            bit => self.write(addr + WAITING, 8, Bits::defined(lock.waiting & !bit)),
        }
    }

    fn try_rwlock(&mut self, addr: u64, write: bool) -> Result<Flow, Stop> {
        match self.lock_rwlock(addr, write) {
            Ok(EDEADLK) => Ok(Flow::int(EBUSY)),
            Ok(code) => Ok(Flow::int(code)),
            Err(Stop::Blocked(_)) => {
                self.tell(|m| Doing::DoesNotGet(&m.name_resource(addr)).words());
                Ok(Flow::int(EBUSY))
            }
            Err(stop) => Err(stop),
        }
    }

    /// Whether the running thread has the lock for writing.
    pub fn writes_rwlock(&mut self, addr: u64) -> bool {
        let writer = self.unguarded(|context| context.peek(addr, 4));
        writer.is_ok_and(|writer| writer.value == u64::from(self.me()) + 1)
    }

    fn lock_rwlock_until(&mut self, addr: u64, write: bool, time: u64) -> Result<Flow, Stop> {
        if !self.is_time(time)? {
            return Ok(Flow::int(EINVAL));
        }
        let locked = match write {
            true => self.lock_for_writing(addr),
            false => self.lock_rwlock(addr, false),
        };
        match locked {
            Err(Stop::Blocked(_)) => {
                let lock = self.rwlock(addr)?;
                self.withdraw(addr, &lock)?;
                self.tell(|m| Doing::DoesNotGet(&m.name_resource(addr)).words());
                self.time_out(time)?;
                Ok(Flow::int(ETIMEDOUT))
            }
            code => Ok(Flow::int(code?)),
        }
    }

    /// ", held by thread 2 for writing", for stories.
    pub fn rwlock_holders(&mut self, addr: u64) -> String {
        let Ok(lock) = self.rwlock(addr) else { return String::new() };
        if let Some(writer) = lock.writer {
            return held_for(Access::Writing, &[ActorId(writer)]);
        }
        held_for(Access::Reading, &threads(lock.who))
    }

    /// The threads that hold it.
    pub fn rwlock_threads(&mut self, addr: u64) -> Vec<u32> {
        match self.rwlock(addr) {
            Ok(lock) => match lock.writer {
                Some(writer) => vec![writer],
                None => (0..64).filter(|thread| lock.who >> thread & 1 != 0).collect(),
            },
            Err(_) => Vec::new(),
        }
    }

    /// The same for one that waits to read, who may be behind a writer.
    pub fn rwlock_in_the_way(&mut self, addr: u64) -> String {
        match self.rwlock(addr) {
            Ok(lock) if lock.writer.is_none() && lock.waiting != 0 => {
                let wait = if lock.waiting.count_ones() == 1 { "waits" } else { "wait" };
                format!(", behind {}, which {wait} to write", several(&threads(lock.waiting)))
            }
            _ => self.rwlock_holders(addr),
        }
    }
}

/// The threads of a set, and the ending of their plural.
fn threads(bits: u64) -> Vec<ActorId> {
    (0..64).filter(|thread| bits >> thread & 1 != 0).map(ActorId).collect()
}

fn init(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let kind = match args.ptr(1) {
        0 => 0,
        attr => context.field(attr, 0, "lock attribute")?,
    };
    context.reset(args.ptr(0), SIZE)?;
    if kind != 0 {
        context.set_field(args.ptr(0), KIND, kind)?;
    }
    Ok(OK)
}

fn destroy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    let lock = context.rwlock(addr)?;
    if lock.writer.is_some() || lock.readers > 0 {
        let name = context.name_resource(addr);
        let holders = context.rwlock_holders(addr);
        let message = format!("readers-writer lock {name} is destroyed while in use{holders}");
        return Err(context.misuse(message, "unlock it everywhere first"));
    }
    context.set_field(addr, 8, DESTROYED)?;
    Ok(OK)
}

fn read_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::int(context.lock_rwlock(args.ptr(0), false)?))
}

fn write_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::int(context.lock_for_writing(args.ptr(0))?))
}

fn try_read_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.try_rwlock(args.ptr(0), false)
}

fn try_write_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.try_rwlock(args.ptr(0), true)
}

fn timed_read_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.lock_rwlock_until(args.ptr(0), false, args.ptr(1))
}

fn timed_write_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.lock_rwlock_until(args.ptr(0), true, args.ptr(1))
}

fn clock_read_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    match is_clock(args.i32(1)) {
        true => context.lock_rwlock_until(args.ptr(0), false, args.ptr(2)),
        false => Ok(Flow::int(EINVAL)),
    }
}

fn clock_write_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    match is_clock(args.i32(1)) {
        true => context.lock_rwlock_until(args.ptr(0), true, args.ptr(2)),
        false => Ok(Flow::int(EINVAL)),
    }
}

fn unlock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    let lock = context.rwlock(addr)?;
    if !context.close(SectionKind::RwlockHeld, addr) {
        let name = context.name_resource(addr);
        let message =
            format!("readers-writer lock {name} is unlocked by a thread that does not hold it");
        return Err(context.misuse(message, "only a thread that locked it may unlock it"));
    }
    if lock.writer == Some(context.me()) {
        context.set_field(addr, 0, 0)?;
    } else {
        context.set_field(addr, 4, lock.readers.saturating_sub(1))?;
        let still = context
            .own()
            .sections
            .iter()
            .any(|s| s.kind == SectionKind::RwlockHeld && s.resource == addr);
        if !still {
            let who = lock.who & !context.bit();
            context.as_sync(|context| context.write(addr + 16, 8, Bits::defined(who)))?;
        }
    }
    context.tell(|m| Doing::Unlocks(&m.name_resource(addr)).words());
    Ok(OK)
}

// ---- attributes: the kind at 0, whether processes share it at 4 --------------------

fn init_attr(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.reset(args.ptr(0), 8)?;
    Ok(OK)
}

fn destroy_attr(_: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(OK)
}

fn set_attr(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    at: u64,
    most: i32,
) -> Result<Flow, Stop> {
    if !(0..=most).contains(&args.i32(1)) {
        return Ok(Flow::int(EINVAL));
    }
    context.set_field(args.ptr(0), at, args.i32(1) as u32)?;
    Ok(OK)
}

fn get_attr(context: &mut Context<'_, '_>, args: &Args<'_>, at: u64) -> Result<Flow, Stop> {
    let value = context.field(args.ptr(0), at, "lock attribute")?;
    context.set_field(args.ptr(1), 0, value)?;
    Ok(OK)
}

fn set_kind(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    set_attr(context, args, 0, WRITERS_FIRST as i32)
}

fn get_kind(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    get_attr(context, args, 0)
}

fn set_shared(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    set_attr(context, args, 4, 1)
}

fn get_shared(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    get_attr(context, args, 4)
}
