//! What runs before `main`.

use std::collections::BTreeSet;

use exeunt_ir::{Callee, FuncId, Touch};

use super::{Request, meaning};
use crate::library::{ListOp, Meaning};

/// Whether nothing that runs before `main` changes a variable: it makes empty containers at most.
pub(super) fn are_plain(request: &Request<'_>) -> bool {
    let mut seen = BTreeSet::new();
    let constructors = &request.program.constructors;
    constructors.iter().all(|func| is_plain(request, *func, &mut seen))
}

fn is_plain(request: &Request<'_>, func: FuncId, seen: &mut BTreeSet<FuncId>) -> bool {
    if !seen.insert(func) {
        return true;
    }
    let function = request.program.function(func);
    if function.is_declaration() {
        return &*function.name == "__cxa_atexit";
    }
    function.code.iter().all(|inst| {
        let mut writes = false;
        inst.touches(|touch| {
            writes |= matches!(touch, Touch::Writes { .. } | Touch::Updates { .. });
        });
        let called = match inst.call() {
            None => true,
            Some(call) => match function.calls[call as usize].callee {
                Callee::Indirect(_) => false,
                Callee::Direct(callee) => match meaning(request.program, request.wish, callee) {
                    Some(Meaning::List { op: ListOp::Init, .. } | Meaning::Pure { .. }) => true,
                    Some(_) => false,
                    None => is_plain(request, callee, seen),
                },
            },
        };
        !writes && called
    })
}

/// Whether a function that runs before `main` may start a thread.
pub(super) fn start_threads(request: &Request<'_>) -> bool {
    let mut seen = BTreeSet::new();
    let mut todo = request.program.constructors.clone();
    while let Some(func) = todo.pop() {
        if !seen.insert(func) {
            continue;
        }
        let function = request.program.function(func);
        for call in function.code.iter().filter_map(|inst| inst.call()) {
            let Callee::Direct(callee) = function.calls[call as usize].callee else { return true };
            match meaning(request.program, request.wish, callee) {
                Some(Meaning::Create { .. }) => return true,
                Some(_) | None => todo.push(callee),
            }
        }
    }
    false
}
