//! Where a variable is: DWARF's location expressions, as far as compilers write them for variables of C and C++. What
//! is not listed here makes a variable "not available".

use std::ops::Range;

use addr2line::gimli::{Operation, Reader, Register};

/// One operation of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    /// An address of the file.
    Address(u64),
    /// The frame base and so much.
    Frame(i64),
    /// What a register has, and so much.
    Register(u16, i64),
    /// The variable is in this register.
    In(u16),
    /// The canonical address of the call.
    Canonical,
    Constant(u64),
    Plus(u64),
    Load,
    /// The result is the value, not its place.
    Value,
    /// The place is so far into the storage of the thread.
    Own,
}

impl Op {
    pub(super) fn of<R: Reader>(operation: &Operation<R>) -> Option<Op> {
        Some(match *operation {
            Operation::Address { address } => Op::Address(address),
            Operation::FrameOffset { offset } => Op::Frame(offset),
            Operation::RegisterOffset { register: Register(number), offset, .. } => {
                Op::Register(number, offset)
            }
            Operation::Register { register: Register(number) } => Op::In(number),
            Operation::CallFrameCFA => Op::Canonical,
            Operation::UnsignedConstant { value } => Op::Constant(value),
            Operation::SignedConstant { value } => Op::Constant(value as u64),
            Operation::PlusConstant { value } => Op::Plus(value),
            Operation::Deref { size: 8, space: false, .. } => Op::Load,
            Operation::StackValue => Op::Value,
            Operation::TLS => Op::Own,
            _ => return None,
        })
    }
}

/// The expression for each part of a function; one for all of it has no range.
#[derive(Debug, Default)]
pub(super) struct Where {
    pub(super) parts: Vec<(Option<Range<u64>>, Vec<Op>)>,
}

impl Where {
    pub(super) fn always(ops: Vec<Op>) -> Where {
        Where { parts: vec![(None, ops)] }
    }

    pub(super) fn at(&self, address: u64) -> Option<&[Op]> {
        let fits =
            |range: &Option<Range<u64>>| range.as_ref().is_none_or(|one| one.contains(&address));
        self.parts.iter().find(|(range, _)| fits(range)).map(|(_, ops)| ops.as_slice())
    }
}

/// What is known of a call: its registers, and where the program was loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The stack pointer, rbx, rbp, r12 to r15.
    pub(crate) registers: [u64; 7],
    /// The stack pointer of the caller before the call.
    pub(crate) canonical: Option<u64>,
    /// What is added to addresses of the file.
    pub(crate) bias: u64,
}

impl Frame {
    /// A register by DWARF's number, if calls preserve it.
    fn register(&self, number: u16) -> Option<u64> {
        const KNOWN: [u16; 7] = [7, 3, 6, 12, 13, 14, 15];
        KNOWN.iter().position(|&known| known == number).map(|at| self.registers[at])
    }
}

/// Where a variable is, or what it has for a value if it is nowhere in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Memory(u64),
    Value(u64),
}

/// The frame base of a function: a register is one, too.
pub(super) fn base(ops: &[Op], frame: &Frame) -> Option<u64> {
    match find(ops, frame, None)? {
        Place::Memory(address) => Some(address),
        Place::Value(value) => Some(value),
    }
}

/// Where an expression leads in a call with this frame base.
pub(super) fn find(ops: &[Op], frame: &Frame, base: Option<u64>) -> Option<Place> {
    let mut at: Option<u64> = None;
    for (index, op) in ops.iter().enumerate() {
        let last = index + 1 == ops.len();
        at = Some(match *op {
            Op::Address(address) => address.wrapping_add(frame.bias),
            Op::Frame(offset) => base?.wrapping_add_signed(offset),
            Op::Register(number, offset) => frame.register(number)?.wrapping_add_signed(offset),
            Op::In(number) if last => return Some(Place::Value(frame.register(number)?)),
            Op::Value if last => return Some(Place::Value(at?)),
            // Calls have no variables in the storage of their thread: those are none of a call.
            Op::In(_) | Op::Value | Op::Own => return None,
            Op::Canonical => frame.canonical?,
            Op::Constant(value) => value,
            Op::Plus(value) => at?.wrapping_add(value),
            // Memory is not read here: a variable behind a pointer is one of a closure or a block.
            Op::Load => return None,
        });
    }
    at.map(Place::Memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame =
        Frame { registers: [100, 3, 600, 12, 13, 14, 15], canonical: Some(616), bias: 0x1000 };

    #[test]
    fn places_of_gcc_and_clang() {
        let base = base(&[Op::Canonical], &FRAME);
        assert_eq!(find(&[Op::Frame(-20)], &FRAME, base), Some(Place::Memory(596)));
        let base = super::base(&[Op::In(6)], &FRAME);
        assert_eq!(find(&[Op::Frame(-8)], &FRAME, base), Some(Place::Memory(592)));
        assert_eq!(find(&[Op::Address(16)], &FRAME, None), Some(Place::Memory(0x1010)));
        assert_eq!(find(&[Op::In(3)], &FRAME, None), Some(Place::Value(3)));
        assert_eq!(find(&[Op::Constant(7), Op::Value], &FRAME, None), Some(Place::Value(7)));
    }

    #[test]
    fn what_is_not_preserved_is_not_known() {
        // rax is gone when a call returns.
        assert_eq!(find(&[Op::In(0)], &FRAME, None), None);
        assert_eq!(find(&[Op::Frame(0)], &FRAME, None), None);
        let part = Where { parts: vec![(Some(4..8), vec![Op::In(3)])] };
        assert!(part.at(4).is_some() && part.at(8).is_none());
    }
}
