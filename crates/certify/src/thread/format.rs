//! The form of a certificate that a thread ends. `docs/agreements.md`
//! describes it for people.

use serde::{Deserialize, Serialize};

/// What such a certificate calls itself.
pub const THREAD_KIND: &str = "thread certificate";
/// Raised when old files can no longer be read.
pub const THREAD_FORMAT: u32 = 3;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThreadCertificate {
    pub exeunt: String,
    pub format: u32,
    pub version: String,
    /// Each file with its SHA-256.
    pub files: Vec<(String, String)>,
    pub clang: Vec<String>,
    pub thread: String,
    /// Functions beside it, with whether there are any number of them.
    pub beside: Option<Vec<(String, bool)>>,
    pub locks: Vec<String>,
    pub unlocks: Vec<String>,
    pub pure: Vec<String>,
    pub list_push: Vec<String>,
    pub list_pop: Vec<String>,
    pub list_empty: Vec<String>,
    pub integers: Width,
    /// Each is at least zero at all times.
    pub always: Vec<Sum>,
    /// No step of any thread makes one of these larger.
    pub laws: Vec<Sum>,
    pub agreement: Vec<Promise>,
    /// For each thread, what all others promise to it; or nothing at all. `agreement` is about the thread
    /// that is asked about, and holds from its beginning on; these hold at all times.
    pub relies: Vec<Vec<Promise>>,
    pub heads: Vec<Head>,
    /// Facts at the loop heads of the other threads, in order.
    pub others: Vec<Vec<OtherHead>>,
    /// What comes true some time and stays true, if every thread that can always move does;
    /// ranking functions fall as soon as all of it is true. Each relies on those before it.
    pub milestones: Vec<Milestone>,
}

/// A thread makes something true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Milestone {
    /// At least zero, some time.
    pub goal: Sum,
    /// The number of the thread that makes it so, 0 being the one that is asked about.
    pub thread: u32,
    /// Its loop heads, as long as the goal is not reached.
    pub heads: Vec<Head>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Width {
    Exact,
    Mathematical,
}

/// Others do not make `measure` larger while the thread holds the locks and the condition holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promise {
    /// For people.
    pub text: String,
    pub measure: Sum,
    /// Numbers of locks, each with whether it must be held exclusively.
    pub while_held: Vec<(u32, bool)>,
    /// The condition: each is at least zero.
    pub when: Vec<Sum>,
    pub side: Side,
}

/// Where the condition of a promise is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Before a step of others, which keeps it.
    Before,
    /// Behind such a step, before which it was true, too.
    After,
}

/// A number plus multiples of variables, which go by number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    pub text: String,
    pub number: i128,
    pub parts: Vec<(i64, u32)>,
    /// Multiples of what the bits of variables say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bits: Vec<Bits>,
    /// Multiples of sums that wrap around.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rests: Vec<Rest>,
}

/// A factor times a sum of variables and a number, modulo two to the power of the width.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rest {
    pub factor: i64,
    pub width: u8,
    pub of: Vec<(i64, u32)>,
    pub number: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bits {
    pub factor: i64,
    pub of: Counted,
    /// How many of its bits, from the lowest on.
    pub width: u8,
    pub var: u32,
}

/// What is counted among the bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counted {
    Ones,
    /// Below the lowest one.
    LowZeros,
    /// Above the highest one.
    HighZeros,
}

/// A loop head of the thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    pub node: u32,
    pub place: String,
    /// Each is at least zero.
    pub invariant: Vec<Sum>,
    /// Each is at least zero if the thread goes round again from here.
    pub goes_on: Vec<Sum>,
    /// A lexicographic ranking function. A level has one sum or several phases: the first
    /// always falls, each other one falls as soon as the one before it is negative.
    pub ranking: Vec<Vec<Sum>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherHead {
    pub node: u32,
    pub invariant: Vec<Sum>,
}
