//! The values of variables as their source types show them, for pictures.

use exeunt_ir::address::{ObjId, Space};
use exeunt_ir::{DebugField, DebugType, DebugTypeId, Global, LocId};

use crate::machine::Machine;
use crate::vm::Vm;

/// Elements of an array that are shown.
const ELEMENTS: u64 = exeunt_containers::ELEMENTS as u64;
/// Containers within containers that are looked into.
pub(super) const DEPTH: u32 = 4;
/// Objects larger than this are not shown.
const LARGE: usize = 4096;

impl Machine<'_> {
    /// The variable globals, without those that only synchronise: what waits
    /// for them is seen elsewhere.
    pub fn show_globals(&mut self) -> Vec<(String, String)> {
        let mut shown = Vec::new();
        for (id, name, ty) in self.shown_globals(None) {
            let text = match ty {
                Some(ty) => self.show_part(id, 0, ty),
                None => {
                    let size = self.vm.program.globals[id.index() as usize].data.len();
                    self.show_bytes(id, 0, size as u64)
                }
            };
            shown.push((name, text));
        }
        shown
    }

    /// The globals of all threads, or those of which one thread has its own.
    pub(super) fn shown_globals(
        &self,
        own: Option<u32>,
    ) -> Vec<(ObjId, String, Option<DebugTypeId>)> {
        let mut shown = Vec::new();
        // What the C++ library keeps has no place in the source; in a program without debug information nothing has.
        let placed = |global: &Global| global.loc != LocId::NONE;
        let described = self.vm.program.globals.iter().any(placed);
        for (i, global) in self.vm.program.globals.iter().enumerate() {
            if described && !placed(global) {
                continue;
            }
            let other = global.thread_local != own.is_some();
            let hidden = global.constant || other || global.data.len() > LARGE;
            let library = global.ty.is_some_and(|ty| self.is_of_library(ty));
            if hidden || library || global.data.is_empty() || global.name.starts_with("__") {
                continue;
            }
            let id = match own {
                None => ObjId::new(Space::Global, i as u32),
                Some(thread) => ObjId::in_arena(Space::ThreadLocal, thread as u8, i as u16),
            };
            shown.push((id, exeunt_ir::short(&global.name), global.ty));
        }
        shown
    }

    /// A value in a register as its type shows it.
    pub(super) fn show_register(&mut self, ty: Option<DebugTypeId>, value: u64) -> String {
        let vm = self.vm;
        let size = ty.map_or(8, |ty| vm.size_of(ty)).clamp(1, 8);
        let typed = ty.and_then(|ty| vm.show_typed(ty, value, size as usize));
        typed.unwrap_or_else(|| self.show_untyped(value, size as usize))
    }

    /// Whether a type is one of the C library's own: mutexes, conditions… and those that wrap one. Where the debug
    /// information leaves the members out, as that of `std::condition_variable` does, there is nothing to show, either.
    fn is_of_library(&self, ty: DebugTypeId) -> bool {
        match &self.vm.program.types[ty.0 as usize] {
            DebugType::Struct { fields, bytes, .. } if fields.is_empty() => *bytes > 1,
            DebugType::Struct { fields, .. } => {
                let mut full = fields.iter().filter(|field| !self.vm.is_empty_base(field));
                let wraps = |field: &DebugField| {
                    field.name.starts_with("_M_") && self.is_of_library(field.ty)
                };
                let base =
                    |field: &DebugField| field.name.is_empty() && self.is_of_library(field.ty);
                full.next().is_some_and(|first| {
                    first.name.starts_with("__")
                        || (wraps(first) || base(first)) && full.next().is_none()
                })
            }
            DebugType::Array { element, .. } => self.is_of_library(*element),
            DebugType::Int { .. }
            | DebugType::Bool
            | DebugType::Char { .. }
            | DebugType::Float { .. }
            | DebugType::Pointer { .. }
            | DebugType::Enum { .. }
            | DebugType::Other { .. } => false,
        }
    }

    /// The one value that a struct of the C++ library wraps, as `std::atomic<int>` and `std::thread` do.
    fn only_scalar(&self, ty: DebugTypeId) -> Option<(u64, DebugTypeId)> {
        let DebugType::Struct { fields, .. } = &self.vm.program.types[ty.0 as usize] else {
            return None;
        };
        let mut full = fields.iter().filter(|field| !self.vm.is_empty_base(field));
        let only =
            full.next().filter(|field| field.name.is_empty() || field.name.starts_with("_M_"));
        let only = only.filter(|_| full.next().is_none())?;
        match &self.vm.program.types[only.ty.0 as usize] {
            DebugType::Struct { .. } => {
                let (offset, ty) = self.only_scalar(only.ty)?;
                Some((only.offset + offset, ty))
            }
            DebugType::Int { .. }
            | DebugType::Bool
            | DebugType::Char { .. }
            | DebugType::Float { .. }
            | DebugType::Pointer { .. }
            | DebugType::Enum { .. } => Some((only.offset, only.ty)),
            DebugType::Array { .. } | DebugType::Other { .. } => None,
        }
    }

    pub(super) fn show_part(&mut self, id: ObjId, offset: u64, ty: DebugTypeId) -> String {
        self.show_deep(id, offset, ty, DEPTH)
    }

    /// The same, looking into so many containers within each other.
    pub(super) fn show_deep(
        &mut self,
        id: ObjId,
        offset: u64,
        ty: DebugTypeId,
        depth: u32,
    ) -> String {
        if let Some(text) = self.show_library(id.at(offset as i64), ty, depth) {
            return text;
        }
        if let Some((at, scalar)) = self.only_scalar(ty) {
            return self.show_deep(id, offset + at, scalar, depth);
        }
        let vm = self.vm;
        match &vm.program.types[ty.0 as usize] {
            DebugType::Struct { fields, .. } => {
                let mut parts = Vec::new();
                for field in fields {
                    if !self.is_of_library(field.ty) && !self.vm.is_empty_base(field) {
                        let value = self.show_deep(id, offset + field.offset, field.ty, depth);
                        // The members of a base class are its own.
                        let inner = value.strip_prefix('{').and_then(|one| one.strip_suffix('}'));
                        parts.push(match (&*field.name, inner) {
                            ("", Some(inner)) => inner.to_string(),
                            (name, _) => format!("{name}: {value}"),
                        });
                    }
                }
                format!("{{{}}}", parts.join(", "))
            }
            &DebugType::Array { element, element_bytes, count } => {
                let shown = count.min(ELEMENTS);
                let mut parts: Vec<String> = (0..shown)
                    .map(|i| self.show_deep(id, offset + i * element_bytes, element, depth))
                    .collect();
                if count > shown {
                    parts.push("…".to_string());
                }
                format!("[{}]", parts.join(", "))
            }
            _ => {
                let typed = self.show_scalar(id.at(offset as i64), ty);
                typed.unwrap_or_else(|| self.show_bytes(id, offset, vm.size_of(ty)))
            }
        }
    }

    /// A value whose type shows it, wherever it is.
    fn show_scalar(&mut self, at: u64, ty: DebugTypeId) -> Option<String> {
        let len = self.vm.size_of(ty) as usize;
        matches!(len, 1..=8).then_some(())?;
        let bits = self.mem.read(at, len).ok().filter(|bits| bits.undefined == 0)?;
        let value = self.session.clock.value(bits.value).unwrap_or(bits.value);
        self.vm.show_typed(ty, value, len)
    }

    pub(super) fn show_bytes(&mut self, id: ObjId, offset: u64, len: u64) -> String {
        if !matches!(len, 1..=8) {
            return "…".to_string();
        }
        let place = id.at(offset as i64);
        match self.mem.read(place, len as usize) {
            Ok(bits) if bits.undefined == 0 => self.show_value(place, bits.value, len as usize),
            Ok(_) => "uninitialised".to_string(),
            Err(_) => "?".to_string(),
        }
    }
}

impl Vm {
    /// A base class without members.
    fn is_empty_base(&self, field: &DebugField) -> bool {
        let ty = &self.program.types[field.ty.0 as usize];
        field.name.is_empty() && matches!(ty, DebugType::Struct { fields, .. } if fields.is_empty())
    }

    /// The members of a struct, or the elements where an object has room for several
    /// things of a type: name, offset, type.
    pub(super) fn places_in(
        &self,
        ty: DebugTypeId,
        room: u64,
    ) -> Vec<(String, u64, Option<DebugTypeId>)> {
        let size = self.size_of(ty);
        let count = room.checked_div(size).unwrap_or(1);
        if count > 1 {
            return (0..count).map(|i| (format!("[{i}]"), i * size, Some(ty))).collect();
        }
        match &self.program.types[ty.0 as usize] {
            DebugType::Struct { fields, .. } => {
                let full = fields.iter().filter(|field| !self.is_empty_base(field));
                full.map(|field| (field.name.to_string(), field.offset, Some(field.ty))).collect()
            }
            &DebugType::Array { element, element_bytes, count } => {
                (0..count).map(|i| (format!("[{i}]"), i * element_bytes, Some(element))).collect()
            }
            DebugType::Int { .. }
            | DebugType::Bool
            | DebugType::Char { .. }
            | DebugType::Float { .. }
            | DebugType::Pointer { .. }
            | DebugType::Enum { .. }
            | DebugType::Other { .. } => vec![("value".to_string(), 0, Some(ty))],
        }
    }
}
