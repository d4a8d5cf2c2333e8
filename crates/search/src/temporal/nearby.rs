//! A depth-first search stops at the first component with all marks, which
//! may be far away. A breadth-first look at the pairs around the initial one
//! often has a nearer one: components of a part of the product are parts of
//! its components.

use std::collections::HashMap;

use exeunt_model::Fault;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::marks::Marks;
use super::product::{Edge, PairId, Product};

/// How many pairs are looked at, and how many components are handed back.
const PAIRS: usize = 3000;
const COMPONENTS: usize = 8;

/// Components with all marks near the initial pair, the nearest first.
pub fn components(product: &mut Product<'_, '_>) -> Result<Vec<Vec<PairId>>, Fault> {
    let part = Part::around_the_start(product)?;
    let components = part.split();
    let mut accepting: Vec<Vec<usize>> = Vec::new();
    for component in components {
        if part.marks(product, &component).is_some_and(|marks| marks.has(product.wanted())) {
            accepting.push(component);
        }
    }
    // Places are numbered breadth first.
    accepting.sort_by_key(|component| component.iter().min().copied());
    accepting.truncate(COMPONENTS);
    Ok(accepting
        .into_iter()
        .map(|component| component.into_iter().map(|place| part.pairs[place]).collect())
        .collect())
}

/// A part of the product, numbered in the order of a breadth-first look.
struct Part {
    pairs: Vec<PairId>,
    edges: Vec<Vec<(Edge, usize)>>,
}

impl Part {
    fn around_the_start(product: &mut Product<'_, '_>) -> Result<Part, Fault> {
        let mut part = Part { pairs: vec![PairId(0)], edges: Vec::new() };
        let mut places = HashMap::from([(PairId(0), 0)]);
        while part.edges.len() < part.pairs.len() {
            let mut own = Vec::new();
            for edge in product.edges(part.pairs[part.edges.len()])? {
                let pair = product.number(edge.target);
                let known = places.get(&pair).copied();
                if known.is_none() && part.pairs.len() >= PAIRS {
                    continue;
                }
                let place = known.unwrap_or(part.pairs.len());
                if known.is_none() {
                    places.insert(pair, place);
                    part.pairs.push(pair);
                }
                own.push((edge, place));
            }
            part.edges.push(own);
        }
        Ok(part)
    }

    /// The components that have an edge.
    fn split(&self) -> Vec<Vec<usize>> {
        let list = |(place, edges): (usize, &Vec<(Edge, usize)>)| {
            edges.iter().map(move |(_, target)| (place as u32, *target as u32)).collect::<Vec<_>>()
        };
        let graph = DiGraph::<(), ()>::from_edges(self.edges.iter().enumerate().flat_map(list));
        let components = kosaraju_scc(&graph).into_iter();
        components.map(|component| component.iter().map(|place| place.index()).collect()).collect()
    }

    /// The marks of a component; `None` if it has no edge.
    fn marks(&self, product: &Product<'_, '_>, component: &[usize]) -> Option<Marks> {
        let mut inside = vec![false; self.pairs.len()];
        component.iter().for_each(|place| inside[*place] = true);
        let mut marks = None;
        for &place in component {
            for (edge, _) in self.edges[place].iter().filter(|(_, target)| inside[*target]) {
                let own = edge.marks | product.rest(self.pairs[place]);
                marks = Some(marks.unwrap_or(Marks::NONE) | own);
            }
        }
        marks
    }
}
