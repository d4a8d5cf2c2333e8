//! Which threads there are: what is started where, and with which argument.
//!
//! A thread that starts others is expanded before it is known what they are, and where a call
//! through a pointer leads is known only after all threads are. So this goes in rounds, each with
//! what the last one has found, until nothing new is found.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_ir::{Callee, FuncId, Function, Pc, Program};

use super::constructors;
use super::contexts::{self, Calls, Trail, place, repeats};
use super::{Request, Root, Wish, meaning};
use crate::Role;
use crate::address::Value;
use crate::library::Meaning;
use crate::pointers::{Argument, Pointers, Scene};

const MOST_ROUNDS: usize = 24;

/// A function that is started with more different addresses than that is started with any of them.
const MOST_ARGUMENTS: usize = 4;

/// Starts of a function with the same argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub func: FuncId,
    argument: Value,
    /// At most one thread is started so.
    pub once: bool,
    /// The calls that do it.
    pub sites: BTreeSet<(usize, Pc)>,
}

/// All threads, their calls and what starts them.
pub(crate) struct Plan {
    pub roots: Vec<Root>,
    pub calls: Calls,
    pub groups: Vec<Group>,
    /// For each group, the threads that it may start, each with the number of its beginning.
    pub starts: Vec<Vec<(usize, usize)>>,
    pub entries: Vec<(usize, Argument)>,
    pub begun: bool,
}

pub(crate) fn plan(request: &Request<'_>) -> Result<Plan, String> {
    let Request { program, wish, .. } = request;
    let subject = defined(program, &wish.thread)?;
    let begun = !constructors::are_plain(request);
    if begun && constructors::start_threads(request) {
        return Err("threads that are started before `main`".to_string());
    }
    let fixed = wish.beside.is_some() || program.main.is_none();
    if !fixed {
        constructors::refuse_late(request)?;
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut bodies: Vec<FuncId> = Vec::new();
    let mut known: BTreeMap<Trail, FuncId> = BTreeMap::new();
    // A subject that nobody starts may get any argument. That is known only after all others.
    let mut given = program.main == Some(subject);
    for round in 0..MOST_ROUNDS {
        let (roots, starts) = match fixed {
            true => (beside(request, subject)?, Vec::new()),
            false => started(program, subject, &groups, &bodies, given),
        };
        let calls = contexts::expand(request, &roots, &known)?;
        let entries = entries(&roots, &calls);
        let means = |func: FuncId| meaning(program, wish, func);
        let (contexts, children) = (&calls.contexts, &calls.children);
        let scene =
            Scene { program, contexts, children, entries: &entries, begun, meaning: &means };
        let nowhere = BTreeSet::new();
        let pointers = Pointers::solve(&scene, &nowhere);
        let found = if fixed { Vec::new() } else { groups_of(request, &roots, &calls, &pointers) };
        let led: BTreeMap<Trail, FuncId> = calls
            .indirect
            .iter()
            .filter_map(|(at, pc)| {
                Some((calls.trail(*at, *pc), leads(&calls, &pointers, program, *at, *pc)?))
            })
            .collect();
        let shown: Vec<FuncId> = found.iter().map(|group| body(program, &calls, group)).collect();
        let same = found == groups && led == known && shown == bodies;
        if same && !fixed && !given && !roots.iter().any(|root| root.body == subject) {
            given = true;
        } else if same {
            refuse_unknown(request, &calls, &pointers)?;
            if fixed {
                refuse_unnamed(request, &roots, &calls, &pointers)?;
            }
            return Ok(Plan { roots, calls, groups, starts, entries, begun });
        }
        if round + 1 == MOST_ROUNDS {
            refuse_handed(request, &calls, &pointers)?;
        }
        (groups, known, bodies) = (found, led, shown);
    }
    Err("threads and calls through pointers that lead to each other in ever new ways".to_string())
}

/// The functions that run as threads, `main` last.
pub fn thread_names(program: &Program, wish: &Wish) -> Result<Vec<String>, String> {
    let Some(main) = program.main else { return Ok(Vec::new()) };
    let wish = Wish { thread: program.function(main).name.to_string(), ..wish.clone() };
    let request = Request { program, wish: &wish, integers: super::Integers::Exact };
    let whole = constructors::within_main(&request)?;
    let program = whole.as_ref().unwrap_or(program);
    let plan = plan(&Request { program, ..request })?;
    let body = |group: &Group| body(program, &plan.calls, group);
    let mut functions: Vec<FuncId> = plan.groups.iter().map(body).collect();
    functions.sort_unstable();
    functions.dedup();
    functions.push(main);
    let name = |func: FuncId| exeunt_ir::readable_in_full(&program.function(func).name);
    Ok(functions.into_iter().map(name).collect())
}

/// The name of a function for people: that of a lambda is the name of its class.
pub(super) fn readable(symbol: &str) -> String {
    let name = exeunt_ir::readable(symbol);
    let name = name.strip_suffix(" const").unwrap_or(&name);
    name.strip_suffix("::operator()").unwrap_or(name).to_string()
}

fn defined(program: &Program, name: &str) -> Result<FuncId, String> {
    let named = |function: &Function| exeunt_ir::is_meant(&function.name, name);
    let found = program.functions.iter().position(named);
    let shown = || program.functions.iter().position(|f| readable(&f.name) == name);
    match found.or_else(shown) {
        None => Err(format!("the program has no function `{name}`")),
        Some(index) if program.functions[index].is_declaration() => {
            Err(format!("`{name}` is declared but not defined"))
        }
        Some(index) => Ok(FuncId(index as u32)),
    }
}

/// The threads that the user names; of a program without `main`, all functions that any of its
/// functions starts. How they are called is not there to see.
fn beside(request: &Request<'_>, subject: FuncId) -> Result<Vec<Root>, String> {
    let Request { program, wish, .. } = request;
    let given = |func, role| Root { body: func, role, beginnings: vec![(func, Argument::Given)] };
    let role = if program.main == Some(subject) { Role::Main } else { Role::Subject };
    let mut roots = vec![given(subject, role)];
    if let Some(beside) = &wish.beside {
        for (name, many) in beside {
            let role = if *many { Role::Many } else { Role::One };
            roots.push(given(defined(program, name)?, role));
        }
        return Ok(roots);
    }
    let functions = started_anywhere(program, wish)?;
    roots.extend(functions.into_iter().map(|func| given(func, Role::Many)));
    Ok(roots)
}

/// Every function that some function of the program starts.
fn started_anywhere(program: &Program, wish: &Wish) -> Result<BTreeSet<FuncId>, String> {
    let mut found = BTreeSet::new();
    for function in &program.functions {
        for (pc, inst) in function.code.iter().enumerate() {
            let Some(Meaning::Create { routine, .. }) = creates(program, wish, function, pc) else {
                continue;
            };
            let site = inst.call().map(|call| &function.calls[call as usize]);
            let slot = site.and_then(|site| site.args.get(routine)).map(|arg| arg.slot);
            let constant = slot.and_then(|slot| slot.checked_sub(function.registers));
            let value =
                constant.map(|at| Value::of_constant(function.constants[at as usize].value));
            match value.and_then(|value| value.function()) {
                Some(func) => found.insert(func),
                None => return Err(not_constant(program, function, pc)),
            };
        }
    }
    Ok(found)
}

const NOT_CONSTANT: &str = "a thread whose function is not a constant";

fn not_constant(program: &Program, function: &Function, pc: usize) -> String {
    format!("{NOT_CONSTANT}{}", place(program, function.locs[pc]))
}

/// What a call means, if it starts a thread.
fn creates(program: &Program, wish: &Wish, function: &Function, pc: usize) -> Option<Meaning> {
    let call = function.code[pc].call()?;
    let Callee::Direct(callee) = function.calls[call as usize].callee else { return None };
    let found = meaning(program, wish, callee)?;
    matches!(found, Meaning::Create { .. }).then_some(found)
}

/// The subject first, `main` last; and which of them each group may start.
fn started(
    program: &Program,
    subject: FuncId,
    groups: &[Group],
    bodies: &[FuncId],
    given: bool,
) -> (Vec<Root>, Vec<Vec<(usize, usize)>>) {
    let is_main = program.main == Some(subject);
    let own: Vec<usize> = (0..groups.len())
        .filter(|index| !is_main && (groups[*index].func == subject || bodies[*index] == subject))
        .collect();
    let known = |group: &Group| (group.func, Argument::Known(group.argument.clone()));
    let mut roots = vec![Root {
        body: subject,
        role: if is_main { Role::Main } else { Role::Subject },
        beginnings: own.iter().map(|index| known(&groups[*index])).collect(),
    }];
    match (roots[0].beginnings.is_empty(), given) {
        (true, true) => roots[0].beginnings.push((subject, Argument::Given)),
        (true, false) => roots.clear(),
        (false, _) => {}
    }
    let mut starts = vec![Vec::new(); groups.len()];
    for (beginning, index) in own.iter().enumerate() {
        starts[*index].push((0, beginning));
    }
    for (index, group) in groups.iter().enumerate() {
        let alone = own == [index] && group.once;
        if alone {
            continue;
        }
        starts[index].push((roots.len(), 0));
        let role = if group.once { Role::One } else { Role::Many };
        roots.push(Root { body: bodies[index], role, beginnings: vec![known(group)] });
    }
    if let (Some(main), false) = (program.main, is_main) {
        let beginnings = vec![(main, Argument::Given)];
        roots.push(Root { body: main, role: Role::Main, beginnings });
    }
    (roots, starts)
}

fn entries(roots: &[Root], calls: &Calls) -> Vec<(usize, Argument)> {
    let pairs = roots.iter().zip(&calls.roots);
    let pairs = pairs.flat_map(|(root, contexts)| contexts.iter().zip(&root.beginnings));
    pairs.map(|(context, (_, argument))| (*context, argument.clone())).collect()
}

/// Every start that may be reached, those of the same function with the same argument together.
fn groups_of(
    request: &Request<'_>,
    roots: &[Root],
    calls: &Calls,
    pointers: &Pointers<'_>,
) -> Vec<Group> {
    let Request { program, wish, .. } = request;
    let mut found: Vec<Group> = Vec::new();
    for (context, at) in calls.contexts.iter().enumerate() {
        let function = program.function(at.func);
        for (pc, inst) in function.code.iter().enumerate() {
            let Some(Meaning::Create { routine, argument }) = creates(program, wish, function, pc)
            else {
                continue;
            };
            let Some(site) = inst.call().map(|call| &function.calls[call as usize]) else {
                continue;
            };
            let value = |index: usize| site.args.get(index).map(|a| pointers.at(context, a.slot));
            let Some(func) = value(routine).and_then(|value| value.function()) else { continue };
            if !pointers.is_reached(context, pc as Pc) {
                continue;
            }
            let by_main = roots[at.thread].role == Role::Main;
            let once = by_main && at.once && !repeats(function, pc as Pc);
            let argument = value(argument).unwrap_or(Value::Unknown);
            // Others than `main` may start each other in circles.
            let own = by_main && matches!(argument, Value::Address(..));
            let sites = BTreeSet::from([(context, pc as Pc)]);
            add(&mut found, Group { func, argument, once, sites }, own);
        }
    }
    found.sort_by_key(|group| group.func);
    found
}

/// Puts a start into its group.
fn add(found: &mut Vec<Group>, new: Group, own: bool) {
    let count = found.iter().filter(|group| group.func == new.func).count();
    let is_own = |group: &Group| matches!(group.argument, Value::Address(..));
    let same = found.iter().position(|group| {
        group.func == new.func && if own { group.argument == new.argument } else { !is_own(group) }
    });
    let same = match same {
        None if count >= MOST_ARGUMENTS => found.iter().position(|group| group.func == new.func),
        same => same,
    };
    match same {
        None => found.push(new),
        Some(index) => {
            let group = &mut found[index];
            group.argument = group.argument.joined(&new.argument);
            group.once = false;
            group.sites.extend(new.sites);
        }
    }
}

/// Where a call through a pointer leads, if it is one function with a body.
fn leads(
    calls: &Calls,
    pointers: &Pointers<'_>,
    program: &Program,
    context: usize,
    pc: Pc,
) -> Option<FuncId> {
    let function = program.function(calls.contexts[context].func);
    let Callee::Indirect(slot) = function.call_at(pc)?.callee else { return None };
    pointers.at(context, slot).function()
}

/// What is still not known after the last round is refused.
fn refuse_unknown(
    request: &Request<'_>,
    calls: &Calls,
    pointers: &Pointers<'_>,
) -> Result<(), String> {
    let Request { program, wish, .. } = request;
    for &(context, pc) in &calls.indirect {
        let expanded = calls.children.contains_key(&(context, pc));
        if pointers.is_reached(context, pc) && !expanded {
            let here = calls.place(program, context, pc);
            return Err(format!("a call through a pointer{here}"));
        }
    }
    for (context, at) in calls.contexts.iter().enumerate() {
        let function = program.function(at.func);
        for pc in 0..function.code.len() {
            let Some(Meaning::Create { routine, .. }) = creates(program, wish, function, pc) else {
                continue;
            };
            let arg = function.call_at(pc as Pc).and_then(|site| site.args.get(routine));
            let known = arg.and_then(|arg| pointers.at(context, arg.slot).function());
            if known.is_none() && pointers.is_reached(context, pc as Pc) {
                let here = calls.place(program, context, pc as Pc);
                return Err(format!("{NOT_CONSTANT}{here}"));
            }
        }
    }
    Ok(())
}

/// Functions of the program that are handed to functions without a body: nothing is known behind such a call.
fn refuse_handed(
    request: &Request<'_>,
    calls: &Calls,
    pointers: &Pointers<'_>,
) -> Result<(), String> {
    let Request { program, wish, .. } = request;
    for (context, at) in calls.contexts.iter().enumerate() {
        let function = program.function(at.func);
        for (pc, inst) in function.code.iter().enumerate() {
            let Some(call) = inst.call() else { continue };
            let site = &function.calls[call as usize];
            let Callee::Direct(callee) = site.callee else { continue };
            let called = program.function(callee);
            let unknown = called.is_declaration() && meaning(program, wish, callee).is_none();
            let handed = |slot: exeunt_ir::Slot| pointers.at(context, slot).function().is_some();
            if unknown && site.args.iter().any(|arg| handed(arg.slot)) {
                return Err(handed_to(&called.name, &calls.place(program, context, pc as Pc)));
            }
        }
    }
    Ok(())
}

/// A function of the program is handed to one of which nothing is known.
pub(super) fn handed_to(name: &str, here: &str) -> String {
    match name {
        "__cxa_thread_atexit" => format!("the destructor of a `thread_local` object{here}"),
        _ => format!(
            "a function of the program as an argument of `{}`{here}",
            exeunt_ir::readable(name)
        ),
    }
}

/// Of threads that the user names, those that they start must be named, too, as any number of them.
fn refuse_unnamed(
    request: &Request<'_>,
    roots: &[Root],
    calls: &Calls,
    pointers: &Pointers<'_>,
) -> Result<(), String> {
    let program = request.program;
    for group in groups_of(request, roots, calls, pointers) {
        let named = |root: &&Root| root.role == Role::Many && root.body == group.func;
        if !roots.iter().any(|root| named(&root)) {
            let name = readable(&program.function(group.func).name);
            return Err(format!(
                "a thread that starts `{name}`, which is not named as `{name}*` by `--env`"
            ));
        }
    }
    Ok(())
}

/// The function of the program that a thread of the C++ library runs; of any other thread, the
/// function itself.
fn body(program: &Program, calls: &Calls, group: &Group) -> FuncId {
    let func = group.func;
    let Some(mut at) = calls.beginning(func, &Argument::Known(group.argument.clone())) else {
        return func;
    };
    loop {
        let name = exeunt_ir::readable(&program.function(calls.contexts[at].func).name);
        if !is_of_library(&name) {
            return calls.contexts[at].func;
        }
        // What is called last is what it is all about.
        let mut inner = calls.children.range((at, 0)..(at + 1, 0)).rev();
        let next = inner.find(|(_, child)| leads_out(program, calls, **child));
        match next {
            Some((_, child)) => at = *child,
            None => return func,
        }
    }
}

/// Whether a call leads to a function that is not the library's.
fn leads_out(program: &Program, calls: &Calls, context: usize) -> bool {
    let name = exeunt_ir::readable(&program.function(calls.contexts[context].func).name);
    !is_of_library(&name)
        || calls
            .children
            .range((context, 0)..(context + 1, 0))
            .any(|(_, child)| leads_out(program, calls, *child))
}

pub(super) fn is_of_library(name: &str) -> bool {
    name.starts_with("std::") || name.starts_with("exeunt_prove::")
}
