//! The heap: every block is an object of its own.

use libc::{EINVAL, ENOMEM};
use std::fmt;

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_mem::{Bits, Flags};
use exeunt_model::{BlockId, ChoiceKind, Fault, Property};

use super::Answer;
use crate::builtin::Context;
use crate::builtin::{Args, Flow};
use crate::cxx;
use crate::stop::Stop;

/// What no machine has: asking for more fails as it would natively.
const IMPOSSIBLE: u64 = 1 << 40;
const PAGE: u64 = 4096;
/// The family of functions without a flag.
pub const MALLOC: Flags = Flags(0);

/// What is done with a block, in words.
#[derive(Clone, Copy)]
enum Verb {
    Free,
    Delete,
    Resize,
    Measure,
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verb::Free => "free",
            Verb::Delete => "delete",
            Verb::Resize => "realloc",
            Verb::Measure => "malloc_usable_size",
        })
    }
}

impl Context<'_, '_> {
    /// A block on the heap, or 0 (and `errno`) if there is no memory.
    pub fn heap_block(&mut self, size: u64, zeroed: bool) -> Result<u64, Stop> {
        let block = self.new_block(size, zeroed)?;
        if block == 0 {
            self.set_errno(ENOMEM)?;
        }
        Ok(block)
    }

    fn new_block(&mut self, size: u64, zeroed: bool) -> Result<u64, Stop> {
        debug_assert!(self.is_declared_allocation(), "the row of the function says so");
        let fails = self.options().malloc_fails && self.choose(ChoiceKind::Environment, 2)? == 1;
        if fails || size > IMPOSSIBLE {
            self.tell(|_| format!("gets no memory ({size} bytes)"));
            return Ok(0);
        }
        let id = self.allocate(Space::Heap, size, !zeroed)?;
        self.tell_of_memory(|_| format!("allocates {size} bytes"));
        Ok(id.at(0))
    }

    /// The block that a pointer means, which must be its beginning.
    fn block_behind(&mut self, addr: u64, verb: Verb) -> Result<ObjId, Stop> {
        let id = address::object(addr);
        let exists = self.header(id).is_some();
        let fault = match id.space() {
            Some(Space::Heap) if exists && address::offset(addr) == 0 => return Ok(id),
            Some(Space::Heap) if exists => {
                let (name, offset) = (self.name_object(id), address::offset(addr));
                let message = format!("{verb} of a pointer to offset {offset} of {name}");
                Fault::new(Property::Memory, message)
                    .help("only the address that malloc gave may be freed")
            }
            Some(Space::Heap) => {
                let message = match verb {
                    Verb::Free | Verb::Delete => {
                        format!("double {verb}: the memory is already free")
                    }
                    Verb::Resize | Verb::Measure => {
                        format!("{verb} of memory that is already free")
                    }
                };
                Fault::new(Property::Memory, message)
                    .help("decide who frees it: a block has one owner at a time")
                    .of_block(BlockId::new(id.0))
            }
            Some(_) => {
                let name = self.name_place(addr);
                let message = format!("{verb} of {name}, which malloc has not given");
                Fault::new(Property::Memory, message)
            }
            None => {
                let message = format!("{verb} of {addr:#x}, which is not the address of anything");
                Fault::new(Property::Memory, message)
            }
        };
        Err(self.located(fault).into())
    }

    /// Ends a block that was made by the same family of functions.
    pub fn free_block(&mut self, addr: u64, by: Flags) -> Result<(), Stop> {
        let id = self.block_behind(addr, if by == MALLOC { Verb::Free } else { Verb::Delete })?;
        self.check_family(id, by)?;
        self.note_freed(id)?;
        self.tell_of_memory(|context| format!("frees {}", context.name_object(id)));
        self.end_block_of_heap(id);
        Ok(())
    }

    fn end_block_of_heap(&mut self, id: ObjId) {
        let flags = self.header(id).map_or(MALLOC, |header| header.flags);
        self.tell_freed(id);
        self.destroy(id, true);
        self.remember_freed(id, flags);
    }

    fn check_family(&mut self, id: ObjId, by: Flags) -> Result<(), Stop> {
        let family = Flags::NEW | Flags::NEW_ARRAY;
        let made = self.header(id).map_or(MALLOC, |header| header.flags);
        if made.0 & family.0 == by.0 {
            return Ok(());
        }
        let name = self.name_object(id);
        Err(self.located(cxx::mismatch(made, by, &name)).into())
    }

    fn resize_block(&mut self, addr: u64, size: u64) -> Result<u64, Stop> {
        let id = self.block_behind(addr, Verb::Resize)?;
        self.check_family(id, MALLOC)?;
        if size == 0 {
            self.free_block(addr, MALLOC)?;
            return Ok(0);
        }
        let new = self.heap_block(size, false)?;
        if new == 0 {
            return Ok(0);
        }
        let old = self.header(id).expect("checked above");
        let kept = size.min(old.size as u64);
        if kept > 0 {
            let (data, shadow) = self.read_bytes(addr, kept)?;
            self.write_bytes(new, &data, &shadow)?;
        }
        self.note_freed(id)?;
        if old.flags.has(Flags::UNALIGNED) {
            self.set_flags(address::object(new), Flags::UNALIGNED);
        }
        self.end_block_of_heap(id);
        Ok(new)
    }

    fn no_memory(&mut self) -> Answer {
        self.set_errno(ENOMEM)?;
        Ok(Flow::value(0))
    }
}

pub fn malloc(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::value(context.heap_block(args.u64(0), false)?))
}

pub fn calloc(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match args.u64(0).checked_mul(args.u64(1)) {
        Some(size) => Ok(Flow::value(context.heap_block(size, true)?)),
        None => context.no_memory(),
    }
}

pub fn resize(context: &mut Context<'_, '_>, addr: u64, size: u64) -> Answer {
    let block = match addr {
        0 => context.heap_block(size, false)?,
        _ => context.resize_block(addr, size)?,
    };
    Ok(Flow::value(block))
}

pub fn realloc(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    resize(context, args.ptr(0), args.u64(1))
}

pub fn reallocarray(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match args.u64(1).checked_mul(args.u64(2)) {
        Some(size) => resize(context, args.ptr(0), size),
        None => context.no_memory(),
    }
}

pub fn free(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if args.ptr(0) != 0 {
        context.free_block(args.ptr(0), MALLOC)?;
    }
    Ok(Flow::VOID)
}

/// Every object begins at an address that is a multiple of 2^31.
pub fn aligned_alloc(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (alignment, size) = (args.u64(0), args.u64(1));
    if !alignment.is_power_of_two() {
        context.set_errno(EINVAL)?;
        return Ok(Flow::value(0));
    }
    Ok(Flow::value(context.heap_block(size, false)?))
}

/// Answers the error instead of setting `errno`.
pub fn posix_memalign(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (place, alignment, size) = (args.ptr(0), args.u64(1), args.u64(2));
    if !alignment.is_power_of_two() || alignment % 8 != 0 {
        return Ok(Flow::int(EINVAL));
    }
    let block = context.new_block(size, false)?;
    if block == 0 {
        return Ok(Flow::int(ENOMEM));
    }
    context.write(place, 8, Bits::defined(block))?;
    Ok(Flow::int(0))
}

pub fn pvalloc(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let size = args.u64(0).checked_next_multiple_of(PAGE).unwrap_or(u64::MAX);
    Ok(Flow::value(context.heap_block(size, false)?))
}

/// Exactly what was asked for: relying on more is relying on an accident.
pub fn malloc_usable_size(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if args.ptr(0) == 0 {
        return Ok(Flow::value(0));
    }
    let id = context.block_behind(args.ptr(0), Verb::Measure)?;
    let size = context.header(id).map_or(0, |header| header.size);
    Ok(Flow::value(size as u64))
}

pub fn malloc_trim(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::int(0))
}
