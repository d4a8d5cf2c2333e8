//! Where a report goes: the terminal, a pipe or a file.

use std::io::{IsTerminal, Write};
use std::path::Path;

use exeunt_model::Report;
use exeunt_report::{Format, Options, Run, Sources};

use crate::args::ShowArgs;
use crate::failure::Failure;

/// Width where there is no terminal to ask.
const WIDTH: usize = 100;

/// Refuses a file that cannot be written, before a long search and not after.
pub(crate) fn writable(path: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    if path.is_dir() {
        return Err(Failure::bad(format!("cannot write {}: it is a directory", path.display())));
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    match parent {
        Some(parent) if !parent.is_dir() => Err(Failure::bad(format!(
            "cannot write {}: there is no directory {}",
            path.display(),
            parent.display()
        ))),
        _ => Ok(()),
    }
}

/// This run of the command, as a report names it.
pub(crate) fn this_run(command: &str, replay: Option<String>) -> Run {
    let quoted =
        |word: String| match word.chars().all(|c| c.is_alphanumeric() || "-_./=,:+".contains(c)) {
            true if !word.is_empty() => word,
            true | false => format!("'{}'", word.replace('\'', "'\\''")),
        };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    let line = std::iter::once("exeunt".to_string()).chain(words).collect::<Vec<_>>().join(" ");
    let (command, version) = (command.to_string(), env!("CARGO_PKG_VERSION").to_string());
    Run { command, version, line, replay }
}

/// Renders the report and writes it where it was asked for.
pub(crate) fn report(report: &Report, run: &Run, show: &ShowArgs) -> Result<(), Failure> {
    proof(report, run, show, false)
}

/// The same, with the program that a proof is about if that is wanted.
pub(crate) fn proof(
    report: &Report,
    run: &Run,
    show: &ShowArgs,
    program: bool,
) -> Result<(), Failure> {
    let options = Options {
        program,
        full_trace: show.full_trace,
        output: show.output,
        stats: show.stats,
        stacks: show.stacks,
        explain: show.explain,
        width: if show.o.is_some() { WIDTH } else { width() },
        breaks: show.o.is_none() && std::io::stdout().is_terminal(),
    };
    let text = exeunt_report::render(show.format, report, run, &Sources::new(), &options);
    let short = format!("{}: {}\n", report.verdict.name(), report.reason);
    deliver(text, &short, show)
}

/// Writes a text to the terminal, or to the file that was named and a short one to
/// the terminal.
fn deliver(text: String, short: &str, show: &ShowArgs) -> Result<(), Failure> {
    match &show.o {
        None => {
            print(&text);
            Ok(())
        }
        Some(path) => {
            let plain = match show.format {
                Format::Human => anstream::adapter::strip_str(&text).to_string(),
                Format::Json
                | Format::Sarif
                | Format::Html
                | Format::Junit
                | Format::Gcc
                | Format::Github => text,
            };
            write(path, &plain)?;
            print(&format!("{}the report is in {}\n", short, path.display()));
            Ok(())
        }
    }
}

pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|why| Failure::file("write", path, &why))
}

/// Prints to stdout, without colours where they do not belong. A reader that
/// went away is no error.
pub(crate) fn print(text: &str) {
    let mut out = anstream::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn width() -> usize {
    if !std::io::stdout().is_terminal() {
        return WIDTH;
    }
    terminal_size::terminal_size().map_or(WIDTH, |(width, _)| usize::from(width.0).max(40))
}
