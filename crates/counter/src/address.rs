//! Where pointers may point: a flow-insensitive analysis of all threads with
//! their calls expanded, exact in offsets where they are constant.
//!
//! Taken for granted: pointer arithmetic stays inside its object, as C demands.
//! After L. O. Andersen, "Program analysis and specialization for the C
//! programming language" (1994), with one value for each register of a call
//! instead of one for each variable.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_ir::address::{self, Space};
use exeunt_ir::{Callee, FuncId, GlobalId, Inst, Pc, Program, Scalar, Slot, Touch};

use crate::library::{Again, ListOp, Meaning};

/// A call, expanded: the function, who called it from where.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub func: FuncId,
    pub thread: usize,
    pub caller: Option<(usize, Pc)>,
}

/// A memory object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Object {
    Global(GlobalId),
    /// A variable that each thread has for itself: of the thread with this index.
    ThreadLocal(u32, usize),
    /// What `alloca` or an allocation function makes at this place.
    Frame(usize, Pc),
    Heap(usize, Pc),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Nothing,
    Number(u64),
    Address(Object, i64),
    /// Somewhere in one of these.
    Somewhere(BTreeSet<Object>),
    /// Somewhere in an element that was seen in the list which begins there.
    Member(Object, i64),
    /// Whatever can be read from memory.
    Unknown,
}

impl Value {
    pub(crate) fn of_constant(value: u64) -> Value {
        let object = address::object(value);
        match object.space() {
            Some(Space::Global) => {
                Value::Address(Object::Global(GlobalId(object.index())), address::offset(value))
            }
            _ => Value::Number(value),
        }
    }

    fn joined(&self, other: &Value) -> Value {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Value::Nothing, b) => b.clone(),
            (a, Value::Nothing) => a.clone(),
            (Value::Unknown, _) | (_, Value::Unknown) => Value::Unknown,
            (Value::Number(_), Value::Number(_)) => Value::Unknown,
            // A number is no address.
            (member @ Value::Member(..), Value::Number(_))
            | (Value::Number(_), member @ Value::Member(..)) => member.clone(),
            (Value::Member(..), _) | (_, Value::Member(..)) => Value::Unknown,
            (a, b) => Value::Somewhere(a.objects().into_iter().chain(b.objects()).collect()),
        }
    }

    fn objects(&self) -> BTreeSet<Object> {
        match self {
            Value::Address(object, _) => BTreeSet::from([*object]),
            Value::Somewhere(objects) => objects.clone(),
            Value::Nothing | Value::Number(_) | Value::Unknown | Value::Member(..) => {
                BTreeSet::new()
            }
        }
    }

    fn moved(&self, by: Option<i64>) -> Value {
        match (self, by) {
            (Value::Address(object, offset), Some(by)) => Value::Address(*object, offset + by),
            (Value::Address(object, _), None) => Value::Somewhere(BTreeSet::from([*object])),
            (Value::Number(number), Some(by)) => Value::Number(number.wrapping_add(by as u64)),
            (Value::Number(_), None) => Value::Unknown,
            (Value::Nothing | Value::Somewhere(_) | Value::Unknown | Value::Member(..), _) => {
                self.clone()
            }
        }
    }
}

/// The answers, for all contexts.
pub(crate) struct Pointers<'p> {
    program: &'p Program,
    pub contexts: &'p [Context],
    children: &'p BTreeMap<(usize, Pc), usize>,
    meaning: &'p dyn Fn(FuncId) -> Option<Meaning>,
    /// The context that a function runs in as a thread.
    roots: &'p BTreeMap<FuncId, Vec<usize>>,
    registers: Vec<Vec<Value>>,
    cells: BTreeMap<(Object, i64), Value>,
    anywhere: BTreeMap<Object, Value>,
    pub escaped: BTreeSet<Object>,
    /// Where lists begin.
    heads: &'p BTreeSet<(Object, i64)>,
    /// What was ever added to a list.
    elements: Value,
    changed: bool,
}

impl<'p> Pointers<'p> {
    pub fn solve(
        program: &'p Program,
        contexts: &'p [Context],
        children: &'p BTreeMap<(usize, Pc), usize>,
        roots: &'p BTreeMap<FuncId, Vec<usize>>,
        given: &BTreeSet<usize>,
        heads: &'p BTreeSet<(Object, i64)>,
        meaning: &'p dyn Fn(FuncId) -> Option<Meaning>,
    ) -> Self {
        let registers = contexts.iter().map(|context| {
            let count = program.function(context.func).registers as usize;
            vec![Value::Nothing; count]
        });
        let mut pointers = Pointers {
            program,
            contexts,
            children,
            meaning,
            roots,
            registers: registers.collect(),
            cells: BTreeMap::new(),
            anywhere: BTreeMap::new(),
            escaped: BTreeSet::new(),
            heads,
            elements: Value::Nothing,
            changed: true,
        };
        for &context in given {
            let params = program.function(contexts[context].func).params;
            (0..params).for_each(|slot| pointers.define(context, slot, Value::Unknown));
            let signature = program.signature(program.function(contexts[context].func).signature);
            let holds_address = |param: &Scalar| *param == Scalar::Ptr || param.bits() >= 64;
            if signature.params.iter().any(holds_address) {
                // Who calls it may know the address of every variable.
                let globals = (0..program.globals.len() as u32).map(GlobalId);
                pointers.escaped.extend(globals.map(Object::Global));
            }
        }
        pointers.read_initial_data();
        while pointers.changed {
            pointers.changed = false;
            for context in 0..contexts.len() {
                pointers.visit(context);
            }
        }
        pointers
    }

    /// Addresses in the initial contents of variables.
    fn read_initial_data(&mut self) {
        for (index, global) in self.program.globals.iter().enumerate() {
            for (word, bytes) in global.data.chunks_exact(8).enumerate() {
                let value = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
                let value = Value::of_constant(value);
                if let Value::Address(..) = value {
                    let object = Object::Global(GlobalId(index as u32));
                    self.escape(&value);
                    self.put((object, 8 * word as i64), value);
                }
            }
        }
    }

    pub fn at(&self, context: usize, slot: Slot) -> Value {
        let function = self.program.function(self.contexts[context].func);
        match slot.checked_sub(function.registers) {
            Some(constant) => Value::of_constant(function.constants[constant as usize].value),
            None => self.registers[context][slot as usize].clone(),
        }
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

    fn store(&mut self, address: &Value, value: Value) {
        self.escape(&value);
        match address {
            Value::Address(object, offset) => self.put((*object, *offset), value),
            Value::Nothing
            | Value::Number(_)
            | Value::Somewhere(_)
            | Value::Unknown
            | Value::Member(..) => {
                for object in self.targets(address) {
                    self.put_anywhere(object, &value);
                }
            }
        }
    }

    /// Something that is not followed is written there.
    fn store_anything(&mut self, address: &Value) {
        for object in self.targets(address) {
            self.put_anywhere(object, &Value::Unknown);
        }
    }

    fn load(&self, address: &Value) -> Value {
        let Value::Address(object, offset) = address else { return Value::Unknown };
        // The first element or the last.
        for back in [0, 8] {
            if self.heads.contains(&(*object, offset - back)) {
                return Value::Member(*object, offset - back);
            }
        }
        // Only whole pointers are followed; whatever is not stored so is unknown.
        let known = self.cells.get(&(*object, *offset)).cloned().unwrap_or(Value::Unknown);
        let overlaps = self.cells.range((*object, offset - 7)..(*object, offset + 8));
        if overlaps.count() > 1 {
            return Value::Unknown;
        }
        match self.anywhere.get(object) {
            Some(value) => known.joined(value),
            None => known,
        }
    }

    fn visit(&mut self, context: usize) {
        let function = self.program.function(self.contexts[context].func);
        for (pc, inst) in function.code.iter().enumerate() {
            self.instruction(context, pc as Pc, inst);
        }
    }

    fn instruction(&mut self, context: usize, pc: Pc, inst: &Inst) {
        let function = self.program.function(self.contexts[context].func);
        if let Inst::Store { src, addr, .. } = *inst {
            let (address, value) = (self.at(context, addr), self.at(context, src));
            self.store(&address, value);
        } else if let Inst::Call { call } = *inst {
            self.call(context, pc, call);
        } else if let Inst::Return { list } = *inst {
            let values = function.lists[list as usize].iter().map(|s| self.at(context, *s));
            let values: Vec<Value> = values.collect();
            self.returned(context, &values);
        } else if let Some((dst, value)) = self.computed(context, pc, inst) {
            self.define(context, dst, value);
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
        None
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

    fn returned(&mut self, context: usize, values: &[Value]) {
        let Some((caller, pc)) = self.contexts[context].caller else {
            values.iter().for_each(|value| self.escape(value));
            return;
        };
        let function = self.program.function(self.contexts[caller].func);
        let Some(result) = function.call_at(pc).and_then(|site| site.result) else { return };
        for (slot, value) in (result..).zip(values) {
            self.define(caller, slot, value.clone());
        }
    }

    fn call(&mut self, context: usize, pc: Pc, call: u32) {
        let function = self.program.function(self.contexts[context].func);
        let site = &function.calls[call as usize];
        let args: Vec<Value> = site.args.iter().map(|arg| self.at(context, arg.slot)).collect();
        if let Some(&child) = self.children.get(&(context, pc)) {
            let mut slot = 0;
            for (arg, value) in site.args.iter().zip(args) {
                let params = self.program.function(self.contexts[child].func).params;
                if slot < params {
                    self.define(child, slot, value);
                }
                slot += arg.ty.slots();
            }
            return;
        }
        let meaning = match site.callee {
            Callee::Direct(callee) => (self.meaning)(callee),
            Callee::Indirect(_) => None,
        };
        let result = match meaning {
            Some(Meaning::Create { routine, argument }) => {
                self.create(&args, routine, argument);
                Value::Unknown
            }
            Some(Meaning::WritesArguments | Meaning::Joins) => {
                args.iter().for_each(|value| self.store_anything(value));
                Value::Unknown
            }
            Some(Meaning::Allocates) => Value::Address(Object::Heap(context, pc), 0),
            Some(Meaning::List { op, list }) => self.listed(op, list, &args),
            Some(Meaning::Interlocked(_)) => {
                args.iter().take(1).for_each(|value| self.store_anything(value));
                args.iter().skip(1).for_each(|value| self.escape(value));
                Value::Unknown
            }
            Some(Meaning::Lock { again: Again::Unknown, .. }) => {
                args.iter().skip(1).for_each(|value| self.store_anything(value));
                Value::Unknown
            }
            Some(
                Meaning::Lock { again: Again::Waits | Again::Refused, .. }
                | Meaning::Unlock { .. }
                | Meaning::CondWait
                | Meaning::LockLife { .. }
                | Meaning::Blocks { .. }
                | Meaning::Pure { .. }
                | Meaning::Nondet
                | Meaning::Ends { .. }
                | Meaning::Assume
                | Meaning::Choose
                | Meaning::AtomicBlock
                | Meaning::Semaphore(_)
                | Meaning::ChangesLocks { .. },
            ) => Value::Unknown,
            None => {
                args.iter().for_each(|value| self.escape(value));
                let globals = (0..self.program.globals.len() as u32).map(GlobalId);
                let all: BTreeSet<Object> = globals.map(Object::Global).collect();
                for object in all.union(&self.escaped.clone()) {
                    self.put_anywhere(*object, &Value::Unknown);
                }
                Value::Unknown
            }
        };
        let Some(slot) = site.result else { return };
        for slot in slot..slot + site.result_slots {
            self.define(context, slot, result.clone());
        }
    }

    /// What a list operation does to pointers: elements that are added come out again.
    fn listed(&mut self, op: ListOp, list: usize, args: &[Value]) -> Value {
        let added = match op {
            ListOp::Push => args.iter().enumerate().filter(|(index, _)| *index != list).collect(),
            ListOp::Move => args.iter().enumerate().take(1).collect(),
            ListOp::Init
            | ListOp::Pop
            | ListOp::PopAlways
            | ListOp::Drop
            | ListOp::Remove
            | ListOp::Append
            | ListOp::IsEmpty
            | ListOp::Length
            | ListOp::Version
            | ListOp::First
            | ListOp::Change => Vec::new(),
        };
        for (_, value) in added {
            // Somewhere in it: a list is threaded through its elements, which whoever finds them
            // may change.
            self.store_anything(value);
            self.escape(value);
            let within = match value {
                Value::Nothing | Value::Number(_) => continue,
                Value::Address(object, _) => Value::Somewhere(BTreeSet::from([*object])),
                Value::Member(..) => continue,
                Value::Somewhere(_) | Value::Unknown => value.clone(),
            };
            let joined = self.elements.joined(&within);
            if joined != self.elements {
                self.elements = joined;
                self.changed = true;
            }
        }
        match (op, args.get(list)) {
            (ListOp::Pop | ListOp::PopAlways | ListOp::First, Some(Value::Address(object, at))) => {
                Value::Member(*object, *at)
            }
            _ => Value::Unknown,
        }
    }

    /// The argument of a new thread is the parameter of its function.
    fn create(&mut self, args: &[Value], routine: usize, argument: usize) {
        let (Some(Value::Number(routine)), Some(argument)) =
            (args.get(routine), args.get(argument))
        else {
            return;
        };
        self.escape(argument);
        let func = FuncId(address::object(*routine).index());
        for context in self.roots.get(&func).cloned().unwrap_or_default() {
            if self.program.function(func).params > 0 {
                self.define(context, 0, argument.clone());
            }
        }
    }
}

fn extended(number: u64, width: u8) -> i64 {
    let unused = 64 - u32::from(width);
    ((number << unused) as i64) >> unused
}
