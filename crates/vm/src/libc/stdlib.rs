//! `stdlib.h`, and the integer conversions of `inttypes.h`.
//!
//! The environment is empty at the start. `qsort`, `qsort_r`, `bsearch` and
//! their like call back into the program, so they are C code themselves
//! (`runtime/libc.c`).

pub mod environment;
pub mod heap;
pub mod number;
mod random;

use exeunt_ir::Scalar;
use exeunt_mem::Bits;

use super::{library, signal};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Deed, Effect, Flow, refused, row};
use crate::ops::int::Undefined;
use crate::state::system::AtExit;
use crate::stop::Stop;

type Answer = Result<Flow, Stop>;

pub const TABLE: &[Builtin] = &[
    row("malloc", "p:l", Effect::Local, heap::malloc).allocating(),
    row("calloc", "p:ll", Effect::Local, heap::calloc).allocating(),
    row("realloc", "p:pl", Effect::Memory, heap::realloc).allocating(),
    row("reallocarray", "p:pll", Effect::Memory, heap::reallocarray).allocating(),
    row("free", "v:p", Effect::Memory, heap::free),
    row("cfree", "v:p", Effect::Memory, heap::free),
    row("free_sized", "v:pl", Effect::Memory, heap::free),
    row("free_aligned_sized", "v:pll", Effect::Memory, heap::free),
    row("aligned_alloc", "p:ll", Effect::Local, heap::aligned_alloc).allocating(),
    row("memalign", "p:ll", Effect::Local, heap::aligned_alloc).allocating(),
    row("posix_memalign", "i:pll", Effect::Memory, heap::posix_memalign).allocating(),
    row("valloc", "p:l", Effect::Local, heap::malloc).allocating(),
    row("pvalloc", "p:l", Effect::Local, heap::pvalloc).allocating(),
    row("malloc_usable_size", "l:p", Effect::Memory, heap::malloc_usable_size),
    row("malloc_trim", "i:l", Effect::Local, heap::malloc_trim),
    row("exit", "v:i", Effect::Visible, exit).moves_control(),
    row("_exit", "v:i", Effect::Visible, exit_now).moves_control(),
    row("_Exit", "v:i", Effect::Visible, exit_now).moves_control(),
    row("quick_exit", "v:i", Effect::Visible, quick_exit).moves_control(),
    row("abort", "v:", Effect::Visible, abort).moves_control().does(Deed::Fails),
    row("atexit", "i:p", Effect::Visible, atexit).does(Deed::AtExit),
    row("at_quick_exit", "i:p", Effect::Visible, at_quick_exit),
    row("abs", "i:i", Effect::Local, absolute),
    row("labs", "l:l", Effect::Local, absolute),
    row("llabs", "l:l", Effect::Local, absolute),
    row("imaxabs", "l:l", Effect::Local, absolute),
    row("div", "l:ii", Effect::Local, div),
    row("ldiv", "l:ll", Effect::Local, ldiv),
    row("lldiv", "l:ll", Effect::Local, ldiv),
    row("imaxdiv", "l:ll", Effect::Local, ldiv),
    row("rand", "i:", Effect::Visible, random::random),
    row("random", "l:", Effect::Visible, random::random),
    row("srand", "v:i", Effect::Visible, random::seed),
    row("getentropy", "i:pl", Effect::Memory, random::getentropy).outside(random::SAME),
    row("getrandom", "l:pli", Effect::Memory, random::getrandom).outside(random::SAME),
    row("srandom", "v:i", Effect::Visible, random::seed),
    row("rand_r", "i:p", Effect::Memory, random::rand_r),
    row("drand48", "d:", Effect::Visible, random::drand48),
    row("lrand48", "l:", Effect::Visible, random::lrand48),
    row("mrand48", "l:", Effect::Visible, random::mrand48),
    row("erand48", "d:p", Effect::Memory, random::erand48),
    row("nrand48", "l:p", Effect::Memory, random::nrand48),
    row("jrand48", "l:p", Effect::Memory, random::jrand48),
    row("srand48", "v:l", Effect::Visible, random::srand48),
    row("atoi", "i:p", Effect::Memory, number::atoi),
    row("atol", "l:p", Effect::Memory, number::atol),
    row("atoll", "l:p", Effect::Memory, number::atol),
    row("atof", "d:p", Effect::Memory, number::atof),
    row("strtol", "l:ppi", Effect::Memory, number::strtol),
    row("strtoll", "l:ppi", Effect::Memory, number::strtol),
    row("strtoq", "l:ppi", Effect::Memory, number::strtol),
    row("strtoimax", "l:ppi", Effect::Memory, number::strtol),
    row("strtoul", "l:ppi", Effect::Memory, number::strtoul),
    row("strtoull", "l:ppi", Effect::Memory, number::strtoul),
    row("strtouq", "l:ppi", Effect::Memory, number::strtoul),
    row("strtoumax", "l:ppi", Effect::Memory, number::strtoul),
    row("__isoc23_strtol", "l:ppi", Effect::Memory, number::strtol).c23(),
    row("__isoc23_strtoll", "l:ppi", Effect::Memory, number::strtol).c23(),
    row("__isoc23_strtoimax", "l:ppi", Effect::Memory, number::strtol).c23(),
    row("__isoc23_strtoul", "l:ppi", Effect::Memory, number::strtoul).c23(),
    row("__isoc23_strtoull", "l:ppi", Effect::Memory, number::strtoul).c23(),
    row("__isoc23_strtoumax", "l:ppi", Effect::Memory, number::strtoul).c23(),
    row("strtod", "d:pp", Effect::Memory, number::strtod),
    row("strtof", "f:pp", Effect::Memory, number::strtof),
    row("strtold", "x:pp", Effect::Memory, number::strtold),
    row("getenv", "p:p", Effect::Visible, environment::getenv).outside(environment::UNSET),
    row("secure_getenv", "p:p", Effect::Visible, environment::getenv).outside(environment::UNSET),
    row("setenv", "i:ppi", Effect::Visible, environment::setenv),
    row("putenv", "i:p", Effect::Visible, environment::putenv),
    row("unsetenv", "i:p", Effect::Visible, environment::unsetenv),
    row("clearenv", "i:", Effect::Visible, environment::clearenv),
    refused("system", "i:p", Effect::Local, "running another program (`{}`)").cancels(),
    refused("on_exit", "i:pp", Effect::Local, "`{}` (use atexit)"),
    row("__ctype_get_mb_cur_max", "l:", Effect::Local, mb_cur_max),
];

// ---- the end of the program -----------------------------------------------------

fn exit(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.begin_process_exit(args.u64(0))?;
    Err(Stop::Moved)
}

pub fn exit_now(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.own_mut().result = args.u64(0) & 0xff;
    context.exit_program()?;
    Err(Stop::Moved)
}

/// Handlers of the two kinds of exit do not mix.
fn quick_exit(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let place = context.library_variable(library::QUICK_EXIT, || vec![0; QUICK_EXIT_BYTES]);
    let count = context.kept_word(place)?;
    let mut handlers = Vec::new();
    for at in 0..count {
        handlers.push(context.kept_word(place + 8 + 8 * at)?);
    }
    let entry = |handler| AtExit { handler, argument: 0 };
    *context.at_exit_mut() = handlers.into_iter().map(entry).collect();
    context.begin_process_exit(args.u64(0))?;
    Err(Stop::Moved)
}

/// A handler for SIGABRT runs first; should it return, the program ends all
/// the same.
fn abort(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    signal::abort(context)
}

/// What the state has room for (see `System::encode`).
const AT_EXIT_LIMIT: usize = 1000;
const QUICK_EXIT_LIMIT: usize = 32;
const QUICK_EXIT_BYTES: usize = 8 + 8 * QUICK_EXIT_LIMIT;

fn atexit(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.function_behind(args.ptr(0), "an atexit handler")?;
    context.register_at_exit(AtExit { handler: args.ptr(0), argument: 0 })?;
    Ok(Flow::int(0))
}

impl Context<'_, '_> {
    pub fn register_at_exit(&mut self, entry: AtExit) -> Result<(), Stop> {
        if self.at_exit_mut().len() >= AT_EXIT_LIMIT {
            return Err(Stop::unsupported("more than 1000 functions to call at the end"));
        }
        self.at_exit_mut().push(entry);
        Ok(())
    }
}

fn at_quick_exit(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.function_behind(args.ptr(0), "an at_quick_exit handler")?;
    let place = context.library_variable(library::QUICK_EXIT, || vec![0; QUICK_EXIT_BYTES]);
    let count = context.kept_word(place)?;
    if count as usize >= QUICK_EXIT_LIMIT {
        return Err(Stop::unsupported("more than 32 at_quick_exit handlers"));
    }
    context.keep_word(place + 8 + 8 * count, args.ptr(0))?;
    context.keep_word(place, count + 1)?;
    Ok(Flow::int(0))
}

// ---- integer arithmetic -----------------------------------------------------------

fn absolute(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(match args.values[0].ty {
        Scalar::Int(32) => Flow::int(args.i32(0).wrapping_abs()),
        _ => Flow::value((args.u64(0) as i64).wrapping_abs() as u64),
    })
}

/// `div_t` comes back in one register: the quotient in its lower half.
fn div(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (quotient, rest) = divide(context, args.i32(0) as i64, args.i32(1) as i64)?;
    if quotient != quotient as i32 as i64 {
        return Err(context.arithmetic_fault(Undefined::DivisionOverflow));
    }
    Ok(Flow::value(quotient as u32 as u64 | (rest as u32 as u64) << 32))
}

fn ldiv(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (quotient, rest) = divide(context, args.u64(0) as i64, args.u64(1) as i64)?;
    Ok(Flow::ReturnPair(Bits::defined(quotient as u64), Bits::defined(rest as u64)))
}

fn divide(context: &Context<'_, '_>, a: i64, b: i64) -> Result<(i64, i64), Stop> {
    if b == 0 {
        return Err(context.arithmetic_fault(Undefined::DivisionByZero));
    }
    match (a.checked_div(b), a.checked_rem(b)) {
        (Some(quotient), Some(rest)) => Ok((quotient, rest)),
        _ => Err(context.arithmetic_fault(Undefined::DivisionOverflow)),
    }
}

/// One byte is one character in the C locale.
fn mb_cur_max(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::value(1))
}
