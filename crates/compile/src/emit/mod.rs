//! From instructions to Cranelift's intermediate language.
//!
//! Registers are variables there; Cranelift finds out which of their values meet where. Each instruction in
//! front of which the code can be left has a block that writes the live registers back.

mod control;
mod float;
mod integer;
mod memory;

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, Block, FuncRef, InstBuilder, MemFlags, SigRef, Value, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch, Variable};
use cranelift_jit::JITModule;
use cranelift_module::Module;
use exeunt_ir::address::Space;
use exeunt_ir::{Inst, Pc, Slot};
use exeunt_mem::Bits;

use crate::code::{Helpers, Unit};
use crate::context::{Context, LEAVES};
use crate::facts::Facts;

/// What comes behind an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Ended,
}

/// An operand that no compiled instruction takes: a constant that is not defined.
struct Unknown;

type Emitted<T> = Result<T, Unknown>;

struct Refs {
    load: FuncRef,
    store: FuncRef,
    stored: FuncRef,
    points: FuncRef,
    points_whole: FuncRef,
    compute: FuncRef,
    act: FuncRef,
    call: FuncRef,
    leave: FuncRef,
    /// The type of compiled functions.
    compiled: SigRef,
}

struct Emitter<'u, 'f> {
    unit: &'u Unit<'u>,
    /// Where it says where the code of each function begins.
    starts: usize,
    facts: &'u Facts,
    b: FunctionBuilder<'f>,
    registers: Vec<Variable>,
    window: Variable,
    context: Value,
    /// By instruction: the block that it begins.
    blocks: Vec<Option<Block>>,
    /// By instruction: the block that leaves the code in front of it.
    exits: Vec<Option<Block>>,
    refs: Refs,
}

/// Emits a function; gives the instructions at which it can be entered.
pub(crate) fn function(
    unit: &Unit<'_>,
    starts: usize,
    module: &mut JITModule,
    helpers: &Helpers,
    out: &mut ir::Function,
    scratch: &mut FunctionBuilderContext,
) -> Vec<Pc> {
    let facts = Facts::of(unit.function);
    let mut b = FunctionBuilder::new(out, scratch);
    let mut import = |id| module.declare_func_in_func(id, b.func);
    let refs = Refs {
        load: import(helpers.load),
        store: import(helpers.store),
        stored: import(helpers.stored),
        points: import(helpers.points),
        points_whole: import(helpers.points_whole),
        compute: import(helpers.compute),
        act: import(helpers.act),
        call: import(helpers.call),
        leave: import(helpers.leave),
        compiled: {
            let signature = b.func.signature.clone();
            b.import_signature(signature)
        },
    };
    let first = b.create_block();
    b.append_block_params_for_function_params(first);
    b.switch_to_block(first);
    let (context, entry) = (b.block_params(first)[0], b.block_params(first)[1]);
    let registers = (0..unit.function.registers).map(|_| b.declare_var(types::I64)).collect();
    let window = b.declare_var(types::I64);
    let block = |(leads, b): (&bool, &mut FunctionBuilder<'_>)| leads.then(|| b.create_block());
    let blocks = facts.leads.iter().map(|leads| block((leads, &mut b))).collect();
    let exits = vec![None; unit.function.code.len()];
    let emitter =
        Emitter { unit, starts, facts: &facts, b, registers, window, context, blocks, exits, refs };
    emitter.emit(entry);
    facts.entries
}

impl Emitter<'_, '_> {
    fn emit(mut self, entry: Value) {
        self.enter(entry);
        let mut flow = Flow::Ended;
        for (pc, inst) in (0..).zip(&self.unit.function.code) {
            if let Some(block) = self.blocks[pc as usize] {
                if flow == Flow::Next {
                    self.b.ins().jump(block, &[]);
                }
                self.b.switch_to_block(block);
                flow = Flow::Next;
            }
            // Nothing leads to what is behind an end.
            if flow == Flow::Ended {
                continue;
            }
            flow = match self.instruction(pc, inst) {
                Ok(flow) => flow,
                Err(Unknown) => self.leave(pc),
            };
        }
        self.write_back_at_exits();
        self.b.seal_all_blocks();
        self.b.finalize();
    }

    /// Loads what is live at the place of entry.
    fn enter(&mut self, entry: Value) {
        self.load_window();
        let mut choice = Switch::new();
        let mut ways = Vec::new();
        for (number, &pc) in self.facts.entries.iter().enumerate() {
            let way = self.b.create_block();
            choice.set_entry(number as u128, way);
            ways.push((pc, way));
        }
        let nowhere = self.b.create_block();
        choice.emit(&mut self.b, entry, nowhere);
        self.b.switch_to_block(nowhere);
        self.b.set_cold_block(nowhere);
        self.b.ins().trap(ir::TrapCode::unwrap_user(1));
        for (pc, way) in ways {
            self.b.switch_to_block(way);
            for &slot in self.unit.liveness.before(pc) {
                let value = self.load_slot(slot);
                self.b.def_var(self.registers[slot as usize], value);
            }
            let block = self.block(pc);
            self.b.ins().jump(block, &[]);
        }
    }

    fn instruction(&mut self, pc: Pc, inst: &Inst) -> Emitted<Flow> {
        match *inst {
            Inst::Mov { dst, src } | Inst::Freeze { dst, src } => {
                let value = self.get(src)?;
                self.set(dst, value);
            }
            Inst::Select { dst, cond, a, b } => {
                let (cond, a, b) = (self.get(cond)?, self.get(a)?, self.get(b)?);
                let value = self.b.ins().select(cond, a, b);
                self.set(dst, value);
            }
            Inst::Int { op, width, dst, a, b } => self.int(pc, op, width, dst, a, b)?,
            Inst::Cmp { pred, width, dst, a, b } => self.compare(pred, width, dst, a, b)?,
            Inst::Trunc { width, dst, a } => self.truncate(pc, width, dst, a)?,
            Inst::SExt { from, to, dst, a } => self.sign_extend(from, to, dst, a)?,
            Inst::PtrAdd { dst, base, offset } => self.add_to_pointer(pc, dst, base, offset)?,
            Inst::PtrIndex { dst, base, index, width, scale } => {
                self.index_pointer(pc, dst, base, index, width, scale)?;
            }
            Inst::Float { op, kind, dst, a, b } if float::is_plain(op, kind) => {
                self.float(pc, op, kind, dst, a, b)?;
            }
            Inst::FloatCmp { pred, kind, dst, a, b } if float::is_short(kind) => {
                self.compare_floats(pred, kind, dst, a, b)?;
            }
            Inst::FloatCast { op, kind, to, width, dst, a }
                if float::is_plain_cast(op, kind, to, width) =>
            {
                self.cast(pc, op, kind, to, width, dst, a)?;
            }
            Inst::Load { bits, pointer, access, dst, addr } if memory::is_plain(bits, access) => {
                self.load(pc, bits, pointer, dst, addr)?;
            }
            Inst::Store { bits, access, src, addr, .. } if memory::is_plain(bits, access) => {
                self.store(pc, bits, src, addr)?;
            }
            Inst::Jump { to } => {
                self.jump(pc, to);
                return Ok(Flow::Ended);
            }
            Inst::Branch { cond, yes, no } => return self.branch(pc, cond, yes, no),
            Inst::Switch { value, table } => return self.switch(pc, value, table),
            Inst::Call { call } => return self.call(pc, call),
            Inst::Return { list } => return self.return_from(pc, list),
            Inst::SpinHint {} | Inst::VaEnd { .. } => {}
            Inst::Expose { dst, src } => self.expose(pc, inst, dst, src)?,
            Inst::IntUn { .. }
            | Inst::Overflow { .. }
            | Inst::Funnel { .. }
            | Inst::WideInt { .. }
            | Inst::WideIntUn { .. }
            | Inst::WideOverflow { .. }
            | Inst::WideFunnel { .. }
            | Inst::WideCmp { .. }
            | Inst::WideSExt { .. }
            | Inst::Float { .. }
            | Inst::FloatUn { .. }
            | Inst::FloatMulAdd { .. }
            | Inst::FloatCmp { .. }
            | Inst::FloatCast { .. }
            | Inst::FloatClass { .. }
            | Inst::StackSave { .. }
            | Inst::VaArea { .. } => self.compute(pc, inst)?,
            Inst::Alloca { .. }
            | Inst::LifetimeStart { .. }
            | Inst::LifetimeEnd { .. }
            | Inst::MemCopy { .. }
            | Inst::MemSet { .. }
            | Inst::TlsAddr { .. } => self.act(pc, inst),
            Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::StackRestore { .. }
            | Inst::Rmw { .. }
            | Inst::CmpXchg { .. }
            | Inst::Fence { .. }
            | Inst::IndirectJump { .. }
            | Inst::Trap { .. }
            | Inst::Unsupported { .. } => return Ok(self.leave(pc)),
        }
        Ok(Flow::Next)
    }

    /// Lets the host compute.
    fn compute(&mut self, pc: Pc, inst: &Inst) -> Emitted<()> {
        let mut reads = Vec::new();
        let mut writes = Vec::new();
        inst.operands(self.unit.function, &mut |operand| {
            let list = if operand.write { &mut writes } else { &mut reads };
            list.extend(operand.slot..operand.slot + operand.count);
        });
        for slot in reads {
            let value = self.get(slot)?;
            self.write_back(slot, value);
        }
        self.ask(self.refs.compute, pc);
        self.take_results(pc, &writes);
        Ok(())
    }

    /// An address becomes a number. The host must know if it is one of a dynamic object.
    fn expose(&mut self, pc: Pc, inst: &Inst, dst: Slot, src: Slot) -> Emitted<()> {
        let value = self.get(src)?;
        let (dynamic, fixed, done) = (self.cold(), self.b.create_block(), self.b.create_block());
        let tag = self.b.ins().ushr_imm(value, 56);
        let above = self.b.ins().iadd_imm(tag, -(Space::Heap as i64));
        let last = Space::Thread as i64 - Space::Heap as i64;
        let is_dynamic = self.b.ins().icmp_imm(IntCC::UnsignedLessThanOrEqual, above, last);
        self.b.ins().brif(is_dynamic, dynamic, &[], fixed, &[]);
        self.b.switch_to_block(fixed);
        self.set(dst, value);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(dynamic);
        self.compute(pc, inst)?;
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
        Ok(())
    }

    /// Lets the host act.
    fn act(&mut self, pc: Pc, inst: &Inst) {
        let mut writes = Vec::new();
        inst.operands(self.unit.function, &mut |operand| {
            if operand.write {
                writes.extend(operand.slot..operand.slot + operand.count);
            }
        });
        self.write_back_live(pc, &[]);
        let number = self.number(pc.into());
        self.set_field(offset_of!(Context, pc), number);
        let call = self.b.ins().call(self.refs.act, &[self.context, number]);
        let outcome = self.b.inst_results(call)[0];
        let (out, go_on) = (self.cold(), self.b.create_block());
        self.b.ins().brif(outcome, out, &[], go_on, &[]);
        // Nothing is to be written back any more, and the window may be elsewhere.
        self.b.switch_to_block(out);
        let leaves = self.number(LEAVES);
        self.b.ins().return_(&[leaves]);
        self.b.switch_to_block(go_on);
        self.load_window();
        self.take_results(pc, &writes);
    }

    // ---- registers ----------------------------------------------------------

    fn get(&mut self, slot: Slot) -> Emitted<Value> {
        let function = self.unit.function;
        match slot.checked_sub(function.registers) {
            None => Ok(self.b.use_var(self.registers[slot as usize])),
            Some(at) => match function.constants[at as usize] {
                constant if constant.undefined == 0 => Ok(self.number(constant.value)),
                _ => Err(Unknown),
            },
        }
    }

    fn set(&mut self, slot: Slot, value: Value) {
        self.b.def_var(self.registers[slot as usize], value);
    }

    /// The value of a constant.
    fn constant(&self, slot: Slot) -> Option<u64> {
        let at = slot.checked_sub(self.unit.function.registers)?;
        let constant = self.unit.function.constants[at as usize];
        (constant.undefined == 0).then_some(constant.value)
    }

    fn number(&mut self, value: u64) -> Value {
        self.b.ins().iconst(types::I64, value as i64)
    }

    // ---- the window -----------------------------------------------------------

    fn load_window(&mut self) {
        let window = self.field(offset_of!(Context, window));
        self.b.def_var(self.window, window);
    }

    fn load_slot(&mut self, slot: Slot) -> Value {
        let window = self.b.use_var(self.window);
        let at = place(slot) + offset_of!(Bits, value) as i32;
        self.b.ins().load(types::I64, MemFlags::trusted(), window, at)
    }

    /// Writes a register to the window, where others read it.
    fn write_back(&mut self, slot: Slot, value: Value) {
        if !self.facts.is_written(slot) {
            return;
        }
        let window = self.b.use_var(self.window);
        let nothing = self.number(0);
        let flags = MemFlags::trusted();
        self.b.ins().store(flags, value, window, place(slot) + offset_of!(Bits, value) as i32);
        let undefined = place(slot) + offset_of!(Bits, undefined) as i32;
        self.b.ins().store(flags, nothing, window, undefined);
    }

    /// Takes what the host has computed; leaves behind the instruction if it is not defined.
    fn take_results(&mut self, pc: Pc, slots: &[Slot]) {
        let window = self.b.use_var(self.window);
        let mut unknown: Option<Value> = None;
        for &slot in slots {
            let at = place(slot) + offset_of!(Bits, undefined) as i32;
            let mask = self.b.ins().load(types::I64, MemFlags::trusted(), window, at);
            unknown = Some(match unknown {
                None => mask,
                Some(other) => self.b.ins().bor(mask, other),
            });
        }
        if let Some(unknown) = unknown {
            let (out, go_on) = (self.cold(), self.b.create_block());
            self.b.ins().brif(unknown, out, &[], go_on, &[]);
            self.b.switch_to_block(out);
            self.write_back_live(pc + 1, slots);
            self.return_leaving(pc + 1);
            self.b.switch_to_block(go_on);
        }
        for &slot in slots {
            let value = self.load_slot(slot);
            self.set(slot, value);
        }
    }

    fn write_back_live(&mut self, pc: Pc, except: &[Slot]) {
        let liveness = self.unit.liveness;
        for &slot in liveness.before(pc).iter().filter(|slot| !except.contains(slot)) {
            let value = self.b.use_var(self.registers[slot as usize]);
            self.write_back(slot, value);
        }
    }

    // ---- leaving --------------------------------------------------------------

    /// The block that leaves in front of an instruction.
    fn exit(&mut self, pc: Pc) -> Block {
        if let Some(block) = self.exits[pc as usize] {
            return block;
        }
        let block = self.cold();
        self.exits[pc as usize] = Some(block);
        block
    }

    fn leave(&mut self, pc: Pc) -> Flow {
        let exit = self.exit(pc);
        self.b.ins().jump(exit, &[]);
        Flow::Ended
    }

    /// Leaves in front of an instruction if a value is not zero.
    fn leave_if(&mut self, pc: Pc, condition: Value) {
        let (exit, go_on) = (self.exit(pc), self.b.create_block());
        self.b.ins().brif(condition, exit, &[], go_on, &[]);
        self.b.switch_to_block(go_on);
    }

    fn write_back_at_exits(&mut self) {
        for pc in 0..self.exits.len() {
            if let Some(block) = self.exits[pc] {
                self.b.switch_to_block(block);
                self.write_back_live(pc as Pc, &[]);
                self.return_leaving(pc as Pc);
            }
        }
    }

    fn return_leaving(&mut self, pc: Pc) {
        let pc = self.number(pc.into());
        self.set_field(offset_of!(Context, pc), pc);
        let leaves = self.number(LEAVES);
        self.b.ins().return_(&[leaves]);
    }

    // ---- the context ----------------------------------------------------------

    fn field(&mut self, offset: usize) -> Value {
        self.b.ins().load(types::I64, MemFlags::trusted(), self.context, offset as i32)
    }

    fn set_field(&mut self, offset: usize, value: Value) {
        self.b.ins().store(MemFlags::trusted(), value, self.context, offset as i32);
    }

    /// Asks the host to do an instruction; leaves in front of it if it says so.
    fn ask(&mut self, whom: FuncRef, pc: Pc) {
        let number = self.number(pc.into());
        let call = self.b.ins().call(whom, &[self.context, number]);
        let outcome = self.b.inst_results(call)[0];
        // The host may have made the frame, and put the registers into it.
        self.load_window();
        self.leave_if(pc, outcome);
    }

    // ---- blocks ---------------------------------------------------------------

    fn block(&self, pc: Pc) -> Block {
        self.blocks[pc as usize].expect("where control goes a block begins")
    }

    fn cold(&mut self) -> Block {
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        block
    }

    fn is_above(&mut self, value: Value, bound: u64) -> Value {
        let bound = self.number(bound);
        self.b.ins().icmp(IntCC::UnsignedGreaterThan, value, bound)
    }
}

/// Where a register is in the window.
pub(super) fn place(slot: Slot) -> i32 {
    slot as i32 * size_of::<Bits>() as i32
}
