//! What a solver is asked and what it may say.

use crate::{Assignment, Formula};

/// The answer to "can all of this hold at once?"
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes: with these values.
    Sat(Assignment),
    Unsat,
    /// The solver gave up.
    Unknown,
}

pub trait Solver {
    /// Whether all formulas can hold at once.
    fn check(&mut self, formulas: &[&Formula]) -> Answer;

    /// Whether the goal follows. Giving up is no proof.
    fn proves(&mut self, assumptions: &[&Formula], goal: &Formula) -> bool {
        // Most questions answer themselves.
        if *goal == Formula::True || assumptions.contains(&goal) {
            return true;
        }
        let refuted = goal.negated();
        let mut all = assumptions.to_vec();
        all.push(&refuted);
        self.check(&all) == Answer::Unsat
    }
}
