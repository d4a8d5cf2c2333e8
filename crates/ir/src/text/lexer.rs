//! Text to tokens.

use std::fmt;

/// What is wrong with a text, and on which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub line: usize,
    pub what: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for ParseError {}

pub(super) type Parsed<T> = Result<T, ParseError>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word, a number, a slot…: anything without spaces and punctuation.
    Word(String),
    /// What stood between quotes.
    Text(String),
    /// One of `{}()[],`.
    Mark(char),
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Text(text) => write!(f, "\"{text}\""),
            Token::Mark(mark) => write!(f, "`{mark}`"),
        }
    }
}

const MARKS: &str = "{}()[],";

/// The tokens of a text, one after another.
pub(super) struct Lexer<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    ahead: Option<Token>,
    line: usize,
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Lexer<'t> {
        Lexer { rest: text.chars().peekable(), ahead: None, line: 1 }
    }

    pub fn fail<T>(&self, what: impl Into<String>) -> Parsed<T> {
        Err(ParseError { line: self.line, what: what.into() })
    }

    pub fn next(&mut self) -> Parsed<Option<Token>> {
        match self.ahead.take() {
            Some(token) => Ok(Some(token)),
            None => self.scan(),
        }
    }

    pub fn peek(&mut self) -> Parsed<Option<&Token>> {
        if self.ahead.is_none() {
            self.ahead = self.scan()?;
        }
        Ok(self.ahead.as_ref())
    }

    fn advance(&mut self) -> Option<char> {
        let next = self.rest.next();
        if next == Some('\n') {
            self.line += 1;
        }
        next
    }

    fn skip_blank(&mut self) {
        while let Some(&next) = self.rest.peek() {
            if next == ';' {
                while self.rest.peek().is_some_and(|&c| c != '\n') {
                    self.advance();
                }
            } else if next.is_whitespace() {
                self.advance();
            } else {
                break;
            }
        }
    }

    fn scan(&mut self) -> Parsed<Option<Token>> {
        self.skip_blank();
        let Some(&first) = self.rest.peek() else { return Ok(None) };
        if first == '"' {
            self.advance();
            return self.quoted().map(|text| Some(Token::Text(text)));
        }
        if MARKS.contains(first) {
            self.advance();
            return Ok(Some(Token::Mark(first)));
        }
        let mut word = String::new();
        while let Some(&next) = self.rest.peek() {
            if next.is_whitespace() || next == '"' || next == ';' || MARKS.contains(next) {
                break;
            }
            word.push(next);
            self.advance();
        }
        Ok(Some(Token::Word(word)))
    }

    fn quoted(&mut self) -> Parsed<String> {
        let mut text = String::new();
        loop {
            match self.advance() {
                None => return self.fail("a quoted text does not end"),
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escaped()?),
                Some(other) => text.push(other),
            }
        }
    }

    /// `\"`, `\\` or `\{hexadecimal}`.
    fn escaped(&mut self) -> Parsed<char> {
        match self.advance() {
            Some(quote @ ('"' | '\\')) => Ok(quote),
            Some('{') => {
                let mut digits = String::new();
                while let Some(digit) = self.advance().filter(|&c| c != '}') {
                    digits.push(digit);
                }
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                code.map_or_else(|| self.fail("no such character"), Ok)
            }
            _ => self.fail("an unknown escape in a quoted text"),
        }
    }
}

/// The inverse of reading a quoted text.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\{{{:x}}}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
