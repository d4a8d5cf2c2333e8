//! Memory: what instructions read and write, as edges on cells.

use std::collections::BTreeSet;

use exeunt_ir::{Callee, FuncId, Inst, IntOp, Pc, Program, RmwOp, Slot, Touch};
use exeunt_smt::{Formula, Term};

use super::arithmetic::Number;
use super::build::{Builder, Draft};
use super::cells::{Cell, Place, meet};
use super::contexts::Calls;
use super::elements::elements;
use super::shape::Shape;
use crate::address::{Object, Value};
use crate::library::Meaning;
use crate::pointers::Pointers;
use crate::{UNSET, VarKind};

impl Builder<'_> {
    /// All cells of these objects get arbitrary values.
    pub(super) fn havoc(&mut self, draft: &mut Draft, objects: &BTreeSet<Object>) {
        let cells: Vec<Cell> = objects.iter().flat_map(|o| self.cells.within(*o)).collect();
        self.havoc_cells(draft, cells);
    }

    /// The same where nothing was written yet. Runs that are shown do not depend on what is there.
    pub(super) fn forget(&mut self, draft: &mut Draft, objects: &BTreeSet<Object>) {
        let known = draft.inputs.len();
        self.havoc(draft, objects);
        self.leave_open(draft, known);
    }

    /// Of the inputs from this one on one value is as good as another.
    pub(super) fn leave_open(&mut self, draft: &Draft, from: usize) {
        for input in &draft.inputs[from..] {
            self.vars[input.0 as usize].name = UNSET.to_string();
        }
    }

    /// The same for the variables that have bytes in this place.
    pub(super) fn havoc_part(&mut self, draft: &mut Draft, place: &Place) {
        let known = self.cells.known.iter();
        let cells = known.filter(|(other, _)| meet(place, other)).map(|(_, cell)| *cell).collect();
        self.havoc_cells(draft, cells);
    }

    fn havoc_cells(&mut self, draft: &mut Draft, cells: Vec<Cell>) {
        for cell in cells {
            let input = self.input(draft, cell.shape.range());
            draft.sets.insert(cell.var, Term::var(input));
            draft.visible |= self.vars[cell.var.0 as usize].kind == VarKind::Shared;
        }
    }

    /// An object that was just made: nobody else knows it yet.
    pub(super) fn renew(&mut self, draft: &mut Draft, object: Object, zeroed: bool) {
        if !zeroed {
            return self.forget(draft, &BTreeSet::from([object]));
        }
        let cells: Vec<Cell> = self.cells.within(object).collect();
        for cell in cells {
            draft.sets.insert(cell.var, Term::number(0));
            draft.visible |= self.is_shared(cell.var);
        }
    }

    /// Null is not followed: whoever tries does not go on.
    fn unless_null(&mut self, draft: &mut Draft, context: usize, addr: Slot) {
        if self.may_be_null(context, addr, 12) {
            let address = self.number(context, addr, 64);
            let address = self.arithmetic.read(&address, Shape { width: 64, signed: false });
            let guard = draft.guard.clone();
            draft.guard =
                guard.both(crate::lifted(&Formula::non_negative(address.add(-FIRST_PAGE))));
            // Others see what was done before.
            draft.visible = true;
        }
    }

    /// Whether a register that holds an address may also hold none: one that comes from memory, or out
    /// of a function.
    fn may_be_null(&self, context: usize, slot: Slot, depth: u32) -> bool {
        let function = self.program.function(self.calls.contexts[context].func);
        if slot >= function.registers {
            return self.pointers.at(context, slot) == Value::Number(0);
        }
        if depth == 0 {
            return true;
        }
        if slot < function.params {
            let Some((caller, pc)) = self.calls.contexts[context].caller else { return false };
            let above = self.program.function(self.calls.contexts[caller].func);
            let arg = above.call_at(pc).and_then(|site| site.args.get(slot as usize));
            return arg.is_none_or(|arg| self.may_be_null(caller, arg.slot, depth - 1));
        }
        function.code.iter().enumerate().any(|(pc, inst)| {
            let mut writes = false;
            inst.operands(function, &mut |operand| {
                writes |=
                    operand.write && (operand.slot..operand.slot + operand.count).contains(&slot);
            });
            if !writes {
                return false;
            }
            if let Inst::PtrAdd { base, .. }
            | Inst::PtrIndex { base, .. }
            | Inst::Mov { src: base, .. }
            | Inst::Freeze { src: base, .. } = *inst
            {
                return self.may_be_null(context, base, depth - 1);
            }
            if let Inst::Select { a, b, .. } = *inst {
                return [a, b].iter().any(|slot| self.may_be_null(context, *slot, depth - 1));
            }
            if let Inst::Call { .. } = *inst {
                // Allocations that fail are told apart where they are made.
                let site = function.call_at(pc as Pc);
                let callee = site.and_then(|site| match site.callee {
                    Callee::Direct(callee) => super::build::meaning_of(self, callee),
                    Callee::Indirect(_) => None,
                });
                return !matches!(callee, Some(Meaning::Allocates { .. }));
            }
            let Inst::Alloca { .. } = *inst else { return true };
            false
        })
    }

    fn cell(&self, context: usize, addr: Slot, bits: u8) -> Option<Cell> {
        let Value::Address(object, offset) = self.pointers.at(context, addr) else { return None };
        let bytes = i64::from(bits.div_ceil(8));
        self.cells.known.get(&Place { object, offset, bytes }).copied()
    }

    pub(super) fn load(
        &mut self,
        draft: &mut Draft,
        context: usize,
        pc: Pc,
        bits: u8,
        dst: Slot,
        addr: Slot,
    ) {
        if let Some(value) = self.constant_data(context, addr, bits) {
            let shape = Shape { width: bits, signed: false };
            let term = self.arithmetic.constant(value, bits, false);
            self.define(draft, context, dst, &Number { term, shape });
            return;
        }
        match self.cell(context, addr, bits) {
            Some(cell) => {
                self.unless_null(draft, context, addr);
                let value = Number { term: Term::var(cell.var), shape: cell.shape };
                self.define(draft, context, dst, &value);
                draft.visible |= self.is_shared(cell.var);
                draft.text = format!("reads `{}`", self.vars[cell.var.0 as usize].name);
            }
            // The address of an element, with which nothing is done but to reach into it.
            None if self.is_element(context, addr) && self.is_only_address(context, dst, 6) => {
                self.arbitrary(draft, context, pc);
            }
            None => {
                self.lose(context, pc, "what is read here is arbitrary".into());
                self.arbitrary(draft, context, pc);
                draft.exact = false;
            }
        }
    }

    fn is_element(&self, context: usize, addr: Slot) -> bool {
        let Value::Address(object, offset) = self.pointers.at(context, addr) else { return false };
        let bytes = 8;
        let place = Place { object, offset, bytes };
        self.counted.places().iter().any(|list| super::cells::meet(&place, list))
    }

    /// Whether what is behind a pointer is a local variable whose values only go to functions without
    /// a body, so that it does not matter what they are.
    pub(super) fn is_only_handed_on(&self, target: &Value) -> bool {
        let Value::Address(object @ Object::Frame(context, _), _) = target else { return false };
        let function = self.program.function(self.calls.contexts[*context].func);
        let is_there = |addr: Slot| match self.pointers.at(*context, addr) {
            Value::Address(other, _) => other == *object,
            _ => false,
        };
        !self.pointers.escaped.contains(object)
            && function.code.iter().all(|inst| {
                let Inst::Load { dst, addr, .. } = *inst else { return true };
                !is_there(addr) || self.is_only_address(*context, dst, 4)
            })
    }

    /// Whether a register is used only to access what it points to, or is handed to a call.
    fn is_only_address(&self, context: usize, slot: Slot, depth: u32) -> bool {
        let function = self.program.function(self.calls.contexts[context].func);
        depth > 0
            && function.code.iter().all(|inst| {
                let mut reads = false;
                inst.operands(function, &mut |operand| {
                    let range = operand.slot..operand.slot + operand.count;
                    reads |= !operand.write && range.contains(&slot);
                });
                if !reads {
                    return true;
                }
                if let Inst::PtrAdd { dst, .. } | Inst::Mov { dst, .. } = *inst {
                    return self.is_only_address(context, dst, depth - 1);
                }
                if let Inst::Store { src, .. } = *inst {
                    return src != slot;
                }
                if let Inst::Call { .. } = *inst {
                    let pc = function.code.iter().position(|other| std::ptr::eq(other, inst));
                    let key = (context, pc.unwrap_or(0) as Pc);
                    let Some(child) = self.calls.children.get(&key) else { return true };
                    let site = function.call_at(key.1);
                    let args = site.into_iter().flat_map(|site| site.args.iter().enumerate());
                    let mut own = args.filter(|(_, arg)| arg.slot == slot).peekable();
                    let inside = |param| self.is_only_address(*child, param as Slot, depth - 1);
                    return own.peek().is_some() && own.all(|(param, _)| inside(param));
                }
                matches!(inst, Inst::Load { .. })
            })
    }

    /// What a load of a constant variable gives.
    fn constant_data(&self, context: usize, addr: Slot, bits: u8) -> Option<u64> {
        let Value::Address(Object::Global(id), offset) = self.pointers.at(context, addr) else {
            return None;
        };
        let global = self.program.global(id);
        if !global.constant || bits > 64 || !bits.is_multiple_of(8) {
            return None;
        }
        let from = usize::try_from(offset).ok()?;
        let bytes = global.data.get(from..from + usize::from(bits / 8))?;
        Some(bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)))
    }

    pub(super) fn store(
        &mut self,
        draft: &mut Draft,
        context: usize,
        pc: Pc,
        bits: u8,
        src: Slot,
        addr: Slot,
    ) {
        if let Value::Address(object, offset) = self.pointers.at(context, addr) {
            let place = Place { object, offset, bytes: i64::from(bits.div_ceil(8)) };
            self.may_change_at(place, (context, pc), "a store");
        }
        if let Some(cell) = self.cell(context, addr, bits) {
            self.unless_null(draft, context, addr);
            let value = self.number(context, src, bits);
            let term = self.arithmetic.read(&value, cell.shape);
            draft.sets.insert(cell.var, term);
            draft.visible |= self.is_shared(cell.var);
            draft.text = format!("writes `{}`", self.vars[cell.var.0 as usize].name);
            return;
        }
        let target = self.pointers.at(context, addr);
        if let Value::Address(object, offset) = target {
            // A place that is no variable: nobody reads more than arbitrary values there. But a
            // list or a semaphore may be there.
            let bytes = i64::from(bits.div_ceil(8));
            self.overwrite(draft, context, pc, Place { object, offset, bytes });
            return;
        }
        self.wild_write(draft, context, pc, &target, "a store through a pointer");
    }

    pub(super) fn wild_write(
        &mut self,
        draft: &mut Draft,
        context: usize,
        pc: Pc,
        target: &Value,
        what: &str,
    ) {
        let objects = self.pointers.targets(target);
        self.havoc(draft, &objects);
        if !draft.sets.is_empty() {
            draft.exact = false;
            let names: Vec<String> = draft
                .sets
                .keys()
                .map(|var| format!("`{}`", self.vars[var.0 as usize].name))
                .collect();
            self.lose(context, pc, format!("{what} may change {}", names.join(", ")));
        }
        self.may_change(&objects, (context, pc), what);
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn update(
        &mut self,
        draft: &mut Draft,
        context: usize,
        pc: Pc,
        (op, bits): (RmwOp, u8),
        dst: Slot,
        addr: Slot,
        src: Slot,
    ) {
        let Some(cell) = self.cell(context, addr, bits) else {
            self.lose(context, pc, "what is read here is arbitrary".into());
            self.arbitrary(draft, context, pc);
            let target = self.pointers.at(context, addr);
            if !matches!(target, Value::Address(..)) {
                self.wild_write(draft, context, pc, &target, "an atomic operation");
            }
            draft.exact = false;
            return;
        };
        self.unless_null(draft, context, addr);
        let old = Number { term: Term::var(cell.var), shape: cell.shape };
        self.define(draft, context, dst, &old);
        let operand = self.number(context, src, bits);
        draft.visible |= self.is_shared(cell.var);
        draft.text = format!("updates `{}`", self.vars[cell.var.0 as usize].name);
        let new = match (op, integer(op)) {
            (RmwOp::Xchg, _) => self.arithmetic.read(&operand, cell.shape),
            (_, Some(op)) => match self.arithmetic.int(op, bits, &old, &operand, cell.shape) {
                Some(new) => new,
                None => {
                    let result =
                        self.bounded(draft, (context, pc), (op, cell.shape), &old, &operand);
                    self.arithmetic.read(&result, cell.shape)
                }
            },
            (_, None) => {
                self.lose(context, pc, format!("the result of `{op:?}` is arbitrary"));
                draft.exact = false;
                Term::var(self.input(draft, cell.shape.range()))
            }
        };
        draft.sets.insert(cell.var, new);
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn exchange(
        &mut self,
        next: Draft,
        context: usize,
        pc: Pc,
        (bits, weak): (u8, bool),
        (dst, ok): (Slot, Slot),
        addr: Slot,
        (expected, new): (Slot, Slot),
    ) -> Vec<Draft> {
        let Some(cell) = self.cell(context, addr, bits) else {
            let mut draft = next;
            self.lose(context, pc, "what is read here is arbitrary".into());
            self.arbitrary(&mut draft, context, pc);
            let target = self.pointers.at(context, addr);
            if !matches!(target, Value::Address(..)) {
                self.wild_write(&mut draft, context, pc, &target, "an atomic operation");
            }
            draft.exact = false;
            return vec![draft];
        };
        let old = Number { term: Term::var(cell.var), shape: cell.shape };
        let expected = self.number(context, expected, bits);
        let new = self.number(context, new, bits);
        let same = Formula::equal(&old.term, &self.arithmetic.read(&expected, cell.shape));
        let bit = |value| Number { term: Term::number(value), shape: Shape::BIT };
        let mut success = next;
        self.unless_null(&mut success, context, addr);
        let followed = success.guard.clone();
        success.visible |= self.is_shared(cell.var);
        success.text = format!("updates `{}`", self.vars[cell.var.0 as usize].name);
        self.define(&mut success, context, dst, &old);
        let mut failure = success.clone();
        failure.text = format!("fails to update `{}`", self.vars[cell.var.0 as usize].name);
        self.define(&mut success, context, ok, &bit(1));
        self.define(&mut failure, context, ok, &bit(0));
        success.sets.insert(cell.var, self.arithmetic.read(&new, cell.shape));
        failure.guard = followed.clone().both(same.negated());
        let same = followed.both(same);
        success.guard = same.clone();
        if !weak {
            return vec![success, failure];
        }
        let spurious = Draft { guard: same, exact: false, ..failure.clone() };
        vec![success, failure, spurious]
    }
}

fn integer(op: RmwOp) -> Option<IntOp> {
    Some(match op {
        RmwOp::Add => IntOp::Add,
        RmwOp::Sub => IntOp::Sub,
        RmwOp::And => IntOp::And,
        RmwOp::Or => IntOp::Or,
        RmwOp::Xor => IntOp::Xor,
        RmwOp::Max => IntOp::SMax,
        RmwOp::Min => IntOp::SMin,
        RmwOp::UMax => IntOp::UMax,
        RmwOp::UMin => IntOp::UMin,
        RmwOp::Xchg
        | RmwOp::Nand
        | RmwOp::FAdd
        | RmwOp::FSub
        | RmwOp::FMax
        | RmwOp::FMin
        | RmwOp::UIncWrap
        | RmwOp::UDecWrap
        | RmwOp::USubCond
        | RmwOp::USubSat => return None,
    })
}

/// No object is below this address.
const FIRST_PAGE: exeunt_smt::Int = 4096;

/// How wide the result of a call is.
pub(super) fn result_bits(program: &Program, signature: exeunt_ir::SigId) -> u8 {
    program.signature(signature).results.first().map_or(32, |scalar| scalar.bits().min(64))
}

/// All places with a known address that an atomic operation changes.
pub(super) fn updated(
    program: &Program,
    calls: &Calls,
    pointers: &Pointers<'_>,
) -> BTreeSet<Place> {
    let mut places = BTreeSet::new();
    for (context, call) in calls.contexts.iter().enumerate() {
        for inst in &program.function(call.func).code {
            inst.touches(|touch| {
                let Touch::Updates { addr, .. } = touch else { return };
                let Some((_, exeunt_ir::Size::Bytes(bytes), _)) = touch.accessed() else { return };
                if let Value::Address(object, offset) = pointers.at(context, addr) {
                    places.insert(Place { object, offset, bytes: i64::from(bytes) });
                }
            });
        }
    }
    places
}

/// All places with a known address that any thread accesses.
pub(super) fn accessed(
    program: &Program,
    calls: &Calls,
    pointers: &Pointers<'_>,
    means: &dyn Fn(FuncId) -> Option<Meaning>,
) -> BTreeSet<Place> {
    let mut places = BTreeSet::new();
    for (context, call) in calls.contexts.iter().enumerate() {
        let function = program.function(call.func);
        for site in function.code.iter().filter_map(|inst| inst.call()) {
            let site = &function.calls[site as usize];
            let Callee::Direct(callee) = site.callee else { continue };
            let Some(Meaning::Interlocked(_)) = means(callee) else { continue };
            let address = site.args.first().map(|arg| pointers.at(context, arg.slot));
            if let Some(Value::Address(object, offset)) = address {
                let bytes = i64::from(result_bits(program, site.signature) / 8);
                places.insert(Place { object, offset, bytes });
            }
        }
        for inst in &function.code {
            inst.touches(|touch| {
                let Some((addr, exeunt_ir::Size::Bytes(bytes), _)) = touch.accessed() else {
                    return;
                };
                let value = pointers.at(context, addr);
                if let Value::Address(object, offset) = value {
                    places.insert(Place { object, offset, bytes: i64::from(bytes) });
                } else if let Some(found) = elements(program, &value, i64::from(bytes)) {
                    places.extend(found.places);
                }
            });
        }
    }
    places
}
