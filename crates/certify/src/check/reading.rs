//! Formulas and terms of a certificate, with terms for their names.

use exeunt_smt::{Formula, Int, Term};

use super::Wrong;
use crate::Name;

/// What a name stands for.
pub(super) type Lookup<'a> = dyn Fn(&Name) -> Option<Term> + 'a;

/// A formula of a certificate, with terms for its names.
pub(super) fn formula(own: &crate::Formula, of: &Lookup<'_>) -> Result<Formula, Wrong> {
    use crate::Formula as Own;
    Ok(match own {
        Own::True => Formula::True,
        Own::False => Formula::False,
        Own::NonNegative(own) => Formula::non_negative(term(own, of)?),
        Own::Zero(own) => Formula::zero(term(own, of)?),
        Own::NonZero(own) => Formula::zero(term(own, of)?).negated(),
        Own::All(parts) => {
            let parts: Result<Vec<_>, Wrong> = parts.iter().map(|part| formula(part, of)).collect();
            Formula::all(parts?)
        }
        Own::Any(parts) => {
            let parts: Result<Vec<_>, Wrong> = parts.iter().map(|part| formula(part, of)).collect();
            parts?.into_iter().fold(Formula::False, Formula::either)
        }
    })
}

pub(super) fn term(own: &crate::Term, of: &Lookup<'_>) -> Result<Term, Wrong> {
    use crate::Atom as Own;
    let divisor = |number: i64| match number {
        1.. => Ok(Int::from(number)),
        _ => Err(Wrong::new("a divisor is not positive")),
    };
    let mut sum = Term::number(Int::from(own.number));
    for (factor, atom) in &own.sum {
        let value = match atom {
            Own::Value(name) => of(name).ok_or_else(|| unknown(name))?,
            Own::Product(a, b) => term(a, of)?.product(&term(b, of)?),
            Own::Quotient(a, by) => term(a, of)?.quotient(divisor(*by)?),
            Own::Remainder(a, by) => term(a, of)?.remainder(divisor(*by)?),
            Own::Choice(test, yes, no) => {
                Term::choice(formula(test, of)?, term(yes, of)?, term(no, of)?)
            }
        };
        if value.magnitude() > 1 << 60 {
            return Err(Wrong::new("a number is too large"));
        }
        sum = sum.plus(&value.times(Int::from(*factor)));
    }
    Ok(sum)
}

pub(super) fn unknown(name: &Name) -> Wrong {
    Wrong::new(format!("there is no {name:?}"))
}
