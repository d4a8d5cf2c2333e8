//! Where variadic arguments lie, as the System V ABI for x86-64 says.
//!
//! Clang compiles `va_arg` to code that takes an argument from the saved
//! registers or from the stack, and it decides in the caller which of them a
//! struct goes to. Both count registers, so the places here have to be those
//! of the ABI: integers and pointers take integer registers, floating-point
//! numbers and vectors of up to 16 bytes take vector registers, and all else,
//! and what finds no register, lies on the stack.

use exeunt_ir::varargs::{
    INTEGER, INTEGER_OFFSET, OVERFLOW_AREA, SAVE_AREA, STACK, VECTOR, VECTOR_OFFSET, VECTORS,
};
use exeunt_ir::{Access, Inst, Slot};

use super::body::Body;
use super::{Lowered, Unit, unsupported};
use crate::llvm::{Type, TypeKind, Value};

/// What the arguments so far have taken, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Places {
    integers: u32,
    vectors: u32,
    stack: u32,
}

impl Places {
    /// Some bytes on the stack, where everything is aligned to at least 8. The
    /// area itself is aligned to whatever there is.
    pub fn on_stack(&mut self, size: u32, align: u32) -> u32 {
        let place = (STACK + self.stack).next_multiple_of(align.max(8));
        self.stack = (place + size).next_multiple_of(8) - STACK;
        place
    }

    /// So many integer registers in a row, or none of them.
    fn in_integers(&mut self, count: u32) -> u32 {
        let size = count * INTEGER;
        if self.integers + size > VECTORS {
            return self.on_stack(size, size);
        }
        self.integers += size;
        self.integers - size
    }

    fn in_vector(&mut self, bytes: u32) -> u32 {
        if self.vectors + VECTOR > STACK - VECTORS {
            let size = bytes.next_power_of_two().max(8);
            return self.on_stack(size, size);
        }
        self.vectors += VECTOR;
        VECTORS + self.vectors - VECTOR
    }
}

impl<'m> Unit<'m> {
    /// The place of each leaf of an argument.
    pub(super) fn places(&self, places: &mut Places, ty: Type<'m>) -> Lowered<Vec<Option<u32>>> {
        let mut found = Vec::new();
        self.add_places(places, ty, &mut found)?;
        Ok(found)
    }

    fn add_places(
        &self,
        places: &mut Places,
        ty: Type<'m>,
        found: &mut Vec<Option<u32>>,
    ) -> Lowered<()> {
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => {
                (0..ty.len() as u32)
                    .try_for_each(|i| self.add_places(places, ty.field(i), found))?;
            }
            TypeKind::LLVMArrayTypeKind => {
                let element = ty.element().expect("arrays have elements");
                (0..ty.len()).try_for_each(|_| self.add_places(places, element, found))?;
            }
            TypeKind::LLVMVectorTypeKind => {
                let leaves = self.leaves(ty)?;
                let bits = ty.bits(self.module).unwrap_or(u64::MAX);
                if bits > 128 || leaves.iter().any(|leaf| leaf.packed) {
                    return unsupported(format!("{ty} as a variadic argument"));
                }
                let start = places.in_vector(bits.div_ceil(8) as u32);
                let place = |offset: u64| Some(start + (offset / 8) as u32);
                found.extend(leaves.iter().map(|leaf| place(leaf.bit_offset)));
            }
            TypeKind::LLVMX86_FP80TypeKind => found.push(Some(places.on_stack(16, 16))),
            TypeKind::LLVMFP128TypeKind => found.push(Some(places.in_vector(16))),
            TypeKind::LLVMFloatTypeKind
            | TypeKind::LLVMDoubleTypeKind
            | TypeKind::LLVMHalfTypeKind
            | TypeKind::LLVMBFloatTypeKind => found.push(Some(places.in_vector(8))),
            _ => match ty.int_width() {
                0..=64 => found.push(Some(places.in_integers(1))),
                65..=128 => found.push(Some(places.in_integers(2))),
                _ => return unsupported(format!("{ty} as a variadic argument")),
            },
        }
        Ok(())
    }
}

impl<'m> Body<'_, 'm> {
    /// `va_start`: the fields of a `va_list` are written one by one, as native
    /// code does it. The fixed parameters have used up what they took.
    pub fn start_varargs(&mut self, list: Value<'m>) -> Lowered<()> {
        let list = self.scalar(list)?;
        let fixed = self.fixed_places()?;
        let area = self.fresh(1);
        self.emit(Inst::VaArea { dst: area });
        let integers = self.constant(fixed.integers.into());
        let vectors = self.constant((VECTORS + fixed.vectors).into());
        let overflow = self.offset(area, (STACK + fixed.stack).into());
        self.store_field(list, INTEGER_OFFSET, 32, integers);
        self.store_field(list, VECTOR_OFFSET, 32, vectors);
        self.store_field(list, OVERFLOW_AREA, 64, overflow);
        self.store_field(list, SAVE_AREA, 64, area);
        Ok(())
    }

    fn store_field(&mut self, list: Slot, offset: i64, bits: u8, src: Slot) {
        let (addr, pointer) = (self.offset(list, offset), bits == 64);
        self.emit(Inst::Store { bits, pointer, access: Access::Plain, src, addr });
    }

    fn fixed_places(&self) -> Lowered<Places> {
        let mut places = Places::default();
        for (index, param) in self.function.params().into_iter().enumerate() {
            let index = index as u32;
            match self.function.param_by_value(index) {
                Some(ty) => {
                    let size = ty.size(self.unit.module).unwrap_or(0) as u32;
                    places.on_stack(size, self.function.param_alignment(index));
                }
                None => {
                    self.unit.places(&mut places, param.ty())?;
                }
            }
        }
        Ok(places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_run_out_one_kind_at_a_time() {
        let mut places = Places::default();
        assert_eq!(places.in_integers(2), 0);
        assert_eq!((places.in_vector(8), places.in_vector(16)), (48, 64));
        assert_eq!((places.in_integers(2), places.in_integers(1)), (16, 32));
        // A pair does not fit any more, but a single one does.
        assert_eq!((places.in_integers(2), places.in_integers(1)), (176, 40));
        assert_eq!((places.in_integers(1), places.in_integers(2)), (192, 208));
        assert_eq!(places.on_stack(24, 16), 224);
        assert_eq!((places.on_stack(1, 1), places.on_stack(40, 32)), (248, 256));
    }
}
