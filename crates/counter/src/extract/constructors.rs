//! What runs before `main`, and behind it.

use std::collections::BTreeSet;

use exeunt_ir::{Arg, CallSite, Callee, FuncId, Function, Inst, Pc, Program, SigId, Touch};

use super::contexts::place;
use super::starts::is_of_library;
use super::{Request, meaning};
use crate::address::Value;
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
        return false;
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

/// The program with a `main` that first calls all that runs before `main`, if some of that starts threads.
pub(super) fn within_main(request: &Request<'_>) -> Result<Option<Program>, String> {
    let main = request.program.main.filter(|_| request.wish.beside.is_none());
    let Some(main) = main.filter(|_| !are_plain(request) && start_threads(request)) else {
        return Ok(None);
    };
    let mut program = request.program.clone();
    let takes = |id: &&FuncId| program.function(**id).params > 0;
    if let Some(&given) = program.constructors.iter().find(takes) {
        let function = program.function(given);
        let here = place(&program, function.loc);
        let name = exeunt_ir::readable(&function.name);
        return Err(format!("`{name}`, which runs before `main` and takes arguments{here}"));
    }
    let own = FuncId(program.functions.len() as u32);
    let before = std::mem::take(&mut program.constructors);
    let outer = caller(&program, main, &before, own);
    let inner = std::mem::replace(&mut program.functions[main.0 as usize], outer);
    program.functions.push(Function { name: "main itself".into(), ..inner });
    Ok(Some(program))
}

/// A function like `main` that calls these, and then one like itself.
fn caller(program: &Program, main: FuncId, before: &[FuncId], own: FuncId) -> Function {
    let like = program.function(main);
    let signature = program.signature(like.signature);
    let site = |callee: FuncId, signature: SigId| CallSite {
        callee: Callee::Direct(callee),
        args: Box::default(),
        result: None,
        result_slots: 0,
        signature,
        returns_twice: false,
        pad: None,
    };
    let of_constructor = |func: &FuncId| site(*func, program.function(*func).signature);
    let mut calls: Vec<CallSite> = before.iter().map(of_constructor).collect();
    let given = signature.params.iter().enumerate();
    let result_slots = signature.results.iter().map(|result| result.slots()).sum();
    calls.push(CallSite {
        args: given
            .map(|(slot, ty)| Arg { slot: slot as u32, ty: *ty, by_value: 0, place: None })
            .collect(),
        result: (result_slots > 0).then_some(like.params),
        result_slots,
        ..site(own, like.signature)
    });
    let mut code: Vec<Inst> = (0..calls.len() as u32).map(|call| Inst::Call { call }).collect();
    code.push(Inst::Return { list: 0 });
    Function {
        params: like.params,
        registers: like.params + result_slots,
        locs: vec![like.loc; code.len()],
        lists: vec![(like.params..like.params + result_slots).collect()],
        loc: like.loc,
        code,
        calls,
        ..Function::declaration(like.name.clone(), like.signature)
    }
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

/// Refuses programs in which something runs behind `main` that threads may notice. Other threads
/// go on meanwhile: the program ends only when that has ended.
pub(super) fn refuse_late(request: &Request<'_>) -> Result<(), String> {
    let program = request.program;
    let mut late: Vec<(FuncId, String)> =
        program.destructors.iter().map(|func| (*func, String::new())).collect();
    for function in &program.functions {
        for (pc, inst) in function.code.iter().enumerate() {
            let Some(call) = inst.call() else { continue };
            let site = &function.calls[call as usize];
            let Callee::Direct(callee) = site.callee else { continue };
            if &*program.function(callee).name != "__cxa_atexit" {
                continue;
            }
            let slot = site.args.first().map(|arg| arg.slot);
            let constant = slot.and_then(|slot| slot.checked_sub(function.registers));
            let known = constant.and_then(|at| {
                Value::of_constant(function.constants[at as usize].value).function()
            });
            match known {
                Some(func) => late.push((func, place(program, function.locs[pc]))),
                None => return Err(noticed(request, function, pc, "")),
            }
        }
    }
    let mut seen = BTreeSet::new();
    for (func, made) in late {
        if let Some((function, pc)) = notices(request, func, &mut seen) {
            return Err(noticed(request, function, pc, &made));
        }
    }
    Ok(())
}

/// What is inside of a header is told where the object is made that is destroyed.
fn noticed(request: &Request<'_>, function: &Function, pc: usize, made: &str) -> String {
    let here = place(request.program, function.locs[pc]);
    let here = if here.is_empty() { made } else { &here };
    format!("what runs behind `main` and may be noticed by other threads{here}")
}

/// The first thing that a function or one that it calls does and that threads may notice. What
/// the library does to its own containers is none of that: nobody may use them then. But it
/// also destroys what is in them, so its calls are followed.
fn notices<'p>(
    request: &Request<'p>,
    func: FuncId,
    seen: &mut BTreeSet<FuncId>,
) -> Option<(&'p Function, usize)> {
    let function = request.program.function(func);
    if !seen.insert(func) {
        return None;
    }
    let library = is_of_library(&exeunt_ir::readable(&function.name));
    for (pc, inst) in function.code.iter().enumerate() {
        let mut writes = false;
        inst.touches(|touch| {
            writes |= matches!(touch, Touch::Writes { .. } | Touch::Updates { .. });
        });
        let mut back = false;
        inst.successors(function, pc as Pc, &mut |to| back |= to as usize <= pc);
        if !library && (writes || back) {
            return Some((function, pc));
        }
        let Some(call) = inst.call() else { continue };
        let Callee::Direct(callee) = function.calls[call as usize].callee else {
            return Some((function, pc));
        };
        let found = match meaning(request.program, request.wish, callee) {
            Some(
                Meaning::Pure { .. }
                | Meaning::LockLife { .. }
                | Meaning::List { op: ListOp::Drop, .. },
            ) => None,
            Some(Meaning::Create { .. }) => Some((function, pc)),
            Some(_) => (!library).then_some((function, pc)),
            None if request.program.function(callee).is_declaration() => {
                let name = exeunt_ir::readable(&request.program.function(callee).name);
                (!library && !is_of_library(&name)).then_some((function, pc))
            }
            None => notices(request, callee, seen),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}
