//! Short searches that look broadly, when a search in depth has begun to dive: its path
//! grows and hardly meets a state again, as in a loop of a million rounds, or one
//! without end that counts. Violations mostly need few steps or few context switches
//! (Musuvathi and Qadeer, "Iterative Context Bounding for Systematic Testing of
//! Multithreaded Programs", 2007), and a dive would come to them last.
//!
//! What they find is a violation like any other; that they find nothing says nothing.

use std::time::Duration;

use exeunt_model::{Report, Session, Verdict};

use super::check;
use crate::bound::ContextBound;
use crate::options::{Options, Order, Progress};

/// States of each of these searches.
const STATES: u64 = 30_000;
/// Preemptive switches that are tried.
const SWITCHES: u32 = 2;

/// A violation that shows within few steps or few switches. `spent` is the time that
/// the search has taken already.
pub fn look(session: &mut dyn Session, options: &Options, spent: f64) -> Option<Report> {
    let spent = Duration::from_secs_f64(spent);
    let mut options = Options { jobs: 1, dives: true, ..options.clone() };
    options.limits.time = options.limits.time.map(|limit| limit.saturating_sub(spent));
    options.limits.max_states = Some(STATES);
    let near = Options { order: Order::Shortest, ..options.clone() };
    let silent = &mut |_: &Progress| {};
    let found = |report: &Report| report.verdict == Verdict::Violated;
    let near = Some(check(session, &near, silent)).filter(found);
    near.or_else(|| {
        (0..=SWITCHES).find_map(|most| {
            let mut bound = ContextBound::new(session, most);
            Some(check(&mut bound, &options, silent)).filter(found)
        })
    })
}
