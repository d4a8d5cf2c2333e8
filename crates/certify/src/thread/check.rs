//! The obligations of a certificate that a thread ends.
//!
//! - Every cycle of every thread goes through a head.
//! - What is said to hold at a head holds whenever it is reached.
//! - On every way of the thread from head to head, with others doing what the
//!   agreement allows in between, the ranking function gets smaller: some
//!   component falls by one or more and was not negative, and none before it grows.
//! - Every edge of every other thread keeps every promise that it is not
//!   excluded from breaking.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{Edge, Hold, LockId, Mode, NodeId, System, Thread};
use exeunt_smt::{Assignment, Formula, Solver, Term, Var, Z3};

use super::format::{Promise, Sum, ThreadCertificate};
use super::walk::{Now, Visitor, Walk};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadCertified {
    /// How many questions a solver answered with yes.
    pub obligations: usize,
}

/// Checks a certificate against automata that were made anew. `Err` says what
/// does not hold.
pub fn check_thread(
    system: &System,
    certificate: &ThreadCertificate,
) -> Result<ThreadCertified, String> {
    let promises = promises(system, certificate)?;
    let heads = subject_heads(system, certificate)?;
    let always = always(system, certificate)?;
    let mut solver = Z3::new();
    let mut obligations = 0;
    let subject = &system.threads[0];
    let places: BTreeSet<NodeId> = heads.keys().copied().collect();
    cut_all(subject, &places)?;
    let facts = heads.iter().map(|(node, head)| (*node, head.invariant.clone())).collect();
    let mut visitor = Subject {
        system,
        promises: &promises,
        always: &always,
        facts: &facts,
        heads: &heads,
        solver: &mut solver,
        obligations: &mut obligations,
    };
    begins(subject, &facts)?;
    Walk::new(system, 0, &places, &always).all(&|node| known(&facts, node), &mut visitor)?;
    if certificate.others.len() != system.threads.len() - 1 {
        return Err("it does not name the other threads".into());
    }
    for (index, others) in (1..).zip(&certificate.others) {
        let thread = &system.threads[index];
        let mut facts = BTreeMap::new();
        for head in others {
            facts.insert(node(thread, head.node)?, inequalities(system, &head.invariant)?);
        }
        let places: BTreeSet<NodeId> = facts.keys().copied().collect();
        cut_all(thread, &places)?;
        begins(thread, &facts)?;
        let mut visitor = Other {
            system,
            thread,
            promises: &promises,
            always: &always,
            facts: &facts,
            solver: &mut solver,
            obligations: &mut obligations,
        };
        Walk::new(system, index, &places, &always)
            .all(&|node| known(&facts, node), &mut visitor)?;
    }
    Ok(ThreadCertified { obligations })
}

type Facts = BTreeMap<NodeId, Vec<Formula>>;

fn known(facts: &Facts, node: NodeId) -> Vec<Formula> {
    facts.get(&node).cloned().unwrap_or_default()
}

struct CheckedPromise {
    measure: Term,
    vars: BTreeSet<Var>,
    while_held: Vec<(LockId, Mode)>,
}

struct CheckedHead {
    invariant: Vec<Formula>,
    ranking: Vec<Term>,
}

fn promises(
    system: &System,
    certificate: &ThreadCertificate,
) -> Result<Vec<CheckedPromise>, String> {
    certificate.agreement.iter().map(|promise| one_promise(system, promise)).collect()
}

fn one_promise(system: &System, promise: &Promise) -> Result<CheckedPromise, String> {
    let measure = term(system, &promise.measure)?;
    let mut vars = BTreeSet::new();
    measure.collect_vars(&mut vars);
    if !vars.iter().all(|var| system.is_shared(*var)) {
        return Err("an agreement is about a variable that is not shared".into());
    }
    let mut while_held = Vec::new();
    for (lock, exclusive) in &promise.while_held {
        let found = system.locks.get(*lock as usize).ok_or("an agreement names an unknown lock")?;
        if let Some(why) = &found.distrusted {
            return Err(format!("holding `{}` excludes nobody: {}", found.name, why.text));
        }
        let mode = if *exclusive { Mode::Exclusive } else { Mode::Shared };
        while_held.push((LockId(*lock), mode));
    }
    Ok(CheckedPromise { measure, vars, while_held })
}

/// Facts about shared variables that hold initially.
fn always(system: &System, certificate: &ThreadCertificate) -> Result<Vec<Formula>, String> {
    let facts = inequalities(system, &certificate.always)?;
    let shared: Vec<Var> = system.shared().collect();
    let initial = shared.iter().filter_map(|var| Some((*var, system.variable(*var).initial?)));
    let initial: Assignment = initial.collect();
    for fact in &facts {
        let known = fact.vars().iter().all(|var| initial.contains_key(var));
        if !known || fact.holds(&initial) != Some(true) {
            return Err("what is said to be true at all times is not true initially".into());
        }
    }
    Ok(facts)
}

fn subject_heads(
    system: &System,
    certificate: &ThreadCertificate,
) -> Result<BTreeMap<NodeId, CheckedHead>, String> {
    let mut heads = BTreeMap::new();
    for head in &certificate.heads {
        let ranking = head.ranking.iter().map(|sum| term(system, sum));
        let checked = CheckedHead {
            invariant: inequalities(system, &head.invariant)?,
            ranking: ranking.collect::<Result<_, _>>()?,
        };
        heads.insert(node(&system.threads[0], head.node)?, checked);
    }
    let mut lengths = heads.values().map(|head| head.ranking.len());
    let first = lengths.next();
    if !lengths.all(|length| Some(length) == first) {
        return Err("ranking functions have different lengths".into());
    }
    Ok(heads)
}

fn node(thread: &Thread, node: u32) -> Result<NodeId, String> {
    match (node as usize) < thread.nodes.len() {
        true => Ok(NodeId(node)),
        false => Err(format!("`{}` has no such place", thread.name)),
    }
}

fn term(system: &System, sum: &Sum) -> Result<Term, String> {
    let mut term = Term::number(i128::from(sum.number));
    for (factor, var) in &sum.parts {
        if *var as usize >= system.vars.len() {
            return Err("it names an unknown variable".into());
        }
        term = term.plus(&Term::var(Var(*var)).times(i128::from(*factor)));
    }
    Ok(term)
}

fn inequalities(system: &System, sums: &[Sum]) -> Result<Vec<Formula>, String> {
    sums.iter().map(|sum| Ok(Formula::non_negative(term(system, sum)?))).collect()
}

/// Without the heads there must be no cycle.
fn cut_all(thread: &Thread, heads: &BTreeSet<NodeId>) -> Result<(), String> {
    let mut into = vec![0usize; thread.nodes.len()];
    let inner = || thread.edges.iter().filter(|edge| !heads.contains(&edge.to));
    inner().for_each(|edge| into[edge.to.0 as usize] += 1);
    let mut free: Vec<usize> = (0..into.len()).filter(|node| into[*node] == 0).collect();
    let mut removed = 0;
    while let Some(node) = free.pop() {
        removed += 1;
        for edge in inner().filter(|edge| edge.from.0 as usize == node) {
            let count = &mut into[edge.to.0 as usize];
            *count -= 1;
            if *count == 0 {
                free.push(edge.to.0 as usize);
            }
        }
    }
    match removed == into.len() {
        true => Ok(()),
        false => Err(format!("a loop of `{}` has no head in the certificate", thread.name)),
    }
}

/// Nothing is known where a thread begins.
fn begins(thread: &Thread, facts: &Facts) -> Result<(), String> {
    match facts.get(&thread.entry) {
        Some(facts) if !facts.is_empty() => {
            Err(format!("nothing is known where `{}` begins", thread.name))
        }
        _ => Ok(()),
    }
}

fn prove(
    solver: &mut Z3,
    obligations: &mut usize,
    known: &[Formula],
    goal: &Formula,
    what: &str,
) -> Result<(), String> {
    let known: Vec<&Formula> = known.iter().collect();
    if !solver.proves(&known, goal) {
        return Err(what.to_string());
    }
    *obligations += 1;
    Ok(())
}

/// What is true at all times is still true after an edge.
fn stays(
    solver: &mut Z3,
    obligations: &mut usize,
    always: &[Formula],
    edge: &Edge,
    after: &Now,
) -> Result<(), String> {
    for fact in always.iter().filter(|fact| fact.vars().iter().any(|v| edge.sets.contains_key(v))) {
        let what = "what is said to be true at all times is not";
        prove(solver, obligations, &after.known, &after.renamed(fact), what)?;
    }
    Ok(())
}

struct Subject<'a> {
    system: &'a System,
    promises: &'a [CheckedPromise],
    always: &'a [Formula],
    facts: &'a Facts,
    heads: &'a BTreeMap<NodeId, CheckedHead>,
    solver: &'a mut Z3,
    obligations: &'a mut usize,
}

impl Visitor for Subject<'_> {
    fn edge(&mut self, _: NodeId, edge: usize, _: &Now, after: &Now) -> Result<(), String> {
        let edge = &self.system.threads[0].edges[edge];
        stays(self.solver, self.obligations, self.always, edge, after)
    }

    fn arrived(&mut self, from: NodeId, at: NodeId, now: &Now) -> Result<(), String> {
        let goal = Formula::all(self.facts[&at].iter().map(|fact| now.renamed(fact)));
        let what = "what is said of a loop head does not hold there";
        prove(self.solver, self.obligations, &now.known, &goal, what)?;
        if !self.heads.contains_key(&from) || !comes_back(&self.system.threads[0], at, from) {
            return Ok(());
        }
        let falls = falls(&self.heads[&from].ranking, &self.heads[&at].ranking, now);
        let what = "a ranking function does not fall on a way through its loop";
        prove(self.solver, self.obligations, &now.known, &falls, what)
    }

    fn others(&self, held: &[Hold], before: &Now, after: &Now) -> Vec<Formula> {
        let active = self.promises.iter().filter(|promise| {
            promise.while_held.iter().all(|(lock, mode)| {
                held.iter().any(|hold| hold.lock == *lock && hold.mode >= *mode)
            })
        });
        active.map(|promise| kept(promise, before, after)).collect()
    }
}

fn kept(promise: &CheckedPromise, before: &Now, after: &Now) -> Formula {
    Formula::at_least(&before.value(&promise.measure), &after.value(&promise.measure))
}

/// Lexicographic decrease.
fn falls(before: &[Term], after: &[Term], now: &Now) -> Formula {
    let mut any = Formula::False;
    let mut not_grown = Formula::True;
    for (before, after) in before.iter().zip(after) {
        let after = now.value(after);
        let smaller = Formula::at_least(before, &after.add(1));
        let bounded = Formula::non_negative(before.clone());
        any = any.either(not_grown.clone().both(smaller).both(bounded));
        not_grown = not_grown.both(Formula::at_least(before, &after));
    }
    any
}

fn comes_back(thread: &Thread, from: NodeId, to: NodeId) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut todo = vec![from];
    while let Some(node) = todo.pop() {
        if node == to {
            return true;
        }
        todo.extend(thread.leaving(node).map(|(_, edge)| edge.to).filter(|to| seen.insert(*to)));
    }
    false
}

struct Other<'a> {
    system: &'a System,
    thread: &'a Thread,
    promises: &'a [CheckedPromise],
    always: &'a [Formula],
    facts: &'a Facts,
    solver: &'a mut Z3,
    obligations: &'a mut usize,
}

impl Visitor for Other<'_> {
    fn edge(&mut self, _: NodeId, edge: usize, before: &Now, after: &Now) -> Result<(), String> {
        let edge = &self.thread.edges[edge];
        stays(self.solver, self.obligations, self.always, edge, after)?;
        if self.thread.early[edge.from.0 as usize] {
            return Ok(());
        }
        let held = &self.thread.node(edge.from).held;
        for promise in self.promises {
            let excluded = promise.while_held.iter().any(|(lock, mode)| {
                let subject = Hold { lock: *lock, mode: *mode, count: 1 };
                held.iter().any(|hold| self.system.exclude(*hold, subject))
            });
            if excluded || !edge.sets.keys().any(|var| promise.vars.contains(var)) {
                continue;
            }
            let goal = kept(promise, before, after);
            let what = format!("`{}` does not keep the agreement", self.thread.name);
            prove(self.solver, self.obligations, &after.known, &goal, &what)?;
        }
        Ok(())
    }

    fn arrived(&mut self, _: NodeId, at: NodeId, now: &Now) -> Result<(), String> {
        let goal = Formula::all(self.facts[&at].iter().map(|fact| now.renamed(fact)));
        let what = format!("what is said of `{}` does not hold there", self.thread.name);
        prove(self.solver, self.obligations, &now.known, &goal, &what)
    }

    fn others(&self, _: &[Hold], _: &Now, _: &Now) -> Vec<Formula> {
        Vec::new()
    }
}
