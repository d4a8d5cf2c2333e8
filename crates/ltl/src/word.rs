//! The meaning of formulas and automata on infinite words that end in a
//! repetition: the reference that the construction is tested against, and a
//! way to check a counterexample again. Until is a least, release a greatest
//! fixpoint over the positions of the lasso.

use std::sync::Arc;

use crate::automaton::Automaton;
use crate::buchi::Buchi;
use crate::formula::{Binary, Formula, Unary};
use crate::graph::Graph;
use crate::guard::Letter;

/// The letters `letters[0] letters[1] …`, and after the last one again from
/// position `cycle` on, for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    pub letters: Vec<Letter>,
    pub cycle: usize,
}

impl Lasso {
    pub fn new(stem: &[Letter], cycle: &[Letter]) -> Lasso {
        assert!(!cycle.is_empty(), "the repeated part of an infinite word has a letter");
        Lasso { letters: [stem, cycle].concat(), cycle: stem.len() }
    }

    /// Whether the word satisfies the formula; `propositions` gives the
    /// numbers of the texts.
    pub fn satisfies(&self, formula: &Formula, propositions: &[Arc<str>]) -> bool {
        self.evaluate(formula, propositions)[0]
    }

    pub fn accepted_by(&self, automaton: &Automaton) -> bool {
        self.product(&automaton.graph())
    }

    pub fn accepted_by_buchi(&self, automaton: &Buchi) -> bool {
        self.product(&automaton.graph())
    }

    fn next(&self, at: usize) -> usize {
        if at + 1 < self.letters.len() { at + 1 } else { self.cycle }
    }

    /// Where the formula is true.
    fn evaluate(&self, formula: &Formula, names: &[Arc<str>]) -> Vec<bool> {
        match formula {
            Formula::True => vec![true; self.letters.len()],
            Formula::False => vec![false; self.letters.len()],
            Formula::Proposition(text) => {
                let number = names.iter().position(|name| name == text);
                let number = number.expect("the word speaks of every proposition");
                self.letters.iter().map(|letter| letter >> number & 1 == 1).collect()
            }
            Formula::Unary(op, inner) => self.unary(*op, self.evaluate(inner, names)),
            Formula::Binary(op, left, right) => {
                self.binary(*op, &self.evaluate(left, names), &self.evaluate(right, names))
            }
        }
    }

    fn unary(&self, op: Unary, inner: Vec<bool>) -> Vec<bool> {
        match op {
            Unary::Not => inner.iter().map(|value| !value).collect(),
            Unary::Next => (0..inner.len()).map(|at| inner[self.next(at)]).collect(),
            Unary::Always => self.fixpoint(true, |at, next| inner[at] && next),
            Unary::Eventually => self.fixpoint(false, |at, next| inner[at] || next),
        }
    }

    fn binary(&self, op: Binary, a: &[bool], b: &[bool]) -> Vec<bool> {
        let pointwise = |f: fn(bool, bool) -> bool| a.iter().zip(b).map(move |(a, b)| f(*a, *b));
        match op {
            Binary::And => pointwise(|a, b| a && b).collect(),
            Binary::Or => pointwise(|a, b| a || b).collect(),
            Binary::Implies => pointwise(|a, b| !a || b).collect(),
            Binary::Equivalent => pointwise(|a, b| a == b).collect(),
            Binary::Until => self.fixpoint(false, |at, next| b[at] || (a[at] && next)),
            Binary::WeakUntil => self.fixpoint(true, |at, next| b[at] || (a[at] && next)),
            Binary::Release => self.fixpoint(true, |at, next| b[at] && (a[at] || next)),
            Binary::StrongRelease => self.fixpoint(false, |at, next| b[at] && (a[at] || next)),
            Binary::LeadsTo => {
                let later = self.fixpoint(false, |at, next| b[at] || next);
                self.fixpoint(true, |at, next| (!a[at] || later[at]) && next)
            }
        }
    }

    fn fixpoint(&self, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![start; self.letters.len()];
        loop {
            let mut changed = false;
            for at in (0..values.len()).rev() {
                let value = step(at, values[self.next(at)]);
                changed |= value != values[at];
                values[at] = value;
            }
            if !changed {
                return values;
            }
        }
    }

    /// Whether the automaton, reading the word, has a run that is accepted.
    fn product(&self, graph: &Graph) -> bool {
        let length = self.letters.len();
        let mut product = Graph { edges: Vec::new(), coloured: Vec::new(), ..graph.clone() };
        product.initial = graph.initial * length;
        for (state, edges) in graph.edges.iter().enumerate() {
            for (at, letter) in self.letters.iter().enumerate() {
                let passing = edges.iter().filter(|edge| edge.cube.contains(*letter));
                let target = |target: usize| target * length + self.next(at);
                let moved = passing.map(|edge| edge.to(target(edge.target)));
                product.edges.push(moved.collect());
                product.coloured.push(graph.coloured[state]);
            }
        }
        product.trim();
        !product.edges[product.initial].is_empty()
    }
}
