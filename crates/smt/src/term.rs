//! Integer terms in canonical form.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::{BitOp, Formula};

/// Wide enough for sums of products of what 64-bit values hold.
pub type Int = i128;

/// A variable; who uses it knows what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

/// Values of variables. A missing one is zero.
pub type Assignment = BTreeMap<Var, Int>;

/// Smallest and largest values of variables; a missing one may be anything.
pub type Ranges = BTreeMap<Var, (Int, Int)>;

/// What a sum is made of besides numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    Var(Var),
    Product(Box<Term>, Box<Term>),
    /// Division by a positive number, rounded down.
    Quotient(Box<Term>, Int),
    /// What is left of that division, never negative.
    Remainder(Box<Term>, Int),
    /// The first term where the formula holds, the second elsewhere.
    Choice(Box<Formula>, Box<Term>, Box<Term>),
    /// An operation on two numbers of this width.
    Bits(BitOp, u8, Box<Term>, Box<Term>),
}

/// How hard a term is to reason about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Linear,
    Division,
    Product,
    Bits,
}

/// A number plus multiples of atoms. No atom has the factor zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    parts: BTreeMap<Atom, Int>,
    constant: Int,
}

impl Term {
    pub fn number(constant: Int) -> Self {
        Term { parts: BTreeMap::new(), constant }
    }

    pub fn var(var: Var) -> Self {
        Term::atom(Atom::Var(var))
    }

    fn atom(atom: Atom) -> Self {
        Term { parts: BTreeMap::from([(atom, 1)]), constant: 0 }
    }

    pub fn constant(&self) -> Int {
        self.constant
    }

    pub fn parts(&self) -> impl Iterator<Item = (&Atom, Int)> {
        self.parts.iter().map(|(atom, factor)| (atom, *factor))
    }

    /// The sum without what it has of this atom.
    #[must_use]
    pub fn without(&self, atom: &Atom) -> Term {
        let mut rest = self.clone();
        rest.parts.remove(atom);
        rest
    }

    /// The number that it is, if it is one.
    pub fn as_number(&self) -> Option<Int> {
        self.parts.is_empty().then_some(self.constant)
    }

    /// The variable that it is, if it is just one.
    pub fn as_var(&self) -> Option<Var> {
        match self.parts.iter().next() {
            Some((Atom::Var(var), 1)) if self.parts.len() == 1 && self.constant == 0 => Some(*var),
            _ => None,
        }
    }

    #[must_use]
    pub fn plus(&self, other: &Term) -> Term {
        self.plus_times(other, 1)
    }

    #[must_use]
    pub fn minus(&self, other: &Term) -> Term {
        self.plus_times(other, -1)
    }

    #[must_use]
    pub fn add(&self, number: Int) -> Term {
        let constant = self.constant.checked_add(number).expect(TOO_LARGE);
        Term { constant, ..self.clone() }
    }

    #[must_use]
    pub fn times(&self, factor: Int) -> Term {
        Term::default().plus_times(self, factor)
    }

    fn plus_times(&self, other: &Term, factor: Int) -> Term {
        let mut sum = self.clone();
        if factor == 0 {
            return sum;
        }
        let scaled = |number: Int| number.checked_mul(factor).expect(TOO_LARGE);
        sum.constant = sum.constant.checked_add(scaled(other.constant)).expect(TOO_LARGE);
        for (atom, own) in &other.parts {
            let entry = sum.parts.entry(atom.clone()).or_insert(0);
            *entry = entry.checked_add(scaled(*own)).expect(TOO_LARGE);
            if *entry == 0 {
                sum.parts.remove(atom);
            }
        }
        sum
    }

    #[must_use]
    pub fn product(&self, other: &Term) -> Term {
        if let Some(number) = self.as_number() {
            return other.times(number);
        }
        if let Some(number) = other.as_number() {
            return self.times(number);
        }
        let (first, second) = if self <= other { (self, other) } else { (other, self) };
        Term::atom(Atom::Product(Box::new(first.clone()), Box::new(second.clone())))
    }

    /// Division by a positive number, rounded down.
    #[must_use]
    pub fn quotient(&self, divisor: Int) -> Term {
        assert!(divisor > 0, "only positive divisors are rounded down");
        match self.as_number() {
            Some(number) => Term::number(number.div_euclid(divisor)),
            None if divisor == 1 => self.clone(),
            None => Term::atom(Atom::Quotient(Box::new(self.clone()), divisor)),
        }
    }

    /// The non-negative rest of the division by a positive number.
    #[must_use]
    pub fn remainder(&self, divisor: Int) -> Term {
        assert!(divisor > 0, "only positive divisors are rounded down");
        // Multiples of the divisor never change the rest.
        let flat = self.modulo(divisor);
        let mut inner = Term::number(flat.constant.rem_euclid(divisor));
        for (atom, factor) in flat.parts {
            let factor = nearest_rest(factor, divisor);
            if factor != 0 {
                inner.parts.insert(atom, factor);
            }
        }
        match inner.as_number() {
            Some(number) => Term::number(number),
            None => Term::atom(Atom::Remainder(Box::new(inner), divisor)),
        }
    }

    /// Between which values it lies, if its variables lie in these ranges and
    /// that is plain to see.
    pub fn range(&self, ranges: &Ranges) -> Option<(Int, Int)> {
        let (mut low, mut high) = (self.constant, self.constant);
        for (atom, factor) in &self.parts {
            let (a, b) = atom.range(ranges)?;
            let (a, b) = (a.checked_mul(*factor)?, b.checked_mul(*factor)?);
            low = low.checked_add(a.min(b))?;
            high = high.checked_add(a.max(b))?;
        }
        Some((low, high))
    }

    /// The same with rests spelled out as cases where the range of what is
    /// divided leaves only few: solvers find cases easier.
    #[must_use]
    pub fn unfolded(&self, ranges: &Ranges) -> Term {
        let mut sum = Term::number(self.constant);
        for (atom, factor) in &self.parts {
            sum = sum.plus_times(&atom.unfolded(ranges), *factor);
        }
        sum
    }

    /// The first term where the formula holds, the second elsewhere.
    pub fn choice(test: Formula, yes: Term, no: Term) -> Term {
        match test {
            Formula::True => yes,
            Formula::False => no,
            _ if yes == no => yes,
            test => Term::atom(Atom::Choice(Box::new(test), Box::new(yes), Box::new(no))),
        }
    }

    /// An operation on the bits of two numbers, each modulo two to the power of the width.
    #[must_use]
    pub fn bits(op: BitOp, width: u8, a: &Term, b: &Term) -> Term {
        let alone = matches!(op, BitOp::Ones | BitOp::LowZeros | BitOp::HighZeros);
        let b = if alone { &Term::number(0) } else { b };
        let (a, b) = (a.modulo(1 << width), b.modulo(1 << width));
        if let (Some(a), Some(b)) = (a.as_number(), b.as_number()) {
            return Term::number(op.value(width, a, b));
        }
        let swaps = matches!(op, BitOp::And | BitOp::Or | BitOp::Xor) && b < a;
        let (a, b) = if swaps { (b, a) } else { (a, b) };
        Term::atom(Atom::Bits(op, width, Box::new(a), Box::new(b)))
    }

    /// A simpler term with the same rest by a divisor: without rests by multiples of it, and without choices
    /// between terms that differ by one.
    fn modulo(&self, divisor: Int) -> Term {
        if let Some(number) = self.as_number() {
            return Term::number(number.rem_euclid(divisor));
        }
        let mut sum = Term::number(self.constant);
        for (atom, factor) in &self.parts {
            let part = match atom {
                Atom::Remainder(inner, own) if own % divisor == 0 => inner.modulo(divisor),
                Atom::Choice(_, yes, no)
                    if yes.minus(no).as_number().is_some_and(|number| number % divisor == 0) =>
                {
                    no.modulo(divisor)
                }
                other => Term::atom(other.clone()),
            };
            sum = sum.plus_times(&part, *factor);
        }
        sum
    }

    /// Its value; `None` if that does not fit.
    pub fn value(&self, at: &Assignment) -> Option<Int> {
        let mut sum = self.constant;
        for (atom, factor) in &self.parts {
            sum = sum.checked_add(atom.value(at)?.checked_mul(*factor)?)?;
        }
        Some(sum)
    }

    /// The term with terms for its variables; those not named stay.
    #[must_use]
    pub fn replaced(&self, by: &BTreeMap<Var, Term>) -> Term {
        let mut sum = Term::number(self.constant);
        for (atom, factor) in &self.parts {
            sum = sum.plus_times(&atom.replaced(by), *factor);
        }
        sum
    }

    pub fn collect_vars(&self, out: &mut BTreeSet<Var>) {
        self.parts.keys().for_each(|atom| atom.collect_vars(out));
    }

    pub(crate) fn collect_bits(&self, out: &mut BTreeSet<Term>) {
        self.parts.keys().for_each(|atom| atom.collect_bits(out));
    }

    pub(crate) fn kind(&self) -> Kind {
        self.parts.keys().map(Atom::kind).max().unwrap_or(Kind::Linear)
    }

    /// The largest factor or number in it.
    pub fn magnitude(&self) -> u128 {
        let own = self.parts.values().map(|factor| factor.unsigned_abs()).max().unwrap_or(0);
        let inner = self.parts.keys().map(Atom::magnitude).max().unwrap_or(0);
        own.max(inner).max(self.constant.unsigned_abs())
    }

    /// Divides by what divides all factors; of `self >= 0` and `self == 0`
    /// this keeps the solutions. `None` if no integer makes it zero.
    pub(crate) fn reduced(&self, exactly: bool) -> Option<Term> {
        let divisor = self.parts.values().fold(0, |all, factor| gcd(all, *factor));
        if divisor <= 1 {
            return Some(self.clone());
        }
        if exactly && self.constant % divisor != 0 {
            return None;
        }
        let parts = self.parts.iter().map(|(atom, factor)| (atom.clone(), factor / divisor));
        Some(Term { parts: parts.collect(), constant: self.constant.div_euclid(divisor) })
    }

    /// Whether the factor of the first atom is negative.
    pub(crate) fn leads_negative(&self) -> bool {
        self.parts.values().next().is_some_and(|factor| *factor < 0)
    }
}

const TOO_LARGE: &str = "terms are kept below 127 bits";

impl Atom {
    fn value(&self, at: &Assignment) -> Option<Int> {
        match self {
            Atom::Var(var) => Some(at.get(var).copied().unwrap_or(0)),
            Atom::Product(a, b) => a.value(at)?.checked_mul(b.value(at)?),
            Atom::Quotient(a, divisor) => Some(a.value(at)?.div_euclid(*divisor)),
            Atom::Remainder(a, divisor) => Some(a.value(at)?.rem_euclid(*divisor)),
            Atom::Choice(test, yes, no) => {
                if test.holds(at)? {
                    yes.value(at)
                } else {
                    no.value(at)
                }
            }
            Atom::Bits(op, width, a, b) => Some(op.value(*width, a.value(at)?, b.value(at)?)),
        }
    }

    fn replaced(&self, by: &BTreeMap<Var, Term>) -> Term {
        match self {
            Atom::Var(var) => by.get(var).cloned().unwrap_or_else(|| Term::var(*var)),
            Atom::Product(a, b) => a.replaced(by).product(&b.replaced(by)),
            Atom::Quotient(a, divisor) => a.replaced(by).quotient(*divisor),
            Atom::Remainder(a, divisor) => a.replaced(by).remainder(*divisor),
            Atom::Choice(test, yes, no) => {
                Term::choice(test.replaced(by), yes.replaced(by), no.replaced(by))
            }
            Atom::Bits(op, width, a, b) => {
                Term::bits(*op, *width, &a.replaced(by), &b.replaced(by))
            }
        }
    }

    fn range(&self, ranges: &Ranges) -> Option<(Int, Int)> {
        match self {
            Atom::Var(var) => ranges.get(var).copied(),
            Atom::Remainder(_, divisor) => Some((0, divisor - 1)),
            Atom::Quotient(inner, divisor) => {
                let (low, high) = inner.range(ranges)?;
                Some((low.div_euclid(*divisor), high.div_euclid(*divisor)))
            }
            Atom::Choice(_, yes, no) => {
                let ((a, b), (c, d)) = (yes.range(ranges)?, no.range(ranges)?);
                Some((a.min(c), b.max(d)))
            }
            Atom::Product(left, right) => {
                let ((a, b), (c, d)) = (left.range(ranges)?, right.range(ranges)?);
                let corners = [(a, c), (a, d), (b, c), (b, d)];
                let products: Option<Vec<Int>> =
                    corners.iter().map(|(a, b)| a.checked_mul(*b)).collect();
                let products = products?;
                Some((*products.iter().min()?, *products.iter().max()?))
            }
            Atom::Bits(op, width, a, b) => {
                let top = (1 << width) - 1;
                let largest = |term: &Term| match term.range(ranges) {
                    Some((low, high)) if low >= 0 => high.min(top),
                    _ => top,
                };
                let high = match op {
                    BitOp::And => largest(a).min(largest(b)),
                    BitOp::Right => largest(a),
                    BitOp::Or
                    | BitOp::Xor
                    | BitOp::Left
                    | BitOp::Ones
                    | BitOp::LowZeros
                    | BitOp::HighZeros => op.largest(*width),
                };
                Some((0, high))
            }
        }
    }

    fn unfolded(&self, ranges: &Ranges) -> Term {
        match self {
            Atom::Var(var) => Term::var(*var),
            Atom::Product(a, b) => a.unfolded(ranges).product(&b.unfolded(ranges)),
            Atom::Quotient(a, divisor) => a.unfolded(ranges).quotient(*divisor),
            Atom::Choice(test, yes, no) => {
                Term::choice(test.unfolded(ranges), yes.unfolded(ranges), no.unfolded(ranges))
            }
            Atom::Remainder(inner, divisor) => match inner.range(ranges) {
                Some((low, high))
                    if inner.kind() == Kind::Linear
                        || low.div_euclid(*divisor) == high.div_euclid(*divisor) =>
                {
                    let inner = &inner.unfolded(ranges);
                    cases(inner, *divisor, low.div_euclid(*divisor), high.div_euclid(*divisor))
                }
                _ => inner.unfolded(ranges).remainder(*divisor),
            },
            Atom::Bits(op, width, a, b) => {
                Term::bits(*op, *width, &a.unfolded(ranges), &b.unfolded(ranges))
            }
        }
    }

    fn collect_vars(&self, out: &mut BTreeSet<Var>) {
        match self {
            Atom::Var(var) => {
                out.insert(*var);
            }
            Atom::Product(a, b) | Atom::Bits(_, _, a, b) => {
                a.collect_vars(out);
                b.collect_vars(out);
            }
            Atom::Quotient(a, _) | Atom::Remainder(a, _) => a.collect_vars(out),
            Atom::Choice(test, yes, no) => {
                test.collect_vars(out);
                yes.collect_vars(out);
                no.collect_vars(out);
            }
        }
    }

    fn collect_bits(&self, out: &mut BTreeSet<Term>) {
        match self {
            Atom::Var(_) => {}
            Atom::Product(a, b) => {
                a.collect_bits(out);
                b.collect_bits(out);
            }
            Atom::Quotient(a, _) | Atom::Remainder(a, _) => a.collect_bits(out),
            Atom::Choice(test, yes, no) => {
                test.collect_bits(out);
                yes.collect_bits(out);
                no.collect_bits(out);
            }
            Atom::Bits(_, _, a, b) => {
                a.collect_bits(out);
                b.collect_bits(out);
                out.insert(Term::atom(self.clone()));
            }
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Atom::Var(_) => Kind::Linear,
            Atom::Product(a, b) => a.kind().max(b.kind()).max(Kind::Product),
            Atom::Quotient(a, _) | Atom::Remainder(a, _) => a.kind().max(Kind::Division),
            Atom::Choice(test, yes, no) => test.kind().max(yes.kind()).max(no.kind()),
            Atom::Bits(..) => Kind::Bits,
        }
    }

    fn magnitude(&self) -> u128 {
        match self {
            Atom::Var(_) => 0,
            Atom::Product(a, b) => a.magnitude().max(b.magnitude()),
            Atom::Bits(_, width, a, b) => a.magnitude().max(b.magnitude()).max(1 << width),
            Atom::Quotient(a, divisor) | Atom::Remainder(a, divisor) => {
                a.magnitude().max(divisor.unsigned_abs())
            }
            Atom::Choice(_, yes, no) => yes.magnitude().max(no.magnitude()),
        }
    }
}

/// The rest of a term whose quotient lies between these; a case for each
/// quotient if they are few.
fn cases(term: &Term, divisor: Int, first: Int, last: Int) -> Term {
    if last - first > 2 {
        return term.remainder(divisor);
    }
    let mut rest = term.add(-last * divisor);
    for quotient in (first..last).rev() {
        let below = Formula::non_negative(term.times(-1).add((quotient + 1) * divisor - 1));
        rest = Term::choice(below, term.add(-quotient * divisor), rest);
    }
    rest
}

/// A factor modulo the divisor, as near to zero as possible, so that `x - 1`
/// stays small.
fn nearest_rest(factor: Int, divisor: Int) -> Int {
    let rest = factor.rem_euclid(divisor);
    if rest > divisor / 2 { rest - divisor } else { rest }
}

fn gcd(a: Int, b: Int) -> Int {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Term {
        Term::var(Var(0))
    }

    #[test]
    fn sums_are_canonical() {
        let y = Term::var(Var(1));
        assert_eq!(x().plus(&y).minus(&x()), y);
        assert_eq!(x().minus(&x()).as_number(), Some(0));
        assert_eq!(x().times(3).as_var(), None);
        assert_eq!(x().product(&y), y.product(&x()));
    }

    #[test]
    fn rests_forget_multiples() {
        let term = x().times(257).add(512);
        assert_eq!(term.remainder(256), x().remainder(256));
        assert_eq!(x().times(4).remainder(2).as_number(), Some(0));
    }

    #[test]
    fn rests_in_rests_are_one_rest() {
        let once = x().add(1).remainder(256);
        assert_eq!(once.add(1).remainder(256), x().add(2).remainder(256));
        assert_eq!(once.times(3).remainder(16), x().times(3).add(3).remainder(16));
        // But not if the inner divisor is no multiple.
        assert_ne!(x().remainder(10).remainder(4), x().remainder(4));
        let wrapped = Term::choice(Formula::non_negative(x()), x(), x().add(256));
        assert_eq!(wrapped.remainder(32), x().remainder(32));
        assert_ne!(wrapped.remainder(10), x().remainder(10));
    }

    #[test]
    fn unfolding_keeps_values() {
        let ranges = Ranges::from([(Var(0), (0, 255))]);
        for term in [x().add(7).remainder(256), x().times(-1).add(1).remainder(256)] {
            let unfolded = term.unfolded(&ranges);
            assert_ne!(unfolded, term);
            for value in 0..256 {
                let at = Assignment::from([(Var(0), value)]);
                assert_eq!(unfolded.value(&at), term.value(&at), "{value}");
            }
        }
    }

    #[test]
    fn values_round_down() {
        let at = Assignment::from([(Var(0), -7)]);
        assert_eq!(x().quotient(2).value(&at), Some(-4));
        assert_eq!(x().remainder(2).value(&at), Some(1));
        let half = x().quotient(2).replaced(&BTreeMap::from([(Var(0), Term::number(9))]));
        assert_eq!(half.as_number(), Some(4));
    }
}
