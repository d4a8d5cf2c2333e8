//! A parallel search counts what a naive search counts, and judges as a
//! sequential search does, on random models that are large enough for the tables
//! to grow while all threads are at work.

use std::collections::HashSet;

use exeunt_model::{
    ActorId, Basis, CompId, Detail, Edge, Facts, FixedModel, LeftOut, Model, Only, OpenSection,
    Pool, SearchWorker, SectionKind, Sink, StateStatus, Target, Turn, Verdict, Watcher, Worker,
};

use super::{Graph, Outcome, Totals, explore_parallel};
use crate::check::check;
use crate::limits::Meter;
use crate::options::Options;
use crate::store::ComponentPool;
use exeunt_random::Random;

/// Actors with one value each. What an actor may do next depends on its value
/// and on that of its neighbour.
struct Actors {
    count: usize,
    values: u64,
    /// By actor, value and value of the neighbour: the next value, or none.
    table: Vec<Option<u64>>,
    /// Actors wait in a section while they have such a value.
    waits: Vec<bool>,
}

/// No actor begins with this value, and one that gets it keeps it.
const ENDED: u64 = 0;

impl Actors {
    fn random(seed: u64, count: usize, values: u64) -> Actors {
        let mut random = Random::from_state(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut random = |below: u64| random.below(below);
        let entries = count * (values * values) as usize;
        let table = (0..entries)
            .map(|entry| match entry as u64 / values % values {
                ENDED => None,
                // An actor does not wait for a neighbour that has ended.
                own if entry as u64 % values == ENDED => Some(own - 1),
                own => match random(8) {
                    0 => None,
                    1 | 2 => Some(1 + random(values - 1)),
                    _ => Some(own - 1),
                },
            })
            .collect();
        let waits = (0..values).map(|value| value != ENDED && random(3) == 0).collect();
        Actors { count, values, table, waits }
    }

    fn next(&self, actor: usize, state: &[u64]) -> Option<u64> {
        let (own, other) = (state[actor], state[(actor + 1) % self.count]);
        self.table[((actor as u64 * self.values + own) * self.values + other) as usize]
    }

    fn start(&self) -> Vec<u64> {
        (0..self.count as u64).map(|actor| self.values - 1 - actor % 2).collect()
    }

    /// States and transitions.
    fn count(&self) -> (u64, u64) {
        let mut seen = HashSet::from([self.start()]);
        let mut waiting = vec![self.start()];
        let mut transitions = 0;
        while let Some(state) = waiting.pop() {
            for actor in 0..self.count {
                let Some(value) = self.next(actor, &state) else { continue };
                transitions += 1;
                let mut target = state.clone();
                target[actor] = value;
                if seen.insert(target.clone()) {
                    waiting.push(target);
                }
            }
        }
        (seen.len() as u64, transitions)
    }

    fn explore(&self, jobs: usize) -> (Outcome, Totals) {
        let pool = ComponentPool::new();
        let mut graph = Graph::new(self.worker(&pool), &pool);
        graph.start().expect("there are no faults");
        let options = Options { jobs, deadlock: false, ..Options::default() };
        let mut ignore = |_: &crate::options::Progress| {};
        let mut meter = Meter::new(&options, &mut ignore);
        explore_parallel(&*self.open(Basis::Learnt), &mut graph, &mut meter, &options)
            .expect("nothing is read")
    }
}

impl FixedModel for Actors {
    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        Box::new(Hand { actors: self, pool })
    }

    fn facts(&self) -> Facts {
        Facts {
            may_choose: false,
            has_sections: true,
            left_out: LeftOut::None,
            has_turns: false,
            abstraction: None,
        }
    }

    fn watcher<'a>(&'a self, _: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>> {
        None
    }
}

struct Hand<'a> {
    actors: &'a Actors,
    pool: &'a dyn Pool,
}

fn edge_of(actor: usize) -> Edge<'static> {
    let actor = ActorId(actor as u32);
    Edge {
        actor,
        choices: &[],
        withheld: false,
        reopens: false,
        turn: Turn::default(),
        events: &[],
    }
}

impl Hand<'_> {
    fn values(&self, state: &[CompId]) -> Vec<u64> {
        state.iter().map(|&comp| self.pool.get(comp)[0]).collect()
    }
}

exeunt_model::bare_worker!([] Hand<'_>);

impl Worker for Hand<'_> {
    fn initial(&mut self, sink: &mut dyn Sink) {
        let state = self.actors.start();
        let state: Vec<CompId> = state.iter().map(|&value| self.pool.intern(&[value])).collect();
        let _ = sink.edge(&edge_of(0), Target::State(&state));
    }

    fn expand(
        &mut self,
        state: &[CompId],
        _: Detail,
        only: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> StateStatus {
        let values = self.values(state);
        if values.iter().all(|&value| value == ENDED) {
            return StateStatus::Ended;
        }
        for actor in 0..values.len() {
            let wanted = only.is_none_or(|only| only.actor == ActorId(actor as u32));
            if let Some(value) = self.actors.next(actor, &values).filter(|_| wanted) {
                let mut target = state.to_vec();
                target[actor] = self.pool.intern(&[value]);
                if sink.edge(&edge_of(actor), Target::State(&target)).is_break() {
                    break;
                }
            }
        }
        StateStatus::Running
    }

    fn open_sections(&mut self, state: &[CompId], out: &mut Vec<OpenSection>) {
        for (actor, value) in self.values(state).into_iter().enumerate() {
            if self.actors.waits[value as usize] {
                let actor = ActorId(actor as u32);
                out.push(OpenSection { actor, slot: value, kind: SectionKind::User });
            }
        }
    }
}

#[test]
fn several_hands_count_the_same_states() {
    let (mut clean, mut large) = (0, 0);
    for seed in 1..=40 {
        let (count, values) = [(3, 9), (4, 10), (5, 9), (6, 7)][seed as usize % 4];
        let actors = Actors::random(seed, count, values);
        let (states, transitions) = actors.count();
        let options = Options { deadlock: false, ..Options::default() };
        let holds = check(&mut *actors.open(Basis::Learnt), &options, &mut |_| {}).verdict
            == Verdict::Holds;
        for jobs in [1, 2, 4] {
            let (outcome, totals) = actors.explore(jobs);
            assert_eq!(outcome == Outcome::Clean, holds, "seed {seed}, {jobs} jobs");
            if holds {
                let counted = (totals.states, totals.transitions);
                assert_eq!(counted, (states, transitions), "seed {seed}, {jobs} jobs");
            }
        }
        clean += holds as u32;
        large += (holds && states > 1 << 14) as u32;
    }
    assert!((8..32).contains(&clean), "{clean} of 40 models are clean");
    assert!(large > 3, "{large} of them are large");
}
