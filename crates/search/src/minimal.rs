//! The shortest schedule that shows a violation, of whatever kind, in one run.
//!
//! Breadth first every fault and every deadlock is met at its least depth;
//! a stuck set is entered where it is nearest. All of them are collected, and
//! the one with the fewest steps is kept. Sthread bounds the depth and
//! repeats the run with smaller and smaller bounds.

use exeunt_model::{Report, Session, Verdict, Violation};

use crate::check::check;
use crate::options::{Options, Order, Progress};

/// Explores a model and reports one violation: that with the least steps.
pub fn check_minimal(
    session: &mut dyn Session,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Report {
    let options = Options { order: Order::Shortest, all: true, ..options.clone() };
    let mut report = check(session, &options, progress);
    if report.verdict != Verdict::Violated {
        return report;
    }
    let violations = std::mem::take(&mut report.violations);
    let least = violations.into_iter().min_by_key(steps);
    if let Some(mut violation) = least {
        if options.liveness() && !report.limits_hit.is_empty() {
            let why = "the search was cut off: a section that is stuck may need fewer steps";
            violation.help.push(why.to_string());
        }
        report.reason = violation.message.clone();
        report.violations.push(violation);
    }
    report
}

/// Steps up to the point from which the violation is inevitable.
fn steps(violation: &Violation) -> usize {
    let trace = &violation.trace;
    let all = trace.steps.len();
    let until = [trace.cycle_start, trace.too_late].into_iter().flatten().min();
    until.unwrap_or(all).min(all)
}
