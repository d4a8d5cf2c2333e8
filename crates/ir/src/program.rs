//! A whole program: what linking all translation units gives.

use std::sync::Arc;

use exeunt_model::Location;

use crate::{DebugType, DebugTypeId, Function, readable};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SigId(pub u32);

/// Index into [`Program::locs`]; 0 is "unknown".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocId(pub u32);

impl LocId {
    pub const NONE: LocId = LocId(0);
}

/// A scalar leaf type, as signatures and arguments see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// 1 to 128 bits.
    Int(u8),
    Ptr,
    F32,
    F64,
    F80,
}

impl Scalar {
    pub fn bits(self) -> u8 {
        match self {
            Scalar::Int(bits) => bits,
            Scalar::Ptr | Scalar::F64 => 64,
            Scalar::F32 => 32,
            Scalar::F80 => 80,
        }
    }

    pub fn slots(self) -> u32 {
        if self.bits() > 64 { 2 } else { 1 }
    }
}

/// A function type, flattened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    pub params: Box<[Scalar]>,
    pub results: Box<[Scalar]>,
    pub variadic: bool,
}

/// A global variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    pub name: Arc<str>,
    /// Initial contents; its length is the size of the object.
    pub data: Vec<u8>,
    /// Undefined bits of `data`, same length; empty if all are defined.
    pub undefined: Vec<u8>,
    /// Never written: lives outside the state.
    pub constant: bool,
    pub thread_local: bool,
    /// `extern` without a definition anywhere.
    pub external: bool,
    pub loc: LocId,
    pub ty: Option<DebugTypeId>,
}

/// Where an instruction was inlined to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InlineFrame {
    /// The call that was inlined.
    pub call: LocId,
}

/// A source position in interned form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Loc {
    /// Index into [`Program::files`].
    pub file: u32,
    pub line: u32,
    pub column: u32,
    /// The source function, which inlining may make another one than the
    /// function that holds the instruction.
    pub function: Arc<str>,
    pub inlined: Option<InlineFrame>,
}

/// A linked program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
    pub signatures: Vec<Signature>,
    pub files: Vec<Arc<str>>,
    /// Entry 0 is the unknown position.
    pub locs: Vec<Loc>,
    pub types: Vec<DebugType>,
    pub main: Option<FuncId>,
    /// Run before `main`, in order.
    pub constructors: Vec<FuncId>,
    /// Run after `main` returns or `exit` is called, in order.
    pub destructors: Vec<FuncId>,
    /// Things an exhaustive check of this program cannot vouch for
    /// ("--undefined has no effect on bitcode").
    pub caveats: Vec<String>,
}

impl Program {
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The most arguments that something takes which runs at the beginning: `main`, or what runs before it.
    pub fn most_given(&self) -> u32 {
        let begun = self.main.iter().chain(&self.constructors);
        begun.map(|&id| self.function(id).params).max().unwrap_or(0)
    }

    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    pub fn signature(&self, id: SigId) -> &Signature {
        &self.signatures[id.0 as usize]
    }

    pub fn find_function(&self, name: &str) -> Option<FuncId> {
        let index = self.functions.iter().position(|f| &*f.name == name)?;
        Some(FuncId(index as u32))
    }

    pub fn find_global(&self, name: &str) -> Option<GlobalId> {
        let index = self.globals.iter().position(|g| &*g.name == name)?;
        Some(GlobalId(index as u32))
    }

    /// The variable that a user means: by its symbol, or in C++ by its readable name.
    pub fn find_variable(&self, name: &str) -> Option<GlobalId> {
        let is = |(_, global): &(usize, &Global)| readable(&global.name) == name;
        self.find_global(name).or_else(|| {
            let mut found = self.globals.iter().enumerate().filter(is);
            let (index, _) = found.next()?;
            // Of two files with such a variable each, neither is meant.
            found.next().is_none().then_some(GlobalId(index as u32))
        })
    }

    /// The position behind an id, in the form people read.
    pub fn location(&self, id: LocId) -> Option<Location> {
        if id == LocId::NONE {
            return None;
        }
        let loc = self.locs.get(id.0 as usize)?;
        Some(Location {
            file: self.files.get(loc.file as usize)?.clone(),
            line: loc.line,
            column: loc.column,
            function: loc.function.clone(),
        })
    }
}
