//! What is known of a function before it is compiled.

use exeunt_ir::{Function, Inst, Pc, Slot};

/// Facts about registers and places, regardless of the way to them.
pub(crate) struct Facts {
    /// Whether some instruction writes the register.
    pub written: Vec<bool>,
    /// A bound for the bits of each register and constant.
    pub bits: Vec<u8>,
    /// Instructions that begin a block.
    pub leads: Vec<bool>,
    /// Where compiled code can be entered: the beginning and the targets of backward jumps.
    pub entries: Vec<Pc>,
}

impl Facts {
    pub fn of(function: &Function) -> Facts {
        let code = &function.code;
        let mut leads = vec![false; code.len()];
        let mut entries = vec![0];
        leads[0] = true;
        for (pc, inst) in (0..).zip(code) {
            let mut jumps = inst.ends_block();
            inst.successors(function, pc, &mut |to| {
                if to <= pc {
                    entries.push(to);
                }
                jumps |= to != pc + 1;
                if to != pc + 1 {
                    leads[to as usize] = true;
                }
            });
            if jumps && let Some(next) = leads.get_mut(pc as usize + 1) {
                *next = true;
            }
        }
        entries.sort_unstable();
        entries.dedup();
        let mut written = vec![false; function.registers as usize];
        let mut bits = vec![0; function.window()];
        for inst in code {
            let width = bits_of_result(inst);
            inst.operands(function, &mut |operand| {
                if !operand.write {
                    return;
                }
                for slot in operand.slot..operand.slot + operand.count {
                    written[slot as usize] = true;
                    let known = &mut bits[slot as usize];
                    *known = width.max(*known);
                }
            });
        }
        for pad in &function.pads {
            for slot in pad.received..pad.received + 2 {
                written[slot as usize] = true;
                bits[slot as usize] = 64;
            }
        }
        bits[..function.params as usize].fill(64);
        let constants = &mut bits[function.registers as usize..];
        for (bits, constant) in constants.iter_mut().zip(&function.constants) {
            *bits = (64 - constant.value.leading_zeros()) as u8;
        }
        Facts { written, bits, leads, entries }
    }

    pub fn is_written(&self, slot: Slot) -> bool {
        self.written.get(slot as usize).copied().unwrap_or(false)
    }
}

/// A bound for the bits of what an instruction writes.
fn bits_of_result(inst: &Inst) -> u8 {
    match *inst {
        Inst::Int { width, .. } | Inst::IntUn { width, .. } | Inst::Trunc { width, .. } => width,
        Inst::SExt { to, .. } => to,
        Inst::Cmp { .. } | Inst::FloatCmp { .. } | Inst::WideCmp { .. } => 1,
        Inst::Load { bits, .. } => bits.min(64),
        Inst::Mov { .. }
        | Inst::Select { .. }
        | Inst::Freeze { .. }
        | Inst::Expose { .. }
        | Inst::Overflow { .. }
        | Inst::Funnel { .. }
        | Inst::WideInt { .. }
        | Inst::WideIntUn { .. }
        | Inst::WideOverflow { .. }
        | Inst::WideFunnel { .. }
        | Inst::WideSExt { .. }
        | Inst::Float { .. }
        | Inst::FloatUn { .. }
        | Inst::FloatMulAdd { .. }
        | Inst::FloatCast { .. }
        | Inst::FloatClass { .. }
        | Inst::Alloca { .. }
        | Inst::StackSave { .. }
        | Inst::StackRestore { .. }
        | Inst::LifetimeStart { .. }
        | Inst::LifetimeEnd { .. }
        | Inst::Store { .. }
        | Inst::PtrIndex { .. }
        | Inst::PtrAdd { .. }
        | Inst::MemCopy { .. }
        | Inst::MemSet { .. }
        | Inst::Rmw { .. }
        | Inst::CmpXchg { .. }
        | Inst::Fence { .. }
        | Inst::TlsAddr { .. }
        | Inst::VaArea { .. }
        | Inst::VaEnd { .. }
        | Inst::Jump { .. }
        | Inst::Branch { .. }
        | Inst::Switch { .. }
        | Inst::IndirectJump { .. }
        | Inst::Return { .. }
        | Inst::Call { .. }
        | Inst::SpinHint {}
        | Inst::Trap { .. }
        | Inst::Unsupported { .. } => 64,
    }
}
