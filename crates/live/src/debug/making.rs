//! From entries to types and variables: references are followed, names of the same type are forgotten.

use std::collections::HashMap;

use addr2line::gimli;

use super::entries::{At, Book, Named, Part, Shape};
use super::place::Where;
use super::types::{Field, Type, TypeId, Types};
use super::{Debug, Function, Global, Local};

impl Book {
    /// Name, type, line and whether it is one of the system, by way of its origins.
    fn whole(&self, at: At) -> Named {
        let mut whole = Named::default();
        let mut next = Some(at);
        for _ in 0..4 {
            let Some(named) = next.and_then(|at| self.named.get(&at)) else { break };
            whole.name = whole.name.or_else(|| named.name.clone());
            whole.ty = whole.ty.or(named.ty);
            whole.line = whole.line.or(named.line);
            whole.system |= named.system;
            next = named.origin;
        }
        whole
    }

    pub(super) fn close(self) -> Debug {
        let mut maker = Maker { book: &self, types: Types::default(), known: HashMap::new() };
        let globals = maker.variables(&self.fixed);
        let own = maker.variables(&self.own);
        let mut functions = Vec::new();
        for (function, seen) in &self.functions {
            let mut locals = Vec::new();
            for one in seen {
                let whole = self.whole(one.at);
                let (Some(name), Some(ty)) = (whole.name, whole.ty) else { continue };
                let location = Where { parts: one.location.parts.clone() };
                let line = whole.line.filter(|_| !one.parameter);
                let scope = one.scope.clone();
                locals.push(Local { name, ty: maker.make(ty), location, scope, line });
            }
            let frame_base = Where { parts: function.frame_base.parts.clone() };
            functions.push(Function { ranges: function.ranges.clone(), frame_base, locals });
        }
        Debug { types: maker.types, globals, own, functions }
    }
}

/// Makes types of shapes, each once.
struct Maker<'b> {
    book: &'b Book,
    types: Types,
    known: HashMap<At, TypeId>,
}

impl Maker<'_> {
    /// Variables that the program has written and may change, in the order of their places.
    fn variables(&mut self, all: &[(At, u64)]) -> Vec<Global> {
        let mut variables = Vec::new();
        for &(at, address) in all {
            let whole = self.book.whole(at);
            let (Some(name), Some(ty), false) = (whole.name, whole.ty, whole.system) else {
                continue;
            };
            if self.is_constant(ty) || name.starts_with("__") || name.contains('$') {
                continue;
            }
            variables.push(Global { name, address, ty: self.make(ty) });
        }
        variables.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
        variables.dedup_by_key(|variable| variable.address);
        variables
    }

    fn is_constant(&self, at: At) -> bool {
        let Some(shape) = self.book.shapes.get(&at) else { return false };
        match shape.tag {
            gimli::DW_TAG_const_type => true,
            gimli::DW_TAG_typedef | gimli::DW_TAG_volatile_type | gimli::DW_TAG_array_type => {
                shape.ty.is_some_and(|ty| self.is_constant(ty))
            }
            _ => false,
        }
    }

    /// The type itself, without typedefs and qualifiers.
    fn bare(&self, at: At) -> Option<At> {
        let mut at = at;
        for _ in 0..64 {
            match self.book.shapes.get(&at)? {
                Shape {
                    tag:
                        gimli::DW_TAG_typedef
                        | gimli::DW_TAG_const_type
                        | gimli::DW_TAG_volatile_type
                        | gimli::DW_TAG_restrict_type
                        | gimli::DW_TAG_atomic_type,
                    ty,
                    ..
                } => at = (*ty)?,
                _ => return Some(at),
            }
        }
        None
    }

    fn make(&mut self, at: At) -> TypeId {
        let at = self.bare(at).unwrap_or(at);
        if let Some(&known) = self.known.get(&at) {
            return known;
        }
        let id = TypeId(self.types.all.len() as u32);
        self.types.all.push(Type::Other { bytes: 0 });
        self.known.insert(at, id);
        let book = self.book;
        if let Some(shape) = book.shapes.get(&at) {
            self.types.all[id.0 as usize] = self.shaped(shape);
        }
        id
    }

    fn shaped(&mut self, shape: &Shape) -> Type {
        let bytes = shape.bytes.unwrap_or(0);
        match shape.tag {
            gimli::DW_TAG_base_type => number_type(shape, bytes),
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type => {
                Type::Pointer { to: shape.ty.map(|ty| self.make(ty)) }
            }
            gimli::DW_TAG_enumeration_type => Type::Enum { bytes, names: shape.names.clone() },
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type
                if !shape.variants =>
            {
                let fields = shape.fields.iter().filter_map(|part| self.field(*part)).collect();
                let arguments = shape.arguments.iter().map(|ty| self.make(*ty)).collect();
                Type::Struct { name: shape.name.clone(), bytes, fields, arguments }
            }
            gimli::DW_TAG_array_type => self.array(shape),
            _ => Type::Other { bytes },
        }
    }

    fn field(&mut self, part: Part) -> Option<Field> {
        let Part { at, offset, bits, overlaps, base } = part;
        let whole = self.book.whole(at);
        // The table of virtual functions is no member that was written.
        if whole.name.as_ref().is_some_and(|name| name.starts_with("_vptr")) {
            return None;
        }
        let ty = self.make(whole.ty?);
        // A base class has no name of its own.
        let name = whole.name.unwrap_or_else(|| match self.types.get(ty) {
            Type::Struct { name, .. } if !name.is_empty() => name.clone(),
            _ => "_".to_string(),
        });
        Some(Field { name, offset, ty, bits, overlaps, base })
    }

    /// An array of arrays has a count for each.
    fn array(&mut self, shape: &Shape) -> Type {
        let Some(ty) = shape.ty else { return Type::Other { bytes: 0 } };
        let mut element = self.make(ty);
        for &count in shape.counts.iter().skip(1).rev() {
            self.types.all.push(Type::Array { element, count });
            element = TypeId(self.types.all.len() as u32 - 1);
        }
        Type::Array { element, count: shape.counts.first().copied().unwrap_or(0) }
    }
}

fn number_type(shape: &Shape, bytes: u64) -> Type {
    let encoding = shape.encoding.map(|encoding| gimli::DwAte(encoding as u8));
    match encoding {
        Some(gimli::DW_ATE_boolean) => Type::Bool,
        Some(gimli::DW_ATE_float) => Type::Float { bytes },
        Some(gimli::DW_ATE_signed | gimli::DW_ATE_signed_char) => Type::Int { signed: true, bytes },
        Some(gimli::DW_ATE_unsigned | gimli::DW_ATE_unsigned_char | gimli::DW_ATE_UTF) => {
            Type::Int { signed: false, bytes }
        }
        _ => Type::Other { bytes },
    }
}
