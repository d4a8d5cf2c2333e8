//! SPIN's trails on the command line, and the statements that no run executes.

use std::path::Path;

use exeunt_model::{Report, Verdict, Violation};
use exeunt_promela::PromelaModel;
use exeunt_search::ComponentPool;

use crate::args::SearchArgs;
use crate::failure::Failure;
use crate::front::Loaded;
use crate::interrupt;
use crate::settings::Settings;

/// Follows a trail and says where it leads.
pub(crate) fn follow(settings: &Settings, loaded: &Loaded, file: &Path) -> Result<Report, Failure> {
    let text = std::fs::read_to_string(file).map_err(|why| Failure::file("read", file, &why))?;
    let model = promela(loaded, "--spin-trail")?;
    let pool = ComponentPool::new();
    let trail = exeunt_promela::read_trail(model, &pool, &text).map_err(|why| {
        Failure::bad(format!("{}: {why}", file.display()))
            .help("a trail belongs to the very model that SPIN wrote it for")
    })?;
    let mut options = settings.search_options(&SearchArgs::default(), interrupt::listen())?;
    options.all = false;
    let session = settings.open(loaded.model());
    for ask in &loaded.asks {
        let fair = settings.questions.fair;
        let confirmed = exeunt_search::confirm(&*session, ask, fair, &trail.schedule, trail.cycle);
        if let Ok(report) = confirmed
            && report.verdict == Verdict::Violated
        {
            return Ok(report);
        }
    }
    exeunt_search::replay(&*session, &options, &trail.schedule, None).map_err(Failure::bad)
}

/// Writes the run of the first violation as a trail.
pub(crate) fn save(loaded: &Loaded, report: &Report, file: &Path) -> Result<(), Failure> {
    promela(loaded, "--save-trail")?;
    match report.violations.first() {
        Some(violation) => save_violation(loaded, violation, file),
        None => Ok(()),
    }
}

/// Writes the run of a violation as a trail.
pub(crate) fn save_violation(
    loaded: &Loaded,
    violation: &Violation,
    file: &Path,
) -> Result<(), Failure> {
    let model = promela(loaded, "--save-trail")?;
    let pool = ComponentPool::new();
    let trace = &violation.trace;
    let text = exeunt_promela::write_trail(model, &pool, &trace.schedule, trace.cycle_start);
    let text = text.map_err(Failure::bad)?;
    std::fs::write(file, text).map_err(|why| Failure::file("write", file, &why))
}

/// Refuses to list unreached statements of what is no model.
pub(crate) fn lists_unreached(loaded: &Loaded) -> Result<(), Failure> {
    promela(loaded, "--unreached").map(|_| ())
}

fn promela<'l>(loaded: &'l Loaded, flag: &str) -> Result<&'l PromelaModel, Failure> {
    let reason = || Failure::bad(format!("{flag} has a meaning for Promela models only"));
    loaded.promela().ok_or_else(reason)
}
