//! Attributes of threads, mutexes and conditions.
//!
//! A mutex attribute is one word with fields as in glibc; a thread attribute is
//! the detach state in its first word and the size of the stack behind it. What
//! only concerns real time or processes is accepted and
//! has no effect.

use exeunt_mem::Bits;

use super::{EINVAL, OK, mutex};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::stop::Stop;

const M: Effect = Effect::Memory;

pub const TABLE: &[Builtin] = &[
    row("pthread_mutexattr_init", "i:p", M, clear_word),
    row("pthread_mutexattr_destroy", "i:p", M, nothing),
    row("pthread_mutexattr_settype", "i:pi", M, set_type),
    row("pthread_mutexattr_gettype", "i:pp", M, get_type),
    row("pthread_mutexattr_setprotocol", "i:pi", M, set_protocol),
    row("pthread_mutexattr_getprotocol", "i:pp", M, get_protocol),
    row("pthread_mutexattr_setprioceiling", "i:pi", M, set_ceiling),
    row("pthread_mutexattr_getprioceiling", "i:pp", M, get_ceiling),
    row("pthread_mutexattr_setpshared", "i:pi", M, set_mutex_shared),
    row("pthread_mutexattr_getpshared", "i:pp", M, get_mutex_shared),
    row("pthread_mutexattr_setrobust", "i:pi", M, set_robust),
    row("pthread_mutexattr_getrobust", "i:pp", M, get_robust),
    row("pthread_condattr_init", "i:p", M, clear_word),
    row("pthread_condattr_destroy", "i:p", M, nothing),
    row("pthread_condattr_setclock", "i:pi", M, set_clock),
    row("pthread_condattr_getclock", "i:pp", M, get_clock),
    row("pthread_condattr_setpshared", "i:pi", M, set_cond_shared),
    row("pthread_condattr_getpshared", "i:pp", M, get_cond_shared),
    row("pthread_attr_init", "i:p", M, init_thread),
    row("pthread_attr_destroy", "i:p", M, nothing),
    row("pthread_attr_setdetachstate", "i:pi", M, set_detach),
    row("pthread_attr_getdetachstate", "i:pp", M, get_word),
    row("pthread_attr_setstacksize", "i:pl", M, set_stack_size),
    row("pthread_attr_getstacksize", "i:pp", M, get_stack_size),
    row("pthread_attr_setguardsize", "i:pl", M, nothing),
    row("pthread_attr_setscope", "i:pi", M, nothing),
    row("pthread_attr_setinheritsched", "i:pi", M, nothing),
    row("pthread_attr_setschedpolicy", "i:pi", M, nothing),
    row("pthread_attr_setschedparam", "i:pp", M, nothing),
];

const THREAD_ATTR_SIZE: usize = 56;

fn nothing(_: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(OK)
}

/// Attributes are data: they synchronise nothing.
fn set_word(context: &mut Context<'_, '_>, addr: u64, word: u32) -> Result<(), Stop> {
    context.write(addr, 4, Bits::defined(word.into()))
}

fn clear_word(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    set_word(context, args.ptr(0), 0)?;
    Ok(OK)
}

fn get_word(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let word = context.field(args.ptr(0), 0, "attribute")?;
    set_word(context, args.ptr(1), word)?;
    Ok(OK)
}

/// A field of an attribute's word: where it is, how wide, and its highest value.
struct Field {
    shift: u32,
    bits: u32,
    most: i32,
}

/// PTHREAD_MUTEX_ADAPTIVE_NP, a normal mutex for us.
const ADAPTIVE: u32 = 3;
const KIND: Field = Field { shift: 0, bits: 2, most: ADAPTIVE as i32 };
const CEILING: Field = Field { shift: 12, bits: 12, most: 99 };
const PROTOCOL: Field = Field { shift: 28, bits: 2, most: 2 };
const ROBUST: Field = Field { shift: 30, bits: 1, most: 1 };
const MUTEX_SHARED: Field = Field { shift: 31, bits: 1, most: 1 };
const COND_SHARED: Field = Field { shift: 0, bits: 1, most: 1 };
const CLOCK: Field = Field { shift: 1, bits: 1, most: 1 };

/// The kind of the mutexes that an attribute makes.
pub fn kind_of_mutex(attribute: u32) -> u32 {
    match attribute & 3 {
        ADAPTIVE => mutex::NORMAL,
        kind => kind,
    }
}

impl Field {
    fn mask(&self) -> u32 {
        ((1 << self.bits) - 1) << self.shift
    }

    fn set(&self, context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
        let word = context.field(args.ptr(0), 0, "attribute")?;
        let value = args.i32(1);
        if !(0..=self.most).contains(&value) {
            return Ok(Flow::int(EINVAL));
        }
        let word = word & !self.mask() | (value as u32) << self.shift;
        context.set_field(args.ptr(0), 0, word)?;
        Ok(OK)
    }

    fn get(&self, context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
        let word = context.field(args.ptr(0), 0, "attribute")?;
        context.set_field(args.ptr(1), 0, (word & self.mask()) >> self.shift)?;
        Ok(OK)
    }
}

fn set_type(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    KIND.set(context, args)
}

fn get_type(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    KIND.get(context, args)
}

fn set_protocol(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    PROTOCOL.set(context, args)
}

fn get_protocol(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    PROTOCOL.get(context, args)
}

fn set_ceiling(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if args.i32(1) == 0 { Ok(Flow::int(EINVAL)) } else { CEILING.set(context, args) }
}

fn get_ceiling(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    CEILING.get(context, args)
}

fn set_mutex_shared(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    MUTEX_SHARED.set(context, args)
}

fn get_mutex_shared(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    MUTEX_SHARED.get(context, args)
}

fn set_cond_shared(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    COND_SHARED.set(context, args)
}

fn get_cond_shared(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    COND_SHARED.get(context, args)
}

/// Only CLOCK_REALTIME and CLOCK_MONOTONIC.
fn set_clock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    CLOCK.set(context, args)
}

fn get_clock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    CLOCK.get(context, args)
}

fn set_robust(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    match args.i32(1) {
        1 => Err(Stop::unsupported("a robust mutex")),
        _ => ROBUST.set(context, args),
    }
}

fn get_robust(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    ROBUST.get(context, args)
}

fn init_thread(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.reset(args.ptr(0), THREAD_ATTR_SIZE)?;
    Ok(OK)
}

/// Behind the detach state, in eight bytes; 0 is the default.
pub const STACK_SIZE: u64 = 8;
/// PTHREAD_STACK_MIN.
const SMALLEST_STACK: u64 = 16384;

fn set_stack_size(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let size = args.u64(1);
    if size < SMALLEST_STACK {
        return Ok(Flow::int(EINVAL));
    }
    context.write(args.ptr(0).wrapping_add(STACK_SIZE), 8, Bits::defined(size))?;
    Ok(OK)
}

fn get_stack_size(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let size = match context.stack_size_in(args.ptr(0))? {
        0 => context.options().stack,
        size => size,
    };
    context.write(args.ptr(1), 8, Bits::defined(size))?;
    Ok(OK)
}

impl Context<'_, '_> {
    /// The size of a stack that a thread attribute asks for; 0 if none.
    pub fn stack_size_in(&mut self, attribute: u64) -> Result<u64, Stop> {
        let size = self.read(attribute.wrapping_add(STACK_SIZE), 8)?;
        match size.undefined {
            0 => Ok(size.value),
            _ => Err(self.undefined_use("a thread attribute")),
        }
    }
}

fn set_detach(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let state = args.i32(1);
    if !(0..=1).contains(&state) {
        return Ok(Flow::int(EINVAL));
    }
    set_word(context, args.ptr(0), state as u32)?;
    Ok(OK)
}
