//! The negotiation: agreements are strengthened by ranking functions of the
//! thread alone, and weakened by the locks of those who do not keep them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use exeunt_counter::{LockId, Mode, NodeId, System, Thread, VarKind, lifted};
use exeunt_smt::{Atom, Formula, Int, Oracle, Term, Var};

use crate::agreement::{Agreement, Clause, Condition};
use crate::common::Common;
use crate::conditions;
use crate::cube;
use crate::fair::Milestone;
use crate::graph;
use crate::guarantee::{Breach, Environment};
use crate::invariant::{self, Invariants};
use crate::measure::Measures;
use crate::path::{Path, Rely, Walker};
use crate::rank::{self, Ranking, Transition};

#[derive(Clone)]
pub(crate) struct Proof {
    pub agreement: Agreement,
    pub ranking: Ranking,
    pub invariants: Invariants,
    /// What all threads keep.
    pub common: Common,
    /// What is true at loop heads from which the thread goes round again.
    pub goes_on: Invariants,
    /// Of the other threads.
    pub others: Vec<Invariants>,
    pub loops: Vec<Row>,
    /// What comes true some time if every thread gets its turn; the ranking
    /// functions rely on it.
    pub milestones: Vec<Milestone>,
}

/// What one loop took: the columns of Table 1 of the paper.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub heads: Vec<NodeId>,
    pub outcome: Outcome,
    pub seconds: f64,
    pub strengthenings: usize,
    pub weakenings: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Ends,
    Open,
    NotTried,
}

/// Why there is no proof.
pub(crate) struct Failure {
    pub why: String,
    /// The loop head and the edges of a path that nothing ranks.
    pub path: Option<(NodeId, Vec<usize>)>,
    /// The last agreement that was tried, and who did not keep it.
    pub agreement: Agreement,
    pub breach: Option<(usize, usize)>,
    pub loops: Vec<Row>,
}

pub(crate) struct Negotiation<'a> {
    system: &'a System,
    subject: &'a Thread,
    common: &'a Common,
    milestones: &'a [Milestone],
    /// The goals of the milestones, assumed where ranking functions are looked for.
    finally: Vec<Formula>,
    cuts: BTreeSet<NodeId>,
    solver: Oracle,
    stop: &'a dyn Fn() -> bool,
    loops: Vec<Row>,
    breach: Option<(usize, usize)>,
    last: Agreement,
}

/// Ranking functions, and what they need to know of loop heads from which the thread goes round again.
pub(crate) struct Ranked {
    pub ranking: Ranking,
    pub goes_on: Invariants,
}

/// Why a thread is not ranked, and a path that is not.
type Unranked = (String, Option<(NodeId, Vec<usize>)>);

/// A proof that needs no facts about shared variables, which is easier to read.
pub(crate) fn plainly(system: &System, stop: &dyn Fn() -> bool) -> Result<Proof, Box<Failure>> {
    Negotiation::new(system, &Common::default(), &[], Oracle::new(), stop).run()
}

/// A proof with these facts about shared variables, which come true some time.
pub(crate) fn finally(
    system: &System,
    common: &Common,
    milestones: &[Milestone],
    stop: &dyn Fn() -> bool,
) -> Result<Proof, Box<Failure>> {
    Negotiation::new(system, common, milestones, Oracle::new(), stop).run()
}

/// A proof with these facts about shared variables; `None` if there are none.
pub(crate) fn with_facts(
    system: &System,
    common: &Common,
    stop: &dyn Fn() -> bool,
) -> Option<Result<Proof, Box<Failure>>> {
    (!common.facts.is_empty() || common.further).then(|| finally(system, common, &[], stop))
}

/// What is known without any proof: the frame of a certificate.
pub(crate) fn sketch(system: &System, common: &Common) -> Option<Proof> {
    let mut solver = Oracle::new();
    let environment = Environment::new(system, common, &mut solver).ok()?;
    let cuts = graph::cuts(&system.threads[0]);
    let none = Agreement::default();
    let ways = ways(system, &cuts, Rely::Agreement(&none), common, &mut solver).ok()?;
    Some(Proof {
        agreement: Agreement::default(),
        ranking: cuts.iter().map(|cut| (*cut, Vec::new())).collect(),
        invariants: ways.invariants,
        common: common.clone(),
        goes_on: Invariants::new(),
        others: environment.invariants,
        loops: Vec::new(),
        milestones: Vec::new(),
    })
}

/// The paths of a thread beside some environment, and what is known at loop heads.
struct Ways<'a> {
    walker: Walker<'a>,
    paths: Vec<Path>,
    invariants: Invariants,
}

impl<'a> Negotiation<'a> {
    fn new(
        system: &'a System,
        common: &'a Common,
        milestones: &'a [Milestone],
        solver: Oracle,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        let subject = &system.threads[0];
        let finally = milestones.iter().map(|milestone| milestone.goal.clone()).collect();
        Negotiation {
            system,
            subject,
            common,
            milestones,
            finally,
            cuts: graph::cuts(subject),
            solver,
            stop,
            loops: Vec::new(),
            breach: None,
            last: Agreement::default(),
        }
    }

    /// One loop after the other; what is agreed for one is there for the next.
    fn run(&mut self) -> Result<Proof, Box<Failure>> {
        let mut environment = match Environment::new(self.system, self.common, &mut self.solver) {
            Ok(environment) => environment,
            Err(why) => return Err(self.failure((why, None))),
        };
        let groups = graph::groups(self.subject, &self.cuts);
        let mut agreement = Agreement::default();
        let (mut ranking, mut goes_on) = (Ranking::new(), Invariants::new());
        for (index, group) in groups.iter().enumerate() {
            let begun = Instant::now();
            let known = agreement.clauses.len();
            let found = self.one(group, &mut agreement, &mut environment);
            let clauses = &agreement.clauses[known..];
            self.loops.push(Row {
                heads: group.iter().copied().collect(),
                outcome: if found.is_ok() { Outcome::Ends } else { Outcome::Open },
                seconds: begun.elapsed().as_secs_f64(),
                strengthenings: clauses.len(),
                weakenings: clauses.iter().map(Clause::weakenings).sum(),
            });
            match found {
                Ok(found) => {
                    ranking.extend(found.ranking);
                    goes_on.extend(found.goes_on);
                }
                Err(why) => {
                    let rest = groups[index + 1..].iter().map(not_tried);
                    self.loops.extend(rest);
                    return Err(self.failure(why));
                }
            }
        }
        let rely = Rely::Agreement(&agreement);
        let invariants = match ways(self.system, &self.cuts, rely, self.common, &mut self.solver) {
            Ok(ways) => ways.invariants,
            Err(why) => return Err(self.failure((why, None))),
        };
        Ok(Proof {
            agreement,
            ranking,
            invariants,
            common: self.common.clone(),
            goes_on,
            others: environment.invariants,
            loops: std::mem::take(&mut self.loops),
            milestones: self.milestones.to_vec(),
        })
    }

    /// Ranks one loop, and agrees with the environment on what that takes.
    fn one(
        &mut self,
        group: &BTreeSet<NodeId>,
        agreement: &mut Agreement,
        environment: &mut Environment<'_>,
    ) -> Result<Ranked, Unranked> {
        let all: Vec<Var> = self.system.shared().collect();
        let mut failed = match self.ranked(group, Rely::Agreement(agreement), &all) {
            Ok(ranking) => return Ok(ranking),
            Err(failed) => failed,
        };
        let mut conditions = vec![Condition::ALWAYS];
        if self.common.further {
            conditions.extend(conditions::conditions(self.system, environment, &mut self.solver));
        }
        let mut alone: BTreeMap<Vec<Var>, Option<Ranked>> = BTreeMap::new();
        let choices = self.choices(group);
        for (when, few) in
            conditions.iter().flat_map(|when| choices.iter().map(move |few| (when, few)))
        {
            if (self.stop)() {
                return Err(("the time is up".into(), failed.1));
            }
            if !alone.contains_key(few) {
                let found = match self.ranked(group, Rely::Nobody, few) {
                    Ok(found) => Some(found),
                    Err(why) => {
                        failed = why;
                        None
                    }
                };
                alone.insert(few.clone(), found);
            }
            let Some(Some(found)) = alone.get(few) else { continue };
            let measures = self.measures(&found.ranking);
            let Some(more) = self.agreement(&measures, few, when, environment) else { continue };
            if more.clauses.is_empty() && !when.facts.is_empty() {
                continue;
            }
            let mut draft = agreement.clone();
            let new = more.clauses.into_iter().filter(|new| !agreement.clauses.contains(new));
            draft.clauses.extend(new);
            self.last = draft.clone();
            match self.ranked(group, Rely::Agreement(&draft), few) {
                Ok(ranking) => {
                    *agreement = draft;
                    return Ok(ranking);
                }
                Err(why) => failed = why,
            }
        }
        Err(failed)
    }

    fn failure(&mut self, (why, path): Unranked) -> Box<Failure> {
        let loops = std::mem::take(&mut self.loops);
        let agreement = self.last.clone();
        Box::new(Failure { why, path, agreement, breach: self.breach, loops })
    }

    /// Sets of shared variables that a ranking function may use, small ones first.
    fn choices(&self, group: &BTreeSet<NodeId>) -> Vec<Vec<Var>> {
        let mut used = BTreeSet::new();
        let head = group.iter().next().copied();
        let inside = |node: NodeId| {
            head.is_some_and(|head| {
                graph::reaches(self.subject, node, head) && graph::reaches(self.subject, head, node)
            })
        };
        for edge in self.subject.edges.iter().filter(|edge| inside(edge.from)) {
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

    /// Ranks all paths of a loop of the subject, with these shared variables in ranking
    /// functions.
    fn ranked(
        &mut self,
        group: &BTreeSet<NodeId>,
        rely: Rely<'_>,
        shared: &[Var],
    ) -> Result<Ranked, Unranked> {
        // What is known at loop heads was true before anything came true.
        let ways = ways(self.system, &self.cuts, rely, self.common, &mut self.solver);
        let Ways { mut walker, mut paths, invariants } = ways.map_err(|why| (why, None))?;
        let finally = self.finally.clone();
        if !finally.is_empty() {
            walker = Walker::new(self.system, 0, rely, self.common).assuming(&finally);
            let again = walker.paths(&self.cuts, &mut |_, _, _, _| {});
            paths = again.map_err(|why| (why, None))?;
        }
        let is_inside = |path: &&Path| group.contains(&path.from) && group.contains(&path.to);
        let inside: Vec<&Path> = paths.iter().filter(is_inside).collect();
        let heads: Vec<NodeId> = group.iter().copied().collect();
        rank_paths(&mut walker, &inside, &invariants, &heads, shared, &mut self.solver)
    }

    /// What the environment must promise so that ranking functions of the
    /// thread alone do not grow, as far as it can be promised.
    fn agreement(
        &mut self,
        measures: &[Term],
        few: &[Var],
        when: &Condition,
        environment: &mut Environment<'_>,
    ) -> Option<Agreement> {
        let mut agreement = Agreement::default();
        for measure in measures {
            agreement.clauses.push(self.promised(measure, when, environment)?);
        }
        // Alone, the thread ends whatever these are: whatever others promise may help.
        if measures.is_empty() {
            for var in few {
                for measure in [Term::var(*var), Term::var(*var).times(-1)] {
                    agreement.clauses.extend(self.promised(&measure, when, environment));
                }
            }
        }
        Some(agreement)
    }

    /// The promise that a sum does not grow, if others keep it at least while they are
    /// excluded by no lock.
    fn promised(
        &mut self,
        measure: &Term,
        when: &Condition,
        environment: &mut Environment<'_>,
    ) -> Option<Clause> {
        let (measure, when) = (measure.clone(), when.clone());
        let mut clause = Clause { measure, while_held: Vec::new(), when };
        while let Some(breach) = environment.breach(&clause, &mut self.solver) {
            self.breach = Some((breach.thread, breach.edge));
            match self.weakening(&clause, breach) {
                Some(lock) => clause.while_held.push(lock),
                // Perhaps it never comes there.
                None if environment.is_kept(breach, &clause, &mut self.solver) => {}
                None => {
                    self.last.clauses = vec![clause];
                    return None;
                }
            }
        }
        Some(clause)
    }

    /// The shared parts of all ranking functions, each once.
    fn measures(&self, ranking: &Ranking) -> Vec<Term> {
        let mut measures = Vec::new();
        for term in ranking.values().flatten().flatten() {
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

/// Ranks paths between these heads, with these shared variables in ranking functions.
pub(crate) fn rank_paths(
    walker: &mut Walker<'_>,
    inside: &[&Path],
    invariants: &Invariants,
    heads: &[NodeId],
    shared: &[Var],
    solver: &mut Oracle,
) -> Result<Ranked, Unranked> {
    let vars = rankable(walker.system, inside, shared);
    let further = walker.common.further;
    let measures = if further { Measures::new(walker) } else { Measures::default() };
    let goes_on = match further {
        true => conditions::goes_on(walker, inside, invariants, solver),
        false => Invariants::new(),
    };
    let known: Vec<Vec<Formula>> =
        inside.iter().map(|path| known_of(walker, path, invariants, &goes_on)).collect();
    let failed = match rank_with(walker, (inside, &known), heads, &vars, &measures, solver) {
        Ok(ranking) => return Ok(Ranked { ranking, goes_on }),
        Err(failed) => failed,
    };
    let distances =
        further.then(|| Measures::of_distances(walker, inside, &vars)).flatten().ok_or(failed)?;
    let ranking = rank_with(walker, (inside, &known), heads, &vars, &distances, solver)?;
    Ok(Ranked { ranking, goes_on })
}

/// What is known where a path begins and, if another round follows, where it ends.
fn known_of(
    walker: &Walker<'_>,
    path: &Path,
    invariants: &Invariants,
    goes_on: &Invariants,
) -> Vec<Formula> {
    let mut known = invariants.get(&path.from).cloned().unwrap_or_default();
    let further = goes_on.get(&path.to).into_iter().flatten();
    let further = further.map(|fact| fact.replaced(&path.state.values));
    known.extend(further.map(|fact| lifted(&fact.unfolded(&walker.ranges))));
    known
}

/// A ranking with these variables and measures.
fn rank_with(
    walker: &mut Walker<'_>,
    (inside, known): (&[&Path], &[Vec<Formula>]),
    heads: &[NodeId],
    vars: &[Var],
    measures: &Measures,
    solver: &mut Oracle,
) -> Result<Ranking, Unranked> {
    let vars: Vec<Var> = vars.iter().copied().chain(measures.vars()).collect();
    let mut all = Vec::new();
    for (index, path) in inside.iter().enumerate() {
        let known = known[index].clone();
        let found = transitions(walker, path, known, (&vars, measures), index, solver)
            .map_err(|why| (why, Some((path.from, path.edges.clone()))))?;
        all.extend(found);
    }
    let ranking = rank::ranking(heads, &all, &vars);
    ranking.map(|ranking| measures.spelled_out(ranking)).map_err(|left| {
        let path = inside[all[left[0]].path];
        let why = "no linear ranking function was found".to_string();
        (why, Some((path.from, path.edges.clone())))
    })
}

/// Registers that the paths use, and the shared variables that are allowed.
fn rankable(system: &System, paths: &[&Path], shared: &[Var]) -> Vec<Var> {
    let mut used = BTreeSet::new();
    for path in paths {
        path.state.facts.iter().for_each(|fact| fact.collect_vars(&mut used));
        path.state.values.values().for_each(|value| value.collect_vars(&mut used));
    }
    let is_usable = |var: &Var| {
        let Some(variable) = system.vars.get(var.0 as usize) else { return false };
        match variable.kind {
            VarKind::Local(_) => true,
            VarKind::Shared => shared.contains(var),
            VarKind::Input => false,
        }
    };
    used.into_iter().filter(is_usable).collect()
}

fn transitions(
    walker: &mut Walker<'_>,
    path: &Path,
    known: Vec<Formula>,
    (vars, measures): (&[Var], &Measures),
    index: usize,
    solver: &mut Oracle,
) -> Result<Vec<Transition>, String> {
    let mut facts = known;
    facts.extend(measures.facts(&walker.ranges));
    facts.extend(path.state.facts.iter().cloned());
    let mut ends = BTreeMap::new();
    for var in vars {
        let measured = measures.of(*var).map(|term| term.replaced(&path.state.values));
        let Some(value) = measured.or_else(|| path.state.values.get(var).cloned()) else {
            continue;
        };
        let end = walker.fresh(walker.ranges.get(var).copied());
        let value = value.unfolded(&walker.ranges);
        facts.extend(lifted(&Formula::equal(&Term::var(end), &value)).conjuncts());
        ends.insert(*var, cube::Linear::var(end));
    }
    let bounds = walker.bounds(&facts);
    facts.extend(bounds);
    let cubes = cube::cubes(solver, &facts, &mut || walker.fresh(None))?;
    let (from, to) = (path.from, path.to);
    let made = |cube| Transition { from, to, cube, end: ends.clone(), path: index };
    Ok(cubes.into_iter().map(made).collect())
}

fn not_tried(group: &BTreeSet<NodeId>) -> Row {
    let heads = group.iter().copied().collect();
    let outcome = Outcome::NotTried;
    Row { heads, outcome, seconds: 0.0, strengthenings: 0, weakenings: 0 }
}

fn ways<'b>(
    system: &'b System,
    cuts: &BTreeSet<NodeId>,
    rely: Rely<'b>,
    common: &'b Common,
    solver: &mut Oracle,
) -> Result<Ways<'b>, String> {
    let mut walker = Walker::new(system, 0, rely, common);
    let paths = walker.paths(cuts, &mut |_, _, _, _| {})?;
    let invariants = invariant::invariants(&walker, cuts, &paths, solver);
    Ok(Ways { walker, paths, invariants })
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
