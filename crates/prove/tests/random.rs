//! Random loops over constant messages, against a simulation that knows only
//! queues. A deterministic loop either blocks or never ends, so both answers
//! of the prover are checked, and none may be left open.

mod support;

use std::collections::VecDeque;
use std::fmt::Write;

use exeunt_model::Verdict;
use exeunt_random::Random;
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
    let mut random = Random::new(2026);
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

/// A counter: how wide it is, where it starts, and by how much it moves.
#[derive(Clone, Copy, Debug)]
struct Counter {
    bits: u32,
    first: i64,
    step: i64,
}

impl Counter {
    fn new(random: &mut Random) -> Self {
        let bits = [8, 32, 32][random.below(3) as usize];
        let step = [1, 1, 1, 2, -1][random.below(5) as usize];
        Counter { bits, first: random.below(3) as i64, step }
    }

    /// An `int` is taken for a number without bounds.
    fn after(self, times: i64) -> i64 {
        let value = self.first + times * self.step;
        if self.bits == 8 { value.rem_euclid(1 << 8) } else { value }
    }

    fn declared(self, name: &str) -> String {
        format!("{} {name} = {};", kind(self.bits), self.first)
    }
}

fn kind(bits: u32) -> &'static str {
    if bits == 8 { "byte" } else { "int" }
}

/// A sender that counts, a receiver that expects its numbers, both in one
/// loop.
struct Counting {
    sender: Counter,
    receiver: Counter,
    field: u32,
    stem: u64,
    /// Sends are true.
    body: Vec<bool>,
}

impl Counting {
    fn new(random: &mut Random) -> Self {
        let sender = Counter::new(random);
        // Mostly a receiver that fits.
        let receiver = if random.below(3) == 0 { Counter::new(random) } else { sender };
        let field = [8, 32, 32][random.below(3) as usize];
        let body = (0..2 + random.below(5)).map(|_| random.below(3) > 0).collect();
        Counting { sender, receiver, field, stem: random.below(3), body }
    }

    fn model(&self) -> String {
        let one = |send: bool| match send {
            true => format!("c!s; s = s + {}", self.sender.step),
            false => format!("c?eval(e); e = e + {}", self.receiver.step),
        };
        let field = kind(self.field);
        let stem: Vec<String> = (0..self.stem).map(|_| one(true) + ";").collect();
        let body: Vec<String> = self.body.iter().map(|send| one(*send)).collect();
        format!(
            "chan c = [8] of {{ {field} }};\nactive proctype P() {{ {} {}\n  {}\n  do :: {} od\n}}\n",
            self.sender.declared("s"),
            self.receiver.declared("e"),
            stem.join(" "),
            body.join("; ")
        )
    }

    /// The round in which the loop blocks, if it does before bytes have wrapped
    /// around often.
    fn blocks(&self) -> Option<u64> {
        let carried = Counter { bits: self.field, ..self.sender };
        let (mut sent, mut taken) = (self.stem as i64, 0);
        for round in 0..2000 {
            for send in &self.body {
                if *send {
                    sent += 1;
                    continue;
                }
                let held = Counter { first: self.sender.after(taken), step: 0, ..carried };
                if taken >= sent || held.after(0) != self.receiver.after(taken) {
                    return Some(round);
                }
                taken += 1;
            }
        }
        None
    }
}

/// What is proven of counters does not block, however late.
#[test]
fn loops_over_counters_are_not_called_endless_wrongly() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("counting.pml");
    let mut random = Random::new(77);
    let (mut proven, mut late) = (0, 0);
    for index in 0..40 {
        let counting = Counting::new(&mut random);
        let text = counting.model();
        std::fs::write(&path, &text).expect("a model");
        let options = exeunt_prove::Options { max_states: 40, ..Default::default() };
        let answer = prove(&load(&path), &options);
        let blocks = counting.blocks();
        late += usize::from(blocks.is_some_and(|round| round > 100));
        match answer.report.verdict {
            Verdict::Violated => {
                assert_eq!(blocks, None, "{index}:\n{text}");
                proven += 1;
            }
            Verdict::Holds => assert!(blocks.is_some(), "{index}:\n{text}"),
            Verdict::Inconclusive => {}
        }
    }
    println!("{proven} proven, {late} block late");
    assert!(proven > 8 && late > 1, "{proven} proven, {late} block late");
}
