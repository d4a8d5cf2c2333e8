//! Jumps, calls and returns.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlags, Value, types};
use cranelift_frontend::Switch;
use exeunt_ir::address::Space;
use exeunt_ir::{Callee, Inst, Pc, Slot};
use exeunt_mem::Bits;

use super::{Emitted, Emitter, Flow, place};
use crate::CALL;
use crate::code::{self, Way};
use crate::context::{
    Context, GOES_ON, LEAVES, MOST_CALLS, OBJECT_BITS, Pending, RETURNED, TARGETS, Target,
    hash_of_site, site_of,
};

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
        let way = (self.unit.way_of)(call);
        match way {
            Way::Left => return Ok(self.leave(pc)),
            Way::Function | Way::To(_) => {}
            Way::Host => {
                self.act(pc, &Inst::Call { call });
                return Ok(self.behind(pc));
            }
        }
        let mut args = Vec::new();
        for slot in site.args.iter().flat_map(|arg| arg.slot..arg.slot + arg.ty.slots()) {
            args.push((slot, self.get(slot)?));
        }
        let callee = match site.callee {
            Callee::Direct(_) => None,
            Callee::Indirect(slot) => Some((slot, self.get(slot)?)),
        };
        // Whoever leaves the code further down finds the registers of this frame.
        let across = self.unit.liveness.across(pc);
        for &slot in across {
            let value = self.b.use_var(self.registers[slot as usize]);
            self.write_back(slot, value);
        }
        let results: Vec<Slot> =
            site.result.map_or(Vec::new(), |slot| (slot..slot + site.result_slots).collect());
        let ends =
            Ends { out: self.cold(), told: self.b.create_block(), done: self.b.create_block() };
        if results.len() == 1 {
            self.b.append_block_param(ends.done, types::I64);
        }
        let quick = match (way, callee) {
            _ if results.len() > 1 => None,
            (Way::To(callee), _) => Some(self.known_callee(callee)),
            (_, Some((_, pointer))) => Some(self.callee_met_last(pc, pointer)),
            _ => None,
        };
        if let Some(quick) = quick {
            self.call_quickly(pc, &quick, &args, &ends);
        }
        for (slot, value) in args.into_iter().chain(callee) {
            if !across.contains(&slot) {
                self.write_back(slot, value);
            }
        }
        self.ask(self.refs.call, pc);
        let start = self.field(offset_of!(Context, target));
        let outcome = self.enter_code(start);
        self.b.ins().brif(outcome, ends.out, &[], ends.told, &[]);
        self.b.switch_to_block(ends.out);
        let leaves = self.number(LEAVES);
        self.b.ins().return_(&[leaves]);
        self.b.switch_to_block(ends.told);
        // Registers may have moved.
        self.load_window();
        self.take_results(pc, &results);
        match results[..] {
            [result] => {
                let value = self.b.use_var(self.registers[result as usize]);
                self.b.ins().jump(ends.done, &[value.into()]);
                self.b.switch_to_block(ends.done);
                let value = self.b.block_params(ends.done)[0];
                self.set(result, value);
            }
            _ => {
                self.b.ins().jump(ends.done, &[]);
                self.b.switch_to_block(ends.done);
            }
        }
        Ok(self.behind(pc))
    }

    /// A function that is named by the call.
    fn known_callee(&mut self, callee: code::Callee) -> Quick {
        let code::Callee { func, window, stack } = callee;
        let cell = self.number((self.starts + size_of::<usize>() * func as usize) as u64);
        let start = self.b.ins().atomic_load(types::I64, MemFlags::trusted(), cell);
        let none = self.b.ins().icmp_imm(IntCC::Equal, start, 0);
        Quick {
            start,
            func: self.b.ins().iconst(types::I32, i64::from(func)),
            bytes: self.number(bytes_of(window as usize) as u64),
            stack: self.number(stack.into()),
            no: self.b.ins().uextend(types::I64, none),
        }
    }

    /// The function that this call went to the last time with this pointer.
    fn callee_met_last(&mut self, pc: Pc, pointer: Value) -> Quick {
        let site = site_of(self.unit.func, pc);
        let object = self.b.ins().ushr_imm(pointer, OBJECT_BITS as i64);
        let place = self.b.ins().bxor_imm(object, hash_of_site(site) as i64);
        let place = self.b.ins().band_imm(place, TARGETS as i64 - 1);
        let row = self.b.ins().imul_imm(place, size_of::<Target>() as i64);
        let row = self.b.ins().iadd(self.context, row);
        let mut field = |ty, offset| {
            let offset = (offset_of!(Context, targets) + offset) as i32;
            self.b.ins().load(ty, MemFlags::trusted(), row, offset)
        };
        let [start, known, last, bytes, stack] = [
            field(types::I64, offset_of!(Target, start)),
            field(types::I64, offset_of!(Target, site)),
            field(types::I64, offset_of!(Target, pointer)),
            field(types::I64, offset_of!(Target, bytes)),
            field(types::I64, offset_of!(Target, stack)),
        ];
        let func = field(types::I32, offset_of!(Target, func));
        let site = self.number(site);
        let elsewhere = self.b.ins().bxor(known, site);
        let other = self.b.ins().bxor(last, pointer);
        Quick { start, func, bytes, stack, no: self.b.ins().bor(elsewhere, other) }
    }

    /// Calls a function without telling the host, if it is compiled and there is room. Goes on where it cannot
    /// be called so.
    fn call_quickly(&mut self, pc: Pc, callee: &Quick, args: &[(Slot, Value)], ends: &Ends) {
        let pending = self.field(offset_of!(Context, pending));
        let calls = self.field(offset_of!(Context, calls));
        let work = self.field(offset_of!(Context, work));
        let work = self.b.ins().iadd_imm(work, -CALL);
        let stack = self.field(offset_of!(Context, stack));
        let stack = self.b.ins().isub(stack, callee.stack);
        // The registers of the first one are at the beginning, of others behind those of their callers.
        let own = self.b.use_var(self.window);
        let room = self.field(offset_of!(Context, room));
        let behind = self.b.ins().iadd_imm(own, bytes_of(self.unit.function.window()));
        let window = self.b.ins().select(pending, behind, room);
        let end = self.b.ins().iadd(window, callee.bytes);
        let room_end = self.field(offset_of!(Context, room_end));
        let nested =
            self.b.ins().icmp_imm(IntCC::UnsignedGreaterThanOrEqual, calls, MOST_CALLS as i64);
        let beyond = self.b.ins().icmp(IntCC::UnsignedGreaterThan, end, room_end);
        let spent = self.b.ins().bor(work, stack);
        let spent = self.b.ins().ushr_imm(spent, 63);
        let no = self.b.ins().bor(nested, beyond);
        let no = self.b.ins().uextend(types::I64, no);
        let no = self.b.ins().bor(no, spent);
        let no = self.b.ins().bor(no, callee.no);
        let (slowly, quickly) = (self.cold(), self.b.create_block());
        self.b.ins().brif(no, slowly, &[], quickly, &[]);
        self.b.switch_to_block(quickly);
        let nothing = self.number(0);
        for (at, &(_, value)) in args.iter().enumerate() {
            let at = place(at as Slot);
            let (known, mask) =
                (offset_of!(Bits, value) as i32, offset_of!(Bits, undefined) as i32);
            self.b.ins().store(MemFlags::trusted(), value, window, at + known);
            self.b.ins().store(MemFlags::trusted(), nothing, window, at + mask);
        }
        let row = self.b.ins().imul_imm(pending, size_of::<Pending>() as i64);
        let row = self.b.ins().iadd(self.context, row);
        let row = self.b.ins().iadd_imm(row, offset_of!(Context, frames) as i64);
        let here = self.b.ins().iconst(types::I32, i64::from(pc));
        for (number, offset) in
            [(callee.func, offset_of!(Pending, func)), (here, offset_of!(Pending, pc))]
        {
            self.b.ins().store(MemFlags::trusted(), number, row, offset as i32);
        }
        let pending = self.b.ins().iadd_imm(pending, 1);
        let calls = self.b.ins().iadd_imm(calls, 1);
        self.set_field(offset_of!(Context, pending), pending);
        self.set_field(offset_of!(Context, calls), calls);
        self.set_field(offset_of!(Context, work), work);
        self.set_field(offset_of!(Context, stack), stack);
        self.set_field(offset_of!(Context, window), window);
        let outcome = self.enter_code(callee.start);
        let returned = self.b.ins().icmp_imm(IntCC::Equal, outcome, RETURNED as i64);
        let (back, other) = (self.b.create_block(), self.cold());
        self.b.ins().brif(returned, back, &[], other, &[]);
        self.b.switch_to_block(other);
        self.b.ins().brif(outcome, ends.out, &[], ends.told, &[]);
        self.b.switch_to_block(back);
        // Nobody was asked meanwhile, so everything is where it was.
        self.set_field(offset_of!(Context, window), own);
        match self.b.block_params(ends.done).is_empty() {
            true => self.b.ins().jump(ends.done, &[]),
            false => {
                let value = self.field(offset_of!(Context, result));
                self.b.ins().jump(ends.done, &[value.into()])
            }
        };
        self.b.switch_to_block(slowly);
    }

    /// Enters the code of a function at its beginning.
    fn enter_code(&mut self, start: Value) -> Value {
        let first = self.number(0);
        let call = self.b.ins().call_indirect(self.refs.compiled, start, &[self.context, first]);
        self.b.inst_results(call)[0]
    }

    /// How it goes on behind a call.
    fn behind(&self, pc: Pc) -> Flow {
        match self.unit.function.code.len() as Pc > pc + 1 {
            true => Flow::Next,
            false => Flow::Ended,
        }
    }

    pub(super) fn return_from(&mut self, pc: Pc, list: u32) -> Emitted<Flow> {
        let list = &self.unit.function.lists[list as usize];
        let mut values = Vec::new();
        for &slot in list {
            values.push((slot, self.get(slot)?));
        }
        if let Some(stack) = self.unit.stack
            && values.len() <= 1
        {
            self.return_quickly(stack, values.first().map(|&(_, value)| value));
        }
        for (slot, value) in values {
            self.write_back(slot, value);
        }
        self.ask(self.refs.leave, pc);
        let goes_on = self.number(GOES_ON);
        self.b.ins().return_(&[goes_on]);
        Ok(Flow::Ended)
    }

    /// Returns without telling the host, if it does not know of the call. Goes on where that cannot be.
    fn return_quickly(&mut self, stack: u32, value: Option<Value>) {
        let pending = self.field(offset_of!(Context, pending));
        let work = self.field(offset_of!(Context, work));
        let work = self.b.ins().iadd_imm(work, -CALL);
        let known = self.b.ins().icmp_imm(IntCC::Equal, pending, 0);
        let spent = self.b.ins().icmp_imm(IntCC::SignedLessThan, work, 0);
        let mut no = self.b.ins().bor(known, spent);
        if let Some(value) = value {
            // The number of what is on the stack is kept if its address is returned.
            let tag = self.b.ins().ushr_imm(value, 56);
            let on_stack = self.b.ins().icmp_imm(IntCC::Equal, tag, Space::Stack as i64);
            no = self.b.ins().bor(no, on_stack);
            self.set_field(offset_of!(Context, result), value);
        }
        let (slowly, quickly) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(no, slowly, &[], quickly, &[]);
        self.b.switch_to_block(quickly);
        let pending = self.b.ins().iadd_imm(pending, -1);
        let calls = self.field(offset_of!(Context, calls));
        let calls = self.b.ins().iadd_imm(calls, -1);
        let left = self.field(offset_of!(Context, stack));
        let left = self.b.ins().iadd_imm(left, i64::from(stack));
        self.set_field(offset_of!(Context, pending), pending);
        self.set_field(offset_of!(Context, calls), calls);
        self.set_field(offset_of!(Context, work), work);
        self.set_field(offset_of!(Context, stack), left);
        let returned = self.number(RETURNED);
        self.b.ins().return_(&[returned]);
        self.b.switch_to_block(slowly);
    }
}

/// A function that may be called without the host.
struct Quick {
    /// Where its code begins.
    start: Value,
    func: Value,
    /// What its registers and constants take, and its frame of the stack of its thread.
    bytes: Value,
    stack: Value,
    /// Not zero: it cannot be called so, whatever the rest says.
    no: Value,
}

/// Where it goes on behind a call: the code is left, the host has seen the return, or all is done.
struct Ends {
    out: Block,
    told: Block,
    done: Block,
}

/// What so many registers and constants take.
fn bytes_of(slots: usize) -> i64 {
    (slots * size_of::<Bits>()) as i64
}
