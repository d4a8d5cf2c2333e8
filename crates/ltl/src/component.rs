//! Strongly connected components by Tarjan's algorithm, without recursion.

use crate::graph::Arrow;

/// The component of each state; a component has a larger number than those
/// that can be reached from it.
pub(crate) fn components(edges: &[Vec<Arrow>]) -> Vec<usize> {
    let mut search = Search {
        edges,
        low: vec![0; edges.len()],
        of: vec![usize::MAX; edges.len()],
        open: Vec::new(),
        visited: 0,
        found: 0,
    };
    for root in 0..edges.len() {
        if search.low[root] == 0 {
            search.run(root);
        }
    }
    search.of
}

struct Search<'a> {
    edges: &'a [Vec<Arrow>],
    /// 0 is "not visited".
    low: Vec<usize>,
    of: Vec<usize>,
    open: Vec<usize>,
    visited: usize,
    found: usize,
}

impl Search<'_> {
    fn run(&mut self, root: usize) {
        let mut path = vec![self.enter(root)];
        while let Some((state, index, next)) = path.last().copied() {
            match self.edges[state].get(next) {
                Some(edge) => {
                    path.last_mut().expect("it was just there").2 += 1;
                    if self.low[edge.target] == 0 {
                        path.push(self.enter(edge.target));
                    } else if self.of[edge.target] == usize::MAX {
                        self.low[state] = self.low[state].min(self.low[edge.target]);
                    }
                }
                None => {
                    path.pop();
                    self.leave(state, index);
                    if let Some((parent, ..)) = path.last() {
                        self.low[*parent] = self.low[*parent].min(self.low[state]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, state: usize) -> (usize, usize, usize) {
        self.visited += 1;
        self.low[state] = self.visited;
        self.open.push(state);
        (state, self.visited, 0)
    }

    fn leave(&mut self, state: usize, index: usize) {
        if self.low[state] != index {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.of[member] = self.found;
            // Closed components must not pull others down.
            self.low[member] = usize::MAX;
            if member == state {
                break;
            }
        }
        self.found += 1;
    }
}
