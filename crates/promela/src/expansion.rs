//! Where tokens that macros brought in stand in the user's own text.
//!
//! The preprocessor keeps lines and moves columns. The tokens of a line are
//! aligned with those of the line as the user wrote it: a token that stands in
//! both gets its own column, one that a macro brought in the column of the
//! macro's name, or of the argument that it is.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use exeunt_model::{Label, Location};

use crate::Diagnostic;
use crate::lexer::{self, Tok, Token};
use crate::source::{FileId, Pos, Sources};

/// Gives the tokens their columns in the user's files.
pub(crate) fn align_columns(tokens: &mut [Token], sources: &Sources) {
    let texts: HashMap<Arc<str>, Vec<String>> =
        sources.files().iter().map(|name| (name.clone(), lines(name))).collect();
    let macros: HashSet<Arc<str>> =
        texts.values().flatten().filter_map(|line| defined(line)).map(Arc::from).collect();
    let mut start = 0;
    while start < tokens.len() {
        let Pos { file, line, .. } = tokens[start].pos;
        let end = tokens[start..]
            .iter()
            .position(|token| token.pos.file != file || token.pos.line != line)
            .map_or(tokens.len(), |length| start + length);
        let own = (line as usize).checked_sub(1).and_then(|index| {
            let lines = texts.get(&name_of(sources, file))?;
            lines.get(index)
        });
        if let Some(own) = own {
            align_line(&mut tokens[start..end], own, &macros);
        }
        start = end;
    }
}

fn name_of(sources: &Sources, file: FileId) -> Arc<str> {
    sources.location(Pos { file, line: 0, column: 0 }, "").file
}

fn lines(file: &str) -> Vec<String> {
    let text = std::fs::read(file).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().map(str::to_string).collect()
}

/// The name that a line defines as a macro.
fn defined(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let name = rest.strip_prefix([' ', '\t'])?.trim_start();
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
    Some(&name[..end]).filter(|name| !name.is_empty())
}

/// A macro that is being expanded, by places among the user's tokens.
struct Use {
    name: usize,
    /// The first token behind it and its arguments.
    behind: usize,
    /// Brackets that the expansion has opened.
    depth: i32,
}

fn align_line(tokens: &mut [Token], line: &str, macros: &HashSet<Arc<str>>) {
    let own = lexer::tokens(line, "", false, &mut Sources::default());
    let is_macro = |at: usize| match &own[at].tok {
        Tok::Name(name) => macros.contains(name),
        _ => false,
    };
    let mut next = 0;
    let mut used: Option<Use> = None;
    for token in tokens.iter_mut().filter(|token| token.tok != Tok::End) {
        let same = own[next].tok == token.tok;
        let outside = used.as_ref().is_none_or(|used| used.depth == 0);
        if same && outside && !is_macro(next) {
            token.pos.column = own[next].pos.column;
            next += 1;
            continue;
        }
        let begins = matches!(own[next].tok, Tok::Name(_)) && (used.is_none() || is_macro(next));
        if begins && outside {
            let behind = behind(&own, next);
            used = Some(Use { name: next, behind, depth: 0 });
            next = behind;
        }
        let Some(used) = &mut used else {
            token.pos.column = own[next].pos.column;
            continue;
        };
        used.depth += match token.tok {
            Tok::Sign("(" | "[" | "{") => 1,
            Tok::Sign(")" | "]" | "}") => -1,
            _ => 0,
        };
        let mut arguments = own[used.name + 1..used.behind].iter();
        let argument =
            arguments.find(|own| own.tok == token.tok && !matches!(own.tok, Tok::Sign(_)));
        token.pos.column = argument.unwrap_or(&own[used.name]).pos.column;
    }
}

/// The place behind a name and, if it has any, its arguments in brackets.
fn behind(own: &[Token], name: usize) -> usize {
    let mut depth = 0;
    for (at, token) in own.iter().enumerate().skip(name + 1) {
        match token.tok {
            Tok::Sign("(") => depth += 1,
            Tok::Sign(")") => depth -= 1,
            Tok::End => return name + 1,
            _ => {}
        }
        if depth <= 0 {
            return if token.is(")") && depth == 0 { at + 1 } else { name + 1 };
        }
    }
    name + 1
}

/// Says of errors where a macro is used that they are in its expansion, and
/// where it is defined.
pub(crate) fn explain(mut errors: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    let texts: Vec<(Arc<str>, Vec<String>)> =
        sources.files().iter().map(|name| (name.clone(), lines(name))).collect();
    for error in &mut errors {
        let file = texts.iter().find(|(name, _)| *name == error.location.file);
        let line = (error.location.line as usize).checked_sub(1);
        let line = file.and_then(|(_, lines)| lines.get(line?));
        let Some(name) = line.and_then(|line| name_at(line, error.location.column)) else {
            continue;
        };
        if let Some(location) = definition(&texts, &name) {
            error.label = format!("in the expansion of macro `{name}`");
            error.labels.push(Label { text: format!("`{name}` is defined here"), location });
        }
    }
    errors
}

fn name_at(line: &str, column: u32) -> Option<Arc<str>> {
    let tokens = lexer::tokens(line, "", false, &mut Sources::default());
    tokens.into_iter().find(|token| token.pos.column == column).and_then(|token| match token.tok {
        Tok::Name(name) => Some(name),
        _ => None,
    })
}

fn definition(texts: &[(Arc<str>, Vec<String>)], name: &str) -> Option<Location> {
    texts.iter().find_map(|(file, lines)| {
        let at = lines.iter().position(|line| defined(line) == Some(name))?;
        let column = lines[at].find(name).map_or(0, |column| column as u32 + 1);
        Some(Location { file: file.clone(), line: at as u32 + 1, column, function: "".into() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(expanded: &str, line: &str, macros: &[&str]) -> Vec<u32> {
        let mut tokens = lexer::tokens(expanded, "m", false, &mut Sources::default());
        tokens.pop();
        let macros = macros.iter().map(|name| Arc::from(*name)).collect();
        align_line(&mut tokens, line, &macros);
        tokens.iter().map(|token| token.pos.column).collect()
    }

    #[test]
    fn a_token_from_a_macro_stands_at_the_macro_name() {
        assert_eq!(columns("x = ( 1 + 2 ) ;", "  x = THREE;", &[]), [3, 5, 7, 7, 7, 7, 7, 12]);
    }

    #[test]
    fn arguments_keep_their_places() {
        let found = columns("x = 2; x = y + 1; z", "x = 2; SET(x); z", &["SET"]);
        assert_eq!(found, [1, 3, 5, 6, 12, 8, 8, 8, 8, 14, 16]);
    }

    #[test]
    fn a_macro_with_several_statements_ends_with_the_last() {
        let found = columns("x ++; y ++; z = 1", "TWO; z = 1", &["TWO"]);
        assert_eq!(found[3..5], [1, 1], "{found:?}");
        assert_eq!(found[6..], [6, 8, 10], "{found:?}");
    }

    #[test]
    fn definitions_are_found() {
        assert_eq!(defined("  # define  N 3"), Some("N"));
        assert_eq!(defined("#define MAX(a, b) a"), Some("MAX"));
        assert_eq!(defined("#defined x"), None);
        assert_eq!(defined("define x"), None);
    }
}
