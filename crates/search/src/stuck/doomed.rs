//! States from which every run comes to where a section is open for ever: whatever is reachable from
//! them can reach such a state, so no bottom component without the section is reachable.
//! (Runs that go round a cycle for ever although they could leave it are unfair and do not count.)

use std::collections::{HashMap, HashSet};

use exeunt_model::OpenSection;

use super::too_late::{follow, is_enough, is_open};
use crate::explore::Graph;
use crate::store::StateId;

pub(super) struct Doomed {
    section: OpenSection,
    /// Closed under steps, the section being open throughout.
    stuck: HashSet<StateId>,
    /// States that are known to be doomed; the stuck ones are among them.
    known: HashSet<StateId>,
    patience: usize,
}

/// The states that were met on the way, numbered.
#[derive(Default)]
struct Part {
    numbers: HashMap<StateId, usize>,
    states: Vec<StateId>,
    /// From where each is reached in a step.
    before: Vec<Vec<usize>>,
    /// The section is open here and closed by no step.
    open: Vec<bool>,
    /// A step leads to a state that is known to be doomed; and one to a doomed state that is not stuck.
    doomed: Vec<bool>,
    unstuck: Vec<bool>,
}

impl Doomed {
    pub(super) fn new(section: OpenSection, stuck: HashSet<StateId>, patience: usize) -> Doomed {
        Doomed { section, known: stuck.clone(), stuck, patience }
    }

    /// Whether every run from here comes to where the section is open for ever; `false` also if that
    /// would take too long to find out.
    pub(super) fn has(&mut self, graph: &mut Graph<'_>, state: StateId) -> bool {
        if self.known.contains(&state) {
            return true;
        }
        let Some(part) = self.explore(graph, state) else { return false };
        let stuck = part.stuck();
        if !part.all_reach(&stuck) {
            return false;
        }
        self.stuck.extend(part.states.iter().zip(&stuck).filter(|one| *one.1).map(|one| *one.0));
        self.known.extend(part.states);
        true
    }

    /// Everything reachable that is not known; `None` if the program can end there.
    fn explore(&self, graph: &mut Graph<'_>, state: StateId) -> Option<Part> {
        let mut part = Part::default();
        part.number(state);
        let mut at = 0;
        while at < part.states.len() {
            if is_enough(graph, self.known.len() + at, self.patience) {
                return None;
            }
            let state = part.states[at];
            let open = is_open(graph, state, self.section);
            let edges = follow(graph, state, self.section);
            if edges.ends {
                return None;
            }
            part.open[at] = open && !edges.closes;
            for to in edges.to {
                if self.known.contains(&to) {
                    part.doomed[at] = true;
                    part.unstuck[at] |= !self.stuck.contains(&to);
                } else {
                    let to = part.number(to);
                    part.before[to].push(at);
                }
            }
            at += 1;
        }
        Some(part)
    }
}

impl Part {
    fn number(&mut self, state: StateId) -> usize {
        *self.numbers.entry(state).or_insert_with(|| {
            self.states.push(state);
            self.before.push(Vec::new());
            self.open.push(false);
            self.doomed.push(false);
            self.unstuck.push(false);
            self.states.len() - 1
        })
    }

    /// The states that keep the section open whatever comes: those left when all are removed from
    /// which a step leads out of them.
    fn stuck(&self) -> Vec<bool> {
        let escapes = (0..self.states.len()).filter(|&at| !self.open[at] || self.unstuck[at]);
        let escaping = self.backwards(escapes.collect());
        escaping.into_iter().map(|escapes| !escapes).collect()
    }

    fn all_reach(&self, stuck: &[bool]) -> bool {
        let ends = (0..self.states.len()).filter(|&at| stuck[at] || self.doomed[at]);
        self.backwards(ends.collect()).into_iter().all(|reaches| reaches)
    }

    /// The states from which one of these can be reached.
    fn backwards(&self, mut work: Vec<usize>) -> Vec<bool> {
        let mut found = vec![false; self.states.len()];
        for &at in &work {
            found[at] = true;
        }
        while let Some(at) = work.pop() {
            for &before in &self.before[at] {
                if !found[before] {
                    found[before] = true;
                    work.push(before);
                }
            }
        }
        found
    }
}
