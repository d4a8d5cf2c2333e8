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
        for (slot, vote) in votes_of(inst, pc, hint) {
            if (slot as usize) < count {
                votes[find(&groups, slot as usize)] += vote;
            }
        }
        if let Inst::Cmp { width, a, b, .. } = *inst {
            // What is compared with more bits than it has was zero-extended.
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
            let (dst, width) = match *inst {
                Inst::Mov { dst, src } | Inst::Freeze { dst, src } | Inst::Expose { dst, src } => {
                    (dst, of(src, &widths))
                }
                Inst::Select { dst, a, b, .. } => (dst, of(a, &widths).max(of(b, &widths))),
                Inst::Int { width, dst, .. }
                | Inst::IntUn { width, dst, .. }
                | Inst::Trunc { width, dst, .. } => (dst, width),
                Inst::Cmp { dst, .. } => (dst, 1),
                Inst::SExt { to, dst, .. } => (dst, to),
                Inst::Load { bits, dst, .. } | Inst::Rmw { bits, dst, .. } => (dst, bits.min(64)),
                Inst::CmpXchg { bits, dst, ok, .. } => {
                    if (ok as usize) < count {
                        widths[ok as usize] = 1;
                    }
                    (dst, bits.min(64))
                }
                _ => {
                    let width = inst.call().map_or(64, result);
                    inst.operands(function, &mut |operand| {
                        for slot in operand.slot..operand.slot + operand.count {
                            if operand.write && (slot as usize) < count {
                                widths[slot as usize] = widths[slot as usize].max(width);
                            }
                        }
                    });
                    continue;
                }
            };
            if (dst as usize) < count {
                widths[dst as usize] = widths[dst as usize].max(width);
            }
        }
        if widths == before {
            return widths;
        }
    }
}

fn linked(inst: &Inst) -> Vec<(Slot, Slot)> {
    match *inst {
        Inst::Mov { dst, src } | Inst::Freeze { dst, src } => vec![(dst, src)],
        Inst::Select { dst, a, b, .. } => vec![(dst, a), (dst, b)],
        Inst::Int { op: IntOp::Add | IntOp::Sub, dst, a, b, .. } => vec![(dst, a), (dst, b)],
        _ => Vec::new(),
    }
}

fn votes_of(inst: &Inst, pc: usize, hint: &dyn Fn(usize) -> Option<bool>) -> Vec<(Slot, i32)> {
    let sign = |signed: bool, weight: i32| if signed { weight } else { -weight };
    match *inst {
        Inst::Cmp { pred, a, b, .. } => match pred {
            CmpPred::Eq | CmpPred::Ne => Vec::new(),
            CmpPred::Ult | CmpPred::Ule | CmpPred::Ugt | CmpPred::Uge => vec![(a, -4), (b, -4)],
            CmpPred::Slt | CmpPred::Sle | CmpPred::Sgt | CmpPred::Sge => vec![(a, 4), (b, 4)],
        },
        Inst::SExt { a, dst, .. } => vec![(a, 2), (dst, 2)],
        Inst::Int { op: IntOp::SDiv | IntOp::SRem | IntOp::AShr, a, .. } => vec![(a, 2)],
        Inst::Int { op: IntOp::UDiv | IntOp::URem | IntOp::LShr, a, .. } => vec![(a, -2)],
        Inst::Load { dst, .. } | Inst::Rmw { dst, .. } => {
            hint(pc).map(|signed| (dst, sign(signed, 1))).into_iter().collect()
        }
        Inst::Store { src, .. } => {
            hint(pc).map(|signed| (src, sign(signed, 1))).into_iter().collect()
        }
        _ => Vec::new(),
    }
}
