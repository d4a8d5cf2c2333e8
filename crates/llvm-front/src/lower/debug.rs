//! Source positions, names of variables and source-level types.

use std::collections::HashMap;
use std::sync::Arc;

use exeunt_ir::{DebugField, DebugType, DebugTypeId, InlineFrame, Loc, LocId, Program};

use super::Unit;
use crate::llvm::{Metadata, MetadataKind, Module, Value};

/// Operands of LLVM's metadata nodes, by position.
mod operand {
    /// Of every node with a scope (types, blocks, subprograms).
    pub const SCOPE: u32 = 1;
    /// Of subprograms and types.
    pub const NAME: u32 = 2;
    /// Of variables.
    pub const VARIABLE_NAME: u32 = 1;
    pub const VARIABLE_TYPE: u32 = 3;
    /// Of derived and composite types.
    pub const BASE_TYPE: u32 = 5;
    pub const ELEMENTS: u32 = 6;
    /// Of subranges.
    pub const COUNT: u32 = 0;
    pub const UPPER_BOUND: u32 = 2;
    /// Of enumerators.
    pub const ENUMERATOR_NAME: u32 = 0;
}

/// DWARF's tags.
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const CLASS: u16 = 0x02;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const REFERENCE: u16 = 0x10;
    pub const STRUCTURE: u16 = 0x13;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const INHERITANCE: u16 = 0x1c;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const RVALUE_REFERENCE: u16 = 0x42;
    pub const ATOMIC: u16 = 0x47;
}

/// LLVM's number for `!dbg` attachments.
const DBG_KIND: u32 = 0;

/// Interned positions and types.
pub(super) struct Debug<'m> {
    directory: String,
    /// Where headers are that are not the user's.
    headers: Vec<String>,
    files: Vec<Arc<str>>,
    file_index: HashMap<String, u32>,
    file_nodes: HashMap<Metadata<'m>, u32>,
    locs: Vec<Loc>,
    loc_index: HashMap<Loc, LocId>,
    loc_nodes: HashMap<Metadata<'m>, LocId>,
    function_names: HashMap<Metadata<'m>, Arc<str>>,
    types: Vec<DebugType>,
    type_nodes: HashMap<Metadata<'m>, DebugTypeId>,
    /// Pointer types, with what they point to, which is looked at last: types
    /// point to each other in circles.
    pointers: Vec<(DebugTypeId, Metadata<'m>)>,
    /// Expressions of debug records, and whether they say nothing.
    expressions: HashMap<Metadata<'m>, bool>,
}

impl<'m> Debug<'m> {
    /// With `all`, positions in headers of libraries are shown like others.
    pub fn new(directory: &str, include: &str, all: bool) -> Debug<'m> {
        let mut headers = vec!["/usr/include/".to_string(), "/usr/lib/".to_string()];
        headers.extend((!include.is_empty()).then(|| format!("{include}/")));
        if all {
            headers.clear();
        }
        let nothing: Arc<str> = Arc::from("");
        let unknown = Loc { file: 0, line: 0, column: 0, function: nothing.clone(), inlined: None };
        Debug {
            directory: directory.to_string(),
            headers,
            files: vec![nothing],
            file_index: HashMap::new(),
            file_nodes: HashMap::new(),
            loc_index: HashMap::from([(unknown.clone(), LocId::NONE)]),
            locs: vec![unknown],
            loc_nodes: HashMap::new(),
            function_names: HashMap::new(),
            types: Vec::new(),
            type_nodes: HashMap::new(),
            pointers: Vec::new(),
            expressions: HashMap::new(),
        }
    }

    pub fn finish(&mut self, module: &'m Module<'m>, program: &mut Program) {
        while let Some((pointer, node)) = self.pointers.pop() {
            if strip(module, node).is(MetadataKind::LLVMDISubroutineTypeMetadataKind) {
                continue;
            }
            let to = Some(self.debug_type(module, node));
            self.types[pointer.0 as usize] = DebugType::Pointer { to };
        }
        program.files = std::mem::take(&mut self.files);
        program.locs = std::mem::take(&mut self.locs);
        program.types = std::mem::take(&mut self.types);
    }

    fn intern(&mut self, loc: Loc) -> LocId {
        let locs = &mut self.locs;
        *self.loc_index.entry(loc).or_insert_with_key(|loc| {
            locs.push(loc.clone());
            LocId(locs.len() as u32 - 1)
        })
    }

    /// A file under the name that the user knows it by.
    fn file(&mut self, node: Option<Metadata<'m>>) -> u32 {
        let Some(node) = node.filter(|node| node.is(MetadataKind::LLVMDIFileMetadataKind)) else {
            return 0;
        };
        if let Some(&known) = self.file_nodes.get(&node) {
            return known;
        }
        let (name, directory) = (node.file_name(), node.file_directory());
        let full = if name.starts_with('/') || directory.is_empty() || directory == self.directory {
            name
        } else {
            // Compiled elsewhere, by a build: as it is called from here.
            let full = tidy(&format!("{}/{name}", directory.trim_end_matches('/')));
            let below = full.strip_prefix(&self.directory).and_then(|rest| rest.strip_prefix('/'));
            below.map_or(full.clone(), str::to_string)
        };
        let files = &mut self.files;
        let index = *self.file_index.entry(full).or_insert_with_key(|name| {
            files.push(Arc::from(name.as_str()));
            files.len() as u32 - 1
        });
        self.file_nodes.insert(node, index);
        index
    }

    /// Whether positions in a file are of no use to the user: what happens in
    /// a header of a library is told as happening where the library is used.
    fn is_library(&self, file: u32) -> bool {
        let name = &self.files[file as usize];
        if !name.starts_with('/') {
            return false;
        }
        let name = tidy(name);
        let is_ours = name.ends_with("/exeunt.h") && !self.headers.is_empty();
        is_ours || self.headers.iter().any(|directory| name.starts_with(directory))
    }

    fn function_name(&mut self, module: &'m Module<'m>, scope: Metadata<'m>) -> Arc<str> {
        if let Some(name) = self.function_names.get(&scope) {
            return name.clone();
        }
        let mut at = Some(scope);
        // Scopes form a tree; the limit is for damaged metadata.
        for _ in 0..1000 {
            let Some(node) = at else { break };
            if node.is(MetadataKind::LLVMDISubprogramMetadataKind) {
                break;
            }
            at = node.operand(module, operand::SCOPE);
        }
        let subprogram = at.filter(|node| node.is(MetadataKind::LLVMDISubprogramMetadataKind));
        let name = subprogram.and_then(|node| node.string_operand(module, operand::NAME));
        let name: Arc<str> = Arc::from(name.unwrap_or_default());
        self.function_names.insert(scope, name.clone());
        name
    }

    fn location(&mut self, module: &'m Module<'m>, node: Metadata<'m>, depth: u32) -> LocId {
        if let Some(&known) = self.loc_nodes.get(&node) {
            return known;
        }
        let scope = node.location_scope();
        let inlined = node.inlined_at().filter(|_| depth < 1000);
        let inlined = inlined.map(|at| InlineFrame { call: self.location(module, at, depth + 1) });
        let loc = Loc {
            file: self.file(scope.and_then(|scope| scope.file())),
            line: node.location_line(),
            column: node.location_column(),
            function: scope.map(|scope| self.function_name(module, scope)).unwrap_or_default(),
            inlined,
        };
        let id = match loc.inlined {
            Some(frame) if self.is_library(loc.file) => frame.call,
            None if self.is_library(loc.file) => LocId::NONE,
            _ => self.intern(loc),
        };
        self.loc_nodes.insert(node, id);
        id
    }

    // ---- types -------------------------------------------------------------------

    fn add_type(&mut self, ty: DebugType) -> DebugTypeId {
        self.types.push(ty);
        DebugTypeId(self.types.len() as u32 - 1)
    }

    fn debug_type(&mut self, module: &'m Module<'m>, node: Metadata<'m>) -> DebugTypeId {
        let node = strip(module, node);
        if let Some(&known) = self.type_nodes.get(&node) {
            return known;
        }
        // The row is taken before the fields are looked at: a damaged type
        // that contains itself then ends.
        let bytes = node.type_bits() / 8;
        let id = self.add_type(DebugType::Other { bytes });
        self.type_nodes.insert(node, id);
        let ty = match node.kind() {
            MetadataKind::LLVMDIBasicTypeMetadataKind => basic_type(module, node),
            _ => match node.type_tag() {
                tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE => {
                    if let Some(to) = node.operand(module, operand::BASE_TYPE) {
                        self.pointers.push((id, to));
                    }
                    DebugType::Pointer { to: None }
                }
                tag::STRUCTURE | tag::UNION | tag::CLASS => self.struct_type(module, node),
                tag::ARRAY => self.array_type(module, node),
                tag::ENUMERATION => enum_type(module, node),
                _ => DebugType::Other { bytes },
            },
        };
        self.types[id.0 as usize] = ty;
        id
    }

    fn struct_type(&mut self, module: &'m Module<'m>, node: Metadata<'m>) -> DebugType {
        let mut fields = Vec::new();
        for member in elements(module, node) {
            let name = match member.type_tag() {
                tag::MEMBER => member.type_name(),
                // Members of a base class are named as if they were its own.
                tag::INHERITANCE => String::new(),
                _ => continue,
            };
            let Some(base) = member.operand(module, operand::BASE_TYPE) else { continue };
            fields.push(DebugField {
                name: Arc::from(name),
                offset: member.type_bit_offset() / 8,
                ty: self.debug_type(module, base),
            });
        }
        let name = Arc::from(node.type_name());
        DebugType::Struct { name, bytes: node.type_bits() / 8, fields }
    }

    /// `int a[2][3]` is one node with two subranges: arrays of arrays here.
    fn array_type(&mut self, module: &'m Module<'m>, node: Metadata<'m>) -> DebugType {
        let bytes = node.type_bits() / 8;
        let Some(base) = node.operand(module, operand::BASE_TYPE) else {
            return DebugType::Other { bytes };
        };
        let counts: Vec<u64> =
            elements(module, node).into_iter().map(|range| subrange_count(module, range)).collect();
        let mut element = self.debug_type(module, base);
        let mut element_bytes = sized_bits(module, base) / 8;
        for &count in counts.iter().skip(1).rev() {
            element = self.add_type(DebugType::Array { element, element_bytes, count });
            element_bytes *= count;
        }
        match counts.first() {
            Some(&count) => DebugType::Array { element, element_bytes, count },
            None => DebugType::Other { bytes },
        }
    }
}

/// Looks through typedefs and qualifiers.
fn strip<'m>(module: &'m Module<'m>, mut node: Metadata<'m>) -> Metadata<'m> {
    for _ in 0..1000 {
        let through = matches!(
            node.type_tag(),
            tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC
        );
        match node.operand(module, operand::BASE_TYPE) {
            Some(base) if through => node = base,
            _ => break,
        }
    }
    node
}

fn sized_bits<'m>(module: &'m Module<'m>, node: Metadata<'m>) -> u64 {
    strip(module, node).type_bits()
}

fn elements<'m>(module: &'m Module<'m>, node: Metadata<'m>) -> Vec<Metadata<'m>> {
    let Some(list) = node.operand(module, operand::ELEMENTS) else { return Vec::new() };
    (0..list.operand_count(module)).filter_map(|i| list.operand(module, i)).collect()
}

/// 0 if the length is not known when compiling.
fn subrange_count<'m>(module: &'m Module<'m>, range: Metadata<'m>) -> u64 {
    if !range.is(MetadataKind::LLVMDISubrangeMetadataKind) {
        return 0;
    }
    let number = |index| range.constant_operand(module, index).and_then(|value| value.int_bits());
    match (number(operand::COUNT), number(operand::UPPER_BOUND)) {
        (Some(count), _) if count as i64 >= 0 => count,
        (_, Some(last)) => last.wrapping_add(1),
        _ => 0,
    }
}

/// A `field: value` of a node's text form.
fn text_field<'t>(text: &'t str, field: &str) -> Option<&'t str> {
    let start = text.find(&format!("{field}: "))? + field.len() + 2;
    text[start..].split([',', ')']).next()
}

fn basic_type<'m>(module: &'m Module<'m>, node: Metadata<'m>) -> DebugType {
    let bytes = (node.type_bits() / 8) as u8;
    let text = node.text(module);
    match text_field(&text, "encoding") {
        Some("DW_ATE_signed") => DebugType::Int { bytes, signed: true },
        Some("DW_ATE_unsigned" | "DW_ATE_UTF") => DebugType::Int { bytes, signed: false },
        Some("DW_ATE_boolean") => DebugType::Bool,
        Some("DW_ATE_signed_char") => DebugType::Char { signed: true },
        Some("DW_ATE_unsigned_char") => DebugType::Char { signed: false },
        Some("DW_ATE_float") => DebugType::Float { bytes },
        _ => DebugType::Other { bytes: bytes.into() },
    }
}

fn enum_type<'m>(module: &'m Module<'m>, node: Metadata<'m>) -> DebugType {
    let mut names = Vec::new();
    for enumerator in elements(module, node) {
        let name = enumerator.string_operand(module, operand::ENUMERATOR_NAME);
        let text = enumerator.text(module);
        let value = text_field(&text, "value").and_then(|value| {
            value.parse().ok().or_else(|| value.parse::<u64>().ok().map(|value| value as i64))
        });
        if let (Some(name), Some(value)) = (name, value) {
            names.push((value, Arc::from(name)));
        }
    }
    DebugType::Enum { bytes: (node.type_bits() / 8) as u8, names }
}

/// A path without `..` and `.`.
pub(crate) fn tidy(name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

impl<'m> Unit<'m> {
    /// Where an instruction comes from, if that is known.
    pub(super) fn instruction_loc(&mut self, instruction: Value<'m>) -> Option<LocId> {
        let node = instruction.debug_location()?;
        Some(self.debug.location(self.module, node, 0))
    }

    /// Where a function is defined or declared.
    pub(super) fn function_loc(&mut self, function: Value<'m>) -> LocId {
        let Some(node) = function.subprogram() else { return LocId::NONE };
        let file = self.debug.file(node.file());
        if self.debug.is_library(file) {
            return LocId::NONE;
        }
        let loc = Loc {
            file,
            line: node.subprogram_line(),
            column: 0,
            function: self.debug.function_name(self.module, node),
            inlined: None,
        };
        self.debug.intern(loc)
    }

    /// "Somewhere in this function".
    pub(super) fn unknown_in(&mut self, function: Value<'m>) -> LocId {
        let node = function.subprogram();
        let file = self.debug.file(node.and_then(|node| node.file()));
        if self.debug.is_library(file) {
            return LocId::NONE;
        }
        let loc = Loc {
            file,
            line: 0,
            column: 0,
            function: match node {
                Some(node) => self.debug.function_name(self.module, node),
                None => Arc::from(function.name()),
            },
            inlined: None,
        };
        self.debug.intern(loc)
    }

    pub(super) fn global_debug(&mut self, global: Value<'m>) -> (LocId, Option<DebugTypeId>) {
        let attached = global.global_metadata(DBG_KIND).into_iter();
        let Some(variable) = attached.filter_map(|node| node.expression_variable()).next() else {
            return (LocId::NONE, None);
        };
        let loc = Loc {
            file: self.debug.file(variable.file()),
            line: variable.variable_line(),
            column: 0,
            function: Arc::from(""),
            inlined: None,
        };
        let loc = self.debug.intern(loc);
        let ty = variable.operand(self.module, operand::VARIABLE_TYPE);
        (loc, ty.map(|ty| self.debug.debug_type(self.module, ty)))
    }

    /// Whether the value of a variable is the value of the record as it is.
    pub(super) fn is_plain(&mut self, expression: Option<Metadata<'m>>) -> bool {
        let Some(expression) = expression else { return false };
        let module = self.module;
        let plain = || expression.text(module).contains("!DIExpression()");
        *self.debug.expressions.entry(expression).or_insert_with(plain)
    }

    /// The name and type of a local variable.
    pub(super) fn local_variable(
        &mut self,
        variable: Metadata<'m>,
    ) -> Option<(Arc<str>, Option<DebugTypeId>)> {
        let name = variable.string_operand(self.module, operand::VARIABLE_NAME)?;
        let ty = variable.operand(self.module, operand::VARIABLE_TYPE);
        let ty = ty.map(|ty| self.debug.debug_type(self.module, ty));
        Some((Arc::from(name), ty))
    }
}
