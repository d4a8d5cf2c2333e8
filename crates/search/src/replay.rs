//! Runs a schedule again and looks whether it still ends in a violation.

use exeunt_model::{Report, Schedule, Session, Trace, Verdict};

use crate::check::{Judge, conclude, explore_all};
use crate::explore::Graph;
use crate::limits::Meter;
use crate::options::Options;
use crate::store::ComponentPool;
use crate::story::{self, Outcome};

/// Follows the schedule and judges where it leads. If its last move is no
/// fault, everything reachable from there is explored: a deadlock, or a
/// section that cannot end, shows there again. From move `cycle` on the
/// schedule repeats, so what it shows is there already: the report has the
/// cycle once, as that of the search has.
///
/// `Err` says which move could not be taken.
pub fn replay(
    session: &dyn Session,
    options: &Options,
    schedule: &Schedule,
    cycle: Option<usize>,
) -> Result<Report, String> {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(session.worker(&pool), &pool);
    let mut ignore = |_: &crate::options::Progress| {};
    let mut meter = Meter::new(options, &mut ignore);
    let mut judge = Judge::new(options);
    if let Err(fault) = graph.start() {
        judge.violations.push(story::fault_violation(Trace::default(), fault));
        return Ok(told(conclude(session, graph, &mut meter, judge, true)));
    }
    let Some(mut state) = graph.initial else {
        return Err("the program has no initial state".to_string());
    };
    let mut path = vec![state];
    for (i, step) in schedule.moves.iter().enumerate() {
        let taken = story::take(&mut graph, state, step);
        let Some((outcome, _)) = taken else {
            return Err(format!("move {} of the schedule (`{step}`) is not possible", i + 1));
        };
        match outcome {
            Outcome::State(next) => {
                state = next;
                path.push(state);
            }
            Outcome::Fault(fault) => {
                let trace = story::build(&mut graph, &path, Some(step));
                judge.violations.push(story::fault_violation(trace, fault));
                return Ok(told(conclude(session, graph, &mut meter, judge, true)));
            }
            Outcome::Other(what) => {
                return Err(format!("move {} of the schedule (`{step}`): {what}", i + 1));
            }
        }
    }
    path.truncate(cycle.map_or(path.len(), |cycle| cycle + 1));
    graph.initial = path.last().copied();
    judge.prefix = path;
    let complete = explore_all(&mut graph, session.facts().may_choose, &mut meter, &mut judge);
    Ok(told(conclude(session, graph, &mut meter, judge, complete)))
}

/// What a replay left out matters only if it shows nothing.
fn told(report: Report) -> Report {
    match report.verdict {
        Verdict::Violated => Report { limits_hit: Vec::new(), ..report },
        Verdict::Holds | Verdict::Inconclusive => report,
    }
}
