//! Vector clocks: which steps of which actor happen before something.

use exeunt_model::ActorId;
use smallvec::SmallVec;

/// For each actor, how many of its steps happen before (or are) this one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock(SmallVec<[u32; 8]>);

impl Clock {
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Whether the step of that actor with this number (from one) is in it.
    pub fn covers(&self, actor: ActorId, ordinal: u32) -> bool {
        self.0.get(actor.0 as usize).is_some_and(|&steps| steps >= ordinal)
    }

    pub fn set(&mut self, actor: ActorId, ordinal: u32) {
        let at = actor.0 as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = ordinal;
    }
}

/// Which steps of a run a clock does not cover, while the run is looked at from
/// its end. What is covered needs no look.
pub struct Unknown {
    /// The number of the last step of each actor that was not passed.
    last: SmallVec<[u32; 8]>,
    /// How many actors have steps before that are not covered.
    open: u32,
}

impl Unknown {
    /// `steps`: how many steps each actor has made.
    pub fn new(steps: impl Iterator<Item = u32>, clock: &Clock) -> Self {
        let mut unknown = Unknown { last: steps.collect(), open: 0 };
        unknown.learn(clock);
        unknown
    }

    pub fn is_none(&self) -> bool {
        self.open == 0
    }

    /// The clock covers more.
    pub fn learn(&mut self, clock: &Clock) {
        let known = |at: usize| clock.0.get(at).copied().unwrap_or(0);
        let open = self.last.iter().enumerate().filter(|(at, last)| **last > known(*at));
        self.open = open.count() as u32;
    }

    /// That step was looked at.
    pub fn pass(&mut self, actor: ActorId, ordinal: u32, clock: &Clock) {
        let at = actor.0 as usize;
        let known = clock.0.get(at).copied().unwrap_or(0);
        self.open -= (self.last[at] > known && ordinal - 1 <= known) as u32;
        self.last[at] = ordinal - 1;
    }
}
