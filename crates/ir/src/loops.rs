//! The loops of a function that have a way out.
//!
//! A loop is a natural loop: a head that dominates the jumps back to it, and
//! all that leads to such a jump without passing the head. (Loops that can be
//! entered in two places are not listed.) A way out is a jump from inside to
//! outside from where the function can return, or call something that ends the
//! thread or the program; a failed assertion is no way out.

use fixedbitset::FixedBitSet;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::blocks::Blocks;
use crate::{CallSite, Function, Pc};

/// A loop that can be left.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Where its rounds begin.
    pub head: Pc,
    /// Its instructions.
    body: FixedBitSet,
}

impl Loop {
    pub fn contains(&self, pc: Pc) -> bool {
        self.body.contains(pc as usize)
    }
}

/// The loops of a function that have a way out, outer ones first. `fails` says
/// which calls end the program as a failure.
pub fn loops_with_exit(function: &Function, fails: &dyn Fn(&CallSite) -> bool) -> Vec<Loop> {
    if function.is_declaration() || !has_backward_jump(function) {
        return Vec::new();
    }
    let blocks = Blocks::of(function);
    let graph = flow(function, &blocks);
    let dominators = simple_fast(&graph, NodeIndex::new(0));
    let leaves = leaving(function, &blocks, &graph, fails);
    let mut loops = Vec::new();
    for head in graph.node_indices() {
        let body = natural(&graph, &dominators, head);
        let is_out = |&to: &NodeIndex| !body.contains(to.index()) && leaves.contains(to.index());
        let inside = |block: usize| graph.neighbors(NodeIndex::new(block));
        if body.ones().flat_map(inside).any(|to| is_out(&to)) {
            loops.push((body.count_ones(..), spread(&blocks, head.index(), &body)));
        }
    }
    loops.sort_by_key(|(size, found)| (usize::MAX - size, found.head));
    loops.into_iter().map(|(_, found)| found).collect()
}

fn has_backward_jump(function: &Function) -> bool {
    function.code.iter().enumerate().any(|(pc, inst)| {
        let mut back = false;
        inst.successors(function, pc as Pc, &mut |to| back |= to as usize <= pc);
        back
    })
}

fn flow(function: &Function, blocks: &Blocks) -> DiGraph<(), ()> {
    let mut graph = DiGraph::new();
    for _ in 0..blocks.len() {
        graph.add_node(());
    }
    for block in 0..blocks.len() {
        blocks.successors(function, block, &mut |to| {
            graph.update_edge(NodeIndex::new(block), NodeIndex::new(to), ());
        });
    }
    graph
}

/// The blocks of the loop with this head; empty if there is none.
fn natural(
    graph: &DiGraph<(), ()>,
    dominators: &Dominators<NodeIndex>,
    head: NodeIndex,
) -> FixedBitSet {
    let mut body = FixedBitSet::with_capacity(graph.node_count());
    let dominated = |block: &NodeIndex| {
        dominators.dominators(*block).is_some_and(|mut above| above.any(|by| by == head))
    };
    let back = graph.neighbors_directed(head, petgraph::Incoming);
    let mut work: Vec<NodeIndex> = back.filter(dominated).collect();
    if work.is_empty() {
        return body;
    }
    body.insert(head.index());
    while let Some(block) = work.pop() {
        if !body.put(block.index()) {
            work.extend(graph.neighbors_directed(block, petgraph::Incoming));
        }
    }
    body
}

/// The blocks from which the function returns, or ends its thread or the
/// program by a call that does not come back.
fn leaving(
    function: &Function,
    blocks: &Blocks,
    graph: &DiGraph<(), ()>,
    fails: &dyn Fn(&CallSite) -> bool,
) -> FixedBitSet {
    let mut leaves = FixedBitSet::with_capacity(blocks.len());
    let mut work = Vec::new();
    for block in 0..blocks.len() {
        let pcs = blocks.instructions(block);
        let last = &function.code[pcs.end as usize - 1];
        let calls: Vec<&CallSite> = pcs.filter_map(|pc| function.call_at(pc)).collect();
        let mut goes_on = false;
        blocks.successors(function, block, &mut |_| goes_on = true);
        let ends = !goes_on && !calls.is_empty();
        if (last.returns() || ends) && !calls.iter().any(|site| fails(site)) {
            work.push(NodeIndex::new(block));
        }
    }
    while let Some(block) = work.pop() {
        if !leaves.put(block.index()) {
            work.extend(graph.neighbors_directed(block, petgraph::Incoming));
        }
    }
    leaves
}

fn spread(blocks: &Blocks, head: usize, body: &FixedBitSet) -> Loop {
    let end = (0..blocks.len()).map(|block| blocks.instructions(block).end).max().unwrap_or(0);
    let mut pcs = FixedBitSet::with_capacity(end as usize);
    for block in body.ones() {
        let range = blocks.instructions(block);
        pcs.insert_range(range.start as usize..range.end as usize);
    }
    Loop { head: blocks.instructions(head).start, body: pcs }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Inst, LocId, SigId, TrapKind};

    fn function(code: Vec<Inst>) -> Function {
        let mut f = Function::declaration(Arc::from("f"), SigId(0));
        f.registers = 1;
        f.lists = vec![Box::new([])];
        f.locs = vec![LocId::NONE; code.len()];
        f.code = code;
        f
    }

    fn heads(code: Vec<Inst>) -> Vec<Pc> {
        loops_with_exit(&function(code), &|_| false).iter().map(|found| found.head).collect()
    }

    #[test]
    fn a_loop_is_listed_if_it_can_be_left() {
        // do {} while (r0); return
        let waits = vec![Inst::Branch { cond: 0, yes: 0, no: 1 }, Inst::Return { list: 0 }];
        assert_eq!(heads(waits), [0]);
        // for (;;);
        assert_eq!(heads(vec![Inst::Jump { to: 0 }]), [] as [Pc; 0]);
        // for (;;) if (!r0) __builtin_trap();
        let trap = Inst::Trap { kind: TrapKind::Unreachable };
        assert_eq!(heads(vec![Inst::Branch { cond: 0, yes: 0, no: 1 }, trap]), [] as [Pc; 0]);
    }

    #[test]
    fn inner_loops_come_after_outer_ones() {
        // do { do {} while (r0); } while (r0); return
        let nested = vec![
            Inst::Mov { dst: 0, src: 0 },
            Inst::Branch { cond: 0, yes: 1, no: 2 },
            Inst::Branch { cond: 0, yes: 0, no: 3 },
            Inst::Return { list: 0 },
        ];
        let loops = loops_with_exit(&function(nested), &|_| false);
        assert_eq!(loops.iter().map(|found| found.head).collect::<Vec<_>>(), [0, 1]);
        assert!(loops[0].contains(2) && !loops[1].contains(2));
    }
}
