//! `poll.h` and `sys/select.h`: waiting for descriptors, and sleeping.

use exeunt_mem::Bits;
use exeunt_model::SectionKind;
use libc::{EINVAL, POLLERR, POLLHUP, POLLIN, POLLNVAL, POLLOUT};

use super::{Files, Kind, Open};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::stop::{Stop, Waiting};

const WAIT: Effect = Effect::Wait(SectionKind::FileWait);

pub const TABLE: &[Builtin] = &[
    row("poll", "i:pli", WAIT, poll).cancels(),
    row("ppoll", "i:plpp", WAIT, ppoll).cancels(),
    row("select", "i:ipppp", WAIT, select).cancels(),
    row("pselect", "i:ippppp", WAIT, select).cancels(),
];

type Answer = Result<Flow, Stop>;

/// How long a call may wait.
enum Patience {
    None,
    Some,
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
        Patience::None | Patience::Some | Patience::Endless => {}
    }
    for (at, found) in answers {
        context.write(at, 2, Bits::defined(found as u16 as u64))?;
    }
    context.tell(|_| match ready {
        0 => "sleeps".to_string(),
        _ => format!("finds {ready} of {count} descriptors ready"),
    });
    Ok(Flow::int(ready as i32))
}

fn poll(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let patience = match args.i32(2) {
        0 => Patience::None,
        time if time < 0 => Patience::Endless,
        _ => Patience::Some,
    };
    wait_for(context, args.ptr(0), args.u64(1), patience)
}

fn ppoll(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if args.ptr(3) != 0 {
        return Err(Stop::unsupported("ppoll with a signal mask"));
    }
    let patience = if args.ptr(2) == 0 { Patience::Endless } else { Patience::Some };
    wait_for(context, args.ptr(0), args.u64(1), patience)
}

/// Only as a way to sleep.
fn select(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if (1..=3).any(|index| args.ptr(index) != 0) {
        return Err(Stop::unsupported("select of descriptors (poll is supported)"));
    }
    let patience = if args.ptr(4) == 0 { Patience::Endless } else { Patience::Some };
    wait_for(context, 0, 0, patience)
}
