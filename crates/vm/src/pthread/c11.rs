//! C11 `<threads.h>`: the same objects under other names and with other
//! return values.

use exeunt_mem::Bits;
use exeunt_model::SectionKind;

use super::mutex;
use super::thread::ABANDONED;
use crate::builtin::Context;
use crate::builtin::{
    Args, Builtin, CONDITION, CONDITION_AND_MUTEX, Chooses, Deed, Effect, Flow, MUTEX, Orders,
    Touches, row,
};
use crate::machine::thread_object;
use crate::stop::Stop;

const LOCK: Effect = Effect::Wait(SectionKind::MutexWait);
const V: Effect = Effect::Visible;

/// What is entered with a lock.
const HELD: &[SectionKind] = &[SectionKind::Critical];
const WAITING: &[SectionKind] = &[SectionKind::CondWait];

pub const TABLE: &[Builtin] = &[
    row("thrd_create", "i:ppp?", V, create),
    row("thrd_join", "i:lp", Effect::Wait(SectionKind::Join), join)
        .syncs(Touches::Thread)
        .orders(Orders::Joins)
        .cancels(),
    row("thrd_detach", "i:l", V, detach).observes(Touches::Thread),
    row("thrd_current", "l:", Effect::Local, current),
    row("thrd_equal", "i:ll", Effect::Local, equal),
    row("thrd_exit", "v:i", V, exit).releases(Touches::End).closes(ABANDONED).moves_control(),
    row("thrd_yield", "v:", Effect::Local, yields),
    row("thrd_sleep", "i:pp", V, sleep).cancels().sleeps(),
    row("mtx_init", "i:pi", Effect::Memory, mtx_init),
    row("mtx_destroy", "v:p", V, mtx_destroy).observes(MUTEX),
    row("mtx_lock", "i:p", LOCK, mtx_lock).syncs(MUTEX).opens(HELD),
    row("mtx_trylock", "i:p", V, mtx_trylock).observes(MUTEX).opens(HELD),
    row("mtx_timedlock", "i:pp", LOCK, mtx_timedlock).observes(MUTEX).opens(HELD).until(TIMED_OUT),
    row("mtx_unlock", "i:p", V, mtx_unlock).releases(MUTEX).closes(HELD),
    row("cnd_init", "i:p", Effect::Memory, cnd_init),
    row("cnd_destroy", "v:p", V, cnd_destroy).syncs(CONDITION),
    row("cnd_wait", "i:pp", V, cnd_wait)
        .syncs(CONDITION_AND_MUTEX)
        .opens(WAITING)
        .closes(HELD)
        .cancels(),
    row("cnd_timedwait", "i:ppp", V, cnd_timedwait)
        .syncs(CONDITION_AND_MUTEX)
        .opens(WAITING)
        .closes(HELD)
        .cancels()
        .until(TIMED_OUT),
    row("cnd_signal", "i:p", V, cnd_signal).syncs(CONDITION).orders(Orders::Wakes),
    row("cnd_broadcast", "i:p", V, cnd_broadcast).syncs(CONDITION).orders(Orders::Wakes),
    row("tss_create", "i:pp", V, tss_create).chooses(Chooses::All),
    row("tss_delete", "v:i", V, tss_delete).does(Deed::DeletesKey),
    row("tss_set", "i:ip", Effect::Specific, tss_set),
    row("tss_get", "p:i", Effect::Specific, tss_get),
];

const SUCCESS: i32 = 0;
const BUSY: i32 = 1;
const ERROR: i32 = 2;
pub const TIMED_OUT: i32 = 4;
const MTX_RECURSIVE: i32 = 1;

fn success() -> Result<Flow, Stop> {
    Ok(Flow::int(SUCCESS))
}

fn code(errno: i32) -> Result<Flow, Stop> {
    Ok(Flow::int(match errno {
        0 => SUCCESS,
        super::EBUSY => BUSY,
        super::ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    }))
}

fn create(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let thread = context.create_thread(args.ptr(1), args.values[2].low)?;
    context.write(args.ptr(0), 8, Bits::defined(thread_object(thread).at(0)))?;
    success()
}

fn join(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let result = context.join_thread(args.u64(0))?;
    if args.ptr(1) != 0 {
        context.write(args.ptr(1), 4, Bits::defined(result & u32::MAX as u64))?;
    }
    success()
}

fn detach(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.detach_thread(args.u64(0))?;
    success()
}

fn current(context: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::value(thread_object(context.me()).at(0)))
}

fn equal(_: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::int((args.u64(0) == args.u64(1)) as i32))
}

fn exit(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.unwind_thread(args.u64(0))?;
    Err(Stop::Moved)
}

fn yields(_: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    success()
}

/// No real time: the sleeper may be resumed at any point.
fn sleep(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    const NO_TIME: i32 = -2;
    match context.is_time(args.ptr(0))? {
        true => {
            let until = context.time_at(args.ptr(0), 0)?;
            context.sleep(until).map(|_| Flow::int(SUCCESS))
        }
        false => Ok(Flow::int(NO_TIME)),
    }
}

fn mtx_init(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let recursive = args.i32(1) & MTX_RECURSIVE != 0;
    context.init_mutex(args.ptr(0), if recursive { mutex::RECURSIVE } else { mutex::NORMAL })?;
    success()
}

fn mtx_destroy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.destroy_mutex(args.ptr(0))?;
    Ok(Flow::VOID)
}

fn mtx_lock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    code(context.lock_mutex(args.ptr(0))?)
}

fn mtx_trylock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    match context.lock_mutex(args.ptr(0)) {
        Ok(errno) => code(errno),
        Err(Stop::Blocked(_)) => Ok(Flow::int(BUSY)),
        Err(stop) => Err(stop),
    }
}

fn mtx_timedlock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    code(context.lock_mutex_until(args.ptr(0), args.ptr(1))?)
}

fn cnd_wait(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    code(context.wait_condition(args.ptr(0), args.ptr(1), false)?)
}

fn cnd_timedwait(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    code(context.wait_until(args.ptr(0), args.ptr(1), args.ptr(2))?)
}

fn mtx_unlock(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    code(context.unlock_mutex(args.ptr(0))?)
}

fn cnd_init(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.init_condition(args.ptr(0))?;
    success()
}

fn cnd_destroy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.destroy_condition(args.ptr(0))?;
    Ok(Flow::VOID)
}

fn cnd_signal(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.signal_condition(args.ptr(0))?;
    success()
}

fn cnd_broadcast(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.broadcast_condition(args.ptr(0))?;
    success()
}

fn tss_create(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    match context.create_key(args.ptr(1)) {
        Some(key) => {
            context.write(args.ptr(0), 4, Bits::defined(key as u64))?;
            success()
        }
        None => Ok(Flow::int(ERROR)),
    }
}

fn tss_delete(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.delete_key(args.i32(0) as u32);
    Ok(Flow::VOID)
}

fn tss_set(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let key = args.i32(0) as u32;
    if !context.is_key(key) {
        return Ok(Flow::int(ERROR));
    }
    context.set_specific(key, args.ptr(1));
    success()
}

fn tss_get(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::value(context.specific(args.i32(0) as u32)))
}
