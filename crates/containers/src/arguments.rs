//! The arguments of templates, where only names are known.

/// The arguments of a template, as its name has them: of `map<int, pair<a, b> >`, `int` and `pair<a, b>`.
pub fn arguments(name: &str) -> Vec<&str> {
    let Some((_, inside)) = name.split_once('<') else { return Vec::new() };
    let inside = inside.strip_suffix('>').unwrap_or(inside);
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in inside.char_indices() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(inside[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(inside[from..].trim());
    parts
}

/// A name without the namespaces in front of it.
pub fn unqualified(name: &str) -> &str {
    let end = name.find('<').unwrap_or(name.len());
    name[..end].rfind("::").map_or(name, |at| &name[at + 2..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_templates() {
        assert_eq!(arguments("list<int, std::allocator<int> >"), ["int", "std::allocator<int>"]);
        let nested = "map<std::pair<int, a>, void (*)(int, int)>";
        assert_eq!(arguments(nested), ["std::pair<int, a>", "void (*)(int, int)"]);
        assert_eq!(
            unqualified("std::__cxx11::basic_string<char, std::a>"),
            "basic_string<char, std::a>"
        );
    }
}
