//! Compiled form of a model: transition tables over packed variables.
//!
//! Nothing here refers to names while executing; names are kept beside the
//! code for stories and faults. A variable is a [`Cell`]: some bits of one
//! 64-bit word, so that no access ever crosses a word.

use std::sync::Arc;

use exeunt_model::Location;

use crate::Marking;
pub use crate::embedded::FunctionId;
pub use crate::syntax::{Binary, Probe, Unary};

/// A process type of the compiled model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProcId(pub u16);

/// A channel declaration; a running model has an instance for each channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChanDeclId(pub u16);

/// A statement as written, for stories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SiteId(pub u32);

/// Which component a variable lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// The globals, at the start of the working memory. Hidden variables
    /// follow behind the component and are not part of the state.
    Global,
    /// The process that moves.
    Local,
}

/// How the bits of a variable are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    pub bits: u8,
    pub signed: bool,
}

impl Width {
    /// The value that is left after storing `value` in this width.
    pub fn truncate(self, value: i32) -> i32 {
        let drop = 32 - u32::from(self.bits);
        if self.signed {
            (value << drop) >> drop
        } else {
            (((value as u32) << drop) >> drop) as i32
        }
    }
}

/// A scalar at a fixed place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub space: Space,
    pub word: u32,
    pub shift: u8,
    pub width: Width,
}

/// A scalar whose place depends on indices.
#[derive(Clone, Debug)]
pub struct Element {
    pub space: Space,
    /// Offset of element zero, in bits.
    pub base: u32,
    pub steps: Vec<Subscript>,
    pub width: Width,
}

#[derive(Clone, Debug)]
pub struct Subscript {
    pub index: Expr,
    pub length: u32,
    /// Distance between neighbours, in bits.
    pub stride: u32,
    pub array: Arc<str>,
}

#[derive(Clone, Debug)]
pub enum Place {
    Cell(Cell),
    Element(Box<Element>),
    /// `_`: what is stored is lost.
    Nowhere,
}

#[derive(Clone, Debug)]
pub enum Expr {
    Const(i32),
    Cell(Cell),
    Element(Box<Element>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A comparison or sum of a variable and a number, the commonest guards.
    CellConst(Binary, Cell, i32),
    Cond(Box<(Expr, Expr, Expr)>),
    Run(Box<Run>),
    Probe(Probe, Box<Expr>),
    Poll(Box<Receive>),
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    GetPriority(Box<Expr>),
    Timeout,
    NonProgress,
    /// `_` in a trace: whatever was sent.
    Anything,
    Pid,
    RunningProcesses,
    RemoteLabel(Box<RemoteLabel>),
    RemoteVar(Box<RemoteVar>),
    /// `c_expr`: C code that only looks.
    Code(Box<Code>),
}

/// A piece of C code.
#[derive(Clone, Debug)]
pub struct Code {
    pub function: FunctionId,
    /// The variables that it can see, and change if it is a statement.
    pub cells: Vec<Cell>,
    /// Whether it may look at the number of running processes (`now._nr_pr`), which it gets behind these.
    pub counts: bool,
    /// Where the number of the memory of all C code is kept.
    pub memory: Cell,
    /// What must hold before it, as written.
    pub condition: Option<Arc<str>>,
}

#[derive(Clone, Debug)]
pub struct Run {
    pub proc: ProcId,
    pub args: Vec<Expr>,
    pub priority: u8,
}

#[derive(Clone, Debug)]
pub struct RemoteLabel {
    pub proc: ProcId,
    /// The first process of the type, if none is named.
    pub pid: Option<Expr>,
    /// Which of the program's `remote_labels`.
    pub state: u16,
}

#[derive(Clone, Debug)]
pub struct RemoteVar {
    pub proc: ProcId,
    pub pid: Option<Expr>,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub struct Send {
    pub chan: Expr,
    pub args: Vec<Expr>,
    pub sorted: bool,
}

#[derive(Clone, Debug)]
pub struct Receive {
    pub chan: Expr,
    pub args: Vec<Slot>,
    pub random: bool,
    pub peek: bool,
}

/// What happens with one field of a received message.
#[derive(Clone, Debug)]
pub enum Slot {
    Match(Expr),
    Store(Place),
}

/// What one transition does.
#[derive(Clone, Debug)]
pub enum Action {
    /// `skip`, `goto`, `break` and the ends of selections.
    Skip,
    Else,
    Guard(Expr),
    /// A condition that starts a process.
    GuardRun(Expr),
    Assign(Place, Expr),
    Send(Box<Send>),
    Receive(Box<Receive>),
    Assert(Expr),
    Print {
        format: Arc<str>,
        args: Vec<Expr>,
    },
    PrintMtype(Expr),
    SetPriority(Box<(Expr, Expr)>),
    /// `c_code`
    Code(Box<Code>),
    DStep(Box<DStep>),
    /// The process ends.
    End,
}

/// A message that a statement passes.
#[derive(Clone, Copy, Debug)]
pub enum Message<'a> {
    Send(&'a Send),
    Receive(&'a Receive),
}

impl Action {
    /// The messages that it may pass, also inside of a `d_step`.
    pub fn messages(&self) -> Vec<Message<'_>> {
        match self {
            Action::Send(send) => vec![Message::Send(send)],
            Action::Receive(receive) => vec![Message::Receive(receive)],
            Action::DStep(program) => {
                let within = program.nodes.iter().flat_map(|node| match node {
                    DNode::Act { action, .. } => action.messages(),
                    DNode::Choose { .. } | DNode::Exit => Vec::new(),
                });
                within.collect()
            }
            Action::Skip
            | Action::Else
            | Action::Guard(_)
            | Action::GuardRun(_)
            | Action::Assign(..)
            | Action::Assert(_)
            | Action::Print { .. }
            | Action::PrintMtype(_)
            | Action::SetPriority(_)
            | Action::Code(_)
            | Action::End => Vec::new(),
        }
    }
}

/// A deterministic step: a small program that runs to its exit at once.
#[derive(Clone, Debug)]
pub struct DStep {
    pub nodes: Vec<DNode>,
    pub start: u32,
}

#[derive(Clone, Debug)]
pub enum DNode {
    Act {
        action: Action,
        next: u32,
        site: SiteId,
    },
    /// The first option whose guard holds is taken.
    Choose {
        options: Vec<u32>,
        site: SiteId,
    },
    Exit,
}

#[derive(Clone, Debug)]
pub struct Transition {
    pub action: Action,
    pub target: u16,
    /// The process keeps control after this step.
    pub atomic: bool,
    /// Not zero for an escape: the state the escape begins in. Once an escape
    /// is enabled, only transitions of the same escape are.
    pub escape: u16,
    pub site: SiteId,
    /// The number SPIN gives the statement, which its trails name.
    pub number: u32,
}

/// What is known about a control state of a process.
#[derive(Clone, Debug, Default)]
pub struct StateInfo {
    pub transitions: Vec<Transition>,
    pub valid_end: bool,
    pub progress: bool,
    pub accept: bool,
    /// The statement the process stands at.
    pub site: Option<SiteId>,
}

impl StateInfo {
    pub(crate) fn is_marked(&self, marking: Marking) -> bool {
        match marking {
            Marking::Accept => self.accept,
            Marking::Progress => self.progress,
        }
    }
}

/// A scalar variable as people know it.
#[derive(Clone, Debug)]
pub struct NamedCell {
    pub name: Arc<str>,
    pub cell: Cell,
    /// Which names its values have.
    pub mtype: Option<Arc<str>>,
    pub is_chan: bool,
}

/// How a channel's messages are packed into its component.
#[derive(Clone, Debug)]
pub struct ChanDecl {
    /// Zero: rendezvous.
    pub capacity: u32,
    pub fields: Vec<MessageField>,
    /// Offset of the first message and distance between messages, in bits.
    pub start: u32,
    pub stride: u32,
}

#[derive(Clone, Debug)]
pub struct MessageField {
    /// From the start of the message, in bits.
    pub offset: u32,
    pub width: Width,
    /// Which names its values have.
    pub mtype: Option<Arc<str>>,
}

impl ChanDecl {
    /// Words needed for `length` messages.
    pub fn words(&self, length: u32) -> u32 {
        (self.start + length * self.stride).div_ceil(64).max(1)
    }
}

/// What happens before the first step of the model or of a process.
#[derive(Clone, Debug)]
pub enum Initial {
    Store(Cell, Expr),
    Channel(Cell, ChanDeclId),
}

/// Exclusive use of a channel that a process type claims.
#[derive(Clone, Debug)]
pub struct Exclusive {
    pub receive: bool,
    pub chan: Expr,
    pub name: Arc<str>,
}

#[derive(Clone, Debug)]
pub struct Proc {
    pub name: Arc<str>,
    pub params: Vec<Cell>,
    pub initial: Vec<Initial>,
    /// The channels created with the process, in order.
    pub channels: Vec<ChanDeclId>,
    pub words: u32,
    pub start: u16,
    pub states: Vec<StateInfo>,
    pub provided: Option<Expr>,
    pub exclusive: Vec<Exclusive>,
    pub deterministic: bool,
    pub variables: Vec<NamedCell>,
    pub location: Location,
    /// The number of its first statement among those of all process types, as in SPIN's trails.
    pub first_statement: u32,
}

#[derive(Clone, Debug)]
pub struct Site {
    pub location: Location,
    pub text: Arc<str>,
}

/// A `trace` or `notrace`.
#[derive(Clone, Copy, Debug)]
pub struct TraceInfo {
    pub proc: ProcId,
    pub negated: bool,
    /// Where its state is kept.
    pub cell: Cell,
}

/// A model ready to run.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub procs: Vec<Proc>,
    pub channels: Vec<ChanDecl>,
    pub sites: Vec<Site>,
    /// Words of the globals that belong to the state.
    pub global_words: u32,
    /// Words of hidden variables behind them.
    pub hidden_words: u32,
    pub initial: Vec<Initial>,
    pub global_channels: Vec<ChanDeclId>,
    pub variables: Vec<NamedCell>,
    /// Processes that run from the start, with their priorities.
    pub active: Vec<(ProcId, u8)>,
    /// The order of messages that is asked for or forbidden.
    pub trace: Option<TraceInfo>,
    /// Where `_last` is kept, if the model looks at it.
    pub last: Option<Cell>,
    pub uses_priority: bool,
    /// Whether anything but its statements can keep a process from running.
    pub restricts: bool,
    pub uses_timeout: bool,
    pub mtypes: Vec<MtypeSet>,
    /// The states that remote references to labels mean.
    pub remote_labels: Vec<u16>,
    /// Where the number of the memory of the C code is kept, if there is C code.
    pub code_memory: Option<Cell>,
    /// For each process type the functions that begin and end the part of this memory that its
    /// processes have.
    pub code_lives: Vec<Option<(FunctionId, FunctionId)>>,
    pub rules: Rules,
}

/// Other rules than the usual ones, which SPIN has options for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// A send to a full channel can be executed, and its message is lost (`spin -m`).
    pub loses: bool,
    /// Where a model stops, its channels must be empty (`pan -q`).
    pub empty_at_end: bool,
    /// A process type is one scope, whatever blocks it has (`spin -O`).
    pub one_scope: bool,
    /// Priorities mean nothing to a search (`spin -o6`).
    pub no_priorities: bool,
}

/// The globals have at most this many components.
const MOST_GLOBALS: u32 = 16;

impl Program {
    /// The sizes of the components of the globals, in words.
    pub fn global_parts(&self) -> impl Iterator<Item = u32> {
        let all = self.global_words.max(1);
        let size = all.div_ceil(MOST_GLOBALS);
        (0..all.div_ceil(size)).map(move |part| size.min(all - part * size))
    }

    /// The components that every state has: globals and their channels.
    pub fn fixed_components(&self) -> usize {
        let channels = self.global_channels.iter();
        let buffered = channels.filter(|id| self.channels[id.0 as usize].capacity > 0);
        self.global_parts().count() + buffered.count()
    }

    /// The functions that begin and end the C part of a process of this type.
    pub fn code_life(&self, proc: ProcId) -> Option<(FunctionId, FunctionId)> {
        self.code_lives.get(proc.0 as usize).copied().flatten()
    }

    /// Whether steps of different processes can be independent at all: they
    /// are not where each step shows in `_last`, or decides who may run. Where messages are lost, a send
    /// and a receive do not commute.
    pub fn can_reduce(&self) -> bool {
        !self.restricts && self.last.is_none() && !self.rules.loses
    }
}

/// The names of an `mtype`, by value.
#[derive(Clone, Debug)]
pub struct MtypeSet {
    pub name: Arc<str>,
    pub names: Vec<(Arc<str>, i32)>,
}

/// Bits of a process's first word.
pub mod header {
    /// Process type, control state, priority; variables follow.
    pub const TYPE_BITS: u32 = 8;
    pub const STATE_SHIFT: u32 = 8;
    pub const STATE_MASK: u64 = 0xffff;
    pub const PRIORITY_SHIFT: u32 = 24;
    pub const FIRST_LOCAL: u32 = 32;

    /// In the globals: the process that alone may move, counted from one.
    pub const HOLDER_MASK: u64 = 0xff;
    pub const FIRST_GLOBAL: u32 = 8;
}
