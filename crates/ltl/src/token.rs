//! Words and signs of a formula. Propositions are not tokens: the parser
//! gathers them, because a comparison is made of many.

/// One token and where it stands, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub start: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Number,
    Sign,
    /// `{ … }` with its braces.
    Braced,
    /// A character that no formula has.
    Stray,
    End,
}

/// Longer signs first.
const SIGNS: [&str; 36] = [
    "<->", "<=>", "&&", "||", "->", "=>", "~>", "/\\", "\\/", "[]", "<>", "==", "!=", "<=", ">=",
    "<<", ">>", "::", "(", ")", "[", "]", "!", "~", "<", ">", "+", "-", "*", "/", "%", ".", "@",
    ":", ",", "'",
];

pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let token = token(text, at);
        found.push(token);
        if token.kind == Kind::End {
            return found;
        }
        at += token.text.len();
    }
}

fn token(text: &str, start: usize) -> Token<'_> {
    let rest = &text[start..];
    let (kind, length) = match rest.chars().next() {
        None => (Kind::End, 0),
        Some('{') => braced(rest),
        Some(c) if c.is_ascii_digit() => (Kind::Number, word_length(rest)),
        Some(c) if c.is_alphabetic() || c == '_' || c == '$' => (Kind::Word, name_length(rest)),
        Some(c) => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => (Kind::Sign, sign.len()),
            None => (Kind::Stray, c.len_utf8()),
        },
    };
    Token { kind, text: &rest[..length], start }
}

fn word_length(rest: &str) -> usize {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    rest.find(|c| !part(c)).unwrap_or(rest.len())
}

/// A name of C++ may have namespaces before it: `bank::total`.
fn name_length(rest: &str) -> usize {
    let mut length = word_length(rest);
    while let Some(behind) = rest[length..].strip_prefix("::") {
        length += 2 + word_length(behind);
    }
    length
}

/// A braced text ends with the brace that matches its first.
fn braced(rest: &str) -> (Kind, usize) {
    let mut depth = 0;
    for (at, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (Kind::Braced, at + 1);
        }
    }
    (Kind::Stray, 1)
}
