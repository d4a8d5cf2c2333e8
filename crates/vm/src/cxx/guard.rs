//! Variables that are initialised when control first comes by. Compiled code
//! looks at the first byte of the guard and comes here while that is 0. The
//! second word is 0, or 1 with the number of the thread that initialises
//! above it.

use exeunt_mem::Bits;
use exeunt_model::SectionKind;

use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, Orders, row};
use crate::stop::{Stop, Waiting};

const INITIALISING: &[SectionKind] = &[SectionKind::Once];

pub const TABLE: &[Builtin] = &[
    row("__cxa_guard_acquire", "i:p", Effect::Wait(SectionKind::Once), acquire)
        .orders(Orders::AcquiresAlways),
    row("__cxa_guard_release", "v:p", Effect::Visible, release)
        .orders(Orders::Releases)
        .closes(INITIALISING),
    row("__cxa_guard_abort", "v:p", Effect::Visible, give_up).closes(INITIALISING),
];

const RUNNING: u64 = 1;
const RUNNER: u32 = 8;

/// 1 tells the caller to initialise, 0 that it is done. A thread that comes
/// by again while it initialises waits for itself: the standard leaves that
/// undefined, and libraries wait or throw.
fn acquire(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    if context.as_sync(|m| m.read(addr, 1))?.value & 1 != 0 {
        return Ok(Flow::int(0));
    }
    let running = context.as_sync(|m| m.read(addr + 4, 4))?.value;
    if running != 0 {
        let runner = (running >> RUNNER) as u32;
        return Err(Stop::Blocked(Waiting::Once { addr, runner }));
    }
    set_running(context, addr, RUNNING | u64::from(context.me()) << RUNNER)?;
    context.stay_in_once(addr);
    context.tell(|m| format!("begins to initialise {}", m.name_resource(addr)));
    Ok(Flow::int(1))
}

fn release(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    context.as_sync(|m| m.write(addr, 1, Bits::defined(1)))?;
    set_running(context, addr, 0)?;
    context.close(SectionKind::Once, addr);
    context.tell(|m| format!("has initialised {}", m.name_resource(addr)));
    Ok(Flow::VOID)
}

fn give_up(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    set_running(context, args.ptr(0), 0)?;
    context.close(SectionKind::Once, args.ptr(0));
    Ok(Flow::VOID)
}

fn set_running(context: &mut Context<'_, '_>, addr: u64, word: u64) -> Result<(), Stop> {
    context.as_sync(|m| m.write(addr + 4, 4, Bits::defined(word)))
}
