//! Values of which not every bit is defined.

use bytemuck::{Pod, Zeroable};

/// A value with the mask of its undefined bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Bits {
    pub value: u64,
    pub undefined: u64,
}

impl Bits {
    pub const fn defined(value: u64) -> Bits {
        Bits { value, undefined: 0 }
    }

    pub const UNDEFINED: Bits = Bits { value: 0, undefined: u64::MAX };
}
