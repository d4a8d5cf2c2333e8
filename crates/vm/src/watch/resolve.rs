//! From names to places in the program.

use std::fmt;

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::{Callee, DebugType, DebugTypeId, FuncId, Function, LabelName, Program, Scalar};
use exeunt_model::SectionKind;

use super::Term;
use super::read::{Syntax, read};
use crate::builtin::{self, Deed};

/// A condition of a state, ready to be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposition {
    pub text: String,
    pub(crate) term: Term,
}

/// Why a text is no proposition about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropositionError {
    pub message: String,
    pub help: String,
}

impl fmt::Display for PropositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.help)
    }
}

type Resolved<T> = Result<T, PropositionError>;

fn error<T>(message: impl Into<String>, help: impl Into<String>) -> Resolved<T> {
    Err(PropositionError { message: message.into(), help: help.into() })
}

const FUNCTION_HELP: &str =
    "what is more than this goes into a function of the program: `int idle(void) { … }`, `F idle`";

impl Proposition {
    /// Reads a proposition about this program.
    pub fn new(program: &Program, text: &str) -> Resolved<Proposition> {
        let is_function = |name: &str| program.find_function(name).is_some();
        let syntax = read(text, &is_function).map_err(|why| PropositionError {
            message: format!("`{text}` is not a proposition: {why}"),
            help: FUNCTION_HELP.to_string(),
        })?;
        let term = Resolver { program }.term(&syntax)?;
        Ok(Proposition { text: text.to_string(), term })
    }
}

struct Resolver<'p> {
    program: &'p Program,
}

/// Part of a global variable.
struct Part {
    object: ObjId,
    offset: i64,
    ty: Option<DebugTypeId>,
    name: String,
    /// The size of the object, for variables without a known type.
    bytes: u64,
}

impl Resolver<'_> {
    fn term(&self, syntax: &Syntax) -> Resolved<Term> {
        let boxed = |inner: &Syntax| Ok(Box::new(self.term(inner)?));
        Ok(match syntax {
            Syntax::Number(value) => Term::Constant(*value),
            Syntax::Not(inner) => Term::Not(boxed(inner)?),
            Syntax::Negative(inner) => Term::Negative(boxed(inner)?),
            Syntax::Binary(op, left, right) => Term::Binary(*op, boxed(left)?, boxed(right)?),
            Syntax::Name(name) => self.name(name)?,
            Syntax::Member(..) | Syntax::Index(..) => scalar(self.program, self.part(syntax)?)?,
            Syntax::Call(name, args) => {
                let args = args.iter().map(|arg| self.term(arg)).collect::<Resolved<_>>()?;
                self.call(name, args)?
            }
            Syntax::Place(name, parts) if name == "at" => self.at(parts)?,
            Syntax::Place(_, parts) => self.open(parts)?,
        })
    }

    fn name(&self, name: &str) -> Resolved<Term> {
        if let Some(part) = self.registered(name)? {
            return scalar(self.program, part);
        }
        if self.program.find_variable(name).is_some() {
            return scalar(self.program, self.global(name)?);
        }
        if self.program.find_function(name).is_some() {
            return self.call(name, Vec::new());
        }
        match self.enumerator(name) {
            Some(value) => Ok(Term::Constant(i128::from(value))),
            None if name == "true" => Ok(Term::Constant(1)),
            None if name == "false" => Ok(Term::Constant(0)),
            None => self.unknown(name),
        }
    }

    fn unknown<T>(&self, name: &str) -> Resolved<T> {
        let help = match self.similar(name) {
            Some(other) => format!("there is `{other}`"),
            None => "propositions speak of global variables, functions, enumeration constants, \
                     `at(function)` and `open(kind)`"
                .to_string(),
        };
        error(format!("there is no global variable and no function `{name}`"), help)
    }

    /// A known name that differs in case or by one letter.
    fn similar(&self, name: &str) -> Option<&str> {
        let globals = self.program.globals.iter().map(|global| &*global.name);
        let functions = self.program.functions.iter().filter(|f| !f.is_declaration());
        let names = globals.chain(functions.map(|function| &*function.name));
        names.filter(|known| !known.starts_with('.')).find(|known| near(known, name))
    }

    fn global(&self, name: &str) -> Resolved<Part> {
        let Some(id) = self.program.find_variable(name) else { return self.unknown(name) };
        let global = self.program.global(id);
        if global.thread_local {
            let message = format!("`{name}` is thread-local, so there is one for every thread");
            return error(message, "copy what matters into a global variable");
        }
        Ok(Part {
            object: ObjId::new(Space::Global, id.0),
            offset: 0,
            ty: global.ty,
            name: name.to_string(),
            bytes: global.data.len() as u64,
        })
    }

    fn part(&self, syntax: &Syntax) -> Resolved<Part> {
        match syntax {
            Syntax::Name(name) => self.global(name),
            Syntax::Member(inner, member) => {
                let part = self.part(inner)?;
                let field = part.ty.and_then(|ty| field(self.program, ty, member));
                match field {
                    Some((offset, ty)) => Ok(Part {
                        offset: part.offset + offset as i64,
                        ty: Some(ty),
                        name: format!("{}.{member}", part.name),
                        ..part
                    }),
                    None => error(
                        format!("`{}` has no member `{member}`", part.name),
                        "members are known where the program was compiled by us or with -g",
                    ),
                }
            }
            Syntax::Index(inner, index) => {
                let part = self.part(inner)?;
                let Term::Constant(index) = self.term(index)? else {
                    let message = format!("the index of `{}` is not constant", part.name);
                    return error(message, FUNCTION_HELP);
                };
                element(self.program, part, index)
            }
            _ => error("only variables have members and elements", FUNCTION_HELP),
        }
    }

    /// A name that the program gave with `exeunt_proposition`.
    fn registered(&self, name: &str) -> Resolved<Option<Part>> {
        let names = |function: &Function| {
            builtin::find(&function.name).is_some_and(|builtin| builtin.deed == Deed::Names)
        };
        let Some(register) = self.program.functions.iter().position(names) else {
            return Ok(None);
        };
        let register = FuncId(register as u32);
        for function in &self.program.functions {
            let constant = |slot: u32| {
                let at = slot.checked_sub(function.registers)? as usize;
                Some(function.constants.get(at)?.value)
            };
            let sites =
                function.calls.iter().filter(|site| site.callee == Callee::Direct(register));
            for site in sites.filter(|site| site.args.len() == 2) {
                let text = constant(site.args[0].slot).and_then(|text| self.string(text));
                if text.as_deref() != Some(name.as_bytes()) {
                    continue;
                }
                let target = constant(site.args[1].slot)
                    .filter(|target| address::object(*target).space() == Some(Space::Global));
                return match target {
                    Some(target) => Ok(Some(self.part_at(target))),
                    None => error(
                        format!(
                            "exeunt_proposition registers `{name}` for something that is no global variable"
                        ),
                        "only variables that live as long as the program can be observed",
                    ),
                };
            }
        }
        Ok(None)
    }

    fn string(&self, addr: u64) -> Option<Vec<u8>> {
        let object = address::object(addr);
        let global = self.program.globals.get(object.index() as usize)?;
        let bytes = global.data.get(address::offset(addr) as usize..)?;
        let known = object.space() == Some(Space::Global);
        known.then(|| bytes.iter().copied().take_while(|byte| *byte != 0).collect())
    }

    /// The scalar at an address of a global.
    fn part_at(&self, addr: u64) -> Part {
        let object = address::object(addr);
        let global = &self.program.globals[object.index() as usize];
        let offset = address::offset(addr);
        let mut part = Part {
            object,
            offset,
            ty: global.ty,
            name: global.name.to_string(),
            bytes: global.data.len() as u64,
        };
        let mut left = offset as u64;
        while let Some(ty) = part.ty {
            match &self.program.types[ty.0 as usize] {
                DebugType::Struct { fields, .. } => {
                    let Some(field) = fields.iter().rev().find(|f| f.offset <= left) else { break };
                    left -= field.offset;
                    part.ty = Some(field.ty);
                }
                DebugType::Array { element, element_bytes, .. } if *element_bytes > 0 => {
                    left %= element_bytes;
                    part.ty = Some(*element);
                }
                _ => break,
            }
        }
        part
    }

    fn enumerator(&self, name: &str) -> Option<i64> {
        self.program.types.iter().find_map(|ty| match ty {
            DebugType::Enum { names, .. } => {
                names.iter().find(|(_, known)| **known == *name).map(|(value, _)| *value)
            }
            _ => None,
        })
    }

    fn call(&self, name: &str, args: Vec<Term>) -> Resolved<Term> {
        let Some(id) = self.program.find_function(name) else { return self.unknown(name) };
        let function = self.program.function(id);
        if function.is_declaration() {
            return error(format!("`{name}` has no definition in the program"), FUNCTION_HELP);
        }
        let signature = self.program.signature(function.signature);
        let plain = |ty: &Scalar| matches!(ty, Scalar::Int(bits) if *bits <= 64);
        if signature.params.len() != args.len() || signature.variadic {
            let message =
                format!("`{name}` has {} parameters, not {}", signature.params.len(), args.len());
            return error(message, "a proposition passes whole numbers or nothing");
        }
        if !signature.params.iter().all(plain)
            || !matches!(&*signature.results, [one] if plain(one))
        {
            let message = format!("`{name}` is no condition: it must return a bool or an int");
            return error(message, "its parameters, if any, are whole numbers too");
        }
        Ok(Term::Call { function: id.0, args })
    }

    /// `at(worker)`, `at(2, worker)`, `at(worker:17)`.
    fn at(&self, parts: &[String]) -> Resolved<Term> {
        let (thread, rest) = thread(parts);
        let [place] = rest else {
            return error("`at` takes a function, or a thread and a function", AT_HELP);
        };
        let (name, line) = match place.rsplit_once(':') {
            // `::` is part of a name in C++.
            Some((name, line)) if !name.ends_with(':') => (name, Some(line)),
            _ => (place.as_str(), None),
        };
        let Some(id) = self.program.find_function(name) else {
            return error(format!("there is no function `{name}`"), AT_HELP);
        };
        let function = id.0;
        let line = line.map(|line| self.line(function, line)).transpose()?;
        Ok(Term::At { thread, function, line })
    }

    /// The line that a number or a label of the function stands for.
    fn line(&self, function: u32, text: &str) -> Resolved<u32> {
        let code = &self.program.functions[function as usize];
        let Ok(line) = text.parse() else { return self.label(code, text) };
        let lines = code.locs.iter().filter_map(|loc| self.program.locs.get(loc.0 as usize));
        let lines: std::collections::BTreeSet<u32> =
            lines.map(|loc| loc.line).filter(|line| *line > 0).collect();
        match lines.contains(&line) {
            true => Ok(line),
            false => {
                let known: Vec<String> = lines.iter().map(u32::to_string).collect();
                let message = format!("line {line} of `{}` has no code", code.name);
                error(message, format!("these have: {}", known.join(", ")))
            }
        }
    }

    /// The line of the code behind a label.
    fn label(&self, code: &Function, name: &str) -> Resolved<u32> {
        let line = |label: &LabelName| {
            let behind = code.locs.iter().skip(label.pc as usize);
            let locs = behind.filter_map(|loc| self.program.locs.get(loc.0 as usize));
            locs.map(|loc| loc.line).find(|line| *line > 0)
        };
        let label = code.labels.iter().find(|label| &*label.name == name);
        if let Some(line) = label.and_then(line) {
            return Ok(line);
        }
        let message = format!("`{}` has no line and no label `{name}`", code.name);
        let known: Vec<&str> = code.labels.iter().map(|label| &*label.name).collect();
        match known.is_empty() {
            true => error(message, AT_HELP),
            false => error(message, format!("its labels are: {}", known.join(", "))),
        }
    }

    /// `open(critical)`, `open(critical, m)`, `open(2, mutex-wait, m)`.
    fn open(&self, parts: &[String]) -> Resolved<Term> {
        let (thread, rest) = thread(parts);
        let (kind, name) = match rest {
            [kind] => (kind, None),
            [kind, name] => (kind, Some(name.clone())),
            _ => return error("`open` takes a kind of section", OPEN_HELP),
        };
        match kind.replace('_', "-").parse::<SectionKind>() {
            Ok(kind) => Ok(Term::Open { thread, kind, name }),
            Err(why) => error(why, OPEN_HELP),
        }
    }
}

const AT_HELP: &str =
    "write `at(worker)`, `at(worker:17)`, `at(worker:label)`, or for thread 2 `at(2, worker:17)`";
const OPEN_HELP: &str =
    "write `open(critical)`, `open(mutex-wait, m)`, or for thread 2 `open(2, critical, m)`";

/// A leading number is a thread, counted from one.
fn thread(parts: &[String]) -> (Option<u32>, &[String]) {
    match parts.split_first() {
        Some((first, rest)) => match first.parse::<u32>() {
            Ok(number) => (Some(number.saturating_sub(1)), rest),
            Err(_) => (None, parts),
        },
        None => (None, parts),
    }
}

fn field(program: &Program, ty: DebugTypeId, name: &str) -> Option<(u64, DebugTypeId)> {
    let DebugType::Struct { fields, .. } = &program.types[ty.0 as usize] else { return None };
    let own = fields.iter().find(|field| *field.name == *name);
    own.map(|field| (field.offset, field.ty)).or_else(|| {
        // Members of unnamed structs and unions belong to the one around them.
        let unnamed = fields.iter().filter(|field| field.name.is_empty());
        unnamed
            .filter_map(|outer| {
                let (offset, ty) = field(program, outer.ty, name)?;
                Some((outer.offset + offset, ty))
            })
            .next()
    })
}

fn element(program: &Program, part: Part, index: i128) -> Resolved<Part> {
    let array = part.ty.map(|ty| &program.types[ty.0 as usize]);
    let Some(&DebugType::Array { element, element_bytes, count }) = array else {
        return error(format!("`{}` is not an array", part.name), FUNCTION_HELP);
    };
    if index < 0 || index >= i128::from(count) {
        let message = format!("`{}` has {count} elements, and no element {index}", part.name);
        return error(message, "elements count from 0");
    }
    Ok(Part {
        offset: part.offset + index as i64 * element_bytes as i64,
        ty: Some(element),
        name: format!("{}[{index}]", part.name),
        ..part
    })
}

fn scalar(program: &Program, part: Part) -> Resolved<Term> {
    let (bytes, signed) = match part.ty.map(|ty| &program.types[ty.0 as usize]) {
        Some(DebugType::Int { bytes, signed }) if *bytes <= 8 => (*bytes, *signed),
        Some(DebugType::Bool) => (1, false),
        Some(DebugType::Char { signed }) => (1, *signed),
        Some(DebugType::Enum { bytes, .. }) => (*bytes, true),
        Some(DebugType::Pointer { .. }) => (8, false),
        // Without debug information: a number of the object's size.
        None if matches!(part.bytes, 1 | 2 | 4 | 8) && part.offset == 0 => (part.bytes as u8, true),
        Some(DebugType::Other { bytes }) if matches!(bytes, 1 | 2 | 4 | 8) => (*bytes as u8, true),
        // `_Atomic int` and the like: the one member counts.
        Some(DebugType::Struct { fields, .. }) if fields.len() == 1 => {
            let inner = Part { ty: Some(fields[0].ty), ..part };
            return scalar(program, inner);
        }
        _ => {
            let message = format!("`{}` is not a whole number", part.name);
            return error(message, FUNCTION_HELP);
        }
    };
    Ok(Term::Variable { object: part.object, offset: part.offset, bytes, signed })
}

/// Equal but for case, or but for one letter.
fn near(known: &str, wanted: &str) -> bool {
    if known.eq_ignore_ascii_case(wanted) {
        return true;
    }
    let (a, b): (Vec<char>, Vec<char>) = (known.chars().collect(), wanted.chars().collect());
    let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let rest = |skip_a: usize, skip_b: usize| a.get(common + skip_a..) == b.get(common + skip_b..);
    wanted.len() > 2 && a != b && (rest(1, 1) || rest(1, 0) || rest(0, 1))
}
