//! Random loops over constant messages, against a simulation that knows only
//! queues. A deterministic loop either blocks or never ends, so both answers
//! of the prover are checked, and none may be left open.

mod support;

use std::collections::VecDeque;
use std::fmt::Write;

use exeunt_model::Verdict;
use support::{certificate, load, prove};

#[derive(Clone, Copy, Debug)]
enum Op {
    Send(usize, u8),
    Take(usize, u8),
}

#[derive(Debug)]
struct Problem {
    stem: Vec<Op>,
    body: Vec<Op>,
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }
}

/// Sends that repeat a short word, and receives that mostly fit them.
fn problem(random: &mut Random) -> Problem {
    let words: Vec<Vec<u8>> =
        (0..2).map(|_| (0..1 + random.below(2)).map(|_| random.below(2) as u8).collect()).collect();
    let mut sent = [0, 0];
    let mut taken = [0, 0];
    let letter = |channel: usize, at: usize| words[channel][at % words[channel].len()];
    let mut ops = |random: &mut Random, count: u64, only_send: bool| {
        let mut ops = Vec::new();
        for _ in 0..count {
            let channel = random.below(2) as usize;
            let slip = u8::from(random.below(12) == 0);
            if only_send || random.below(2) == 0 {
                ops.push(Op::Send(channel, letter(channel, sent[channel]) ^ slip));
                sent[channel] += 1;
            } else {
                ops.push(Op::Take(channel, letter(channel, taken[channel]) ^ slip));
                taken[channel] += 1;
            }
        }
        ops
    };
    let (first, second) = (random.below(5), 1 + random.below(8));
    let stem = ops(random, first, true);
    Problem { stem, body: ops(random, second, false) }
}

/// Whether the loop runs for more rounds than any two places need to meet.
fn never_ends(problem: &Problem) -> bool {
    let mut queues = [VecDeque::new(), VecDeque::new()];
    let rounds = problem.stem.len() + (problem.body.len() + 1) * (problem.body.len() + 1) + 2;
    let all = std::iter::repeat_n(&problem.body, rounds).flatten();
    for op in problem.stem.iter().chain(all) {
        match *op {
            Op::Send(channel, letter) => queues[channel].push_back(letter),
            Op::Take(channel, letter) => {
                if queues[channel].pop_front() != Some(letter) {
                    return false;
                }
            }
        }
    }
    true
}

fn model(problem: &Problem) -> String {
    let line = |op: &Op| match op {
        Op::Send(channel, letter) => format!("c{channel}!{letter}"),
        Op::Take(channel, letter) => format!("c{channel}?{letter}"),
    };
    let mut text = String::new();
    for channel in 0..2 {
        writeln!(text, "chan c{channel} = [8] of {{ byte }};").expect("a string");
    }
    text.push_str("active proctype P() {\n");
    for op in &problem.stem {
        writeln!(text, "  {};", line(op)).expect("a string");
    }
    let body: Vec<String> = problem.body.iter().map(line).collect();
    writeln!(text, "  do :: {} od\n}}", body.join("; ")).expect("a string");
    text
}

#[test]
fn loops_over_words_are_decided_exactly() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("random.pml");
    let mut random = Random(2026);
    let mut endless = 0;
    let count = 250;
    for index in 0..count {
        let problem = problem(&mut random);
        std::fs::write(&path, model(&problem)).expect("a model");
        let loaded = load(&path);
        let answer = prove(&loaded, &Default::default());
        let expected = match never_ends(&problem) {
            true => Verdict::Violated,
            false => Verdict::Holds,
        };
        let text = model(&problem);
        assert_eq!(answer.report.verdict, expected, "{index}: {}\n{text}", answer.report.reason);
        if let Some(certificate) = certificate(&answer) {
            let checked = exeunt_certify::check(loaded.program(), certificate);
            assert!(checked.is_ok(), "{index}: {checked:?}\n{text}");
            endless += 1;
        }
    }
    assert!((40..count - 40).contains(&endless), "{endless} of {count} never end");
}
