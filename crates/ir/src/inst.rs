//! Instructions, made of the table in `table.rs`.
//!
//! Every instruction fits in 24 bytes; what does not (call arguments, switch
//! cases) is in side tables of the function. Operands called `a`, `b`, `src`,
//! `addr`… are slots that are read, `dst` and `carry` are slots that are
//! written. `width` is the number of bits of an integer operation.
//!
//! Instructions named `Wide…` work on integers of 65 to 128 bits in slot
//! pairs `(x, x + 1)`.

use crate::{
    Access, CastOp, CmpPred, FloatKind, FloatOp, FloatPred, FloatUnOp, IntOp, IntUnOp, Order,
    OverflowOp, RmwOp, TrapKind,
};

/// A slot of the register window.
pub type Slot = u32;
/// An instruction's index in its function.
pub type Pc = u32;

/// The type of a field, by its role.
macro_rules! field {
    (def $($count:tt)?) => {
        Slot
    };
    (arg $($count:tt)?) => {
        Slot
    };
    (label) => {
        Slot
    };
    (pc) => {
        Pc
    };
    (word ($ty:ty)) => {
        $ty
    };
    (number ($ty:ty)) => {
        $ty
    };
    (flag) => {
        bool
    };
    (trap) => {
        TrapKind
    };
    (list ($count:expr)) => {
        u32
    };
    (call) => {
        u32
    };
    (switch) => {
        u32
    };
    (message) => {
        u32
    };
    (global) => {
        u32
    };
}

macro_rules! define {
    ($(
        $(#[$doc:meta])*
        $name:ident { $($field:ident: $role:ident $(($($arg:tt)*))?),* }
        $(=> $($effect:ident ($($what:tt)*)),+)?
        $(ends $(if $end:expr)?)?;
    )*) => {
        /// One instruction.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Inst {
            $($(#[$doc])* $name { $($field: field!($role $(($($arg)*))?)),* },)*
        }
    };
}

instructions!(define);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_stay_small() {
        assert!(std::mem::size_of::<Inst>() <= 24, "{}", std::mem::size_of::<Inst>());
    }
}
