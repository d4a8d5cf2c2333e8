//! The form of a certificate. `docs/prove.md` describes it for people.

use serde::{Deserialize, Serialize};

/// Raised when old files can no longer be read.
pub const FORMAT: u32 = 1;
/// What a certificate calls itself.
pub const KIND: &str = "certificate";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Always "certificate": tells the file from other JSON files of ours.
    pub exeunt: String,
    pub format: u32,
    pub version: String,
    pub model: ModelFile,
    pub integers: Integers,
    /// From the first configuration to the one the cycle starts in.
    pub stem: Vec<Move>,
    pub cycle: Vec<Move>,
    /// What is the same number before every round.
    pub fixed: Vec<(Name, i64)>,
    /// What is true before every round.
    pub invariant: Vec<Fact>,
    /// The channels that are longer after each round.
    pub channels: Vec<GrowingChannel>,
    /// Those of them that are described by what lies in them, wherever it lies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bags: Vec<Bag>,
    /// Everything that has no bound.
    pub growth: Vec<Growth>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    pub path: String,
    pub sha256: String,
    /// Macros it was read with: `N=3`.
    pub defines: Vec<String>,
}

/// How wide an `int` is; narrower types always wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Integers {
    /// 32 bits that wrap around.
    Exact,
    /// Without bounds.
    Ideal,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    #[serde(flatten)]
    pub by: Statement,
    /// Who takes the message of a rendezvous.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partner: Option<Statement>,
    /// Nothing else can move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timeout: bool,
}

/// A statement that a process executes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    pub process: u32,
    pub proctype: String,
    /// The control state it is in, and which of its statements there.
    pub state: u16,
    pub choice: u16,
    pub text: String,
}

/// A number that belongs to a configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Name {
    Global(String),
    Local(u32, String),
    /// Channel, place of the message from the front, field.
    Message(usize, usize, usize),
    Length(usize),
    /// In facts about messages: a field of the message.
    Field(usize),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// For people; the checker reads the formula.
    pub text: String,
    pub formula: Formula,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Formula {
    True,
    False,
    /// The term is at least zero.
    NonNegative(Term),
    Zero(Term),
    NonZero(Term),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

/// A number plus multiples of atoms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    pub number: i64,
    pub sum: Vec<(i64, Atom)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Atom {
    Value(Name),
    Product(Box<Term>, Box<Term>),
    /// Rounded down; the divisor is positive.
    Quotient(Box<Term>, i64),
    Remainder(Box<Term>, i64),
    Choice(Box<Formula>, Box<Term>, Box<Term>),
}

/// A channel that is longer after each round. The messages in it fall into
/// classes by their places, counted from the front and modulo the number of
/// classes, which divides what a round takes and what it adds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrowingChannel {
    pub channel: usize,
    pub name: String,
    /// Messages before the first round.
    pub length: usize,
    pub takes: usize,
    pub adds: usize,
    pub classes: Vec<Class>,
}

/// A channel that is longer after each round, whose messages are numbers that are the same in every round. Those that do
/// not grow in number keep their order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bag {
    pub channel: usize,
    pub name: String,
    /// Messages before the first round.
    pub length: usize,
    pub takes: usize,
    pub adds: usize,
    /// The messages of which each round leaves more.
    pub grows: Vec<Vec<i64>>,
}

/// What is true of every message of a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// The number that a field always is, where it is one.
    pub fields: Vec<Option<i64>>,
    pub facts: Vec<Fact>,
    /// Fields that go on in steps from message to message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub progressions: Vec<Progression>,
}

/// In message number q of its class, counted from the front and from zero, the
/// field is `base + step * q`, which wraps around in some number of bits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progression {
    pub field: usize,
    /// A term of the configuration before a round.
    pub base: Term,
    pub step: i64,
    /// In how many bits the row wraps around.
    pub bits: u8,
    pub signed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Growth {
    pub name: Name,
    /// In each round; negative if it falls.
    pub by: i64,
    pub text: String,
}
