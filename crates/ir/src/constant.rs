//! Constants of a function, one slot each.

/// A slot's worth of constant: its value and the bits of it that are
/// undefined (1 = undefined, as in LLVM's `undef` and `poison`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Const {
    pub value: u64,
    pub undefined: u64,
}

impl Const {
    pub const fn defined(value: u64) -> Const {
        Const { value, undefined: 0 }
    }

    pub const UNDEFINED: Const = Const { value: 0, undefined: u64::MAX };
}
