//! `sys/mman.h`: anonymous memory.
//!
//! A mapping is an object of its own, zero at first, of whole pages. It ends as a whole.
//! Protection is not modelled: pages that may not be read or written are refused.

use exeunt_ir::address::{self, Space};
use exeunt_mem::{Bits, Flags};
use libc::{EINVAL, ENOMEM, MAP_ANONYMOUS, MAP_FIXED, MAP_FIXED_NOREPLACE, MAP_SHARED};
use libc::{MAP_PRIVATE, PROT_READ, PROT_WRITE};

use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, refused, row};
use crate::stop::Stop;

/// Calls that are not supported.
const NO_FILE: &str = "mmap of a file";
const NO_ADDRESS: &str = "mmap at a fixed address";
const NO_GUARD: &str = "mmap of pages that cannot be read and written";
const NO_PART: &str = "munmap of a part of a mapping, or of several";
const NO_RIGHT_LESS: &str = "mprotect that takes a right away";
const NO_THROWING_AWAY: &str = "madvise that throws memory away";

pub const TABLE: &[Builtin] = &[
    row("mmap", "p:pliiil", Effect::Local, map)
        .without(&[NO_FILE, NO_ADDRESS, NO_GUARD])
        .allocating(),
    row("mmap64", "p:pliiil", Effect::Local, map)
        .without(&[NO_FILE, NO_ADDRESS, NO_GUARD])
        .allocating(),
    row("munmap", "i:pl", Effect::Memory, unmap).without(&[NO_PART]),
    row("mprotect", "i:pli", Effect::Local, protect).without(&[NO_RIGHT_LESS]),
    row("madvise", "i:pli", Effect::Local, advise).without(&[NO_THROWING_AWAY]),
    row("posix_madvise", "i:pli", Effect::Local, advise).without(&[NO_THROWING_AWAY]),
    row("mlock", "i:pl", Effect::Local, keep),
    row("munlock", "i:pl", Effect::Local, keep),
    row("mlockall", "i:i", Effect::Local, keep),
    row("munlockall", "i:", Effect::Local, keep),
    refused("msync", "i:pli", Effect::Local, "`{}`"),
    refused("mremap", "p:plli.", Effect::Local, "`{}`"),
    refused("shm_open", "i:pii", Effect::Local, "`{}`"),
    refused("shm_unlink", "i:p", Effect::Local, "`{}`"),
];

type Answer = Result<Flow, Stop>;

/// The family of memory that `munmap` gives back: neither `free` nor `delete` does.
pub const MAPPED: Flags = Flags(Flags::NEW.0 | Flags::NEW_ARRAY.0);
const PAGE: u64 = 4096;
const BOTH: i32 = PROT_READ | PROT_WRITE;

fn map(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (length, protection, flags) = (args.u64(1), args.i32(2), args.i32(3));
    let sharing = flags & (MAP_PRIVATE | MAP_SHARED);
    if length == 0 || sharing == 0 {
        return context.failed(EINVAL);
    }
    if flags & MAP_ANONYMOUS == 0 {
        return Err(Stop::unsupported(NO_FILE));
    }
    if flags & (MAP_FIXED | MAP_FIXED_NOREPLACE) != 0 {
        return Err(Stop::unsupported(NO_ADDRESS));
    }
    if protection & BOTH != BOTH {
        return Err(Stop::unsupported(NO_GUARD));
    }
    let Some(size) = length.checked_next_multiple_of(PAGE) else { return context.failed(ENOMEM) };
    match context.heap_block(size, true)? {
        0 => context.failed(ENOMEM),
        block => {
            context.set_flags(address::object(block), MAPPED);
            Ok(Flow::Return(Bits::defined(block)))
        }
    }
}

fn unmap(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (addr, length) = (args.ptr(0), args.u64(1));
    if length == 0 || !addr.is_multiple_of(PAGE) {
        return context.failed(EINVAL);
    }
    let id = address::object(addr);
    let size = match context.header(id) {
        Some(header) if id.space() == Some(Space::Heap) => u64::from(header.size),
        // The kernel accepts it; no program means it.
        Some(_) | None => {
            let message = "munmap of memory that is not mapped (any more)";
            return Err(context.misuse(message, "unmap a mapping once, from its beginning"));
        }
    };
    if address::offset(addr) != 0 || length.next_multiple_of(PAGE) != size {
        return Err(Stop::unsupported(NO_PART));
    }
    context.free_block(addr, MAPPED)?;
    Ok(Flow::int(0))
}

fn protect(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match args.i32(2) & BOTH == BOTH {
        true => Ok(Flow::int(0)),
        false => Err(Stop::unsupported(NO_RIGHT_LESS)),
    }
}

/// Advice changes nothing, but for memory that may be thrown away.
fn advise(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match args.i32(2) {
        libc::MADV_DONTNEED | libc::MADV_FREE | libc::MADV_REMOVE => {
            Err(Stop::unsupported(NO_THROWING_AWAY))
        }
        _ => Ok(Flow::int(0)),
    }
}

fn keep(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::int(0))
}
