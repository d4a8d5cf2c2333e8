//! Global variables, their contents, and the special ones that LLVM knows.

use std::sync::Arc;

use exeunt_ir::{FuncId, Global, GlobalId, address};

use super::Unit;
use super::constants::ConstError;
use crate::FrontError;
use crate::llvm::{Module, Type, TypeKind, Value, ValueKind};

/// The bytes of a global while they are being written.
struct Image<'a> {
    data: &'a mut [u8],
    undefined: &'a mut Vec<u8>,
}

impl Image<'_> {
    fn write(&mut self, at: usize, bytes: &[u8]) {
        if let Some(place) = self.data.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    fn forget(&mut self, at: usize, masks: &[u8]) {
        if self.undefined.is_empty() {
            self.undefined.resize(self.data.len(), 0);
        }
        if let Some(place) = self.undefined.get_mut(at..at + masks.len()) {
            place.copy_from_slice(masks);
        }
    }
}

impl<'m> Unit<'m> {
    /// Gives every global its number and size.
    pub(super) fn declare_globals(&mut self) -> Result<(), FrontError> {
        for global in self.module.globals() {
            let name = global.name();
            if name.starts_with("llvm.") || global.section() == "llvm.metadata" {
                continue;
            }
            let bytes = global.value_type().size(self.module).unwrap_or(0);
            if bytes > address::MAX_OBJECT {
                return Err(FrontError::TooLarge { global: name, bytes });
            }
            let (loc, ty) = self.global_debug(global);
            self.globals.insert(global, GlobalId(self.program.globals.len() as u32));
            self.program.globals.push(Global {
                name: Arc::from(name),
                data: vec![0; bytes as usize],
                undefined: Vec::new(),
                constant: global.is_constant_global(),
                thread_local: global.is_thread_local(),
                external: global.is_declaration(),
                loc,
                ty,
            });
        }
        Ok(())
    }

    /// Fills in the contents; needs the addresses of labels.
    pub(super) fn initialise_globals(&mut self) {
        for value in self.module.globals() {
            let Some(&GlobalId(id)) = self.globals.get(&value) else { continue };
            let Some(initializer) = value.initializer() else { continue };
            let global = &mut self.program.globals[id as usize];
            let name = global.name.clone();
            let (mut data, mut undefined) = (std::mem::take(&mut global.data), Vec::new());
            let mut image = Image { data: &mut data, undefined: &mut undefined };
            if let Err(why) = self.write_constant(&mut image, 0, initializer) {
                self.program.caveats.push(format!("the initial value of {name}: {why}"));
            }
            let global = &mut self.program.globals[id as usize];
            global.data = data;
            global.undefined = undefined;
        }
    }

    fn write_constant(
        &self,
        image: &mut Image<'_>,
        at: usize,
        value: Value<'m>,
    ) -> Result<(), String> {
        use ValueKind::*;
        let ty = value.ty();
        match value.kind() {
            // Zero bytes are there already.
            LLVMConstantAggregateZeroValueKind | LLVMConstantPointerNullValueKind => Ok(()),
            LLVMUndefValueValueKind | LLVMPoisonValueKind => {
                let size = ty.size(self.module).unwrap_or(0) as usize;
                image.forget(at, &vec![0xff; size]);
                Ok(())
            }
            LLVMConstantDataArrayValueKind => {
                image.write(at, &value.raw_data().unwrap_or_default());
                Ok(())
            }
            LLVMConstantStructValueKind => {
                for index in 0..ty.len() as u32 {
                    let offset = ty.field_offset(self.module, index) as usize;
                    self.write_element(image, at + offset, value, index)?;
                }
                Ok(())
            }
            LLVMConstantArrayValueKind => {
                let stride = ty.element().and_then(|e| e.size(self.module)).unwrap_or(0) as usize;
                for index in 0..ty.len() as u32 {
                    self.write_element(image, at + index as usize * stride, value, index)?;
                }
                Ok(())
            }
            _ => self.write_leaves(image, at, value, ty),
        }
    }

    fn write_element(
        &self,
        image: &mut Image<'_>,
        at: usize,
        value: Value<'m>,
        index: u32,
    ) -> Result<(), String> {
        match value.aggregate_element(index) {
            Some(element) => self.write_constant(image, at, element),
            None => Err(format!("unsupported: {}", value.text())),
        }
    }

    /// Scalars and vectors, through their slots.
    fn write_leaves(
        &self,
        image: &mut Image<'_>,
        at: usize,
        value: Value<'m>,
        ty: Type<'m>,
    ) -> Result<(), String> {
        let leaves = self.leaves(ty).map_err(|why| why.0)?;
        if leaves.iter().any(|leaf| leaf.packed) {
            return Err(format!("unsupported: {ty} in memory"));
        }
        let constants = match self.constant(value) {
            Ok(constants) => constants,
            Err(ConstError::Unsupported(why)) => return Err(format!("unsupported: {}", why.0)),
            // A label without a jump to it: any invalid address will do.
            Err(ConstError::Label) => return Ok(()),
            Err(ConstError::ThreadLocal) => return Err("the address of a thread-local".into()),
        };
        let mut rest = constants.iter();
        for leaf in leaves.iter() {
            let at = at + (leaf.bit_offset / 8) as usize;
            let mut bytes = Vec::new();
            let mut masks = Vec::new();
            for slot in rest.by_ref().take(leaf.ty.slots() as usize) {
                bytes.extend(slot.value.to_le_bytes());
                masks.extend(slot.undefined.to_le_bytes());
            }
            let size = usize::from(leaf.ty.bits()).div_ceil(8);
            image.write(at, &bytes[..size]);
            if masks.iter().any(|&mask| mask != 0) {
                image.forget(at, &masks[..size]);
            }
        }
        Ok(())
    }

    /// Constructors, destructors and annotations.
    pub(super) fn special_globals(&mut self) {
        self.program.constructors = self.functions_by_priority(c"llvm.global_ctors");
        let mut destructors = self.functions_by_priority(c"llvm.global_dtors");
        destructors.reverse();
        self.program.destructors = destructors;
        for entry in self.entries(c"llvm.global.annotations") {
            let function = entry.aggregate_element(0).and_then(|f| self.functions.get(&f));
            let text = entry.aggregate_element(1).and_then(text_of);
            if let (Some(&FuncId(id)), Some(b"exeunt_must_return\0")) = (function, text.as_deref())
            {
                self.program.functions[id as usize].must_return = true;
            }
        }
    }

    fn entries(&self, name: &std::ffi::CStr) -> Vec<Value<'m>> {
        rows_of(self.module, name)
    }

    fn functions_by_priority(&self, name: &std::ffi::CStr) -> Vec<FuncId> {
        let mut found: Vec<(u64, FuncId)> = self
            .entries(name)
            .into_iter()
            .filter_map(|entry| {
                let priority = entry.aggregate_element(0)?.int_bits()?;
                let mut function = entry.aggregate_element(1)?;
                while let Some(aliasee) = function.aliasee() {
                    function = aliasee;
                }
                Some((priority, *self.functions.get(&function)?))
            })
            .collect();
        found.sort_by_key(|(priority, _)| *priority);
        found.into_iter().map(|(_, id)| id).collect()
    }
}

/// The elements of a global array.
pub(crate) fn rows_of<'m>(module: &'m Module<'_>, name: &std::ffi::CStr) -> Vec<Value<'m>> {
    let array = module.named_global(name).and_then(|global| global.initializer());
    let array = array.filter(|array| array.ty().kind() == TypeKind::LLVMArrayTypeKind);
    let Some(array) = array else { return Vec::new() };
    (0..array.ty().len() as u32).filter_map(|i| array.aggregate_element(i)).collect()
}

/// The bytes of a constant string's global.
fn text_of(value: Value<'_>) -> Option<Vec<u8>> {
    if !value.is_global() {
        return None;
    }
    value.initializer()?.raw_data()
}
