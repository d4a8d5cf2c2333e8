//! Names that people know for what the machine only knows by number.

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::{DebugType, DebugTypeId, LocId, readable};
use exeunt_model::SectionKind;

use crate::libc::library::PROCESS;
use crate::machine::Machine;
use crate::thread::Section;
use crate::vm::Vm;

impl Vm {
    /// The path from a variable to the byte at `offset`: `.items[3].next`.
    fn path(&self, ty: DebugTypeId, offset: u64, out: &mut String) -> Option<DebugTypeId> {
        match &self.program.types[ty.0 as usize] {
            // Its members are not known: it is defined elsewhere.
            DebugType::Struct { fields, .. } if fields.is_empty() => Some(ty),
            DebugType::Struct { fields, .. } => {
                let field = fields.iter().rev().find(|field| field.offset <= offset)?;
                if offset - field.offset >= self.size_of(field.ty).max(1) {
                    return None;
                }
                if !field.name.is_empty() {
                    out.push('.');
                    out.push_str(&field.name);
                }
                self.path(field.ty, offset - field.offset, out)
            }
            &DebugType::Array { element, element_bytes, count } if element_bytes > 0 => {
                let index = offset / element_bytes;
                if index >= count.max(1) {
                    return None;
                }
                out.push_str(&format!("[{index}]"));
                self.path(element, offset % element_bytes, out)
            }
            _ if offset == 0 => Some(ty),
            _ => None,
        }
    }

    pub(crate) fn size_of(&self, ty: DebugTypeId) -> u64 {
        match &self.program.types[ty.0 as usize] {
            DebugType::Int { bytes, .. } | DebugType::Float { bytes } => *bytes as u64,
            DebugType::Enum { bytes, .. } => *bytes as u64,
            DebugType::Bool | DebugType::Char { .. } => 1,
            DebugType::Pointer => 8,
            DebugType::Struct { bytes, .. } | DebugType::Other { bytes } => *bytes,
            DebugType::Array { element_bytes, count, .. } => element_bytes * count,
        }
    }

    /// A value as the source type shows it.
    fn show_typed(&self, ty: DebugTypeId, value: u64, len: usize) -> Option<String> {
        let sign_extended = || {
            let shift = 64 - 8 * len as u32;
            ((value << shift) as i64) >> shift
        };
        Some(match &self.program.types[ty.0 as usize] {
            DebugType::Int { signed: true, .. } | DebugType::Char { .. } => {
                sign_extended().to_string()
            }
            DebugType::Bool => if value & 1 != 0 { "true" } else { "false" }.to_string(),
            DebugType::Float { bytes: 4 } => f32::from_bits(value as u32).to_string(),
            DebugType::Float { bytes: 8 } => f64::from_bits(value).to_string(),
            DebugType::Enum { names, .. } => {
                names.iter().find(|(v, _)| *v == sign_extended()).map(|(_, n)| n.to_string())?
            }
            _ => return None,
        })
    }
}

impl Machine<'_> {
    /// "`m`", "memory from malloc at line 12", "a local variable"…
    pub fn name_object(&mut self, id: ObjId) -> String {
        match id.space() {
            Some(Space::Global) => match self.vm.program.globals.get(id.index() as usize) {
                Some(global) if global.name.starts_with(".str") => "a string literal".to_string(),
                Some(global) => format!("`{}`", readable(&global.name)),
                None => "an unknown global".to_string(),
            },
            Some(Space::Function) => match self.vm.program.functions.get(id.index() as usize) {
                Some(function) => format!("function `{}`", readable(&function.name)),
                None => "an unknown function".to_string(),
            },
            Some(Space::Heap) => match self.site_line(id) {
                Some(line) => format!("heap memory allocated at line {line}"),
                None => "heap memory".to_string(),
            },
            Some(Space::Stack) => match self.local_name(id) {
                Some((name, _)) => format!("local variable `{name}` of thread {}", id.arena() + 1),
                None => format!("a local variable of thread {}", id.arena() + 1),
            },
            Some(Space::ThreadLocal) if id.arena() == PROCESS => {
                "a variable of the C library".to_string()
            }
            Some(Space::ThreadLocal) => {
                format!("a thread-local variable of thread {}", id.arena() + 1)
            }
            Some(Space::Thread) => format!("thread {}", id.index() + 1),
            Some(Space::Opaque) | None => format!("address {:#x}", id.at(0)),
        }
    }

    fn site_line(&mut self, id: ObjId) -> Option<u32> {
        let site = self.mem.header(id)?.site;
        let location = self.vm.program.location(LocId(site))?;
        (location.line != 0).then_some(location.line)
    }

    /// The source variable that a stack object is, by the place of its alloca.
    fn local_name(&mut self, id: ObjId) -> Option<(String, Option<DebugTypeId>)> {
        let site = self.mem.header(id)?.site;
        let (name, ty) = self.vm.locals.name(site)?;
        Some((name.to_string(), *ty))
    }

    /// The place behind an address in source terms: "`q.items[3]`".
    pub fn name_place(&mut self, addr: u64) -> String {
        self.place(addr).0
    }

    fn place(&mut self, addr: u64) -> (String, Option<DebugTypeId>) {
        let id = address::object(addr);
        let offset = address::offset(addr);
        let named = match id.space() {
            Some(Space::Global) => self
                .vm
                .program
                .globals
                .get(id.index() as usize)
                .map(|global| (readable(&global.name), global.ty)),
            Some(Space::Stack) => self.local_name(id),
            _ => None,
        };
        let Some((mut name, ty)) = named else {
            let object = self.name_object(id);
            return match offset {
                0 => (object, None),
                _ => (format!("offset {offset} of {object}"), None),
            };
        };
        let leaf = ty.filter(|_| offset >= 0).and_then(|ty| {
            let mut path = String::new();
            let leaf = self.vm.path(ty, offset as u64, &mut path)?;
            name.push_str(&path);
            Some(leaf)
        });
        // What a `std::atomic` is made of is its own business.
        name = name.trim_end_matches("._M_i").trim_end_matches("._M_base").to_string();
        if leaf.is_none() && offset != 0 {
            name.push_str(&format!("+{offset}"));
        }
        (format!("`{name}`"), leaf)
    }

    /// The resource behind an address: like a place, but an aggregate that
    /// begins there is meant as a whole (`m`, not `m.__data.__lock`).
    pub fn name_resource(&mut self, addr: u64) -> String {
        let (name, _) = self.place(addr);
        // What is guarded is meant, not the word that guards it.
        let name = name.replace("guard variable for ", "");
        let inside = [".__", "._M_"].iter().filter_map(|member| name.find(member)).min();
        match inside {
            Some(at) => format!("{}`", &name[..at]),
            None => name,
        }
    }

    /// A value stored at a place, as people would write it.
    pub fn show_value(&mut self, addr: u64, value: u64, len: usize) -> String {
        let (_, ty) = self.place(addr);
        if let Some(text) = ty.and_then(|ty| self.vm.show_typed(ty, value, len)) {
            return text;
        }
        let id = address::object(value);
        match id.space() {
            Some(_) if len == 8 && self.name_object(id).contains("{vtable(") => {
                "a vtable".to_string()
            }
            Some(_) if len == 8 => format!("&{}", self.name_place(value).replace('`', "")),
            _ if len == 4 => (value as u32 as i32).to_string(),
            _ => value.to_string(),
        }
    }

    pub fn name_section(&mut self, section: Section) -> String {
        match section.kind {
            // Left without returning: the frame is gone.
            SectionKind::Function if section.site != 0 => {
                readable(&self.vm.code(section.site - 1).function.name)
            }
            SectionKind::Function => {
                let stack = self.call_stack();
                let depth = section.resource as usize;
                match stack.len().checked_sub(1 + depth).and_then(|at| stack.get(at)) {
                    Some(&(func, _)) => readable(&self.vm.code(func).function.name),
                    None => "a function".to_string(),
                }
            }
            SectionKind::User => self.session.section_names.name(section.resource),
            SectionKind::Join => self.name_object(address::object(section.resource)),
            SectionKind::MutexWait
            | SectionKind::Critical
            | SectionKind::RwlockWait
            | SectionKind::RwlockHeld
            | SectionKind::SpinWait
            | SectionKind::SpinHeld
            | SectionKind::CondWait
            | SectionKind::BarrierWait
            | SectionKind::SemWait
            | SectionKind::FutexWait
            | SectionKind::Once
            | SectionKind::Process => {
                self.name_resource(section.resource).trim_matches('`').to_string()
            }
        }
    }
}
