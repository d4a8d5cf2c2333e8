//! Strongly connected components, with petgraph's search, which has no recursion
//! (Kosaraju's; published by Sharir: A strong-connectivity algorithm and its
//! applications in data flow analysis, 1981).

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use crate::graph::Arrow;

/// The component of each state; a component has a larger number than those
/// that can be reached from it.
pub(crate) fn components(edges: &[Vec<Arrow>]) -> Vec<usize> {
    let mut graph = DiGraph::<(), ()>::with_capacity(edges.len(), 0);
    for _ in edges {
        graph.add_node(());
    }
    for (state, arrows) in edges.iter().enumerate() {
        graph.extend_with_edges(arrows.iter().map(|arrow| (state as u32, arrow.target as u32)));
    }
    let mut of = vec![0; edges.len()];
    for (number, component) in kosaraju_scc(&graph).iter().enumerate() {
        component.iter().for_each(|state| of[state.index()] = number);
    }
    of
}
