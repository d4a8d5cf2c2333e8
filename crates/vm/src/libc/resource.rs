//! `sys/resource.h` and `sys/prctl.h`: limits, what was used, names of threads.
//!
//! No limit is ever reached, and nothing was used.

use exeunt_mem::Bits;
use libc::EINVAL;

use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Deed, Effect, Flow, row};
use crate::stop::Stop;

const LIMITS: &str = "no resource was limited";
const USED: &str = "no processor time was used";

pub const TABLE: &[Builtin] = &[
    row("getrlimit", "i:ip", Effect::Memory, get_limit).outside(LIMITS),
    row("getrlimit64", "i:ip", Effect::Memory, get_limit).outside(LIMITS),
    row("setrlimit", "i:ip", Effect::Memory, set_limit),
    row("setrlimit64", "i:ip", Effect::Memory, set_limit),
    row("getrusage", "i:ip", Effect::Memory, get_usage).outside(USED),
    row("getpriority", "i:ii", Effect::Local, get_priority).outside("the priority was 0"),
    row("setpriority", "i:iii", Effect::Local, set_priority),
    row("prctl", "i:i.", Effect::Memory, prctl).does(Deed::TellsName),
];

type Answer = Result<Flow, Stop>;

/// RLIM_NLIMITS.
const RESOURCES: i32 = 16;
const UNLIMITED: u64 = u64::MAX;
/// Bytes of a `struct rusage`.
const USAGE: usize = 144;

fn get_limit(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let resource = args.i32(0);
    if !(0..RESOURCES).contains(&resource) {
        return context.failed(EINVAL);
    }
    let soft = match resource as u32 {
        libc::RLIMIT_STACK => context.options().stack,
        libc::RLIMIT_NOFILE => 1024,
        libc::RLIMIT_CORE => 0,
        _ => UNLIMITED,
    };
    context.write(args.ptr(1), 8, Bits::defined(soft))?;
    context.write(args.ptr(1) + 8, 8, Bits::defined(UNLIMITED))?;
    Ok(Flow::int(0))
}

/// No core file is ever written; any other limit could be reached.
fn set_limit(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match args.i32(0) {
        resource if !(0..RESOURCES).contains(&resource) => context.failed(EINVAL),
        resource if resource as u32 == libc::RLIMIT_CORE => Ok(Flow::int(0)),
        resource => Err(Stop::unsupported(format!("setrlimit({resource})"))),
    }
}

fn get_usage(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    // RUSAGE_CHILDREN, RUSAGE_SELF, RUSAGE_THREAD
    if !(-1..=1).contains(&args.i32(0)) {
        return context.failed(EINVAL);
    }
    context.write_bytes(args.ptr(1), &[0; USAGE], &[])?;
    Ok(Flow::int(0))
}

fn get_priority(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::int(0))
}

fn set_priority(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::int(0))
}

/// The name of the thread; everything else is refused.
fn prctl(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let place = args.values.get(1).map_or(0, |value| value.low.value);
    match args.i32(0) {
        libc::PR_SET_NAME => {
            let name = context.string(args, place)?;
            context.set_own_name(&name)?;
            Ok(Flow::int(0))
        }
        libc::PR_GET_NAME => {
            let mut name = context.own_name()?;
            name.resize(16, 0);
            context.write_bytes(place, &name, &[])?;
            Ok(Flow::int(0))
        }
        // Neither a core file nor the end of a parent or of privileges is part of the model.
        libc::PR_SET_DUMPABLE
        | libc::PR_SET_PDEATHSIG
        | libc::PR_SET_NO_NEW_PRIVS
        | libc::PR_SET_TIMERSLACK => Ok(Flow::int(0)),
        option => Err(Stop::unsupported(format!("prctl({option})"))),
    }
}
