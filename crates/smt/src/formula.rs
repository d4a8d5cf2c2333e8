//! Formulas over integer terms, without negation signs: the negation of each
//! kind is another kind.

use std::collections::{BTreeMap, BTreeSet};

use crate::term::Kind;
use crate::{Assignment, Ranges, Term, Var};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    True,
    False,
    /// The term is at least zero.
    NonNegative(Term),
    Zero(Term),
    NonZero(Term),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

impl Formula {
    pub fn truth(value: bool) -> Self {
        if value { Formula::True } else { Formula::False }
    }

    pub fn non_negative(term: Term) -> Self {
        match term.as_number() {
            Some(number) => Formula::truth(number >= 0),
            None => Formula::NonNegative(term.reduced(false).expect("inequalities round")),
        }
    }

    pub fn zero(term: Term) -> Self {
        match (term.as_number(), term.reduced(true)) {
            (Some(number), _) => Formula::truth(number == 0),
            (None, None) => Formula::False,
            (None, Some(term)) if term.leads_negative() => Formula::Zero(term.times(-1)),
            (None, Some(term)) => Formula::Zero(term),
        }
    }

    pub fn at_least(left: &Term, right: &Term) -> Self {
        Formula::non_negative(left.minus(right))
    }

    pub fn equal(left: &Term, right: &Term) -> Self {
        Formula::zero(left.minus(right))
    }

    pub fn both(self, other: Formula) -> Self {
        match (self, other) {
            (Formula::False, _) | (_, Formula::False) => Formula::False,
            (Formula::True, other) | (other, Formula::True) => other,
            (first, second) => {
                let mut all = first.conjuncts();
                all.extend(second.conjuncts());
                Formula::And(all)
            }
        }
    }

    pub fn either(self, other: Formula) -> Self {
        self.negated().both(other.negated()).negated()
    }

    pub fn all(parts: impl IntoIterator<Item = Formula>) -> Self {
        parts.into_iter().fold(Formula::True, Formula::both)
    }

    #[must_use]
    pub fn negated(&self) -> Formula {
        match self {
            Formula::True => Formula::False,
            Formula::False => Formula::True,
            Formula::NonNegative(term) => Formula::non_negative(term.times(-1).add(-1)),
            Formula::Zero(term) => Formula::NonZero(term.clone()),
            Formula::NonZero(term) => Formula::Zero(term.clone()),
            Formula::And(parts) => Formula::Or(parts.iter().map(Formula::negated).collect()),
            Formula::Or(parts) => Formula::And(parts.iter().map(Formula::negated).collect()),
        }
    }

    /// The parts that all have to hold.
    pub fn conjuncts(self) -> Vec<Formula> {
        match self {
            Formula::True => Vec::new(),
            Formula::And(parts) => parts.into_iter().flat_map(Formula::conjuncts).collect(),
            other => vec![other],
        }
    }

    /// Whether it holds; `None` if a value does not fit.
    pub fn holds(&self, at: &Assignment) -> Option<bool> {
        Some(match self {
            Formula::True => true,
            Formula::False => false,
            Formula::NonNegative(term) => term.value(at)? >= 0,
            Formula::Zero(term) => term.value(at)? == 0,
            Formula::NonZero(term) => term.value(at)? != 0,
            Formula::And(parts) => {
                for part in parts {
                    if !part.holds(at)? {
                        return Some(false);
                    }
                }
                true
            }
            Formula::Or(parts) => {
                for part in parts {
                    if part.holds(at)? {
                        return Some(true);
                    }
                }
                false
            }
        })
    }

    #[must_use]
    pub fn replaced(&self, by: &BTreeMap<Var, Term>) -> Formula {
        match self {
            Formula::True | Formula::False => self.clone(),
            Formula::NonNegative(term) => Formula::non_negative(term.replaced(by)),
            Formula::Zero(term) => Formula::zero(term.replaced(by)),
            Formula::NonZero(term) => Formula::zero(term.replaced(by)).negated(),
            Formula::And(parts) => Formula::all(parts.iter().map(|part| part.replaced(by))),
            Formula::Or(parts) => {
                parts.iter().map(|part| part.replaced(by)).fold(Formula::False, Formula::either)
            }
        }
    }

    /// See [`Term::unfolded`].
    #[must_use]
    pub fn unfolded(&self, ranges: &Ranges) -> Formula {
        let each = |parts: &[Formula]| -> Vec<Formula> {
            parts.iter().map(|part| part.unfolded(ranges)).collect()
        };
        match self {
            Formula::True | Formula::False => self.clone(),
            Formula::NonNegative(term) => Formula::non_negative(term.unfolded(ranges)),
            Formula::Zero(term) => Formula::zero(term.unfolded(ranges)),
            Formula::NonZero(term) => Formula::zero(term.unfolded(ranges)).negated(),
            Formula::And(parts) => Formula::all(each(parts)),
            Formula::Or(parts) => each(parts).into_iter().fold(Formula::False, Formula::either),
        }
    }

    pub fn collect_vars(&self, out: &mut BTreeSet<Var>) {
        match self {
            Formula::True | Formula::False => {}
            Formula::NonNegative(term) | Formula::Zero(term) | Formula::NonZero(term) => {
                term.collect_vars(out);
            }
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| part.collect_vars(out));
            }
        }
    }

    /// All results of operations on bits in it.
    pub fn collect_bits(&self, out: &mut BTreeSet<Term>) {
        match self {
            Formula::True | Formula::False => {}
            Formula::NonNegative(term) | Formula::Zero(term) | Formula::NonZero(term) => {
                term.collect_bits(out);
            }
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| part.collect_bits(out));
            }
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Formula::True | Formula::False => Kind::Linear,
            Formula::NonNegative(term) | Formula::Zero(term) | Formula::NonZero(term) => {
                term.kind()
            }
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().map(Formula::kind).max().unwrap_or(Kind::Linear)
            }
        }
    }

    pub fn vars(&self) -> BTreeSet<Var> {
        let mut vars = BTreeSet::new();
        self.collect_vars(&mut vars);
        vars
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Term {
        Term::var(Var(0))
    }

    #[test]
    fn negation_is_exact_on_integers() {
        let formulas = [
            Formula::non_negative(x().add(-3)),
            Formula::zero(x().add(-3)),
            Formula::non_negative(x()).both(Formula::non_negative(x().times(-1).add(5))),
            Formula::zero(x()).either(Formula::non_negative(x().times(2).add(-7))),
        ];
        for formula in formulas {
            for value in -10..10 {
                let at = Assignment::from([(Var(0), value)]);
                let (yes, no) = (formula.holds(&at), formula.negated().holds(&at));
                assert_ne!(yes, no, "{formula:?} at {value}");
            }
        }
    }

    #[test]
    fn common_factors_go() {
        assert_eq!(Formula::non_negative(x().times(2).add(-7)), Formula::non_negative(x().add(-4)));
        assert_eq!(Formula::zero(x().times(2).add(-7)), Formula::False);
        assert_eq!(Formula::zero(x().times(-1)), Formula::zero(x()));
    }
}
