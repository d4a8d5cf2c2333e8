//! The function that a thread runs, as its user sees it.
//!
//! `std::thread` starts a function of the library with an object that holds what is to
//! be called. A thread is named after that: the function whose address is in the
//! object, or the first function with a position in the user's source that the
//! object's `_M_run` calls, such as a lambda.

use std::collections::{BTreeSet, VecDeque};

use exeunt_ir::address::{self, Space};
use exeunt_ir::{Callee, Program};

use crate::builtin::Context;

/// The virtual functions of the library's object: two destructors, then `_M_run`.
const RUN: u64 = 16;

impl Context<'_, '_> {
    /// What names a thread that begins with a function and its argument.
    pub fn entry_of(&mut self, function: u32, argument: u64) -> u32 {
        let program = self.program();
        if !program.functions[function as usize].library {
            return function;
        }
        let object = address::object(argument);
        let words = self.object(object).map_or(Vec::new(), |object| object.data_words().to_vec());
        let held = words.iter().filter_map(|&word| function_at(program, word));
        let held = held.into_iter().find(|&func| is_of_user(program, func));
        let virtual_table = words.first().copied().unwrap_or(0);
        let run = |context: &mut Self| {
            let run = context.peek(address::add(virtual_table, RUN as i64), 8).ok()?;
            first_of_user(program, function_at(program, run.value)?)
        };
        held.or_else(|| run(self)).unwrap_or(function)
    }
}

fn function_at(program: &Program, word: u64) -> Option<u32> {
    let object = address::object(word);
    let known = (object.index() as usize) < program.functions.len();
    (object.space() == Some(Space::Function) && known).then(|| object.index())
}

fn is_of_user(program: &Program, func: u32) -> bool {
    let function = &program.functions[func as usize];
    !function.library && program.location(function.loc).is_some_and(|location| location.line > 0)
}

/// The nearest function with a position in the user's source that a function calls.
fn first_of_user(program: &Program, from: u32) -> Option<u32> {
    let mut seen = BTreeSet::from([from]);
    let mut work = VecDeque::from([from]);
    while let Some(func) = work.pop_front() {
        if is_of_user(program, func) {
            return Some(func);
        }
        for site in &program.functions[func as usize].calls {
            if let Callee::Direct(id) = site.callee
                && !program.functions[id.0 as usize].library
                && seen.insert(id.0)
            {
                work.push_back(id.0);
            }
        }
    }
    None
}
