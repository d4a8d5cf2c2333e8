//! Why a run cannot go on.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The step is not possible here.
    NotEnabled,
    /// The model goes wrong: a failed assertion, an index out of range…
    Fault(String),
    /// Something that this prover does not know.
    Unknown(String),
}

impl Stop {
    pub fn fault(text: impl Into<String>) -> Self {
        Stop::Fault(text.into())
    }

    pub fn unknown(text: impl Into<String>) -> Self {
        Stop::Unknown(text.into())
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::NotEnabled => f.write_str("a step is not possible"),
            Stop::Fault(text) | Stop::Unknown(text) => f.write_str(text),
        }
    }
}
