//! Names of linked things as their source writes them.

use cpp_demangle::{DemangleOptions, Symbol};

/// A function or variable without parameter types: `queue::drain` for
/// `_ZN5queue5drainEi`. Names of C are as they are.
pub fn readable(symbol: &str) -> String {
    demangled(symbol, DemangleOptions::new().no_params().no_return_type())
}

/// A readable name for messages: template arguments that themselves have some are left
/// out, and what the library adds to its own names.
pub fn short(symbol: &str) -> String {
    shortened(&readable(symbol))
}

/// The names of the library's internal namespaces, and long names of short things.
const KNOWN: [(&str, &str); 5] = [
    ("std::__cxx11::", "std::"),
    ("std::__1::", "std::"),
    ("std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"),
    ("(anonymous namespace)::", ""),
    ("[abi:cxx11]", ""),
];

fn shortened(name: &str) -> String {
    let mut name = name.to_string();
    for (long, short) in KNOWN {
        name = name.replace(long, short);
    }
    let mut out = String::new();
    let mut rest = &*name;
    while let Some(at) = rest.find('<') {
        let operator = rest[..at].ends_with("operator") || rest[..at].ends_with("operator<");
        let arguments = argument_list(&rest[at..]).filter(|_| !operator);
        let Some(list) = arguments else {
            out.push_str(&rest[..=at]);
            rest = &rest[at + 1..];
            continue;
        };
        out.push_str(&rest[..at]);
        let simple = !list[1..].contains('<') && list.len() <= LONG;
        out.push_str(if simple { list } else { "<…>" });
        rest = &rest[at + list.len()..];
    }
    out + rest
}

/// Template arguments longer than this are left out.
const LONG: usize = 24;

/// The template arguments at the beginning of a text, with their brackets.
fn argument_list(text: &str) -> Option<&str> {
    let mut depth = 0;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[..=at]);
        }
        before = c;
    }
    None
}

/// The same with parameter types, which tell overloads apart.
pub fn readable_in_full(symbol: &str) -> String {
    demangled(symbol, DemangleOptions::new())
}

/// Whether `name`, as a user writes it, means this function.
pub fn is_meant(symbol: &str, name: &str) -> bool {
    symbol == name || readable(symbol) == name || readable_in_full(symbol) == name
}

/// Whether a function that the program defines runs without interruption, by
/// the convention of software verification competitions.
pub fn runs_atomically(symbol: &str) -> bool {
    symbol.starts_with("__VERIFIER_atomic_")
}

fn demangled(symbol: &str, options: DemangleOptions) -> String {
    let plain = || symbol.to_string();
    if !symbol.starts_with("_Z") {
        return plain();
    }
    let parsed = Symbol::new(symbol).ok();
    parsed.and_then(|parsed| parsed.demangle_with_options(&options).ok()).unwrap_or_else(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_c_stay_and_those_of_cpp_become_readable() {
        for (symbol, name) in [
            ("main", "main"),
            ("_Zigzag", "_Zigzag"),
            ("_ZL1m", "m"),
            ("_ZN5queue5drainEi", "queue::drain"),
            ("_ZGVZL5localvE1d", "guard variable for local()::d"),
        ] {
            assert_eq!(readable(symbol), name);
        }
        assert_eq!(readable_in_full("_ZN5queue5drainEi"), "queue::drain(int)");
    }

    #[test]
    fn nested_template_arguments_are_left_out() {
        for (name, short) in [
            ("queue<int>::drain", "queue<int>::drain"),
            ("queue<std::vector<int> >::drain", "queue<…>::drain"),
            ("std::__cxx11::list<int, std::allocator<int> >::push", "std::list<…>::push"),
            (
                "f<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > >",
                "f<std::string >",
            ),
            ("(anonymous namespace)::pool::run", "pool::run"),
            ("a::operator<", "a::operator<"),
            ("a::operator<<", "a::operator<<"),
            ("a::operator->", "a::operator->"),
            ("main::$_0::operator()", "main::$_0::operator()"),
            ("broken<", "broken<"),
        ] {
            assert_eq!(shortened(name), short);
        }
    }

    #[test]
    fn a_function_is_meant_by_each_of_its_names() {
        for name in ["_ZN5queue5drainEi", "queue::drain", "queue::drain(int)"] {
            assert!(is_meant("_ZN5queue5drainEi", name), "{name}");
        }
        assert!(!is_meant("_ZN5queue5drainEi", "drain"));
    }
}
