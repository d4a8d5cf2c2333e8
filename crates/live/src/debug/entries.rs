//! Reading the entries of DWARF, versions 2 to 5, as gcc, clang and rustc write them: one pass over each unit. What
//! refers to what is found out afterwards (`making`).

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use addr2line::gimli::{
    self, AttributeValue, DebuggingInformationEntry, DwAt, DwTag, EndianSlice, LittleEndian,
    Operation, Unit,
};
use object::{Object, ObjectSection};

use super::place::{Op, Where};
use super::{Debug, Function};
use crate::symbols::is_system;

type Slice<'d> = EndianSlice<'d, LittleEndian>;
type Dwarf<'d> = gimli::Dwarf<Slice<'d>>;
type Entry<'d> = DebuggingInformationEntry<Slice<'d>>;

/// Where an entry is in the file; references are made of that.
pub(super) type At = usize;

pub(super) fn read(data: &[u8]) -> Option<Debug> {
    let file = object::File::parse(data).ok()?;
    let section = |id: gimli::SectionId| -> Result<Cow<'_, [u8]>, gimli::Error> {
        let found = file.section_by_name(id.name());
        Ok(found.and_then(|section| section.uncompressed_data().ok()).unwrap_or_default())
    };
    let sections = gimli::DwarfSections::load(section).ok()?;
    let dwarf: Dwarf<'_> = sections.borrow(|section| EndianSlice::new(section, LittleEndian));
    let mut book = Book::default();
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        // A unit that is damaged is read as far as it goes.
        let _ = Visit::new(&dwarf, &unit, &mut book).walk();
    }
    Some(book.close())
}

/// What entries say about themselves, by where they are.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    pub(super) name: Option<String>,
    pub(super) ty: Option<At>,
    pub(super) line: Option<u64>,
    /// Declared in a header or library of the system.
    pub(super) system: bool,
    /// The entry that says more: a declaration, or the one that was inlined.
    pub(super) origin: Option<At>,
}

/// A type before references are followed.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) tag: DwTag,
    pub(super) name: String,
    pub(super) bytes: Option<u64>,
    pub(super) encoding: Option<u64>,
    pub(super) ty: Option<At>,
    pub(super) fields: Vec<Part>,
    pub(super) names: Vec<(i64, String)>,
    pub(super) counts: Vec<u64>,
    pub(super) variants: bool,
    /// The types that a template was given.
    pub(super) arguments: Vec<At>,
}

/// A member: which entry says more, where it is, its bits if it is a bit-field, and whether it is one of a union.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) at: At,
    pub(super) offset: u64,
    pub(super) bits: Option<(u64, u64)>,
    pub(super) overlaps: bool,
    pub(super) base: bool,
}

/// A variable before references are followed.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) at: At,
    pub(super) location: Where,
    pub(super) scope: Vec<Range<u64>>,
    pub(super) parameter: bool,
}

#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) named: HashMap<At, Named>,
    pub(super) shapes: HashMap<At, Shape>,
    pub(super) fixed: Vec<(At, u64)>,
    /// Thread-local variables, and how far they are into the storage of a thread.
    pub(super) own: Vec<(At, u64)>,
    pub(super) functions: Vec<(Function, Vec<Seen>)>,
}

/// What encloses the entries that come.
enum Around {
    Type(At),
    Function(usize),
    Block(usize, Vec<Range<u64>>),
    Other,
}

struct Visit<'v, 'd> {
    dwarf: &'v Dwarf<'d>,
    unit: &'v Unit<Slice<'d>>,
    book: &'v mut Book,
    around: Vec<(isize, Around)>,
    /// Whether each file of the unit is one of the system.
    system: Vec<bool>,
}

impl<'v, 'd> Visit<'v, 'd> {
    fn new(dwarf: &'v Dwarf<'d>, unit: &'v Unit<Slice<'d>>, book: &'v mut Book) -> Self {
        let system = files(dwarf, unit).iter().map(|file| is_system(file)).collect();
        Visit { dwarf, unit, book, around: Vec::new(), system }
    }

    fn walk(mut self) -> gimli::Result<()> {
        let mut entries = self.unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            while self.around.last().is_some_and(|(depth, _)| *depth >= entry.depth()) {
                self.around.pop();
            }
            let around = self.entry(entry);
            self.around.push((entry.depth(), around));
        }
        Ok(())
    }

    fn at(&self, entry: &Entry<'d>) -> At {
        self.unit.header.offset().0 + entry.offset().0
    }

    fn entry(&mut self, entry: &Entry<'d>) -> Around {
        let at = self.at(entry);
        match entry.tag() {
            gimli::DW_TAG_base_type
            | gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type
            | gimli::DW_TAG_structure_type
            | gimli::DW_TAG_class_type
            | gimli::DW_TAG_union_type
            | gimli::DW_TAG_enumeration_type
            | gimli::DW_TAG_array_type
            | gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_restrict_type
            | gimli::DW_TAG_atomic_type
            | gimli::DW_TAG_subroutine_type
            | gimli::DW_TAG_unspecified_type => {
                let shape = self.shape(entry);
                self.book.shapes.insert(at, shape);
                Around::Type(at)
            }
            gimli::DW_TAG_member | gimli::DW_TAG_inheritance => self.member(entry, at),
            gimli::DW_TAG_variant_part => {
                self.inside_type(|shape| shape.variants = true);
                Around::Other
            }
            gimli::DW_TAG_template_type_parameter => {
                if let Some(ty) = self.refers(entry, gimli::DW_AT_type) {
                    self.inside_type(|shape| shape.arguments.push(ty));
                }
                Around::Other
            }
            gimli::DW_TAG_enumerator => {
                let (name, value) = (self.text(entry), number(entry, gimli::DW_AT_const_value));
                if let Some(value) = value {
                    self.inside_type(|shape| shape.names.push((value as i64, name)));
                }
                Around::Other
            }
            gimli::DW_TAG_subrange_type => {
                let count = number(entry, gimli::DW_AT_count)
                    .or_else(|| number(entry, gimli::DW_AT_upper_bound)?.checked_add(1));
                self.inside_type(|shape| shape.counts.push(count.unwrap_or(0)));
                Around::Other
            }
            gimli::DW_TAG_subprogram => self.function(entry, at),
            gimli::DW_TAG_lexical_block | gimli::DW_TAG_inlined_subroutine => {
                match self.enclosing() {
                    Some((function, _)) => Around::Block(function, self.ranges(entry)),
                    None => Around::Other,
                }
            }
            gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                self.variable(entry, at);
                Around::Other
            }
            _ => Around::Other,
        }
    }

    fn inside_type(&mut self, change: impl FnOnce(&mut Shape)) {
        if let Some((_, Around::Type(at))) = self.around.last()
            && let Some(shape) = self.book.shapes.get_mut(at)
        {
            change(shape);
        }
    }

    /// The function that is being read, and the innermost block of it.
    fn enclosing(&self) -> Option<(usize, Vec<Range<u64>>)> {
        match &self.around.last()?.1 {
            Around::Function(at) => Some((*at, Vec::new())),
            Around::Block(at, ranges) => Some((*at, ranges.clone())),
            Around::Type(_) | Around::Other => None,
        }
    }

    fn text(&self, entry: &Entry<'d>) -> String {
        let name = entry.attr_value(gimli::DW_AT_name);
        let name = name.and_then(|value| self.dwarf.attr_string(self.unit, value).ok());
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn refers(&self, entry: &Entry<'d>, name: DwAt) -> Option<At> {
        match entry.attr_value(name)? {
            AttributeValue::UnitRef(offset) => Some(self.unit.header.offset().0 + offset.0),
            AttributeValue::DebugInfoRef(offset) => Some(offset.0),
            _ => None,
        }
    }

    fn shape(&self, entry: &Entry<'d>) -> Shape {
        Shape {
            tag: entry.tag(),
            name: self.text(entry),
            bytes: number(entry, gimli::DW_AT_byte_size),
            encoding: match entry.attr_value(gimli::DW_AT_encoding) {
                Some(AttributeValue::Encoding(encoding)) => Some(u64::from(encoding.0)),
                _ => None,
            },
            ty: self.refers(entry, gimli::DW_AT_type),
            fields: Vec::new(),
            names: Vec::new(),
            counts: Vec::new(),
            variants: false,
            arguments: Vec::new(),
        }
    }

    fn name(&mut self, entry: &Entry<'d>, at: At) {
        let text = self.text(entry);
        let file = match entry.attr_value(gimli::DW_AT_decl_file) {
            Some(AttributeValue::FileIndex(index)) => Some(index as usize),
            other => other.and_then(|value| Some(value.udata_value()? as usize)),
        };
        let origin = self.refers(entry, gimli::DW_AT_abstract_origin);
        let named = Named {
            name: (!text.is_empty()).then_some(text),
            ty: self.refers(entry, gimli::DW_AT_type),
            line: number(entry, gimli::DW_AT_decl_line),
            system: file.and_then(|file| self.system.get(file)).copied().unwrap_or(false),
            origin: origin.or_else(|| self.refers(entry, gimli::DW_AT_specification)),
        };
        self.book.named.insert(at, named);
    }

    fn member(&mut self, entry: &Entry<'d>, at: At) -> Around {
        self.name(entry, at);
        let (offset, bits) = match number(entry, gimli::DW_AT_data_bit_offset) {
            Some(first) => {
                (first / 8, number(entry, gimli::DW_AT_bit_size).map(|n| (first % 8, n)))
            }
            None => (number(entry, gimli::DW_AT_data_member_location).unwrap_or(0), None),
        };
        // What is declared but has no place is a static member, or a bit-field of an old version.
        let placed = entry.attr(gimli::DW_AT_external).is_none()
            && (bits.is_some() || entry.attr(gimli::DW_AT_bit_size).is_none());
        let overlaps = matches!(self.around.last(), Some((_, Around::Type(one)))
            if self.book.shapes.get(one).is_some_and(|shape| shape.tag == gimli::DW_TAG_union_type));
        let base = entry.tag() == gimli::DW_TAG_inheritance;
        if placed {
            self.inside_type(|shape| shape.fields.push(Part { at, offset, bits, overlaps, base }));
        }
        Around::Other
    }

    fn ranges(&self, entry: &Entry<'d>) -> Vec<Range<u64>> {
        let mut all = Vec::new();
        if let Ok(mut ranges) = self.dwarf.die_ranges(self.unit, entry) {
            while let Ok(Some(range)) = ranges.next() {
                all.push(range.begin..range.end);
            }
        }
        all
    }

    fn function(&mut self, entry: &Entry<'d>, at: At) -> Around {
        self.name(entry, at);
        let ranges = self.ranges(entry);
        if ranges.is_empty() {
            return Around::Other;
        }
        let frame_base = self.location(entry, gimli::DW_AT_frame_base);
        let function = Function { ranges, frame_base, ..Function::default() };
        self.book.functions.push((function, Vec::new()));
        Around::Function(self.book.functions.len() - 1)
    }

    fn variable(&mut self, entry: &Entry<'d>, at: At) {
        self.name(entry, at);
        let mut location = self.location(entry, gimli::DW_AT_location);
        if let Some(value) = number(entry, gimli::DW_AT_const_value) {
            location = Where::always(vec![Op::Constant(value), Op::Value]);
        }
        if let [(None, ops)] = location.parts.as_slice() {
            match ops[..] {
                [Op::Address(address)] => return self.book.fixed.push((at, address)),
                [Op::Address(offset) | Op::Constant(offset), Op::Own] => {
                    return self.book.own.push((at, offset));
                }
                _ => {}
            }
        }
        let Some((function, scope)) = self.enclosing() else { return };
        let parameter = entry.tag() == gimli::DW_TAG_formal_parameter;
        self.book.functions[function].1.push(Seen { at, location, scope, parameter });
    }

    fn location(&self, entry: &Entry<'d>, name: DwAt) -> Where {
        let Some(value) = entry.attr_value(name) else { return Where::default() };
        if let Some(expression) = value.exprloc_value() {
            return self.ops(expression).map(Where::always).unwrap_or_default();
        }
        let mut parts = Vec::new();
        if let Ok(Some(mut list)) = self.dwarf.attr_locations(self.unit, value) {
            while let Ok(Some(entry)) = list.next() {
                let range = entry.range.begin..entry.range.end;
                parts.extend(self.ops(entry.data).map(|ops| (Some(range), ops)));
            }
        }
        Where { parts }
    }

    /// An expression, if all of it is understood.
    fn ops(&self, expression: gimli::Expression<Slice<'d>>) -> Option<Vec<Op>> {
        let mut operations = expression.operations(self.unit.encoding());
        let mut ops = Vec::new();
        while let Some(operation) = operations.next().ok()? {
            ops.push(match operation {
                Operation::AddressIndex { index } | Operation::ConstantIndex { index } => {
                    Op::Address(self.dwarf.address(self.unit, index).ok()?)
                }
                other => Op::of(&other)?,
            });
        }
        Some(ops)
    }
}

fn number(entry: &Entry<'_>, name: DwAt) -> Option<u64> {
    let value = entry.attr_value(name)?;
    value.udata_value().or_else(|| value.sdata_value().map(|value| value as u64))
}

/// The files of a unit by their numbers, with their directories.
fn files<'d>(dwarf: &Dwarf<'d>, unit: &Unit<Slice<'d>>) -> Vec<String> {
    let Some(program) = &unit.line_program else { return Vec::new() };
    let header = program.header();
    let text = |value: AttributeValue<Slice<'d>>| {
        let text = dwarf.attr_string(unit, value).ok()?;
        Some(text.to_string_lossy().into_owned())
    };
    // Before version 5 the first file has the number one.
    let first = u64::from(unit.encoding().version < 5);
    let name = |index: u64| {
        let file = header.file(index)?;
        let folder = file.directory(header).and_then(text).unwrap_or_default();
        Some(format!("{folder}/{}", text(file.path_name())?))
    };
    let many = header.file_names().len() as u64 + first;
    (0..many).map(|index| name(index).unwrap_or_default()).collect()
}
