//! The instruction table as text: the name, then the fields in order.
//!
//! One row for each instruction; the compiler lists what is missing.

use super::lexer::Parsed;
use super::printer::Line;
use super::reader::Reader;
use super::words::Word;
use crate::{Inst, TrapKind};

macro_rules! put_field {
    ($out:ident, $field:ident, slot) => {
        $out.slot($field)
    };
    ($out:ident, $field:ident, pc) => {
        $out.pc($field)
    };
    ($out:ident, $field:ident, number) => {
        $out.number($field)
    };
    ($out:ident, $field:ident, word) => {
        $out.word($field.word())
    };
    ($out:ident, $field:ident, flag) => {
        $out.flag(stringify!($field), $field)
    };
    ($out:ident, $field:ident, trap) => {
        put_trap($out, $field)
    };
}

macro_rules! take_field {
    ($from:ident, $field:ident, slot) => {
        $from.slot()?
    };
    ($from:ident, $field:ident, pc) => {
        $from.pc()?
    };
    ($from:ident, $field:ident, number) => {
        $from.number()?
    };
    ($from:ident, $field:ident, word) => {
        $from.table_word()?
    };
    ($from:ident, $field:ident, flag) => {
        $from.flag(stringify!($field))?
    };
    ($from:ident, $field:ident, trap) => {
        take_trap($from)?
    };
}

macro_rules! table {
    ($($name:ident { $($field:ident: $kind:ident),* })*) => {
        /// Writes an instruction.
        pub(super) fn put(inst: &Inst, out: &mut Line<'_>) {
            match *inst {
                $(Inst::$name { $($field),* } => {
                    out.word(stringify!($name));
                    $(put_field!(out, $field, $kind);)*
                })*
            }
        }

        /// Reads an instruction.
        pub(super) fn take(from: &mut Reader<'_>) -> Parsed<Inst> {
            let name = from.word()?;
            match name.as_str() {
                $(stringify!($name) => {
                    $(let $field = take_field!(from, $field, $kind);)*
                    Ok(Inst::$name { $($field),* })
                })*
                _ => from.fail(format!("there is no instruction `{name}`")),
            }
        }
    };
}

table! {
    Mov { dst: slot, src: slot }
    Select { dst: slot, cond: slot, a: slot, b: slot }
    Freeze { dst: slot, src: slot }
    Expose { dst: slot, src: slot }
    Int { op: word, width: number, dst: slot, a: slot, b: slot }
    IntUn { op: word, width: number, dst: slot, a: slot }
    Overflow { op: word, width: number, dst: slot, carry: slot, a: slot, b: slot }
    Funnel { left: flag, width: number, dst: slot, a: slot, b: slot, amount: slot }
    Cmp { pred: word, width: number, dst: slot, a: slot, b: slot }
    Trunc { width: number, dst: slot, a: slot }
    SExt { from: number, to: number, dst: slot, a: slot }
    WideInt { op: word, width: number, dst: slot, a: slot, b: slot }
    WideIntUn { op: word, width: number, dst: slot, a: slot }
    WideOverflow { op: word, width: number, dst: slot, carry: slot, a: slot, b: slot }
    WideFunnel { left: flag, width: number, dst: slot, a: slot, b: slot, amount: slot }
    WideCmp { pred: word, width: number, dst: slot, a: slot, b: slot }
    WideSExt { from: number, to: number, dst: slot, a: slot }
    Float { op: word, kind: word, dst: slot, a: slot, b: slot }
    FloatUn { op: word, kind: word, dst: slot, a: slot }
    FloatMulAdd { kind: word, dst: slot, a: slot, b: slot, c: slot }
    FloatCmp { pred: word, kind: word, dst: slot, a: slot, b: slot }
    FloatCast { op: word, kind: word, to: word, width: number, dst: slot, a: slot }
    FloatClass { mask: number, kind: word, dst: slot, a: slot }
    Alloca { dst: slot, size: number, count: slot }
    StackSave { dst: slot }
    StackRestore { src: slot }
    LifetimeStart { addr: slot }
    LifetimeEnd { addr: slot }
    Load { bits: number, pointer: flag, access: word, dst: slot, addr: slot }
    Store { bits: number, pointer: flag, access: word, src: slot, addr: slot }
    PtrIndex { dst: slot, base: slot, index: slot, width: number, scale: number }
    PtrAdd { dst: slot, base: slot, offset: number }
    MemCopy { dst: slot, src: slot, len: slot, may_overlap: flag, volatile: flag }
    MemSet { dst: slot, byte: slot, len: slot, volatile: flag }
    Rmw { op: word, bits: number, order: word, dst: slot, addr: slot, src: slot }
    CmpXchg {
        bits: number, weak: flag, order: word, failure: word, dst: slot, ok: slot, addr: slot,
        list: number
    }
    Fence { order: word }
    TlsAddr { dst: slot, global: number }
    VaArea { dst: slot }
    VaEnd { list: slot }
    Jump { to: pc }
    Branch { cond: slot, yes: pc, no: pc }
    Switch { value: slot, table: number }
    IndirectJump { addr: slot }
    Return { list: number }
    Call { call: number }
    SpinHint {}
    Trap { kind: trap }
    Unsupported { what: number }
}

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
