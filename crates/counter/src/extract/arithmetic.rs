//! Numbers of fixed width as integer terms.

use exeunt_ir::{CmpPred, IntOp, IntUnOp};
use exeunt_smt::{BitOp, Formula, Int, Ranges, Term};

use super::bits;
use super::shape::Shape;

/// A value: a term and how its bits are read.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub term: Term,
    pub shape: Shape,
}

/// Whether widths count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// Values wrap around as the machine's do.
    Exact,
    /// Values have no bounds.
    Mathematical,
}

pub(crate) struct Arithmetic {
    pub integers: Integers,
}

impl Arithmetic {
    pub fn constant(&self, value: u64, width: u8, signed: bool) -> Term {
        let value = if width >= 64 { value } else { value & ((1 << width) - 1) };
        let value = Int::from(value);
        if signed && width > 1 && value >= 1 << (width - 1) {
            return Term::number(value - (1 << width));
        }
        Term::number(value)
    }

    /// The same bits read in another shape.
    pub fn read(&self, number: &Number, as_shape: Shape) -> Term {
        let (own, to, term) = (number.shape, as_shape, &number.term);
        if own == to || self.integers == Integers::Mathematical {
            return term.clone();
        }
        if own.width <= to.width {
            // Registers are zero-extended.
            let plain = if own.signed { unsigned(term, own.width) } else { term.clone() };
            return match to.signed && own.width == to.width {
                true if own.signed => term.clone(),
                true => signed(&plain, to.width),
                false => plain,
            };
        }
        self.fit_far(term, to)
    }

    /// A result that is at most one round beyond the range, on those sides of it that it can be.
    fn fit(&self, term: &Term, shape: Shape, (below, above): (bool, bool)) -> Term {
        if self.integers == Integers::Mathematical {
            return term.clone();
        }
        let (low, high) = shape.range();
        if let Some(number) = term.as_number() {
            return Term::number(wrapped(number, low, high));
        }
        let round = high - low + 1;
        let too_low = Formula::non_negative(term.times(-1).add(low - 1));
        let too_high = Formula::non_negative(term.add(-high - 1));
        let upper = match above {
            true => Term::choice(too_high, term.add(-round), term.clone()),
            false => term.clone(),
        };
        if below { Term::choice(too_low, term.add(round), upper) } else { upper }
    }

    /// A result that may be many rounds beyond the range.
    pub fn fit_far(&self, term: &Term, shape: Shape) -> Term {
        if self.integers == Integers::Mathematical {
            return term.clone();
        }
        let (low, high) = shape.range();
        if term.range(&Ranges::new()).is_some_and(|(least, most)| low <= least && most <= high) {
            return term.clone();
        }
        term.add(-low).remainder(high - low + 1).add(low)
    }

    /// The result in the shape, if it is a term. `exact` constants are those
    /// of the second operand.
    pub fn int(&self, op: IntOp, width: u8, a: &Number, b: &Number, to: Shape) -> Option<Term> {
        let shape = Shape { width, signed: to.signed };
        let with = |signed: bool| {
            let shape = Shape { width, signed };
            (self.read(a, shape), self.read(b, shape))
        };
        let (x, y) = with(shape.signed);
        let result = match op {
            IntOp::Add => self.fit(&x.plus(&y), shape, ways(&x, &y, shape, false)),
            IntOp::Sub => self.fit(&x.minus(&y), shape, ways(&x, &y, shape, true)),
            IntOp::Mul if small(&x) || small(&y) => self.fit_far(&x.product(&y), shape),
            IntOp::Mul => return None,
            IntOp::Shl => {
                let by = constant(&with(false).1).filter(|by| (0..32).contains(by))?;
                self.fit_far(&x.times(1 << by), shape)
            }
            IntOp::UDiv | IntOp::LShr | IntOp::URem => {
                let (x, y) = with(false);
                let y = constant(&y)?;
                let divisor = match op {
                    IntOp::LShr if (0..width.into()).contains(&y) => 1 << y,
                    IntOp::LShr => return None,
                    _ => y,
                };
                if divisor <= 0 {
                    return None;
                }
                let term = match op {
                    IntOp::URem => x.remainder(divisor),
                    _ => x.quotient(divisor),
                };
                let number = Number { term, shape: Shape { width, signed: false } };
                return Some(self.read(&number, to));
            }
            IntOp::SDiv | IntOp::SRem => {
                let (x, y) = with(true);
                let divisor = constant(&y).filter(|divisor| *divisor > 0)?;
                let positive = Formula::non_negative(x.clone());
                let minus = x.times(-1);
                // C rounds towards zero.
                let term = match op {
                    IntOp::SDiv => Term::choice(
                        positive,
                        x.quotient(divisor),
                        minus.quotient(divisor).times(-1),
                    ),
                    _ => Term::choice(
                        positive,
                        x.remainder(divisor),
                        minus.remainder(divisor).times(-1),
                    ),
                };
                let number = Number { term, shape: Shape { width, signed: true } };
                return Some(self.read(&number, to));
            }
            IntOp::AShr => {
                let by = constant(&with(false).1).filter(|by| (0..width.into()).contains(by))?;
                let number = Number {
                    term: with(true).0.quotient(1 << by),
                    shape: Shape { width, signed: true },
                };
                return Some(self.read(&number, to));
            }
            IntOp::Xor if width == 1 => {
                let different = Formula::equal(&x, &y).negated();
                Term::choice(different, Term::number(1), Term::number(0))
            }
            IntOp::Or if width == 1 => {
                let either = Formula::non_negative(x.plus(&y).add(-1));
                Term::choice(either, Term::number(1), Term::number(0))
            }
            IntOp::And | IntOp::Or | IntOp::Xor => {
                let (x, y) = with(false);
                let constant = match (constant(&x), constant(&y)) {
                    (_, Some(mask)) => Some((&x, mask)),
                    (Some(mask), None) => Some((&y, mask)),
                    (None, None) => None,
                };
                let plain = constant.and_then(|(x, mask)| {
                    let sums = self.integers == Integers::Exact || op == IntOp::And && mask >= 0;
                    bits::with_constant(op, width, x, mask).filter(|_| sums)
                });
                let term = match self.integers {
                    Integers::Mathematical => plain?,
                    Integers::Exact => plain.unwrap_or_else(|| bits::exactly(op, width, &x, &y)),
                };
                let number = Number { term, shape: Shape { width, signed: false } };
                return Some(self.read(&number, to));
            }
            IntOp::UMin | IntOp::UMax | IntOp::SMin | IntOp::SMax => {
                let is_signed = matches!(op, IntOp::SMin | IntOp::SMax);
                let (x, y) = with(is_signed);
                let smaller = Formula::at_least(&y, &x);
                let (yes, no) = match op {
                    IntOp::UMin | IntOp::SMin => (x, y),
                    _ => (y, x),
                };
                let number = Number {
                    term: Term::choice(smaller, yes, no),
                    shape: Shape { width, signed: is_signed },
                };
                return Some(self.read(&number, to));
            }
            IntOp::USatAdd
            | IntOp::SSatAdd
            | IntOp::USatSub
            | IntOp::SSatSub
            | IntOp::USatShl
            | IntOp::SSatShl => return None,
        };
        Some(self.read(&Number { term: result, shape }, to))
    }

    /// A shift by any number: whether that is less than the width, and the result if so.
    pub fn shift(
        &self,
        op: IntOp,
        width: u8,
        a: &Number,
        b: &Number,
        to: Shape,
    ) -> Option<(Formula, Term)> {
        let (unsigned, signed) = (Shape { width, signed: false }, Shape { width, signed: true });
        let shifts = matches!(op, IntOp::Shl | IntOp::LShr | IntOp::AShr);
        if self.integers == Integers::Mathematical || !shifts {
            return None;
        }
        let by = self.read(b, unsigned);
        let right = |x: &Term| Term::bits(BitOp::Right, width, x, &by);
        let (term, shape) = match op {
            IntOp::AShr => {
                // The bits of a negative number are those of `-1 - x`, turned.
                let x = self.read(a, signed);
                let minus = right(&x.times(-1).add(-1)).times(-1).add(-1);
                (Term::choice(Formula::non_negative(x.clone()), right(&x), minus), signed)
            }
            IntOp::LShr => (right(&self.read(a, unsigned)), unsigned),
            _ => (Term::bits(BitOp::Left, width, &self.read(a, unsigned), &by), unsigned),
        };
        Some((self.below(b, width), self.read(&Number { term, shape }, to)))
    }

    /// Whether the bits of a number, without sign, are less than its width.
    fn below(&self, number: &Number, width: u8) -> Formula {
        let most = Int::from(width) - 1;
        // A negative number is large without its sign.
        let same = number.shape.width == width && most < 1 << (width - 1);
        let term = match same {
            true => number.term.clone(),
            false => self.read(number, Shape { width, signed: false }),
        };
        match term.range(&Ranges::new()) {
            Some((low, high)) if low >= 0 && high <= most => Formula::True,
            _ => Formula::non_negative(term.clone())
                .both(Formula::non_negative(term.times(-1).add(most))),
        }
    }

    /// The upper half of two numbers that are shifted to the left as one, or the lower half if they are shifted to the right.
    pub fn funnel(&self, left: bool, width: u8, numbers: &[Number; 3]) -> Option<Number> {
        if self.integers == Integers::Mathematical {
            return None;
        }
        let shape = Shape { width, signed: false };
        let [a, b, by] = numbers.each_ref().map(|number| self.read(number, shape));
        let by = by.remainder(width.into());
        let rest = by.times(-1).add(Int::from(width) - 1);
        let up = |x: &Term, by: &Term| Term::bits(BitOp::Left, width, x, by);
        let down = |x: &Term, by: &Term| Term::bits(BitOp::Right, width, x, by);
        let one = Term::number(1);
        let (upper, lower) = match left {
            true => (up(&a, &by), down(&down(&b, &one), &rest)),
            false => (up(&up(&a, &one), &rest), down(&b, &by)),
        };
        Some(Number { term: Term::bits(BitOp::Or, width, &upper, &lower), shape })
    }

    /// What the bits of one number say.
    pub fn unary(&self, op: IntUnOp, width: u8, a: &Number) -> Option<Number> {
        let op = match op {
            IntUnOp::PopCount => BitOp::Ones,
            IntUnOp::LeadingZeros => BitOp::HighZeros,
            IntUnOp::TrailingZeros => BitOp::LowZeros,
            IntUnOp::ByteSwap | IntUnOp::BitReverse | IntUnOp::Abs => return None,
        };
        if self.integers == Integers::Mathematical {
            return None;
        }
        let shape = Shape { width, signed: false };
        let term = Term::bits(op, width, &self.read(a, shape), &Term::number(0));
        Some(Number { term, shape })
    }

    /// What is known of a result, which is without sign, of an operation that is no term.
    pub fn facts(&self, op: IntOp, width: u8, a: &Number, b: &Number, result: &Term) -> Formula {
        if self.integers == Integers::Mathematical {
            return Formula::True;
        }
        let result = Number { term: result.clone(), shape: Shape { width, signed: false } };
        let all = |signed: bool| {
            let shape = Shape { width, signed };
            (self.read(a, shape), self.read(b, shape), self.read(&result, shape))
        };
        let values = bits::Values { unsigned: all(false), signed: all(true) };
        bits::facts(op, &values)
    }

    pub fn compare(&self, pred: CmpPred, width: u8, a: &Number, b: &Number) -> Formula {
        let prefers_signed = |number: &Number| {
            number.term.as_number().is_none() && number.shape.signed && number.shape.width == width
        };
        let signed = match pred {
            CmpPred::Eq | CmpPred::Ne => prefers_signed(a) || prefers_signed(b),
            CmpPred::Ult | CmpPred::Ule | CmpPred::Ugt | CmpPred::Uge => false,
            CmpPred::Slt | CmpPred::Sle | CmpPred::Sgt | CmpPred::Sge => true,
        };
        let shape = Shape { width, signed };
        let (x, y) = (self.read(a, shape), self.read(b, shape));
        match pred {
            CmpPred::Eq => Formula::equal(&x, &y),
            CmpPred::Ne => Formula::equal(&x, &y).negated(),
            CmpPred::Ult | CmpPred::Slt => Formula::at_least(&y, &x.add(1)),
            CmpPred::Ule | CmpPred::Sle => Formula::at_least(&y, &x),
            CmpPred::Ugt | CmpPred::Sgt => Formula::at_least(&x, &y.add(1)),
            CmpPred::Uge | CmpPred::Sge => Formula::at_least(&x, &y),
        }
    }
}

/// Whether a sum (or a difference) of two numbers in the range of a shape can be below it, and
/// whether it can be above.
fn ways(x: &Term, y: &Term, shape: Shape, minus: bool) -> (bool, bool) {
    if !shape.signed {
        return (minus, !minus);
    }
    match (constant(x), constant(y), minus) {
        (_, Some(number), false) | (Some(number), None, false) => (number < 0, number > 0),
        (_, Some(number), true) => (number > 0, number < 0),
        // `-1 - y` and above fit on this side, and so on.
        (Some(number), None, true) => (number < -1, number > -1),
        (None, None, _) => (true, true),
    }
}

/// A factor with which products stay below 127 bits.
fn small(term: &Term) -> bool {
    constant(term).is_some_and(|number| number.abs() < 1 << 40)
}

fn constant(term: &Term) -> Option<Int> {
    term.as_number()
}

fn wrapped(number: Int, low: Int, high: Int) -> Int {
    (number - low).rem_euclid(high - low + 1) + low
}

fn unsigned(term: &Term, width: u8) -> Term {
    let negative = Formula::non_negative(term.times(-1).add(-1));
    Term::choice(negative, term.add(1 << width), term.clone())
}

fn signed(term: &Term, width: u8) -> Term {
    // What its operations say of it, whatever its variables are.
    if term.range(&Ranges::new()).is_some_and(|(low, high)| low >= 0 && high < 1 << (width - 1)) {
        return term.clone();
    }
    let large = Formula::non_negative(term.add(-(1 << (width - 1))));
    Term::choice(large, term.add(-(1 << width)), term.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use exeunt_smt::{Assignment, Var};

    /// All operations on all pairs of four-bit values, against wrapping arithmetic.
    #[test]
    fn terms_compute_what_the_machine_does() {
        let arithmetic = Arithmetic { integers: Integers::Exact };
        let ops = [
            IntOp::Add,
            IntOp::Sub,
            IntOp::Mul,
            IntOp::UDiv,
            IntOp::SDiv,
            IntOp::URem,
            IntOp::SRem,
            IntOp::Shl,
            IntOp::LShr,
            IntOp::AShr,
            IntOp::And,
            IntOp::Or,
            IntOp::Xor,
            IntOp::UMin,
            IntOp::SMax,
        ];
        for op in ops {
            for sign in [false, true] {
                let shape = Shape { width: 4, signed: sign };
                for y in 0..16u64 {
                    let a = Number { term: Term::var(Var(0)), shape };
                    let b = Number { term: arithmetic.constant(y, 4, sign), shape };
                    let Some(term) = arithmetic.int(op, 4, &a, &b, shape) else { continue };
                    for x in 0..16u64 {
                        let Some(expected) = reference(op, x, y) else { continue };
                        let at = arithmetic.constant(x, 4, sign).constant();
                        let found = term.value(&Assignment::from([(Var(0), at)]));
                        let expected = arithmetic.constant(expected, 4, sign).constant();
                        assert_eq!(found, Some(expected), "{op:?} {x} {y} signed: {sign}");
                    }
                }
            }
        }
    }

    fn reference(op: IntOp, x: u64, y: u64) -> Option<u64> {
        let s = |v: u64| ((v << 60) as i64) >> 60;
        let result = match op {
            IntOp::Add => x + y,
            IntOp::Sub => x.wrapping_sub(y),
            IntOp::Mul => x * y,
            IntOp::UDiv => x.checked_div(y)?,
            IntOp::URem => x.checked_rem(y)?,
            IntOp::SDiv => s(x).checked_div(s(y))? as u64,
            IntOp::SRem => s(x).checked_rem(s(y))? as u64,
            IntOp::Shl if y < 4 => x << y,
            IntOp::LShr if y < 4 => x >> y,
            IntOp::AShr if y < 4 => (s(x) >> y) as u64,
            IntOp::And => x & y,
            IntOp::Or => x | y,
            IntOp::Xor => x ^ y,
            IntOp::UMin => x.min(y),
            IntOp::SMax => s(x).max(s(y)) as u64,
            _ => return None,
        };
        Some(result & 15)
    }

    fn four_bits(value: u64, signed: bool) -> Number {
        let arithmetic = Arithmetic { integers: Integers::Exact };
        let term = arithmetic.constant(value, 4, signed);
        Number { term, shape: Shape { width: 4, signed } }
    }

    /// Two variables: all operations on bits and all shifts, on all pairs of four-bit values.
    #[test]
    fn bits_of_two_numbers_are_exact() {
        let arithmetic = Arithmetic { integers: Integers::Exact };
        let all = || (0..16u64).flat_map(|x| (0..16u64).map(move |y| (x, y)));
        for sign in [false, true] {
            let shape = Shape { width: 4, signed: sign };
            let number = |var| Number { term: Term::var(Var(var)), shape };
            let (a, b) = (number(0), number(1));
            let at = |x: u64, y: u64| {
                let value = |v| four_bits(v, sign).term.constant();
                Assignment::from([(Var(0), value(x)), (Var(1), value(y))])
            };
            let expected = |v: u64| Some(four_bits(v, sign).term.constant());
            for op in [IntOp::And, IntOp::Or, IntOp::Xor] {
                let term = arithmetic.int(op, 4, &a, &b, shape).expect("a term");
                for (x, y) in all() {
                    let found = term.value(&at(x, y));
                    assert_eq!(found, expected(reference(op, x, y).unwrap()), "{op:?} {x} {y}");
                }
            }
            for op in [IntOp::Shl, IntOp::LShr, IntOp::AShr] {
                let (near, term) = arithmetic.shift(op, 4, &a, &b, shape).expect("a term");
                for (x, y) in all() {
                    assert_eq!(near.holds(&at(x, y)), Some(y < 4));
                    if let Some(result) = reference(op, x, y) {
                        assert_eq!(term.value(&at(x, y)), expected(result), "{op:?} {x} {y}");
                    }
                }
            }
        }
    }

    #[test]
    fn funnels_and_counts_are_exact() {
        let arithmetic = Arithmetic { integers: Integers::Exact };
        for x in 0..16u64 {
            let number = four_bits(x, true);
            let count = |op| arithmetic.unary(op, 4, &number).expect("a number").term.constant();
            assert_eq!(count(IntUnOp::PopCount), x.count_ones().into());
            assert_eq!(count(IntUnOp::TrailingZeros), x.trailing_zeros().min(4).into());
            assert_eq!(count(IntUnOp::LeadingZeros), Int::from(x.leading_zeros()) - 60);
            for (y, by) in (0..16u64).flat_map(|y| (0..16u64).map(move |by| (y, by))) {
                let numbers = [x, y, by].map(|value| four_bits(value, false));
                let both = x << 4 | y;
                for (left, expected) in [(true, both << (by % 4) >> 4), (false, both >> (by % 4))] {
                    let found = arithmetic.funnel(left, 4, &numbers).expect("a number").term;
                    assert_eq!(found.as_number(), Some(Int::from(expected & 15)), "{x} {y} {by}");
                }
            }
        }
    }

    #[test]
    fn comparisons_read_their_operands_right() {
        let arithmetic = Arithmetic { integers: Integers::Exact };
        for (sign, other) in [(false, true), (true, false), (true, true)] {
            for x in 0..16u64 {
                for y in 0..16u64 {
                    let number = |value, signed| Number {
                        term: arithmetic.constant(value, 4, signed),
                        shape: Shape { width: 4, signed },
                    };
                    let (a, b) = (number(x, sign), number(y, other));
                    let holds = |pred| arithmetic.compare(pred, 4, &a, &b) == Formula::True;
                    assert_eq!(holds(CmpPred::Ult), x < y);
                    assert_eq!(holds(CmpPred::Eq), x == y);
                    let s = |v: u64| ((v << 60) as i64) >> 60;
                    assert_eq!(holds(CmpPred::Sgt), s(x) > s(y));
                }
            }
        }
    }
}
