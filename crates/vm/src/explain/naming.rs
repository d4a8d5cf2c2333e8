//! Names that people know for what the machine only knows by number.

use exeunt_containers::is_adapted;
use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::{DebugField, DebugType, DebugTypeId, LocId, short};
use exeunt_model::SectionKind;

use super::paths::without_library;
use crate::libc::library::PROCESS;
use crate::machine::Machine;
use crate::thread::Section;
use crate::vm::Vm;

impl Vm {
    /// The path from a variable to the byte at `offset`: `.items[3].next`.
    pub(super) fn path(
        &self,
        ty: DebugTypeId,
        offset: u64,
        out: &mut String,
    ) -> Option<DebugTypeId> {
        match &self.program.types[ty.0 as usize] {
            // Its members are not known: it is defined elsewhere.
            DebugType::Struct { fields, .. } if fields.is_empty() => Some(ty),
            DebugType::Struct { name, fields, .. } => {
                let covers = |field: &&DebugField| {
                    let size = self.size_of(field.ty).max(1);
                    field.offset <= offset && offset - field.offset < size
                };
                // An empty base or member may lie where another one begins.
                let mut fields = fields.iter().rev().filter(covers);
                let last = fields.clone().next()?;
                let field = fields.find(|field| !self.is_empty(field.ty)).unwrap_or(last);
                if !field.name.is_empty() && !is_adapted(name, &field.name) {
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

    /// Whether a type has no bytes that mean anything.
    fn is_empty(&self, ty: DebugTypeId) -> bool {
        let known = &self.program.types[ty.0 as usize];
        let DebugType::Struct { fields, bytes, .. } = known else { return false };
        *bytes == 1 && fields.iter().all(|field| self.is_empty(field.ty))
    }

    pub(crate) fn size_of(&self, ty: DebugTypeId) -> u64 {
        match &self.program.types[ty.0 as usize] {
            DebugType::Int { bytes, .. } | DebugType::Float { bytes } => *bytes as u64,
            DebugType::Enum { bytes, .. } => *bytes as u64,
            DebugType::Bool | DebugType::Char { .. } => 1,
            DebugType::Pointer { .. } => 8,
            DebugType::Struct { bytes, .. } | DebugType::Other { bytes } => *bytes,
            DebugType::Array { element_bytes, count, .. } => element_bytes * count,
        }
    }

    /// A value as the source type shows it.
    pub(super) fn show_typed(&self, ty: DebugTypeId, value: u64, len: usize) -> Option<String> {
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
                Some(global) => format!("`{}`", short(&global.name)),
                None => "an unknown global".to_string(),
            },
            Some(Space::Function) => match self.vm.program.functions.get(id.index() as usize) {
                Some(function) => format!("function `{}`", short(&function.name)),
                None => "an unknown function".to_string(),
            },
            Some(Space::Heap) => match self.site(id) {
                Some(place) => format!("heap memory allocated at {place}"),
                None => "heap memory".to_string(),
            },
            Some(Space::Stack) => match self.local_name(id) {
                Some((name, _)) => format!("local variable `{name}` of thread {}", id.arena() + 1),
                None => format!("a local variable of thread {}", id.arena() + 1),
            },
            Some(Space::ThreadLocal) if id.arena() == PROCESS => {
                let name = self.semaphore_name(id);
                name.unwrap_or_else(|| "a variable of the C library".to_string())
            }
            Some(Space::ThreadLocal) => {
                let global = self.vm.program.globals.get(id.slot() as usize);
                match global.filter(|global| global.thread_local) {
                    Some(global) => {
                        let name = short(&global.name);
                        format!("thread-local variable `{name}` of thread {}", id.arena() + 1)
                    }
                    None => format!("a thread-local variable of thread {}", id.arena() + 1),
                }
            }
            Some(Space::Thread) => format!("thread {}", id.index() + 1),
            Some(Space::Opaque) | None => format!("address {:#x}", id.at(0)),
        }
    }

    /// Where an object was allocated: "line 12", or with its file if that is not
    /// the one that `main` is in.
    fn site(&mut self, id: ObjId) -> Option<String> {
        let site = self.mem.header(id)?.site;
        let location = self.vm.program.location(LocId(site))?;
        if location.line == 0 {
            return None;
        }
        let main = self.vm.program.main.map(|main| self.vm.code(main.0).function.loc);
        let home = main.and_then(|loc| self.vm.program.location(loc));
        Some(match home {
            Some(home) if home.file != location.file => {
                let file = location.file.rsplit('/').next().unwrap_or_default();
                format!("{file}:{}", location.line)
            }
            _ => format!("line {}", location.line),
        })
    }

    /// The source variable that a stack object is, by the place of its alloca.
    pub(super) fn local_name(&mut self, id: ObjId) -> Option<(String, Option<DebugTypeId>)> {
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
                .map(|global| (short(&global.name), global.ty)),
            Some(Space::Stack) => self.local_name(id),
            Some(Space::Heap) => {
                if let Some((name, ty)) = self.heap_name(addr) {
                    return (format!("`{name}`"), ty);
                }
                None
            }
            _ => None,
        };
        let Some((mut name, ty)) = named else {
            return (self.describe_place(addr), None);
        };
        let leaf = ty.filter(|_| offset >= 0).and_then(|ty| {
            let mut path = String::new();
            let leaf = self.vm.path(ty, offset as u64, &mut path)?;
            name.push_str(&path);
            Some(leaf)
        });
        // What a `std::atomic` is made of is its own business.
        name = without_library(&name);
        if leaf.is_none() && offset != 0 {
            name.push_str(&format!("+{offset}"));
        }
        (format!("`{name}`"), leaf)
    }

    /// A place in an object that has no name.
    fn describe_place(&mut self, addr: u64) -> String {
        let object = self.name_object(address::object(addr));
        match address::offset(addr) {
            0 => object,
            offset => format!("offset {offset} of {object}"),
        }
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
        let value = self.session.clock.value(value).unwrap_or(value);
        if let Some(text) = ty.and_then(|ty| self.vm.show_typed(ty, value, len)) {
            return text;
        }
        self.show_untyped(value, len)
    }

    /// A value that its type does not show: a pointer, or a number.
    pub(super) fn show_untyped(&mut self, value: u64, len: usize) -> String {
        let id = address::object(value);
        match id.space() {
            Some(_) if len == 8 && self.name_object(id).contains("{vtable(") => {
                "a vtable".to_string()
            }
            Some(Space::Global) if len == 8 => {
                let place = |machine: &mut Self| machine.name_place(value).replace('`', "");
                self.literal(value).unwrap_or_else(|| format!("&{}", place(self)))
            }
            // By its way it would be named after the place that it is stored in.
            Some(Space::Heap) if len == 8 => format!("&{}", self.describe_place(value)),
            Some(_) if len == 8 => format!("&{}", self.name_place(value).replace('`', "")),
            _ if len == 4 => (value as u32 as i32).to_string(),
            _ => value.to_string(),
        }
    }

    /// The text of a string literal that an address leads into.
    fn literal(&self, addr: u64) -> Option<String> {
        const MOST: usize = 40;
        let global = self.vm.program.globals.get(address::object(addr).index() as usize)?;
        let bytes = global.data.get(usize::try_from(address::offset(addr)).ok()?..)?;
        let text = bytes.split(|byte| *byte == 0).next()?;
        if !global.constant || !global.name.starts_with(".str") {
            return None;
        }
        let text = String::from_utf8_lossy(text);
        let cut = if text.chars().count() > MOST { "…" } else { "" };
        let shown: String = text.chars().take(MOST).collect();
        Some(format!("{shown:?}{cut}"))
    }

    pub fn name_section(&mut self, section: Section) -> String {
        match section.kind {
            // Left without returning: the frame is gone.
            SectionKind::Function if section.site != 0 => {
                short(&self.vm.code(section.site - 1).function.name)
            }
            SectionKind::Function => {
                let stack = self.call_stack();
                let depth = section.resource as usize;
                match stack.len().checked_sub(1 + depth).and_then(|at| stack.get(at)) {
                    Some(&(func, _)) => short(&self.vm.code(func).function.name),
                    None => "a function".to_string(),
                }
            }
            SectionKind::Await => self.name_await(section.resource),
            SectionKind::User => self.session.section_names.name(section.resource),
            SectionKind::Join => self.name_object(address::object(section.resource)),
            // Descriptors are numbers; what waits for several is given their place.
            SectionKind::FileWait if section.resource < 1 << 32 => {
                format!("descriptor {}", section.resource as u32 as i32)
            }
            SectionKind::LatchWait
            | SectionKind::FutureWait
            | SectionKind::AtomicWait
            | SectionKind::StopWait
            | SectionKind::BarrierWait
            | SectionKind::SemWait => {
                self.name_awaited(section.resource).trim_matches('`').to_string()
            }
            SectionKind::MutexWait
            | SectionKind::Critical
            | SectionKind::RwlockWait
            | SectionKind::RwlockHeld
            | SectionKind::SpinWait
            | SectionKind::SpinHeld
            | SectionKind::CondWait
            | SectionKind::FutexWait
            | SectionKind::FileWait
            | SectionKind::Once
            | SectionKind::Process => {
                self.name_resource(section.resource).trim_matches('`').to_string()
            }
        }
    }
}
