//! Readers-writer locks. Layout: writer + 1 at 0, number of read locks at 4,
//! a mark of destruction at 8, a bit for each reading thread at 16.

use exeunt_mem::Bits;
use exeunt_model::SectionKind;

use super::{EBUSY, EDEADLK, ETIMEDOUT, OK};
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::machine::Machine;
use crate::stop::{Stop, Waiting};

const WAIT: Effect = Effect::Wait(SectionKind::RwlockWait);

pub const TABLE: &[Builtin] = &[
    row("pthread_rwlock_init", "i:pp", Effect::Memory, init),
    row("pthread_rwlock_destroy", "i:p", Effect::Visible, destroy),
    row("pthread_rwlock_rdlock", "i:p", WAIT, read_lock),
    row("pthread_rwlock_wrlock", "i:p", WAIT, write_lock),
    row("pthread_rwlock_tryrdlock", "i:p", Effect::Visible, try_read_lock),
    row("pthread_rwlock_trywrlock", "i:p", Effect::Visible, try_write_lock),
    row("pthread_rwlock_timedrdlock", "i:pp", WAIT, timed_read_lock),
    row("pthread_rwlock_timedwrlock", "i:pp", WAIT, timed_write_lock),
    row("pthread_rwlock_unlock", "i:p", Effect::Visible, unlock),
    row("pthread_rwlockattr_init", "i:p", Effect::Memory, attr),
    row("pthread_rwlockattr_destroy", "i:p", Effect::Memory, attr),
    row("pthread_rwlockattr_setkind_np", "i:pi", Effect::Memory, attr),
    row("pthread_rwlockattr_setpshared", "i:pi", Effect::Memory, attr),
];

const SIZE: usize = 56;
const DESTROYED: u32 = 0xdead_4a10;

struct Rwlock {
    writer: Option<u32>,
    readers: u32,
    /// Which threads (of the first 64) hold it for reading.
    who: u64,
}

impl Machine<'_> {
    fn rwlock(&mut self, addr: u64) -> Result<Rwlock, Stop> {
        let writer = self.field(addr, 0, "readers-writer lock")?;
        let readers = self.field(addr, 4, "readers-writer lock")?;
        if self.field(addr, 8, "readers-writer lock")? == DESTROYED {
            let name = self.name_resource(addr);
            let message = format!("readers-writer lock {name} is used after it was destroyed");
            return Err(self.misuse(message, "destroy it only when no thread can use it any more"));
        }
        let who = self.as_sync(|machine| machine.read(addr + 16, 8))?.value;
        Ok(Rwlock { writer: writer.checked_sub(1), readers, who })
    }

    fn lock_rwlock(&mut self, addr: u64, write: bool) -> Result<i32, Stop> {
        let lock = self.rwlock(addr)?;
        if lock.writer == Some(self.me) {
            return Ok(EDEADLK);
        }
        if lock.writer.is_some() || write && lock.readers > 0 {
            return Err(Stop::Blocked(Waiting::Rwlock { addr, write }));
        }
        if write {
            self.set_field(addr, 0, self.me + 1)?;
        } else {
            self.set_field(addr, 4, lock.readers + 1)?;
            let who = lock.who | 1 << self.me.min(63);
            self.as_sync(|machine| machine.write(addr + 16, 8, Bits::defined(who)))?;
        }
        self.open(SectionKind::RwlockHeld, addr);
        let verb = if write { "writing" } else { "reading" };
        self.tell(|m| format!("locks {} for {verb}", m.name_resource(addr)));
        Ok(0)
    }

    fn try_rwlock(&mut self, addr: u64, write: bool, failure: i32) -> Result<Flow, Stop> {
        match self.lock_rwlock(addr, write) {
            Ok(EDEADLK) => Ok(Flow::int(if failure == EBUSY { EBUSY } else { EDEADLK })),
            Ok(code) => Ok(Flow::int(code)),
            Err(Stop::Blocked(_)) => {
                self.tell(|m| format!("does not get {}", m.name_resource(addr)));
                Ok(Flow::int(failure))
            }
            Err(stop) => Err(stop),
        }
    }

    /// Whether the running thread has the lock for writing.
    pub fn writes_rwlock(&mut self, addr: u64) -> bool {
        self.mem.read(addr, 4).is_ok_and(|writer| writer.value == u64::from(self.me) + 1)
    }

    /// ", held by thread 2 for writing", for stories.
    pub fn rwlock_holders(&mut self, addr: u64) -> String {
        let Ok(lock) = self.rwlock(addr) else { return String::new() };
        if let Some(writer) = lock.writer {
            return format!(", held for writing by thread {}", writer + 1);
        }
        let readers: Vec<String> =
            (0..64).filter(|t| lock.who >> t & 1 != 0).map(|t| (t + 1).to_string()).collect();
        let plural = if readers.len() == 1 { "" } else { "s" };
        format!(", held for reading by thread{plural} {}", readers.join(" and "))
    }
}

fn init(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    machine.reset(args.ptr(0), SIZE)?;
    Ok(OK)
}

fn destroy(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    let lock = machine.rwlock(addr)?;
    if lock.writer.is_some() || lock.readers > 0 {
        let name = machine.name_resource(addr);
        let holders = machine.rwlock_holders(addr);
        let message = format!("readers-writer lock {name} is destroyed while in use{holders}");
        return Err(machine.misuse(message, "unlock it everywhere first"));
    }
    machine.set_field(addr, 8, DESTROYED)?;
    Ok(OK)
}

fn read_lock(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::int(machine.lock_rwlock(args.ptr(0), false)?))
}

fn write_lock(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::int(machine.lock_rwlock(args.ptr(0), true)?))
}

fn try_read_lock(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    machine.try_rwlock(args.ptr(0), false, EBUSY)
}

fn try_write_lock(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    machine.try_rwlock(args.ptr(0), true, EBUSY)
}

fn timed_read_lock(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    machine.try_rwlock(args.ptr(0), false, ETIMEDOUT)
}

fn timed_write_lock(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    machine.try_rwlock(args.ptr(0), true, ETIMEDOUT)
}

fn unlock(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    let lock = machine.rwlock(addr)?;
    if !machine.close(SectionKind::RwlockHeld, addr) {
        let name = machine.name_resource(addr);
        let message =
            format!("readers-writer lock {name} is unlocked by a thread that does not hold it");
        return Err(machine.misuse(message, "only a thread that locked it may unlock it"));
    }
    if lock.writer == Some(machine.me) {
        machine.set_field(addr, 0, 0)?;
    } else {
        machine.set_field(addr, 4, lock.readers.saturating_sub(1))?;
        let still = machine
            .head
            .sections
            .iter()
            .any(|s| s.kind == SectionKind::RwlockHeld && s.resource == addr);
        if !still {
            let who = lock.who & !(1 << machine.me.min(63));
            machine.as_sync(|machine| machine.write(addr + 16, 8, Bits::defined(who)))?;
        }
    }
    machine.tell(|m| format!("unlocks {}", m.name_resource(addr)));
    Ok(OK)
}

fn attr(_: &mut Machine<'_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(OK)
}
