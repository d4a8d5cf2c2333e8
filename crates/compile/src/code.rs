//! Compiled functions, and the compiler that owns their code.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use cranelift_codegen::ir::{AbiParam, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module};
use exeunt_ir::liveness::Liveness;
use exeunt_ir::{Function, Pc};

use crate::context::{Context, Host, asked};
use crate::emit;

/// A function that is to be compiled.
pub struct Unit<'u> {
    pub func: u32,
    pub function: &'u Function,
    pub liveness: &'u Liveness,
    /// How the call of a row is made, as far as that is known before.
    pub way_of: &'u dyn Fn(u32) -> Way,
    /// What its frame takes of the stack of its thread, if that is always the same.
    pub stack: Option<u32>,
}

/// How compiled code makes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It does not, and is left in front of it.
    Left,
    /// It goes to a function that may be compiled.
    Function,
    To(Callee),
    /// The host makes it, and control comes back as a rule.
    Host,
}

/// A function whose frames take so many registers and constants, and so many bytes of the stack of their thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Callee {
    pub func: u32,
    pub window: u32,
    pub stack: u32,
}

type Start = unsafe extern "C" fn(*mut Context, u64) -> u64;

/// A compiled function.
pub struct Code {
    start: Start,
    /// By instruction: the number of the place where the code can be entered.
    entries: Box<[u32]>,
}

const NO_ENTRY: u32 = u32::MAX;

impl Code {
    pub(crate) fn address(&self) -> usize {
        self.start as usize
    }

    /// The place at which the code is entered at an instruction, if there is one.
    #[inline]
    pub fn entry(&self, pc: Pc) -> Option<u32> {
        let entry = self.entries[pc as usize];
        (entry != NO_ENTRY).then_some(entry)
    }

    /// Runs the code from an entry, whose live registers are defined, with at most so many backward jumps and so
    /// much work. Gives the next instruction of the frame that is on top then, and what is left of both. What the
    /// tables of the context say must hold: whoever has changed memory since the last run has them forget it.
    pub fn run(
        &self,
        entry: u32,
        context: &mut Context,
        host: &mut dyn Host,
        jumps: u64,
        work: i64,
    ) -> (Pc, u64, i64) {
        // SAFETY: only for as long as this function runs; `end` forgets it. No panic gets here before.
        let host = unsafe { std::mem::transmute::<&mut dyn Host, &'static mut dyn Host>(host) };
        context.begin(host, jumps, work);
        // SAFETY: the code was made for this type of function, and lives as long as its compiler, which
        // this is a part of. It accesses the context, the window of the frame on top, whose length it
        // was compiled for, and memory that the host has put into the tables.
        unsafe { (self.start)(context, entry.into()) };
        context.end()
    }
}

/// Functions that the code of all others may call.
pub(crate) struct Helpers {
    pub load: FuncId,
    pub store: FuncId,
    pub stored: FuncId,
    pub points: FuncId,
    pub points_whole: FuncId,
    pub compute: FuncId,
    pub act: FuncId,
    pub call: FuncId,
    pub leave: FuncId,
}

/// Functions with more registers, each of which may need a place on our own stack, are not compiled.
const MOST_REGISTERS: u32 = 1 << 10;
/// Nor are functions with more instructions: that would take longer than it saves.
const MOST_CODE: usize = 1 << 13;

struct Backend {
    module: JITModule,
    helpers: Helpers,
    scratch: FunctionBuilderContext,
}

/// Compiles functions of one program.
pub struct Compiler {
    backend: Mutex<Option<Backend>>,
    codes: Box<[OnceLock<Option<Code>>]>,
    /// By function: where its code begins; zero if there is none yet. Compiled code looks here.
    starts: Box<[AtomicUsize]>,
}

impl Compiler {
    /// For a program with so many functions.
    pub fn new(functions: usize) -> Compiler {
        Compiler {
            backend: Mutex::new(None),
            codes: (0..functions).map(|_| OnceLock::new()).collect(),
            starts: (0..functions).map(|_| AtomicUsize::new(0)).collect(),
        }
    }

    /// The code of a function, if it was compiled and could be.
    #[inline]
    pub fn code(&self, func: u32) -> Option<&Code> {
        self.codes[func as usize].get()?.as_ref()
    }

    /// Compiles a function, unless that was tried before.
    pub fn compile(&self, unit: &Unit<'_>) -> Option<&Code> {
        let code = self.codes[unit.func as usize].get_or_init(|| {
            let mut backend = self.backend.lock().unwrap_or_else(PoisonError::into_inner);
            if backend.is_none() {
                *backend = Backend::new();
            }
            backend.as_mut()?.compile(unit, self.starts.as_ptr() as usize)
        });
        let code = code.as_ref()?;
        self.starts[unit.func as usize].store(code.address(), Ordering::Release);
        Some(code)
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        let backend = self.backend.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(backend) = backend.take() {
            // SAFETY: code runs only while somebody borrows its compiler.
            unsafe { backend.module.free_memory() };
        }
    }
}

impl Backend {
    /// `None` on machines that Cranelift has no code for.
    fn new() -> Option<Backend> {
        let mut flags = settings::builder();
        flags.set("opt_level", "speed").ok()?;
        flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }).ok()?;
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let mut builder = JITBuilder::with_isa(isa, cranelift_module::default_libcall_names());
        let symbols: [(&str, *const u8); 9] = [
            ("load", asked::load as *const u8),
            ("store", asked::store as *const u8),
            ("stored", asked::stored as *const u8),
            ("points", asked::points as *const u8),
            ("points_whole", asked::points_whole as *const u8),
            ("compute", asked::compute as *const u8),
            ("act", asked::act as *const u8),
            ("call", asked::call as *const u8),
            ("leave", asked::leave as *const u8),
        ];
        for (name, address) in symbols {
            builder.symbol(name, address);
        }
        let mut module = JITModule::new(builder);
        let mut signature = module.make_signature();
        signature.params.extend([AbiParam::new(types::I64); 2]);
        signature.returns.push(AbiParam::new(types::I64));
        let mut three = signature.clone();
        three.params.push(AbiParam::new(types::I64));
        let points = module.declare_function("points", Linkage::Import, &three).ok()?;
        let points_whole = module.declare_function("points_whole", Linkage::Import, &three).ok()?;
        let mut import =
            |name: &str| module.declare_function(name, Linkage::Import, &signature).ok();
        let helpers = Helpers {
            load: import("load")?,
            store: import("store")?,
            stored: import("stored")?,
            points,
            points_whole,
            compute: import("compute")?,
            act: import("act")?,
            call: import("call")?,
            leave: import("leave")?,
        };
        Some(Backend { module, helpers, scratch: FunctionBuilderContext::new() })
    }

    fn compile(&mut self, unit: &Unit<'_>, starts: usize) -> Option<Code> {
        if unit.function.registers > MOST_REGISTERS || unit.function.code.len() > MOST_CODE {
            return None;
        }
        let mut context = self.module.make_context();
        context.func.signature.params.extend([AbiParam::new(types::I64); 2]);
        context.func.signature.returns.push(AbiParam::new(types::I64));
        let entries = emit::function(
            unit,
            starts,
            &mut self.module,
            &self.helpers,
            &mut context.func,
            &mut self.scratch,
        );
        let id = self.module.declare_anonymous_function(&context.func.signature).ok()?;
        self.module.define_function(id, &mut context).ok()?;
        self.module.finalize_definitions().ok()?;
        let address = self.module.get_finalized_function(id);
        // SAFETY: the function was declared with the signature of `Start`.
        let start = unsafe { std::mem::transmute::<*const u8, Start>(address) };
        let mut by_pc = vec![NO_ENTRY; unit.function.code.len()].into_boxed_slice();
        for (number, pc) in entries.into_iter().enumerate() {
            by_pc[pc as usize] = number as u32;
        }
        Some(Code { start, entries: by_pc })
    }
}
