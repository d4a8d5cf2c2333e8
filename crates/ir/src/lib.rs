//! Our bytecode: a compact register machine that LLVM bitcode is lowered to
//! once, before anything is executed.
//!
//! Values live in 64-bit *slots* of the function's register window. A scalar
//! of up to 64 bits takes one slot and is kept zero-extended; integers of 65
//! to 128 bits and `long double` take two neighbouring slots, low half first.
//! Aggregates and vectors do not exist: the front end flattens them into
//! their scalar leaves. Constants sit in the slots behind the registers, so
//! that an operand is always just a slot number.
//!
//! Invariants (checked by [`verify`]): every operand is below
//! `registers + constants`, every destination below `registers`, every jump
//! target inside the code, and the last instruction does not fall through.

#![forbid(unsafe_code)]

#[macro_use]
mod table;

pub mod address;
mod blocks;
mod class;
mod constant;
mod debug;
mod function;
mod inst;
pub mod liveness;
mod loops;
mod operands;
mod operator;
mod program;
mod reach;
mod symbol;
pub mod text;
mod touch;
pub mod variables;
pub mod verify;

pub use class::{Class, Computation};
pub use constant::Const;
pub use debug::{DebugField, DebugType, DebugTypeId};
pub use function::{
    Arg, CallSite, Callee, Clause, Function, LabelName, LocalName, Pad, SwitchTable, VariableName,
    VariablePlace, varargs,
};
pub use inst::{Inst, Pc, Slot};
pub use loops::{Loop, loops_with_exit};
pub use operands::{Operand, SideTable};
pub use operator::{
    Access, CastOp, CmpPred, FloatKind, FloatOp, FloatPred, FloatUnOp, IntOp, IntUnOp, Order,
    OverflowOp, RmwOp, TrapKind,
};
pub use program::{
    FuncId, Global, GlobalId, InlineFrame, Loc, LocId, Program, Scalar, SigId, Signature,
};
pub use reach::Reached;
pub use symbol::{is_meant, readable, readable_in_full, runs_atomically, short};
pub use touch::{Failure, Size, Touch};
