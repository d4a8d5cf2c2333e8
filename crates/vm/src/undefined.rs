//! Functions that a program calls and that are not defined, found without running
//! it. What is only called through a pointer is found when it is reached.

use std::collections::BTreeMap;

use exeunt_ir::{Callee, Function, Program, readable_in_full};
use exeunt_model::Location;

use crate::builtin;
use crate::callers::Callers;

/// Every function that is called, not defined and not known to the machine,
/// with a place that it is called from, by name.
pub fn undefined_calls(program: &Program) -> Vec<(String, Location)> {
    let callers = Callers::new(program);
    let mut calls: BTreeMap<String, Location> = BTreeMap::new();
    // What the C++ library might call is no concern of the user, unless it is reached.
    let own = |function: &(usize, &Function)| !function.1.library;
    for (id, function) in program.functions.iter().enumerate().filter(own) {
        for (inst, loc) in function.code.iter().zip(&function.locs) {
            let Some(call) = inst.call() else { continue };
            let Callee::Direct(callee) = function.calls[call as usize].callee else { continue };
            let callee = program.function(callee);
            if callee.is_declaration() && builtin::find(&callee.name).is_none() {
                let place = callers.places(id as u32, *loc).swap_remove(0);
                calls.entry(readable_in_full(&callee.name)).or_insert(place);
            }
        }
    }
    calls.into_iter().collect()
}
