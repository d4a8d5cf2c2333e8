//! Whether an actor can move for ever, by all states of a model up to so many.
//!
//! Nothing is assumed about who moves: a cycle of states on which the actor moves is a run in which
//! it never stops, whether the others like it or not.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use exeunt_model::{
    ActorId, Basis, CompId, Detail, Edge, Model, Move, Schedule, Sink, Target, Trace,
};

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

impl Sink for Collect {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        match target {
            Target::State(vector) => self.found.push((vector.to_vec(), Move::of(edge))),
            // A program that goes wrong goes no further.
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
        let component = self.components();
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

    /// Strongly connected components: an order by depth-first search, then backwards (Kosaraju).
    fn components(&self) -> Vec<usize> {
        let count = self.moves.len();
        let mut order = Vec::with_capacity(count);
        let mut seen = vec![false; count];
        for root in 0..count {
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            let mut stack = vec![(root, 0)];
            while let Some((at, position)) = stack.pop() {
                let Some((to, ..)) = self.moves[at].get(position) else {
                    order.push(at);
                    continue;
                };
                stack.push((at, position + 1));
                if !std::mem::replace(&mut seen[*to], true) {
                    stack.push((*to, 0));
                }
            }
        }
        let mut back = vec![Vec::new(); count];
        for (from, moves) in self.moves.iter().enumerate() {
            moves.iter().for_each(|(to, ..)| back[*to].push(from));
        }
        let mut component = vec![usize::MAX; count];
        for (number, &root) in order.iter().rev().enumerate() {
            let mut stack = vec![root];
            while let Some(at) = stack.pop() {
                if component[at] == usize::MAX {
                    component[at] = number;
                    stack.extend(&back[at]);
                }
            }
        }
        component
    }
}
