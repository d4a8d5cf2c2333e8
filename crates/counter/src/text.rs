//! Automata as text, for people and for tests.

use std::fmt;

use exeunt_smt::{Atom, BitOp, Formula, Term};

use crate::{Edge, Hold, Mode, System, Thread};

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for var in self.shared() {
            let variable = self.variable(var);
            let initial = variable.initial.map_or(String::new(), |value| format!(" = {value}"));
            writeln!(f, "shared {}{initial}", variable.name)?;
        }
        for lock in &self.locks {
            let why = lock.distrusted.as_ref().map(|why| format!(" (not trusted: {})", why.text));
            writeln!(f, "lock {}{}", lock.name, why.unwrap_or_default())?;
        }
        for thread in &self.threads {
            write!(f, "{}", self.thread_text(thread))?;
        }
        Ok(())
    }
}

impl System {
    fn thread_text(&self, thread: &Thread) -> String {
        let mut text =
            format!("thread {} ({:?}), from {}\n", thread.name, thread.role, thread.entry.0);
        for edge in &thread.edges {
            let held = self.held_text(&thread.node(edge.from).held);
            text.push_str(&format!("  {}{held} -> {}:", edge.from.0, edge.to.0));
            text.push_str(&self.edge_text(edge));
            text.push('\n');
        }
        text
    }

    fn held_text(&self, held: &[Hold]) -> String {
        let names = held.iter().map(|hold| {
            let mode = if hold.mode == Mode::Shared { " for reading" } else { "" };
            format!("{}{mode}", self.locks[hold.lock.0 as usize].name)
        });
        let names: Vec<String> = names.collect();
        if names.is_empty() { String::new() } else { format!(" [{}]", names.join(", ")) }
    }

    fn edge_text(&self, edge: &Edge) -> String {
        let mut text = String::new();
        if edge.guard != Formula::True {
            text.push_str(&format!(" if {}", self.formula_text(&edge.guard)));
        }
        for (var, term) in &edge.sets {
            text.push_str(&format!(" {} := {};", self.variable(*var).name, self.term_text(term)));
        }
        if let Some(started) = edge.starts {
            text.push_str(&format!(" starts {};", self.threads[started].name));
        }
        if let Some(ended) = edge.ends {
            text.push_str(&format!(" behind the end of {};", self.threads[ended].name));
        }
        if !edge.visible {
            text.push_str(" (local)");
        }
        if !edge.exact {
            text.push_str(" (at most)");
        }
        match &edge.location {
            Some(location) => format!("{text}  // line {}", location.line),
            None => text,
        }
    }

    pub fn formula_text(&self, formula: &Formula) -> String {
        let each = |parts: &[Formula], between: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.formula_text(part)).collect();
            format!("({})", parts.join(between))
        };
        match formula {
            Formula::True => "true".into(),
            Formula::False => "false".into(),
            Formula::NonNegative(term) => format!("{} >= 0", self.term_text(term)),
            Formula::Zero(term) => format!("{} == 0", self.term_text(term)),
            Formula::NonZero(term) => format!("{} != 0", self.term_text(term)),
            Formula::And(parts) => each(parts, " && "),
            Formula::Or(parts) => each(parts, " || "),
        }
    }

    pub fn term_text(&self, term: &Term) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (atom, factor) in term.parts() {
            let atom = self.atom_text(atom);
            parts.push(if factor == 1 { atom } else { format!("{factor}*{atom}") });
        }
        if term.constant() != 0 || parts.is_empty() {
            parts.push(term.constant().to_string());
        }
        parts.join(" + ").replace("+ -", "- ")
    }

    fn atom_text(&self, atom: &Atom) -> String {
        match atom {
            Atom::Var(var) => match self.vars.get(var.0 as usize) {
                Some(variable) => variable.name.clone(),
                None => format!("v{}", var.0),
            },
            Atom::Product(a, b) => format!("({})*({})", self.term_text(a), self.term_text(b)),
            Atom::Quotient(a, divisor) => format!("({})/{divisor}", self.term_text(a)),
            Atom::Remainder(a, divisor) => format!("({})%{divisor}", self.term_text(a)),
            Atom::Bits(op @ (BitOp::Ones | BitOp::LowZeros | BitOp::HighZeros), _, a, _) => {
                format!("{}({})", op.sign(), self.term_text(a))
            }
            Atom::Bits(op, _, a, b) => {
                format!("({}) {} ({})", self.term_text(a), op.sign(), self.term_text(b))
            }
            Atom::Choice(test, yes, no) => format!(
                "({} ? {} : {})",
                self.formula_text(test),
                self.term_text(yes),
                self.term_text(no)
            ),
        }
    }
}
