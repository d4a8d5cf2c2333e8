//! The values of variables as their source types show them, for pictures.

use exeunt_ir::address::{ObjId, Space};
use exeunt_ir::{DebugType, DebugTypeId};

use crate::machine::Machine;

/// Elements of an array that are shown.
const ELEMENTS: u64 = 8;
/// Objects larger than this are not shown.
const LARGE: usize = 4096;

impl Machine<'_> {
    /// The variable globals, without those that only synchronise: what waits
    /// for them is seen elsewhere.
    pub fn show_globals(&mut self) -> Vec<(String, String)> {
        let program = &self.vm.program;
        let mut shown = Vec::new();
        for (i, global) in program.globals.iter().enumerate() {
            let hidden = global.constant || global.thread_local || global.data.len() > LARGE;
            if hidden || global.data.is_empty() || global.name.starts_with("__") {
                continue;
            }
            let id = ObjId::new(Space::Global, i as u32);
            let text = match global.ty {
                Some(ty) if self.is_of_library(ty) => continue,
                Some(ty) => self.show_part(id, 0, ty),
                None => self.show_bytes(id, 0, global.data.len() as u64),
            };
            shown.push((exeunt_ir::readable(&global.name), text));
        }
        shown
    }

    /// Whether a type is one of the C library's own: mutexes, conditions…
    fn is_of_library(&self, ty: DebugTypeId) -> bool {
        match &self.vm.program.types[ty.0 as usize] {
            DebugType::Struct { fields, .. } => {
                fields.first().is_some_and(|field| field.name.starts_with("__"))
            }
            DebugType::Array { element, .. } => self.is_of_library(*element),
            _ => false,
        }
    }

    fn show_part(&mut self, id: ObjId, offset: u64, ty: DebugTypeId) -> String {
        let vm = self.vm;
        match &vm.program.types[ty.0 as usize] {
            DebugType::Struct { fields, .. } => {
                let mut parts = Vec::new();
                for field in fields {
                    if !self.is_of_library(field.ty) {
                        let value = self.show_part(id, offset + field.offset, field.ty);
                        parts.push(format!("{}: {value}", field.name));
                    }
                }
                format!("{{{}}}", parts.join(", "))
            }
            &DebugType::Array { element, element_bytes, count } => {
                let shown = count.min(ELEMENTS);
                let mut parts: Vec<String> = (0..shown)
                    .map(|i| self.show_part(id, offset + i * element_bytes, element))
                    .collect();
                if count > shown {
                    parts.push("…".to_string());
                }
                format!("[{}]", parts.join(", "))
            }
            _ => self.show_bytes(id, offset, vm.size_of(ty)),
        }
    }

    fn show_bytes(&mut self, id: ObjId, offset: u64, len: u64) -> String {
        if !matches!(len, 1..=8) {
            return "…".to_string();
        }
        let place = id.at(offset as i64);
        match self.mem.read(place, len as usize) {
            Ok(bits) if bits.undefined == 0 => self.show_value(place, bits.value, len as usize),
            Ok(_) => "uninitialised".to_string(),
            Err(_) => "?".to_string(),
        }
    }
}
