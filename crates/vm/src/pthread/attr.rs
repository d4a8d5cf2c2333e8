//! Attributes of mutexes and conditions: one word each, with fields as in glibc.
//! What only concerns real time or processes is kept and has no effect.

use exeunt_mem::Bits;

use super::{EINVAL, OK, mutex};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Deed, Effect, Flow, row};
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
    row("pthread_mutexattr_setrobust", "i:pi", M, set_robust).does(Deed::Robust),
    row("pthread_mutexattr_getrobust", "i:pp", M, get_robust),
    row("pthread_mutexattr_setrobust_np", "i:pi", M, set_robust).does(Deed::Robust),
    row("pthread_mutexattr_getrobust_np", "i:pp", M, get_robust),
    row("pthread_condattr_init", "i:p", M, clear_word),
    row("pthread_condattr_destroy", "i:p", M, nothing),
    row("pthread_condattr_setclock", "i:pi", M, set_clock),
    row("pthread_condattr_getclock", "i:pp", M, get_clock),
    row("pthread_condattr_setpshared", "i:pi", M, set_cond_shared),
    row("pthread_condattr_getpshared", "i:pp", M, get_cond_shared),
];

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
    let kind = match attribute & 3 {
        ADAPTIVE => mutex::NORMAL,
        kind => kind,
    };
    let robust = if attribute & ROBUST.mask() != 0 { mutex::ROBUST } else { 0 };
    let protects = attribute >> PROTOCOL.shift & 3 == PROTECT;
    kind | robust | if protects { mutex::PROTECTED } else { 0 }
}

/// PTHREAD_PRIO_PROTECT.
const PROTECT: u32 = 2;

/// The ceiling of the mutexes that an attribute makes: the lowest priority, unless set.
pub fn ceiling_of_mutex(attribute: u32) -> u32 {
    ((attribute & CEILING.mask()) >> CEILING.shift).max(1)
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
    ROBUST.set(context, args)
}

fn get_robust(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    ROBUST.get(context, args)
}
