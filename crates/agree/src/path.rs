//! Paths from one loop head to the next, as formulas.
//!
//! The value of a variable at the start of a path is the variable itself; all
//! values that come in on the way are fresh variables. Before each visible edge
//! the environment acts.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{NodeId, System, Thread, lifted};
use exeunt_smt::{Formula, Int, Term, Var};

use crate::agreement::{Agreement, not_grown};
use crate::common::{self, Common};

/// More paths between loop heads than that are given up.
const MOST_PATHS: usize = 600;

/// What acts between the steps of a thread.
#[derive(Clone, Copy)]
pub(crate) enum Rely<'a> {
    /// Nothing: the thread alone.
    Nobody,
    /// Others, who keep the agreement.
    Agreement(&'a Agreement),
    /// Others, of whom only locks are known.
    Locks,
}

#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Values that are not those of the start.
    pub values: BTreeMap<Var, Term>,
    pub facts: Vec<Formula>,
}

#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub from: NodeId,
    pub to: NodeId,
    pub edges: Vec<usize>,
    pub state: State,
}

/// Makes paths of one thread.
pub(crate) struct Walker<'a> {
    pub system: &'a System,
    pub index: usize,
    pub thread: &'a Thread,
    rely: Rely<'a>,
    shared: Vec<Var>,
    pub common: &'a Common,
    /// Facts about shared variables that are assumed of every state, so that runs
    /// in which they do not hold are left out.
    assumed: &'a [Formula],
    next: u32,
    pub ranges: BTreeMap<Var, (Int, Int)>,
}

impl<'a> Walker<'a> {
    pub fn new(system: &'a System, index: usize, rely: Rely<'a>, common: &'a Common) -> Self {
        let thread = &system.threads[index];
        let shared: Vec<Var> = system.shared().collect();
        let ranges =
            system.vars.iter().enumerate().filter_map(|(index, variable)| {
                variable.range.map(|range| (Var(index as u32), range))
            });
        let next = system.vars.len() as u32;
        let mut ranges: BTreeMap<Var, (Int, Int)> = ranges.collect();
        // All that a path starts with, or meets on the way, are values at some time.
        for ((var, is_lower), constant) in common.facts.iter().filter_map(common::bound) {
            if let Some((low, high)) = ranges.get_mut(&var) {
                match is_lower {
                    true => *low = (*low).max(-constant),
                    false => *high = (*high).min(constant),
                }
            }
        }
        Walker { system, index, thread, rely, shared, common, assumed: &[], next, ranges }
    }

    /// Leaves out runs in which one of these does not hold.
    pub fn assuming(mut self, facts: &'a [Formula]) -> Self {
        self.assumed = facts;
        self
    }

    /// What the conditions of the agreement say, which others keep.
    pub fn conditions(&self) -> Vec<Formula> {
        let agreement = match self.rely {
            Rely::Nobody | Rely::Locks => None,
            Rely::Agreement(agreement) => Some(agreement),
        };
        let own = self.common.relies.get(self.index);
        let clauses = agreement.into_iter().chain(own).flat_map(|agreement| &agreement.clauses);
        let facts: BTreeSet<&Formula> = clauses.flat_map(|clause| &clause.when.facts).collect();
        facts.into_iter().cloned().collect()
    }

    pub fn fresh(&mut self, range: Option<(Int, Int)>) -> Var {
        let var = Var(self.next);
        self.next += 1;
        if let Some(range) = range {
            self.ranges.insert(var, range);
        }
        var
    }

    /// All paths between loop heads (and from the entry), as far as `to` goes.
    /// `visit` sees each edge with the state before and after it.
    pub fn paths(
        &mut self,
        cuts: &BTreeSet<NodeId>,
        visit: &mut dyn FnMut(usize, NodeId, &State, &State),
    ) -> Result<Vec<Path>, String> {
        let mut starts: Vec<NodeId> = cuts.iter().copied().collect();
        if !cuts.contains(&self.thread.entry) {
            starts.push(self.thread.entry);
        }
        let mut found = Vec::new();
        for from in starts {
            let facts = self.common.facts.iter().chain(self.assumed).cloned().collect();
            let state = State { values: BTreeMap::new(), facts };
            let path = Path { from, to: from, edges: Vec::new(), state };
            self.extend(path, cuts, &mut found, visit)?;
        }
        Ok(found)
    }

    fn extend(
        &mut self,
        path: Path,
        cuts: &BTreeSet<NodeId>,
        found: &mut Vec<Path>,
        visit: &mut dyn FnMut(usize, NodeId, &State, &State),
    ) -> Result<(), String> {
        let leaving: Vec<usize> = self.thread.leaving(path.to).map(|(index, _)| index).collect();
        for index in leaving {
            let edge = &self.thread.edges[index];
            let mut before = path.state.clone();
            if edge.visible {
                self.environment(path.to, &mut before);
            }
            let after = self.step(index, &before);
            if after.facts.contains(&Formula::False) {
                continue;
            }
            visit(index, path.from, &before, &after);
            let mut edges = path.edges.clone();
            edges.push(index);
            let longer = Path { from: path.from, to: edge.to, edges, state: after };
            if cuts.contains(&edge.to) {
                found.push(longer);
                if found.len() > MOST_PATHS {
                    return Err(format!(
                        "there are more than {MOST_PATHS} paths through its loops"
                    ));
                }
            } else {
                self.extend(longer, cuts, found, visit)?;
            }
        }
        Ok(())
    }

    fn environment(&mut self, at: NodeId, state: &mut State) {
        let held = &self.thread.node(at).held;
        let agreement = match self.rely {
            Rely::Nobody => return,
            Rely::Agreement(agreement) => Some(agreement),
            Rely::Locks => None,
        };
        let before = state.values.clone();
        for var in self.shared.clone() {
            if !self.system.is_stable(self.index, var, held) {
                let fresh = self.fresh(self.ranges.get(&var).copied());
                state.values.insert(var, Term::var(fresh));
            }
        }
        for fact in self.common.facts.iter().chain(self.assumed) {
            let fact = lifted(&fact.replaced(&state.values).unfolded(&self.ranges));
            if fact != Formula::True && !state.facts.contains(&fact) {
                state.facts.push(fact);
            }
        }
        for law in &self.common.laws {
            let kept = not_grown(law, &before, &state.values).unfolded(&self.ranges);
            state.facts.extend(lifted(&kept).conjuncts());
        }
        let own = self.common.relies.get(self.index);
        for clause in agreement.into_iter().chain(own).flat_map(|agreement| &agreement.clauses) {
            if clause.is_active(self.system, held) {
                let promise = clause.between(&before, &state.values).unfolded(&self.ranges);
                state.facts.push(lifted(&promise));
            }
        }
    }

    fn step(&mut self, index: usize, before: &State) -> State {
        let edge = &self.thread.edges[index];
        let mut values = before.values.clone();
        for input in &edge.inputs {
            let fresh = self.fresh(self.system.variable(*input).range);
            values.insert(*input, Term::var(fresh));
        }
        let mut facts = before.facts.clone();
        let guard = edge.guard.replaced(&values).unfolded(&self.ranges);
        facts.extend(lifted(&guard).conjuncts());
        let new: Vec<(Var, Term)> =
            edge.sets.iter().map(|(var, term)| (*var, term.replaced(&values))).collect();
        let mut after = values;
        after.extend(new);
        for input in &edge.inputs {
            after.remove(input);
        }
        let written = |fact: &&Formula| fact.vars().iter().any(|v| edge.sets.contains_key(v));
        for fact in self.assumed.iter().filter(written) {
            facts.extend(lifted(&fact.replaced(&after).unfolded(&self.ranges)).conjuncts());
        }
        State { values: after, facts }
    }

    /// What the types of all variables in these formulas say.
    pub fn bounds(&self, formulas: &[Formula]) -> Vec<Formula> {
        let mut vars = BTreeSet::new();
        formulas.iter().for_each(|formula| formula.collect_vars(&mut vars));
        let mut bounds = Vec::new();
        for var in vars {
            if let Some((low, high)) = self.ranges.get(&var) {
                let term = Term::var(var);
                bounds.push(Formula::non_negative(term.add(-low)));
                bounds.push(Formula::non_negative(term.times(-1).add(*high)));
            }
        }
        bounds
    }
}
