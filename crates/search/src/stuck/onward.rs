//! Whether every section can be left, from one way on of every state.
//!
//! A step that the environment cannot prevent leads from a stuck set into the
//! same set. Follow one such step from every state (`Onward`): where this
//! ends (the program has ended, or nothing more is known), nothing on the way
//! belongs to a stuck set. So a stuck set contains one of the cycles that the
//! ways form, and only these few must be looked at. From a cycle, everything
//! that unpreventable steps reach belongs to the set too: if that comes to
//! where nothing is stuck, or no section is open in all of it, the cycle and
//! every way into it is cleared as well. This takes a small part of the states
//! once more instead of the edges of all, and no order of exploration.

use std::collections::HashSet;

use exeunt_model::OpenSection;

use super::component::remove_closed;
use crate::explore::{Expansion, Graph, Onward, Way};
use crate::limits::Meter;
use crate::options::{Options, SectionFilter};
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
    filter: &'a SectionFilter,
    termination: bool,
    marks: Vec<Mark>,
}

/// Looks at all states that have been expanded so far.
pub fn by_ways(
    graph: &mut Graph<'_>,
    onward: &Onward,
    filter: &SectionFilter,
    termination: bool,
) -> Answer {
    let states = graph.store.limit();
    let marks = vec![Mark::Unseen; states];
    let mut ways = Ways { graph, onward, filter, termination, marks };
    let mut answer = Answer::Free;
    for state in 0..states as u32 {
        match ways.follow(StateId(state)) {
            Answer::Free => {}
            Answer::Stuck => return Answer::Stuck,
            Answer::Unsure => answer = Answer::Unsure,
        }
    }
    answer
}

/// A state on the way with what is left to follow from it.
struct Step {
    state: StateId,
    next: Option<StateId>,
    more: Vec<StateId>,
}

impl Ways<'_, '_, '_> {
    /// States stored since the beginning are not known.
    fn mark(&self, state: StateId) -> Mark {
        self.marks.get(state.0 as usize).copied().unwrap_or(Mark::Cleared)
    }

    /// Follows all ways from a state and clears what can be.
    fn follow(&mut self, from: StateId) -> Answer {
        if self.mark(from) != Mark::Unseen {
            return Answer::Free;
        }
        let mut path: Vec<Step> = Vec::new();
        self.enter(from, &mut path);
        while let Some(step) = path.last_mut() {
            let Some(next) = step.next.take().or_else(|| step.more.pop()) else {
                self.marks[step.state.0 as usize] = Mark::Cleared;
                path.pop();
                continue;
            };
            match self.mark(next) {
                Mark::Cleared => {}
                Mark::Unseen => self.enter(next, &mut path),
                Mark::Open => {
                    let answer = self.cycle(next, &path);
                    if answer != Answer::Free {
                        // What leads here stays open: nothing is claimed of it.
                        return answer;
                    }
                }
            }
        }
        Answer::Free
    }

    fn enter(&mut self, state: StateId, path: &mut Vec<Step>) {
        let (next, more) = match self.onward.way(state) {
            Way::Unknown | Way::Out => (None, Vec::new()),
            Way::To(next) => (Some(next), Vec::new()),
            Way::Fork(targets) => (None, targets.into_vec()),
        };
        self.marks[state.0 as usize] = Mark::Open;
        path.push(Step { state, next, more });
    }

    /// Looks at the cycle that the path closes by coming to `head` again.
    fn cycle(&mut self, head: StateId, path: &[Step]) -> Answer {
        let Some(start) = path.iter().rposition(|step| step.state == head) else {
            // Left open by a way that was given up.
            return Answer::Unsure;
        };
        let states: Vec<StateId> = path[start..].iter().map(|step| step.state).collect();
        let forks = states.iter().any(|&state| matches!(self.onward.way(state), Way::Fork(_)));
        if forks { Answer::Unsure } else { self.examine(states) }
    }

    /// Collects what unpreventable steps reach from the states of a cycle.
    fn examine(&mut self, mut work: Vec<StateId>) -> Answer {
        let options = Options::default();
        let mut ignore = |_: &crate::options::Progress| {};
        let mut meter = Meter::new(&options, &mut ignore);
        let mut expansion = Expansion::default();
        let mut reached: HashSet<StateId> = work.iter().copied().collect();
        let mut open: Option<Vec<OpenSection>> = None;
        let mut chooses = false;
        while let Some(state) = work.pop() {
            if matches!(self.onward.way(state), Way::Unknown | Way::Out) {
                return Answer::Free;
            }
            self.graph.expand(state, &mut expansion, &mut meter);
            self.narrow(state, &mut open);
            if open.as_ref().is_some_and(Vec::is_empty) && !self.termination {
                return Answer::Free;
            }
            for edge in expansion.edges.iter().filter(|edge| !edge.withheld) {
                let Some(target) = edge.target else { return Answer::Free };
                if edge.chosen {
                    chooses = true;
                } else if self.mark(target) == Mark::Cleared {
                    return Answer::Free;
                } else if reached.insert(target) {
                    work.push(target);
                }
            }
        }
        if chooses { Answer::Unsure } else { Answer::Stuck }
    }

    /// Keeps the sections that are open here too.
    fn narrow(&mut self, state: StateId, open: &mut Option<Vec<OpenSection>>) {
        let vector = self.graph.vector(state);
        let mut here = Vec::new();
        self.graph.worker.open_sections(&vector, &mut here);
        match open {
            None => {
                here.retain(|section| self.filter.contains(section.kind));
                *open = Some(here);
            }
            Some(open) => open.retain(|section| here.binary_search(section).is_ok()),
        }
        if let Some(open) = open
            && self.graph.seen.reopens
        {
            remove_closed(self.graph, &[state], open);
        }
    }
}
