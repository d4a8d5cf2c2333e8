//! Does for compiled code what it cannot do itself, as the interpreter does it.

use exeunt_compile::{Context, Host, Outcome};
use exeunt_ir::{Callee, Inst, Pc, address};
use exeunt_mem::{Bits, Direct, Purpose};

use crate::blocks;
use crate::builtin::Effect;
use crate::machine::Machine;
use crate::meets::Circumstances;
use crate::step::CALL;
use crate::stop::Stop;

/// More calls than compiled code nests.
const NESTED: u32 = 128;

/// A machine while compiled code runs.
pub struct Guest<'m, 'p> {
    machine: &'m mut Machine<'p>,
    /// Why an instruction has failed.
    pub stop: Option<Stop>,
    /// The step ends in front of the next instruction.
    pub ends: bool,
    /// Control is elsewhere: the frame on top knows where it goes on.
    pub moved: bool,
    /// Backward jumps that were allowed and then no longer.
    pub withheld: u64,
    /// There can be as many more calls as compiled code nests.
    may_nest: bool,
    /// What the layout of memory was when the tables were brought up to date.
    pub layout: u64,
    /// In which accesses are made: locks are neither taken nor given back meanwhile.
    pub circumstances: Circumstances,
}

impl<'m, 'p> Guest<'m, 'p> {
    pub fn new(machine: &'m mut Machine<'p>, circumstances: Circumstances) -> Guest<'m, 'p> {
        let layout = machine.mem.layout();
        let may_nest = machine.depth() + NESTED < machine.vm.options.max_frames;
        Guest {
            machine,
            stop: None,
            ends: false,
            moved: false,
            withheld: 0,
            may_nest,
            layout,
            circumstances,
        }
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
        let machine = &mut *self.machine;
        match done {
            Ok(true) => return Outcome::GoesOn,
            Ok(false) | Err(Stop::Moved) => self.moved = true,
            Err(stop) => {
                if !matches!(stop, Stop::Exit) {
                    machine.set_pc_of(base as u32, pc);
                }
                self.moved = true;
                self.stop = Some(stop);
            }
        }
        Outcome::Leaves
    }

    /// A function of the library was called, which may have written anything.
    fn mind_call(&mut self, effect: Effect, context: &mut Context) {
        match effect == Effect::Local {
            true => context.reads.clear(),
            false => context.forget(),
        }
        let now = self.machine.circumstances();
        if now != std::mem::replace(&mut self.circumstances, now) {
            context.forget();
        }
    }

    fn mind_layout(&mut self, context: &mut Context) {
        let memory = &self.machine.mem;
        let before = std::mem::replace(&mut self.layout, memory.layout());
        if before == self.layout {
            return;
        }
        match memory.rearranged_since(before) {
            Some(objects) => objects.for_each(|(id, size)| context.forget_object(id, size)),
            None => context.forget(),
        }
    }

    /// How further accesses like one that was made can be made without asking: where nothing but bytes is read or
    /// written, and other threads do not mind.
    fn direct(&mut self, slot: u32, bits: u8, purpose: Purpose) -> Option<(u64, Direct)> {
        let machine = &mut *self.machine;
        let addr = machine.register(slot).value;
        let direct = machine.mem.direct(addr, purpose)?;
        let within = direct.addresses(addr);
        let access = addr..addr + u64::from(bits / 8);
        let write = purpose == Purpose::Write;
        let settled = machine.settled_around(self.circumstances, access, within, write)?;
        Some((addr, direct.narrowed(addr, settled)))
    }
}

impl Host for Guest<'_, '_> {
    fn window(&mut self) -> &mut [Bits] {
        let base = self.machine.thread.frames.last().map_or(0, |frame| frame.base as usize);
        &mut self.machine.thread.registers[base..]
    }

    fn stack_left(&mut self) -> i64 {
        match self.may_nest {
            true => i64::try_from(self.machine.stack_left()).unwrap_or(i64::MAX),
            false => -1,
        }
    }

    fn enter(&mut self, func: u32, pc: Pc, registers: &[Bits]) -> usize {
        self.machine.set_pc(pc);
        self.machine.push_made(func, registers)
    }

    fn load(&mut self, pc: Pc, context: &mut Context) -> Outcome {
        let outcome = self.execute(pc, context);
        let inst = self.machine.function().code[pc as usize];
        if let (Outcome::GoesOn, Inst::Load { bits, pointer, addr, .. }) = (outcome, inst) {
            let (table, purpose) = match pointer && bits == 64 {
                true => (&mut context.pointers, Purpose::ReadPointers),
                false => (&mut context.reads, Purpose::Read),
            };
            if let Some((addr, direct)) = self.direct(addr, bits, purpose) {
                table.put(addr, direct);
            }
        }
        outcome
    }

    fn store(&mut self, pc: Pc, context: &mut Context) -> Outcome {
        let outcome = self.execute(pc, context);
        let inst = self.machine.function().code[pc as usize];
        if let (Outcome::GoesOn, Inst::Store { bits, addr, .. }) = (outcome, inst) {
            if let Some((addr, direct)) = self.direct(addr, bits, Purpose::Write) {
                context.writes.put(addr, direct);
            }
            let (addr, len) = (self.machine.register(addr).value, u64::from(bits / 8));
            if self.machine.mem.holds_pointer(addr, len as usize) {
                context.reads.drop_around(addr, len);
            }
        }
        outcome
    }

    fn stored(&mut self, pc: Pc, context: &mut Context) -> Outcome {
        let machine = &mut *self.machine;
        let inst = machine.function().code[pc as usize];
        let Inst::Store { bits, addr, .. } = inst else { return Outcome::Leaves };
        let (addr, len) = (machine.register(addr).value, u64::from(bits / 8));
        if machine.note_stored(addr, len) {
            context.reads.drop_around(addr, len);
        }
        self.mind_layout(context);
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
        if let Inst::MemCopy { dst, .. } | Inst::MemSet { dst, .. } = inst {
            // Its bytes are no longer what they were: defined, or no pointers.
            let id = address::object(self.machine.register(dst).value);
            let size = self.machine.mem.header(id).map_or(u32::MAX, |header| header.size);
            context.forget_object(id, size);
        }
        if let (Outcome::GoesOn, Inst::Call { call }) = (outcome, inst) {
            let site = &self.machine.function().calls[call as usize];
            let builtin = self.machine.builtin_of(site);
            self.mind_call(builtin.map_or(Effect::Visible, |builtin| builtin.effect), context);
        }
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
        // Of others that is known since the caller was compiled.
        let pointer = match site.callee {
            Callee::Indirect(slot) => Some(machine.register(slot).value),
            Callee::Direct(_) => None,
        };
        if pointer.is_some() && !vm.is_plain_call(func, site) {
            return Outcome::Leaves;
        }
        let caller = machine.top().func;
        let Some(code) = vm.hot_code(func) else { return Outcome::Leaves };
        // If it fails the interpreter finds out why once more.
        if !machine.push_plain_call(func, site) {
            return Outcome::Leaves;
        }
        context.work -= CALL as i64;
        context.goes_to(code);
        if let Some((pointer, callee)) = pointer.zip(vm.plain_callee(func)) {
            context.goes_through(pointer, (caller, pc), code, callee);
        }
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
