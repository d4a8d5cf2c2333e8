//! Text to tokens.

use std::sync::Arc;

use crate::embedded;
use crate::expansion;
use crate::source::{Pos, Sources};

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tok {
    Name(Arc<str>),
    Number(i32),
    Text(Arc<str>),
    /// C code as it is written, without the brackets around it.
    Code(Arc<str>),
    /// Operators and brackets, spelled as in the source.
    Sign(&'static str),
    /// Something no rule of the language starts with.
    Unknown(char),
    End,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub tok: Tok,
    pub pos: Pos,
}

impl Token {
    pub fn is(&self, sign: &str) -> bool {
        matches!(self.tok, Tok::Sign(own) if own == sign)
    }

    pub fn is_name(&self, name: &str) -> bool {
        matches!(&self.tok, Tok::Name(own) if &**own == name)
    }

    /// The token as a person would write it.
    pub fn text(&self) -> String {
        match &self.tok {
            Tok::Name(name) => name.to_string(),
            Tok::Number(number) => number.to_string(),
            Tok::Text(text) => format!("\"{text}\""),
            Tok::Code(text) => format!(" {}", shortened(text)),
            Tok::Sign(sign) => sign.to_string(),
            Tok::Unknown(character) => character.to_string(),
            Tok::End => "the end of the model".into(),
        }
    }
}

/// Longest first, so that the first match is the right one.
const SIGNS: [&str; 42] = [
    "->", "::", "..", "!!", "??", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "/\\", "\\/", "!", "?", "+", "-", "*", "/", "%", "&", "|", "^", "~", "<", ">", "=", "(", ")",
    "[", "]", "{", "}", ",", ";", ":", ".", "@",
];

/// Splits preprocessed text into tokens; the last one is [`Tok::End`].
pub fn tokens(text: &str, name: &str, marked: bool, sources: &mut Sources) -> Vec<Token> {
    let mut lexer = Lexer {
        rest: text,
        pos: Pos { file: sources.file(name), line: 1, column: 1 },
        out: Vec::new(),
    };
    while lexer.next(sources) {}
    let mut out = lexer.out;
    if marked {
        expansion::align_columns(&mut out, sources);
    }
    out
}

struct Lexer<'a> {
    rest: &'a str,
    pos: Pos,
    out: Vec<Token>,
}

impl Lexer<'_> {
    /// Takes one token or one stretch of white space. `false` at the end.
    fn next(&mut self, sources: &mut Sources) -> bool {
        let Some(first) = self.rest.chars().next() else {
            self.push(Tok::End, 0);
            return false;
        };
        if self.pos.column == 1 && first == '#' {
            self.marker(sources);
        } else if first.is_whitespace() {
            self.skip(first.len_utf8());
        } else if self.rest.starts_with("/*") {
            let length = self.rest.find("*/").map_or(self.rest.len(), |end| end + 2);
            self.skip(length);
        } else if self.rest.starts_with("*/") && !self.rest.starts_with("*/*") {
            // The end of a comment that did not begin: SPIN passes over it.
            self.skip(2);
        } else if self.rest.starts_with("//") {
            let length = self.rest.find('\n').unwrap_or(self.rest.len());
            self.skip(length);
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = self.run_of(|c| c.is_ascii_alphanumeric() || c == '_');
            let name: Arc<str> = Arc::from(&self.rest[..length]);
            let has_code = embedded::holds_code(&name);
            self.push(Tok::Name(name), length);
            if has_code {
                self.code(sources);
            }
        } else if first.is_ascii_digit() {
            let length = self.run_of(|c| c.is_ascii_alphanumeric());
            let value = number(&self.rest[..length]);
            self.push(value.map_or(Tok::Unknown(first), Tok::Number), length);
        } else if first == '"' {
            self.string();
        } else if first == '\'' {
            self.character();
        } else if let Some(sign) = SIGNS.iter().find(|sign| self.rest.starts_with(**sign)) {
            self.push(Tok::Sign(sign), sign.len());
        } else {
            self.push(Tok::Unknown(first), first.len_utf8());
        }
        true
    }

    fn run_of(&self, keep: impl Fn(char) -> bool) -> usize {
        self.rest.find(|c| !keep(c)).unwrap_or(self.rest.len())
    }

    fn push(&mut self, tok: Tok, length: usize) {
        self.out.push(Token { tok, pos: self.pos });
        self.skip(length);
    }

    fn skip(&mut self, length: usize) {
        for character in self.rest[..length].chars() {
            if character == '\n' {
                self.pos.line += 1;
                self.pos.column = 1;
            } else {
                self.pos.column += 1;
            }
        }
        self.rest = &self.rest[length..];
    }

    /// `# 12 "file" flags`
    fn marker(&mut self, sources: &mut Sources) {
        let end = self.rest.find('\n').map_or(self.rest.len(), |end| end + 1);
        let line = &self.rest[1..end];
        let mut parts = line.trim().splitn(2, ' ');
        let number = parts.next().and_then(|n| n.parse::<u32>().ok());
        let file = parts.next().and_then(|rest| rest.split('"').nth(1)).map(str::to_string);
        self.skip(end);
        if let (Some(number), Some(file)) = (number, file) {
            self.pos = Pos { file: sources.file(&file), line: number, column: 1 };
        }
    }

    /// The C code behind `c_code` and its like: `[condition]`, if there is one, and `{ … }`.
    fn code(&mut self, sources: &mut Sources) {
        for (open, close) in [("[", "]"), ("{", "}")] {
            let blank = self.run_of(char::is_whitespace);
            if !self.rest[blank..].starts_with(open) {
                continue;
            }
            self.skip(blank);
            self.push(Tok::Sign(if open == "[" { "[" } else { "{" }), 1);
            let length = embedded::code_length(self.rest, close);
            let text = Arc::from(&self.rest[..length]);
            self.out.push(Token { tok: Tok::Code(text), pos: self.pos });
            self.skip_code(length, sources);
            if self.rest.starts_with(close) {
                self.push(Tok::Sign(if close == "]" { "]" } else { "}" }), 1);
            }
        }
    }

    /// Steps over C code, in which there may be line markers.
    fn skip_code(&mut self, length: usize, sources: &mut Sources) {
        let end = self.rest.len() - length;
        while self.rest.len() > end {
            if self.pos.column == 1 && self.rest.starts_with("# ") {
                self.marker(sources);
                continue;
            }
            let line = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
            self.skip(line.min(self.rest.len() - end));
        }
    }

    fn string(&mut self) {
        let mut escaped = false;
        let end = self.rest[1..].find(|c| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        });
        let length = end.map_or(self.rest.len(), |end| end + 2);
        let text: Arc<str> = Arc::from(&self.rest[1..length - usize::from(end.is_some())]);
        self.push(Tok::Text(text), length);
    }

    fn character(&mut self) {
        let mut parts = self.rest[1..].chars();
        let (value, length) = match (parts.next(), parts.next(), parts.next()) {
            (Some('\\'), Some(escape), Some('\'')) => (unescape(escape), 4),
            (Some(plain), Some('\''), _) => (plain, 2 + plain.len_utf8()),
            _ => {
                self.push(Tok::Unknown('\''), 1);
                return;
            }
        };
        self.push(Tok::Number(value as i32), length);
    }
}

/// The beginning of C code on one line.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn unescape(escape: char) -> char {
    match escape {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '0' => '\0',
        other => other,
    }
}

/// Decimal, as SPIN reads it, or hexadecimal as C does.
fn number(digits: &str) -> Option<i32> {
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u32::from_str_radix(hex, 16).ok().map(|value| value as i32),
        None => digits.parse::<i64>().ok().map(|value| value as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(text: &str) -> Vec<String> {
        let mut sources = Sources::default();
        let all = tokens(text, "m.pml", false, &mut sources);
        all.iter().take(all.len() - 1).map(Token::text).collect()
    }

    #[test]
    fn signs_are_taken_longest_first() {
        assert_eq!(
            lex("q??<x> -> a[1]--"),
            ["q", "??", "<", "x", ">", "->", "a", "[", "1", "]", "--"]
        );
        assert_eq!(lex("1..3::x"), ["1", "..", "3", "::", "x"]);
    }

    #[test]
    fn comments_and_literals() {
        assert_eq!(lex("a /* b\n */ 'x' // c\n \"s\\\"t\" 0x1F"), ["a", "120", "\"s\\\"t\"", "31"]);
    }

    #[test]
    fn the_end_of_a_comment_that_did_not_begin_is_passed_over() {
        assert_eq!(
            lex("x */ = 1; y = 2 */* c */ 3"),
            ["x", "=", "1", ";", "y", "=", "2", "*", "3"]
        );
    }

    #[test]
    fn markers_lead_to_the_file_and_line() {
        let mut sources = Sources::default();
        let all = tokens("# 7 \"inc.pml\" 1\nx\ny", "m.pml", false, &mut sources);
        let place = sources.location(all[1].pos, "");
        assert_eq!((&*place.file, place.line), ("inc.pml", 8));
    }
}
