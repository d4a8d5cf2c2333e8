//! Checks the invariants of the bytecode, before anything runs it.

use crate::{Access, FuncId, Function, Inst, Order, Program, SigId};

/// All violations of the invariants, as `function: what`. Empty is good.
pub fn program(program: &Program) -> Vec<String> {
    let mut problems = Vec::new();
    for function in &program.functions {
        let mut report = |what: String| problems.push(format!("{}: {what}", function.name));
        check_function(program, function, &mut report);
    }
    let ids = program.constructors.iter().chain(&program.destructors).chain(&program.main);
    for &FuncId(id) in ids {
        if id as usize >= program.functions.len() {
            problems.push(format!("there is no function {id}"));
        }
    }
    problems
}

fn check_function(program: &Program, function: &Function, report: &mut dyn FnMut(String)) {
    check_signature(program, function.signature, report);
    if function.is_declaration() {
        return;
    }
    if function.locs.len() != function.code.len() {
        report(format!(
            "{} locations for {} instructions",
            function.locs.len(),
            function.code.len()
        ));
    }
    for (pc, inst) in function.code.iter().enumerate() {
        if let Err(what) = check_tables(program, function, inst) {
            report(format!("at {pc}: {what}"));
            continue;
        }
        check_operands(function, pc, inst, report);
        check_order(pc, inst, report);
        inst.successors(function, pc as u32, &mut |to| {
            if to as usize >= function.code.len() {
                report(format!("at {pc}: control leaves the function to {to}"));
            }
        });
    }
}

fn check_signature(program: &Program, SigId(id): SigId, report: &mut dyn FnMut(String)) {
    if id as usize >= program.signatures.len() {
        report(format!("there is no signature {id}"));
    }
}

fn check_operands(function: &Function, pc: usize, inst: &Inst, report: &mut dyn FnMut(String)) {
    let window = function.window() as u32;
    inst.operands(function, &mut |operand| {
        let bound = if operand.write { function.registers } else { window };
        if operand.slot.checked_add(operand.count).is_none_or(|end| end > bound) {
            report(format!("at {pc}: slot {} is outside 0..{bound} in {inst:?}", operand.slot));
        }
    });
}

/// A read cannot release and a write cannot acquire.
fn check_order(pc: usize, inst: &Inst, report: &mut dyn FnMut(String)) {
    let one_way = |order: Order, other: fn(Order) -> bool| order == Order::SeqCst || !other(order);
    let fits = match *inst {
        Inst::Load { access: Access::Atomic(order), .. } => one_way(order, Order::releases),
        Inst::Store { access: Access::Atomic(order), .. } => one_way(order, Order::acquires),
        Inst::CmpXchg { failure, .. } => one_way(failure, Order::releases),
        _ => true,
    };
    if !fits {
        report(format!("at {pc}: {inst:?} has a memory order that it cannot have"));
    }
}

/// Side-table rows must exist before operands can be listed.
fn check_tables(program: &Program, function: &Function, inst: &Inst) -> Result<(), String> {
    let row = |index: u32, len: usize, table: &str| {
        if (index as usize) < len { Ok(()) } else { Err(format!("no row {index} in {table}")) }
    };
    match *inst {
        Inst::Call { call } => {
            row(call, function.calls.len(), "calls")?;
            let site = &function.calls[call as usize];
            row(site.signature.0, program.signatures.len(), "signatures")?;
            if let crate::Callee::Direct(FuncId(id)) = site.callee {
                row(id, program.functions.len(), "functions")?;
            }
            Ok(())
        }
        Inst::Switch { table, .. } => row(table, function.switches.len(), "switches"),
        Inst::Return { list } | Inst::CmpXchg { list, .. } => {
            row(list, function.lists.len(), "lists")
        }
        Inst::Unsupported { what } => row(what, function.unsupported.len(), "unsupported"),
        Inst::TlsAddr { global, .. } => row(global, program.globals.len(), "globals"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(inst: Inst) -> Vec<String> {
        let mut found = Vec::new();
        check_order(3, &inst, &mut |what| found.push(what));
        found
    }

    #[test]
    fn reads_do_not_release_and_writes_do_not_acquire() {
        let load = |order| Inst::Load {
            bits: 8,
            pointer: false,
            access: Access::Atomic(order),
            dst: 0,
            addr: 1,
        };
        let store = |order| Inst::Store {
            bits: 8,
            pointer: false,
            access: Access::Atomic(order),
            src: 0,
            addr: 1,
        };
        for order in [Order::Relaxed, Order::Acquire, Order::SeqCst] {
            assert!(complaints(load(order)).is_empty());
        }
        for order in [Order::Relaxed, Order::Release, Order::SeqCst] {
            assert!(complaints(store(order)).is_empty());
        }
        for inst in [load(Order::Release), load(Order::AcqRel), store(Order::Acquire)] {
            assert_eq!(complaints(inst).len(), 1, "{inst:?}");
        }
    }
}
