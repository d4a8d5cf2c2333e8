//! What must not happen, as an automaton that reads states. It moves first:
//! from what it sees in a state it goes on, and then the program moves.

use exeunt_ltl::{Automaton, Edge, Formula, Guard, StateId, TooLarge};
use exeunt_model::{ClaimMove, Fault};

use super::kripke::{Kripke, Node};

/// A move of the automaton.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub target: u32,
    pub marks: u64,
    /// It has seen enough: whatever follows, the run is a violation.
    pub completed: bool,
}

pub enum Claim {
    /// Reads letters; `bits[i]` is the number that proposition `i` of the
    /// automaton has among those of the watcher.
    /// `moving` claims look for cycles only, not for runs that end.
    Letters { automaton: Automaton, bits: Vec<u32>, moving: bool },
    /// Comes with the model.
    Own(u32),
}

impl Claim {
    /// The runs that do not satisfy the formula.
    pub fn against(formula: &Formula, number: impl Fn(&str) -> u32) -> Result<Claim, TooLarge> {
        let automaton = Automaton::of(&formula.negated())?;
        let bits = automaton.propositions.iter().map(|text| number(text)).collect();
        Ok(Claim::Letters { automaton, bits, moving: false })
    }

    /// The runs on which a proposition is false from some point on, as the
    /// automaton of SPIN that waits and then guesses the point.
    pub fn never_again(proposition: u32) -> Claim {
        let edge = |yes, no, target, marks| Edge {
            guard: Guard { cubes: vec![exeunt_ltl::Cube { yes, no }] },
            target: StateId(target),
            marks,
        };
        let automaton = Automaton {
            propositions: vec!["progress".into()],
            marks: 1,
            states: vec![vec![edge(0, 0, 0, 0), edge(0, 1, 1, 1)], vec![edge(0, 1, 1, 1)]],
        };
        Claim::Letters { automaton, bits: vec![proposition], moving: true }
    }

    /// Whether a run that stays where it is cannot be accepted.
    pub fn wants_moves(&self) -> bool {
        matches!(self, Claim::Letters { moving: true, .. })
    }

    /// All marks.
    pub fn marks(&self) -> u64 {
        match self {
            Claim::Letters { automaton, .. } if automaton.marks == 64 => u64::MAX,
            Claim::Letters { automaton, .. } => (1 << automaton.marks) - 1,
            Claim::Own(_) => 1,
        }
    }

    pub fn start(&self, kripke: &mut Kripke<'_>) -> u32 {
        match self {
            Claim::Letters { automaton, .. } => automaton.initial().0,
            Claim::Own(number) => kripke.watcher.claim_start(*number),
        }
    }

    /// Appends the moves from `from` in a node.
    pub fn steps(
        &self,
        kripke: &mut Kripke<'_>,
        node: Node,
        from: u32,
        out: &mut Vec<Step>,
    ) -> Result<(), Fault> {
        match self {
            Claim::Letters { automaton, bits, .. } => {
                let letter = translate(kripke.letter(node)?, bits);
                let edges = automaton.edges(StateId(from)).iter();
                let passing = edges.filter(|edge| edge.guard.allows(letter));
                out.extend(passing.map(|edge| Step {
                    target: edge.target.0,
                    marks: edge.marks,
                    completed: false,
                }));
            }
            Claim::Own(number) => {
                let mut moves = Vec::new();
                kripke.claim_moves(*number, node, from, &mut moves)?;
                out.extend(moves.into_iter().map(own_step));
            }
        }
        Ok(())
    }
}

fn own_step(step: ClaimMove) -> Step {
    Step { target: step.target, marks: u64::from(step.accepting), completed: step.completed }
}

/// From the numbers of the watcher to those of a formula.
pub fn translate(letter: u64, bits: &[u32]) -> u64 {
    bits.iter().enumerate().fold(0, |sum, (at, bit)| sum | (letter >> bit & 1) << at)
}
