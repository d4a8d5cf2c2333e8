//! Attributes of threads, mutexes and conditions.
//!
//! A mutex attribute is its kind; a thread attribute is the detach state in
//! its first word and the size of the stack behind it. What only concerns real time or processes is accepted and
//! has no effect.

use exeunt_mem::Bits;

use super::{EINVAL, OK, mutex};
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::machine::Machine;
use crate::stop::Stop;

const M: Effect = Effect::Memory;

pub const TABLE: &[Builtin] = &[
    row("pthread_mutexattr_init", "i:p", M, clear_word),
    row("pthread_mutexattr_destroy", "i:p", M, nothing),
    row("pthread_mutexattr_settype", "i:pi", M, set_type),
    row("pthread_mutexattr_gettype", "i:pp", M, get_word),
    row("pthread_mutexattr_setprotocol", "i:pi", M, nothing),
    row("pthread_mutexattr_setprioceiling", "i:pi", M, nothing),
    row("pthread_mutexattr_setpshared", "i:pi", M, nothing),
    row("pthread_mutexattr_setrobust", "i:pi", M, set_robust),
    row("pthread_condattr_init", "i:p", M, clear_word),
    row("pthread_condattr_destroy", "i:p", M, nothing),
    row("pthread_condattr_setclock", "i:pi", M, nothing),
    row("pthread_condattr_setpshared", "i:pi", M, nothing),
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

fn nothing(_: &mut Machine<'_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(OK)
}

/// Attributes are data: they synchronise nothing.
fn set_word(machine: &mut Machine<'_>, addr: u64, word: u32) -> Result<(), Stop> {
    machine.write(addr, 4, Bits::defined(word.into()))
}

fn clear_word(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    set_word(machine, args.ptr(0), 0)?;
    Ok(OK)
}

fn get_word(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let word = machine.field(args.ptr(0), 0, "attribute")?;
    set_word(machine, args.ptr(1), word)?;
    Ok(OK)
}

fn set_type(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let kind = args.i32(1);
    // PTHREAD_MUTEX_ADAPTIVE_NP (3) is a normal mutex for us.
    let kind = if kind == 3 { mutex::NORMAL as i32 } else { kind };
    if !(mutex::NORMAL as i32..=mutex::ERRORCHECK as i32).contains(&kind) {
        return Ok(Flow::int(EINVAL));
    }
    set_word(machine, args.ptr(0), kind as u32)?;
    Ok(OK)
}

fn set_robust(_: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    if args.i32(1) == 0 { Ok(OK) } else { Err(Stop::unsupported("a robust mutex")) }
}

fn init_thread(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    machine.reset(args.ptr(0), THREAD_ATTR_SIZE)?;
    Ok(OK)
}

/// Behind the detach state, in eight bytes; 0 is the default.
pub const STACK_SIZE: u64 = 8;
/// PTHREAD_STACK_MIN.
const SMALLEST_STACK: u64 = 16384;

fn set_stack_size(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let size = args.u64(1);
    if size < SMALLEST_STACK {
        return Ok(Flow::int(EINVAL));
    }
    machine.write(args.ptr(0).wrapping_add(STACK_SIZE), 8, Bits::defined(size))?;
    Ok(OK)
}

fn get_stack_size(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let size = match machine.stack_size_in(args.ptr(0))? {
        0 => machine.vm.options.stack,
        size => size,
    };
    machine.write(args.ptr(1), 8, Bits::defined(size))?;
    Ok(OK)
}

impl Machine<'_> {
    /// The size of a stack that a thread attribute asks for; 0 if none.
    pub fn stack_size_in(&mut self, attribute: u64) -> Result<u64, Stop> {
        let size = self.read(attribute.wrapping_add(STACK_SIZE), 8)?;
        match size.undefined {
            0 => Ok(size.value),
            _ => Err(self.undefined_use("a thread attribute")),
        }
    }
}

fn set_detach(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let state = args.i32(1);
    if !(0..=1).contains(&state) {
        return Ok(Flow::int(EINVAL));
    }
    set_word(machine, args.ptr(0), state as u32)?;
    Ok(OK)
}
