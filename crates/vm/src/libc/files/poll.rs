//! `poll.h` and `sys/select.h`: waiting for descriptors, and sleeping.

use exeunt_mem::Bits;
use exeunt_model::SectionKind;
use libc::{EINVAL, POLLERR, POLLHUP, POLLIN, POLLNVAL, POLLOUT};

use super::{Files, Kind, Open};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::clock::{Instant, SECOND};
use crate::stop::{Stop, Waiting};

const WAIT: Effect = Effect::Wait(SectionKind::FileWait);

/// Calls that are not supported.
const NO_MASK: &str = "ppoll with a signal mask";
const NO_DESCRIPTORS: &str = "select of descriptors (poll is supported)";

pub const TABLE: &[Builtin] = &[
    row("poll", "i:pli", WAIT, poll).cancels().sleeps(),
    row("ppoll", "i:plpp", WAIT, ppoll).without(&[NO_MASK]).cancels().sleeps(),
    row("select", "i:ipppp", WAIT, select).without(&[NO_DESCRIPTORS]).cancels().sleeps(),
    row("pselect", "i:ippppp", WAIT, pselect).without(&[NO_DESCRIPTORS]).cancels().sleeps(),
];

type Answer = Result<Flow, Stop>;

/// How long a call may wait.
enum Patience {
    None,
    Some(Instant),
    Endless,
}

/// What a descriptor is ready for: the bits of `poll`.
fn readiness(files: &Files, descriptor: i32) -> i16 {
    let Some(open) = files.behind(descriptor) else { return POLLNVAL };
    let open = &files.opens[open];
    let node = &files.nodes[open.node];
    let when = |condition: bool, bits: i16| if condition { bits } else { 0 };
    match node.kind {
        Kind::Input | Kind::File | Kind::Null => POLLIN | POLLOUT,
        Kind::Output | Kind::Error => POLLOUT,
        Kind::Event => when(node.size > 0, POLLIN) | when(node.size < u64::MAX - 1, POLLOUT),
        Kind::Pipe if open.reads() => {
            when(node.size > 0, POLLIN) | when(!files.has(open.node, Open::writes), POLLHUP)
        }
        // Room for a page, as Linux counts it.
        Kind::Pipe => {
            when(node.size <= 65536 - 4096, POLLOUT)
                | when(!files.has(open.node, Open::reads), POLLERR)
        }
    }
}

fn wait_for(context: &mut Context<'_, '_>, place: u64, count: u64, patience: Patience) -> Answer {
    const ENTRY: u64 = 8;
    if count > 1024 {
        return context.failed(EINVAL);
    }
    let mut answers = Vec::new();
    if count > 0 {
        let files = context.files()?;
        for at in (0..count).map(|index| place.wrapping_add(index * ENTRY)) {
            let (descriptor, events) = (context.read(at, 4)?, context.read(at + 4, 2)?);
            if (descriptor.undefined as u32, events.undefined as u16) != (0, 0) {
                return Err(context.undefined_use("what poll waits for"));
            }
            let descriptor = descriptor.value as u32 as i32;
            let always = POLLERR | POLLHUP | POLLNVAL;
            let found = match descriptor < 0 {
                true => 0,
                false => readiness(&files, descriptor) & (events.value as i16 | always),
            };
            answers.push((at + 6, found));
        }
    }
    let ready = answers.iter().filter(|(_, found)| *found != 0).count();
    match patience {
        Patience::Endless if ready == 0 && count == 0 => {
            return Err(Stop::Blocked(Waiting::Forever("a call that waits for nothing")));
        }
        Patience::Endless if ready == 0 => {
            return Err(Stop::Blocked(Waiting::Descriptors { count }));
        }
        Patience::Some(time) if ready == 0 => drop(context.sleep(time)?),
        Patience::None | Patience::Some(_) | Patience::Endless => context.wait_is_early(),
    }
    for (at, found) in answers {
        context.write(at, 2, Bits::defined(found as u16 as u64))?;
    }
    if count > 0 {
        context.tell(|_| format!("finds {ready} of {count} descriptors ready"));
    }
    Ok(Flow::int(ready as i32))
}

fn poll(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let patience = match args.i32(2) {
        0 => Patience::None,
        time if time < 0 => Patience::Endless,
        time => Patience::Some(i64::from(time) * (SECOND / 1000)),
    };
    wait_for(context, args.ptr(0), args.u64(1), patience)
}

fn ppoll(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if args.ptr(3) != 0 {
        return Err(Stop::unsupported(NO_MASK));
    }
    let patience = match args.ptr(2) {
        0 => Patience::Endless,
        time => Patience::Some(context.duration_at(time, 1)?),
    };
    wait_for(context, args.ptr(0), args.u64(1), patience)
}

/// Only as a way to sleep. A `timeval` has microseconds.
fn select(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    sleep_by_select(context, args, 1000)
}

fn pselect(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    sleep_by_select(context, args, 1)
}

fn sleep_by_select(context: &mut Context<'_, '_>, args: &Args<'_>, unit: i64) -> Answer {
    if (1..=3).any(|index| args.ptr(index) != 0) {
        return Err(Stop::unsupported(NO_DESCRIPTORS));
    }
    let patience = match args.ptr(4) {
        0 => Patience::Endless,
        time => Patience::Some(context.duration_at(time, unit)?),
    };
    wait_for(context, 0, 0, patience)
}
