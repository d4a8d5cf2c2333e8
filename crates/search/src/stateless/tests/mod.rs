//! The explorer against plain enumeration, and exact numbers of runs.

mod toy;

use std::collections::BTreeSet;

use exeunt_model::Run;

use super::explorer::{Explorer, RunEnd, Strategy};
use exeunt_random::Random;
use toy::{Do, FAULT, Toy, canonical};

/// All runs that the explorer makes, and how many it makes in vain.
fn explored(toy: &mut Toy, strategy: Strategy) -> (Vec<String>, u32) {
    explored_by(&mut Explorer::new(strategy, 1000), toy, 0)
}

/// The same, where runs of at most so many steps are somebody else's.
fn explored_by(explorer: &mut Explorer, toy: &mut Toy, short: usize) -> (Vec<String>, u32) {
    let (mut runs, mut vain) = (Vec::new(), 0);
    loop {
        explorer.begin();
        toy.execute(explorer).expect("a toy always runs");
        match explorer.outcome() {
            RunEnd::Elsewhere => {}
            _ if short > 0 && explorer.events.len() <= short => {}
            RunEnd::Redundant => vain += 1,
            RunEnd::Fault { .. } => runs.push(FAULT.to_string()),
            RunEnd::Ended(_) | RunEnd::Deadlock(_) => {
                let steps: Vec<_> = explorer
                    .events
                    .iter()
                    .map(|event| (event.key.actor, event.key.choice, event.operation))
                    .collect();
                runs.push(canonical(&steps));
            }
            other => panic!("{other:?}"),
        }
        if !explorer.backtrack() {
            return (runs, vain);
        }
    }
}

/// The number of runs, none of them twice or in vain.
fn optimal(threads: Vec<Vec<Do>>) -> usize {
    let (runs, vain) = explored(&mut Toy::new(threads), Strategy::Optimal);
    let different: BTreeSet<&String> = runs.iter().collect();
    assert_eq!((different.len(), vain), (runs.len(), 0), "a run was made twice or in vain");
    runs.len()
}

fn rounds(threads: usize, times: usize) -> Vec<Vec<Do>> {
    vec![[Do::Lock(0), Do::Unlock(0)].repeat(times); threads]
}

fn philosophers(seats: u64) -> Vec<Vec<Do>> {
    let dine = |seat: u64| {
        let (a, b) = (seat, (seat + 1) % seats);
        let (first, second) = (a.min(b), a.max(b));
        vec![Do::Lock(first), Do::Lock(second), Do::Unlock(second), Do::Unlock(first)]
    };
    (0..seats).map(dine).collect()
}

#[test]
fn one_lock_gives_as_many_runs_as_orders() {
    assert_eq!(optimal(rounds(2, 1)), 2);
    assert_eq!(optimal(rounds(3, 1)), 6);
    assert_eq!(optimal(rounds(4, 1)), 24);
    assert_eq!(optimal(rounds(5, 1)), 120);
    assert_eq!(optimal(rounds(2, 6)), 924);
    assert_eq!(optimal(rounds(3, 3)), 1680);
    assert_eq!(optimal(rounds(4, 2)), 2520);
}

#[test]
fn philosophers_in_one_round_give_the_acyclic_orientations_of_the_table() {
    for seats in 3..=7 {
        assert_eq!(optimal(philosophers(seats)), (1 << seats) - 2);
    }
}

#[test]
fn independent_threads_give_one_run() {
    let thread = |i: u64| vec![Do::Lock(i), Do::Write(i, 1), Do::Unlock(i)];
    assert_eq!(optimal((0..6).map(thread).collect()), 1);
    let reader = vec![Do::ReadLock(0), Do::SkipIf(0, 1, 0), Do::RwUnlock(0)];
    assert_eq!(optimal(vec![reader; 5]), 1);
}

/// Kinds of statements without those that end other threads.
const USUAL: u32 = 17;
const ALL: u32 = 24;

fn statement(random: &mut Random, held: &mut Vec<Do>, kinds: u32) -> Vec<Do> {
    let name = random.below(2);
    let value = random.below(2);
    match random.below(kinds) {
        0 | 1 => {
            held.push(Do::Unlock(name));
            vec![Do::Lock(name)]
        }
        2 => vec![Do::TryLock(name, 1), Do::Unlock(name)],
        3 => {
            held.push(Do::RwUnlock(name));
            vec![if value == 0 { Do::ReadLock(name) } else { Do::WriteLock(name) }]
        }
        4 => vec![Do::Wait(name, 1)],
        5 => vec![Do::Post(name, 1)],
        6 => vec![Do::Lock(name), Do::CondWait(name, name), Do::Unlock(name)],
        7 => vec![Do::Lock(name), Do::TimedWait(name, name), Do::Unlock(name)],
        8 => vec![Do::Signal(name)],
        9 => vec![Do::Broadcast(name)],
        10 => vec![Do::Barrier(0, 2)],
        11 | 12 => vec![Do::Write(name, value)],
        13 => vec![Do::SkipIf(name, value, 1), Do::Write(1 - name, 1)],
        14 => vec![Do::Choose(2)],
        15 => vec![[Do::Yield, Do::Exit][value as usize]],
        16 => vec![Do::FailIf(name, 1)],
        17 => vec![Do::Lock(name), Do::CancelWait(name, name), Do::Unlock(name)],
        18 => vec![Do::CancelSem(name, 1)],
        19 => vec![Do::TestCancel],
        20..=22 => vec![Do::Cancel(value)],
        _ => vec![Do::Signal(name)],
    }
}

fn program(random: &mut Random, kinds: u32) -> Vec<Vec<Do>> {
    let threads = 2 + random.below(2);
    let budget = if threads == 2 { 5 } else { 3 };
    let mut all: Vec<Vec<Do>> = Vec::new();
    for _ in 0..threads {
        let (mut thread, mut held) = (Vec::new(), Vec::new());
        while thread.len() < budget {
            thread.extend(statement(random, &mut held, kinds));
            if random.below(2) == 0
                && let Some(release) = held.pop()
            {
                thread.push(release);
            }
        }
        thread.extend(held.into_iter().rev());
        all.push(thread);
    }
    if random.below(3) == 0 {
        let may_end = kinds == ALL && random.below(2) == 0;
        all[0].push(if may_end { Do::CancelJoin(1) } else { Do::Join(1) });
        all[0].push(Do::Write(0, 1));
    }
    all
}

/// How many random programs are tried, or as many as EXEUNT_TOYS says.
fn programs() -> u64 {
    std::env::var("EXEUNT_TOYS").ok().and_then(|text| text.parse().ok()).unwrap_or(200)
}

#[test]
fn every_run_of_random_programs_is_found() {
    compare(USUAL);
}

/// The same with threads that are asked to end.
#[test]
fn every_run_with_cancellation_is_found() {
    compare(ALL);
}

/// Three jobs find the same runs as one.
fn share(toy: &mut Toy, seed: u64, all: &BTreeSet<String>) -> usize {
    let mut found: Vec<String> = Vec::new();
    for job in 0..3 {
        let mut explorer = Explorer::new(Strategy::Optimal, 1000);
        explorer.share(3, job == 0, Box::new(move |beginning| beginning % 3 == job));
        found.extend(explored_by(&mut explorer, toy, if job == 0 { 0 } else { 3 }).0);
    }
    let different: BTreeSet<String> = found.iter().cloned().collect();
    let missing = all.difference(&different).next();
    assert_eq!(missing, None, "seed {seed}: three jobs\n{:?}", toy.threads);
    assert!(different.is_subset(all), "seed {seed}: three jobs\n{:?}", toy.threads);
    found.len()
}

fn compare(kinds: u32) {
    let (mut made, mut twice, mut vain, mut faulty) = (0, 0, 0, 0);
    for seed in 1..=programs() {
        let mut random = Random::from_state(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut toy = Toy::new(program(&mut random, kinds));
        let Some(all) = toy.all_runs() else { continue };
        let (runs, in_vain) = explored(&mut toy, Strategy::Optimal);
        toy.resumes = true;
        let resumed = explored(&mut toy, Strategy::Optimal);
        assert_eq!(resumed, (runs.clone(), in_vain), "seed {seed}: runs that are resumed");
        let found: BTreeSet<String> = runs.iter().cloned().collect();
        faulty += all.contains(FAULT) as usize;
        if all.contains(FAULT) {
            // What lies behind a fault is not looked at, so runs may be missing.
            assert!(found.contains(FAULT), "seed {seed}: missing a fault\n{:?}", toy.threads);
            let odd = found.difference(&all).next();
            assert_eq!(odd, None, "seed {seed}: not possible\n{:?}", toy.threads);
            continue;
        }
        for run in &all {
            assert!(found.contains(run), "seed {seed}: missing {run}\n{:?}", toy.threads);
        }
        let odd = found.difference(&all).next();
        assert_eq!(odd, None, "seed {seed}: not possible\n{:?}", toy.threads);
        let slept: BTreeSet<String> = explored(&mut toy, Strategy::Sleep).0.into_iter().collect();
        assert_eq!(slept, all, "seed {seed}: sleep sets alone\n{:?}", toy.threads);
        let shared = share(&mut toy, seed, &all);
        assert_eq!(shared, all.len(), "seed {seed}: jobs make runs twice");
        made += runs.len();
        twice += runs.len() - found.len();
        vain += in_vain as usize;
    }
    println!("{made} runs, {twice} of them twice, {vain} in vain; {faulty} programs with faults");
    assert_eq!(twice, 0, "equivalent runs were made more than once");
}
