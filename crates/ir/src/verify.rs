//! Checks the invariants of the bytecode, before anything runs it.

use crate::{
    Access, FuncId, Function, Inst, Order, Program, SideTable, SigId, Touch, VariablePlace,
};

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
    for row in &function.variables {
        let outside = |slot| slot >= function.registers;
        let place = matches!(row.place, VariablePlace::Register(slot) if outside(slot));
        if row.pc as usize >= function.code.len() || place {
            report(format!("variable {} is nowhere: {row:?}", row.name));
        }
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
    let one_way = |access: Access, other: fn(Order) -> bool| match access {
        Access::Atomic(order) => order == Order::SeqCst || !other(order),
        Access::Plain | Access::Volatile => true,
    };
    inst.touches(|touch| {
        let fits = match touch {
            Touch::Reads { access, .. } => one_way(access, Order::releases),
            Touch::Writes { access, .. } => one_way(access, Order::acquires),
            Touch::Updates { failure, .. } => {
                failure.is_none_or(|f| one_way(Access::Atomic(f.order), Order::releases))
            }
            Touch::Lives { .. }
            | Touch::Allocates { .. }
            | Touch::Unwinds { .. }
            | Touch::Calls { .. }
            | Touch::Orders { .. } => true,
        };
        if !fits {
            report(format!("at {pc}: {inst:?} has a memory order that it cannot have"));
        }
    });
}

/// Side-table rows must exist before operands can be listed.
fn check_tables(program: &Program, function: &Function, inst: &Inst) -> Result<(), String> {
    let mut missing = Ok(());
    inst.rows(&mut |table, row| {
        if missing.is_ok() {
            missing = check_row(program, function, table, row);
        }
    });
    missing
}

fn check_row(
    program: &Program,
    function: &Function,
    table: SideTable,
    row: u32,
) -> Result<(), String> {
    let (len, name) = match table {
        SideTable::Lists => (function.lists.len(), "lists"),
        SideTable::Calls => (function.calls.len(), "calls"),
        SideTable::Switches => (function.switches.len(), "switches"),
        SideTable::Unsupported => (function.unsupported.len(), "unsupported"),
        SideTable::Globals => (program.globals.len(), "globals"),
    };
    match (row as usize) < len {
        true if table == SideTable::Calls => check_call(program, function, row),
        true => Ok(()),
        false => no_row(row, name),
    }
}

fn check_call(program: &Program, function: &Function, call: u32) -> Result<(), String> {
    let site = &function.calls[call as usize];
    if site.signature.0 as usize >= program.signatures.len() {
        return no_row(site.signature.0, "signatures");
    }
    if let Some(row) = site.pad {
        let Some(pad) = function.pads.get(row as usize) else { return no_row(row, "pads") };
        check_pad(function, pad)?;
    }
    match site.callee {
        crate::Callee::Direct(FuncId(id)) if id as usize >= program.functions.len() => {
            no_row(id, "functions")
        }
        crate::Callee::Direct(_) | crate::Callee::Indirect(_) => Ok(()),
    }
}

fn check_pad(function: &Function, pad: &crate::Pad) -> Result<(), String> {
    if pad.to as usize >= function.code.len() {
        return Err(format!("an exception leaves the function to {}", pad.to));
    }
    if pad.received.checked_add(2).is_none_or(|end| end > function.registers) {
        return Err(format!("an exception is received in slot {}", pad.received));
    }
    let constants = function.registers as usize..function.window();
    let fits = |slot: &crate::Slot| constants.contains(&(*slot as usize));
    let good = pad.clauses.iter().all(|clause| match clause {
        crate::Clause::Catch(slot) => fits(slot),
        crate::Clause::Filter(slots) => slots.iter().all(fits),
    });
    if good { Ok(()) } else { Err("a type that is caught is no constant".to_string()) }
}

fn no_row(row: u32, table: &str) -> Result<(), String> {
    Err(format!("no row {row} in {table}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_row_that_is_missing_is_named() {
        let program = Program::default();
        let function = Function::declaration(Arc::from("f"), SigId(0));
        let check = |inst: Inst| check_tables(&program, &function, &inst).unwrap_err();
        assert_eq!(check(Inst::Return { list: 3 }), "no row 3 in lists");
        assert_eq!(check(Inst::Call { call: 0 }), "no row 0 in calls");
        assert_eq!(check(Inst::TlsAddr { dst: 0, global: 9 }), "no row 9 in globals");
        assert_eq!(check_tables(&program, &function, &Inst::SpinHint {}), Ok(()));
    }

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
