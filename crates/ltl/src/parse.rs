//! The parser. Strength and grouping are those of SPIN's inline formulas:
//! `!`, `[]`, `<>` and `X` bind most, then `U V R W M` (grouping to the left),
//! then `&&`, then `||`, and last `->`, `<->` and `~>`. Where SPIN groups a
//! chain of arrows to the left, which is not what people expect, we ask for parentheses.
//!
//! A proposition is an identifier, a comparison of arithmetic (`x > 3`,
//! `P[2]@label`, `len(q) == N - 1`) or any text in braces.

use std::error::Error;
use std::fmt;

use crate::formula::{Binary, Formula, Unary};
use crate::token::{Kind, Token, tokens};

/// Formulas longer than this are refused, so that no recursion over one is
/// deep enough to exhaust a stack.
const MOST_TOKENS: usize = 2000;
const MOST_NESTED: usize = 100;

/// Reads a formula.
pub fn parse(text: &str) -> Result<Formula, ParseError> {
    let mut parser = Parser { tokens: tokens(text), at: 0, depth: 0 };
    if parser.tokens.len() > MOST_TOKENS {
        return Err(parser.error("the formula is too long", "split it into several formulas"));
    }
    let formula = parser.arrows()?;
    match parser.peek().kind {
        Kind::End => Ok(formula),
        _ => Err(parser.unexpected("the end of the formula")),
    }
}

/// Where a text stops being a formula, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// In bytes from the start.
    pub position: usize,
    pub message: String,
    pub help: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at character {})", self.message, self.position + 1)
    }
}

impl Error for ParseError {}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: usize,
}

type Parsed<T> = Result<T, ParseError>;

impl<'a> Parser<'a> {
    fn arrows(&mut self) -> Parsed<Formula> {
        let left = self.or()?;
        let Some(op) = arrow(self.peek()) else { return Ok(left) };
        self.at += 1;
        let right = self.or()?;
        if arrow(self.peek()).is_some() {
            let message = "a chain of arrows can be read in two ways";
            return Err(self.error(message, "put one of the arrows into parentheses"));
        }
        Ok(Formula::binary(op, left, right))
    }

    fn or(&mut self) -> Parsed<Formula> {
        let mut left = self.and()?;
        while matches!(self.peek().text, "||" | "\\/" | "or") {
            self.at += 1;
            left = Formula::binary(Binary::Or, left, self.and()?);
        }
        Ok(left)
    }

    fn and(&mut self) -> Parsed<Formula> {
        let mut left = self.until()?;
        while matches!(self.peek().text, "&&" | "/\\" | "and") {
            self.at += 1;
            left = Formula::binary(Binary::And, left, self.until()?);
        }
        Ok(left)
    }

    fn until(&mut self) -> Parsed<Formula> {
        let mut left = self.unary()?;
        while let Some(op) = temporal(self.peek()) {
            self.at += 1;
            left = Formula::binary(op, left, self.unary()?);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Formula> {
        let mut ops = self.prefixes();
        let mut formula = self.primary()?;
        while let Some(op) = ops.pop() {
            formula = Formula::unary(op, formula);
        }
        Ok(formula)
    }

    fn prefixes(&mut self) -> Vec<Unary> {
        let mut ops = Vec::new();
        loop {
            let token = self.peek();
            if let Some(op) = prefix(token.text) {
                ops.push(op);
            } else if is_run(token.text) && self.begins_operand(1) {
                ops.extend(token.text.chars().filter_map(|c| prefix(c.encode_utf8(&mut [0; 4]))));
            } else {
                return ops;
            }
            self.at += 1;
        }
    }

    fn primary(&mut self) -> Parsed<Formula> {
        let token = self.peek();
        match token.kind {
            Kind::Braced => {
                self.at += 1;
                Ok(self.braced(token)?)
            }
            Kind::Sign if token.text == "(" && !self.parentheses_are_arithmetic() => {
                self.nest()?;
                self.at += 1;
                let formula = self.arrows()?;
                self.expect(")")?;
                self.depth -= 1;
                Ok(formula)
            }
            _ => self.comparison(),
        }
    }

    fn braced(&self, token: Token<'a>) -> Parsed<Formula> {
        let inside = &token.text[1..token.text.len() - 1];
        let words: Vec<&str> = inside.split_whitespace().collect();
        if words.is_empty() {
            let message = "a proposition is empty".to_string();
            let help = "write what must be true between the braces".to_string();
            return Err(ParseError { position: token.start, message, help });
        }
        Ok(proposition(words.join(" ")))
    }

    /// `(x + 1) > 3`: what follows the parenthesis decides.
    fn parentheses_are_arithmetic(&self) -> bool {
        let mut depth = 0;
        for (at, token) in self.tokens.iter().enumerate().skip(self.at) {
            match token.text {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let next = self.tokens[(at + 1).min(self.tokens.len() - 1)].text;
                return is_comparison(next) || is_arithmetic(next);
            }
        }
        false
    }

    fn comparison(&mut self) -> Parsed<Formula> {
        let mut text = String::new();
        self.sum(&mut text)?;
        if is_comparison(self.peek().text) {
            self.spaced(&mut text);
            self.sum(&mut text)?;
        }
        if is_comparison(self.peek().text) {
            return Err(self.error("comparisons do not chain", "join two of them with `&&`"));
        }
        Ok(proposition(text))
    }

    fn sum(&mut self, text: &mut String) -> Parsed<()> {
        self.operand(text)?;
        while is_arithmetic(self.peek().text) {
            self.spaced(text);
            self.operand(text)?;
        }
        Ok(())
    }

    fn operand(&mut self, text: &mut String) -> Parsed<()> {
        while matches!(self.peek().text, "-" | "*") {
            self.plain(text);
        }
        match self.peek().kind {
            Kind::Word if !is_reserved(self.peek().text) => self.plain(text),
            Kind::Number => self.plain(text),
            Kind::Sign if self.peek().text == "(" => self.group(text, ")")?,
            _ => return Err(self.unexpected("a proposition or a formula")),
        }
        self.postfixes(text)
    }

    /// Indices, members, arguments, labels.
    fn postfixes(&mut self, text: &mut String) -> Parsed<()> {
        loop {
            match self.peek().text {
                "[" => self.group(text, "]")?,
                "(" => self.group(text, ")")?,
                "." | "@" | ":" | "::" => {
                    self.plain(text);
                    match self.peek().kind {
                        Kind::Word | Kind::Number => self.plain(text),
                        _ => return Err(self.unexpected("a name")),
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn nest(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(
                self.error("parentheses are nested too deeply", "remove those without need")
            );
        }
        Ok(())
    }

    fn group(&mut self, text: &mut String, close: &str) -> Parsed<()> {
        self.nest()?;
        self.plain(text);
        if self.peek().text != close {
            self.sum(text)?;
        }
        while matches!(self.peek().text, ",") {
            self.plain(text);
            text.push(' ');
            self.sum(text)?;
        }
        if self.peek().text != close {
            return Err(self.unexpected(&format!("`{close}`")));
        }
        self.plain(text);
        self.depth -= 1;
        Ok(())
    }

    fn plain(&mut self, text: &mut String) {
        text.push_str(self.peek().text);
        self.at += 1;
    }

    fn spaced(&mut self, text: &mut String) {
        text.push(' ');
        self.plain(text);
        text.push(' ');
    }

    fn begins_operand(&self, ahead: usize) -> bool {
        let token = self.tokens[(self.at + ahead).min(self.tokens.len() - 1)];
        match token.kind {
            Kind::Word => temporal(token).is_none() && !matches!(token.text, "and" | "or"),
            Kind::Number | Kind::Braced => true,
            Kind::Sign => token.text == "(" || prefix(token.text).is_some(),
            Kind::Stray | Kind::End => false,
        }
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.peek().text != sign {
            return Err(self.unexpected(&format!("`{sign}`")));
        }
        self.at += 1;
        Ok(())
    }

    fn peek(&self) -> Token<'a> {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn unexpected(&self, wanted: &str) -> ParseError {
        let token = self.peek();
        let message = match token.kind {
            Kind::End => format!("expected {wanted}, found the end of the formula"),
            _ => format!("expected {wanted}, found `{}`", token.text),
        };
        // `next == 3`: the comparison is not what is wrong.
        let before = self.tokens[self.at.saturating_sub(1)];
        let compared = is_comparison(token.text) && is_reserved(before.text);
        self.error(&message, help(if compared { before } else { token }))
    }

    fn error(&self, message: &str, help: &str) -> ParseError {
        let position = self.peek().start;
        ParseError { position, message: message.to_string(), help: help.to_string() }
    }
}

fn help(token: Token<'_>) -> &'static str {
    match token.text {
        "&" | "|" => "write `&&` and `||`; arithmetic on bits goes into braces: `{x & 1}`",
        "=" => "to compare, write `==`",
        "{" => "this brace is never closed",
        "->" | "=>" | "." => "to follow a pointer, put the proposition into braces: `{p->x > 3}`",
        text if is_reserved(text) => {
            "this word is an operator; a variable of that name goes into braces: `{G}`"
        }
        "" => "the operators are `! && || -> <-> ~> G F X U R W M`, also `[]`, `<>` and `V`",
        _ => "a proposition that is more than a comparison goes into braces: `{f(a && b)}`",
    }
}

fn proposition(text: String) -> Formula {
    match text.as_str() {
        "true" | "TRUE" | "1" => Formula::True,
        "false" | "FALSE" | "0" => Formula::False,
        _ => Formula::Proposition(text.into()),
    }
}

fn prefix(text: &str) -> Option<Unary> {
    Some(match text {
        "!" | "~" | "not" => Unary::Not,
        "X" | "next" => Unary::Next,
        "[]" | "G" | "always" => Unary::Always,
        "<>" | "F" | "eventually" => Unary::Eventually,
        _ => return None,
    })
}

fn temporal(token: Token<'_>) -> Option<Binary> {
    Some(match token.text {
        "U" | "until" | "stronguntil" => Binary::Until,
        "R" | "V" | "release" => Binary::Release,
        "W" | "weakuntil" => Binary::WeakUntil,
        "M" | "strongrelease" => Binary::StrongRelease,
        _ => return None,
    })
}

fn arrow(token: Token<'_>) -> Option<Binary> {
    Some(match token.text {
        "->" | "=>" | "implies" => Binary::Implies,
        "<->" | "<=>" | "equivalent" => Binary::Equivalent,
        "~>" | "leadsto" => Binary::LeadsTo,
        _ => return None,
    })
}

fn is_comparison(text: &str) -> bool {
    matches!(text, "==" | "!=" | "<" | "<=" | ">" | ">=")
}

fn is_arithmetic(text: &str) -> bool {
    matches!(text, "+" | "-" | "*" | "/" | "%" | "<<" | ">>")
}

/// `GF` and the like, written as one word.
fn is_run(text: &str) -> bool {
    text.len() > 1 && text.chars().all(|c| matches!(c, 'G' | 'F' | 'X'))
}

fn is_reserved(text: &str) -> bool {
    let token = Token { kind: Kind::Word, text, start: 0 };
    let word = text.starts_with(|c: char| c.is_alphabetic());
    let names = prefix(text).is_some() || temporal(token).is_some() || arrow(token).is_some();
    word && (names || matches!(text, "and" | "or"))
}
