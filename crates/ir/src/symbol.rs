//! Names of linked things as their source writes them.

use cpp_demangle::{DemangleOptions, Symbol};

/// A function or variable without parameter types: `queue::drain` for
/// `_ZN5queue5drainEi`. Names of C are as they are.
pub fn readable(symbol: &str) -> String {
    demangled(symbol, DemangleOptions::new().no_params().no_return_type())
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
    fn a_function_is_meant_by_each_of_its_names() {
        for name in ["_ZN5queue5drainEi", "queue::drain", "queue::drain(int)"] {
            assert!(is_meant("_ZN5queue5drainEi", name), "{name}");
        }
        assert!(!is_meant("_ZN5queue5drainEi", "drain"));
    }
}
