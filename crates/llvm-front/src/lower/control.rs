//! Blocks, branches and the copies that phis become.

use std::collections::{HashMap, HashSet};

use exeunt_ir::{Inst, LabelName, Slot, SwitchTable, TrapKind};

use super::body::{Body, Label, Slots};
use super::copies::sequentialise;
use super::{Lowered, unsupported};
use crate::llvm::{Block, Opcode, Value};

fn is_phi(instruction: Value<'_>) -> bool {
    instruction.opcode() == Opcode::LLVMPHI
}

fn phis<'m>(block: Block<'m>) -> impl Iterator<Item = Value<'m>> {
    block.instructions().into_iter().take_while(|instruction| is_phi(*instruction))
}

/// Blocks in reverse post-order: every cycle has a jump backwards. Blocks
/// that are never reached are left out.
fn reverse_post_order<'m>(function: Value<'m>) -> Vec<Block<'m>> {
    let successors = |block: Block<'m>| block.terminator().map(|t| t.successors());
    let mut order = Vec::new();
    let mut seen = HashSet::new();
    let mut stack = Vec::new();
    if let Some(&entry) = function.blocks().first() {
        seen.insert(entry);
        stack.push((entry, successors(entry).unwrap_or_default()));
    }
    while let Some((block, rest)) = stack.last_mut() {
        // From the last successor, so that the first ends up nearest.
        match rest.pop() {
            Some(next) if seen.insert(next) => {
                stack.push((next, successors(next).unwrap_or_default()));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// How many edges lead into each block.
fn count_entries<'m>(order: &[Block<'m>]) -> HashMap<Block<'m>, u32> {
    let mut entries = HashMap::new();
    for successor in
        order.iter().filter_map(|block| block.terminator()).flat_map(|t| t.successors())
    {
        *entries.entry(successor).or_insert(0) += 1;
    }
    entries
}

/// Whether control that leaves `before` always goes on in `block`, and comes
/// from nowhere else.
fn continues<'m>(before: Block<'m>, block: Block<'m>, entries: &HashMap<Block<'m>, u32>) -> bool {
    let jumps = before.terminator().is_some_and(|terminator| {
        terminator.opcode() == Opcode::LLVMBr && terminator.successors() == [block]
    });
    jumps && entries.get(&block) == Some(&1)
}

impl<'m> Body<'_, 'm> {
    /// Lowers all blocks.
    pub fn blocks(&mut self) {
        let order = reverse_post_order(self.function);
        for &block in &order {
            let label = self.new_label();
            self.block_labels.insert(block, label);
            for phi in phis(block) {
                // A phi of an unsupported type stays without slots, and
                // an instruction that reads it is unsupported, too.
                let _ = self.result(phi);
            }
        }
        self.prepare_computed_gotos(&order);
        let entries = count_entries(&order);
        for (i, &block) in order.iter().enumerate() {
            self.next_block = order.get(i + 1).copied();
            self.place(self.block_labels[&block]);
            if !(i > 0 && continues(order[i - 1], block, &entries)) {
                self.run_start = self.pc();
            }
            self.block(block);
        }
        self.entries_of_computed_gotos();
    }

    /// Notes the labels of the source that stand before an instruction.
    fn name_labels(&mut self, instruction: Value<'m>) {
        for node in instruction.label_nodes() {
            if let Some(name) = self.unit.label_name(node) {
                self.out.labels.push(LabelName { name, pc: self.pc() });
            }
        }
    }

    fn block(&mut self, block: Block<'m>) {
        for instruction in block.instructions() {
            self.at(instruction);
            self.name_labels(instruction);
            self.name_values(instruction);
            let lowered = match instruction.opcode() {
                Opcode::LLVMPHI => Ok(()),
                Opcode::LLVMBr
                | Opcode::LLVMSwitch
                | Opcode::LLVMIndirectBr
                | Opcode::LLVMInvoke
                | Opcode::LLVMRet
                | Opcode::LLVMUnreachable => self.terminator(block, instruction),
                _ => self.instruction(instruction),
            };
            if let Err(why) = lowered {
                // Nothing behind it in the block can be reached.
                self.give_up(why);
                return;
            }
        }
    }

    fn instruction(&mut self, instruction: Value<'m>) -> Lowered<()> {
        use Opcode::*;
        match instruction.opcode() {
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl
            | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor => self.int_binary(instruction),
            LLVMICmp => self.int_compare(instruction),
            LLVMTrunc => self.truncate(instruction),
            LLVMZExt => self.zero_extend(instruction),
            LLVMSExt => self.sign_extend(instruction),
            LLVMPtrToInt | LLVMPtrToAddr => self.pointer_to_int(instruction),
            LLVMIntToPtr => self.int_to_pointer(instruction),
            LLVMSelect => self.select(instruction),
            LLVMFreeze => self.freeze(instruction),
            LLVMBitCast | LLVMAddrSpaceCast => self.bitcast(instruction),
            LLVMFNeg | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => {
                self.float_arithmetic(instruction)
            }
            LLVMFCmp => self.float_compare(instruction),
            LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP | LLVMFPTrunc | LLVMFPExt => {
                self.float_cast(instruction)
            }
            LLVMAlloca => self.alloca(instruction),
            LLVMLoad => self.load(instruction),
            LLVMStore => self.store(instruction),
            LLVMGetElementPtr => self.gep(instruction),
            LLVMFence => self.fence(instruction),
            LLVMAtomicCmpXchg => self.compare_exchange(instruction),
            LLVMAtomicRMW => self.read_modify_write(instruction),
            LLVMCall => self.call(instruction),
            LLVMExtractElement => self.extract_element(instruction),
            LLVMInsertElement => self.insert_element(instruction),
            LLVMShuffleVector => self.shuffle(instruction),
            LLVMExtractValue => self.extract_value(instruction),
            LLVMInsertValue => self.insert_value(instruction),
            LLVMVAArg => unsupported("the instruction va_arg"),
            LLVMCallBr => unsupported("asm goto"),
            LLVMResume => self.resume(instruction),
            LLVMLandingPad => self.landing_pad(instruction),
            LLVMCleanupRet | LLVMCatchRet | LLVMCatchPad | LLVMCleanupPad | LLVMCatchSwitch => {
                unsupported("exception handling of another system")
            }
            LLVMPHI | LLVMBr | LLVMSwitch | LLVMIndirectBr | LLVMInvoke | LLVMRet
            | LLVMUnreachable => unreachable!("handled with the block"),
            LLVMUserOp1 | LLVMUserOp2 => unsupported("an instruction of LLVM's own"),
        }
    }

    fn terminator(&mut self, block: Block<'m>, terminator: Value<'m>) -> Lowered<()> {
        match terminator.opcode() {
            Opcode::LLVMBr if terminator.is_conditional() => self.branch(block, terminator),
            Opcode::LLVMBr => self.only_jump(block, terminator.successors()[0]),
            Opcode::LLVMSwitch => self.switch(block, terminator),
            Opcode::LLVMIndirectBr => self.computed_goto(block, terminator),
            Opcode::LLVMInvoke => self.invoke(block, terminator),
            Opcode::LLVMRet => self.return_from(terminator),
            _ => {
                self.emit(Inst::Trap { kind: TrapKind::Unreachable });
                Ok(())
            }
        }
    }

    fn return_from(&mut self, ret: Value<'m>) -> Lowered<()> {
        let mut slots = Vec::new();
        if ret.operand_count() == 1 {
            let value = ret.operand(0);
            let leaves = self.unit.leaves(value.ty())?;
            for (leaf, &slot) in leaves.iter().zip(self.operand(value)?.iter()) {
                slots.extend(slot..slot + leaf.ty.slots());
            }
        }
        let list = self.list(slots);
        self.emit(Inst::Return { list });
        Ok(())
    }

    pub fn list(&mut self, slots: Vec<Slot>) -> u32 {
        let slots: Box<[Slot]> = slots.into();
        let known = self.out.lists.iter().position(|list| *list == slots);
        known.unwrap_or_else(|| {
            self.out.lists.push(slots);
            self.out.lists.len() - 1
        }) as u32
    }

    // ---- edges -------------------------------------------------------------------

    /// The copies that entering `to` from `from` means, slot by slot.
    fn edge(&mut self, from: Block<'m>, to: Block<'m>) -> Lowered<Vec<(Slot, Slot)>> {
        let mut copies = Vec::new();
        for phi in phis(to) {
            let Some(dst) = self.values.get(&phi).cloned() else { continue };
            self.phi_copies(phi, from, &dst, &mut copies)?;
        }
        copies.retain(|(dst, src)| dst != src);
        Ok(copies)
    }

    fn phi_copies(
        &mut self,
        phi: Value<'m>,
        from: Block<'m>,
        dst: &Slots,
        copies: &mut Vec<(Slot, Slot)>,
    ) -> Lowered<()> {
        let incoming = phi.incoming().into_iter().find(|(block, _)| *block == from);
        let Some((_, value)) = incoming else {
            return unsupported("a phi without a value for this edge");
        };
        let leaves = self.unit.leaves(phi.ty())?;
        let src = self.operand(value)?;
        for ((leaf, &dst), &src) in leaves.iter().zip(dst.iter()).zip(src.iter()) {
            copies.extend((0..leaf.ty.slots()).map(|i| (dst + i, src + i)));
        }
        Ok(())
    }

    fn copy(&mut self, copies: &[(Slot, Slot)]) {
        let mut spares = Vec::new();
        let ordered = sequentialise(copies, &mut || {
            spares.push(self.fresh(1));
            spares[spares.len() - 1]
        });
        for (dst, src) in ordered {
            self.emit(Inst::Mov { dst, src });
        }
    }

    /// Goes to a block; `last` if the next block's code follows directly.
    pub fn jump(&mut self, from: Block<'m>, to: Block<'m>, last: bool) -> Lowered<()> {
        let copies = self.edge(from, to)?;
        self.copy(&copies);
        if !(last && self.next_block == Some(to)) {
            self.emit(Inst::Jump { to: self.block_labels[&to] });
        }
        Ok(())
    }

    /// The only way out of a block: phis may get their values where those are
    /// computed.
    fn only_jump(&mut self, from: Block<'m>, to: Block<'m>) -> Lowered<()> {
        let mut copies = self.edge(from, to)?;
        let mut next = 0;
        while let Some(&(dst, src)) = copies.get(next) {
            let read_elsewhere = copies.iter().any(|copy| copy.1 == dst);
            let shared = copies.iter().filter(|copy| copy.1 == src).count() > 1;
            if !read_elsewhere && !shared && self.coalesce(dst, src) {
                copies.remove(next);
                next = 0;
            } else {
                next += 1;
            }
        }
        self.copy(&copies);
        if self.next_block != Some(to) {
            self.emit(Inst::Jump { to: self.block_labels[&to] });
        }
        Ok(())
    }

    /// Where to jump for an edge: the block itself, or a stub with copies
    /// that is still to be written.
    pub fn edge_label(&mut self, to: Block<'m>, stubs: &mut Vec<(Label, Block<'m>)>) -> Label {
        if phis(to).next().is_none() {
            return self.block_labels[&to];
        }
        if let Some(&(label, _)) = stubs.iter().find(|(_, block)| *block == to) {
            return label;
        }
        let label = self.new_label();
        stubs.push((label, to));
        label
    }

    pub fn write_stubs(&mut self, from: Block<'m>, stubs: Vec<(Label, Block<'m>)>) {
        let count = stubs.len();
        for (i, (label, to)) in stubs.into_iter().enumerate() {
            self.place(label);
            if let Err(why) = self.jump(from, to, i + 1 == count) {
                self.give_up(why);
            }
        }
    }

    fn branch(&mut self, block: Block<'m>, branch: Value<'m>) -> Lowered<()> {
        let cond = self.scalar(branch.operand(0))?;
        let successors = branch.successors();
        let mut stubs = Vec::new();
        let yes = self.edge_label(successors[0], &mut stubs);
        let no = self.edge_label(successors[1], &mut stubs);
        self.emit(Inst::Branch { cond, yes, no });
        self.write_stubs(block, stubs);
        Ok(())
    }

    fn switch(&mut self, block: Block<'m>, switch: Value<'m>) -> Lowered<()> {
        let condition = switch.operand(0);
        if condition.ty().int_width() > 64 {
            return unsupported(format!("a switch over {}", condition.ty()));
        }
        let value = self.scalar(condition)?;
        let mut stubs = Vec::new();
        let successors = switch.successors();
        let default = self.edge_label(successors[0], &mut stubs);
        let mut cases = Vec::new();
        for (index, &successor) in successors.iter().enumerate().skip(1) {
            let Some(case) = switch.case_value(index as u32).int_bits() else {
                return unsupported("a switch case that is no number");
            };
            cases.push((case, self.edge_label(successor, &mut stubs)));
        }
        cases.sort_by_key(|case| case.0);
        let table = self.out.switches.len() as u32;
        self.out.switches.push(SwitchTable { cases: cases.into(), default });
        self.emit(Inst::Switch { value, table });
        self.write_stubs(block, stubs);
        Ok(())
    }

    // ---- computed goto --------------------------------------------------------------
    //
    // The copies of an edge need a place of their own, but a label's address
    // says only where the jump goes to, not where it came from. So the jump
    // leaves the phis' values in staging slots, and the label's entry takes
    // them from there.

    fn prepare_computed_gotos(&mut self, order: &[Block<'m>]) {
        for &block in order {
            let Some(terminator) = block.terminator() else { continue };
            if terminator.opcode() != Opcode::LLVMIndirectBr {
                continue;
            }
            for target in terminator.successors() {
                if self.staging.contains_key(&target) {
                    continue;
                }
                let mut slots = Vec::new();
                for phi in phis(target) {
                    if let Ok(staged) = self.fresh_for(phi) {
                        slots.extend(staged.iter().copied());
                    }
                }
                let entry = match slots.is_empty() {
                    true => self.block_labels[&target],
                    false => self.new_label(),
                };
                self.staging.insert(target, slots.into());
                self.address_taken.push((target, entry));
            }
        }
    }

    fn computed_goto(&mut self, block: Block<'m>, goto: Value<'m>) -> Lowered<()> {
        let mut addr = self.scalar(goto.operand(0))?;
        let mut copies = Vec::new();
        let mut done = HashSet::new();
        for target in goto.successors() {
            if done.insert(target) {
                let staging = self.staging[&target].clone();
                let mut rest = staging.iter().copied();
                for phi in
                    phis(target).filter(|phi| self.values.contains_key(phi)).collect::<Vec<_>>()
                {
                    let count = self.values[&phi].len();
                    let dst: Slots = rest.by_ref().take(count).collect();
                    self.phi_copies(phi, block, &dst, &mut copies)?;
                }
            }
        }
        if copies.iter().any(|&(dst, _)| dst == addr) {
            let saved = self.fresh(1);
            self.emit(Inst::Mov { dst: saved, src: addr });
            addr = saved;
        }
        self.copy(&copies);
        self.emit(Inst::IndirectJump { addr });
        Ok(())
    }

    fn entries_of_computed_gotos(&mut self) {
        for (block, entry) in self.address_taken.clone() {
            let staging = self.staging[&block].clone();
            if staging.is_empty() {
                continue;
            }
            self.place(entry);
            let mut copies = Vec::new();
            let mut rest = staging.iter().copied();
            for phi in phis(block) {
                let Some(dst) = self.values.get(&phi).cloned() else { continue };
                let Ok(leaves) = self.unit.leaves(phi.ty()) else { continue };
                for ((leaf, &dst), src) in leaves.iter().zip(dst.iter()).zip(rest.by_ref()) {
                    copies.extend((0..leaf.ty.slots()).map(|i| (dst + i, src + i)));
                }
            }
            self.copy(&copies);
            self.emit(Inst::Jump { to: self.block_labels[&block] });
        }
    }
}
