//! Instructions as text, made of the instruction table: the name, then the
//! fields in order.

use super::lexer::Parsed;
use super::printer::Line;
use super::reader::Reader;
use super::words::Word;
use crate::{Inst, TrapKind};

/// Writes a field, by its role.
macro_rules! put_field {
    ($out:ident, $field:ident, def $($count:tt)?) => {
        $out.slot($field)
    };
    ($out:ident, $field:ident, arg $($count:tt)?) => {
        $out.slot($field)
    };
    ($out:ident, $field:ident, label) => {
        $out.slot($field)
    };
    ($out:ident, $field:ident, pc) => {
        $out.pc($field)
    };
    ($out:ident, $field:ident, word $ty:tt) => {
        $out.word($field.word())
    };
    ($out:ident, $field:ident, flag) => {
        $out.flag(stringify!($field), $field)
    };
    ($out:ident, $field:ident, trap) => {
        put_trap($out, $field)
    };
    // Numbers, and rows of side tables.
    ($out:ident, $field:ident, $role:ident $($arg:tt)?) => {
        $out.number($field)
    };
}

/// Reads a field, by its role.
macro_rules! take_field {
    ($from:ident, $field:ident, def $($count:tt)?) => {
        $from.slot()?
    };
    ($from:ident, $field:ident, arg $($count:tt)?) => {
        $from.slot()?
    };
    ($from:ident, $field:ident, label) => {
        $from.slot()?
    };
    ($from:ident, $field:ident, pc) => {
        $from.pc()?
    };
    ($from:ident, $field:ident, word $ty:tt) => {
        $from.table_word()?
    };
    ($from:ident, $field:ident, flag) => {
        $from.flag(stringify!($field))?
    };
    ($from:ident, $field:ident, trap) => {
        take_trap($from)?
    };
    ($from:ident, $field:ident, $role:ident $($arg:tt)?) => {
        $from.number()?
    };
}

macro_rules! text {
    ($(
        $(#[$doc:meta])*
        $name:ident { $($field:ident: $role:ident $(($($arg:tt)*))?),* }
        $(=> $($effect:ident ($($what:tt)*)),+)?
        $(ends $(if $end:expr)?)?;
    )*) => {
        /// Writes an instruction.
        pub(super) fn put(inst: &Inst, out: &mut Line<'_>) {
            match *inst {
                $(Inst::$name { $($field),* } => {
                    out.word(stringify!($name));
                    $(put_field!(out, $field, $role $(($($arg)*))?);)*
                })*
            }
        }

        /// Reads an instruction.
        pub(super) fn take(from: &mut Reader<'_>) -> Parsed<Inst> {
            let name = from.word()?;
            match name.as_str() {
                $(stringify!($name) => {
                    $(let $field = take_field!(from, $field, $role $(($($arg)*))?);)*
                    Ok(Inst::$name { $($field),* })
                })*
                _ => from.fail(format!("there is no instruction `{name}`")),
            }
        }
    };
}

instructions!(text);

fn put_trap(out: &mut Line<'_>, kind: TrapKind) {
    match kind {
        TrapKind::Trap => out.word("trap"),
        TrapKind::Unreachable => out.word("unreachable"),
        TrapKind::Debug => out.word("debug"),
        TrapKind::Undefined(check) => {
            out.word("undefined");
            out.number(check);
        }
    }
}

fn take_trap(from: &mut Reader<'_>) -> Parsed<TrapKind> {
    let word = from.word()?;
    match word.as_str() {
        "trap" => Ok(TrapKind::Trap),
        "unreachable" => Ok(TrapKind::Unreachable),
        "debug" => Ok(TrapKind::Debug),
        "undefined" => Ok(TrapKind::Undefined(from.number()?)),
        _ => from.fail(format!("there is no trap `{word}`")),
    }
}
