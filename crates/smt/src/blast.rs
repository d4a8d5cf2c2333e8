//! Questions with vectors of bits for all numbers, in SMT-LIB's language.
//!
//! All vectors are as wide as the largest sum needs with the ranges of its variables, so nothing overflows, and a vector
//! is the number that it is in two's complement. A variable without a range has no such vector.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::{Assignment, Atom, Formula, Int, Ranges, Term, Var, text};

/// Wider vectors are not asked about.
const WIDEST: u32 = 200;

pub(crate) struct Question {
    pub text: String,
    pub vars: BTreeSet<Var>,
    pub width: u32,
}

pub(crate) fn question(formulas: &[&Formula], ranges: &Ranges) -> Option<Question> {
    let mut largest = 1;
    for formula in formulas {
        largest = largest.max(of_formula(formula, ranges)?);
    }
    let width = 128 - largest.leading_zeros() + 2;
    if width > WIDEST {
        return None;
    }
    let vars = text::vars(formulas);
    let mut text = String::from("(set-logic QF_BV)\n");
    for var in &vars {
        let _ = writeln!(text, "(declare-const {} (_ BitVec {width}))", text::name(*var));
    }
    let writer = Writer { width };
    for (var, (low, high)) in ranges.iter().filter(|(var, _)| vars.contains(var)) {
        let (name, low, high) = (text::name(*var), writer.number(*low), writer.number(*high));
        let _ = writeln!(text, "(assert (and (bvsle {low} {name}) (bvsle {name} {high})))");
    }
    for formula in formulas {
        let _ = writeln!(text, "(assert {})", writer.formula(formula));
    }
    text.push_str("(check-sat)\n");
    Some(Question { text, vars, width })
}

/// The largest absolute value on the way to the truth of a formula; `None` if that is not known.
fn of_formula(formula: &Formula, ranges: &Ranges) -> Option<u128> {
    match formula {
        Formula::True | Formula::False => Some(1),
        Formula::NonNegative(term) | Formula::Zero(term) | Formula::NonZero(term) => {
            of_term(term, ranges)
        }
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().try_fold(1, |all: u128, part| Some(all.max(of_formula(part, ranges)?)))
        }
    }
}

/// At least the absolute value of a term and of all that it is computed from.
fn of_term(term: &Term, ranges: &Ranges) -> Option<u128> {
    let mut sum = term.constant().unsigned_abs();
    let mut inner = 0;
    for (atom, factor) in term.parts() {
        let (own, inside) = of_atom(atom, ranges)?;
        inner = inside.max(inner);
        sum = sum.checked_add(own.checked_mul(factor.unsigned_abs())?)?;
        inner = inner.max(factor.unsigned_abs());
    }
    let largest = sum.max(inner);
    (largest < 1 << 120).then_some(largest)
}

/// The absolute value of an atom, and of all that it is computed from.
fn of_atom(atom: &Atom, ranges: &Ranges) -> Option<(u128, u128)> {
    let whole = |value: u128| (value, value);
    Some(match atom {
        Atom::Var(var) => {
            let (low, high) = ranges.get(var)?;
            whole(low.unsigned_abs().max(high.unsigned_abs()))
        }
        Atom::Product(a, b) => {
            let (a, b) = (of_term(a, ranges)?, of_term(b, ranges)?);
            whole(a.checked_mul(b)?.max(a).max(b))
        }
        Atom::Quotient(a, divisor) => {
            whole(of_term(a, ranges)?.checked_add(divisor.unsigned_abs())?)
        }
        Atom::Remainder(a, divisor) => {
            let divisor = divisor.unsigned_abs();
            (divisor, of_term(a, ranges)?.max(divisor))
        }
        Atom::Choice(test, yes, no) => {
            let both = of_term(yes, ranges)?.max(of_term(no, ranges)?);
            (both, both.max(of_formula(test, ranges)?))
        }
        Atom::Bits(_, width, a, b) => {
            let round = 1 << width;
            (round, of_term(a, ranges)?.max(of_term(b, ranges)?).max(round))
        }
    })
}

struct Writer {
    width: u32,
}

impl Writer {
    fn formula(&self, formula: &Formula) -> String {
        let each = |word: &str, parts: &[Formula]| {
            let parts: Vec<String> = parts.iter().map(|part| self.formula(part)).collect();
            format!("({word} {})", parts.join(" "))
        };
        let zero = || self.number(0);
        match formula {
            Formula::True => "true".into(),
            Formula::False => "false".into(),
            Formula::NonNegative(term) => format!("(bvsge {} {})", self.term(term), zero()),
            Formula::Zero(term) => format!("(= {} {})", self.term(term), zero()),
            Formula::NonZero(term) => format!("(not (= {} {}))", self.term(term), zero()),
            Formula::And(parts) => each("and", parts),
            Formula::Or(parts) => each("or", parts),
        }
    }

    fn number(&self, value: Int) -> String {
        match value < 0 {
            true => format!("(bvneg (_ bv{} {}))", value.unsigned_abs(), self.width),
            false => format!("(_ bv{value} {})", self.width),
        }
    }

    fn term(&self, term: &Term) -> String {
        let mut sum: Option<String> = None;
        for (atom, factor) in term.parts() {
            let part = match factor {
                1 => self.atom(atom),
                -1 => format!("(bvneg {})", self.atom(atom)),
                factor => format!("(bvmul {} {})", self.number(factor), self.atom(atom)),
            };
            sum = Some(sum.map_or_else(|| part.clone(), |sum| format!("(bvadd {sum} {part})")));
        }
        match sum {
            Some(sum) if term.constant() == 0 => sum,
            Some(sum) => format!("(bvadd {sum} {})", self.number(term.constant())),
            None => self.number(term.constant()),
        }
    }

    fn atom(&self, atom: &Atom) -> String {
        match atom {
            Atom::Var(var) => text::name(*var),
            Atom::Product(a, b) => format!("(bvmul {} {})", self.term(a), self.term(b)),
            Atom::Quotient(a, divisor) => self.quotient(a, *divisor),
            Atom::Remainder(a, divisor) => self.remainder(a, *divisor),
            Atom::Choice(test, yes, no) => {
                format!("(ite {} {} {})", self.formula(test), self.term(yes), self.term(no))
            }
            Atom::Bits(op, width, a, b) => {
                let low =
                    |term: &Term| format!("((_ extract {} 0) {})", width - 1, self.term(term));
                let result = op.vector(*width, &low(a), &low(b));
                format!("((_ zero_extend {}) {result})", self.width - u32::from(*width))
            }
        }
    }

    /// Rounded down, for a positive divisor.
    fn quotient(&self, a: &Term, divisor: Int) -> String {
        let by = self.number(divisor);
        match divisor.count_ones() {
            1 => {
                let places = self.number(divisor.trailing_zeros().into());
                format!("(bvashr {} {places})", self.term(a))
            }
            _ => format!("(bvsdiv (bvsub {} {}) {by})", self.term(a), self.remainder(a, divisor)),
        }
    }

    fn remainder(&self, a: &Term, divisor: Int) -> String {
        match divisor.count_ones() {
            1 => format!("(bvand {} {})", self.term(a), self.number(divisor - 1)),
            _ => format!("(bvsmod {} {})", self.term(a), self.number(divisor)),
        }
    }
}

/// The number of a vector as solvers write it: `#b0101` or `#x1f`.
pub(crate) fn number(written: &str, width: u32) -> Option<Int> {
    let (digits, base) = match (written.strip_prefix("#b"), written.strip_prefix("#x")) {
        (Some(digits), _) => (digits, 1),
        (_, Some(digits)) => (digits, 4),
        (None, None) => return None,
    };
    let mut bits: Vec<bool> = Vec::new();
    for digit in digits.chars() {
        let digit = digit.to_digit(16)?;
        bits.extend((0..base).rev().map(|bit| digit >> bit & 1 == 1));
    }
    let skipped = bits.len().checked_sub(width as usize)?;
    let mut value: Int = if *bits.get(skipped)? { -1 } else { 0 };
    for bit in &bits[skipped..] {
        value = value.checked_mul(2)?.checked_add(Int::from(*bit))?;
    }
    Some(value)
}

/// Values of all variables, read by the second argument.
pub(crate) fn values(
    question: &Question,
    written: &mut dyn FnMut(Var) -> Option<String>,
) -> Option<Assignment> {
    let value = |var: &Var| Some((*var, number(&written(*var)?, question.width)?));
    question.vars.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_read_in_twos_complement() {
        assert_eq!(number("#b0101", 4), Some(5));
        assert_eq!(number("#b1101", 4), Some(-3));
        assert_eq!(number("#xfe", 8), Some(-2));
        assert_eq!(number("#x0fe", 12), Some(254));
        assert_eq!(number("7", 4), None);
    }
}
