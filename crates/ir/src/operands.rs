//! Which slots an instruction reads and writes, and where control goes next.
//!
//! The one place that knows; liveness, the verifier and the printer ask here.

use crate::{Callee, CastOp, FloatKind, FloatOp, Function, Inst, Pc, Slot};

/// A run of neighbouring slots that an instruction touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    pub slot: Slot,
    pub count: u32,
    pub write: bool,
}

fn read(slot: Slot) -> Operand {
    Operand { slot, count: 1, write: false }
}

fn write(slot: Slot) -> Operand {
    Operand { slot, count: 1, write: true }
}

fn sized(mut operand: Operand, bits: u8) -> Operand {
    operand.count = if bits > 64 { 2 } else { 1 };
    operand
}

fn wide(operand: Operand) -> Operand {
    sized(operand, 128)
}

fn float(operand: Operand, kind: FloatKind) -> Operand {
    sized(operand, if kind == FloatKind::F80 { 80 } else { 64 })
}

impl Inst {
    /// Visits all operands: reads first, then writes.
    pub fn operands(&self, function: &Function, visit: &mut dyn FnMut(Operand)) {
        match *self {
            Inst::Mov { dst, src } | Inst::Freeze { dst, src } | Inst::Expose { dst, src } => {
                visit(read(src));
                visit(write(dst));
            }
            Inst::Select { dst, cond, a, b } => {
                [cond, a, b].into_iter().for_each(|s| visit(read(s)));
                visit(write(dst));
            }
            Inst::Int { dst, a, b, .. } | Inst::Cmp { dst, a, b, .. } => {
                visit(read(a));
                visit(read(b));
                visit(write(dst));
            }
            Inst::IntUn { dst, a, .. } | Inst::Trunc { dst, a, .. } | Inst::SExt { dst, a, .. } => {
                visit(read(a));
                visit(write(dst));
            }
            Inst::Overflow { dst, carry, a, b, .. } => {
                visit(read(a));
                visit(read(b));
                visit(write(dst));
                visit(write(carry));
            }
            Inst::Funnel { dst, a, b, amount, .. } => {
                [a, b, amount].into_iter().for_each(|s| visit(read(s)));
                visit(write(dst));
            }
            Inst::WideInt { dst, a, b, .. } => {
                visit(wide(read(a)));
                visit(wide(read(b)));
                visit(wide(write(dst)));
            }
            Inst::WideIntUn { dst, a, .. } => {
                visit(wide(read(a)));
                visit(wide(write(dst)));
            }
            Inst::WideOverflow { dst, carry, a, b, .. } => {
                visit(wide(read(a)));
                visit(wide(read(b)));
                visit(wide(write(dst)));
                visit(write(carry));
            }
            Inst::WideFunnel { dst, a, b, amount, .. } => {
                [a, b, amount].into_iter().for_each(|s| visit(wide(read(s))));
                visit(wide(write(dst)));
            }
            Inst::WideCmp { dst, a, b, .. } => {
                visit(wide(read(a)));
                visit(wide(read(b)));
                visit(write(dst));
            }
            Inst::WideSExt { from, dst, a, .. } => {
                visit(sized(read(a), from));
                visit(wide(write(dst)));
            }
            Inst::Float { op, kind, dst, a, b } => {
                visit(float(read(a), kind));
                match op {
                    FloatOp::PowI | FloatOp::LdExp => visit(read(b)),
                    _ => visit(float(read(b), kind)),
                }
                visit(float(write(dst), kind));
            }
            Inst::FloatUn { kind, dst, a, .. } => {
                visit(float(read(a), kind));
                visit(float(write(dst), kind));
            }
            Inst::FloatMulAdd { kind, dst, a, b, c } => {
                [a, b, c].into_iter().for_each(|s| visit(float(read(s), kind)));
                visit(float(write(dst), kind));
            }
            Inst::FloatCmp { kind, dst, a, b, .. } => {
                visit(float(read(a), kind));
                visit(float(read(b), kind));
                visit(write(dst));
            }
            Inst::FloatCast { op, kind, to, width, dst, a } => match op {
                CastOp::SignedToFloat | CastOp::UnsignedToFloat => {
                    visit(sized(read(a), width));
                    visit(float(write(dst), kind));
                }
                CastOp::FloatToFloat => {
                    visit(float(read(a), kind));
                    visit(float(write(dst), to));
                }
                CastOp::FloatToSigned
                | CastOp::FloatToUnsigned
                | CastOp::FloatToSignedSat
                | CastOp::FloatToUnsignedSat => {
                    visit(float(read(a), kind));
                    visit(sized(write(dst), width));
                }
            },
            Inst::FloatClass { kind, dst, a, .. } => {
                visit(float(read(a), kind));
                visit(write(dst));
            }
            Inst::Alloca { dst, count, .. } => {
                visit(read(count));
                visit(write(dst));
            }
            Inst::StackSave { dst } | Inst::TlsAddr { dst, .. } => visit(write(dst)),
            Inst::StackRestore { src } => visit(read(src)),
            Inst::LifetimeStart { addr } | Inst::LifetimeEnd { addr } => visit(read(addr)),
            Inst::Load { bits, dst, addr, .. } => {
                visit(read(addr));
                visit(sized(write(dst), bits));
            }
            Inst::Store { bits, src, addr, .. } => {
                visit(sized(read(src), bits));
                visit(read(addr));
            }
            Inst::PtrIndex { dst, base, index, .. } => {
                visit(read(base));
                visit(read(index));
                visit(write(dst));
            }
            Inst::PtrAdd { dst, base, .. } => {
                visit(read(base));
                visit(write(dst));
            }
            Inst::MemCopy { dst, src, len, .. } => {
                [dst, src, len].into_iter().for_each(|s| visit(read(s)));
            }
            Inst::MemSet { dst, byte, len, .. } => {
                [dst, byte, len].into_iter().for_each(|s| visit(read(s)));
            }
            Inst::Rmw { bits, dst, addr, src, .. } => {
                visit(read(addr));
                visit(sized(read(src), bits));
                visit(sized(write(dst), bits));
            }
            Inst::CmpXchg { bits, dst, ok, addr, list, .. } => {
                visit(read(addr));
                for &slot in function.lists[list as usize].iter() {
                    visit(sized(read(slot), bits));
                }
                visit(sized(write(dst), bits));
                visit(write(ok));
            }
            Inst::VaArea { dst } => visit(write(dst)),
            Inst::VaEnd { list } => visit(read(list)),
            Inst::Branch { cond, .. } => visit(read(cond)),
            Inst::Switch { value, .. } => visit(read(value)),
            Inst::IndirectJump { addr } => visit(read(addr)),
            Inst::Return { list } => {
                function.lists[list as usize].iter().for_each(|&slot| visit(read(slot)));
            }
            Inst::Call { call } => call_operands(function, call, visit),
            Inst::Fence { .. }
            | Inst::Jump { .. }
            | Inst::SpinHint
            | Inst::Trap { .. }
            | Inst::Unsupported { .. } => {}
        }
    }

    /// Visits every slot field of the instruction itself (not those in the
    /// rows of side tables), for renaming.
    pub fn slots_mut(&mut self, visit: &mut dyn FnMut(&mut Slot)) {
        match self {
            Inst::Mov { dst, src } | Inst::Freeze { dst, src } | Inst::Expose { dst, src } => {
                [dst, src].into_iter().for_each(visit);
            }
            Inst::Select { dst, cond, a, b } => [dst, cond, a, b].into_iter().for_each(visit),
            Inst::Int { dst, a, b, .. }
            | Inst::Cmp { dst, a, b, .. }
            | Inst::WideInt { dst, a, b, .. }
            | Inst::WideCmp { dst, a, b, .. }
            | Inst::Float { dst, a, b, .. }
            | Inst::FloatCmp { dst, a, b, .. } => [dst, a, b].into_iter().for_each(visit),
            Inst::IntUn { dst, a, .. }
            | Inst::Trunc { dst, a, .. }
            | Inst::SExt { dst, a, .. }
            | Inst::WideIntUn { dst, a, .. }
            | Inst::WideSExt { dst, a, .. }
            | Inst::FloatUn { dst, a, .. }
            | Inst::FloatCast { dst, a, .. }
            | Inst::FloatClass { dst, a, .. } => [dst, a].into_iter().for_each(visit),
            Inst::Overflow { dst, carry, a, b, .. }
            | Inst::WideOverflow { dst, carry, a, b, .. } => {
                [dst, carry, a, b].into_iter().for_each(visit);
            }
            Inst::Funnel { dst, a, b, amount, .. } | Inst::WideFunnel { dst, a, b, amount, .. } => {
                [dst, a, b, amount].into_iter().for_each(visit);
            }
            Inst::FloatMulAdd { dst, a, b, c, .. } => [dst, a, b, c].into_iter().for_each(visit),
            Inst::Alloca { dst, count, .. } => [dst, count].into_iter().for_each(visit),
            Inst::StackSave { dst } | Inst::TlsAddr { dst, .. } => visit(dst),
            Inst::StackRestore { src } => visit(src),
            Inst::LifetimeStart { addr }
            | Inst::LifetimeEnd { addr }
            | Inst::IndirectJump { addr } => visit(addr),
            Inst::Load { dst, addr, .. } => [dst, addr].into_iter().for_each(visit),
            Inst::Store { src, addr, .. } => [src, addr].into_iter().for_each(visit),
            Inst::PtrIndex { dst, base, index, .. } => {
                [dst, base, index].into_iter().for_each(visit);
            }
            Inst::PtrAdd { dst, base, .. } => [dst, base].into_iter().for_each(visit),
            Inst::MemCopy { dst, src, len, .. } => [dst, src, len].into_iter().for_each(visit),
            Inst::MemSet { dst, byte, len, .. } => [dst, byte, len].into_iter().for_each(visit),
            Inst::Rmw { dst, addr, src, .. } => [dst, addr, src].into_iter().for_each(visit),
            Inst::CmpXchg { dst, ok, addr, .. } => [dst, ok, addr].into_iter().for_each(visit),
            Inst::VaArea { dst } => visit(dst),
            Inst::VaEnd { list } => visit(list),
            Inst::Branch { cond, .. } => visit(cond),
            Inst::Switch { value, .. } => visit(value),
            Inst::Fence { .. }
            | Inst::Jump { .. }
            | Inst::Return { .. }
            | Inst::Call { .. }
            | Inst::SpinHint
            | Inst::Trap { .. }
            | Inst::Unsupported { .. } => {}
        }
    }

    /// Visits every place control may go to after this instruction, within
    /// the function.
    pub fn successors(&self, function: &Function, pc: Pc, visit: &mut dyn FnMut(Pc)) {
        match *self {
            Inst::Jump { to } => visit(to),
            Inst::Branch { yes, no, .. } => {
                visit(yes);
                visit(no);
            }
            Inst::Switch { table, .. } => {
                let table = &function.switches[table as usize];
                table.cases.iter().for_each(|case| visit(case.1));
                visit(table.default);
            }
            Inst::IndirectJump { .. } => function.label_targets.iter().for_each(|&to| visit(to)),
            Inst::Return { .. }
            | Inst::Unsupported { .. }
            | Inst::Trap { kind: crate::TrapKind::Unreachable } => {}
            _ => visit(pc + 1),
        }
    }

    /// Whether the next instruction is never reached by falling through.
    pub fn ends_block(&self) -> bool {
        matches!(
            self,
            Inst::Jump { .. }
                | Inst::Branch { .. }
                | Inst::Switch { .. }
                | Inst::IndirectJump { .. }
                | Inst::Return { .. }
                | Inst::Unsupported { .. }
                | Inst::Trap { kind: crate::TrapKind::Unreachable }
        )
    }
}

fn call_operands(function: &Function, call: u32, visit: &mut dyn FnMut(Operand)) {
    let site = &function.calls[call as usize];
    if let Callee::Indirect(slot) = site.callee {
        visit(read(slot));
    }
    for arg in site.args.iter() {
        visit(sized(read(arg.slot), arg.ty.bits()));
    }
    if let Some(slot) = site.result {
        visit(Operand { slot, count: site.result_slots, write: true });
    }
}
