//! Random loops with sorted sends and random receives, against a simulation that knows only
//! lists. A loop of one process blocks, or is said to run for ever, or it is left open; only the second needs a proof,
//! and most that do not block have one.

mod support;

use std::fmt::Write;

use exeunt_model::Verdict;
use exeunt_random::Random;
use support::{certificate, load, prove, replay};

#[derive(Clone, Copy, Debug)]
enum Op {
    Send {
        letter: u8,
        sorted: bool,
    },
    /// Waits for a letter.
    Take {
        letter: u8,
        random: bool,
    },
    /// Takes a letter if it is there.
    Try {
        letter: u8,
        random: bool,
    },
    /// Takes whatever comes.
    Any,
}

fn op(random: &mut Random, sorted: bool) -> Op {
    let letter = 1 + random.below(3) as u8;
    match random.below(10) {
        0..5 => Op::Send { letter, sorted: sorted && random.below(8) > 0 },
        5..7 => Op::Take { letter, random: random.below(3) > 0 },
        7..9 => Op::Try { letter, random: random.below(3) > 0 },
        _ => Op::Any,
    }
}

/// Does one operation on a list; whether it can be done.
fn perform(op: Op, list: &mut Vec<u8>) -> bool {
    let find = |list: &[u8], letter: u8, random: bool| match random {
        true => list.iter().position(|other| *other == letter),
        false => (list.first() == Some(&letter)).then_some(0),
    };
    match op {
        Op::Send { letter, sorted } => {
            let place = list.iter().position(|other| sorted && *other >= letter);
            list.insert(place.unwrap_or(list.len()), letter);
            true
        }
        Op::Take { letter, random } => {
            find(list, letter, random).map(|place| list.remove(place)).is_some()
        }
        Op::Try { letter, random } => {
            find(list, letter, random).map(|place| list.remove(place));
            true
        }
        Op::Any => (!list.is_empty()).then(|| list.remove(0)).is_some(),
    }
}

/// More rounds than letters need to come to the front, with so few operations.
const ROUNDS: usize = 400;

fn blocks(stem: &[Op], body: &[Op]) -> bool {
    let mut list = Vec::new();
    let all = stem.iter().chain(std::iter::repeat_n(body, ROUNDS).flatten());
    !all.into_iter().all(|op| perform(*op, &mut list))
}

fn model(stem: &[Op], body: &[Op]) -> String {
    let line = |op: &Op| {
        let take =
            |letter: u8, random: bool| format!("c{}{letter}", if random { "??" } else { "?" });
        match *op {
            Op::Send { letter, sorted } => format!("c{}{letter}", if sorted { "!!" } else { "!" }),
            Op::Take { letter, random } => take(letter, random),
            Op::Try { letter, random } => {
                format!("if :: {} :: else fi", take(letter, random))
            }
            Op::Any => "c?_".to_string(),
        }
    };
    let mut text = String::from("chan c = [8] of { byte };\nactive proctype P() {\n");
    stem.iter().for_each(|op| writeln!(text, "  {};", line(op)).expect("a string"));
    let body: Vec<String> = body.iter().map(line).collect();
    writeln!(text, "  do :: {} od\n}}", body.join("; ")).expect("a string");
    text
}

#[test]
fn loops_with_sorted_sends_and_random_receives() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sorted.pml");
    let (mut proven, mut by_contents, mut open, mut blocked) = (0, 0, 0, 0);
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let sorted = random.below(2) == 0;
        let stem: Vec<Op> = (0..random.below(3)).map(|_| op(random, sorted)).collect();
        let mut body: Vec<Op> = (0..2 + random.below(4)).map(|_| op(random, sorted)).collect();
        body.push(Op::Send { letter: 1 + random.below(3) as u8, sorted });
        let text = model(&stem, &body);
        std::fs::write(&path, &text).expect("a model");
        let loaded = load(&path);
        let options = exeunt_prove::Options { max_states: 2_000, ..Default::default() };
        let answer = prove(&loaded, &options);
        let shown = || format!("{seed}: {}\n{text}", answer.report.reason);
        if blocks(&stem, &body) {
            assert_eq!(answer.report.verdict, Verdict::Holds, "{}", shown());
            blocked += 1;
            continue;
        }
        assert_ne!(answer.report.verdict, Verdict::Holds, "{}", shown());
        let Some(certificate) = certificate(&answer) else {
            open += 1;
            continue;
        };
        let checked = exeunt_certify::check(loaded.program(), certificate);
        assert!(checked.is_ok(), "{checked:?}\n{}", shown());
        assert_eq!(replay(&path, certificate, 20), Ok(()), "{}", shown());
        proven += 1;
        by_contents += usize::from(!certificate.bags.is_empty());
    }
    let counts =
        format!("{proven} proven, {by_contents} of them by contents, {open} open, {blocked} block");
    println!("{counts}");
    assert!(by_contents > 50 && blocked > 50 && open * 4 < proven, "{counts}");
}
