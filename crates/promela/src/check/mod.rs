//! Names and types: from the syntax tree to expressions over packed
//! variables. Errors are collected, not thrown, so that several are shown.

mod channel;
mod declare;
mod expression;
mod initial;
mod reference;
mod statement;
pub(crate) mod types;

use std::collections::HashMap;

use crate::Diagnostic;
use crate::claim::Claim;
use crate::code::{Cell, ProcId, Program, Site, SiteId, Space, TraceInfo, Width};
use crate::embedded::Pieces;
use crate::layout::{BYTE, Packer};
use crate::source::{Pos, Sources};
use crate::syntax::{BodyKind, Name, Proctype, Spec};

pub(crate) use expression::{MAX_CHANNELS, MAX_PROCESSES};
use types::{Struct, Variable};

/// Everything that is known by name while a model is compiled.
pub(crate) struct Checker<'a> {
    pub sources: &'a Sources,
    pub errors: Vec<Diagnostic>,
    /// What is accepted and will go wrong when it is executed.
    pub warnings: Vec<Diagnostic>,
    /// Values and set of each `mtype` name.
    pub mtype_values: HashMap<Name, (i32, Option<Name>)>,
    pub structs: Vec<Struct>,
    pub globals: HashMap<Name, Variable>,
    pub global_packer: Packer,
    pub procs: HashMap<Name, ProcId>,
    /// Parameters and locals of each process type, in the order of their
    /// declarations.
    pub locals: Vec<Vec<Variable>>,
    pub program: Program,
    /// Labels referred to from elsewhere, by [`crate::code::RemoteLabel`].
    pub remote_labels: Vec<(Name, Name, Pos)>,
    /// Compiled formulas, waiting to be listed with the other claims.
    pub formulas: Vec<Claim>,
    /// What the body now being compiled can see.
    pub scope: Scope,
    /// The C code of the model.
    pub pieces: Pieces,
}

/// The names visible in the body that is being compiled.
pub(crate) struct Scope {
    pub proc: Option<ProcId>,
    pub function: Name,
    /// Innermost last: what each block declares.
    pub blocks: Vec<HashMap<Name, usize>>,
    /// The path of block numbers to here; labels remember theirs.
    pub path: Vec<u32>,
    pub next_block: u32,
    /// The next of `locals` to be declared.
    pub next_local: usize,
}

impl Default for Scope {
    fn default() -> Self {
        Scope {
            proc: None,
            function: Name::from(""),
            blocks: Vec::new(),
            path: Vec::new(),
            next_block: 0,
            next_local: 0,
        }
    }
}

impl<'a> Checker<'a> {
    pub fn new(sources: &'a Sources) -> Self {
        Checker {
            sources,
            errors: Vec::new(),
            warnings: Vec::new(),
            mtype_values: HashMap::new(),
            structs: Vec::new(),
            globals: HashMap::new(),
            global_packer: Packer::from(crate::code::header::FIRST_GLOBAL),
            procs: HashMap::new(),
            locals: Vec::new(),
            program: Program::default(),
            remote_labels: Vec::new(),
            formulas: Vec::new(),
            scope: Scope::default(),
            pieces: Pieces::default(),
        }
    }

    pub fn error(&mut self, pos: Pos, message: impl Into<String>, help: &[&str]) {
        let location = self.sources.location(pos, &self.scope.function);
        let diagnostic = Diagnostic::new(message, location, help);
        if !self.errors.contains(&diagnostic) {
            self.errors.push(diagnostic);
        }
    }

    pub fn warn(&mut self, pos: Pos, message: impl Into<String>, help: &[&str]) {
        let location = self.sources.location(pos, &self.scope.function);
        let diagnostic = Diagnostic::new(message, location, help);
        if !self.warnings.contains(&diagnostic) {
            self.warnings.push(diagnostic);
        }
    }

    /// Declares everything of the model that has a name.
    pub fn declare(&mut self, spec: &Spec, uses_last: bool) {
        self.pieces = Pieces::new(spec);
        self.declare_mtypes(spec);
        for typedef in &spec.typedefs {
            self.declare_typedef(typedef);
        }
        for (index, proc) in spec.proctypes.iter().enumerate() {
            let id = ProcId(index as u16);
            if proc.kind == BodyKind::Proctype && self.procs.insert(proc.name.clone(), id).is_some()
            {
                let message = format!("process type `{}` is declared twice", proc.name);
                self.error(proc.pos, message, &[]);
            }
        }
        self.declare_globals(spec, uses_last);
        for (index, proc) in spec.proctypes.iter().enumerate() {
            self.declare_locals(ProcId(index as u16), proc);
        }
    }

    /// Begins the body of a process type: parameters are visible.
    pub fn enter_proc(&mut self, id: ProcId, proc: &Proctype) {
        self.scope = Scope {
            proc: Some(id),
            function: proc.name.clone(),
            blocks: vec![HashMap::new()],
            path: vec![0],
            next_block: 1,
            next_local: 0,
        };
        for _ in &proc.params {
            self.declare_next_local();
        }
    }

    /// Makes the next local variable visible from here on.
    pub fn declare_next_local(&mut self) -> usize {
        let proc = self.scope.proc.expect("inside a process type");
        let index = self.scope.next_local;
        self.scope.next_local += 1;
        let variable = &self.locals[proc.0 as usize][index];
        let (name, pos) = (variable.name.clone(), variable.pos);
        let block = self.scope.blocks.last_mut().expect("a body has a block");
        if block.insert(name.clone(), index).is_some() {
            self.error(pos, format!("variable `{name}` is declared twice in the same block"), &[]);
        }
        index
    }

    pub fn open_block(&mut self) {
        if !self.program.rules.one_scope {
            self.scope.blocks.push(HashMap::new());
        }
        self.scope.path.push(self.scope.next_block);
        self.scope.next_block += 1;
    }

    pub fn close_block(&mut self) {
        if !self.program.rules.one_scope {
            self.scope.blocks.pop();
        }
        self.scope.path.pop();
    }

    /// The variable of this name that is visible here.
    pub fn lookup(&self, name: &str) -> Option<&Variable> {
        if let Some(proc) = self.scope.proc {
            let mut blocks = self.scope.blocks.iter().rev();
            if let Some(index) = blocks.find_map(|block| block.get(name)) {
                return Some(&self.locals[proc.0 as usize][*index]);
            }
        }
        self.globals.get(name)
    }

    /// Remembers a statement for stories.
    pub fn add_site(&mut self, pos: Pos, text: &str) -> SiteId {
        let location = self.sources.location(pos, &self.scope.function);
        self.program.sites.push(Site { location, text: text.into() });
        SiteId(self.program.sites.len() as u32 - 1)
    }

    /// Looking at `_last` makes it part of the state.
    /// A trace keeps its state among the globals.
    fn reserve_trace(&mut self, spec: &Spec) {
        let traces = spec.proctypes.iter().enumerate();
        let mut traces =
            traces.filter(|(_, p)| matches!(p.kind, BodyKind::Trace | BodyKind::Notrace));
        let Some((index, trace)) = traces.next() else { return };
        if let Some((_, second)) = traces.next() {
            self.error(second.pos, "there is a second trace or notrace", &["a model has one"]);
        }
        let bits = self.global_packer.place(16, 16, 1);
        let (word, shift) = (bits / 64, (bits % 64) as u8);
        let width = Width { bits: 16, signed: false };
        self.program.trace = Some(TraceInfo {
            proc: ProcId(index as u16),
            negated: trace.kind == BodyKind::Notrace,
            cell: Cell { space: Space::Global, word, shift, width },
        });
    }

    /// The number of the memory of C code is kept in a word of its own, because it often changes alone.
    fn reserve_code(&mut self) {
        let bits = self.global_packer.place_apart(64, 1);
        let width = Width { bits: 32, signed: false };
        let cell = Cell { space: Space::Global, word: bits / 64, shift: 0, width };
        self.program.code_memory = Some(cell);
    }

    fn reserve_last(&mut self) {
        let bits = self.global_packer.place(8, 8, 1);
        let (word, shift) = (bits / 64, (bits % 64) as u8);
        self.program.last = Some(Cell { space: Space::Global, word, shift, width: BYTE });
    }
}
