//! `exeunt check --simplify`: the schedule of a violation that was found, made simpler by a second search.
//!
//! The second search counts single steps, so it has a reduction of its own; where it finds the
//! violation, its schedule and its settings replace those of the first.

use std::time::Duration;

use exeunt_model::{Property, SectionReport, Session, Trace, Verdict, Violation};
use exeunt_search::{Options, Simplest};

use crate::args::{CheckArgs, ReductionChoice};
use crate::check::Answered;
use crate::failure::Failure;
use crate::front;
use crate::interrupt;
use crate::progress::Display;
use crate::settings::{Relies, Settings};

pub(crate) fn simplify(
    answered: &mut Answered,
    settings: &mut Settings,
    arguments: &CheckArgs,
    time: Duration,
) -> Result<(), Failure> {
    let known = match answered.report.violations.as_slice() {
        [only] if only.property != Property::Ltl && only.question.is_none() => only.clone(),
        _ => return Ok(()),
    };
    if answered.report.verdict != Verdict::Violated || interrupt::requested() {
        return Ok(());
    }
    let mut single = settings.clone();
    single.reduction = ReductionChoice::Tau;
    single.relies = Relies::OnWhatItLearns;
    let options = single.search_options(&arguments.search, interrupt::listen())?;
    let loaded = front::load(&single)?;
    let mut session = single.open(loaded.model());
    let display = Display::new();
    let show = &mut |progress: &exeunt_search::Progress| display.show(progress);
    let found = exeunt_search::simplest(&mut *session, &options, &known, time, show);
    display.finish();
    let found = found.map(|found| Simplest {
        violation: with_all_that_hang(&*session, &options, found.violation),
        ..found
    });
    let assumption = session.assumption();
    drop(session);
    let Some(found) = found else {
        let told =
            format!("no simpler schedule was found in {} s (--simplify)", time.as_secs_f64());
        answered.report.violations[0].help.push(told);
        return Ok(());
    };
    let mut violation = found.violation;
    violation.help.push(told(found.switches, found.proven));
    answered.report.reason = violation.message.clone();
    answered.report.violations = vec![violation];
    answered.loaded = loaded;
    answered.assumption = assumption;
    *settings = single;
    Ok(())
}

/// The search looked for sections one by one. What else is never left at the end of the schedule is told, too.
fn with_all_that_hang(session: &dyn Session, options: &Options, found: Violation) -> Violation {
    let Trace { schedule, cycle_start, .. } = &found.trace;
    let Ok(report) = exeunt_search::replay(session, options, schedule, *cycle_start) else {
        return found;
    };
    let same = |other: &Violation| {
        let has = |one: &SectionReport| {
            other.sections.iter().any(|two| (two.actor, two.kind) == (one.actor, one.kind))
        };
        other.property == found.property && found.sections.iter().all(has)
    };
    match report.violations.into_iter().find(same) {
        Some(all) if found.property == Property::Section => all,
        Some(_) | None => found,
    }
}

fn told(switches: u32, proven: bool) -> String {
    let many = match switches {
        0 => "no preemptive context switch".to_string(),
        1 => "1 preemptive context switch".to_string(),
        n => format!("{n} preemptive context switches"),
    };
    match (switches, proven) {
        (0, _) => format!("this schedule has {many}"),
        (_, true) => format!("this schedule has {many}; no fewer are possible"),
        (_, false) => format!("this schedule has {many}; none with fewer was found"),
    }
}
