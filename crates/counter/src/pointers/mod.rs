//! Where pointers may point: a flow-insensitive analysis of all threads with
//! their calls expanded, exact in offsets where they are constant.
//!
//! After L. O. Andersen, "Program analysis and specialization for the C
//! programming language" (1994), with one value for each register of a call
//! instead of one for each variable. Branches on constants are followed one way, as in
//! Wegman and Zadeck, "Constant propagation with conditional branches" (1991): so the two ways to
//! call a member function of C++ are told apart.
//!
//! Two rounds: in the first, memory to which nothing was written yet says nothing; in the second it
//! may hold anything. What is known after the second is true of every run.

mod calls;

use std::collections::{BTreeMap, BTreeSet};

use exeunt_ir::{CmpPred, FuncId, GlobalId, Inst, IntOp, Pc, Program, Scalar, Slot, Touch};

use crate::address::{Context, Object, Value};
use crate::library::Meaning;

/// Blocks of more bytes than that are not copied pointer by pointer.
const LARGEST_COPY: u64 = 4096;

/// What a thread gets as its parameter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Argument {
    /// It comes from calls that are not there to see.
    Given,
    Known(Value),
}

/// What is looked at.
pub(crate) struct Scene<'p> {
    pub program: &'p Program,
    pub contexts: &'p [Context],
    pub children: &'p BTreeMap<(usize, Pc), usize>,
    /// Where threads begin, with what they get.
    pub entries: &'p [(usize, Argument)],
    /// Something ran before that is not followed.
    pub begun: bool,
    pub meaning: &'p dyn Fn(FuncId) -> Option<Meaning>,
}

/// The answers, for all contexts.
pub(crate) struct Pointers<'p> {
    scene: &'p Scene<'p>,
    program: &'p Program,
    contexts: &'p [Context],
    registers: Vec<Vec<Value>>,
    /// Instructions that are executed, perhaps.
    reached: Vec<Vec<bool>>,
    cells: BTreeMap<(Object, i64), Value>,
    anywhere: BTreeMap<Object, Value>,
    pub escaped: BTreeSet<Object>,
    /// Where lists begin.
    heads: &'p BTreeSet<(Object, i64)>,
    /// What was ever added to a list.
    elements: Value,
    /// The first round is over.
    settled: bool,
    changed: bool,
}

impl<'p> Pointers<'p> {
    pub fn solve(scene: &'p Scene<'p>, heads: &'p BTreeSet<(Object, i64)>) -> Self {
        let Scene { program, contexts, .. } = *scene;
        let function = |context: &Context| program.function(context.func);
        let registers = contexts.iter().map(|at| function(at).registers as usize);
        let reached = contexts.iter().map(|at| vec![false; function(at).code.len()]);
        let mut pointers = Pointers {
            scene,
            program,
            contexts,
            registers: registers.map(|count| vec![Value::Nothing; count]).collect(),
            reached: reached.collect(),
            cells: BTreeMap::new(),
            anywhere: BTreeMap::new(),
            escaped: BTreeSet::new(),
            heads,
            elements: Value::Nothing,
            settled: false,
            changed: true,
        };
        pointers.read_initial_data();
        if scene.begun {
            pointers.anything_happens();
        }
        for (context, argument) in scene.entries {
            pointers.enter(*context, argument);
        }
        for settled in [false, true] {
            (pointers.settled, pointers.changed) = (settled, true);
            while pointers.changed {
                pointers.changed = false;
                (0..contexts.len()).for_each(|context| pointers.visit(context));
            }
        }
        pointers
    }

    fn enter(&mut self, context: usize, argument: &Argument) {
        let function = self.program.function(self.contexts[context].func);
        self.reach(context, 0);
        let known = match argument {
            Argument::Known(value) => Some(value),
            Argument::Given => None,
        };
        for slot in 0..function.params {
            let value = known.filter(|_| slot == 0).cloned().unwrap_or(Value::Unknown);
            self.define(context, slot, value);
        }
        let signature = self.program.signature(function.signature);
        let holds_address = |param: &Scalar| *param == Scalar::Ptr || param.bits() >= 64;
        // Who starts the program knows no address in it.
        let is_main = self.program.main == Some(self.contexts[context].func);
        if known.is_none() && !is_main && signature.params.iter().any(holds_address) {
            // Who calls it may know the address of every variable.
            let globals = (0..self.program.globals.len() as u32).map(GlobalId);
            self.escaped.extend(globals.map(Object::Global));
        }
    }

    /// Addresses in the initial contents of variables, also in packed structs.
    fn read_initial_data(&mut self) {
        for (index, global) in self.program.globals.iter().enumerate() {
            for (offset, bytes) in global.data.windows(8).enumerate() {
                if bytes[7] == 0 {
                    continue;
                }
                let value = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
                let value = Value::of_constant(value);
                let is_address = match &value {
                    Value::Address(Object::Global(id), _) => {
                        (id.0 as usize) < self.program.globals.len()
                    }
                    other => other.function().is_some(),
                };
                if is_address {
                    let object = Object::Global(GlobalId(index as u32));
                    self.escape(&value);
                    self.put((object, offset as i64), value);
                }
            }
        }
    }

    /// Every variable may be changed, and its address may be kept.
    fn anything_happens(&mut self) {
        let globals = (0..self.program.globals.len() as u32).map(GlobalId);
        let all: BTreeSet<Object> = globals.map(Object::Global).collect();
        for object in all.union(&self.escaped.clone()) {
            self.put_anywhere(*object, &Value::Unknown);
        }
        if self.scene.begun {
            self.escaped.extend(all);
        }
    }

    pub fn at(&self, context: usize, slot: Slot) -> Value {
        let function = self.program.function(self.contexts[context].func);
        match slot.checked_sub(function.registers) {
            Some(constant) => {
                let constant = function.constants[constant as usize];
                match constant.undefined {
                    0 => Value::of_constant(constant.value),
                    // Nobody follows it.
                    _ => Value::Nothing,
                }
            }
            None => self.registers[context][slot as usize].clone(),
        }
    }

    /// Whether a run may come to this instruction.
    pub fn is_reached(&self, context: usize, pc: Pc) -> bool {
        self.reached[context][pc as usize]
    }

    /// The objects that an access may touch; `None` for a constant address.
    pub fn targets(&self, value: &Value) -> BTreeSet<Object> {
        match value {
            Value::Unknown => self.escaped.clone(),
            Value::Member(..) => match &self.elements {
                Value::Unknown | Value::Member(..) => self.escaped.clone(),
                known => known.objects(),
            },
            Value::Nothing | Value::Number(_) | Value::Address(..) | Value::Somewhere(_) => {
                value.objects()
            }
        }
    }

    fn reach(&mut self, context: usize, pc: Pc) {
        let known = &mut self.reached[context][pc as usize];
        self.changed |= !*known;
        *known = true;
    }

    fn define(&mut self, context: usize, slot: Slot, value: Value) {
        let old = &mut self.registers[context][slot as usize];
        let new = old.joined(&value);
        if new != *old {
            *old = new;
            self.changed = true;
        }
    }

    fn put(&mut self, at: (Object, i64), value: Value) {
        let old = self.cells.entry(at).or_insert(Value::Nothing);
        let new = old.joined(&value);
        if new != *old {
            *old = new;
            self.changed = true;
        }
    }

    fn put_anywhere(&mut self, object: Object, value: &Value) {
        let old = self.anywhere.entry(object).or_insert(Value::Nothing);
        let new = old.joined(value);
        if new != *old {
            *old = new;
            self.changed = true;
        }
    }

    fn escape(&mut self, value: &Value) {
        for object in value.objects() {
            self.changed |= self.escaped.insert(object);
        }
    }

    fn store(&mut self, address: &Value, value: Value, bits: u8) {
        self.escape(&value);
        if bits > 64 {
            return self.store_anything(address);
        }
        let number = matches!(value, Value::Number(_)) && value.function().is_none();
        match address {
            // What is not written there is undefined, so the numbers that are written are all.
            Value::Address(object @ (Object::Frame(..) | Object::Heap(..)), offset)
                if number && bits == 64 =>
            {
                self.put((*object, *offset), value);
            }
            _ if value == Value::Number(0) && bits == 64 => self.store_null(address, Some(8)),
            Value::Address(object, offset) => {
                // Initially there may be another number.
                let value = if number { Value::Unknown } else { value };
                self.put((*object, *offset), value);
            }
            Value::Nothing
            | Value::Number(_)
            | Value::Somewhere(_)
            | Value::Unknown
            | Value::Member(..) => {
                let value = if number { Value::Unknown } else { value };
                for object in self.targets(address) {
                    self.put_anywhere(object, &value);
                }
            }
        }
    }

    /// Null is no address. But what was a number or the address of a function is perhaps none, in so
    /// many bytes from there or anywhere.
    fn store_null(&mut self, address: &Value, bytes: Option<i64>) {
        let range = |object: Object| match (address, bytes) {
            (Value::Address(_, offset), Some(bytes)) => {
                ((object, offset.saturating_sub(7)), (object, offset.saturating_add(bytes)))
            }
            _ => ((object, i64::MIN), (object, i64::MAX)),
        };
        for object in self.targets(address) {
            let (first, end) = range(object);
            let cells = self.cells.range(first..end);
            let other = |value: &Value| matches!(value, Value::Number(number) if *number != 0);
            let others: Vec<(Object, i64)> =
                cells.filter(|(_, value)| other(value)).map(|(at, _)| *at).collect();
            others.into_iter().for_each(|at| self.put(at, Value::Unknown));
        }
    }

    /// Something that is not followed is written there.
    fn store_anything(&mut self, address: &Value) {
        for object in self.targets(address) {
            self.put_anywhere(object, &Value::Unknown);
        }
    }

    fn load(&self, address: &Value) -> Value {
        let Value::Address(object, offset) = address else {
            let waits = *address == Value::Nothing && !self.settled;
            return if waits { Value::Nothing } else { Value::Unknown };
        };
        // The first element or the last.
        for back in [0, 8] {
            if self.heads.contains(&(*object, offset - back)) {
                return Value::Member(*object, offset - back);
            }
        }
        // Only whole pointers are followed; whatever is not stored so is unknown.
        let missing = if self.settled { Value::Unknown } else { Value::Nothing };
        let known = self.cells.get(&(*object, *offset)).filter(|value| **value != Value::Nothing);
        let known = known.cloned().unwrap_or(missing);
        let overlaps = self.cells.range((*object, offset - 7)..(*object, offset + 8));
        if overlaps.count() > 1 {
            return Value::Unknown;
        }
        match self.anywhere.get(object) {
            Some(value) => known.joined(value),
            None => known,
        }
    }

    /// Copies a block of memory. `false` if it is not known what is copied where.
    fn copy(&mut self, to: &Value, from: &Value, bytes: &Value) -> bool {
        let (Value::Address(to, at), Value::Address(from, begin), Value::Number(bytes)) =
            (to, from, bytes)
        else {
            return false;
        };
        if *bytes > LARGEST_COPY || self.heads.iter().any(|(head, _)| head == from || head == to) {
            return false;
        }
        let end = begin + *bytes as i64;
        let parts = self.cells.range((*from, begin - 7)..(*from, end));
        let parts: Vec<(i64, Value)> =
            parts.map(|((_, offset), value)| (*offset, value.clone())).collect();
        let whole = |offset: &i64| *offset >= *begin && offset + 8 <= end;
        for (offset, value) in parts.iter().filter(|(offset, _)| whole(offset)) {
            self.put((*to, at + offset - begin), value.clone());
        }
        if let Some(value) = self.anywhere.get(from).cloned() {
            self.put_anywhere(*to, &value);
        }
        if self.settled {
            let known = |offset: i64| parts.iter().any(|(other, _)| *other == offset - at + begin);
            let there = self.cells.range((*to, at - 7)..(*to, at + *bytes as i64));
            let others: Vec<i64> =
                there.map(|((_, offset), _)| *offset).filter(|offset| !known(*offset)).collect();
            others.into_iter().for_each(|offset| self.put((*to, offset), Value::Unknown));
        }
        true
    }

    fn visit(&mut self, context: usize) {
        let function = self.program.function(self.contexts[context].func);
        for (pc, inst) in function.code.iter().enumerate() {
            if !self.reached[context][pc] {
                continue;
            }
            self.instruction(context, pc as Pc, inst);
            if let Inst::Branch { cond, yes, no } = *inst {
                match self.at(context, cond) {
                    Value::Number(bit) => self.reach(context, if bit & 1 == 1 { yes } else { no }),
                    Value::Nothing if !self.settled => {}
                    Value::Nothing
                    | Value::Address(..)
                    | Value::Somewhere(_)
                    | Value::Unknown
                    | Value::Member(..) => [yes, no].iter().for_each(|to| self.reach(context, *to)),
                }
            } else {
                inst.successors(function, pc as Pc, &mut |to| self.reach(context, to));
            }
        }
    }

    fn instruction(&mut self, context: usize, pc: Pc, inst: &Inst) {
        let function = self.program.function(self.contexts[context].func);
        if let Inst::Store { src, addr, bits, .. } = *inst {
            let (address, value) = (self.at(context, addr), self.at(context, src));
            self.store(&address, value, bits);
        } else if let Inst::Call { call } = *inst {
            self.call(context, pc, call);
        } else if let Inst::Return { list } = *inst {
            let values = function.lists[list as usize].iter().map(|s| self.at(context, *s));
            let values: Vec<Value> = values.collect();
            self.returned(context, &values);
        } else if let Some((dst, value)) = self.computed(context, pc, inst) {
            self.define(context, dst, value);
        } else if let Inst::MemCopy { dst, src, len, .. } = *inst {
            let [to, from, bytes] = [dst, src, len].map(|slot| self.at(context, slot));
            let waits = [&to, &from, &bytes].contains(&&Value::Nothing) && !self.settled;
            if !waits && !self.copy(&to, &from, &bytes) {
                self.store_anything(&to);
            }
        } else if let Inst::MemSet { dst, byte, len, .. } = *inst {
            let [to, byte, bytes] = [dst, byte, len].map(|slot| self.at(context, slot));
            let known =
                if let Value::Number(count) = bytes { i64::try_from(count).ok() } else { None };
            if byte == Value::Number(0) {
                self.store_null(&to, known);
            } else if byte != Value::Nothing || self.settled {
                self.store_anything(&to);
            }
        } else {
            self.other(context, inst);
        }
    }

    /// The result of an instruction that makes pointers of pointers.
    fn computed(&self, context: usize, pc: Pc, inst: &Inst) -> Option<(Slot, Value)> {
        if let Inst::Mov { dst, src } | Inst::Freeze { dst, src } = *inst {
            return Some((dst, self.at(context, src)));
        }
        if let Inst::Select { dst, a, b, .. } = *inst {
            return Some((dst, self.at(context, a).joined(&self.at(context, b))));
        }
        if let Inst::PtrAdd { dst, base, offset } = *inst {
            return Some((dst, self.at(context, base).moved(Some(i64::from(offset)))));
        }
        if let Inst::PtrIndex { dst, base, index, width, scale } = *inst {
            let by = match self.at(context, index) {
                Value::Number(number) => Some(extended(number, width) * i64::from(scale)),
                Value::Nothing if !self.settled => return Some((dst, Value::Nothing)),
                Value::Nothing
                | Value::Address(..)
                | Value::Somewhere(_)
                | Value::Unknown
                | Value::Member(..) => None,
            };
            return Some((dst, self.at(context, base).moved(by)));
        }
        if let Inst::Alloca { dst, .. } = *inst {
            return Some((dst, Value::Address(Object::Frame(context, pc), 0)));
        }
        if let Inst::TlsAddr { dst, global } = *inst {
            let own = Object::ThreadLocal(global, self.contexts[context].thread);
            return Some((dst, Value::Address(own, 0)));
        }
        if let Inst::Load { bits: 64, dst, addr, .. } = *inst {
            return Some((dst, self.load(&self.at(context, addr))));
        }
        if let Inst::Int { op: IntOp::And, dst, a, b, .. } = *inst {
            return self.of_numbers(context, (dst, a, b), &|a, b| a & b);
        }
        if let Inst::Cmp { pred: pred @ (CmpPred::Eq | CmpPred::Ne), width, dst, a, b } = *inst {
            let differ = pred == CmpPred::Ne;
            let same = |a, b| extended(a, width) == extended(b, width);
            return self.of_numbers(context, (dst, a, b), &|a, b| u64::from(same(a, b) != differ));
        }
        None
    }

    /// A computation with constants. Anything else is not followed.
    fn of_numbers(
        &self,
        context: usize,
        (dst, a, b): (Slot, Slot, Slot),
        compute: &dyn Fn(u64, u64) -> u64,
    ) -> Option<(Slot, Value)> {
        match (self.at(context, a), self.at(context, b)) {
            (Value::Number(a), Value::Number(b)) => Some((dst, Value::Number(compute(a, b)))),
            (Value::Nothing, _) | (_, Value::Nothing) if !self.settled => {
                Some((dst, Value::Nothing))
            }
            _ => None,
        }
    }

    /// Whatever else an instruction writes is unknown, and whatever it takes
    /// other than to access it may be kept.
    fn other(&mut self, context: usize, inst: &Inst) {
        let function = self.program.function(self.contexts[context].func);
        let (mut accessed, mut written) = (BTreeSet::new(), BTreeSet::new());
        inst.touches(|touch| match touch {
            Touch::Reads { addr, .. } | Touch::Lives { addr } => {
                accessed.insert(addr);
            }
            Touch::Writes { addr, .. } | Touch::Updates { addr, .. } => {
                accessed.insert(addr);
                written.insert(addr);
            }
            Touch::Allocates { .. }
            | Touch::Unwinds { .. }
            | Touch::Calls { .. }
            | Touch::Orders { .. } => {}
        });
        for addr in written {
            let address = self.at(context, addr);
            self.store_anything(&address);
        }
        let mut operands = Vec::new();
        inst.operands(function, &mut |operand| operands.push(operand));
        for operand in operands {
            for slot in operand.slot..operand.slot + operand.count {
                if operand.write {
                    self.define(context, slot, Value::Unknown);
                } else if !accessed.contains(&slot) {
                    let value = self.at(context, slot);
                    self.escape(&value);
                }
            }
        }
    }
}

fn extended(number: u64, width: u8) -> i64 {
    let unused = 64 - u32::from(width);
    ((number << unused) as i64) >> unused
}
