//! Formulas without choices inside their terms: solvers of linear systems know
//! none.

use exeunt_smt::{Atom, Formula, Term};

/// The same formula with each choice as a case distinction of the formula.
pub fn lifted(formula: &Formula) -> Formula {
    match formula {
        Formula::True | Formula::False => formula.clone(),
        Formula::NonNegative(term) => cases(term, &Formula::non_negative),
        Formula::Zero(term) => cases(term, &Formula::zero),
        Formula::NonZero(term) => cases(term, &|term| Formula::zero(term).negated()),
        Formula::And(parts) => Formula::all(parts.iter().map(lifted)),
        Formula::Or(parts) => parts.iter().map(lifted).fold(Formula::False, Formula::either),
    }
}

fn cases(term: &Term, make: &dyn Fn(Term) -> Formula) -> Formula {
    let found = term.parts().find_map(|(atom, factor)| match atom {
        Atom::Choice(test, yes, no) => Some((atom, factor, test, yes, no)),
        Atom::Var(_) | Atom::Product(..) | Atom::Quotient(..) | Atom::Remainder(..) => None,
    });
    let Some((atom, factor, test, yes, no)) = found else { return make(term.clone()) };
    let rest = term.without(atom);
    let test = lifted(test);
    let with = |case: &Term| cases(&rest.plus(&case.times(factor)), make);
    let first = test.clone().both(with(yes));
    first.either(test.negated().both(with(no)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use exeunt_smt::{Assignment, Var};

    #[test]
    fn cases_keep_the_meaning() {
        let x = Term::var(Var(0));
        let wrapped = Term::choice(Formula::non_negative(x.add(-3)), x.add(-8), x.clone());
        let formula = Formula::non_negative(wrapped.times(2).plus(&x).add(-1));
        let plain = lifted(&formula);
        for value in -20..20 {
            let at = Assignment::from([(Var(0), value)]);
            assert_eq!(formula.holds(&at), plain.holds(&at), "{value}");
        }
    }
}
