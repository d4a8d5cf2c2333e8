//! C's operators on terms. Their meaning is written again here on purpose: the
//! checker must not share a mistake with the prover (crate `operator`).

use exeunt_promela::code::{Binary, Width};
use exeunt_smt::{Formula, Int, Term};

use crate::Integers;

/// `t` in `width` bits.
pub(crate) fn stored(term: &Term, width: Width, integers: Integers) -> Term {
    match bounds(width, integers) {
        Some((low, high)) => wrapped(term, low, high),
        None => term.clone(),
    }
}

/// What fits into a width; `None` without bounds.
pub(crate) fn bounds(width: Width, integers: Integers) -> Option<(Int, Int)> {
    match (width.bits, width.signed, integers) {
        (32, _, Integers::Ideal) => None,
        (bits, signed, _) if signed || bits == 32 => {
            Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1))
        }
        (bits, ..) => Some((0, (1 << bits) - 1)),
    }
}

fn wrapped(term: &Term, low: Int, high: Int) -> Term {
    term.add(-low).remainder(high - low + 1).add(low)
}

/// The result of arithmetic on `int`s.
pub(crate) fn int(term: Term, integers: Integers) -> Term {
    stored(&term, Width { bits: 32, signed: true }, integers)
}

pub(crate) fn truth(formula: Formula) -> Term {
    Term::choice(formula, Term::number(1), Term::number(0))
}

/// When a term is not zero.
pub(crate) fn is_true(term: &Term) -> Formula {
    use exeunt_smt::Atom::Choice;
    let mut parts = term.parts();
    if let (0, Some((Choice(test, yes, no), 1)), None) =
        (term.constant(), parts.next(), parts.next())
        && yes.as_number() == Some(1)
        && no.as_number() == Some(0)
    {
        return (**test).clone();
    }
    Formula::zero(term.clone()).negated()
}

/// Comparisons; `None` for other operators.
pub(crate) fn comparison(op: Binary, a: &Term, b: &Term) -> Option<Formula> {
    let (below, above) = (Formula::at_least(b, a), Formula::at_least(a, b));
    Some(match op {
        Binary::Equal => Formula::equal(a, b),
        Binary::Unequal => Formula::equal(a, b).negated(),
        Binary::LessEqual => below,
        Binary::GreaterEqual => above,
        Binary::Less => above.negated(),
        Binary::Greater => below.negated(),
        _ => return None,
    })
}

/// Quotient and rest of C, which round towards zero.
pub(crate) fn division(a: &Term, divisor: Int) -> (Term, Term) {
    let size = divisor.abs();
    let sign = divisor.signum();
    let positive = Formula::non_negative(a.clone());
    let back = a.times(-1);
    let quotient = Term::choice(
        positive.clone(),
        a.quotient(size).times(sign),
        back.quotient(size).times(-sign),
    );
    let rest = Term::choice(positive, a.remainder(size), back.remainder(size).times(-1));
    (quotient, rest)
}

/// Operators on bits, on numbers.
pub(crate) fn bits(op: Binary, a: i64, b: i64) -> i64 {
    match op {
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        _ => a ^ b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use exeunt_smt::{Assignment, Var};

    #[test]
    fn storing_is_what_c_does() {
        let x = Term::var(Var(0));
        let byte = stored(&x, Width { bits: 8, signed: false }, Integers::Exact);
        let short = stored(&x, Width { bits: 16, signed: true }, Integers::Ideal);
        for value in -70_000..70_000i128 {
            let at = Assignment::from([(Var(0), value)]);
            assert_eq!(byte.value(&at), Some(i128::from(value as u8)));
            assert_eq!(short.value(&at), Some(i128::from(value as i16)));
        }
    }

    #[test]
    fn division_is_what_c_does() {
        let x = Term::var(Var(0));
        for divisor in [-7, -1, 1, 3] {
            let (quotient, rest) = division(&x, divisor);
            for value in -30..30 {
                let at = Assignment::from([(Var(0), value)]);
                assert_eq!(quotient.value(&at), Some(value / divisor), "{value} / {divisor}");
                assert_eq!(rest.value(&at), Some(value % divisor), "{value} % {divisor}");
            }
        }
    }
}
