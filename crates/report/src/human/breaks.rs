//! Long lines on a terminal: they are broken between words and go on below where their words began. The terminal
//! itself would break them in the middle of words.
//!
//! Lines of source and commands stay as they are, and so do those that have no blank to be broken at.

use super::layout::width;

/// The text with no line wider than this, as far as words allow; colours take no room.
pub(super) fn broken(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        let plain = visible(line);
        match hanging(&plain, limit).filter(|_| width(&plain) > limit) {
            Some(hanging) => out.push_str(&at_words(line, limit, &hanging)),
            None => out.push_str(line),
        }
        out.push_str(end);
    }
    out
}

/// What a line goes on with in the next one; `None` for a line that is not to be broken.
fn hanging(plain: &str, limit: usize) -> Option<String> {
    // Commands are copied as one line.
    if ["replay with: ", "Path = "].iter().any(|start| plain.starts_with(start)) {
        return None;
    }
    let Some((gutter, rest)) = plain.split_once('|') else {
        // "   = help: "
        let label = plain.trim_start().strip_prefix("= ").and_then(|label| label.split_once(": "));
        let inside = label.map(|(word, _)| word.len() + 4);
        let indent = plain.len() - plain.trim_start().len();
        return Some(" ".repeat(indent + inside.unwrap_or(2)));
    };
    if !gutter.trim().is_empty() {
        // A line of source has its number in front; a sentence may have a bar in it, too.
        let number = gutter.trim().bytes().all(|byte| byte.is_ascii_digit());
        return (!number).then(|| "  ".to_string());
    }
    // Marks below a line of source, then what they mean.
    let words = rest.trim_start_matches([' ', '|', '-', '^', '_', '\\', '/']);
    let start = width(rest) - width(words);
    let start = if start + gutter.len() + 24 > limit { 5 } else { start };
    Some(format!("{gutter}|{}", " ".repeat(start)))
}

/// Breaks a line at blanks.
fn at_words(line: &str, limit: usize, hanging: &str) -> String {
    let mut out = String::new();
    let mut used = 0;
    let mut begun = false;
    for word in line.split_inclusive(' ') {
        let plain = visible(word);
        if begun && used + width(plain.trim_end()) > limit {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(hanging);
            used = width(hanging);
        }
        begun |= !plain.trim_matches([' ', '|', '-', '^', '_', '=']).is_empty();
        out.push_str(word);
        used += width(&plain);
    }
    out
}

/// The text without its colours.
fn visible(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            // A colour ends with an m.
            chars.by_ref().find(|c| *c == 'm');
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_and_labels_go_on_below_their_words() {
        let text = "\u{1b}[1merror\u{1b}[0m: thread 1 waits for mutex `m`, held by thread 2\n\
                    16 |     pthread_mutex_lock(&a_long_name_of_a_mutex, that_is_not_broken);\n   \
                    |     ---- thread 2 holds `m` from here on and for ever\n   \
                    = help: no thread can move, so nothing ends\n";
        let expected = "\u{1b}[1merror\u{1b}[0m: thread 1 waits for mutex\n  `m`, held by thread 2\n\
                        16 |     pthread_mutex_lock(&a_long_name_of_a_mutex, that_is_not_broken);\n   \
                        |     ---- thread 2 holds `m`\n   |     from here on and for ever\n   \
                        = help: no thread can move, so\n           nothing ends\n";
        assert_eq!(broken(text, 34), expected);
    }

    #[test]
    fn what_fits_stays() {
        for text in ["", "short\n", "a line without an end", "two\n\nlines\n"] {
            assert_eq!(broken(text, 30), text);
        }
        assert_eq!(broken(&"x".repeat(90), 30), "x".repeat(90));
    }
}
