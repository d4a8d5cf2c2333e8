//! Whether a never claim can tell how often a state is repeated.
//!
//! A reduction keeps, of runs that differ only in that, one; so a claim may be asked about the reduced
//! graph only if it accepts all of them or none (Peled, Wilke and Wolper, An algorithmic approach for checking closure
//! properties of omega-regular languages, 1996). SPIN relies on the user for this.
//!
//! The claim becomes an automaton over letters, the truth values of its conditions. Two more automata accept the
//! words of the claim with letters repeated, and those with repetitions dropped. If the claim simulates
//! both, it is closed under both, and so under every change of repetitions. The simulation is fair
//! (Etessami, Wilke and Schuller, Fair simulation relations, parity games, and state space reduction for Büchi automata, 2001):
//! whenever the other automaton accepts again and again, the claim does. It errs in one direction
//! only: a claim that it does not show to be closed is not reduced.

mod game;
mod letters;
#[cfg(test)]
mod reference;

use crate::claim::{Claim, ClaimKind};
use crate::model::PromelaModel;
use game::Table;
use letters::Letters;

/// A move of an automaton: the target, and whether it accepts.
type Move = (usize, bool);

/// More letters and states than this are not looked at.
const MOST: usize = 2048;

/// A claim over letters.
struct Automaton {
    moves: Table,
    start: usize,
}

impl PromelaModel {
    /// Whether the answer to a never claim is the same for runs that differ only in how often they repeat
    /// states, as far as that can be shown.
    pub fn forgets_repetition(&self, claim: &Claim) -> bool {
        let ClaimKind::Never(proc) = claim.kind else { return false };
        let accepts = self.has_accept_labels();
        let Some(automaton) = Letters::of(&self.program, proc, accepts).and_then(|l| l.automaton())
        else {
            return false;
        };
        automaton.drops_repetitions() && automaton.takes_repetitions()
    }

    /// Whether a label of a process counts as accepting.
    pub(crate) fn has_accept_labels(&self) -> bool {
        let is_claim = |at: usize| {
            let same = |claim: &Claim| match claim.kind {
                ClaimKind::Never(proc) | ClaimKind::Trace(proc) | ClaimKind::Notrace(proc) => {
                    usize::from(proc.0) == at
                }
                ClaimKind::Ltl { .. } => false,
            };
            self.claims.iter().any(same)
        };
        let mut procs = self.program.procs.iter().enumerate();
        procs.any(|(at, proc)| !is_claim(at) && proc.states.iter().any(|state| state.accept))
    }

    /// The process tables of the never claims that are asked for.
    pub(crate) fn asked_claims(&self) -> impl Iterator<Item = crate::code::ProcId> + '_ {
        let asked = self.checked.iter().filter(|claim| !self.left_out.contains(claim));
        asked.filter_map(|&claim| match self.claims[claim].kind {
            ClaimKind::Never(proc) => Some(proc),
            ClaimKind::Trace(_) | ClaimKind::Notrace(_) | ClaimKind::Ltl { .. } => None,
        })
    }
}

impl Automaton {
    fn states(&self) -> usize {
        self.moves.first().map_or(0, Vec::len)
    }

    /// Whether a word of it is still one when repetitions are dropped: one letter may stand for a
    /// way of several moves with this letter.
    fn drops_repetitions(&self) -> bool {
        let by_letter = |moves: &Vec<Vec<Move>>| -> Vec<Vec<Move>> {
            (0..moves.len()).map(|state| closure(moves, state)).collect()
        };
        let dropped = self.moves.iter().map(by_letter).collect();
        game::simulates(&dropped, &self.moves, self.start)
    }

    /// Whether a word of it is still one when letters are repeated: before each move, one may wait with its letter.
    fn takes_repetitions(&self) -> bool {
        let states = self.states();
        let letters = self.moves.len();
        // Waiting for a move: by letter, target and whether it accepts.
        let waiting = |letter: usize, (target, accepts): Move| {
            states + (letter * states + target) * 2 + usize::from(accepts)
        };
        let total = states + letters * states * 2;
        let mut repeated = vec![vec![Vec::new(); total]; letters];
        for (letter, moves) in self.moves.iter().enumerate() {
            for (state, moves) in moves.iter().enumerate() {
                for &step in moves {
                    let wait = waiting(letter, step);
                    repeated[letter][state].extend([step, (wait, false)]);
                    repeated[letter][wait] = vec![step, (wait, false)];
                }
            }
        }
        game::simulates(&repeated, &self.moves, self.start)
    }
}

/// Where one or more moves with the same letter lead, and whether one of them accepts.
fn closure(moves: &[Vec<Move>], from: usize) -> Vec<Move> {
    let mut found: Vec<Move> = moves[from].clone();
    let mut next = 0;
    while next < found.len() {
        let (at, accepted) = found[next];
        for &(target, accepts) in &moves[at] {
            let further = (target, accepts || accepted);
            if !found.contains(&further) {
                found.push(further);
            }
        }
        next += 1;
    }
    found
}
