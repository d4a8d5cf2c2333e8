//! The edges of all threads, one instruction at a time.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_ir::{FuncId, Inst, Pc, Program, Slot};
use exeunt_model::{Label, Location};
use exeunt_smt::{Formula, Int, Term, Var};

use super::arithmetic::{Arithmetic, Integers, Number};
use super::blocks::Source;
use super::cells::{self, Cells, Objects, Place};
use super::contexts::Calls;
use super::counted::{self, Counted};
use super::memory::{accessed, updated};
use super::semaphores;
use super::shape::{self, Shape};
use super::starts::{self, Plan};
use super::wakes::Conditions;
use super::{Request, Root, meaning};
use crate::address::{Object, Value};
use crate::library::Meaning;
use crate::pointers::{Pointers, Scene};
use crate::slim;
use crate::{
    Edge, Hold, Lock, LockId, Node, NodeId, Role, System, Thread, VarKind, Variable, Wait,
};

/// A thread with more nodes than that is refused.
const MOST_NODES: usize = 20_000;

pub(crate) fn build(request: &Request<'_>, plan: &Plan) -> Result<System, String> {
    let Plan { calls, entries, begun, .. } = plan;
    let means = |func: FuncId| meaning(request.program, request.wish, func);
    let scene = Scene {
        program: request.program,
        contexts: &calls.contexts,
        children: &calls.children,
        entries,
        begun: *begun,
        meaning: &means,
    };
    // Where lists begin is known only after a first look.
    let none = BTreeSet::new();
    let heads = counted::heads(request.program, calls, &Pointers::solve(&scene, &none), &means);
    let pointers = Pointers::solve(&scene, &heads);
    let mut builder = Builder::new(request, plan, &pointers);
    for thread in 0..plan.roots.len() {
        builder.thread(thread)?;
    }
    builder.finish()
}

/// A place in a thread: context, instruction, and how far it got in a wait or with a block of memory.
type Point = (usize, Pc, u8, Vec<Hold>);

/// In place of a context: the end of a thread, and the beginning of one that has several.
pub(super) const ENDED: usize = usize::MAX;
pub(super) const BEGINS: usize = usize::MAX - 1;

/// An edge without its source.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub guard: Formula,
    pub sets: BTreeMap<Var, Term>,
    pub inputs: Vec<Var>,
    pub visible: bool,
    pub exact: bool,
    pub wrong_unlock: Option<LockId>,
    pub starts: Option<usize>,
    pub ends: Option<usize>,
    pub fails: bool,
    pub waits: Wait,
    pub to: Option<(usize, Pc, u8)>,
    pub held: Vec<Hold>,
    pub text: String,
}

pub(super) struct Builder<'a> {
    pub request: &'a Request<'a>,
    pub program: &'a Program,
    pub plan: &'a Plan,
    pub roots: &'a [Root],
    pub calls: &'a Calls,
    pub pointers: &'a Pointers<'a>,
    pub arithmetic: Arithmetic,
    pub cells: Cells,
    pub locks: BTreeMap<(Object, i64), LockId>,
    pub lock_list: Vec<Lock>,
    /// How many bytes they have.
    pub lock_sizes: BTreeMap<LockId, i64>,
    /// Initialisations of locks: allowed only before the subject runs.
    pub lives: Vec<(LockId, usize, NodeId, Label)>,
    pub kinds_change: bool,
    /// Mutexes may say that who held them has ended.
    pub robust: bool,
    pub counted: Counted,
    pub conditions: Conditions,
    /// Locks that are semaphores.
    pub semaphores: BTreeSet<LockId>,
    /// Locks that a thread may take again.
    pub recursive: BTreeSet<LockId>,
    /// Locks that refuse to be taken again.
    pub checked: BTreeSet<LockId>,
    shapes: Vec<Vec<Shape>>,
    slots: BTreeMap<(usize, Slot), Var>,
    pub vars: Vec<Variable>,
    losses: BTreeMap<(u32, String), Label>,
    pub assumptions: BTreeSet<String>,
    threads: Vec<Thread>,
    /// Which thread is made, and which of its nodes.
    pub current: (usize, NodeId),
    /// Which of its beginnings the subject has, if there are several.
    pub beginning: Option<Var>,
    /// For each of its beginnings that happens once: a lock that this thread has, or the other
    /// one that may be started there, but not both.
    pub starts: BTreeMap<usize, LockId>,
}

impl<'a> Builder<'a> {
    fn new(request: &'a Request<'a>, plan: &'a Plan, pointers: &'a Pointers<'a>) -> Self {
        let Plan { roots, calls, .. } = plan;
        let program = request.program;
        let mut vars = Vec::new();
        let means = |func: FuncId| meaning(program, request.wish, func);
        let accessed = accessed(program, calls, pointers, &means);
        let mut counted = Counted::find(program, calls, pointers, &means);
        let objects =
            Objects { program, contexts: &calls.contexts, roots, escaped: &pointers.escaped };
        let integers = request.integers;
        let mut cells = Cells::new(&objects, &accessed, integers, &counted.places(), &mut vars);
        counted.make_variables(&objects, &mut cells, &mut vars);
        let mut builder = Builder {
            request,
            program,
            plan,
            roots,
            calls,
            pointers,
            arithmetic: Arithmetic { integers: request.integers },
            cells,
            locks: BTreeMap::new(),
            lock_list: Vec::new(),
            lock_sizes: BTreeMap::new(),
            lives: Vec::new(),
            kinds_change: false,
            robust: false,
            counted,
            conditions: Conditions::new(),
            semaphores: BTreeSet::new(),
            recursive: BTreeSet::new(),
            checked: BTreeSet::new(),
            shapes: Vec::new(),
            slots: BTreeMap::new(),
            vars,
            losses: BTreeMap::new(),
            assumptions: BTreeSet::new(),
            threads: Vec::new(),
            current: (0, NodeId(0)),
            beginning: None,
            starts: BTreeMap::new(),
        };
        builder.shapes = (0..calls.contexts.len()).map(|at| builder.shapes_of(at)).collect();
        builder.find_locks(&updated(program, calls, pointers), &objects);
        builder.find_semaphores(&objects);
        builder.find_conditions(&objects);
        builder.tell_beginnings_apart();
        builder
    }

    fn shapes_of(&self, context: usize) -> Vec<Shape> {
        let function = self.program.function(self.calls.contexts[context].func);
        let signature = self.program.signature(function.signature);
        let mut params = Vec::new();
        for param in &signature.params {
            params.extend((0..param.slots()).map(|_| param.bits().min(64)));
        }
        let result = |call: u32| {
            let signature = self.program.signature(function.calls[call as usize].signature);
            signature.results.iter().map(|scalar| scalar.bits().min(64)).max().unwrap_or(64)
        };
        let hint = |pc: usize| {
            let mut found = None;
            function.code[pc].touches(|touch| found = found.or(touch.accessed()));
            let (addr, exeunt_ir::Size::Bytes(bytes), _) = found? else { return None };
            let Value::Address(object, offset) = self.pointers.at(context, addr) else {
                return None;
            };
            let place = Place { object, offset, bytes: i64::from(bytes) };
            cells::sign(self.program, &self.calls.contexts, place)
        };
        shape::shapes(function, &params, &result, &hint)
    }

    pub(super) fn variable(&mut self, name: String, kind: VarKind, range: (Int, Int)) -> Var {
        let range = (self.request.integers == Integers::Exact
            || kind == VarKind::Input && range.1 < 2)
            .then_some(range);
        self.vars.push(Variable { name, kind, range, initial: None });
        Var(self.vars.len() as u32 - 1)
    }

    pub(super) fn shape(&self, context: usize, slot: Slot) -> Shape {
        let function = self.program.function(self.calls.contexts[context].func);
        match slot < function.registers {
            true => self.shapes[context][slot as usize],
            false => Shape { width: 64, signed: false },
        }
    }

    fn slot_var(&mut self, context: usize, slot: Slot) -> Var {
        if let Some(var) = self.slots.get(&(context, slot)) {
            return *var;
        }
        let function = self.program.function(self.calls.contexts[context].func);
        let name = cells::slot_name(self.program, function, slot);
        let kind = VarKind::Local(self.calls.contexts[context].thread);
        let var = self.variable(name, kind, self.shape(context, slot).range());
        self.slots.insert((context, slot), var);
        var
    }

    /// What a slot holds.
    pub(super) fn number(&mut self, context: usize, slot: Slot, width: u8) -> Number {
        let function = self.program.function(self.calls.contexts[context].func);
        if let Some(index) = slot.checked_sub(function.registers) {
            let constant = function.constants[index as usize];
            // What is undefined may be anything: a variable that nobody writes.
            if constant.undefined == 0 {
                // Constants are as wide as their use.
                let shape = Shape { width, signed: width > 1 };
                let term = self.arithmetic.constant(constant.value, width, shape.signed);
                return Number { term, shape };
            }
        }
        let var = self.slot_var(context, slot);
        Number { term: Term::var(var), shape: self.shape(context, slot) }
    }

    pub(super) fn location(&self, context: usize, pc: Pc) -> Option<Location> {
        if context == ENDED || context == BEGINS {
            return None;
        }
        let function = self.program.function(self.calls.contexts[context].func);
        let own = function.locs.get(pc as usize).and_then(|loc| self.program.location(*loc));
        // What happens inside of a header is told where the header is used.
        own.or_else(|| {
            let (caller, pc) = self.calls.contexts[context].caller?;
            self.location(caller, pc)
        })
    }

    pub(super) fn lose(&mut self, context: usize, pc: Pc, text: String) {
        let location = self.location(context, pc);
        let location = location.unwrap_or_else(|| Location::in_function("an unknown place"));
        let key = (location.line, text.clone());
        self.losses.entry(key).or_insert(Label { location, text });
    }

    fn thread(&mut self, index: usize) -> Result<(), String> {
        let root = self.roots[index].clone();
        let mut thread = Thread {
            name: starts::readable(&self.program.function(root.body).name),
            runs: exeunt_ir::readable(&self.program.function(root.beginnings[0].0).name),
            role: root.role,
            entry: NodeId(0),
            nodes: Vec::new(),
            edges: Vec::new(),
            early: Vec::new(),
        };
        let mut known: BTreeMap<Point, NodeId> = BTreeMap::new();
        let mut todo: Vec<Point> = Vec::new();
        let start = self.first_point(index);
        self.node(&mut thread, &mut known, &mut todo, start);
        while let Some(point) = todo.pop() {
            let from = known[&point];
            self.current = (index, from);
            let (context, pc, phase, held) = point;
            let location = self.location(context, pc);
            for draft in self.leaving((context, pc), phase, &held, from)? {
                let to = match draft.to {
                    Some((context, pc, phase)) => (context, pc, phase, draft.held.clone()),
                    // The end of the thread.
                    None => (ENDED, 0, 0, draft.held.clone()),
                };
                let to = self.node(&mut thread, &mut known, &mut todo, to);
                thread.edges.push(Edge {
                    from,
                    to,
                    guard: self.guarded(index, &draft),
                    sets: draft.sets,
                    inputs: draft.inputs,
                    visible: draft.visible,
                    exact: draft.exact,
                    wrong_unlock: draft.wrong_unlock,
                    starts: draft.starts,
                    ends: draft.ends,
                    fails: draft.fails,
                    waits: draft.waits,
                    location: location.clone(),
                    text: draft.text,
                });
            }
            if thread.nodes.len() > MOST_NODES {
                return Err(format!("`{}` with more than {MOST_NODES} steps", thread.name));
            }
        }
        self.threads.push(thread);
        Ok(())
    }

    fn node(
        &self,
        thread: &mut Thread,
        known: &mut BTreeMap<Point, NodeId>,
        todo: &mut Vec<Point>,
        point: Point,
    ) -> NodeId {
        if let Some(node) = known.get(&point) {
            return *node;
        }
        let id = NodeId(thread.nodes.len() as u32);
        let ended = point.0 == ENDED;
        let location = self.location(point.0, point.1);
        let exits = match point.0 {
            ENDED => thread.role == Role::Main && self.request.wish.beside.is_none(),
            BEGINS => false,
            context => self.exits(context, point.1),
        };
        thread.nodes.push(Node { held: point.3.clone(), location, exits });
        known.insert(point.clone(), id);
        if !ended {
            todo.push(point);
        }
        id
    }

    fn finish(mut self) -> Result<System, String> {
        slim::find_early(&mut self.threads);
        for (lock, thread, node, label) in std::mem::take(&mut self.lives) {
            if !self.threads[thread].is_early(node) {
                self.lock_list[lock.0 as usize].distrusted = Some(label);
            }
        }
        if self.plan.begun {
            // What runs before `main` is not followed.
            self.vars.iter_mut().for_each(|variable| variable.initial = None);
        }
        let mut system = System {
            vars: self.vars,
            locks: self.lock_list,
            threads: self.threads,
            wakes: self.conditions.into_values().collect(),
            losses: self.losses.into_values().collect(),
            assumptions: self.assumptions.into_iter().collect(),
        };
        slim::slim(&mut system);
        super::locks::distrust(&mut system);
        semaphores::forget_counters(&mut system, &self.semaphores);
        Ok(system)
    }

    pub(super) fn draft(&self, to: (usize, Pc), held: &[Hold]) -> Draft {
        Draft {
            guard: Formula::True,
            sets: BTreeMap::new(),
            inputs: Vec::new(),
            visible: false,
            exact: true,
            wrong_unlock: None,
            starts: None,
            ends: None,
            fails: false,
            waits: Wait::No,
            to: Some((to.0, to.1, 0)),
            held: held.to_vec(),
            text: String::new(),
        }
    }

    /// Writes a value to a register.
    pub(super) fn define(&mut self, draft: &mut Draft, context: usize, slot: Slot, value: &Number) {
        let shape = self.shape(context, slot);
        let term = self.arithmetic.read(value, shape);
        let var = self.slot_var(context, slot);
        draft.sets.insert(var, term);
    }

    /// Writes anything to a register.
    pub(super) fn define_any(&mut self, draft: &mut Draft, context: usize, slot: Slot) {
        let var = self.slot_var(context, slot);
        let input = self.input(draft, self.shape(context, slot).range());
        draft.sets.insert(var, Term::var(input));
    }

    pub(super) fn input(&mut self, draft: &mut Draft, range: (Int, Int)) -> Var {
        let input = self.variable("any".into(), VarKind::Input, range);
        draft.inputs.push(input);
        input
    }

    pub(super) fn instruction(
        &mut self,
        context: usize,
        pc: Pc,
        phase: u8,
        held: &[Hold],
        node: NodeId,
    ) -> Result<Vec<Draft>, String> {
        let function = self.program.function(self.calls.contexts[context].func);
        let mut next = self.draft((context, pc + 1), held);
        match function.code[pc as usize] {
            Inst::Mov { dst, src } | Inst::Freeze { dst, src } | Inst::Expose { dst, src } => {
                let width = self.shape(context, dst).width;
                let value = self.number(context, src, width);
                self.define(&mut next, context, dst, &value);
            }
            Inst::Select { dst, cond, a, b } => {
                let test = self.truth(context, cond);
                let to = self.shape(context, dst);
                let (a, b) = (self.number(context, a, to.width), self.number(context, b, to.width));
                let (a, b) = (self.arithmetic.read(&a, to), self.arithmetic.read(&b, to));
                let value = Number { term: Term::choice(test, a, b), shape: to };
                self.define(&mut next, context, dst, &value);
            }
            Inst::Int { op, width, dst, a, b } => {
                return Ok(self.computed(next, (context, pc), (op, width), dst, [a, b]));
            }
            Inst::Cmp { pred, width, dst, a, b } => {
                let (a, b) = (self.number(context, a, width), self.number(context, b, width));
                let test = self.arithmetic.compare(pred, width, &a, &b);
                let term = Term::choice(test, Term::number(1), Term::number(0));
                self.define(&mut next, context, dst, &Number { term, shape: Shape::BIT });
            }
            Inst::Trunc { width, dst, a } => {
                let value = self.number(context, a, width);
                let shape = Shape { width, signed: self.shape(context, dst).signed };
                let term = self.arithmetic.read(&value, shape);
                self.define(&mut next, context, dst, &Number { term, shape });
            }
            Inst::SExt { from, to, dst, a } => {
                let value = self.number(context, a, from);
                let term = self.arithmetic.read(&value, Shape { width: from, signed: true });
                let shape = Shape { width: to, signed: true };
                self.define(&mut next, context, dst, &Number { term, shape });
            }
            Inst::PtrAdd { dst, base, offset } => {
                let base = self.number(context, base, 64);
                self.pointer(&mut next, context, dst, &base, &Term::number(Int::from(offset)));
            }
            Inst::PtrIndex { dst, base, index, width, scale } => {
                let base = self.number(context, base, 64);
                let index = self.number(context, index, width);
                let index = self.arithmetic.read(&index, Shape { width, signed: true });
                let by = index.times(Int::from(scale));
                self.pointer(&mut next, context, dst, &base, &by);
            }
            Inst::Load { bits, dst, addr, .. } => {
                if let Some(drafts) = self.load_element(&next, (context, pc), bits, dst, addr) {
                    return Ok(drafts);
                }
                self.load(&mut next, context, pc, bits, dst, addr)
            }
            Inst::Store { bits, src, addr, .. } => {
                if let Some(drafts) = self.store_element(&next, (context, pc), bits, src, addr) {
                    return Ok(drafts);
                }
                self.store(&mut next, context, pc, bits, src, addr);
            }
            Inst::Rmw { op, bits, dst, addr, src, .. } => {
                self.update(&mut next, context, pc, (op, bits), dst, addr, src);
            }
            Inst::CmpXchg { bits, weak, dst, ok, addr, list, .. } => {
                let list = &function.lists[list as usize];
                let old_new = (list[0], list[1]);
                return Ok(self.exchange(
                    next,
                    context,
                    pc,
                    (bits, weak),
                    (dst, ok),
                    addr,
                    old_new,
                ));
            }
            Inst::Alloca { dst, .. } => {
                self.forget(&mut next, &BTreeSet::from([Object::Frame(context, pc)]));
                let var = self.slot_var(context, dst);
                let input = self.input(&mut next, (4096, 1 << 47));
                next.sets.insert(var, Term::var(input));
                self.leave_open(&next, next.inputs.len() - 1);
            }
            Inst::LifetimeStart { addr } => {
                let objects = self.pointers.targets(&self.pointers.at(context, addr));
                self.forget(&mut next, &objects);
            }
            Inst::MemCopy { dst, src, len, .. } => {
                return Ok(self.block(next, (context, pc), phase, (dst, len), &Source::From(src)));
            }
            Inst::MemSet { dst, byte, len, .. } => {
                return Ok(self.block(next, (context, pc), phase, (dst, len), &Source::Byte(byte)));
            }
            Inst::Jump { to } => next.to = Some((context, to, 0)),
            Inst::Branch { cond, yes, no } => {
                let test = self.truth(context, cond);
                let mut other = next.clone();
                (next.to, other.to) = (Some((context, yes, 0)), Some((context, no, 0)));
                other.guard = test.negated();
                next.guard = test;
                return Ok(vec![next, other]);
            }
            Inst::Switch { value, table } => return Ok(self.switch(&next, context, value, table)),
            Inst::Return { list } => {
                let values = function.lists[list as usize].to_vec();
                return Ok(vec![self.returned(next, context, &values)]);
            }
            Inst::Call { call } => return self.call(next, context, pc, phase, call, node),
            Inst::StackSave { .. }
            | Inst::StackRestore { .. }
            | Inst::LifetimeEnd { .. }
            | Inst::Fence { .. }
            | Inst::VaEnd { .. }
            | Inst::SpinHint {} => self.arbitrary(&mut next, context, pc),
            Inst::Trap { .. } => return Ok(Vec::new()),
            Inst::IndirectJump { .. } => {
                return Err(self.unsupported(context, pc, "a computed goto"));
            }
            Inst::Unsupported { what } => {
                let what = function.unsupported[what as usize].to_string();
                return Err(self.unsupported(context, pc, &what));
            }
            Inst::TlsAddr { .. } => {
                self.arbitrary(&mut next, context, pc);
                // What such a variable is at first is not followed.
                next.exact = false;
            }
            Inst::IntUn { op, width, dst, a } => {
                let a = self.number(context, a, width);
                let result = self.arithmetic.unary(op, width, &a);
                self.define_if_known(&mut next, (context, pc), dst, result);
            }
            Inst::Funnel { left, width, dst, a, b, amount } => {
                let numbers = [a, b, amount].map(|slot| self.number(context, slot, width));
                let result = self.arithmetic.funnel(left, width, &numbers);
                self.define_if_known(&mut next, (context, pc), dst, result);
            }
            Inst::Overflow { .. }
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
            | Inst::VaArea { .. } => {
                self.lose(context, pc, "the result of a computation is arbitrary".into());
                self.arbitrary(&mut next, context, pc);
                next.exact = false;
            }
        }
        Ok(vec![next])
    }

    /// Every register that the instruction writes becomes arbitrary.
    pub(super) fn arbitrary(&mut self, draft: &mut Draft, context: usize, pc: Pc) {
        let function = self.program.function(self.calls.contexts[context].func);
        let mut written = Vec::new();
        function.code[pc as usize].operands(function, &mut |operand| {
            if operand.write {
                written.extend(operand.slot..operand.slot + operand.count);
            }
        });
        for slot in written {
            self.define_any(draft, context, slot);
        }
    }

    fn pointer(&mut self, draft: &mut Draft, context: usize, dst: Slot, base: &Number, by: &Term) {
        let shape = Shape { width: 64, signed: false };
        // C has no pointers that wrap around.
        let term = self.arithmetic.read(base, shape).plus(by);
        let var = self.slot_var(context, dst);
        draft.sets.insert(var, term);
    }

    fn truth(&mut self, context: usize, slot: Slot) -> Formula {
        let value = self.number(context, slot, 1);
        Formula::zero(value.term).negated()
    }
}

pub(super) fn meaning_of(builder: &Builder<'_>, func: FuncId) -> Option<Meaning> {
    meaning(builder.program, builder.request.wish, func)
}
