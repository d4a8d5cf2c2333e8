//! One report of two searches of the same model: the plain one, and the one that
//! answered temporal questions.
//!
//! Invariant: what is joined holds only if both hold, and is violated if one is.

use exeunt_model::{Report, Verdict, Violation};

/// Joins the report of temporal questions to that of the plain search.
pub fn joined(plain: Report, temporal: Report) -> Report {
    let verdict = verdict(plain.verdict, temporal.verdict);
    let reason = reason(&plain, &temporal);
    let mut joined = plain;
    for violation in temporal.violations {
        if !joined.violations.iter().any(|known| is_same(known, &violation)) {
            joined.violations.push(violation);
        }
    }
    add_new(&mut joined.limits_hit, temporal.limits_hit);
    add_new(&mut joined.notes, temporal.notes);
    add_new(&mut joined.assumptions, temporal.assumptions);
    add_new(&mut joined.remarks, temporal.remarks);
    let (numbers, more) = (&mut joined.statistics, &temporal.statistics);
    numbers.seconds += more.seconds;
    numbers.peak_memory_bytes = numbers.peak_memory_bytes.max(more.peak_memory_bytes);
    Report { verdict, reason, answers: temporal.answers, ..joined }
}

/// Appends what is not there yet: whichever search came first, nothing is lost.
fn add_new<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}

/// Both searches come across the same faults.
fn is_same(one: &Violation, other: &Violation) -> bool {
    one.message == other.message && one.location == other.location
}

fn verdict(plain: Verdict, temporal: Verdict) -> Verdict {
    match (plain, temporal) {
        (Verdict::Violated, _) | (_, Verdict::Violated) => Verdict::Violated,
        (Verdict::Inconclusive, _) | (_, Verdict::Inconclusive) => Verdict::Inconclusive,
        (Verdict::Holds, Verdict::Holds) => Verdict::Holds,
    }
}

/// The reason of the report that decides; the plain one if both do.
fn reason(plain: &Report, temporal: &Report) -> String {
    match (plain.verdict, temporal.verdict) {
        (Verdict::Holds, Verdict::Holds) => format!("{}; {}", plain.reason, temporal.reason),
        (Verdict::Holds, Verdict::Inconclusive | Verdict::Violated)
        | (Verdict::Inconclusive, Verdict::Violated) => temporal.reason.clone(),
        (Verdict::Violated, _)
        | (Verdict::Inconclusive, Verdict::Holds | Verdict::Inconclusive) => plain.reason.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_needs_both_and_a_violation_needs_one() {
        use Verdict::{Holds, Inconclusive, Violated};
        for (plain, temporal, expected) in [
            (Holds, Holds, Holds),
            (Holds, Inconclusive, Inconclusive),
            (Inconclusive, Holds, Inconclusive),
            (Inconclusive, Inconclusive, Inconclusive),
            (Holds, Violated, Violated),
            (Violated, Holds, Violated),
            (Inconclusive, Violated, Violated),
            (Violated, Inconclusive, Violated),
        ] {
            assert_eq!(verdict(plain, temporal), expected, "{plain:?} {temporal:?}");
        }
    }
}
