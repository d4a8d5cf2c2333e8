//! Follows the threads of a run that was found elsewhere, in a model.
//!
//! A prover that works on another view of a program shows an infinite run as a list of threads,
//! of which the last part repeats. Its steps may be longer or shorter than those of the
//! model, so each entry may stand for a few steps or for none. What is found is a run of the
//! model: a cycle in its states on which the thread in question moves.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use exeunt_model::{ActorId, Basis, CompId, Detail, Edge, Model, Move, Sink, Target};

use crate::ComponentPool;
use crate::endless::components;

/// Threads in the order in which they move, of which those from `cycle` on repeat.
#[derive(Clone, Debug)]
pub struct Course {
    pub actors: Vec<ActorId>,
    pub cycle: usize,
    /// Who must move infinitely often.
    pub subject: ActorId,
}

/// Moves to a state, and moves from there that lead back to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endless {
    pub stem: Vec<Move>,
    pub cycle: Vec<Move>,
}

/// So many steps of the model may stand for one entry.
const MOST_IN_ONE: u8 = 6;

/// Of more turns than that, a course is followed step by step.
const MOST_TURNS: usize = 12;

/// A run of the model along a course; `None` if there is none within so many states.
///
/// A course on which threads move in few turns may be long: there each turn stands for any number of steps, which a thread
/// that counts through all values of a byte needs.
pub fn follow(model: &dyn Model, course: &Course, most: usize) -> Option<Endless> {
    let turns = course.turns();
    let few = turns.actors.len() <= MOST_TURNS && turns.actors.len() < course.actors.len();
    let quickly = if few { walk(model, &turns, most, None) } else { None };
    quickly.or_else(|| walk(model, course, most, Some(MOST_IN_ONE)))
}

impl Course {
    /// The same with one entry where the same thread moves several times in a row.
    fn turns(&self) -> Course {
        let mut actors: Vec<ActorId> = Vec::new();
        let mut cycle = 0;
        for (index, actor) in self.actors.iter().enumerate() {
            if index == self.cycle {
                cycle = actors.len();
            }
            if index == self.cycle || actors.last() != Some(actor) {
                actors.push(*actor);
            }
        }
        Course { actors, cycle, subject: self.subject }
    }
}

/// Each entry stands for so many steps or for one more, or for any number.
fn walk(model: &dyn Model, course: &Course, most: usize, many: Option<u8>) -> Option<Endless> {
    let session = model.open(Basis::Nothing);
    let pool = ComponentPool::new();
    let mut worker = session.worker(&pool);
    let mut first = Collect::default();
    worker.initial(&mut first);
    let mut graph = Graph::default();
    for (vector, _) in first.found {
        graph.add(Place { vector, at: 0, used: 0 }, None);
    }
    let mut todo: VecDeque<usize> = (0..graph.places.len()).collect();
    while let Some(number) = todo.pop_front() {
        if graph.places.len() > most {
            break;
        }
        let Place { vector, at, used } = graph.places[number].clone();
        let next = if at + 1 < course.actors.len() { at + 1 } else { course.cycle };
        let mut targets = vec![(Place { vector: vector.clone(), at: next, used: 0 }, None)];
        let mut found = Collect::default();
        worker.expand(&vector, Detail::Targets, None, &mut found);
        for (vector, step) in found.found {
            if step.actor != course.actors[at] {
                continue;
            }
            let Some(many) = many else {
                targets.push((Place { vector, at, used: 0 }, Some(step)));
                continue;
            };
            targets.push((Place { vector: vector.clone(), at: next, used: 0 }, Some(step.clone())));
            if used < many {
                targets.push((Place { vector, at, used: used + 1 }, Some(step)));
            }
        }
        for (target, step) in targets {
            let (to, new) = graph.add(target, Some((number, step.clone())));
            graph.moves[number].push((to, step));
            if new {
                todo.push_back(to);
            }
        }
    }
    graph.endless(course.subject)
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    vector: Vec<CompId>,
    /// The entry of the course that is next.
    at: usize,
    /// How many steps it has already stood for.
    used: u8,
}

#[derive(Default)]
struct Collect {
    found: Vec<(Vec<CompId>, Move)>,
}

impl Sink for Collect {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if let Target::State(vector) = target {
            let step = Move::of(edge);
            self.found.push((vector.to_vec(), step));
        }
        ControlFlow::Continue(())
    }
}

type Step = Option<Move>;

#[derive(Default)]
struct Graph {
    places: Vec<Place>,
    numbers: HashMap<Place, usize>,
    parents: Vec<Option<(usize, Step)>>,
    moves: Vec<Vec<(usize, Step)>>,
}

impl Graph {
    fn add(&mut self, place: Place, parent: Option<(usize, Step)>) -> (usize, bool) {
        if let Some(number) = self.numbers.get(&place) {
            return (*number, false);
        }
        let number = self.places.len();
        self.numbers.insert(place.clone(), number);
        self.places.push(place);
        self.parents.push(parent);
        self.moves.push(Vec::new());
        (number, true)
    }

    /// The first cycle on which the subject moves.
    fn endless(&self, subject: ActorId) -> Option<Endless> {
        let all = self.moves.iter().enumerate();
        let edges = all.flat_map(|(from, moves)| moves.iter().map(move |(to, _)| (from, *to)));
        let component = components(self.moves.len(), edges);
        for (from, moves) in self.moves.iter().enumerate() {
            for (to, step) in moves {
                let Some(step) = step.as_ref().filter(|step| step.actor == subject) else {
                    continue;
                };
                if component[from] == component[*to]
                    && let Some(back) = self.way(*to, from)
                {
                    let cycle = [step.clone()].into_iter().chain(back).collect();
                    return Some(Endless { stem: self.stem(from), cycle });
                }
            }
        }
        None
    }

    fn stem(&self, mut at: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some((before, step)) = &self.parents[at] {
            moves.extend(step.clone());
            at = *before;
        }
        moves.reverse();
        moves
    }

    fn way(&self, from: usize, to: usize) -> Option<Vec<Move>> {
        let mut parents: HashMap<usize, (usize, Step)> = HashMap::new();
        let mut todo = VecDeque::from([from]);
        while let Some(at) = todo.pop_front() {
            if at == to {
                let (mut moves, mut at) = (Vec::new(), to);
                while at != from {
                    let (before, step) = &parents[&at];
                    moves.extend(step.clone());
                    at = *before;
                }
                moves.reverse();
                return Some(moves);
            }
            for (next, step) in &self.moves[at] {
                if *next != from && !parents.contains_key(next) {
                    parents.insert(*next, (at, step.clone()));
                    todo.push_back(*next);
                }
            }
        }
        None
    }
}

/// Whether a run can be gone: each move of it exists, and its cycle ends where it began.
pub fn replays(model: &dyn Model, run: &Endless) -> bool {
    let session = model.open(Basis::Nothing);
    let pool = ComponentPool::new();
    let mut worker = session.worker(&pool);
    let mut first = Collect::default();
    worker.initial(&mut first);
    let Some((mut now, _)) = first.found.into_iter().next() else { return false };
    let mut begun = None;
    for (index, wanted) in run.stem.iter().chain(&run.cycle).enumerate() {
        if index == run.stem.len() {
            begun = Some(now.clone());
        }
        let mut found = Collect::default();
        worker.expand(&now, Detail::Targets, None, &mut found);
        let Some((next, _)) = found.found.into_iter().find(|(_, step)| step == wanted) else {
            return false;
        };
        now = next;
    }
    begun == Some(now)
}
