//! Text to programs.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use super::insts;
use super::lexer::{Lexer, Parsed, Token};
use super::words::Word;
use crate::{
    Arg, CallSite, Callee, Clause, Const, DebugField, DebugType, DebugTypeId, FuncId, Function,
    Global, InlineFrame, LabelName, Loc, LocId, LocalName, Pad, Pc, Program, Scalar, SigId,
    Signature, Slot, SwitchTable, VariableName, VariablePlace, address,
};

pub(super) fn program(text: &str) -> Parsed<Program> {
    let mut reader = Reader { lexer: Lexer::new(text), registers: 0 };
    reader.expect_word("exeunt-ir")?;
    if reader.number::<u32>()? != 1 {
        return reader.fail("only version 1 of the text form is known");
    }
    let mut program = Program::default();
    while reader.lexer.peek()?.is_some() {
        reader.item(&mut program)?;
    }
    Ok(program)
}

/// Reads items and knows how slots of the current function are numbered.
pub(super) struct Reader<'t> {
    lexer: Lexer<'t>,
    registers: u32,
}

// ---- tokens -----------------------------------------------------------------------

impl Reader<'_> {
    pub fn fail<T>(&self, what: impl Into<String>) -> Parsed<T> {
        self.lexer.fail(what)
    }

    fn wrong<T>(&self, token: Option<Token>, wanted: &str) -> Parsed<T> {
        match token {
            Some(token) => self.fail(format!("{token} where {wanted} should be")),
            None => self.fail(format!("the text ends where {wanted} should be")),
        }
    }

    pub fn word(&mut self) -> Parsed<String> {
        match self.lexer.next()? {
            Some(Token::Word(word)) => Ok(word),
            other => self.wrong(other, "a word"),
        }
    }

    fn text(&mut self) -> Parsed<Arc<str>> {
        match self.lexer.next()? {
            Some(Token::Text(text)) => Ok(Arc::from(text)),
            other => self.wrong(other, "a quoted text"),
        }
    }

    fn expect_word(&mut self, wanted: &str) -> Parsed<()> {
        match self.lexer.next()? {
            Some(Token::Word(word)) if word == wanted => Ok(()),
            other => self.wrong(other, &format!("`{wanted}`")),
        }
    }

    fn expect(&mut self, mark: char) -> Parsed<()> {
        match self.lexer.next()? {
            Some(Token::Mark(found)) if found == mark => Ok(()),
            other => self.wrong(other, &format!("`{mark}`")),
        }
    }

    /// Takes a word or mark if it is the next token.
    fn accept(&mut self, wanted: &str) -> Parsed<bool> {
        let here = match self.lexer.peek()? {
            Some(Token::Word(word)) => word == wanted,
            Some(Token::Mark(mark)) => wanted.chars().eq([*mark]),
            _ => false,
        };
        if here {
            self.lexer.next()?;
        }
        Ok(here)
    }

    fn parse<T: FromStr<Err: Display>>(&self, digits: &str) -> Parsed<T> {
        digits.parse().or_else(|error| self.fail(format!("`{digits}`: {error}")))
    }

    pub fn number<T: FromStr<Err: Display>>(&mut self) -> Parsed<T> {
        let word = self.word()?;
        self.parse(&word)
    }

    /// A number behind a sigil.
    fn marked(&mut self, sigil: char) -> Parsed<u32> {
        let word = self.word()?;
        match word.strip_prefix(sigil) {
            Some(digits) => self.parse(digits),
            None => self.fail(format!("`{word}` where `{sigil}…` should be")),
        }
    }

    pub fn pc(&mut self) -> Parsed<Pc> {
        self.marked('@')
    }

    fn loc(&mut self) -> Parsed<LocId> {
        self.marked('!').map(LocId)
    }

    pub fn slot(&mut self) -> Parsed<Slot> {
        let word = self.word()?;
        if let Some(digits) = word.strip_prefix('%') {
            return self.parse(digits);
        }
        let Some(constant) = word.strip_prefix('#') else {
            return self.fail(format!("`{word}` where a slot should be"));
        };
        let index: u32 = self.parse(constant.split('=').next().unwrap_or_default())?;
        let slot = self.registers.checked_add(index);
        slot.map_or_else(|| self.fail(format!("`{word}`: there are no so many slots")), Ok)
    }

    pub fn flag(&mut self, name: &str) -> Parsed<bool> {
        let word = self.word()?;
        match word.split_at_checked(1) {
            Some(("+", rest)) if rest == name => Ok(true),
            Some(("-", rest)) if rest == name => Ok(false),
            _ => self.fail(format!("`{word}` where `+{name}` or `-{name}` should be")),
        }
    }

    pub fn table_word<T: Word>(&mut self) -> Parsed<T> {
        let word = self.word()?;
        T::from_word(&word).map_or_else(|| self.fail(format!("unknown word `{word}`")), Ok)
    }

    /// Items are numbered for the reader's sake; the numbers must be right.
    fn row(&mut self, rows: usize) -> Parsed<()> {
        let number: usize = self.number()?;
        self.check_row(number, rows)
    }

    fn check_row(&self, number: usize, rows: usize) -> Parsed<()> {
        if number == rows {
            return Ok(());
        }
        self.fail(format!("number {number} where {rows} should be"))
    }
}

// ---- items ------------------------------------------------------------------------

impl Reader<'_> {
    fn item(&mut self, program: &mut Program) -> Parsed<()> {
        let word = self.word()?;
        match word.as_str() {
            "file" => {
                self.row(program.files.len())?;
                program.files.push(self.text()?);
            }
            "loc" => {
                let LocId(id) = self.loc()?;
                self.check_row(id as usize, program.locs.len())?;
                program.locs.push(self.position()?);
            }
            "type" => {
                self.row(program.types.len())?;
                program.types.push(self.debug_type()?);
            }
            "signature" => {
                self.row(program.signatures.len())?;
                program.signatures.push(self.signature()?);
            }
            "global" => {
                self.row(program.globals.len())?;
                program.globals.push(self.global()?);
            }
            "main" => program.main = Some(FuncId(self.number()?)),
            "constructor" => program.constructors.push(FuncId(self.number()?)),
            "destructor" => program.destructors.push(FuncId(self.number()?)),
            "caveat" => program.caveats.push(self.text()?.to_string()),
            "function" => {
                self.row(program.functions.len())?;
                program.functions.push(self.function()?);
            }
            _ => return self.fail(format!("there is no item `{word}`")),
        }
        Ok(())
    }

    fn position(&mut self) -> Parsed<Loc> {
        Ok(Loc {
            file: self.number()?,
            line: self.number()?,
            column: self.number()?,
            function: self.text()?,
            inlined: match self.accept("in")? {
                true => Some(InlineFrame { call: self.loc()? }),
                false => None,
            },
        })
    }

    fn signed(&mut self) -> Parsed<bool> {
        let word = self.word()?;
        match word.as_str() {
            "signed" => Ok(true),
            "unsigned" => Ok(false),
            _ => self.fail(format!("`{word}` where `signed` or `unsigned` should be")),
        }
    }

    fn debug_type(&mut self) -> Parsed<DebugType> {
        let word = self.word()?;
        Ok(match word.as_str() {
            "int" => DebugType::Int { bytes: self.number()?, signed: self.signed()? },
            "bool" => DebugType::Bool,
            "char" => DebugType::Char { signed: self.signed()? },
            "float" => DebugType::Float { bytes: self.number()? },
            "pointer" => {
                let typed = self.accept("to")?;
                let to = typed.then(|| self.number().map(DebugTypeId)).transpose()?;
                DebugType::Pointer { to }
            }
            "enum" => {
                let bytes = self.number()?;
                self.expect('{')?;
                let mut names = Vec::new();
                while !self.accept("}")? {
                    names.push((self.number()?, self.text()?));
                }
                DebugType::Enum { bytes, names }
            }
            "struct" => {
                let (name, bytes) = (self.text()?, self.number()?);
                self.expect('{')?;
                let mut fields = Vec::new();
                while !self.accept("}")? {
                    let (offset, name) = (self.number()?, self.text()?);
                    fields.push(DebugField { name, offset, ty: DebugTypeId(self.number()?) });
                }
                DebugType::Struct { name, bytes, fields }
            }
            "array" => DebugType::Array {
                element: DebugTypeId(self.number()?),
                element_bytes: self.number()?,
                count: self.number()?,
            },
            "other" => DebugType::Other { bytes: self.number()? },
            _ => return self.fail(format!("there is no type `{word}`")),
        })
    }

    fn scalar(&mut self) -> Parsed<Scalar> {
        let word = self.word()?;
        match word.as_str() {
            "ptr" => Ok(Scalar::Ptr),
            "f32" => Ok(Scalar::F32),
            "f64" => Ok(Scalar::F64),
            "f80" => Ok(Scalar::F80),
            _ => match word.strip_prefix('i').map(|bits| self.parse::<u8>(bits)) {
                Some(Ok(bits @ 1..=128)) => Ok(Scalar::Int(bits)),
                _ => self.fail(format!("there is no scalar `{word}`")),
            },
        }
    }

    fn signature(&mut self) -> Parsed<Signature> {
        let (params, results) = (self.scalars()?, self.scalars()?);
        Ok(Signature { params, results, variadic: self.accept("variadic")? })
    }

    fn scalars(&mut self) -> Parsed<Box<[Scalar]>> {
        self.expect('(')?;
        let mut types = Vec::new();
        while !self.accept(")")? {
            types.push(self.scalar()?);
        }
        Ok(types.into())
    }

    // ---- globals ------------------------------------------------------------------

    fn global(&mut self) -> Parsed<Global> {
        let name = self.text()?;
        let size = self.object_size()?;
        let mut global = Global {
            name,
            data: Vec::new(),
            undefined: Vec::new(),
            constant: self.accept("constant")?,
            thread_local: self.accept("thread_local")?,
            external: self.accept("external")?,
            loc: if self.accept("loc")? { self.loc()? } else { LocId::NONE },
            ty: self.type_reference()?,
        };
        global.data = match self.accept("data")? {
            true => self.bytes(size)?,
            false => vec![0; size],
        };
        if self.accept("undefined")? {
            let size = self.object_size()?;
            global.undefined = self.bytes(size)?;
        }
        Ok(global)
    }

    fn type_reference(&mut self) -> Parsed<Option<DebugTypeId>> {
        Ok(if self.accept("type")? { Some(DebugTypeId(self.number()?)) } else { None })
    }

    fn object_size(&mut self) -> Parsed<usize> {
        let size: u64 = self.number()?;
        if size > address::MAX_OBJECT {
            return self.fail(format!("no object may have {size} bytes"));
        }
        Ok(size as usize)
    }

    fn bytes(&mut self, size: usize) -> Parsed<Vec<u8>> {
        let mut data = vec![0; size];
        self.expect('{')?;
        while !self.accept("}")? {
            let start: usize = self.number()?;
            let digits = self.word()?;
            let Some(run) = hexadecimal(&digits) else {
                return self.fail(format!("`{digits}` where bytes should be"));
            };
            let end = start.checked_add(run.len());
            match end.and_then(|end| data.get_mut(start..end)) {
                Some(place) => place.copy_from_slice(&run),
                None => return self.fail("bytes outside of their object"),
            }
        }
        Ok(data)
    }

    // ---- functions ----------------------------------------------------------------

    fn function(&mut self) -> Parsed<Function> {
        let name = self.text()?;
        self.expect_word("signature")?;
        let mut function = Function::declaration(name, SigId(self.number()?));
        if self.accept("loc")? {
            function.loc = self.loc()?;
        }
        function.must_return = self.accept("must_return")?;
        function.library = self.accept("library")?;
        if self.accept("params")? {
            function.params = self.number()?;
            self.expect_word("registers")?;
            function.registers = self.number()?;
            self.registers = function.registers;
            self.expect('{')?;
            while !self.accept("}")? {
                self.row_of_function(&mut function)?;
            }
        }
        Ok(function)
    }

    fn row_of_function(&mut self, function: &mut Function) -> Parsed<()> {
        let word = self.word()?;
        match word.as_str() {
            "const" => {
                self.row(function.constants.len())?;
                function.constants.push(self.constant()?);
            }
            "list" => {
                self.row(function.lists.len())?;
                self.expect('[')?;
                let mut slots = Vec::new();
                while !self.accept("]")? {
                    slots.push(self.slot()?);
                }
                function.lists.push(slots.into());
            }
            "call" => {
                self.row(function.calls.len())?;
                function.calls.push(self.call()?);
            }
            "pad" => {
                self.row(function.pads.len())?;
                function.pads.push(self.pad()?);
            }
            "switch" => {
                self.row(function.switches.len())?;
                function.switches.push(self.switch()?);
            }
            "label" => function.label_targets.push(self.pc()?),
            "unsupported" => {
                self.row(function.unsupported.len())?;
                function.unsupported.push(self.text()?);
            }
            "local" => function.locals.push(LocalName {
                pc: self.pc()?,
                name: self.text()?,
                ty: self.type_reference()?,
            }),
            "variable" => function.variables.push(VariableName {
                pc: self.pc()?,
                variable: self.number()?,
                name: self.text()?,
                ty: self.type_reference()?,
                place: self.variable_place()?,
            }),
            "named" => {
                let (pc, name) = (self.pc()?, self.text()?);
                function.labels.push(LabelName { name, pc });
            }
            _ => self.code_line(&word, function)?,
        }
        Ok(())
    }

    fn variable_place(&mut self) -> Parsed<VariablePlace> {
        let word = self.word()?;
        match word.as_str() {
            "register" => Ok(VariablePlace::Register(self.slot()?)),
            "constant" => Ok(VariablePlace::Constant(self.number()?)),
            "gone" => Ok(VariablePlace::Gone),
            _ => self.fail(format!("`{word}` is no place of a variable")),
        }
    }

    fn code_line(&mut self, word: &str, function: &mut Function) -> Parsed<()> {
        let Some(number) = word.strip_suffix(':') else {
            return self.fail(format!("`{word}` means nothing in a function"));
        };
        let number: usize = self.parse(number)?;
        self.check_row(number, function.code.len())?;
        let inst = insts::take(self)?;
        function.code.push(inst);
        let positioned = matches!(self.lexer.peek()?, Some(Token::Word(w)) if w.starts_with('!'));
        function.locs.push(if positioned { self.loc()? } else { LocId::NONE });
        Ok(())
    }

    fn constant(&mut self) -> Parsed<Const> {
        let value = self.number()?;
        let mut undefined = 0;
        if self.accept("undefined")? {
            let mask = self.word()?;
            let parsed = mask.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16));
            match parsed {
                Some(Ok(mask)) => undefined = mask,
                _ => return self.fail(format!("`{mask}` where a mask should be")),
            }
        }
        Ok(Const { value, undefined })
    }

    fn switch(&mut self) -> Parsed<SwitchTable> {
        let default = self.pc()?;
        self.expect('{')?;
        let mut cases = Vec::new();
        while !self.accept("}")? {
            cases.push((self.number()?, self.pc()?));
        }
        Ok(SwitchTable { cases: cases.into(), default })
    }

    fn call(&mut self) -> Parsed<CallSite> {
        let kind = self.word()?;
        let callee = match kind.as_str() {
            "function" => Callee::Direct(FuncId(self.number()?)),
            "pointer" => Callee::Indirect(self.slot()?),
            _ => return self.fail(format!("`{kind}` where a callee should be")),
        };
        self.expect_word("signature")?;
        let signature = SigId(self.number()?);
        self.expect('(')?;
        let mut args = Vec::new();
        while !self.accept(")")? {
            let (ty, slot) = (self.scalar()?, self.slot()?);
            let by_value = if self.accept("copy")? { self.number()? } else { 0 };
            let place = if self.accept("at")? { Some(self.number()?) } else { None };
            args.push(Arg { slot, ty, by_value, place });
        }
        let (mut result, mut result_slots) = (None, 0);
        if self.accept("to")? {
            if !self.accept("none")? {
                result = Some(self.slot()?);
            }
            result_slots = self.number()?;
        }
        let returns_twice = self.accept("returns_twice")?;
        let pad = if self.accept("unwinds")? { Some(self.number()?) } else { None };
        let args = args.into();
        Ok(CallSite { callee, args, result, result_slots, signature, returns_twice, pad })
    }

    fn pad(&mut self) -> Parsed<Pad> {
        let to = self.pc()?;
        self.expect_word("to")?;
        let received = self.slot()?;
        let cleanup = self.accept("cleanup")?;
        self.expect('{')?;
        let mut clauses = Vec::new();
        while !self.accept("}")? {
            let word = self.word()?;
            clauses.push(match word.as_str() {
                "catch" => Clause::Catch(self.slot()?),
                "filter" => {
                    let count: u32 = self.number()?;
                    let slots: Parsed<Vec<_>> = (0..count).map(|_| self.slot()).collect();
                    Clause::Filter(slots?.into())
                }
                _ => return self.fail(format!("`{word}` where a clause should be")),
            });
        }
        Ok(Pad { to, received, cleanup, clauses: clauses.into() })
    }
}

fn hexadecimal(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) || !digits.is_ascii() {
        return None;
    }
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).ok()).collect()
}
