//! What temporal properties and invariants need of a machine: a watcher, which
//! looks at states and says which propositions hold there.

use crate::{CompId, Fault};

/// A move of a claim that the model itself brings (a never claim).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimMove {
    /// The state the claim goes to.
    pub target: u32,
    /// Whether that state is accepting.
    pub accepting: bool,
    /// Whether the claim has come to its end there: what must not happen has
    /// happened.
    pub completed: bool,
}

/// Looks at states, without changing anything.
///
/// `Err` is a proposition that has no value in a state, or that is no
/// proposition at all because it changes something: the question is wrong, and
/// not the program.
pub trait Watcher {
    /// The propositions that hold in a state, as bits by their numbers.
    fn letter(&mut self, state: &[CompId]) -> Result<u64, Fault>;

    /// The state that a claim of the model begins in.
    fn claim_start(&mut self, _claim: u32) -> u32 {
        0
    }

    /// Appends the moves of a claim of the model that looks at `state`.
    /// `stuck` says that nothing else can move there.
    fn claim_moves(
        &mut self,
        _claim: u32,
        _state: &[CompId],
        _from: u32,
        _stuck: bool,
        _out: &mut Vec<ClaimMove>,
    ) -> Result<(), Fault> {
        Ok(())
    }
}
