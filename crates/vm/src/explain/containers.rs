//! Objects of libstdc++ in the machine's memory (`exeunt_containers` knows what they look like). The nodes of lists
//! and trees have no type of their elements, so that is found by the name that the container has for it.

use exeunt_containers::{Member, Objects, arguments, unqualified};
use exeunt_ir::address;
use exeunt_ir::{DebugType, DebugTypeId};

use super::values::DEPTH;
use crate::machine::Machine;
use crate::vm::Vm;

impl Machine<'_> {
    /// The contents of a container, string, owning pointer or optional at a place.
    pub(super) fn show_library(&mut self, at: u64, ty: DebugTypeId, depth: u32) -> Option<String> {
        exeunt_containers::show(self, at, ty, depth)
    }

    fn debug_type(&self, ty: DebugTypeId) -> &DebugType {
        &self.vm.program.types[ty.0 as usize]
    }
}

impl Objects for Machine<'_> {
    type Type = DebugTypeId;

    fn name(&self, ty: DebugTypeId) -> Option<String> {
        let DebugType::Struct { name, .. } = self.debug_type(ty) else { return None };
        Some(name.to_string())
    }

    fn members(&self, ty: DebugTypeId) -> Vec<Member<DebugTypeId>> {
        let DebugType::Struct { fields, .. } = self.debug_type(ty) else { return Vec::new() };
        let member = |field: &exeunt_ir::DebugField| Member {
            name: field.name.to_string(),
            offset: field.offset,
            ty: field.ty,
        };
        fields.iter().map(member).collect()
    }

    fn is_pointer(&self, ty: DebugTypeId) -> bool {
        matches!(self.debug_type(ty), DebugType::Pointer { .. })
    }

    fn pointee(&self, ty: DebugTypeId) -> Option<DebugTypeId> {
        let DebugType::Pointer { to } = self.debug_type(ty) else { return None };
        *to
    }

    fn element(&self, ty: DebugTypeId) -> Option<DebugTypeId> {
        let DebugType::Array { element, .. } = self.debug_type(ty) else { return None };
        Some(*element)
    }

    fn size(&self, ty: DebugTypeId) -> u64 {
        self.vm.size_of(ty)
    }

    fn argument(&self, ty: DebugTypeId, index: usize) -> Option<DebugTypeId> {
        let DebugType::Struct { name, .. } = self.debug_type(ty) else { return None };
        self.vm.type_named(arguments(name).get(index)?)
    }

    fn word(&mut self, at: u64) -> Option<u64> {
        let bits = self.mem.read(at, 8).ok()?;
        (bits.undefined == 0).then_some(bits.value)
    }

    fn byte(&mut self, at: u64) -> Option<u8> {
        let bits = self.mem.read(at, 1).ok()?;
        (bits.undefined == 0).then_some(bits.value as u8)
    }

    fn within_one(&mut self, from: u64, to: u64) -> bool {
        address::object(from) == address::object(to)
    }

    fn show(&mut self, at: u64, ty: DebugTypeId, depth: u32) -> String {
        let id = address::object(at);
        self.show_deep(id, at.wrapping_sub(id.at(0)), ty, depth.min(DEPTH))
    }

    fn show_place(&mut self, place: u64) -> String {
        self.show_untyped(place, 8)
    }
}

impl Vm {
    /// A type by the name that a template has for it, if the program has such a type.
    fn type_named(&self, name: &str) -> Option<DebugTypeId> {
        let name = name.trim().trim_start_matches("const ");
        let int = |bytes, signed| Some(DebugType::Int { bytes, signed });
        let wanted = match name {
            "bool" => Some(DebugType::Bool),
            "char" | "signed char" => Some(DebugType::Char { signed: true }),
            "unsigned char" => Some(DebugType::Char { signed: false }),
            "short" => int(2, true),
            "unsigned short" => int(2, false),
            "int" => int(4, true),
            "unsigned int" => int(4, false),
            "long" | "long long" => int(8, true),
            "unsigned long" | "unsigned long long" => int(8, false),
            "float" => Some(DebugType::Float { bytes: 4 }),
            "double" => Some(DebugType::Float { bytes: 8 }),
            _ => None,
        };
        let is = |ty: &DebugType| match (ty, &wanted) {
            (ty, Some(wanted)) => ty == wanted,
            (DebugType::Struct { name: known, .. }, None) => **known == *unqualified(name),
            (DebugType::Pointer { .. }, None) => name.ends_with('*'),
            (
                DebugType::Int { .. }
                | DebugType::Bool
                | DebugType::Char { .. }
                | DebugType::Float { .. }
                | DebugType::Enum { .. }
                | DebugType::Array { .. }
                | DebugType::Other { .. },
                None,
            ) => false,
        };
        self.program.types.iter().position(is).map(|at| DebugTypeId(at as u32))
    }
}
