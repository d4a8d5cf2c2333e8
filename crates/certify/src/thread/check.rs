//! The obligations of a certificate that a thread ends.
//!
//! - Every cycle of every thread goes through a head.
//! - What is said to hold at a head holds whenever it is reached.
//! - On every way of the thread from head to head, with others doing what the
//!   agreement allows in between, the ranking function gets smaller: some
//!   component falls by one or more and was not negative, and none before it grows.
//! - Every edge of every other thread keeps every promise that it is not
//!   excluded from breaking.
//! - Every edge of every thread keeps every law and what is true at all times. That these may rely
//!   on each other is an induction over steps.
//!
//! A certificate with milestones says less: that the thread ends if every thread that can
//! always move does. `fair` has the obligations of milestones.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{Edge, Hold, LockId, Mode, NodeId, Role, System, Thread};
use exeunt_smt::{Assignment, BitOp, Formula, Oracle, Solver, Term, Var};

use super::fair::check_milestone;
use super::format::{Bits, Counted, Head, Promise, Rest, Side, Sum, ThreadCertificate};
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
    let promises = promises(system, &certificate.agreement)?;
    let relies = relies(system, certificate)?;
    let heads = checked_heads(system, 0, &certificate.heads)?;
    let always = always(system, certificate)?;
    let laws = laws(system, certificate)?;
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
        relies: &relies,
        always: &always,
        laws: &laws,
        facts: &facts,
        heads: &heads,
        ranks: goals.is_empty(),
        late: false,
        solver: &mut solver,
        obligations: &mut obligations,
    };
    let mut walk = Walk::new(system, 0, &places, &always).under(&laws);
    walk.all(&|node| known(&facts, node), &mut visitor)?;
    if !goals.is_empty() {
        // What is known at heads was known before the milestones were reached.
        (visitor.ranks, visitor.late) = (true, true);
        let mut late = Walk::new(system, 0, &places, &always).assuming(&goals).under(&laws);
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
            index,
            thread,
            promises: &promises,
            relies: &relies,
            always: &always,
            laws: &laws,
            facts: &facts,
            solver: &mut solver,
            obligations: &mut obligations,
        };
        Walk::new(system, index, &places, &always)
            .under(&laws)
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
    when: Formula,
    side: Side,
}

pub(super) struct CheckedHead {
    pub invariant: Vec<Formula>,
    pub goes_on: Formula,
    pub ranking: Vec<Vec<Term>>,
}

fn promises(system: &System, given: &[Promise]) -> Result<Vec<CheckedPromise>, String> {
    given.iter().map(|promise| one_promise(system, promise)).collect()
}

/// What is promised to each thread.
fn relies(
    system: &System,
    certificate: &ThreadCertificate,
) -> Result<Vec<Vec<CheckedPromise>>, String> {
    let given = &certificate.relies;
    if !given.is_empty() && given.len() != system.threads.len() {
        return Err("it does not say what is promised to each thread".into());
    }
    given.iter().map(|given| promises(system, given)).collect()
}

fn one_promise(system: &System, promise: &Promise) -> Result<CheckedPromise, String> {
    let measure = term(system, &promise.measure)?;
    let mut vars = BTreeSet::new();
    measure.collect_vars(&mut vars);
    let when = Formula::all(inequalities(system, &promise.when)?);
    when.collect_vars(&mut vars);
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
    Ok(CheckedPromise { measure, vars, while_held, when, side: promise.side })
}

/// Sums of shared variables.
fn laws(system: &System, certificate: &ThreadCertificate) -> Result<Vec<Term>, String> {
    let laws = certificate.laws.iter().map(|law| term(system, law));
    let laws: Vec<Term> = laws.collect::<Result<_, _>>()?;
    let mut vars = BTreeSet::new();
    laws.iter().for_each(|law| law.collect_vars(&mut vars));
    match vars.iter().all(|var| system.is_shared(*var)) {
        true => Ok(laws),
        false => Err("a law is about a variable that is not shared".into()),
    }
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
            goes_on: Formula::all(inequalities(system, &head.goes_on)?),
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
    let mut term = Term::number(sum.number);
    let known = |var: u32| match (var as usize) < system.vars.len() {
        true => Ok(Term::var(Var(var))),
        false => Err("it names an unknown variable"),
    };
    for (factor, var) in &sum.parts {
        term = term.plus(&known(*var)?.times(i128::from(*factor)));
    }
    for Bits { factor, of, width, var } in &sum.bits {
        if !(1..=64).contains(width) {
            return Err("it counts bits that no variable has".into());
        }
        let op = match of {
            Counted::Ones => BitOp::Ones,
            Counted::LowZeros => BitOp::LowZeros,
            Counted::HighZeros => BitOp::HighZeros,
        };
        let count = Term::bits(op, *width, &known(*var)?, &Term::number(0));
        term = term.plus(&count.times(i128::from(*factor)));
    }
    for Rest { factor, width, of, number } in &sum.rests {
        if !(1..=64).contains(width) {
            return Err("it counts in a circle that no variable has".into());
        }
        let mut inner = Term::number(i128::from(*number));
        for (factor, var) in of {
            inner = inner.plus(&known(*var)?.times(i128::from(*factor)));
        }
        term = term.plus(&inner.remainder(1 << width).times(i128::from(*factor)));
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
    // What is too much at once may be proven part by part.
    let parts = || goal.clone().conjuncts();
    let follows = solver.proves(&known, goal)
        || parts().len() > 1 && parts().iter().all(|part| solver.proves(&known, part));
    if !follows {
        return Err(what.to_string());
    }
    *obligations += 1;
    Ok(())
}

/// No law is broken by an edge.
fn obeys(
    solver: &mut Oracle,
    obligations: &mut usize,
    laws: &[Term],
    edge: &Edge,
    (before, after): (&Now, &Now),
) -> Result<(), String> {
    for law in laws {
        let mut vars = BTreeSet::new();
        law.collect_vars(&mut vars);
        if vars.iter().any(|var| edge.sets.contains_key(var)) {
            let goal = Formula::at_least(&before.value(law), &after.value(law));
            prove(solver, obligations, &after.known, &goal, "a thread does not keep a law")?;
        }
    }
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
    relies: &'a [Vec<CheckedPromise>],
    always: &'a [Formula],
    laws: &'a [Term],
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
    fn edge(&mut self, _: NodeId, edge: usize, before: &Now, after: &Now) -> Result<(), String> {
        let edge = &self.system.threads[0].edges[edge];
        obeys(self.solver, self.obligations, self.laws, edge, (before, after))?;
        helps(self.solver, self.obligations, (self.system, 0), self.relies, edge, (before, after))?;
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
        let (first, second) = (&self.heads[&from], &self.heads[&at]);
        let what = "what is said of going round again is not needed for it";
        prove(self.solver, self.obligations, &now.known, &first.goes_on, what)?;
        // If this does not hold, no round follows, and none has to get smaller.
        let ends = now.renamed(&second.goes_on).negated();
        let falls = falls(&first.ranking, &second.ranking, now)?.either(ends);
        let what = "a ranking function does not fall on a way through its loop";
        prove(self.solver, self.obligations, &now.known, &falls, what)
    }

    fn others(&self, held: &[Hold], before: &Now, after: &Now) -> Vec<Formula> {
        let all = self.promises.iter().chain(self.relies.first().into_iter().flatten());
        active(all, held, before, after)
    }
}

/// What those promises say that count while these locks are held.
fn active<'a>(
    promises: impl Iterator<Item = &'a CheckedPromise>,
    held: &[Hold],
    before: &Now,
    after: &Now,
) -> Vec<Formula> {
    let active = promises.filter(|promise| {
        promise
            .while_held
            .iter()
            .all(|(lock, mode)| held.iter().any(|hold| hold.lock == *lock && hold.mode >= *mode))
    });
    active.map(|promise| kept(promise, before, after)).collect()
}

/// An edge of a thread keeps what is promised to others.
fn helps(
    solver: &mut Oracle,
    obligations: &mut usize,
    (system, index): (&System, usize),
    relies: &[Vec<CheckedPromise>],
    edge: &Edge,
    (before, after): (&Now, &Now),
) -> Result<(), String> {
    let thread = &system.threads[index];
    let held = &thread.node(edge.from).held;
    let is_other = |other: usize| other != index || thread.role == Role::Many;
    let promised = relies.iter().enumerate().filter(|(other, _)| is_other(*other));
    for promise in promised.flat_map(|(_, promises)| promises) {
        if concerns(system, promise, held, edge) {
            let goal = kept(promise, before, after);
            let what = format!("`{}` does not keep what others rely on", thread.name);
            prove(solver, obligations, &after.known, &goal, &what)?;
        }
    }
    Ok(())
}

/// Whether an edge of a thread with these locks might break a promise.
fn concerns(system: &System, promise: &CheckedPromise, held: &[Hold], edge: &Edge) -> bool {
    let excluded = promise.while_held.iter().any(|(lock, mode)| {
        let relying = Hold { lock: *lock, mode: *mode, count: 1 };
        held.iter().any(|hold| system.exclude(*hold, relying))
    });
    !excluded && edge.sets.keys().any(|var| promise.vars.contains(var))
}

fn kept(promise: &CheckedPromise, before: &Now, after: &Now) -> Formula {
    let falls = Formula::at_least(&before.value(&promise.measure), &after.value(&promise.measure));
    let (first, second) = (before.renamed(&promise.when), after.renamed(&promise.when));
    let (asked, other) = match promise.side {
        Side::Before => (first, second),
        Side::After => (second, first),
    };
    asked.negated().either(falls.both(other))
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
    index: usize,
    thread: &'a Thread,
    promises: &'a [CheckedPromise],
    relies: &'a [Vec<CheckedPromise>],
    always: &'a [Formula],
    laws: &'a [Term],
    facts: &'a Facts,
    solver: &'a mut Oracle,
    obligations: &'a mut usize,
}

impl Visitor for Other<'_> {
    fn edge(&mut self, _: NodeId, edge: usize, before: &Now, after: &Now) -> Result<(), String> {
        let edge = &self.thread.edges[edge];
        stays(self.solver, self.obligations, self.always, edge, after)?;
        obeys(self.solver, self.obligations, self.laws, edge, (before, after))?;
        let of = (self.system, self.index);
        helps(self.solver, self.obligations, of, self.relies, edge, (before, after))?;
        if self.thread.is_early(edge.from) {
            return Ok(());
        }
        let held = &self.thread.node(edge.from).held;
        for promise in self.promises {
            if !concerns(self.system, promise, held, edge) {
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

    fn others(&self, held: &[Hold], before: &Now, after: &Now) -> Vec<Formula> {
        let own = self.relies.get(self.index).into_iter().flatten();
        active(own, held, before, after)
    }
}
