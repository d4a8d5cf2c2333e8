//! Whether every section can be left, from one way on of every state.
//!
//! A step that the environment cannot prevent leads from a stuck set into the
//! same set. Follow one such step from every state (`Onward`): where this
//! ends (the program has ended, or nothing more is known), nothing on the way
//! belongs to a stuck set. So a stuck set contains one of the cycles that the
//! ways form, and only these few must be looked at. From a cycle, everything
//! that unpreventable steps reach belongs to the set too: if that comes to
//! where nothing is stuck, or no section is open in all of it, the cycle and
//! every way into it is cleared as well, with all that was followed. This takes
//! a part of the states once more, each at most once, and no order of exploration.

use exeunt_model::OpenSection;
use rustc_hash::FxHashMap;

use super::component::{has_await, remove_closed};
use crate::explore::{Chain, Expansion, Graph, Onward, Step, Wanted, Way, follow_chains};
use crate::store::StateId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing is stuck.
    Free,
    /// Something is stuck.
    Stuck,
    /// The choices of the environment must be looked at in detail.
    Unsure,
}

/// What is known of a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Unseen,
    /// On the way that is being followed.
    Open,
    /// In no stuck set.
    Cleared,
}

struct Ways<'w, 'g, 'a> {
    graph: &'w mut Graph<'g>,
    onward: &'w Onward,
    wanted: Wanted<'a>,
    /// Where a state's mark is; a state without one is in no stuck set.
    place: &'w dyn Fn(StateId) -> Option<u32>,
    marks: Vec<Mark>,
}

/// Looks at all states that have been expanded so far. `jobs` threads follow
/// the ways that come to an end, which are most.
pub fn by_ways(graph: &mut Graph<'_>, onward: &Onward, wanted: Wanted<'_>, jobs: usize) -> Answer {
    let states = graph.store.limit();
    let mark = |chain| match chain {
        Chain::Ends => Mark::Cleared,
        Chain::Left => Mark::Unseen,
    };
    let marks = follow_chains(onward, states, jobs).into_iter().map(mark).collect();
    // States stored since now are not known.
    let place = |state: StateId| Some(state.0).filter(|&state| (state as usize) < states);
    let ways = Ways { graph, onward, wanted, place: &place, marks };
    ways.answer((0..states as u32).map(StateId))
}

/// Looks at some states, to which a stuck set is known to be confined.
/// `place` numbers them.
pub fn among(
    graph: &mut Graph<'_>,
    onward: &Onward,
    wanted: Wanted<'_>,
    place: &dyn Fn(StateId) -> Option<u32>,
    states: impl ExactSizeIterator<Item = StateId>,
) -> Answer {
    let marks = vec![Mark::Unseen; states.len()];
    Ways { graph, onward, wanted, place, marks }.answer(states)
}

/// The way that is being followed.
#[derive(Default)]
struct Path {
    states: Vec<StateId>,
    /// Where the environment chooses on it: how many states there are up to
    /// there, and what is left to follow.
    forks: Vec<(usize, Vec<StateId>)>,
}

impl Path {
    /// What is left to follow from the last state.
    fn next(&mut self) -> Option<StateId> {
        let (length, targets) = self.forks.last_mut()?;
        if *length != self.states.len() {
            return None;
        }
        let next = targets.pop();
        if next.is_none() {
            self.forks.pop();
        }
        next
    }
}

/// What comes of looking at a state beyond a cycle.
enum Visit {
    /// Its targets are to be followed.
    Goes,
    /// It leads to where nothing is stuck.
    Leaves,
    /// No section is open here and in all states before it.
    Unguarded,
}

/// What is followed from one cycle, with its components as they are found.
struct Region {
    expansion: Expansion,
    /// Numbers of the states met, in order; `GONE` in components that were left.
    numbers: FxHashMap<StateId, u32>,
    /// States of components that are not finished.
    stack: Vec<StateId>,
    frames: Vec<Place>,
    /// States met in order that were not asked for their sections, and how many
    /// there may be: to ask is dear, and most regions are left soon.
    unasked: Vec<StateId>,
    patience: usize,
    /// Sections that are open in all states that were asked.
    open: Option<Vec<OpenSection>>,
}

struct Place {
    state: StateId,
    number: u32,
    low: u32,
    targets: Vec<StateId>,
    /// The environment chooses here or in what was reached from here.
    chooses: bool,
}

const GONE: u32 = u32::MAX;

/// So many states are met before the first are asked for their sections.
const PATIENCE: usize = 8;

impl Region {
    fn new() -> Region {
        Region {
            expansion: Expansion::default(),
            numbers: FxHashMap::default(),
            stack: Vec::new(),
            frames: Vec::new(),
            unasked: Vec::new(),
            patience: PATIENCE,
            open: None,
        }
    }

    fn enter(&mut self, state: StateId) {
        let number = self.numbers.len() as u32;
        self.numbers.insert(state, number);
        self.stack.push(state);
        self.frames.push(Place { state, number, low: number, targets: Vec::new(), chooses: false });
    }

    /// Leaves the top frame. If that finishes a component, which no step
    /// leaves: its states, and whether the environment chooses in it.
    fn leave(&mut self) -> Option<(Vec<StateId>, bool)> {
        let place = self.frames.pop()?;
        if let Some(below) = self.frames.last_mut() {
            below.low = below.low.min(place.low);
            below.chooses |= place.chooses;
        }
        if place.low < place.number {
            return None;
        }
        let first = self.stack.iter().rposition(|&state| state == place.state)?;
        let states = self.stack.split_off(first);
        for state in &states {
            self.numbers.insert(*state, GONE);
        }
        Some((states, place.chooses))
    }
}

impl Ways<'_, '_, '_> {
    /// Looks at all ways from these states.
    fn answer(mut self, states: impl Iterator<Item = StateId>) -> Answer {
        let mut answer = Answer::Free;
        for state in states {
            match self.follow(state) {
                Answer::Free => {}
                Answer::Stuck => return Answer::Stuck,
                Answer::Unsure => answer = Answer::Unsure,
            }
        }
        answer
    }

    fn mark(&self, state: StateId) -> Mark {
        (self.place)(state).map_or(Mark::Cleared, |place| self.marks[place as usize])
    }

    fn set(&mut self, state: StateId, mark: Mark) {
        if let Some(place) = (self.place)(state) {
            self.marks[place as usize] = mark;
        }
    }

    /// Follows all ways from a state and clears what can be.
    fn follow(&mut self, from: StateId) -> Answer {
        let mut path = Path::default();
        let mut next = Some(from);
        loop {
            let Some(state) = next.take().or_else(|| path.next()) else {
                let Some(state) = path.states.pop() else { return Answer::Free };
                self.set(state, Mark::Cleared);
                continue;
            };
            match self.mark(state) {
                Mark::Cleared => {}
                Mark::Unseen => next = self.enter(state, &mut path),
                Mark::Open => {
                    let answer = self.cycle(state, &path);
                    if answer != Answer::Free {
                        // What leads here stays open: nothing is claimed of it.
                        return answer;
                    }
                }
            }
        }
    }

    /// Goes on to a state; the next one to follow from there.
    fn enter(&mut self, state: StateId, path: &mut Path) -> Option<StateId> {
        self.set(state, Mark::Open);
        path.states.push(state);
        match self.onward.way(state) {
            Way::Unknown | Way::Out => None,
            Way::To(next) => Some(next),
            Way::Fork(_) if self.is_unguarded(&[state]) => None,
            Way::Fork(targets) => {
                path.forks.push((path.states.len(), targets.into_vec()));
                path.next()
            }
        }
    }

    /// Looks at the cycle that the path closes by coming to `head` again.
    fn cycle(&mut self, head: StateId, path: &Path) -> Answer {
        let Some(start) = path.states.iter().rposition(|&state| state == head) else {
            // Left open by a way that was given up.
            return Answer::Unsure;
        };
        let forks = path.states[start..].iter().any(|&s| self.onward.step(s) == Step::Fork);
        if forks { Answer::Unsure } else { self.examine(head) }
    }

    /// Follows all unpreventable steps from a cycle, depth first, to where
    /// nothing is stuck. What is on the stack then leads there too and is
    /// cleared with the cycle, so that no state is looked at twice. A component
    /// that such steps do not leave is stuck.
    fn examine(&mut self, head: StateId) -> Answer {
        let mut region = Region::new();
        let mut unsure = false;
        let mut next = Some(head);
        loop {
            if let Some(state) = next.take() {
                match self.visit(state, &mut region) {
                    Visit::Goes => {}
                    Visit::Leaves => return self.clear(&region.stack),
                    Visit::Unguarded => return Answer::Free,
                }
            }
            let Some(frame) = region.frames.last_mut() else { break };
            match frame.targets.pop() {
                Some(target) if self.mark(target) == Mark::Cleared => {
                    return self.clear(&region.stack);
                }
                Some(target) => match region.numbers.get(&target) {
                    Some(&GONE) => frame.chooses = true,
                    Some(&number) => frame.low = frame.low.min(number),
                    None => next = Some(target),
                },
                None => match region.leave() {
                    Some((states, _)) if self.is_unguarded(&states) => {
                        return self.clear(&[&region.stack[..], &states].concat());
                    }
                    Some((_, false)) => return Answer::Stuck,
                    Some((_, true)) => unsure = true,
                    None => {}
                },
            }
        }
        if unsure { Answer::Unsure } else { Answer::Free }
    }

    fn clear(&mut self, states: &[StateId]) -> Answer {
        states.iter().for_each(|&state| self.set(state, Mark::Cleared));
        Answer::Free
    }

    fn visit(&mut self, state: StateId, region: &mut Region) -> Visit {
        if matches!(self.onward.step(state), Step::Unknown | Step::Out) {
            return Visit::Leaves;
        }
        region.enter(state);
        self.graph.expand_again(state, &mut region.expansion);
        let frame = region.frames.last_mut().expect("entered above");
        for edge in region.expansion.edges.iter().filter(|edge| !edge.withheld) {
            match edge.target {
                _ if edge.chosen => frame.chooses = true,
                None => return Visit::Leaves,
                Some(target) if self.mark(target) == Mark::Cleared => return Visit::Leaves,
                Some(target) => frame.targets.push(target),
            }
        }
        region.unasked.push(state);
        if self.is_unguarded_so_far(region) { Visit::Unguarded } else { Visit::Goes }
    }

    /// Whether no section is open in all states met, as far as is known.
    fn is_unguarded_so_far(&mut self, region: &mut Region) -> bool {
        if self.wanted.termination || region.unasked.len() < region.patience {
            return false;
        }
        region.patience *= 2;
        std::mem::take(&mut region.unasked).into_iter().any(|state| {
            self.narrow(state, &mut region.open);
            region.open.as_ref().is_some_and(Vec::is_empty)
        })
    }

    /// Whether no section is open in all of these states.
    fn is_unguarded(&mut self, states: &[StateId]) -> bool {
        if self.wanted.termination {
            return false;
        }
        let mut open = None;
        states.iter().any(|&state| {
            self.narrow(state, &mut open);
            open.as_ref().is_some_and(Vec::is_empty)
        })
    }

    /// Keeps the sections that are open here too.
    fn narrow(&mut self, state: StateId, open: &mut Option<Vec<OpenSection>>) {
        let vector = self.graph.vector(state);
        let mut here = Vec::new();
        self.graph.worker.open_sections(&vector, &mut here);
        match open {
            None => {
                here.retain(|section| self.wanted.sections.contains(section.kind));
                *open = Some(here);
            }
            Some(open) => open.retain(|section| here.binary_search(section).is_ok()),
        }
        if let Some(open) = open
            && (self.graph.seen.reopens || has_await(open))
        {
            remove_closed(self.graph, &[state], open);
        }
    }
}
