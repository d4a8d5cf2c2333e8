//! Which registers still matter at an instruction.
//!
//! States keep only live registers: two states that differ only in a
//! value that is never read again are the same state. A value that is read only to
//! compute others which nobody needs is not live either (a counter of failed
//! attempts that counts for its own sake). Backward data flow over single
//! instructions; the sets are kept only at block boundaries and refined on
//! demand.

use std::ops::Range;

use fixedbitset::FixedBitSet;

use crate::blocks::Blocks;
use crate::{Function, Inst, Pc, Slot};

/// The live registers of a function, at every instruction.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// Live before the instruction.
    before: Vec<Box<[Slot]>>,
    /// Live while a call at this instruction runs: what the caller needs
    /// after it, without the call's results. Empty for other instructions.
    across: Vec<Box<[Slot]>>,
}

impl Liveness {
    pub fn before(&self, pc: Pc) -> &[Slot] {
        &self.before[pc as usize]
    }

    pub fn across(&self, pc: Pc) -> &[Slot] {
        &self.across[pc as usize]
    }

    pub fn of(function: &Function) -> Liveness {
        Solver::new(function).solve()
    }

    /// The same, but the first parameters are live to the end: they say what a state is about.
    pub fn keeping(function: &Function, parameters: u32) -> Liveness {
        let kept = 0..parameters.min(function.params);
        Solver { kept, ..Solver::new(function) }.solve()
    }
}

struct Solver<'f> {
    function: &'f Function,
    blocks: Blocks,
    /// Where a `longjmp` may land: behind the calls that return twice.
    landings: Vec<Pc>,
    /// Parameters that are live everywhere.
    kept: Range<Slot>,
}

impl<'f> Solver<'f> {
    fn new(function: &'f Function) -> Solver<'f> {
        let twice = |pc: &Pc| function.call_at(*pc).is_some_and(|site| site.returns_twice);
        let landings = (0..function.code.len() as Pc).filter(twice).map(|pc| pc + 1).collect();
        Solver { function, blocks: Blocks::of(function), landings, kept: 0..0 }
    }

    fn solve(&self) -> Liveness {
        let registers = self.function.registers;
        let mut live_in = vec![FixedBitSet::with_capacity(registers as usize); self.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..self.blocks.len()).rev() {
                let live = self.walk(block, &live_in, &mut |_, _, _| {});
                changed |= !live.is_subset(&live_in[block]);
                live_in[block].union_with(&live);
            }
        }
        let len = self.function.code.len();
        let mut before = vec![Box::default(); len];
        let mut across = vec![Box::default(); len];
        for block in 0..self.blocks.len() {
            self.walk(block, &live_in, &mut |pc, at, over| {
                before[pc as usize] = slots(at);
                if let Some(over) = over {
                    across[pc as usize] = slots(over);
                }
            });
        }
        Liveness { before, across }
    }

    /// Walks a block backwards from what its successors need; returns what
    /// is live at its start.
    fn walk(
        &self,
        block: usize,
        live_in: &[FixedBitSet],
        visit: &mut dyn FnMut(Pc, &FixedBitSet, Option<&FixedBitSet>),
    ) -> FixedBitSet {
        let function = self.function;
        let Range { start, end } = self.blocks.instructions(block);
        let mut live = FixedBitSet::with_capacity(function.registers as usize);
        live.extend(self.kept.clone().map(|slot| slot as usize));
        let last = &function.code[end as usize - 1];
        last.successors(function, end - 1, &mut |to| {
            // What an exception needs is added below, at its call.
            if last.call().is_none() || to == end {
                live.union_with(&live_in[self.blocks.at(to)]);
            }
        });
        for pc in (start..end).rev() {
            let inst = &function.code[pc as usize];
            let calls = inst.call().is_some();
            if calls {
                for &landing in &self.landings {
                    live.union_with(&live_in[self.blocks.at(landing)]);
                }
            }
            // What only computes a value that nobody needs needs nothing itself.
            let idle = inst.only_computes() && !self.writes_live(inst, &live);
            self.apply(inst, true, &mut live);
            if let Some(call) = inst.call() {
                self.add_pad(call, live_in, &mut live);
            }
            let over = calls.then(|| live.clone());
            if !idle {
                self.apply(inst, false, &mut live);
            }
            visit(pc, &live, over.as_ref());
        }
        live
    }

    /// Whether something that the instruction writes is live behind it.
    fn writes_live(&self, inst: &Inst, live: &FixedBitSet) -> bool {
        let mut found = false;
        inst.operands(self.function, &mut |operand| {
            let slots = operand.slot..operand.slot + operand.count;
            found |= operand.write && slots.into_iter().any(|slot| live.contains(slot as usize));
        });
        found
    }

    /// Adds what is live where an exception that leaves a call is received: the call
    /// has no results then, and the unwinder writes two slots.
    fn add_pad(&self, call: u32, live_in: &[FixedBitSet], live: &mut FixedBitSet) {
        let Some(row) = self.function.calls[call as usize].pad else { return };
        let pad = &self.function.pads[row as usize];
        let mut needed = live_in[self.blocks.at(pad.to)].clone();
        needed.set(pad.received as usize, false);
        needed.set(pad.received as usize + 1, false);
        live.union_with(&needed);
    }

    /// Kills what the instruction writes, or adds what it reads.
    fn apply(&self, inst: &Inst, writes: bool, live: &mut FixedBitSet) {
        inst.operands(self.function, &mut |operand| {
            if operand.write == writes {
                for slot in operand.slot..operand.slot + operand.count {
                    if slot < self.function.registers {
                        live.set(slot as usize, !writes);
                    }
                }
            }
        });
    }
}

fn slots(live: &FixedBitSet) -> Box<[Slot]> {
    live.ones().map(|slot| slot as Slot).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{CmpPred, Const, IntOp, LocId, SigId};

    /// `r1 = 0; do { r1 += r0; r2 = r1 < c } while (r2); return r1`
    fn looping() -> Function {
        let mut f = Function::declaration(Arc::from("f"), SigId(0));
        f.params = 1;
        f.registers = 4;
        f.constants = vec![Const::defined(0), Const::defined(10)];
        f.lists = vec![Box::new([1])];
        f.code = vec![
            Inst::Mov { dst: 1, src: 4 },
            Inst::Int { op: IntOp::Add, width: 32, dst: 1, a: 1, b: 0 },
            Inst::Cmp { pred: CmpPred::Ult, width: 32, dst: 2, a: 1, b: 5 },
            Inst::Branch { cond: 2, yes: 1, no: 4 },
            Inst::Return { list: 0 },
        ];
        f.locs = vec![LocId::NONE; f.code.len()];
        f
    }

    #[test]
    fn a_counter_that_nobody_asks_is_not_live() {
        let mut f = looping();
        // The loop depends on the parameter alone, and nothing is returned.
        f.code[2] = Inst::Cmp { pred: CmpPred::Ult, width: 32, dst: 2, a: 0, b: 5 };
        f.lists = vec![Box::new([])];
        let live = Liveness::of(&f);
        assert_eq!(live.before(1), [0]);
        // A division may fail.
        f.code[1] = Inst::Int { op: IntOp::UDiv, width: 32, dst: 1, a: 1, b: 0 };
        assert_eq!(Liveness::of(&f).before(1), [0, 1]);
    }

    #[test]
    fn a_loop_keeps_what_the_next_round_reads() {
        let live = Liveness::of(&looping());
        assert_eq!(live.before(0), [0]);
        assert_eq!(live.before(1), [0, 1]);
        assert_eq!(live.before(3), [0, 1, 2]);
        assert_eq!(live.before(4), [1]);
    }
}
