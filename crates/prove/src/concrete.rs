//! Plain numbers.

use exeunt_operator::{self as operator, Wrong};
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

    fn fit(&self, value: Result<i64, Wrong>) -> Result<i64, Stop> {
        let too_large = || Stop::unknown("a value leaves the range of an int");
        let value = value.map_err(|wrong| match wrong {
            Wrong::DivisionByZero => Stop::fault("division by zero"),
            Wrong::ShiftTooFar | Wrong::TooLarge => too_large(),
        })?;
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
        self.fit(operator::unary(op, *value))
    }

    fn binary(&mut self, op: Binary, left: &i64, right: &i64) -> Result<i64, Stop> {
        // C masks the count; larger shifts are the machine's business.
        let right = if op.is_shift() { right & 31 } else { *right };
        self.fit(operator::binary(op, *left, right))
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
