//! The plain form on which automata are built and reduced: edges carry one
//! cube and a set of marks, states may be coloured.
//!
//! A run is accepted if it takes edges of every mark infinitely often and, if
//! acceptance is by states, visits a coloured state infinitely often.

use crate::component::components;
use crate::guard::Cube;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arrow {
    pub target: usize,
    pub cube: Cube,
    pub marks: u64,
}

impl Arrow {
    pub fn to(self, target: usize) -> Arrow {
        Arrow { target, ..self }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    pub initial: usize,
    pub edges: Vec<Vec<Arrow>>,
    pub marks: usize,
    pub by_states: bool,
    pub coloured: Vec<bool>,
}

impl Graph {
    pub fn new(initial: usize, edges: Vec<Vec<Arrow>>, marks: usize) -> Graph {
        let coloured = vec![false; edges.len()];
        Graph { initial, edges, marks, by_states: false, coloured }
    }

    pub fn all_marks(&self) -> u64 {
        if self.marks == 64 { u64::MAX } else { (1 << self.marks) - 1 }
    }

    /// States and edges: what reductions make smaller.
    pub fn size(&self) -> (usize, usize) {
        (self.edges.len(), self.edges.iter().map(Vec::len).sum())
    }

    /// The components, and for each whether a run can be accepted in it.
    pub fn components(&self) -> (Vec<usize>, Vec<bool>) {
        let of = components(&self.edges);
        let count = of.iter().max().map_or(0, |last| last + 1);
        let mut seen = vec![None; count];
        let mut coloured = vec![!self.by_states; count];
        for (state, edges) in self.edges.iter().enumerate() {
            coloured[of[state]] |= self.coloured[state];
            for edge in edges.iter().filter(|edge| of[edge.target] == of[state]) {
                *seen[of[state]].get_or_insert(0) |= edge.marks;
            }
        }
        let all = self.all_marks();
        let accepting = (0..count).map(|at| coloured[at] && seen[at] == Some(all)).collect();
        (of, accepting)
    }

    /// Keeps the initial state and what is reachable and can be part of an
    /// accepted run, in the order of a search from the initial state.
    pub fn trim(&mut self) {
        let (of, accepting) = self.components();
        let mut useful: Vec<bool> = of.iter().map(|component| accepting[*component]).collect();
        loop {
            let leads = |edges: &Vec<Arrow>| edges.iter().any(|edge| useful[edge.target]);
            let gained = (0..useful.len()).filter(|at| !useful[*at] && leads(&self.edges[*at]));
            let gained: Vec<usize> = gained.collect();
            if gained.is_empty() {
                break;
            }
            gained.iter().for_each(|at| useful[*at] = true);
        }
        for edges in &mut self.edges {
            edges.retain(|edge| useful[edge.target]);
        }
        self.number();
    }

    fn number(&mut self) {
        let mut order = vec![self.initial];
        let mut number = vec![usize::MAX; self.edges.len()];
        number[self.initial] = 0;
        let mut at = 0;
        while at < order.len() {
            for edge in &self.edges[order[at]] {
                if number[edge.target] == usize::MAX {
                    number[edge.target] = order.len();
                    order.push(edge.target);
                }
            }
            at += 1;
        }
        let renamed = |state: &usize| {
            let mut edges: Vec<Arrow> =
                self.edges[*state].iter().map(|edge| edge.to(number[edge.target])).collect();
            edges.sort();
            edges.dedup();
            edges
        };
        let edges = order.iter().map(renamed).collect();
        let coloured = order.iter().map(|state| self.coloured[*state]).collect();
        *self = Graph { initial: 0, edges, coloured, ..*self };
    }

    /// Replaces each state by the one that stands for it.
    pub fn quotient(&mut self, leader: &[usize]) {
        for (state, leader) in leader.iter().enumerate() {
            if *leader != state {
                let moved = std::mem::take(&mut self.edges[state]);
                self.edges[*leader].extend(moved);
            }
        }
        for edges in &mut self.edges {
            edges.iter_mut().for_each(|edge| edge.target = leader[edge.target]);
            edges.sort();
            edges.dedup();
        }
        self.initial = leader[self.initial];
        self.number();
    }
}
