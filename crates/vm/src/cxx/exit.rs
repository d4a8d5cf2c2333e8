//! Destructors of objects with static storage, run when the program ends.

use exeunt_mem::pointee;

use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Deed, Effect, Flow, row};
use crate::state::system::AtExit;
use crate::stop::Stop;

pub const TABLE: &[Builtin] =
    &[row("__cxa_atexit", "i:pp?p", Effect::Visible, at_exit).does(Deed::AtExit)];

fn at_exit(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    context.function_behind(args.ptr(0), "a destructor")?;
    // Whoever ends the program gets the argument.
    if let Some(target) = pointee(args.ptr(1)) {
        context.share(target);
    }
    context.register_at_exit(AtExit { handler: args.ptr(0), argument: args.ptr(1) })?;
    Ok(Flow::int(0))
}
