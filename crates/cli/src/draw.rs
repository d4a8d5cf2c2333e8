//! `exeunt draw`: the state space as a picture, or who waits and what is open along a saved schedule.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use exeunt_model::{Schedule, StateView, Trace, Violation};

use crate::args::{RunArgs, WorldArgs};
use crate::failure::Failure;
use crate::front;
use crate::live;
use crate::output;
use crate::settings::Settings;
use crate::sim;
use crate::trace_file::TraceFile;

#[derive(Debug, Args)]
pub(crate) struct DrawArgs {
    #[command(flatten)]
    pub(crate) program: RunArgs,
    /// Write the picture to a file, by its name as SVG (.svg) or for Graphviz
    /// (.dot); without it, Graphviz text is printed
    #[arg(short, value_name = "FILE")]
    o: Option<PathBuf>,
    /// What is drawn; waits and sections are those of a trace (`--save`)
    #[arg(long, value_enum, value_name = "WHAT", default_value = "states")]
    of: What,
    /// Explore no more than so many states
    #[arg(long, value_name = "STATES", default_value = "2000", value_parser = clap::value_parser!(u32).range(1..))]
    max_states: u32,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// All states; components as one where there are many
    States,
    /// Who waits for whom at the end of a trace
    Waits,
    /// When which section was open along a trace
    Sections,
}

pub(crate) fn run(arguments: &DrawArgs) -> Result<u8, Failure> {
    output::writable(arguments.o.as_deref())?;
    let form = form(arguments.o.as_deref())?;
    let names: Vec<String> =
        arguments.program.files.iter().map(|file| file.display().to_string()).collect();
    let title = names.join(" ");
    let text = match (arguments.of, form) {
        (What::States, form) => states(arguments, form, &title)?,
        (What::Waits | What::Sections, Form::Svg) => along(arguments, &title)?,
        (What::Waits | What::Sections, Form::Dot) => {
            return Err(Failure::bad("this picture is an SVG: name a file that ends in .svg (-o)"));
        }
    };
    match &arguments.o {
        Some(path) => output::write(path, &text)?,
        None => output::print(&text),
    }
    Ok(0)
}

fn states(arguments: &DrawArgs, form: Form, title: &str) -> Result<String, Failure> {
    let (settings, _) = match arguments.program.files.as_slice() {
        [file] if sim::is_trace(file) => sim::opened(&arguments.program, &arguments.world)?,
        files => {
            files.iter().try_for_each(|file| sim::readable(file))?;
            (Settings::of_draw(arguments)?, None)
        }
    };
    let loaded = front::load(&settings)?;
    let limit = arguments.max_states as usize;
    let picture =
        exeunt_search::draw(&*settings.open(loaded.model()), limit).map_err(Failure::bad)?;
    if picture.cut {
        eprintln!("only {limit} states were explored; --max-states allows more");
    }
    Ok(match form {
        Form::Dot => exeunt_report::dot(&picture, title),
        Form::Svg => exeunt_report::draw_states(&picture, title),
    })
}

/// The schedule of a trace file with its states, and the violation that it shows, if it still does.
fn traced(arguments: &DrawArgs) -> Result<(Trace, Option<Violation>), Failure> {
    let [file] = arguments.program.files.as_slice() else { return Err(no_trace()) };
    if let Some(recorded) = live::recorded(file)? {
        let shown = recorded.violation()?.ok();
        let live::Recorded { program, options, schedule, .. } = recorded;
        let states = exeunt_live::states_along(&program, &schedule, &options);
        return Ok(joined(schedule, states.map_err(live::refused)?, shown));
    }
    let (settings, schedule) = sim::opened(&arguments.program, &arguments.world)?;
    let Some(schedule) = schedule else { return Err(no_trace()) };
    let loaded = front::load(&settings)?;
    let session = settings.open(loaded.model());
    let states = exeunt_search::states_along(&*session, &schedule);
    let shown = crate::replay::violation(&TraceFile::read(file)?, &loaded, &*session)?;
    Ok(joined(schedule, states, shown))
}

fn no_trace() -> Failure {
    Failure::bad("waits and sections are drawn of a trace")
        .help("trace files are written by `exeunt check FILE --save TRACE`")
}

/// A trace with its states, which the violation gets, too.
fn joined(
    schedule: Schedule,
    states: Vec<StateView>,
    shown: Option<Violation>,
) -> (Trace, Option<Violation>) {
    let shown = shown.map(|shown| {
        let trace = Trace { states: states.clone(), ..shown.trace };
        Violation { trace, ..shown }
    });
    (Trace { schedule, states, ..Trace::default() }, shown)
}

/// A picture of the run that a trace file has.
fn along(arguments: &DrawArgs, title: &str) -> Result<String, Failure> {
    let (trace, shown) = traced(arguments)?;
    let (drawn, nothing) = match arguments.of {
        What::Waits => {
            let drawn = exeunt_report::draw_waits(&trace, shown.as_ref(), title);
            (drawn, "nobody waits at its end")
        }
        What::Sections | What::States => {
            let drawn = exeunt_report::draw_sections(&trace, shown.as_ref(), title);
            (drawn, "no section is open along it")
        }
    };
    drawn.ok_or_else(|| Failure::bad(format!("there is nothing to draw: {nothing}")))
}

#[derive(Clone, Copy)]
enum Form {
    Dot,
    Svg,
}

/// By how the name of the file ends; the terminal gets text.
fn form(path: Option<&Path>) -> Result<Form, Failure> {
    let ending = path.map(|path| path.extension().and_then(|ending| ending.to_str()));
    match ending {
        None | Some(Some("dot" | "gv")) => Ok(Form::Dot),
        Some(Some("svg")) => Ok(Form::Svg),
        Some(_) => Err(Failure::bad("a picture is written to a file that ends in .svg or .dot")),
    }
}
