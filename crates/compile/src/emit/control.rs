//! Jumps, calls and returns.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder};
use cranelift_frontend::Switch;
use exeunt_ir::{Callee, Pc, Slot};

use super::{Emitted, Emitter, Flow};
use crate::context::{Context, GOES_ON, LEAVES};

impl Emitter<'_, '_> {
    pub(super) fn jump(&mut self, pc: Pc, to: Pc) {
        let way = self.way(pc, to);
        self.b.ins().jump(way, &[]);
        self.count(pc, to, way);
    }

    pub(super) fn branch(&mut self, pc: Pc, cond: Slot, yes: Pc, no: Pc) -> Emitted<Flow> {
        let cond = self.get(cond)?;
        let bit = self.b.ins().band_imm(cond, 1);
        let (a, b) = (self.way(pc, yes), self.way(pc, no));
        self.b.ins().brif(bit, a, &[], b, &[]);
        self.count(pc, yes, a);
        self.count(pc, no, b);
        Ok(Flow::Ended)
    }

    pub(super) fn switch(&mut self, pc: Pc, value: Slot, table: u32) -> Emitted<Flow> {
        let value = self.get(value)?;
        let table = &self.unit.function.switches[table as usize];
        let mut choice = Switch::new();
        let mut ways: Vec<(Pc, Block)> = Vec::new();
        let mut way = |emitter: &mut Self, to: Pc| match ways.iter().find(|way| way.0 == to) {
            Some(way) => way.1,
            None => {
                let way = emitter.way(pc, to);
                ways.push((to, way));
                way
            }
        };
        for &(case, to) in &table.cases {
            let target = way(self, to);
            choice.set_entry(case.into(), target);
        }
        let default = way(self, table.default);
        choice.emit(&mut self.b, value, default);
        for (to, way) in ways {
            self.count(pc, to, way);
        }
        Ok(Flow::Ended)
    }

    /// The block that a jump goes to: backward jumps are counted on their way.
    fn way(&mut self, pc: Pc, to: Pc) -> Block {
        if to <= pc { self.b.create_block() } else { self.block(to) }
    }

    /// Counts a backward jump in a block on its way; if none is left the jump is the interpreter's.
    fn count(&mut self, pc: Pc, to: Pc, way: Block) {
        if to > pc {
            return;
        }
        self.b.switch_to_block(way);
        let jumps = self.field(offset_of!(Context, jumps));
        let work = self.field(offset_of!(Context, work));
        let left = self.b.ins().iadd_imm(work, -(i64::from(pc - to) + 1));
        let none = self.b.ins().icmp_imm(IntCC::Equal, jumps, 0);
        let spent = self.b.ins().icmp_imm(IntCC::SignedLessThan, left, 0);
        let out = self.b.ins().bor(none, spent);
        self.leave_if(pc, out);
        let jumps = self.b.ins().iadd_imm(jumps, -1);
        self.set_field(offset_of!(Context, jumps), jumps);
        self.set_field(offset_of!(Context, work), left);
        let target = self.block(to);
        self.b.ins().jump(target, &[]);
    }

    pub(super) fn call(&mut self, pc: Pc, call: u32) -> Emitted<Flow> {
        let site = &self.unit.function.calls[call as usize];
        if !(self.unit.may_call)(call) {
            return Ok(self.leave(pc));
        }
        let mut args = Vec::new();
        let callee = match site.callee {
            Callee::Direct(_) => None,
            Callee::Indirect(slot) => Some(slot),
        };
        let passed = site.args.iter().flat_map(|arg| arg.slot..arg.slot + arg.ty.slots());
        for slot in passed.chain(callee) {
            args.push((slot, self.get(slot)?));
        }
        // Whoever leaves the code further down finds the registers of this frame.
        let across = self.unit.liveness.across(pc);
        for &slot in across {
            let value = self.b.use_var(self.registers[slot as usize]);
            self.write_back(slot, value);
        }
        for (slot, value) in args.into_iter().filter(|(slot, _)| !across.contains(slot)) {
            self.write_back(slot, value);
        }
        self.ask(self.refs.call, pc);
        let start = self.field(offset_of!(Context, target));
        let first = self.number(0);
        let compiled = self.refs.compiled;
        let call = self.b.ins().call_indirect(compiled, start, &[self.context, first]);
        let outcome = self.b.inst_results(call)[0];
        let (out, go_on) = (self.cold(), self.b.create_block());
        self.b.ins().brif(outcome, out, &[], go_on, &[]);
        self.b.switch_to_block(out);
        let leaves = self.number(LEAVES);
        self.b.ins().return_(&[leaves]);
        self.b.switch_to_block(go_on);
        // Registers may have moved.
        self.load_window();
        if let Some(slot) = site.result {
            let slots: Vec<Slot> = (slot..slot + site.result_slots).collect();
            self.take_results(pc, &slots);
        }
        Ok(match self.unit.function.code.len() as Pc > pc + 1 {
            true => Flow::Next,
            false => Flow::Ended,
        })
    }

    pub(super) fn return_from(&mut self, pc: Pc, list: u32) -> Emitted<Flow> {
        for &slot in &self.unit.function.lists[list as usize] {
            let value = self.get(slot)?;
            self.write_back(slot, value);
        }
        self.ask(self.refs.leave, pc);
        let goes_on = self.number(GOES_ON);
        self.b.ins().return_(&[goes_on]);
        Ok(Flow::Ended)
    }
}
