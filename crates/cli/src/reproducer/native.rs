//! Compiling and running a reproducer: once, to see that it fails; or under gdb.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use exeunt_model::Property;

use super::symptom::Symptom;
use super::{Attempt, Reproducer, TRIED};
use crate::args::ReplayArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::output;

/// Longer than the shim waits before it says that the program hangs.
const PATIENCE: Duration = Duration::from_secs(10);

/// The command that compiles it.
pub(super) fn command_line(made: &Reproducer, source: &Path, program: &Path) -> Vec<String> {
    let compiler = if made.cxx { "g++" } else { "gcc" };
    let mut line = vec![compiler.to_string(), "-g".to_string(), "-pthread".to_string()];
    // What is freed is only noticed by a library that looks.
    if made.violation.property == Property::Memory {
        line.push("-fsanitize=address".to_string());
    }
    let wanted =
        |flag: &&String| ["-D", "-I", "-U", "-std="].iter().any(|start| flag.starts_with(start));
    line.extend(made.flags.iter().filter(wanted).cloned());
    line.extend([source.display().to_string(), "-o".to_string(), program.display().to_string()]);
    line
}

/// The command that compiles a shim for a native program.
pub(super) fn shim_line(source: &Path, library: &Path) -> Vec<String> {
    let mut line: Vec<String> =
        ["gcc", "-g", "-shared", "-fPIC", "-pthread"].map(str::to_string).to_vec();
    line.extend([source.display().to_string(), "-o".to_string(), library.display().to_string()]);
    line
}

fn compile(line: &[String]) -> Result<(), Failure> {
    let output = Command::new(&line[0]).args(&line[1..]).output();
    let output = output.map_err(|why| Failure::file("start", Path::new(&line[0]), &why))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(Failure::Compiler(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}

/// Compiles and runs it: how it failed, or why it did not.
pub(super) fn tried(attempt: &Attempt) -> Result<Result<String, String>, Failure> {
    let folder = tempfile::tempdir().map_err(|why| Failure::bad(format!("no directory: {why}")))?;
    let target = folder.path().join("reproducer");
    let named = |word: &String| match word.as_str() {
        TRIED => target.display().to_string(),
        _ => word.clone(),
    };
    let line: Vec<String> = attempt.compile.iter().map(named).collect();
    compile(&line)?;
    let run: Vec<String> = attempt.run.iter().map(named).collect();
    let errors = folder.path().join("errors");
    let file =
        std::fs::File::create(&errors).map_err(|why| Failure::file("write", &errors, &why))?;
    let mut command = Command::new(&run[0]);
    command.args(&run[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
    if attempt.preload {
        command.env("LD_PRELOAD", &target);
    }
    let mut child =
        command.spawn().map_err(|why| Failure::file("start", Path::new(&run[0]), &why))?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if start.elapsed() < PATIENCE && !interrupt::requested() => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Ok(None) | Err(_) => break None,
        }
    };
    let Some(status) = status else {
        let _ = child.kill();
        let _ = child.wait();
        return Ok(Err(format!("it did not end in {} s", PATIENCE.as_secs())));
    };
    let told = std::fs::read_to_string(&errors).unwrap_or_default();
    let hangs = told.contains("the program hangs");
    let seen = match attempt.symptom {
        Symptom::Abort => told.contains("Assertion") || status.signal() == Some(ABORTED) && !hangs,
        // Without a library that looks, memory that is misused shows only as a signal.
        Symptom::Memory if attempt.preload => status.signal().is_some() && !hangs,
        Symptom::Memory => told.contains("AddressSanitizer"),
        Symptom::Exit => {
            let failed = status.code().is_some_and(|code| code != 0);
            failed && !hangs && !told.contains(ASTRAY)
        }
        Symptom::Hang => hangs,
    };
    Ok(match seen && !status.success() {
        true if told.is_empty() => Ok(format!("it ended with {status}")),
        true => Ok(first_sentence(&told)),
        false => Err(format!("it ended with {status}")),
    })
}

/// The first line that says something, with the next one if that only announces it.
fn first_sentence(told: &str) -> String {
    let mut lines = told.lines().filter(|line| !line.trim_matches('=').is_empty());
    let first = lines.next().unwrap_or_default();
    match lines.next() {
        Some(next) if first.ends_with(':') => format!("{first} {next}"),
        _ => first.to_string(),
    }
}

/// What the shim says if the program does something else than the schedule.
const ASTRAY: &str = "does not go the way of the schedule";

/// The signal of `abort`.
const ABORTED: i32 = 6;

/// Commands for those who debug it.
const COMMANDS: &str = include_str!("debugger.py");

/// Starts gdb on the reproducer of a trace and runs it to its failure.
pub(crate) fn debug(arguments: &ReplayArgs) -> Result<u8, Failure> {
    let made = Reproducer::of(&arguments.trace)?;
    let folder = tempfile::tempdir().map_err(|why| Failure::bad(format!("no directory: {why}")))?;
    interrupt::remove_at_exit(folder.path());
    let source = folder.path().join(if made.cxx { "reproducer.cpp" } else { "reproducer.c" });
    let (program, script) = (folder.path().join("reproducer"), folder.path().join("commands.py"));
    output::write(&source, &made.text)?;
    let turns =
        made.text.lines().filter(|line| line.starts_with("    {") && line.contains("EXEUNT_"));
    let turns = turns.count();
    let hanging: Vec<String> =
        made.violation.sections.iter().map(|section| section.actor.to_string()).collect();
    // Behind its end there is nothing to look at.
    let exits = match Symptom::of(made.violation.property) {
        Ok(Symptom::Exit) => "True",
        Ok(Symptom::Abort | Symptom::Memory | Symptom::Hang) | Err(_) => "False",
    };
    let hanging = hanging.join(", ");
    let settings = format!("TURNS = {turns}\nHANGING = [{hanging}]\nEXITS = {exits}\n");
    output::write(&script, &(settings + COMMANDS))?;
    compile(&command_line(&made, &source, &program))?;
    output::print(&format!(
        "the native program goes through {turns} turns; `to-switch N` runs to one of them, `continue` goes on\n",
    ));
    let mut gdb = Command::new("gdb");
    gdb.arg("-q").arg("-x").arg(&script).args(["-ex", "to-failure"]);
    if !arguments.gdb_command.is_empty() {
        gdb.arg("-batch");
        gdb.args(arguments.gdb_command.iter().flat_map(|command| ["-ex", command]));
        gdb.stdin(Stdio::null());
    }
    let status = gdb.arg(&program).status();
    let status = status.map_err(|why| {
        Failure::bad(format!("gdb does not start: {why}")).help("it is in the package `gdb`")
    })?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
