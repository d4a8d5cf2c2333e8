//! `locale.h`: there is the C locale and no other.

use super::library;
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, refused, row};
use crate::stop::Stop;

pub const TABLE: &[Builtin] = &[
    row("setlocale", "p:ip", Effect::Memory, setlocale),
    // What glibc writes instead of a character that the locale does not have is not modelled.
    refused("__exeunt_wide", "v:", Effect::Local, "a character beyond 127 in a wide stream"),
];

/// Asking for the environment's locale gives the C locale too.
fn setlocale(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let known = match args.ptr(1) {
        0 => true,
        addr => matches!(&context.string(args, addr)?[..], b"" | b"C" | b"POSIX"),
    };
    let known = known && (0..=12).contains(&args.i32(0));
    if !known {
        return Ok(Flow::value(0));
    }
    Ok(Flow::value(context.library_table(library::LOCALE_NAME, |_| b"C\0".to_vec())))
}
