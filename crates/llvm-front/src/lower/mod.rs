//! From an LLVM module to a [`Program`].
//!
//! Lowering never fails because of a construct it does not know: that becomes
//! an `Unsupported` instruction, which matters only if it is reached. Values
//! are flattened to scalar leaves; every leaf has its own slot (or pair), and
//! operations that only rename bits (`bitcast`, `zext`, `extractvalue`…)
//! produce no code at all.
//!
//! One file for each family of instructions.

mod asm;
mod body;
mod calls;
mod constants;
mod control;
mod copies;
mod debug;
mod exceptions;
mod floats;
mod globals;
mod huge;
mod intrinsics;
mod ints;
mod layout;
mod locked;
mod memory;
mod varargs;
mod vectors;

pub(crate) use exceptions::RESUME;
pub(crate) use globals::rows_of;

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::Arc;

use exeunt_ir::{FuncId, Function, GlobalId, Pc, Program, SigId, Signature};

use crate::FrontError;
use crate::llvm::{Block, Module, Type, Value};
use constants::PendingLabel;
use debug::Debug;
pub(crate) use debug::tidy;
use layout::Leaves;

/// What cannot be expressed, in words that follow "unsupported: ".
#[derive(Clone, Debug)]
pub(crate) struct Unsupported(pub String);

pub(crate) type Lowered<T> = Result<T, Unsupported>;

fn unsupported<T>(what: impl Into<String>) -> Lowered<T> {
    Err(Unsupported(what.into()))
}

/// Lowers a verified module. `directory` is where the compiler ran: file
/// names relative to it are kept as they are. `include` has our own headers.
/// With `library_frames` code in headers of libraries has its own positions.
pub(crate) fn module(
    module: &Module<'_>,
    directory: &str,
    include: &str,
    library_frames: bool,
) -> Result<Program, FrontError> {
    let mut unit = Unit::new(module, Debug::new(directory, include, library_frames));
    unit.declare_globals()?;
    unit.declare_functions();
    for (function, id) in unit.definitions() {
        let lowered = body::lower(&mut unit, function, id);
        unit.program.functions[id.0 as usize] = lowered;
    }
    unit.resolve_labels();
    unit.initialise_globals();
    unit.special_globals();
    unit.finish()
}

/// Marks functions of the C++ library (a text attribute of LLVM's).
pub(crate) const LIBRARY: &str = "exeunt-library";

/// The state of lowering one module.
struct Unit<'m> {
    module: &'m Module<'m>,
    program: Program,
    functions: HashMap<Value<'m>, FuncId>,
    globals: HashMap<Value<'m>, GlobalId>,
    signatures: HashMap<Signature, SigId>,
    leaves: RefCell<HashMap<Type<'m>, Lowered<Leaves>>>,
    debug: Debug<'m>,
    /// Where the label of a block is, for blocks whose address is taken.
    labels: HashMap<Block<'m>, (FuncId, Pc)>,
    pending: Vec<PendingLabel<'m>>,
    /// The names of the labels of the source, if they have been asked for.
    label_names: Option<HashMap<u32, String>>,
}

impl<'m> Unit<'m> {
    fn new<'c>(module: &'m Module<'c>, debug: Debug<'m>) -> Unit<'m>
    where
        'c: 'm,
    {
        Unit {
            module,
            program: Program::default(),
            functions: HashMap::new(),
            globals: HashMap::new(),
            signatures: HashMap::new(),
            leaves: RefCell::default(),
            debug,
            labels: HashMap::new(),
            pending: Vec::new(),
            label_names: None,
        }
    }

    fn declare_functions(&mut self) {
        for function in self.module.functions() {
            if function.intrinsic_id() != 0 {
                continue;
            }
            let signature = self.signature_of(function.value_type());
            let mut declared = Function::declaration(Arc::from(function.name()), signature);
            declared.loc = self.function_loc(function);
            declared.library = function.has_text_attribute(LIBRARY);
            self.functions.insert(function, FuncId(self.program.functions.len() as u32));
            self.program.functions.push(declared);
        }
    }

    fn function_named(&self, name: &CStr) -> Option<FuncId> {
        self.functions.get(&self.module.named_function(name)?).copied()
    }

    /// The name of a label of the source. Few programs have any, so the names
    /// are looked for when the first one is met.
    fn label_name(&mut self, node: u32) -> Option<Arc<str>> {
        let names = self.label_names.get_or_insert_with(|| self.module.label_names());
        names.get(&node).map(|name| Arc::from(name.as_str()))
    }

    /// Functions with a body, in the module's order.
    fn definitions(&self) -> Vec<(Value<'m>, FuncId)> {
        self.module
            .functions()
            .filter(|function| !function.is_declaration())
            .filter_map(|function| Some((function, *self.functions.get(&function)?)))
            .collect()
    }

    /// The flattened signature of a function type. One that cannot be
    /// expressed is empty; code that uses it is `Unsupported` anyway.
    fn signature_of(&mut self, ty: Type<'m>) -> SigId {
        let mut params = Vec::new();
        for param in ty.params() {
            params.extend(self.scalars(param).unwrap_or_default());
        }
        let results = self.scalars(ty.return_type()).unwrap_or_default();
        let signature = Signature {
            params: params.into(),
            results: results.into(),
            variadic: ty.is_variadic(),
        };
        let program = &mut self.program;
        *self.signatures.entry(signature).or_insert_with_key(|signature| {
            program.signatures.push(signature.clone());
            SigId(program.signatures.len() as u32 - 1)
        })
    }

    fn finish(mut self) -> Result<Program, FrontError> {
        let main = self.module.named_function(c"main").filter(|main| !main.is_declaration());
        self.program.main = main.and_then(|main| self.functions.get(&main)).copied();
        if !self.module.inline_asm().trim().is_empty() {
            let text = "assembly at file level is not executed".to_string();
            self.program.caveats.push(text);
        }
        self.debug.finish(self.module, &mut self.program);
        Ok(self.program)
    }
}
