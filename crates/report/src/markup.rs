//! Text inside of markup: HTML, SVG and other XML.

use crate::words::is_odd;

/// Text that markup shows as it is. Control characters, for most of which XML has no place, and those that
/// could turn a line around are written out.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            // XML has no place for the last two.
            c if is_odd(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                out.extend(c.escape_unicode());
            }
            c => out.push(c),
        }
    }
    out
}

/// Text in which what stands between backquotes is code.
pub fn with_code(text: &str) -> String {
    let text = escape(text);
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return text;
    }
    let part = |(at, part): (usize, &&str)| match at % 2 {
        0 => (*part).to_string(),
        _ => format!("<code>{part}</code>"),
    };
    parts.iter().enumerate().map(part).collect()
}

/// Text for terminals without its colours.
pub fn plain(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_string();
    first + &parts.filter_map(|part| Some(part.split_once('m')?.1)).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_element() {
        assert_eq!(escape("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
        assert_eq!(escape("a\tb\nc"), "a\tb\nc");
        assert_eq!(escape("\u{1}\u{202e}\u{ffff}"), "\\u{1}\\u{202e}\\u{ffff}");
        assert_eq!(
            with_code("waits for `<m>`, or not"),
            "waits for <code>&lt;m&gt;</code>, or not"
        );
        assert_eq!(with_code("one ` only"), "one ` only");
        assert_eq!(plain("\x1b[31mred\x1b[0m"), "red");
    }
}
