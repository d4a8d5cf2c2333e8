//! Walks by chance that learn what a search may rely on, once one had to be discarded.
//!
//! A search that relied on something wrong stops soon after it is noticed, and the next one may stop for the next
//! such thing. A walk goes far into the program for few states, so what is found there need not be found by
//! one search after the other.
//!
//! Invariant: walks are paths of the model, so what they teach is true of it; and they are the same in each run.

use std::ops::ControlFlow;

use exeunt_model::{CompId, Detail, Edge, SearchWorker, Session, Sink, Target};

use super::is_refuted;
use crate::chance::random;
use crate::limits::Meter;
use crate::store::ComponentPool;

/// A search that was discarded after fewer states is cheaper than walks.
const FEW: u64 = 512;
/// Walks, and the steps of each.
const WALKS: u64 = 8;
const STEPS: u32 = 256;
/// How often walks are taken with what was learnt by those before.
const ROUNDS: u64 = 4;

/// Prepares a session for the next search, after the first long one that was discarded also by walks.
pub fn renew(session: &mut dyn Session, meter: &mut Meter<'_>) {
    session.renew();
    if meter.expanded < FEW || std::mem::replace(&mut meter.has_walked, true) {
        return;
    }
    for round in 0..ROUNDS {
        let stopped = walk(session, meter, round).is_break();
        let refuted = is_refuted(session);
        // What was noticed on the way belongs to no search.
        session.renew();
        if stopped || !refuted {
            return;
        }
    }
}

/// Some walks; breaks off if there is no time for them.
fn walk(session: &dyn Session, meter: &Meter<'_>, round: u64) -> ControlFlow<()> {
    let pool = ComponentPool::new();
    let mut worker = session.worker(&pool);
    let mut first = Targets::default();
    worker.initial(&mut first);
    let Some(first) = first.0.pop() else { return ControlFlow::Break(()) };
    let mut chance = 0x9e37_79b9_7f4a_7c15 ^ round;
    for _ in 0..WALKS {
        let mut state = first.clone();
        for _ in 0..STEPS {
            if meter.is_over() {
                return ControlFlow::Break(());
            }
            let targets = look_around(&mut *worker, &state);
            if targets.is_empty() {
                break;
            }
            state = targets[(random(&mut chance) % targets.len() as u64) as usize].clone();
        }
    }
    ControlFlow::Continue(())
}

/// The states behind all moves of a state: what each of them does is learnt.
fn look_around(worker: &mut dyn SearchWorker, state: &[CompId]) -> Vec<Vec<CompId>> {
    worker.enough(state, false, &mut Vec::new());
    let mut targets = Targets::default();
    worker.expand(state, Detail::Targets, None, &mut targets);
    targets.0
}

#[derive(Default)]
struct Targets(Vec<Vec<CompId>>);

impl Sink for Targets {
    fn edge(&mut self, _: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if let Target::State(state) = target {
            self.0.push(state.to_vec());
        }
        ControlFlow::Continue(())
    }
}
