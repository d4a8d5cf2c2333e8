//! Threads: create, join, detach, exit, identity, yielding.

use exeunt_ir::address::{self, Space};
use exeunt_mem::Bits;
use exeunt_model::words::Doing;
use exeunt_model::{ActorId, SectionKind};

use super::{EBUSY, EINVAL, ERANGE, ETIMEDOUT, OK, is_clock};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Deed, Effect, Flow, Orders, Touches, refused, row};
use crate::libc::{library, unistd};
use crate::machine::thread_object;
use crate::stop::{Stop, Waiting};
use crate::thread::{Head, Status};

/// The initialisation that a thread runs is not complete when it ends, and robust mutexes
/// are given back.
pub const ABANDONED: &[SectionKind] = &[SectionKind::Once, SectionKind::Critical];

/// Calls that are not supported.
const NO_FOREIGN_NAME: &str = "reading the name of another thread";
const NO_FOREIGN_TIME: &str = "the processor time of another thread";

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
    row("pthread_getname_np", "i:lpl", Effect::Memory, get_name)
        .without(&[NO_FOREIGN_NAME])
        .does(Deed::TellsName),
    row("pthread_setconcurrency", "i:i", Effect::Visible, set_concurrency),
    row("pthread_getconcurrency", "i:", Effect::Visible, get_concurrency),
    row("pthread_setschedparam", "i:lip", Effect::Local, ignore),
    row("pthread_getschedparam", "i:lpp", Effect::Memory, get_scheduling)
        .outside("every thread had the ordinary scheduling policy"),
    row("pthread_setschedprio", "i:li", Effect::Local, ignore),
    row("pthread_getcpuclockid", "i:lp", Effect::Memory, get_clock).without(&[NO_FOREIGN_TIME]),
    row("pthread_atfork", "i:ppp", Effect::Local, ignore),
    row("__register_atfork", "i:pppp", Effect::Local, ignore),
    row("pthread_setaffinity_np", "i:llp", Effect::Local, ignore),
    row("pthread_getaffinity_np", "i:llp", Effect::Memory, get_affinity)
        .outside(unistd::PROCESSORS_FOUND),
    refused("__pthread_register_cancel_defer", "v:p", Effect::Local, "`{}`"),
    refused("__pthread_unregister_cancel_restore", "v:p", Effect::Local, "`{}`"),
];

impl Context<'_, '_> {
    /// Starts `function(argument)` in a new thread.
    pub fn create_thread(&mut self, function: u64, argument: Bits) -> Result<u32, Stop> {
        let func = self.function_behind(function, "the start routine of a thread")?;
        self.make_room()?;
        if let Some(target) = exeunt_mem::pointee(argument.value) {
            self.share(target);
        }
        let entry = self.entry_of(func, argument.value);
        let thread = self.spawn(func, argument);
        self.head_mut(thread).start = entry;
        self.inherit_signal_mask(thread)?;
        self.tell(|m| {
            let name = m.thread_name(thread);
            Doing::Creates(ActorId(thread), &name).words()
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
        self.tell(|_| Doing::Joins(ActorId(thread)).words());
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
        _ if context.is_time(time)? => {
            let flow = join_or(context, args, ETIMEDOUT)?;
            if matches!(flow, Flow::Return(bits) if bits.value != 0) {
                context.time_out(time)?;
            }
            Ok(flow)
        }
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
    if name.len() > LONGEST_NAME {
        return Ok(Flow::int(ERANGE));
    }
    if args.u64(0) == thread_object(context.me()).at(0) {
        context.set_own_name(&name)?;
    } else if context.tells_names() {
        return Err(Stop::unsupported(
            "giving a name to another thread in a program that reads names",
        ));
    }
    Ok(OK)
}

const LONGEST_NAME: usize = 15;

impl Context<'_, '_> {
    /// Names are kept only if the program can read them.
    pub fn set_own_name(&mut self, name: &[u8]) -> Result<(), Stop> {
        if !self.tells_names() {
            return Ok(());
        }
        let mut text = name[..name.len().min(LONGEST_NAME)].to_vec();
        text.resize(LONGEST_NAME + 1, 0);
        let place = self.thread_variable(library::THREAD_NAME, || vec![0; LONGEST_NAME + 1]);
        self.write_bytes(place, &text, &[])
    }

    /// A thread has the name of the program until it gets another one.
    pub fn own_name(&mut self) -> Result<Vec<u8>, Stop> {
        if !self.has_thread_variable(library::THREAD_NAME) {
            return Ok(b"program".to_vec());
        }
        let place = self.thread_variable(library::THREAD_NAME, || vec![0; LONGEST_NAME + 1]);
        let (mut name, _) = self.read_bytes(place, LONGEST_NAME as u64 + 1)?;
        name.retain(|&byte| byte != 0);
        Ok(name)
    }
}

fn get_name(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if args.u64(0) != thread_object(context.me()).at(0) {
        return Err(Stop::unsupported(NO_FOREIGN_NAME));
    }
    let mut name = context.own_name()?;
    name.push(0);
    if args.u64(2) <= LONGEST_NAME as u64 {
        return Ok(Flow::int(ERANGE));
    }
    context.write_bytes(args.ptr(1), &name, &[])?;
    Ok(OK)
}

fn concurrency(context: &mut Context<'_, '_>) -> u64 {
    context.library_variable(library::CONCURRENCY, || vec![0; 4])
}

/// A hint that is only given back.
fn set_concurrency(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if args.i32(0) < 0 {
        return Ok(Flow::int(EINVAL));
    }
    let place = concurrency(context);
    context.write(place, 4, Bits::defined(args.u64(0)))?;
    Ok(OK)
}

fn get_concurrency(context: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    let place = concurrency(context);
    Ok(Flow::value(context.read(place, 4)?.value))
}

fn get_scheduling(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    for index in 1..=2 {
        context.write(args.ptr(index), 4, Bits::defined(0))?;
    }
    Ok(OK)
}

/// Only of the thread itself: CLOCK_THREAD_CPUTIME_ID.
fn get_clock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if args.u64(0) != thread_object(context.me()).at(0) {
        return Err(Stop::unsupported(NO_FOREIGN_TIME));
    }
    context.write(args.ptr(1), 4, Bits::defined(3))?;
    Ok(OK)
}

fn get_affinity(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::int(unistd::write_processors(context, args.u64(1), args.ptr(2))?))
}

fn ignore(_: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(OK)
}
