//! Random schedules with a guarantee: priorities and a few points where they
//! change (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler
//! with Probabilistic Guarantees of Finding Bugs, 2010).
//!
//! A run of a program with n threads and k steps shows a bug of depth d, which
//! needs d orders between steps, with a probability of at least 1/(n k^(d-1)).
//! Only runs count for the guarantee that were made with the largest n and k
//! that were seen. We deviate in one thing: a thread that gives way, or finds a
//! lock taken, falls behind the others, or it would spin for ever.

use exeunt_model::ActorId;

use crate::chance::random;

#[derive(Clone, Debug)]
pub struct Pct {
    seed: u64,
    depth: u32,
    /// Of each thread; the highest one runs.
    priorities: Vec<u64>,
    /// The steps after which the running thread falls behind.
    changes: Vec<usize>,
    lowest: u64,
    /// The most threads and steps seen so far.
    threads: u64,
    steps: u64,
    /// How many runs were made with them.
    runs: u64,
}

/// Thread priorities begin above those that changes give.
const USUAL: u64 = 1 << 40;

/// What a series of runs says about bugs that were not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guarantee {
    pub depth: u32,
    pub threads: u64,
    pub steps: u64,
    pub runs: u64,
}

impl Guarantee {
    /// The least probability with which one run shows a bug of this depth.
    pub fn shows(&self) -> f64 {
        let steps = (self.steps.max(1) as f64).powi(self.depth as i32 - 1);
        1.0 / (self.threads.max(1) as f64 * steps)
    }
}

impl Pct {
    pub fn new(seed: u64, depth: u32) -> Self {
        Pct {
            seed,
            depth,
            priorities: Vec::new(),
            changes: Vec::new(),
            lowest: USUAL,
            threads: 0,
            steps: 0,
            runs: 0,
        }
    }

    /// Before each run.
    pub fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.priorities.clear();
        self.lowest = USUAL;
        let steps = self.steps.max(1);
        self.changes = (1..self.depth).map(|_| (random(&mut self.seed) % steps) as usize).collect();
    }

    /// After each run, also after one that followed no priorities.
    pub fn end(&mut self, threads: usize, steps: usize, prioritised: bool) {
        self.runs += prioritised as u64;
        let (threads, steps) = (threads as u64, steps as u64);
        if threads > self.threads || steps > self.steps {
            (self.threads, self.steps) = (self.threads.max(threads), self.steps.max(steps));
            self.runs = 0;
        }
    }

    /// Who makes the step with this number; `last` made the one before, and
    /// `gave_way` if it did so without need.
    pub fn pick(
        &mut self,
        enabled: &[ActorId],
        step: usize,
        last: ActorId,
        gave_way: bool,
    ) -> ActorId {
        let most = enabled.iter().map(|actor| actor.0 as usize + 1).max().unwrap_or(0);
        while self.priorities.len() < most {
            self.priorities.push(USUAL + (random(&mut self.seed) >> 24));
        }
        if gave_way || self.changes.contains(&step) {
            self.lowest -= 1;
            if let Some(priority) = self.priorities.get_mut(last.0 as usize) {
                *priority = self.lowest;
            }
        }
        let priority = |actor: &&ActorId| self.priorities[actor.0 as usize];
        *enabled.iter().max_by_key(priority).expect("somebody can move")
    }

    pub fn choice(&mut self, arity: u32) -> u32 {
        random(&mut self.seed) as u32 % arity
    }

    pub fn guarantee(&self) -> Guarantee {
        let Pct { depth, threads, steps, runs, .. } = *self;
        Guarantee { depth, threads, steps, runs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guarantee_is_that_of_the_theorem() {
        let of = |depth| Guarantee { depth, threads: 2, steps: 10, runs: 1 }.shows();
        assert_eq!((of(1), of(2)), (0.5, 0.05));
        assert!((of(3) - 0.005).abs() < 1e-12);
    }

    #[test]
    fn runs_count_only_with_the_largest_program_seen() {
        let mut pct = Pct::new(1, 2);
        for (threads, steps) in [(2, 5), (2, 5), (2, 9), (2, 7), (2, 9)] {
            pct.begin(1);
            pct.end(threads, steps, true);
        }
        let expected = Guarantee { depth: 2, threads: 2, steps: 9, runs: 2 };
        assert_eq!(pct.guarantee(), expected);
    }
}
