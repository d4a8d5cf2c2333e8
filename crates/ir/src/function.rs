//! A function: code, constants and side tables.

use std::sync::Arc;

use crate::{Const, DebugTypeId, FuncId, Inst, LocId, Pc, Scalar, SigId, Slot};

/// Whom a call goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    Direct(FuncId),
    /// The slot holds the address of a function.
    Indirect(Slot),
}

/// One argument (a scalar leaf) of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arg {
    pub slot: Slot,
    pub ty: Scalar,
    /// For `byval` aggregates among variadic arguments: `slot` is a pointer
    /// to this many bytes, which are copied; 0 otherwise. (Fixed `byval`
    /// parameters are copied by code in the callee.)
    pub by_value: u32,
    /// Where it lies among the arguments of a variadic callee, if the call may
    /// be of one: registers as `va_start` saves them, then the stack.
    pub place: Option<u32>,
}

/// The area of variadic arguments, as the System V ABI for x86-64 lays out
/// what a `va_list` points to: six integer registers, eight vector registers,
/// and behind them (there: elsewhere) the arguments on the stack.
pub mod varargs {
    pub const INTEGER: u32 = 8;
    pub const VECTOR: u32 = 16;
    pub const VECTORS: u32 = 6 * INTEGER;
    pub const STACK: u32 = VECTORS + 8 * VECTOR;
    /// The fields of a `va_list`.
    pub const INTEGER_OFFSET: i64 = 0;
    pub const VECTOR_OFFSET: i64 = 4;
    pub const OVERFLOW_AREA: i64 = 8;
    pub const SAVE_AREA: i64 = 16;
    pub const LIST: u64 = 24;
}

/// The side table row of a call instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct CallSite {
    pub callee: Callee,
    pub args: Box<[Arg]>,
    /// Results go to consecutive slots from here; `None` if they are ignored
    /// or there are none.
    pub result: Option<Slot>,
    /// How many slots the results take; 0 if `result` is `None`.
    pub result_slots: u32,
    /// The type of the call as the caller sees it.
    pub signature: SigId,
    /// `longjmp` may come back here: the call is to a `returns_twice` function.
    pub returns_twice: bool,
    /// Row of `Function::pads`: where control goes if an exception leaves the call.
    pub pad: Option<u32>,
}

/// Where an exception that leaves a call is received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pad {
    pub to: Pc,
    /// The first of two slots that get the exception and the number of the clause
    /// that accepts it (0: it is only to be cleaned up). They are written by the
    /// unwinder.
    pub received: Slot,
    /// Whether exceptions that no clause accepts come here, too.
    pub cleanup: bool,
    pub clauses: Box<[Clause]>,
}

/// Which exceptions a pad accepts. Slots are constants: addresses of type
/// descriptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// Those of a type; of any type if it is null.
    Catch(Slot),
    /// Those of none of these types.
    Filter(Box<[Slot]>),
}

/// A `switch`: values sorted, each with its target.
#[derive(Clone, Debug, PartialEq)]
pub struct SwitchTable {
    pub cases: Box<[(u64, Pc)]>,
    pub default: Pc,
}

/// Which source variable an `alloca` at some instruction is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalName {
    /// The `Alloca` instruction.
    pub pc: Pc,
    pub name: Arc<str>,
    pub ty: Option<DebugTypeId>,
}

/// Where the value of a source variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariablePlace {
    Register(Slot),
    Constant(u64),
    /// It is not kept.
    Gone,
}

/// From some instruction on, a source variable that has no memory of its own
/// is in some place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableName {
    /// The first instruction that this is true of.
    pub pc: Pc,
    /// The same number in all rows about one variable of the function.
    pub variable: u32,
    pub name: Arc<str>,
    pub ty: Option<DebugTypeId>,
    pub place: VariablePlace,
}

/// A label of the source, which is the name of a place for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelName {
    pub name: Arc<str>,
    /// The instruction behind it.
    pub pc: Pc,
}

/// A function. Without code it is a declaration, and the machine must know it.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: Arc<str>,
    pub signature: SigId,
    /// Parameters occupy the slots `0..params`.
    pub params: u32,
    /// How many slots code may write.
    pub registers: u32,
    /// Constants occupy the slots `registers..registers + constants.len()`.
    pub constants: Vec<Const>,
    pub code: Vec<Inst>,
    /// One source position for each instruction of `code`.
    pub locs: Vec<LocId>,
    pub calls: Vec<CallSite>,
    /// Where exceptions that leave calls are received.
    pub pads: Vec<Pad>,
    pub switches: Vec<SwitchTable>,
    /// Operand lists of `Return`.
    pub lists: Vec<Box<[Slot]>>,
    /// Instructions whose label address is taken, for computed `goto`.
    pub label_targets: Vec<Pc>,
    /// What `Unsupported` instructions could not express.
    pub unsupported: Vec<Arc<str>>,
    pub locals: Vec<LocalName>,
    pub variables: Vec<VariableName>,
    pub labels: Vec<LabelName>,
    /// Where the function is defined (or first declared).
    pub loc: LocId,
    /// Carries `__attribute__((annotate("exeunt_must_return")))`.
    pub must_return: bool,
    /// It comes from the source of the C++ library, not from the program.
    pub library: bool,
}

impl Function {
    /// The call that an instruction is, if it is one.
    #[inline]
    pub fn call_at(&self, pc: Pc) -> Option<&CallSite> {
        self.code[pc as usize].call().map(|call| &self.calls[call as usize])
    }

    /// Where an exception that leaves the call at an instruction is received.
    pub fn pad_at(&self, pc: Pc) -> Option<&Pad> {
        let row = self.call_at(pc)?.pad?;
        Some(&self.pads[row as usize])
    }

    pub fn is_declaration(&self) -> bool {
        self.code.is_empty()
    }

    /// A declaration of an external function.
    pub fn declaration(name: Arc<str>, signature: SigId) -> Function {
        Function {
            name,
            signature,
            params: 0,
            registers: 0,
            constants: Vec::new(),
            code: Vec::new(),
            locs: Vec::new(),
            calls: Vec::new(),
            pads: Vec::new(),
            switches: Vec::new(),
            lists: Vec::new(),
            label_targets: Vec::new(),
            unsupported: Vec::new(),
            locals: Vec::new(),
            variables: Vec::new(),
            labels: Vec::new(),
            loc: LocId::NONE,
            must_return: false,
            library: false,
        }
    }

    /// The size of the register window including constants.
    pub fn window(&self) -> usize {
        self.registers as usize + self.constants.len()
    }

    /// The switch case that a value selects.
    pub fn switch_target(&self, table: u32, value: u64) -> Pc {
        let table = &self.switches[table as usize];
        match table.cases.binary_search_by_key(&value, |case| case.0) {
            Ok(i) => table.cases[i].1,
            Err(_) => table.default,
        }
    }

    /// How many slots scalars of these types take.
    pub fn slots_of(types: &[Scalar]) -> u32 {
        types.iter().map(|ty| ty.slots()).sum()
    }
}
