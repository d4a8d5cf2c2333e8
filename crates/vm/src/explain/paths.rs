//! Names of heap memory by how the program gets there: `chan->w_cond`.
//!
//! An object of the heap has no name of its own. It is named by the shortest way
//! from a variable over typed pointers. Where there is none, because the variable
//! is not used any more, it is named by the expression that computed the address,
//! read off the code before the instruction.

use std::collections::{HashMap, HashSet};

use exeunt_containers::is_internal;
use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::variables::variables_at;
use exeunt_ir::{DebugType, DebugTypeId, Function, Inst, LocId, Pc, Slot, VariablePlace, short};

use super::frames::Holder;
use crate::machine::Machine;
use crate::vm::Vm;

/// Pointers that a path follows at most.
const LONGEST: usize = 3;
/// Pointers that are looked at in all, in one variable or object, and elements of
/// an array that are.
const MANY: usize = 4096;
const POINTERS: usize = 128;
const ELEMENTS: u64 = 16;
/// Nested members of a type that are looked into.
const DEPTH: u32 = 8;

/// A pointer that the program has, in source terms.
#[derive(Clone)]
struct Pointer {
    text: String,
    value: u64,
    to: DebugTypeId,
    /// Its name does not say enough: `this`, or what threads mean different things by.
    vague: bool,
}

/// A name, and the type of what it names.
pub(super) type Named = (String, Option<DebugTypeId>);

impl Machine<'_> {
    /// The name of a byte of the heap.
    pub(super) fn heap_name(&mut self, addr: u64) -> Option<Named> {
        self.path_to(addr).or_else(|| self.expression_for(addr))
    }

    /// The shortest way from a global, which all threads know by one name, or else
    /// from a local variable.
    fn path_to(&mut self, addr: u64) -> Option<Named> {
        let globals = self.pointers_of_globals();
        self.path_from(globals, addr).or_else(|| {
            let locals = self.pointers_of_locals();
            self.path_from(locals, addr)
        })
    }

    fn path_from(&mut self, mut layer: Vec<Pointer>, addr: u64) -> Option<Named> {
        let mut seen: HashSet<(ObjId, u64)> = HashSet::new();
        let mut looked = 0;
        for _ in 0..LONGEST {
            if let Some(named) = self.named_by(&layer, addr) {
                return Some(named);
            }
            let mut next = Vec::new();
            for pointer in &layer {
                let (id, offset) = (address::object(pointer.value), address::offset(pointer.value));
                let heap = id.space() == Some(Space::Heap);
                if !heap || offset < 0 || !seen.insert((id, offset as u64)) || looked > MANY {
                    continue;
                }
                let found = self.pointers_behind(pointer, id, offset as u64);
                looked += found.len();
                next.extend(found);
            }
            layer = next;
        }
        None
    }

    /// The types of objects of the heap, by the pointers that lead to their beginning.
    pub(super) fn heap_types(&mut self) -> HashMap<ObjId, DebugTypeId> {
        let mut types = HashMap::new();
        let mut layer = self.pointers_of_globals();
        layer.extend(self.pointers_of_locals());
        while !layer.is_empty() && types.len() < MANY {
            let mut next = Vec::new();
            for pointer in &layer {
                let (id, offset) = (address::object(pointer.value), address::offset(pointer.value));
                let heap = id.space() == Some(Space::Heap) && self.mem.exists(id);
                let fresh = heap && offset == 0 && !types.contains_key(&id);
                if fresh && self.vm.size_of(pointer.to) > 0 {
                    types.insert(id, pointer.to);
                    next.extend(self.pointers_behind(pointer, id, 0));
                }
            }
            layer = next;
        }
        types
    }

    /// The first of these pointers that leads to the byte and whose name tells most.
    fn named_by(&mut self, pointers: &[Pointer], addr: u64) -> Option<Named> {
        let wanted = address::object(addr);
        let mut best: Option<(bool, Named)> = None;
        for pointer in pointers.iter().filter(|p| address::object(p.value) == wanted) {
            let distance = address::offset(addr) - address::offset(pointer.value);
            let Ok(distance) = u64::try_from(distance) else { continue };
            let Some(named) = self.vm.behind(&pointer.text, pointer.to, distance) else { continue };
            if !pointer.vague {
                return Some(named);
            }
            best.get_or_insert((true, named));
        }
        best.map(|(_, named)| named)
    }

    fn pointers_of_globals(&mut self) -> Vec<Pointer> {
        let mut pointers = Vec::new();
        let vm = self.vm;
        for (i, global) in vm.program.globals.iter().enumerate() {
            if let Some(ty) = global.ty.filter(|_| !global.constant && !global.thread_local) {
                let id = ObjId::new(Space::Global, i as u32);
                self.pointers_in(id, 0, ty, (&short(&global.name), false), &mut pointers);
            }
        }
        pointers
    }

    /// Pointers in the variables of the running thread, the innermost call first, then
    /// in those of the others. Variables of library code are nobody's.
    fn pointers_of_locals(&mut self) -> Vec<Pointer> {
        let mut pointers = Vec::new();
        let vm = self.vm;
        let me = self.thread.me;
        let others = (0..self.system_threads()).filter(|&thread| thread != me);
        for thread in std::iter::once(me).chain(others) {
            let mut calls = self.calls_of(thread);
            calls.retain(|call| vm.code(call.func).function.loc != LocId::NONE);
            for call in calls {
                for variable in self.variables_of(&call) {
                    let Some(ty) = variable.ty else { continue };
                    let vague = variable.name == "this";
                    match (variable.holder, &vm.program.types[ty.0 as usize]) {
                        (Holder::Object(id), _) => {
                            self.pointers_in(id, 0, ty, (&variable.name, vague), &mut pointers)
                        }
                        (Holder::Value(bits), &DebugType::Pointer { to: Some(to) })
                            if bits.undefined == 0 =>
                        {
                            let (text, value) = (variable.name, bits.value);
                            pointers.push(Pointer { text, value, to, vague })
                        }
                        (Holder::Value(_), _) => {}
                    }
                }
            }
        }
        note_ambiguity(&mut pointers);
        pointers
    }

    /// Pointers in what a pointer leads to: one thing, or an array of them.
    fn pointers_behind(&mut self, pointer: &Pointer, id: ObjId, offset: u64) -> Vec<Pointer> {
        let mut pointers = Vec::new();
        let Some(header) = self.mem.header(id) else { return pointers };
        let size = self.vm.size_of(pointer.to);
        let room = (header.size as u64).saturating_sub(offset);
        let count = room.checked_div(size).unwrap_or(0).min(ELEMENTS);
        for index in 0..count {
            let text = match (count, &self.vm.program.types[pointer.to.0 as usize]) {
                (1, DebugType::Struct { .. }) => format!("{}->", pointer.text),
                (1, _) => format!("(*{})", pointer.text),
                _ => format!("{}[{index}]", pointer.text),
            };
            let text = (&*text, pointer.vague);
            self.pointers_in(id, offset + index * size, pointer.to, text, &mut pointers);
        }
        pointers
    }

    /// The typed pointers in a thing in memory.
    fn pointers_in(
        &mut self,
        id: ObjId,
        offset: u64,
        ty: DebugTypeId,
        (text, vague): (&str, bool),
        out: &mut Vec<Pointer>,
    ) {
        let mut places = Vec::new();
        self.vm.pointer_places(ty, offset, text.to_string(), DEPTH, &mut places);
        for (text, offset, to) in places {
            if let Some(value) = self.word_at(id, offset) {
                out.push(Pointer { text, value, to, vague });
            }
        }
    }

    /// Eight defined bytes of an object.
    pub(super) fn word_at(&mut self, id: ObjId, offset: u64) -> Option<u64> {
        let object = self.mem.object(id)?;
        let range = offset as usize..offset as usize + 8;
        let undefined = |shadow: &[u8]| shadow.iter().any(|byte| *byte != 0);
        if object.shadow().and_then(|shadow| shadow.get(range.clone())).is_some_and(undefined) {
            return None;
        }
        let bytes = object.data().get(range)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    }

    // ---- expressions ---------------------------------------------------------------

    /// The expression whose value an instruction that some thread is at was
    /// given as this address.
    fn expression_for(&mut self, addr: u64) -> Option<Named> {
        let me = self.thread.me;
        let others = (0..self.system_threads()).filter(|&thread| thread != me);
        for thread in std::iter::once(me).chain(others) {
            let Some(call) = self.calls_of(thread).into_iter().next() else { continue };
            let function = self.vm.code(call.func).function;
            if function.loc == LocId::NONE {
                continue;
            }
            let mut slots = Vec::new();
            function.code[call.pc as usize].operands(function, &mut |operand| {
                if !operand.write && operand.slot < function.registers {
                    slots.push(operand.slot);
                }
            });
            for slot in slots {
                if call.value(slot) == Some(addr)
                    && let Some(place) = self.vm.expression(function, call.pc, slot, DEPTH)
                    && let Some(named) = self.vm.behind_place(&place)
                {
                    return Some(named);
                }
            }
        }
        None
    }
}

/// An address in source terms: so many bytes behind a variable or a pointer.
struct Place {
    text: String,
    /// Whether `text` is a pointer to the thing, and not the thing.
    pointer: bool,
    ty: DebugTypeId,
    offset: u64,
}

impl Vm {
    /// What lies so many bytes behind a pointer: `p->next`, `p[2].key`, `*p`.
    fn behind(&self, text: &str, to: DebugTypeId, distance: u64) -> Option<Named> {
        let size = self.size_of(to);
        if size == 0 {
            return None;
        }
        let mut path = String::new();
        let leaf = self.path(to, distance % size, &mut path)?;
        let path = without_library(&path);
        let name = match (distance / size, path.strip_prefix('.')) {
            (0, _) if path.is_empty() => format!("*{text}"),
            (0, Some(member)) => format!("{text}->{member}"),
            (0, None) => format!("(*{text}){path}"),
            (index, _) => format!("{text}[{index}]{path}"),
        };
        Some((name, Some(leaf)))
    }

    fn behind_place(&self, place: &Place) -> Option<Named> {
        if place.pointer {
            return self.behind(&place.text, place.ty, place.offset);
        }
        let mut path = place.text.clone();
        let leaf = self.path(place.ty, place.offset, &mut path)?;
        Some((path, Some(leaf)))
    }

    /// The places of typed pointers in a type: text, offset, what they point to.
    fn pointer_places(
        &self,
        ty: DebugTypeId,
        offset: u64,
        text: String,
        depth: u32,
        out: &mut Vec<(String, u64, DebugTypeId)>,
    ) {
        if out.len() >= POINTERS || depth == 0 {
            return;
        }
        match &self.program.types[ty.0 as usize] {
            DebugType::Pointer { to: Some(to) } => out.push((text, offset, *to)),
            DebugType::Struct { name, fields, .. } => {
                for field in fields {
                    // What a smart pointer or a container is made of is its own business.
                    let hidden = is_internal(name, &field.name);
                    let text = match (hidden, text.ends_with("->")) {
                        (true, _) => text.trim_end_matches("->").to_string(),
                        (false, true) => format!("{text}{}", field.name),
                        (false, false) => format!("{text}.{}", field.name),
                    };
                    self.pointer_places(field.ty, offset + field.offset, text, depth - 1, out);
                }
            }
            &DebugType::Array { element, element_bytes, count } => {
                for index in 0..count.min(ELEMENTS) {
                    let at = offset + index * element_bytes;
                    self.pointer_places(element, at, format!("{text}[{index}]"), depth - 1, out);
                }
            }
            DebugType::Pointer { to: None }
            | DebugType::Int { .. }
            | DebugType::Bool
            | DebugType::Char { .. }
            | DebugType::Float { .. }
            | DebugType::Enum { .. }
            | DebugType::Other { .. } => {}
        }
    }

    /// How the address in a register was computed, in source terms.
    fn expression(&self, function: &Function, pc: Pc, slot: Slot, depth: u32) -> Option<Place> {
        let named = |row: &&exeunt_ir::VariableName| row.place == VariablePlace::Register(slot);
        if let Some(row) = variables_at(function, pc).into_iter().find(named) {
            return self.pointer_place(row.name.to_string(), row.ty?);
        }
        if let Some(index) = slot.checked_sub(function.registers) {
            let value = function.constants.get(index as usize)?.value;
            return self.place_of_global(value);
        }
        let (at, inst) = definition(function, slot)?;
        let depth = depth.checked_sub(1)?;
        if let Inst::Mov { src, .. } = *inst {
            return self.expression(function, at, src, depth);
        }
        if let Inst::PtrAdd { base, offset, .. } = *inst {
            let base = self.expression(function, at, base, depth)?;
            let offset = base.offset.checked_add_signed(offset.into())?;
            return Some(Place { offset, ..base });
        }
        if let Inst::Load { addr, pointer: true, .. } = *inst {
            let place = self.expression(function, at, addr, depth)?;
            let (text, ty) = self.behind_place(&place)?;
            return self.pointer_place(text, ty?);
        }
        let local = function.locals.iter().find(|local| local.pc == at)?;
        let (text, ty) = (local.name.to_string(), local.ty?);
        Some(Place { text, pointer: false, ty, offset: 0 })
    }

    fn pointer_place(&self, text: String, ty: DebugTypeId) -> Option<Place> {
        match self.program.types[ty.0 as usize] {
            DebugType::Pointer { to: Some(ty) } => {
                Some(Place { text, pointer: true, ty, offset: 0 })
            }
            _ => None,
        }
    }

    fn place_of_global(&self, value: u64) -> Option<Place> {
        let id = address::object(value);
        let global = match id.space() {
            Some(Space::Global) => self.program.globals.get(id.index() as usize)?,
            _ => return None,
        };
        let offset = address::offset(value).try_into().ok()?;
        Some(Place { text: short(&global.name), pointer: false, ty: global.ty?, offset })
    }
}

/// Marks pointers whose variables have the same name and lead to different objects.
fn note_ambiguity(pointers: &mut [Pointer]) {
    let mut objects: HashMap<String, ObjId> = HashMap::new();
    let mut ambiguous: HashSet<String> = HashSet::new();
    for pointer in pointers.iter() {
        let object = address::object(pointer.value);
        if *objects.entry(pointer.text.clone()).or_insert(object) != object {
            ambiguous.insert(pointer.text.clone());
        }
    }
    for pointer in pointers {
        pointer.vague |= ambiguous.contains(&pointer.text);
    }
}

/// A path without what the types of libraries are made of.
pub(super) fn without_library(path: &str) -> String {
    let mut out = String::new();
    for (at, part) in path.split('.').enumerate() {
        let (name, index) = part.split_at(part.find('[').unwrap_or(part.len()));
        // The first part is the variable, or nothing.
        if at > 0 && (name.starts_with("_M_") || name.starts_with("__")) {
            out.push_str(index);
        } else {
            out.push_str(if at == 0 { "" } else { "." });
            out.push_str(part);
        }
    }
    out
}

/// The instruction that a register has its value from, if there is only one.
fn definition(function: &Function, slot: Slot) -> Option<(Pc, &Inst)> {
    let writes = |inst: &Inst| {
        let mut writes = false;
        inst.operands(function, &mut |operand| {
            let covered = operand.slot..operand.slot + operand.count;
            writes |= operand.write && covered.contains(&slot);
        });
        writes
    };
    let mut writers = function.code.iter().enumerate().filter(|(_, inst)| writes(inst));
    let (at, inst) = writers.next()?;
    writers.next().is_none().then_some((at as Pc, inst))
}
