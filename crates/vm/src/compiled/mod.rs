//! What a thread does on its own is compiled where it is hot.
//!
//! Functions begin in the interpreter, which counts their backward jumps and calls. One that is hot is compiled
//! (crate `compile`), and from then on entered at its beginning and at the targets of backward jumps, if all
//! registers that are live there are defined. Compiled code does what the interpreter would do, in the same
//! order: what a step looks at, where it ends and what it leaves behind are the same, so it does not matter for
//! states, remembered steps and stories when a function was compiled, or whether. Stories are always interpreted.

mod calls;
mod host;

use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use exeunt_compile::{Callee as PlainCallee, Code, Compiler, Context, Unit, Way};
use exeunt_ir::{CallSite, Callee, Pc};

use crate::builtin::Effect;
use crate::machine::Machine;
use crate::meets::Circumstances;
use crate::options::{Compile, Reduction};
use crate::stop::Stop;
use crate::vm::Vm;
use host::Guest;

/// Backward jumps and calls after which a function is hot. Builds with assertions, which tests are, are less
/// patient.
const HOT: u32 = if cfg!(debug_assertions) { 1 << 5 } else { 1 << 13 };
/// A function that is entered at its beginning and does so little that it does not pay is not entered there any
/// more after so many times.
const PATIENCE: i32 = 1 << 8;

/// The compiled functions of a program.
pub(crate) struct Compiled {
    compiler: Compiler,
    /// By function: how often it was called and jumped back.
    heat: Box<[AtomicU32]>,
    /// By function: how often it did not pay to enter it at its beginning.
    vain: Box<[AtomicI32]>,
    /// The heat at which a function is compiled.
    threshold: u32,
}

impl Compiled {
    pub fn new(functions: usize, compile: Compile) -> Compiled {
        Compiled {
            compiler: Compiler::new(functions),
            heat: (0..functions).map(|_| AtomicU32::new(0)).collect(),
            vain: (0..functions).map(|_| AtomicI32::new(0)).collect(),
            threshold: match compile {
                Compile::Hot => HOT,
                Compile::Always => 0,
                Compile::Never => u32::MAX,
            },
        }
    }
}

/// What compiled code knows of memory, from one run to the next.
#[derive(Default)]
pub struct Room {
    context: Context,
    /// What the layout of memory was at the end of the last run.
    layout: u64,
    /// Those of the last run.
    circumstances: Circumstances,
}

impl Room {
    /// Forgets what does not hold any more.
    fn prepare(&mut self, machine: &mut Machine<'_>) {
        let circumstances = machine.circumstances();
        let same = std::mem::replace(&mut self.circumstances, circumstances) == circumstances;
        // The interpreter may have written pointers.
        self.context.reads.clear();
        match machine.mem.rearranged_since(self.layout) {
            Some(objects) if same => {
                objects.for_each(|(id, size)| self.context.forget_object(id, size));
            }
            Some(_) | None => self.context.forget(),
        }
    }
}

/// What became of a try to run compiled code.
pub enum Entered {
    /// There is none, or it cannot be entered here.
    No,
    /// It was left; the frame on top may be another one.
    Left,
    /// The step ends in front of the instruction that comes next.
    Ends,
    /// That instruction has failed.
    Stopped(Stop),
}

impl Machine<'_> {
    /// Whether a step may use compiled code: not where somebody looks at every instruction.
    pub fn may_run_compiled(&self) -> bool {
        let options = &self.vm.options;
        options.compile != Compile::Never
            && options.reduction != Reduction::None
            && !self.vm.watch.active
            && !self.vm.reads_clock
            // That a thread has come round is seen by all its registers there.
            && !self.superstep.active
            && !self.tale.tells_sections()
            && self.races.is_none()
            && self.matching.is_none()
            && self.observation.admits_compiled()
    }

    /// Goes on in compiled code at an instruction of the frame on top, if there is some.
    #[inline]
    pub fn enter_compiled(&mut self, func: u32, pc: Pc) -> Entered {
        match self.vm.hot_code(func) {
            Some(code) => self.enter(code, func, pc),
            None => Entered::No,
        }
    }

    fn enter(&mut self, code: &Code, func: u32, pc: Pc) -> Entered {
        let (vm, compiled) = (self.vm, &self.vm.compiled);
        let vain = &compiled.vain[func as usize];
        if pc == 0 && vain.load(Ordering::Relaxed) > PATIENCE {
            return Entered::No;
        }
        let Some(entry) = code.entry(pc) else { return Entered::No };
        let jumps = self.progress.free_jumps();
        if pc != 0 && jumps == 0 {
            return Entered::No;
        }
        let base = self.top().base as usize;
        let undefined = |&slot: &u32| self.thread.registers[base + slot as usize].undefined != 0;
        let interrupted = self.transaction.is_some()
            || self.thread.head.block.is_some()
            || self.assumed.minds_blocks() && !self.system.blocks.is_empty();
        if interrupted || vm.liveness[func as usize].before(pc).iter().any(undefined) {
            return Entered::No;
        }
        let work = self.work_left();
        let mut room = self.compiled.take().unwrap_or_default();
        room.prepare(self);
        let mut guest = Guest::new(self, room.circumstances);
        let context = &mut room.context;
        let (next, jumps_left, work_left) = code.run(entry, context, &mut guest, jumps, work);
        let Guest { withheld, stop, ends, moved, layout, circumstances, .. } = guest;
        (room.layout, room.circumstances) = (layout, circumstances);
        self.compiled = Some(room);
        self.progress.take_jumps(jumps - withheld - jumps_left);
        self.progress.take_work((work - work_left) as u64);
        if !moved {
            self.set_pc(next);
        }
        if pc == 0 {
            let change = if work != work_left { -1 } else { 1 };
            let known = vain.load(Ordering::Relaxed).saturating_add(change);
            vain.store(known.max(-PATIENCE), Ordering::Relaxed);
        }
        match stop {
            // It was executed in vain, and before it something was not.
            Some(Stop::Blocked(_) | Stop::Beyond | Stop::Waits | Stop::Pause) => Entered::Ends,
            Some(stop) => Entered::Stopped(stop),
            None if ends => Entered::Ends,
            None => Entered::Left,
        }
    }
}

impl Vm {
    /// The code of a function, if it was executed often enough; this counts.
    #[inline]
    fn hot_code(&self, func: u32) -> Option<&Code> {
        let compiled = &self.compiled;
        let heat = &compiled.heat[func as usize];
        let known = heat.load(Ordering::Relaxed);
        if known < compiled.threshold {
            heat.store(known + 1, Ordering::Relaxed);
            return None;
        }
        compiled.compiler.code(func).or_else(|| self.compile(func))
    }

    #[cold]
    fn compile(&self, func: u32) -> Option<&Code> {
        let code = self.code(func);
        let way_of = |call: u32| {
            let site = &code.function.calls[call as usize];
            match site.callee {
                Callee::Direct(id) if self.is_plain_call(id.0, site) => {
                    self.plain_callee(id.0).map_or(Way::Function, Way::To)
                }
                Callee::Direct(id) if self.is_own_business(id.0, site) => Way::Host,
                Callee::Direct(_) => Way::Left,
                Callee::Indirect(_) => Way::Function,
            }
        };
        let unit = Unit {
            func,
            function: code.function,
            liveness: code.liveness,
            way_of: &way_of,
            stack: self.frame_sizes[func as usize].fixed(),
        };
        self.compiled.compiler.compile(&unit)
    }

    /// What compiled code must know of a function to call it on its own, if it can.
    fn plain_callee(&self, func: u32) -> Option<PlainCallee> {
        let window = self.program.functions[func as usize].window() as u32;
        let stack = self.frame_sizes[func as usize].fixed()?;
        Some(PlainCallee { func, window, stack })
    }

    /// Whether a call is to a function of the library that neither waits nor lets others go on.
    fn is_own_business(&self, func: u32, site: &CallSite) -> bool {
        let builtin = self.builtins[func as usize].filter(|_| !site.returns_twice);
        builtin.is_some_and(|builtin| matches!(builtin.effect, Effect::Local | Effect::Memory))
    }

    /// Whether nothing is special about a call: it is to a function of the program with the parameters that it
    /// is given, which is no section and no atomic block.
    fn is_plain_call(&self, func: u32, site: &CallSite) -> bool {
        let Some(callee) = self.program.functions.get(func as usize) else { return false };
        let special = self.builtins[func as usize].is_some()
            || callee.is_declaration()
            || self.atomic[func as usize]
            || self.must_return[func as usize]
            || site.returns_twice
            || site.signature != callee.signature
            || self.program.signature(callee.signature).variadic;
        !special
    }
}
