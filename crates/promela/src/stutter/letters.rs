//! A never claim as an automaton over the truth values of its conditions.

use super::{Automaton, MOST, Move};
use crate::code::{Action, Binary, Expr, ProcId, Program, StateInfo, Unary};

/// The most steps of an atomic sequence in a claim.
const LONGEST_SEQUENCE: usize = 100;

pub struct Letters<'p> {
    states: &'p [StateInfo],
    start: usize,
    /// The conditions without `&&`, `||` and `!`, as they are written.
    atoms: Vec<String>,
    /// Whether labels of processes count: that one stands at such a label is one more bit.
    marks: bool,
}

impl<'p> Letters<'p> {
    /// `None` if the claim does something, asks for a timeout, or has too many conditions.
    pub fn of(program: &'p Program, proc: ProcId, marks: bool) -> Option<Letters<'p>> {
        let proc = &program.procs[proc.0 as usize];
        let mut letters = Letters {
            states: &proc.states,
            start: usize::from(proc.start),
            atoms: Vec::new(),
            marks,
        };
        for transition in proc.states.iter().flat_map(|state| &state.transitions) {
            match &transition.action {
                Action::Guard(expr) | Action::Assert(expr) => letters.add(expr)?,
                Action::Skip
                | Action::Else
                | Action::Print { .. }
                | Action::PrintMtype(_)
                | Action::End => {}
                Action::GuardRun(_)
                | Action::Assign(..)
                | Action::Send(_)
                | Action::Receive(_)
                | Action::SetPriority(_)
                | Action::Code(_)
                | Action::DStep(_) => return None,
            }
        }
        let bits = letters.atoms.len() + usize::from(marks);
        (bits < 12 && (proc.states.len() + 1) << bits <= MOST).then_some(letters)
    }

    fn add(&mut self, expr: &Expr) -> Option<()> {
        match expr {
            Expr::Const(_) => {}
            Expr::Unary(Unary::Not, inner) => self.add(inner)?,
            Expr::Binary(Binary::And | Binary::Or, left, right) => {
                self.add(left)?;
                self.add(right)?;
            }
            Expr::Timeout => return None,
            other => {
                let text = name(other);
                if !self.atoms.contains(&text) {
                    self.atoms.push(text);
                }
            }
        }
        Some(())
    }

    /// The automaton; its last state is that of a claim which has been completed.
    pub fn automaton(&self) -> Option<Automaton> {
        let bits = self.atoms.len() + usize::from(self.marks);
        let completed = self.states.len();
        let mut moves = Vec::new();
        for letter in 0..1u32 << bits {
            let mut rows = Vec::new();
            for state in 0..completed {
                let mut row = Vec::new();
                self.follow(letter, state, &mut row, 0)?;
                row.sort_unstable();
                row.dedup();
                rows.push(row);
            }
            rows.push(vec![(completed, true)]);
            moves.push(rows);
        }
        Some(Automaton { moves, start: self.start })
    }

    /// An atomic sequence of a claim looks at one state throughout.
    fn follow(&self, letter: u32, from: usize, row: &mut Vec<Move>, length: usize) -> Option<()> {
        let completed = self.states.len();
        let marked = self.marks && letter >> self.atoms.len() & 1 == 1;
        let mut moved = false;
        for transition in &self.states[from].transitions {
            let enabled = match &transition.action {
                Action::Else => !moved,
                Action::Guard(expr) => self.holds(expr, letter),
                Action::Assert(expr) => {
                    if !self.holds(expr, letter) {
                        row.push((completed, true));
                    }
                    true
                }
                // The end of the claim is no move of it.
                Action::End => false,
                Action::Skip
                | Action::Print { .. }
                | Action::PrintMtype(_)
                | Action::GuardRun(_)
                | Action::Assign(..)
                | Action::Send(_)
                | Action::Receive(_)
                | Action::SetPriority(_)
                | Action::Code(_)
                | Action::DStep(_) => true,
            };
            if !enabled {
                continue;
            }
            moved = true;
            let target = usize::from(transition.target);
            if transition.atomic {
                if length >= LONGEST_SEQUENCE {
                    return None;
                }
                self.follow(letter, target, row, length + 1)?;
                continue;
            }
            let state = &self.states[target];
            let ends = state.transitions.iter().any(|next| matches!(next.action, Action::End));
            row.push(match ends {
                true => (completed, true),
                false => (target, marked || state.accept),
            });
        }
        Some(())
    }

    fn holds(&self, expr: &Expr, letter: u32) -> bool {
        match expr {
            Expr::Const(value) => *value != 0,
            Expr::Unary(Unary::Not, inner) => !self.holds(inner, letter),
            Expr::Binary(Binary::And, left, right) => {
                self.holds(left, letter) && self.holds(right, letter)
            }
            Expr::Binary(Binary::Or, left, right) => {
                self.holds(left, letter) || self.holds(right, letter)
            }
            other => {
                let at = self.atoms.iter().position(|atom| *atom == name(other));
                letter >> at.expect("all conditions were added") & 1 == 1
            }
        }
    }
}

/// Equal conditions have equal names.
fn name(expr: &Expr) -> String {
    format!("{expr:?}")
}
