//! The interpreter loop: runs the current thread for one step.
//!
//! A step executes at most one visible operation: whatever is invisible
//! before it, the operation, and then everything up to just before the next
//! visible one. Loops that never meet one are cut off after a number of
//! backward jumps, so that an endless private loop shows up as a cycle of
//! states instead of hanging the step.

use exeunt_ir::address;
use exeunt_ir::{Inst, Pc};
use exeunt_mem::{Bits, Flags};

use crate::blocks;
use crate::compiled::Entered;
use crate::machine::Machine;
use crate::ops::call::Exit;
use crate::ops::{float, int, wide};
use crate::options::Reduction;
use crate::reuse;
use crate::stop::Stop;
use crate::thread::Status;
use crate::thread::frame::Frame;

/// Backward jumps in one step while other threads exist, and while not.
const BUDGET: u32 = 1 << 14;
const BUDGET_ALONE: u32 = 1 << 22;
/// What a call or a return counts.
pub const CALL: u64 = exeunt_compile::CALL as u64;

/// What an instruction asks of the loop.
enum Next {
    /// Go on behind the instruction.
    Step,
    Jump(Pc),
    /// The frame on top is another one now.
    Reload,
}

impl Machine<'_> {
    /// Runs the loaded thread for one step.
    pub fn step(&mut self) -> Result<(), Stop> {
        let mut resumed = false;
        self.progress.allow(if self.alone() { BUDGET_ALONE } else { BUDGET });
        self.progress.passed = false;
        if self.system.exclusive == self.thread.me + 1 {
            self.system.exclusive = 0;
        }
        if self.superstep.active
            && let Some(footprint) = self.waiting_footprint()
        {
            self.admit(&footprint);
        }
        if self.vm.leaves_out {
            self.note_resumption();
        }
        // The rest of an atomic block is an operation as a whole.
        if self.thread.head.atomic > 0 {
            self.progress.acted = true;
            self.superstep.closed = true;
            self.superstep.operations = 1;
            // Others may have been in such blocks since it was begun.
            self.note_blocks(0);
        }
        match self.thread.head.status {
            Status::Ready => {}
            Status::CondWait { .. }
            | Status::CondRelock { .. }
            | Status::BarrierWait { .. }
            | Status::BarrierLeave { .. }
            | Status::FutexWait { .. }
            | Status::FutexWoken => match self.resume_wait() {
                Ok(true) | Err(Stop::Moved) => resumed = true,
                Ok(false) => return Ok(()),
                Err(stop) => return Err(stop),
            },
            Status::Ended { .. } | Status::Free => unreachable!("ended threads are not stepped"),
        }
        if self.is_between_handlers() {
            if resumed || !self.thread.head.is_alive() {
                return Ok(());
            }
            self.continue_exit(Exit::Resumed)?;
            return Ok(());
        }
        self.run(resumed)
    }

    /// What a wake-up writes is the mutex that it takes back.
    fn resume_wait(&mut self) -> Result<bool, Stop> {
        self.locking(|machine| machine.context().resume_wait())
    }

    /// Goes on with a function that is observed.
    pub fn resume(&mut self) -> Result<(), Stop> {
        self.progress.allow(BUDGET_ALONE);
        self.run(true)
    }

    /// Goes on with a function that is called from outside; an operation that cannot be executed
    /// is said to be so, and does not only end the step.
    pub fn go_further(&mut self) -> Result<(), Stop> {
        self.progress.allow(BUDGET_ALONE);
        self.run(false)
    }

    fn run(&mut self, executed: bool) -> Result<(), Stop> {
        let result = self.run_freely(executed);
        self.mem.declare(None);
        result
    }

    /// `executed` says that the step has already done something.
    fn run_freely(&mut self, mut executed: bool) -> Result<(), Stop> {
        let one_by_one = self.vm.options.reduction == Reduction::None;
        let watching = self.vm.watch.active;
        let times = self.vm.reads_clock;
        let compiles = self.may_run_compiled();
        // Whether compiled code may be entered at the beginning of a function.
        let mut called = false;
        'frame: loop {
            if !self.thread.head.is_alive() || self.is_between_handlers() {
                return Ok(());
            }
            let vm = self.vm;
            let frame = *self.top();
            let function = &vm.program.functions[frame.func as usize];
            let base = frame.base as usize;
            let mut pc = frame.pc;
            if called && pc == 0 && executed {
                called = false;
                match self.enter_compiled(frame.func, 0) {
                    Entered::No => {}
                    Entered::Left => continue 'frame,
                    Entered::Ends => return Ok(()),
                    Entered::Stopped(stop) => return Err(stop),
                }
            }
            loop {
                let inst = &function.code[pc as usize];
                if (watching || !self.alone())
                    && (inst.is_noticeable() || watching && self.vm.watch.is_place(frame.func, pc))
                {
                    self.set_pc(pc);
                    if self.observation.is_running() {
                        self.progress.acting = false;
                        self.forbid_effects(inst)?;
                    } else if !one_by_one && !self.admits(inst) {
                        return Ok(());
                    }
                }
                if cfg!(debug_assertions) {
                    self.declare(inst, pc);
                }
                if times && self.computes_with_time(inst, base) {
                    self.set_pc(pc);
                    if self.follow(inst, base)? {
                        executed = true;
                        pc += 1;
                        if one_by_one && self.thread.head.atomic == 0 {
                            self.set_pc(pc);
                            return Ok(());
                        }
                        continue;
                    }
                    self.lose_times(inst, base);
                }
                let executed_now = match blocks::may_be_block(inst) && self.is_in_pieces(inst) {
                    true => match self.execute_block(inst, base, pc) {
                        Ok(true) => Ok(Next::Step),
                        Ok(false) => Ok(Next::Reload),
                        Err(stop) => Err(stop),
                    },
                    false => self.execute(inst, base, pc),
                };
                if cfg!(debug_assertions) {
                    self.mem.declare(None);
                }
                let next = match executed_now {
                    Ok(next) => next,
                    Err(Stop::Blocked(_) | Stop::Beyond) if executed => {
                        self.set_pc(pc);
                        return Ok(());
                    }
                    Err(Stop::Waits | Stop::Pause) => {
                        self.set_pc(pc);
                        return Ok(());
                    }
                    Err(Stop::Moved) => {
                        executed = true;
                        if self.watches_awaits() && !self.thread.frames.is_empty() {
                            let pc = self.top().pc;
                            self.goes_on_at(pc);
                        }
                        if one_by_one && self.thread.head.atomic == 0 {
                            return Ok(());
                        }
                        continue 'frame;
                    }
                    Err(stop) => {
                        if !self.thread.frames.is_empty() && !matches!(stop, Stop::Exit) {
                            self.set_pc_of(frame.base, pc);
                        }
                        return Err(stop);
                    }
                };
                executed = true;
                match next {
                    Next::Step => {
                        pc += 1;
                        if self.watches_awaits() {
                            self.goes_on_at(pc);
                        }
                    }
                    Next::Jump(to) => {
                        if self.watches_awaits() {
                            self.goes_on_at(to);
                        }
                        if to <= pc {
                            self.progress.budget -= 1;
                            self.progress.work += u64::from(pc - to) + 1;
                            if self.must_cut(to) {
                                self.cut();
                                return Ok(());
                            }
                            if compiles {
                                self.set_pc(to);
                                match self.enter_compiled(frame.func, to) {
                                    Entered::No => {}
                                    Entered::Left => continue 'frame,
                                    Entered::Ends => return Ok(()),
                                    Entered::Stopped(stop) => return Err(stop),
                                }
                            }
                        }
                        pc = to;
                    }
                    Next::Reload => {
                        if self.watches_awaits() && !self.thread.frames.is_empty() {
                            let pc = self.top().pc;
                            self.goes_on_at(pc);
                        }
                        if one_by_one && self.thread.head.atomic == 0 {
                            return Ok(());
                        }
                        self.progress.work += CALL;
                        if self.has_worked_enough() && self.can_pause() {
                            self.cut();
                            return Ok(());
                        }
                        called = compiles;
                        continue 'frame;
                    }
                }
                if one_by_one && self.thread.head.atomic == 0 {
                    self.set_pc(pc);
                    return Ok(());
                }
            }
        }
    }

    #[inline]
    pub fn set_pc(&mut self, pc: Pc) {
        if let Some(frame) = self.thread.frames.last_mut() {
            frame.pc = pc;
        }
    }

    /// Sets the counter of the frame with this window, if it is still there.
    pub fn set_pc_of(&mut self, base: u32, pc: Pc) {
        if let Some(frame) = self.thread.frames.iter_mut().rev().find(|frame| frame.base == base) {
            frame.pc = pc;
        }
    }

    /// Whether the next instruction, which others may be able to notice, is part of this step.
    pub fn admits(&mut self, inst: &Inst) -> bool {
        self.progress.acting = false;
        let noticed = (self.thread.head.atomic == 0 || self.vm.moves)
            && (self.is_visible(inst) || self.vm.watch.active && self.is_noticed_here(inst));
        !noticed || self.may_act(inst)
    }

    fn is_noticed_here(&mut self, inst: &Inst) -> bool {
        let Frame { func, pc, .. } = *self.top();
        self.is_noticed(inst, func, pc)
    }

    /// Whether the operation that comes next is part of this step.
    fn may_act(&mut self, inst: &Inst) -> bool {
        self.progress.acting = !self.progress.acted && !self.progress.passed;
        if self.turn.is_active() {
            return self.goes_on_with(inst);
        }
        if !self.superstep.active && !self.vm.moves {
            return !std::mem::replace(&mut self.progress.acted, true);
        }
        let (footprint, mobility) = self.operation(inst);
        if self.passes(mobility) || self.thread.head.atomic > 0 {
            self.progress.passed = true;
            self.note_deed(&footprint, mobility);
            return true;
        }
        if self.superstep.active {
            return self.admit(&footprint);
        }
        let acts = !std::mem::replace(&mut self.progress.acted, true);
        if acts {
            self.note_deed(&footprint, mobility);
        }
        acts
    }

    /// Whether an instruction is one that others can notice.
    pub fn is_operation(&mut self, inst: &Inst) -> bool {
        inst.is_noticeable() && self.is_visible(inst)
    }

    /// Executes an instruction that does not jump, outside of the loop. `true`
    /// if the next one follows, `false` if another frame is on top now.
    #[cold]
    pub fn execute_apart(&mut self, inst: &Inst, base: usize, pc: Pc) -> Result<bool, Stop> {
        match self.execute(inst, base, pc)? {
            Next::Step => Ok(true),
            Next::Reload => Ok(false),
            Next::Jump(_) => unreachable!("only the loop executes jumps"),
        }
    }

    // Inlined, the results need not go through memory.
    #[inline(always)]
    fn execute(&mut self, inst: &Inst, base: usize, pc: Pc) -> Result<Next, Stop> {
        macro_rules! get {
            ($slot:expr) => {
                self.thread.registers[base + $slot as usize]
            };
        }
        macro_rules! wide {
            ($slot:expr) => {
                wide::Wide::join(get!($slot), get!($slot + 1))
            };
        }
        macro_rules! set_wide {
            ($slot:expr, $value:expr) => {{
                let (low, high) = $value.split();
                get!($slot) = low;
                get!($slot + 1) = high;
            }};
        }
        match *inst {
            Inst::Mov { dst, src } => get!(dst) = get!(src),
            Inst::Int { op, width, dst, a, b } => match int::binary(op, width, get!(a), get!(b)) {
                Ok(value) => {
                    if reuse::hides(op) {
                        self.note_hidden(get!(a).value, get!(b).value);
                    }
                    get!(dst) = value;
                }
                Err(error) => return Err(self.at(pc).arithmetic_fault(error)),
            },
            Inst::Cmp { pred, width, dst, a, b } => {
                get!(dst) = int::compare(pred, width, get!(a), get!(b));
            }
            Inst::Branch { cond, yes, no } => {
                let cond = get!(cond);
                if cond.undefined & 1 != 0 {
                    return Err(self.at(pc).undefined_use("a branch"));
                }
                return Ok(Next::Jump(if cond.value & 1 != 0 { yes } else { no }));
            }
            Inst::Jump { to } => return Ok(Next::Jump(to)),
            Inst::Load { bits, pointer, access, dst, addr } => {
                self.set_pc(pc);
                self.load_slots(base, addr, dst, bits, pointer, access)?;
            }
            Inst::Store { bits, access, src, addr, .. } => {
                self.set_pc(pc);
                self.store_slots(base, addr, src, bits, access)?;
            }
            Inst::PtrAdd { dst, base: pointer, offset } => {
                let pointer = get!(pointer);
                get!(dst) = Bits {
                    value: address::add(pointer.value, offset as i64),
                    undefined: pointer.undefined,
                };
            }
            Inst::PtrIndex { dst, base: pointer, index, width, scale } => {
                let (pointer, index) = (get!(pointer), get!(index));
                let delta = int::signed(index.value, width).wrapping_mul(scale as i64);
                let undefined = if index.undefined != 0 { u64::MAX } else { pointer.undefined };
                get!(dst) = Bits { value: address::add(pointer.value, delta), undefined };
            }
            Inst::Trunc { width, dst, a } => {
                let a = get!(a);
                self.note_hidden(a.value, 0);
                let mask = int::mask(width);
                get!(dst) = Bits { value: a.value & mask, undefined: a.undefined & mask };
            }
            Inst::SExt { from, to, dst, a } => get!(dst) = int::sign_extend(from, to, get!(a)),
            Inst::Select { dst, cond, a, b } => get!(dst) = select(get!(cond), get!(a), get!(b)),
            Inst::Freeze { dst, src } => get!(dst) = Bits::defined(get!(src).value),
            Inst::Expose { dst, src } => {
                let value = get!(src);
                get!(dst) = value;
                self.mem.share(address::object(value.value));
            }
            Inst::IntUn { op, width, dst, a } => get!(dst) = int::unary(op, width, get!(a)),
            Inst::Overflow { op, width, dst, carry, a, b } => {
                let (value, over) = int::overflow(op, width, get!(a), get!(b));
                get!(dst) = value;
                get!(carry) = over;
            }
            Inst::Funnel { left, width, dst, a, b, amount } => {
                self.note_hidden(get!(a).value, get!(b).value);
                get!(dst) = int::funnel(left, width, get!(a), get!(b), get!(amount));
            }
            Inst::WideInt { op, width, dst, a, b } => {
                match wide::binary(op, width, wide!(a), wide!(b)) {
                    Ok(value) => set_wide!(dst, value),
                    Err(error) => return Err(self.at(pc).arithmetic_fault(error)),
                }
            }
            Inst::WideIntUn { op, width, dst, a } => {
                set_wide!(dst, wide::unary(op, width, wide!(a)));
            }
            Inst::WideOverflow { op, width, dst, carry, a, b } => {
                let (value, over) = wide::overflow(op, width, wide!(a), wide!(b));
                set_wide!(dst, value);
                get!(carry) = over;
            }
            Inst::WideFunnel { left, width, dst, a, b, amount } => {
                set_wide!(dst, wide::funnel(left, width, wide!(a), wide!(b), wide!(amount)));
            }
            Inst::WideCmp { pred, width, dst, a, b } => {
                get!(dst) = wide::compare(pred, width, wide!(a), wide!(b));
            }
            Inst::WideSExt { from, to, dst, a } => {
                let high = if from > 64 { get!(a + 1) } else { Bits::default() };
                let value = wide::Wide::join(get!(a), high);
                set_wide!(dst, wide::sign_extend(from, to, value));
            }
            Inst::Float { op, kind, dst, a, b } => {
                let window = &mut self.thread.registers[base..];
                float::binary(op, kind, dst, a, b, window).map_err(Stop::unsupported)?;
            }
            Inst::FloatUn { op, kind, dst, a } => {
                let window = &mut self.thread.registers[base..];
                float::unary(op, kind, dst, a, window).map_err(Stop::unsupported)?;
            }
            Inst::FloatMulAdd { kind, dst, a, b, c } => {
                let window = &mut self.thread.registers[base..];
                float::multiply_add(kind, dst, [a, b, c], window).map_err(Stop::unsupported)?;
            }
            Inst::FloatCmp { pred, kind, dst, a, b } => {
                float::compare(pred, kind, dst, a, b, &mut self.thread.registers[base..]);
            }
            Inst::FloatCast { op, kind, to, width, dst, a } => {
                float::cast(op, kind, to, width, dst, a, &mut self.thread.registers[base..]);
            }
            Inst::FloatClass { mask, kind, dst, a } => {
                float::classify(mask, kind, dst, a, &mut self.thread.registers[base..]);
            }
            Inst::Alloca { dst, size, count } => {
                self.set_pc(pc);
                self.progress.begin_operation();
                get!(dst) = self.alloca(size, get!(count))?;
            }
            Inst::StackSave { dst } => {
                let frame = self.top().objects as usize;
                get!(dst) = Bits::defined((self.thread.objects.len() - frame) as u64);
            }
            Inst::StackRestore { src } => {
                let keep = self.top().objects as usize + get!(src).value as usize;
                self.thread.stack_used = None;
                while self.thread.objects.len() > keep {
                    let id = self.thread.objects.pop().expect("longer than keep");
                    self.end_stack_object(id);
                }
            }
            Inst::LifetimeStart { addr } => {
                let id = address::object(get!(addr).value);
                self.note_gone(id);
                self.mem.clear_flags(id, Flags::OUT_OF_SCOPE);
                self.mem.undefine(id);
            }
            Inst::LifetimeEnd { addr } => {
                let id = address::object(get!(addr).value);
                self.note_gone(id);
                self.mem.undefine(id);
                self.mem.set_flags(id, Flags::OUT_OF_SCOPE);
            }
            Inst::MemCopy { dst, src, len, may_overlap, .. } => {
                self.set_pc(pc);
                let (dst, src, len) = (get!(dst), get!(src), get!(len));
                self.copy(dst, src, len, may_overlap)?;
            }
            Inst::MemSet { dst, byte, len, .. } => {
                self.set_pc(pc);
                let (dst, byte, len) = (get!(dst), get!(byte), get!(len));
                self.fill(dst, byte, len)?;
            }
            Inst::Rmw { op, bits, order, dst, addr, src } => {
                self.set_pc(pc);
                self.progress.begin_operation();
                self.rmw(base, op, bits, order, dst, addr, src)?;
            }
            Inst::CmpXchg { bits, weak, order, failure, dst, ok, addr, list } => {
                self.set_pc(pc);
                self.progress.begin_operation();
                self.compare_exchange(base, bits, weak, (order, failure), dst, ok, addr, list)?;
            }
            Inst::Fence { order } => self.note_fence(order),
            Inst::SpinHint {} | Inst::VaEnd { .. } => {}
            Inst::TlsAddr { dst, global } => {
                self.set_pc(pc);
                get!(dst) = self.thread_local(global)?;
            }
            Inst::VaArea { dst } => get!(dst) = Bits::defined(self.top().varargs.at(0)),
            Inst::Switch { value, table } => {
                let value = get!(value);
                if value.undefined != 0 {
                    return Err(self.at(pc).undefined_use("a switch"));
                }
                return Ok(Next::Jump(self.function().switch_target(table, value.value)));
            }
            Inst::IndirectJump { addr } => {
                let target = get!(addr);
                return self.at(pc).indirect_jump(target).map(Next::Jump);
            }
            Inst::Return { list } => {
                self.set_pc(pc);
                self.return_from(list)?;
                return Ok(Next::Reload);
            }
            Inst::Call { call } => {
                self.set_pc(pc);
                return Ok(if self.call(call)? { Next::Step } else { Next::Reload });
            }
            Inst::Trap { kind } => return Err(self.at(pc).trap(kind)),
            Inst::Unsupported { what } => {
                self.set_pc(pc);
                return Err(Stop::Unsupported(self.function().unsupported[what as usize].clone()));
            }
        }
        Ok(Next::Step)
    }

    /// Writes the program counter back before it is read.
    #[cold]
    fn at(&mut self, pc: Pc) -> &mut Self {
        self.set_pc(pc);
        self
    }

    fn indirect_jump(&mut self, target: Bits) -> Result<Pc, Stop> {
        if target.undefined != 0 {
            return Err(self.undefined_use("a computed jump"));
        }
        let pc = address::offset(target.value) - 16;
        let here = address::object(address::label(exeunt_ir::FuncId(self.top().func), 0));
        let known = self.function().label_targets.iter().any(|&label| label as i64 == pc);
        if address::object(target.value) != here || !known {
            return Err(self.fault(
                exeunt_model::Property::Undefined,
                "a computed goto jumps to something that is not a label of its function",
            ));
        }
        Ok(pc as Pc)
    }
}

/// An undefined condition leaves defined what both sides agree on.
fn select(cond: Bits, a: Bits, b: Bits) -> Bits {
    if cond.undefined & 1 == 0 {
        return if cond.value & 1 != 0 { a } else { b };
    }
    let undefined = a.undefined | b.undefined | (a.value ^ b.value);
    Bits { value: a.value & !undefined, undefined }
}
