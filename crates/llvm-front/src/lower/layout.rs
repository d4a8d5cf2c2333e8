//! How types flatten into scalar leaves.

use std::rc::Rc;

use exeunt_ir::Scalar;

use super::huge::{huge_width, limbs};
use super::{Lowered, Unit, unsupported};
use crate::llvm::{Type, TypeKind};

/// A scalar leaf of a type and where it is in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub ty: Scalar,
    pub bit_offset: u64,
    /// An element of a vector that shares bytes with its neighbours (`i1`…).
    pub packed: bool,
}

pub(super) type Leaves = Rc<[Leaf]>;

/// Values with more leaves than this do not come out of C compilers.
const MAX_LEAVES: usize = 1 << 14;

/// The width of a slot for `bits` bits, all ones.
pub(super) fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

impl<'m> Unit<'m> {
    /// The leaves of a type, in order; none for void.
    pub(super) fn leaves(&self, ty: Type<'m>) -> Lowered<Leaves> {
        if let Some(known) = self.leaves.borrow().get(&ty) {
            return known.clone();
        }
        let mut leaves = Vec::new();
        let result = self.collect(ty, 0, &mut leaves).map(|()| Leaves::from(leaves));
        self.leaves.borrow_mut().insert(ty, result.clone());
        result
    }

    pub(super) fn scalars(&self, ty: Type<'m>) -> Lowered<Vec<Scalar>> {
        Ok(self.leaves(ty)?.iter().map(|leaf| leaf.ty).collect())
    }

    fn collect(&self, ty: Type<'m>, bit_offset: u64, leaves: &mut Vec<Leaf>) -> Lowered<()> {
        match ty.kind() {
            TypeKind::LLVMVoidTypeKind => {}
            TypeKind::LLVMStructTypeKind => {
                if ty.size(self.module).is_none() {
                    return unsupported(format!("a value of type {ty}"));
                }
                for index in 0..ty.len() as u32 {
                    let offset = bit_offset + ty.field_offset(self.module, index) * 8;
                    self.collect(ty.field(index), offset, leaves)?;
                }
            }
            TypeKind::LLVMArrayTypeKind => {
                let element = ty.element().expect("arrays have elements");
                let stride = element.size(self.module).unwrap_or(0) * 8;
                self.collect_run(ty, element, bit_offset, stride, leaves)?;
            }
            TypeKind::LLVMVectorTypeKind => {
                let element = ty.element().expect("vectors have elements");
                if huge_width(element).is_some() {
                    return unsupported(format!("a value of type {ty}"));
                }
                let stride = element.bits(self.module).unwrap_or(0);
                self.collect_run(ty, element, bit_offset, stride, leaves)?;
            }
            TypeKind::LLVMIntegerTypeKind if huge_width(ty).is_some() => {
                for (i, bits) in limbs(ty.int_width()).enumerate() {
                    let bit_offset = bit_offset + 64 * i as u64;
                    leaves.push(Leaf { ty: Scalar::Int(bits), bit_offset, packed: false });
                }
            }
            _ => {
                let scalar = self.scalar(ty)?;
                leaves.push(Leaf { ty: scalar, bit_offset, packed: false });
            }
        }
        Ok(())
    }

    fn collect_run(
        &self,
        ty: Type<'m>,
        element: Type<'m>,
        start: u64,
        stride: u64,
        leaves: &mut Vec<Leaf>,
    ) -> Lowered<()> {
        // Checked before the elements are walked: an element may be empty.
        if ty.len() as usize > MAX_LEAVES {
            return unsupported(format!("a value of the large type {ty}"));
        }
        let packed = ty.kind() == TypeKind::LLVMVectorTypeKind && !stride.is_multiple_of(8);
        for index in 0..ty.len() {
            let first = leaves.len();
            self.collect(element, start + index * stride, leaves)?;
            if leaves.len() == first {
                // Any number of nothings is nothing.
                break;
            }
            leaves[first..].iter_mut().for_each(|leaf| leaf.packed |= packed);
            if leaves.len() > MAX_LEAVES {
                return unsupported(format!("a value of the large type {ty}"));
            }
        }
        Ok(())
    }

    /// Half-precision and quad-precision numbers can be moved around as
    /// integers; only arithmetic on them is not supported.
    fn scalar(&self, ty: Type<'m>) -> Lowered<Scalar> {
        Ok(match ty.kind() {
            TypeKind::LLVMIntegerTypeKind if ty.int_width() <= 128 => {
                Scalar::Int(ty.int_width() as u8)
            }
            TypeKind::LLVMPointerTypeKind => Scalar::Ptr,
            TypeKind::LLVMFloatTypeKind => Scalar::F32,
            TypeKind::LLVMDoubleTypeKind => Scalar::F64,
            TypeKind::LLVMX86_FP80TypeKind => Scalar::F80,
            TypeKind::LLVMHalfTypeKind | TypeKind::LLVMBFloatTypeKind => Scalar::Int(16),
            TypeKind::LLVMFP128TypeKind => Scalar::Int(128),
            _ => return unsupported(format!("a value of type {ty}")),
        })
    }

    /// How many leaves come before the place that `indices` name, and the
    /// type of that place.
    pub(super) fn leaf_position(
        &self,
        ty: Type<'m>,
        indices: &[u32],
    ) -> Lowered<(usize, Type<'m>)> {
        let mut position = 0;
        let mut at = ty;
        for &index in indices {
            if let Some(element) = at.element() {
                position += index as usize * self.leaves(element)?.len();
                at = element;
            } else {
                for before in 0..index {
                    position += self.leaves(at.field(before))?.len();
                }
                at = at.field(index);
            }
        }
        Ok((position, at))
    }
}

/// The element type of a vector, other types themselves.
pub(super) fn lane_type(ty: Type<'_>) -> Type<'_> {
    match ty.kind() {
        TypeKind::LLVMVectorTypeKind => ty.element().expect("vectors have elements"),
        _ => ty,
    }
}
