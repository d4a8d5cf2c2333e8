//! Threads: create, join, detach, exit, identity, yielding.

use exeunt_ir::address::{self, Space};
use exeunt_ir::short;
use exeunt_mem::Bits;
use exeunt_model::SectionKind;

use super::{EBUSY, EINVAL, ERANGE, ETIMEDOUT, OK, is_clock};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, Orders, Touches, row};
use crate::machine::thread_object;
use crate::stop::{Stop, Waiting};
use crate::thread::{Head, Status};

/// The initialisation that a thread runs is not complete when it ends.
pub const ABANDONED: &[SectionKind] = &[SectionKind::Once];

pub const TABLE: &[Builtin] = &[
    row("pthread_create", "i:pppp?", Effect::Visible, create).accesses(Touches::Birth),
    row("pthread_join", "i:lp", Effect::Wait(SectionKind::Join), join)
        .syncs(Touches::Thread)
        .orders(Orders::Joins)
        .cancels(),
    row("pthread_tryjoin_np", "i:lp", Effect::Visible, try_join)
        .observes(Touches::Thread)
        .orders(Orders::Joins),
    row("pthread_timedjoin_np", "i:lpp", Effect::Wait(SectionKind::Join), timed_join)
        .observes(Touches::Thread)
        .orders(Orders::Joins)
        .cancels()
        .until(ETIMEDOUT),
    row("pthread_clockjoin_np", "i:lpip", Effect::Wait(SectionKind::Join), clock_join)
        .observes(Touches::Thread)
        .orders(Orders::Joins)
        .cancels()
        .until(ETIMEDOUT),
    row("pthread_detach", "i:l", Effect::Visible, detach).observes(Touches::Thread),
    row("pthread_exit", "v:p?", Effect::Visible, exit)
        .releases(Touches::End)
        .closes(ABANDONED)
        .moves_control(),
    row("pthread_self", "l:", Effect::Local, this),
    row("pthread_equal", "i:ll", Effect::Local, equal),
    row("pthread_yield", "i:", Effect::Local, yields),
    row("sched_yield", "i:", Effect::Local, yields),
    row("pthread_setname_np", "i:lp", Effect::Memory, set_name),
    row("pthread_getattr_np", "i:lp", Effect::Local, ignore),
    row("pthread_setconcurrency", "i:i", Effect::Local, set_concurrency),
    row("pthread_setschedparam", "i:lip", Effect::Local, ignore),
];

impl Context<'_, '_> {
    /// Starts `function(argument)` in a new thread.
    pub fn create_thread(&mut self, function: u64, argument: Bits) -> Result<u32, Stop> {
        let func = self.function_behind(function, "the start routine of a thread")?;
        if let Some(target) = exeunt_mem::pointee(argument.value) {
            self.share(target);
        }
        let thread = self.spawn(func, argument)?;
        self.inherit_signal_mask(thread)?;
        self.tell(|m| {
            let name = short(&m.program().functions[func as usize].name);
            format!("creates thread {} ({name})", thread + 1)
        });
        Ok(thread)
    }

    /// The thread a handle means, which must not be gone.
    pub fn thread_behind(&mut self, handle: u64) -> Result<u32, Stop> {
        let object = address::object(handle);
        let function = self.running().map_or("a library function", |builtin| builtin.name);
        if object.space() != Some(Space::Thread) {
            let message = format!("{function} is called with something that is not a thread");
            return Err(
                self.misuse(message, "the handle must come from pthread_create or pthread_self")
            );
        }
        let thread = object.index();
        let gone = thread >= self.threads()
            || self.status(thread) == Status::Free
            || !self.head_of(thread).is_alive() && self.head_of(thread).detached;
        if gone {
            let message = format!(
                "{function} is called for thread {}, which was already joined or has ended detached",
                thread + 1
            );
            return Err(
                self.misuse(message, "a thread can be joined once, and not after it was detached")
            );
        }
        Ok(thread)
    }

    /// Waits for a thread to end; gives its result.
    pub fn join_thread(&mut self, handle: u64) -> Result<u64, Stop> {
        let thread = self.thread_behind(handle)?;
        if thread == self.me() {
            let message = format!("thread {} joins itself", thread + 1);
            return Err(self.misuse(message, "a thread cannot wait for its own end"));
        }
        if self.head_of(thread).detached {
            let message = format!("thread {} is joined although it is detached", thread + 1);
            return Err(self.misuse(message, "do not detach a thread that is to be joined"));
        }
        let Status::Ended { result } = self.status(thread) else {
            return Err(Stop::Blocked(Waiting::Join { thread }));
        };
        let head = self.head_mut(thread);
        if head.sections.is_empty() {
            *head = Head::free();
        } else {
            // It left sections open: they stay open, so they stay known.
            head.detached = true;
        }
        self.tell(|_| format!("joins thread {}", thread + 1));
        Ok(result)
    }

    fn store_result(&mut self, place: u64, result: u64) -> Result<(), Stop> {
        if place == 0 { Ok(()) } else { self.write(place, 8, Bits::defined(result)) }
    }
}

fn create(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let (detached, stack) = match args.ptr(1) {
        0 => (false, 0),
        attr => {
            let detached = context.field(attr, 0, "thread attribute")? == 1;
            (detached, context.stack_size_in(attr)?)
        }
    };
    let thread = context.create_thread(args.ptr(2), args.values[3].low)?;
    let head = context.head_mut(thread);
    (head.detached, head.stack) = (detached, stack);
    context.write(args.ptr(0), 8, Bits::defined(thread_object(thread).at(0)))?;
    Ok(OK)
}

fn join(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let result = context.join_thread(args.u64(0))?;
    context.store_result(args.ptr(1), result)?;
    Ok(OK)
}

fn try_join(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    join_or(context, args, EBUSY)
}

fn timed_join(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    join_until(context, args, args.ptr(2))
}

fn clock_join(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if !is_clock(args.i32(2)) {
        return Ok(Flow::int(EINVAL));
    }
    join_until(context, args, args.ptr(3))
}

/// Without a time it waits for ever.
fn join_until(context: &mut Context<'_, '_>, args: &Args<'_>, time: u64) -> Result<Flow, Stop> {
    match time {
        0 => join(context, args),
        _ if context.is_time(time)? => join_or(context, args, ETIMEDOUT),
        _ => join_or(context, args, EINVAL),
    }
}

fn join_or(context: &mut Context<'_, '_>, args: &Args<'_>, failure: i32) -> Result<Flow, Stop> {
    match context.join_thread(args.u64(0)) {
        Ok(result) => {
            context.store_result(args.ptr(1), result)?;
            Ok(OK)
        }
        Err(Stop::Blocked(_)) => Ok(Flow::int(failure)),
        Err(stop) => Err(stop),
    }
}

fn detach(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.detach_thread(args.u64(0))?;
    Ok(OK)
}

impl Context<'_, '_> {
    pub fn detach_thread(&mut self, handle: u64) -> Result<(), Stop> {
        let thread = self.thread_behind(handle)?;
        let head = self.head_mut(thread);
        if head.detached {
            let message = format!("thread {} is detached twice", thread + 1);
            return Err(self.misuse(message, "detach a thread once"));
        }
        head.detached = true;
        if !head.is_alive() && head.sections.is_empty() {
            *head = Head::free();
        }
        Ok(())
    }
}

fn exit(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.unwind_thread(args.ptr(0))?;
    Err(Stop::Moved)
}

fn this(context: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::value(thread_object(context.me()).at(0)))
}

fn equal(_: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::int((args.u64(0) == args.u64(1)) as i32))
}

/// Every point is a point where another thread may run.
fn yields(_: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(OK)
}

/// Names have at most 15 bytes.
fn set_name(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let name = context.read_string(args.ptr(1), "the name of a thread")?;
    Ok(Flow::int(if name.len() > 15 { ERANGE } else { 0 }))
}

fn set_concurrency(_: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::int(if args.i32(0) < 0 { EINVAL } else { 0 }))
}

fn ignore(_: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(OK)
}
