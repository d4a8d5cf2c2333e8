//! Büchi automata with accepting states, from generalised ones: each state
//! gets levels that say for which mark it waits (Gastin and Oddoux, and
//! Babiak and others for doing it component by component). Which order of
//! marks is best cannot be seen beforehand, so several are tried.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::automaton::{Automaton, StateId, TooLarge, joined};
use crate::formula::Formula;
use crate::graph::{Arrow, Graph};
use crate::guard::Guard;
use crate::reduce::reduce;

/// A Büchi automaton. Its initial state is the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buchi {
    /// The texts of the propositions, by number.
    pub propositions: Vec<Arc<str>>,
    pub accepting: Vec<bool>,
    /// The steps of each state.
    pub states: Vec<Vec<Step>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub guard: Guard,
    pub target: StateId,
}

/// With more edges than this, one order of marks has to do.
const MOST_TRIED: usize = 100;

impl Buchi {
    /// The automaton of the words that satisfy the formula.
    pub fn of(formula: &Formula) -> Result<Buchi, TooLarge> {
        Ok(Buchi::degeneralised(&Automaton::of(formula)?))
    }

    pub fn degeneralised(automaton: &Automaton) -> Buchi {
        let source = automaton.graph();
        let tries = if source.size().1 > MOST_TRIED { 4 } else { 8 * source.marks.clamp(1, 6) };
        let mut best: Option<Graph> = None;
        for variant in 0..tries {
            let mut graph = Levels::variant(&source, variant).unfold();
            reduce(&mut graph);
            if best.as_ref().is_none_or(|best| graph.size() < best.size()) {
                best = Some(graph);
            }
        }
        let graph = best.expect("one order is always tried");
        Buchi::from_graph(&graph, automaton.propositions.clone())
    }

    fn from_graph(graph: &Graph, propositions: Vec<Arc<str>>) -> Buchi {
        let steps = |arrows: &Vec<Arrow>| {
            let edges = joined(arrows).into_iter();
            edges.map(|edge| Step { guard: edge.guard, target: edge.target }).collect()
        };
        let states = graph.edges.iter().map(steps).collect();
        Buchi { propositions, accepting: graph.coloured.clone(), states }
    }

    pub fn initial(&self) -> StateId {
        StateId(0)
    }

    pub fn steps(&self, state: StateId) -> &[Step] {
        &self.states[state.index()]
    }

    pub fn is_accepting(&self, state: StateId) -> bool {
        self.accepting[state.index()]
    }

    /// Whether it accepts no word at all.
    pub fn is_empty(&self) -> bool {
        self.states[0].is_empty()
    }

    pub fn transitions(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    pub(crate) fn graph(&self) -> Graph {
        let arrows = |steps: &Vec<Step>| {
            let cubes = steps.iter().flat_map(|step| {
                let target = step.target.index();
                step.guard.cubes.iter().map(move |cube| Arrow { target, cube: *cube, marks: 0 })
            });
            cubes.collect()
        };
        let mut graph = Graph::new(0, self.states.iter().map(arrows).collect(), 0);
        graph.by_states = true;
        graph.coloured.clone_from(&self.accepting);
        graph
    }
}

struct Levels<'a> {
    source: &'a Graph,
    order: Vec<usize>,
    /// Whether components are entered at the accepting level or at the first:
    /// any level is right.
    start_high: bool,
    /// Whether the step from the accepting level ignores its marks: it may,
    /// for they come again.
    rest: bool,
}

impl<'a> Levels<'a> {
    fn variant(source: &'a Graph, number: usize) -> Levels<'a> {
        let mut order: Vec<usize> = (0..source.marks).collect();
        order.rotate_left((number / 8) % source.marks.max(1));
        if number & 4 != 0 {
            order.reverse();
        }
        Levels { source, order, start_high: number & 1 == 0, rest: number & 2 != 0 }
    }

    fn unfold(&self) -> Graph {
        let (of, accepting) = self.source.components();
        let entry = |state: usize| match accepting[of[state]] && self.start_high {
            true => self.order.len(),
            false => 0,
        };
        let first = (self.source.initial, entry(self.source.initial));
        let mut states = vec![first];
        let mut numbers = BTreeMap::from([(first, 0)]);
        let mut edges = Vec::new();
        while edges.len() < states.len() {
            let (state, level) = states[edges.len()];
            let mut arrows = Vec::new();
            for edge in &self.source.edges[state] {
                let inside = of[edge.target] == of[state] && accepting[of[state]];
                let level = if inside { self.advance(level, edge) } else { entry(edge.target) };
                let target = *numbers.entry((edge.target, level)).or_insert_with(|| {
                    states.push((edge.target, level));
                    states.len() - 1
                });
                arrows.push(Arrow { marks: 0, ..edge.to(target) });
            }
            edges.push(largest(arrows));
        }
        let high =
            |(state, level): &(usize, usize)| accepting[of[*state]] && *level == self.order.len();
        let mut graph = Graph::new(0, edges, 0);
        graph.by_states = true;
        graph.coloured = states.iter().map(high).collect();
        graph
    }

    fn advance(&self, level: usize, edge: &Arrow) -> usize {
        let top = level == self.order.len();
        if top && self.rest && !self.order.is_empty() {
            return 0;
        }
        let from = if top { 0 } else { level };
        let waits = |mark: &usize| edge.marks >> mark & 1 == 0;
        self.order[from..].iter().position(waits).map_or(self.order.len(), |more| from + more)
    }
}

/// Without the edges whose letters another one to the same state has.
fn largest(mut arrows: Vec<Arrow>) -> Vec<Arrow> {
    // A cube within another has more literals: larger cubes come first.
    arrows.sort_by_key(|arrow| (arrow.target, arrow.cube.size(), arrow.cube));
    let mut kept: Vec<Arrow> = Vec::new();
    let mut first = 0;
    for arrow in arrows {
        if kept.last().is_some_and(|last| last.target != arrow.target) {
            first = kept.len();
        }
        if !kept[first..].iter().any(|other| arrow.cube.within(other.cube)) {
            kept.push(arrow);
        }
    }
    kept
}
