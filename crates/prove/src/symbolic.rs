//! Numbers with terms beside them.
//!
//! The number is what the value is in the run at hand; the term says what it
//! is in any run that takes the same way. Wherever the run depends on a value,
//! a condition is noted. What no term can express is fixed: the condition is
//! then that the value is the same number again.

use exeunt_promela::code::{Binary, Unary, Width};
use exeunt_smt::{Formula, Int, Ranges, Term, Var};

use crate::concrete::{Concrete, is_narrow};
use crate::domain::{Domain, Integers};
use crate::stop::Stop;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symbol {
    pub now: i64,
    pub term: Term,
    /// Of a truth value: when it is one.
    truth: Option<Formula>,
}

impl Symbol {
    pub fn number(now: i64) -> Self {
        Symbol { now, term: Term::number(Int::from(now)), truth: None }
    }

    pub fn var(now: i64, var: Var) -> Self {
        Symbol::term(now, Term::var(var))
    }

    pub fn term(now: i64, term: Term) -> Self {
        Symbol { now, term, truth: None }
    }

    fn truth(formula: Formula, now: bool) -> Self {
        let term = Term::choice(formula.clone(), Term::number(1), Term::number(0));
        Symbol { now: i64::from(now), term, truth: Some(formula) }
    }

    fn holds(&self) -> Formula {
        match &self.truth {
            Some(formula) => formula.clone(),
            None => Formula::zero(self.term.clone()).negated(),
        }
    }
}

/// Smallest and largest value.
pub(crate) type Range = (Int, Int);

pub(crate) const INT: Range = (i32::MIN as Int, i32::MAX as Int);

/// What a variable of this width can hold; `None`: anything.
pub(crate) fn range_of(width: Width, integers: Integers) -> Option<Range> {
    if !is_narrow(width) {
        return (integers == Integers::Exact).then_some(INT);
    }
    let size: Int = 1 << width.bits;
    Some(if width.signed { (-size / 2, size / 2 - 1) } else { (0, size - 1) })
}

/// What is left of a term in a range whose size is a power of two.
pub(crate) fn wrapped((low, high): Range, term: Term, ranges: &Ranges) -> Term {
    match term.range(ranges) {
        Some((least, most)) if low <= least && most <= high => term,
        _ => term.add(-low).remainder(high - low + 1).add(low),
    }
}

#[derive(Debug)]
pub(crate) struct Symbolic {
    integers: Integers,
    plain: Concrete,
    pub conditions: Vec<Formula>,
    pub ranges: Ranges,
}

/// Terms with larger numbers in them are fixed.
const LARGEST: u128 = 1 << 70;

impl Symbolic {
    pub fn new(integers: Integers, ranges: Ranges) -> Self {
        let plain = Concrete { integers, strict: false };
        Symbolic { integers, plain, conditions: Vec::new(), ranges }
    }

    fn note(&mut self, formula: Formula) {
        for part in formula.conjuncts() {
            if !self.conditions.contains(&part) {
                self.conditions.push(part);
            }
        }
    }

    /// The result of an operation on `int`s.
    fn fit(&mut self, now: i64, term: Term) -> Symbol {
        if term.magnitude() > LARGEST {
            let symbol = Symbol { now, term, truth: None };
            return Symbol::number(self.fix(&symbol));
        }
        let term = match self.integers {
            Integers::Exact => self.wrapped(INT, term),
            Integers::Ideal => term,
        };
        Symbol { now, term, truth: None }
    }

    fn wrapped(&self, range: Range, term: Term) -> Term {
        wrapped(range, term, &self.ranges)
    }

    /// Division rounds towards zero, as in C.
    fn divided(&mut self, left: &Symbol, right: &Symbol, rest: bool) -> Term {
        let divisor = Int::from(self.fix(right));
        let by = divisor.abs();
        let part = |term: &Term| if rest { term.remainder(by) } else { term.quotient(by) };
        let term = &left.term;
        let up = part(term);
        let down = part(&term.times(-1)).times(-1);
        let positive = Formula::non_negative(term.clone());
        let term = match term.range(&self.ranges) {
            Some((low, _)) if low >= 0 => up,
            _ => Term::choice(positive, up, down),
        };
        // The rest has the sign of what is divided.
        if divisor < 0 && !rest { term.times(-1) } else { term }
    }

    fn compared(&self, op: Binary, left: &Term, right: &Term) -> Option<Formula> {
        let one_less = |term: &Term| term.add(-1);
        Some(match op {
            Binary::Equal => Formula::equal(left, right),
            Binary::Unequal => Formula::equal(left, right).negated(),
            Binary::Less => Formula::at_least(&one_less(right), left),
            Binary::LessEqual => Formula::at_least(right, left),
            Binary::Greater => Formula::at_least(&one_less(left), right),
            Binary::GreaterEqual => Formula::at_least(left, right),
            _ => return None,
        })
    }

    fn bits(&mut self, op: Binary, left: &Symbol, right: &Symbol, now: i64) -> Symbol {
        let mask = |symbol: &Symbol| {
            let number = symbol.term.as_number()?;
            (number >= 0 && (number & (number + 1)) == 0).then_some(number + 1)
        };
        if op == Binary::BitAnd {
            let masked = match (mask(left), mask(right)) {
                (_, Some(size)) => Some(left.term.remainder(size)),
                (Some(size), _) => Some(right.term.remainder(size)),
                _ => None,
            };
            if let Some(term) = masked {
                return Symbol { now, term, truth: None };
            }
        }
        self.fix(left);
        self.fix(right);
        Symbol::number(now)
    }
}

impl Domain for Symbolic {
    type Value = Symbol;

    fn number(&self, value: i64) -> Symbol {
        Symbol::number(value)
    }

    fn decide(&mut self, value: &Symbol) -> bool {
        let holds = value.holds();
        let now = value.now != 0;
        self.note(if now { holds } else { holds.negated() });
        now
    }

    fn fix(&mut self, value: &Symbol) -> i64 {
        self.note(Formula::equal(&value.term, &Term::number(Int::from(value.now))));
        value.now
    }

    fn unary(&mut self, op: Unary, value: &Symbol) -> Result<Symbol, Stop> {
        let now = self.plain.unary(op, &value.now)?;
        Ok(match op {
            Unary::Not => Symbol::truth(value.holds().negated(), now != 0),
            Unary::Negate => self.fit(now, value.term.times(-1)),
            Unary::Complement => self.fit(now, value.term.times(-1).add(-1)),
        })
    }

    fn binary(&mut self, op: Binary, left: &Symbol, right: &Symbol) -> Result<Symbol, Stop> {
        let now = self.plain.binary(op, &left.now, &right.now)?;
        if left.term.as_number().is_some() && right.term.as_number().is_some() {
            return Ok(Symbol::number(now));
        }
        if let Some(formula) = self.compared(op, &left.term, &right.term) {
            return Ok(Symbol::truth(formula, now != 0));
        }
        Ok(match op {
            Binary::And => Symbol::truth(left.holds().both(right.holds()), now != 0),
            Binary::Or => Symbol::truth(left.holds().either(right.holds()), now != 0),
            Binary::Add => self.fit(now, left.term.plus(&right.term)),
            Binary::Subtract => self.fit(now, left.term.minus(&right.term)),
            Binary::Multiply => {
                let small = left.term.magnitude() < LARGEST && right.term.magnitude() < 1 << 50;
                if !small {
                    self.fix(right);
                    self.fix(left);
                    return Ok(Symbol::number(now));
                }
                self.fit(now, left.term.product(&right.term))
            }
            Binary::Divide => {
                let term = self.divided(left, right, false);
                self.fit(now, term)
            }
            Binary::Modulo => {
                let term = self.divided(left, right, true);
                self.fit(now, term)
            }
            Binary::ShiftLeft => {
                let factor: Int = 1 << (self.fix(right) & 31);
                self.fit(now, left.term.times(factor))
            }
            Binary::ShiftRight => {
                let divisor: Int = 1 << (self.fix(right) & 31);
                self.fit(now, left.term.quotient(divisor))
            }
            op => self.bits(op, left, right, now),
        })
    }

    fn longer(&mut self, length: &Symbol, by: i64) -> Symbol {
        let term = length.term.add(Int::from(by));
        Symbol { now: length.now + by, term, truth: None }
    }

    fn truncate(&mut self, width: Width, value: &Symbol) -> Symbol {
        let now = self.plain.truncate(width, &value.now);
        let Some(range) = range_of(width, self.integers) else { return value.clone() };
        let term = self.wrapped(range, value.term.clone());
        let truth = value.truth.clone().filter(|_| term == value.term);
        Symbol { now, term, truth }
    }
}
