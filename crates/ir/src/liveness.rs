//! Which registers still matter at an instruction.
//!
//! States keep only live registers: two states that differ only in a
//! value that is never read again are the same state. Backward data flow over single
//! instructions; the sets are kept only at block boundaries and refined on
//! demand.

use fixedbitset::FixedBitSet;

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
}

struct Solver<'f> {
    function: &'f Function,
    /// First instruction of each block, ascending.
    leaders: Vec<Pc>,
    block_of: Vec<u32>,
    /// Where a `longjmp` may land: behind the calls that return twice.
    landings: Vec<Pc>,
}

impl<'f> Solver<'f> {
    fn new(function: &'f Function) -> Solver<'f> {
        let len = function.code.len();
        let mut leader = vec![false; len + 1];
        leader[0] = true;
        let mut landings = Vec::new();
        for (pc, inst) in function.code.iter().enumerate() {
            if inst.ends_block() {
                leader[pc + 1] = true;
            }
            inst.successors(function, pc as Pc, &mut |to| {
                if to != pc as Pc + 1 || inst.ends_block() {
                    leader[to as usize] = true;
                }
            });
            if inst.call().is_some_and(|call| function.calls[call as usize].returns_twice) {
                landings.push(pc as Pc + 1);
                leader[pc + 1] = true;
            }
        }
        let leaders: Vec<Pc> = (0..len as Pc).filter(|&pc| leader[pc as usize]).collect();
        let mut block_of = vec![0; len];
        for (block, &start) in leaders.iter().enumerate() {
            let end = leaders.get(block + 1).map_or(len, |&pc| pc as usize);
            block_of[start as usize..end].fill(block as u32);
        }
        Solver { function, leaders, block_of, landings }
    }

    fn block_end(&self, block: usize) -> Pc {
        self.leaders.get(block + 1).copied().unwrap_or(self.function.code.len() as Pc)
    }

    fn solve(&self) -> Liveness {
        let registers = self.function.registers;
        let mut live_in = vec![FixedBitSet::with_capacity(registers as usize); self.leaders.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..self.leaders.len()).rev() {
                let live = self.walk(block, &live_in, &mut |_, _, _| {});
                changed |= !live.is_subset(&live_in[block]);
                live_in[block].union_with(&live);
            }
        }
        let len = self.function.code.len();
        let mut before = vec![Box::default(); len];
        let mut across = vec![Box::default(); len];
        for block in 0..self.leaders.len() {
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
        let (start, end) = (self.leaders[block], self.block_end(block));
        let mut live = FixedBitSet::with_capacity(function.registers as usize);
        let last = &function.code[end as usize - 1];
        last.successors(function, end - 1, &mut |to| {
            // What an exception needs is added below, at its call.
            if last.call().is_none() || to == end {
                live.union_with(&live_in[self.block_of[to as usize] as usize]);
            }
        });
        for pc in (start..end).rev() {
            let inst = &function.code[pc as usize];
            let calls = inst.call().is_some();
            if calls {
                for &landing in &self.landings {
                    live.union_with(&live_in[self.block_of[landing as usize] as usize]);
                }
            }
            self.apply(inst, true, &mut live);
            if let Some(call) = inst.call() {
                self.add_pad(call, live_in, &mut live);
            }
            let over = calls.then(|| live.clone());
            self.apply(inst, false, &mut live);
            visit(pc, &live, over.as_ref());
        }
        live
    }

    /// Adds what is live where an exception that leaves a call is received: the call
    /// has no results then, and the unwinder writes two slots.
    fn add_pad(&self, call: u32, live_in: &[FixedBitSet], live: &mut FixedBitSet) {
        let Some(row) = self.function.calls[call as usize].pad else { return };
        let pad = &self.function.pads[row as usize];
        let mut needed = live_in[self.block_of[pad.to as usize] as usize].clone();
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
    fn a_loop_keeps_what_the_next_round_reads() {
        let live = Liveness::of(&looping());
        assert_eq!(live.before(0), [0]);
        assert_eq!(live.before(1), [0, 1]);
        assert_eq!(live.before(3), [0, 1, 2]);
        assert_eq!(live.before(4), [1]);
    }
}
