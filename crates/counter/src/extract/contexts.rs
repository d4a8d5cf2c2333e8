//! The calls of all threads, expanded.

use std::collections::BTreeMap;

use exeunt_ir::{Callee, FuncId, Function, LocId, Pc, Program};

use super::{Request, Root, meaning};
use crate::Role;
use crate::address::Context;
use crate::pointers::Argument;

/// More calls than that are refused.
const MOST_CALLS: usize = 800;

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
    /// The contexts in which each thread may begin.
    pub roots: Vec<Vec<usize>>,
    /// What begins there.
    beginnings: BTreeMap<usize, (FuncId, Argument)>,
    /// Calls through pointers.
    pub indirect: Vec<(usize, Pc)>,
}

/// With what a thread began, and the calls from there: a name of a call that stays when threads are
/// added, and that is the same for the subject and for others that began so.
pub(crate) type Trail = (FuncId, Argument, Vec<Pc>);

impl Calls {
    /// Where something is, for people: of what is inside of a header, where the header is used.
    pub fn place(&self, program: &Program, context: usize, pc: Pc) -> String {
        let at = &self.contexts[context];
        let here = place(program, program.function(at.func).locs[pc as usize]);
        match at.caller {
            Some((caller, pc)) if here.is_empty() => self.place(program, caller, pc),
            // All of it is inside of headers.
            None if here.is_empty() => {
                let inner = exeunt_ir::readable(&program.function(at.func).name);
                format!(" (in `{inner}`)")
            }
            _ => here,
        }
    }

    /// The context in which a thread begins so.
    pub fn beginning(&self, func: FuncId, argument: &Argument) -> Option<usize> {
        let same = |begins: &(FuncId, Argument)| begins.0 == func && begins.1 == *argument;
        self.beginnings.iter().find(|(_, begins)| same(begins)).map(|(context, _)| *context)
    }

    pub fn trail(&self, context: usize, pc: Pc) -> Trail {
        let mut pcs = vec![pc];
        let mut at = context;
        while let Some((caller, pc)) = self.contexts[at].caller {
            pcs.push(pc);
            at = caller;
        }
        let (func, argument) = self.beginnings[&at].clone();
        (func, argument, pcs)
    }
}

/// Expands all calls; those through pointers as far as it is known where they lead.
pub(crate) fn expand(
    request: &Request<'_>,
    roots: &[Root],
    known: &BTreeMap<Trail, FuncId>,
) -> Result<Calls, String> {
    let mut calls = Calls {
        contexts: Vec::new(),
        children: BTreeMap::new(),
        roots: vec![Vec::new(); roots.len()],
        beginnings: BTreeMap::new(),
        indirect: Vec::new(),
    };
    // The calls of `main` first: objects that it makes keep their names while other threads are found.
    let mut order: Vec<(usize, &Root)> = roots.iter().enumerate().collect();
    order.sort_by_key(|(_, root)| root.role != Role::Main);
    for (thread, root) in order {
        for (func, argument) in &root.beginnings {
            let mut next = calls.contexts.len();
            calls.beginnings.insert(next, (*func, argument.clone()));
            calls.roots[thread].push(next);
            calls.contexts.push(Context { func: *func, thread, caller: None, once: true });
            while next < calls.contexts.len() {
                calls_of(request, next, &mut calls, known)?;
                next += 1;
            }
        }
    }
    Ok(calls)
}

fn calls_of(
    request: &Request<'_>,
    at: usize,
    calls: &mut Calls,
    known: &BTreeMap<Trail, FuncId>,
) -> Result<(), String> {
    let program = request.program;
    let context = calls.contexts[at].clone();
    let function = program.function(context.func);
    for (pc, inst) in function.code.iter().enumerate() {
        let pc = pc as Pc;
        let Some(call) = inst.call() else { continue };
        let here = || place(program, function.locs[pc as usize]);
        let callee = match function.calls[call as usize].callee {
            Callee::Direct(callee) => callee,
            Callee::Indirect(_) => {
                calls.indirect.push((at, pc));
                let Some(callee) = known.get(&calls.trail(at, pc)) else { continue };
                *callee
            }
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
        calls.children.insert((at, pc), calls.contexts.len());
        calls.contexts.push(Context {
            func: callee,
            thread: context.thread,
            caller: Some((at, pc)),
            once: context.once && !repeats(function, pc),
        });
    }
    Ok(())
}
