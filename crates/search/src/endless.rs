//! Whether an actor can move for ever, by all states of a model up to so many.
//!
//! Nothing is assumed about who moves: a cycle of states on which the actor moves is a run in which
//! it never stops, whether the others like it or not.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use exeunt_model::{
    ActorId, Basis, CompId, Detail, Edge, Model, Move, Property, Schedule, Sink, Target, Trace,
};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::ComponentPool;
use crate::explore::Graph as Explored;
use crate::follow::Endless;
use crate::story::{self, Outcome};

/// What becomes of the actors of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moving {
    /// One of them can move for ever.
    ForEver(Endless),
    /// All states were looked at.
    Stops { states: usize },
    /// Why it is not known.
    Unknown(String),
}

/// Looks at all states, up to so many, for a cycle on which an actor of this name moves.
pub fn moving(model: &dyn Model, name: &str, most: usize, stop: &dyn Fn() -> bool) -> Moving {
    let session = model.open(Basis::Nothing);
    let pool = ComponentPool::new();
    let mut worker = session.worker(&pool);
    let mut states = States::default();
    let mut first = Collect::default();
    worker.initial(&mut first);
    for (vector, _) in first.found {
        states.add(vector, None);
    }
    let mut next = 0;
    let mut seen = false;
    while next < states.vectors.len() {
        if states.vectors.len() > most || next % 64 == 0 && stop() {
            return Moving::Unknown(format!("it has more than {next} states"));
        }
        let vector = states.vectors[next].clone();
        let named = worker.view(&vector).into_iter().filter(|view| view.name == name);
        let named: Vec<ActorId> = named.map(|view| view.actor).collect();
        seen |= !named.is_empty();
        let mut found = Collect::default();
        worker.expand(&vector, Detail::Targets, None, &mut found);
        if let Some(what) = found.unsupported {
            return Moving::Unknown(what);
        }
        for (target, step) in found.found {
            let subject = named.contains(&step.actor);
            let to = states.add(target, Some((next, step.clone())));
            states.moves[next].push((to, step, subject));
        }
        next += 1;
    }
    match (states.endless(), session.incompleteness().into_iter().next()) {
        (Some(run), _) => Moving::ForEver(run),
        (None, Some(why)) => Moving::Unknown(why),
        (None, None) if !seen => Moving::Unknown(format!("no thread `{name}` runs")),
        (None, None) => Moving::Stops { states: states.vectors.len() },
    }
}

/// Runs moves of which those from `cycle` on lead back to where they began, and tells them.
/// `Err` says what is not so.
pub fn tell_endless(
    model: &dyn Model,
    schedule: &Schedule,
    cycle: usize,
    name: &str,
) -> Result<Trace, String> {
    let session = model.open(Basis::Nothing);
    let pool = ComponentPool::new();
    let mut graph = Explored::new(session.worker(&pool), &pool);
    graph.start().map_err(|fault| fault.message)?;
    let mut state = graph.initial.ok_or("the program has no initial state")?;
    let mut path = vec![state];
    let mut moves = false;
    for (index, step) in schedule.moves.iter().enumerate() {
        if index >= cycle {
            let vector = graph.vector(state);
            let views = graph.worker.view(&vector);
            moves |= views.iter().any(|view| view.actor == step.actor && view.name == name);
        }
        match story::take(&mut graph, state, step) {
            Some((Outcome::State(next), _)) => {
                state = next;
                path.push(state);
            }
            Some((Outcome::Fault(fault), _)) => return Err(fault.message),
            Some((Outcome::Other(what), _)) => return Err(what),
            None => return Err(format!("move {} (`{step}`) is not possible", index + 1)),
        }
    }
    if path.get(cycle) != path.last() || cycle + 1 >= path.len() {
        return Err("the moves that repeat do not lead back".into());
    }
    if !moves {
        return Err(format!("`{name}` does not move in what repeats"));
    }
    let mut wanted = |index: usize, edge: &Edge<'_>| {
        schedule.moves.get(index).is_some_and(|step| *step == Move::of(edge))
    };
    let mut trace = story::build_by(&mut graph, &path, None, &mut wanted);
    trace.cycle_start = Some(cycle);
    Ok(trace)
}

#[derive(Default)]
struct Collect {
    found: Vec<(Vec<CompId>, Move)>,
    unsupported: Option<String>,
}

/// The strongly connected component of each of so many nodes, as a number.
pub(crate) fn components(nodes: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    (0..nodes).for_each(|_| {
        graph.add_node(());
    });
    for (from, to) in edges {
        graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
    }
    let mut component = vec![0; nodes];
    for (number, members) in kosaraju_scc(&graph).into_iter().enumerate() {
        members.into_iter().for_each(|node| component[node.index()] = number);
    }
    component
}

impl Sink for Collect {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        match target {
            Target::State(vector) => self.found.push((vector.to_vec(), Move::of(edge))),
            // Only we stop there: a thread library that is misused goes on somehow.
            Target::Fault(fault) if fault.property == Property::Misuse => {
                self.unsupported = Some(fault.message.clone());
            }
            // A program that goes wrong in another way goes no further.
            Target::Fault(_) | Target::Dropped => {}
            Target::Unsupported(what) => self.unsupported = Some(what.to_string()),
        }
        ControlFlow::Continue(())
    }
}

#[derive(Default)]
struct States {
    vectors: Vec<Vec<CompId>>,
    numbers: HashMap<Vec<CompId>, usize>,
    parents: Vec<Option<(usize, Move)>>,
    /// Targets, moves, and whether an actor of the name moves.
    moves: Vec<Vec<(usize, Move, bool)>>,
}

impl States {
    fn add(&mut self, vector: Vec<CompId>, parent: Option<(usize, Move)>) -> usize {
        if let Some(number) = self.numbers.get(&vector) {
            return *number;
        }
        let number = self.vectors.len();
        self.numbers.insert(vector.clone(), number);
        self.vectors.push(vector);
        self.parents.push(parent);
        self.moves.push(Vec::new());
        number
    }

    /// A cycle with a move of the subject, as near to the beginning as possible.
    fn endless(&self) -> Option<Endless> {
        let all = self.moves.iter().enumerate();
        let edges = all.flat_map(|(from, moves)| moves.iter().map(move |(to, ..)| (from, *to)));
        let component = components(self.moves.len(), edges);
        for (from, moves) in self.moves.iter().enumerate() {
            for (to, step, subject) in moves {
                if !subject || component[from] != component[*to] {
                    continue;
                }
                let mut cycle = vec![step.clone()];
                cycle.extend(self.way(*to, from)?);
                return Some(Endless { stem: self.stem(from), cycle });
            }
        }
        None
    }

    fn stem(&self, mut at: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some((before, step)) = &self.parents[at] {
            moves.push(step.clone());
            at = *before;
        }
        moves.reverse();
        moves
    }

    fn way(&self, from: usize, to: usize) -> Option<Vec<Move>> {
        let mut parents: HashMap<usize, (usize, &Move)> = HashMap::new();
        let mut todo = VecDeque::from([from]);
        while let Some(at) = todo.pop_front() {
            if at == to {
                let (mut moves, mut at) = (Vec::new(), to);
                while at != from {
                    let (before, step) = parents[&at];
                    moves.push(step.clone());
                    at = before;
                }
                moves.reverse();
                return Some(moves);
            }
            for (next, step, _) in &self.moves[at] {
                if *next != from && !parents.contains_key(next) {
                    parents.insert(*next, (at, step));
                    todo.push_back(*next);
                }
            }
        }
        None
    }
}
