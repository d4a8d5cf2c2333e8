//! The naive answers.

use std::collections::{BTreeSet, HashMap};

use exeunt_model::{Choice, ChoiceKind};

use super::Answer;
use super::toy::{Op, SLOTS, Toy, section};

/// A state of the expanded graph: node, open set, and the active instance;
/// `None` behind the end of an active instance.
type Expanded = Option<(u32, u32, Option<u32>)>;

/// Edges of Štill and Barnat's expanded graph. A deadlock gets a self-loop.
fn expanded_edges(toy: &Toy, state: Expanded) -> Vec<Expanded> {
    let Some((node, open, active)) = state else { return Vec::new() };
    if toy.ends[node as usize] {
        return Vec::new();
    }
    let edges = toy.edges((node, open));
    if edges.is_empty() {
        return vec![state];
    }
    let mut targets = Vec::new();
    for (arc, behind) in edges {
        let Some((next, next_open)) = behind else { continue };
        match active {
            Some(number) if arc.closes() >> number & 1 != 0 => targets.push(None),
            Some(_) => targets.push(Some((next, next_open, active))),
            None => {
                targets.push(Some((next, next_open, None)));
                let opened = match arc.op {
                    Op::Open(slot) | Op::Reopen(slot) => Some(arc.actor * SLOTS + slot as u32),
                    _ => None,
                };
                targets.extend(opened.map(|number| Some((next, next_open, Some(number)))));
            }
        }
    }
    targets
}

pub(super) fn by_the_paper(toy: &Toy) -> Answer {
    let mut states: Vec<Expanded> = vec![Some((0, 0, None))];
    let mut index: HashMap<Expanded, usize> = HashMap::from([(states[0], 0)]);
    let mut edges: Vec<Vec<usize>> = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let mut targets = Vec::new();
        for target in expanded_edges(toy, states[at]) {
            let number = *index.entry(target).or_insert_with(|| {
                states.push(target);
                states.len() - 1
            });
            targets.push(number);
        }
        edges.push(targets);
        at += 1;
    }
    let reach: Vec<BTreeSet<usize>> =
        (0..states.len()).map(|s| reachable_from(s, &edges)).collect();
    // A state is in a nontrivial terminal component iff something is
    // reachable and everything reachable leads back.
    let in_terminal =
        |s: usize| !reach[s].is_empty() && reach[s].iter().all(|&t| reach[t].contains(&s));
    (0..states.len())
        .filter(|&s| in_terminal(s))
        .filter_map(|s| states[s]?.2)
        .map(section)
        .collect()
}

fn reachable_from(start: usize, edges: &[Vec<usize>]) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut work = edges[start].clone();
    while let Some(state) = work.pop() {
        if seen.insert(state) {
            work.extend(&edges[state]);
        }
    }
    seen
}

/// Tries every set of states for every section.
pub(super) fn by_definition(toy: &Toy, states: &[(u32, u32)]) -> Answer {
    let index: HashMap<(u32, u32), usize> =
        states.iter().enumerate().map(|(i, &state)| (state, i)).collect();
    let mut answer = Answer::new();
    for number in 0..2 * SLOTS {
        let candidates: u32 = (0..states.len())
            .filter(|&i| states[i].1 >> number & 1 != 0 && !toy.ends[states[i].0 as usize])
            .map(|i| 1u32 << i)
            .sum();
        let mut set = candidates;
        while set != 0 {
            if is_stuck(toy, states, &index, number, set) {
                answer.insert(section(number));
                break;
            }
            set = (set - 1) & candidates;
        }
    }
    answer
}

fn is_stuck(
    toy: &Toy,
    states: &[(u32, u32)],
    index: &HashMap<(u32, u32), usize>,
    number: u32,
    set: u32,
) -> bool {
    let inside = |state: &(u32, u32)| set >> index[state] & 1 != 0;
    (0..states.len()).filter(|i| set >> i & 1 != 0).all(|i| {
        let edges = toy.edges(states[i]);
        (0..2).all(|actor| {
            let mine: Vec<(&[Choice], bool)> = edges
                .iter()
                .filter(|(arc, _)| arc.actor == actor && !arc.withheld)
                .map(|(arc, target)| {
                    let stays = target.as_ref().is_some_and(inside);
                    (&arc.choices[..], stays && arc.closes() >> number & 1 == 0)
                })
                .collect();
            mine.is_empty() || can_stay(&mine)
        })
    })
}

/// Plays the tree of choices: all of the scheduler's, one of the environment's.
fn can_stay(edges: &[(&[Choice], bool)]) -> bool {
    let Some(first) = edges[0].0.first() else { return edges[0].1 };
    let branch = |value: u32| -> Vec<(&[Choice], bool)> {
        edges
            .iter()
            .filter(|(c, _)| c[0].value == value)
            .map(|(c, stays)| (&c[1..], *stays))
            .collect()
    };
    let branches = (0..first.arity).map(branch).filter(|b| !b.is_empty());
    let results: Vec<bool> = branches.map(|b| can_stay(&b)).collect();
    match first.kind {
        ChoiceKind::Scheduler => results.iter().all(|&r| r),
        ChoiceKind::Environment => results.iter().any(|&r| r),
    }
}

/// Whether from everything that is reachable from the beginning a state can be reached from which the section
/// of this number stays open for ever.
pub(super) fn is_doomed(toy: &Toy, number: u32) -> bool {
    let Some(all) = behind(toy, (0, 0)) else { return false };
    let open = |state: &(u32, u32)| state.1 >> number & 1 != 0;
    let closed = |state: &(u32, u32)| {
        let edges = toy.edges(*state).into_iter().filter(|(arc, _)| !arc.withheld);
        edges.map(|(arc, _)| arc.closes()).any(|closes| closes >> number & 1 != 0)
    };
    let stays = |state: &(u32, u32)| {
        let behind = behind(toy, *state);
        behind.is_some_and(|all| all.iter().all(|one| open(one) && !closed(one)))
    };
    all.iter().all(|state| behind(toy, *state).is_some_and(|all| all.iter().any(stays)))
}

/// All states that can be reached, but by withheld moves; `None` if the end can, or something is dropped.
fn behind(toy: &Toy, from: (u32, u32)) -> Option<BTreeSet<(u32, u32)>> {
    let mut found = BTreeSet::from([from]);
    let mut work = vec![from];
    while let Some(state) = work.pop() {
        if toy.ends[state.0 as usize] {
            return None;
        }
        for (_, target) in toy.edges(state).into_iter().filter(|(arc, _)| !arc.withheld) {
            if found.insert(target?) {
                work.push(target?);
            }
        }
    }
    Some(found)
}
