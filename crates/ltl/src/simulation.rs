//! Direct simulation, forwards and backwards, with letters compared exactly:
//! a cube may be covered by several edges together.

use crate::graph::{Arrow, Graph};
use crate::guard::Cube;

/// `better[p][q]`: whatever `p` can do, `q` can do as well.
pub(crate) type Relation = Vec<Vec<bool>>;

/// Forwards: what the state can do from here on.
pub(crate) fn forwards(graph: &Graph) -> Relation {
    let compatible = |p: usize, q: usize| !graph.coloured[p] || graph.coloured[q];
    greatest(&graph.edges, compatible)
}

/// Backwards: in how many ways the state can be reached.
pub(crate) fn backwards(graph: &Graph) -> Relation {
    let mut reversed = vec![Vec::new(); graph.edges.len()];
    for (state, edges) in graph.edges.iter().enumerate() {
        for edge in edges {
            reversed[edge.target].push(edge.to(state));
        }
    }
    let compatible = |p: usize, q: usize| {
        graph.coloured[p] == graph.coloured[q] && (p != graph.initial || q == graph.initial)
    };
    greatest(&reversed, compatible)
}

fn greatest(edges: &[Vec<Arrow>], compatible: impl Fn(usize, usize) -> bool) -> Relation {
    let states = edges.len();
    let row = |p: usize| (0..states).map(|q| compatible(p, q)).collect();
    let mut better: Relation = (0..states).map(row).collect();
    loop {
        let mut changed = false;
        for p in 0..states {
            for q in 0..states {
                if p != q && better[p][q] && !follows(&edges[p], &edges[q], &better) {
                    better[p][q] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return better;
        }
    }
}

fn follows(left: &[Arrow], right: &[Arrow], better: &Relation) -> bool {
    left.iter().all(|edge| {
        let answers = right.iter().filter(|other| answers(edge, other, better));
        let cubes: Vec<Cube> = answers.map(|other| other.cube).collect();
        edge.cube.covered_by(&cubes)
    })
}

/// Whether `other` is as good as `edge` on the letters they share.
pub(crate) fn answers(edge: &Arrow, other: &Arrow, better: &Relation) -> bool {
    edge.marks & !other.marks == 0 && better[edge.target][other.target]
}
