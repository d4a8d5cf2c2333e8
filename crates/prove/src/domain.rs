//! What values are made of. The same interpreter runs on plain numbers, where
//! it searches, and on numbers with terms beside them, where it also notes
//! every condition under which it went the way it went.

use std::fmt::Debug;

use exeunt_promela::code::{Binary, Unary, Width};

use crate::stop::Stop;

/// How wide an `int` is. Narrower types always wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Integers {
    /// 32 bits that wrap around, as SPIN computes.
    Exact,
    /// Without bounds, as Kuntz, Leue and Scheben compute.
    Ideal,
}

pub(crate) trait Domain {
    type Value: Clone + Debug;

    fn number(&self, value: i64) -> Self::Value;

    /// Whether it is not zero. The run depends on the answer.
    fn decide(&mut self, value: &Self::Value) -> bool;

    /// Which number it is. The run depends on the answer.
    fn fix(&mut self, value: &Self::Value) -> i64;

    fn unary(&mut self, op: Unary, value: &Self::Value) -> Result<Self::Value, Stop>;

    fn binary(
        &mut self,
        op: Binary,
        left: &Self::Value,
        right: &Self::Value,
    ) -> Result<Self::Value, Stop>;

    /// The length of a channel after messages came or went. It has no width.
    fn longer(&mut self, length: &Self::Value, by: i64) -> Self::Value;

    /// What is left after storing it in this width.
    fn truncate(&mut self, width: Width, value: &Self::Value) -> Self::Value;
}
