//! The negotiation: agreements are strengthened by ranking functions of the
//! thread alone, and weakened by the locks of those who do not keep them.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{LockId, Mode, NodeId, System, Thread, VarKind, lifted};
use exeunt_smt::{Atom, Formula, Int, Term, Var, Z3};

use crate::agreement::{Agreement, Clause};
use crate::always;
use crate::cube;
use crate::graph;
use crate::guarantee::{Breach, Environment};
use crate::invariant::{self, Invariants};
use crate::path::{Path, Rely, Walker};
use crate::rank::{self, Ranking, Transition};

pub(crate) struct Proof {
    pub agreement: Agreement,
    pub ranking: Ranking,
    pub invariants: Invariants,
    /// What is true of shared variables at all times.
    pub always: Vec<Formula>,
    /// Of the other threads.
    pub others: Vec<Invariants>,
    pub strengthenings: usize,
    pub weakenings: usize,
}

/// Why there is no proof.
pub(crate) struct Failure {
    pub why: String,
    /// The loop head and the edges of a path that nothing ranks.
    pub path: Option<(NodeId, Vec<usize>)>,
    /// The last agreement that was tried, and who did not keep it.
    pub agreement: Agreement,
    pub breach: Option<(usize, usize)>,
}

pub(crate) struct Negotiation<'a> {
    system: &'a System,
    subject: &'a Thread,
    always: &'a [Formula],
    cuts: BTreeSet<NodeId>,
    solver: Z3,
    stop: &'a dyn Fn() -> bool,
    strengthenings: usize,
    weakenings: usize,
    breach: Option<(usize, usize)>,
    last: Agreement,
}

/// Why a thread is not ranked, and a path that is not.
type Unranked = (String, Option<(NodeId, Vec<usize>)>);

/// What ranks the thread beside some environment.
struct Ranked {
    ranking: Ranking,
    invariants: Invariants,
}

/// A proof that needs no facts about shared variables, which is easier to read.
pub(crate) fn plainly(system: &System, stop: &dyn Fn() -> bool) -> Result<Proof, Failure> {
    Negotiation::new(system, &[], Z3::new(), stop).run()
}

/// A proof with all facts about shared variables that are found; `None` if
/// there are none.
pub(crate) fn with_facts(
    system: &System,
    stop: &dyn Fn() -> bool,
) -> Option<Result<Proof, Failure>> {
    let mut solver = Z3::new();
    let always = always::always(system, &mut solver, stop);
    (!always.is_empty()).then(|| Negotiation::new(system, &always, solver, stop).run())
}

impl<'a> Negotiation<'a> {
    fn new(
        system: &'a System,
        always: &'a [Formula],
        solver: Z3,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        let subject = &system.threads[0];
        Negotiation {
            system,
            subject,
            always,
            cuts: graph::cuts(subject),
            solver,
            stop,
            strengthenings: 0,
            weakenings: 0,
            breach: None,
            last: Agreement::default(),
        }
    }

    fn run(&mut self) -> Result<Proof, Failure> {
        let environment = match Environment::new(self.system, self.always, &mut self.solver) {
            Ok(environment) => environment,
            Err(why) => return Err(self.failure(why, None)),
        };
        let all: Vec<Var> = self.system.shared().collect();
        let mut failed = match self.ranked(Rely::Agreement(&Agreement::default()), &all) {
            Ok(ranked) => return Ok(self.proof(Agreement::default(), ranked, environment)),
            Err(failed) => failed,
        };
        for few in self.choices() {
            if (self.stop)() {
                return Err(self.failure("the time is up".into(), None));
            }
            let alone = match self.ranked(Rely::Nobody, &few) {
                Ok(alone) => alone,
                Err(why) => {
                    failed = why;
                    continue;
                }
            };
            let Some(agreement) = self.agreement(&alone, &environment) else { continue };
            self.last = agreement.clone();
            match self.ranked(Rely::Agreement(&agreement), &few) {
                Ok(ranked) => return Ok(self.proof(agreement, ranked, environment)),
                Err(why) => failed = why,
            }
        }
        Err(self.failure(failed.0, failed.1))
    }

    fn proof(&self, agreement: Agreement, ranked: Ranked, environment: Environment<'_>) -> Proof {
        Proof {
            agreement,
            ranking: ranked.ranking,
            invariants: ranked.invariants,
            always: self.always.to_vec(),
            others: environment.invariants,
            strengthenings: self.strengthenings,
            weakenings: self.weakenings,
        }
    }

    fn failure(&self, why: String, path: Option<(NodeId, Vec<usize>)>) -> Failure {
        Failure { why, path, agreement: self.last.clone(), breach: self.breach }
    }

    /// Sets of shared variables that a ranking function may use, small ones first.
    fn choices(&self) -> Vec<Vec<Var>> {
        let mut used = BTreeSet::new();
        for edge in &self.subject.edges {
            edge.guard.collect_vars(&mut used);
            edge.sets.values().for_each(|term| term.collect_vars(&mut used));
            used.extend(edge.sets.keys().copied());
        }
        let used: Vec<Var> = used.into_iter().filter(|var| self.system.is_shared(*var)).collect();
        let mut choices = vec![Vec::new()];
        choices.extend(used.iter().map(|var| vec![*var]));
        for (index, a) in used.iter().enumerate() {
            choices.extend(used[index + 1..].iter().map(|b| vec![*a, *b]));
        }
        if used.len() > 2 {
            choices.push(used);
        }
        choices
    }

    /// Ranks all paths of the subject, with these shared variables in ranking
    /// functions.
    fn ranked(&mut self, rely: Rely<'_>, shared: &[Var]) -> Result<Ranked, Unranked> {
        let mut walker = Walker::new(self.system, 0, rely, self.always);
        let paths = walker.paths(&self.cuts, &mut |_, _, _, _| {}).map_err(|why| (why, None))?;
        let invariants = invariant::invariants(&walker, &self.cuts, &paths, &mut self.solver);
        let inside: Vec<&Path> = paths
            .iter()
            .filter(|path| {
                self.cuts.contains(&path.from) && graph::reaches(self.subject, path.to, path.from)
            })
            .collect();
        let vars = self.rankable(&inside, shared);
        let mut transitions = Vec::new();
        for (index, path) in inside.iter().enumerate() {
            let known = invariants.get(&path.from).cloned().unwrap_or_default();
            let found = self
                .transitions(&mut walker, path, known, &vars, index)
                .map_err(|why| (why, Some((path.from, path.edges.clone()))))?;
            transitions.extend(found);
        }
        let heads: Vec<NodeId> = self.cuts.iter().copied().collect();
        match rank::ranking(&heads, &transitions, &vars) {
            Ok(ranking) => Ok(Ranked { ranking, invariants }),
            Err(left) => {
                let path = inside[transitions[left[0]].path];
                let why = "no linear ranking function was found".to_string();
                Err((why, Some((path.from, path.edges.clone()))))
            }
        }
    }

    /// Registers that the paths use, and the shared variables that are allowed.
    fn rankable(&self, paths: &[&Path], shared: &[Var]) -> Vec<Var> {
        let mut used = BTreeSet::new();
        for path in paths {
            path.state.facts.iter().for_each(|fact| fact.collect_vars(&mut used));
            path.state.values.values().for_each(|value| value.collect_vars(&mut used));
        }
        let is_usable = |var: &Var| {
            let Some(variable) = self.system.vars.get(var.0 as usize) else { return false };
            match variable.kind {
                VarKind::Local(_) => true,
                VarKind::Shared => shared.contains(var),
                VarKind::Input => false,
            }
        };
        used.into_iter().filter(is_usable).collect()
    }

    fn transitions(
        &mut self,
        walker: &mut Walker<'_>,
        path: &Path,
        known: Vec<Formula>,
        vars: &[Var],
        index: usize,
    ) -> Result<Vec<Transition>, String> {
        let mut facts = known;
        facts.extend(path.state.facts.iter().cloned());
        let mut ends = BTreeMap::new();
        for var in vars {
            let Some(value) = path.state.values.get(var) else { continue };
            let end = walker.fresh(None);
            let value = value.unfolded(&walker.ranges);
            facts.extend(lifted(&Formula::equal(&Term::var(end), &value)).conjuncts());
            ends.insert(*var, cube::Linear::var(end));
        }
        let bounds = walker.bounds(&facts);
        facts.extend(bounds);
        let cubes = cube::cubes(&mut self.solver, &facts, &mut || walker.fresh(None))?;
        let (from, to) = (path.from, path.to);
        Ok(cubes
            .into_iter()
            .map(|cube| Transition { from, to, cube, end: ends.clone(), path: index })
            .collect())
    }

    /// What the environment must promise so that ranking functions of the
    /// thread alone do not grow, as far as it can be promised.
    fn agreement(&mut self, alone: &Ranked, environment: &Environment<'_>) -> Option<Agreement> {
        let mut agreement = Agreement::default();
        for measure in self.measures(&alone.ranking) {
            let mut clause = Clause { measure, while_held: Vec::new() };
            self.strengthenings += 1;
            loop {
                let Some(breach) = environment.breach(&clause, &mut self.solver) else {
                    agreement.clauses.push(clause);
                    break;
                };
                self.breach = Some((breach.thread, breach.edge));
                match self.weakening(&clause, breach) {
                    Some(lock) => {
                        self.weakenings += 1;
                        clause.while_held.push(lock);
                    }
                    None => {
                        self.last.clauses = vec![clause];
                        return None;
                    }
                }
            }
        }
        Some(agreement)
    }

    /// The shared parts of all ranking functions, each once.
    fn measures(&self, ranking: &Ranking) -> Vec<Term> {
        let mut measures = Vec::new();
        for term in ranking.values().flatten() {
            let mut shared = Term::number(0);
            for (atom, factor) in term.parts() {
                if let Atom::Var(var) = atom
                    && self.system.is_shared(*var)
                {
                    shared = shared.plus(&Term::var(*var).times(factor));
                }
            }
            let shared = primitive(&shared);
            if shared.as_number().is_none() && !measures.contains(&shared) {
                measures.push(shared);
            }
        }
        measures
    }

    /// A lock that the breaker holds and that the subject also takes.
    fn weakening(&self, clause: &Clause, breach: Breach<'_>) -> Option<(LockId, Mode)> {
        let taken = |lock: LockId, at_heads: bool| {
            let nodes = (0..self.subject.nodes.len() as u32).map(NodeId);
            let mut nodes = nodes.filter(|node| !at_heads || self.cuts.contains(node));
            nodes.any(|node| self.subject.node(node).held.iter().any(|own| own.lock == lock))
        };
        let usable = breach.held.iter().filter(|hold| {
            let known = clause.while_held.iter().any(|(lock, _)| *lock == hold.lock);
            !known && self.system.locks[hold.lock.0 as usize].distrusted.is_none()
        });
        let mut usable: Vec<_> = usable.collect();
        // Locks that are held at loop heads are of more use.
        usable.sort_by_key(|hold| !taken(hold.lock, true));
        let hold = usable.into_iter().find(|hold| taken(hold.lock, false))?;
        let mode = match hold.mode {
            Mode::Exclusive => Mode::Shared,
            Mode::Shared => Mode::Exclusive,
        };
        Some((hold.lock, mode))
    }
}

/// The term without a common factor.
fn primitive(term: &Term) -> Term {
    let divisor = term.parts().fold(0, |all, (_, factor)| gcd(all, factor));
    if divisor <= 1 {
        return term.clone();
    }
    let mut small = Term::number(0);
    for (atom, factor) in term.parts() {
        if let Atom::Var(var) = atom {
            small = small.plus(&Term::var(*var).times(factor / divisor));
        }
    }
    small
}

fn gcd(a: Int, b: Int) -> Int {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
