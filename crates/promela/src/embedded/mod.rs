//! C code inside of models: `c_code`, `c_expr`, `c_decl`, `c_state` and `c_track`.
//!
//! After Holzmann and Joshi, Model-Driven Software Verification, 2004: a model drives real C
//! code. This crate does not execute C. It writes one C file with a function for each piece of
//! code (`source`), and whoever loads a model with such code gives it [`Hands`] that call these
//! functions. The memory of the C code is one component of a state, behind its number.
//!
//! All memory of the C code is part of the state and restored when the search goes back, whether a
//! `c_track` names it or not: SPIN leaves what is not tracked as the last run left it, so that what it
//! answers depends on the order of its search. What is `Hidden` or `UnMatched` is carried along and not
//! compared.

mod scan;
mod source;
mod stand_ins;

use std::fmt;

use exeunt_model::{CompId, Fault, Pool, StateView, Unsupported};

pub(crate) use scan::{code_length, holds_code};
pub(crate) use source::{Pieces, Purpose};

/// The name of the function that sets up the memory of the C code.
pub const START: &str = "exeunt_c_start";
/// The variables through which values are passed: those of the model, and the number of the process.
pub const VALUES: &str = "exeunt_c_values";
pub const PROCESS: &str = "exeunt_c_process";

/// The C code of a model as one file.
#[derive(Clone, Debug, Default)]
pub struct EmbeddedSource {
    pub text: String,
    /// The functions that are called, by number. All take nothing and return an `int`.
    pub functions: Vec<String>,
    /// The memory that is not compared, as the model names it.
    pub ignores: Vec<String>,
    /// Global variables of C that stand for what the model has itself.
    pub own: Vec<String>,
    /// Those of C that hold variables of the model while a piece of code runs, and nothing in between.
    pub passing: Vec<String>,
    /// Where the first piece of C code is.
    pub location: Option<exeunt_model::Location>,
}

/// C code that was compiled, and can be executed.
pub trait Embedded: fmt::Debug + Send + Sync {
    /// Begins a search, whose workers have hands of their own.
    fn open(&self) -> Box<dyn Host + '_>;

    /// Hands without a search, which know nothing of earlier calls: slower.
    fn hands<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn Hands + 'a>;

    /// What was assumed about it.
    fn assumptions(&self) -> Vec<String>;

    /// Why a search that found nothing is not complete.
    fn incompleteness(&self) -> Vec<String>;
}

/// What the workers of a search share.
pub trait Host: Sync {
    fn hands<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn Hands + 'a>;
}

/// Executes C code for one worker. Its answers are functions of what it is given.
pub trait Hands {
    /// The memory before the first step.
    fn start(&mut self) -> Result<CompId, Wrong>;

    /// Calls a function with values of variables, which it may change.
    fn call(&mut self, call: Call<'_>) -> Result<Called, Wrong>;

    /// What of a memory is compared with that of other states.
    fn matched(&mut self, memory: CompId) -> CompId;

    /// Variables and objects of a memory, to be looked at.
    fn look(&mut self, memory: CompId) -> StateView;

    /// Stores a memory of one pool in another one.
    fn carry(&self, memory: CompId, from: &dyn Pool, to: &dyn Pool) -> CompId;
}

/// What is called.
#[derive(Debug)]
pub struct Call<'c> {
    pub memory: CompId,
    pub function: u32,
    pub process: u32,
    pub values: &'c mut Vec<i32>,
    /// Whether somebody wants to know what is printed.
    pub story: bool,
}

/// What came of a call.
#[derive(Clone, Debug)]
pub struct Called {
    pub memory: CompId,
    pub result: i32,
    /// What was printed.
    pub output: String,
}

/// Why a call has no result.
#[derive(Clone, Debug)]
pub enum Wrong {
    Fault(Box<Fault>),
    Unsupported(Unsupported),
}

/// A function of the C code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionId(pub u32);
