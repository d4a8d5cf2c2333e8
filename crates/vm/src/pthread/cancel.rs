//! Cancellation and clean-up handlers.
//!
//! glibc's `pthread_cleanup_push` is a macro around `__sigsetjmp`: it saves a
//! context and registers it. Cancelling (or exiting) jumps to the innermost
//! registered context, whose code runs the handler and calls
//! `__pthread_unwind_next`, which goes on to the next one.

use exeunt_model::words::Doing;
use exeunt_model::{ActorId, ChoiceKind};

use super::thread::ABANDONED;
use super::{EINVAL, OK};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Deed, Effect, Flow, row};
use crate::stop::Stop;
use crate::thread::Status;

/// Calls that are not supported.
const NO_ASYNCHRONOUS: &str = "asynchronous cancellation";

pub const TABLE: &[Builtin] = &[
    row("pthread_cancel", "i:l", Effect::Visible, cancel).does(Deed::Cancels).disturbs(),
    row("pthread_testcancel", "v:", Effect::Visible, test).cancels().silent(),
    row("pthread_setcancelstate", "i:ip", Effect::Visible, set_state).silent(),
    row("pthread_setcanceltype", "i:ip", Effect::Visible, set_type)
        .without(&[NO_ASYNCHRONOUS])
        .silent(),
    row("__pthread_register_cancel", "v:p", Effect::Local, register),
    row("__pthread_unregister_cancel", "v:p", Effect::Local, unregister),
    row("__pthread_unwind_next", "v:p", Effect::Local, unwind_next)
        .closes(ABANDONED)
        .moves_control(),
];

/// PTHREAD_CANCELED
const CANCELLED: u64 = u64::MAX;

impl Context<'_, '_> {
    /// Where a cancelled thread ends. `Err(Moved)` if it does now.
    pub fn cancellation_point(&mut self) -> Result<(), Stop> {
        if self.is_cancelled() { Err(self.cancelled_now()?) } else { Ok(()) }
    }

    /// Where a cancelled thread may end: the scheduler decides. A loop that
    /// comes by again and again is left some time.
    pub fn optional_cancellation_point(&mut self) -> Result<(), Stop> {
        if self.is_cancelled() && self.choose(ChoiceKind::Scheduler, 2)? == 1 {
            return Err(self.cancelled_now()?);
        }
        Ok(())
    }

    /// Whether this thread was cancelled and cancellation is enabled in it.
    pub fn is_cancelled(&self) -> bool {
        self.own().cancelled && !self.own().cancel_disabled
    }

    fn cancelled_now(&mut self) -> Result<Stop, Stop> {
        self.own_mut().cancel_disabled = true;
        self.tell(|_| Doing::IsCancelled.words());
        self.unwind_thread(CANCELLED)?;
        Ok(Stop::Moved)
    }

    /// Leaves the thread with this result, through its clean-up handlers.
    pub fn unwind_thread(&mut self, result: u64) -> Result<(), Stop> {
        self.own_mut().result = result;
        let inner = match self.own().cleanup.last().copied() {
            Some(buffer) => Some(self.saved_depth(buffer)?),
            None => None,
        };
        if self.unwind_forcedly(inner)? {
            return Ok(());
        }
        match self.own_mut().cleanup.pop() {
            Some(buffer) => self.unwind_to_handler(buffer),
            None => self.begin_thread_exit(result),
        }
    }
}

fn cancel(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let thread = context.thread_behind(args.u64(0))?;
    context.tell(|_| Doing::Cancels(ActorId(thread)).words());
    let head = context.head_mut(thread);
    if head.is_alive() {
        head.cancelled = true;
        // A wait on a condition ends, but only with the mutex back.
        if let Status::CondWait { mutex, .. } = head.status
            && !head.cancel_disabled
        {
            head.status = Status::CondRelock { mutex, result: super::cond::CANCELLED };
        }
    }
    Ok(OK)
}

/// Its row says it all.
fn test(_: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(OK)
}

fn set_state(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let (state, old) = (args.i32(0), args.ptr(1));
    if !(0..=1).contains(&state) {
        return Ok(Flow::int(EINVAL));
    }
    let before = context.own().cancel_disabled as u32;
    context.own_mut().cancel_disabled = state == 1;
    if old != 0 {
        context.write(old, 4, exeunt_mem::Bits::defined(before.into()))?;
    }
    Ok(OK)
}

fn set_type(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let (kind, old) = (args.i32(0), args.ptr(1));
    match kind {
        0 => {}
        1 => return Err(Stop::unsupported(NO_ASYNCHRONOUS)),
        _ => return Ok(Flow::int(EINVAL)),
    }
    let before = context.own().cancel_async as u32;
    if old != 0 {
        context.write(old, 4, exeunt_mem::Bits::defined(before.into()))?;
    }
    Ok(OK)
}

fn register(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.own_mut().cleanup.push(args.ptr(0));
    Ok(OK)
}

fn unregister(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let buffer = args.ptr(0);
    context.own_mut().cleanup.retain(|&registered| registered != buffer);
    Ok(OK)
}

fn unwind_next(context: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    let result = context.own().result;
    context.unwind_thread(result)?;
    Err(Stop::Moved)
}
