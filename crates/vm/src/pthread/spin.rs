//! Spin locks: a word with owner + 1.

use exeunt_model::SectionKind;
use exeunt_model::words::Doing;

use super::{EBUSY, OK};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, SPINLOCK, row};
use crate::stop::{Stop, Waiting};

/// What is entered with a lock.
const HELD: &[SectionKind] = &[SectionKind::SpinHeld];

pub const TABLE: &[Builtin] = &[
    row("pthread_spin_init", "i:pi", Effect::Memory, init),
    row("pthread_spin_destroy", "i:p", Effect::Visible, destroy).observes(SPINLOCK),
    row("pthread_spin_lock", "i:p", Effect::Wait(SectionKind::SpinWait), lock)
        .syncs(SPINLOCK)
        .opens(HELD),
    row("pthread_spin_trylock", "i:p", Effect::Visible, try_lock).observes(SPINLOCK).opens(HELD),
    row("pthread_spin_unlock", "i:p", Effect::Visible, unlock).releases(SPINLOCK).closes(HELD),
];

impl Context<'_, '_> {
    fn lock_spin(&mut self, addr: u64) -> Result<(), Stop> {
        match self.field(addr, 0, "spin lock")? {
            0 => {
                self.set_field(addr, 0, self.me() + 1)?;
                self.open(SectionKind::SpinHeld, addr);
                self.tell(|m| Doing::Locks(&m.name_resource(addr)).words());
                Ok(())
            }
            owner => Err(Stop::Blocked(Waiting::Spin { addr, owner: Some(owner - 1) })),
        }
    }
}

fn init(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.reset(args.ptr(0), 4)?;
    Ok(OK)
}

fn destroy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    let owner = context.field(addr, 0, "spin lock")?;
    if owner != 0 {
        let name = context.name_resource(addr);
        let message = format!("spin lock {name} is destroyed while thread {owner} holds it");
        return Err(context.misuse(message, "unlock it first"));
    }
    Ok(OK)
}

fn lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.lock_spin(args.ptr(0))?;
    Ok(OK)
}

fn try_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    match context.lock_spin(args.ptr(0)) {
        Ok(()) => Ok(OK),
        Err(Stop::Blocked(_)) => Ok(Flow::int(EBUSY)),
        Err(stop) => Err(stop),
    }
}

fn unlock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    let owner = context.field(addr, 0, "spin lock")?;
    if owner != context.me() + 1 {
        let name = context.name_resource(addr);
        let message = format!("spin lock {name} is unlocked by a thread that does not hold it");
        return Err(context.misuse(message, "only the thread that locked it may unlock it"));
    }
    context.set_field(addr, 0, 0)?;
    context.close(SectionKind::SpinHeld, addr);
    context.tell(|m| Doing::Unlocks(&m.name_resource(addr)).words());
    Ok(OK)
}
