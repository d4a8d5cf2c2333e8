//! The obligations of a certificate that a thread ends.
//!
//! - Every cycle of every thread goes through a head.
//! - What is said to hold at a head holds whenever it is reached.
//! - On every way of the thread from head to head, with others doing what the
//!   agreement allows in between, the ranking function gets smaller: some
//!   component falls by one or more and was not negative, and none before it grows.
//! - Every edge of every other thread keeps every promise that it is not
//!   excluded from breaking.
//!
//! A certificate with milestones says less: that the thread ends if every thread that can
//! always move does. `fair` has the obligations of milestones.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{Edge, Hold, LockId, Mode, NodeId, System, Thread};
use exeunt_smt::{Assignment, Formula, Oracle, Solver, Term, Var};

use super::fair::check_milestone;
use super::format::{Head, Promise, Sum, ThreadCertificate};
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
    let heads = checked_heads(system, 0, &certificate.heads)?;
    let always = always(system, certificate)?;
    let mut solver = Oracle::fresh();
    let mut obligations = 0;
    let subject = &system.threads[0];
    let places: BTreeSet<NodeId> = heads.keys().copied().collect();
    cut_all(subject, &places)?;
    let facts = heads.iter().map(|(node, head)| (*node, head.invariant.clone())).collect();
    begins(subject, &facts)?;
    let mut goals = Vec::new();
    for milestone in &certificate.milestones {
        check_milestone(system, certificate, milestone, &goals, &mut obligations)?;
        goals.push(Formula::non_negative(term(system, &milestone.goal)?));
    }
    let mut visitor = Subject {
        system,
        promises: &promises,
        always: &always,
        facts: &facts,
        heads: &heads,
        ranks: goals.is_empty(),
        late: false,
        solver: &mut solver,
        obligations: &mut obligations,
    };
    Walk::new(system, 0, &places, &always).all(&|node| known(&facts, node), &mut visitor)?;
    if !goals.is_empty() {
        // What is known at heads was known before the milestones were reached.
        (visitor.ranks, visitor.late) = (true, true);
        let mut late = Walk::new(system, 0, &places, &always).assuming(&goals);
        late.all(&|node| known(&facts, node), &mut visitor)?;
    }
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

pub(super) type Facts = BTreeMap<NodeId, Vec<Formula>>;

pub(super) fn known(facts: &Facts, node: NodeId) -> Vec<Formula> {
    facts.get(&node).cloned().unwrap_or_default()
}

struct CheckedPromise {
    measure: Term,
    vars: BTreeSet<Var>,
    while_held: Vec<(LockId, Mode)>,
}

pub(super) struct CheckedHead {
    pub invariant: Vec<Formula>,
    pub ranking: Vec<Vec<Term>>,
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
pub(super) fn always(
    system: &System,
    certificate: &ThreadCertificate,
) -> Result<Vec<Formula>, String> {
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

pub(super) fn checked_heads(
    system: &System,
    thread: usize,
    given: &[Head],
) -> Result<BTreeMap<NodeId, CheckedHead>, String> {
    let mut heads = BTreeMap::new();
    for head in given {
        let level = |phases: &Vec<Sum>| phases.iter().map(|sum| term(system, sum)).collect();
        let checked = CheckedHead {
            invariant: inequalities(system, &head.invariant)?,
            ranking: head.ranking.iter().map(level).collect::<Result<_, _>>()?,
        };
        heads.insert(node(&system.threads[thread], head.node)?, checked);
    }
    Ok(heads)
}

pub(super) fn node(thread: &Thread, node: u32) -> Result<NodeId, String> {
    match (node as usize) < thread.nodes.len() {
        true => Ok(NodeId(node)),
        false => Err(format!("`{}` has no such place", thread.name)),
    }
}

pub(super) fn term(system: &System, sum: &Sum) -> Result<Term, String> {
    let mut term = Term::number(i128::from(sum.number));
    for (factor, var) in &sum.parts {
        if *var as usize >= system.vars.len() {
            return Err("it names an unknown variable".into());
        }
        term = term.plus(&Term::var(Var(*var)).times(i128::from(*factor)));
    }
    Ok(term)
}

pub(super) fn inequalities(system: &System, sums: &[Sum]) -> Result<Vec<Formula>, String> {
    sums.iter().map(|sum| Ok(Formula::non_negative(term(system, sum)?))).collect()
}

/// Without the heads there must be no cycle.
pub(super) fn cut_all(thread: &Thread, heads: &BTreeSet<NodeId>) -> Result<(), String> {
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
pub(super) fn begins(thread: &Thread, facts: &Facts) -> Result<(), String> {
    match facts.get(&thread.entry) {
        Some(facts) if !facts.is_empty() => {
            Err(format!("nothing is known where `{}` begins", thread.name))
        }
        _ => Ok(()),
    }
}

pub(super) fn prove(
    solver: &mut Oracle,
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
    solver: &mut Oracle,
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
    /// Ranking functions are asked about.
    ranks: bool,
    /// Milestones are assumed, so nothing is asked about what is known at heads.
    late: bool,
    solver: &'a mut Oracle,
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
        if !self.late {
            prove(self.solver, self.obligations, &now.known, &goal, what)?;
        }
        let inside =
            self.heads.contains_key(&from) && comes_back(&self.system.threads[0], at, from);
        if !inside || !self.ranks {
            return Ok(());
        }
        let falls = falls(&self.heads[&from].ranking, &self.heads[&at].ranking, now)?;
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

/// Lexicographic decrease, each level in phases.
pub(super) fn falls(
    before: &[Vec<Term>],
    after: &[Vec<Term>],
    now: &Now,
) -> Result<Formula, String> {
    let same = before.len() == after.len()
        && before.iter().zip(after).all(|(a, b)| a.len() == b.len() && !a.is_empty());
    if !same {
        return Err("ranking functions of one loop have different lengths".into());
    }
    let mut any = Formula::False;
    let mut not_grown = Formula::True;
    for (before, after) in before.iter().zip(after) {
        let after: Vec<Term> = after.iter().map(|term| now.value(term)).collect();
        let mut level = Formula::non_negative(before[before.len() - 1].clone());
        let mut same_or_less = Formula::True;
        for (phase, (start, end)) in before.iter().zip(&after).enumerate() {
            let change = start.minus(end);
            // A phase falls by one and by as much more as the phase before it is negative.
            let more = match phase {
                0 => change.add(-1),
                _ => change.plus(&before[phase - 1]).add(-1),
            };
            level = level.both(Formula::non_negative(more));
            same_or_less = same_or_less.both(Formula::non_negative(change));
        }
        any = any.either(not_grown.clone().both(level));
        not_grown = not_grown.both(same_or_less);
    }
    Ok(any)
}

pub(super) fn comes_back(thread: &Thread, from: NodeId, to: NodeId) -> bool {
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
    solver: &'a mut Oracle,
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
