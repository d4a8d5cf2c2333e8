//! Formulas: what is read is printed so that it is read as the same again, and a
//! small one has an automaton.

use exeunt_ltl::{Automaton, Formula};

/// Whether the input is a formula.
pub fn run(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let Ok(formula) = exeunt_ltl::parse(text) else { return false };
    let printed = formula.to_string();
    let again: Formula = exeunt_ltl::parse(&printed).expect("what was printed is a formula");
    assert_eq!(again, formula, "{printed}");
    if printed.len() < 40 {
        let _ = Automaton::of(&formula);
    }
    true
}
