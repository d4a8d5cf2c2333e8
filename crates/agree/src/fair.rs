//! What comes true some time, if every thread that can always move does.
//!
//! A *milestone* is a fact about a shared variable that one thread makes true and no thread
//! undoes. Which facts are milestones is guessed: bounds of shared variables, and threads
//! that might reach them. Each guess counts only if `certify` accepts it, so this file
//! has no soundness of its own. Milestones may rely on earlier ones: a thread that waits for a
//! flag gets to its own goal as soon as the flag is set.

use std::collections::BTreeSet;

use exeunt_certify::ThreadCertificate;
use exeunt_counter::{NodeId, Role, System};
use exeunt_smt::{Formula, Int, Oracle, Term, Var};

use crate::common::Common;
use crate::graph;
use crate::invariant::{self, Invariants, constants_of};
use crate::negotiate::rank_paths;
use crate::path::{Path, Rely, Walker};
use crate::rank::Ranking;

/// A fact, the thread that makes it true, and why it gets there.
#[derive(Clone, Debug)]
pub(crate) struct Milestone {
    pub goal: Formula,
    pub thread: usize,
    pub ranking: Ranking,
    pub invariants: Invariants,
}

/// More milestones than that are not looked for.
const MOST_MILESTONES: usize = 6;
/// More constants than that are not compared with.
const MOST_CONSTANTS: usize = 6;

/// Whether a milestone is one, given those before it.
pub(crate) type Judge<'a> = &'a dyn Fn(&Milestone, &[Milestone]) -> bool;

/// All milestones that are found, each relying on those before it.
pub(crate) fn milestones(
    system: &System,
    common: &Common,
    judge: Judge<'_>,
    stop: &dyn Fn() -> bool,
) -> Vec<Milestone> {
    let mut solver = Oracle::new();
    let mut found: Vec<Milestone> = Vec::new();
    let goals = goals(system);
    loop {
        let known = found.len();
        for goal in &goals {
            if stop() || found.len() >= MOST_MILESTONES {
                return found;
            }
            if found.iter().any(|one| one.goal == *goal) {
                continue;
            }
            for thread in helpers(system, goal) {
                let next = candidate(system, common, goal, thread, &found, &mut solver);
                if let Some(next) = next.filter(|next| judge(next, &found)) {
                    found.push(next);
                    break;
                }
            }
        }
        if found.len() == known {
            return found;
        }
    }
}

/// Bounds of shared variables that are not true initially.
fn goals(system: &System) -> Vec<Formula> {
    let mut constants: BTreeSet<Int> = BTreeSet::from([0, 1]);
    for edge in system.threads.iter().flat_map(|thread| &thread.edges) {
        constants_of(&edge.guard, &mut constants);
        constants.extend(edge.sets.values().filter_map(Term::as_number));
    }
    let mut constants: Vec<Int> = constants.into_iter().filter(|c| c.abs() < 1 << 33).collect();
    constants.sort_by_key(|number| (number.abs(), *number < 0));
    constants.truncate(MOST_CONSTANTS);
    let mut goals = Vec::new();
    for var in system.shared() {
        let term = Term::var(var);
        for constant in &constants {
            goals.push(Formula::non_negative(term.add(-constant)));
            goals.push(Formula::non_negative(term.times(-1).add(*constant)));
        }
    }
    let initial = system.shared().filter_map(|var| Some((var, system.variable(var).initial?)));
    let initial = initial.collect();
    goals.retain(|goal| {
        let known = goal.vars().iter().all(|var| system.variable(*var).initial.is_some());
        !known || goal.holds(&initial) != Some(true)
    });
    goals
}

/// Threads that write what the goal is about.
fn helpers(system: &System, goal: &Formula) -> Vec<usize> {
    let vars = goal.vars();
    let writes = |thread: &usize| {
        let edges = &system.threads[*thread].edges;
        edges.iter().any(|edge| vars.iter().any(|var| edge.sets.contains_key(var)))
    };
    let library = !system.threads.iter().any(|thread| thread.role == Role::Main);
    let sure = |thread: &usize| !library || system.threads[*thread].role == Role::One;
    (1..system.threads.len()).filter(writes).filter(sure).collect()
}

fn candidate(
    system: &System,
    common: &Common,
    goal: &Formula,
    thread: usize,
    earlier: &[Milestone],
    solver: &mut Oracle,
) -> Option<Milestone> {
    let helper = &system.threads[thread];
    let cuts = graph::cuts(helper);
    let open = [goal.negated()];
    let mut walker = Walker::new(system, thread, Rely::Locks, common).assuming(&open);
    let paths = walker.paths(&cuts, &mut |_, _, _, _| {}).ok()?;
    let invariants = invariant::invariants(&walker, &cuts, &paths, solver);
    let late: Vec<Formula> =
        open.iter().cloned().chain(earlier.iter().map(|one| one.goal.clone())).collect();
    let mut walker = Walker::new(system, thread, Rely::Locks, common).assuming(&late);
    let paths = walker.paths(&cuts, &mut |_, _, _, _| {}).ok()?;
    let shared: Vec<Var> = system.shared().collect();
    let mut ranking: Ranking = cuts.iter().map(|cut| (*cut, Vec::new())).collect();
    for group in graph::groups(helper, &cuts) {
        let inside = |path: &&Path| group.contains(&path.from) && group.contains(&path.to);
        let inside: Vec<&Path> = paths.iter().filter(inside).collect();
        let heads: Vec<NodeId> = group.iter().copied().collect();
        let found = rank_paths(&mut walker, &inside, &invariants, &heads, &shared, solver);
        ranking.extend(found.ok()?.ranking);
    }
    Some(Milestone { goal: goal.clone(), thread, ranking, invariants })
}

/// Asks the checker about the last milestone of a certificate.
pub(crate) fn is_certified(system: &System, certificate: &ThreadCertificate) -> bool {
    let Some((last, before)) = certificate.milestones.split_last() else { return false };
    let goals = before.iter().map(|one| {
        let parts = one.goal.parts.iter();
        let sum = parts.fold(Term::number(one.goal.number), |sum, (factor, var)| {
            sum.plus(&Term::var(Var(*var)).times(Int::from(*factor)))
        });
        Formula::non_negative(sum)
    });
    let goals: Vec<Formula> = goals.collect();
    exeunt_certify::check_milestone(system, certificate, last, &goals, &mut 0).is_ok()
}
