//! `exeunt check`: load, search, report, save.

use std::cell::RefCell;
use std::time::Instant;

use exeunt_model::{Assumption, Report, Session, Verdict};
use exeunt_search::{Engine, Memory, Options, Progress, Temporal};

use crate::args::{CheckArgs, SearchArgs};
use crate::baseline::Baseline;
use crate::checkpoint;
use crate::cluster;
use crate::contradictions;
use crate::failure::{Failure, INTERRUPTED};
use crate::front::{self, Loaded};
use crate::harmless;
use crate::interrupt;
use crate::output;
use crate::progress::Display;
use crate::remarks;
use crate::settings::{Relies, Settings};
use crate::simplify;
use crate::svcomp::{self, Task};
use crate::temporal;
use crate::trace_file::TraceFile;
use crate::trail;
use crate::watch;

pub(crate) fn run(mut arguments: CheckArgs) -> Result<u8, Failure> {
    if arguments.watch {
        return watch::run(&arguments);
    }
    let baseline = arguments.baseline.as_deref().map(Baseline::read).transpose()?;
    arguments.search.all |= baseline.is_some();
    let task = svcomp::task(&mut arguments)?;
    contradictions::refuse(&arguments)?;
    if arguments.cluster.follows() {
        return cluster::follow(&arguments);
    }
    if arguments.unbounded {
        return crate::prove::unbounded(&arguments);
    }
    output::writable(arguments.show.o.as_deref())?;
    output::writable(arguments.save.as_deref())?;
    output::writable(arguments.save_trail.as_deref())?;
    output::writable(arguments.checkpoint.as_deref())?;
    output::writable(arguments.witness.as_deref())?;
    let mut settings = Settings::new(&arguments)?;
    settings.error_calls = task.as_ref().is_some_and(Task::names_error);
    let mut answered = match &arguments.spin_trail {
        Some(file) => {
            // SPIN's steps are those without a reduction.
            let settings = settings.unreduced();
            let loaded = front::load(&settings)?;
            let report = trail::follow(&settings, &loaded, file)?;
            Answered { report, loaded, assumption: Assumption::default() }
        }
        None => search_for(task.as_ref(), &settings, &mut arguments)?,
    };
    if let Some(time) = arguments.simplify {
        simplify::simplify(&mut answered, &mut settings, &arguments, time)?;
    }
    let Answered { mut report, loaded, assumption } = answered;
    let nothing_new = baseline.is_some_and(|baseline| baseline.apply(&mut report));
    if let Some(file) = &arguments.save_trail {
        trail::save(&loaded, &report, file)?;
    }
    if arguments.show.looks_at_states() {
        let options = settings.search_options(&arguments.search, interrupt::listen())?;
        let asked = arguments.show.explain.then_some(&options);
        record_states(&settings, &loaded, &assumption, asked, &mut report);
    }
    let saved = save(&arguments, &settings, assumption, &report)?;
    let run = output::this_run("check", replay_hint(&arguments, &report, saved));
    output::report(&report, &run, &arguments.show)?;
    if let Some(task) = &task {
        svcomp::answer(task, &report, &arguments)?;
    }
    Ok(match nothing_new && report.limits_hit.is_empty() {
        true if !interrupt::requested() => Verdict::Holds.exit_code(),
        true | false => exit_code(&report, nothing_new, &arguments.search),
    })
}

/// What a search came to.
pub(crate) struct Answered {
    pub(crate) report: Report,
    pub(crate) loaded: Loaded,
    /// What its schedules depend on.
    pub(crate) assumption: Assumption,
}

/// The search for what a property file asks, or for all that is asked. Where something else is found
/// first, all that there is is looked for.
fn search_for(
    task: Option<&Task>,
    settings: &Settings,
    arguments: &mut CheckArgs,
) -> Result<Answered, Failure> {
    let deadlock = task.is_none();
    let mut answered = search(settings, arguments, deadlock)?;
    let Some(task) = task else { return Ok(answered) };
    if task.is_open(&answered.report) && !arguments.search.all {
        arguments.search.all = true;
        answered = search(settings, arguments, deadlock)?;
    }
    task.judge(&mut answered.report);
    Ok(answered)
}

fn search(settings: &Settings, arguments: &CheckArgs, deadlock: bool) -> Result<Answered, Failure> {
    let bounds = &arguments.search;
    let stop = interrupt::listen();
    let display = Display::new();
    display.say("compiling");
    let mut options = settings.search_options(bounds, stop)?;
    options.deadlock = deadlock;
    let start = Instant::now();
    let loaded = front::load(settings).inspect_err(|_| display.finish())?;
    if !arguments.cluster.is_wanted() {
        let checkpoints = checkpoint::wanted(arguments, settings, &loaded);
        options.checkpoints = checkpoints.inspect_err(|_| display.finish())?;
    }
    let compiling = start.elapsed().as_secs_f64();
    if interrupt::requested() {
        display.finish();
        return Err(Failure::Interrupted);
    }
    let mut session = settings.open(loaded.model());
    let refused = match arguments.unreached {
        true => trail::lists_unreached(&loaded),
        false => Ok(()),
    };
    let report =
        refused.and_then(|()| refuse_abstraction(&*session, &loaded, &options)).and_then(|()| {
            match arguments.cluster.is_wanted() {
                true => {
                    let show = &mut |p: &Progress| display.show(p);
                    cluster::lead(arguments, settings, &loaded, &*session, &options, show)
                }
                false => answer(settings, bounds, &loaded, &mut *session, &options, &display),
            }
        });
    display.finish();
    let mut report = report?;
    report.statistics.phases.insert(0, ("compiling", compiling));
    if arguments.unreached && report.verdict == Verdict::Holds {
        report.unreached = session.unreached();
    }
    remarks::add(&mut report, settings);
    let assumption = session.assumption();
    drop(session);
    Ok(Answered { report, loaded, assumption })
}

/// The program itself may ask for an abstraction, which not every search has.
fn refuse_abstraction(
    session: &dyn Session,
    loaded: &Loaded,
    options: &Options,
) -> Result<(), Failure> {
    if session.facts().abstraction.is_none() {
        return Ok(());
    }
    if options.checkpoints.are_wanted() {
        return Err(Failure::bad(
            "a search with an abstraction (exeunt_ignore) cannot be kept in a checkpoint",
        ));
    }
    if !loaded.asks.is_empty() {
        return Err(Failure::bad(
            "temporal properties cannot be asked of a program with an abstraction (exeunt_ignore, and in models Hidden and UnMatched)",
        ));
    }
    Ok(())
}

/// The plain search, then the temporal questions.
pub(crate) fn answer(
    settings: &Settings,
    bounds: &SearchArgs,
    loaded: &Loaded,
    session: &mut dyn Session,
    options: &Options,
    display: &Display,
) -> Result<Report, Failure> {
    let questions = &settings.questions;
    let course = RefCell::new(Vec::new());
    let show = &mut |p: &Progress| {
        course.borrow_mut().push((p.seconds, p.states, p.waiting));
        display.show(p);
    };
    if questions.only && loaded.asks.is_empty() {
        return Err(Failure::bad(
            "--property temporal, but no formula, claim or invariant is given",
        )
        .help("add `--ltl FORMULA` or `--invariant CONDITION`"));
    }
    let begun = Instant::now();
    let mut base = (!questions.only).then(|| explore(session, bounds, options, show));
    let decided = base.as_ref().is_some_and(|base| base.verdict == Verdict::Violated);
    // Claims of a model need all states; without them the verdict stays open.
    let kept = options.memory == Memory::Exact;
    let nothing = loaded.asks.is_empty() || !kept || (decided && !options.all);
    if let Some(mut base) = base.take_if(|_| nothing || interrupt::requested()) {
        base.statistics.course = course.take();
        return Ok(base);
    }
    let how = Temporal { fair: questions.fair, faults: questions.only };
    let mut rest = options.clone();
    rest.limits.spent = begun.elapsed();
    let answered = exeunt_search::check_temporal(session, &rest, how, &loaded.asks, show);
    let answered = answered.map_err(temporal::wrong)?;
    let mut report = match base {
        Some(base) => exeunt_search::joined(base, answered),
        None => answered,
    };
    report.statistics.course = course.take();
    Ok(report)
}

/// The search that is asked for: one engine, under a bound and through an
/// abstraction if there are any.
fn explore(
    session: &mut dyn Session,
    bounds: &SearchArgs,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Report {
    let plain: Engine<'_> = match (bounds.minimal, bounds.stateless) {
        (true, _) => &exeunt_search::check_minimal,
        (false, true) => &exeunt_search::check_stateless,
        (false, false) => &exeunt_search::check,
    };
    let bounded: Engine<'_> = &|session, options, progress| match bounds.context_bound {
        Some(limit) => exeunt_search::check_context_bound(session, limit, plain, options, progress),
        None => plain(session, options, progress),
    };
    match session.facts().abstraction {
        Some(what) => exeunt_search::check_abstraction(session, &what, bounded, options, progress),
        None => bounded(session, options, progress),
    }
}

/// Traces longer than this are shown without their states.
const LONG: usize = 20_000;

/// Adds the states along each trace, for reports that show them, and what would have been harmless for those that
/// explain.
fn record_states(
    settings: &Settings,
    loaded: &Loaded,
    assumption: &Assumption,
    explained: Option<&Options>,
    report: &mut Report,
) {
    let mut settings = settings.clone();
    settings.relies = Relies::On(assumption.words().to_vec());
    let session = settings.open(loaded.model());
    for violation in &mut report.violations {
        let trace = &mut violation.trace;
        if trace.steps.len() <= LONG {
            trace.states = exeunt_search::states_along(&*session, &trace.schedule);
        }
        if let Some(options) = explained.filter(|_| violation.question.is_none()) {
            violation.help.extend(harmless::change(&*session, options, violation));
        }
    }
}

/// Writes the trace file if one was asked for and there is a trace.
fn save(
    arguments: &CheckArgs,
    settings: &Settings,
    assumption: Assumption,
    report: &Report,
) -> Result<bool, Failure> {
    let (Some(path), Some(violation)) = (&arguments.save, report.violations.first()) else {
        return Ok(false);
    };
    let mut settings = settings.clone();
    settings.relies = Relies::On(assumption.words().to_vec());
    TraceFile::new(&settings, violation)?.write(path)?;
    Ok(true)
}

fn replay_hint(arguments: &CheckArgs, report: &Report, saved: bool) -> Option<String> {
    report.violations.first()?;
    Some(match &arguments.save {
        Some(path) if saved => {
            let name = path.to_string_lossy();
            let quoted = shlex::try_quote(&name).unwrap_or_else(|_| name.clone());
            format!("replay with: exeunt replay {quoted}")
        }
        _ => "add `--save FILE` to keep this schedule for `exeunt replay FILE`".to_string(),
    })
}

/// An interrupted search has no verdict of its own, whatever it found so far.
fn exit_code(report: &Report, nothing_new: bool, bounds: &SearchArgs) -> u8 {
    let unfinished = report.verdict == Verdict::Inconclusive || bounds.all;
    match () {
        () if interrupt::requested() && unfinished => INTERRUPTED,
        // Something was cut off, and what is new may be behind it.
        () if nothing_new => Verdict::Inconclusive.exit_code(),
        () => report.verdict.exit_code(),
    }
}
