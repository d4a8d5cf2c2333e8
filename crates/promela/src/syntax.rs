//! The syntax tree: what the user wrote, after macros and inlines.

use std::sync::Arc;

pub use exeunt_operator::{Binary, Unary};

use crate::source::Pos;

pub type Name = Arc<str>;

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    pub mtypes: Vec<MtypeDecl>,
    pub typedefs: Vec<Typedef>,
    pub globals: Vec<VarDecl>,
    pub proctypes: Vec<Proctype>,
    pub formulas: Vec<LtlDecl>,
    /// C code that belongs to no process.
    pub embedded: Vec<EmbeddedUnit>,
    /// Whether there is C code anywhere.
    pub has_code: bool,
    /// The text of all C code.
    pub codes: Vec<Name>,
}

/// C code as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    pub text: Name,
    pub pos: Pos,
}

/// A unit of a model that is about C code.
#[derive(Clone, Debug)]
pub enum EmbeddedUnit {
    /// `c_decl { … }`: it comes before the variables of the model.
    Declare(Code),
    /// `c_code { … }`: it comes behind them.
    Define(Code),
    /// `c_state "int x" "Global" "0"`
    State { declaration: Code, scope: EmbeddedScope, init: Option<Name> },
    /// `c_track "&x" "sizeof(int)" "UnMatched"`
    Track { address: Code, size: Name, matched: bool },
}

/// Where a variable of a `c_state` belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmbeddedScope {
    Global,
    /// Not compared.
    Hidden,
    /// Each process of this type has one.
    Local(Name),
}

/// `mtype = { … }` or `mtype:set = { … }`
#[derive(Clone, Debug)]
pub struct MtypeDecl {
    pub set: Option<Name>,
    pub names: Vec<Label>,
}

#[derive(Clone, Debug)]
pub struct Typedef {
    pub name: Name,
    pub pos: Pos,
    pub fields: Vec<VarDecl>,
}

/// What a body of statements is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    Proctype,
    Init,
    Never,
    Trace,
    Notrace,
}

#[derive(Clone, Debug)]
pub struct Proctype {
    pub kind: BodyKind,
    pub name: Name,
    pub pos: Pos,
    /// `D_proctype`: the user promises that at most one statement is enabled.
    pub deterministic: bool,
    /// How many run from the start.
    pub active: Option<Expr>,
    pub params: Vec<VarDecl>,
    pub priority: Option<i32>,
    pub provided: Option<Expr>,
    pub body: Block,
    /// The closing brace.
    pub end: Pos,
}

#[derive(Clone, Debug)]
pub struct LtlDecl {
    pub name: Name,
    pub pos: Pos,
    pub formula: Formula,
}

/// A formula of linear temporal logic over conditions of the model.
#[derive(Clone, Debug)]
pub enum Formula {
    Holds(Expr),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Equivalent(Box<Formula>, Box<Formula>),
    Next(Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    WeakUntil(Box<Formula>, Box<Formula>),
    Release(Box<Formula>, Box<Formula>),
}

/// The declared type of a variable, a field or a message field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeName {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    /// Width in bits.
    Unsigned(u8),
    Mtype(Option<Name>),
    Chan,
    User(Name),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    Plain,
    /// Not part of the state.
    Hidden,
    Show,
    Local,
}

#[derive(Clone, Debug)]
pub struct VarDecl {
    pub visibility: Visibility,
    pub ty: TypeName,
    pub name: Name,
    pub pos: Pos,
    pub length: Option<Expr>,
    pub init: Init,
}

#[derive(Clone, Debug)]
pub enum Init {
    None,
    Value(Expr),
    List(Vec<Expr>),
    Channel { capacity: Expr, fields: Vec<TypeName> },
}

pub type Block = Vec<Step>;

/// One element of a sequence.
#[derive(Clone, Debug)]
pub enum Step {
    Declare(Vec<VarDecl>),
    /// `xr` (receive) and `xs` (send) claims.
    Exclusive {
        receive: bool,
        channels: Vec<VarRef>,
        pos: Pos,
    },
    Run(Box<Stmt>),
}

/// A name where it is set.
#[derive(Clone, Debug)]
pub struct Label {
    pub name: Name,
    pub pos: Pos,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub pos: Pos,
    /// Outermost first.
    pub labels: Vec<Label>,
    pub kind: StmtKind,
    /// As it stands in the source; empty for what is made up.
    pub text: String,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Condition(Expr),
    Assign {
        target: VarRef,
        value: Expr,
    },
    Send {
        chan: VarRef,
        args: Vec<Expr>,
        sorted: bool,
    },
    Receive(Receive),
    If(Vec<Block>),
    Do(Vec<Block>),
    For {
        var: VarRef,
        from: Expr,
        to: Expr,
        body: Block,
    },
    ForIn {
        var: VarRef,
        within: VarRef,
        body: Block,
    },
    Select {
        var: VarRef,
        from: Expr,
        to: Expr,
    },
    Goto(Name),
    Break,
    Else,
    Assert(Expr),
    Print {
        format: Name,
        args: Vec<Expr>,
    },
    PrintMtype(Expr),
    SetPriority {
        pid: Expr,
        value: Expr,
    },
    /// `c_code [condition] { … }`
    Code {
        condition: Option<Code>,
        body: Code,
    },
    Atomic(Block),
    DStep(Block),
    Block(Block),
    Unless(Box<Stmt>, Box<Stmt>),
}

#[derive(Clone, Debug)]
pub struct Receive {
    pub chan: VarRef,
    pub args: Vec<ReceiveArg>,
    /// `??`: the first message that fits, wherever it stands.
    pub random: bool,
    /// `?<…>`: the message stays in the channel.
    pub peek: bool,
}

#[derive(Clone, Debug)]
pub enum ReceiveArg {
    /// Stored here; or matched, if the name turns out to be a constant.
    Into(VarRef),
    /// `_`
    Anything,
    Number(i32),
    Eval(Expr),
}

/// `a[i].b.c[j]`
#[derive(Clone, Debug)]
pub struct VarRef {
    pub pos: Pos,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub name: Name,
    pub index: Option<Box<Expr>>,
}

impl VarRef {
    /// The name, if it is a plain one.
    pub fn simple(&self) -> Option<&Name> {
        match &self.parts[..] {
            [Part { name, index: None }] => Some(name),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub pos: Pos,
    pub kind: ExprKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    Length,
    Full,
    Empty,
    NotFull,
    NotEmpty,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Number(i32),
    Ref(VarRef),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Run {
        name: Name,
        args: Vec<Expr>,
        priority: Option<i32>,
    },
    Probe(Probe, VarRef),
    Poll(Box<Receive>),
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    GetPriority(Box<Expr>),
    Timeout,
    NonProgress,
    /// `c_expr { … }`
    Code(Code),
    RemoteLabel {
        process: Name,
        pid: Option<Box<Expr>>,
        label: Name,
    },
    RemoteVar {
        process: Name,
        pid: Option<Box<Expr>>,
        var: VarRef,
    },
}
