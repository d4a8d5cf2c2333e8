//! Attributes of threads.
//!
//! Layout: detach state at 0, policy, inheritance and scope at 4, size of the stack
//! at 8, size of the guard at 16, end of the stack at 24, priority at 32. The first two
//! words are all that the creation of a thread reads. What only concerns real time
//! is kept and given back, and has no effect; a stack that the program provides
//! counts only by its size.

use exeunt_mem::Bits;
use libc::ENOTSUP;

use super::{EINVAL, OK};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, refused, row};
use crate::stop::Stop;

const M: Effect = Effect::Memory;

pub const TABLE: &[Builtin] = &[
    row("pthread_attr_init", "i:p", M, init),
    row("pthread_attr_destroy", "i:p", M, destroy),
    row("pthread_attr_setdetachstate", "i:pi", M, set_detach),
    row("pthread_attr_getdetachstate", "i:pp", M, get_detach),
    row("pthread_attr_setstacksize", "i:pl", M, set_stack_size),
    row("pthread_attr_getstacksize", "i:pp", M, get_stack_size),
    row("pthread_attr_setstack", "i:ppl", M, set_stack),
    row("pthread_attr_getstack", "i:ppp", M, get_stack),
    row("pthread_attr_setstackaddr", "i:pp", M, set_stack_end),
    row("pthread_attr_getstackaddr", "i:pp", M, get_stack_end),
    row("pthread_attr_setguardsize", "i:pl", M, set_guard),
    row("pthread_attr_getguardsize", "i:pp", M, get_guard),
    row("pthread_attr_setscope", "i:pi", M, set_scope),
    row("pthread_attr_getscope", "i:pp", M, get_scope),
    row("pthread_attr_setinheritsched", "i:pi", M, set_inheritance),
    row("pthread_attr_getinheritsched", "i:pp", M, get_inheritance),
    row("pthread_attr_setschedpolicy", "i:pi", M, set_policy),
    row("pthread_attr_getschedpolicy", "i:pp", M, get_policy),
    row("pthread_attr_setschedparam", "i:pp", M, set_priority),
    row("pthread_attr_getschedparam", "i:pp", M, get_priority),
    row("pthread_attr_setaffinity_np", "i:plp", M, set_affinity),
    refused("pthread_attr_getaffinity_np", "i:plp", Effect::Local, "`{}`"),
    refused("pthread_attr_setsigmask_np", "i:pp", Effect::Local, "`{}`"),
    refused("pthread_attr_getsigmask_np", "i:pp", Effect::Local, "`{}`"),
    row("pthread_getattr_np", "i:lp", Effect::Visible, of_thread),
    row("pthread_getattr_default_np", "i:p", M, init),
    refused("pthread_setattr_default_np", "i:p", Effect::Local, "`{}`"),
];

type Answer = Result<Flow, Stop>;

const SIZE: usize = 56;
const SCHEDULING: u64 = 4;
const STACK_SIZE: u64 = 8;
const GUARD: u64 = 16;
const STACK_END: u64 = 24;
const PRIORITY: u64 = 32;
/// PTHREAD_STACK_MIN.
const SMALLEST_STACK: u64 = 16384;
const PAGE: u64 = 4096;
/// At the end of the stack: where it lies is not known.
const UNKNOWN: u64 = u64::MAX;

/// Bits of the word about scheduling.
const POLICY: u32 = 0xff;
const EXPLICIT: u32 = 0x100;

impl Context<'_, '_> {
    fn attribute(&mut self, addr: u64, len: usize) -> Result<u64, Stop> {
        let word = self.read(addr, len)?;
        match word.undefined {
            0 => Ok(word.value),
            _ => {
                let message = "a thread attribute is used but was never initialised";
                Err(self.misuse(message, "call pthread_attr_init first"))
            }
        }
    }

    fn give(&mut self, addr: u64, len: usize, value: u64) -> Answer {
        self.write(addr, len, Bits::defined(value))?;
        Ok(OK)
    }

    /// The size of a stack that a thread attribute asks for; 0 if none.
    pub fn stack_size_in(&mut self, attribute: u64) -> Result<u64, Stop> {
        self.attribute(attribute.wrapping_add(STACK_SIZE), 8)
    }

    fn known_stack_size(&mut self, attribute: u64) -> Result<u64, Stop> {
        Ok(match self.stack_size_in(attribute)? {
            0 => self.options().stack,
            size => size,
        })
    }

    fn set_bits(&mut self, addr: u64, mask: u32, value: u32) -> Answer {
        let word = self.attribute(addr + SCHEDULING, 4)? as u32;
        self.give(addr + SCHEDULING, 4, u64::from(word & !mask | value))
    }
}

fn init(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.reset(args.ptr(0), SIZE)?;
    context.give(args.ptr(0) + GUARD, 8, PAGE)
}

fn destroy(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(OK)
}

fn set_detach(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match args.i32(1) {
        state @ 0..=1 => context.give(args.ptr(0), 4, state as u64),
        _ => Ok(Flow::int(EINVAL)),
    }
}

fn get_detach(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let state = context.attribute(args.ptr(0), 4)?;
    context.give(args.ptr(1), 4, state)
}

fn set_stack_size(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match args.u64(1) {
        size if size < SMALLEST_STACK => Ok(Flow::int(EINVAL)),
        size => context.give(args.ptr(0) + STACK_SIZE, 8, size),
    }
}

fn get_stack_size(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let size = context.known_stack_size(args.ptr(0))?;
    context.give(args.ptr(1), 8, size)
}

fn set_stack(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (start, size) = (args.ptr(1), args.u64(2));
    if size < SMALLEST_STACK {
        return Ok(Flow::int(EINVAL));
    }
    context.give(args.ptr(0) + STACK_SIZE, 8, size)?;
    context.give(args.ptr(0) + STACK_END, 8, start.wrapping_add(size))
}

fn stack_end(context: &mut Context<'_, '_>, attribute: u64) -> Result<u64, Stop> {
    match context.attribute(attribute + STACK_END, 8)? {
        UNKNOWN => Err(Stop::unsupported("the address of a thread's stack")),
        end => Ok(end),
    }
}

fn get_stack(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let end = stack_end(context, args.ptr(0))?;
    let size = context.stack_size_in(args.ptr(0))?;
    context.give(args.ptr(1), 8, end.wrapping_sub(size))?;
    context.give(args.ptr(2), 8, size)
}

fn set_stack_end(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.give(args.ptr(0) + STACK_END, 8, args.ptr(1))
}

fn get_stack_end(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let end = stack_end(context, args.ptr(0))?;
    context.give(args.ptr(1), 8, end)
}

fn set_guard(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.give(args.ptr(0) + GUARD, 8, args.u64(1))
}

fn get_guard(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let guard = context.attribute(args.ptr(0) + GUARD, 8)?;
    context.give(args.ptr(1), 8, guard)
}

/// Linux has PTHREAD_SCOPE_SYSTEM only.
fn set_scope(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(match args.i32(1) {
        0 => 0,
        1 => ENOTSUP,
        _ => EINVAL,
    }))
}

fn get_scope(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.give(args.ptr(1), 4, 0)
}

fn set_inheritance(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match args.i32(1) {
        0 => context.set_bits(args.ptr(0), EXPLICIT, 0),
        1 => context.set_bits(args.ptr(0), EXPLICIT, EXPLICIT),
        _ => Ok(Flow::int(EINVAL)),
    }
}

fn get_inheritance(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let word = context.attribute(args.ptr(0) + SCHEDULING, 4)? as u32;
    context.give(args.ptr(1), 4, u64::from(word & EXPLICIT != 0))
}

fn set_policy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match args.i32(1) {
        policy @ 0..=2 => context.set_bits(args.ptr(0), POLICY, policy as u32),
        _ => Ok(Flow::int(EINVAL)),
    }
}

fn policy_of(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<u32, Stop> {
    Ok(context.attribute(args.ptr(0) + SCHEDULING, 4)? as u32 & POLICY)
}

fn get_policy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let policy = policy_of(context, args)?;
    context.give(args.ptr(1), 4, policy.into())
}

/// The priority must be one of the policy.
fn set_priority(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let policy = policy_of(context, args)?;
    let priority = context.attribute(args.ptr(1), 4)? as i32;
    let possible = if policy == 0 { 0..=0 } else { 1..=99 };
    match possible.contains(&priority) {
        true => context.give(args.ptr(0) + PRIORITY, 4, priority as u64),
        false => Ok(Flow::int(EINVAL)),
    }
}

fn get_priority(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let priority = context.attribute(args.ptr(0) + PRIORITY, 4)?;
    context.give(args.ptr(1), 4, priority)
}

/// Any thread may run at any time, on whichever processors.
fn set_affinity(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.read_bytes(args.ptr(2), args.u64(1))?;
    Ok(OK)
}

/// What a thread was made with. Where its stack lies is not known.
fn of_thread(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let thread = context.thread_behind(args.u64(0))?;
    let head = context.head_of(thread);
    let (detached, stack) = (head.detached, head.stack);
    let addr = args.ptr(1);
    context.reset(addr, SIZE)?;
    context.give(addr, 4, detached.into())?;
    let size = if stack == 0 { context.options().stack } else { stack };
    context.give(addr + STACK_SIZE, 8, size)?;
    context.give(addr + GUARD, 8, PAGE)?;
    context.give(addr + STACK_END, 8, UNKNOWN)
}
