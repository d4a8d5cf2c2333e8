//! POSIX semaphores. Layout: value at 0, a mark of initialisation at 4.

use exeunt_model::SectionKind;
use exeunt_model::words::Doing;

use super::{EAGAIN, EINVAL, EOVERFLOW, ETIMEDOUT, OK, is_clock};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, Object, Orders, SEMAPHORE, Touches, row};
use crate::stop::{Stop, Waiting};

const WAIT: Effect = Effect::Wait(SectionKind::SemWait);

pub const TABLE: &[Builtin] = &[
    row("sem_init", "i:pii", Effect::Memory, init),
    row("sem_destroy", "i:p", Effect::Visible, destroy).observes(SEMAPHORE),
    row("sem_wait", "i:p", WAIT, wait).syncs(SEMAPHORE).orders(Orders::Acquires).cancels(),
    row("sem_trywait", "i:p", Effect::Visible, try_wait)
        .observes(SEMAPHORE)
        .orders(Orders::Acquires),
    row("sem_timedwait", "i:pp", WAIT, timed_wait)
        .observes(SEMAPHORE)
        .orders(Orders::Acquires)
        .cancels()
        .until(ETIMEDOUT),
    row("sem_clockwait", "i:pip", WAIT, clock_wait)
        .observes(SEMAPHORE)
        .orders(Orders::Acquires)
        .cancels()
        .until(ETIMEDOUT),
    row("sem_post", "i:p", Effect::Visible, post).releases(SEMAPHORE).orders(Orders::Releases),
    row("sem_getvalue", "i:pp", Effect::Visible, get_value)
        .observes(Touches::Value(Object::Semaphore)),
];

pub const SIZE: usize = 32;
pub const READY: u32 = 0x5e4a_f04e;

impl Context<'_, '_> {
    fn semaphore(&mut self, addr: u64) -> Result<u32, Stop> {
        if self.field(addr, 4, "semaphore")? != READY {
            let name = self.name_resource(addr);
            let message = format!("semaphore {name} is used but not initialised, or destroyed");
            return Err(self.misuse(message, "call sem_init first"));
        }
        self.field(addr, 0, "semaphore")
    }

    fn take_semaphore(&mut self, addr: u64) -> Result<(), Stop> {
        match self.semaphore(addr)? {
            0 => Err(Stop::Blocked(Waiting::Semaphore { addr })),
            value => {
                self.set_field(addr, 0, value - 1)?;
                let left = Some(i64::from(value) - 1);
                self.tell(|m| Doing::Takes(&m.name_resource(addr), left).words());
                Ok(())
            }
        }
    }

    fn fail_with(&mut self, code: i32) -> Result<Flow, Stop> {
        self.set_errno(code)?;
        Ok(Flow::int(-1))
    }
}

/// SEM_VALUE_MAX
pub const MAXIMUM: u32 = i32::MAX as u32;

fn init(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if args.i32(2) as u32 > MAXIMUM {
        return context.fail_with(EINVAL);
    }
    context.reset(args.ptr(0), SIZE)?;
    context.set_field(args.ptr(0), 0, args.i32(2) as u32)?;
    context.set_field(args.ptr(0), 4, READY)?;
    Ok(OK)
}

fn destroy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.semaphore(args.ptr(0))?;
    context.set_field(args.ptr(0), 4, 0)?;
    Ok(OK)
}

fn wait(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.take_semaphore(args.ptr(0))?;
    Ok(OK)
}

fn try_wait(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    match context.take_semaphore(args.ptr(0)) {
        Ok(()) => Ok(OK),
        Err(Stop::Blocked(_)) => context.fail_with(EAGAIN),
        Err(stop) => Err(stop),
    }
}

fn timed_wait(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    wait_until(context, args, args.ptr(1))
}

fn clock_wait(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    match is_clock(args.i32(1)) {
        true => wait_until(context, args, args.ptr(2)),
        false => context.fail_with(EINVAL),
    }
}

fn wait_until(context: &mut Context<'_, '_>, args: &Args<'_>, time: u64) -> Result<Flow, Stop> {
    if !context.is_time(time)? {
        return context.fail_with(EINVAL);
    }
    match context.take_semaphore(args.ptr(0)) {
        Ok(()) => Ok(OK),
        Err(Stop::Blocked(_)) => {
            context.time_out(time)?;
            context.fail_with(ETIMEDOUT)
        }
        Err(stop) => Err(stop),
    }
}

fn post(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    let value = context.semaphore(addr)?;
    if value >= MAXIMUM {
        return context.fail_with(EOVERFLOW);
    }
    context.set_field(addr, 0, value + 1)?;
    let now = Some(i64::from(value) + 1);
    context.tell(|m| Doing::Posts(&m.name_resource(addr), now).words());
    Ok(OK)
}

fn get_value(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let value = context.semaphore(args.ptr(0))?;
    context.write(args.ptr(1), 4, exeunt_mem::Bits::defined(value.into()))?;
    Ok(OK)
}
