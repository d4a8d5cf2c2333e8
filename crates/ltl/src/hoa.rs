//! Automata in the Hanoi Omega-Automata format, version 1, which other tools
//! read.

use std::fmt::Write;
use std::sync::Arc;

use crate::automaton::Automaton;
use crate::buchi::Buchi;
use crate::guard::Guard;

impl Automaton {
    pub fn hoa(&self, name: &str) -> String {
        let sets: Vec<String> = (0..self.marks).map(|mark| format!("Inf({mark})")).collect();
        let (condition, acceptance) = match self.marks {
            0 => ("all".to_string(), "0 t".to_string()),
            1 => ("Buchi".to_string(), "1 Inf(0)".to_string()),
            n => (format!("generalized-Buchi {n}"), format!("{n} {}", sets.join("&"))),
        };
        let mut text = header(name, self.states.len(), &self.propositions);
        let _ = writeln!(text, "acc-name: {condition}\nAcceptance: {acceptance}");
        text.push_str("properties: trans-labels explicit-labels trans-acc\n--BODY--\n");
        for (state, edges) in self.states.iter().enumerate() {
            let _ = writeln!(text, "State: {state}");
            for edge in edges {
                let marks = (0..self.marks).filter(|mark| edge.marks >> mark & 1 == 1);
                let marks: Vec<String> = marks.map(|mark| mark.to_string()).collect();
                let set = if marks.is_empty() { String::new() } else { braced(&marks) };
                let _ = writeln!(text, "{} {}{set}", label(&edge.guard), edge.target.0);
            }
        }
        text.push_str("--END--\n");
        text
    }
}

impl Buchi {
    pub fn hoa(&self, name: &str) -> String {
        let mut text = header(name, self.states.len(), &self.propositions);
        text.push_str("acc-name: Buchi\nAcceptance: 1 Inf(0)\n");
        text.push_str("properties: trans-labels explicit-labels state-acc\n--BODY--\n");
        for (state, steps) in self.states.iter().enumerate() {
            let set = if self.accepting[state] { " {0}" } else { "" };
            let _ = writeln!(text, "State: {state}{set}");
            for step in steps {
                let _ = writeln!(text, "{} {}", label(&step.guard), step.target.0);
            }
        }
        text.push_str("--END--\n");
        text
    }
}

fn header(name: &str, states: usize, propositions: &[Arc<str>]) -> String {
    let names = propositions.iter().map(|text| format!(" {}", quoted(text)));
    let names: String = names.collect();
    format!(
        "HOA: v1\nname: {}\ntool: \"exeunt\"\nStates: {states}\nStart: 0\nAP: {}{names}\n",
        quoted(name),
        propositions.len()
    )
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn braced(marks: &[String]) -> String {
    format!(" {{{}}}", marks.join(" "))
}

fn label(guard: &Guard) -> String {
    format!("[{}]", guard.show(|number| number.to_string(), ["&", " | ", "!", "t"]))
}
