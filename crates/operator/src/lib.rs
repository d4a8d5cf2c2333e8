//! C's operators on integers: how they are written, how tightly they bind and
//! what they mean.
//!
//! Promela's expressions, the prover's and those in propositions about C
//! programs have the same operators. Here a result is the mathematical one; how
//! many bits of it are kept is the caller's business. `certify` has a meaning
//! of its own on purpose, and the virtual machine executes LLVM's instructions,
//! which are others: they know widths, signs and undefined bits.

#![forbid(unsafe_code)]

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Not,
    Negate,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

impl Unary {
    pub const ALL: [Unary; 3] = [Unary::Not, Unary::Negate, Unary::Complement];

    pub fn sign(self) -> &'static str {
        match self {
            Unary::Not => "!",
            Unary::Negate => "-",
            Unary::Complement => "~",
        }
    }
}

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    DivisionByZero,
    /// The count of a shift is negative or at least 64.
    ShiftTooFar,
    /// The result does not fit into the type that was computed in.
    TooLarge,
}

/// Every binary operator with its sign and how tightly it binds.
const TABLE: [(Binary, &str, u8); 18] = [
    (Binary::Or, "||", 1),
    (Binary::And, "&&", 2),
    (Binary::BitOr, "|", 3),
    (Binary::BitXor, "^", 4),
    (Binary::BitAnd, "&", 5),
    (Binary::Equal, "==", 6),
    (Binary::Unequal, "!=", 6),
    (Binary::Less, "<", 7),
    (Binary::LessEqual, "<=", 7),
    (Binary::Greater, ">", 7),
    (Binary::GreaterEqual, ">=", 7),
    (Binary::ShiftLeft, "<<", 8),
    (Binary::ShiftRight, ">>", 8),
    (Binary::Add, "+", 9),
    (Binary::Subtract, "-", 9),
    (Binary::Multiply, "*", 10),
    (Binary::Divide, "/", 10),
    (Binary::Modulo, "%", 10),
];

impl Binary {
    pub fn all() -> impl Iterator<Item = Binary> {
        TABLE.iter().map(|(op, ..)| *op)
    }

    pub fn sign(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// How tightly it binds: the levels of C, from 1 to 10.
    pub fn level(self) -> u8 {
        TABLE[self as usize].2
    }

    /// The operator that a text begins with: the one with the longest sign.
    pub fn at_start(text: &str) -> Option<Binary> {
        Binary::all().filter(|op| text.starts_with(op.sign())).max_by_key(|op| op.sign().len())
    }

    pub fn is_shift(self) -> bool {
        self == Binary::ShiftLeft || self == Binary::ShiftRight
    }
}

/// The value of `op value`.
#[inline]
pub fn unary<N: Number>(op: Unary, value: N) -> Result<N, Wrong> {
    match op {
        Unary::Not => Ok(N::truth(value.is_zero())),
        Unary::Negate => value.negated().ok_or(Wrong::TooLarge),
        Unary::Complement => Ok(value.complement()),
    }
}

/// The value of `left op right`, without wrapping around.
#[inline]
pub fn binary<N: Number>(op: Binary, left: N, right: N) -> Result<N, Wrong> {
    let fits = |value: Option<N>| value.ok_or(Wrong::TooLarge);
    Ok(match op {
        Binary::Or => N::truth(!left.is_zero() || !right.is_zero()),
        Binary::And => N::truth(!left.is_zero() && !right.is_zero()),
        Binary::BitOr => left.or(right),
        Binary::BitXor => left.xor(right),
        Binary::BitAnd => left.and(right),
        Binary::Equal => N::truth(left == right),
        Binary::Unequal => N::truth(left != right),
        Binary::Less => N::truth(left < right),
        Binary::LessEqual => N::truth(left <= right),
        Binary::Greater => N::truth(left > right),
        Binary::GreaterEqual => N::truth(left >= right),
        Binary::ShiftLeft => fits(left.up(right.count().ok_or(Wrong::ShiftTooFar)?))?,
        Binary::ShiftRight => left.down(right.count().ok_or(Wrong::ShiftTooFar)?),
        Binary::Add => fits(left.plus(right))?,
        Binary::Subtract => fits(left.minus(right))?,
        Binary::Multiply => fits(left.times(right))?,
        Binary::Divide | Binary::Modulo if right.is_zero() => return Err(Wrong::DivisionByZero),
        Binary::Divide => fits(left.quotient(right))?,
        Binary::Modulo => fits(left.rest(right))?,
    })
}

/// `left op right` on 32 bits that wrap around, as SPIN and most machines
/// compute: the count of a shift is taken modulo 32. `None` for a division by
/// zero.
#[inline]
pub fn wrapping(op: Binary, left: i32, right: i32) -> Option<i32> {
    let right = if op.is_shift() { right & 31 } else { right };
    // No result of two such numbers leaves the range of 64 bits.
    binary(op, i64::from(left), i64::from(right)).ok().map(|value| value as i32)
}

/// `op value` on 32 bits that wrap around.
#[inline]
pub fn wrapping_unary(op: Unary, value: i32) -> i32 {
    unary(op, i64::from(value)).map_or(value, |value| value as i32)
}

/// A type of signed integers to compute in. `None`: the result does not fit.
pub trait Number: Copy + Ord {
    fn truth(value: bool) -> Self;
    fn is_zero(self) -> bool;
    fn negated(self) -> Option<Self>;
    fn complement(self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn plus(self, other: Self) -> Option<Self>;
    fn minus(self, other: Self) -> Option<Self>;
    fn times(self, other: Self) -> Option<Self>;
    fn quotient(self, other: Self) -> Option<Self>;
    fn rest(self, other: Self) -> Option<Self>;
    /// As the count of a shift.
    fn count(self) -> Option<u32>;
    fn up(self, count: u32) -> Option<Self>;
    fn down(self, count: u32) -> Self;
}

macro_rules! number {
    ($name:ident) => {
        impl Number for $name {
            #[inline]
            fn truth(value: bool) -> $name {
                $name::from(value)
            }

            #[inline]
            fn is_zero(self) -> bool {
                self == 0
            }

            #[inline]
            fn negated(self) -> Option<$name> {
                self.checked_neg()
            }

            #[inline]
            fn complement(self) -> $name {
                !self
            }

            #[inline]
            fn or(self, other: $name) -> $name {
                self | other
            }

            #[inline]
            fn xor(self, other: $name) -> $name {
                self ^ other
            }

            #[inline]
            fn and(self, other: $name) -> $name {
                self & other
            }

            #[inline]
            fn plus(self, other: $name) -> Option<$name> {
                self.checked_add(other)
            }

            #[inline]
            fn minus(self, other: $name) -> Option<$name> {
                self.checked_sub(other)
            }

            #[inline]
            fn times(self, other: $name) -> Option<$name> {
                self.checked_mul(other)
            }

            #[inline]
            fn quotient(self, other: $name) -> Option<$name> {
                self.checked_div(other)
            }

            #[inline]
            fn rest(self, other: $name) -> Option<$name> {
                // The rest of a division by -1 is 0, even where the quotient
                // does not fit.
                Some(self.wrapping_rem(other))
            }

            #[inline]
            fn count(self) -> Option<u32> {
                u32::try_from(self).ok().filter(|count| *count < 64)
            }

            #[inline]
            fn up(self, count: u32) -> Option<$name> {
                let shifted = self.checked_shl(count)?;
                (shifted >> count == self).then_some(shifted)
            }

            #[inline]
            fn down(self, count: u32) -> $name {
                self >> count
            }
        }
    };
}

number!(i64);
number!(i128);

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [i32; 12] =
        [i32::MIN, i32::MIN + 1, -33, -2, -1, 0, 1, 2, 31, 32, i32::MAX - 1, i32::MAX];

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (at, (op, ..)) in TABLE.iter().enumerate() {
            assert_eq!(*op as usize, at, "{op:?}");
        }
    }

    #[test]
    fn the_longest_sign_wins() {
        assert_eq!(Binary::at_start("<< 1"), Some(Binary::ShiftLeft));
        assert_eq!(Binary::at_start("<= 1"), Some(Binary::LessEqual));
        assert_eq!(Binary::at_start("< 1"), Some(Binary::Less));
        assert_eq!(Binary::at_start("&&x"), Some(Binary::And));
        assert_eq!(Binary::at_start("&x"), Some(Binary::BitAnd));
        assert_eq!(Binary::at_start("=x"), None);
    }

    /// The processor's own operations on 32 bits are the reference.
    #[test]
    fn wrapping_is_what_machines_do() {
        for (a, b) in EDGES.iter().flat_map(|a| EDGES.map(|b| (*a, b))) {
            let machine = [
                (Binary::Add, Some(a.wrapping_add(b))),
                (Binary::Subtract, Some(a.wrapping_sub(b))),
                (Binary::Multiply, Some(a.wrapping_mul(b))),
                (Binary::Divide, (b != 0).then(|| a.wrapping_div(b))),
                (Binary::Modulo, (b != 0).then(|| a.wrapping_rem(b))),
                (Binary::ShiftLeft, Some(a.wrapping_shl(b as u32))),
                (Binary::ShiftRight, Some(a.wrapping_shr(b as u32))),
                (Binary::BitXor, Some(a ^ b)),
                (Binary::BitAnd, Some(a & b)),
                (Binary::BitOr, Some(a | b)),
                (Binary::Less, Some((a < b).into())),
                (Binary::GreaterEqual, Some((a >= b).into())),
                (Binary::And, Some((a != 0 && b != 0).into())),
                (Binary::Or, Some((a != 0 || b != 0).into())),
            ];
            for (op, value) in machine {
                assert_eq!(wrapping(op, a, b), value, "{a} {} {b}", op.sign());
            }
        }
    }

    #[test]
    fn what_has_no_result_is_named() {
        assert_eq!(binary(Binary::Divide, 1i64, 0), Err(Wrong::DivisionByZero));
        assert_eq!(binary(Binary::Divide, i64::MIN, -1), Err(Wrong::TooLarge));
        assert_eq!(binary(Binary::Modulo, i64::MIN, -1), Ok(0));
        assert_eq!(binary(Binary::ShiftLeft, 1i128, 64), Err(Wrong::ShiftTooFar));
        assert_eq!(binary(Binary::ShiftRight, 1i64, -1), Err(Wrong::ShiftTooFar));
        assert_eq!(binary(Binary::ShiftLeft, 1i64, 63), Err(Wrong::TooLarge));
        assert_eq!(binary(Binary::ShiftLeft, -1i64, 63), Ok(i64::MIN));
        assert_eq!(unary(Unary::Negate, i64::MIN), Err(Wrong::TooLarge));
        assert_eq!(unary(Unary::Complement, 0i128), Ok(-1));
        assert_eq!(wrapping_unary(Unary::Negate, i32::MIN), i32::MIN);
    }
}
