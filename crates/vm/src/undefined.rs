//! Functions that a program calls and nobody defines, found without running
//! it. What is only called through a pointer is found when it is reached.

use std::collections::BTreeMap;
use std::sync::Arc;

use exeunt_ir::{Callee, Inst, Program};
use exeunt_model::Location;

use crate::builtin;

/// Every function that is called, not defined and not known to the machine,
/// with its first call, by name.
pub fn undefined_calls(program: &Program) -> Vec<(Arc<str>, Location)> {
    let mut calls: BTreeMap<Arc<str>, Location> = BTreeMap::new();
    for function in &program.functions {
        for (inst, loc) in function.code.iter().zip(&function.locs) {
            let Inst::Call { call } = inst else { continue };
            let Callee::Direct(callee) = function.calls[*call as usize].callee else { continue };
            let callee = program.function(callee);
            if callee.is_declaration() && builtin::find(&callee.name).is_none() {
                let unknown = || Location::in_function(&function.name);
                let location = program.location(*loc).unwrap_or_else(unknown);
                calls.entry(callee.name.clone()).or_insert(location);
            }
        }
    }
    calls.into_iter().collect()
}
