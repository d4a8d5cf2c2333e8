//! Cancellation and clean-up handlers.
//!
//! glibc's `pthread_cleanup_push` is a macro around `__sigsetjmp`: it saves a
//! context and registers it. Cancelling (or exiting) jumps to the innermost
//! registered context, whose code runs the handler and calls
//! `__pthread_unwind_next`, which goes on to the next one.

use exeunt_model::ChoiceKind;

use super::{EINVAL, OK};
use crate::builtin::{Args, Builtin, Deed, Effect, Flow, row};
use crate::machine::Machine;
use crate::stop::Stop;
use crate::thread::Status;

pub const TABLE: &[Builtin] = &[
    row("pthread_cancel", "i:l", Effect::Visible, cancel).does(Deed::Cancels).disturbs(),
    row("pthread_testcancel", "v:", Effect::Visible, test).cancels(),
    row("pthread_setcancelstate", "i:ip", Effect::Visible, set_state),
    row("pthread_setcanceltype", "i:ip", Effect::Visible, set_type),
    row("__pthread_register_cancel", "v:p", Effect::Local, register),
    row("__pthread_unregister_cancel", "v:p", Effect::Local, unregister),
    row("__pthread_unwind_next", "v:p", Effect::Local, unwind_next).moves_control(),
];

/// PTHREAD_CANCELED
const CANCELLED: u64 = u64::MAX;

impl Machine<'_> {
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

    /// Whether somebody has cancelled this thread, and it lets that happen.
    pub fn is_cancelled(&self) -> bool {
        self.head.cancelled && !self.head.cancel_disabled
    }

    fn cancelled_now(&mut self) -> Result<Stop, Stop> {
        self.head.cancel_disabled = true;
        self.tell(|_| "is cancelled".to_string());
        self.unwind_thread(CANCELLED)?;
        Ok(Stop::Moved)
    }

    /// Leaves the thread with this result, through its clean-up handlers.
    pub fn unwind_thread(&mut self, result: u64) -> Result<(), Stop> {
        self.head.result = result;
        match self.head.cleanup.pop() {
            Some(buffer) => self.unwind_to_handler(buffer),
            None => self.begin_thread_exit(result),
        }
    }
}

fn cancel(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let thread = machine.thread_behind(args.u64(0))?;
    machine.tell(|_| format!("cancels thread {}", thread + 1));
    let head = machine.head_mut(thread);
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
fn test(_: &mut Machine<'_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(OK)
}

fn set_state(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let (state, old) = (args.i32(0), args.ptr(1));
    if !(0..=1).contains(&state) {
        return Ok(Flow::int(EINVAL));
    }
    let before = machine.head.cancel_disabled as u32;
    machine.head.cancel_disabled = state == 1;
    if old != 0 {
        machine.write(old, 4, exeunt_mem::Bits::defined(before.into()))?;
    }
    Ok(OK)
}

fn set_type(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let (kind, old) = (args.i32(0), args.ptr(1));
    match kind {
        0 => {}
        1 => return Err(Stop::unsupported("asynchronous cancellation")),
        _ => return Ok(Flow::int(EINVAL)),
    }
    let before = machine.head.cancel_async as u32;
    if old != 0 {
        machine.write(old, 4, exeunt_mem::Bits::defined(before.into()))?;
    }
    Ok(OK)
}

fn register(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    machine.head.cleanup.push(args.ptr(0));
    Ok(OK)
}

fn unregister(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let buffer = args.ptr(0);
    machine.head.cleanup.retain(|&registered| registered != buffer);
    Ok(OK)
}

fn unwind_next(machine: &mut Machine<'_>, _: &Args<'_>) -> Result<Flow, Stop> {
    let result = machine.head.result;
    machine.unwind_thread(result)?;
    Err(Stop::Moved)
}
