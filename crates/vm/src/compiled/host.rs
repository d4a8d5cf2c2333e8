//! Does for compiled code what it cannot do itself, as the interpreter does it.

use exeunt_compile::{Context, Host, Outcome};
use exeunt_ir::{Inst, Pc};
use exeunt_mem::{Bits, Purpose};

use crate::blocks;
use crate::machine::Machine;
use crate::step::CALL;
use crate::stop::Stop;

/// A machine while compiled code runs.
pub struct Guest<'m, 'p> {
    machine: &'m mut Machine<'p>,
    /// Why an instruction has failed.
    pub stop: Option<Stop>,
    /// The step ends in front of the next instruction.
    pub ends: bool,
    /// Backward jumps that were allowed and then no longer.
    pub withheld: u64,
    /// What the layout of memory was when the tables were made.
    layout: u64,
}

impl<'m, 'p> Guest<'m, 'p> {
    pub fn new(machine: &'m mut Machine<'p>) -> Guest<'m, 'p> {
        let layout = machine.mem.layout();
        Guest { machine, stop: None, ends: false, withheld: 0, layout }
    }

    /// Whether an instruction may be executed in this step. `false`: the step ends in front of it.
    fn admits(&mut self, inst: &Inst, pc: Pc, context: &mut Context) -> bool {
        let machine = &mut *self.machine;
        machine.set_pc(pc);
        if machine.alone() {
            return true;
        }
        let passed = machine.progress.has_passed();
        let admitted = machine.admits(inst);
        if machine.progress.has_passed() != passed {
            // From here on the interpreter looks whether a loop repeats.
            self.withheld += std::mem::take(&mut context.jumps);
        }
        self.ends = !admitted;
        admitted
    }

    fn execute(&mut self, pc: Pc, context: &mut Context) -> Outcome {
        let machine = &mut *self.machine;
        let inst = machine.function().code[pc as usize];
        if !self.admits(&inst, pc, context) {
            return Outcome::Leaves;
        }
        self.execute_admitted(&inst, pc, context)
    }

    fn execute_admitted(&mut self, inst: &Inst, pc: Pc, context: &mut Context) -> Outcome {
        let machine = &mut *self.machine;
        let base = machine.top().base as usize;
        let done = machine.execute_declared(inst, base, pc);
        self.mind_layout(context);
        match done {
            Ok(_) => Outcome::GoesOn,
            Err(stop) => {
                self.stop = Some(stop);
                Outcome::Leaves
            }
        }
    }

    fn mind_layout(&mut self, context: &mut Context) {
        let layout = self.machine.mem.layout();
        if layout != std::mem::replace(&mut self.layout, layout) {
            context.forget();
        }
    }

    /// Bytes were stored: where a pointer is now, nobody may read a part of it without us.
    fn mind_pointers(&mut self, bits: u8, slot: u32, context: &mut Context) {
        let addr = self.machine.register(slot).value;
        if self.machine.mem.holds_pointer(addr, usize::from(bits).div_ceil(8)) {
            context.reads.clear();
        }
    }

    /// The address in a register, if no other thread can notice accesses to it.
    fn private_address(&mut self, slot: u32) -> Option<u64> {
        let machine = &mut *self.machine;
        let addr = machine.register(slot).value;
        (machine.alone() || !machine.is_shared(addr)).then_some(addr)
    }
}

impl Host for Guest<'_, '_> {
    fn window(&mut self) -> &mut [Bits] {
        let base = self.machine.thread.frames.last().map_or(0, |frame| frame.base as usize);
        &mut self.machine.thread.registers[base..]
    }

    fn load(&mut self, pc: Pc, context: &mut Context) -> Outcome {
        let outcome = self.execute(pc, context);
        let inst = self.machine.function().code[pc as usize];
        if let (Outcome::GoesOn, Inst::Load { bits, pointer, addr, .. }) = (outcome, inst)
            && let Some(addr) = self.private_address(addr)
        {
            let memory = &self.machine.mem;
            if pointer && bits == 64 {
                if let Some(direct) = memory.direct(addr, Purpose::ReadPointers) {
                    context.pointers.put(addr, direct);
                }
            } else if let Some(direct) = memory.direct(addr, Purpose::Read) {
                context.reads.put(addr, direct);
            }
        }
        outcome
    }

    fn store(&mut self, pc: Pc, context: &mut Context) -> Outcome {
        let outcome = self.execute(pc, context);
        let inst = self.machine.function().code[pc as usize];
        if let (Outcome::GoesOn, Inst::Store { addr, .. }) = (outcome, inst)
            && let Some(addr) = self.private_address(addr)
            && let Some(direct) = self.machine.mem.direct(addr, Purpose::Write)
        {
            context.writes.put(addr, direct);
        }
        if let Inst::Store { bits, addr, .. } = inst {
            self.mind_pointers(bits, addr, context);
        }
        outcome
    }

    fn stored(&mut self, pc: Pc, context: &mut Context) -> Outcome {
        let machine = &mut *self.machine;
        let inst = machine.function().code[pc as usize];
        let Inst::Store { bits, addr, .. } = inst else { return Outcome::Leaves };
        machine.note_stored(machine.register(addr).value, u64::from(bits / 8));
        self.mind_layout(context);
        self.mind_pointers(bits, addr, context);
        Outcome::GoesOn
    }

    fn compute(&mut self, pc: Pc, context: &mut Context) -> Outcome {
        let inst = self.machine.function().code[pc as usize];
        self.machine.set_pc(pc);
        self.execute_admitted(&inst, pc, context)
    }

    fn act(&mut self, pc: Pc, context: &mut Context) -> Outcome {
        let inst = self.machine.function().code[pc as usize];
        // What is done word by word is the interpreter's business.
        if blocks::may_be_block(&inst) && self.machine.is_in_pieces(&inst) {
            return Outcome::Leaves;
        }
        let outcome = self.execute(pc, context);
        context.forget();
        if self.machine.has_moved_enough() {
            // The interpreter ends the step at the next backward jump.
            self.withheld += std::mem::take(&mut context.jumps);
        }
        outcome
    }

    fn call(&mut self, pc: Pc, context: &mut Context) -> Outcome {
        if context.work < CALL as i64 {
            return Outcome::Leaves;
        }
        let machine = &mut *self.machine;
        machine.set_pc(pc);
        let vm = machine.vm;
        let site = machine.function().call_at(pc);
        let callee = site.and_then(|site| Some((machine.plain_target(site)?, site)));
        let Some((func, site)) = callee else { return Outcome::Leaves };
        let code = match vm.is_plain_call(func, site) {
            true => vm.hot_code(func),
            false => None,
        };
        let Some(code) = code else { return Outcome::Leaves };
        // If it fails the interpreter finds out why once more.
        if !machine.push_plain_call(func, site) {
            return Outcome::Leaves;
        }
        context.work -= CALL as i64;
        context.goes_to(code);
        Outcome::GoesOn
    }

    fn leave(&mut self, pc: Pc, context: &mut Context) -> Outcome {
        let machine = &mut *self.machine;
        let inst = machine.function().code[pc as usize];
        let Inst::Return { list } = inst else { return Outcome::Leaves };
        machine.set_pc(pc);
        if context.work < CALL as i64 || !machine.alone() && machine.is_visible(&inst) {
            return Outcome::Leaves;
        }
        let returned = match machine.return_plainly(list) {
            true => Ok(()),
            false => machine.return_from(list),
        };
        context.work -= CALL as i64;
        self.mind_layout(context);
        match returned {
            Ok(()) => Outcome::GoesOn,
            Err(stop) => {
                self.stop = Some(stop);
                Outcome::Leaves
            }
        }
    }
}
