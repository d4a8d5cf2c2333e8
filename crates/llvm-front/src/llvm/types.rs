//! Types and their layout.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMABISizeOfType, LLVMOffsetOfElement, LLVMSizeOfTypeInBits};

use super::{Module, TypeKind, owned_text};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'m> {
    pub(super) raw: LLVMTypeRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Type<'m> {
    pub(super) fn new(raw: LLVMTypeRef) -> Type<'m> {
        assert!(!raw.is_null(), "LLVM gave no type");
        Type { raw, module: PhantomData }
    }

    pub fn kind(self) -> TypeKind {
        // SAFETY: a live type.
        unsafe { LLVMGetTypeKind(self.raw) }
    }

    /// As LLVM writes it in text.
    pub fn text(self) -> String {
        // SAFETY: a live type; the message is ours.
        unsafe { owned_text(LLVMPrintTypeToString(self.raw)) }
    }

    fn is(self, kinds: &[TypeKind]) -> bool {
        kinds.iter().any(|kind| *kind as u32 == self.kind() as u32)
    }

    /// The width of an integer type; 0 for others.
    pub fn int_width(self) -> u32 {
        if !self.is(&[TypeKind::LLVMIntegerTypeKind]) {
            return 0;
        }
        // SAFETY: an integer type.
        unsafe { LLVMGetIntTypeWidth(self.raw) }
    }

    /// The element type of an array or vector.
    pub fn element(self) -> Option<Type<'m>> {
        let sequence = [
            TypeKind::LLVMArrayTypeKind,
            TypeKind::LLVMVectorTypeKind,
            TypeKind::LLVMScalableVectorTypeKind,
        ];
        // SAFETY: arrays and vectors have an element type.
        self.is(&sequence).then(|| Type::new(unsafe { LLVMGetElementType(self.raw) }))
    }

    /// The number of elements of an array, vector or struct; 0 for others.
    pub fn len(self) -> u64 {
        // SAFETY: each call is made for the kind it is meant for.
        unsafe {
            match self.kind() {
                TypeKind::LLVMArrayTypeKind => LLVMGetArrayLength2(self.raw),
                TypeKind::LLVMVectorTypeKind => LLVMGetVectorSize(self.raw).into(),
                TypeKind::LLVMStructTypeKind => LLVMCountStructElementTypes(self.raw).into(),
                _ => 0,
            }
        }
    }

    /// The type of a struct's field.
    pub fn field(self, index: u32) -> Type<'m> {
        assert!(self.is(&[TypeKind::LLVMStructTypeKind]) && u64::from(index) < self.len());
        // SAFETY: a struct that has this field.
        Type::new(unsafe { LLVMStructGetTypeAtIndex(self.raw, index) })
    }

    /// The offset in bytes of a struct's field.
    pub fn field_offset(self, module: &'m Module<'_>, index: u32) -> u64 {
        assert!(self.is(&[TypeKind::LLVMStructTypeKind]) && u64::from(index) < self.len());
        assert!(self.has_fixed_size());
        // SAFETY: a sized struct that has this field.
        unsafe { LLVMOffsetOfElement(module.layout(), self.raw, index) }
    }

    pub fn is_sized(self) -> bool {
        // SAFETY: a live type.
        unsafe { LLVMTypeIsSized(self.raw) != 0 }
    }

    /// LLVM dies when it is asked for the size of something scalable.
    fn has_fixed_size(self) -> bool {
        self.is_sized() && !self.is_scalable()
    }

    fn is_scalable(self) -> bool {
        match self.kind() {
            TypeKind::LLVMScalableVectorTypeKind | TypeKind::LLVMTargetExtTypeKind => true,
            TypeKind::LLVMArrayTypeKind => self.element().is_some_and(Type::is_scalable),
            TypeKind::LLVMStructTypeKind => {
                (0..self.len() as u32).any(|index| self.field(index).is_scalable())
            }
            _ => false,
        }
    }

    /// How far apart array elements of this type are, in bytes.
    pub fn size(self, module: &'m Module<'_>) -> Option<u64> {
        // SAFETY: a sized type.
        self.has_fixed_size().then(|| unsafe { LLVMABISizeOfType(module.layout(), self.raw) })
    }

    pub fn bits(self, module: &'m Module<'_>) -> Option<u64> {
        // SAFETY: a sized type.
        self.has_fixed_size().then(|| unsafe { LLVMSizeOfTypeInBits(module.layout(), self.raw) })
    }

    fn assert_function(self) {
        assert!(self.is(&[TypeKind::LLVMFunctionTypeKind]), "{self} is no function type");
    }

    pub fn params(self) -> Vec<Type<'m>> {
        self.assert_function();
        // SAFETY: a function type; the buffer has room for all parameters.
        unsafe {
            let mut raw = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.raw) as usize];
            LLVMGetParamTypes(self.raw, raw.as_mut_ptr());
            raw.into_iter().map(Type::new).collect()
        }
    }

    pub fn return_type(self) -> Type<'m> {
        self.assert_function();
        // SAFETY: a function type.
        Type::new(unsafe { LLVMGetReturnType(self.raw) })
    }

    pub fn is_variadic(self) -> bool {
        self.assert_function();
        // SAFETY: a function type.
        unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }
}

impl std::fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // SAFETY: a live type; the message is ours.
        f.write_str(&unsafe { owned_text(LLVMPrintTypeToString(self.raw)) })
    }
}
