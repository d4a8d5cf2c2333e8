//! Where a step ends although nothing visible comes: long private runs, and loops that
//! are in a state they have been in before.

use exeunt_ir::Pc;

use crate::machine::Machine;
use crate::step::progress::{LOOKS, PATIENCE, Progress};

/// Instructions in one step, about: a long private run must not take seconds before
/// clock and interrupts are looked at. (Counted, not timed: steps are always the same.)
const MOST_WORK: u64 = 1 << 23;
/// Bytes of blocks in one step: a loop around large copies must not take minutes
/// before clock and interrupts are looked at.
const MOST_MOVED: u64 = 1 << 28;

impl Machine<'_> {
    /// Whether the step has executed about as much as one may.
    #[inline]
    pub(super) fn has_worked_enough(&self) -> bool {
        self.progress.work > MOST_WORK
    }

    /// Whether the step has copied as much as one may.
    #[inline]
    pub fn has_moved_enough(&self) -> bool {
        self.progress.moved > MOST_MOVED
    }

    /// How much more may be executed in loops before it has.
    pub fn work_left(&self) -> i64 {
        MOST_WORK as i64 - self.progress.work as i64
    }

    /// Whether a step ends at a backward jump: when too many were made, or
    /// when the state is one that the loop has been in before. The latter is
    /// looked at right after every power of two of jumps, for short periods:
    /// at once if the loop has operations in it that did not end the step,
    /// otherwise after some more, because most loops are short.
    #[inline]
    pub(super) fn must_cut(&mut self, to: Pc) -> bool {
        let spent = self.has_moved_enough() || self.progress.work > MOST_WORK;
        if self.progress.budget == 0 || spent {
            self.set_pc(to);
            return true;
        }
        let jumps = self.progress.allowance - self.progress.budget;
        let since = jumps - (1 << jumps.ilog2());
        let patience = if self.progress.passed { 2 } else { PATIENCE };
        let again = jumps >= patience && since <= LOOKS && self.is_where_it_was(to, since == 0);
        if again {
            self.turn.comes_round();
        }
        again
    }

    /// Whether a step can end between a call and the function, or behind a return.
    #[cold]
    pub(super) fn can_pause(&self) -> bool {
        let alive = self.thread.head.is_alive() && !self.is_between_handlers();
        alive && !self.observation.is_running() && self.matching.is_none()
    }

    #[cold]
    fn is_where_it_was(&mut self, to: Pc, keep: bool) -> bool {
        self.set_pc(to);
        let (vm, top) = (self.vm, *self.top());
        let live = vm.liveness[top.func as usize].before(to).iter();
        let at = live.map(|slot| self.thread.registers[(top.base + slot) as usize]);
        let Progress { registers, .. } = &mut self.progress;
        if keep {
            registers.clear();
            registers.extend(at);
        } else if !at.eq(registers.iter().copied()) {
            // Most loops count in a register: then there is nothing to compare.
            return false;
        }
        // To store large objects takes longer than to copy them.
        self.progress.note_block(4 * self.mem.changed_bytes());
        let mut now = Vec::new();
        self.commit(&mut now);
        let again = !keep && now == self.progress.snapshot;
        if keep {
            self.progress.snapshot = now;
        }
        again
    }

    /// An atomic block that is cut off keeps everybody else out.
    pub(super) fn cut(&mut self) {
        if self.thread.head.atomic > 0 {
            self.system.exclusive = self.thread.me + 1;
        }
    }
}
