//! Plain numbers.

use exeunt_promela::code::{Binary, Unary, Width};

use crate::domain::{Domain, Integers};
use crate::stop::Stop;

/// Numbers as they are. A search is `strict`: it leaves out runs in which a
/// value does not fit into 32 bits, because what happens behind such a step
/// depends on how wide an `int` is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Concrete {
    pub integers: Integers,
    pub strict: bool,
}

impl Concrete {
    pub fn search() -> Self {
        Concrete { integers: Integers::Exact, strict: true }
    }

    fn fit(&self, value: Option<i64>) -> Result<i64, Stop> {
        let too_large = || Stop::unknown("a value leaves the range of an int");
        let value = value.ok_or_else(too_large)?;
        if i32::try_from(value).is_ok() {
            return Ok(value);
        }
        match self.integers {
            _ if self.strict => Err(too_large()),
            Integers::Exact => Ok(i64::from(value as i32)),
            Integers::Ideal => Ok(value),
        }
    }
}

/// What is left of a number in so many bits.
pub(crate) fn wrapped(width: Width, value: i64) -> i64 {
    let drop = 64 - u32::from(width.bits);
    // 32 bits are an `int`, however they were declared.
    let signed = width.signed || width.bits == 32;
    if signed { value << drop >> drop } else { ((value as u64) << drop >> drop) as i64 }
}

/// Whether storing in this width can change a value.
pub(crate) fn is_narrow(width: Width) -> bool {
    width.bits < 32
}

impl Domain for Concrete {
    type Value = i64;

    fn number(&self, value: i64) -> i64 {
        value
    }

    fn decide(&mut self, value: &i64) -> bool {
        *value != 0
    }

    fn fix(&mut self, value: &i64) -> i64 {
        *value
    }

    fn unary(&mut self, op: Unary, value: &i64) -> Result<i64, Stop> {
        match op {
            Unary::Not => Ok(i64::from(*value == 0)),
            Unary::Negate => self.fit(value.checked_neg()),
            Unary::Complement => Ok(!*value),
        }
    }

    fn binary(&mut self, op: Binary, left: &i64, right: &i64) -> Result<i64, Stop> {
        let (a, b) = (*left, *right);
        let truth = |value: bool| Ok(i64::from(value));
        match op {
            Binary::Or => truth(a != 0 || b != 0),
            Binary::And => truth(a != 0 && b != 0),
            Binary::Equal => truth(a == b),
            Binary::Unequal => truth(a != b),
            Binary::Less => truth(a < b),
            Binary::LessEqual => truth(a <= b),
            Binary::Greater => truth(a > b),
            Binary::GreaterEqual => truth(a >= b),
            Binary::BitOr => Ok(a | b),
            Binary::BitXor => Ok(a ^ b),
            Binary::BitAnd => Ok(a & b),
            // C masks the count; larger shifts are the machine's business.
            Binary::ShiftLeft => self.fit(a.checked_mul(1 << (b & 31))),
            Binary::ShiftRight => Ok(a >> (b & 31)),
            Binary::Add => self.fit(a.checked_add(b)),
            Binary::Subtract => self.fit(a.checked_sub(b)),
            Binary::Multiply => self.fit(a.checked_mul(b)),
            Binary::Divide | Binary::Modulo if b == 0 => Err(Stop::fault("division by zero")),
            Binary::Divide => self.fit(a.checked_div(b)),
            Binary::Modulo => self.fit(a.checked_rem(b)),
        }
    }

    fn longer(&mut self, length: &i64, by: i64) -> i64 {
        length + by
    }

    fn truncate(&mut self, width: Width, value: &i64) -> i64 {
        match self.integers {
            Integers::Ideal if !is_narrow(width) => *value,
            _ => wrapped(width, *value),
        }
    }
}
