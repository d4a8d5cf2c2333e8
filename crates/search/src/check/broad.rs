//! Short searches that look broadly, when a search has become large, or has begun to dive:
//! its path grows and hardly meets a state again, as in a loop of a million rounds, or one
//! without end that counts. Violations mostly need few steps or few context switches
//! (Musuvathi and Qadeer, "Iterative Context Bounding for Systematic Testing of
//! Multithreaded Programs", 2007), and a dive would come to them last.
//!
//! Runs to the very end of the program come first among those with few switches
//! (`bound/turns.rs`): what is checked behind the joins shows only there.
//!
//! What they find is a violation like any other; that they find nothing says nothing.

use std::time::Duration;

use exeunt_model::{Report, Session, Verdict};

use super::check;
use crate::bound::{ContextBound, TurnBounds, Turns};
use crate::options::{Options, Order, Progress};

/// States of each of these searches.
const STATES: u64 = 30_000;
/// Preemptive switches that are tried.
const SWITCHES: u32 = 2;
/// What turns may cost in all, in instructions or what is like them: about a second.
const CREDIT: u64 = 1 << 26;
/// Operations between which a thread is interrupted before it takes a turn.
const FIRST: u8 = 5;

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
    let far = near.or_else(|| to_the_end(session, &options));
    let found = far.or_else(|| {
        (0..=SWITCHES).find_map(|most| {
            let mut bound = ContextBound::new(session, most);
            Some(check(&mut bound, &options, silent)).filter(found)
        })
    });
    // That something was left out matters only if nothing is found.
    found.map(|report| Report { limits_hit: Vec::new(), ..report })
}

/// Something that shows on a run to the end of the program. To shorten its path would
/// take longer than to find it.
fn to_the_end(session: &mut dyn Session, options: &Options) -> Option<Report> {
    if !session.facts().has_turns {
        return None;
    }
    let options = Options { shortens: false, ..options.clone() };
    let mut credit = CREDIT;
    (1..=SWITCHES as u16).find_map(|most| {
        let mut turns = Turns::new(session, TurnBounds { most, first: FIRST, credit });
        let report = check(&mut turns, &options, &mut |_| {});
        credit = turns.credit();
        (report.verdict == Verdict::Violated).then_some(report)
    })
}
