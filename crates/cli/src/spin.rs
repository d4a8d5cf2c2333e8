//! `exeunt spin`: SPIN's habits. Its command lines are read, and what they ask for is done: a search
//! with the table that a verifier prints, a run by chance, a run along a trail, a message sequence
//! chart.

mod line;
mod search;
mod table;
mod view;
mod walk;

use std::path::PathBuf;

use clap::Args;
use exeunt_promela::{PromelaModel, PromelaOptions};

use crate::failure::Failure;
use crate::front;
use crate::output;
use line::{Line, Mode, Trail};

#[derive(Debug, Args)]
pub(crate) struct SpinArgs {
    /// A command line of SPIN: [-p -g -l -r -s -c -M -nSEED -uSTEPS] MODEL simulates, -t follows a
    /// trail, -d -C -A -I show the model, -run [-a -l -f -E -A -e -cN -mN -wN -bfs -N NAME -DBITSTATE…] searches
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required = true,
        value_name = "SPIN ARGUMENTS"
    )]
    arguments: Vec<String>,
}

pub(crate) fn run(arguments: &SpinArgs) -> Result<u8, Failure> {
    let line = Line::read(&arguments.arguments)?;
    match &line.mode {
        Mode::Version => {
            output::print(&format!("Exeunt {}, for SPIN's habits\n", env!("CARGO_PKG_VERSION")));
            Ok(0)
        }
        Mode::Accept => {
            model(&line)?;
            let file = line.file.display();
            output::print(&format!(
                "the model is accepted; no verifier has to be made: `exeunt spin -run {file}` searches\n"
            ));
            Ok(0)
        }
        Mode::Show(view) => {
            output::print(&view::text(&model(&line)?, *view));
            Ok(0)
        }
        Mode::Search => search::run(&line),
        Mode::Simulate => walk::by_chance(&line),
        Mode::Choose => walk::by_hand(&line),
        Mode::Follow(trail) => walk::along(&line, &trail_file(&line, trail)),
    }
}

/// The model as it is written, every statement a step of its own.
fn model(line: &Line) -> Result<PromelaModel, Failure> {
    let behind = line.never.as_deref().map(front::claim_file).transpose()?;
    let defines = line.defines.clone();
    let rules = line.rules;
    let options = PromelaOptions { defines, behind, rules, ..PromelaOptions::default() };
    let model = front::promela_model_with_code(&line.file, &line.pan.linked, &options)?;
    for warning in model.warnings() {
        eprintln!("{}: warning: {}", warning.location, warning.message);
    }
    Ok(model)
}

/// Where SPIN looks for a trail.
fn trail_file(line: &Line, trail: &Trail) -> PathBuf {
    let name = line.file.display();
    let suffix = line.pan.suffix.as_deref().unwrap_or("trail");
    match trail {
        Trail::Usual => PathBuf::from(format!("{name}.{suffix}")),
        Trail::Numbered(number) => PathBuf::from(format!("{name}{number}.{suffix}")),
        Trail::File(file) => file.clone(),
    }
}

/// How SPIN writes a process type: `proctype P`, `init`.
fn declared(name: &str) -> String {
    if name == "init" { name.to_string() } else { format!("proctype {name}") }
}
