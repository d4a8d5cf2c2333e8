//! C code as text: where it ends, which names are in it.

/// Words of the language behind which C code stands.
pub(crate) fn holds_code(word: &str) -> bool {
    matches!(word, "c_code" | "c_expr" | "c_decl")
}

/// The length of C code up to the bracket that closes it, which is not in a literal or a comment.
pub(crate) fn code_length(text: &str, close: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let first = rest.chars().next().expect("not at the end");
        if depth == 0 && rest.starts_with(close) {
            return at;
        }
        at += match first {
            '"' | '\'' => literal(rest, first),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ => {
                match first {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth -= 1,
                    _ => {}
                }
                first.len_utf8()
            }
        };
    }
    text.len()
}

/// The length of a string or character. One that is not closed ends with its line.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let end = text[1..].find(|c: char| {
        let closes = (c == quote && !escaped) || c == '\n';
        escaped = c == '\\' && !escaped;
        closes
    });
    end.map_or(text.len(), |end| end + 2)
}

/// The names in C code, with what stands behind each. Literals and comments are looked at, too: a
/// name may be found that is none, and never the other way round.
pub(super) fn names(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = &rest[rest.find(is_part)?..];
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(length);
        rest = behind;
        Some((name, behind.trim_start()))
    })
}

/// Whether the address of something is taken, or of a part of it.
pub(super) fn takes_address_of(text: &str, whole: &str) -> bool {
    text.match_indices(whole).any(|(at, _)| {
        let before = text[..at].trim_end_matches(|c: char| c.is_whitespace() || c == '(');
        before.ends_with('&') && !before.ends_with("&&")
    })
}

/// Headers of the C library, which know nothing of a model.
const STANDARD: [&str; 24] = [
    "assert.h",
    "ctype.h",
    "errno.h",
    "fcntl.h",
    "float.h",
    "inttypes.h",
    "limits.h",
    "locale.h",
    "math.h",
    "pthread.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "sys/types.h",
    "time.h",
    "unistd.h",
];

/// Whether code of the user is included, which is not looked at here.
pub(super) fn includes_files(text: &str) -> bool {
    let standard = |file: &str| {
        let name = file.trim_start().strip_prefix('<').and_then(|name| name.split_once('>'));
        name.is_some_and(|(name, _)| STANDARD.contains(&name.trim()))
    };
    names(text).any(|(name, behind)| name == "include" && !standard(behind))
}

/// C code as the compiler takes it: SPIN's users write `\#` where their preprocessor must not look.
pub(super) fn for_compiler(text: &str) -> String {
    let line = |line: &str| {
        let blank = line.len() - line.trim_start().len();
        match line[blank..].strip_prefix("\\#") {
            Some(rest) => format!("{}#{rest}", &line[..blank]),
            None => line.to_string(),
        }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_literals_and_comments_close_nothing() {
        let text = "if (x) { y = '}'; } /* } */ s = \"}\\\"}\"; // }\n z; } rest";
        assert_eq!(&text[code_length(text, "}")..], "} rest");
        assert_eq!(code_length("a[1] > b[2]] {", "]"), "a[1] > b[2]".len());
        assert_eq!(code_length("never closed", "}"), 12);
        assert_eq!(code_length("it's not\n closed }", "}"), "it's not\n closed ".len());
    }

    #[test]
    fn names_are_found_with_what_follows() {
        let found: Vec<(&str, bool)> = names("now.x = PP -> y1;")
            .map(|(name, behind)| (name, behind.starts_with("->")))
            .collect();
        assert_eq!(found, [("now", false), ("x", false), ("PP", true), ("y1", false)]);
    }

    #[test]
    fn addresses_and_files_are_noticed() {
        assert!(takes_address_of("f( & (now.x))", "now"));
        assert!(!takes_address_of("a && now.x", "now"));
        assert!(includes_files("\\#include \"ring.c\""));
        assert!(includes_files("\\#include <ring.h>"));
        assert!(!includes_files("\\#include <stdlib.h>\nint x;"));
    }

    #[test]
    fn escaped_directives_are_directives() {
        assert_eq!(for_compiler(" \\#include <a.h>\nx = '\\#';"), " #include <a.h>\nx = '\\#';");
    }
}
