//! Which slots an instruction reads and writes, which rows of side tables it
//! needs, and where control goes next, read off the instruction table.

use crate::{Callee, CastOp, FloatKind, FloatOp, Function, Inst, Pc, Slot};

/// A run of neighbouring slots that an instruction touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    pub slot: Slot,
    pub count: u32,
    pub write: bool,
}

/// The tables outside of the code that instructions have rows in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideTable {
    Lists,
    Calls,
    Switches,
    Unsupported,
    Globals,
}

/// How many slots an integer of so many bits takes.
fn slots(bits: u8) -> u32 {
    if bits > 64 { 2 } else { 1 }
}

impl FloatKind {
    pub(crate) fn slots(self) -> u32 {
        match self {
            FloatKind::F32 | FloatKind::F64 => 1,
            FloatKind::F80 => 2,
        }
    }
}

impl FloatOp {
    /// The slots of the second operand, which may be an `i32`.
    fn second_slots(self, kind: FloatKind) -> u32 {
        match self {
            FloatOp::PowI | FloatOp::LdExp => 1,
            FloatOp::Add
            | FloatOp::Sub
            | FloatOp::Mul
            | FloatOp::Div
            | FloatOp::Rem
            | FloatOp::MinNum
            | FloatOp::MaxNum
            | FloatOp::Minimum
            | FloatOp::Maximum
            | FloatOp::CopySign
            | FloatOp::Pow
            | FloatOp::Atan2 => kind.slots(),
        }
    }
}

impl CastOp {
    fn source_slots(self, kind: FloatKind, width: u8) -> u32 {
        match self {
            CastOp::SignedToFloat | CastOp::UnsignedToFloat => slots(width),
            CastOp::FloatToFloat
            | CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::FloatToSignedSat
            | CastOp::FloatToUnsignedSat => kind.slots(),
        }
    }

    fn result_slots(self, kind: FloatKind, to: FloatKind, width: u8) -> u32 {
        match self {
            CastOp::SignedToFloat | CastOp::UnsignedToFloat => kind.slots(),
            CastOp::FloatToFloat => to.slots(),
            CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::FloatToSignedSat
            | CastOp::FloatToUnsignedSat => slots(width),
        }
    }
}

/// What a field reads, by its role.
macro_rules! reads {
    ($visit:ident, $function:ident, $field:ident, arg) => {
        $visit(read($field, 1))
    };
    ($visit:ident, $function:ident, $field:ident, arg ($count:expr)) => {
        $visit(read($field, $count))
    };
    ($visit:ident, $function:ident, $field:ident, label) => {
        $visit(read($field, 1))
    };
    ($visit:ident, $function:ident, $field:ident, list ($count:expr)) => {
        for &slot in $function.lists[$field as usize].iter() {
            $visit(read(slot, $count));
        }
    };
    ($visit:ident, $function:ident, $field:ident, call) => {
        call_reads($function, $field, $visit)
    };
    ($visit:ident, $function:ident, $field:ident, switch) => {};
    ($visit:ident, $function:ident, $field:ident, def $($count:tt)?) => {};
    ($visit:ident, $function:ident, $field:ident, pc) => {};
    ($visit:ident, $function:ident, $field:ident, word $ty:tt) => {};
    ($visit:ident, $function:ident, $field:ident, number $ty:tt) => {};
    ($visit:ident, $function:ident, $field:ident, flag) => {};
    ($visit:ident, $function:ident, $field:ident, trap) => {};
    ($visit:ident, $function:ident, $field:ident, message) => {};
    ($visit:ident, $function:ident, $field:ident, global) => {};
}

/// What a field writes.
macro_rules! writes {
    ($visit:ident, $function:ident, $field:ident, def) => {
        $visit(write($field, 1))
    };
    ($visit:ident, $function:ident, $field:ident, def ($count:expr)) => {
        $visit(write($field, $count))
    };
    ($visit:ident, $function:ident, $field:ident, call) => {
        call_writes($function, $field, $visit)
    };
    ($visit:ident, $function:ident, $field:ident, $role:ident $($arg:tt)?) => {};
}

/// The slot that a field is.
macro_rules! slot {
    ($visit:ident, $field:ident, def $($count:tt)?) => {
        $visit($field)
    };
    ($visit:ident, $field:ident, arg $($count:tt)?) => {
        $visit($field)
    };
    ($visit:ident, $field:ident, label) => {
        $visit($field)
    };
    ($visit:ident, $field:ident, $role:ident $($arg:tt)?) => {};
}

/// The row of a side table that a field is.
macro_rules! row {
    ($visit:ident, $field:ident, list $count:tt) => {
        $visit(SideTable::Lists, $field)
    };
    ($visit:ident, $field:ident, call) => {
        $visit(SideTable::Calls, $field)
    };
    ($visit:ident, $field:ident, switch) => {
        $visit(SideTable::Switches, $field)
    };
    ($visit:ident, $field:ident, message) => {
        $visit(SideTable::Unsupported, $field)
    };
    ($visit:ident, $field:ident, global) => {
        $visit(SideTable::Globals, $field)
    };
    ($visit:ident, $field:ident, $role:ident $($arg:tt)?) => {};
}

/// Where a field says that control may go.
macro_rules! target {
    ($visit:ident, $function:ident, $field:ident, pc) => {
        $visit($field)
    };
    ($visit:ident, $function:ident, $field:ident, label) => {
        $function.label_targets.iter().for_each(|&to| $visit(to))
    };
    ($visit:ident, $function:ident, $field:ident, call) => {
        if let Some(pad) = $function.calls[$field as usize].pad {
            $visit($function.pads[pad as usize].to)
        }
    };
    ($visit:ident, $function:ident, $field:ident, switch) => {
        let table = &$function.switches[$field as usize];
        table.cases.iter().for_each(|case| $visit(case.1));
        $visit(table.default)
    };
    ($visit:ident, $function:ident, $field:ident, $role:ident $($arg:tt)?) => {};
}

/// The instruction that a field names.
macro_rules! pc {
    ($visit:ident, $field:ident, pc) => {
        $visit($field)
    };
    ($visit:ident, $field:ident, $role:ident $($arg:tt)?) => {};
}

macro_rules! list {
    ($(
        $(#[$doc:meta])*
        $name:ident { $($field:ident: $role:ident $(($($arg:tt)*))?),* }
        $(=> $($effect:ident ($($what:tt)*)),+)?
        $(ends $(if $end:expr)?)?;
    )*) => {
        #[allow(unused_variables)]
        impl Inst {
            /// Visits all operands: reads first, then writes.
            pub fn operands(&self, function: &Function, visit: &mut dyn FnMut(Operand)) {
                match *self {
                    $(Inst::$name { $($field),* } => {
                        $(reads!(visit, function, $field, $role $(($($arg)*))?);)*
                        $(writes!(visit, function, $field, $role $(($($arg)*))?);)*
                    })*
                }
            }

            /// Visits every slot field of the instruction itself (not those in the
            /// rows of side tables), for renaming.
            pub fn slots_mut(&mut self, visit: &mut dyn FnMut(&mut Slot)) {
                match self {
                    $(Inst::$name { $($field),* } => {
                        $(slot!(visit, $field, $role $(($($arg)*))?);)*
                    })*
                }
            }

            /// Visits every jump target in the instruction itself (not those in the
            /// rows of side tables), for placing labels.
            pub fn targets_mut(&mut self, visit: &mut dyn FnMut(&mut Pc)) {
                match self {
                    $(Inst::$name { $($field),* } => {
                        $(pc!(visit, $field, $role $(($($arg)*))?);)*
                    })*
                }
            }

            /// Visits every row of a side table that the instruction needs.
            pub fn rows(&self, visit: &mut dyn FnMut(SideTable, u32)) {
                match *self {
                    $(Inst::$name { $($field),* } => {
                        $(row!(visit, $field, $role $(($($arg)*))?);)*
                    })*
                }
            }

            /// Visits the places that the instruction itself names.
            fn targets(&self, function: &Function, visit: &mut dyn FnMut(Pc)) {
                match *self {
                    $(Inst::$name { $($field),* } => {
                        $(target!(visit, function, $field, $role $(($($arg)*))?);)*
                    })*
                }
            }
        }
    };
}

instructions!(list);

impl Inst {
    /// Visits every place control may go to after this instruction, within
    /// the function: also where an exception that leaves a call is received.
    pub fn successors(&self, function: &Function, pc: Pc, visit: &mut dyn FnMut(Pc)) {
        self.targets(function, visit);
        if !self.ends_block() {
            visit(pc + 1);
        }
    }
}

fn read(slot: Slot, count: u32) -> Operand {
    Operand { slot, count, write: false }
}

fn write(slot: Slot, count: u32) -> Operand {
    Operand { slot, count, write: true }
}

fn call_reads(function: &Function, call: u32, visit: &mut dyn FnMut(Operand)) {
    let site = &function.calls[call as usize];
    if let Callee::Indirect(slot) = site.callee {
        visit(read(slot, 1));
    }
    for arg in site.args.iter() {
        visit(read(arg.slot, slots(arg.ty.bits())));
    }
}

fn call_writes(function: &Function, call: u32, visit: &mut dyn FnMut(Operand)) {
    let site = &function.calls[call as usize];
    if let Some(slot) = site.result {
        visit(write(slot, site.result_slots));
    }
}
