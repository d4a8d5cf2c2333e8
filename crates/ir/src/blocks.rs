//! The basic blocks of a function.

use crate::{Function, Pc};

/// Where blocks begin, and which block each instruction belongs to.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// First instruction of each block, ascending.
    leaders: Vec<Pc>,
    block_of: Vec<u32>,
}

impl Blocks {
    pub fn of(function: &Function) -> Blocks {
        let len = function.code.len();
        let mut leader = vec![false; len + 1];
        leader[0] = true;
        for (pc, inst) in function.code.iter().enumerate() {
            let twice = |call: u32| function.calls[call as usize].returns_twice;
            if inst.ends_block() || inst.call().is_some_and(twice) {
                leader[pc + 1] = true;
            }
            inst.successors(function, pc as Pc, &mut |to| {
                if to != pc as Pc + 1 || inst.ends_block() {
                    leader[to as usize] = true;
                }
            });
        }
        let leaders: Vec<Pc> = (0..len as Pc).filter(|&pc| leader[pc as usize]).collect();
        let mut block_of = vec![0; len];
        for (block, &start) in leaders.iter().enumerate() {
            let end = leaders.get(block + 1).map_or(len, |&pc| pc as usize);
            block_of[start as usize..end].fill(block as u32);
        }
        Blocks { leaders, block_of }
    }

    pub fn len(&self) -> usize {
        self.leaders.len()
    }

    /// The block of an instruction.
    pub fn at(&self, pc: Pc) -> usize {
        self.block_of[pc as usize] as usize
    }

    /// The instructions of a block.
    pub fn instructions(&self, block: usize) -> std::ops::Range<Pc> {
        let end = self.leaders.get(block + 1).copied();
        self.leaders[block]..end.unwrap_or(self.block_of.len() as Pc)
    }

    /// Calls `visit` with the blocks that may follow a block, also by an exception
    /// that leaves a call in its middle.
    pub fn successors(&self, function: &Function, block: usize, visit: &mut dyn FnMut(usize)) {
        let pcs = self.instructions(block);
        for pc in pcs.clone() {
            function.code[pc as usize].successors(function, pc, &mut |to| {
                if to != pc + 1 || to == pcs.end {
                    visit(self.at(to));
                }
            });
        }
    }
}
