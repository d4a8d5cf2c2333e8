//! Programs to text.

use std::fmt::{Display, Write};

use super::insts;
use super::lexer::quote;
use crate::{
    Arg, CallSite, Callee, Clause, Const, DebugType, FuncId, Function, Global, LocId, Pad, Pc,
    Program, Scalar, Signature, Slot, VariablePlace,
};

pub(super) fn program(program: &Program) -> String {
    let mut out = String::from("exeunt-ir 1\n\n");
    for (id, file) in program.files.iter().enumerate() {
        line(&mut out, format_args!("file {id} {}", quote(file)));
    }
    for (id, loc) in program.locs.iter().enumerate() {
        let inlined = loc.inlined.map(|frame| format!(" in !{}", frame.call.0)).unwrap_or_default();
        let (file, row, column) = (loc.file, loc.line, loc.column);
        let function = quote(&loc.function);
        line(&mut out, format_args!("loc !{id} {file} {row} {column} {function}{inlined}"));
    }
    for (id, ty) in program.types.iter().enumerate() {
        line(&mut out, format_args!("type {id} {}", debug_type(ty)));
    }
    for (id, signature) in program.signatures.iter().enumerate() {
        line(&mut out, format_args!("signature {id} {}", signature_text(signature)));
    }
    for (id, global) in program.globals.iter().enumerate() {
        print_global(&mut out, id, global);
    }
    if let Some(FuncId(main)) = program.main {
        line(&mut out, format_args!("main {main}"));
    }
    program.constructors.iter().for_each(|f| line(&mut out, format_args!("constructor {}", f.0)));
    program.destructors.iter().for_each(|f| line(&mut out, format_args!("destructor {}", f.0)));
    for caveat in &program.caveats {
        line(&mut out, format_args!("caveat {}", quote(caveat)));
    }
    for (id, function) in program.functions.iter().enumerate() {
        print_function(&mut out, program, id, function);
    }
    out
}

/// Writing to a `String` cannot fail.
fn line(out: &mut String, text: impl Display) {
    let _ = writeln!(out, "{text}");
}

pub(super) fn scalar(ty: Scalar) -> String {
    match ty {
        Scalar::Int(bits) => format!("i{bits}"),
        Scalar::Ptr => "ptr".into(),
        Scalar::F32 => "f32".into(),
        Scalar::F64 => "f64".into(),
        Scalar::F80 => "f80".into(),
    }
}

fn signature_text(signature: &Signature) -> String {
    let list = |types: &[Scalar]| types.iter().map(|ty| scalar(*ty)).collect::<Vec<_>>().join(" ");
    let variadic = if signature.variadic { " variadic" } else { "" };
    format!("({}) ({}){variadic}", list(&signature.params), list(&signature.results))
}

fn debug_type(ty: &DebugType) -> String {
    match ty {
        DebugType::Int { bytes, signed } => format!("int {bytes} {}", sign(*signed)),
        DebugType::Bool => "bool".into(),
        DebugType::Char { signed } => format!("char {}", sign(*signed)),
        DebugType::Float { bytes } => format!("float {bytes}"),
        DebugType::Pointer { to: None } => "pointer".into(),
        DebugType::Pointer { to: Some(to) } => format!("pointer to {}", to.0),
        DebugType::Enum { bytes, names } => {
            let mut text = format!("enum {bytes} {{");
            for (value, name) in names {
                let _ = write!(text, " {value} {}", quote(name));
            }
            text + " }"
        }
        DebugType::Struct { name, bytes, fields } => {
            let mut text = format!("struct {} {bytes} {{", quote(name));
            for field in fields {
                let _ = write!(text, " {} {} {}", field.offset, quote(&field.name), field.ty.0);
            }
            text + " }"
        }
        DebugType::Array { element, element_bytes, count } => {
            format!("array {} {element_bytes} {count}", element.0)
        }
        DebugType::Other { bytes } => format!("other {bytes}"),
    }
}

fn sign(signed: bool) -> &'static str {
    if signed { "signed" } else { "unsigned" }
}

// ---- globals ----------------------------------------------------------------------

fn print_global(out: &mut String, id: usize, global: &Global) {
    let mut text = format!("global {id} {} {}", quote(&global.name), global.data.len());
    let flags = [
        (global.constant, "constant"),
        (global.thread_local, "thread_local"),
        (global.external, "external"),
    ];
    for (on, word) in flags {
        if on {
            let _ = write!(text, " {word}");
        }
    }
    if global.loc != LocId::NONE {
        let _ = write!(text, " loc !{}", global.loc.0);
    }
    if let Some(ty) = global.ty {
        let _ = write!(text, " type {}", ty.0);
    }
    if global.data.iter().any(|&byte| byte != 0) {
        let _ = write!(text, " data {}", bytes(&global.data));
    }
    if !global.undefined.is_empty() {
        // A mask of another length would not be a mask, but it is kept.
        let _ = write!(text, " undefined {} {}", global.undefined.len(), bytes(&global.undefined));
    }
    line(out, text);
}

/// The runs of bytes that are not zero, each with its offset.
fn bytes(data: &[u8]) -> String {
    let mut text = String::from("{");
    let mut at = 0;
    while let Some(skip) = data[at..].iter().position(|&byte| byte != 0) {
        let start = at + skip;
        // Up to four zeros inside a run cost less than a new one.
        let mut end = start;
        while end < data.len() && data[end..data.len().min(end + 4)].iter().any(|&b| b != 0) {
            end += 1;
        }
        let _ = write!(text, " {start} ");
        data[start..end].iter().for_each(|byte| {
            let _ = write!(text, "{byte:02x}");
        });
        at = end;
    }
    text + " }"
}

// ---- functions --------------------------------------------------------------------

fn print_function(out: &mut String, program: &Program, id: usize, function: &Function) {
    let mut head = format!("\nfunction {id} {}", quote(&function.name));
    let _ = write!(head, " signature {}", function.signature.0);
    if function.loc != LocId::NONE {
        let _ = write!(head, " loc !{}", function.loc.0);
    }
    if function.must_return {
        head.push_str(" must_return");
    }
    if function.library {
        head.push_str(" library");
    }
    if *function == bare(function) {
        line(out, head);
        return;
    }
    let _ = write!(head, " params {} registers {} {{", function.params, function.registers);
    line(out, head);
    tables(out, function);
    for (pc, inst) in function.code.iter().enumerate() {
        let mut text = Line { function, text: format!("  {pc:4}:") };
        insts::put(inst, &mut text);
        if let Some(loc) = function.locs.get(pc).filter(|loc| **loc != LocId::NONE) {
            let place = program.location(*loc).map(|place| format!("  ; {place}"));
            // A comment ends with its line, whatever files are called.
            let place = place.map(|place| place.replace(char::is_control, "?"));
            let _ = write!(text.text, "  !{}{}", loc.0, place.unwrap_or_default());
        }
        line(out, text.text);
    }
    line(out, "}");
}

/// The function as it would be without a body.
fn bare(function: &Function) -> Function {
    Function {
        loc: function.loc,
        must_return: function.must_return,
        library: function.library,
        ..Function::declaration(function.name.clone(), function.signature)
    }
}

fn tables(out: &mut String, function: &Function) {
    for (id, constant) in function.constants.iter().enumerate() {
        line(out, format_args!("  const {id} {}", constant_text(*constant)));
    }
    for (id, list) in function.lists.iter().enumerate() {
        let mut text = Line { function, text: format!("  list {id} [") };
        list.iter().for_each(|&slot| text.slot(slot));
        line(out, text.text + " ]");
    }
    for (id, call) in function.calls.iter().enumerate() {
        line(out, call_text(function, id, call));
    }
    for (id, pad) in function.pads.iter().enumerate() {
        line(out, pad_text(function, id, pad));
    }
    for (id, switch) in function.switches.iter().enumerate() {
        let mut text = format!("  switch {id} @{} {{", switch.default);
        for (value, pc) in switch.cases.iter() {
            let _ = write!(text, " {value} @{pc}");
        }
        line(out, text + " }");
    }
    for pc in &function.label_targets {
        line(out, format_args!("  label @{pc}"));
    }
    for (id, what) in function.unsupported.iter().enumerate() {
        line(out, format_args!("  unsupported {id} {}", quote(what)));
    }
    for local in &function.locals {
        let ty = local.ty.map(|ty| format!(" type {}", ty.0)).unwrap_or_default();
        line(out, format_args!("  local @{} {}{ty}", local.pc, quote(&local.name)));
    }
    for row in &function.variables {
        let ty = row.ty.map(|ty| format!(" type {}", ty.0)).unwrap_or_default();
        let place = match row.place {
            VariablePlace::Register(slot) => format!("register %{slot}"),
            VariablePlace::Constant(value) => format!("constant {value}"),
            VariablePlace::Gone => "gone".to_string(),
        };
        let name = quote(&row.name);
        line(out, format_args!("  variable @{} {} {name}{ty} {place}", row.pc, row.variable));
    }
    for label in &function.labels {
        line(out, format_args!("  named @{} {}", label.pc, quote(&label.name)));
    }
}

fn constant_text(constant: Const) -> String {
    match constant.undefined {
        0 => constant.value.to_string(),
        mask => format!("{} undefined {mask:#x}", constant.value),
    }
}

fn call_text(function: &Function, id: usize, call: &CallSite) -> String {
    let mut text = Line { function, text: format!("  call {id}") };
    match call.callee {
        Callee::Direct(FuncId(callee)) => {
            text.word("function");
            text.number(callee);
        }
        Callee::Indirect(slot) => {
            text.word("pointer");
            text.slot(slot);
        }
    }
    text.word("signature");
    text.number(call.signature.0);
    text.word("(");
    for Arg { slot, ty, by_value, place } in call.args.iter() {
        text.word(&scalar(*ty));
        text.slot(*slot);
        if *by_value != 0 {
            text.word("copy");
            text.number(by_value);
        }
        if let Some(place) = place {
            text.word("at");
            text.number(place);
        }
    }
    text.word(")");
    if call.result.is_some() || call.result_slots != 0 {
        text.word("to");
        match call.result {
            Some(slot) => text.slot(slot),
            None => text.word("none"),
        }
        text.number(call.result_slots);
    }
    if call.returns_twice {
        text.word("returns_twice");
    }
    if let Some(pad) = call.pad {
        text.word("unwinds");
        text.number(pad);
    }
    text.text
}

fn pad_text(function: &Function, id: usize, pad: &Pad) -> String {
    let mut text = Line { function, text: format!("  pad {id}") };
    text.pc(pad.to);
    text.word("to");
    text.slot(pad.received);
    if pad.cleanup {
        text.word("cleanup");
    }
    text.word("{");
    for clause in pad.clauses.iter() {
        match clause {
            Clause::Catch(slot) => {
                text.word("catch");
                text.slot(*slot);
            }
            Clause::Filter(slots) => {
                text.word("filter");
                text.number(slots.len());
                slots.iter().for_each(|slot| text.slot(*slot));
            }
        }
    }
    text.word("}");
    text.text
}

/// A line of code that is being written.
pub(super) struct Line<'f> {
    function: &'f Function,
    text: String,
}

impl Line<'_> {
    pub fn word(&mut self, word: &str) {
        let _ = write!(self.text, " {word}");
    }

    pub fn number(&mut self, number: impl Display) {
        let _ = write!(self.text, " {number}");
    }

    pub fn flag(&mut self, name: &str, on: bool) {
        let _ = write!(self.text, " {}{name}", if on { '+' } else { '-' });
    }

    pub fn pc(&mut self, pc: Pc) {
        let _ = write!(self.text, " @{pc}");
    }

    pub fn slot(&mut self, slot: Slot) {
        let Some(index) = slot.checked_sub(self.function.registers) else {
            let _ = write!(self.text, " %{slot}");
            return;
        };
        let _ = match self.function.constants.get(index as usize) {
            Some(Const { value, undefined: 0 }) if *value < 1 << 32 => {
                write!(self.text, " #{index}={value}")
            }
            Some(Const { value, undefined: 0 }) => write!(self.text, " #{index}={value:#x}"),
            Some(_) => write!(self.text, " #{index}=undefined"),
            None => write!(self.text, " #{index}"),
        };
    }
}
