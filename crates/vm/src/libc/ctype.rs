//! `ctype.h` in the C locale: functions, and the tables behind glibc's
//! macros.
//!
//! A table has entries for -128 to 255; its object begins with the pointer
//! to entry 0 that the `__ctype_…_loc` functions hand out.

use super::library;
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::stop::Stop;

pub const TABLE: &[Builtin] = &[
    row("isupper", "i:i", Effect::Local, |m, args| class(m, args, UPPER)),
    row("islower", "i:i", Effect::Local, |m, args| class(m, args, LOWER)),
    row("isalpha", "i:i", Effect::Local, |m, args| class(m, args, ALPHA)),
    row("isdigit", "i:i", Effect::Local, |m, args| class(m, args, DIGIT)),
    row("isxdigit", "i:i", Effect::Local, |m, args| class(m, args, XDIGIT)),
    row("isspace", "i:i", Effect::Local, |m, args| class(m, args, SPACE)),
    row("isprint", "i:i", Effect::Local, |m, args| class(m, args, PRINT)),
    row("isgraph", "i:i", Effect::Local, |m, args| class(m, args, GRAPH)),
    row("isblank", "i:i", Effect::Local, |m, args| class(m, args, BLANK)),
    row("iscntrl", "i:i", Effect::Local, |m, args| class(m, args, CNTRL)),
    row("ispunct", "i:i", Effect::Local, |m, args| class(m, args, PUNCT)),
    row("isalnum", "i:i", Effect::Local, |m, args| class(m, args, ALNUM)),
    row("isascii", "i:i", Effect::Local, |_, args| Ok(Flow::int((args.u64(0) < 128) as i32))),
    row("toascii", "i:i", Effect::Local, |_, args| Ok(Flow::int(args.i32(0) & 0x7f))),
    row("tolower", "i:i", Effect::Local, |_, args| Ok(Flow::int(to_lower(args.i32(0))))),
    row("toupper", "i:i", Effect::Local, |_, args| Ok(Flow::int(to_upper(args.i32(0))))),
    row("_tolower", "i:i", Effect::Local, |_, args| Ok(Flow::int(to_lower(args.i32(0))))),
    row("_toupper", "i:i", Effect::Local, |_, args| Ok(Flow::int(to_upper(args.i32(0))))),
    row("__ctype_b_loc", "p:", Effect::Local, class_table),
    row("__ctype_tolower_loc", "p:", Effect::Local, lower_table),
    row("__ctype_toupper_loc", "p:", Effect::Local, upper_table),
];

type Answer = Result<Flow, Stop>;

/// Bits of glibc's class table on a little-endian machine.
const UPPER: u16 = 0x0100;
const LOWER: u16 = 0x0200;
const ALPHA: u16 = 0x0400;
const DIGIT: u16 = 0x0800;
const XDIGIT: u16 = 0x1000;
const SPACE: u16 = 0x2000;
const PRINT: u16 = 0x4000;
const GRAPH: u16 = 0x8000;
const BLANK: u16 = 0x0001;
const CNTRL: u16 = 0x0002;
const PUNCT: u16 = 0x0004;
const ALNUM: u16 = 0x0008;

/// The classes of a character; none outside of ASCII.
fn classes(character: i32) -> u16 {
    let Some(byte) = u8::try_from(character).ok().filter(u8::is_ascii) else { return 0 };
    let classes = [
        (UPPER, byte.is_ascii_uppercase()),
        (LOWER, byte.is_ascii_lowercase()),
        (ALPHA, byte.is_ascii_alphabetic()),
        (DIGIT, byte.is_ascii_digit()),
        (XDIGIT, byte.is_ascii_hexdigit()),
        (SPACE, matches!(byte, b' ' | b'\t'..=b'\r')),
        (PRINT, matches!(byte, b' '..=b'~')),
        (GRAPH, byte.is_ascii_graphic()),
        (BLANK, matches!(byte, b' ' | b'\t')),
        (CNTRL, byte.is_ascii_control()),
        (PUNCT, byte.is_ascii_punctuation()),
        (ALNUM, byte.is_ascii_alphanumeric()),
    ];
    classes.iter().filter(|(_, has)| *has).fold(0, |mask, (class, _)| mask | class)
}

/// glibc answers the bit of the class, not 1. Arguments that are neither a
/// character nor EOF would read beside the table.
fn class(context: &mut Context<'_, '_>, args: &Args<'_>, class: u16) -> Answer {
    let character = args.i32(0);
    if !(-128..256).contains(&character) {
        let name = context.callee_name(args);
        let message = format!("{name} is called with {character}, which is not a character");
        return Err(context.fault(exeunt_model::Property::Undefined, message));
    }
    Ok(Flow::int((classes(character) & class) as i32))
}

fn to_lower(character: i32) -> i32 {
    match character {
        0x41..=0x5a => character + 0x20,
        _ => character,
    }
}

fn to_upper(character: i32) -> i32 {
    match character {
        0x61..=0x7a => character - 0x20,
        _ => character,
    }
}

/// A table with the pointer to its entry 0 in front.
fn with_pointer(addr: u64, entry: u64, bytes: impl Iterator<Item = u8>) -> Vec<u8> {
    let zero = addr + 8 + 128 * entry;
    zero.to_le_bytes().into_iter().chain(bytes).collect()
}

fn class_table(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::value(context.library_table(library::CTYPE_CLASS, |addr| {
        with_pointer(addr, 2, (-128..256).flat_map(|c| classes(c).to_le_bytes()))
    })))
}

/// Entries below 0 are those of the bytes they are as `signed char`, apart
/// from EOF.
fn mapping(addr: u64, map: fn(i32) -> i32) -> Vec<u8> {
    let entry = move |c: i32| map(if c < -1 { c + 256 } else { c });
    with_pointer(addr, 4, (-128..256).flat_map(move |c| entry(c).to_le_bytes()))
}

fn lower_table(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    let table = context.library_table(library::CTYPE_LOWER, |addr| mapping(addr, to_lower));
    Ok(Flow::value(table))
}

fn upper_table(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    let table = context.library_table(library::CTYPE_UPPER, |addr| mapping(addr, to_upper));
    Ok(Flow::value(table))
}
