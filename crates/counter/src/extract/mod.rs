//! From bytecode to automata.
//!
//! Calls of functions with a body are expanded; recursion is refused. One edge
//! for each instruction and each way it can go, then `slim` joins edges that
//! nobody can tell apart.

mod addresses;
mod arithmetic;
mod beginnings;
mod bits;
mod blocks;
mod build;
mod calls;
mod cells;
mod computed;
mod constructors;
mod contexts;
mod counted;
mod elements;
mod guards;
mod joins;
mod locks;
mod memory;
mod semaphores;
mod shape;
mod starts;
mod wakes;

use exeunt_ir::{FuncId, Program};

pub use arithmetic::Integers;
pub use starts::thread_names;

use crate::library::{self, Again, ListOp, Meaning};
use crate::lists;
use crate::pointers::Argument;
use crate::{Mode, Role, System};

/// What is asked of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// The function whose thread must end.
    pub thread: String,
    /// Functions that run beside it, each with whether any number of them do; without
    /// it: all threads that the program starts.
    pub beside: Option<Vec<(String, bool)>>,
    /// Functions that take and give back the lock behind their first argument.
    pub locks: Vec<String>,
    pub unlocks: Vec<String>,
    /// Functions that change nothing.
    pub pure: Vec<String>,
    /// Functions on the list behind their first argument: add an element, take one out,
    /// say whether it is empty.
    pub list_push: Vec<String>,
    pub list_pop: Vec<String>,
    pub list_empty: Vec<String>,
}

pub struct Request<'p> {
    pub program: &'p Program,
    pub wish: &'p Wish,
    pub integers: Integers,
}

/// The automata of the thread and of its environment. `Err` says what is not
/// supported, with its line.
pub fn system(request: &Request<'_>) -> Result<System, String> {
    let whole = constructors::within_main(request)?;
    let request = &Request { program: whole.as_ref().unwrap_or(request.program), ..*request };
    let plan = starts::plan(request)?;
    build::build(request, &plan)
}

/// What a call of a function means; `None` if nothing is known about it or it
/// has a body.
pub(crate) fn meaning(program: &Program, wish: &Wish, func: FuncId) -> Option<Meaning> {
    let function = program.function(func);
    let named = |names: &[String]| names.iter().any(|n| exeunt_ir::is_meant(&function.name, n));
    if named(&wish.locks) {
        let (mode, again) = (Mode::Exclusive, Again::Unknown);
        return Some(Meaning::Lock { mode, may_fail: false, bytes: 1, again });
    }
    if named(&wish.unlocks) {
        return Some(Meaning::Unlock { bytes: 1 });
    }
    if named(&wish.pure) {
        // What a body answers is not looked at.
        return Some(match function.is_declaration() {
            true => Meaning::Nondet,
            false => Meaning::Pure { answers_zero: false },
        });
    }
    if named(&wish.list_push) {
        return Some(Meaning::List { op: ListOp::Push, list: 0 });
    }
    if named(&wish.list_pop) {
        return Some(Meaning::List { op: ListOp::Pop, list: 0 });
    }
    if named(&wish.list_empty) {
        return Some(Meaning::List { op: ListOp::IsEmpty, list: 0 });
    }
    lists::meaning(program, function)
        .or_else(|| if function.is_declaration() { library::meaning(&function.name) } else { None })
}

/// A thread that an automaton is made for.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    /// The function that people know it by.
    pub body: FuncId,
    pub role: Role,
    /// The functions that may be started as this thread, with what they get.
    pub beginnings: Vec<(FuncId, Argument)>,
}
