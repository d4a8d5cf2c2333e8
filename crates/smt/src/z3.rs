//! The solver Z3, through Debian's library.

use std::collections::BTreeSet;

use z3::ast::{BV, Bool, Int as Number};
use z3::{Params, SatResult};

use crate::term::Kind;
use crate::{Answer, Assignment, Atom, Formula, Int, Solver, Term, Var, bits, blast, text};

/// Asks Z3, with a limit on each question. The limit counts work before time,
/// so that a question has the same answer on every machine.
pub struct Z3 {
    /// For sums and comparisons, with short and with long patience. They are
    /// used again: a new one takes longer than most questions.
    linear: [z3::Solver; 2],
    patience: Patience,
}

/// How hard Z3 tries before it gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// About a second.
    Long,
    /// A tenth of that.
    Short,
}

impl Z3 {
    pub fn new() -> Self {
        let linear =
            [Patience::Short, Patience::Long].map(|patience| limited(z3::Solver::new(), patience));
        Z3 { linear, patience: Patience::Long }
    }

    pub fn set_patience(&mut self, patience: Patience) {
        self.patience = patience;
    }
}

impl Default for Z3 {
    fn default() -> Self {
        Z3::new()
    }
}

/// Work and milliseconds.
const LIMITS: (u32, u32) = (3_000_000, 1_000);
/// The same for vectors of bits, which are asked about only where nothing else helps.
const OF_BITS: (u32, u32) = (12_000_000, 4_000);

fn limited(solver: z3::Solver, patience: Patience) -> z3::Solver {
    within(solver, patience, LIMITS)
}

fn within(solver: z3::Solver, patience: Patience, (work, time): (u32, u32)) -> z3::Solver {
    let part = if patience == Patience::Long { 1 } else { 10 };
    let mut params = Params::new();
    params.set_u32("rlimit", work / part);
    // Some of its procedures do not count.
    params.set_u32("timeout", time / part);
    params.set_u32("random_seed", 1);
    solver.set_params(&params);
    solver
}

impl Solver for Z3 {
    fn check(&mut self, formulas: &[&Formula]) -> Answer {
        let hardest = formulas.iter().map(|formula| formula.kind()).max();
        match hardest {
            Some(Kind::Bits) => {
                let patience = self.patience;
                bits::ask(formulas, &mut |plain| self.check(plain), &mut |question| {
                    ask_bits(patience, question)
                })
            }
            Some(Kind::Product) => ask(&limited(z3::Solver::new(), self.patience), formulas),
            Some(Kind::Division) => {
                let solver = z3::Solver::new_for_logic("QF_LIA").unwrap_or_default();
                ask(&limited(solver, self.patience), formulas)
            }
            Some(Kind::Linear) | None => {
                let solver = &self.linear[usize::from(self.patience == Patience::Long)];
                solver.push();
                let answer = ask(solver, formulas);
                solver.pop(1);
                answer
            }
        }
    }
}

fn ask(solver: &z3::Solver, formulas: &[&Formula]) -> Answer {
    let mut vars = BTreeSet::new();
    for formula in formulas {
        formula.collect_vars(&mut vars);
        solver.assert(truth(formula));
    }
    match solver.check() {
        SatResult::Unsat => Answer::Unsat,
        SatResult::Unknown => Answer::Unknown,
        SatResult::Sat => match solver.get_model().and_then(|model| values(&model, &vars)) {
            Some(values) => Answer::Sat(values),
            None => Answer::Unknown,
        },
    }
}

fn ask_bits(patience: Patience, question: &blast::Question) -> Answer {
    let solver = z3::Solver::new_for_logic("QF_BV").unwrap_or_default();
    let solver = within(solver, patience, OF_BITS);
    solver.from_string(question.text.as_str());
    match solver.check() {
        SatResult::Unsat => Answer::Unsat,
        SatResult::Unknown => Answer::Unknown,
        SatResult::Sat => {
            let Some(model) = solver.get_model() else { return Answer::Unknown };
            let mut written = |var: Var| {
                let vector = BV::new_const(text::name(var), question.width);
                Some(model.eval(&vector, true)?.to_string())
            };
            blast::values(question, &mut written).map_or(Answer::Unknown, Answer::Sat)
        }
    }
}

/// The values of a model; `None` if one is too large for us.
fn values(model: &z3::Model, vars: &BTreeSet<Var>) -> Option<Assignment> {
    let mut values = Assignment::new();
    for var in vars {
        let value = model.eval(&name(*var), true)?;
        let text = value.to_string();
        values.insert(*var, number_in(&text)?);
    }
    Some(values)
}

/// Z3 writes negative numbers as `(- 5)`.
fn number_in(text: &str) -> Option<Int> {
    match text.strip_prefix("(- ").and_then(|rest| rest.strip_suffix(')')) {
        Some(digits) => digits.parse::<Int>().ok().map(|number| -number),
        None => text.parse().ok(),
    }
}

fn name(var: Var) -> Number {
    Number::new_const(format!("v{}", var.0))
}

fn number(value: Int) -> Number {
    match i64::try_from(value) {
        Ok(small) => Number::from_i64(small),
        Err(_) => value.to_string().parse().expect("decimal digits are a number"),
    }
}

fn sum(term: &Term) -> Number {
    let mut parts = vec![number(term.constant())];
    parts.extend(term.parts().map(|(part, factor)| match factor {
        1 => atom(part),
        factor => Number::mul(&[&number(factor), &atom(part)]),
    }));
    Number::add(&parts.iter().collect::<Vec<_>>())
}

fn atom(atom: &Atom) -> Number {
    match atom {
        Atom::Var(var) => name(*var),
        Atom::Product(a, b) => Number::mul(&[&sum(a), &sum(b)]),
        Atom::Quotient(a, divisor) => sum(a).div(number(*divisor)),
        Atom::Remainder(a, divisor) => sum(a).modulo(number(*divisor)),
        Atom::Choice(test, yes, no) => truth(test).ite(&sum(yes), &sum(no)),
        Atom::Bits(..) => unreachable!("questions about bits are asked without integers"),
    }
}

fn truth(formula: &Formula) -> Bool {
    let zero = Number::from_i64(0);
    match formula {
        Formula::True => Bool::from_bool(true),
        Formula::False => Bool::from_bool(false),
        Formula::NonNegative(term) => sum(term).ge(&zero),
        Formula::Zero(term) => sum(term).eq(&zero),
        Formula::NonZero(term) => sum(term).eq(&zero).not(),
        Formula::And(parts) => Bool::and(&parts.iter().map(truth).collect::<Vec<_>>()),
        Formula::Or(parts) => Bool::or(&parts.iter().map(truth).collect::<Vec<_>>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solver() -> Z3 {
        Z3::new()
    }

    #[test]
    fn answers_satisfy_the_question() {
        let (x, y) = (Term::var(Var(0)), Term::var(Var(1)));
        let questions = [
            Formula::equal(&x.remainder(7), &Term::number(3)),
            Formula::at_least(&y, &x.product(&x).add(5)),
            Formula::non_negative(x.times(-1).add(-10)),
        ];
        let all: Vec<&Formula> = questions.iter().collect();
        let Answer::Sat(values) = solver().check(&all) else { panic!("there are such numbers") };
        for question in &questions {
            assert_eq!(question.holds(&values), Some(true), "{question:?}");
        }
    }

    #[test]
    fn large_numbers_go_there_and_back() {
        let huge: Int = 1 << 100;
        let question = Formula::equal(&Term::var(Var(0)), &Term::number(-huge));
        let Answer::Sat(values) = solver().check(&[&question]) else { panic!("one value") };
        assert_eq!(values[&Var(0)], -huge);
    }

    #[test]
    fn division_rounds_down_as_our_own() {
        let x = Term::var(Var(0));
        for value in -9..9 {
            let fixed = Formula::equal(&x, &Term::number(value));
            let quotient = Formula::equal(&x.quotient(4), &Term::number(value.div_euclid(4)));
            let rest = Formula::equal(&x.remainder(4), &Term::number(value.rem_euclid(4)));
            assert!(solver().proves(&[&fixed], &quotient.both(rest)), "{value}");
        }
    }

    /// All operations on all numbers of four bits, by vectors and by our own.
    #[test]
    fn bits_are_those_of_our_own() {
        let (x, y) = (Term::var(Var(0)), Term::var(Var(1)));
        let mut solver = solver();
        for op in crate::bits::tests::OPS {
            for (a, b) in (-1..16).flat_map(|a| [-1, 2, 5, 9].map(|b| (a, b))) {
                let fixed = [
                    Formula::equal(&x, &Term::number(a)),
                    Formula::equal(&y, &Term::number(b)),
                    Formula::equal(
                        &Term::bits(op, 4, &x.add(1).times(3), &y.quotient(3)),
                        &Term::number(op.value(4, (a + 1) * 3, b.div_euclid(3))),
                    ),
                ];
                let asked: Vec<&Formula> = fixed.iter().collect();
                assert!(matches!(solver.check(&asked), Answer::Sat(_)), "{op:?} {a} {b}");
                let other = fixed[2].negated();
                assert_eq!(solver.check(&[&fixed[0], &fixed[1], &other]), Answer::Unsat);
            }
        }
    }

    #[test]
    fn what_bits_are_needs_ranges() {
        let x = Term::var(Var(0));
        let cleared = Term::bits(crate::BitOp::And, 32, &x, &x.add(-1));
        let smaller = Formula::at_least(&x.add(-1), &cleared);
        let positive = Formula::non_negative(x.add(-1));
        let small = Formula::non_negative(x.times(-1).add((1 << 32) - 1));
        assert!(solver().proves(&[&positive, &small], &smaller));
        assert!(!solver().proves(&[&small], &smaller));
    }

    #[test]
    fn what_does_not_follow_is_not_proven() {
        let x = Term::var(Var(0));
        let positive = Formula::non_negative(x.add(-1));
        assert!(solver().proves(&[&positive], &Formula::non_negative(x.clone())));
        assert!(!solver().proves(&[&Formula::non_negative(x)], &positive));
    }
}
