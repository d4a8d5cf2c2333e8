//! Objects of libstdc++ as their users see them: elements of containers, the text of strings, what
//! owning pointers point to.
//!
//! They are known by the names of their types and members. What does not look as it should, because it is
//! being changed or is not constructed yet, is shown member by member. The nodes of lists and
//! trees have no type of their elements, so that is read off the name of the container.

use exeunt_ir::address;
use exeunt_ir::{DebugType, DebugTypeId};

use super::values::{DEPTH, ELEMENTS};
use crate::machine::Machine;
use crate::vm::Vm;

/// Elements that are counted; a container with more is shown member by member.
const COUNTED: usize = 4096;
/// Characters of a string that are shown.
const CHARACTERS: u64 = 60;
/// Where the element is in a node of a list, and in one of a tree; the children of the latter.
const LIST_VALUE: u64 = 16;
const TREE_VALUE: u64 = 32;
const TREE_LEFT: u64 = 16;
const TREE_RIGHT: u64 = 24;
/// The bytes of a block of a deque that holds several elements.
const BLOCK: u64 = 512;

impl Machine<'_> {
    /// The contents of a container, string, owning pointer or optional at a place.
    pub(super) fn show_library(&mut self, at: u64, ty: DebugTypeId, depth: u32) -> Option<String> {
        let vm = self.vm;
        let DebugType::Struct { name, .. } = &vm.program.types[ty.0 as usize] else { return None };
        let (class, _) = name.split_once('<')?;
        let inner = depth.checked_sub(1)?;
        match class {
            "vector" => self.show_vector(at, ty, inner),
            "basic_string" => self.show_text(at, ty),
            "deque" => self.show_deque(at, ty, inner),
            "list" => self.show_list(at, ty, name, inner),
            "map" | "multimap" | "set" | "multiset" => self.show_tree(at, ty, name, inner),
            "unique_ptr" => {
                let (offset, pointer) = vm.first_pointer(ty)?;
                self.show_owned(at + offset, pointer, inner)
            }
            "shared_ptr" => {
                let (offset, pointer) = vm.member(ty, &["_M_ptr"])?;
                self.show_owned(at + offset, pointer, inner)
            }
            "optional" => self.show_optional(at, ty, inner),
            _ => None,
        }
    }

    fn show_vector(&mut self, at: u64, ty: DebugTypeId, depth: u32) -> Option<String> {
        let vm = self.vm;
        let (start, pointer) = vm.member(ty, &["_M_impl", "_M_start"])?;
        let (finish, _) = vm.member(ty, &["_M_impl", "_M_finish"])?;
        let element = vm.pointee(pointer)?;
        let (start, finish) = (self.word(at + start)?, self.word(at + finish)?);
        let size = vm.size_of(element).max(1);
        let bytes = finish.checked_sub(start)?;
        let within = address::object(start) == address::object(finish);
        (within && bytes.is_multiple_of(size)).then_some(())?;
        let count = (bytes / size) as usize;
        let places: Vec<u64> =
            (0..count.min(ELEMENTS as usize) as u64).map(|i| start + i * size).collect();
        Some(self.show_elements(&places, count, element, depth))
    }

    fn show_deque(&mut self, at: u64, ty: DebugTypeId, depth: u32) -> Option<String> {
        let vm = self.vm;
        let (cursor, pointer) = vm.member(ty, &["_M_impl", "_M_start", "_M_cur"])?;
        let (last, _) = vm.member(ty, &["_M_impl", "_M_start", "_M_last"])?;
        let (node, _) = vm.member(ty, &["_M_impl", "_M_start", "_M_node"])?;
        let (finish, _) = vm.member(ty, &["_M_impl", "_M_finish", "_M_cur"])?;
        let element = vm.pointee(pointer)?;
        let size = vm.size_of(element).max(1);
        let block = (BLOCK / size).max(1) * size;
        let (mut cursor, mut last) = (self.word(at + cursor)?, self.word(at + last)?);
        let (mut node, finish) = (self.word(at + node)?, self.word(at + finish)?);
        let mut places = Vec::new();
        while cursor != finish {
            places.push(cursor);
            (places.len() < COUNTED).then_some(())?;
            cursor += size;
            if cursor == last {
                node += 8;
                cursor = self.word(node)?;
                last = cursor + block;
            }
        }
        Some(self.show_elements(&places, places.len(), element, depth))
    }

    fn show_list(&mut self, at: u64, ty: DebugTypeId, name: &str, depth: u32) -> Option<String> {
        let (head, _) = self.vm.member(ty, &["_M_impl", "_M_node"])?;
        let head = at + head;
        let mut places = Vec::new();
        let mut node = self.word(head)?;
        while node != head && node != 0 {
            places.push(node + LIST_VALUE);
            (places.len() < COUNTED).then_some(())?;
            node = self.word(node)?;
        }
        let element = arguments(name).first().and_then(|name| self.vm.type_named(name));
        let count = places.len();
        Some(match element {
            Some(element) => self.show_elements(&places, count, element, depth),
            None => counted(count),
        })
    }

    fn show_tree(&mut self, at: u64, ty: DebugTypeId, name: &str, depth: u32) -> Option<String> {
        let vm = self.vm;
        let (root, _) = vm.member(ty, &["_M_t", "_M_impl", "_M_header", "_M_parent"])?;
        let mut places = Vec::new();
        // A node is looked at when all on its left were.
        let mut above = Vec::new();
        let mut node = self.word(at + root)?;
        while node != 0 || !above.is_empty() {
            (places.len() + above.len() < COUNTED).then_some(())?;
            if node != 0 {
                above.push(node);
                node = self.word(node + TREE_LEFT)?;
            } else {
                let last = above.pop()?;
                places.push(last + TREE_VALUE);
                node = self.word(last + TREE_RIGHT)?;
            }
        }
        let types = arguments(name);
        let key = types.first().and_then(|name| vm.type_named(name));
        if name.contains("set<") {
            return Some(match key {
                Some(key) => self.show_elements(&places, places.len(), key, depth),
                None => counted(places.len()),
            });
        }
        let value = types.get(1).and_then(|name| vm.type_named(name));
        let (Some(key), Some(value)) = (key, value) else { return Some(counted(places.len())) };
        let behind = vm.size_of(key).next_multiple_of(vm.alignment_of(value));
        let shown = places.iter().take(ELEMENTS as usize);
        let pair = |at: &u64| {
            let (key, value) =
                (self.show_at(*at, key, depth), self.show_at(at + behind, value, depth));
            format!("{key}: {value}")
        };
        let parts: Vec<String> = shown.map(pair).collect();
        Some(format!("{{{}}}", with_rest(parts, places.len())))
    }

    fn show_optional(&mut self, at: u64, ty: DebugTypeId, depth: u32) -> Option<String> {
        let vm = self.vm;
        let (engaged, _) = vm.member(ty, &["_M_payload", "_M_engaged"])?;
        let (value, of) = vm.member(ty, &["_M_payload", "_M_payload", "_M_value"])?;
        let bits = self.mem.read(at + engaged, 1).ok().filter(|bits| bits.undefined == 0)?;
        Some(match bits.value {
            0 => "nothing".to_string(),
            _ => self.show_at(at + value, of, depth),
        })
    }

    /// What a pointer that owns something points to.
    fn show_owned(&mut self, at: u64, pointer: DebugTypeId, depth: u32) -> Option<String> {
        let to = self.word(at)?;
        if to == 0 {
            return Some("0".to_string());
        }
        let place = self.show_untyped(to, 8);
        Some(match self.vm.pointee(pointer) {
            Some(pointee) if depth > 0 => {
                format!("{place} -> {}", self.show_at(to, pointee, depth))
            }
            _ => place,
        })
    }

    fn show_text(&mut self, at: u64, ty: DebugTypeId) -> Option<String> {
        let vm = self.vm;
        let (start, pointer) = vm.member(ty, &["_M_dataplus", "_M_p"])?;
        let (length, _) = vm.member(ty, &["_M_string_length"])?;
        (vm.size_of(vm.pointee(pointer)?) == 1).then_some(())?;
        let (start, length) = (self.word(at + start)?, self.word(at + length)?);
        let mut bytes = Vec::new();
        for i in 0..length.min(CHARACTERS) {
            let bits = self.mem.read(start.checked_add(i)?, 1).ok()?;
            (bits.undefined == 0).then(|| bytes.push(bits.value as u8))?;
        }
        let more = if length > CHARACTERS { "…" } else { "" };
        Some(format!("{:?}{more}", String::from_utf8_lossy(&bytes)))
    }

    fn show_elements(
        &mut self,
        places: &[u64],
        count: usize,
        ty: DebugTypeId,
        depth: u32,
    ) -> String {
        let shown = places.iter().take(ELEMENTS as usize);
        let parts = shown.map(|&at| self.show_at(at, ty, depth)).collect();
        format!("[{}]", with_rest(parts, count))
    }

    fn show_at(&mut self, at: u64, ty: DebugTypeId, depth: u32) -> String {
        let id = address::object(at);
        self.show_deep(id, at.wrapping_sub(id.at(0)), ty, depth.min(DEPTH))
    }

    fn word(&mut self, at: u64) -> Option<u64> {
        let bits = self.mem.read(at, 8).ok()?;
        (bits.undefined == 0).then_some(bits.value)
    }
}

/// The parts that are shown, and how many more there are.
fn with_rest(mut parts: Vec<String>, count: usize) -> String {
    if count > parts.len() {
        parts.push(format!("… {} more", count - parts.len()));
    }
    parts.join(", ")
}

fn counted(count: usize) -> String {
    match count {
        0 => "[]".to_string(),
        1 => "1 element".to_string(),
        _ => format!("{count} elements"),
    }
}

/// The arguments of a template, as its name has them: of `map<int, pair<a, b> >`, `int` and `pair<a, b>`.
fn arguments(name: &str) -> Vec<&str> {
    let Some((_, inside)) = name.split_once('<') else { return Vec::new() };
    let inside = inside.strip_suffix('>').unwrap_or(inside);
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in inside.char_indices() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(inside[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(inside[from..].trim());
    parts
}

/// A name without the namespaces in front of it.
fn unqualified(name: &str) -> &str {
    let end = name.find('<').unwrap_or(name.len());
    name[..end].rfind("::").map_or(name, |at| &name[at + 2..])
}

impl Vm {
    /// A member by the names on the way to it; those of base classes are its own.
    fn member(&self, ty: DebugTypeId, path: &[&str]) -> Option<(u64, DebugTypeId)> {
        let Some((first, rest)) = path.split_first() else { return Some((0, ty)) };
        let DebugType::Struct { fields, .. } = &self.program.types[ty.0 as usize] else {
            return None;
        };
        let named = fields.iter().filter(|field| *field.name == **first);
        let own = named.filter_map(|field| {
            let (offset, ty) = self.member(field.ty, rest)?;
            Some((field.offset + offset, ty))
        });
        let bases = fields.iter().filter(|field| field.name.is_empty()).filter_map(|field| {
            let (offset, ty) = self.member(field.ty, path)?;
            Some((field.offset + offset, ty))
        });
        own.chain(bases).next()
    }

    /// The first pointer among the members and their members.
    fn first_pointer(&self, ty: DebugTypeId) -> Option<(u64, DebugTypeId)> {
        match &self.program.types[ty.0 as usize] {
            DebugType::Pointer { .. } => Some((0, ty)),
            DebugType::Struct { fields, .. } => fields.iter().find_map(|field| {
                let (offset, ty) = self.first_pointer(field.ty)?;
                Some((field.offset + offset, ty))
            }),
            _ => None,
        }
    }

    fn pointee(&self, ty: DebugTypeId) -> Option<DebugTypeId> {
        match self.program.types[ty.0 as usize] {
            DebugType::Pointer { to } => to,
            _ => None,
        }
    }

    fn alignment_of(&self, ty: DebugTypeId) -> u64 {
        let most = |fields: &[exeunt_ir::DebugField]| {
            fields.iter().map(|field| self.alignment_of(field.ty)).max().unwrap_or(1)
        };
        match &self.program.types[ty.0 as usize] {
            DebugType::Struct { fields, .. } => most(fields),
            DebugType::Array { element, .. } => self.alignment_of(*element),
            _ => self.size_of(ty).clamp(1, 16),
        }
    }

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
            _ => false,
        };
        self.program.types.iter().position(is).map(|at| DebugTypeId(at as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_templates() {
        assert_eq!(arguments("list<int, std::allocator<int> >"), ["int", "std::allocator<int>"]);
        let nested = "map<std::pair<int, a>, void (*)(int, int)>";
        assert_eq!(arguments(nested), ["std::pair<int, a>", "void (*)(int, int)"]);
        assert_eq!(
            unqualified("std::__cxx11::basic_string<char, std::a>"),
            "basic_string<char, std::a>"
        );
    }
}
