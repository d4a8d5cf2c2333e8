//! From a component with all marks to a run that people can read: a way into
//! the component and a round through it that collects every mark, both as
//! short as a look around finds.

use std::collections::{HashMap, HashSet, VecDeque};

use exeunt_model::Fault;

use super::kripke::{Kripke, Node};
use super::marks::Actors;
use super::nearby;
use super::product::{Edge, PairId, Product};

/// One step of a run: which actor moved, and the target. Without an actor the
/// run has ended, and its last state repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stride {
    pub actor: Option<u8>,
    pub target: Node,
}

/// A run that goes along the stem and then round the cycle for ever. The
/// last stride of the cycle leads to where it began.
#[derive(Clone, Debug)]
pub struct Run {
    pub first: Node,
    pub stem: Vec<Stride>,
    pub cycle: Vec<Stride>,
}

impl Run {
    fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }
}

/// How many places of a component are tried as the beginning of the cycle.
const TRIED: usize = 48;
/// Components with more pairs than this get few tries.
const LARGE: usize = 4000;

type Path = Vec<(Edge, PairId)>;

/// A run into and around the component, or around one that is nearer.
pub fn run(product: &mut Product<'_, '_>, component: &[PairId]) -> Result<Run, Fault> {
    let late = product.kripke.graph.bounds.is_late();
    let nearer = if late { Vec::new() } else { nearby::components(product)? };
    if nearer.is_empty() {
        return around(product, component);
    }
    let mut best: Option<Run> = None;
    for component in &nearer {
        let run = around(product, component)?;
        if best.as_ref().is_none_or(|best| run.len() < best.len()) {
            best = Some(run);
        }
    }
    Ok(best.expect("there is one"))
}

fn around(product: &mut Product<'_, '_>, component: &[PairId]) -> Result<Run, Fault> {
    let members: HashSet<PairId> = component.iter().copied().collect();
    let tries = match product.kripke.graph.bounds.is_late() {
        true => 1,
        false if members.len() > LARGE => 2,
        false => TRIED,
    };
    let (ways, entries) = entries(product, &members, tries)?;
    let mut inside = Inside { product, members, edges: HashMap::new() };
    let mut best: Option<(usize, PairId, Path)> = None;
    for (depth, entry) in entries {
        let late = best.is_some() && inside.product.kripke.graph.bounds.is_late();
        if late || best.as_ref().is_some_and(|(length, ..)| *length <= depth) {
            break;
        }
        let cycle = inside.round(entry)?;
        let length = depth + cycle.len();
        if best.as_ref().is_none_or(|(other, ..)| length < *other) {
            best = Some((length, entry, cycle));
        }
    }
    let (_, entry, cycle) = best.expect("a component can be entered");
    let stem = stem(&ways, entry);
    let first = product.pair(PairId(0)).0;
    Ok(Run { first, stem, cycle: cycle.iter().map(|(edge, _)| stride(edge)).collect() })
}

/// The shortest way to a pair.
pub fn way_to(product: &mut Product<'_, '_>, pair: PairId) -> Result<Run, Fault> {
    let (ways, _) = entries(product, &HashSet::from([pair]), 1)?;
    let stem = stem(&ways, pair);
    Ok(Run { first: product.pair(PairId(0)).0, stem, cycle: Vec::new() })
}

/// Who could move all the time on the cycle and never does.
pub fn starved(kripke: &mut Kripke<'_>, run: &Run) -> Result<Actors, Fault> {
    if run.cycle.is_empty() {
        return Ok(Actors::NONE);
    }
    let mut waiting = Actors::ALL;
    for stride in &run.cycle {
        kripke.degree(stride.target)?;
        let mut moved = Actors::NONE;
        if let Some(actor) = stride.actor {
            moved.insert(actor);
        }
        waiting = waiting.and(kripke.enabled(stride.target)).and(moved.complement());
    }
    Ok(waiting)
}

fn stride(edge: &Edge) -> Stride {
    Stride { actor: edge.actor, target: edge.target.0 }
}

/// How each pair was reached: from where, and over which edge.
type Ways = HashMap<PairId, (PairId, Edge)>;

/// The members met first by a breadth-first look over what the search knows,
/// with their distances, and the ways there.
fn entries(
    product: &mut Product<'_, '_>,
    members: &HashSet<PairId>,
    most: usize,
) -> Result<(Ways, Vec<(usize, PairId)>), Fault> {
    let first = PairId(0);
    let mut ways = Ways::new();
    let mut found = Vec::new();
    let mut queue = VecDeque::from([(first, 0)]);
    while let Some((pair, depth)) = queue.pop_front() {
        if members.contains(&pair) {
            found.push((depth, pair));
            if found.len() >= most {
                break;
            }
        }
        for edge in product.edges(pair)? {
            let Some(target) = product.find(edge.target) else { continue };
            if target != first && !ways.contains_key(&target) {
                ways.insert(target, (pair, edge));
                queue.push_back((target, depth + 1));
            }
        }
    }
    Ok((ways, found))
}

fn stem(ways: &Ways, entry: PairId) -> Vec<Stride> {
    let mut stem = Vec::new();
    let mut at = entry;
    while let Some((before, edge)) = ways.get(&at) {
        stem.push(stride(edge));
        at = *before;
    }
    stem.reverse();
    stem
}

/// The edges within a component.
struct Inside<'i, 'p, 'a> {
    product: &'i mut Product<'p, 'a>,
    members: HashSet<PairId>,
    edges: HashMap<PairId, Path>,
}

impl Inside<'_, '_, '_> {
    fn edges(&mut self, pair: PairId) -> Result<&Path, Fault> {
        if !self.edges.contains_key(&pair) {
            let all = self.product.edges(pair)?;
            let inside = all.into_iter().filter_map(|edge| {
                let target = self.product.find(edge.target)?;
                self.members.contains(&target).then_some((edge, target))
            });
            let inside = inside.collect();
            self.edges.insert(pair, inside);
        }
        Ok(&self.edges[&pair])
    }

    /// A closed walk from `entry` that has all marks.
    fn round(&mut self, entry: PairId) -> Result<Path, Fault> {
        let wanted = self.product.wanted();
        let mut walk = Path::new();
        let mut marks = self.product.rest(entry);
        let mut at = entry;
        while !marks.has(wanted) {
            let gains = |product: &Product<'_, '_>, edge: &Edge, target: PairId| {
                !marks.has((edge.marks | product.rest(target)).common(wanted))
            };
            let part = self.nearest(at, gains)?;
            for (edge, target) in &part {
                marks |= edge.marks | self.product.rest(*target);
                at = *target;
            }
            walk.extend(part);
        }
        if at != entry || walk.is_empty() {
            walk.extend(self.nearest(at, |_, _, target| target == entry)?);
        }
        Ok(walk)
    }

    /// A shortest walk with at least one edge, whose last edge is wanted.
    fn nearest(
        &mut self,
        from: PairId,
        wanted: impl Fn(&Product<'_, '_>, &Edge, PairId) -> bool,
    ) -> Result<Path, Fault> {
        let mut ways = Ways::new();
        let mut queue = VecDeque::from([from]);
        while let Some(pair) = queue.pop_front() {
            self.edges(pair)?;
            for (edge, target) in &self.edges[&pair] {
                if wanted(self.product, edge, *target) {
                    let mut walk = vec![(*edge, *target)];
                    let mut at = pair;
                    while at != from {
                        let (before, edge) = ways[&at];
                        walk.push((edge, at));
                        at = before;
                    }
                    walk.reverse();
                    return Ok(walk);
                }
                if *target != from && !ways.contains_key(target) {
                    ways.insert(*target, (pair, *edge));
                    queue.push_back(*target);
                }
            }
        }
        unreachable!("a component has every mark it has somewhere on its edges")
    }
}
