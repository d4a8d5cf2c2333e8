//! A Büchi automaton as a never claim of Promela.

use std::fmt::Write;

use crate::automaton::StateId;
use crate::buchi::Buchi;

impl Buchi {
    /// The claim that the words of this automaton do not happen.
    pub fn never_claim(&self, comment: &str) -> String {
        let mut text = format!("never {{ /* {} */\n", comment.replace("*/", "* /"));
        for state in (0..self.states.len()).map(|index| StateId(index as u32)) {
            let _ = writeln!(text, "{}:", self.label(state));
            match self.steps(state) {
                [] => text.push_str("\tfalse;\n"),
                [only] if only.guard.is_true() && only.target == state => {
                    text.push_str("\tdo\n\t:: true\n\tod;\n");
                }
                _ => self.branches(state, &mut text),
            }
        }
        text.push_str("}\n");
        text
    }

    fn branches(&self, state: StateId, text: &mut String) {
        let atom = |number: usize| format!("({})", self.propositions[number]);
        text.push_str("\tdo\n");
        for step in self.steps(state) {
            let guard = step.guard.show(atom, [" && ", " || ", "!", "true"]);
            let _ = writeln!(text, "\t:: ({guard}) -> goto {}", self.label(step.target));
        }
        text.push_str("\tod;\n");
    }

    fn label(&self, state: StateId) -> String {
        let kind = if self.is_accepting(state) { "accept" } else { "T0" };
        match state {
            StateId(0) => format!("{kind}_init"),
            StateId(number) => format!("{kind}_S{number}"),
        }
    }
}
