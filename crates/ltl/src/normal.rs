//! Formulas in negation normal form, hash-consed and simplified while they
//! are built.
//!
//! Rules are written for "and", "next" and "until"; "or" and "release" get
//! the dual ones through negation, which only swaps names. They are those of
//! Etessami and Holzmann ("Optimizing Büchi automata") and of Somenzi and
//! Bloem ("Efficient Büchi automata from LTL formulae"): implications seen in
//! the syntax, and formulas that are closed under prefixes (`eventual`),
//! suffixes (`universal`) or both.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::formula::{Binary, Formula, Unary};

/// A formula of an [`Arena`]. Equal formulas have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(u32);

pub(crate) const TRUE: Id = Id(0);
pub(crate) const FALSE: Id = Id(1);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Node {
    True,
    False,
    Literal { proposition: usize, positive: bool },
    And(Vec<Id>),
    Or(Vec<Id>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

#[derive(Default)]
pub(crate) struct Arena {
    nodes: Vec<Node>,
    ids: BTreeMap<Node, Id>,
    negations: BTreeMap<Id, Id>,
    implications: BTreeMap<(Id, Id), bool>,
}

impl Arena {
    pub fn new() -> Arena {
        let mut arena = Arena::default();
        assert_eq!((arena.intern(Node::True), arena.intern(Node::False)), (TRUE, FALSE));
        arena
    }

    /// The normal form of a formula, or of its negation.
    pub fn normal(&mut self, formula: &Formula, names: &[Arc<str>]) -> Id {
        match formula {
            Formula::True => TRUE,
            Formula::False => FALSE,
            Formula::Proposition(text) => {
                let proposition = names.iter().position(|name| name == text);
                let proposition = proposition.expect("every proposition has a number");
                self.intern(Node::Literal { proposition, positive: true })
            }
            Formula::Unary(op, inner) => {
                let inner = self.normal(inner, names);
                match op {
                    Unary::Not => self.not(inner),
                    Unary::Next => self.next(inner),
                    Unary::Always => self.release(FALSE, inner),
                    Unary::Eventually => self.until(TRUE, inner),
                }
            }
            Formula::Binary(op, left, right) => {
                let (a, b) = (self.normal(left, names), self.normal(right, names));
                self.binary(*op, a, b)
            }
        }
    }

    fn binary(&mut self, op: Binary, a: Id, b: Id) -> Id {
        let not_a = self.not(a);
        let not_b = self.not(b);
        match op {
            Binary::And => self.and(vec![a, b]),
            Binary::Or => self.or(vec![a, b]),
            Binary::Implies => self.or(vec![not_a, b]),
            Binary::Equivalent => {
                let (both, none) = (self.and(vec![a, b]), self.and(vec![not_a, not_b]));
                self.or(vec![both, none])
            }
            Binary::LeadsTo => {
                let later = self.until(TRUE, b);
                let answered = self.or(vec![not_a, later]);
                self.release(FALSE, answered)
            }
            Binary::Until => self.until(a, b),
            Binary::Release => self.release(a, b),
            Binary::WeakUntil => {
                let either = self.or(vec![a, b]);
                self.release(b, either)
            }
            Binary::StrongRelease => {
                let both = self.and(vec![a, b]);
                self.until(b, both)
            }
        }
    }

    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn intern(&mut self, node: Node) -> Id {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = Id(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    pub fn not(&mut self, id: Id) -> Id {
        if let Some(known) = self.negations.get(&id) {
            return *known;
        }
        let node = match self.node(id).clone() {
            Node::True => Node::False,
            Node::False => Node::True,
            Node::Literal { proposition, positive } => {
                Node::Literal { proposition, positive: !positive }
            }
            Node::And(parts) => Node::Or(self.not_all(&parts)),
            Node::Or(parts) => Node::And(self.not_all(&parts)),
            Node::Next(inner) => Node::Next(self.not(inner)),
            Node::Until(a, b) => Node::Release(self.not(a), self.not(b)),
            Node::Release(a, b) => Node::Until(self.not(a), self.not(b)),
        };
        let negation = self.intern(node);
        self.negations.insert(id, negation);
        self.negations.insert(negation, id);
        negation
    }

    fn not_all(&mut self, parts: &[Id]) -> Vec<Id> {
        let mut parts: Vec<Id> = parts.iter().map(|part| self.not(*part)).collect();
        parts.sort();
        parts
    }

    pub fn or(&mut self, parts: Vec<Id>) -> Id {
        let parts = self.not_all(&parts);
        let and = self.and(parts);
        self.not(and)
    }

    pub fn release(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = (self.not(a), self.not(b));
        let until = self.until(a, b);
        self.not(until)
    }

    pub fn and(&mut self, parts: Vec<Id>) -> Id {
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::And(inner) => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        flat.sort();
        flat.dedup();
        if self.contradict(&flat) {
            return FALSE;
        }
        self.drop_implied(&mut flat);
        if let Some((left, right, joined)) = self.join(&flat) {
            flat.retain(|part| *part != left && *part != right);
            flat.push(joined);
            return self.and(flat);
        }
        match flat.as_slice() {
            [] => TRUE,
            [one] => *one,
            _ => self.intern(Node::And(flat)),
        }
    }

    fn contradict(&mut self, parts: &[Id]) -> bool {
        let negated = self.not_all(parts);
        let mut pairs = parts.iter().flat_map(|a| negated.iter().map(move |b| (*a, *b)));
        pairs.any(|(a, not_b)| self.implies(a, not_b))
    }

    fn drop_implied(&mut self, parts: &mut Vec<Id>) {
        let mut at = 0;
        while at < parts.len() {
            let part = parts.remove(at);
            if !parts.iter().any(|other| self.implies(*other, part)) && part != TRUE {
                parts.insert(at, part);
                at += 1;
            }
        }
    }

    /// Two parts of a conjunction that are one formula.
    fn join(&mut self, parts: &[Id]) -> Option<(Id, Id, Id)> {
        for (at, left) in parts.iter().enumerate() {
            for right in &parts[at + 1..] {
                if let Some(joined) = self.join_two(*left, *right) {
                    return Some((*left, *right, joined));
                }
            }
        }
        None
    }

    fn join_two(&mut self, left: Id, right: Id) -> Option<Id> {
        match (self.node(left).clone(), self.node(right).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let both = self.and(vec![a, b]);
                Some(self.next(both))
            }
            (Node::Release(a, b), Node::Release(c, d)) if a == c => {
                let both = self.and(vec![b, d]);
                Some(self.release(a, both))
            }
            (Node::Until(TRUE, b), Node::Until(TRUE, d)) => {
                let (Node::Release(FALSE, b), Node::Release(FALSE, d)) =
                    (self.node(b).clone(), self.node(d).clone())
                else {
                    return None;
                };
                let both = self.and(vec![b, d]);
                let always = self.release(FALSE, both);
                Some(self.until(TRUE, always))
            }
            (Node::Until(a, b), Node::Until(c, d)) if b == d => {
                let both = self.and(vec![a, c]);
                Some(self.until(both, b))
            }
            _ => None,
        }
    }

    pub fn next(&mut self, inner: Id) -> Id {
        if inner == TRUE || inner == FALSE || (self.eventual(inner) && self.universal(inner)) {
            return inner;
        }
        self.intern(Node::Next(inner))
    }

    pub fn until(&mut self, a: Id, b: Id) -> Id {
        let not_b = self.not(b);
        if b == TRUE || b == FALSE || self.implies(a, b) || self.eventual(b) {
            return b;
        }
        if a != TRUE && self.implies(not_b, a) {
            return self.until(TRUE, b);
        }
        if let Some(simpler) = self.simpler_until(a, b) {
            return simpler;
        }
        self.intern(Node::Until(a, b))
    }

    fn simpler_until(&mut self, a: Id, b: Id) -> Option<Id> {
        match (self.node(a).clone(), self.node(b).clone()) {
            (_, Node::Until(c, _)) if self.implies(a, c) => Some(b),
            (Node::True, Node::Until(_, d)) => Some(self.until(TRUE, d)),
            (Node::Until(_, d), _) if d == b => Some(a),
            (Node::True, Node::Next(d)) => {
                let later = self.until(TRUE, d);
                Some(self.next(later))
            }
            (Node::Next(c), Node::Next(d)) => {
                let until = self.until(c, d);
                Some(self.next(until))
            }
            (_, Node::And(parts)) => self.suspend(a, parts),
            _ => None,
        }
    }

    /// What does not depend on when it is asked leaves the scope of an until.
    fn suspend(&mut self, a: Id, parts: Vec<Id>) -> Option<Id> {
        let timeless = |part: &Id| self.eventual(*part) && self.universal(*part);
        let (mut out, rest): (Vec<Id>, Vec<Id>) = parts.into_iter().partition(timeless);
        if out.is_empty() {
            return None;
        }
        let rest = self.and(rest);
        out.push(self.until(a, rest));
        Some(self.and(out))
    }

    /// Whether it holds of a word if it holds of a suffix.
    fn eventual(&self, id: Id) -> bool {
        match self.node(id) {
            Node::True | Node::False | Node::Until(TRUE, _) => true,
            Node::Literal { .. } => false,
            Node::And(parts) | Node::Or(parts) => parts.iter().all(|part| self.eventual(*part)),
            Node::Next(inner) => self.eventual(*inner),
            Node::Until(a, b) | Node::Release(a, b) => self.eventual(*a) && self.eventual(*b),
        }
    }

    /// Whether it holds of all suffixes if it holds of a word.
    fn universal(&self, id: Id) -> bool {
        match self.node(id) {
            Node::True | Node::False | Node::Release(FALSE, _) => true,
            Node::Literal { .. } => false,
            Node::And(parts) | Node::Or(parts) => parts.iter().all(|part| self.universal(*part)),
            Node::Next(inner) => self.universal(*inner),
            Node::Until(a, b) | Node::Release(a, b) => self.universal(*a) && self.universal(*b),
        }
    }

    /// Whether the syntax shows that `a` implies `b`. "No" may be wrong.
    fn implies(&mut self, a: Id, b: Id) -> bool {
        if a == b || a == FALSE || b == TRUE {
            return true;
        }
        if let Some(known) = self.implications.get(&(a, b)) {
            return *known;
        }
        let answer = self.implies_by_left(a, b) || self.implies_by_right(a, b);
        self.implications.insert((a, b), answer);
        answer
    }

    fn implies_by_left(&mut self, a: Id, b: Id) -> bool {
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Or(parts), _) => parts.iter().all(|part| self.implies(*part, b)),
            (Node::And(parts), _) if parts.iter().any(|part| self.implies(*part, b)) => true,
            (Node::Next(c), Node::Next(d)) => self.implies(c, d),
            (Node::Next(c), _) => self.eventual(b) && self.implies(c, b),
            (Node::Until(c, d), Node::Until(e, f)) if self.implies(c, e) && self.implies(d, f) => {
                true
            }
            (Node::Until(c, d), _) => {
                self.implies(d, b) && (self.eventual(b) || self.implies(c, b))
            }
            (Node::Release(c, d), Node::Release(e, f))
                if self.implies(c, e) && self.implies(d, f) =>
            {
                true
            }
            (Node::Release(_, d), _) => self.implies(d, b),
            _ => false,
        }
    }

    fn implies_by_right(&mut self, a: Id, b: Id) -> bool {
        match self.node(b).clone() {
            Node::And(parts) => parts.iter().all(|part| self.implies(a, *part)),
            Node::Or(parts) => parts.iter().any(|part| self.implies(a, *part)),
            Node::Next(d) => self.universal(a) && self.implies(a, d),
            Node::Until(_, d) => self.implies(a, d),
            Node::Release(c, d) => self.implies(a, d) && (self.universal(a) || self.implies(a, c)),
            Node::True | Node::False | Node::Literal { .. } => false,
        }
    }
}
