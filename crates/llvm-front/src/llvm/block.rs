//! Basic blocks.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::Value;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'m> {
    raw: LLVMBasicBlockRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Block<'m> {
    pub(super) fn new(raw: LLVMBasicBlockRef) -> Option<Block<'m>> {
        (!raw.is_null()).then_some(Block { raw, module: PhantomData })
    }

    pub fn instructions(self) -> Vec<Value<'m>> {
        let mut instructions = Vec::new();
        // SAFETY: LLVM's own list of a live block.
        let mut at = unsafe { LLVMGetFirstInstruction(self.raw) };
        while let Some(instruction) = Value::new(at) {
            instructions.push(instruction);
            // SAFETY: `at` is in the list.
            at = unsafe { LLVMGetNextInstruction(at) };
        }
        instructions
    }

    pub fn terminator(self) -> Option<Value<'m>> {
        // SAFETY: a live block.
        Value::new(unsafe { LLVMGetBasicBlockTerminator(self.raw) })
    }
}
