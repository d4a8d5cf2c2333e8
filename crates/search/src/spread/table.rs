//! A post for tests: workers are threads, and letters lie on a table.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use exeunt_model::{Basis, Model, Report};
use parking_lot::Mutex;

use super::post::{Post, Turn};
use super::{Spread, check_spread};
use crate::options::Options;

#[derive(Default)]
struct Round {
    boxes: Vec<VecDeque<(usize, Vec<u8>)>>,
    idle: Vec<bool>,
    over: bool,
}

/// The place of one worker at the table.
pub struct Seat {
    index: usize,
    peers: usize,
    round: u64,
    rounds: Arc<Mutex<HashMap<u64, Round>>>,
    sent: u64,
    /// What is raised when this round begins.
    until: Option<(u64, Arc<AtomicBool>)>,
}

pub fn seats(peers: usize) -> Vec<Seat> {
    let rounds: Arc<Mutex<HashMap<u64, Round>>> = Arc::default();
    let seat =
        |index| Seat { index, peers, round: 0, rounds: rounds.clone(), sent: 0, until: None };
    (0..peers).map(seat).collect()
}

impl Seat {
    fn with<R>(&self, act: impl FnOnce(&mut Round) -> R) -> R {
        let mut rounds = self.rounds.lock();
        let round = rounds.entry(self.round).or_insert_with(|| Round {
            boxes: vec![VecDeque::new(); self.peers],
            idle: vec![false; self.peers],
            over: false,
        });
        act(round)
    }
}

impl Post for Seat {
    fn index(&self) -> usize {
        self.index
    }

    fn peers(&self) -> usize {
        self.peers
    }

    fn begin(&mut self) {
        self.round += 1;
        if let Some((_, interrupt)) = self.until.as_ref().filter(|until| until.0 == self.round) {
            interrupt.store(true, Ordering::Relaxed);
        }
    }

    fn send(&mut self, to: usize, letter: Vec<u8>) {
        self.sent += letter.len() as u64;
        self.with(|round| round.boxes[to].push_back((self.index, letter)));
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.with(|round| {
            let letter = round.boxes[self.index].pop_front();
            // Whoever reads a letter may answer it.
            round.idle[self.index] &= letter.is_none();
            letter
        })
    }

    fn turn(&mut self, idle: bool) -> Turn {
        let over = self.with(|round| {
            round.idle[self.index] = idle;
            let nothing = round.boxes.iter().all(VecDeque::is_empty);
            round.over |= nothing && round.idle.iter().all(|&idle| idle);
            round.over
        });
        if over {
            return Turn::Over;
        }
        if idle {
            std::thread::yield_now();
        }
        Turn::Going
    }

    fn sent(&self) -> u64 {
        self.sent
    }
}

/// What comes of a search by so many workers: that of the first, after the verdicts of all were
/// compared.
pub fn check_at_table(model: &dyn Model, options: &Options, peers: usize) -> Report {
    check_until(model, options, peers, u64::MAX)
}

/// The same, but the last worker is interrupted when it begins this round.
pub fn check_until(model: &dyn Model, options: &Options, peers: usize, last: u64) -> Report {
    let session = model.open(Basis::Together);
    let session = &*session;
    std::thread::scope(|scope| {
        let work = |mut seat: Seat| {
            let options = Options { interrupt: Arc::default(), ..options.clone() };
            if seat.index + 1 == peers {
                seat.until = Some((last, options.interrupt.clone()));
            }
            check_spread(session, &options, &[], &mut seat, &mut |_| {})
        };
        let threads: Vec<_> =
            seats(peers).into_iter().map(|seat| scope.spawn(move || work(seat))).collect();
        let mut ends = threads.into_iter().map(|thread| thread.join().expect("no worker panics"));
        let Some(Spread::Report(report)) = ends.next() else { panic!("the first one reports") };
        for end in ends {
            let Spread::Verdict(verdict) = end else { panic!("the others do not") };
            assert_eq!(verdict, report.verdict);
        }
        *report
    })
}
