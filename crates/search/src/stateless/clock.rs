//! Vector clocks: which steps of which actor happen before something.

use exeunt_model::ActorId;
use smallvec::SmallVec;

/// For each actor, how many of its steps happen before (or are) this one.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Clock(SmallVec<[u32; 8]>);

impl Clone for Clock {
    /// All numbers at once: one is made for every step.
    fn clone(&self) -> Self {
        Clock(SmallVec::from_slice(&self.0))
    }
}

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

    /// How many steps of that actor are in it.
    pub fn steps(&self, actor: ActorId) -> u32 {
        self.0.get(actor.0 as usize).copied().unwrap_or(0)
    }

    pub fn set(&mut self, actor: ActorId, ordinal: u32) {
        let at = actor.0 as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = ordinal;
    }
}
