//! Barriers. Layout: threads needed at 0, threads that have arrived at 4,
//! a mark of initialisation at 8.

use exeunt_model::SectionKind;
use exeunt_model::words::Doing;

use super::OK;
use crate::builtin::Context;
use crate::builtin::{Args, BARRIER, Builtin, Effect, Flow, Orders, row};
use crate::stop::{Stop, Waiting};
use crate::thread::Status;
use exeunt_mem::Bits;

const WAITING: &[SectionKind] = &[SectionKind::BarrierWait];

pub const TABLE: &[Builtin] = &[
    row("pthread_barrier_init", "i:ppi", Effect::Memory, init),
    row("pthread_barrier_destroy", "i:p", Effect::Visible, destroy).syncs(BARRIER),
    row("pthread_barrier_wait", "i:p", Effect::Visible, wait)
        .syncs(BARRIER)
        .orders(Orders::Meets)
        .opens(WAITING),
    row("pthread_barrierattr_init", "i:p", Effect::Memory, init_attr),
    row("pthread_barrierattr_destroy", "i:p", Effect::Memory, destroy_attr),
    row("pthread_barrierattr_getpshared", "i:pp", Effect::Memory, get_shared),
    row("pthread_barrierattr_setpshared", "i:pi", Effect::Memory, set_shared),
];

const SIZE: usize = 32;
const READY: u32 = 0xba44_1e40;
/// PTHREAD_BARRIER_SERIAL_THREAD
const SERIAL: u64 = u32::MAX as u64;

impl Context<'_, '_> {
    fn barrier(&mut self, addr: u64) -> Result<(u32, u32), Stop> {
        if self.field(addr, 8, "barrier")? != READY {
            let name = self.name_resource(addr);
            let message = format!("barrier {name} is used but not initialised, or destroyed");
            return Err(self.misuse(message, "call pthread_barrier_init first"));
        }
        Ok((self.field(addr, 0, "barrier")?, self.field(addr, 4, "barrier")?))
    }

    /// A thread that waits stays; one that may leave completes its call.
    pub fn resume_barrier(&mut self) -> Result<bool, Stop> {
        match self.own().status {
            Status::BarrierWait { barrier } => {
                let (needed, arrived) = self.barrier(barrier)?;
                let missing = needed.saturating_sub(arrived);
                Err(Stop::Blocked(Waiting::Barrier { addr: barrier, missing }))
            }
            Status::BarrierLeave { serial } => {
                self.own_mut().status = Status::Ready;
                self.finish_call(Bits::defined(if serial { SERIAL } else { 0 }));
                Ok(true)
            }
            Status::Ready
            | Status::CondWait { .. }
            | Status::CondRelock { .. }
            | Status::FutexWait { .. }
            | Status::FutexWoken
            | Status::Ended { .. }
            | Status::Free => Ok(true),
        }
    }
}

fn init(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let (addr, count) = (args.ptr(0), args.i32(2));
    if count <= 0 {
        return Ok(Flow::int(super::EINVAL));
    }
    context.reset(addr, SIZE)?;
    context.set_field(addr, 0, count as u32)?;
    context.set_field(addr, 8, READY)?;
    Ok(OK)
}

fn destroy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    let (_, arrived) = context.barrier(addr)?;
    if arrived > 0 {
        let name = context.name_resource(addr);
        let message = format!("barrier {name} is destroyed while {arrived} threads wait at it");
        return Err(context.misuse(message, "destroy it only after all threads have left"));
    }
    context.set_field(addr, 8, 0)?;
    Ok(OK)
}

fn wait(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    let (needed, arrived) = context.barrier(addr)?;
    if arrived + 1 < needed {
        context.set_field(addr, 4, arrived + 1)?;
        context.own_mut().status = Status::BarrierWait { barrier: addr };
        context.tell(|m| Doing::ArrivesAt(&m.name_resource(addr)).words());
        return Err(Stop::Waits);
    }
    context.set_field(addr, 4, 0)?;
    for thread in 0..context.threads() {
        if context.status(thread) == (Status::BarrierWait { barrier: addr }) {
            context.head_mut(thread).status = Status::BarrierLeave { serial: false };
        }
    }
    context.tell(|m| Doing::OpensBarrier(&m.name_resource(addr)).words());
    Ok(Flow::value(SERIAL))
}

fn set_shared(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if !(0..=1).contains(&args.i32(1)) {
        return Ok(Flow::int(super::EINVAL));
    }
    context.write(args.ptr(0), 4, Bits::defined(args.u64(1)))?;
    Ok(OK)
}

fn get_shared(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let shared = context.field(args.ptr(0), 0, "barrier attribute")?;
    context.write(args.ptr(1), 4, Bits::defined(shared.into()))?;
    Ok(OK)
}

fn init_attr(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.write(args.ptr(0), 4, Bits::defined(0))?;
    Ok(OK)
}

fn destroy_attr(_: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(OK)
}
