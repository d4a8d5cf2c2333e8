//! Arithmetic, as C does it on 32 bits.

use crate::syntax::Binary;

/// The value of `left op right`; `None` for a division by zero.
#[inline]
pub fn binary(op: Binary, left: i32, right: i32) -> Option<i32> {
    Some(match op {
        Binary::Or => i32::from(left != 0 || right != 0),
        Binary::And => i32::from(left != 0 && right != 0),
        Binary::BitOr => left | right,
        Binary::BitXor => left ^ right,
        Binary::BitAnd => left & right,
        Binary::Equal => i32::from(left == right),
        Binary::Unequal => i32::from(left != right),
        Binary::Less => i32::from(left < right),
        Binary::LessEqual => i32::from(left <= right),
        Binary::Greater => i32::from(left > right),
        Binary::GreaterEqual => i32::from(left >= right),
        Binary::ShiftLeft => left.wrapping_shl(right as u32),
        Binary::ShiftRight => left.wrapping_shr(right as u32),
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide if right == 0 => return None,
        Binary::Divide => left.wrapping_div(right),
        Binary::Modulo if right == 0 => return None,
        Binary::Modulo => left.wrapping_rem(right),
    })
}
