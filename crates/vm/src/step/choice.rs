//! Choices of the scheduler and the environment within a step.

use exeunt_model::{Choice, ChoiceKind};

use crate::machine::Machine;
use crate::stop::Stop;

impl Machine<'_> {
    /// Lets the scheduler or the environment choose among `arity` things.
    ///
    /// Must be called before the operation has changed anything: a step ends
    /// before the second operation that chooses (`Err(Pause)`), or a loop with
    /// choices in it would make a step with exponentially many outcomes. A
    /// superstep ends before a choice that is not part of its first operation.
    pub fn choose(&mut self, kind: ChoiceKind, arity: u32) -> Result<u32, Stop> {
        if arity <= 1 {
            return Ok(0);
        }
        if self.pauses_turn() {
            return Err(Stop::Pause);
        }
        let late = self.superstep.active && self.superstep.operations > 1;
        if (self.progress.chosen_before > 0 || late) && self.thread.head.atomic == 0 {
            return Err(Stop::Pause);
        }
        // What is chosen must not depend on what the others do next: the step
        // ends before it could.
        self.end_step_soon();
        let at = self.progress.chosen;
        self.progress.chosen += 1;
        match self.progress.choices.get_mut(at) {
            // A schedule that was made for another state asks for it.
            Some(choice) if choice.value >= arity => Err(Stop::Dropped),
            Some(choice) => {
                choice.kind = kind;
                choice.arity = arity;
                Ok(choice.value)
            }
            None => {
                self.progress.choices.push(Choice { kind, arity, value: 0 });
                Ok(0)
            }
        }
    }

    /// Something happened that others can notice, and the step is to end
    /// before it meets anything else that they can.
    pub fn end_step_soon(&mut self) {
        self.progress.acted = true;
        self.superstep.closed = true;
    }

    /// Whether the step has done something that others could notice before the
    /// instruction that is executed now, and can end here.
    pub fn has_acted(&self) -> bool {
        let before = (self.progress.acted || self.progress.passed) && !self.progress.acting;
        self.thread.head.atomic == 0 && !self.observation.is_running() && !self.alone() && before
    }
}
