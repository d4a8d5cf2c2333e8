//! How far a step has come: its choices, its budget, and whether it has acted.

use exeunt_mem::Bits;
use exeunt_model::{Choice, CompId};

/// Backward jumps of a step before one looks whether a loop repeats, unless it has operations that
/// did not end the step.
pub(super) const PATIENCE: u32 = 32;
/// How many are looked at after every power of two of them.
pub(super) const LOOKS: u32 = 8;

/// The progress of the step that runs. Its fields belong to this room.
#[derive(Default)]
pub struct Progress {
    /// Choices to take again, then those made newly.
    pub(super) choices: Vec<Choice>,
    pub(super) chosen: usize,
    /// How many of them were made before the operation that runs.
    pub(super) chosen_before: usize,
    /// A visible operation was executed in this step.
    pub(super) acted: bool,
    /// The instruction that is executed is the first such operation.
    pub(super) acting: bool,
    /// The step went through operations that did not end it.
    pub(super) passed: bool,
    /// Backward jumps left before the step is cut off.
    pub(super) budget: u32,
    /// What the budget was at the beginning of the step.
    pub(super) allowance: u32,
    /// Bytes of blocks that were read and written.
    pub(super) moved: u64,
    /// About how many instructions were executed in loops and calls.
    pub(super) work: u64,
    /// The state at a recent backward jump, to notice a loop that repeats.
    pub(super) snapshot: Vec<CompId>,
    /// The live registers of the frame on top there.
    pub(super) registers: Vec<Bits>,
}

/// A point of a step that one can go back to.
#[derive(Clone, Copy)]
pub struct Mark {
    chosen: usize,
    choices: usize,
}

impl Progress {
    /// A fresh step, with the same choices to take.
    pub fn begin(&mut self) {
        self.acted = false;
        self.acting = false;
        self.chosen = 0;
        self.chosen_before = 0;
    }

    /// About how many instructions the step had, as far as that is counted.
    pub(super) fn worked(&self) -> u64 {
        self.work.max(1)
    }

    /// Allows so many backward jumps.
    pub(super) fn allow(&mut self, jumps: u32) {
        self.budget = jumps;
        self.allowance = jumps;
        self.moved = 0;
        self.work = 0;
    }

    /// How many backward jumps can be made before somebody has to look at one (`Machine::must_cut`).
    pub fn free_jumps(&self) -> u64 {
        let made = self.allowance - self.budget;
        let next = match made + 1 {
            next if next < PATIENCE && !self.passed => PATIENCE,
            next if next < 2 => 2,
            next if next - (1 << next.ilog2()) <= LOOKS => next,
            next => 1 << (next.ilog2() + 1),
        };
        u64::from(next.min(self.allowance) - made - 1)
    }

    /// So many backward jumps were made elsewhere, none of which had to be looked at.
    pub fn take_jumps(&mut self, jumps: u64) {
        self.budget -= jumps as u32;
    }

    /// So much was executed elsewhere.
    pub fn take_work(&mut self, work: u64) {
        self.work += work;
    }

    pub fn has_passed(&self) -> bool {
        self.passed
    }

    /// A block of memory was read or written.
    #[inline]
    pub fn note_block(&mut self, bytes: u64) {
        self.moved = self.moved.saturating_add(bytes);
    }

    /// An operation begins: what it chooses is told from earlier choices.
    #[inline]
    pub fn begin_operation(&mut self) {
        self.chosen_before = self.chosen;
    }

    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    pub fn forget_choices(&mut self) {
        self.choices.clear();
    }

    /// Takes these choices, and then new ones.
    pub fn follow(&mut self, choices: impl Iterator<Item = Choice>) {
        self.choices.clear();
        self.choices.extend(choices);
    }

    /// The next combination of choices, the last one fastest; `false` after
    /// the last.
    pub fn next_choices(&mut self) -> bool {
        while let Some(last) = self.choices.last_mut() {
            if last.value + 1 < last.arity {
                last.value += 1;
                return true;
            }
            self.choices.pop();
        }
        false
    }

    /// Something happened that others can notice.
    pub fn note_act(&mut self) {
        self.acted = true;
    }

    pub fn has_acted(&self) -> bool {
        self.acted
    }

    /// Takes something off the budget; `true` if nothing is left.
    pub fn spend(&mut self, price: u32) -> bool {
        self.budget = self.budget.saturating_sub(price);
        self.budget == 0
    }

    pub fn mark(&self) -> Mark {
        Mark { chosen: self.chosen, choices: self.choices.len() }
    }

    /// Takes choices back, but keeps those that are to be taken again.
    pub fn back_to(&mut self, mark: Mark) {
        self.chosen = mark.chosen;
        self.choices.truncate(mark.choices.max(self.chosen));
    }
}
