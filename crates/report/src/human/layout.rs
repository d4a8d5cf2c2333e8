//! Columns: how wide each thread's column is, and text wrapped into it.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The narrowest column worth reading.
pub(super) const NARROWEST: usize = 16;
/// No column is made wider than this for the sake of one long cell.
pub(super) const WIDEST: usize = 48;

pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// The narrowest column in which no identifier of a text has to be broken.
pub(super) fn unbroken(text: &str) -> usize {
    let longest = text.split(' ').flat_map(pieces).map(width).max().unwrap_or(0);
    longest + INDENT.len()
}

/// Widths for columns that would like `wanted` and need `least`, with `gap` between
/// them, in `available` columns of the terminal. `None` if they cannot be read then.
pub(super) fn fit(
    wanted: &[usize],
    least: &[usize],
    gap: usize,
    available: usize,
) -> Option<Vec<usize>> {
    let mut widths: Vec<usize> = wanted.iter().map(|width| (*width).min(WIDEST)).collect();
    let least: Vec<usize> = least.iter().map(|least| (*least).clamp(NARROWEST, WIDEST)).collect();
    let gaps = gap * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > available {
        let spare = |at: &usize| widths[*at] > least[*at];
        let widest = (0..widths.len()).filter(spare).max_by_key(|at| widths[*at])?;
        widths[widest] -= 1;
    }
    Some(widths)
}

const INDENT: &str = "  ";

/// Breaks text into lines of at most `limit` columns: at spaces, in long words
/// behind punctuation, and inside an identifier only if it is longer than a line.
/// Later lines are indented by two.
pub(super) fn wrap(text: &str, limit: usize) -> Vec<String> {
    let mut lines = Lines { limit, lines: Vec::new(), line: String::new() };
    for word in text.split(' ') {
        let begun = !lines.line.trim().is_empty();
        if begun && width(&lines.line) + 1 + width(word) > limit {
            lines.end();
        } else if begun {
            lines.line.push(' ');
        }
        for piece in pieces(word) {
            lines.push(piece);
        }
    }
    lines.lines.push(lines.line);
    lines.lines
}

struct Lines {
    limit: usize,
    lines: Vec<String>,
    line: String,
}

impl Lines {
    fn end(&mut self) {
        let line = std::mem::replace(&mut self.line, INDENT.to_string());
        self.lines.push(line.trim_end().to_string());
    }

    fn push(&mut self, piece: &str) {
        if !self.line.trim().is_empty() && width(&self.line) + width(piece) > self.limit {
            self.end();
        }
        let mut piece = piece.to_string();
        while width(&self.line) + width(&piece) > self.limit && width(&piece) > 1 {
            let rest = split_off(&mut piece, self.limit.saturating_sub(width(&self.line)).max(1));
            self.line.push_str(&piece);
            self.end();
            piece = rest;
        }
        self.line.push_str(&piece);
    }
}

/// A word in its parts: an identifier or number each, with the punctuation behind it.
fn pieces(word: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in word.char_indices() {
        if is_name(c) && before.is_some_and(|before| !is_name(before)) && at > start {
            // Opening quotes and brackets stay with what they open.
            let opened = word[start..at].chars().all(|c| !is_name(c));
            if !opened {
                pieces.push(&word[start..at]);
                start = at;
            }
        }
        before = Some(c);
    }
    pieces.push(&word[start..]);
    pieces
}

/// Leaves at most `limit` columns (but at least one character) in `word`.
fn split_off(word: &mut String, limit: usize) -> String {
    let mut used = 0;
    let cut = word.char_indices().find(|(index, c)| {
        used += c.width().unwrap_or(0);
        used > limit && *index > 0
    });
    match cut.map(|(index, _)| index) {
        Some(index) => word.split_off(index),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_terminals_shrink_the_widest_column() {
        assert_eq!(fit(&[30, 18], &[0, 0], 2, 40), Some(vec![20, 18]));
        assert_eq!(fit(&[30, 24], &[24, 0], 2, 44), Some(vec![24, 18]));
        assert_eq!(fit(&[90], &[0], 2, 100), Some(vec![WIDEST]));
        assert_eq!(fit(&[30, 30, 30], &[0, 0, 0], 2, 40), None);
        assert_eq!(fit(&[30, 30], &[25, 25], 2, 40), None);
        assert_eq!(fit(&[3, 4], &[0, 0], 2, 40), Some(vec![3, 4]));
    }

    #[test]
    fn long_text_is_wrapped() {
        assert_eq!(wrap("12: lock(m)", 20), ["12: lock(m)"]);
        assert_eq!(wrap("12: x = 1 (was 0)", 12), ["12: x = 1", "  (was 0)"]);
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "  ef", "  gh", "  ij"]);
    }

    #[test]
    fn identifiers_stay_whole_where_they_can() {
        let text = "12: calls queue::drain_all(first_item,second_item)";
        let lines = ["12: calls", "  queue::", "  drain_all(", "  first_item,", "  second_item)"];
        assert_eq!(wrap(text, 16), lines);
        assert_eq!(unbroken(text), "second_item)".len() + 2);
        assert_eq!(wrap("14: reads `chan->reader`", 18), ["14: reads", "  `chan->reader`"]);
    }

    #[test]
    fn no_line_is_too_long_and_nothing_is_lost() {
        let text = "14: snprintf(buffer, 200, \"%s\", averyveryverylongname_ééé) = 12";
        for limit in 4..70 {
            let lines = wrap(text, limit);
            assert!(lines.iter().all(|line| width(line) <= limit), "{limit}: {lines:?}");
            let squeeze = |s: &str| s.replace(' ', "");
            assert_eq!(squeeze(&lines.concat()), squeeze(text));
        }
    }
}
