//! Puts the modules of a program together, as a linker does with objects.
//!
//! Sources, modules and objects are taken whole. Of an archive those members are taken that define
//! a name that is missing. Shared libraries come last: what is defined before takes precedence.

use std::path::Path;

use crate::build::{self, Built, Content, Object};
use crate::clang::{self, Clang, Kind};
use crate::library::missing;
use crate::llvm::{Context, Module};
use crate::{FrontError, Inputs, entry, link_error};

pub(crate) struct Linker<'a, 'c> {
    clang: &'a Clang,
    context: &'c Context,
    inputs: &'a Inputs,
    scratch: &'a Path,
    linked: Option<Module<'c>>,
    /// Members of archives that were not needed so far.
    members: Vec<Object>,
    libraries: Vec<Object>,
    /// Machine code that is linked dynamically: other objects may be in it.
    programs: Vec<Object>,
}

impl<'a, 'c> Linker<'a, 'c> {
    pub fn new(
        clang: &'a Clang,
        context: &'c Context,
        inputs: &'a Inputs,
        scratch: &'a Path,
    ) -> Self {
        let (linked, members) = (None, Vec::new());
        let (libraries, programs) = (Vec::new(), Vec::new());
        Linker { clang, context, inputs, scratch, linked, members, libraries, programs }
    }

    pub fn add(&mut self, file: &Path) -> Result<(), FrontError> {
        if clang::kind_of(file)? != Kind::Built {
            let module = crate::module(self.clang, self.context, self.inputs, file, self.scratch)?;
            return self.link(module, file);
        }
        match build::read(file)? {
            Built::Archive(members) => match members.iter().any(|one| !one.units.is_empty()) {
                true => self.members.extend(members),
                false => return Err(FrontError::NoBitcode { name: file.display().to_string() }),
            },
            Built::Object(object) if object.dynamic && !object.defines("main") => {
                self.libraries.push(object);
            }
            Built::Object(object) => {
                let module = self.module(&object)?;
                self.link(module, file)?;
                self.needed(&object)?;
                self.programs.extend(object.dynamic.then_some(object));
            }
        }
        Ok(())
    }

    /// The program, and what is not sure to be in it.
    pub fn finish(mut self) -> Result<(Module<'c>, Vec<String>), FrontError> {
        self.take_members()?;
        while let Some(library) = self.libraries.pop() {
            let mut module = self.module(&library)?;
            module.keep_hidden_names();
            module.allow_duplicates();
            self.link(module, Path::new(&library.name))?;
            self.needed(&library)?;
            self.programs.push(library);
            self.take_members()?;
        }
        let module = self.linked.ok_or(FrontError::NoInput)?;
        let doubts = self.programs.iter().flat_map(|program| doubts(&module, program));
        let doubts = doubts.collect();
        Ok((module, doubts))
    }

    /// The shared libraries of a program that have bitcode.
    fn needed(&mut self, object: &Object) -> Result<(), FrontError> {
        for file in &object.needed {
            let known = |other: &Object| Path::new(&other.name) == file;
            if self.libraries.iter().chain(&self.programs).any(known) {
                continue;
            }
            if let Built::Object(library) = build::read(file)?
                && !library.units.is_empty()
            {
                self.libraries.push(library);
            }
        }
        Ok(())
    }

    /// Takes members of archives until none defines a name that is missing.
    fn take_members(&mut self) -> Result<(), FrontError> {
        loop {
            let wanted = self.wanted();
            let entry = self.missing_entry();
            let is_needed = |member: &Object| {
                let is_entry = |name: &String| entry.is_some_and(|e| exeunt_ir::is_meant(name, e));
                wanted.iter().any(|name| member.defines(name))
                    || member.defined.iter().any(is_entry)
            };
            let Some(at) = self.members.iter().position(is_needed) else { return Ok(()) };
            let member = self.members.remove(at);
            let module = self.module(&member)?;
            self.link(module, Path::new(&member.name))?;
        }
    }

    fn wanted(&self) -> Vec<String> {
        let mut wanted = self.linked.as_ref().map(missing).unwrap_or_default();
        let has_main = self.linked.as_ref().is_some_and(|module| {
            module.named_function(c"main").is_some_and(|main| !main.is_declaration())
        });
        let begins = self.inputs.entry.is_none() && !has_main;
        wanted.extend(begins.then(|| "main".to_string()));
        wanted
    }

    /// The function at which the program begins, if it is still to be found.
    fn missing_entry(&self) -> Option<&'a str> {
        let entry = self.inputs.entry.as_deref()?;
        let found = self.linked.as_ref().is_some_and(|module| entry::is_defined(module, entry));
        (!found).then_some(entry)
    }

    /// All bitcode of an object.
    fn module(&self, object: &Object) -> Result<Module<'c>, FrontError> {
        let name = || object.name.clone();
        let mut all: Option<Module<'c>> = None;
        for unit in &object.units {
            let bytes = match &unit.content {
                Content::Bitcode(bytes) => bytes,
                Content::Refused(why) => {
                    let (source, why) = (unit.file.clone(), why.clone());
                    return Err(FrontError::Refused { name: name(), source, why });
                }
            };
            let module = crate::read_compiled(self.context, Path::new(&object.name), bytes)?;
            match &mut all {
                None => all = Some(module),
                Some(all) => {
                    all.link(module).map_err(|why| link_error(Path::new(&unit.file), &why))?;
                }
            }
        }
        all.ok_or_else(|| FrontError::NoBitcode { name: name() })
    }

    fn link(&mut self, module: Module<'c>, file: &Path) -> Result<(), FrontError> {
        match &mut self.linked {
            None => self.linked = Some(module),
            Some(all) => all.link(module).map_err(|why| link_error(file, &why))?,
        }
        Ok(())
    }
}

impl Object {
    fn defines(&self, name: &str) -> bool {
        self.defined.contains(name)
    }
}

/// What a program has and its bitcode has not: objects that another compiler made. A function of
/// theirs that is called and that we do not know is reported when it is reached; here are those that
/// would go unnoticed.
fn doubts(module: &Module<'_>, program: &Object) -> Vec<String> {
    let name = &program.name;
    let mut doubts = Vec::new();
    for function in missing(module).iter().filter(|one| program.functions.contains(*one)) {
        let function = exeunt_ir::readable(function);
        doubts.push(format!(
            "{name} defines `{function}`, and has no bitcode of it: it was not compiled by exeunt"
        ));
    }
    // Every program has one of its own, which the C library adds.
    let own = 1 + crate::lower::rows_of(module, c"llvm.global_ctors").len();
    if program.constructors > own {
        doubts.push(format!(
            "{name} runs {} functions before main, and has no bitcode of all of them",
            program.constructors - 1
        ));
    }
    doubts
}
