//! Objects of the C++ library in the memory of a native program (`exeunt_containers` knows what they look like).

use exeunt_containers::{Member, Objects};

use super::values::{DEPTH, Reading};
use super::{Type, TypeId};

impl Objects for Reading<'_> {
    type Type = TypeId;

    fn name(&self, ty: TypeId) -> Option<String> {
        let Type::Struct { name, .. } = self.debug.types.get(ty) else { return None };
        Some(name.clone())
    }

    fn members(&self, ty: TypeId) -> Vec<Member<TypeId>> {
        let Type::Struct { fields, .. } = self.debug.types.get(ty) else { return Vec::new() };
        let member = |field: &super::types::Field| Member {
            name: if field.base { String::new() } else { field.name.clone() },
            offset: field.offset,
            ty: field.ty,
        };
        fields.iter().map(member).collect()
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.debug.types.get(ty), Type::Pointer { .. })
    }

    fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        let Type::Pointer { to } = self.debug.types.get(ty) else { return None };
        *to
    }

    fn element(&self, ty: TypeId) -> Option<TypeId> {
        let Type::Array { element, .. } = self.debug.types.get(ty) else { return None };
        Some(*element)
    }

    fn size(&self, ty: TypeId) -> u64 {
        self.debug.types.size(ty)
    }

    fn argument(&self, ty: TypeId, index: usize) -> Option<TypeId> {
        let Type::Struct { arguments, .. } = self.debug.types.get(ty) else { return None };
        arguments.get(index).copied()
    }

    fn word(&mut self, at: u64) -> Option<u64> {
        let bytes = (self.memory)(at, 8)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    }

    fn byte(&mut self, at: u64) -> Option<u8> {
        (self.memory)(at, 1)?.first().copied()
    }

    fn within_one(&mut self, from: u64, to: u64) -> bool {
        // Where objects end is not known here; both ends can be read at least.
        from == to || (self.byte(from).is_some() && self.byte(to.wrapping_sub(1)).is_some())
    }

    fn show(&mut self, at: u64, ty: TypeId, depth: u32) -> String {
        self.at(at, ty, depth.min(DEPTH)).value
    }

    fn show_place(&mut self, place: u64) -> String {
        self.pointer(place, None).value
    }
}
