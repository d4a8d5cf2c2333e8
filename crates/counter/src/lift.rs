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
    let Some((test, yes, no)) = split(term) else { return make(term.clone()) };
    let test = lifted(&test);
    let first = test.clone().both(cases(&yes, make));
    first.either(test.negated().both(cases(&no, make)))
}

/// The first choice in a term, and the term in both cases.
fn split(term: &Term) -> Option<(Formula, Term, Term)> {
    term.parts().find_map(|(atom, factor)| {
        let (test, yes, no) = match atom {
            Atom::Choice(test, yes, no) => ((**test).clone(), (**yes).clone(), (**no).clone()),
            Atom::Bits(op, width, a, b) => either(a, b, &|a, b| Term::bits(*op, *width, a, b))?,
            Atom::Product(a, b) => either(a, b, &|a, b| a.product(b))?,
            Atom::Quotient(a, divisor) => {
                let (test, yes, no) = split(a)?;
                (test, yes.quotient(*divisor), no.quotient(*divisor))
            }
            Atom::Remainder(a, divisor) => {
                let (test, yes, no) = split(a)?;
                (test, yes.remainder(*divisor), no.remainder(*divisor))
            }
            Atom::Var(_) => return None,
        };
        let rest = term.without(atom);
        let with = |case: &Term| rest.plus(&case.times(factor));
        Some((test, with(&yes), with(&no)))
    })
}

/// The first choice in one of two operands, and the operation in both cases.
fn either(
    a: &Term,
    b: &Term,
    make: &dyn Fn(&Term, &Term) -> Term,
) -> Option<(Formula, Term, Term)> {
    match (split(a), split(b)) {
        (Some((test, yes, no)), _) => Some((test, make(&yes, b), make(&no, b))),
        (None, Some((test, yes, no))) => Some((test, make(a, &yes), make(a, &no))),
        (None, None) => None,
    }
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

    #[test]
    fn choices_inside_of_operations_become_cases() {
        let x = Term::var(Var(0));
        let wrapped = Term::choice(Formula::non_negative(x.add(-3)), x.times(-2), x.clone());
        let inside = [
            wrapped.quotient(3),
            wrapped.add(1).remainder(5),
            wrapped.product(&wrapped.add(2)),
            Term::bits(exeunt_smt::BitOp::Xor, 4, &wrapped, &wrapped.quotient(2)),
        ];
        for term in inside {
            let formula = Formula::non_negative(term.add(-2));
            let plain = lifted(&formula);
            assert!(!format!("{plain:?}").contains("Choice"), "{plain:?}");
            for value in -20..20 {
                let at = Assignment::from([(Var(0), value)]);
                assert_eq!(formula.holds(&at), plain.holds(&at), "{value} {formula:?}");
            }
        }
    }
}
