//! Propositions about states: what formulas and invariants are made of.
//!
//! A text becomes a [`Proposition`] over the variables, functions and places
//! of a program (`read`, `resolve`), it is evaluated in a state without
//! changing it (`evaluate`), and what it depends on is *watched* (`plan`): an
//! operation that could change it ends a step, so that no change is hidden
//! inside of one. Reductions ask [`Watch`].

mod evaluate;
mod plan;
mod read;
mod resolve;

pub(crate) use evaluate::VmWatcher;
pub(crate) use plan::Watch;
pub use resolve::{Proposition, PropositionError};

use exeunt_ir::address::ObjId;
use exeunt_mem::Bits;
use exeunt_model::SectionKind;
use exeunt_operator::Binary;

/// A term over the state, all names resolved. Arithmetic is that of numbers:
/// nothing overflows, and an unsigned value is never negative.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Term {
    Constant(i128),
    /// A scalar in a global object.
    Variable {
        object: ObjId,
        offset: i64,
        bytes: u8,
        signed: bool,
    },
    /// A call of a function of the program, which must not change anything.
    Call {
        function: u32,
        args: Vec<Term>,
    },
    Not(Box<Term>),
    Negative(Box<Term>),
    Binary(Binary, Box<Term>, Box<Term>),
    /// A thread (or any) is inside a function, or at one of its lines.
    At {
        thread: Option<u32>,
        function: u32,
        line: Option<u32>,
    },
    /// A section of a thread (or any) is open.
    Open {
        thread: Option<u32>,
        kind: SectionKind,
        name: Option<String>,
    },
}

impl Term {
    /// Visits this term and all below it.
    pub(crate) fn visit(&self, see: &mut dyn FnMut(&Term)) {
        see(self);
        match self {
            Term::Not(inner) | Term::Negative(inner) => inner.visit(see),
            Term::Binary(_, left, right) => {
                left.visit(see);
                right.visit(see);
            }
            Term::Call { args, .. } => args.iter().for_each(|arg| arg.visit(see)),
            Term::Constant(_) | Term::Variable { .. } | Term::At { .. } | Term::Open { .. } => {}
        }
    }
}

/// A function of a proposition that runs, or one that somebody outside has called. Its fields belong to this room.
#[derive(Default)]
pub struct Observation {
    running: bool,
    /// It is part of what is checked, and may run as compiled code.
    may_compile: bool,
    /// What it returned.
    result: Option<Bits>,
    /// It has called something that the machine knows.
    calls_builtins: bool,
}

impl Observation {
    #[inline]
    pub fn is_running(&self) -> bool {
        self.running
    }

    /// A function begins, whose result is waited for.
    pub fn begin(&mut self) {
        *self = Observation { running: true, ..Observation::default() };
    }

    /// A function begins that somebody outside has called.
    pub fn begin_call(&mut self) {
        *self = Observation { running: true, may_compile: true, ..Observation::default() };
    }

    /// Whether what runs now may do so as compiled code.
    pub fn admits_compiled(&self) -> bool {
        !self.running || self.may_compile
    }

    /// What it returned, if it came to its end; nothing runs any more.
    pub fn end(&mut self) -> Option<Bits> {
        std::mem::take(self).result
    }

    pub fn returns(&mut self, result: Bits) {
        self.result = Some(result);
    }
}
