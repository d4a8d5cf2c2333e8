//! `exeunt sim`: walk through the states of a program, in the terminal or by a script.

mod screen;

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use exeunt_live::{Graph, Program};
use exeunt_model::{Basis, Model, Schedule, Session, Violation};
use exeunt_sim::{Answer, Simulator};
use serde::Serialize;

use crate::args::{RunArgs, WorldArgs};
use crate::failure::Failure;
use crate::front;
use crate::live;
use crate::live_states;
use crate::output;
use crate::replay;
use crate::settings::Settings;
use crate::trace_file::TraceFile;

/// What can be walked through.
pub(crate) const WALKED: &str = "FILE may also be a Promela model (.pml), a native program, or a trace that `check --save` or \
     `live --save` wrote; a trace begins at its end and says what it shows.";

#[derive(Debug, Args)]
#[command(after_help = WALKED)]
pub(crate) struct SimArgs {
    #[command(flatten)]
    pub(crate) program: RunArgs,
    /// Take commands from a file (`-`: the standard input) and print their answers
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
}

pub(crate) fn run(arguments: &SimArgs) -> Result<u8, Failure> {
    let script = arguments.script.as_deref().map(read_script).transpose()?;
    arguments.program.files.iter().try_for_each(|file| readable(file))?;
    if script.is_none() && !std::io::stdout().is_terminal() {
        return Err(Failure::bad("`exeunt sim` needs a terminal")
            .help("`--script FILE` takes commands from a file, `--script -` from the input"));
    }
    begin(&arguments.program, &arguments.world, |session, start| {
        walk(session, &start, script.as_deref())
    })
}

/// What a walk begins with, if it is that of a trace.
#[derive(Default)]
pub(crate) struct Start {
    /// The path.
    pub(crate) schedule: Option<Schedule>,
    /// What it leads to, if it still does.
    pub(crate) violation: Option<Violation>,
}

/// Opens a program, a model or a trace for someone who walks through its states.
pub(crate) fn begin(
    program: &RunArgs,
    world: &WorldArgs,
    act: impl FnOnce(&dyn Session, Start) -> Result<u8, Failure>,
) -> Result<u8, Failure> {
    if let Some((graph, start)) = native(program, world)? {
        return act(&*graph.open(Basis::Learnt), start);
    }
    let (settings, _) = opened(program, world)?;
    let loaded = front::load(&settings)?;
    let session = settings.open(loaded.model());
    let start = match program.files.as_slice() {
        [file] if is_trace(file) => {
            let trace = TraceFile::read(file)?;
            let violation = replay::violation(&trace, &loaded, &*session)?;
            Start { schedule: Some(trace.schedule()?), violation }
        }
        _ => Start::default(),
    };
    act(&*session, start)
}

/// A program without bitcode, which runs itself, and what a trace of it begins with.
fn native(program: &RunArgs, world: &WorldArgs) -> Result<Option<(Graph, Start)>, Failure> {
    let [file] = program.files.as_slice() else { return Ok(None) };
    if let Some(trace) = live::recorded(file)? {
        refuse_fixed(file, program, world)?;
        let graph = live_states::walked(&trace.program, &trace.options)?;
        let violation = trace.violation()?.ok();
        let start = Start { schedule: Some(trace.schedule), violation };
        return Ok(Some((graph, start)));
    }
    if !exeunt_llvm_front::is_native_only(file) {
        return Ok(None);
    }
    let words = program.args.as_deref().map(shlex::split);
    let Some(words) = words.unwrap_or_else(|| Some(Vec::new())) else {
        return Err(Failure::bad("--args: a quote is not closed"));
    };
    let program = Program::new(file, words).map_err(live::refused)?;
    let interrupt = crate::interrupt::listen();
    let options = exeunt_live::Options { interrupt, ..exeunt_live::Options::default() };
    let graph = live_states::walked(&program, &options)?;
    Ok(Some((graph, Start::default())))
}

/// What is simulated, and the path that a trace file begins with.
pub(crate) fn opened(
    program: &RunArgs,
    world: &WorldArgs,
) -> Result<(Settings, Option<Schedule>), Failure> {
    program.files.iter().try_for_each(|file| readable(file))?;
    if let [file] = program.files.as_slice()
        && is_trace(file)
    {
        let trace = TraceFile::read(file)?;
        refuse_fixed(file, program, world)?;
        trace.check_inputs()?;
        let schedule = trace.schedule()?;
        return Ok((trace.settings, Some(schedule)));
    }
    Ok((Settings::of_sim(program, world)?, None))
}

/// Refuses a file that is not there or empty before its name is looked at. `-` is the standard input.
pub(crate) fn readable(file: &Path) -> Result<(), Failure> {
    if file.as_os_str() == "-" {
        return Ok(());
    }
    let help = "name a program, a model, or a trace that `exeunt check FILE --save TRACE` wrote";
    let known = std::fs::metadata(file);
    let known = known.map_err(|why| Failure::file("read", file, &why).help(help))?;
    match known.len() == 0 && known.is_file() {
        true => Err(Failure::bad(format!("{} is empty", file.display())).help(help)),
        false => Ok(()),
    }
}

/// A trace keeps the options that decide what the program does: to give them again is refused.
fn refuse_fixed(file: &Path, program: &RunArgs, world: &WorldArgs) -> Result<(), Failure> {
    let mut given = flags_of(world);
    given.extend(flags_of(&program.input));
    given.extend(program.args.as_ref().map(|_| "--args".to_string()));
    given.extend(program.compiling.language.map(|_| "--language".to_string()));
    given.extend(program.compiling.arguments());
    let Some(first) = given.first() else { return Ok(()) };
    let message = format!(
        "{} is a trace, which keeps the options that it was found with: `{first}` cannot be added",
        file.display()
    );
    Err(Failure::bad(message)
        .help(format!("give `{first}` with the program, or save a trace that was found with it")))
}

/// The options of a group that are not as they are by default.
fn flags_of<T: Default + Serialize>(group: &T) -> Vec<String> {
    let fields = |group: &T| serde_json::to_value(group).expect("plain data has a JSON form");
    let (given, usual) = (fields(group), fields(&T::default()));
    let fields = given.as_object().into_iter().flatten();
    fields
        .filter(|(name, value)| usual[*name] != **value)
        .map(|(name, _)| format!("--{name}"))
        .collect()
}

/// Trace files are JSON objects, and no program is one.
pub(crate) fn is_trace(file: &Path) -> bool {
    let text = std::fs::read(file).unwrap_or_default();
    text.trim_ascii_start().starts_with(b"{") && front::is_unknown(file)
}

fn read_script(path: &Path) -> Result<String, Failure> {
    if path.as_os_str() == "-" {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        return match read {
            Ok(_) => Ok(text),
            Err(why) => Err(Failure::bad(format!("cannot read the standard input: {why}"))),
        };
    }
    std::fs::read_to_string(path).map_err(|why| Failure::file("read", path, &why))
}

fn walk(session: &dyn Session, start: &Start, script: Option<&str>) -> Result<u8, Failure> {
    let done = exeunt_search::walk(session, |walk| {
        let mut simulator = Simulator::new(walk);
        if let Some(schedule) = &start.schedule {
            simulator.follow(schedule).map_err(Failure::bad)?;
        }
        match script {
            Some(script) => obey(&mut simulator, start, script),
            None => screen::show(&mut simulator, start.violation.as_ref()),
        }
    });
    done.map_err(|why| Failure::bad(format!("the program cannot start: {why}")))??;
    Ok(0)
}

/// Executes the commands of a script and prints each with its answer. A command that
/// fails ends it.
fn obey(simulator: &mut Simulator<'_, '_>, start: &Start, script: &str) -> Result<(), Failure> {
    output::print(&format!("{}\n", simulator.status()));
    if let Some(violation) = &start.violation {
        output::print(&format!("{}\n", shown(violation)));
    }
    for (number, line) in script.lines().enumerate() {
        if line.split('#').next().unwrap_or_default().trim().is_empty() {
            continue;
        }
        output::print(&format!("> {}\n", line.trim()));
        match perform(simulator, line) {
            Ok(Some(text)) => output::print(&format!("{text}\n")),
            Ok(None) => return Ok(()),
            Err(why) => return Err(Failure::bad(format!("line {}: {why}", number + 1))),
        }
    }
    Ok(())
}

/// What a trace shows, in a line or two.
fn shown(violation: &Violation) -> String {
    let late =
        violation.trace.too_late.map(|steps| format!("\nafter step {steps} it was too late"));
    format!("the trace shows: {}{}", violation.message, late.unwrap_or_default())
}

/// Executes a command with the files it speaks of; `None` if it is the last.
fn perform(simulator: &mut Simulator<'_, '_>, command: &str) -> Result<Option<String>, String> {
    match simulator.execute(command)? {
        Answer::Text(text) => Ok(Some(text)),
        Answer::Quit => Ok(None),
        Answer::Save(path, schedule) => {
            std::fs::write(&path, format!("{schedule}\n"))
                .map_err(|why| format!("cannot write {path}: {why}"))?;
            Ok(Some(format!("the path is in {path}")))
        }
        Answer::Load(path) => {
            let text = std::fs::read_to_string(&path)
                .map_err(|why| format!("cannot read {path}: {why}"))?;
            let schedule: Schedule = text.trim().parse().map_err(|why| format!("{path}: {why}"))?;
            simulator.follow(&schedule).map(Some)
        }
    }
}
