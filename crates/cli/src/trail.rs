//! SPIN's trails on the command line, and the statements that no run executes.

use std::path::Path;

use exeunt_model::{Label, Report, Verdict};
use exeunt_promela::PromelaModel;
use exeunt_search::ComponentPool;

use crate::failure::Failure;
use crate::front::{self, Loaded};
use crate::interrupt;
use crate::settings::{Bounds, Settings};

/// Follows a trail and says where it leads.
pub(crate) fn follow(settings: &Settings, file: &Path) -> Result<(Report, Loaded), Failure> {
    let text = std::fs::read_to_string(file).map_err(|why| Failure::file("read", file, &why))?;
    // SPIN's steps are those without a reduction.
    let settings = &settings.unreduced();
    let loaded = front::load(settings)?;
    let model = promela(&loaded, "--spin-trail")?;
    let pool = ComponentPool::new();
    let trail = exeunt_promela::read_trail(model, &pool, &text).map_err(|why| {
        Failure::bad(format!("{}: {why}", file.display()))
            .help("a trail belongs to the very model that SPIN wrote it for")
    })?;
    let mut options = settings.search_options(&Bounds::default(), interrupt::listen())?;
    options.all = false;
    for ask in &loaded.asks {
        let fair = settings.questions.fair;
        let confirmed =
            exeunt_search::confirm(loaded.model(), ask, fair, &trail.schedule, trail.cycle);
        if let Ok(report) = confirmed
            && report.verdict == Verdict::Violated
        {
            return Ok((report, loaded));
        }
    }
    let report = exeunt_search::replay(loaded.model(), &options, &trail.schedule);
    Ok((report.map_err(Failure::bad)?, loaded))
}

/// Writes the run of the first violation as a trail.
pub(crate) fn save(loaded: &Loaded, report: &Report, file: &Path) -> Result<(), Failure> {
    let model = promela(loaded, "--save-trail")?;
    let Some(violation) = report.violations.first() else { return Ok(()) };
    let pool = ComponentPool::new();
    let trace = &violation.trace;
    let text = exeunt_promela::write_trail(model, &pool, &trace.schedule, trace.cycle_start);
    let text = text.map_err(Failure::bad)?;
    std::fs::write(file, text).map_err(|why| Failure::file("write", file, &why))
}

/// What was never executed, if everything was explored.
pub(crate) fn unreached(loaded: &Loaded, report: &Report) -> Result<Vec<Label>, Failure> {
    let model = promela(loaded, "--unreached")?;
    if report.verdict != Verdict::Holds {
        return Ok(Vec::new());
    }
    let sites = model.unreached().into_iter();
    let label = |site: &exeunt_promela::Site| Label {
        location: site.location.clone(),
        text: site.text.to_string(),
    };
    Ok(sites.map(label).collect())
}

fn promela<'l>(loaded: &'l Loaded, flag: &str) -> Result<&'l PromelaModel, Failure> {
    let reason = || Failure::bad(format!("{flag} has a meaning for Promela models only"));
    loaded.promela().ok_or_else(reason)
}
