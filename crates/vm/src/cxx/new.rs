//! `new` and `delete`. A block remembers which of them made it: giving it
//! back in another way is undefined.

use exeunt_ir::address;
use exeunt_mem::Flags;
use exeunt_model::{Fault, Property};

use super::throw;
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::libc::mman::MAPPED;
use crate::stop::Stop;
use crate::thread::frame::OnReturn;

type Answer = Result<Flow, Stop>;

pub const TABLE: &[Builtin] = &[
    row("_Znwm", "p:l", Effect::Local, new).allocating().moves_control(),
    row("_Znam", "p:l", Effect::Local, new_array).allocating().moves_control(),
    row("_ZnwmSt11align_val_t", "p:ll", Effect::Local, new).allocating().moves_control(),
    row("_ZnamSt11align_val_t", "p:ll", Effect::Local, new_array).allocating().moves_control(),
    row("_ZnwmRKSt9nothrow_t", "p:lp", Effect::Local, new_or_null).allocating(),
    row("_ZnamRKSt9nothrow_t", "p:lp", Effect::Local, new_array_or_null).allocating(),
    row("_ZnwmSt11align_val_tRKSt9nothrow_t", "p:llp", Effect::Local, new_or_null).allocating(),
    row("_ZnamSt11align_val_tRKSt9nothrow_t", "p:llp", Effect::Local, new_array_or_null)
        .allocating(),
    row("_ZdlPv", "v:p", Effect::Memory, delete),
    row("_ZdaPv", "v:p", Effect::Memory, delete_array),
    row("_ZdlPvm", "v:pl", Effect::Memory, delete),
    row("_ZdaPvm", "v:pl", Effect::Memory, delete_array),
    row("_ZdlPvSt11align_val_t", "v:pl", Effect::Memory, delete),
    row("_ZdaPvSt11align_val_t", "v:pl", Effect::Memory, delete_array),
    row("_ZdlPvmSt11align_val_t", "v:pll", Effect::Memory, delete),
    row("_ZdaPvmSt11align_val_t", "v:pll", Effect::Memory, delete_array),
    row("_ZdlPvRKSt9nothrow_t", "v:pp", Effect::Memory, delete),
    row("_ZdaPvRKSt9nothrow_t", "v:pp", Effect::Memory, delete_array),
];

fn new(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let block = allocate(context, args, Flags::NEW)?;
    or_throw(context, block)
}

fn new_array(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let block = allocate(context, args, Flags::NEW_ARRAY)?;
    or_throw(context, block)
}

fn or_throw(context: &mut Context<'_, '_>, block: u64) -> Answer {
    match block {
        0 => match context.defined_function(throw::BAD_ALLOC) {
            Some(thrower) => {
                context.push_internal(thrower, &[], OnReturn::Continue);
                Ok(Flow::Moved)
            }
            None => Err(throw::nobody_catches(context, "std::bad_alloc", "")),
        },
        block => Ok(Flow::value(block)),
    }
}

fn new_or_null(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::value(allocate(context, args, Flags::NEW)?))
}

fn new_array_or_null(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::value(allocate(context, args, Flags::NEW_ARRAY)?))
}

fn allocate(context: &mut Context<'_, '_>, args: &Args<'_>, by: Flags) -> Result<u64, Stop> {
    let block = context.heap_block(args.u64(0), false)?;
    if block != 0 {
        context.set_flags(address::object(block), by);
    }
    Ok(block)
}

fn delete(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    give_back(context, args, Flags::NEW)
}

fn delete_array(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    give_back(context, args, Flags::NEW_ARRAY)
}

fn give_back(context: &mut Context<'_, '_>, args: &Args<'_>, by: Flags) -> Answer {
    let addr = args.ptr(0);
    if addr != 0 {
        context.free_block(addr, by)?;
    }
    Ok(Flow::VOID)
}

/// The two ways that do not fit together, for a block that is given back in
/// another way than it was made.
pub fn mismatch(made: Flags, given_back: Flags, name: &str) -> Fault {
    let by = |flags: Flags| match flags {
        _ if flags.has(MAPPED) => ("mmap", "munmap"),
        _ if flags.has(Flags::NEW) => ("new", "delete"),
        _ if flags.has(Flags::NEW_ARRAY) => ("new[]", "delete[]"),
        _ => ("malloc", "free"),
    };
    let ((maker, right), (_, wrong)) = (by(made), by(given_back));
    Fault::new(
        Property::Memory,
        format!("{name} was made by `{maker}` and is given back by `{wrong}`"),
    )
    .help(format!("what `{maker}` made is for `{right}`"))
}
