//! Pairs of a state and a claim's state, numbered as they are met.

use exeunt_model::Fault;
use hashbrown::HashTable;

use super::claim::{Claim, Step};
use super::kripke::{Arc, Kripke, Node};
use super::marks::{Actors, Marks};

/// A pair, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PairId(pub u32);

impl PairId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge of the product.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub target: (Node, u32),
    pub marks: Marks,
    pub actor: Option<u8>,
}

pub struct Product<'p, 'a> {
    pub kripke: &'p mut Kripke<'a>,
    pub claim: &'p Claim,
    fair: bool,
    pairs: Vec<(Node, u32)>,
    index: HashTable<u32>,
}

fn hash(pair: (Node, u32)) -> u64 {
    let word = u64::from(pair.0.number()) | u64::from(pair.1) << 32;
    let mixed = (word ^ word >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

impl<'p, 'a> Product<'p, 'a> {
    pub fn new(kripke: &'p mut Kripke<'a>, claim: &'p Claim, fair: bool) -> Self {
        Product { kripke, claim, fair, pairs: Vec::new(), index: HashTable::new() }
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    pub fn pair(&self, id: PairId) -> (Node, u32) {
        self.pairs[id.index()]
    }

    pub fn initial(&mut self) -> Option<(Node, u32)> {
        let node = self.kripke.initial()?;
        Some((node, self.claim.start(self.kripke)))
    }

    /// The number of a pair, new or not.
    pub fn number(&mut self, pair: (Node, u32)) -> PairId {
        if let Some(known) = self.find(pair) {
            return known;
        }
        let id = u32::try_from(self.pairs.len()).expect("fewer than 2^32 pairs");
        self.pairs.push(pair);
        let pairs = &self.pairs;
        self.index.insert_unique(hash(pair), id, |&id| hash(pairs[id as usize]));
        PairId(id)
    }

    pub fn find(&self, pair: (Node, u32)) -> Option<PairId> {
        self.index.find(hash(pair), |&id| self.pairs[id as usize] == pair).map(|&id| PairId(id))
    }

    /// What a run must have infinitely often to be a violation.
    pub fn wanted(&self) -> Marks {
        let actors = if self.fair { Actors::ALL } else { Actors::NONE };
        Marks { claim: self.claim.marks(), actors }
    }

    /// The moves of the claim in a pair; asks for the edges of the state too.
    pub fn steps(&mut self, id: PairId, out: &mut Vec<Step>) -> Result<u32, Fault> {
        let (node, from) = self.pair(id);
        self.claim.steps(self.kripke, node, from, out)?;
        self.kripke.degree(node)
    }

    /// The marks of being in a state: those who cannot move there.
    pub fn rest(&self, id: PairId) -> Marks {
        match self.fair {
            true => Marks { claim: 0, actors: self.kripke.enabled(self.pair(id).0).complement() },
            false => Marks::NONE,
        }
    }

    pub fn edge(&self, from: PairId, step: Step, at: u32) -> Edge {
        let Arc { target, actor, .. } = self.kripke.arc(self.pair(from).0, at);
        let mut actors = Actors::NONE;
        if let Some(actor) = actor {
            actors.insert(actor);
        }
        let stays = actor.is_none() && self.claim.wants_moves();
        let claim = if stays { 0 } else { step.marks };
        Edge { target: (target, step.target), marks: Marks { claim, actors }, actor }
    }

    /// All edges of a pair at once.
    pub fn edges(&mut self, id: PairId) -> Result<Vec<Edge>, Fault> {
        let mut steps = Vec::new();
        let degree = self.steps(id, &mut steps)?;
        let numbers = |step: Step| (0..degree).map(move |at| (step, at));
        Ok(steps.into_iter().flat_map(numbers).map(|(step, at)| self.edge(id, step, at)).collect())
    }

    pub fn bytes(&self) -> u64 {
        (self.pairs.capacity() * 8 + self.index.allocation_size()) as u64
    }
}
