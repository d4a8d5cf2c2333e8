//! Invariants: breadth first, so that the first state that breaks one is a
//! nearest one.

use exeunt_model::Fault;

use super::kripke::{Kripke, Node};
use crate::limits::Meter;
use crate::store::StateId;

pub struct Seen {
    /// The way to a state in which it is false.
    pub broken: Option<Vec<StateId>>,
    pub complete: bool,
    pub states: u64,
    pub transitions: u64,
}

/// Looks at every state.
pub fn search(
    kripke: &mut Kripke<'_>,
    proposition: u32,
    meter: &mut Meter<'_>,
) -> Result<Seen, Fault> {
    let mut walk = Walk::new(kripke);
    let mut seen = Seen { broken: None, complete: true, states: 0, transitions: 1 };
    while let Some((node, depth)) = walk.next() {
        if kripke.letter(node)? >> proposition & 1 == 0 {
            seen.broken = Some(walk.path(node));
            break;
        }
        let extra = kripke.bytes();
        let graph = &kripke.graph;
        if meter.must_stop(depth, &graph.store, graph.pool)
            || meter.no_room(extra, &graph.store, graph.pool)
        {
            seen.complete = false;
            break;
        }
        if kripke.fault.is_some() {
            seen.complete = false;
            break;
        }
        if meter.too_deep(depth) {
            seen.complete = false;
            continue;
        }
        seen.transitions += walk.follow(kripke, node, depth)?;
    }
    seen.states = walk.order.len() as u64;
    Ok(seen)
}

/// A shortest way to a state.
pub fn path_to(kripke: &mut Kripke<'_>, state: StateId) -> Result<Vec<StateId>, Fault> {
    let mut walk = Walk::new(kripke);
    while let Some((node, depth)) = walk.next() {
        if node.state() == state {
            return Ok(walk.path(node));
        }
        walk.follow(kripke, node, depth)?;
    }
    unreachable!("the state was reached before")
}

/// States in breadth-first order, with the place each was reached from.
struct Walk {
    order: Vec<(Node, u32, u64)>,
    known: std::collections::HashMap<Node, u32>,
    at: usize,
}

impl Walk {
    fn new(kripke: &Kripke<'_>) -> Walk {
        let order: Vec<_> = kripke.initial().into_iter().map(|node| (node, 0, 0)).collect();
        let known = order.iter().map(|(node, ..)| (*node, 0)).collect();
        Walk { order, known, at: 0 }
    }

    fn next(&mut self) -> Option<(Node, u64)> {
        let &(node, _, depth) = self.order.get(self.at)?;
        self.at += 1;
        Some((node, depth))
    }

    /// Adds what follows a node; returns how many moves there are.
    fn follow(&mut self, kripke: &mut Kripke<'_>, node: Node, depth: u64) -> Result<u64, Fault> {
        let degree = kripke.degree(node)?;
        let mut moves = 0;
        for at in 0..degree {
            let arc = kripke.arc(node, at);
            if arc.actor.is_none() {
                continue;
            }
            moves += 1;
            let from = self.known[&node];
            let next = self.order.len() as u32;
            if let std::collections::hash_map::Entry::Vacant(slot) = self.known.entry(arc.target) {
                slot.insert(next);
                self.order.push((arc.target, from, depth + 1));
            }
        }
        Ok(moves)
    }

    fn path(&self, node: Node) -> Vec<StateId> {
        let mut path = Vec::new();
        let mut at = self.known[&node];
        loop {
            path.push(self.order[at as usize].0.state());
            if at == 0 {
                break;
            }
            at = self.order[at as usize].1;
        }
        path.reverse();
        path
    }
}
