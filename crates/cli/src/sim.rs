//! `exeunt sim`: walk through the states of a program, in the terminal or by a script.

mod screen;

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use exeunt_live::{Graph, Program};
use exeunt_model::{Basis, Model, Schedule, Session};
use exeunt_sim::{Answer, Simulator};

use crate::args::{RunArgs, WorldArgs};
use crate::failure::Failure;
use crate::front;
use crate::live;
use crate::live_states;
use crate::output;
use crate::settings::Settings;
use crate::trace_file::TraceFile;

#[derive(Debug, Args)]
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
    if script.is_none() && !std::io::stdout().is_terminal() {
        return Err(Failure::bad("`exeunt sim` needs a terminal")
            .help("`--script FILE` takes commands from a file, `--script -` from the input"));
    }
    if let Some(graph) = native(&arguments.program)? {
        return walk(&*graph.open(Basis::Learnt), None, script.as_deref());
    }
    let (settings, schedule) = opened(&arguments.program, &arguments.world)?;
    let loaded = front::load(&settings)?;
    let session = settings.open(loaded.model());
    walk(&*session, schedule.as_ref(), script.as_deref())
}

/// A program without bitcode, which runs itself.
pub(crate) fn native(program: &RunArgs) -> Result<Option<Graph>, Failure> {
    let [file] = program.files.as_slice() else { return Ok(None) };
    if !exeunt_llvm_front::is_native_only(file) {
        return Ok(None);
    }
    let words = program.args.as_deref().map(shlex::split);
    let Some(words) = words.unwrap_or_else(|| Some(Vec::new())) else {
        return Err(Failure::bad("--args: a quote is not closed"));
    };
    let program = Program::new(file, words).map_err(live::refused)?;
    live_states::walked(&program).map(Some)
}

/// What is simulated, and the path that a trace file begins with.
pub(crate) fn opened(
    program: &RunArgs,
    world: &WorldArgs,
) -> Result<(Settings, Option<Schedule>), Failure> {
    if let [file] = program.files.as_slice()
        && is_trace(file)
    {
        let trace = TraceFile::read(file)?;
        trace.check_inputs()?;
        let schedule = trace.schedule()?;
        return Ok((trace.settings, Some(schedule)));
    }
    Ok((Settings::of_sim(program, world)?, None))
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

fn walk(
    session: &dyn Session,
    schedule: Option<&Schedule>,
    script: Option<&str>,
) -> Result<u8, Failure> {
    let done = exeunt_search::walk(session, |walk| {
        let mut simulator = Simulator::new(walk);
        if let Some(schedule) = schedule {
            simulator.follow(schedule).map_err(Failure::bad)?;
        }
        match script {
            Some(script) => obey(&mut simulator, script),
            None => screen::show(&mut simulator),
        }
    });
    done.map_err(|why| Failure::bad(format!("the program cannot start: {why}")))??;
    Ok(0)
}

/// Executes the commands of a script and prints each with its answer. A command that
/// fails ends it.
fn obey(simulator: &mut Simulator<'_, '_>, script: &str) -> Result<(), Failure> {
    output::print(&format!("{}\n", simulator.status()));
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
