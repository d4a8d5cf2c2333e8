//! Options that take one of a few words.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// What `--language` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LanguageChoice {
    /// A model in SPIN's language
    Promela,
}

/// The order of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CopyOrder {
    /// Ascending order is tried; a copy that is seen half done is not decided
    Unspecified,
    /// From the lowest address up
    Ascending,
}

/// Addresses of freed memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Reuse {
    /// Both is tried: an address that was freed, and a new one
    Maybe,
    /// Memory that something still points to is not given out again
    Never,
}

/// When what a thread does on its own is compiled to machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CompileChoice {
    /// As soon as it has been executed often
    Hot,
    /// Before it is executed
    Always,
    /// All is interpreted
    Never,
}

/// Failures of a weak compare-exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WeakFailuresChoice {
    /// As often as it does harm
    Demonic,
    /// Any number of times, but one that is retried for ever succeeds some time
    Fair,
    /// Only if the values differ
    Never,
}

/// What `--signals` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SignalsChoice {
    None,
}

/// What `--outside` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OutsideChoice {
    Fixed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PropertyChoice {
    Safety,
    Termination,
    All,
    Temporal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReductionChoice {
    /// Every instruction that could be seen is a step
    None,
    /// A thread runs up to its next access to memory that others can name
    Global,
    /// A thread runs up to its next access to memory that others can reach
    Tau,
    /// A thread runs on as long as no other could tell the difference
    Superstep,
    /// A thread runs on through operations that commute with whatever others
    /// do: on locked, unshared and constant data, and releases
    Movers,
    /// Both superstep and movers: few states, but each takes longer
    Full,
    /// As movers, and threads are left out for a while where nothing that they
    /// may still do interferes with what the others do next
    Stubborn,
}
