//! Operations on bits, and others that are not linear.
//!
//! With a constant mask they are sums of quotients and remainders, otherwise operations of their own; both exactly. Of
//! divisions by variables the result is an arbitrary number of which some inequalities are known, which are often all that a
//! loop needs: `x % y` is less than `y`.

use exeunt_ir::IntOp;
use exeunt_smt::{BitOp, Formula, Int, Term};

/// With more runs of ones than that a mask is not followed.
const MOST_RUNS: usize = 3;

/// `x op mask` for a constant, both without sign.
pub(super) fn with_constant(op: IntOp, width: u8, x: &Term, mask: Int) -> Option<Term> {
    let masked = masked(width, x, mask)?;
    let either = x.add(mask).minus(&masked);
    match (op == IntOp::And, op == IntOp::Or, op == IntOp::Xor) {
        (true, ..) => Some(masked),
        (_, true, _) => Some(either),
        (.., true) => Some(either.minus(&masked)),
        (false, false, false) => None,
    }
}

/// `x op y`, both without sign.
pub(super) fn exactly(op: IntOp, width: u8, x: &Term, y: &Term) -> Term {
    let op = match (op == IntOp::And, op == IntOp::Or) {
        (true, _) => BitOp::And,
        (_, true) => BitOp::Or,
        (false, false) => BitOp::Xor,
    };
    Term::bits(op, width, x, y)
}

/// The bits of a term that a mask has.
fn masked(width: u8, x: &Term, mask: Int) -> Option<Term> {
    let all = (1 << width) - 1;
    let (ones, zeros) = (runs(width, mask), runs(width, all - mask));
    match (ones.len() <= zeros.len(), ones.len().min(zeros.len()) <= MOST_RUNS) {
        (_, false) => None,
        (true, true) => Some(sum(width, x, &ones)),
        (false, true) => Some(x.minus(&sum(width, x, &zeros))),
    }
}

/// Runs of ones, each by its lowest bit and the one above its highest.
fn runs(width: u8, mask: Int) -> Vec<(u8, u8)> {
    let mut runs: Vec<(u8, u8)> = Vec::new();
    for bit in (0..width).filter(|bit| mask >> bit & 1 == 1) {
        match runs.last_mut() {
            Some((_, end)) if *end == bit => *end = bit + 1,
            _ => runs.push((bit, bit + 1)),
        }
    }
    runs
}

fn sum(width: u8, x: &Term, runs: &[(u8, u8)]) -> Term {
    let run = |(from, to): &(u8, u8)| {
        let above = if *from == 0 { x.clone() } else { x.quotient(1 << from) };
        let part = if *to == width { above } else { above.remainder(1 << (to - from)) };
        part.times(1 << from)
    };
    runs.iter().map(run).fold(Term::number(0), |sum, part| sum.plus(&part))
}

/// The operation as one without sign, if its operands have none, and the range of its result.
pub(super) fn narrowed(
    op: IntOp,
    width: u8,
    a: Option<(Int, Int)>,
    b: Option<(Int, Int)>,
) -> (IntOp, (Int, Int)) {
    let largest = |range: Option<(Int, Int)>| match range {
        Some((low, high)) if low >= 0 => high.min((1 << width) - 1),
        _ => (1 << width) - 1,
    };
    let (x, y) = (largest(a), largest(b));
    let plain = x < 1 << (width - 1) && y < 1 << (width - 1);
    let without_sign = [(IntOp::SRem, IntOp::URem), (IntOp::SDiv, IntOp::UDiv)];
    let found = without_sign.iter().find(|(signed, _)| plain && *signed == op);
    let op = found.map_or(op, |(_, unsigned)| *unsigned);
    let high = if op == IntOp::URem {
        x.min((y - 1).max(0))
    } else if op == IntOp::UDiv {
        x
    } else {
        (1 << width) - 1
    };
    (op, (0, high))
}

/// Operands and a result, once with sign and once without.
pub(super) struct Values {
    pub unsigned: (Term, Term, Term),
    pub signed: (Term, Term, Term),
}

/// What is known about the result of an operation, whatever its operands are.
pub(super) fn facts(op: IntOp, values: &Values) -> Formula {
    let (x, y, result) = &values.unsigned;
    let at_most = |low: &Term, high: &Term| Formula::at_least(high, low);
    match op {
        IntOp::URem => at_most(result, x).both(at_most(&result.add(1), y)),
        IntOp::UDiv => at_most(result, x).both(halved(y.add(-2), x, result)),
        IntOp::SDiv => {
            let (x, y, result) = &values.signed;
            let sensible = Formula::non_negative(x.clone()).both(Formula::non_negative(y.add(-1)));
            let smaller = Formula::non_negative(result.clone())
                .both(at_most(result, x))
                .both(halved(y.add(-2), x, result));
            sensible.negated().either(smaller)
        }
        IntOp::SRem => remainder(&values.signed),
        IntOp::Add
        | IntOp::Sub
        | IntOp::Mul
        | IntOp::Shl
        | IntOp::LShr
        | IntOp::AShr
        | IntOp::And
        | IntOp::Or
        | IntOp::Xor
        | IntOp::UMin
        | IntOp::UMax
        | IntOp::SMin
        | IntOp::SMax
        | IntOp::USatAdd
        | IntOp::SSatAdd
        | IntOp::USatSub
        | IntOp::SSatSub
        | IntOp::USatShl
        | IntOp::SSatShl => Formula::True,
    }
}

/// If the first is not negative, the result is at most half of x.
fn halved(if_this: Term, x: &Term, result: &Term) -> Formula {
    let half = Formula::at_least(x, &result.times(2));
    Formula::non_negative(if_this).negated().either(half)
}

/// C's remainder has the sign of the first operand and is nearer to zero than the second.
fn remainder((x, y, result): &(Term, Term, Term)) -> Formula {
    let between = |low: &Term, high: &Term| {
        Formula::at_least(result, low).both(Formula::at_least(high, result))
    };
    let zero = Term::number(0);
    let positive = Formula::non_negative(x.clone());
    let of_x = positive.clone().both(between(&zero, x));
    let of_x = of_x.either(positive.negated().both(between(x, &zero)));
    let (above, below) = (y.add(-1), y.times(-1).add(-1));
    let of_y = between(&above.times(-1), &above).either(between(&below.times(-1), &below));
    of_x.both(of_y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use exeunt_smt::{Assignment, Var};

    const WIDTH: u8 = 4;

    fn result(op: IntOp, x: Int, y: Int) -> Option<Int> {
        let s = |v: Int| if v >= 8 { v - 16 } else { v };
        let value = match op {
            IntOp::And => x & y,
            IntOp::Or => x | y,
            IntOp::Xor => x ^ y,
            IntOp::UDiv => x.checked_div(y)?,
            IntOp::URem => x.checked_rem(y)?,
            IntOp::SDiv => s(x).checked_div(s(y))?,
            IntOp::SRem => s(x).checked_rem(s(y))?,
            IntOp::LShr if y < 4 => x >> y,
            IntOp::AShr if y < 4 => s(x) >> y,
            _ => return None,
        };
        // -8 / -1 is no number.
        let fits = !matches!(op, IntOp::SDiv | IntOp::SRem) || (-8..8).contains(&value);
        fits.then_some(value.rem_euclid(16))
    }

    #[test]
    fn masks_are_exact() {
        for op in [IntOp::And, IntOp::Or, IntOp::Xor] {
            for mask in 0..16 {
                let term = with_constant(op, WIDTH, &Term::var(Var(0)), mask).expect("few runs");
                for x in 0..16 {
                    let found = term.value(&Assignment::from([(Var(0), x)]));
                    assert_eq!(found, result(op, x, mask), "{op:?} {x} {mask}");
                }
            }
        }
    }

    #[test]
    fn results_are_in_their_ranges() {
        for op in [IntOp::URem, IntOp::SRem, IntOp::SDiv, IntOp::UDiv] {
            for (x, y) in (0..16).flat_map(|x| (0..16).map(move |y| (x, y))) {
                let Some(z) = result(op, x, y) else { continue };
                for (a, b) in [(x, y), (15, y), (x, 15), (7, 7)] {
                    let ranges = (Some((0, a)), Some((0, b)));
                    if x > a || y > b {
                        continue;
                    }
                    let (other, (low, high)) = narrowed(op, WIDTH, ranges.0, ranges.1);
                    assert!((low..=high).contains(&z), "{op:?} {x} {y}");
                    assert_eq!(result(other, x, y), Some(z), "{op:?} {x} {y}");
                }
            }
        }
    }

    #[test]
    fn facts_hold() {
        let ops = [IntOp::UDiv, IntOp::URem, IntOp::SDiv, IntOp::SRem];
        let s = |v: Int| Term::number(if v >= 8 { v - 16 } else { v });
        for op in ops {
            for x in 0..16 {
                for y in 0..16 {
                    let Some(z) = result(op, x, y) else { continue };
                    let values = Values {
                        unsigned: (Term::number(x), Term::number(y), Term::number(z)),
                        signed: (s(x), s(y), s(z)),
                    };
                    assert_eq!(facts(op, &values), Formula::True, "{op:?} {x} {y}");
                }
            }
        }
    }
}
