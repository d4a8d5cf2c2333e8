//! Making automata smaller without changing what they accept: states with the
//! same edges, states that simulate each other, edges that another one makes
//! needless, marks that say nothing. Somenzi and Bloem describe the
//! simulations, Babiak and others ("LTL to Büchi automata translation: fast
//! and more deterministic") what acceptance outside of cycles allows.

use std::collections::BTreeMap;

use crate::graph::{Arrow, Graph};
use crate::simulation::{Relation, answers, backwards, forwards};

/// Relations are quadratic in states and edges; larger graphs only lose
/// duplicates.
const MOST_COMPARED: (usize, usize) = (300, 2000);

pub(crate) fn reduce(graph: &mut Graph) {
    graph.trim();
    loop {
        let before = graph.size();
        for free in [false, true] {
            simplify_acceptance(graph, free);
            merge_equal(graph);
            let (states, edges) = graph.size();
            if states <= MOST_COMPARED.0 && edges <= MOST_COMPARED.1 {
                merge_similar(graph, &forwards(graph));
                prune(graph);
                merge_similar(graph, &backwards(graph));
                graph.trim();
            }
        }
        if graph.size() == before {
            break;
        }
    }
    simplify_acceptance(graph, false);
    graph.trim();
}

/// Off cycles acceptance does not matter: it is set to `free`. In components
/// that accept nothing it is cleared.
fn simplify_acceptance(graph: &mut Graph, free: bool) {
    drop_marks(graph);
    let (of, accepting) = graph.components();
    let all = if free { graph.all_marks() } else { 0 };
    for state in 0..graph.edges.len() {
        let mut cyclic = false;
        for edge in &mut graph.edges[state] {
            let inside = of[edge.target] == of[state];
            cyclic |= inside;
            if !inside {
                edge.marks = all;
            } else if !accepting[of[state]] {
                edge.marks = 0;
            }
        }
        if graph.by_states && !accepting[of[state]] {
            graph.coloured[state] = free && !cyclic;
        }
        graph.edges[state].sort();
        graph.edges[state].dedup();
    }
}

/// A mark is needless if another one is only on edges that have it too. The
/// last one stays as long as it tells cycles that are not accepted.
fn drop_marks(graph: &mut Graph) {
    let mut at = 0;
    while at < graph.marks {
        let (of, accepting) = graph.components();
        if graph.marks == 1 && has_rejecting_cycle(graph, &of, &accepting) {
            return;
        }
        let states = 0..graph.edges.len();
        let inner = states.filter(|state| accepting[of[*state]]).flat_map(|state| {
            let of = &of;
            graph.edges[state].iter().filter(move |edge| of[edge.target] == of[state])
        });
        let common = inner.clone().fold(graph.all_marks(), |left, edge| {
            if edge.marks >> at & 1 == 1 { left } else { left & !edge.marks }
        });
        if inner.clone().all(|edge| edge.marks >> at & 1 == 1) || common & !(1 << at) != 0 {
            remove_mark(graph, at);
        } else {
            at += 1;
        }
    }
}

fn has_rejecting_cycle(graph: &Graph, of: &[usize], accepting: &[bool]) -> bool {
    let inside = |state: usize| graph.edges[state].iter().any(|edge| of[edge.target] == of[state]);
    (0..of.len()).any(|state| !accepting[of[state]] && inside(state))
}

fn remove_mark(graph: &mut Graph, mark: usize) {
    // What could not be accepted because of this mark must not become so.
    let (of, accepting) = graph.components();
    let low = (1u64 << mark) - 1;
    for (state, edges) in graph.edges.iter_mut().enumerate() {
        for edge in edges.iter_mut() {
            let marks = if accepting[of[state]] { edge.marks } else { 0 };
            edge.marks = (marks & low) | (marks >> 1 & !low);
        }
    }
    graph.marks -= 1;
}

fn merge_equal(graph: &mut Graph) {
    loop {
        let mut first = BTreeMap::new();
        let leader: Vec<usize> = (0..graph.edges.len())
            .map(|state| {
                let key = (graph.coloured[state], graph.edges[state].clone());
                *first.entry(key).or_insert(state)
            })
            .collect();
        if first.len() == graph.edges.len() {
            return;
        }
        drop(first);
        graph.quotient(&leader);
    }
}

fn merge_similar(graph: &mut Graph, better: &Relation) {
    let same = |p: usize, q: usize| better[p][q] && better[q][p];
    let leader = |q: usize| (0..q).find(|p| same(*p, q)).unwrap_or(q);
    let leader: Vec<usize> = (0..graph.edges.len()).map(leader).collect();
    graph.quotient(&leader);
}

/// Removes edges for which the same state has one that is at least as good.
fn prune(graph: &mut Graph) {
    let better = forwards(graph);
    for edges in &mut graph.edges {
        let covers = |a: &Arrow, b: &Arrow| b.cube.within(a.cube) && answers(b, a, &better);
        let needless = |at: usize| {
            edges.iter().enumerate().any(|(other, edge)| {
                other != at && covers(edge, &edges[at]) && (other < at || !covers(&edges[at], edge))
            })
        };
        let kept = (0..edges.len()).filter(|at| !needless(*at)).map(|at| edges[at]);
        *edges = kept.collect();
    }
    graph.trim();
}
