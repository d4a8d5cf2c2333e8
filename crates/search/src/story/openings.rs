//! All places at which an instance that is stuck can have been opened.
//!
//! Where an instance was opened is not part of a state, so instances opened
//! at different places can be in the same states: one path tells one place.
//! Here every edge of the explored graph is looked at for openings of the
//! instance, and from those at each place for a way to where it is stuck.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::ControlFlow;

use exeunt_model::{Detail, Edge, Event, Location, OpenSection, Sink, Target};

use super::back::walk_back;
use crate::explore::Graph;
use crate::store::{StateId, StateStore};

/// A way to be stuck: where the instance is opened, and a path over there.
pub struct Opening {
    section: OpenSection,
    pub location: Location,
    pub path: Vec<StateId>,
    /// The step that opens it.
    at: usize,
}

impl Opening {
    /// Whether an edge can be a step of the path: others may lead to the same
    /// states and do something else to the instance.
    pub fn fits(&self, step: usize, edge: &Edge<'_>) -> bool {
        let mark = mark(edge.events, &self.section);
        match step.cmp(&self.at) {
            Ordering::Less => true,
            Ordering::Equal => mark.opened.as_ref() == Some(&self.location),
            Ordering::Greater => !mark.closed,
        }
    }
}

/// So many states may be looked at in any case.
const LEAST: usize = 100_000;

/// How many states are looked at between looks at the clock.
const STRIDE: usize = 64;

/// Edges that open an instance: source and target, by place.
type Places = BTreeMap<Location, Vec<(StateId, StateId)>>;

/// The explored graph with what opens and closes the wanted instances.
pub struct Openings {
    wanted: Vec<OpenSection>,
    parents: HashMap<StateId, StateId>,
    places: Vec<Places>,
}

impl Openings {
    /// Looks at every state that is reachable, but at no more than are known.
    pub fn of(graph: &mut Graph<'_>, wanted: &[OpenSection]) -> Openings {
        let mut found = Openings {
            wanted: wanted.to_vec(),
            parents: HashMap::new(),
            places: vec![Places::new(); wanted.len()],
        };
        // With a reduction there are more than the search has seen.
        let known = graph.store.len().max(LEAST);
        let mut queue: VecDeque<(StateId, StateId)> =
            graph.initial.into_iter().map(|initial| (initial, initial)).collect();
        while let Some((state, from)) = queue.pop_front() {
            if found.parents.contains_key(&state) || found.parents.len() >= known {
                continue;
            }
            if found.parents.len().is_multiple_of(STRIDE) && graph.bounds.is_late() {
                break;
            }
            found.parents.insert(state, from);
            for edge in marked_edges(graph, state, wanted) {
                for (places, mark) in found.places.iter_mut().zip(edge.marks) {
                    if let Some(location) = mark.opened {
                        places.entry(location).or_default().push((state, edge.target));
                    }
                }
                queue.push_back((edge.target, state));
            }
        }
        found
    }

    /// For every place a path over it to one of `goals` on which the instance
    /// stays open, if there is one.
    pub fn ways(
        &self,
        graph: &mut Graph<'_>,
        section: OpenSection,
        goals: &HashMap<StateId, usize>,
    ) -> Vec<Opening> {
        let Some(index) = self.wanted.iter().position(|wanted| *wanted == section) else {
            return Vec::new();
        };
        let places = self.places[index].iter();
        let ways = places.filter_map(|(location, edges)| {
            let (path, at) = self.way(graph, section, edges, goals)?;
            Some(Opening { section, location: location.clone(), path, at })
        });
        ways.collect()
    }

    /// Breadth first from the opening edges; also gives the opening step.
    fn way(
        &self,
        graph: &mut Graph<'_>,
        section: OpenSection,
        openings: &[(StateId, StateId)],
        goals: &HashMap<StateId, usize>,
    ) -> Option<(Vec<StateId>, usize)> {
        let mut sources: HashMap<StateId, StateId> = HashMap::new();
        let mut came_from: HashMap<StateId, StateId> = HashMap::new();
        let mut queue = VecDeque::new();
        for &(source, target) in openings {
            sources.entry(target).or_insert(source);
            queue.push_back((target, target));
        }
        while let Some((state, from)) = queue.pop_front() {
            if came_from.contains_key(&state) {
                continue;
            }
            came_from.insert(state, from);
            if came_from.len().is_multiple_of(STRIDE) && graph.bounds.is_late() {
                return None;
            }
            if goals.contains_key(&state) {
                let inside = walk_back(&came_from, state);
                let mut path = walk_back(&self.parents, sources[&inside[0]]);
                let at = path.len() - 1;
                path.extend(inside);
                return Some((path, at));
            }
            for edge in marked_edges(graph, state, &[section]) {
                if !edge.marks[0].closed {
                    queue.push_back((edge.target, state));
                }
            }
        }
        None
    }
}

/// What an edge does to an instance.
#[derive(Clone, Default)]
struct Mark {
    /// It ends on the way.
    closed: bool,
    /// It is opened, and open at the end.
    opened: Option<Location>,
}

struct MarkedEdge {
    target: StateId,
    /// One for each wanted instance.
    marks: Vec<Mark>,
}

fn marked_edges(graph: &mut Graph<'_>, state: StateId, wanted: &[OpenSection]) -> Vec<MarkedEdge> {
    let vector = graph.vector(state);
    let Graph { worker, store, .. } = graph;
    let mut sink = Marks { store, wanted, edges: Vec::new() };
    worker.expand(&vector, Detail::Story, None, &mut sink);
    sink.edges
}

struct Marks<'m> {
    store: &'m mut StateStore,
    wanted: &'m [OpenSection],
    edges: Vec<MarkedEdge>,
}

impl Sink for Marks<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let Target::State(vector) = target else { return ControlFlow::Continue(()) };
        let target = self.store.insert(vector).0;
        let marks = self.wanted.iter().map(|wanted| mark(edge.events, wanted)).collect();
        self.edges.push(MarkedEdge { target, marks });
        ControlFlow::Continue(())
    }
}

fn mark(events: &[Event], wanted: &OpenSection) -> Mark {
    let mut mark = Mark::default();
    for event in events {
        match event {
            Event::Opened { section, location, .. } if section == wanted => {
                mark.opened = Some(location.clone());
            }
            Event::Closed { section, .. } if section == wanted => {
                mark = Mark { closed: true, opened: None };
            }
            _ => {}
        }
    }
    mark
}
