//! How the bits of a register are read as a number: its width, and whether
//! it counts as signed.
//!
//! Both readings are exact. Which one is taken decides only how readable and
//! how linear the automaton becomes, so guesses are allowed.

use exeunt_ir::{CmpPred, Function, Inst, IntOp, Slot};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub width: u8,
    pub signed: bool,
}

impl Shape {
    pub const BIT: Shape = Shape { width: 1, signed: false };

    pub fn range(self) -> (i128, i128) {
        let all = 1i128 << self.width;
        if self.signed { (-all / 2, all / 2 - 1) } else { (0, all - 1) }
    }
}

/// The shapes of all registers of a function. `hint` knows the sign of what
/// a load or a store (by pc) accesses.
pub(crate) fn shapes(
    function: &Function,
    params: &[u8],
    result: &dyn Fn(u32) -> u8,
    hint: &dyn Fn(usize) -> Option<bool>,
) -> Vec<Shape> {
    let count = function.registers as usize;
    let widths = widths(function, params, count, result);
    let mut groups: Vec<usize> = (0..count).collect();
    for inst in &function.code {
        for (a, b) in linked(inst) {
            if (a as usize) < count && (b as usize) < count {
                let (a, b) = (find(&groups, a as usize), find(&groups, b as usize));
                groups[a] = b;
            }
        }
    }
    let mut votes = vec![0i32; count];
    for (pc, inst) in function.code.iter().enumerate() {
        for (slot, vote) in votes_of(inst, pc, function.registers, hint) {
            if (slot as usize) < count {
                votes[find(&groups, slot as usize)] += vote;
            }
        }
        if let Inst::Cmp { width, a, b, .. } | Inst::Int { width, a, b, .. } = *inst {
            // What is used with more bits than it has was zero-extended.
            for slot in [a, b].into_iter().filter(|slot| (*slot as usize) < count) {
                if widths[slot as usize] < width {
                    votes[find(&groups, slot as usize)] -= 8;
                }
            }
        }
    }
    (0..count)
        .map(|slot| {
            let width = widths[slot].clamp(1, 64);
            let signed = votes[find(&groups, slot)] >= 0 && (2..64).contains(&width)
                || width == 64 && votes[find(&groups, slot)] > 0;
            Shape { width, signed }
        })
        .collect()
}

fn find(groups: &[usize], mut at: usize) -> usize {
    while groups[at] != at {
        at = groups[at];
    }
    at
}

/// The largest width that anything written to a register has.
fn widths(function: &Function, params: &[u8], count: usize, result: &dyn Fn(u32) -> u8) -> Vec<u8> {
    let mut widths = vec![0u8; count];
    for (slot, width) in params.iter().enumerate().take(count) {
        widths[slot] = *width;
    }
    loop {
        let before = widths.clone();
        let of = |slot: Slot, widths: &[u8]| match slot.checked_sub(function.registers) {
            Some(index) => {
                let bits = 64 - function.constants[index as usize].value.leading_zeros();
                [1, 8, 16, 32, 64].into_iter().find(|width| *width >= bits).unwrap_or(64) as u8
            }
            None => widths[slot as usize],
        };
        for inst in &function.code {
            for (dst, width) in written(function, inst, &|slot| of(slot, &before), result) {
                if (dst as usize) < count {
                    widths[dst as usize] = widths[dst as usize].max(width);
                }
            }
        }
        if widths == before {
            return widths;
        }
    }
}

/// The registers that an instruction writes, with the widths of what it writes.
fn written(
    function: &Function,
    inst: &Inst,
    of: &dyn Fn(Slot) -> u8,
    result: &dyn Fn(u32) -> u8,
) -> Vec<(Slot, u8)> {
    if let Inst::Mov { dst, src } | Inst::Freeze { dst, src } | Inst::Expose { dst, src } = *inst {
        return vec![(dst, of(src))];
    }
    if let Inst::Select { dst, a, b, .. } = *inst {
        return vec![(dst, of(a).max(of(b)))];
    }
    if let Inst::Int { width, dst, .. }
    | Inst::IntUn { width, dst, .. }
    | Inst::Trunc { width, dst, .. } = *inst
    {
        return vec![(dst, width)];
    }
    if let Inst::Cmp { dst, .. } = *inst {
        return vec![(dst, 1)];
    }
    if let Inst::SExt { to, dst, .. } = *inst {
        return vec![(dst, to)];
    }
    if let Inst::Load { bits, dst, .. } | Inst::Rmw { bits, dst, .. } = *inst
        && bits <= 64
    {
        return vec![(dst, bits)];
    }
    if let Inst::CmpXchg { bits, dst, ok, .. } = *inst
        && bits <= 64
    {
        return vec![(dst, bits), (ok, 1)];
    }
    let width = inst.call().map_or(64, result);
    let mut all = Vec::new();
    inst.operands(function, &mut |operand| {
        if operand.write {
            all.extend((operand.slot..operand.slot + operand.count).map(|slot| (slot, width)));
        }
    });
    all
}

/// Registers that are best read in the same way.
fn linked(inst: &Inst) -> Vec<(Slot, Slot)> {
    if let Inst::Mov { dst, src } | Inst::Freeze { dst, src } = *inst {
        return vec![(dst, src)];
    }
    if let Inst::Select { dst, a, b, .. }
    | Inst::Int { op: IntOp::Add | IntOp::Sub, dst, a, b, .. } = *inst
    {
        return vec![(dst, a), (dst, b)];
    }
    Vec::new()
}

fn votes_of(
    inst: &Inst,
    pc: usize,
    registers: Slot,
    hint: &dyn Fn(usize) -> Option<bool>,
) -> Vec<(Slot, i32)> {
    if let Inst::Cmp { pred, a, b, .. } = *inst {
        return match pred {
            CmpPred::Eq | CmpPred::Ne => Vec::new(),
            CmpPred::Ult | CmpPred::Ule | CmpPred::Ugt | CmpPred::Uge => vec![(a, -4), (b, -4)],
            CmpPred::Slt | CmpPred::Sle | CmpPred::Sgt | CmpPred::Sge => vec![(a, 4), (b, 4)],
        };
    }
    if let Inst::SExt { a, dst, .. } = *inst {
        return vec![(a, 2), (dst, 2)];
    }
    if let Inst::Int { op: IntOp::SDiv | IntOp::SRem | IntOp::AShr, a, .. } = *inst {
        return vec![(a, 2)];
    }
    if let Inst::Int { op: IntOp::UDiv | IntOp::URem | IntOp::LShr, a, .. } = *inst {
        return vec![(a, -2)];
    }
    // Bits are those of a number without sign.
    if let Inst::Int { op: IntOp::And | IntOp::Or | IntOp::Xor, dst, a, b, .. } = *inst
        && a < registers
        && b < registers
    {
        return vec![(dst, -1), (a, -1), (b, -1)];
    }
    if let Inst::Int { op: IntOp::Shl, dst, .. } = *inst {
        return vec![(dst, -1)];
    }
    if let Inst::Load { dst: slot, .. }
    | Inst::Rmw { dst: slot, .. }
    | Inst::Store { src: slot, .. } = *inst
    {
        let vote = hint(pc).map(|signed| (slot, if signed { 1 } else { -1 }));
        return vote.into_iter().collect();
    }
    Vec::new()
}
