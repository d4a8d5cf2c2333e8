//! From a formula to a generalised automaton, by the very weak alternating
//! automaton of Gastin and Oddoux (Fast LTL to Büchi
//! Automata Translation, 2001).
//!
//! The states of the alternating automaton are the temporal subformulas. A
//! state of the result is a set of them that must all hold from here on, its
//! edges are the products of theirs. Each until `f` owns a mark; an edge has
//! it if `f` is not asked for afterwards, or could have been fulfilled by it.
//! We deviate in that merging of states is left to `reduce`.

use std::collections::BTreeMap;

use crate::automaton::TooLarge;
use crate::graph::{Arrow, Graph};
use crate::guard::Cube;
use crate::normal::{Arena, FALSE, Id, Node};

/// What is asked from the next position on: sorted.
type Demand = Vec<Id>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Move {
    cube: Cube,
    demand: Demand,
}

/// More states or edges than these, and the construction gives up. Edges of a
/// state are compared in pairs, and those pairs are limited in total.
const MOST_STATES: usize = 10_000;
const MOST_MOVES: usize = 10_000;
const MOST_PAIRS: usize = 50_000_000;

/// A demand with more alternatives than this stays one formula.
const MOST_CHOICES: usize = 64;

pub(crate) fn graph(arena: &Arena, formula: Id) -> Result<Graph, TooLarge> {
    let mut builder = Builder::new(arena);
    builder.build(formula)
}

struct Builder<'a> {
    arena: &'a Arena,
    moves: BTreeMap<Id, Vec<Move>>,
    /// The untils that a demand has named; the position is the mark.
    untils: Vec<Id>,
    demands: Vec<Demand>,
    states: BTreeMap<Demand, usize>,
    pairs: usize,
}

impl<'a> Builder<'a> {
    fn new(arena: &'a Arena) -> Builder<'a> {
        let (moves, states) = (BTreeMap::new(), BTreeMap::new());
        Builder { arena, moves, untils: Vec::new(), demands: Vec::new(), states, pairs: 0 }
    }

    fn build(&mut self, formula: Id) -> Result<Graph, TooLarge> {
        let first = self.choices(formula);
        let mut expanded: Vec<Vec<Move>> = Vec::new();
        // The initial state is the only choice, or one of its own.
        match first.as_slice() {
            [only] => _ = self.state(only.clone())?,
            several => {
                self.demands.push(vec![formula]);
                for demand in several {
                    self.note_untils(demand)?;
                }
            }
        }
        while expanded.len() < self.demands.len() {
            let moves = self.expand(&self.demands[expanded.len()].clone())?;
            for step in &moves {
                self.note_untils(&step.demand)?;
            }
            self.pairs += moves.len() * moves.len();
            if self.pairs > MOST_PAIRS {
                return Err(TooLarge::Edges(MOST_MOVES));
            }
            let moves = self.useful(moves);
            for step in &moves {
                self.state(step.demand.clone())?;
            }
            expanded.push(moves);
        }
        Ok(self.finish(&expanded))
    }

    fn state(&mut self, demand: Demand) -> Result<usize, TooLarge> {
        let demand = self.essential(&demand);
        if let Some(state) = self.states.get(&demand) {
            return Ok(*state);
        }
        if self.demands.len() >= MOST_STATES {
            return Err(TooLarge::States(MOST_STATES));
        }
        self.note_untils(&demand)?;
        self.demands.push(demand.clone());
        self.states.insert(demand, self.demands.len() - 1);
        Ok(self.demands.len() - 1)
    }

    /// Without the untils that something in the demand asks for at every step
    /// anyway. Only for those of plain conditions: with them and without them
    /// the useful moves are the same, so the states are the same, too. Marks
    /// are those of the full demand.
    fn essential(&self, demand: &Demand) -> Demand {
        let always = demand.iter().filter_map(|id| match self.arena.node(*id) {
            Node::Release(FALSE, inner) => Some(*inner),
            _ => None,
        });
        let asked: Vec<Id> = always.flat_map(|inner| self.parts(inner)).collect();
        let needless = |id: &Id| match self.arena.node(*id) {
            Node::Until(a, b) => asked.contains(id) && self.is_plain(*a) && self.is_plain(*b),
            _ => false,
        };
        demand.iter().copied().filter(|id| !needless(id)).collect()
    }

    fn parts(&self, id: Id) -> Vec<Id> {
        match self.arena.node(id) {
            Node::And(parts) => parts.clone(),
            _ => vec![id],
        }
    }

    fn is_plain(&self, id: Id) -> bool {
        match self.arena.node(id) {
            Node::True | Node::False | Node::Literal { .. } => true,
            Node::And(parts) | Node::Or(parts) => parts.iter().all(|part| self.is_plain(*part)),
            Node::Next(_) | Node::Until(..) | Node::Release(..) => false,
        }
    }

    fn note_untils(&mut self, demand: &Demand) -> Result<(), TooLarge> {
        for id in demand {
            let until = matches!(self.arena.node(*id), Node::Until(..));
            if until && !self.untils.contains(id) {
                self.untils.push(*id);
                self.moves(*id)?;
            }
        }
        if self.untils.len() > 64 { Err(TooLarge::Untils) } else { Ok(()) }
    }

    fn expand(&mut self, demand: &Demand) -> Result<Vec<Move>, TooLarge> {
        let mut product = vec![Move { cube: Cube::ALL, demand: Vec::new() }];
        for id in demand {
            let moves = self.moves(*id)?;
            product = pairs(&product, &moves)?;
            product.sort();
            product.dedup();
        }
        Ok(product)
    }

    /// The moves of the alternating automaton.
    fn moves(&mut self, id: Id) -> Result<Vec<Move>, TooLarge> {
        if let Some(known) = self.moves.get(&id) {
            return Ok(known.clone());
        }
        let stay = vec![Move { cube: Cube::ALL, demand: vec![id] }];
        let done = vec![Move { cube: Cube::ALL, demand: Vec::new() }];
        let moves = match self.arena.node(id).clone() {
            Node::True => done,
            Node::False => Vec::new(),
            Node::Literal { proposition, positive } => {
                vec![Move { cube: Cube::literal(proposition, positive), demand: Vec::new() }]
            }
            Node::And(parts) => parts.iter().try_fold(done, |product, part| {
                Ok(minimal(pairs(&product, &self.moves(*part)?)?))
            })?,
            Node::Or(parts) => {
                let all: Result<Vec<_>, _> = parts.iter().map(|part| self.moves(*part)).collect();
                all?.concat()
            }
            Node::Next(inner) => {
                let choices = self.choices(inner).into_iter();
                choices.map(|demand| Move { cube: Cube::ALL, demand }).collect()
            }
            Node::Until(a, b) => [self.moves(b)?, pairs(&self.moves(a)?, &stay)?].concat(),
            Node::Release(a, b) => pairs(&self.moves(b)?, &[self.moves(a)?, stay].concat())?,
        };
        let moves = minimal(moves);
        self.moves.insert(id, moves.clone());
        Ok(moves)
    }

    /// The formula as a disjunction of demands.
    fn choices(&self, id: Id) -> Vec<Demand> {
        self.alternatives(id).unwrap_or_else(|| vec![vec![id]])
    }

    /// The same, unless there are too many.
    fn alternatives(&self, id: Id) -> Option<Vec<Demand>> {
        let found = match self.arena.node(id) {
            Node::True => vec![Vec::new()],
            Node::False => Vec::new(),
            Node::Or(parts) => parts.iter().flat_map(|part| self.choices(*part)).collect(),
            Node::And(parts) => {
                let mut product = vec![Vec::new()];
                for part in parts {
                    let choices = self.alternatives(*part)?;
                    let join = |a: &Demand| choices.iter().map(|b| union(a, b)).collect::<Vec<_>>();
                    product = product.iter().flat_map(join).collect();
                    if product.len() > MOST_CHOICES {
                        return None;
                    }
                }
                product
            }
            _ => vec![vec![id]],
        };
        (found.len() <= MOST_CHOICES).then_some(found)
    }

    fn finish(&self, expanded: &[Vec<Move>]) -> Graph {
        let edges = expanded.iter().map(|moves| self.arrows(moves)).collect::<Vec<_>>();
        let mut graph = Graph::new(0, edges, self.untils.len());
        graph.trim();
        graph
    }

    /// Without the moves that another one makes needless. Marks of untils
    /// that are met later do not matter: all these moves have them.
    fn useful(&self, moves: Vec<Move>) -> Vec<Move> {
        let marked: Vec<(Move, u64)> = moves
            .into_iter()
            .map(|step| {
                let marks = self.marks(&step);
                (step, marks)
            })
            .collect();
        let better = |(a, marks_a): &(Move, u64), (b, marks_b): &(Move, u64)| {
            b.cube.within(a.cube) && subset(&a.demand, &b.demand) && marks_b & !marks_a == 0
        };
        let needless = |at: usize| {
            marked.iter().enumerate().any(|(other, step)| {
                other != at
                    && better(step, &marked[at])
                    && (other < at || !better(&marked[at], step))
            })
        };
        let kept = (0..marked.len()).filter(|at| !needless(*at));
        kept.map(|at| marked[at].0.clone()).collect()
    }

    fn arrows(&self, moves: &[Move]) -> Vec<Arrow> {
        let arrow = |step: &Move| {
            let (cube, marks) = (step.cube, self.marks(step));
            Arrow { cube, marks, target: self.states[&self.essential(&step.demand)] }
        };
        moves.iter().map(arrow).collect()
    }

    fn marks(&self, step: &Move) -> u64 {
        let has = |until: &Id| !step.demand.contains(until) || self.fulfils(step, *until);
        let marks = self.untils.iter().enumerate().filter(|(_, until)| has(until));
        marks.fold(0, |marks, (at, _)| marks | 1 << at)
    }

    fn fulfils(&self, step: &Move, until: Id) -> bool {
        self.moves[&until].iter().any(|way| {
            step.cube.within(way.cube)
                && !way.demand.contains(&until)
                && subset(&way.demand, &step.demand)
        })
    }
}

fn pairs(left: &[Move], right: &[Move]) -> Result<Vec<Move>, TooLarge> {
    let mut found = Vec::new();
    for a in left {
        for b in right {
            if let Some(cube) = a.cube.and(b.cube) {
                found.push(Move { cube, demand: union(&a.demand, &b.demand) });
            }
        }
        if found.len() > MOST_MOVES {
            return Err(TooLarge::Edges(MOST_MOVES));
        }
    }
    Ok(found)
}

/// Without the moves that ask more of fewer letters than another does.
fn minimal(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort();
    moves.dedup();
    let worse =
        |a: &Move, b: &Move| a != b && a.cube.within(b.cube) && subset(&b.demand, &a.demand);
    let kept = moves.iter().filter(|step| !moves.iter().any(|other| worse(step, other)));
    kept.cloned().collect()
}

fn union(a: &Demand, b: &Demand) -> Demand {
    let mut both = [a.as_slice(), b.as_slice()].concat();
    both.sort();
    both.dedup();
    both
}

fn subset(a: &Demand, b: &Demand) -> bool {
    a.iter().all(|id| b.binary_search(id).is_ok())
}
