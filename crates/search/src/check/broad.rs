//! Short searches that look broadly, when a search has become large, or has begun to dive:
//! its path grows and hardly meets a state again, as in a loop of a million rounds, or one
//! without end that counts. Violations mostly need few steps or few context switches
//! (Musuvathi and Qadeer, "Iterative Context Bounding for Systematic Testing of
//! Multithreaded Programs", 2007), and a dive would come to them last.
//!
//! Runs to the very end of the program come first among those with few switches
//! (`bound/turns.rs`): what is checked behind the joins shows only there.
//!
//! Then come walks (`bound/guided.rs`), which lead far into the program and look around at their ends.
//!
//! What they find is a violation like any other; that they find nothing says nothing.

use exeunt_model::{Report, Session, Verdict};

use super::check;
use crate::bound::{ContextBound, GuidedWalk, Plan, Rule, TurnBounds, Turns};
use crate::limits::Meter;
use crate::options::{Options, Order, Progress};

/// What these searches may cost.
struct Budget {
    /// States of each.
    states: u64,
    /// The work of all turns, in instructions or what is like them.
    credit: u64,
    /// Walks, and the states of each.
    walks: u64,
    walked: u64,
}

/// Where a search dives there is nothing better to do, for about a second.
const DIVED: Budget = Budget { states: 30_000, credit: 1 << 25, walks: 48, walked: 2_000 };
/// One that is only large mostly ends well: this is a small part of it.
const LARGE: Budget = Budget { states: 8_000, credit: 1 << 22, walks: 16, walked: 400 };

/// Preemptive switches that are tried.
const SWITCHES: u32 = 2;
/// Operations between which a thread is interrupted before it takes a turn.
const FIRST: u8 = 5;

/// So many actors are looked at before more of them are.
pub const FEW: u32 = 8;
/// How many actors at a time are tried where there are more than that.
const ACTORS: [u32; 5] = [2, 3, 4, 6, FEW];

/// A violation that shows within few steps or few switches.
pub fn look(session: &mut dyn Session, options: &Options, meter: &Meter<'_>) -> Option<Report> {
    let budget = if meter.dived { DIVED } else { LARGE };
    let brief = brief(options, budget.states);
    let near = Options { order: Order::Shortest, ..brief.clone() };
    let near = briefly(session, &near, meter);
    let far = near.or_else(|| to_the_end(session, &brief, budget.credit, meter));
    let far = far.or_else(|| on_walks(session, options, &budget, meter));
    far.or_else(|| {
        (0..=SWITCHES).find_map(|most| {
            let mut bound = ContextBound::new(session, most);
            briefly(&mut bound, &brief, meter)
        })
    })
}

/// A violation that shows with few actors, where the search came to more. If there is
/// none, their number is not limited by us from then on; otherwise the limit stays, because
/// how far steps go may depend on it.
pub fn few_actors(
    session: &mut dyn Session,
    options: &Options,
    meter: &Meter<'_>,
) -> Option<Report> {
    let brief = brief(options, DIVED.states);
    let found = ACTORS.into_iter().find_map(|most| {
        let fewer = session.limit_actors(Some(most));
        fewer.then(|| briefly(session, &brief, meter)).flatten()
    });
    if found.is_none() {
        session.limit_actors(None);
    }
    found
}

/// For one of these searches.
fn brief(options: &Options, states: u64) -> Options {
    let mut brief = Options { jobs: 1, dives: true, ..options.clone() };
    brief.limits.max_states = Some(states);
    brief
}

/// A violation, if a search finds one in the time that is left. That something was left
/// out matters only if nothing is found.
fn briefly(session: &mut dyn Session, options: &Options, meter: &Meter<'_>) -> Option<Report> {
    let options = meter.rest_of(options);
    let spent = options.limits.spent;
    if options.limits.time.is_some_and(|time| time <= spent) {
        return None;
    }
    let report = check(session, &options, &mut |_: &Progress| {});
    let violated = report.verdict == Verdict::Violated;
    violated.then_some(Report { limits_hit: Vec::new(), ..report })
}

/// Something that shows on a run to the end of the program. To shorten its path would
/// take longer than to find it.
fn to_the_end(
    session: &mut dyn Session,
    options: &Options,
    mut credit: u64,
    meter: &Meter<'_>,
) -> Option<Report> {
    if !session.facts().has_turns {
        return None;
    }
    let options = Options { shortens: false, ..options.clone() };
    (1..=SWITCHES as u16).find_map(|most| {
        let mut turns = Turns::new(session, TurnBounds { most, first: FIRST, credit });
        let found = briefly(&mut turns, &options, meter);
        credit = turns.credit();
        found
    })
}

/// How walks choose, in turn.
const RULES: [Rule; 4] =
    [Rule::Crowd, Rule::Priorities { changes: 1 }, Rule::Chance, Rule::Priorities { changes: 2 }];
/// The shortest walks have so many steps, the others up to so many times twice as many.
const SHORTEST: u32 = 8;
const DOUBLINGS: u64 = 6;

/// Something that shows on a walk, or near its end.
fn on_walks(
    session: &mut dyn Session,
    options: &Options,
    budget: &Budget,
    meter: &Meter<'_>,
) -> Option<Report> {
    // A shorter path would not be that of a walk.
    let options = Options { shortens: false, ..brief(options, budget.walked) };
    (0..budget.walks).find_map(|seed| {
        let rule = RULES[seed as usize % RULES.len()];
        let length = SHORTEST << (seed / RULES.len() as u64 % DOUBLINGS);
        let mut walk = GuidedWalk::new(session, Plan { rule, seed, length });
        briefly(&mut walk, &options, meter)
    })
}
