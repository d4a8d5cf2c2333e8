//! An infinite run, found by executing the automata.
//!
//! Only exact edges are taken, from the initial values of variables, so what
//! is found is a run of the program. A state that comes again, with a step of
//! the subject in between, is a run in which the subject never stops. Variables
//! that no decision depends on are left out of states. Where no state comes again, places
//! in the control flow do: `recurrent` proves that what happened in between can happen for
//! ever.
//!
//! A fair run is one in which every thread that can always move does: each other
//! thread moves in the cycle or cannot move somewhere in it.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use exeunt_counter::{Edge, NodeId, Role, System, UNSET, VarKind};
use exeunt_smt::{Assignment, Formula, Int, Var};

use crate::graph;
use crate::recurrent;

/// A quick look, and all the patience there is.
pub(crate) const FEW_STATES: usize = 4_000;
pub(crate) const MANY_STATES: usize = 40_000;
/// How many values are tried for an input.
const MOST_SAMPLES: usize = 6;
/// And for a parameter.
const MOST_FIRST: usize = 12;
/// How many values of parameters are tried.
const MOST_STARTS: usize = 200;
/// How many ways back to a place in the control flow are tried.
const MOST_ROUNDS: usize = 24;
/// How many ends of such ways are looked at.
const MOST_ENDS: usize = 4_000;
/// Longer ways are left alone.
const LONGEST_ROUND: usize = 40;

/// A step of a run.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub thread: usize,
    /// `None`: a thread of which there are any number begins anew.
    pub edge: Option<usize>,
    /// The values of variables after it that it changed.
    pub changed: Vec<(Var, Int)>,
    /// What was chosen for its inputs.
    pub inputs: Assignment,
}

/// Steps, of which those from `cycle` on repeat for ever.
pub(crate) struct Lasso {
    pub steps: Vec<Step>,
    pub cycle: usize,
    /// If values are not the same after each round: what is true before each, and
    /// why the round can be run again.
    pub recurrent: Vec<Formula>,
    /// What parameters of the thread are.
    pub given: Vec<(Var, Int)>,
}

/// What counts as a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    /// There is no `main`: all threads are there from the beginning.
    pub library: bool,
    pub fair: bool,
}

type Key = Vec<Int>;
/// A step without what it changed.
type Shape = (usize, Option<usize>, Vec<(Var, Int)>);

struct Explorer<'a> {
    system: &'a System,
    vars: Vec<Var>,
    samples: Vec<Int>,
    /// Values of parameters that nobody sees.
    starts: Vec<Int>,
    /// Threads are started by others, and not all there from the beginning.
    has_main: bool,
    fair: bool,
    /// Parameters of the subject may be anything.
    given: bool,
    states: Vec<Key>,
    numbers: HashMap<Key, usize>,
    parents: Vec<Option<(usize, Step)>>,
    moves: Vec<Vec<(usize, Step)>>,
}

/// A run in which the subject makes infinitely many steps.
pub(crate) fn lasso(
    system: &System,
    search: Search,
    most: usize,
    stop: &dyn Fn() -> bool,
) -> Option<Lasso> {
    let has_main = system.threads.iter().any(|thread| thread.role == Role::Main);
    let started = system.threads.iter().flat_map(|thread| &thread.edges);
    let is_started = started.into_iter().any(|edge| edge.starts == Some(0));
    if !search.library && !is_started && system.threads[0].role != Role::Main {
        // How the subject is called is not known.
        return None;
    }
    let mut explorer = Explorer {
        system,
        vars: relevant(system),
        samples: samples(system, MOST_SAMPLES),
        starts: samples(system, MOST_FIRST),
        has_main: has_main && !search.library,
        fair: search.fair,
        given: search.library,
        states: Vec::new(),
        numbers: HashMap::new(),
        parents: Vec::new(),
        moves: Vec::new(),
    };
    explorer.explore(most, stop);
    explorer.cycle().or_else(|| if search.fair { None } else { explorer.recurrent(stop) })
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
fn samples(system: &System, most: usize) -> Vec<Int> {
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
    found.truncate(most);
    found
}

impl Explorer<'_> {
    /// Where runs begin. Parameters that come from calls nobody sees may be anything, of
    /// which some values are tried.
    fn initial(&self) -> Option<Vec<Key>> {
        let mut key = Vec::new();
        for thread in &self.system.threads {
            let runs = !self.has_main || thread.role == Role::Main;
            key.push(if runs { Int::from(thread.entry.0) } else { -1 });
        }
        let mut free = Vec::new();
        let read_first = graph::read_first(&self.system.threads[0]);
        for (position, var) in self.vars.iter().enumerate() {
            let variable = self.system.variable(*var);
            key.push(match variable.kind {
                VarKind::Shared => variable.initial?,
                VarKind::Local(thread) => {
                    if thread == 0 && self.given && read_first.contains(var) {
                        free.push(position);
                    }
                    0
                }
                VarKind::Input => 0,
            });
        }
        let count = self.system.threads.len();
        let mut keys = vec![key.clone()];
        let fits = |position: usize, value: Int| {
            let range = self.system.variable(self.vars[position]).range;
            range.is_none_or(|(low, high)| low <= value && value <= high)
        };
        for value in &self.starts {
            let mut all = key.clone();
            for position in &free {
                if fits(*position, *value) {
                    all[count + position] = *value;
                }
            }
            for position in &free {
                for other in &self.starts {
                    let mut one = all.clone();
                    if fits(*position, *other) && keys.len() < MOST_STARTS {
                        one[count + position] = *other;
                        keys.push(one);
                    }
                }
            }
            keys.push(all);
        }
        keys.dedup();
        Some(keys)
    }

    fn explore(&mut self, most: usize, stop: &dyn Fn() -> bool) {
        let Some(first) = self.initial() else { return };
        let mut todo = VecDeque::new();
        for key in first {
            let (number, new) = self.add(key, None);
            if new {
                todo.push_back(number);
            }
        }
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
                let inputs = Assignment::new();
                found.push((Step { thread: index, edge: None, changed: Vec::new(), inputs }, next));
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
            at.extend(inputs.clone());
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
                match term.value(&at) {
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
                found.push((Step { thread, edge: Some(index), changed, inputs }, next));
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
            // The largest number, or minus one: all bits are set.
            let ones = range.map(|(low, high)| if low < 0 { -1 } else { high });
            values.extend(ones.filter(|number| !values.contains(number)));
            if self.system.variable(*input).name == UNSET {
                values.retain(|number| *number != 0);
                values.truncate(1);
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
                let Some(round) = self.round(at, (*to, step), &components) else { continue };
                let mut steps = self.stem(at);
                let cycle = steps.len();
                steps.extend(round);
                let given = self.given_at(at);
                return Some(Lasso { steps, cycle, recurrent: Vec::new(), given });
            }
        }
        None
    }

    /// A way from a state back to it, by this move first; fair if it has to be.
    fn round(
        &self,
        at: usize,
        (to, step): (usize, &Step),
        components: &[usize],
    ) -> Option<Vec<Step>> {
        let mut steps = vec![step.clone()];
        let mut now = to;
        let others = 1..self.system.threads.len();
        for thread in others.filter(|_| self.fair) {
            let turn = self.turn(thread, at, components)?;
            steps.extend(self.way(now, turn.0, components)?);
            now = turn.0;
            if let Some((next, step)) = turn.1 {
                steps.push(step);
                now = next;
            }
        }
        steps.extend(self.way(now, at, components)?);
        Some(steps)
    }

    /// Where a thread moves in this component, or a state in which it cannot.
    fn turn(
        &self,
        thread: usize,
        at: usize,
        components: &[usize],
    ) -> Option<(usize, Option<(usize, Step)>)> {
        let inside = || (0..self.moves.len()).filter(|state| components[*state] == components[at]);
        if let Some(state) = inside().find(|state| self.cannot_move(*state, thread)) {
            return Some((state, None));
        }
        inside().find_map(|state| {
            let own = self.moves[state].iter().find(|(next, step)| {
                step.thread == thread && step.edge.is_some() && components[*next] == components[at]
            });
            own.map(|(next, step)| (state, Some((*next, step.clone()))))
        })
    }

    /// Whether a thread surely cannot move.
    fn cannot_move(&self, state: usize, index: usize) -> bool {
        let key = &self.states[state];
        let Ok(node) = u32::try_from(key[index]) else { return true };
        let thread = &self.system.threads[index];
        if thread.node(NodeId(node)).exits {
            // It ends the whole program.
            return false;
        }
        if !self.has_main && thread.role == Role::Many && thread.entry.0 == node {
            // There may be none at all.
            return true;
        }
        let count = self.system.threads.len();
        let values: Assignment =
            self.vars.iter().copied().zip(key[count..].iter().copied()).collect();
        self.system.threads[index].leaving(NodeId(node)).all(|(_, edge)| {
            let mut next = key.clone();
            next[index] = Int::from(edge.to.0);
            let guard = edge.inputs.is_empty() && edge.guard.holds(&values) == Some(false);
            guard || self.is_kept_out(&next, index)
        })
    }

    /// Whether another thread holds a lock that this one would hold, too.
    fn is_kept_out(&self, key: &Key, moved: usize) -> bool {
        let held = |index: usize| {
            let node = u32::try_from(key[index]).ok()?;
            Some(&self.system.threads[index].node(NodeId(node)).held)
        };
        let Some(own) = held(moved) else { return false };
        (0..self.system.threads.len())
            .filter(|other| *other != moved)
            .any(|other| held(other).is_some_and(|theirs| !self.system.compatible(own, theirs)))
    }

    /// A way back to a place in the control flow that can be gone again and again, with
    /// other values each time.
    fn recurrent(&self, stop: &dyn Fn() -> bool) -> Option<Lasso> {
        let count = self.system.threads.len();
        let mut tried: BTreeSet<Vec<Shape>> = BTreeSet::new();
        for state in 0..self.states.len().min(MOST_ENDS) {
            let mut at = state;
            let mut round: Vec<Step> = Vec::new();
            let mut found = false;
            while let Some((before, step)) = &self.parents[at] {
                round.push(step.clone());
                at = *before;
                let back = self.states[at][..count] == self.states[state][..count];
                let moves = round.iter().any(|step| step.thread == 0 && step.edge.is_some());
                found = back && moves;
                if found || round.len() > LONGEST_ROUND {
                    break;
                }
            }
            if !found {
                continue;
            }
            round.reverse();
            let shape = round.iter().map(|step| {
                let inputs = step.inputs.iter().map(|(var, value)| (*var, *value)).collect();
                (step.thread, step.edge, inputs)
            });
            if !tried.insert(shape.collect()) {
                continue;
            }
            if tried.len() > MOST_ROUNDS || stop() {
                return None;
            }
            let values: Assignment =
                self.vars.iter().copied().zip(self.states[at][count..].iter().copied()).collect();
            if let Some(facts) = recurrent::closed(self.system, &round, &values) {
                let mut steps = self.stem(at);
                let cycle = steps.len();
                steps.extend(round);
                return Some(Lasso { steps, cycle, recurrent: facts, given: self.given_at(at) });
            }
        }
        None
    }

    /// The parameters of the subject in the run to a state.
    fn given_at(&self, mut at: usize) -> Vec<(Var, Int)> {
        while let Some((before, _)) = &self.parents[at] {
            at = *before;
        }
        let count = self.system.threads.len();
        let first = &self.states[at][count..];
        let read_first = graph::read_first(&self.system.threads[0]);
        let own = |var: &Var| {
            self.system.variable(*var).kind == VarKind::Local(0) && read_first.contains(var)
        };
        let pairs = self.vars.iter().zip(first).filter(|(var, _)| self.given && own(var));
        pairs.map(|(var, value)| (*var, *value)).collect()
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
