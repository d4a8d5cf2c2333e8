//! The text of a proposition: C's expressions over variables and functions,
//! and `at(…)`, `open(…)`. Names are not looked up here.

use exeunt_operator::Binary;

/// A term whose names are still names.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Syntax {
    Number(i128),
    Name(String),
    Member(Box<Syntax>, String),
    Index(Box<Syntax>, Box<Syntax>),
    Call(String, Vec<Syntax>),
    /// What stands between the parentheses of `at` and `open`, by commas.
    Place(String, Vec<String>),
    Not(Box<Syntax>),
    Negative(Box<Syntax>),
    Binary(Binary, Box<Syntax>, Box<Syntax>),
}

pub(super) struct Reader<'t> {
    rest: &'t str,
    depth: u32,
    /// Whether `at(…)` is a call, because the program has such a function.
    is_function: &'t dyn Fn(&str) -> bool,
}

const DEEPEST: u32 = 100;

pub(super) fn read(text: &str, is_function: &dyn Fn(&str) -> bool) -> Result<Syntax, String> {
    let mut reader = Reader { rest: text, depth: 0, is_function };
    let term = reader.binary(1)?;
    reader.skip();
    match reader.rest {
        "" => Ok(term),
        rest => Err(format!("expected an operator, found `{rest}`")),
    }
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn accept(&mut self, sign: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        match self.accept(sign) {
            true => Ok(()),
            false => Err(format!("expected `{sign}`, found {}", self.here())),
        }
    }

    fn here(&self) -> String {
        match self.rest {
            "" => "the end".to_string(),
            rest => format!("`{rest}`"),
        }
    }

    fn binary(&mut self, weakest: u8) -> Result<Syntax, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("it is nested too deeply".to_string());
        }
        let mut left = self.unary()?;
        loop {
            self.skip();
            let found = Binary::at_start(self.rest).filter(|op| op.level() >= weakest);
            let Some(op) = found else { break };
            self.rest = &self.rest[op.sign().len()..];
            let right = self.binary(op.level() + 1)?;
            left = Syntax::Binary(op, Box::new(left), Box::new(right));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn unary(&mut self) -> Result<Syntax, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("it is nested too deeply".to_string());
        }
        self.skip();
        let term = if !self.rest.starts_with("!=") && self.accept("!") {
            Syntax::Not(Box::new(self.unary()?))
        } else if self.accept("-") {
            Syntax::Negative(Box::new(self.unary()?))
        } else {
            self.postfix()?
        };
        self.depth -= 1;
        Ok(term)
    }

    fn postfix(&mut self) -> Result<Syntax, String> {
        let mut term = self.primary()?;
        loop {
            if self.accept("[") {
                let index = self.binary(1)?;
                self.expect("]")?;
                term = Syntax::Index(Box::new(term), Box::new(index));
            } else if self.rest.starts_with("->") {
                return Err("pointers are not followed".to_string());
            } else if self.accept(".") {
                let name = self.word().ok_or_else(|| "expected a member".to_string())?;
                term = Syntax::Member(Box::new(term), name);
            } else {
                return Ok(term);
            }
        }
    }

    fn primary(&mut self) -> Result<Syntax, String> {
        if self.accept("(") {
            let term = self.binary(1)?;
            self.expect(")")?;
            return Ok(term);
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        if self.rest.starts_with('*') {
            return Err("pointers are not followed".to_string());
        }
        let Some(name) = self.word() else {
            return Err(format!(
                "expected a variable, a function or a number, found {}",
                self.here()
            ));
        };
        if !self.accept("(") {
            return Ok(Syntax::Name(name));
        }
        if matches!(name.as_str(), "at" | "open") && !(self.is_function)(&name) {
            return self.place(name);
        }
        let mut args = Vec::new();
        while !self.accept(")") {
            if !args.is_empty() {
                self.expect(",")?;
            }
            args.push(self.binary(1)?);
        }
        Ok(Syntax::Call(name, args))
    }

    fn place(&mut self, name: String) -> Result<Syntax, String> {
        let Some((inside, rest)) = self.rest.split_once(')') else {
            return Err("expected `)`, found the end".to_string());
        };
        self.rest = rest;
        let squeezed = |part: &str| part.split_whitespace().collect::<String>();
        Ok(Syntax::Place(name, inside.split(',').map(squeezed).collect()))
    }

    fn number(&mut self) -> Result<Syntax, String> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
        let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hex) => i128::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        value.map(Syntax::Number).map_err(|_| format!("`{word}` is not a number"))
    }

    fn word(&mut self) -> Option<String> {
        self.skip();
        let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = |rest: &str| rest.find(|c| !part(c)).unwrap_or(rest.len());
        let mut end = length(self.rest);
        // A name of C++ may have namespaces before it.
        while end > 0
            && let Some(behind) = self.rest[end..].strip_prefix("::")
        {
            end += 2 + length(behind);
        }
        let (word, rest) = self.rest.split_at(end);
        if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.rest = rest;
        Some(word.to_string())
    }
}
