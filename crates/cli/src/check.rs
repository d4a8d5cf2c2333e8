//! `exeunt check`: load, search, report, save.

use exeunt_model::{Model, Report, Verdict};
use exeunt_report::Run;
use exeunt_search::{Checkpoints, Engine, Options, Progress};

use crate::args::CheckArgs;
use crate::checkpoint;
use crate::contradictions;
use crate::failure::{Failure, INTERRUPTED};
use crate::front::{self, Loaded};
use crate::interrupt;
use crate::output;
use crate::progress::Display;
use crate::settings::{Bounds, Settings};
use crate::trace_file::TraceFile;

pub(crate) fn run(arguments: CheckArgs) -> Result<u8, Failure> {
    contradictions::refuse(&arguments)?;
    output::writable(arguments.show.o.as_deref())?;
    output::writable(arguments.save.as_deref())?;
    output::writable(arguments.checkpoint.as_deref())?;
    let settings = Settings::new(&arguments)?;
    let bounds = Bounds::new(&arguments);
    let checkpoints = checkpoint::wanted(&arguments, &settings)?;
    let (report, _loaded) = search(&settings, &bounds, checkpoints)?;
    let saved = save(&arguments, &settings, &report)?;
    let run = Run {
        command: "check".to_string(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        replay: replay_hint(&arguments, &report, saved),
    };
    output::report(&report, &run, &arguments.show)?;
    Ok(exit_code(&report, &bounds))
}

fn search(
    settings: &Settings,
    bounds: &Bounds,
    checkpoints: Checkpoints,
) -> Result<(Report, Loaded), Failure> {
    let stop = interrupt::listen();
    let display = Display::new();
    display.say("compiling");
    let mut options = settings.search_options(bounds, stop)?;
    options.checkpoints = checkpoints;
    let loaded = front::load(settings).inspect_err(|_| display.finish())?;
    if interrupt::requested() {
        display.finish();
        return Err(Failure::Interrupted);
    }
    if options.checkpoints.are_wanted() && loaded.model.abstraction().is_some() {
        display.finish();
        return Err(Failure::bad(
            "the program calls exeunt_ignore: a search with an abstraction cannot be kept in a checkpoint",
        ));
    }
    let report = explore(&*loaded.model, bounds, &options, &mut |p| display.show(p));
    display.finish();
    Ok((report, loaded))
}

/// The search that is asked for: one engine, under a bound and through an
/// abstraction if there are any.
fn explore(
    model: &dyn Model,
    bounds: &Bounds,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Report {
    let plain: Engine<'_> =
        if bounds.minimal { &exeunt_search::check_minimal } else { &exeunt_search::check };
    let bounded: Engine<'_> = &|model, options, progress| match bounds.context_bound {
        Some(limit) => exeunt_search::check_context_bound(model, limit, plain, options, progress),
        None => plain(model, options, progress),
    };
    match model.abstraction() {
        Some(what) => exeunt_search::check_abstraction(model, &what, bounded, options, progress),
        None => bounded(model, options, progress),
    }
}

/// Writes the trace file if one was asked for and there is a trace.
fn save(arguments: &CheckArgs, settings: &Settings, report: &Report) -> Result<bool, Failure> {
    let (Some(path), Some(violation)) = (&arguments.save, report.violations.first()) else {
        return Ok(false);
    };
    TraceFile::new(settings, violation)?.write(path)?;
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
fn exit_code(report: &Report, bounds: &Bounds) -> u8 {
    let unfinished = report.verdict == Verdict::Inconclusive || bounds.all;
    if interrupt::requested() && unfinished { INTERRUPTED } else { report.verdict.exit_code() }
}
