//! Whether the other threads keep an agreement.

use std::collections::BTreeMap;

use exeunt_counter::{Hold, NodeId, System};
use exeunt_smt::{Formula, Oracle, Solver, Var};

use crate::agreement::Clause;
use crate::graph;
use crate::invariant::{self, Invariants};
use crate::path::{Rely, State, Walker};

/// All that other threads do to shared variables.
pub(crate) struct Environment<'a> {
    system: &'a System,
    always: &'a [Formula],
    sites: Vec<Site<'a>>,
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
}

impl<'a> Environment<'a> {
    pub fn new(
        system: &'a System,
        always: &'a [Formula],
        solver: &mut Oracle,
    ) -> Result<Self, String> {
        let mut environment =
            Environment { system, always, sites: Vec::new(), invariants: Vec::new() };
        for index in 1..system.threads.len() {
            environment.add(index, solver)?;
        }
        Ok(environment)
    }

    fn add(&mut self, index: usize, solver: &mut Oracle) -> Result<(), String> {
        let thread = &self.system.threads[index];
        let cuts = graph::cuts(thread);
        let mut walker = Walker::new(self.system, index, Rely::Locks, self.always);
        let mut sites = Vec::new();
        let paths = walker.paths(&cuts, &mut |edge, from, before, after| {
            let source = thread.edges[edge].from;
            let writes = thread.edges[edge].sets.keys().any(|var| self.system.is_shared(*var));
            if writes && !thread.early[source.0 as usize] {
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
        Ok(())
    }

    /// The first edge that breaks a clause.
    pub fn breach(&self, clause: &Clause, solver: &mut Oracle) -> Option<Breach<'a>> {
        let mut vars = std::collections::BTreeSet::new();
        clause.measure.collect_vars(&mut vars);
        for site in &self.sites {
            let edge = &self.system.threads[site.thread].edges[site.edge];
            let concerned = edge.sets.keys().any(|var| vars.contains(var));
            if !concerned || clause.is_excluded(self.system, site.held) {
                continue;
            }
            let goal = clause.between(&site.before.values, &site.after.values);
            let goal = exeunt_counter::lifted(&goal);
            let known: Vec<&Formula> = site.after.facts.iter().collect();
            if !solver.proves(&known, &goal) {
                return Some(Breach { thread: site.thread, edge: site.edge, held: site.held });
            }
        }
        None
    }
}

/// A formula that says nothing and mentions all variables of a value.
fn mention(values: &BTreeMap<Var, exeunt_smt::Term>, var: Var) -> Formula {
    let value = values.get(&var).cloned().unwrap_or_else(|| exeunt_smt::Term::var(var));
    Formula::NonNegative(value)
}
