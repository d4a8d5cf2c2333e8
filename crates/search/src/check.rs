//! The whole question: explore, judge, report.

mod beside;
mod broad;
mod conclusion;
mod elsewhere;
mod growth;
mod judge;
mod known;
mod prelude;

use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use exeunt_model::{LeftOut, Report, Session, Verdict};

use crate::explore::{self, Graph, Outcome};
use crate::limits::{Meter, TurnsAway};
use crate::options::{Memory, Options, Order, Progress};
use crate::store::ComponentPool;
use crate::story;
use crate::stuck::Edges;
pub use conclusion::conclude;
use conclusion::extent;
pub use judge::Judge;

/// With several jobs, the search begins with one: so many states are explored
/// sooner than threads are started, and most violations are found there.
const ALONE: u64 = 20_000;

/// Explores a model and says what holds.
///
/// Whatever is found is told by a search in order, so that a report does not
/// depend on how many threads there were.
pub fn check(
    session: &mut dyn Session,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Report {
    let options = &options.fitted(session);
    let mut meter = Meter::new(options, progress);
    meter.refuted = session.refuted();
    if options.may_turn_away() {
        meter.turns_away = TurnsAway::Early { large: session.facts().has_turns };
        meter.crowded = session.limit_actors(Some(broad::FEW)).then(|| session.crowded());
    }
    loop {
        let report = search(session, options, &mut meter);
        if let Some(mut found) = meter.found.take().filter(|_| !is_refuted(session)) {
            found.statistics.seconds = meter.seconds();
            return found;
        }
        let turned_away = std::mem::take(&mut meter.turned_away);
        let crowd = meter.crowded.take_if(|crowded| crowded.load(Ordering::Relaxed)).is_some();
        let undecided = report.as_ref().is_none_or(|report| report.verdict != Verdict::Violated);
        if (turned_away || crowd) && undecided {
            let found = match crowd {
                true => broad::few_actors(session, options, &meter),
                false => broad::look(session, options, &meter),
            };
            if let Some(mut report) = found {
                report.statistics.seconds = meter.seconds();
                return report;
            }
            meter.start_again();
            continue;
        }
        match report {
            Some(report) if !is_refuted(session) => return report,
            _ if options.beside => return Report::inconclusive(beside::WRONG.to_string()),
            // There is no time for another search, and this one claims nothing.
            Some(report) if meter.exhausted && report.verdict == Verdict::Inconclusive => {
                return report;
            }
            _ => prelude::renew(session, &mut meter),
        }
        meter.discard();
    }
}

/// Whether what the workers rely on turned out to be wrong.
pub fn is_refuted(session: &dyn Session) -> bool {
    session.refuted().load(Ordering::Acquire)
}

/// `None` if its assumption was refuted.
fn search(session: &dyn Session, options: &Options, meter: &mut Meter<'_>) -> Option<Report> {
    if options.memory != Memory::Exact {
        return Some(check_lossy(session, options, meter));
    }
    // Moves are put off in depth only.
    let learns = options.reduces
        && options.order == Order::Depth
        && session.facts().left_out == LeftOut::Learnt;
    if !learns {
        return search_by(session, options, meter);
    }
    if !meter.puts_off_little {
        meter.patience = Some(ALONE);
        let report = check_in_order(session, options, meter);
        if report.is_some() || is_refuted(session) || meter.turned_away {
            return report;
        }
        meter.puts_off_little = true;
        meter.start_again();
    }
    search_by(session, &Options { reduces: false, ..options.clone() }, meter)
}

/// With the threads, or in the way, that the options ask for.
fn search_by(session: &dyn Session, options: &Options, meter: &mut Meter<'_>) -> Option<Report> {
    if options.checkpoints.are_wanted() {
        let report = check_in_parallel(session, options, meter);
        if report.is_some() || is_refuted(session) {
            return report;
        }
        meter.start_again();
    } else if options.jobs > 1 && options.can_be_shared() {
        // What was searched before without finding anything need not be searched again.
        if !meter.puts_off_little {
            meter.patience = Some(ALONE);
            let report = check_in_order(session, options, meter);
            if report.is_some() || is_refuted(session) || meter.turned_away {
                return report;
            }
            meter.start_again();
        }
        let report = check_in_parallel(session, options, meter);
        if report.is_some() || is_refuted(session) || meter.turned_away {
            return report;
        }
        meter.start_again();
    }
    check_in_order(session, options, meter)
}

/// `None` if it ran out of patience, or its assumption was refuted.
fn check_in_order(
    session: &dyn Session,
    options: &Options,
    meter: &mut Meter<'_>,
) -> Option<Report> {
    let pool = ComponentPool::new();
    let aside = |meter: &Meter<'_>| beside::look(session, options, meter);
    let mut graph = Graph::with_room(session.worker(&pool), &pool, options.expected);
    graph.aside = Some(&aside);
    graph.bounds = meter.bounds();
    graph.reduces = options.reduces;
    graph.strict = options.liveness() && session.facts().may_choose;
    graph.counts_visits = session.facts().left_out == LeftOut::Known;
    let learns = session.facts().left_out == LeftOut::Learnt;
    graph.mends = options.liveness() && learns && !graph.strict;
    let mut judge = Judge::new(options);
    let complete = match graph.start() {
        Ok(()) => explore_all(&mut graph, session.facts().may_choose, meter, &mut judge),
        Err(fault) => {
            judge.violations.push(story::fault_violation(Default::default(), fault));
            true
        }
    };
    if meter.lost_patience && judge.violations.is_empty() {
        return None;
    }
    Some(conclude(session, graph, meter, judge, complete))
}

/// Remembers only some bits of each state.
fn check_lossy(session: &dyn Session, options: &Options, meter: &mut Meter<'_>) -> Report {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(session.worker(&pool), &pool);
    graph.bounds = meter.bounds();
    let mut judge = Judge::new(options);
    let complete = match graph.start() {
        Ok(()) => {
            let (result, coverage) = explore::lossy(&mut graph, options.memory, meter, &mut judge);
            judge.states = Some((coverage.states, extent(&graph).1));
            judge.coverage = Some(coverage);
            result != ControlFlow::Continue(false)
        }
        Err(fault) => {
            judge.violations.push(story::fault_violation(Default::default(), fault));
            true
        }
    };
    conclude(session, graph, meter, judge, complete)
}

/// `None` if something was found that a search in order must tell.
fn check_in_parallel(
    session: &dyn Session,
    options: &Options,
    meter: &mut Meter<'_>,
) -> Option<Report> {
    let pool = ComponentPool::new();
    let aside = |meter: &Meter<'_>| beside::look(session, options, meter);
    let mut graph = Graph::with_room(session.worker(&pool), &pool, options.expected);
    graph.aside = Some(&aside);
    graph.start().ok()?;
    let explored = explore::explore_parallel(session, &mut graph, meter, options);
    let (outcome, totals) = match explored {
        Ok(explored) => explored,
        Err(why) => {
            let reason = format!("the search could not be taken up again: {why}");
            return Some(Report::inconclusive(reason));
        }
    };
    let complete = match outcome {
        Outcome::Suspicious => return None,
        Outcome::Clean => true,
        Outcome::Incomplete => false,
    };
    let mut judge = Judge::new(options);
    judge.endless = totals.endless;
    judge.totals = Some(totals);
    Some(conclude(session, graph, meter, judge, complete))
}

/// Runs the exploration and, if it was exhaustive and found nothing, the
/// stuck-set pass. Returns whether everything was seen.
pub fn explore_all(
    graph: &mut Graph<'_>,
    may_choose: bool,
    meter: &mut Meter<'_>,
    judge: &mut Judge<'_>,
) -> bool {
    let options = judge.options;
    let complete = match options.order {
        Order::Depth => explore::depth_first(graph, may_choose, meter, judge),
        Order::Shortest => {
            let mut parents = Vec::new();
            explore::breadth_first(graph, meter, judge, &mut parents)
        }
    };
    judge.states.get_or_insert_with(|| extent(graph));
    let ControlFlow::Continue(mut complete) = complete else { return true };
    let undecided = judge.violations.is_empty() || options.all;
    if complete && options.liveness() && undecided && options.order == Order::Shortest {
        meter.extra = 0;
        match Edges::of_everything_within(graph, meter) {
            Some(edges) => judge.shortest_stuck(graph, &Rc::new(edges)),
            None => complete = false,
        }
    }
    if options.all {
        let (opened, aside) = (graph.worker.sections_opened(), graph.opened_aside);
        judge.other_openings(graph);
        judge.opened_again += graph.worker.sections_opened() - opened;
        graph.opened_aside = aside;
        // What was found may be told within the limits only, and that is said.
        meter.look(0, &graph.store, graph.pool);
    }
    complete
}
