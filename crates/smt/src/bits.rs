//! Operations on the bits of integers.
//!
//! They are exact parts of terms. A question that has some is first asked with an arbitrary number in place of each
//! result, of which inequalities are known: most questions need no more. If that does not decide it, every number
//! becomes a vector of bits (`blast`).

use std::collections::{BTreeMap, BTreeSet};

use crate::{Answer, Assignment, Atom, Formula, Int, Ranges, Term, Var, text};

/// What is done with two numbers of some width. Each operand counts modulo two to the power of the width; so does the
/// result, which is never negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BitOp {
    And,
    Or,
    Xor,
    /// Shifts by the width or more give zero.
    Left,
    Right,
    /// How many ones the first operand has; the second is of no account, as below.
    Ones,
    /// How many zeros are below its lowest one; the width if it has none.
    LowZeros,
    /// How many zeros are above its highest one; the width if it has none.
    HighZeros,
}

impl BitOp {
    pub fn value(self, width: u8, a: Int, b: Int) -> Int {
        let round = 1 << width;
        let (a, b) = (a.rem_euclid(round), b.rem_euclid(round));
        let far = b >= Int::from(width);
        match self {
            BitOp::And => a & b,
            BitOp::Or => a | b,
            BitOp::Xor => a ^ b,
            BitOp::Left | BitOp::Right if far => 0,
            BitOp::Left => (a << b).rem_euclid(round),
            BitOp::Right => a >> b,
            BitOp::Ones => a.count_ones().into(),
            BitOp::LowZeros => a.trailing_zeros().min(width.into()).into(),
            BitOp::HighZeros => (a.leading_zeros() + u32::from(width)).saturating_sub(128).into(),
        }
    }

    /// The largest result.
    pub fn largest(self, width: u8) -> Int {
        match self {
            BitOp::And | BitOp::Or | BitOp::Xor | BitOp::Left | BitOp::Right => (1 << width) - 1,
            BitOp::Ones | BitOp::LowZeros | BitOp::HighZeros => width.into(),
        }
    }

    /// The operation on vectors of bits of SMT-LIB. What it has no word for is put together bit by bit.
    pub(crate) fn vector(self, width: u8, a: &str, b: &str) -> String {
        let plain = |word: &str| format!("({word} {a} {b})");
        let bit = |at: u8| format!("((_ extract {at} {at}) {a})");
        let number = |value: u8| format!("(_ bv{value} {width})");
        // The first of these bits that is one decides.
        let first = |order: &mut dyn Iterator<Item = u8>| {
            let order: Vec<u8> = order.collect();
            order.iter().enumerate().rev().fold(number(width), |rest, (place, at)| {
                format!("(ite (= {} #b1) {} {rest})", bit(*at), number(place as u8))
            })
        };
        match self {
            BitOp::And => plain("bvand"),
            BitOp::Or => plain("bvor"),
            BitOp::Xor => plain("bvxor"),
            BitOp::Left => plain("bvshl"),
            BitOp::Right => plain("bvlshr"),
            BitOp::Ones => (0..width).fold(number(0), |sum, at| {
                format!("(bvadd {sum} ((_ zero_extend {}) {}))", width - 1, bit(at))
            }),
            BitOp::LowZeros => first(&mut (0..width)),
            BitOp::HighZeros => first(&mut (0..width).rev()),
        }
    }

    /// As people write it.
    pub fn sign(self) -> &'static str {
        match self {
            BitOp::And => "&",
            BitOp::Or => "|",
            BitOp::Xor => "^",
            BitOp::Left => "<<",
            BitOp::Right => ">>",
            BitOp::Ones => "ones",
            BitOp::LowZeros => "low zeros",
            BitOp::HighZeros => "high zeros",
        }
    }
}

/// What is known of a result beside two operands that are within the range of the width.
pub fn inequalities(op: BitOp, a: &Term, b: &Term, result: &Term) -> Vec<Formula> {
    let at_most = |low: &Term, high: &Term| Formula::at_least(high, low);
    match op {
        BitOp::And => vec![at_most(result, a), at_most(result, b)],
        BitOp::Or => vec![at_most(a, result), at_most(b, result), at_most(result, &a.plus(b))],
        BitOp::Xor => vec![
            at_most(result, &a.plus(b)),
            at_most(&a.minus(b), result),
            at_most(&b.minus(a), result),
        ],
        BitOp::Right => {
            let shifted = Formula::non_negative(b.add(-1));
            let half = at_most(&result.times(2), a);
            vec![at_most(result, a), shifted.negated().either(half)]
        }
        BitOp::Left | BitOp::Ones | BitOp::LowZeros | BitOp::HighZeros => Vec::new(),
    }
}

/// The ranges that single inequalities give variables.
pub(crate) fn ranges(formulas: &[&Formula]) -> Ranges {
    let (mut low, mut high) = (BTreeMap::new(), BTreeMap::new());
    let mut todo: Vec<&Formula> = formulas.to_vec();
    while let Some(formula) = todo.pop() {
        let (term, exactly) = match formula {
            Formula::And(parts) => {
                todo.extend(parts);
                continue;
            }
            Formula::NonNegative(term) => (term, false),
            Formula::Zero(term) => (term, true),
            Formula::True | Formula::False | Formula::NonZero(_) | Formula::Or(_) => continue,
        };
        let mut parts = term.parts();
        let (Some((Atom::Var(var), factor)), None) = (parts.next(), parts.next()) else { continue };
        let bound = -term.constant() * factor;
        if factor == 1 || exactly && factor == -1 {
            low.entry(*var).and_modify(|old: &mut Int| *old = bound.max(*old)).or_insert(bound);
        }
        if factor == -1 || exactly && factor == 1 {
            high.entry(*var).and_modify(|old: &mut Int| *old = bound.min(*old)).or_insert(bound);
        }
    }
    low.into_iter().filter_map(|(var, low)| Some((var, (low, *high.get(&var)?)))).collect()
}

/// The answer to a question with operations on bits, from those to two without: one with numbers in their place,
/// one with vectors of bits for all numbers.
pub(crate) fn ask(
    formulas: &[&Formula],
    plain: &mut dyn FnMut(&[&Formula]) -> Answer,
    exact: &mut dyn FnMut(&crate::blast::Question) -> Answer,
) -> Answer {
    let ranges = ranges(formulas);
    let (weaker, _) = loosened(formulas, &[]);
    let first = text::vars(formulas).last().map_or(0, |var| var.0 + 1);
    let is_right =
        |values: &Assignment| formulas.iter().all(|formula| formula.holds(values) == Some(true));
    match plain(&weaker.iter().collect::<Vec<_>>()) {
        Answer::Unsat => return Answer::Unsat,
        Answer::Sat(mut values) => {
            values.retain(|var, _| var.0 < first);
            if is_right(&values) {
                return Answer::Sat(values);
            }
        }
        Answer::Unknown => {}
    }
    let Some(question) = crate::blast::question(formulas, &ranges) else { return Answer::Unknown };
    match exact(&question) {
        Answer::Sat(values) if !is_right(&values) => Answer::Unknown,
        answer => answer,
    }
}

/// Formulas and terms with variables for results of operations on bits; what is known of those is among the formulas.
pub(crate) fn loosened(formulas: &[&Formula], terms: &[&Term]) -> (Vec<Formula>, Vec<Term>) {
    let ranges = ranges(formulas);
    let mut loose = Loose::new(formulas, terms, &ranges);
    let mut weaker: Vec<Formula> = formulas.iter().map(|formula| loose.formula(formula)).collect();
    let terms = terms.iter().map(|term| loose.term(term)).collect();
    weaker.append(&mut loose.known);
    (weaker, terms)
}

/// Variables in place of operations on bits.
struct Loose<'a> {
    ranges: &'a Ranges,
    names: BTreeMap<Atom, Var>,
    known: Vec<Formula>,
    next: u32,
}

impl<'a> Loose<'a> {
    fn new(formulas: &[&Formula], terms: &[&Term], ranges: &'a Ranges) -> Self {
        let mut vars = BTreeSet::new();
        terms.iter().for_each(|term| term.collect_vars(&mut vars));
        formulas.iter().for_each(|formula| formula.collect_vars(&mut vars));
        let next = vars.last().map_or(0, |var| var.0 + 1);
        Loose { ranges, names: BTreeMap::new(), known: Vec::new(), next }
    }

    fn formula(&mut self, formula: &Formula) -> Formula {
        match formula {
            Formula::True | Formula::False => formula.clone(),
            Formula::NonNegative(term) => Formula::non_negative(self.term(term)),
            Formula::Zero(term) => Formula::zero(self.term(term)),
            Formula::NonZero(term) => Formula::zero(self.term(term)).negated(),
            Formula::And(parts) => Formula::all(parts.iter().map(|part| self.formula(part))),
            Formula::Or(parts) => {
                let parts: Vec<Formula> = parts.iter().map(|part| self.formula(part)).collect();
                parts.into_iter().fold(Formula::False, Formula::either)
            }
        }
    }

    fn term(&mut self, term: &Term) -> Term {
        let mut sum = Term::number(term.constant());
        for (atom, factor) in term.parts() {
            sum = sum.plus(&self.atom(atom).times(factor));
        }
        sum
    }

    fn atom(&mut self, atom: &Atom) -> Term {
        match atom {
            Atom::Var(var) => Term::var(*var),
            Atom::Product(a, b) => self.term(a).product(&self.term(b)),
            Atom::Quotient(a, divisor) => self.term(a).quotient(*divisor),
            Atom::Remainder(a, divisor) => self.term(a).remainder(*divisor),
            Atom::Choice(test, yes, no) => {
                Term::choice(self.formula(test), self.term(yes), self.term(no))
            }
            Atom::Bits(op, width, a, b) => {
                if let Some(name) = self.names.get(atom) {
                    return Term::var(*name);
                }
                let name = Var(self.next);
                self.next += 1;
                self.names.insert(atom.clone(), name);
                let result = Term::var(name);
                let high = (1 << width) - 1;
                let in_range = |term: &Term| {
                    Formula::non_negative(term.clone())
                        .both(Formula::non_negative(term.times(-1).add(high)))
                };
                self.known.push(Formula::non_negative(result.clone()));
                let largest = op.largest(*width);
                self.known.push(Formula::non_negative(result.times(-1).add(largest)));
                let fits = |term: &Term| {
                    term.range(self.ranges).is_some_and(|(low, top)| low >= 0 && top <= high)
                };
                let sure = fits(a) && fits(b);
                let (a, b) = (self.term(a), self.term(b));
                let sensible = in_range(&a).both(in_range(&b));
                for fact in inequalities(*op, &a, &b, &result) {
                    let fact = if sure { fact } else { sensible.negated().either(fact) };
                    self.known.push(fact);
                }
                result
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const OPS: [BitOp; 8] = [
        BitOp::And,
        BitOp::Or,
        BitOp::Xor,
        BitOp::Left,
        BitOp::Right,
        BitOp::Ones,
        BitOp::LowZeros,
        BitOp::HighZeros,
    ];

    #[test]
    fn inequalities_hold() {
        for op in OPS {
            for (a, b) in (0..16).flat_map(|a| (0..16).map(move |b| (a, b))) {
                let result = Term::number(op.value(4, a, b));
                let facts = inequalities(op, &Term::number(a), &Term::number(b), &result);
                assert_eq!(Formula::all(facts), Formula::True, "{op:?} {a} {b}");
            }
        }
    }

    #[test]
    fn operands_wrap_around() {
        for op in OPS {
            assert_eq!(op.value(4, -1, 3), op.value(4, 15, 19), "{op:?}");
        }
        assert_eq!(BitOp::Left.value(4, 9, 1), 2);
        assert_eq!(BitOp::Right.value(4, 9, 4), 0);
        assert_eq!(BitOp::Ones.value(4, 11, 0), 3);
        assert_eq!([0, 1, 8, 12].map(|a| BitOp::LowZeros.value(4, a, 0)), [4, 0, 3, 2]);
        assert_eq!([0, 1, 8, 6].map(|a| BitOp::HighZeros.value(4, a, 0)), [4, 3, 0, 1]);
    }
}
