//! Propositions of a native program: a global variable or a function without
//! arguments, alone or compared with a number by `==` or `!=`.
//!
//! The symbol table says where a variable is and how many bytes it has. Whether
//! it is signed it does not say, so larger and smaller have no meaning here: a
//! function of the program can compare.

use std::collections::HashMap;

use crate::program::{Program, Refusal};
use crate::symbols::Symbols;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposition {
    name: String,
    /// It is called.
    calls: bool,
    value: u64,
    /// Whether it must have the value, or another one.
    equal: bool,
}

const HELP: &str = "a proposition is a global variable (`x`, `x == 3`, `x != 3`) or a function of \
     the program without arguments (`f()`), which may compute anything else";

impl Proposition {
    pub fn parse(text: &str) -> Result<Proposition, Refusal> {
        let wrong = || Refusal::new(format!("`{text}` is no proposition of a native program"));
        let (left, value, equal) = match (text.split_once("=="), text.split_once("!=")) {
            (Some((left, right)), None) => (left, number(right).ok_or_else(wrong)?, true),
            (None, Some((left, right))) => (left, number(right).ok_or_else(wrong)?, false),
            (None, None) => (text, 0, false),
            (Some(_), Some(_)) => return Err(wrong().help(HELP)),
        };
        let left = left.trim();
        let (negated, left) = match left.strip_prefix('!') {
            Some(rest) => (true, rest.trim()),
            None => (false, left),
        };
        let (name, calls) = match left.strip_suffix("()") {
            Some(name) => (name.trim(), true),
            None => (left, false),
        };
        let part_of_name = |c: char| c.is_alphanumeric() || "_.".contains(c);
        let compared = text.contains('=');
        if name.is_empty() || !name.chars().all(part_of_name) || (negated && compared) {
            return Err(wrong().help(HELP));
        }
        Ok(Proposition { name: name.to_string(), calls, value, equal: equal || negated })
    }

    /// As the runtime is told: where it is, how long, and what it must be.
    pub(crate) fn resolve(
        &self,
        symbols: &mut Symbols,
        program: &Program,
        registered: &HashMap<String, (u64, u64)>,
    ) -> Result<String, Refusal> {
        let path = program.path.to_string_lossy();
        let found = match registered.get(&self.name) {
            Some(&(place, size)) => Some((place, size, false)),
            None => symbols.find(&path, &self.name),
        };
        let unknown =
            || Refusal::new(format!("the program has no variable or function `{}`", self.name));
        let (place, size, function) = found.ok_or_else(|| unknown().help(HELP))?;
        let size = match (function, self.calls, size) {
            (true, ..) => 0,
            (false, false, 1..=8) => size,
            (false, true, _) => {
                return Err(Refusal::new(format!("`{}` is no function", self.name)).help(HELP));
            }
            (false, false, _) => {
                let message = format!("`{}` has {size} bytes and is no number", self.name);
                return Err(Refusal::new(message).help(HELP));
            }
        };
        Ok(format!("watch {place:x} {size:x} {:x} {:x}", self.value, self.equal as u8))
    }
}

/// Also the usual names of numbers.
fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    match text {
        "true" => Some(1),
        "false" | "NULL" | "nullptr" => Some(0),
        _ => match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse::<i64>().ok().map(|value| value as u64),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_what_they_mean() {
        let parse = |text: &str| {
            let proposition = Proposition::parse(text).ok()?;
            let Proposition { name, calls, value, equal } = proposition;
            Some((name, calls, value as i64, equal))
        };
        let is = |name: &str, calls, value, equal| Some((name.to_string(), calls, value, equal));
        assert_eq!(parse("done"), is("done", false, 0, false));
        assert_eq!(parse("!done"), is("done", false, 0, true));
        assert_eq!(parse("turn == -1"), is("turn", false, -1, true));
        assert_eq!(parse("turn!=0x10"), is("turn", false, 16, false));
        assert_eq!(parse("idle()"), is("idle", true, 0, false));
        for wrong in ["x > 3", "x + 1", "", "x == y", "a[1]", "!x == 1"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
