//! The C file that holds the C code of a model.
//!
//! The variables of the model are fields of `now` and, for a process type `P`, of what `PP` points
//! to, as in SPIN. Each piece of code is a function. Its beginning copies the values of variables from an array,
//! its end copies them back and clears the fields, so that between calls the memory of the C code
//! holds nothing that the model has itself.
//!
//! Only variables that the code can name are copied. It can name those whose names stand in it, or in the code
//! that belongs to no process; all of them, if some code of the model can reach variables in another way. Should code
//! change a variable that was not copied all the same, that is noticed, and nothing is concluded.

use std::fmt::Write;
use std::sync::Arc;

use exeunt_model::Location;

use super::{EmbeddedSource, FunctionId, PROCESS, START, VALUES, scan};
use crate::check::Checker;
use crate::check::types::Type;
use crate::code::{Cell, NamedCell, ProcId};
use crate::source::{Pos, Sources};
use crate::syntax::{
    BodyKind, Code, EmbeddedScope, EmbeddedUnit, Spec, TypeName, VarDecl, Visibility,
};

/// What SPIN's verifiers have included, and the names that they define.
const PRELUDE: &str = "\
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include \"exeunt.h\"
#define uchar unsigned char
#define uint unsigned int
#define Printf printf
";

/// What SPIN calls the number of running processes.
const RUNNING: &str = "_nr_pr";

/// Processes have numbers below this.
const MOST_PROCESSES: usize = crate::check::MAX_PROCESSES;

/// What a piece of code is for.
pub(crate) enum Purpose<'c> {
    /// It is executed, if its condition holds.
    Execute(Option<&'c Code>),
    /// It is an expression of which a number is wanted, or only whether it holds.
    Value,
    Truth,
}

/// The pieces of C code of a model, collected while it is compiled.
#[derive(Default)]
pub(crate) struct Pieces {
    units: Vec<EmbeddedUnit>,
    /// The text of the functions so far.
    text: String,
    functions: Vec<String>,
    first: Option<Location>,
    /// Global variables may be reached without their names.
    reaches_all: bool,
}

impl Pieces {
    pub fn new(spec: &Spec) -> Self {
        let functions = vec![START.to_string()];
        let reaches_all = reaches_all(spec);
        Pieces { units: spec.embedded.clone(), functions, reaches_all, ..Pieces::default() }
    }

    fn add(&mut self, name: String) -> FunctionId {
        self.functions.push(name);
        FunctionId(self.functions.len() as u32 - 1)
    }

    /// Texts in which names of variables may stand, whichever code runs.
    fn shared(&self) -> impl Iterator<Item = &str> {
        self.units.iter().flat_map(|unit| {
            let (first, second): (&str, &str) = match unit {
                EmbeddedUnit::Declare(code) | EmbeddedUnit::Define(code) => (&code.text, ""),
                EmbeddedUnit::State { init, .. } => (init.as_deref().unwrap_or(""), ""),
                EmbeddedUnit::Track { address, size, .. } => (&address.text, size),
            };
            [first, second]
        })
    }

    pub(super) fn is_local(&self, proc: &str) -> bool {
        self.locals(proc).next().is_some()
    }

    /// The declarations of what each process of a type has, with their initial values.
    fn locals(&self, proc: &str) -> impl Iterator<Item = (&Code, Option<&Arc<str>>)> {
        self.units.iter().filter_map(move |unit| match unit {
            EmbeddedUnit::State { declaration, scope: EmbeddedScope::Local(of), init }
                if **of == *proc =>
            {
                Some((declaration, init.as_ref()))
            }
            _ => None,
        })
    }
}

/// Texts that can name variables.
struct Mentioned<'t> {
    texts: Vec<&'t str>,
}

impl Mentioned<'_> {
    fn has(&self, variable: &str) -> bool {
        self.texts.iter().any(|text| scan::names(text).any(|(name, _)| name == variable))
    }

    /// Whether something is used as a whole, and not only its fields.
    fn has_whole(&self, whole: &str) -> bool {
        let mut names = self.texts.iter().flat_map(|text| scan::names(text));
        names.any(|(name, behind)| name == whole && !behind.starts_with("->"))
    }
}

/// Whether C code of a model may reach global variables without their names: through `now` as a whole,
/// through addresses, by names that are put together or that come from files of the user.
fn reaches_all(spec: &Spec) -> bool {
    let whole = |decl: &&VarDecl| decl.length.is_some() || matches!(decl.ty, TypeName::User(_));
    let fields = spec.typedefs.iter().flat_map(|typedef| &typedef.fields);
    let parts: Vec<&str> =
        spec.globals.iter().chain(fields).filter(whole).map(|v| &*v.name).collect();
    let hidden = || {
        let is_hidden = |v: &&VarDecl| v.visibility == Visibility::Hidden;
        spec.globals.iter().filter(is_hidden).map(|variable| &*variable.name)
    };
    spec.codes.iter().any(|text| {
        let as_whole = |(name, behind): (&str, &str)| match name {
            "now" => !behind.starts_with('.'),
            name => parts.contains(&name) && !behind.starts_with(['[', '.']),
        };
        text.contains("##")
            || scan::takes_address_of(text, "now")
            || hidden().any(|name| scan::takes_address_of(text, name))
            || scan::includes_files(text)
            || scan::names(text).any(as_whole)
    })
}

/// The name of the variable that a scalar is a part of.
fn root(name: &str) -> &str {
    name.split(['[', '.']).next().unwrap_or(name)
}

impl Checker<'_> {
    /// A function for a piece of code, with the variables whose values it gets.
    pub(crate) fn add_code(
        &mut self,
        code: &Code,
        purpose: &Purpose<'_>,
    ) -> (FunctionId, Vec<Cell>, bool) {
        let proc = self.scope.proc.filter(|proc| self.has_frame(*proc));
        let location = self.sources.location(code.pos, &self.scope.function);
        self.pieces.first.get_or_insert(location);
        let passed = self.passed(code, purpose, proc);
        let counts = self.pieces.reaches_all || self.mentioned(code, purpose).has(RUNNING);
        let number = self.pieces.functions.len();
        let mut text = String::new();
        let condition = match purpose {
            Purpose::Execute(condition) => *condition,
            Purpose::Value | Purpose::Truth => None,
        };
        if let Some(condition) = condition {
            function_of(&mut text, &format!("static int exeunt_c_if_{number}"), |text| {
                expression(text, condition, self.sources, true);
            });
        }
        let executes = matches!(purpose, Purpose::Execute(_));
        let ty = if executes { "void" } else { "int" };
        function_of(
            &mut text,
            &format!("static {ty} exeunt_c_body_{number}"),
            |text| match purpose {
                Purpose::Execute(_) => own_text(text, code, self.sources),
                Purpose::Value => expression(text, code, self.sources, false),
                Purpose::Truth => expression(text, code, self.sources, true),
            },
        );
        let name = format!("exeunt_c_{number}");
        let frame = proc.map(|proc| self.frame_of(proc));
        function_of(&mut text, &format!("int {name}"), |text| {
            let _ = writeln!(text, "int result = 1;");
            if let Some((pointer, place)) = &frame {
                let _ = writeln!(text, "{pointer} = {place}; {pointer}->_pid = {PROCESS};");
            }
            for (at, (variable, _)) in passed.iter().enumerate() {
                let _ = writeln!(text, "{variable} = {VALUES}[{at}];");
            }
            if counts {
                let _ = writeln!(text, "now.{RUNNING} = {VALUES}[{}];", passed.len());
            }
            let guard =
                condition.map_or(String::new(), |_| format!("if (exeunt_c_if_{number}()) "));
            let _ = match executes {
                true => writeln!(text, "{guard}{{ exeunt_c_body_{number}(); result = 0; }}"),
                false => writeln!(text, "result = exeunt_c_body_{number}();"),
            };
            for (at, (variable, _)) in passed.iter().enumerate() {
                let _ = writeln!(text, "{VALUES}[{at}] = {variable};");
            }
            if counts {
                let _ = writeln!(text, "{VALUES}[{}] = now.{RUNNING};", passed.len());
                let _ = writeln!(text, "now.{RUNNING} = 0;");
            }
            clear(text, &passed);
            if let Some((pointer, _)) = &frame {
                let _ = writeln!(text, "{pointer}->_pid = 0; {pointer} = 0;");
            }
            if executes {
                text.push_str("exeunt_c_track();\n");
                let own = "offsetof(struct exeunt_c_now, exeunt_c_states)";
                let _ = writeln!(text, "if (memcmp(&now, exeunt_c_zero, {own})) return -1;");
            }
            text.push_str("return result;\n");
        });
        self.pieces.text.push_str(&text);
        let id = self.pieces.add(name);
        (id, passed.into_iter().map(|(_, cell)| cell).collect(), counts)
    }

    /// Process types whose variables C code can see.
    fn has_frame(&self, proc: ProcId) -> bool {
        let name = &self.program.procs[proc.0 as usize].name;
        self.procs.contains_key(name) || &**name == "init"
    }

    /// The pointer to the variables of a process, and where they are.
    fn frame_of(&self, proc: ProcId) -> (String, String) {
        let name = &self.program.procs[proc.0 as usize].name;
        let at = if self.pieces.is_local(name) { PROCESS } else { "0" };
        (format!("P{name}"), format!("&exeunt_c_frames_{name}[{at}]"))
    }

    /// The texts that can name variables for a piece of code.
    fn mentioned<'t>(&'t self, code: &'t Code, purpose: &Purpose<'t>) -> Mentioned<'t> {
        let mut texts: Vec<&str> = self.pieces.shared().collect();
        texts.push(&code.text);
        if let Purpose::Execute(Some(condition)) = purpose {
            texts.push(&condition.text);
        }
        Mentioned { texts }
    }

    /// The variables whose values are passed, as C names them.
    fn passed(
        &mut self,
        code: &Code,
        purpose: &Purpose<'_>,
        proc: Option<ProcId>,
    ) -> Vec<(String, Cell)> {
        let mentioned = self.mentioned(code, purpose);
        let all = self.pieces.reaches_all;
        let mut passed = Vec::new();
        for NamedCell { name, cell, .. } in &self.program.variables {
            if all || mentioned.has(root(name)) {
                let hidden = cell.word >= self.program.global_words;
                let place = if hidden { name.to_string() } else { format!("now.{name}") };
                passed.push((place, *cell));
            }
        }
        let mut twice = None;
        if let Some(proc) = proc {
            let pointer = self.frame_of(proc).0;
            let all = self.pieces.reaches_all || mentioned.has_whole(&pointer);
            let variables = &self.program.procs[proc.0 as usize].variables;
            let mut known: Vec<&str> = Vec::new();
            for NamedCell { name, cell, .. } in variables {
                if name.starts_with(':') || !(all || mentioned.has(root(name))) {
                    continue;
                }
                if known.contains(&&**name) {
                    twice = Some(name.clone());
                    continue;
                }
                known.push(name);
                passed.push((format!("{pointer}->{name}"), *cell));
            }
        }
        if let Some(name) = twice {
            let message =
                format!("C code cannot tell apart the variables `{name}` of this process");
            self.error(code.pos, message, &["give one of them another name"]);
        }
        passed
    }

    /// Adds the functions that begin and end processes which have variables of `c_state`.
    pub(crate) fn add_lives(&mut self, spec: &Spec) -> Vec<Option<(FunctionId, FunctionId)>> {
        for unit in self.pieces.units.clone() {
            if let EmbeddedUnit::State { declaration, scope: EmbeddedScope::Local(name), .. } = unit
                && !self.procs.contains_key(&name)
                && !(&*name == "init" && spec.proctypes.iter().any(|p| p.kind == BodyKind::Init))
            {
                let message = format!("there is no process type `{name}`");
                self.error(declaration.pos, message, &[]);
            }
        }
        let names: Vec<Arc<str>> = spec.proctypes.iter().map(|proc| proc.name.clone()).collect();
        names.iter().map(|name| self.pieces.is_local(name).then(|| self.add_life(name))).collect()
    }

    fn add_life(&mut self, name: &str) -> (FunctionId, FunctionId) {
        let place = format!("exeunt_c_frames_{name}[{PROCESS}]");
        let mut text = String::new();
        let (begin, end) = (format!("exeunt_c_begin_{name}"), format!("exeunt_c_end_{name}"));
        function_of(&mut text, &format!("int {begin}"), |text| {
            for (declaration, init) in self.pieces.locals(name) {
                if let Some(init) = init {
                    let variable = declared(&declaration.text);
                    mark(text, declaration.pos, self.sources);
                    let _ = writeln!(text, "{place}.{variable} = {init};");
                }
            }
            unmark(text);
            text.push_str("return 0;\n");
        });
        function_of(&mut text, &format!("int {end}"), |text| {
            let _ = writeln!(text, "memset(&{place}, 0, sizeof {place});\nreturn 0;");
        });
        self.pieces.text.push_str(&text);
        (self.pieces.add(begin), self.pieces.add(end))
    }

    /// The whole file.
    pub(crate) fn code_file(&self, spec: &Spec) -> EmbeddedSource {
        let mut text = PRELUDE.to_string();
        unmark(&mut text);
        let mut ignores = Vec::new();
        for unit in &self.pieces.units {
            if let EmbeddedUnit::Declare(code) = unit {
                own_text(&mut text, code, self.sources);
            }
        }
        for unit in &self.pieces.units {
            if let EmbeddedUnit::State { declaration, scope: EmbeddedScope::Hidden, init } = unit {
                let init = init.as_ref().map_or(String::new(), |init| format!(" = {init}"));
                mark(&mut text, declaration.pos, self.sources);
                let _ = writeln!(text, "{}{init};", declaration.text);
                unmark(&mut text);
                ignores.push(format!("`{}`", declared(&declaration.text)));
            }
        }
        self.structures(spec, &mut text);
        for unit in &self.pieces.units {
            if let EmbeddedUnit::Define(code) = unit {
                own_text(&mut text, code, self.sources);
            }
        }
        self.tracking(&mut text, &mut ignores);
        text.push_str(&self.pieces.text);
        text.push_str("int main(void) { return 0; }\n");
        let first = |unit: &EmbeddedUnit| match unit {
            EmbeddedUnit::Declare(code)
            | EmbeddedUnit::Define(code)
            | EmbeddedUnit::State { declaration: code, .. }
            | EmbeddedUnit::Track { address: code, .. } => self.sources.location(code.pos, ""),
        };
        let location = self.pieces.units.first().map(first).or(self.pieces.first.clone());
        let (functions, own) = (self.pieces.functions.clone(), self.own_names(spec));
        EmbeddedSource {
            text,
            functions,
            ignores,
            own,
            passing: self.passing_names(spec),
            location,
        }
    }

    /// The variables of the model as C has them.
    fn structures(&self, spec: &Spec, text: &mut String) {
        for structure in &self.structs {
            let _ = writeln!(text, "struct {} {{", structure.name);
            for field in &structure.fields {
                self.field(text, &field.name, &field.ty, field.length);
            }
            text.push_str("};\n");
        }
        let hidden = |name: &str| {
            let variable = &self.globals[name];
            variable.base / 64 >= self.program.global_words
        };
        text.push_str("static struct exeunt_c_now {\n");
        let known: Vec<_> = spec.globals.iter().filter_map(|v| self.globals.get(&v.name)).collect();
        for variable in known.iter().filter(|variable| !hidden(&variable.name)) {
            self.field(text, &variable.name, &variable.ty, variable.length);
        }
        let _ = writeln!(text, "unsigned char {RUNNING};");
        text.push_str("char exeunt_c_states;\n");
        for unit in &self.pieces.units {
            if let EmbeddedUnit::State { declaration, scope: EmbeddedScope::Global, .. } = unit {
                mark(text, declaration.pos, self.sources);
                let _ = writeln!(text, "{};", declaration.text);
                unmark(text);
            }
        }
        text.push_str("} now;\nstatic const char exeunt_c_zero[sizeof now];\n");
        for variable in known.iter().filter(|variable| hidden(&variable.name)) {
            // Outside of a structure there are no fields of bits.
            let whole = Type::Number(crate::layout::INT);
            let ty = if variable.ty.width().is_some() { &whole } else { &variable.ty };
            self.field(text, &variable.name, ty, variable.length);
        }
        let _ = writeln!(text, "int {PROCESS};");
        for (index, proc) in spec.proctypes.iter().enumerate() {
            if self.has_frame(ProcId(index as u16)) {
                self.process(index, &proc.name, text);
            }
        }
        let most = self.program.variables.len()
            + self.program.procs.iter().map(|proc| proc.variables.len()).max().unwrap_or(0);
        let _ = writeln!(text, "int {VALUES}[{}];", most + 2);
    }

    fn process(&self, index: usize, name: &str, text: &mut String) {
        let _ = writeln!(text, "struct exeunt_c_process_{name} {{\nint _pid;");
        let mut known: Vec<&str> = Vec::new();
        for variable in &self.locals[index] {
            if !variable.name.starts_with(':') && !known.contains(&&*variable.name) {
                known.push(&variable.name);
                self.field(text, &variable.name, &variable.ty, variable.length);
            }
        }
        for (declaration, _) in self.pieces.locals(name) {
            mark(text, declaration.pos, self.sources);
            let _ = writeln!(text, "{};", declaration.text);
            unmark(text);
        }
        let count = if self.pieces.is_local(name) { MOST_PROCESSES } else { 1 };
        let _ = writeln!(text, "}} exeunt_c_frames_{name}[{count}], *P{name};");
    }

    /// A variable as SPIN declares it in C.
    fn field(&self, text: &mut String, name: &str, ty: &Type, length: Option<u32>) {
        let brackets = length.map_or(String::new(), |length| format!("[{length}]"));
        let _ = match ty {
            Type::Struct(id) => {
                writeln!(text, "struct {} {name}{brackets};", self.structs[id.0].name)
            }
            Type::Mtype(_) | Type::Chan => writeln!(text, "unsigned char {name}{brackets};"),
            Type::Number(width) => match (width.bits, width.signed, length) {
                (8, false, _) => writeln!(text, "unsigned char {name}{brackets};"),
                (16, true, _) => writeln!(text, "short {name}{brackets};"),
                (_, true, _) => writeln!(text, "int {name}{brackets};"),
                (bits, false, None) => writeln!(text, "unsigned {name} : {bits};"),
                (_, false, Some(_)) => writeln!(text, "unsigned {name}{brackets};"),
            },
        };
    }

    /// What is not compared is told to the machine: at the start, and again behind each piece
    /// of code, because an address may have changed.
    fn tracking(&self, text: &mut String, ignores: &mut Vec<String>) {
        function_of(text, "static void exeunt_c_track", |text| {
            for unit in &self.pieces.units {
                if let EmbeddedUnit::Track { address, size, matched: false } = unit {
                    ignores.push(format!("`{}`", address.text));
                    let place = format!("exeunt_c_place_{}", ignores.len());
                    mark(text, address.pos, self.sources);
                    let _ =
                        writeln!(text, "const void *{place} = (const void *)({});", address.text);
                    let _ = writeln!(text, "if ({place}) exeunt_ignore({place}, {size});");
                    unmark(text);
                }
            }
        });
        function_of(text, &format!("int {START}"), |text| {
            for unit in &self.pieces.units {
                let EmbeddedUnit::State { declaration, scope, init } = unit else { continue };
                let name = declared(&declaration.text);
                mark(text, declaration.pos, self.sources);
                match (scope, init) {
                    (EmbeddedScope::Global, Some(init)) => {
                        let _ = writeln!(text, "now.{name} = {init};");
                    }
                    (EmbeddedScope::Hidden, _) => {
                        let _ = writeln!(text, "exeunt_ignore(&{name}, sizeof {name});");
                    }
                    (EmbeddedScope::Global, None) | (EmbeddedScope::Local(_), _) => {}
                }
                unmark(text);
            }
            text.push_str("exeunt_c_track();\nreturn 0;\n");
        });
    }
}

/// Sets variables to zero, with what lies between their fields.
fn clear(text: &mut String, passed: &[(String, Cell)]) {
    let mut cleared: Vec<&str> = Vec::new();
    for (variable, _) in passed {
        let prefix = variable.find("->").map(|at| at + 2).or(variable.find('.').map(|at| at + 1));
        let prefix = prefix.filter(|_| variable.starts_with("now.") || variable.contains("->"));
        let prefix = prefix.unwrap_or(0);
        let whole = &variable[..prefix + root(&variable[prefix..]).len()];
        if cleared.contains(&whole) {
            continue;
        }
        cleared.push(whole);
        let _ = match whole.len() == variable.len() {
            true => writeln!(text, "{whole} = 0;"),
            false => writeln!(text, "memset(&{whole}, 0, sizeof {whole});"),
        };
    }
}

fn function_of(text: &mut String, name: &str, body: impl FnOnce(&mut String)) {
    let _ = writeln!(text, "{name}(void) {{");
    body(text);
    text.push_str("}\n");
}

/// The name that a declaration of C declares.
fn declared(declaration: &str) -> &str {
    let before = declaration.split(['[', '=']).next().unwrap_or(declaration);
    // A pointer to a function has its name in the first brackets.
    let before = match before.split_once("(*") {
        Some((_, inside)) => inside.split(')').next().unwrap_or(inside),
        None => before,
    };
    scan::names(before).last().map_or("", |(name, _)| name)
}

/// Says that what follows is the user's text from here.
fn mark(text: &mut String, pos: Pos, sources: &Sources) {
    let location = sources.location(pos, "");
    let file = location.file.replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(text, "\n#line {} \"{file}\"", location.line.max(1));
}

/// Says that what follows is ours.
fn unmark(text: &mut String) {
    text.push_str("\n#line 1 \"<embedded C>\"\n");
}

/// C code at its place: lines and columns are those of the model.
fn own_text(text: &mut String, code: &Code, sources: &Sources) {
    mark(text, code.pos, sources);
    text.extend(std::iter::repeat_n(' ', code.pos.column.saturating_sub(1) as usize));
    text.push_str(&scan::for_compiler(&code.text));
    unmark(text);
}

fn expression(text: &mut String, code: &Code, sources: &Sources, truth: bool) {
    text.push_str(if truth { "return !!(" } else { "return (" });
    let inner = Code { text: code.text.trim_end().trim_end_matches(';').into(), pos: code.pos };
    own_text(text, &inner, sources);
    text.push_str(");\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_declaration_is_found() {
        assert_eq!(declared("struct node *head"), "head");
        assert_eq!(declared("int table[SIZE][2]"), "table");
        assert_eq!(declared("int (*call)(int, char *)"), "call");
        assert_eq!(declared("extern unsigned long x = 3"), "x");
    }
}
