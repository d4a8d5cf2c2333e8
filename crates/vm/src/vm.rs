//! A program made ready for execution: what is computed once.

use std::collections::HashMap;
use std::sync::Arc;

use exeunt_ir::liveness::Liveness;
use exeunt_ir::{
    CallSite, Callee, DebugTypeId, FuncId, Function, Inst, Loop, Pc, Program, is_meant,
    loops_with_exit, readable, runs_atomically,
};
use exeunt_mem::{Flags, Header};
use exeunt_model::SectionKind;

use crate::abstraction::Abstraction;
use crate::builtin::{self, Builtin, Chooses, Deed, Effect, Kind, Orders, STREAM, Touches};
use crate::compiled::Compiled;
use crate::cxx::primitive::{self, Role};
use crate::options::{Reduction, VmOptions, WeakFailures};
use crate::thread::stack::FrameSize;
use crate::watch::Watch;

/// A program with everything that executing it needs.
pub struct Vm {
    pub program: Program,
    pub options: VmOptions,
    pub(crate) liveness: Vec<Liveness>,
    /// What functions are to users of the C++ library.
    pub(crate) roles: Vec<Role>,
    /// What a call of each function takes of a stack.
    pub(crate) frame_sizes: Vec<FrameSize>,
    /// What each declared function is, if we know it.
    pub(crate) builtins: Vec<Option<&'static Builtin>>,
    /// Functions whose calls are sections.
    pub(crate) must_return: Vec<bool>,
    /// The loops of each function that can be left.
    pub(crate) loops: Vec<Vec<Loop>>,
    /// Functions that run without interruption (`__VERIFIER_atomic_*`).
    pub(crate) atomic: Vec<bool>,
    /// Contents of constant globals, by number.
    pub(crate) constants: Vec<Option<Vec<u64>>>,
    /// Which component each variable global is, `u32::MAX` for the others.
    pub(crate) global_entry: Vec<u32>,
    /// How many variable globals there are.
    pub(crate) variables: usize,
    /// Threads other than the first one may have objects on their stacks.
    pub(crate) threads_have_objects: bool,
    /// The source variables behind stack objects.
    pub(crate) locals: Locals,
    /// By function: whether it only wraps an allocation.
    pub(crate) wrappers: Vec<bool>,
    /// Whether the environment may ever choose.
    pub(crate) chooses: bool,
    /// What the propositions depend on; reductions ask here.
    pub(crate) watch: Watch,
    /// A thread may look whether another has ended without waiting for it.
    pub(crate) tries_joins: bool,
    /// It may look at a clock, and values may be times.
    pub(crate) reads_clock: bool,
    /// A thread may cancel another.
    pub(crate) cancels: bool,
    /// Streams may be locked for longer than a call.
    pub(crate) locks_streams: bool,
    /// Keys of thread-specific data may go away.
    pub(crate) deletes_keys: bool,
    /// Mutexes may be given back by the end of a thread.
    pub(crate) robust: bool,
    pub(crate) tells_names: bool,
    /// The thread-local variable that is thrown to end a thread, if there is one.
    pub(crate) forced: Option<u32>,
    /// `main` may end before other threads, and then the last one has more to
    /// do than to end.
    pub(crate) last_thread_exits: bool,
    /// Operations are moved where threads do not meet.
    pub(crate) moves: bool,
    /// Whether threads are left out that cannot interfere with others.
    pub(crate) leaves_out: bool,
    pub(crate) abstraction: Abstraction,
    /// Inputs are only sampled; says which.
    pub(crate) sampled: Vec<String>,
    /// By function: whether code outside of the C++ library may call it.
    pub(crate) asked: Vec<bool>,
    /// What the user told us to assume, as far as it matters here.
    pub(crate) assumptions: Vec<String>,
    pub(crate) compiled: Compiled,
}

/// The variable of the library (`runtime/cxx/unwind.cpp`) that ends a thread.
const FORCED_EXCEPTION: &str = "__exeunt_forced";

impl Vm {
    /// Checks the program's bytecode and prepares it.
    pub fn new(mut program: Program, mut options: VmOptions) -> Result<Vm, String> {
        crate::libc::define(&mut program);
        crate::cxx::define(&mut program);
        let problems = exeunt_ir::verify::program(&program);
        if let Some(problem) = problems.first() {
            return Err(format!("the bytecode is malformed: {problem}"));
        }
        if program.main.is_none() {
            return Err("there is no function `main`".to_string());
        }
        for name in &options.must_return {
            let defined = |f: &Function| !f.is_declaration() && is_meant(&f.name, name);
            if !program.functions.iter().any(defined) {
                return Err(format!(
                    "there is no function `{name}` in the program (--must-return)"
                ));
            }
        }
        // What the machine itself calls.
        let mut named = options.named.clone();
        named.push(crate::cxx::BAD_ALLOC.to_string());
        let reached = program.drop_unreached(&named);
        if let Some(global) = program.globals.iter().find(|global| global.external) {
            return Err(format!(
                "variable `{}` is used, but no file defines it and we do not know it",
                readable(&global.name)
            ));
        }
        let abstraction = Abstraction::of(&program, &options)?;
        let functions = &program.functions;
        let roles = primitive::roles(&program);
        let has_objects = |(id, f): (usize, &Function)| {
            let main = program.main == Some(FuncId(id as u32));
            !main && f.code.iter().any(|inst| matches!(inst, Inst::Alloca { .. }))
        };
        let threads_have_objects = functions.iter().enumerate().any(has_objects);
        let liveness = functions.iter().zip(&roles).map(liveness_of).collect();
        let frame_sizes = functions.iter().map(FrameSize::of).collect();
        let known = |(id, f): (usize, &Function)| match f.is_declaration() {
            true if reached.has_function(FuncId(id as u32)) => builtin::find(&f.name),
            false if options.replaced.iter().any(|name| **name == *f.name) => {
                builtin::find(&f.name)
            }
            true | false => None,
        };
        let builtins: Vec<_> = functions.iter().enumerate().map(known).collect();
        let fails = |site: &CallSite| match site.callee {
            Callee::Direct(id) => builtins[id.0 as usize].is_some_and(|b| b.deed == Deed::Fails),
            Callee::Indirect(_) => false,
        };
        let loops = functions.iter().map(|f| loops_with_exit(f, &fails)).collect();
        let must_return = functions
            .iter()
            .map(|f| {
                f.must_return || options.must_return.iter().any(|name| is_meant(&f.name, name))
            })
            .collect();
        let atomic =
            functions.iter().map(|f| runs_atomically(&f.name) && !f.is_declaration()).collect();
        let (constants, global_entry, variables) = lay_out_globals(&program);
        let locals = Locals::of(&program);
        let wrappers = crate::explain::wrappers(&program, &builtins);
        let calls = |says: &dyn Fn(&Builtin) -> bool| builtins.iter().flatten().any(|b| says(b));
        let does = |deed: Deed| calls(&|b| b.deed == deed);
        let tries_joins = calls(&|b| b.kind == Kind::Observe && b.orders == Orders::Joins);
        let cancels = does(Deed::Cancels);
        let handlers = does(Deed::AtExit) || !program.destructors.is_empty();
        let last_thread_exits =
            (handlers || options.leaks) && (cancels || calls(&|b| b.touches == Touches::End));
        let locks_streams = calls(&|b| b.touches == STREAM && !b.opens.is_empty());
        let reads_clock = calls(&|b| b.effect == Effect::Clock) && !options.fixed_outside;
        let deletes_keys = does(Deed::DeletesKey);
        let (robust, tells_names) = (does(Deed::Robust), does(Deed::TellsName));
        if !can_move(&options, &builtins) {
            options.reduction = match options.reduction {
                Reduction::Movers | Reduction::Stubborn => Reduction::Tau,
                Reduction::Full => Reduction::Superstep,
                Reduction::None | Reduction::Global | Reduction::Tau | Reduction::Superstep => {
                    options.reduction
                }
            };
        }
        let moves = options.reduction.moves();
        let leaves_out = options.reduction == Reduction::Stubborn && !options.real_time;
        let (chooses, sampled) = choices_of(&program, &builtins, &options);
        let assumptions = assumptions_of(&program, &builtins, &options);
        let asked = crate::outside::asked(&program, &builtins);
        let watch = Watch::new(&program, &options.watched);
        let compiled = Compiled::new(program.functions.len(), options.compile);
        Ok(Vm {
            compiled,
            options,
            liveness,
            roles,
            frame_sizes,
            builtins,
            must_return,
            loops,
            atomic,
            constants,
            global_entry,
            variables,
            threads_have_objects,
            locals,
            wrappers,
            chooses,
            watch,
            tries_joins,
            reads_clock,
            moves,
            leaves_out,
            cancels,
            locks_streams,
            deletes_keys,
            robust,
            tells_names,
            forced: program.find_global(FORCED_EXCEPTION).map(|id| id.0),
            last_thread_exits,
            abstraction,
            sampled,
            asked,
            assumptions,
            program,
        })
    }
}

impl Vm {
    /// Whether steps are supersteps where there is more than one thread. That
    /// supersteps lose no race has not been argued, so with races every
    /// operation is a step.
    pub(crate) fn makes_supersteps(&self) -> bool {
        self.options.reduction.merges() && !self.options.races
    }

    /// Whether turns are to be had: not where propositions are looked at between steps, or
    /// where it matters who sleeps.
    pub(crate) fn has_turns(&self) -> bool {
        !self.watch.active && !self.options.real_time
    }

    /// Whether steps are remembered. Races are looked for in the history of all
    /// accesses.
    pub(crate) fn has_memory(&self) -> bool {
        !self.options.races
    }
}

/// Whether operations may be moved at all: not where others look at a thread
/// between any two of them, and not where the end of the program looks back.
fn can_move(options: &VmOptions, builtins: &[Option<&'static Builtin>]) -> bool {
    let looks = builtins.iter().flatten().any(|builtin| builtin.disturbs);
    let matched = options.ignored.is_empty() && options.abstraction.is_none();
    // A thread that waits for a lock must be seen to wait: fairness allows that it waits for ever.
    let waits = options.fair && !options.watched.is_empty();
    !looks && matched && !options.leaks && !waits
}

fn liveness_of((function, role): (&Function, &Role)) -> Liveness {
    Liveness::keeping(function, role.keeps())
}

type Layout = (Vec<Option<Vec<u64>>>, Vec<u32>, usize);

/// Constant globals stay outside of states; variables get a component each.
fn lay_out_globals(program: &Program) -> Layout {
    let mut constants = Vec::new();
    let mut entries = Vec::new();
    let mut variables = 0;
    for global in &program.globals {
        let variable = !global.constant && !global.thread_local;
        constants.push((global.constant && !global.thread_local).then(|| global_words(global)));
        entries.push(if variable { variables } else { u32::MAX });
        variables += variable as u32;
    }
    (constants, entries, variables as usize)
}

/// The component of a global in its initial state.
pub(crate) fn global_words(global: &exeunt_ir::Global) -> Vec<u64> {
    let header = Header { size: global.data.len() as u32, flags: Flags::SHARED, site: 0 };
    let mut words = Vec::new();
    exeunt_mem::build(header, &global.data, &global.undefined, &mut words);
    words
}

/// Numbers every `alloca` that is a source variable. Number 0 is none.
#[derive(Default)]
pub(crate) struct Locals {
    sites: HashMap<(u32, Pc), u32>,
    names: Vec<(Arc<str>, Option<DebugTypeId>)>,
}

impl Locals {
    fn of(program: &Program) -> Locals {
        let mut locals = Locals::default();
        for (func, function) in program.functions.iter().enumerate() {
            for local in &function.locals {
                locals.names.push((local.name.clone(), local.ty));
                locals.sites.insert((func as u32, local.pc), locals.names.len() as u32);
            }
        }
        locals
    }

    pub(crate) fn site(&self, func: u32, pc: Pc) -> u32 {
        self.sites.get(&(func, pc)).copied().unwrap_or(0)
    }

    pub(crate) fn name(&self, site: u32) -> Option<&(Arc<str>, Option<DebugTypeId>)> {
        self.names.get((site as usize).checked_sub(1)?)
    }
}

/// What the user told us to assume, where the program depends on it.
fn assumptions_of(
    program: &Program,
    builtins: &[Option<&'static Builtin>],
    options: &VmOptions,
) -> Vec<String> {
    let known = || builtins.iter().flatten();
    let waits = known().any(|builtin| wakes_spuriously(builtin));
    let weak = has_weak_exchanges(program);
    let doubts = |options: VmOptions| crate::outside::assumed(program, builtins, &options);
    let free = VmOptions { no_signals: false, fixed_outside: false, ..options.clone() };
    let signals = doubts(VmOptions { fixed_outside: true, ..free.clone() });
    let outside = doubts(VmOptions { no_signals: true, ..free });
    let told = [
        (!options.spurious && waits, "no condition wait ends without a signal (--no-spurious)"),
        (
            options.weak_failures == WeakFailures::Never && weak,
            "a weak compare-exchange fails only if the values differ (--weak-failures never)",
        ),
        (
            !options.reuse && known().any(|builtin| builtin.allocates),
            "memory that something points to is not given out again (--reuse never)",
        ),
        (
            options.no_signals && !signals.is_empty(),
            "no signal comes from outside (--signals none)",
        ),
        (
            options.fixed_outside && !outside.is_empty(),
            "the world outside answers as we do (--outside fixed)",
        ),
    ];
    told.into_iter().filter(|(told, _)| *told).map(|(_, what)| what.to_string()).collect()
}

/// Whether its wait may end although nobody ended it.
fn wakes_spuriously(builtin: &Builtin) -> bool {
    let spurious = |kind| matches!(kind, &SectionKind::CondWait | &SectionKind::FutexWait);
    builtin.opens.iter().any(spurious)
}

fn has_weak_exchanges(program: &Program) -> bool {
    program.functions.iter().flat_map(|function| &function.code).any(Inst::may_choose)
}

/// Which sources of environment choices the program has, and which of them
/// are only sampled.
fn choices_of(
    program: &Program,
    builtins: &[Option<&'static Builtin>],
    options: &VmOptions,
) -> (bool, Vec<String>) {
    let known = || builtins.iter().flatten();
    let weak = options.weak_failures == WeakFailures::Demonic && has_weak_exchanges(program);
    let spurious = options.spurious && known().any(|builtin| wakes_spuriously(builtin));
    let chooses = weak
        || spurious
        || options.malloc_fails
        || known().any(|builtin| builtin.chooses != Chooses::Nothing);
    let mut sampled = Vec::new();
    for builtin in known() {
        if builtin.chooses == Chooses::Sample {
            let range = match options.nondet {
                Some((low, high)) => format!("only values from {low} to {high} were tried"),
                None => "only a few telling values were tried (see --nondet)".to_string(),
            };
            sampled.push(format!("inputs from {} were sampled: {range}", builtin.name));
        }
    }
    sampled.extend(crate::outside::assumed(program, builtins, options));
    (chooses, sampled)
}
