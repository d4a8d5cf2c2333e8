//! Whether the other threads keep an agreement.
//!
//! Facts of simple forms are tried first. Where an edge breaks a promise as far as they say, Spacer
//! is asked whether the thread can come there at all; the invariant that it answers with is
//! kept as far as it is a conjunction of linear inequalities that no path breaks.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{Hold, NodeId, System, VarKind};
use exeunt_smt::{Formula, Oracle, Solver, Term, Var, horn};

use crate::agreement::Clause;
use crate::common::Common;
use crate::graph;
use crate::invariant::{self, Invariants};
use crate::path::{Path, Rely, State, Walker};

/// All that other threads do to shared variables.
pub(crate) struct Environment<'a> {
    system: &'a System,
    common: &'a Common,
    sites: Vec<Site<'a>>,
    /// For each thread but the first, its paths between loop heads.
    ways: Vec<(Walker<'a>, Vec<Path>)>,
    /// For each thread but the first, facts at its loop heads.
    pub invariants: Vec<Invariants>,
}

/// An edge that writes shared variables, as the end of one path to it.
struct Site<'a> {
    thread: usize,
    edge: usize,
    from: NodeId,
    before: State,
    after: State,
    held: &'a [Hold],
}

/// An edge that breaks a clause.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Breach<'a> {
    pub thread: usize,
    pub edge: usize,
    pub held: &'a [Hold],
    site: usize,
}

impl<'a> Environment<'a> {
    pub fn new(
        system: &'a System,
        common: &'a Common,
        solver: &mut Oracle,
    ) -> Result<Self, String> {
        let mut environment = Environment {
            system,
            common,
            sites: Vec::new(),
            ways: Vec::new(),
            invariants: Vec::new(),
        };
        for index in 1..system.threads.len() {
            environment.add(index, solver)?;
        }
        Ok(environment)
    }

    fn add(&mut self, index: usize, solver: &mut Oracle) -> Result<(), String> {
        let thread = &self.system.threads[index];
        let cuts = graph::cuts(thread);
        let mut walker = Walker::new(self.system, index, Rely::Locks, self.common);
        let mut sites = Vec::new();
        let paths = walker.paths(&cuts, &mut |edge, from, before, after| {
            let source = thread.edges[edge].from;
            let writes = thread.edges[edge].sets.keys().any(|var| self.system.is_shared(*var));
            if writes && !thread.is_early(source) {
                let (before, after) = (before.clone(), after.clone());
                let held = &thread.node(source).held;
                sites.push(Site { thread: index, edge, from, before, after, held });
            }
        });
        let paths = paths.map_err(|why| format!("`{}`: {why}", thread.name))?;
        let known = invariant::invariants(&walker, &cuts, &paths, solver);
        for site in &mut sites {
            let mut facts = site.after.facts.clone();
            facts.extend(known.get(&site.from).into_iter().flatten().cloned());
            site.after.facts = facts;
        }
        // Bounds of types, once for all clauses.
        for site in &mut sites {
            let mut all = site.after.facts.clone();
            for var in self.system.shared() {
                all.push(mention(&site.before.values, var));
                all.push(mention(&site.after.values, var));
            }
            let bounds = walker.bounds(&all);
            site.after.facts.extend(bounds);
        }
        self.sites.extend(sites);
        self.invariants.push(known);
        self.ways.push((walker, paths));
        Ok(())
    }

    /// The first edge that breaks a clause.
    pub fn breach(&self, clause: &Clause, solver: &mut Oracle) -> Option<Breach<'a>> {
        let vars = clause.vars();
        for (index, site) in self.sites.iter().enumerate() {
            let edge = &self.system.threads[site.thread].edges[site.edge];
            let concerned = edge.sets.keys().any(|var| vars.contains(var));
            if !concerned || clause.is_excluded(self.system, site.held) {
                continue;
            }
            let goal = clause.between(&site.before.values, &site.after.values);
            let goal = exeunt_counter::lifted(&goal);
            let known: Vec<&Formula> = site.after.facts.iter().collect();
            if !solver.proves(&known, &goal) {
                let (thread, edge, held) = (site.thread, site.edge, site.held);
                return Some(Breach { thread, edge, held, site: index });
            }
        }
        None
    }

    /// Whether an edge keeps a clause after all.
    pub fn is_kept(&mut self, breach: Breach<'_>, clause: &Clause, solver: &mut Oracle) -> bool {
        let site = &self.sites[breach.site];
        let goal = clause.between(&site.before.values, &site.after.values);
        let goal = exeunt_counter::lifted(&goal);
        self.learns(breach.site, &goal, solver)
    }

    /// Asks Spacer for an invariant with which an edge keeps a promise; `false` if there is none.
    fn learns(&mut self, index: usize, goal: &Formula, solver: &mut Oracle) -> bool {
        let site = &self.sites[index];
        let thread = &self.system.threads[site.thread];
        let (walker, paths) = &self.ways[site.thread - 1];
        let locals: Vec<Var> = used_locals(self.system, site.thread);
        let cuts: Vec<NodeId> = graph::cuts(thread).into_iter().collect();
        if cuts.is_empty() || locals.len() > MOST_LOCALS {
            return false;
        }
        let number = |node: NodeId| cuts.iter().position(|cut| *cut == node);
        let values = |state: &BTreeMap<Var, Term>| -> Vec<Term> {
            let value = |var: &Var| state.get(var).cloned().unwrap_or_else(|| Term::var(*var));
            locals.iter().map(value).collect()
        };
        let same = || values(&BTreeMap::new());
        let mut clauses = Vec::new();
        if let Some(entry) = number(thread.entry) {
            clauses.push(horn::Clause {
                body: None,
                constraints: Vec::new(),
                head: Some((entry, same())),
            });
        }
        for path in paths {
            let mut constraints = path.state.facts.clone();
            constraints.extend(walker.bounds(&constraints));
            clauses.push(horn::Clause {
                body: number(path.from).map(|from| (from, same())),
                constraints,
                head: number(path.to).map(|to| (to, values(&path.state.values))),
            });
        }
        let mut constraints = site.after.facts.clone();
        constraints.push(goal.negated());
        let body = number(site.from).map(|from| (from, same()));
        clauses.push(horn::Clause { body, constraints, head: None });
        let Some(found) = horn::solve(&vec![locals.len(); cuts.len()], &clauses) else {
            return false;
        };
        let names: BTreeMap<Var, Term> =
            (0u32..).map(Var).zip(locals.iter().map(|var| Term::var(*var))).collect();
        let mut known = self.invariants[site.thread - 1].clone();
        for (cut, formula) in cuts.iter().zip(found) {
            let facts = formula.replaced(&names).conjuncts().into_iter().flat_map(linear);
            let own = known.entry(*cut).or_default();
            let new: Vec<Formula> = facts.filter(|fact| !own.contains(fact)).collect();
            own.extend(new);
        }
        let known = invariant::inductive(walker, paths, known, solver);
        let (thread, from) = (site.thread, site.from);
        let facts = known.get(&from).cloned().unwrap_or_default();
        self.invariants[thread - 1] = known;
        for site in self.sites.iter_mut().filter(|s| s.thread == thread && s.from == from) {
            let new = facts.iter().filter(|fact| !site.after.facts.contains(fact));
            let new: Vec<Formula> = new.cloned().collect();
            site.after.facts.extend(new);
        }
        let known: Vec<&Formula> = self.sites[index].after.facts.iter().collect();
        solver.proves(&known, goal)
    }
}

/// With more registers than that, Spacer is not asked.
const MOST_LOCALS: usize = 8;

/// Registers of a thread that its edges read or write.
fn used_locals(system: &System, index: usize) -> Vec<Var> {
    let mut used = BTreeSet::new();
    for edge in &system.threads[index].edges {
        edge.guard.collect_vars(&mut used);
        edge.sets.values().for_each(|term| term.collect_vars(&mut used));
    }
    let own = |var: &Var| system.variable(*var).kind == VarKind::Local(index);
    used.into_iter().filter(own).collect()
}

/// The inequalities that a part of an invariant consists of, if it does.
fn linear(part: Formula) -> Vec<Formula> {
    match part {
        Formula::NonNegative(_) => vec![part],
        Formula::Zero(term) => {
            let below = Formula::non_negative(term.times(-1));
            vec![Formula::non_negative(term), below]
        }
        Formula::True | Formula::False | Formula::NonZero(_) | Formula::And(_) | Formula::Or(_) => {
            Vec::new()
        }
    }
}

/// A formula that says nothing and mentions all variables of a value.
fn mention(values: &BTreeMap<Var, exeunt_smt::Term>, var: Var) -> Formula {
    let value = values.get(&var).cloned().unwrap_or_else(|| exeunt_smt::Term::var(var));
    Formula::NonNegative(value)
}
