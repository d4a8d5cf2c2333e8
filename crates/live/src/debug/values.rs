//! The values of variables in memory, as their types show them: numbers, `{x: 1, y: 2}`, `[1, 2, …]`, `"text"`, the
//! variable that a pointer leads to. What is in objects of the C++ library says `contents`.

use super::{Debug, Place, Type, TypeId};

/// Elements of an array that are shown.
const ELEMENTS: u64 = exeunt_containers::ELEMENTS as u64;
/// How deep members of members are shown.
pub(super) const DEPTH: u32 = 4;
/// Characters of a string that are shown.
const TEXT: usize = 40;

/// A value in words, and what it points to if that is memory without a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) value: String,
    pub(crate) target: Option<(u64, TypeId)>,
}

/// What is needed to read values: memory, and the names of what is in it.
pub(crate) struct Reading<'r> {
    pub(crate) debug: &'r Debug,
    /// So many bytes at an address, if they are there.
    pub(crate) memory: &'r mut dyn FnMut(u64, u64) -> Option<Vec<u8>>,
    /// The variable or the function at an address.
    pub(crate) named: &'r mut dyn FnMut(u64) -> Option<String>,
}

impl Reading<'_> {
    pub(crate) fn show(&mut self, place: Option<Place>, ty: TypeId) -> Found {
        match place {
            Some(Place::Memory(address)) => self.at(address, ty, DEPTH),
            Some(Place::Value(value)) => self.scalar(ty, value).unwrap_or_else(|| told("…")),
            None => told("not available"),
        }
    }

    /// The members of a struct or the elements of an array, one by one.
    pub(crate) fn parts(&mut self, address: u64, ty: TypeId) -> Vec<(String, Found)> {
        match self.debug.types.get(ty) {
            Type::Struct { fields, .. } => {
                let shown: Vec<_> = self.debug.types.shown(fields).collect();
                let part = |field: &&super::types::Field| {
                    (field.name.clone(), self.member(address, field, DEPTH))
                };
                shown.iter().map(part).collect()
            }
            Type::Array { element, count } => {
                let size = self.debug.types.size(*element);
                let part =
                    |i: u64| (format!("[{i}]"), self.at(address + i * size, *element, DEPTH));
                (0..(*count).min(ELEMENTS)).map(part).collect()
            }
            Type::Int { .. }
            | Type::Bool
            | Type::Float { .. }
            | Type::Pointer { .. }
            | Type::Enum { .. }
            | Type::Other { .. } => vec![("value".to_string(), self.at(address, ty, DEPTH))],
        }
    }

    pub(super) fn at(&mut self, address: u64, ty: TypeId, depth: u32) -> Found {
        if let Some(text) = exeunt_containers::show(self, address, ty, depth) {
            return told(&text);
        }
        let types = &self.debug.types;
        if let (Type::Struct { .. }, Some((offset, ty))) = (types.get(ty), types.only_scalar(ty)) {
            return self.at(address + offset, ty, depth);
        }
        match types.get(ty) {
            Type::Struct { .. } | Type::Array { .. } if depth == 0 => told("…"),
            Type::Struct { .. } if types.is_of_cxx_library(ty) => {
                // A type of the C++ library: its members mean nothing to its users.
                told("…")
            }
            Type::Struct { fields, .. } => {
                let shown: Vec<_> = types.shown(fields).collect();
                let part = |field: &&super::types::Field| {
                    format!("{}: {}", field.name, self.member(address, field, depth - 1).value)
                };
                let parts: Vec<String> = shown.iter().map(part).collect();
                told(&format!("{{{}}}", parts.join(", ")))
            }
            Type::Array { element, count } => self.array(address, *element, *count, depth),
            Type::Int { .. }
            | Type::Bool
            | Type::Float { .. }
            | Type::Pointer { .. }
            | Type::Enum { .. } => {
                let size = types.size(ty);
                let bytes = (self.memory)(address, size).filter(|_| (1..=8).contains(&size));
                let Some(bytes) = bytes else { return told("?") };
                self.scalar(ty, little(&bytes)).unwrap_or_else(|| told("…"))
            }
            Type::Other { .. } => told("…"),
        }
    }

    fn member(&mut self, address: u64, field: &super::types::Field, depth: u32) -> Found {
        let Some((first, many)) = field.bits else {
            return self.at(address + field.offset, field.ty, depth);
        };
        let bytes = (first + many).div_ceil(8);
        let read = (self.memory)(address + field.offset, bytes).filter(|_| bytes <= 8 && many > 0);
        let Some(word) = read.map(|bytes| little(&bytes)) else { return told("?") };
        let value = word >> first & (u64::MAX >> (64 - many));
        let signed = matches!(self.debug.types.get(field.ty), Type::Int { signed: true, .. });
        match signed {
            true => told(&extended(value, many).to_string()),
            false => told(&value.to_string()),
        }
    }

    fn array(&mut self, address: u64, element: TypeId, count: u64, depth: u32) -> Found {
        let size = self.debug.types.size(element);
        if matches!(self.debug.types.get(element), Type::Int { bytes: 1, .. })
            && let Some(text) = self.text(address, count as usize)
        {
            return told(&text);
        }
        let shown =
            (0..count.min(ELEMENTS)).map(|i| self.at(address + i * size, element, depth - 1).value);
        let mut parts: Vec<String> = shown.collect();
        if count > ELEMENTS {
            parts.push("…".to_string());
        }
        told(&format!("[{}]", parts.join(", ")))
    }

    /// A value in a register or in as many bytes as its type has.
    fn scalar(&mut self, ty: TypeId, value: u64) -> Option<Found> {
        let bits = 8 * self.debug.types.size(ty).clamp(1, 8);
        let value = value & (u64::MAX >> (64 - bits));
        Some(match self.debug.types.get(ty) {
            Type::Int { signed: true, .. } => told(&extended(value, bits).to_string()),
            Type::Int { signed: false, .. } => told(&value.to_string()),
            Type::Bool => told(if value & 0xff != 0 { "true" } else { "false" }),
            Type::Float { bytes: 4 } => told(&f32::from_bits(value as u32).to_string()),
            Type::Float { bytes: 8 } => told(&f64::from_bits(value).to_string()),
            Type::Enum { names, .. } => {
                let signed = extended(value, bits);
                let name = names.iter().find(|(one, _)| *one == signed || *one as u64 == value);
                told(&name.map_or_else(|| signed.to_string(), |(_, name)| name.clone()))
            }
            Type::Pointer { to } => self.pointer(value, *to),
            Type::Float { .. } | Type::Struct { .. } | Type::Array { .. } | Type::Other { .. } => {
                return None;
            }
        })
    }

    pub(super) fn pointer(&mut self, value: u64, to: Option<TypeId>) -> Found {
        if value == 0 {
            return told("0");
        }
        if let Some(name) = (self.named)(value) {
            return told(&name);
        }
        let pointee = to.map(|to| self.debug.types.get(to));
        if matches!(pointee, Some(Type::Int { bytes: 1, .. }))
            && let Some(text) = self.text(value, TEXT * 2)
        {
            return told(&text);
        }
        let known = to.filter(|to| !matches!(self.debug.types.get(*to), Type::Other { .. }));
        let target = known.filter(|_| (self.memory)(value, 1).is_some()).map(|to| (value, to));
        Found { value: format!("{value:#x}"), target }
    }

    /// Printable text that ends within so many bytes.
    fn text(&mut self, address: u64, most: usize) -> Option<String> {
        let mut bytes = Vec::new();
        for at in 0..most as u64 {
            match (self.memory)(address + at, 1)?.first()? {
                0 => {
                    let text = String::from_utf8(bytes).ok()?;
                    let cut: String = text.chars().take(TEXT).collect();
                    let more = if cut.len() < text.len() { "…" } else { "" };
                    return (!text.chars().any(char::is_control))
                        .then(|| format!("\"{cut}{more}\""));
                }
                byte => bytes.push(*byte),
            }
        }
        None
    }
}

impl Debug {
    /// The global variable at an address of the file, with the part of it: `forks[1]`, `pool.lock`.
    pub(crate) fn global_at(&self, address: u64) -> Option<String> {
        let after = self.globals.partition_point(|global| global.address <= address);
        let global = self.globals.get(after.checked_sub(1)?)?;
        let offset = address - global.address;
        let inside = offset < self.types.size(global.ty).max(1);
        inside.then(|| global.name.clone() + &self.part(global.ty, offset))
    }

    fn part(&self, ty: TypeId, offset: u64) -> String {
        match self.types.get(ty) {
            Type::Array { element, .. } => {
                let size = self.types.size(*element).max(1);
                format!("[{}]{}", offset / size, self.part(*element, offset % size))
            }
            Type::Struct { fields, .. } if !self.types.is_of_library(ty) => {
                let inside = |field: &&super::types::Field| {
                    !field.overlaps
                        && (field.offset..field.offset + self.types.size(field.ty).max(1))
                            .contains(&offset)
                };
                match fields.iter().find(inside) {
                    // What is at the beginning of a struct is taken for the struct.
                    Some(field) if offset > 0 => {
                        format!(".{}{}", field.name, self.part(field.ty, offset - field.offset))
                    }
                    _ => String::new(),
                }
            }
            Type::Struct { .. }
            | Type::Int { .. }
            | Type::Bool
            | Type::Float { .. }
            | Type::Pointer { .. }
            | Type::Enum { .. }
            | Type::Other { .. } => String::new(),
        }
    }
}

fn told(value: &str) -> Found {
    Found { value: value.to_string(), target: None }
}

fn little(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

fn extended(value: u64, bits: u64) -> i64 {
    let shift = 64 - bits;
    ((value << shift) as i64) >> shift
}
