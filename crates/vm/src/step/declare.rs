//! What an operation will touch is said before it runs, and builds with debug assertions check that it touches
//! nothing else.

use exeunt_ir::{Inst, Pc};
use exeunt_mem::Declared;

use crate::machine::Machine;
use crate::step::footprint::{Footprint, Range};
use crate::stop::Stop;
use crate::thread::frame::OnReturn;

impl Machine<'_> {
    /// Tells memory what an instruction is about to touch, for debug builds.
    pub(super) fn declare(&mut self, inst: &Inst, pc: Pc) {
        let unguarded = self.tale.is_told()
            || self.alone()
            || self.thread.head.atomic > 0
            || self.observation.is_running()
            || self.matching.is_some()
            || self.completes_routine(inst);
        self.mem.declare(None);
        if unguarded {
            return;
        }
        self.set_pc(pc);
        let declared = match self.is_operation(inst) {
            true => self.footprint(inst),
            false => Footprint::default(),
        };
        let range = |r: &Range| Declared { start: r.start, end: r.end, write: r.write };
        let ranges = || declared.ranges.iter().map(range).collect();
        self.mem.declare((!declared.everything).then(ranges));
    }

    /// Touches memory that stands for something else, which was declared.
    pub fn unguarded<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let declared = self.mem.declared();
        let result = work(self);
        self.mem.declare(declared);
        result
    }

    /// The return of a routine that others wait for completes it; why that is
    /// no operation is said in `pthread/once.rs`.
    fn completes_routine(&self, inst: &Inst) -> bool {
        inst.returns() && self.top().on_return != OnReturn::Continue
    }

    /// Executes an instruction of compiled code that does not jump.
    pub fn execute_declared(&mut self, inst: &Inst, base: usize, pc: Pc) -> Result<bool, Stop> {
        if cfg!(debug_assertions) {
            self.declare(inst, pc);
        }
        let done = self.execute_apart(inst, base, pc);
        if cfg!(debug_assertions) {
            self.mem.declare(None);
        }
        done
    }
}
