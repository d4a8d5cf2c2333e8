//! Loops of an automaton.

use std::collections::BTreeSet;

use exeunt_counter::{NodeId, Thread};
use exeunt_smt::Var;

/// Nodes such that every cycle goes through one: the targets of back edges of
/// a depth-first search.
pub(crate) fn cuts(thread: &Thread) -> BTreeSet<NodeId> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; thread.nodes.len()];
    let mut cuts = BTreeSet::new();
    let mut stack = vec![(thread.entry, 0)];
    marks[thread.entry.0 as usize] = Mark::Open;
    while let Some((node, next)) = stack.pop() {
        let Some((_, edge)) = thread.leaving(node).nth(next) else {
            marks[node.0 as usize] = Mark::Done;
            continue;
        };
        stack.push((node, next + 1));
        match marks[edge.to.0 as usize] {
            Mark::New => {
                marks[edge.to.0 as usize] = Mark::Open;
                stack.push((edge.to, 0));
            }
            Mark::Open => {
                cuts.insert(edge.to);
            }
            Mark::Done => {}
        }
    }
    cuts
}

/// Whether `to` is reached from `from` by one edge or more.
pub(crate) fn reaches(thread: &Thread, from: NodeId, to: NodeId) -> bool {
    let mut seen = vec![false; thread.nodes.len()];
    let mut todo = vec![from];
    while let Some(node) = todo.pop() {
        for (_, edge) in thread.leaving(node) {
            if edge.to == to {
                return true;
            }
            if !std::mem::replace(&mut seen[edge.to.0 as usize], true) {
                todo.push(edge.to);
            }
        }
    }
    false
}

/// The loop heads that lie on common cycles, in order.
pub(crate) fn groups(thread: &Thread, cuts: &BTreeSet<NodeId>) -> Vec<BTreeSet<NodeId>> {
    let mut groups: Vec<BTreeSet<NodeId>> = Vec::new();
    for cut in cuts {
        let together = groups.iter_mut().find(|group| {
            let other = *group.first().expect("groups have a head");
            reaches(thread, *cut, other) && reaches(thread, other, *cut)
        });
        match together {
            Some(group) => {
                group.insert(*cut);
            }
            None => groups.push(BTreeSet::from([*cut])),
        }
    }
    groups
}

/// Variables whose values where the thread begins matter: read before they are written.
pub(crate) fn read_first(thread: &Thread) -> BTreeSet<Var> {
    let mut live: Vec<BTreeSet<Var>> = vec![BTreeSet::new(); thread.nodes.len()];
    loop {
        let mut changed = false;
        for edge in &thread.edges {
            let mut needed = live[edge.to.0 as usize].clone();
            needed.retain(|var| !edge.sets.contains_key(var));
            edge.guard.collect_vars(&mut needed);
            edge.sets.values().for_each(|term| term.collect_vars(&mut needed));
            let before = &mut live[edge.from.0 as usize];
            let count = before.len();
            before.extend(needed);
            changed |= before.len() > count;
        }
        if !changed {
            return live[thread.entry.0 as usize].clone();
        }
    }
}
