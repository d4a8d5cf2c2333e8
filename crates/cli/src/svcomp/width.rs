//! Words of a C program whose meaning depends on the data model. Text from system headers does not
//! count: it says what the header means, not what the program uses.

/// Words with another width, or another value, where pointers have 32 bits.
const WORDS: [&str; 8] =
    ["long", "size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t", "sizeof", "time_t"];

/// The first such word.
pub(crate) fn word(text: &str) -> Option<&'static str> {
    own_lines(text).find_map(|line| {
        words(line).find_map(|word| WORDS.iter().find(|known| **known == word).copied())
    })
}

/// Whether the program itself mentions a function.
pub(crate) fn calls(text: &str, name: &str) -> bool {
    own_lines(text).any(|line| words(line).any(|word| word == name))
}

/// Lines that a preprocessor does not attribute to a file of the system.
fn own_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut own = true;
    text.lines().filter(move |line| match marker(line) {
        Some(file) => {
            own = !file.starts_with("/usr/") && !file.starts_with("<");
            false
        }
        None => own,
    })
}

/// The file that a line such as `# 12 "/usr/include/stdio.h" 3` names.
fn marker(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    rest.starts_with(|c: char| c.is_ascii_digit()).then_some(())?;
    rest.split('"').nth(1)
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_do_not_count() {
        let text =
            "# 1 \"a.c\"\nint x;\n# 3 \"/usr/include/x.h\" 3\nunsigned long y;\n# 9 \"a.c\"\n";
        assert_eq!(word(text), None);
        assert_eq!(word(&format!("{text}long z;")), Some("long"));
        assert_eq!(word("int longer, belong;"), None);
        assert!(calls("void f(void) { pthread_exit(0); }", "pthread_exit"));
    }
}
