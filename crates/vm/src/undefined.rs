//! Functions that a program calls and that are not defined, found without running
//! it. What is only called through a pointer is found when it is reached.

use std::collections::BTreeMap;

use exeunt_ir::{Callee, Function, Program};
use exeunt_model::Location;

use crate::builtin;
use crate::callers::Callers;
use crate::cxx::refused;

/// Every function that is called, not defined and not known to the machine,
/// with a place that it is called from, by name; of parts of the C++ library that are
/// refused, only the part.
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
                let name = || format!("`{}`", refused::name_of(&callee.name));
                let what = refused::part(&callee.name).map_or_else(name, str::to_string);
                calls.entry(what).or_insert(place);
            }
        }
    }
    calls.into_iter().collect()
}
