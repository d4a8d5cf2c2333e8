//! Generalised Büchi automata with acceptance on edges. A run is accepted if,
//! for each mark, it takes edges with that mark infinitely often. The least
//! that the construction gives: engines that look at components can use it as
//! it is, others take [`crate::Buchi`].

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::alternating;
use crate::formula::Formula;
use crate::graph::{Arrow, Graph};
use crate::guard::{Cube, Guard};
use crate::normal::Arena;
use crate::reduce::reduce;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub guard: Guard,
    pub target: StateId,
    /// The marks of the edge, as bits.
    pub marks: u64,
}

/// A generalised automaton. Its initial state is the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The texts of the propositions, by number.
    pub propositions: Vec<Arc<str>>,
    /// How many marks there are; with none, every infinite run is accepted.
    pub marks: usize,
    /// The edges of each state.
    pub states: Vec<Vec<Edge>>,
}

/// A formula whose automaton we do not build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    Propositions(usize),
    Untils,
    States(usize),
    Edges(usize),
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the automaton of the formula is too large: ")?;
        match self {
            TooLarge::Propositions(count) => write!(f, "{count} propositions, of at most 64"),
            TooLarge::Untils => f.write_str("more than 64 different untils"),
            TooLarge::States(limit) => write!(f, "more than {limit} states"),
            TooLarge::Edges(limit) => write!(f, "more than {limit} edges of a state"),
        }
    }
}

impl Error for TooLarge {}

impl Automaton {
    /// The automaton of the words that satisfy the formula.
    pub fn of(formula: &Formula) -> Result<Automaton, TooLarge> {
        let propositions = formula.propositions();
        if propositions.len() > 64 {
            return Err(TooLarge::Propositions(propositions.len()));
        }
        let mut arena = Arena::new();
        let normal = arena.normal(formula, &propositions);
        let mut graph = alternating::graph(&arena, normal)?;
        reduce(&mut graph);
        let states = graph.edges.iter().map(|edges| joined(edges)).collect();
        Ok(Automaton { propositions, marks: graph.marks, states })
    }

    pub fn initial(&self) -> StateId {
        StateId(0)
    }

    pub fn edges(&self, state: StateId) -> &[Edge] {
        &self.states[state.index()]
    }

    /// Whether it accepts no word at all.
    pub fn is_empty(&self) -> bool {
        self.states[0].is_empty()
    }

    pub(crate) fn graph(&self) -> Graph {
        let arrows = |edges: &Vec<Edge>| edges.iter().flat_map(arrows).collect();
        Graph::new(0, self.states.iter().map(arrows).collect(), self.marks)
    }
}

fn arrows(edge: &Edge) -> impl Iterator<Item = Arrow> {
    let arrow = |cube: &Cube| Arrow { target: edge.target.index(), cube: *cube, marks: edge.marks };
    edge.guard.cubes.iter().map(arrow)
}

/// Edges with the same target and marks are one edge.
pub(crate) fn joined(arrows: &[Arrow]) -> Vec<Edge> {
    let mut groups: BTreeMap<(usize, u64), Vec<Cube>> = BTreeMap::new();
    for arrow in arrows {
        groups.entry((arrow.target, arrow.marks)).or_default().push(arrow.cube);
    }
    let edge = |((target, marks), cubes)| Edge {
        guard: Guard::of(cubes),
        target: StateId(target as u32),
        marks,
    };
    groups.into_iter().map(edge).collect()
}
