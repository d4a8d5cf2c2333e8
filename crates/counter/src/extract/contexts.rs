//! Which threads there are, and their calls expanded.

use std::collections::BTreeMap;

use exeunt_ir::address::{self, Space};
use exeunt_ir::{Callee, FuncId, Function, LocId, Pc, Program};

use super::{Request, Root, Wish, meaning};
use crate::Role;
use crate::address::Context;
use crate::library::Meaning;

/// More calls than that are refused.
const MOST_CALLS: usize = 400;

/// The subject first.
pub(crate) fn threads(request: &Request<'_>) -> Result<Vec<Root>, String> {
    let Request { program, wish, .. } = request;
    let subject = defined(program, &wish.thread)?;
    let starts = starts(program, wish)?;
    let started = starts.iter().filter(|start| start.func == subject).count();
    let is_main = program.main == Some(subject);
    let role = if is_main { Role::Main } else { Role::Subject };
    let given = started == 0 || wish.beside.is_some();
    let mut roots = vec![Root { func: subject, role, given }];
    if let Some(beside) = &wish.beside {
        for (name, many) in beside {
            let role = if *many { Role::Many } else { Role::One };
            roots.push(Root { func: defined(program, name)?, role, given: true });
        }
        return Ok(roots);
    }
    let mut functions: Vec<FuncId> = starts.iter().map(|start| start.func).collect();
    functions.sort_unstable();
    functions.dedup();
    for func in functions {
        let count = starts.iter().filter(|start| start.func == func).count();
        let once = count == 1 && starts.iter().any(|start| start.func == func && start.once);
        if func == subject && once {
            continue;
        }
        let role = if once { Role::One } else { Role::Many };
        roots.push(Root { func, role, given: false });
    }
    if let (Some(main), false) = (program.main, is_main) {
        roots.push(Root { func: main, role: Role::Main, given: false });
    }
    Ok(roots)
}

/// The functions that run as threads, `main` last.
pub fn thread_names(program: &Program) -> Result<Vec<String>, String> {
    let starts = starts(program, &Wish::default())?;
    let mut functions: Vec<FuncId> = starts.into_iter().map(|start| start.func).collect();
    functions.sort_unstable();
    functions.dedup();
    functions.extend(program.main);
    let name = |func: FuncId| exeunt_ir::readable_in_full(&program.function(func).name);
    Ok(functions.into_iter().map(name).collect())
}

fn defined(program: &Program, name: &str) -> Result<FuncId, String> {
    let found = program.functions.iter().position(|f| exeunt_ir::is_meant(&f.name, name));
    match found {
        None => Err(format!("the program has no function `{name}`")),
        Some(index) if program.functions[index].is_declaration() => {
            Err(format!("`{name}` is declared but not defined"))
        }
        Some(index) => Ok(FuncId(index as u32)),
    }
}

struct Start {
    func: FuncId,
    /// It happens at most once: in `main`, and in no loop.
    once: bool,
}

/// Every place that starts a thread.
fn starts(program: &Program, wish: &Wish) -> Result<Vec<Start>, String> {
    let mut starts = Vec::new();
    for (index, function) in program.functions.iter().enumerate() {
        for (pc, inst) in function.code.iter().enumerate() {
            let Some(site) = inst.call().map(|call| &function.calls[call as usize]) else {
                continue;
            };
            let Callee::Direct(callee) = site.callee else { continue };
            let Some(Meaning::Create { routine, .. }) = meaning(program, wish, callee) else {
                continue;
            };
            let func = site.args.get(routine).and_then(|arg| constant(function, arg.slot));
            let func =
                func.filter(|value| address::object(*value).space() == Some(Space::Function));
            let Some(func) = func else {
                let place = place(program, function.locs[pc]);
                return Err(format!("a thread whose function is not a constant{place}"));
            };
            let func = FuncId(address::object(func).index());
            let once = program.main == Some(FuncId(index as u32)) && !repeats(function, pc as Pc);
            starts.push(Start { func, once });
        }
    }
    Ok(starts)
}

fn constant(function: &Function, slot: u32) -> Option<u64> {
    let index = slot.checked_sub(function.registers)?;
    Some(function.constants[index as usize].value)
}

/// Whether control can come back to an instruction.
pub(crate) fn repeats(function: &Function, pc: Pc) -> bool {
    let mut seen = vec![false; function.code.len()];
    let mut todo = vec![pc];
    while let Some(at) = todo.pop() {
        let mut back = false;
        function.code[at as usize].successors(function, at, &mut |to| {
            back |= to == pc;
            if !std::mem::replace(&mut seen[to as usize], true) {
                todo.push(to);
            }
        });
        if back {
            return true;
        }
    }
    false
}

/// " (file:line)" for messages.
pub(crate) fn place(program: &Program, loc: LocId) -> String {
    program.location(loc).map_or(String::new(), |location| format!(" ({location})"))
}

/// All calls of all threads, and which call is which.
pub(crate) struct Calls {
    pub contexts: Vec<Context>,
    pub children: BTreeMap<(usize, Pc), usize>,
    /// The context of each thread.
    pub roots: Vec<usize>,
}

pub(crate) fn expand(request: &Request<'_>, roots: &[Root]) -> Result<Calls, String> {
    let mut calls = Calls { contexts: Vec::new(), children: BTreeMap::new(), roots: Vec::new() };
    for (thread, root) in roots.iter().enumerate() {
        calls.roots.push(calls.contexts.len());
        let context = Context { func: root.func, thread, caller: None };
        calls.contexts.push(context);
        let mut next = calls.contexts.len() - 1;
        while next < calls.contexts.len() {
            calls_of(request, next, &mut calls)?;
            next += 1;
        }
    }
    Ok(calls)
}

fn calls_of(request: &Request<'_>, at: usize, calls: &mut Calls) -> Result<(), String> {
    let program = request.program;
    let context = calls.contexts[at].clone();
    let function = program.function(context.func);
    for (pc, inst) in function.code.iter().enumerate() {
        let Some(call) = inst.call() else { continue };
        let here = || place(program, function.locs[pc]);
        let callee = match function.calls[call as usize].callee {
            Callee::Direct(callee) => callee,
            Callee::Indirect(_) => return Err(format!("a call through a pointer{}", here())),
        };
        let called = program.function(callee);
        if called.is_declaration() || meaning(program, request.wish, callee).is_some() {
            continue;
        }
        let mut above = Some(at);
        while let Some(one) = above {
            if calls.contexts[one].func == callee {
                let name = exeunt_ir::readable(&called.name);
                return Err(format!("the recursion of `{name}`{}", here()));
            }
            above = calls.contexts[one].caller.map(|(caller, _)| caller);
        }
        if calls.contexts.len() > MOST_CALLS {
            return Err(format!("more than {MOST_CALLS} calls, each expanded{}", here()));
        }
        calls.children.insert((at, pc as Pc), calls.contexts.len());
        calls.contexts.push(Context {
            func: callee,
            thread: context.thread,
            caller: Some((at, pc as Pc)),
        });
    }
    Ok(())
}
