//! Functions that only wrap an allocation (`xmalloc`, `checked_calloc`…): what they
//! allocate is said to be allocated where they are called.
//!
//! A wrapper returns what an allocating function, or another wrapper, gave it,
//! and asks for a size that it was given. Both are read off the code, without
//! regard to control flow: a mistake costs the precision of a name, no more.

use std::collections::HashSet;

use exeunt_ir::{Callee, FuncId, Function, Inst, Program, Slot};

use crate::builtin::Builtin;

/// By function: whether it is a wrapper.
pub fn wrappers(program: &Program, builtins: &[Option<&'static Builtin>]) -> Vec<bool> {
    let mut found: Vec<bool> = vec![false; program.functions.len()];
    let allocates = |func: FuncId, found: &[bool]| {
        let func = func.0 as usize;
        found[func] || builtins[func].is_some_and(|builtin| builtin.allocates)
    };
    loop {
        let mut changed = false;
        for (id, function) in program.functions.iter().enumerate() {
            if !found[id] && wraps(function, &|func| allocates(func, &found)) {
                found[id] = true;
                changed = true;
            }
        }
        if !changed {
            return found;
        }
    }
}

fn wraps(function: &Function, allocates: &dyn Fn(FuncId) -> bool) -> bool {
    let calls = || {
        function.calls.iter().filter(|call| match call.callee {
            Callee::Direct(callee) => allocates(callee),
            Callee::Indirect(_) => false,
        })
    };
    if calls().next().is_none() {
        return false;
    }
    let given = derived(function, (0..function.params).collect());
    let sized = calls().filter(|call| call.args.iter().any(|arg| given.contains(&arg.slot)));
    let results: HashSet<Slot> = sized.filter_map(|call| call.result).collect();
    let results = derived(function, results);
    function.code.iter().any(|inst| {
        let Inst::Return { list } = inst else { return false };
        function.lists[*list as usize].iter().any(|slot| results.contains(slot))
    })
}

/// Registers whose values are computed from those of others. Memory and calls are
/// not followed.
fn derived(function: &Function, mut slots: HashSet<Slot>) -> HashSet<Slot> {
    loop {
        let before = slots.len();
        for inst in &function.code {
            let apart = inst.any_touch(|_| true);
            let (mut reads, mut written) = (false, Vec::new());
            inst.operands(function, &mut |operand| match operand.write {
                true => written.push(operand.slot),
                false => reads |= slots.contains(&operand.slot),
            });
            if reads && !apart {
                slots.extend(written);
            }
        }
        if slots.len() == before {
            return slots;
        }
    }
}
