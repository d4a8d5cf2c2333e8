//! Columns: how wide each thread's column is, and text wrapped into it.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The narrowest column worth reading.
pub(super) const NARROWEST: usize = 16;
/// No column is made wider than this for the sake of one long cell.
pub(super) const WIDEST: usize = 48;

pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// Widths for columns that would like `wanted`, with `gap` between them, in
/// `available` columns of the terminal. `None` if they cannot be read then.
pub(super) fn fit(wanted: &[usize], gap: usize, available: usize) -> Option<Vec<usize>> {
    let mut widths: Vec<usize> = wanted.iter().map(|width| (*width).min(WIDEST)).collect();
    let gaps = gap * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > available {
        let widest = widths.iter_mut().max()?;
        if *widest <= NARROWEST {
            return None;
        }
        *widest -= 1;
    }
    Some(widths)
}

/// Breaks text at spaces into lines of at most `limit` columns; later lines
/// are indented by two.
pub(super) fn wrap(text: &str, limit: usize) -> Vec<String> {
    const INDENT: &str = "  ";
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let mut word = word.to_string();
        if !line.trim().is_empty() && width(&line) + 1 + width(&word) > limit {
            lines.push(std::mem::replace(&mut line, INDENT.to_string()));
        } else if !line.trim().is_empty() {
            line.push(' ');
        }
        while width(&line) + width(&word) > limit && width(&word) > 1 {
            let rest = split_off(&mut word, limit.saturating_sub(width(&line)).max(1));
            line.push_str(&word);
            lines.push(std::mem::replace(&mut line, INDENT.to_string()));
            word = rest;
        }
        line.push_str(&word);
    }
    lines.push(line);
    lines
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
        assert_eq!(fit(&[30, 18], 2, 40), Some(vec![20, 18]));
        assert_eq!(fit(&[90], 2, 100), Some(vec![WIDEST]));
        assert_eq!(fit(&[30, 30, 30], 2, 40), None);
        assert_eq!(fit(&[3, 4], 2, 40), Some(vec![3, 4]));
    }

    #[test]
    fn long_text_is_wrapped() {
        assert_eq!(wrap("12: lock(m)", 20), ["12: lock(m)"]);
        assert_eq!(wrap("12: x = 1 (was 0)", 12), ["12: x = 1", "  (was 0)"]);
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "  ef", "  gh", "  ij"]);
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
