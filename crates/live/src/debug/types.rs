//! Types of the source, without their names for the same thing: typedefs and qualifiers are gone.

use exeunt_containers::Class;

/// Which of the program's types it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(pub(super) u32);

/// All types of a program.
#[derive(Debug, Default)]
pub(crate) struct Types {
    pub(super) all: Vec<Type>,
}

#[derive(Clone, Debug)]
pub(crate) enum Type {
    Int {
        signed: bool,
        bytes: u64,
    },
    Bool,
    Float {
        bytes: u64,
    },
    /// Also references of C++.
    Pointer {
        to: Option<TypeId>,
    },
    Enum {
        bytes: u64,
        names: Vec<(i64, String)>,
    },
    Struct {
        name: String,
        bytes: u64,
        fields: Vec<Field>,
        /// The types that a template was given.
        arguments: Vec<TypeId>,
    },
    Array {
        element: TypeId,
        count: u64,
    },
    /// Functions, unions of variants, what is only declared.
    Other {
        bytes: u64,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) ty: TypeId,
    /// The first bit and the number of bits, of a bit-field.
    pub(crate) bits: Option<(u64, u64)>,
    /// All members of a union are in one place.
    pub(crate) overlaps: bool,
    /// It is a base class.
    pub(crate) base: bool,
}

impl Types {
    pub(crate) fn get(&self, id: TypeId) -> &Type {
        &self.all[id.0 as usize]
    }

    pub(crate) fn size(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Int { bytes, .. } | Type::Float { bytes } | Type::Enum { bytes, .. } => *bytes,
            Type::Bool => 1,
            Type::Pointer { .. } => 8,
            Type::Struct { bytes, .. } | Type::Other { bytes } => *bytes,
            Type::Array { element, count } => self.size(*element).saturating_mul(*count),
        }
    }

    /// The members that are shown: base classes without members and what belongs to a library are not.
    pub(crate) fn shown<'f>(&self, fields: &'f [Field]) -> impl Iterator<Item = &'f Field> {
        fields.iter().filter(|one| !self.is_empty_base(one) && !self.is_of_library(one.ty))
    }

    fn is_empty_base(&self, field: &Field) -> bool {
        let empty = |ty| matches!(self.get(ty), Type::Struct { fields, .. } if fields.is_empty());
        field.base && empty(field.ty)
    }

    /// The first member or base class that has something in it.
    fn first_member<'f>(&self, fields: &'f [Field]) -> Option<&'f Field> {
        fields.iter().find(|field| !self.is_empty_base(field))
    }

    /// Whether it is a type of the C++ library, whose members mean nothing to its users.
    pub(super) fn is_of_cxx_library(&self, id: TypeId) -> bool {
        let Type::Struct { fields, .. } = self.get(id) else { return false };
        self.first_member(fields).is_some_and(|field| field.name.starts_with('_'))
    }

    /// Whether it is a type of the C library that programs do not look into: mutexes, conditions…
    pub(crate) fn is_of_library(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Struct { name, fields, .. } => {
                self.first_member(fields).is_some_and(|field| field.name.starts_with("__"))
                    && Class::of(name).is_none()
                    && self.only_scalar(id).is_none()
            }
            Type::Array { element, .. } => self.is_of_library(*element),
            Type::Int { .. }
            | Type::Bool
            | Type::Float { .. }
            | Type::Pointer { .. }
            | Type::Enum { .. }
            | Type::Other { .. } => false,
        }
    }

    /// The one number that a type of a library wraps, as `std::atomic<int>` does.
    pub(crate) fn only_scalar(&self, id: TypeId) -> Option<(u64, TypeId)> {
        match self.get(id) {
            Type::Struct { fields, .. } => match fields.as_slice() {
                [field] if field.name.starts_with('_') => {
                    let (offset, ty) = self.only_scalar(field.ty)?;
                    Some((field.offset + offset, ty))
                }
                _ => None,
            },
            Type::Int { .. }
            | Type::Bool
            | Type::Float { .. }
            | Type::Pointer { .. }
            | Type::Enum { .. } => Some((0, id)),
            Type::Array { .. } | Type::Other { .. } => None,
        }
    }
}
