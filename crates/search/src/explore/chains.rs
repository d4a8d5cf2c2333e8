//! Which states have ways on that come to an end: nearly all, and they can be
//! found by several threads, because nothing has to be expanded for it.
//!
//! Threads share what they have found and nothing else. What they find does not
//! depend on what the others have, so they need no order between them: `Ends`
//! and `Left` are stored once a whole chain was followed, and a thread that does
//! not see that yet follows the chain again.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use super::onward::{Onward, Step};
use crate::store::StateId;

/// What is known of the ways on from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// They come to where the program ends, or to what is not explored.
    Ends,
    /// They come to a cycle, or to where the environment chooses.
    Left,
}

const UNSEEN: u8 = 0;
const ENDS: u8 = 1;
const LEFT: u8 = 2;

/// States that a thread takes at a time.
const PIECE: usize = 1 << 12;

/// Looks at all states below a number, with so many threads.
pub fn follow_chains(onward: &Onward, states: usize, jobs: usize) -> Vec<Chain> {
    let found: Vec<AtomicU8> = (0..states).map(|_| AtomicU8::new(UNSEEN)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut follower = Follower { onward, found: &found, path: Vec::new() };
        loop {
            let start = next.fetch_add(PIECE, Ordering::Relaxed);
            if start >= states {
                return;
            }
            (start..states.min(start + PIECE)).for_each(|state| follower.follow(state as u32));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs.min(states.div_ceil(PIECE)) {
            scope.spawn(work);
        }
        work();
    });
    let chain = |found: AtomicU8| match found.into_inner() {
        ENDS => Chain::Ends,
        _ => Chain::Left,
    };
    found.into_iter().map(chain).collect()
}

struct Follower<'f> {
    onward: &'f Onward,
    found: &'f [AtomicU8],
    path: Vec<u32>,
}

impl Follower<'_> {
    fn follow(&mut self, state: u32) {
        self.path.clear();
        let found = self.outcome(state);
        for &state in &self.path {
            self.found[state as usize].store(found, Ordering::Relaxed);
        }
    }

    /// Where the ways from a state come to; those of `path` lead there too.
    fn outcome(&mut self, state: u32) -> u8 {
        let mut at = state;
        // A cycle comes back to a state that is left behind at powers of two.
        let (mut behind, mut steps, mut power) = (at, 0, 1);
        loop {
            // States stored since the beginning are not known.
            let Some(found) = self.found.get(at as usize) else { return ENDS };
            match found.load(Ordering::Relaxed) {
                UNSEEN => self.path.push(at),
                found => return found,
            }
            match self.onward.step(StateId(at)) {
                Step::Unknown | Step::Out => return ENDS,
                Step::Fork => return LEFT,
                Step::To(next) => at = next.0,
            }
            if at == behind {
                return LEFT;
            }
            steps += 1;
            if steps == power {
                (behind, steps, power) = (at, 0, 2 * power);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::onward::Way;
    use super::*;
    use exeunt_random::Random;

    /// Compares with following each state until it has taken too many steps.
    #[test]
    fn chains_are_followed_to_their_ends() {
        let mut random = Random::from_state(0x5eed_0005);
        let mut random = |below: u64| u64::from(random.below(below as u32));
        for round in 0..60u64 {
            let states = 1 + random(3 * PIECE as u64);
            let ways: Vec<Way> = (0..states)
                .map(|_| match random(20 + 10 * round) {
                    0 => Way::Out,
                    1 => Way::Unknown,
                    2 if round % 3 == 0 => Way::Fork(Box::default()),
                    _ => Way::To(StateId(random(states + round % 2) as u32)),
                })
                .collect();
            let onward = Onward::default();
            for (state, way) in ways.iter().enumerate() {
                onward.restore(StateId(state as u32), way.clone());
            }
            let naive = |from: usize| {
                let mut at = from;
                for _ in 0..=states {
                    match ways.get(at) {
                        None | Some(Way::Out | Way::Unknown) => return Chain::Ends,
                        Some(Way::Fork(_)) => return Chain::Left,
                        Some(Way::To(next)) => at = next.0 as usize,
                    }
                }
                Chain::Left
            };
            for jobs in [1, 2, 5] {
                let found = follow_chains(&onward, states as usize, jobs);
                for (state, found) in found.into_iter().enumerate() {
                    assert_eq!(found, naive(state), "round {round}, {jobs} jobs, state {state}");
                }
            }
        }
    }
}
