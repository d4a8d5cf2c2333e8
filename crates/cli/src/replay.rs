//! `exeunt replay`: the schedule of a trace file, run again. It must end in
//! the violation that the file names.

use exeunt_model::{Report, Schedule, Session, Verdict, Violation};

use crate::args::{ReplayArgs, SearchArgs};
use crate::failure::{self, Failure};
use crate::front::{self, Loaded};
use crate::interrupt;
use crate::output;
use crate::trace_file::{Expected, TraceFile};

pub(crate) fn run(arguments: &ReplayArgs) -> Result<u8, Failure> {
    output::writable(arguments.show.o.as_deref())?;
    if let Some(code) = crate::live::replay(arguments)? {
        return Ok(code);
    }
    if arguments.gdb {
        return crate::reproducer::debug(arguments);
    }
    let trace = TraceFile::read(&arguments.trace)?;
    trace.check_inputs()?;
    if let Some(name) = &trace.expected.thread {
        return crate::endless::replay(&trace, name, arguments);
    }
    let loaded = front::load(&trace.settings)?;
    let session = trace.settings.open(loaded.model());
    let mut report = match again(&trace, &loaded, &*session)? {
        Ok(report) => report,
        Err(why) => return Ok(not_reproduced(&trace.expected, &why)),
    };
    if arguments.show.looks_at_states() {
        for violation in &mut report.violations {
            let schedule = &violation.trace.schedule;
            violation.trace.states = exeunt_search::states_along(&*session, schedule);
        }
    }
    output::report(&report, &output::this_run("replay", None), &arguments.show)?;
    Ok(match difference(&report, &trace.expected) {
        None => Verdict::Violated.exit_code(),
        Some(why) => not_reproduced(&trace.expected, &why),
    })
}

/// What the schedule of a trace leads to now; `Err` inside says which step is not possible.
fn again(
    trace: &TraceFile,
    loaded: &Loaded,
    session: &dyn Session,
) -> Result<Result<Report, String>, Failure> {
    let schedule = trace.schedule()?;
    let mut options = trace.settings.search_options(&SearchArgs::default(), interrupt::listen())?;
    // Several sections may be stuck where the schedule ends: the one that the
    // file names has to be among them.
    options.all = true;
    let again = match temporal(trace, loaded, session, &schedule) {
        Some(report) => report,
        None => exeunt_search::replay(session, &options, &schedule, trace.cycle),
    };
    Ok(again.map(|mut report| {
        keep_expected(&mut report, &trace.expected);
        report
    }))
}

/// The violation that a trace names, if its schedule still leads to it.
pub(crate) fn violation(
    trace: &TraceFile,
    loaded: &Loaded,
    session: &dyn Session,
) -> Result<Option<Violation>, Failure> {
    // Infinite runs of a thread are judged by another engine.
    if trace.expected.thread.is_some() {
        return Ok(None);
    }
    let report = again(trace, loaded, session)?.ok();
    let report = report.filter(|report| difference(report, &trace.expected).is_none());
    Ok(report.and_then(|mut report| report.violations.pop()))
}

/// Runs against a temporal question are judged by that question.
fn temporal(
    trace: &TraceFile,
    loaded: &Loaded,
    session: &dyn Session,
    schedule: &Schedule,
) -> Option<Result<Report, String>> {
    let question = trace.expected.question.as_ref()?;
    let ask = loaded.asks.iter().find(|ask| ask.id == *question)?;
    let fair = trace.settings.questions.fair;
    Some(exeunt_search::confirm(session, ask, fair, schedule, trace.cycle))
}

/// Leaves the violation that the file names, or the first one.
pub(crate) fn keep_expected(report: &mut Report, expected: &Expected) {
    let at = report.violations.iter().position(|violation| is(violation, expected)).unwrap_or(0);
    if at < report.violations.len() {
        report.violations.swap(0, at);
        report.violations.truncate(1);
        report.reason = report.violations[0].message.clone();
    }
}

fn is(violation: &Violation, expected: &Expected) -> bool {
    let found = Expected::new(violation);
    (&found.property, &found.file, found.line)
        == (&expected.property, &expected.file, expected.line)
}

/// Why the replayed schedule does not show what the file promised.
pub(crate) fn difference(report: &Report, expected: &Expected) -> Option<String> {
    let Some(violation) = report.violations.first() else {
        return Some("the schedule ended without a violation".to_string());
    };
    let found = Expected::new(violation);
    (!is(violation, expected))
        .then(|| format!("it ended in {} at {}:{}", found.property, found.file, found.line))
}

pub(crate) fn not_reproduced(expected: &Expected, why: &str) -> u8 {
    failure::error(&format!(
        "the schedule does not lead to `{}` at {}:{} any more: {why}",
        expected.property, expected.file, expected.line
    ));
    Verdict::Inconclusive.exit_code()
}
