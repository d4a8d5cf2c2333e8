//! The obligations of milestones: what comes true some time and stays true, if every
//! thread that can always move does (weak fairness).
//!
//! For a milestone with the goal `g`, which some thread, the *helper*, makes true:
//!
//! - No edge of any thread makes `g` false again. So if `g` is false, it was never true.
//! - There is such a thread: the user said so, or the program always starts one.
//! - As long as `g` is false, the helper does not end.
//! - As long as `g` is false and earlier goals are true, the helper makes only finitely
//!   many steps (a ranking function), and wherever it is, it can move.
//!
//! So in a run in which `g` stays false for ever, the helper could always move, moves
//! infinitely often by fairness, and cannot: there is no such run. Locks that a helper waits
//! for must be free from some time on: every thread that holds one at all does so only
//! where it can move, waits for nothing, and does not come again.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{Edge, Hold, LockId, NodeId, Role, System, Thread, Wait};
use exeunt_smt::{Formula, Oracle, Solver, Term, Var};

use super::check::{
    CheckedHead, Facts, always, begins, checked_heads, comes_back, cut_all, falls, inequalities,
    known, node, prove, term,
};
use super::format::{Milestone, ThreadCertificate};
use super::walk::{Now, Visitor, Walk};

/// Checks one milestone of a certificate, given the goals of those before it. `Err` says what
/// does not hold.
pub fn check_milestone(
    system: &System,
    certificate: &ThreadCertificate,
    milestone: &Milestone,
    earlier: &[Formula],
    obligations: &mut usize,
) -> Result<(), String> {
    let goal = Formula::non_negative(term(system, &milestone.goal)?);
    if !goal.vars().iter().all(|var| system.is_shared(*var)) {
        return Err("a milestone is about a variable that is not shared".into());
    }
    let index = milestone.thread as usize;
    let helper = system.threads.get(index).filter(|_| index > 0);
    let helper = helper.ok_or("a milestone names no other thread")?;
    let always = always(system, certificate)?;
    let mut solver = Oracle::fresh();
    let mut check = Check { system, always: &always, solver: &mut solver, obligations };
    check.stays(certificate, &goal)?;
    check.is_there(certificate, index)?;
    let heads = checked_heads(system, index, &milestone.heads)?;
    let facts = heads.iter().map(|(node, head)| (*node, head.invariant.clone())).collect();
    let places: BTreeSet<NodeId> = heads.keys().copied().collect();
    cut_all(helper, &places)?;
    begins(helper, &facts)?;
    let open = [goal.negated()];
    check.goes_on(index, &heads, &facts, &open)?;
    let late: Vec<Formula> = open.iter().chain(earlier).cloned().collect();
    check.gets_there(index, &heads, &facts, &late)
}

struct Check<'a> {
    system: &'a System,
    always: &'a [Formula],
    solver: &'a mut Oracle,
    obligations: &'a mut usize,
}

impl Check<'_> {
    /// No edge makes the goal false, as soon as there is more than one thread.
    fn stays(&mut self, certificate: &ThreadCertificate, goal: &Formula) -> Result<(), String> {
        for (index, thread) in self.system.threads.iter().enumerate() {
            let mut facts = Facts::new();
            match index.checked_sub(1) {
                None => {
                    for head in &certificate.heads {
                        let known = inequalities(self.system, &head.invariant)?;
                        facts.insert(node(thread, head.node)?, known);
                    }
                }
                Some(other) => {
                    let heads = certificate.others.get(other).map_or(&[][..], Vec::as_slice);
                    for head in heads {
                        let known = inequalities(self.system, &head.invariant)?;
                        facts.insert(node(thread, head.node)?, known);
                    }
                }
            }
            let places: BTreeSet<NodeId> = facts.keys().copied().collect();
            cut_all(thread, &places)?;
            let alone = alone(thread);
            let mut visitor = Stays {
                thread,
                goal,
                alone: &alone,
                solver: self.solver,
                obligations: self.obligations,
            };
            Walk::new(self.system, index, &places, self.always)
                .all(&|node| known(&facts, node), &mut visitor)?;
        }
        Ok(())
    }

    /// One such thread runs some time.
    fn is_there(&mut self, certificate: &ThreadCertificate, index: usize) -> Result<(), String> {
        let helper = &self.system.threads[index];
        let missing = || format!("it is not sure that a thread `{}` runs", helper.name);
        if certificate.beside.is_some() {
            return if helper.role == Role::One { Ok(()) } else { Err(missing()) };
        }
        if helper.role == Role::Main {
            return Ok(());
        }
        let main = self.system.threads.iter().position(|thread| thread.role == Role::Main);
        let main = main.ok_or_else(missing)?;
        let thread = &self.system.threads[main];
        if main == 0 {
            // The subject itself starts it, before any of its loops.
            let before = before_start(thread, index);
            let loops = |node: &NodeId| on_cycle(thread, *node);
            return if before.iter().any(loops) { Err(missing()) } else { Ok(()) };
        }
        let before = before_start(thread, index);
        if before.iter().any(|node| cycles_without(thread, *node, index)) {
            return Err(missing());
        }
        let none = BTreeSet::new();
        let mut visitor =
            Moves { check: self, index: main, heads: None, facts: None, starts: Some(index) };
        let (system, always) = (visitor.check.system, visitor.check.always);
        Walk::new(system, main, &none, always).entry(&mut visitor)
    }

    /// What is known at heads holds there, and the thread does not end, as long as the goal
    /// is not reached.
    fn goes_on(
        &mut self,
        index: usize,
        heads: &BTreeMap<NodeId, CheckedHead>,
        facts: &Facts,
        open: &[Formula],
    ) -> Result<(), String> {
        let (system, always) = (self.system, self.always);
        let places: BTreeSet<NodeId> = heads.keys().copied().collect();
        let mut visitor = GoesOn { check: self, thread: &system.threads[index], facts };
        Walk::new(system, index, &places, always)
            .assuming(open)
            .all(&|node| known(facts, node), &mut visitor)
    }

    /// The thread can move wherever it is, and a ranking function falls.
    fn gets_there(
        &mut self,
        index: usize,
        heads: &BTreeMap<NodeId, CheckedHead>,
        facts: &Facts,
        late: &[Formula],
    ) -> Result<(), String> {
        let (system, always) = (self.system, self.always);
        let places: BTreeSet<NodeId> = heads.keys().copied().collect();
        let mut visitor =
            Moves { check: self, index, heads: Some(heads), facts: Some(facts), starts: None };
        Walk::new(system, index, &places, always)
            .assuming(late)
            .all(&|node| known(facts, node), &mut visitor)
    }

    /// A lock that everybody else gives back and at last does not take any more.
    fn is_free_at_last(&mut self, lock: LockId, helper: usize) -> Result<(), String> {
        let name = &self.system.locks[lock.0 as usize].name;
        if self.system.locks[lock.0 as usize].distrusted.is_some() {
            return Err(format!("holding `{name}` excludes nobody"));
        }
        for (index, thread) in self.system.threads.iter().enumerate() {
            if index == helper && thread.role != Role::Many {
                continue;
            }
            let holding = |node: &NodeId| thread.node(*node).held.iter().any(|h| h.lock == lock);
            let holding: Vec<NodeId> = nodes(thread).filter(holding).collect();
            if holding.is_empty() {
                continue;
            }
            let again = format!("`{}` may take `{name}` again and again", thread.name);
            if thread.role == Role::Many {
                return Err(again);
            }
            for node in holding {
                if on_cycle(thread, node) {
                    return Err(again);
                }
                let waits = thread.leaving(node).any(|(_, edge)| edge.waits != Wait::No);
                let moves = can_move(thread, node, &Now::default());
                if waits || !self.solver.proves(&[], &moves) {
                    return Err(format!("`{}` may keep `{name}`", thread.name));
                }
            }
        }
        Ok(())
    }
}

struct Stays<'a> {
    thread: &'a Thread,
    goal: &'a Formula,
    alone: &'a [bool],
    solver: &'a mut Oracle,
    obligations: &'a mut usize,
}

impl Visitor for Stays<'_> {
    fn edge(&mut self, _: NodeId, edge: usize, before: &Now, after: &Now) -> Result<(), String> {
        let edge = &self.thread.edges[edge];
        let written = self.goal.vars().iter().any(|var| edge.sets.contains_key(var));
        if !written || self.alone[edge.from.0 as usize] {
            return Ok(());
        }
        let mut known = after.known.clone();
        known.push(before.renamed(self.goal));
        let what = format!("`{}` may undo a milestone", self.thread.name);
        prove(self.solver, self.obligations, &known, &after.renamed(self.goal), &what)
    }

    fn arrived(&mut self, _: NodeId, _: NodeId, _: &Now) -> Result<(), String> {
        // That this is so is an obligation of the thread itself.
        Ok(())
    }

    fn others(&self, _: &[Hold], _: &Now, _: &Now) -> Vec<Formula> {
        Vec::new()
    }
}

struct GoesOn<'a, 'b> {
    check: &'a mut Check<'b>,
    thread: &'a Thread,
    facts: &'a Facts,
}

impl Visitor for GoesOn<'_, '_> {
    fn edge(&mut self, _: NodeId, _: usize, _: &Now, _: &Now) -> Result<(), String> {
        Ok(())
    }

    fn arrived(&mut self, _: NodeId, at: NodeId, now: &Now) -> Result<(), String> {
        let goal = Formula::all(self.facts[&at].iter().map(|fact| now.renamed(fact)));
        let what = format!("what is said of `{}` does not hold there", self.thread.name);
        prove(self.check.solver, self.check.obligations, &now.known, &goal, &what)
    }

    fn others(&self, _: &[Hold], _: &Now, _: &Now) -> Vec<Formula> {
        Vec::new()
    }

    fn stands(&mut self, at: NodeId, now: &Now) -> Result<(), String> {
        if self.thread.leaving(at).next().is_some() {
            return Ok(());
        }
        let what = format!("`{}` may end before a milestone is reached", self.thread.name);
        prove(self.check.solver, self.check.obligations, &now.known, &Formula::False, &what)
    }
}

/// The thread can move wherever it is; towards a milestone or towards the start of
/// another thread.
struct Moves<'a, 'b> {
    check: &'a mut Check<'b>,
    index: usize,
    heads: Option<&'a BTreeMap<NodeId, CheckedHead>>,
    facts: Option<&'a Facts>,
    starts: Option<usize>,
}

impl Visitor for Moves<'_, '_> {
    fn edge(&mut self, _: NodeId, _: usize, _: &Now, _: &Now) -> Result<(), String> {
        Ok(())
    }

    fn arrived(&mut self, from: NodeId, at: NodeId, now: &Now) -> Result<(), String> {
        let (Some(heads), Some(_)) = (self.heads, self.facts) else { return Ok(()) };
        let thread = &self.check.system.threads[self.index];
        if !heads.contains_key(&from) || !comes_back(thread, at, from) {
            return Ok(());
        }
        let falls = falls(&heads[&from].ranking, &heads[&at].ranking, now)?;
        let what = "a ranking function does not fall on the way to a milestone";
        prove(self.check.solver, self.check.obligations, &now.known, &falls, what)
    }

    fn others(&self, _: &[Hold], _: &Now, _: &Now) -> Vec<Formula> {
        Vec::new()
    }

    fn stands(&mut self, at: NodeId, now: &Now) -> Result<(), String> {
        let known: Vec<&Formula> = now.known.iter().collect();
        if self.check.solver.proves(&known, &Formula::False) {
            return Ok(());
        }
        let thread = &self.check.system.threads[self.index];
        for (_, edge) in thread.leaving(at) {
            let never = now.renamed(&edge.guard).negated();
            if edge.waits != Wait::No && self.check.solver.proves(&known, &never) {
                continue;
            }
            match edge.waits {
                Wait::No => {}
                Wait::Lock(lock) => self.check.is_free_at_last(lock, self.index)?,
                Wait::Other => {
                    return Err(format!("`{}` may have to wait on its way", thread.name));
                }
            }
        }
        let what = format!("`{}` may not be able to move", thread.name);
        let moves = can_move(thread, at, now);
        prove(self.check.solver, self.check.obligations, &now.known, &moves, &what)
    }

    fn leaves_out(&self, edge: &Edge) -> bool {
        // Threads can be started: that is taken for granted.
        edge.fails || self.starts.is_some() && edge.starts == self.starts
    }
}

/// That some edge can be taken; inputs are as it suits.
fn can_move(thread: &Thread, at: NodeId, now: &Now) -> Formula {
    let mut any = Formula::False;
    for (_, edge) in thread.leaving(at).filter(|(_, edge)| !edge.fails) {
        for value in [0, 1] {
            let inputs: BTreeMap<Var, Term> =
                edge.inputs.iter().map(|input| (*input, Term::number(value))).collect();
            any = any.either(now.renamed(&edge.guard.replaced(&inputs)));
        }
    }
    any
}

fn nodes(thread: &Thread) -> impl Iterator<Item = NodeId> + use<> {
    (0..thread.nodes.len() as u32).map(NodeId)
}

fn on_cycle(thread: &Thread, node: NodeId) -> bool {
    thread.leaving(node).any(|(_, edge)| comes_back(thread, edge.to, node))
}

/// Nodes at which no other thread can have been started yet.
fn alone(thread: &Thread) -> Vec<bool> {
    if thread.role != Role::Main {
        return vec![false; thread.nodes.len()];
    }
    let starts = thread.edges.iter().filter(|edge| edge.starts.is_some());
    let late: BTreeSet<NodeId> =
        starts.flat_map(|edge| nodes(thread).filter(|n| comes_back(thread, edge.to, *n))).collect();
    nodes(thread).map(|node| !late.contains(&node)).collect()
}

/// Nodes that are reached without having started a thread of this kind.
fn before_start(thread: &Thread, started: usize) -> Vec<NodeId> {
    let mut seen = BTreeSet::from([thread.entry]);
    let mut todo = vec![thread.entry];
    while let Some(node) = todo.pop() {
        let on = thread.leaving(node).filter(|(_, edge)| on_without(edge, started));
        todo.extend(on.map(|(_, edge)| edge.to).filter(|to| seen.insert(*to)));
    }
    seen.into_iter().collect()
}

fn on_without(edge: &Edge, started: usize) -> bool {
    edge.starts != Some(started) && !edge.fails
}

/// Whether there is a way back to a node on which no thread of this kind is started.
fn cycles_without(thread: &Thread, from: NodeId, started: usize) -> bool {
    let mut seen = BTreeSet::new();
    let mut todo = vec![from];
    while let Some(node) = todo.pop() {
        for (_, edge) in thread.leaving(node).filter(|(_, edge)| on_without(edge, started)) {
            if edge.to == from {
                return true;
            }
            if seen.insert(edge.to) {
                todo.push(edge.to);
            }
        }
    }
    false
}
