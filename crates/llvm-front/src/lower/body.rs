//! One function's code while it is being built.
//!
//! Constants get slot numbers with [`CONSTANT`] set and jump targets are
//! [`Label`]s until the function is finished, when the number of registers
//! and the place of every label are known.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use exeunt_ir::{
    Callee, Clause, Const, FuncId, Function, Inst, LocId, Operand, Pc, Slot, VariablePlace,
};

use super::calls::returns_twice;
use super::constants::{ConstError, PendingLabel};
use super::{Lowered, Unit, Unsupported, unsupported};
use crate::llvm::{Block, Metadata, Opcode, Value};

/// Marks a slot number as an index into the constants.
const CONSTANT: Slot = 1 << 31;

/// A jump target that has no place yet; used wherever a [`Pc`] will be.
pub(super) type Label = Pc;

pub(super) type Slots = Rc<[Slot]>;

pub(super) struct Body<'u, 'm> {
    pub unit: &'u mut Unit<'m>,
    pub function: Value<'m>,
    pub id: FuncId,
    /// What is built.
    pub out: Function,
    /// The position of what is being lowered.
    loc: LocId,
    /// For instructions without a position: the function's name only.
    unknown_loc: LocId,
    /// Where a constant (one or two slots) is.
    constant_index: HashMap<(Const, Option<Const>), Slot>,
    /// The first slot of each leaf of each value.
    pub values: HashMap<Value<'m>, Slots>,
    pub local_names: HashMap<Value<'m>, (Arc<str>, Option<exeunt_ir::DebugTypeId>)>,
    /// The variables of debug records, numbered.
    pub variables: HashMap<Metadata<'m>, u32>,
    labels: Vec<Option<Pc>>,
    pub block_labels: HashMap<Block<'m>, Label>,
    /// Blocks whose address is taken, with the label that computed gotos go to.
    pub address_taken: Vec<(Block<'m>, Label)>,
    /// Per block reached by computed gotos: slots that carry its phis there.
    pub staging: HashMap<Block<'m>, Slots>,
    /// The block that is laid out behind the current one.
    pub next_block: Option<Block<'m>>,
    /// The values that a slot of its own holds: the result it was made for,
    /// then its aliases.
    owners: HashMap<Slot, Vec<Value<'m>>>,
    /// The first instruction of the straight run of blocks that ends here.
    pub run_start: Pc,
    /// Whether a `longjmp` may come back into this function.
    returns_twice: bool,
    /// Where the unwinder leaves an exception and the number of its clause.
    pub received: Option<Slot>,
    /// The pad of the call that is being lowered.
    pub pad: Option<u32>,
}

pub(super) fn lower<'m>(unit: &mut Unit<'m>, function: Value<'m>, id: FuncId) -> Function {
    let unknown_loc = unit.unknown_in(function);
    let out = unit.program.functions[id.0 as usize].clone();
    let mut body = Body {
        unit,
        function,
        id,
        out,
        loc: unknown_loc,
        unknown_loc,
        constant_index: HashMap::new(),
        values: HashMap::new(),
        local_names: HashMap::new(),
        variables: HashMap::new(),
        labels: Vec::new(),
        block_labels: HashMap::new(),
        address_taken: Vec::new(),
        staging: HashMap::new(),
        next_block: None,
        owners: HashMap::new(),
        run_start: 0,
        returns_twice: calls_setjmp(function),
        received: None,
        pad: None,
    };
    let params = body.parameters();
    match params.and_then(|params| body.prologue().map(|()| params)) {
        Ok(params) => {
            body.blocks();
            body.finish(params)
        }
        Err(why) => {
            body.give_up(why);
            let params =
                Function::slots_of(&body.unit.program.signature(body.signature()).params.clone());
            body.out.registers = body.out.registers.max(params);
            body.finish(params)
        }
    }
}

impl<'m> Body<'_, 'm> {
    fn signature(&self) -> exeunt_ir::SigId {
        self.unit.program.functions[self.id.0 as usize].signature
    }

    /// Gives the parameters the first slots; returns how many they take.
    fn parameters(&mut self) -> Lowered<u32> {
        for param in self.function.params() {
            self.result(param)?;
        }
        Ok(self.out.registers)
    }

    // ---- emitting ----------------------------------------------------------------

    pub fn pc(&self) -> Pc {
        self.out.code.len() as Pc
    }

    pub fn emit(&mut self, inst: Inst) {
        self.out.code.push(inst);
        self.out.locs.push(self.loc);
    }

    pub fn at(&mut self, instruction: Value<'m>) {
        self.loc = self.unit.instruction_loc(instruction).unwrap_or(self.unknown_loc);
    }

    /// Marks the place of something that cannot be lowered.
    pub fn give_up(&mut self, Unsupported(what): Unsupported) {
        let row = self.out.unsupported.iter().position(|known| **known == *what);
        let row = row.unwrap_or_else(|| {
            self.out.unsupported.push(Arc::from(what));
            self.out.unsupported.len() - 1
        });
        self.emit(Inst::Unsupported { what: row as u32 });
    }

    pub fn new_label(&mut self) -> Label {
        self.labels.push(None);
        self.labels.len() as Label - 1
    }

    pub fn place(&mut self, label: Label) {
        self.labels[label as usize] = Some(self.pc());
    }

    // ---- slots -------------------------------------------------------------------

    pub fn fresh(&mut self, slots: u32) -> Slot {
        let first = self.out.registers;
        self.out.registers += slots;
        first
    }

    /// New slots for the result of an instruction (or a parameter).
    pub fn result(&mut self, value: Value<'m>) -> Lowered<Slots> {
        let before = self.fresh(0);
        let slots = self.fresh_for(value)?;
        // A pair of slots is not renamed: its second half has no name here.
        if let ([slot], 1) = (&*slots, self.fresh(0) - before) {
            self.owners.insert(*slot, vec![value]);
        }
        self.values.insert(value, slots.clone());
        Ok(slots)
    }

    pub fn fresh_for(&mut self, value: Value<'m>) -> Lowered<Slots> {
        let leaves = self.unit.leaves(value.ty())?;
        Ok(leaves.iter().map(|leaf| self.fresh(leaf.ty.slots())).collect())
    }

    /// The result is what these slots hold already.
    pub fn alias(&mut self, value: Value<'m>, slots: Slots) {
        for slot in slots.iter() {
            if let Some(owners) = self.owners.get_mut(slot) {
                owners.push(value);
            }
        }
        self.values.insert(value, slots);
    }

    pub fn is_constant_slot(&self, slot: Slot) -> bool {
        slot & CONSTANT != 0
    }

    pub fn constant(&mut self, value: u64) -> Slot {
        self.constant_slot(Const::defined(value), None)
    }

    pub fn constant_slot(&mut self, low: Const, high: Option<Const>) -> Slot {
        if let Some(&slot) = self.constant_index.get(&(low, high)) {
            return slot;
        }
        let slot = CONSTANT | self.out.constants.len() as Slot;
        self.out.constants.push(low);
        self.out.constants.extend(high);
        self.constant_index.insert((low, high), slot);
        slot
    }

    /// The value of a slot that is a constant.
    pub fn constant_at(&self, slot: Slot) -> Option<u64> {
        let index = (slot & CONSTANT != 0).then_some(slot & !CONSTANT)?;
        self.out.constants.get(index as usize).map(|constant| constant.value)
    }

    /// The slots of an operand, one for each leaf.
    pub fn operand(&mut self, value: Value<'m>) -> Lowered<Slots> {
        if let Some(slots) = self.values.get(&value) {
            return Ok(slots.clone());
        }
        if !value.is_constant() {
            return unsupported("a value that depends on something unsupported");
        }
        match self.unit.constant(value) {
            Ok(constants) => self.constant_leaves(value, &constants),
            Err(ConstError::Unsupported(why)) => Err(why),
            Err(ConstError::ThreadLocal) => self.computed_constant(value),
            Err(ConstError::Label) => self.label_constant(value),
        }
    }

    /// The slot of an operand that has one leaf.
    pub fn scalar(&mut self, value: Value<'m>) -> Lowered<Slot> {
        match *self.operand(value)? {
            [slot] => Ok(slot),
            _ => unsupported(format!("a value of type {} in this place", value.ty())),
        }
    }

    fn constant_leaves(&mut self, value: Value<'m>, constants: &[Const]) -> Lowered<Slots> {
        let leaves = self.unit.leaves(value.ty())?;
        let mut rest = constants.iter().copied();
        let mut slots = Vec::with_capacity(leaves.len());
        for leaf in leaves.iter() {
            let low = rest.next().expect("one constant for each slot");
            let high = (leaf.ty.slots() == 2).then(|| rest.next().expect("a pair"));
            slots.push(self.constant_slot(low, high));
        }
        Ok(slots.into())
    }

    /// A constant that contains a label's address: its value is known when
    /// all functions have been laid out.
    fn label_constant(&mut self, value: Value<'m>) -> Lowered<Slots> {
        let leaves = self.unit.leaves(value.ty())?;
        let first = self.out.constants.len() as u32;
        let mut slots = Vec::new();
        for leaf in leaves.iter() {
            slots.push(CONSTANT | self.out.constants.len() as Slot);
            let count = leaf.ty.slots() as usize;
            self.out.constants.extend(std::iter::repeat_n(Const::default(), count));
        }
        self.unit.pending.push(PendingLabel { function: self.id, first, value });
        let slots: Slots = slots.into();
        self.values.insert(value, slots.clone());
        Ok(slots)
    }

    /// A constant expression over a thread-local address: a constant only for
    /// one thread, so it is computed where it is used.
    fn computed_constant(&mut self, value: Value<'m>) -> Lowered<Slots> {
        if let Some(&global) = self.unit.globals.get(&value) {
            let dst = self.fresh(1);
            self.emit(Inst::TlsAddr { dst, global: global.0 });
            return Ok([dst].into());
        }
        let slots = match value.constant_opcode() {
            Some(Opcode::LLVMGetElementPtr) => self.gep_slots(value)?,
            Some(
                Opcode::LLVMBitCast
                | Opcode::LLVMIntToPtr
                | Opcode::LLVMPtrToInt
                | Opcode::LLVMAddrSpaceCast,
            ) => self.operand(value.operand(0))?,
            _ => return unsupported("a constant that contains a thread-local address"),
        };
        Ok(slots)
    }

    // ---- coalescing --------------------------------------------------------------

    /// Makes the computation of `src` in the current run of blocks write `dst` at
    /// once, so that no copy at its end is needed; says whether
    /// that was possible. It is if no other instruction reads `src`, and none reads
    /// the old `dst` once `src` is computed.
    ///
    /// The caller knows that the run has one successor, where `dst` is a
    /// phi: the old value of `dst` ends there anyway.
    pub fn coalesce(&mut self, dst: Slot, src: Slot) -> bool {
        let Some(owners) = self.owners.get(&src) else { return false };
        let once = |owner: &Value<'m>| owner.is_instruction() && owner.has_one_use();
        if self.returns_twice || !owners.iter().all(once) {
            return false;
        }
        let start = self.run_start as usize;
        let writes = |inst: &Inst| touches(&self.out, inst, src, |operand| operand.write);
        let Some(first) = self.out.code[start..].iter().position(writes) else { return false };
        let first = start + first;
        let later = &self.out.code[first + 1..];
        if later.iter().any(|inst| touches(&self.out, inst, dst, |_| true)) {
            return false;
        }
        self.rename(first, src, dst);
        true
    }

    fn rename(&mut self, first: usize, from: Slot, to: Slot) {
        let mut swap = |slot: &mut Slot| {
            if *slot == from {
                *slot = to;
            }
        };
        for row in self.out.variables.iter_mut().filter(|row| row.pc as usize > first) {
            if let VariablePlace::Register(slot) = &mut row.place {
                swap(slot);
            }
        }
        for inst in &mut self.out.code[first..] {
            inst.slots_mut(&mut swap);
            if let Inst::Call { call } = inst
                && let Some(result) = &mut self.out.calls[*call as usize].result
            {
                swap(result);
            }
        }
    }

    // ---- finishing ---------------------------------------------------------------

    fn finish(mut self, params: u32) -> Function {
        self.out.params = params;
        let pc_of = |label: Label| {
            self.labels[label as usize].expect("every label of a finished function is placed")
        };
        for (block, label) in self.address_taken {
            self.out.label_targets.push(pc_of(label));
            self.unit.labels.insert(block, (self.id, pc_of(label)));
        }
        place_labels(&mut self.out, &pc_of);
        number_constants(&mut self.out);
        self.out
    }
}

/// Whether an instruction has an operand of some sort that covers a slot.
fn touches(out: &Function, inst: &Inst, slot: Slot, sort: fn(&Operand) -> bool) -> bool {
    let mut found = false;
    inst.operands(out, &mut |operand| {
        let covered = operand.slot..operand.slot + operand.count;
        found |= sort(&operand) && covered.contains(&slot);
    });
    found
}

/// Whether a function calls something that may return twice.
fn calls_setjmp(function: Value<'_>) -> bool {
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    instructions.into_iter().any(|instruction| {
        matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
            && returns_twice(instruction)
    })
}

fn place_labels(function: &mut Function, pc_of: &dyn Fn(Label) -> Pc) {
    for inst in &mut function.code {
        inst.targets_mut(&mut |to| *to = pc_of(*to));
    }
    function.pads.iter_mut().for_each(|pad| pad.to = pc_of(pad.to));
    for table in &mut function.switches {
        table.default = pc_of(table.default);
        table.cases.iter_mut().for_each(|case| case.1 = pc_of(case.1));
    }
}

/// Moves constants from their provisional numbers to behind the registers.
fn number_constants(function: &mut Function) {
    let registers = function.registers;
    let number = |slot: &mut Slot| {
        if *slot & CONSTANT != 0 {
            *slot = registers + (*slot & !CONSTANT);
        }
    };
    function.code.iter_mut().for_each(|inst| inst.slots_mut(&mut { number }));
    function.lists.iter_mut().flat_map(|list| list.iter_mut()).for_each(number);
    for site in &mut function.calls {
        if let Callee::Indirect(slot) = &mut site.callee {
            number(slot);
        }
        site.args.iter_mut().for_each(|arg| number(&mut arg.slot));
    }
    for clause in function.pads.iter_mut().flat_map(|pad| pad.clauses.iter_mut()) {
        match clause {
            Clause::Catch(slot) => number(slot),
            Clause::Filter(slots) => slots.iter_mut().for_each(number),
        }
    }
}
