//! Systems of linear constraints over rational numbers.

use z3::ast::{Int as Whole, Real};
use z3::{Params, SatResult, Solver};

use std::fmt::Write;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::answers::Expression;
use crate::process::Process;
use crate::{Int, oracle, settings, text};

/// A sum of multiples of unknowns, by their numbers, and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub parts: Vec<(usize, Int)>,
    pub constant: Int,
}

/// What a row must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    Zero,
    NonNegative,
}

/// A solution as numerators and denominators; `None` if there is none or it
/// was not found. Unknowns that `positive` names are at least zero.
pub fn solution(
    unknowns: usize,
    positive: &dyn Fn(usize) -> bool,
    rows: &[(Row, Demand)],
) -> Option<Vec<(Int, Int)>> {
    let current = settings::current();
    if current.stop.load(Ordering::Relaxed) {
        return None;
    }
    oracle::dump(&current, || question(unknowns, positive, rows));
    let Some(command) = current.settings.solver else {
        return by_z3(unknowns, positive, rows);
    };
    let names: Vec<String> = (0..unknowns).map(|index| format!("u{index}")).collect();
    let question = question(unknowns, positive, rows);
    if names.is_empty() {
        return by_z3(unknowns, positive, rows);
    }
    Process::new(command).rationals(&question, &names, Duration::from_secs(2))
}

/// The system in SMT-LIB's language.
fn question(unknowns: usize, positive: &dyn Fn(usize) -> bool, rows: &[(Row, Demand)]) -> String {
    let mut question = String::from("(set-logic QF_LRA)\n");
    let real = |value: Int| match value < 0 {
        true => format!("(- {}.0)", value.unsigned_abs()),
        false => format!("{}.0", text::number(value)),
    };
    for index in 0..unknowns {
        let _ = writeln!(question, "(declare-const u{index} Real)");
        if positive(index) {
            let _ = writeln!(question, "(assert (>= u{index} 0.0))");
        }
    }
    for (row, demand) in rows {
        let mut sum = real(row.constant);
        for (unknown, factor) in &row.parts {
            let _ = write!(sum, " (* {} u{unknown})", real(*factor));
        }
        let sum = if row.parts.is_empty() { sum } else { format!("(+ {sum})") };
        let relation = if *demand == Demand::Zero { "=" } else { ">=" };
        let _ = writeln!(question, "(assert ({relation} {sum} 0.0))");
    }
    question.push_str("(check-sat)\n");
    question
}

fn by_z3(
    unknowns: usize,
    positive: &dyn Fn(usize) -> bool,
    rows: &[(Row, Demand)],
) -> Option<Vec<(Int, Int)>> {
    let solver = Solver::new_for_logic("QF_LRA").unwrap_or_default();
    let mut params = Params::new();
    params.set_u32("timeout", 2_000);
    params.set_u32("random_seed", 1);
    solver.set_params(&params);
    let zero = number(0);
    let names: Vec<Real> =
        (0..unknowns).map(|index| Real::new_const(format!("u{index}"))).collect();
    for (index, name) in names.iter().enumerate() {
        if positive(index) {
            solver.assert(name.ge(&zero));
        }
    }
    for (row, demand) in rows {
        let mut parts = vec![number(row.constant)];
        for (unknown, factor) in &row.parts {
            parts.push(Real::mul(&[&number(*factor), &names[*unknown]]));
        }
        let sum = Real::add(&parts.iter().collect::<Vec<_>>());
        solver.assert(match demand {
            Demand::Zero => sum.eq(&zero),
            Demand::NonNegative => sum.ge(&zero),
        });
    }
    if solver.check() != SatResult::Sat {
        return None;
    }
    let model = solver.get_model()?;
    // The library reads numbers of 64 bits only.
    let value =
        |name: &Real| Expression::all(&model.eval(name, true)?.to_string())?.first()?.rational();
    names.iter().map(value).collect()
}

fn number(value: Int) -> Real {
    Real::from_int(&Whole::from_i128(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_solve() {
        // 2a - 3b = 1, a + b >= 2, b >= 0
        let row = |a, b, constant| Row { parts: vec![(0, a), (1, b)], constant };
        let rows = [(row(2, -3, -1), Demand::Zero), (row(1, 1, -2), Demand::NonNegative)];
        let found = solution(2, &|index| index == 1, &rows).expect("a = 7/5, b = 3/5 is one");
        let ((a, p), (b, q)) = (found[0], found[1]);
        assert_eq!(2 * a * q - 3 * b * p, p * q);
        let none = [(row(1, 1, 0), Demand::Zero), (row(-1, -1, -1), Demand::NonNegative)];
        assert_eq!(solution(2, &|_| false, &none), None);
        // a = 2^70, b = -1/3
        let large = |a, b, constant| (Row { parts: vec![(0, a), (1, b)], constant }, Demand::Zero);
        let rows = [large(1, 0, -(1 << 70)), large(0, 3, 1)];
        assert_eq!(solution(2, &|_| false, &rows), Some(vec![(1 << 70, 1), (-1, 3)]));
    }
}
