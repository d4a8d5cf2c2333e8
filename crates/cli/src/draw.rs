//! `exeunt draw`: the state space as a picture.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::args::DrawArgs;
use crate::failure::Failure;
use crate::front;
use crate::output;
use crate::settings::Settings;

pub(crate) fn run(arguments: &DrawArgs) -> Result<u8, Failure> {
    output::writable(arguments.o.as_deref())?;
    let form = form(arguments.o.as_deref())?;
    let settings = Settings::of_draw(arguments)?;
    let loaded = front::load(&settings)?;
    let limit = arguments.max_states as usize;
    let picture =
        exeunt_search::draw(&*settings.open(loaded.model()), limit).map_err(Failure::bad)?;
    let names: Vec<String> =
        arguments.program.files.iter().map(|file| file.display().to_string()).collect();
    let dot = exeunt_report::dot(&picture, &names.join(" "));
    let text = match form {
        Form::Dot => dot,
        Form::Svg => lay_out(&dot)?,
    };
    match &arguments.o {
        Some(path) => output::write(path, &text)?,
        None => output::print(&text),
    }
    if picture.cut {
        eprintln!("only {limit} states were explored; --max-states allows more");
    }
    Ok(0)
}

#[derive(Clone, Copy)]
enum Form {
    Dot,
    Svg,
}

/// Graphviz knows best how to lay out a graph.
fn lay_out(dot: &str) -> Result<String, Failure> {
    let cannot = |why: std::io::Error| {
        let message = format!("the picture could not be laid out: `dot` {why}");
        Failure::bad(message).help("install graphviz, or write a file that ends in .dot")
    };
    let mut child = Command::new("dot")
        .arg("-Tsvg")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(cannot)?;
    let mut input = child.stdin.take().expect("it is piped");
    let text = dot.to_string();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(cannot)?;
    // If it went away early, its exit code says so.
    let _ = writer.join();
    if !output.status.success() {
        return Err(Failure::bad("the picture could not be laid out: `dot` failed"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
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
