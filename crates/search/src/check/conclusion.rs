//! The verdict and the numbers.

use exeunt_model::{Report, SectionKind, Session, Statistics, Verdict};

use super::{Judge, growth};
use crate::explore::{Coverage, Graph};
use crate::limits::{self, Meter};
use crate::options::{Memory, Options};

/// How many states there are, in how many bytes.
pub fn extent(graph: &Graph<'_>) -> (u64, u64) {
    (graph.visited.unwrap_or(graph.store.len() as u64), graph.store.bytes() + graph.pool.bytes())
}

/// The verdict and the numbers.
pub fn conclude(
    session: &dyn Session,
    mut graph: Graph<'_>,
    meter: &mut Meter<'_>,
    judge: Judge<'_>,
    complete: bool,
) -> Report {
    let unsupported = match &judge.totals {
        Some(totals) => &totals.unsupported,
        None => &graph.unsupported,
    };
    let mut limits_hit = meter.hit.clone();
    limits_hit.extend(unsupported.iter().map(ToString::to_string));
    let (states, bytes) = judge.states.unwrap_or_else(|| extent(&graph));
    let states = judge.totals.as_ref().map_or(states, |totals| totals.states);
    let bytes = bytes + judge.coverage.map_or(0, |coverage| coverage.bytes);
    let (opened, sites) = match &judge.totals {
        Some(totals) => (totals.opened, totals.sites.len() as u64),
        None => {
            let (opened, sites) = (graph.worker.sections_opened(), graph.worker.section_sites());
            (
                opened - judge.opened_again - graph.opened_aside,
                judge.sites.unwrap_or(sites.len() as u64),
            )
        }
    };
    let liveness = judge.options.liveness();
    let in_order = judge.totals.is_none();
    let statistics = Statistics {
        course: Vec::new(),
        states,
        transitions: meter.transitions,
        revisits: meter.revisits,
        runs: None,
        max_depth: in_order.then_some(meter.max_depth),
        components: graph.pool.len() as u64,
        seconds: meter.seconds(),
        peak_memory_bytes: limits::peak_memory(),
        bytes_per_state: bytes as f64 / states.max(1) as f64,
        phases: phases(meter, &judge),
        table_load: graph.store.table_load(),
        bottom_components: (liveness && in_order).then_some(judge.bottom_components),
        sections_opened: liveness.then_some(opened),
        section_sites: liveness.then_some(sites),
        discarded: meter.discarded,
    };
    let mut incomplete = session.incompleteness();
    incomplete.extend(judge.coverage.map(|coverage| forgetful(judge.options, coverage)));
    let (verdict, reason) = if let Some(first) = judge.violations.first() {
        (Verdict::Violated, first.message.clone())
    } else if let Some(limit) = unsupported.first() {
        (Verdict::Inconclusive, limit.to_string())
    } else if let Some(limit) = meter.hit.first() {
        (Verdict::Inconclusive, format!("not everything was explored ({limit})"))
    } else if !complete {
        (Verdict::Inconclusive, "not everything was explored".to_string())
    } else if let Some(why) = incomplete.first() {
        (Verdict::Inconclusive, why.clone())
    } else {
        (Verdict::Holds, holds(judge.options, states))
    };
    limits_hit.extend(incomplete);
    let (answers, unreached) = (Vec::new(), Vec::new());
    let (notes, assumptions) = (session.notes(), session.assumptions());
    let remarks = match verdict {
        Verdict::Inconclusive if meter.hit.is_empty() || meter.interrupted => Vec::new(),
        // Nobody reads the report of a short search beside another one.
        Verdict::Inconclusive if judge.options.beside => Vec::new(),
        Verdict::Inconclusive => growth::advice(&mut graph).into_iter().collect(),
        Verdict::Holds | Verdict::Violated => besides(session, &judge),
    };
    let violations = judge.violations;
    Report {
        verdict,
        reason,
        violations,
        statistics,
        limits_hit,
        answers,
        unreached,
        notes,
        assumptions,
        remarks,
        proof: None,
    }
}

/// What one should know even if it holds.
fn besides(session: &dyn Session, judge: &Judge<'_>) -> Vec<String> {
    let may = "it may run for ever: from some state on, its end is unreachable \
               (`--property termination` shows how)";
    let endless = judge.endless && !judge.options.termination;
    let endless = endless.then(|| may.to_string());
    endless.into_iter().chain(session.remarks()).collect()
}

/// What the time went into.
fn phases(meter: &Meter<'_>, judge: &Judge<'_>) -> Vec<(&'static str, f64)> {
    let sections = judge.totals.as_ref().map_or(0.0, |totals| totals.judging);
    let exploring = meter.seconds() - sections - judge.telling;
    let all = [("exploring", exploring), ("sections", sections), ("telling", judge.telling)];
    all.into_iter().filter(|(_, seconds)| *seconds > 0.0).collect()
}

/// What is not known after a search that did not remember its states.
fn forgetful(options: &Options, coverage: Coverage) -> String {
    let how = match options.memory {
        Memory::Bits { .. } => "by three bits each (--bitstate)",
        Memory::Fingerprints | Memory::Exact => "by 32 bits and a place each (--hash-compact)",
    };
    let sections = match options.liveness() {
        true => ", and sections were not looked at",
        false => "",
    };
    let part = coverage.part * 100.0;
    format!("states were told apart {how}, an estimated {part:.4} % of them{sections}")
}

fn holds(options: &Options, states: u64) -> String {
    let asked = options.sections.kinds.len();
    let what = match (options.termination, asked) {
        (true, _) => "no fault and no deadlock, and the program always can end",
        (false, 0) => "no fault and no deadlock",
        (false, kinds) if kinds < SectionKind::ALL.len() => {
            "no fault and no deadlock, and every section of the kinds asked for can be left"
        }
        (false, _) => "no fault and no deadlock, and every section that is entered can be left",
    };
    match states {
        1 => format!("{what}, in the only state"),
        _ => format!("{what}, in all {states} states"),
    }
}
