//! An infinite run, found by executing the automata.
//!
//! Only exact edges are taken, from the initial values of variables, so what
//! is found is a run of the program. A state that comes again, with a step of
//! the subject in between, is a run in which the subject never stops. Variables
//! that no decision depends on are left out of states.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use exeunt_counter::{Edge, NodeId, Role, System, VarKind};
use exeunt_smt::{Assignment, Int, Term, Var};

/// A quick look, and all the patience there is.
pub(crate) const FEW_STATES: usize = 4_000;
pub(crate) const MANY_STATES: usize = 40_000;
/// How many values are tried for an input.
const MOST_SAMPLES: usize = 6;

/// A step of a run.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub thread: usize,
    /// `None`: a thread of which there are any number begins anew.
    pub edge: Option<usize>,
    /// The values of variables after it that it changed.
    pub changed: Vec<(Var, Int)>,
}

/// Steps, of which those from `cycle` on repeat for ever.
pub(crate) struct Lasso {
    pub steps: Vec<Step>,
    pub cycle: usize,
}

type Key = Vec<Int>;

struct Search<'a> {
    system: &'a System,
    vars: Vec<Var>,
    samples: Vec<Int>,
    /// Threads are started by others, and not all there from the beginning.
    has_main: bool,
    states: Vec<Key>,
    numbers: HashMap<Key, usize>,
    parents: Vec<Option<(usize, Step)>>,
    moves: Vec<Vec<(usize, Step)>>,
}

/// A run in which the subject makes infinitely many steps.
pub(crate) fn lasso(
    system: &System,
    library: bool,
    most: usize,
    stop: &dyn Fn() -> bool,
) -> Option<Lasso> {
    let has_main = system.threads.iter().any(|thread| thread.role == Role::Main);
    let started = system.threads.iter().flat_map(|thread| &thread.edges);
    let is_started = started.into_iter().any(|edge| edge.starts == Some(0));
    if !library && !is_started && system.threads[0].role != Role::Main {
        // How the subject is called is not known.
        return None;
    }
    let mut search = Search {
        system,
        vars: relevant(system),
        samples: samples(system),
        has_main: has_main && !library,
        states: Vec::new(),
        numbers: HashMap::new(),
        parents: Vec::new(),
        moves: Vec::new(),
    };
    search.explore(most, stop);
    search.cycle()
}

/// Variables that a guard depends on.
fn relevant(system: &System) -> Vec<Var> {
    let edges = || system.threads.iter().flat_map(|thread| &thread.edges);
    let mut needed = BTreeSet::new();
    edges().for_each(|edge| edge.guard.collect_vars(&mut needed));
    loop {
        let count = needed.len();
        for edge in edges() {
            for (var, term) in &edge.sets {
                if needed.contains(var) {
                    term.collect_vars(&mut needed);
                }
            }
        }
        if needed.len() == count {
            break;
        }
    }
    needed.into_iter().filter(|var| system.variable(*var).kind != VarKind::Input).collect()
}

/// Values worth trying for inputs: small ones and those near constants.
fn samples(system: &System) -> Vec<Int> {
    let mut found = BTreeSet::from([0, 1]);
    for edge in system.threads.iter().flat_map(|thread| &thread.edges) {
        for part in edge.guard.clone().conjuncts() {
            if let exeunt_smt::Formula::NonNegative(term) | exeunt_smt::Formula::Zero(term) = part {
                found.extend([term.constant(), -term.constant()]);
            }
        }
    }
    let mut found: Vec<Int> = found.into_iter().filter(|number| number.abs() < 1 << 33).collect();
    found.sort_by_key(|number| (number.abs(), *number < 0));
    found.truncate(MOST_SAMPLES);
    found
}

impl Search<'_> {
    fn initial(&self) -> Option<Key> {
        let mut key = Vec::new();
        for thread in &self.system.threads {
            let runs = !self.has_main || thread.role == Role::Main;
            key.push(if runs { Int::from(thread.entry.0) } else { -1 });
        }
        for var in &self.vars {
            let variable = self.system.variable(*var);
            key.push(match variable.kind {
                VarKind::Shared => variable.initial?,
                VarKind::Local(_) | VarKind::Input => 0,
            });
        }
        Some(key)
    }

    fn explore(&mut self, most: usize, stop: &dyn Fn() -> bool) {
        let Some(first) = self.initial() else { return };
        self.add(first, None);
        let mut todo = VecDeque::from([0]);
        while let Some(at) = todo.pop_front() {
            if self.states.len() > most || at % 64 == 0 && stop() {
                return;
            }
            for (step, key) in self.successors(&self.states[at]) {
                let (number, new) = self.add(key, Some((at, step.clone())));
                self.moves[at].push((number, step));
                if new {
                    todo.push_back(number);
                }
            }
        }
    }

    fn add(&mut self, key: Key, parent: Option<(usize, Step)>) -> (usize, bool) {
        if let Some(number) = self.numbers.get(&key) {
            return (*number, false);
        }
        let number = self.states.len();
        self.numbers.insert(key.clone(), number);
        self.states.push(key);
        self.parents.push(parent);
        self.moves.push(Vec::new());
        (number, true)
    }

    fn successors(&self, key: &Key) -> Vec<(Step, Key)> {
        let count = self.system.threads.len();
        let values: Assignment =
            self.vars.iter().copied().zip(key[count..].iter().copied()).collect();
        let mut found = Vec::new();
        for (index, thread) in self.system.threads.iter().enumerate() {
            let Ok(node) = u32::try_from(key[index]) else { continue };
            let mut ended = true;
            for (edge_index, edge) in thread.leaving(NodeId(node)) {
                ended = false;
                if edge.exact {
                    self.take(key, &values, index, (edge_index, edge), &mut found);
                }
            }
            if ended && thread.role == Role::Many && !self.has_main {
                let mut next = key.clone();
                next[index] = Int::from(thread.entry.0);
                found.push((Step { thread: index, edge: None, changed: Vec::new() }, next));
            }
        }
        found
    }

    fn take(
        &self,
        key: &Key,
        values: &Assignment,
        thread: usize,
        (index, edge): (usize, &Edge),
        found: &mut Vec<(Step, Key)>,
    ) {
        let count = self.system.threads.len();
        for inputs in self.inputs(edge) {
            let mut at = values.clone();
            at.extend(inputs);
            if edge.guard.holds(&at) != Some(true) {
                continue;
            }
            let mut next = key.clone();
            next[thread] = Int::from(edge.to.0);
            if let Some(started) = edge.starts {
                let role = self.system.threads[started].role;
                if next[started] >= 0 {
                    // One of each is enough to follow.
                    debug_assert!(role != Role::Main);
                    continue;
                }
                next[started] = Int::from(self.system.threads[started].entry.0);
            }
            let mut changed = Vec::new();
            let mut fits = self.locks_fit(&next, thread);
            for (position, var) in self.vars.iter().enumerate() {
                let Some(term) = edge.sets.get(var) else { continue };
                match value(term, &at) {
                    Some(new) => {
                        if new != next[count + position] {
                            changed.push((*var, new));
                        }
                        next[count + position] = new;
                    }
                    None => fits = false,
                }
            }
            if fits {
                found.push((Step { thread, edge: Some(index), changed }, next));
            }
        }
    }

    /// No two threads hold a lock that excludes the other.
    fn locks_fit(&self, key: &Key, moved: usize) -> bool {
        let held = |index: usize| {
            let node = u32::try_from(key[index]).ok()?;
            Some(&self.system.threads[index].node(NodeId(node)).held)
        };
        let Some(own) = held(moved) else { return true };
        // Who takes part in a lock that others may give back is not followed.
        if own.iter().any(|hold| self.system.locks[hold.lock.0 as usize].distrusted.is_some()) {
            return false;
        }
        (0..self.system.threads.len())
            .filter(|other| *other != moved)
            .all(|other| held(other).is_none_or(|theirs| self.system.compatible(own, theirs)))
    }

    fn inputs(&self, edge: &Edge) -> Vec<Assignment> {
        let mut all = vec![Assignment::new()];
        for input in &edge.inputs {
            let range = self.system.variable(*input).range;
            let fits = |number: &&Int| range.is_none_or(|(l, h)| l <= **number && **number <= h);
            let mut values: Vec<Int> = self.samples.iter().filter(fits).copied().collect();
            if values.is_empty() {
                values.extend(range.map(|(low, _)| low));
            }
            if all.len() * values.len() > 64 {
                values.truncate(1);
            }
            all = all
                .iter()
                .flat_map(|known| {
                    values.iter().map(move |value| {
                        let mut more = known.clone();
                        more.insert(*input, *value);
                        more
                    })
                })
                .collect();
        }
        all
    }

    /// A cycle with a step of the subject, as near to the start as possible.
    fn cycle(&self) -> Option<Lasso> {
        let components = components(&self.moves);
        for (at, moves) in self.moves.iter().enumerate() {
            for (to, step) in moves {
                if step.thread != 0 || step.edge.is_none() || components[at] != components[*to] {
                    continue;
                }
                let back = self.way(*to, at, &components)?;
                let mut steps = self.stem(at);
                let cycle = steps.len();
                steps.push(step.clone());
                steps.extend(back);
                return Some(Lasso { steps, cycle });
            }
        }
        None
    }

    fn stem(&self, mut at: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some((before, step)) = &self.parents[at] {
            steps.push(step.clone());
            at = *before;
        }
        steps.reverse();
        steps
    }

    fn way(&self, from: usize, to: usize, components: &[usize]) -> Option<Vec<Step>> {
        let mut parents: BTreeMap<usize, (usize, Step)> = BTreeMap::new();
        let mut todo = VecDeque::from([from]);
        let mut seen = BTreeSet::from([from]);
        while let Some(at) = todo.pop_front() {
            if at == to {
                let mut steps = Vec::new();
                let mut at = to;
                while at != from {
                    let (before, step) = &parents[&at];
                    steps.push(step.clone());
                    at = *before;
                }
                steps.reverse();
                return Some(steps);
            }
            for (next, step) in &self.moves[at] {
                if components[*next] == components[from] && seen.insert(*next) {
                    parents.insert(*next, (at, step.clone()));
                    todo.push_back(*next);
                }
            }
        }
        None
    }
}

fn value(term: &Term, at: &Assignment) -> Option<Int> {
    term.value(at)
}

/// Strongly connected components, by number (Tarjan, without recursion).
fn components(moves: &[Vec<(usize, Step)>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let count = moves.len();
    let (mut index, mut low, mut component) =
        (vec![NONE; count], vec![0; count], vec![NONE; count]);
    let (mut next, mut found) = (0, 0);
    let mut open = Vec::new();
    for root in 0..count {
        if index[root] != NONE {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((at, position)) = calls.pop() {
            if position == 0 {
                (index[at], low[at]) = (next, next);
                next += 1;
                open.push(at);
            }
            if let Some((to, _)) = moves[at].get(position) {
                calls.push((at, position + 1));
                if index[*to] == NONE {
                    calls.push((*to, 0));
                } else if component[*to] == NONE {
                    low[at] = low[at].min(index[*to]);
                }
                continue;
            }
            if low[at] == index[at] {
                loop {
                    let top = open.pop().expect("a component has its root");
                    component[top] = found;
                    if top == at {
                        break;
                    }
                }
                found += 1;
            }
            if let Some((parent, _)) = calls.last() {
                low[*parent] = low[*parent].min(low[at]);
            }
        }
    }
    component
}
