//! `exeunt draw`: the state space as a picture.

use std::path::Path;

use exeunt_report::Drawing;

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
    let picture = exeunt_search::draw(&*loaded.model, limit).map_err(Failure::bad)?;
    let names: Vec<String> =
        arguments.program.files.iter().map(|file| file.display().to_string()).collect();
    let text = exeunt_report::draw(form, &picture, &names.join(" ")).map_err(Failure::bad)?;
    match &arguments.o {
        Some(path) => output::write(path, &text)?,
        None => output::print(&text),
    }
    if picture.cut {
        eprintln!("only {limit} states were explored; --max-states allows more");
    }
    Ok(0)
}

/// By how the name of the file ends; the terminal gets text.
fn form(path: Option<&Path>) -> Result<Drawing, Failure> {
    let ending = path.map(|path| path.extension().and_then(|ending| ending.to_str()));
    match ending {
        None | Some(Some("dot" | "gv")) => Ok(Drawing::Dot),
        Some(Some("svg")) => Ok(Drawing::Svg),
        Some(_) => Err(Failure::bad("a picture is written to a file that ends in .svg or .dot")),
    }
}
