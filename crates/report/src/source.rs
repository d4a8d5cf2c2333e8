//! The user's source text: read once, on demand, and only to be displayed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use exeunt_model::Location;

/// Source files by the name that locations use. A file that cannot be read
/// any more simply has no text; the report is still complete without it.
#[derive(Debug, Default)]
pub struct Sources {
    texts: RefCell<BTreeMap<String, Option<Rc<str>>>>,
}

impl Sources {
    pub fn new() -> Self {
        Sources::default()
    }

    /// Gives a text under a name instead of reading a file.
    pub fn insert(&self, file: &str, text: &str) {
        self.texts.borrow_mut().insert(file.to_string(), Some(Rc::from(text)));
    }

    /// The text of a file, if there is one.
    pub fn text(&self, file: &str) -> Option<Rc<str>> {
        self.texts.borrow_mut().entry(file.to_string()).or_insert_with(|| read(file)).clone()
    }
}

fn read(file: &str) -> Option<Rc<str>> {
    let bytes = std::fs::read(file).ok()?;
    Some(Rc::from(String::from_utf8_lossy(&bytes).as_ref()))
}

/// The bytes that a caret should underline: from the position over the name
/// and, if it is a call, its arguments on the same line. Without a column the
/// whole line. `None` if the text has no such line.
pub(crate) fn span_at(text: &str, location: &Location) -> Option<Range<usize>> {
    let line = usize::try_from(location.line).ok()?.checked_sub(1)?;
    let start = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
    let content = text.split_inclusive('\n').nth(line)?.trim_end();
    let column = (location.column as usize).saturating_sub(1);
    if location.column == 0 || column >= content.len() || !content.is_char_boundary(column) {
        let indent = content.len() - content.trim_start().len();
        return Some(start + indent..start + content.len().max(indent));
    }
    Some(start + column..start + column + token_length(&content[column..]))
}

/// How much of `rest` belongs to the thing at its beginning.
fn token_length(rest: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    if word == 0 {
        return rest.chars().next().map_or(0, char::len_utf8);
    }
    let after = rest[word..].trim_start();
    if !after.starts_with('(') {
        return word;
    }
    let open = rest.len() - after.len();
    closing_parenthesis(after).map_or(word, |close| open + close + 1)
}

/// The index of the parenthesis that closes the one `text` starts with.
fn closing_parenthesis(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (index, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn at(text: &str, line: u32, column: u32) -> Option<&str> {
        let location = Location { file: Arc::from("a.c"), line, column, function: Arc::from("") };
        span_at(text, &location).map(|range| &text[range])
    }

    #[test]
    fn the_caret_covers_a_call_a_name_or_a_sign() {
        let text = "int x;\n    lock(&m, f(1)); x = 1;\n\n";
        assert_eq!(at(text, 2, 5), Some("lock(&m, f(1))"));
        assert_eq!(at(text, 2, 21), Some("x"));
        assert_eq!(at(text, 2, 23), Some("="));
        assert_eq!(at(text, 1, 0), Some("int x;"));
        assert_eq!(at(text, 3, 1), Some(""));
        assert_eq!(at(text, 9, 1), None);
    }

    #[test]
    fn a_call_over_several_lines_underlines_its_name() {
        assert_eq!(at("  call(a,\n   b);\n", 1, 3), Some("call"));
    }

    #[test]
    fn positions_outside_the_line_or_inside_a_character_show_the_line() {
        assert_eq!(at("  é;\n", 1, 4), Some("é;"));
        assert_eq!(at("  x;\n", 1, 90), Some("x;"));
    }
}
