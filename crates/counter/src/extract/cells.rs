//! Places in memory that are variables of an automaton.
//!
//! A cell is accessed always with the same address and size. Places that are
//! accessed in overlapping ways are no variables: what is read there is arbitrary.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_ir::{DebugType, DebugTypeId, GlobalId, Pc, Program};
use exeunt_smt::{Int, Var};

use super::Root;
use super::arithmetic::{Arithmetic, Integers};
use super::contexts::repeats;
use super::shape::Shape;
use crate::address::{Context, Object};
use crate::{Role, VarKind, Variable};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub object: Object,
    pub offset: i64,
    pub bytes: i64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub var: Var,
    pub shape: Shape,
}

#[derive(Default)]
pub(crate) struct Cells {
    pub known: BTreeMap<Place, Cell>,
}

impl Cells {
    /// The cells among the accessed places.
    pub fn new(
        objects: &Objects<'_>,
        accessed: &BTreeSet<Place>,
        integers: Integers,
        counted: &[Place],
        vars: &mut Vec<Variable>,
    ) -> Cells {
        let Objects { program, contexts, .. } = *objects;
        let mut cells = Cells::default();
        for place in accessed {
            // What is in a list or in a semaphore is not followed.
            let overlaps = accessed.iter().any(|other| other != place && meet(place, other))
                || counted.iter().any(|other| meet(place, other));
            let Some(kind) = objects.kind(place.object) else { continue };
            if overlaps || ![1, 2, 4, 8].contains(&place.bytes) {
                continue;
            }
            let (name, ty) = named(program, contexts, *place);
            let width = 8 * place.bytes as u8;
            let shape = Shape { width, signed: ty.unwrap_or(width < 64) };
            let range = (integers == Integers::Exact).then(|| shape.range());
            let initial = initial(program, *place, shape);
            let var = Var(vars.len() as u32);
            vars.push(Variable { name, kind, range, initial });
            cells.known.insert(*place, Cell { var, shape });
        }
        cells
    }

    /// The cells in an object.
    pub fn within(&self, object: Object) -> impl Iterator<Item = Cell> {
        self.known.iter().filter(move |(place, _)| place.object == object).map(|(_, cell)| *cell)
    }
}

pub(crate) fn meet(a: &Place, b: &Place) -> bool {
    a.object == b.object && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes
}

/// All that says how many objects there are of a kind, and who has their addresses.
#[derive(Clone, Copy)]
pub(crate) struct Objects<'a> {
    pub program: &'a Program,
    pub contexts: &'a [Context],
    pub roots: &'a [Root],
    pub escaped: &'a BTreeSet<Object>,
}

impl Objects<'_> {
    /// Whose variables the cells of an object are; `None` if nobody follows them, because several
    /// of them may be there at once.
    pub fn kind(&self, object: Object) -> Option<VarKind> {
        let escapes = self.escaped.contains(&object);
        match object {
            Object::Global(id) => (!self.program.global(id).constant).then_some(VarKind::Shared),
            Object::ThreadLocal(_, thread) => (!escapes).then_some(VarKind::Local(thread)),
            // The frame of a call that has ended is not there any more.
            Object::Frame(context, pc) if self.repeats(context, pc) => None,
            Object::Frame(context, _) if !escapes => {
                Some(VarKind::Local(self.contexts[context].thread))
            }
            Object::Heap(context, pc)
                if !self.contexts[context].once || self.repeats(context, pc) =>
            {
                None
            }
            Object::Heap(context, _) if !escapes => {
                Some(VarKind::Local(self.contexts[context].thread))
            }
            Object::Frame(context, _) | Object::Heap(context, _) => {
                self.is_single(context).then_some(VarKind::Shared)
            }
        }
    }

    fn repeats(&self, context: usize, pc: Pc) -> bool {
        repeats(self.program.function(self.contexts[context].func), pc)
    }

    /// Whether a call happens at most once in the whole program.
    fn is_single(&self, context: usize) -> bool {
        let at = &self.contexts[context];
        at.once
            && match self.roots[at.thread].role {
                Role::Subject | Role::One | Role::Main => true,
                Role::Many => false,
            }
    }
}

/// The name of a place and whether its type is signed.
fn named(program: &Program, contexts: &[Context], place: Place) -> (String, Option<bool>) {
    let (name, ty) = match place.object {
        Object::Global(GlobalId(id)) => {
            let global = &program.globals[id as usize];
            (exeunt_ir::readable(&global.name), global.ty)
        }
        Object::Frame(context, pc) => {
            let function = program.function(contexts[context].func);
            let local = function.locals.iter().find(|local| local.pc == pc);
            (local.map_or("local".into(), |local| local.name.to_string()), local.and_then(|l| l.ty))
        }
        Object::ThreadLocal(..) | Object::Heap(..) => ("memory".into(), None),
    };
    inner(program, name, ty, place.offset)
}

fn inner(
    program: &Program,
    name: String,
    ty: Option<DebugTypeId>,
    offset: i64,
) -> (String, Option<bool>) {
    let Some(ty) = ty else {
        let name = if offset == 0 { name } else { format!("{name}+{offset}") };
        return (name, None);
    };
    match &program.types[ty.0 as usize] {
        DebugType::Int { signed, .. } | DebugType::Char { signed } => (name, Some(*signed)),
        DebugType::Bool | DebugType::Pointer { .. } => (name, Some(false)),
        DebugType::Enum { .. } => (name, Some(true)),
        DebugType::Struct { fields, .. } => {
            let field = fields.iter().rev().find(|field| field.offset as i64 <= offset);
            match field {
                Some(field) => {
                    let full = format!("{name}.{}", field.name);
                    inner(program, full, Some(field.ty), offset - field.offset as i64)
                }
                None => (format!("{name}+{offset}"), None),
            }
        }
        DebugType::Array { element, element_bytes, .. } if *element_bytes > 0 => {
            let index = offset / *element_bytes as i64;
            let full = format!("{name}[{index}]");
            inner(program, full, Some(*element), offset % *element_bytes as i64)
        }
        DebugType::Array { .. } | DebugType::Float { .. } | DebugType::Other { .. } => {
            let name = if offset == 0 { name } else { format!("{name}+{offset}") };
            (name, None)
        }
    }
}

pub(crate) fn sign(program: &Program, contexts: &[Context], place: Place) -> Option<bool> {
    named(program, contexts, place).1
}

fn initial(program: &Program, place: Place, shape: Shape) -> Option<Int> {
    let Object::Global(id) = place.object else {
        // Nobody reads it before it is made, and then it may be anything.
        return Some(0);
    };
    let global = program.global(id);
    let from = usize::try_from(place.offset).ok()?;
    let bytes = global.data.get(from..from + place.bytes as usize)?;
    let unknown = global.undefined.iter().skip(from).take(bytes.len()).any(|bits| *bits != 0);
    if unknown || global.external {
        return None;
    }
    let value = bytes.iter().rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte));
    let exact = Arithmetic { integers: Integers::Exact };
    Some(exact.constant(value, shape.width, shape.signed).constant())
}

pub(crate) fn name(program: &Program, contexts: &[Context], place: Place) -> String {
    let (name, ty) = match place.object {
        Object::Global(GlobalId(id)) => {
            let global = &program.globals[id as usize];
            (exeunt_ir::readable(&global.name), global.ty)
        }
        Object::Frame(..) | Object::ThreadLocal(..) | Object::Heap(..) => {
            return named(program, contexts, place).0;
        }
    };
    // A lock is named as a whole, not by its first field.
    let (full, _) = inner(program, name, ty, place.offset);
    let mut name = full.replace("[abi:cxx11]", "");
    for inner in WITHIN {
        if let Some(at) = name.find(inner) {
            name.truncate(at);
        }
    }
    match name.strip_suffix(".c") {
        Some(queue) => queue.to_string(),
        None => name,
    }
}

/// The first fields of locks, lists and containers, which are named as a whole.
const WITHIN: &[&str] =
    &[".__", ".._M", "._M", ".c.", ".tqh_", ".stqh_", ".slh_", ".lh_", ".sqh_", ".next", ".Flink"];

/// `line 8` for the value that is computed there.
pub(crate) fn slot_name(
    program: &Program,
    function: &exeunt_ir::Function,
    slot: exeunt_ir::Slot,
) -> String {
    for (pc, inst) in function.code.iter().enumerate() {
        let mut writes = false;
        inst.operands(function, &mut |operand| {
            writes |= operand.write && (operand.slot..operand.slot + operand.count).contains(&slot);
        });
        let line = program.location(function.locs[pc]).map_or(0, |location| location.line);
        if writes && line > 0 {
            return format!("%{slot}@{line}");
        }
    }
    format!("%{slot}")
}
