//! Tokens to syntax tree, by recursive descent.
//!
//! An error is recorded where it is seen, and parsing goes on at the next
//! statement, so that one run shows several.

mod declaration;
mod embedded;
mod expression;
mod formula;
mod inline;
mod statement;
mod unit;

use std::collections::{HashMap, HashSet};

use crate::Diagnostic;
use crate::lexer::{Tok, Token};
use crate::source::{Pos, Sources};
use crate::syntax::{Name, Spec, VarRef};

use inline::Inline;

/// The error itself is already in the parser's list.
pub(crate) struct Bad;

pub(crate) type Parsed<T> = Result<T, Bad>;

/// How deep parts may be nested; far more than people write by hand.
const MOST_NESTED: u32 = 1000;

/// Parses a whole model, or says what is wrong with it.
pub fn parse(tokens: Vec<Token>, sources: &Sources) -> Result<Spec, Vec<Diagnostic>> {
    let named_after = |keyword: &str| -> HashSet<Name> {
        let pairs = tokens.windows(2).filter(|pair| pair[0].is_name(keyword));
        pairs.filter_map(|pair| name_of(&pair[1])).collect()
    };
    let mut processes = named_after("proctype");
    processes.extend(named_after("D_proctype"));
    let mut parser = Parser {
        typedefs: named_after("typedef"),
        processes,
        tokens,
        next: 0,
        sources,
        errors: Vec::new(),
        depth: 0,
        too_deep: None,
        inlines: HashMap::new(),
        expanding: Vec::new(),
        returns: Vec::new(),
        function: Name::from(""),
        spec: Spec::default(),
    };
    parser.units();
    if let Some(error) = parser.too_deep {
        return Err(vec![error]);
    }
    if parser.errors.is_empty() { Ok(parser.spec) } else { Err(parser.errors) }
}

fn name_of(token: &Token) -> Option<Name> {
    match &token.tok {
        Tok::Name(name) => Some(name.clone()),
        _ => None,
    }
}

pub(crate) struct Parser<'a> {
    tokens: Vec<Token>,
    next: usize,
    sources: &'a Sources,
    errors: Vec<Diagnostic>,
    /// How many parts are being parsed within each other.
    depth: u32,
    /// There were too many: all other errors come from giving up there.
    too_deep: Option<Diagnostic>,
    typedefs: HashSet<Name>,
    processes: HashSet<Name>,
    inlines: HashMap<Name, Inline>,
    /// Inlines being expanded, each with the number of tokens behind its end.
    expanding: Vec<(Name, usize)>,
    /// What `return` assigns to, for each inline being expanded as a value.
    returns: Vec<(Option<VarRef>, usize)>,
    function: Name,
    spec: Spec,
}

/// Words that cannot be names of variables, labels or processes.
const RESERVED: [&str; 68] = [
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "D_proctype",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
    "nonprogress",
    "_",
    "c_init",
    "D_step",
];

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn ahead(&self, distance: usize) -> &Token {
        &self.tokens[(self.next + distance).min(self.tokens.len() - 1)]
    }

    fn pos(&self) -> Pos {
        self.peek().pos
    }

    fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        if self.next < self.tokens.len() - 1 {
            self.next += 1;
        }
        token
    }

    fn sign(&self, sign: &str) -> bool {
        self.peek().is(sign)
    }

    fn word(&self, word: &str) -> bool {
        self.peek().is_name(word)
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = self.sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.accept(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    fn at_end(&self) -> bool {
        self.peek().tok == Tok::End
    }

    /// A name that is not a word of the language.
    fn name(&mut self, what: &str) -> Parsed<(Name, Pos)> {
        let pos = self.pos();
        match &self.peek().tok {
            Tok::Name(name) if !RESERVED.contains(&&**name) => {
                let name = name.clone();
                self.advance();
                Ok((name, pos))
            }
            _ => Err(self.expected(what)),
        }
    }

    fn number(&mut self) -> Parsed<i32> {
        let negative = self.accept("-");
        match self.peek().tok {
            Tok::Number(number) => {
                self.advance();
                Ok(if negative { number.wrapping_neg() } else { number })
            }
            _ => Err(self.expected("a number")),
        }
    }

    /// Parses a part of something. Whoever walks over what was parsed goes down
    /// as deep as it is nested, so that is bounded.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MOST_NESTED {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// One more operator in a row, each of which has those before as a part.
    fn lengthen(&mut self, length: &mut u32) -> Parsed<()> {
        *length += 1;
        if *length > MOST_NESTED { Err(self.too_deep()) } else { Ok(()) }
    }

    fn too_deep(&mut self) -> Bad {
        let message = format!("more than {MOST_NESTED} parts are nested in each other");
        let location = self.sources.location(self.pos(), &self.function);
        let help = ["use variables, or several statements"];
        self.too_deep.get_or_insert_with(|| Diagnostic::new(message, location, &help));
        // Nothing behind it is parsed.
        self.next = self.tokens.len() - 1;
        Bad
    }

    fn expected(&mut self, what: &str) -> Bad {
        let found = self.peek().text();
        let found = if self.at_end() { found } else { format!("`{found}`") };
        self.error_here(format!("expected {what}, found {found}"))
    }

    fn error_here(&mut self, message: String) -> Bad {
        let pos = self.pos();
        self.error(pos, message, &[])
    }

    fn error(&mut self, pos: Pos, message: String, help: &[&str]) -> Bad {
        let location = self.sources.location(pos, &self.function);
        let diagnostic = Diagnostic::new(message, location, help);
        if !self.errors.contains(&diagnostic) {
            self.errors.push(diagnostic);
        }
        Bad
    }

    /// Items separated by commas, up to but without the closing sign.
    fn list<T>(&mut self, close: &str, item: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.sign(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.accept(",") {
                return Ok(items);
            }
        }
    }

    /// Steps over a `{ … }` that is not understood.
    fn skip_braces(&mut self) {
        let mut depth = 0;
        while !self.at_end() {
            let token = self.advance();
            if token.is("{") {
                depth += 1;
            } else if token.is("}") {
                depth -= 1;
                if depth <= 0 {
                    return;
                }
            }
        }
    }
}
