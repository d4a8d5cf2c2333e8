//! Which change of order would have been harmless: a step of another thread in place of one of the schedule,
//! after which nothing can go wrong any more.
//!
//! Invariant: said only if everything that can be reached from there was explored and holds.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use exeunt_model::{Move, Schedule, Session, Verdict, Violation};
use exeunt_search::{Leads, Limits, Options, Successor};

/// How long it is looked for, and in how many states each time.
const PATIENCE: Duration = Duration::from_secs(3);
const MOST_STATES: u64 = 50_000;

/// The last such change, in words.
pub(crate) fn change(
    session: &dyn Session,
    options: &Options,
    violation: &Violation,
) -> Option<String> {
    let start = Instant::now();
    let moves = &violation.trace.schedule.moves;
    let end = violation.trace.cycle_start.unwrap_or(moves.len()).min(moves.len());
    let noun = violation.trace.noun;
    for at in (0..end).rev() {
        for other in others(session, &moves[..at], &moves[at]) {
            let left = PATIENCE.checked_sub(start.elapsed())?;
            let mut path = moves[..at].to_vec();
            path.push(other.step.clone());
            let options = Options {
                all: false,
                limits: Limits {
                    time: Some(left),
                    max_states: Some(MOST_STATES),
                    ..options.limits.clone()
                },
                ..options.clone()
            };
            let Ok(report) =
                exeunt_search::replay(session, &options, &Schedule { moves: path }, None)
            else {
                continue;
            };
            // What the search relied on may not be so beyond what it had seen.
            if session.refuted().load(Ordering::Acquire) {
                return None;
            }
            if report.verdict == Verdict::Holds {
                let line = other.told.location.as_ref().filter(|location| location.is_known());
                let line =
                    line.map_or(String::new(), |location| format!("line {}: ", location.line));
                return Some(format!(
                    "a harmless order: if in step {} {} goes on ({line}{}) instead of {}, nothing goes \
                     wrong any more; all states that can follow were checked",
                    at + 1,
                    noun.call(other.step.actor),
                    other.told.action,
                    noun.call(moves[at].actor),
                ));
            }
        }
    }
    None
}

/// Steps of other actors behind the beginning of a schedule.
fn others(session: &dyn Session, before: &[Move], taken: &Move) -> Vec<Successor> {
    let found = exeunt_search::walk(session, |walk| {
        for step in before {
            if walk.take(step).is_err() {
                return Vec::new();
            }
        }
        let mut found = walk.successors();
        found.retain(|next| {
            let leads = matches!(next.leads, Leads::State { .. });
            leads && !next.step.withheld && next.step.actor != taken.actor
        });
        found
    });
    found.unwrap_or_default()
}
